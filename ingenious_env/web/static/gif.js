// GIF files of frames with few colours: one palette, and of each frame only the part that changed.

const BITS = 5; // of each channel that are kept, so that colours can be counted
const COLOURS = 256;
const CLEAR = 256;
const END = 257;
const LONGEST = 4096; // codes of LZW have at most 12 bits

/** A frame's pixels as colours of 15 bits. @param {Uint8ClampedArray} rgba 4 bytes per pixel */
export function reduced(rgba) {
  const found = new Uint16Array(rgba.length / 4);
  const drop = 8 - BITS;
  for (let k = 0; k < found.length; k++) {
    const [red, green, blue] = [rgba[4 * k] >> drop, rgba[4 * k + 1] >> drop, rgba[4 * k + 2] >> drop];
    found[k] = (((red << BITS) | green) << BITS) | blue;
  }
  return found;
}

/** Red, green and blue, 0 to 255, of a colour of 15 bits. @param {number} colour */
const channels = (colour) => [2 * BITS, BITS, 0].map((shift) => Math.round((((colour >> shift) & 31) * 255) / 31));

/** The most frequent colours, and for each colour of 15 bits that occurs the nearest of these. @param {Uint16Array[]} frames */
function paletteOf(frames) {
  const counts = new Uint32Array(1 << (3 * BITS));
  for (const frame of frames) for (const colour of frame) counts[colour]++;
  const present = [...counts.keys()].filter((colour) => counts[colour]).sort((a, b) => counts[b] - counts[a]);
  const palette = present.slice(0, COLOURS).map(channels);
  const nearest = new Uint8Array(counts.length);
  for (const colour of present) {
    const wanted = channels(colour);
    const gaps = palette.map((each) => each.reduce((sum, value, k) => sum + (value - wanted[k]) ** 2, 0));
    nearest[colour] = gaps.indexOf(Math.min(...gaps));
  }
  return { palette, nearest };
}

/** The smallest rectangle with all pixels that differ; one pixel if none does.
 * @param {Uint16Array} before @param {Uint16Array} after @param {number} width */
function changed(before, after, width) {
  let [left, right, top, bottom] = [width, -1, -1, 0];
  for (let k = 0; k < after.length; k++) {
    if (before[k] === after[k]) continue;
    const x = k % width;
    bottom = (k - x) / width;
    if (top < 0) top = bottom;
    if (x < left) left = x;
    if (x > right) right = x;
  }
  return right < 0
    ? { left: 0, top: 0, wide: 1, high: 1 }
    : { left, top, wide: right - left + 1, high: bottom - top + 1 };
}

/** Pixels, compressed by LZW with codes of 9 to 12 bits. @param {Uint8Array} pixels */
function compressed(pixels) {
  /** @type {number[]} */
  const bytes = [];
  let [held, count, size, next] = [0, 0, 9, END + 1];
  /** by prefix and pixel @type {Map<number, number>} */
  let codes = new Map();
  const write = (/** @type {number} */ code) => {
    held |= code << count;
    for (count += size; count >= 8; count -= 8, held >>>= 8) bytes.push(held & 255);
  };
  write(CLEAR);
  let prefix = pixels[0];
  for (const pixel of pixels.subarray(1)) {
    const key = (prefix << 8) | pixel;
    const known = codes.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    write(prefix);
    prefix = pixel;
    if (next < LONGEST) {
      if (next === 1 << size) size++;
      codes.set(key, next++);
    } else {
      write(CLEAR);
      [codes, size, next] = [new Map(), 9, END + 1];
    }
  }
  write(prefix);
  write(END);
  if (count) bytes.push(held);
  return bytes;
}

/** @param {number} number */
const short = (number) => [number & 255, number >> 8];

/** A film that repeats. @param {Uint16Array[]} frames of `reduced` @param {number} width @param {number} height in pixels
 * @param {number} delay of a frame, in hundredths of a second @param {number} last that of the last one */
export function gif(frames, width, height, delay, last) {
  const { palette, nearest } = paletteOf(frames);
  const table = Array.from({ length: COLOURS }, (_, k) => palette[k] || [0, 0, 0]).flat();
  const text = (/** @type {string} */ letters) => [...letters].map((letter) => letter.charCodeAt(0));
  const parts = [
    new Uint8Array([...text("GIF89a"), ...short(width), ...short(height), 0xf7, 0, 0, ...table]),
    new Uint8Array([0x21, 0xff, 11, ...text("NETSCAPE2.0"), 3, 1, 0, 0, 0]),
  ];
  frames.forEach((frame, number) => {
    const whole = { left: 0, top: 0, wide: width, high: height };
    const { left, top, wide, high } = number ? changed(frames[number - 1], frame, width) : whole;
    const pixels = new Uint8Array(wide * high);
    for (let k = 0; k < pixels.length; k++) {
      pixels[k] = nearest[frame[(top + Math.floor(k / wide)) * width + left + (k % wide)]];
    }
    const wait = number === frames.length - 1 ? last : delay;
    parts.push(new Uint8Array([0x21, 0xf9, 4, 4, ...short(wait), 0, 0, 0x2c]));
    parts.push(new Uint8Array([...short(left), ...short(top), ...short(wide), ...short(high), 0, 8]));
    const bytes = compressed(pixels);
    for (let from = 0; from < bytes.length; from += 255) {
      const block = bytes.slice(from, from + 255);
      parts.push(new Uint8Array([block.length, ...block]));
    }
    parts.push(new Uint8Array([0]));
  });
  return new Blob([...parts, new Uint8Array([0x3b])], { type: "image/gif" });
}
