// The compiled kernels of a game in WebAssembly, and arrays in their memory.

/** @import { Kind } from "./types.js" */

const PAGE_BYTES = 65536;
const ALIGNMENT = 64; // bytes, so that no number lies across two cache lines
const NUM_WORDS = 64; // of the arguments of a call

const ARRAYS = {
  b1: Uint8Array,
  i1: Int8Array,
  u1: Uint8Array,
  i2: Int16Array,
  i4: Int32Array,
  i8: BigInt64Array,
  u8: BigUint64Array,
  f4: Float32Array,
  f8: Float64Array,
};

/** An array in the memory of kernels. @template {Kind} K */
export class Block {
  /** @param {WebAssembly.Memory} memory @param {K} kind @param {number} address @param {number[]} shape */
  constructor(memory, kind, address, shape) {
    this.memory = memory;
    this.kind = kind;
    this.address = address;
    this.shape = shape;
  }

  /** the number of elements */
  get size() {
    return this.shape.reduce((size, length) => size * length, 1);
  }

  /** The elements; valid until other arrays are made, as memory that grows is another buffer. */
  get values() {
    const Kind = ARRAYS[this.kind];
    return /** @type {InstanceType<typeof ARRAYS[K]>} */ (new Kind(this.memory.buffer, this.address, this.size));
  }

  /** A row of a matrix, or the number with that index; valid as `values`. @param {number} index */
  row(index) {
    const width = this.size / this.shape[0];
    return /** @type {InstanceType<typeof ARRAYS[K]>} */ (this.values.subarray(index * width, (index + 1) * width));
  }
}

/** An argument of a kernel: a whole number, a boolean, an array, or null for None.
 * @typedef {number | bigint | boolean | Block<any> | null} Argument */

/** A module of kernels, as `compiled/targets/wasm.py` documents it, with its memory. */
export class Engine {
  /** @param {WebAssembly.Exports} exports of the module */
  constructor(exports) {
    this.kernels = /** @type {Record<string, (address: number) => bigint>} */ (/** @type {unknown} */ (exports));
    this.memory = /** @type {WebAssembly.Memory} */ (exports.memory);
    this.top = /** @type {WebAssembly.Global} */ (exports.__heap_base).value;
    this.words = this.array("i8", NUM_WORDS);
  }

  /** The kernels in a file. @param {BufferSource | Response | PromiseLike<Response>} source */
  static async of(source) {
    const imports = { env: { exp: Math.exp, expf: Math.exp } };
    const isBytes = source instanceof ArrayBuffer || ArrayBuffer.isView(source);
    const bytes = isBytes
      ? source
      : await (await /** @type {Response | PromiseLike<Response>} */ (source)).arrayBuffer();
    return new Engine((await WebAssembly.instantiate(bytes, imports)).instance.exports);
  }

  /** A new array, all 0; it lives as long as the engine. @template {Kind} K @param {K} kind
   * @param {...number} shape */
  array(kind, ...shape) {
    const at = Math.ceil(this.top / ALIGNMENT) * ALIGNMENT;
    const block = new Block(this.memory, kind, at, shape);
    this.top = at + block.size * ARRAYS[kind].BYTES_PER_ELEMENT;
    const missing = this.top - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE_BYTES));
    return block;
  }

  /** A new array with these elements. @template {Kind} K @param {K} kind @param {ArrayLike<number>} values */
  arrayOf(kind, values) {
    const block = this.array(kind, values.length);
    /** @type {any} */ (block.values).set(values);
    return block;
  }

  /** A new array with the bytes of these. @param {Kind} kind @param {Uint8Array} bytes */
  arrayOfBytes(kind, bytes) {
    const block = this.array(kind, bytes.length / ARRAYS[kind].BYTES_PER_ELEMENT);
    new Uint8Array(this.memory.buffer, block.address, bytes.length).set(bytes);
    return block;
  }

  /** Call a kernel; returns its result. @param {string} name @param {...Argument} given its arguments */
  call(name, ...given) {
    const words = this.words.values;
    let used = 0;
    const write = (/** @type {number | bigint} */ word) => (words[used++] = BigInt.asIntN(64, BigInt(word)));
    for (const each of given) {
      if (each instanceof Block) [each.address, ...each.shape].forEach(write);
      else if (each !== null) write(BigInt(each));
    }
    return Number(this.kernels[name](this.words.address));
  }
}
