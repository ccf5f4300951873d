"""`GameState`: a batch of games as arrays, and the one page that says what each field means.

A game is one row of bytes, so that copying a row copies the game and its whole future, comparing two rows
compares two games, and a compiled kernel finds everything about a game in a few cache lines. The fields below
are NumPy views into those rows.

Letters: B games, P players, T sheets, C colours, N cells, K playable pairs, W 64-bit words (⌈K / 64⌉),
R rack size, Y tile types, M tiles in the game.

| field | dtype, shape | meaning and range |
| --- | --- | --- |
| `stream` | uint64 [B] | the game's own random stream; it orders the bag and each next deal |
| `policy_key` | uint64 [B] | what agents' random choices follow from; made of the game's seed |
| `open_pairs` | uint64 [B, W] | bit k: both cells of pair k are empty |
| `drawn` | uint8 [B] | tiles drawn from the bag and not put back |
| `placed` | uint8 [B] | tiles on the board |
| `turn` | uint8 [B] | completed turns |
| `to_play` | uint8 [B] | the seat to move; at the end, the seat that made the last move |
| `phase` | uint8 [B] | `PLACE`, `SWAP` (choose to swap or to keep) or `OVER` |
| `plays_left` | uint8 [B] | placements owed in this turn, bonus plays included; 0 when swapping or over |
| `held` | uint8 [B] | staged actions: 1 + the slot picked for the next placement, 0 for none |
| `touched` | uint8 [B] | bit s: a tile of the first round touches start symbol s |
| `swaps` | uint8 [B] | swaps made so far, at most 255 |
| `racks` | uint8 [B, P, R] | tile types, ascending, then `NO_TILE` for empty slots |
| `scores` | int8 [B, T, C] | the counters, 0..last space |
| `board` | int8 [B, N + 1] | 0 empty, 1..C the colour; the last entry is `OFF_BOARD` |
| `points` | uint8 [B, C, N] | what half a tile of the colour would score on the empty cell; 0 on others |
| `unplaced` | uint8 [B, Y] | tiles of each type not on the board |
| `bag` | uint8 [B, M] | tile types in the order in which they will be drawn, from `drawn` on; 0 before that |
| `shown` | uint8 [B, P, Y] | of the tiles that the seat showed in its latest swap, those not placed since |
| `drawn_since` | uint8 [B, P, P] | `[p, q]`: tiles that q has drawn since p's latest swap, at most 255 |

`points`, `open_pairs` and `unplaced` follow from the board and are kept up for speed. What every move looks
at comes first.
`shown` and `drawn_since` are public: q holds at most `drawn_since[p, q]` of the tiles `shown[p]`. Which of
two equal tiles was placed or shown again is not known at the table, so `shown` takes the looser reading: a
tile that could have been one that was shown is struck off.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_env.rules import Rules
from ingenious_env.tiles import EMPTY, tile_types

PLACE, SWAP, OVER = 0, 1, 2
PHASES = ("place", "swap", "over")
NO_TILE = 255
NO_ACTION = -1
"""What a finished game in a batch is given instead of an action."""
OFF_BOARD = -1

_WORD = 8  # bytes; rows are whole words, and the uint64 fields come first, so that all are aligned


def num_words(rules: Rules) -> int:
    """64-bit words that hold one bit for each playable pair, W."""
    return -(-rules.geometry.num_pairs // 64)


@cache
def row_dtype(rules: Rules) -> np.dtype[np.void]:
    """The layout of one game: a structured dtype whose size is a whole number of 64-bit words."""
    players, sheets, colours = rules.num_players, rules.num_sheets, rules.num_colours
    cells, types = rules.geometry.num_cells, len(tile_types(colours))
    fields: list[tuple[str, str, tuple[int, ...]]] = [
        ("stream", "u8", ()),
        ("policy_key", "u8", ()),
        ("open_pairs", "u8", (num_words(rules),)),
        *((name, "u1", ()) for name in ("drawn", "placed", "turn", "to_play", "phase", "plays_left", "held")),
        ("touched", "u1", ()),
        ("swaps", "u1", ()),
        ("racks", "u1", (players, rules.rack_size)),
        ("scores", "i1", (sheets, colours)),
        ("board", "i1", (cells + 1,)),
        ("points", "u1", (colours, cells)),
        ("unplaced", "u1", (types,)),
        ("bag", "u1", (rules.num_tiles,)),
        ("shown", "u1", (players, types)),
        ("drawn_since", "u1", (players, players)),
    ]
    packed = np.dtype(fields)
    padding = -packed.itemsize % _WORD
    return np.dtype([*fields, ("padding", "u1", (padding,))])


class GameState:
    """A batch of games, one row each; the module's page explains the fields.

    Args:
        rules: the variant played.
        memory: uint64 [B, words of one row], taken as it is, not copied.
    """

    stream: NDArray[np.uint64]
    policy_key: NDArray[np.uint64]
    open_pairs: NDArray[np.uint64]
    drawn: NDArray[np.uint8]
    placed: NDArray[np.uint8]
    turn: NDArray[np.uint8]
    to_play: NDArray[np.uint8]
    phase: NDArray[np.uint8]
    plays_left: NDArray[np.uint8]
    held: NDArray[np.uint8]
    touched: NDArray[np.uint8]
    swaps: NDArray[np.uint8]
    racks: NDArray[np.uint8]
    scores: NDArray[np.int8]
    board: NDArray[np.int8]
    points: NDArray[np.uint8]
    unplaced: NDArray[np.uint8]
    bag: NDArray[np.uint8]
    shown: NDArray[np.uint8]
    drawn_since: NDArray[np.uint8]

    def __init__(self, rules: Rules, memory: NDArray[np.uint64]) -> None:
        self.rules = rules
        self.memory = memory

    def __getattr__(self, name: str) -> NDArray[Any]:
        """A field's view, made when it is first asked for: most games are copied to be played, not read."""
        if name not in GameState.__annotations__:
            msg = f"GameState has no field {name!r}"
            raise AttributeError(msg)
        view: NDArray[Any] = self.memory.view(row_dtype(self.rules))[:, 0][name]
        setattr(self, name, view)
        return view

    @classmethod
    def zeros(cls, rules: Rules, num_games: int) -> GameState:
        """Room for this many games, all bytes zero."""
        return cls(rules, np.zeros((num_games, row_dtype(rules).itemsize // _WORD), dtype=np.uint64))

    @property
    def num_games(self) -> int:
        """Games in the batch, B."""
        return len(self.memory)


@cache
def fresh_row(rules: Rules) -> NDArray[np.uint64]:
    """The row of a game before anything is drawn: the bag in type order, the stream unset."""
    state = GameState.zeros(rules, 1)
    board = rules.geometry
    state.board[0, -1] = OFF_BOARD
    for cell, colour in zip(board.symbol_cells, rules.start_symbols.values(), strict=True):
        state.board[0, cell] = colour
    derive(state)
    state.racks[:] = NO_TILE
    state.bag[0] = np.repeat(np.arange(len(rules.tile_counts)), rules.tile_counts)
    state.unplaced[0] = rules.tile_counts
    state.plays_left[:] = 1
    return np.asarray(state.memory[0])


def derive(state: GameState) -> None:
    """Set `points` and `open_pairs` from the boards, slowly and obviously."""
    rules = state.rules
    geometry, colours = rules.geometry, np.arange(1, rules.num_colours + 1)
    boards = state.board[:, :-1]
    empty = boards == EMPTY
    pair_is_open = empty[:, geometry.pairs].all(axis=2)
    padded = np.zeros((state.num_games, 64 * num_words(rules)), dtype=np.uint8)
    padded[:, : geometry.num_pairs] = pair_is_open
    state.open_pairs[:] = np.packbits(padded, axis=1, bitorder="little").view("<u8")
    state.points[:] = 0
    for row, board in enumerate(state.board):
        for cell in np.flatnonzero(empty[row]):
            for colour in colours:
                state.points[row, colour - 1, cell] = _line_points(
                    board, geometry.neighbours, int(cell), int(colour)
                )


def _line_points(board: NDArray[np.int8], neighbours: NDArray[np.int16], start: int, colour: int) -> int:
    """Consecutive cells of the colour in all six directions from an empty cell (Rules 4.1).

    The direction of the tile's other half may be counted too: its cell is still empty.
    """
    points = 0
    for direction in range(6):
        cell = neighbours[start, direction]
        while board[cell] == colour:
            points += 1
            cell = neighbours[cell, direction]
    return points
