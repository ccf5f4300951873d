// The look of Loopit and its scenes, as the server sends them (see `render/scene.py`).

import type * as shared from "../../../render/static/types.js";

/** Line ends, some of N, E, S and W, and the value. */
export type Tile = [string, number];

/** Row, column and points of a square where a tile may lie. */
export type Place = [number, number, number];

export interface Look {
  defs: string;
  factors: number[][];
  start: [number, number];
  square: number;
  side: number;
  rack: number;
  rounds: number;
  sheets: number[];
}

export interface Scene extends shared.Scene {
  /** row, column, line ends, value */
  tiles: [number, number, string, number][];
  laid_order: [number, number][];
  rack: Tile[];
  scores: number[];
  laid: number;
  round: number;
  left?: number;
  stuck?: boolean;
  /** slot, row, column, points */
  legal?: [number, number, number, number][];
  choices?: ("stop" | "throw back" | "keep")[];
}

export type Table = shared.Table<Scene>;

export interface Hand {
  slot: number;
  square: Place | null;
  fixed: boolean;
}
