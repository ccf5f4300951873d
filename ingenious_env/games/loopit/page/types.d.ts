// The look of Loopit and its scenes, as the server sends them (see `render/scene.py`).

import type * as shared from "../../../render/static/types.js";

/** Line ends, some of N, E, S and W, and the value. */
export type Tile = [string, number];

export interface Look extends shared.SquareLook {
  factors: number[][];
  start: [number, number];
  rack: number;
  rounds: number;
}

export interface Scene extends shared.SquareScene {
  /** row, column, line ends, value */
  tiles: [number, number, string, number][];
  rack: Tile[];
  laid: number;
  round: number;
  left?: number;
  stuck?: boolean;
}

export type Table = shared.Table<Scene>;
