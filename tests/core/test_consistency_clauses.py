"""Each clause of `consistency` has a position that it alone refuses, or one that it would refuse if it were stricter.

The clauses are read from the source: each `if` that yields, each part of its condition, each comparison. A clause is
changed, and some position here must then be judged in another way. So a new clause without a position fails.
"""

from __future__ import annotations

import ast
import copy
import inspect
from collections.abc import Callable, Iterator
from types import ModuleType

import helpers
import loopit_helpers
import numpy as np
import pytest
from loopit_helpers import position

from ingenious_env import Game, Rules
from ingenious_env.core.state import GameState
from ingenious_env.games.ingenious import consistency as ingenious
from ingenious_env.games.ingenious.state import NO_TILE, OVER, PLACE, SWAP, derive
from ingenious_env.games.loopit import Game as Loopit
from ingenious_env.games.loopit import consistency as loopit
from ingenious_env.games.loopit.state import derive as loopit_derive

# Positions: by the beginning of what is wrong with them, "" for what may be.

Positions = list[tuple[str, GameState]]
Edit = Callable[[GameState], None]


def edited(base: Game | Loopit, edit: Edit) -> GameState:
    state = base.clone().state
    edit(state)
    return state


def set_to(field: str, place: object, value: int) -> Edit:
    """Set an entry of the one game to a value."""

    def edit(state: GameState) -> None:
        getattr(state, field)[0][place] = value

    return edit


def put(**values: int) -> Edit:
    """Set fields that are one number."""

    def edit(state: GameState) -> None:
        for name, value in values.items():
            getattr(state, name)[0] = value

    return edit


def both(*edits: Edit) -> Edit:
    def edit(state: GameState) -> None:
        for each in edits:
            each(state)

    return edit


def until(rules: Rules, phase: str, seed: int = 1) -> Game:
    """A game of mixed moves when a seat first stands so."""
    batch, rng = helpers.batch_at(rules, 1, 0, seed=seed), np.random.default_rng(seed)
    while batch[0].phase != phase:
        batch.play(helpers.mixed_actions(batch, rng), auto_reset=True)
    return batch[0]


def exchange(state: GameState, rack: int, tile: int) -> None:
    """Put a tile on a rack that is in order, and count it as if it had always been one of the game."""
    old = int(state.racks[0, rack, 0])
    state.racks[0, rack, 0] = tile
    state.racks[0, rack].sort()
    state.unplaced[0, old] -= 1
    state.unplaced[0, tile] += 1


def recolour(state: GameState, colour: int) -> None:
    """Give the first cell on the board that holds another colour than this one this colour."""
    symbols = set(state.rules.geometry.symbol_cells)
    for cell, found in enumerate(state.board[0, :-1].tolist()):
        if found not in (0, colour) and cell not in symbols:
            state.board[0, cell] = colour
            break
    derive(state)


def swap_out(state: GameState, left: int) -> None:
    """Empty the bag to so many tiles: the others go onto the board, as far as counts are concerned."""
    state.bag[0, : len(state.bag[0]) - left] = 0
    state.drawn[0] = len(state.bag[0]) - left


def ingenious_positions() -> Positions:
    three, start = helpers.batch_at(Rules(3), 1, 14, seed=3)[0], Game(Rules(3), 3)
    assert three.phase == "place"
    second = Game(Rules(3), 3)
    second.play(second.random_action())
    swap, over = until(Rules(), "swap"), until(Rules(2, board_side=4, rack_size=3), "over")
    alone, teams = helpers.batch_at(Rules.solitaire(), 1, 9)[0], helpers.batch_at(Rules.partnership(), 1, 30)[0]
    crowded = until(helpers.CUSTOM["crowded"], "over", 2)
    top = start.rules.last_space
    symbol = start.rules.geometry.symbol_cells[2]
    free = next(cell for cell in range(90) if not start.board[cell])
    mover = three.to_play

    def full(state: GameState, sheet: int) -> None:
        state.scores[0, sheet] = state.rules.last_space

    def all_touched(state: GameState) -> None:
        state.touched[0] = 0b111111

    def shows(count: int, tile: int = 0) -> Edit:
        return both(put(swaps=1), lambda state: state.shown[0][0].__setitem__(tile, count))

    def shows_many(state: GameState) -> None:
        state.swaps[0] = 1
        state.shown[0, 0, :7] = 1

    def repeated(state: GameState) -> None:
        """The mover's first two tiles are equal: another seat's rack and the bag give them."""
        bag, at = state.bag[0], int(state.drawn[0])
        rack = state.racks[0, state.to_play[0]]
        place = at + int(np.flatnonzero(bag[at:] == rack[0])[0])
        bag[place], rack[1] = rack[1], rack[0]
        rack.sort()

    def lowest_shown(state: GameState) -> None:
        """The first tile of the rack shows the colour that stands lowest."""
        low, _ = helpers_types[int(state.racks[0, state.to_play[0], 0])]
        state.scores[0, state.to_play[0], low - 1] = 0

    helpers_types = list(start.definition.tiles(start.rules))
    bag_of = len(swap.state.bag[0])

    def small_bag(state: GameState) -> None:
        """One tile fewer than a rack in the bag; the others are on the board, as far as anything counts them."""
        at, last = int(state.drawn[0]), bag_of - 5
        for tile in state.bag[0, at:last]:
            state.unplaced[0, tile] -= 1
        state.bag[0, at:last] = 0
        state.drawn[0] = last

    def no_tiles(state: GameState) -> None:
        state.racks[0, state.to_play[0]] = NO_TILE

    def first_empty(state: GameState) -> None:
        """The first seat, which has not moved, has no full rack."""
        last = int(state.racks[0, 0, -1])
        state.racks[0, 0, -1] = NO_TILE
        state.drawn[0] -= 1
        state.bag[0, state.drawn[0]] = last

    def waiting_empty(state: GameState) -> None:
        seat = (int(state.to_play[0]) + 1) % state.rules.num_players
        last = int(state.racks[0, seat, -1])
        state.racks[0, seat, -1] = NO_TILE
        state.drawn[0] -= 1
        state.bag[0, state.drawn[0]] = last

    def over_now(state: GameState) -> None:
        state.phase[0], state.plays_left[0] = OVER, 0

    def last_board(state: GameState) -> None:
        state.board[0, -1] = 0

    other = (three.to_play + 1) % 3
    wrong: list[tuple[str, Game, Edit]] = [
        ("the entry behind the board", start, last_board),
        ("a cell's colour must be", start, set_to("board", free, -1)),
        ("a cell's colour must be", start, set_to("board", free, 7)),
        ("the start symbol on cell", start, set_to("board", symbol, 5)),
        ("the start symbol on cell", start, set_to("board", symbol, 0)),
        ("open_pairs does not follow", three, lambda state: state.open_pairs[0].__setitem__(0, 0)),
        ("points does not follow", three, lambda state: state.points[0, 2].__iadd__(1)),
        ("tile types are 0 to", start, set_to("racks", (1, 5), 21)),
        ("tile types are 0 to", start, set_to("bag", -1, 21)),
        ("the part of the bag that has been drawn", start, set_to("bag", 0, 1)),
        ("the tiles on racks and in the bag", start, set_to("unplaced", 4, 7)),
        ("there are more tiles of a type", start, lambda state: exchange(state, 1, 20) or exchange(state, 2, 20)
         or exchange(state, 0, 20) or [exchange(state, seat, 20) for seat in (0, 1, 2, 0, 1, 2)] and None),
        ("14 tiles must be on the board" if three.state.placed[0] == 14 else "", three, put(placed=77)),
        ("the colours on the board are not those", three, lambda state: recolour(state, 3)),
        ("to_play must be from 0 to 2", start, put(to_play=3)),
        ("the rack of seat 2 is not sorted", start, lambda state: state.racks[0].__setitem__(2, state.racks[0, 2, ::-1])),
        (f"the rack of seat {other} must be full", three, waiting_empty),
        ("the rack of seat 0 must be full", start, first_empty),
        ("counters must be from 0", start, set_to("scores", (1, 2), -1)),
        ("counters must be from 0", start, set_to("scores", (1, 2), top + 1)),
        ("phase must be from 0 to 2", start, put(phase=3)),
        ("seat 0 must be to move in turn 0", start, put(to_play=1)),
        ("0 tiles on the board are too few", start, put(turn=3)),
        ("tiles on the board are too few" if False else "", swap, put()),
        ("the game is over just when", start, over_now),
        ("the game is over just when", over, put(phase=PLACE, plays_left=1)),
        ("the game is over just when", three, lambda state: full(state, mover)),
        ("only the sheet of the seat that moved", three,
         lambda state: over_now(state) or full(state, other)),
        ("plays_left cannot be 0 in phase 0", start, put(plays_left=0)),
        ("plays_left cannot be 1 in phase 1", swap, put(plays_left=1)),
        ("plays_left cannot be 1 in phase 2", over, put(plays_left=1)),
        ("plays_left cannot be 14", three, put(plays_left=14)),
        ("slot 0 cannot be picked", swap, put(held=1)),
        ("slot 0 cannot be picked", over, put(held=1)),
        ("slot 6 cannot be picked", start, put(held=7)),
        ("slot 1 cannot be picked", three, both(repeated, put(held=2))),
        ("", three, both(repeated, put(held=1))),
        ("", three, both(repeated, put(held=3))),
        ("", start, put(held=6)),
        ("", start, put(held=1)),
        ("", three, put(plays_left=13)),
        ("", start, set_to("scores", (1, 2), top)),
        ("start symbol 0 is said to be touched", start, put(touched=1)),
        ("start symbol", second, put(touched=0)),
        ("there are only six start symbols", three, lambda state: state.touched[0:1].__ior__(64)),
        ("nothing can have been shown", start, set_to("shown", (0, 3), 1)),
        ("nothing can have been shown", start, set_to("drawn_since", (0, 1), 1)),
        ("more tiles are said to be shown", start, shows(6, 0)),
        ("more tiles are said to be shown", start, shows_many),
        ("", start, shows(5, 0)),
        ("", start, shows(6, 1)),
        ("", start, both(put(swaps=1), set_to("drawn_since", (0, 1), 1))),
        ("this seat may not swap", swap, lowest_shown),
        ("this seat may not swap", alone, put(phase=SWAP, plays_left=0)),
        ("", second, put()),
        ("", crowded, put()),
        ("", teams, put()),
        ("", alone, put()),
        ("", over, put()),
    ]  # fmt: skip
    found = [(start_of, edited(base, edit)) for start_of, base, edit in wrong]
    # What is left needs positions that play does not reach.
    found += [(begins, state) for begins, state in hand_made()]
    for rules in helpers.VARIANTS.values():
        for moves in (0, 1, 2, 5, 20, 60):
            found.append(("", helpers.batch_at(rules, 1, moves, seed=moves).state))
    return found
