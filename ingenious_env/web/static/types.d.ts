// The state of the page, and the answers of the server.

import type { Advice, Drawing, Hint, Played, Palette, Scene, Table } from "../../render/static/types.js";

/** The state of the page. */
export interface State {
  /** the state of the table; null until one is opened */
  table: Table<Scene>;
  /** the drawing of the game; null until then */
  game: Drawing;
  /** the move that is shown; null for the latest */
  at: number | null;
  keys: string;
  /** the fragment at which the table was opened */
  address: string;
  source: { close(): unknown } | null;
  /** the game and the rules whose look is loaded */
  looks: string;
  about: About;
  problem: string;
  /** whether answers wait for compilation */
  compiling: boolean;
  /** whether the server does not answer */
  silent: boolean;
  /** an agent's advice, while hints are on, and the row of it that is drawn in a review */
  hints: { agent: string; found: Advice | null; row: number } | null;
  /** what is done with a move instead of playing it; null to play it */
  trial: ((move: string) => Promise<void>) | null;
  /** the seat whose rack this page shows, where several people share it */
  shownTo: number | null;
  /** moves per second while the game is played back */
  speed: number;
  /** whether the latest moves of others are being shown, one after the other */
  paced: boolean;
}

/** The functions of `transport.js`, by which the page makes requests. */
export interface Transport {
  /** the answer to a request for a path below `/api`, posted if there is a body, waited for until there is a signal */
  ask(
    path: string,
    query: Record<string, any>,
    body?: any,
    signal?: AbortSignal,
  ): Promise<{ status: number; body: any }>;
  /** listen to a table until `close()` of the result */
  listen(id: string, keys: string, handlers: Record<string, (content: any) => void>): { close(): unknown };
  /** the address of the `picture` of a table; null where there is none */
  fileOf(id: string, name: string, query: Record<string, string>): string | null;
  /** the reason for a request without an answer */
  silence(error: unknown): string;
}

/** The words of a game, and who plays the variant of the table; of `/api/look`. */
export interface About {
  title: string;
  /** a move */
  example: string;
  /** the text of a button and the key, by named choice */
  choices: Record<string, { title: string; key: string }>;
  agents: string[];
  /** those that give hints */
  advisers: string[];
}

/** A game that can be played, of `/api/games`. */
export interface Offered {
  game: string;
  title: string;
  presets: Record<string, { title: string; rules: string; players: number; sheets: number[] }>;
  /** by agent, the presets that it plays */
  agents: Record<string, string[]>;
  /** agents by strength, with their names in words and their ratings by preset, and the one to begin with */
  levels: { agent: string; name: string; title: string; text: string; ratings: Record<string, number> }[];
  level: string;
}

/** A record or a position, of `/api/read`. */
export interface Opened {
  game: string;
  rules: string;
  players: number;
  /** by seat; partners share one */
  sheets: number[];
  moves: number;
  over: boolean;
  agents: string[];
}

/** The choice in the dialog of a new game. */
export interface Choice {
  game: string;
  preset: string;
  seats: string[];
  seed: string;
  text: string;
  /** the text last sent to the server */
  asked: string;
  /** draws the games that can be opened instead, once they are wanted */
  openings: ((text: string) => any[]) | null;
  fixed: boolean;
  found: Opened | null;
  problem: string;
  /** whether other agents and seats are shown */
  others: boolean;
}

/** The functions of a game's `page/layout.js`, which lay tiles without a game; `laid` is what `Drawing.laid` finds. */
export interface Layout {
  /** the scene of tiles on the board, and of others in hand, which may lie anywhere */
  sceneOf(drawing: Drawing | null, laid: any[], rack: any[]): Scene;
  tileOf(laid: any): any;
  /** the cells that a move covers; none if one of them is not on the board */
  cellsOf(drawing: Drawing | null, laid: any): number[];
  /** the picture of the tile in hand at its place, if it has one */
  ghost(drawing: Drawing, scene: Scene): any;
}

/** The choice in the dialog of a game at a real table. */
export interface RealChoice {
  game: string;
  preset: string;
  seat: number;
  /** texts of tiles */
  rack: string[];
  start: string[];
  /** the variant whose tiles are shown, when they have come */
  look: { defs: string; rack: number; sheets: number[] } | null;
  /** the tiles of the game, and whether one of them begins the board */
  deal: { tiles: Palette; has_start: boolean } | null;
  drawing: Drawing | null;
  layout: Layout | null;
  problem: string;
  /** whether tiles lie on the board, and what was typed of them: moves, the counters of each sheet, the seat to move */
  begun: boolean;
  placed: string;
  scores: string[];
  turn: number;
  /** whether it is on its way to the server */
  sent: boolean;
}

/** The body of `/api/tables`: a variant or a text, and the players; or the deal at a real table. */
export interface NewTable {
  real?: { seat: number; rack: string[]; start: string | null } | RealPosition;
  game?: string;
  rules?: string;
  text?: string;
  seats?: string[];
  seed?: number;
}

/** A game at a real table that has begun. */
export interface RealPosition {
  seat: number;
  rack: string[];
  placed: string[];
  scores: number[] | number[][];
  to_play: number;
}

/** A move with its judgement; "" is not a mark. */
export interface Marked {
  move: string;
  best: string;
  loss: number;
  mark: string;
}

/** A judged move before it is played, of `/api/tables/…/judge`. */
export interface Judged extends Marked {
  unit: Advice["unit"];
}

/** A judged move of `Analysis`. */
export interface Turn extends Marked {
  at: number;
  seat: number;
  sheet: number;
  value: number;
}

/** The chances during a game, of `/api/tables/…/analysis`. */
export interface Analysis {
  unit: Advice["unit"];
  calibrated: boolean;
  /** the least loss and the mark of a move, the worst first; empty where there are no marks */
  marks: [number, string][];
  highest: number;
  results: number[] | null;
  /** the luck of each sheet's draws less the others' mean, in `unit`; null where it is not known */
  luck: number[] | null;
  /** of each seat the estimated level, and the ends of its interval; null where it is not known */
  levels: ([number, number, number] | null)[] | null;
  turns: Turn[];
}

/** The results of a solitaire game and of agents in the same deal, of `/api/tables/…/compared`. */
export interface Compared {
  result: number;
  agents: { name: string; result: number }[];
}

/** The values of all sheets after a number of moves, and the judged move; null at the end. */
export interface Point {
  at: number;
  values: number[];
  turn: Turn | null;
}

export type { Advice, Drawing, Hint, Palette, Played, Table };
