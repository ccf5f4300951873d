// Reproducible random numbers of policies, as `policies/chance.py` makes them.

const BITS = 64;
const GOLDEN = 0x9e3779b97f4a7c15n;
const [MIX_1, MIX_2] = [0xbf58476d1ce4e5b9n, 0x94d049bb133111ebn];
const HALF = 0.5 / 2 ** 53;

/** @param {bigint} number */
const wrapped = (number) => BigInt.asUintN(BITS, number);

/** Scramble a word, as `mix` of `compiled/rng.py`. @param {bigint} x */
function mix(x) {
  const once = wrapped((x ^ (x >> 30n)) * MIX_1);
  const twice = wrapped((once ^ (once >> 27n)) * MIX_2);
  return twice ^ (twice >> 31n);
}

/** A hash of a key and an action. @param {bigint} key @param {number} action */
export const word = (key, action) => mix(wrapped(key + BigInt(action + 1) * GOLDEN));

/** A number in [0, 1). @param {bigint} random */
export const fraction = (random) => Number(random >> 11n) / 2 ** 53;

/** Noise of Gumbel's distribution for an action. @param {bigint} random @param {number} action */
export const noise = (random, action) => -Math.log(-Math.log(fraction(word(random, action)) + HALF));
