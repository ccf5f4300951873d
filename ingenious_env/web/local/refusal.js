// Requests that are refused.

/** A request that is refused, with a status of HTTP and a sentence. */
export class Refusal extends Error {
  /** @param {number} status @param {string} reason */
  constructor(status, reason) {
    super(reason);
    this.status = status;
  }
}
