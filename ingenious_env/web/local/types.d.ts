// The facts of games and variants, as `pack.py` writes them for a page without a server, and what is made of them.

/** A type of numbers, as NumPy writes it; "b1" is a boolean. */
export type Kind = "b1" | "i1" | "u1" | "i2" | "i4" | "i8" | "u8" | "f4" | "f8";

/** The place of a field in a row: its first byte, its type and its shape. */
export interface Field {
  at: number;
  kind: Kind;
  shape: number[];
}

/** The place of a section in an observation: its first entry and its shape. */
export interface Section {
  at: number;
  shape: number[];
}

/** The numbering of actions: slot × placement, then the choices. */
export interface Actions {
  slots: number;
  placements: number;
  choices: string[];
}

/** How the shipped network of a variant is used. */
export interface Value {
  /** the name of the file of its weights */
  weights: string;
  /** the unit of its values, the highest one, and the curve of `policies/calibration.py` */
  unit: string;
  highest: number;
  calibration: number[] | null;
  margin: number;
  /** the most tiles that can lie on the board */
  most_placed: number;
  /** the utility by which candidates are found, and their number */
  utility: string;
  candidates: number;
  /** the numbers of pairs that `rank_actions` may write: of all actions, and of those that are compared for a choice */
  ranked: number;
  compared: number;
  /** the numbers of candidates and of pairs for the luck of the draw; null where others see draws */
  luck: { candidates: number; compared: number } | null;
}

/** A tile type as people read it: two parts. */
export type Tile = [number | string, number];

/** A variant of a game, in the file with their names. */
export interface VariantFacts {
  rules: string;
  players: number;
  sheets: number;
  /** the answer to `/api/look` */
  look: any;
  /** what `page/local.js` of the game reads besides */
  local: any;
  /** the types of tiles by number */
  tiles: Tile[];
  /** the places on the board that each placement covers */
  places: [number, number][][];
  /** the numbers that kernels read; the addresses are 0 */
  spec: number[];
  /** where in `spec` the addresses belong */
  addresses: { small_tables: number; wide_tables: number; games: number };
  /** the file of the tables of the rules, and the length of the wide ones, which come first */
  tables: { file: string; wide_bytes: number };
  row: { bytes: number; fields: Record<string, Field> };
  actions: Actions;
  observation: { kind: Kind; size: number; sections: Record<string, Section> };
  utilities: Record<string, number[]>;
  value: Value | null;
  /** the factor of the temperatures of levels */
  looseness: number;
  levels: LevelFacts | null;
  /** of the agents of kind "ranked", by name */
  rankings: Record<string, Ranking>;
}

/** By what the levels of players are estimated, as `policies/estimate.py`: of each level the median of the mean losses
 * of its games, and the ends of the middle 95 %. */
export interface LevelFacts {
  unit: string;
  decided: number;
  least: number;
  spreads: [number, number, number][];
}

/** How an agent ranks actions, as `policies/ranking.py`; the arguments are 64-bit words. */
export interface Ranking {
  kernel: string;
  arguments: string[];
  room: number;
  unit: string;
}

/** How an agent searches, as `ValueSearch` of the package with all agents. */
export interface SearchFacts {
  kind: "search";
  rollouts: number;
  candidates: number;
  /** decisions of a simulation, 0 for all of the game, -1 for those of `by_table` */
  horizon: number;
  by_table: { alone: number; against: number };
  rollout_candidates: number;
  seed: number;
  /** the phase in which a choice is due, and what it is between */
  choose: number;
  choices: string[];
  /** the simulations of all candidates after which it may be stopped */
  look_every: number;
}

/** How an agent chooses that does so at once. */
export type QuickFacts =
  | { kind: "uniform" }
  | { kind: "value"; temperature: number; level: boolean }
  | { kind: "greedy"; utility: string; epsilon: number };

/** How an agent chooses. */
export type PolicyFacts = QuickFacts | { kind: "ranked"; name: string } | SearchFacts;

/** A game, of the file `games.json`. */
export interface GameFacts {
  game: string;
  title: string;
  presets: Record<string, { title: string; rules: string; players: number; sheets: number[] }>;
  agents: Record<string, string[]>;
  levels: { agent: string; name: string; title: string; text: string; ratings: Record<string, number> }[];
  level: string;
  example: string;
  policies: Record<string, PolicyFacts>;
  /** the choices that others cannot see, those that show the rack, and those that put it back */
  private: string[];
  shows: string[];
  returns: string[];
  /** the first line of a record */
  record: string;
  /** by unit, the least loss and the mark of a move, the worst first */
  marks: Record<string, [number, string][]>;
  /** the agents whose results are compared with those of solitaire games, and the difference of values, as a share of the
   * highest one, below which they count as equal then */
  compared: { agents: string[]; near: number };
  /** the number of hints that are listed */
  listed: number;
  /** the agent that judges moves */
  judge: string;
  /** the phase of a game that is over, and what is in an empty slot of a rack */
  over: number;
  no_tile: number;
  /** the seconds after which a search is stopped, and those in which an agent makes a choice that others cannot see */
  longest: number;
  choice_time: number;
  /** the parts of a scene that a replay does not draw */
  for_playing: string[];
}

/** A request of the page to its worker for one preset of a game. */
export interface Job {
  number: number;
  /** the name of one of `jobs.js` */
  name: string;
  game: string;
  preset: string;
  given: any;
}

/** The tiles laid before a position. */
export interface Trail {
  placements: number[];
  /** of the last one, the seat and the scores before it, by sheet; null if none was laid */
  last: { seat: number; before: number[][] } | null;
}

/** A move of a game: its text, and the tile that it lays, null for a choice. */
export interface Move {
  text: string;
  tile: Tile | null;
}

/** A move at a real table, and the tiles drawn or shown. */
export interface Entry extends Turn {
  tile: Tile | null;
  tiles: string[];
}

/** A preset at a real table: each type's text and number; the seat that gets each tile of the deal, null for the start
 * square; whether racks are open; the highest score; fields after a deal; and the place of a row without tiles in the tables. */
export interface RealPreset {
  tiles: [string, number][];
  deal: (number | null)[];
  open: boolean;
  highest: number;
  dealt: Record<string, string>;
  fresh: number;
}

/** What real tables and positions of a game need, as `real_facts.py` writes it. */
export interface RealFacts {
  words: { range: string } & Record<"dealing" | "unseen" | "table" | "request" | "server" | "own", Record<string, string>>;
  /** values that sentences name in another way than JSON does */
  values: Record<string, string>;
  /** the characters of the longest move that is read */
  longest: number;
  /** of positions as text: the first line, the keywords of the others, the names in that of the turn, and those of phases */
  notation: { version: string; lines: string[]; turn: string[]; phases: string[] };
  presets: Record<string, RealPreset>;
}

/** One move of a game. */
export interface Turn {
  seat: number;
  action: number;
  move: string;
}
