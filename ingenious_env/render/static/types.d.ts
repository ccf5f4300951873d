// Types shared by the drawings of all games: the state of a table, as the server sends it (see `web/visible.py`), and
// the interface that draws and plays a game. `S` is the scene of the game (see its `render/scene.py`).

/** Attributes of an element; one that begins with "on" is a listener of its events. False ones are not set. */
export type Attributes = Record<string, string | number | boolean | null | undefined | ((event: any) => unknown)>;

/** A child of an element; false or missing ones are ignored. */
export type Child = any;

export interface Last {
  seat: number;
  move: string;
  gains?: any;
}

/** A position with its texts: the state of a page that plays a record back. */
export interface Position<S extends Scene = any> {
  names: string[];
  seat: number | null;
  yours: number[];
  to_play: number;
  terminal: boolean;
  ranks: number[] | null;
  headline: string;
  last: Last | null;
  scene: S;
  revealed?: any[][];
}

/** The state of a table on the page. */
export interface Table<S extends Scene = any> extends Position<S> {
  id: string;
  game: string;
  rules: string;
  version: number;
  at: number;
  total: number;
  seats: string[];
  over: boolean;
  take_backs: boolean;
  /** the seat that asks for a takeback */
  asking?: number;
  hints: boolean;
  thinking: boolean;
  /** the agent that judges moves, if there is one for the variant */
  judge: string | null;
  /** the beginning of a game that is over, as text */
  deal?: string;
  /** of a game at a real table: the own seat, the tiles that it does not see, and the choice, the seat and the number of
   * tiles that the seat that moved last may still show */
  real?: { seat: number; unseen: Palette; shows: [string, number, number] | null };
}

/** The text, the picture's tile and the number of each type of tile. */
export type Palette = [string, any, number][];

/** Fields of the scenes of all games. */
export interface Scene {
  rack: any[];
  sizes: number[];
  scores: any[];
  bag: number;
}

/** A cell of the board at the pointer, and the direction from its middle to there. */
export interface Spot {
  cell: number | null;
  direction: number;
}

/** Pointer events of a board. */
export interface BoardEvents {
  onMove(event: PointerEvent, spot: Spot): void;
  onClick(event: PointerEvent, spot: Spot): void;
  onWheel(event: WheelEvent): void;
}

/** A hint: a move and its value; of one that lays a tile, the slot and the places. */
export interface Hint {
  move: string;
  value: number;
  error: number | null;
  slot?: number;
  places?: number[][];
}

/** The move that was played in a position of a review, with its place from 0 among all; null if the agent does not value
 * it. */
export interface Played extends Omit<Hint, "value"> {
  rank: number | null;
  value: number | null;
}

/** An agent's values of the moves (see `web/advice.py`). */
export interface Advice {
  unit: "win" | "points" | "spaces" | "utility" | "preference" | "choice";
  calibrated: boolean;
  list: Hint[];
  dots: number[][];
  played?: Played;
  /** the number of moves before it, in a review */
  at?: number;
  version: number;
  agent: string;
}

/** The interface that draws and plays a game: the class `Game` of its `page/game.js`. */
export interface Drawing<S extends Scene = any> {
  look: { sheets: number[]; defs: string };
  hand: { slot: number; fixed: boolean } | null;
  pick(scene: S, slot: number): void;
  laid(move: string): unknown;
  take(scene: S, move: string): void;
  drop(): void;
  aim(scene: S, cell: number | null, direction?: number): void;
  tap(scene: S, cell: number): void;
  step(scene: S, name: Way, shift: boolean): void;
  turn?(scene: S, by: number): void;
  flip?(): void;
  whyNot(scene: S, cell: number): string;
  moveText(scene: S): string | null;
  board(table: Position<S>, ui: BoardEvents): Child;
  at(svg: SVGSVGElement, event: MouseEvent): Spot;
  overlay(table: Position<S>, advice: Advice | null, better: string | null): void;
  tile(tile: any, name?: string): Child;
  tileName(tile: any): string;
  back(): Child;
  moveName(move: string): string;
  shown(scene: S, seat: number): Child[];
  emblem(): Child;
  played(last: Last): Child[];
  banner?(table: Position<S>): string;
  /** points of a move that are many */
  high?: number;
  sheets(table: Position<S>): Child[];
  strip(table: Position<S>): Child[];
  say(table: Position<S>): string;
  choices(scene: S): string[];
  placeText(table: Position<S>): string | null;
}

/** The constant part of all positions of a game on a rectangular board whose tiles take one square each. */
export interface SquareLook {
  defs: string;
  /** rows and columns */
  size: [number, number];
  /** the sides of a square and of a tile */
  square: number;
  side: number;
  sheets: number[];
}

export interface SquareScene extends Scene {
  /** row, column and the tile, in as many parts as the game has */
  tiles: [number, number, ...any[]][];
  laid_order: [number, number][];
  scores: number[];
  /** slot, row, column, points */
  legal?: [number, number, number, number][];
  choices?: string[];
}

/** Row, column and points of a square where a tile may lie. */
export type Place = [number, number, number];

export interface SquareHand {
  slot: number;
  square: Place | null;
  fixed: boolean;
}

/** The tile that a move lays, and its square. */
export interface Laid {
  tile: any;
  row: number;
  column: number;
}

export type Way = "left" | "right" | "up" | "down";
