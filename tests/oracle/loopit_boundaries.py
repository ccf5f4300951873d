"""The boundaries of the rules of Loopit: positions near them, and the moves there, by paragraph of LOOPIT.md.

A position is a `ReferenceLoopit` with any racks, bag and turn that a boundary asks for, on a board that was
played; `engine_game` is the same one as a game of the engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from loopit_helpers import VARIANTS, batch_at
from loopit_reference import OPPOSITE, STEPS, ReferenceLoopit, beside

from ingenious_env.games.loopit import Game, Rules
from ingenious_env.games.loopit.state import CHOOSE, NO_TILE, OVER, PLACE, derive

Tile = tuple[str, int]


def engine_game(rules: Rules, reference: ReferenceLoopit) -> Game:
    """A game of the engine that stands as the reference does."""
    game, material = Game(rules, 0), rules.material
    state, types = game.state, {tile: number for number, tile in enumerate(material.types)}

    def numbers(tiles: list[Tile], room: int) -> list[int]:
        return sorted(types[tile] for tile in tiles) + [NO_TILE] * (room - len(tiles))

    state.board[0, :-1] = 0
    for square, tile in reference.board.items():
        state.board[0, material.cell(square)] = 1 + types[tile]
    state.racks[0] = [numbers(rack, rules.rack_size) for rack in reference.racks]
    state.out[0] = numbers(reference.put_out, state.out.shape[1])
    state.drawn[0] = rules.num_tiles - len(reference.bag)
    state.bag[:] = 0
    state.bag[0, state.drawn[0] :] = [types[tile] for tile in reference.bag]
    left = [types[tile] for tile in chain(*reference.racks, reference.bag, reference.put_out)]
    state.unplaced[0] = np.bincount(left, minlength=len(types))
    state.placed[0] = len(reference.board)
    state.scores[0] = reference.scores
    state.turn[0], state.to_play[0], state.laid[0] = reference.turn, reference.to_play, reference.laid
    stuck = not reference.laid and not reference.lays()
    state.phase[0] = OVER if reference.is_over else CHOOSE if stuck else PLACE
    derive(state)
    return game


@cache
def played_boards(rules: Rules) -> list[Game]:
    """Games at several depths, up to their ends."""
    depths = (0, 2, rules.num_tiles // 3, rules.num_tiles // 2, 2 * rules.num_tiles)
    batches = [batch_at(rules, 6, moves, seed=moves) for moves in depths]
    return [batch[row] for batch in batches for row in range(6)]


def reference_of(rules: Rules) -> ReferenceLoopit:
    """The reference at the start of some game."""
    tiles = sorted(rules.tiles)
    return ReferenceLoopit(
        num_players=rules.num_players,
        fixed_rounds=rules.fixed_rounds,
        draw_order=tiles,
        tiles=tiles,
        factors=rules.factors.tolist(),
        start=rules.material.start,
        rack_size=rules.rack_size,
        tiles_a_turn=rules.tiles_per_turn,
    )


def random_position(rules: Rules, rng: np.random.Generator) -> ReferenceLoopit:
    """A board that was played, and near it what play seldom has; at a decision, or a game that is over."""
    players, size = rules.num_players, rules.rack_size
    while True:
        boards = played_boards(rules)
        game, reference = boards[rng.integers(len(boards))], reference_of(rules)
        reference.board, reference.put_out = dict(game.board), game.put_out
        loose = [*chain(*game.racks), *game.bag_order]
        spare = list((Counter(rules.tiles) - Counter(game.board.values())).elements())
        loose = loose if len(loose) >= players or not spare else spare
        loose = [loose[k] for k in rng.permutation(len(loose))]
        squares, style = reference.open_squares(), rng.random()
        if style < 0.6:  # what fits nowhere comes first, and so onto racks
            loose.sort(key=lambda tile: any(reference.fits(tile, square) for square in squares))
        sizes = rng.choice([0, 1, 1, size, max(1, size - 1)], players)
        reference.racks = []
        for each in sizes:
            reference.racks.append(loose[:each])
            loose = loose[each:]
        kept = int(rng.choice([0, 1, 2, max(0, size - 1), size, rules.num_tiles]))
        reference.bag = loose[len(loose) - kept :] if style < 0.3 else loose[:kept]
        reference.is_over, reference.ranks = False, None
        last = rules.num_rounds * players or 8 * players
        turn = int(rng.choice([0, 1, players, last - players - 1, last - players, last - 2, last - 1]))
        reference.turn, reference.to_play = turn, turn % players
        reference.scores = rng.integers(0, 3, players).tolist()
        reference.laid = int(rng.integers(rules.tiles_per_turn)) if rng.random() < 0.5 else 0
        if reference.laid:
            if reference.racks[reference.to_play] and reference.lays():
                return reference
        elif reference.racks[reference.to_play] and not reference._has_ended():
            return reference


class Step(NamedTuple):
    """A move of the reference: the position before and after it."""

    rules: Rules
    before: ReferenceLoopit
    move: tuple
    after: ReferenceLoopit

    @property
    def seat(self) -> int:
        return self.before.to_play

    @property
    def lays(self) -> bool:
        return self.move[0] == "lay"

    @property
    def ends(self) -> bool:
        """Whether the turn is over."""
        return self.after.turn > self.before.turn

    @property
    def left(self) -> int:
        """Tiles on the rack after the move, before drawing."""
        return len(self.before.racks[self.seat]) - self.lays

    @property
    def joined(self) -> int:
        return len(self.before.joined(*self.move[1:])) if self.lays else 0

    @property
    def passed(self) -> int:
        """Turns of seats without tiles."""
        return self.after.turn - self.before.turn - 1 if self.ends else 0

    def fits(self, tiles: list[Tile]) -> bool:
        """Return whether any of the tiles may be laid after the move."""
        squares = self.after.open_squares()
        return any(self.after.fits(tile, square) for tile in set(tiles) for square in squares)

    @property
    def at_last_turn(self) -> bool:
        return (
            bool(self.rules.num_rounds) and self.after.turn == self.rules.num_rounds * self.rules.num_players
        )

    @property
    def exhausted(self) -> bool:
        return self.after.is_over and not self.at_last_turn


def _at_edge(step: Step) -> bool:
    return step.lays and any(
        not step.before.is_on_board(beside(step.move[2], side)) and side not in step.move[1][0]
        for side in STEPS
    )


def _barred_by_the_edge(step: Step) -> bool:
    """Return whether a tile of the rack would be legal somewhere if the board were larger."""
    before = step.before
    for tile in set(before.racks[before.to_play]):
        for square in before.open_squares():
            off = [side for side in tile[0] if not before.is_on_board(beside(square, side))]
            inside = "".join(side for side in tile[0] if side not in off)
            if off and before.fits((inside, tile[1]), square):
                return True
    return False


def _beside_a_blank(step: Step) -> bool:
    """Return whether a tile is laid next to one such that neither has an end on the shared edge."""
    return step.lays and any(
        (there := step.before.board.get(beside(step.move[2], side))) is not None
        and side not in step.move[1][0]
        and OPPOSITE[side] not in there[0]
        for side in STEPS
    )


Test = Callable[[Step], bool]
Who = Callable[[Rules], bool]


def everyone(_rules: Rules) -> bool:
    return True


def fixed(rules: Rules) -> bool:
    return rules.fixed_rounds


def with_tiles_out(rules: Rules) -> bool:
    return rules.num_out > 0


def several(rules: Rules) -> bool:
    """More than one tile may be laid in a turn."""
    return rules.tiles_per_turn > 1 and rules.rack_size > 1


MET: dict[str, tuple[Who, Test]] = {
    "2.2 the last turn of the last round": (
        fixed,
        lambda s: s.at_last_turn and s.before.turn + 1 == s.after.turn,
    ),
    "2.2 the turn before the last": (
        fixed,
        lambda s: s.ends and s.after.turn == s.rules.num_rounds * s.rules.num_players - 1,
    ),
    "2.2 the last turn goes on": (
        lambda rules: fixed(rules) and several(rules),
        lambda s: s.before.turn == s.rules.num_rounds * s.rules.num_players - 1 and not s.ends,
    ),
    "3.1 the last tile of a turn": (
        lambda rules: rules.tiles_per_turn <= rules.rack_size,
        lambda s: s.lays and s.before.laid + 1 == s.rules.tiles_per_turn and s.left > 0,
    ),
    "3.1 a stop after the first tile": (several, lambda s: s.move == ("stop",) and s.before.laid == 1),
    "3.1 a stop before the last tile": (
        several,
        lambda s: s.move == ("stop",) and s.before.laid == s.rules.tiles_per_turn - 1,
    ),
    "3.1 an empty rack": (
        several,
        lambda s: s.lays and s.left == 0 and s.before.laid + 1 < s.rules.tiles_per_turn,
    ),
    "3.1 no tile of the rack fits any more": (
        several,
        lambda s: s.lays and s.left > 0 and s.ends and s.before.laid + 1 < s.rules.tiles_per_turn,
    ),
    "3.2 beside the board's edge": (everyone, _at_edge),
    "3.2 but for the board's edge": (everyone, _barred_by_the_edge),
    "3.2 beside a tile that it does not join": (everyone, _beside_a_blank),
    "3.3 a rack thrown back with an empty bag": (
        everyone,
        lambda s: s.move == ("throw back",) and not s.before.bag,
    ),
    "3.3 a rack thrown back with a tile in the bag": (
        everyone,
        lambda s: s.move == ("throw back",) and len(s.before.bag) == 1,
    ),
    "3.3 a rack of one tile thrown back": (
        everyone,
        lambda s: s.move == ("throw back",) and len(s.before.racks[s.seat]) == 1,
    ),
    "3.3 a rack kept": (everyone, lambda s: s.move == ("keep",)),
    "3.3 a turn passes": (everyone, lambda s: s.passed == 1 and not s.after.is_over),
    "3.3 two turns pass": (
        lambda rules: rules.num_players > 2,
        lambda s: s.passed == 2 and not s.after.is_over,
    ),
    "3.4 the bag is empty": (everyone, lambda s: s.ends and not s.before.bag and s.left < s.rules.rack_size),
    "3.4 the bag holds just what is drawn": (
        everyone,
        lambda s: s.ends and s.lays and 0 < len(s.before.bag) == s.rules.rack_size - s.left,
    ),
    "3.4 the bag holds one tile too few": (
        lambda rules: rules.rack_size > 1,
        lambda s: s.ends and s.lays and 0 < len(s.before.bag) == s.rules.rack_size - s.left - 1,
    ),
    "4.1 joined to one tile": (everyone, lambda s: s.joined == 1),
    "4.1 joined to two tiles": (everyone, lambda s: s.joined == 2),
    "4.1 on a square with a factor": (
        everyone,
        lambda s: s.lays and s.before.factors[s.move[2][0]][s.move[2][1]] > 1,
    ),
    "5.1 all tiles are laid": (
        everyone,
        lambda s: s.exhausted and not s.after.bag and not any(s.after.racks),
    ),
    "5.1 no tile fits any more": (everyone, lambda s: s.exhausted and any(s.after.racks)),
    "5.1 only tiles of the bag fit": (
        everyone,
        lambda s: s.ends and not s.after.is_over and not s.fits(list(chain(*s.after.racks))),
    ),
    "5.1 only tiles that are out fit": (with_tiles_out, lambda s: s.exhausted and s.fits(s.after.put_out)),
    "5.1 only another seat's tiles fit": (
        everyone,
        lambda s: s.ends
        and not s.after.is_over
        and not s.fits(s.after.racks[s.after.to_play])
        and s.fits(list(chain(*s.after.racks))),
    ),
    "5.1 the last turns pass": (fixed, lambda s: s.at_last_turn and s.passed > 0),
    "5.2 a shared rank": (
        everyone,
        lambda s: s.after.is_over and len(set(s.after.ranks)) < len(s.after.ranks),
    ),
    "5.2 no shared rank": (
        everyone,
        lambda s: s.after.is_over and len(set(s.after.ranks)) == len(s.after.ranks),
    ),
}  # fmt: skip
"""By paragraph: the variants that it is about, and the moves at its boundary."""

ELSEWHERE = {
    "1.1", "1.2", "1.3", "1.4",  # material: test_loopit_material
    "2.1",  # the deal: test_loopit_reference, test_loopit_turns
    "4.2",  # the worked example: both
}  # fmt: skip
"""Paragraphs without their own boundary, and the tests for them."""

BOUNDARY_RULES = {
    name: VARIANTS[name]
    for name in ("two", "three", "four", "two, fixed", "three, fixed", "four, fixed", "5 x 5, fixed", "4 x 7")
}
