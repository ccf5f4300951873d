// Sequential halving: a few candidates are simulated, and the worse half is eliminated round after round (see
// `search/sequential_halving.py` of the package with all agents).

const RESULTS = 3; // numbers by candidate: the sum of results, of their squares, and their number

/** A request to end soon, with what has been found so far. @typedef {{ isStopped: boolean }} Stop */

/** Simulations of candidates.
 * @typedef {(candidates: number[], first: number, last: number, sums: Float64Array) => Promise<Float64Array>} Simulate */

export class Search {
  /** @param {number[]} candidates actions @param {Simulate} simulate adds the results of simulations `first` to `last` − 1
   * of some of them to sums @param {number} lookEvery simulations after which it may be stopped */
  constructor(candidates, simulate, lookEvery) {
    this.candidates = candidates;
    this.simulate = simulate;
    this.lookEvery = lookEvery;
    this.sums = new Float64Array(RESULTS * candidates.length);
    this.done = 0;
  }

  /** The results of a candidate: their sum, that of their squares, and their number. @param {number} place */
  results(place) {
    return this.sums.subarray(RESULTS * place, RESULTS * (place + 1));
  }

  /** @param {number} place of a candidate */
  mean(place) {
    const [sum, , number] = this.results(place);
    return sum / Math.max(1, number);
  }

  /** The standard error of a candidate's mean; NaN for fewer than two results. @param {number} place */
  error(place) {
    const [sum, squares, number] = this.results(place);
    return number > 1 ? Math.sqrt(Math.max(0, squares - sum * this.mean(place)) / (number * (number - 1))) : NaN;
  }

  /** The places of candidates, the highest mean first. @param {number[]} places */
  inOrder(places) {
    return [...places].sort((a, b) => this.mean(b) - this.mean(a));
  }

  /** Run more simulations of some of the candidates, fewer if the search is stopped. @param {number[]} places
   * @param {number} simulations @param {Stop} stop */
  async run(places, simulations, stop) {
    const candidates = places.map((place) => this.candidates[place]);
    const end = this.done + simulations;
    /** @type {Float64Array} */
    let sums = new Float64Array(RESULTS * places.length);
    while (this.done < end) {
      const upTo = Math.min(end, this.done + this.lookEvery);
      sums = await this.simulate(candidates, this.done, upTo, sums);
      this.done = upTo;
      if (stop.isStopped) break;
    }
    sums.forEach((sum, k) => (this.sums[RESULTS * places[Math.floor(k / RESULTS)] + (k % RESULTS)] += sum));
  }
}

/** Run a search; returns the place of the remaining candidate. @param {Search} search @param {number} rollouts of all
 * candidates together @param {Stop} stop */
export async function halve(search, rollouts, stop) {
  let alive = [...search.candidates.keys()];
  const rounds = Math.max(1, Math.ceil(Math.log2(alive.length)));
  for (let number = 0; number < rounds; number++) {
    if (alive.length === 1 || (number > 0 && stop.isStopped)) break;
    await search.run(alive, Math.max(1, Math.floor(rollouts / (rounds * alive.length))), stop);
    alive = search.inOrder(alive).slice(0, Math.ceil(alive.length / 2));
  }
  return alive[0];
}

/** The candidates by their means, but first the one that `halve` found. @param {Search} search @param {number} best
 * @param {number} rollouts of a candidate that was chosen without them, as it is the only one @param {Stop} stop */
export async function listed(search, best, rollouts, stop) {
  if (!search.results(best)[RESULTS - 1]) await search.run([best], rollouts, stop);
  const others = search.inOrder([...search.candidates.keys()]).filter((place) => place !== best);
  const order = [best, ...others];
  return {
    actions: order.map((place) => search.candidates[place]),
    values: order.map((place) => search.mean(place)),
    errors: order.map((place) => search.error(place)),
  };
}
