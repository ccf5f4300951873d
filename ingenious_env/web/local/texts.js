// The words of a page without a server: why it refuses a request.

const OPENED = { record: "a record", position: "the text of a position", replay: "a page of the game" };

export const LOCAL = {
  failed: (/** @type {any} */ error) => `the page has failed: ${error instanceof Error ? error.message : error}`,
  elsewhere: "this game is open in another tab of this browser",
  nothing: "there is nothing of this kind here",
  noGame: (/** @type {string} */ game) => `this page does not have the game ${game}`,
  noRules: (/** @type {string} */ title, /** @type {string} */ rules) =>
    `this page plays ${title} at its own tables only, not by ${rules}`,
  noRecord: (/** @type {string[]} */ records, /** @type {string[]} */ positions, /** @type {string} */ text) =>
    `a record begins with the line ${records.map((each) => `'${each}'`).join(", ")}, and a position with ` +
    `${positions.map((each) => `'${each}'`).join(" or ")}, not '${text}'`,
  record: "a record has a line with its game, a rules line, a seed line and a line for each move",
  seed: (/** @type {bigint} */ end) => `seeds are below ${end}`,
  seats: (/** @type {number} */ players, /** @type {number} */ given) => `there must be ${players} seats, not ${given}`,
  noSeat: (/** @type {string} */ known, /** @type {string} */ seat) => `a seat is one of ${known}, not ${seat}`,
  noTable: "this browser has no such game",
  otherSeat: "this page has no seat in that game",
  noNumber: (/** @type {any} */ value) => `at must be a whole number, not ${value}`,
  noMoves: (/** @type {any} */ at) => `there are not ${at} moves`,
  hidden: (/** @type {"record" | "position" | "replay"} */ what) =>
    `${OPENED[what]} reveals the bag and all racks: it is available at the end`,
  notOver: "there are hints for earlier moves once the game is over",
  over: "the game is over, so that there is no move to give a hint for",
  notCompared: "agents are compared only in finished solitaire games that began with a deal",
  notReal: "this is not a real table",
  notAsked: "nobody asks you to allow a takeback",
  noMove: "there is no move of yours to take back",
  others: "others play this game, too, so that it cannot be deleted",
  deleted: "this game was deleted",
  noAgent: (/** @type {string} */ agent) => `${agent} does not play here`,
  agentFailed: (/** @type {string} */ agent, /** @type {any} */ error) => `${agent} failed: ${error}`,
  notLoaded: (/** @type {string} */ name, /** @type {number} */ status) => `${name} cannot be loaded: ${status}`,
};
