"""The best play of one solitaire bag whose order is known: simulated annealing, and an upper bound.

`improve` makes one round: it anneals a line of play from an empty board (see `kernels/known_bag.py`). Rounds
are independent, and the longer ones find more, so round after round is longer, up to a limit.

`upper_bound` is what the lowest counter cannot exceed. It is the lowest of bounds of the colours, and each
colour has the board for itself: tiles are drawn in the order of the bag, and every half of the colour is on
the best cell that any board of this size has. Each bound is valid because

- a half scores a cell of its colour at most once, as a cell lies in one direction only, so at most the cells
  of the colour that are on the board, and at most the cells in the lines of five directions;
- two adjacent cells, each without the direction of the other, have only their two common neighbours in both
  their lines, so a double scores at most two cells twice;
- counters advance as in the game, by the whole tile and with the stop of a double sheet, and a counter that
  is farther, or gains more, never ends lower;
- no more tiles fit than half of the cells, and the tile of a turn is one of those drawn by then.

With a larger rack the order of the tiles is a choice: all numbers of tiles laid with one and with two halves
of the colour are tried, turn by turn.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.search.kernels.known_bag import BEST_PLACED, LOWEST, SYMBOL, WALL, anneal
from ingenious_env import Game, Rules
from ingenious_env.engine.checks import check_index
from ingenious_env.games.ingenious.moves import Place

Seed = tuple[int, int]
SHORTEST, LONGEST = 1 << 17, 1 << 22
"""Steps of the first round, and of the longest ones."""
MAX_STEPS, MAX_GOAL = 1 << 40, 1 << 20
HOT, COLD = 0.04, 0.004
"""Temperatures at the beginning and at the end of a round, as a share of the square of the goal."""


@dataclass(frozen=True)
class Round:
    """The result of a round.

    Attributes:
        number: of the round.
        lowest: the lowest counter at the end of the best line found.
        actions: the line, flat actions from the deal to the end of the game.
        seconds: CPU time of the annealing.
    """

    number: int
    lowest: int
    actions: tuple[int, ...]
    seconds: float


def check_solitaire(rules: Rules) -> None:
    """ValueError if a variant is for several players."""
    if rules.num_players != 1:
        msg = f"only solitaire can be played knowing the bag, not a game of {rules.num_players} players"
        raise ValueError(msg)


def steps_of(number: int) -> int:
    """The steps of a round: twice those of the round before, up to `LONGEST`."""
    return min(SHORTEST << min(number, 62), LONGEST)


def improve(
    rules: Rules, seed: Seed, number: int = 0, *, goal: int | None = None, steps: int | None = None
) -> Round:
    """One round of annealing.

    The result depends on the arguments only.

    Args:
        rules: a variant for one player.
        seed: the bag is that of `Game(rules, seed)`.
        number: of the round, from 0 on; rounds make different random choices.
        goal: the lowest counter at which a round ends early; by default the upper bound.
        steps: to make; by default those of `steps_of`.

    Raises:
        ValueError: the variant is for several players, or a number is out of its range.
        TypeError: a number is not a whole one.
    """
    check_solitaire(rules)
    number = check_index("number", number, 0)
    goal = upper_bound(rules, seed) if goal is None else check_index("goal", goal, 0, MAX_GOAL)
    steps = steps_of(number) if steps is None else check_index("steps", steps, 1, MAX_STEPS)
    game = Game(rules, seed)
    cells, most, tiles = rules.geometry.num_cells, _most_tiles(rules), _tiles_in_order(game)
    board = np.append(game.board.astype(np.int64), WALL)
    empty = np.flatnonzero(board == 0)
    holes = np.zeros(cells, np.int64)
    holes[: len(empty)] = empty
    drawn = np.arange(len(tiles))
    best_cells, best_drawn = np.zeros((most, 2), np.int64), drawn.copy()
    numbers = np.array([0, len(empty), -1, 0], np.int64)
    scale = max(1.0, float(goal)) ** 2
    spec = [cells, rules.num_colours, rules.counter_top, rules.last_space, most, rules.rack_size, goal]
    stream = np.random.SeedSequence([*seed, number]).generate_state(1, np.uint64)
    compiled = anneal.compiled
    began = time.process_time()
    compiled(
        np.array(spec, np.int64),
        rules.geometry.neighbours.copy(),
        board,
        np.full(cells + 1, SYMBOL, np.int64),
        tiles,
        drawn,
        np.zeros((most, 2), np.int64),
        np.zeros((most, 2), np.int64),
        holes,
        numbers,
        best_cells,
        best_drawn,
        stream,
        HOT * scale,
        (COLD / HOT) ** (1 / steps),
        steps,
    )
    seconds = round(time.process_time() - began, 3)
    actions = _played(game, best_cells[: numbers[BEST_PLACED]], tiles[best_drawn])
    if game.scores.min() < numbers[LOWEST]:
        msg = f"the kernel counted {numbers[LOWEST]} for bag {seed}, the game {game.scores.min()}"
        raise RuntimeError(msg)
    return Round(number, int(game.scores.min()), actions, seconds)


def _tiles_in_order(game: Game) -> NDArray[np.int64]:
    """The colours of the tiles that can be laid, in drawing order, int64 [Y, 2]; those of the rack first."""
    rules = game.rules
    return np.array([*game.racks[0], *game.bag_order], np.int64)[: _most_tiles(rules) + rules.rack_size - 1]


def _most_tiles(rules: Rules) -> int:
    """The number of tiles that fit on the board at most."""
    return (rules.geometry.num_cells - len(rules.start_symbols)) // 2


def _played(game: Game, cells: NDArray[np.int64], tiles: NDArray[np.int64]) -> tuple[int, ...]:
    """Play tiles on cells, and the rest of the game anyhow; returns the actions."""
    places, actions = [tuple(cell) for cell in game.rules.cells.tolist()], list[int]()
    moves = [
        Place((places[first], low), (places[second], high))
        for (first, second), (low, high) in zip(cells.tolist(), tiles.tolist(), strict=False)
    ]
    while not game.is_over:
        turn = len(actions)
        actions.append(game.action(moves[turn]) if turn < len(moves) else int(game.legal_actions()[0]))
        game.play(actions[-1])
    return tuple(actions)


# The upper bound.


def upper_bound(rules: Rules, seed: Seed) -> int:
    """What the lowest counter of a bag cannot exceed; see the module.

    Raises:
        ValueError: the variant is for several players.
    """
    check_solitaire(rules)
    tiles, sight = _tiles_in_order(Game(rules, seed)), _longest_sight(rules)
    symbols = list(rules.start_symbols.values())
    halves = [(tiles == colour).sum(axis=1) for colour in range(1, rules.num_colours + 1)]
    return min(
        _colour_bound(rules, of_colour, symbols.count(colour), sight)
        for colour, of_colour in enumerate(halves, 1)
    )


def _longest_sight(rules: Rules) -> int:
    """The most cells that half a tile can have in its lines: all but those behind the other half."""
    board = rules.geometry
    longest = 0
    for pair in board.pairs.tolist():
        for cell, other in (pair, pair[::-1]):
            total = 0
            for direction in range(6):
                at = board.neighbours[cell, direction]
                while at != board.num_cells and board.neighbours[cell, direction] != other:
                    total += 1
                    at = board.neighbours[at, direction]
            longest = max(longest, total)
    return longest


def _colour_bound(rules: Rules, halves: NDArray[np.int64], symbols: int, sight: int) -> int:
    """What a colour's counter cannot exceed.

    Args:
        rules: the variant.
        halves: int64 [Y], the number of halves of the colour by tile, in drawing order.
        symbols: start symbols of the colour.
        sight: cells that half a tile can have in its lines.
    """
    drawn = [np.append(0, np.cumsum(halves == number)) for number in range(3)]
    reached = {(0, 0): 0}  # the highest counter by the numbers of tiles laid with one half and with two
    for turn in range(_most_tiles(rules)):
        by_now = [int(each[min(turn + rules.rack_size, len(halves))]) for each in drawn]
        after: dict[tuple[int, int], int] = {}
        for (singles, doubles), counter in reached.items():
            on_board = symbols + singles + 2 * doubles
            seen = min(on_board, sight)
            gains = {
                (singles, doubles): 0 if turn - singles - doubles < by_now[0] else None,
                (singles + 1, doubles): seen if singles < by_now[1] else None,
                (singles, doubles + 1): min(on_board + min(2, on_board), 2 * seen)
                if doubles < by_now[2]
                else None,
            }
            stop = rules.counter_top if counter < rules.counter_top else rules.last_space
            for laid, gain in gains.items():
                if gain is not None:
                    after[laid] = max(after.get(laid, 0), min(counter + gain, stop))
        reached = after
    return max(reached.values())
