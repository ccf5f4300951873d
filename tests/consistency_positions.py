"""Positions for the checks of `consistency`: what may be, and what may not, with the complaint."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import helpers
import loopit_helpers
import numpy as np
import pytest
from loopit_helpers import position

from ingenious_env import Game, Rules
from ingenious_env.engine.state import CHOOSE, OVER, PLACE, GameState
from ingenious_env.games.ingenious.state import NO_TILE, derive
from ingenious_env.games.loopit import consistency as loopit
from ingenious_env.games.loopit.state import derive as loopit_derive

Edit = Callable[[GameState], object]
SEAT, TILE = 2, 20  # of three players; the last type of tile


def edited(base: object, *edits: Edit, **numbers: int) -> GameState:
    """The state of a copy of a game, with fields that are one number set, and then edited."""
    state = base.clone().state
    for name, value in numbers.items():
        getattr(state, name)[0] = value
    for edit in edits:
        edit(state)
    return state


def entry(field: str, place: object, value: int) -> Edit:
    """Set an entry of a field."""
    return lambda state: getattr(state, field)[0].__setitem__(place, value)


def until(rules: Rules, phase: str, seed: int = 1) -> Game:
    """A game of mixed moves when a seat first stands so."""
    batch, rng = helpers.batch_at(rules, 1, 0, seed=seed), np.random.default_rng(seed)
    while batch[0].phase != phase:
        batch.play(helpers.mixed_actions(batch, rng), auto_reset=phase != "over")
    return batch[0]


# Ingenious.


def draw_back(seat: int) -> Edit:
    """The last tile of a rack goes back into the bag."""

    def edit(state: GameState) -> None:
        rack = state.racks[0, seat]
        state.drawn[0] -= 1
        state.bag[0, state.drawn[0]] = rack[-1]
        rack[-1] = NO_TILE

    return edit


def more_than_there_are(state: GameState) -> None:
    """Seven tiles of a type, which the game has five of, counted as if they were the game's."""
    for seat in range(2):
        for slot in range(6):
            old = int(state.racks[0, seat, slot])
            state.racks[0, seat, slot] = TILE
            state.unplaced[0, old] -= 1
            state.unplaced[0, TILE] += 1


def another_colour(state: GameState) -> None:
    """Half a tile on the board shows another colour, and all that follows from the board agrees."""
    symbols = set(state.rules.geometry.symbol_cells)
    cell = next(cell for cell in np.flatnonzero(state.board[0, :-1]) if cell not in symbols)
    state.board[0, cell] = 1 + state.board[0, cell] % 6
    derive(state)


def two_equal_tiles(state: GameState) -> None:
    """The first two tiles of the seat to move are equal: the bag gives the second."""
    bag, rack = state.bag[0], state.racks[0, state.to_play[0]]
    place = int(state.drawn[0]) + int(np.flatnonzero(bag[state.drawn[0] :] == rack[0])[0])
    bag[place], rack[1] = rack[1], rack[0]
    rack.sort()


def six_equal_tiles(state: GameState) -> None:
    """The rack of the seat to move is all of one type; seats that had these tiles get others."""
    tile, rack = int(np.flatnonzero(state.unplaced[0] == 6)[0]), state.racks[0, state.to_play[0]]
    for place in (state.bag[0, state.drawn[0] :], *state.racks[0]):
        for slot in np.flatnonzero(place == tile):
            wrong = np.flatnonzero(rack != tile)
            if len(wrong):
                place[slot], rack[wrong[0]] = rack[wrong[0]], tile
    for place in state.racks[0]:
        place.sort()


def shows_none_of_the_lowest(state: GameState) -> None:
    """The colours of the one tile of the rack do not stand lowest."""
    low, high = list(Game.definition.tiles(state.rules))[int(state.racks[0, 0, 0])]
    state.scores[0, 0] = 0
    state.scores[0, 0, [low - 1, high - 1]] = 1


def full(sheet: int) -> Edit:
    return lambda state: state.scores[0].__setitem__(sheet, state.rules.last_space)


def empty_rack(state: GameState) -> None:
    """All tiles of the seat to move go back into the bag."""
    rack = state.racks[0, state.to_play[0]]
    for tile in rack[rack != NO_TILE]:
        state.drawn[0] -= 1
        state.bag[0, state.drawn[0]] = tile
    rack[:] = NO_TILE


def no_bag(state: GameState) -> None:
    state.bag[0] = 0
    state.drawn[0] = len(state.bag[0])


def short_bag(state: GameState) -> None:
    """One tile fewer than a rack is in the bag."""
    state.drawn[0] = len(state.bag[0]) - state.rules.rack_size + 1


def shows_lowest(state: GameState) -> None:
    """The first tile of the rack shows a colour that stands lowest."""
    low, _ = list(Game.definition.tiles(state.rules))[int(state.racks[0, state.to_play[0], 0])]
    state.scores[0, state.to_play[0], low - 1] = 0


def ingenious_states() -> Iterator[tuple[str, GameState]]:  # noqa: PLR0915 - a list
    """Positions, and the beginning of what is wrong with them; "" for those that may be."""
    start, middle = Game(Rules(3), 3), helpers.batch_at(Rules(3), 1, 14, seed=3)[0]
    assert middle.phase == "place"
    mover, other, top = middle.to_play, (middle.to_play + 1) % 3, start.rules.last_space
    second = Game(Rules(3), 3)
    second.play(second.random_action())
    if second.phase == "swap":
        second.play(int(second.legal_actions()[0]))
    swap, over = until(Rules(), "swap"), until(Rules(2, board_side=4, rack_size=3), "over")
    alone = helpers.batch_at(Rules.solitaire(), 1, 9)[0]
    symbol = start.rules.geometry.symbol_cells[2]
    free = next(cell for cell in range(90) if not start.board[cell])
    reverse = entry("racks", SEAT, start.state.racks[0, SEAT, ::-1].copy())
    touches = np.flatnonzero([second.state.touched[0] >> bit & 1 for bit in range(6)])
    untouched = next(bit for bit in range(6) if bit not in touches)
    seven = entry("shown", (0, slice(0, 7)), 1)
    swaps = (until(Rules(), "swap", seed) for seed in range(99))
    after_bonus = next(game for game in swaps if (game.state.placed[0] - game.state.turn[0]) % 2 == 0)

    yield "the entry after the board", edited(start, entry("board", -1, 0))
    yield "a cell's colour must be", edited(start, entry("board", free, -1))
    yield "a cell's colour must be", edited(start, entry("board", free, 7))
    yield "the start symbol on cell", edited(start, entry("board", symbol, 5))
    yield "open_pairs does not follow", edited(middle, entry("open_pairs", 0, 0))
    yield "points does not follow", edited(middle, entry("points", (2, 5), 31))
    yield "tile types are 0 to 20", edited(start, entry("racks", (1, 5), 21))
    yield "tile types are 0 to 20", edited(start, entry("bag", -1, 21))
    yield "the part of the bag that has been drawn", edited(start, entry("bag", 0, 1))
    yield "the tiles on racks and in the bag", edited(start, entry("unplaced", 4, 7))
    yield "there are more tiles of a type", edited(start, more_than_there_are)
    yield "tiles must be on the board", edited(middle, placed=77)
    yield "the colours on the board are not those", edited(middle, another_colour)
    yield "to_play must be from 0 to 2", edited(start, to_play=3)
    yield "the rack of seat 2 is not sorted", edited(start, reverse)
    yield f"the rack of seat {other} must be full", edited(middle, draw_back(other))
    yield "the rack of seat 0 must be full", edited(start, draw_back(0))
    yield "", edited(middle, draw_back(mover))
    yield "counters must be from 0", edited(start, entry("scores", (1, 2), -1))
    yield "counters must be from 0", edited(start, entry("scores", (1, 2), top + 1))
    yield "", edited(start, entry("scores", (1, 2), top))
    yield "phase must be from 0 to 2", edited(start, phase=3)
    yield "seat 0 must be to move in turn 0", edited(start, to_play=1)
    yield "0 tiles on the board are too few", edited(start, turn=3)
    yield "tiles on the board are too few", edited(after_bonus, turn=after_bonus.state.placed[0])
    yield "the game is over just when", edited(start, phase=OVER, plays_left=0)
    yield "the game is over just when", edited(over, phase=PLACE, plays_left=1)
    yield "the game is over just when", edited(middle, full(mover))
    yield "", edited(middle, full(mover), phase=OVER, plays_left=0)
    yield "only the sheet of the seat", edited(middle, full(other), phase=OVER, plays_left=0)
    yield "plays_left cannot be 0 in phase 0", edited(start, plays_left=0)
    yield "plays_left cannot be 1 in phase 1", edited(swap, plays_left=1)
    yield "plays_left cannot be 1 in phase 2", edited(over, plays_left=1)
    yield "plays_left cannot be 14", edited(middle, plays_left=14)
    yield "", edited(middle, plays_left=13)
    yield "a seat that is to place a tile", edited(middle, empty_rack)
    yield "this seat may not swap", edited(swap, empty_rack)
    yield "slot 0 cannot be picked", edited(swap, held=1)
    yield "slot 6 cannot be picked", edited(start, held=7)
    yield "slot 1 cannot be picked", edited(middle, two_equal_tiles, held=2)
    yield "", edited(middle, two_equal_tiles, held=1)
    yield "", edited(middle, two_equal_tiles, held=3)
    yield "", edited(start, held=6)
    yield "", edited(middle, six_equal_tiles, held=1)
    yield "slot 5 cannot be picked", edited(middle, six_equal_tiles, held=6)
    yield "is said to be touched, but", edited(start, touched=1)
    yield "is said to be touched, but", edited(second, touched=int(second.state.touched[0]) | 1 << untouched)
    yield "must be touched in this first round", edited(second, touched=0)
    yield "there are only six start symbols", edited(middle, touched=int(middle.state.touched[0]) | 64)
    yield "nothing can have been shown", edited(start, entry("shown", (0, 3), 1))
    yield "nothing can have been shown", edited(start, entry("drawn_since", (0, 1), 1))
    yield "", edited(start, entry("drawn_since", (0, 1), 1), entry("shown", (0, 3), 1), swaps=1)
    yield "more tiles are said to be shown", edited(start, entry("shown", (0, 0), 6), swaps=1)
    yield "more tiles are said to be shown", edited(start, seven, swaps=1)
    yield "", edited(start, entry("shown", (0, 0), 5), swaps=1)
    yield "", edited(start, entry("shown", (0, 1), 6), swaps=1)
    yield "this seat may not swap", edited(swap, shows_lowest)
    yield (
        "this seat may not swap",
        edited(alone, shows_none_of_the_lowest, phase=CHOOSE, plays_left=0, turn=8),
    )
    for rules in helpers.VARIANTS.values():
        for moves in (0, 1, 5, 40):
            yield "", helpers.batch_at(rules, 1, moves, seed=moves).state


def ingenious_parts() -> Iterator[tuple[str, str, GameState]]:
    """Positions for one check only: in no game is the bag so empty, so that earlier checks complain first."""
    middle, swap = helpers.batch_at(Rules(3), 1, 14, seed=3)[0], until(Rules(), "swap")
    yield "_swaps", "this seat may not swap", edited(swap, short_bag)
    yield "_swaps", "", edited(swap, lambda state: short_bag(state) or draw_back(swap.to_play)(state))
    yield "_racks", "", edited(middle, draw_back((middle.to_play + 1) % 3), no_bag)


# Loopit.


def loopit_states() -> Iterator[tuple[str, GameState]]:
    """Positions, and the beginning of what is wrong with them; "" for those that may be."""
    variants = loopit_helpers.VARIANTS
    start = loopit_helpers.batch_at(variants["three, fixed"], 1, 0, seed=1)[0]
    middle = loopit_helpers.batch_at(variants["three, fixed"], 1, 9, seed=1)[0]
    end = loopit_helpers.batch_at(variants["two"], 1, 300, seed=1)[0]
    assert not end.bag
    rack, out = start.state.racks[0, SEAT], start.state.out[0].copy()
    gap = [out[0], NO_TILE, out[1], NO_TILE]

    def another_tile(state: GameState) -> None:
        old, new = int(state.racks[0, 1, 0]), int(state.racks[0, 1, 1])
        state.racks[0, 1, 0] = new
        state.unplaced[0, old] -= 1
        state.unplaced[0, new] += 1
        loopit_derive(state)

    yield "the entry after the board", edited(start, entry("board", -1, 0))
    yield "the part of the bag that has been drawn", edited(start, drawn=82)
    yield "the part of the bag that has been drawn", edited(end, drawn=82)
    yield "the part of the bag that has been drawn", edited(start, entry("bag", 0, 3))
    yield "tile types are 0 to 80", edited(start, entry("racks", (0, 0), 81))
    yield "tile types are 0 to 80", edited(start, entry("bag", -1, 81))
    yield "tile types are 0 to 80", edited(start, entry("out", 0, 81))
    yield "tile types are 0 to 80", edited(start, entry("board", 0, 82))
    yield "2 tiles must be out of the game", edited(start, entry("out", 1, NO_TILE))
    yield "2 tiles must be out of the game", edited(start, entry("out", slice(None), gap))
    yield "2 tiles must be out of the game", edited(start, entry("out", slice(0, 2), out[1::-1]))
    yield "the tiles on racks, in the bag", edited(start, entry("unplaced", 5, 2))
    yield "the tiles are not those of the game", edited(start, another_tile)
    yield "1 tiles are on the board, not 2", edited(start, placed=2)
    for field in ("fits", "needs", "ends", "values", "left"):
        first = (0,) * (getattr(middle.state, field).ndim - 1)
        changed = getattr(middle.state, field)[0][first] ^ getattr(middle.state, field).dtype.type(1)
        yield f"{field} does not follow", edited(middle, entry(field, first, changed))
    yield "to_play must be from 0 to 2", edited(start, to_play=3)
    yield "the rack of seat 2 is not sorted", edited(start, entry("racks", SEAT, rack[::-1].copy()))
    yield "scores must be at least 0", edited(middle, entry("scores", 1, -1))
    yield "no player can have scored", edited(start, entry("scores", 1, 1))
    yield "phase must be from 0 to 2", edited(start, phase=3)
    yield "turn cannot be -1", edited(start, turn=-1)
    yield "turn cannot be 28", edited(start, turn=28)
    yield "seat 1 must be to move in turn 1", edited(start, turn=1)
    yield "the game is over just when", edited(start, phase=OVER)
    yield "the game is over just when", edited(start, turn=27)
    yield "only a seat that can lay no tile", edited(start, phase=CHOOSE)
    yield "slot 5 cannot be picked", edited(start, held=6)
    for rules in variants.values():
        for moves in (0, 4, 300):
            for staged in (False, True):
                yield "", loopit_helpers.batch_at(rules, 1, moves, seed=moves, staged=staged).state
    yield from refused_texts()


def refused_texts() -> Iterator[tuple[str, GameState]]:
    """Positions by their tiles, which are read without being checked."""
    one, end = {(2, 2): "EW1"}, {(2, 2): "N1"}
    joined = {(2, 2): "EW1", (2, 3): "W1"}
    row = {(2, 2): "EW1", (2, 1): "EW1", (2, 3): "EW1", (2, 4): "W1"}
    fixed = {"rounds": "fixed", "out": "E1 E1 E1 E1"}
    racks, bag = ["W3 W4", "S3 S4"], "E7 E8 N1 N1 N1"
    alone = {(2, 2): "NE1", (2, 3): "EW1", (2, 4): "W1"}
    closed = {(2, 2): "E1", (2, 3): "W1"}
    throw, last = {"phase": "throw"}, {"turn": 26, **fixed}
    stuck, repeated = ["N3 N4", "S3 S4"], ["W3 W3", "S3 S4"]
    cases = [
        ("the start square (2, 2) must have", {(2, 3): "NS1"}, racks, bag, {}),
        ("the tile on (2, 4) has a line end", {(2, 2): "E1", (2, 3): "EW1", (2, 4): "EW1"}, racks, bag, {}),
        ("", {(2, 2): "E1", (2, 3): "EW1", (2, 4): "W1"}, ["W3 W4", "S3 S4"], bag, {"phase": "over"}),
        ("the tiles on (2, 2) and (2, 3) do not", {(2, 2): "E1", (2, 3): "NS1"}, racks, bag, {}),
        ("the tile on (4, 4) is not joined", {**joined, (4, 4): "NW1"}, racks, bag, {}),
        ("the tile on (3, 2) is not joined", {**joined, (3, 2): "S1"}, racks, bag, {}),
        ("a seat that is to lay a tile must", closed, ["N3", "S3 S4"], "", {"laid": 1}),
        ("slot 0 cannot be picked", one, racks, bag, {"phase": "over", "held": 1, **last}),
        ("the rack of seat 0 must have 1 tiles", one, racks, bag, {"laid": 1}),
        ("the rack of seat 1 must have 2 tiles", one, ["W3 W4", "S3"], bag, {}),
        ("", row, ["E3", "S3"], "", {"turn": 2}),
        ("a seat that is to lay a tile must", end, racks, bag, {}),
        ("only a seat that can lay no tile", one, racks, bag, {"phase": "throw"}),
        ("only a seat that can lay no tile", alone, ["", "S3 S4"], "", throw),
        ("only a seat that can lay no tile", {**joined}, ["N3", "E3 E4"], bag, {"phase": "throw", "laid": 1}),
        ("", one, stuck, bag, {"phase": "throw"}),
        ("1 tiles cannot have been laid", joined, ["E3", "S3 S4"], "", {"laid": 1, "phase": "over", **last}),
        ("3 tiles cannot have been laid", row, ["E3", "S3 S4"], "", {"laid": 3}),
        ("1 tiles cannot be on the board in", one, ["W3", "S3 S4"], "E7", {"laid": 1}),
        ("2 tiles cannot be on the board in", joined, racks, bag, {"turn": 0}),
        ("the game is over just when", one, racks, bag, {"turn": 26, **fixed}),
        ("the game is over just when", one, racks, bag, {"phase": "over"}),
        ("the game is over just when", one, racks, bag, {"phase": "over", "turn": 24, **fixed}),
        ("", one, racks, bag, {"phase": "over", "turn": 26, **fixed}),
        ("slot 0 cannot be picked", one, stuck, bag, {"phase": "throw", "held": 1}),
        ("slot 1 cannot be picked", one, repeated, bag, {"held": 2}),
        ("", one, repeated, bag, {"held": 1}),
        ("", one, racks, bag, {"held": 2}),
        ("slot 1 cannot be picked", one, ["W3 N4", "S3 S4"], bag, {"held": 2}),
    ]  # fmt: skip
    for begins, board, hands, rest, options in cases:
        held = options.pop("held", 0)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(loopit, "check", lambda _state: None)
            game = position(board, hands, rest, rack=2, **options)
        game.state.held[0] = held
        yield begins, game.state
