"""The exact value of two players' positions, both of whose racks are seen: the expected share of the win.

Tiny variants can be solved from the deal, and endings of the standard game. Both players see both racks, and
nobody knows the order of the bag. See `kernels/exact_two.py` for the method.

A player who does not see the other rack has no such value in general: what is best depends on what the other
believes and does. With two placements left it is known all the same (see `TwoPlayerSolver.solve_unseen`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.search.exact import board_of, placements_left, type_number
from ingenious_agents.search.kernels.exact import DEPTH, MAX_COUNT, MAX_COUNTER, TYPES
from ingenious_agents.search.kernels.exact_two import solve
from ingenious_agents.search.kernels.exact_two_moves import (
    CHILD,
    DRAWS,
    FIRST_ROUND,
    KEEP,
    KIND,
    MAX_PLAYS,
    MAX_TOUCHED,
    NUMBERS,
    PLACE,
    PLAYS,
    SEAT,
    SWAP,
    SWAPPED,
    TOUCHED,
    TURN,
    Board,
    Levels,
)
from ingenious_agents.search.solved import MAX_NODES, Budget, Solution, SolvedPositions
from ingenious_env import Game, Rules
from ingenious_env.games.ingenious.geometry import Geometry
from ingenious_env.games.ingenious.tiles import tile_types

REPORTED = 8  # levels whose share of the work is reported
SEATS = 2
UNSEEN_LEFT = 2  # placements left at most where the other rack need not be seen


class TwoPlayerSolver(SolvedPositions):
    """Solves positions of one variant for two players with open racks.

    Args:
        rules: a variant for two players. Whether its racks are open makes no difference: they are seen.
        memory: bytes of the table of solved positions, rounded down to a power of two of places.

    Attributes:
        rules: as given.

    Raises:
        ValueError: the variant is another.
    """

    def __init__(self, rules: Rules, memory: int = 1 << 28) -> None:
        if rules.num_players != SEATS:
            msg = f"this exact solver is for two players, not for {rules.num_players}"
            raise ValueError(msg)
        super().__init__(rules, memory)
        geometry, colours = rules.geometry, rules.num_colours
        cells, pairs, types = geometry.num_cells, geometry.num_pairs, (colours + 1) * (colours + 2) // 2
        size = cells * 8 + SEATS * (colours + 1) * MAX_COUNTER + 3 * types * MAX_COUNT
        size += 4 + MAX_PLAYS + FIRST_ROUND * MAX_TOUCHED
        cell_images, colour_images, symbol_images = symmetries(rules)
        self._board = Board(
            spec=np.array(
                [cells, pairs, colours, rules.counter_top, rules.last_space, types, rules.rack_size],
                np.int64,
            ),
            neighbours=geometry.neighbours.copy(),
            pairs=geometry.pairs.copy(),
            touches=geometry.touches.copy(),
            cell_images=cell_images,
            colour_images=colour_images,
            symbol_images=symbol_images,
            hashes=np.random.default_rng(11).integers(0, 2**64, (2, size), np.uint64),
            spare=np.zeros((4, cells + types + 1), np.int64),
        )
        levels = (cells // 2 + 2) * (2 * rules.rack_size + 2)  # a turn places, draws or swaps
        self._levels = Levels(
            boards=np.zeros((levels, cells + 1), np.uint8),
            counters=np.zeros((levels, SEATS, colours + 1), np.int64),
            racks=np.zeros((levels, SEATS, types), np.int64),
            bags=np.zeros((levels, types), np.int64),
            asides=np.zeros((levels, types), np.int64),
            numbers=np.zeros((levels, NUMBERS), np.int64),
            values=np.zeros(levels),
            keys=np.zeros((levels, 2), np.uint64),
        )

    def value(self, *, nodes: int = MAX_NODES, on_progress: Callable[[float], None] | None = None) -> float:
        """The first player's expected share of the win, before the deal.

        Args:
            nodes: to try at most.
            on_progress: called from time to time with the share of the work that is done, roughly.

        Raises:
            BudgetError: there are more nodes, or the table is full; what is solved stays solved.
        """
        game = Game(self.rules, seed=0)
        self._write(game)
        levels = self._levels
        levels.bags[0] = self._by_type(game.state.unplaced[0])
        levels.racks[0] = 0
        levels.numbers[0, DRAWS : DRAWS + SEATS] = self.rules.rack_size
        return self._solve((), self.budget(nodes), on_progress)

    def solve(
        self, game: Game, *, nodes: int = MAX_NODES, on_progress: Callable[[float], None] | None = None
    ) -> Solution:
        """The values of all actions for the player to move, of equal ones the lower action first.

        Args:
            game: of this variant, flat, not over. Both racks are seen; the order of the bag is not used.
            nodes: to try at most.
            on_progress: called from time to time with the share of the work that is done, roughly.

        Raises:
            ValueError: the game is over, or of another variant.
            BudgetError: as for `value`.
        """
        self.check(game)
        actions, budget = np.asarray(game.legal_actions(), np.int32), self.budget(nodes)
        values = np.empty(len(actions))
        for number, action in enumerate(actions):

            def report(share: float, number: int = number) -> None:
                if on_progress is not None:
                    on_progress((number + share) / len(actions))

            self._write(game)
            values[number] = self._solve(self._parts(game, int(action)), budget, report)
        if game.to_play:
            values = 1 - values
        return Solution.of(actions, values)

    def solve_unseen(self, game: Game) -> Solution:
        """The values of all actions for a player who does not see the other rack, with two placements left.

        After the placement at most one is left. If it is the opponent's, its best one depends on the board
        and on its own rack only, so that the value of an action is its mean over the racks that the opponent
        may have, each with its probability; all unseen tiles are equally likely on it.

        Args:
            game: of this variant, flat, not over, with a tile to be placed, in which no rack was swapped (as
                that would reveal something about the other rack). The other rack and the bag are not used.

        Raises:
            ValueError: the game is another.
        """
        self.check_unseen(game)
        state, seat = game.state, game.to_play
        own = self._by_type(self._counts(game, seat))
        unseen = self._by_type(state.unplaced[0]) - own
        on_rack = int(self._counts(game, 1 - seat).sum())
        actions = np.asarray(game.legal_actions(), np.int32)
        values = np.array([self._unseen(game, int(action), unseen, on_rack) for action in actions])
        return Solution.of(actions, values)

    def check_unseen(self, game: Game) -> None:
        """ValueError if `solve_unseen` does not solve a position."""
        self.check(game)
        if placements_left(game) > UNSEEN_LEFT or game.phase != "place" or game.state.swaps[0]:
            msg = (
                f"the other rack must be seen unless a tile is to be placed, {UNSEEN_LEFT} placements are"
                " left at most, and no rack was swapped"
            )
            raise ValueError(msg)

    def _unseen(self, game: Game, action: int, unseen: NDArray[np.int64], on_rack: int) -> float:
        """The mean value of an action over the opponent's racks, for the player to move.

        The opponent places the best tile of its rack, so that the other tiles do not matter.
        """
        seat, parts, after = game.to_play, self._parts(game, action), game.clone()
        self._write(game)
        after.play(action)
        rack, shares = self._levels.racks[0, 1 - seat], []
        rack[:] = unseen > 0
        least = abs(seat - self._solve(parts, self.budget(MAX_NODES)))
        is_last = after.is_over or (after.phase == "place" and after.to_play == seat)  # a bonus play ends it
        if is_last or least == 1:
            return least
        for kind in np.flatnonzero(unseen):
            rack[:] = 0
            rack[kind] = 1
            shares.append((abs(seat - self._solve(parts, self.budget(MAX_NODES))), int(unseen[kind])))
        total, worse, mean = sum(count for _, count in shares), 0, 0.0
        for share, count in sorted(shares):  # the opponent takes the lowest that it has
            racks = comb(total - worse, on_rack) - comb(total - worse - count, on_rack)
            mean += share * racks / comb(total, on_rack)
            worse += count
        return mean

    def _by_type(self, counts: Sequence[int] | NDArray[np.integer]) -> NDArray[np.int64]:
        """Tiles by the kernels' types, from counts by the game's."""
        found, colours = np.zeros(self._board.spec[TYPES], np.int64), self.rules.num_colours
        for count, (low, high) in zip(counts, tile_types(colours), strict=True):
            found[type_number(low, high, colours)] = count
        return found

    def _counts(self, game: Game, seat: int) -> NDArray[np.int64]:
        """Tiles on a rack by the game's types."""
        rack, size = game.state.racks[0, seat], len(tile_types(self.rules.num_colours))
        return np.bincount(rack[rack < size], minlength=size)

    def _parts(self, game: Game, action: int) -> tuple[int, int]:
        """An action as the kernels number it."""
        actions = game.actions
        if action >= actions.first_choice:
            return (SWAPPED if action == actions.choice("swap") else KEEP), 0
        slot, placement = actions.split_placement(action)
        turned, pair = divmod(placement, self.rules.geometry.num_pairs)
        low, high = game.racks[game.to_play][slot]
        return type_number(low, high, self.rules.num_colours), 2 * pair + turned

    def _write(self, game: Game) -> None:
        """Write a position into the first level."""
        state, levels = game.state, self._levels
        levels.boards[0] = board_of(game)
        levels.counters[0, :, 1:] = state.scores[0]
        racks = [self._counts(game, seat) for seat in range(SEATS)]
        for seat, rack in enumerate(racks):
            levels.racks[0, seat] = self._by_type(rack)
        levels.bags[0] = self._by_type(state.unplaced[0] - sum(racks))
        levels.asides[0] = 0
        numbers = levels.numbers[0]
        numbers[:] = 0
        numbers[KIND] = PLACE if game.phase == "place" else SWAP
        numbers[SEAT], numbers[PLAYS] = game.to_play, game.plays_left
        numbers[TURN], numbers[TOUCHED] = min(game.turn, FIRST_ROUND), state.touched[0]

    def _solve(
        self, action: Sequence[int], budget: Budget, on_progress: Callable[[float], None] | None = None
    ) -> float:
        """The first player's share of the win in the first level's position, or after an action of it."""
        position = *self._board, *self._levels, self.keys, self.values, self.progress
        taken = np.array(action, np.int64)
        self._run(lambda chunk: solve(*position, taken, chunk), budget, on_progress)
        return float(self._levels.values[0])

    def _share_done(self) -> float:
        done, part, pairs = 0.0, 1.0, self.rules.geometry.num_pairs
        for depth in range(1, min(int(self.progress[DEPTH]), REPORTED)):
            numbers, bag = self._levels.numbers[depth], self._levels.bags[depth]
            child = int(numbers[CHILD])
            if numbers[DRAWS : DRAWS + SEATS].any():
                before, width = bag[:child].sum() / bag.sum(), bag[child] / bag.sum()
            else:
                width = 0.5 if numbers[KIND] == SWAP else 1 / (len(bag) * 2 * pairs)
                before = child * width
            done += part * before
            part *= width
        return float(done)


def symmetries(rules: Rules) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The symmetries of a variant's board under which its start symbols keep or exchange their colours.

    Returns:
        cells: int64 [G, N + 1], the cell to which each is mapped; N, off the board, to itself.
        colours: int64 [G, C + 1], the colour to which each is mapped; 0 to itself.
        symbols: int64 [G, 64], the set of symbols to which each is mapped, as bits.
    """
    geometry, found = rules.geometry, []
    colours_at = [*rules.start_symbols.values()]
    places = {cell: number for number, cell in enumerate(geometry.symbol_cells)}
    for image in geometry.symmetries:
        moved = _moved(geometry, image, places)
        colours = {0: 0}
        is_symmetry = all(
            colours.setdefault(colours_at[old], colours_at[new]) == colours_at[new]
            for old, new in enumerate(moved)
        )
        if not is_symmetry or len(set(colours.values())) < len(colours):
            continue
        masks = [
            sum(1 << new for old, new in enumerate(moved) if mask >> old & 1) for mask in range(MAX_TOUCHED)
        ]
        found.append(
            ([*image, geometry.num_cells], [colours[each] for each in range(rules.num_colours + 1)], masks)
        )
    cells, by_colour, symbols = (np.array(each, np.int64) for each in zip(*found, strict=True))
    return cells, by_colour, symbols


def _moved(geometry: Geometry, image: NDArray[np.int16], places: dict[int, int]) -> list[int]:
    """The start symbol to which each is mapped."""
    return [places[int(image[cell])] for cell in geometry.symbol_cells]
