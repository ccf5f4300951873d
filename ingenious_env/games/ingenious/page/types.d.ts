// The look of Ingenious and its scenes, as the server sends them (see `render/scene.py`).

import type * as shared from "../../../render/static/types.js";

/** The two colours of a tile, from 1. */
export type Tile = [number, number];

export interface Look {
  defs: string;
  /** axial coordinates, the middle, by cell */
  cells: [number, number][];
  middles: [number, number][];
  /** the cells of each pair that can hold a tile */
  pairs: [number, number][];
  directions: [number, number][];
  /** cell and colour of each start symbol */
  symbols: [number, number][];
  /** name, letter and background */
  colours: [string, string, string][];
  side: number;
  cell: number;
  body: number;
  ring: number;
  top: number;
  last: number;
  rack: number;
  bonus: boolean;
  sheets: number[];
}

export interface Scene extends shared.Scene {
  board: string;
  points: number[][];
  tiles: [number, number][];
  rack: Tile[];
  racks?: Tile[][];
  scores: number[][];
  room: number[][];
  lowest: number[][];
  filled: number[];
  shown: [number, number, number][][];
  unseen?: [number, number, number][];
  touched: number[];
  may_swap?: boolean;
  plays_left?: number;
  open?: number[];
  /** the pairs where a tile may lie, once they have been computed */
  openSet?: Set<number>;
}

export type Table = shared.Table<Scene>;

/** Half a tile on the board. */
export interface Half {
  cell: number;
  colour: number;
}

/** The tile in hand. */
export interface Hand {
  slot: number;
  /** whether its higher colour is the near half */
  flipped: boolean;
  /** of the near half */
  cell: number | null;
  /** from there to the far half */
  direction: number;
  /** whether it was turned, and no longer points where the pointer does */
  turned?: boolean;
  /** whether it no longer follows the pointer */
  fixed: boolean;
}
