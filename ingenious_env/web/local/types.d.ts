// The facts of a game and its variants, as `pack.py` writes them for a page without a server.

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
  /** the path of its weights */
  weights: string;
  /** the utility by which candidates are found */
  utility: string;
  candidates: number;
  /** the number of pairs that `rank_actions` may write */
  ranked: number;
}

/** A variant of a game. */
export interface VariantFacts {
  rules: string;
  players: number;
  /** the numbers that kernels read; the addresses are 0 */
  spec: number[];
  /** where in `spec` the addresses belong */
  addresses: { small_tables: number; wide_tables: number; games: number };
  /** tables of the rules, in base64 */
  tables: { small_tables: string; wide_tables: string };
  row: { bytes: number; fields: Record<string, Field> };
  actions: Actions;
  observation: { kind: Kind; size: number; sections: Record<string, Section> };
  utilities: Record<string, number[]>;
  value: Value | null;
}

/** A game, in the file with its name. */
export interface GameFacts {
  game: string;
  variants: Record<string, VariantFacts>;
}
