"""Helpers of Loopit's tests: variants, hand-built positions, and a slow copy of the rules (LOOPIT.md).

The rules here go by what a `Game` says of its board and racks alone, square by square.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain

import numpy as np
import pytest

from ingenious_env import GameBatch, View
from ingenious_env.compiled.actions import ActionSpace
from ingenious_env.games.loopit import LOOPIT, Game, Lay, Material, Rules

STEPS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
FACING = {"N": "S", "E": "W", "S": "N", "W": "E"}
PAIRS = ("NE", "NS", "NW", "ES", "EW", "SW")
TRIPLES = ("NES", "NEW", "NSW", "ESW")
CHOICES = ("stop", "throw back", "keep")


def material(tiles: str, factors: str, start: tuple[int, int]) -> Material:
    """Material from tiles such as "NS3 NS3 EW1" and rows of factors such as "131 111"."""
    return Material(
        tuple(map(tile, tiles.split())), tuple(tuple(map(int, row)) for row in factors.split()), start
    )


def tile(text: str) -> tuple[str, int]:
    """A tile from a text such as "NS3"."""
    ends = text.rstrip("0123456789")
    return ends, int(text[len(ends) :])


def each(patterns: tuple[str, ...], *values: int) -> str:
    return " ".join(f"{ends}{value}" for ends in patterns for value in values)


FIVE = material(f"{each(PAIRS, 1, 2)} {each(TRIPLES, 3)} NESW5", "31113 12121 11111 12121 31113", (2, 2))
REPEATS = material(
    f"{each(PAIRS, 1, 1, 2)} {each(TRIPLES, 4)} N9 N9 E7 S99 W1", "9111112 1121111 1111211 3111119", (1, 4)
)
FEW = material("NS1 NS1 NS2 NS3 EW1 EW1 EW2 EW3 NESW4 NESW4", "11311 12111 11111", (1, 2))
GRID = material("NS1 NS1 NS2 EW1 EW1 EW2 " * 3 + "NESW4 NESW4 NESW4", "1111121 " * 7, (3, 3))
CORNER = material("NE1 NE1 NE2 SW1 SW1 SW2 NESW1 NESW2", "121 212 123", (0, 0))
LINES = material(each(("E", "W", "EW"), 1, 2, 3), "1112111 3111113 1111111 5111115", (2, 3))
LONG = material(
    f"{each(PAIRS, 1, 2, 3, 4)} {each(TRIPLES, 5, 6)} {each(('N', 'E', 'S', 'W'), 7)} NESW8",
    "11211111211 " * 6,
    (5, 10),
)
LARGE = material(
    f"{each((*PAIRS, *TRIPLES, 'NESW'), *range(1, 8))} " * 3, "1234567891111111111 " * 19, (9, 9)
)

STANDARD = {
    "two": Rules(2),
    "three": Rules(3),
    "four": Rules(4),
    "two, fixed": Rules(2, fixed_rounds=True),
    "three, fixed": Rules(3, fixed_rounds=True),
    "four, fixed": Rules(4, fixed_rounds=True),
}
OWN = {
    "5 x 5": Rules(2, material=FIVE, rack_size=3),
    "5 x 5, fixed": Rules(3, material=FIVE, rack_size=3, fixed_rounds=True),
    "4 x 7": Rules(3, material=REPEATS, rack_size=4, tiles_per_turn=2),
    "4 x 7, fixed": Rules(2, material=REPEATS, rack_size=6, tiles_per_turn=7, fixed_rounds=True),
    "few patterns": Rules(4, material=GRID, rack_size=2, tiles_per_turn=7),
    "few, fixed": Rules(2, material=FEW, rack_size=1, fixed_rounds=True),
    "corner": Rules(2, material=CORNER, rack_size=2, tiles_per_turn=1),
    "one line": Rules(2, material=LINES, rack_size=2),
    "long racks": Rules(2, material=LONG, rack_size=7, tiles_per_turn=7),
    "racks of one": Rules(4, material=LONG, rack_size=1, tiles_per_turn=1, fixed_rounds=True),
    "19 x 19": Rules(4, material=LARGE, rack_size=7, tiles_per_turn=5),
}
VARIANTS = STANDARD | OWN

every_variant = pytest.mark.parametrize("name", VARIANTS)


# The rules, slowly.


def beyond(square: tuple[int, int], end: str) -> tuple[int, int]:
    """The square beyond an edge, on the board or not."""
    return square[0] + STEPS[end][0], square[1] + STEPS[end][1]


def is_legal(board: dict, shape: tuple[int, int], ends: str, square: tuple[int, int]) -> bool:
    """Return whether a tile with these line ends may be laid on an empty square (LOOPIT.md 3.2)."""
    continues = False
    for end in "NESW":
        row, column = neighbour = beyond(square, end)
        if not (0 <= row < shape[0] and 0 <= column < shape[1]):
            if end in ends:
                return False
        elif neighbour in board:
            its_ends, _ = board[neighbour]
            if (end in ends) != (FACING[end] in its_ends):
                return False
            continues |= end in ends
    return continues


def squares_for(game: Game, patterns: set[str]) -> dict[str, set[tuple[int, int]]]:
    """The squares on which tiles with these line ends may be laid."""
    board, (rows, columns) = game.board, game.rules.material.shape
    empty = {(row, column) for row in range(rows) for column in range(columns)} - set(board)
    beside = {square for square in empty if any(beyond(square, end) in board for end in "NESW")}
    return {
        ends: {square for square in beside if is_legal(board, (rows, columns), ends, square)}
        for ends in patterns
    }


def legal_lays(game: Game, seat: int) -> set[Lay]:
    """The placements of a seat if it were its turn."""
    rack = set(game.racks[seat])
    allowed = squares_for(game, {ends for ends, _ in rack})
    return {Lay(each, square) for each in rack for square in allowed[each[0]]}


def fitting(game: Game) -> set[str]:
    """The sets of line ends, of the tiles of the game, that may be laid somewhere."""
    allowed = squares_for(game, {ends for ends, _ in game.rules.tiles})
    return {ends for ends, places in allowed.items() if places}


def points(game: Game, move: Lay) -> int:
    """The points for laying a tile (LOOPIT.md 4.1)."""
    (ends, value), (row, column) = move
    joined = [game.board[there][1] for end in ends if (there := beyond(move.square, end)) in game.board]
    return value * game.rules.material.factors[row][column] + sum(joined)


def legal_moves(game: Game) -> set:
    """All moves that the seat to move has (LOOPIT.md 3.1, 3.3)."""
    if game.phase == "over":
        return set()
    if game.phase == "throw":
        return {"throw back", "keep"}
    return legal_lays(game, game.to_play) | ({"stop"} if game.laid else set())


# Positions.


def tile_order(each: tuple[str, int]) -> tuple[int, int]:
    return each[1], sum(1 << "NESW".index(end) for end in each[0])


def write_tiles(tiles: list[tuple[str, int]]) -> str:
    return ",".join(f"{ends}{value}" for ends, value in tiles) or "-"


def position(
    board: dict[tuple[int, int], str],
    racks: list[str],
    bag: str = "",
    *,
    factors: str = "11111 " * 5,
    start: tuple[int, int] = (2, 2),
    rack: int = 5,
    turn: int | None = None,
    laid: int = 0,
    phase: str = "lay",
    rounds: str = "free",
    out: str = "",
    scores: tuple[int, ...] = (),
    a_turn: int = 3,
) -> Game:
    """A game with exactly the tiles that are given, by way of its text.

    Seat 0 is to move, in the first round in which so many tiles can be on the board, unless a turn is given.
    """
    rows, players = factors.split(), len(racks)
    if turn is None:
        turn = -(-(len(board) - 1 - laid) // (a_turn * players)) * players
    hands = [sorted(map(tile, hand.split()), key=tile_order) for hand in racks]
    aside = sorted(map(tile, out.split()), key=tile_order)
    in_bag, laid_out = list(map(tile, bag.split())), {square: tile(text) for square, text in board.items()}
    everything = sorted([*chain(*hands), *aside, *in_bag, *laid_out.values()], key=tile_order)
    lines = []
    for row in range(len(rows)):
        parts = [laid_out.get((row, column)) for column in range(len(rows[0]))]
        lines.append(",".join("1" if part is None else write_tiles([part]) for part in parts))
    own = f"{write_tiles(everything)};{'/'.join(rows)};{start[0]},{start[1]}"
    text = f"""loopit 1
rules players={players} rounds={rounds} rack={rack} turn={a_turn} material={own}
board {"/".join(lines)}
turn {turn} to_play={turn % players} phase={phase} laid={laid} held=0
scores {",".join(map(str, scores or [0] * players))}
racks {" ".join(map(write_tiles, hands))}
out {write_tiles(aside)}
bag {write_tiles(in_bag)}
stream 0123456789abcdef
policy_key fedcba9876543210
"""
    return Game.from_text(text)


def make(game: Game, *moves) -> None:
    """Play moves, each as one action, or staged as two."""
    for move in moves:
        game.play(game.action(move))
        if game.state.held[0]:
            game.play(game.action(move))


def mixed_actions(batch: GameBatch, rng: np.random.Generator, greed: float = 0.5) -> np.ndarray:
    """For each game a greedy action with this chance, else a random one, so that boards fill in many ways."""
    greedy = LOOPIT.policy("greedy").act(View(batch))
    return np.where(rng.random(len(batch)) < greed, greedy, batch.random_actions())


def batch_at(rules: Rules, num_games: int, moves: int, *, seed: int = 0, staged: bool = False) -> GameBatch:
    """Games after a number of actions; those that end earlier stay over."""
    batch = GameBatch(rules, num_games, seed, staged=staged)
    rng = np.random.default_rng(seed)
    for _ in range(moves):
        batch.play(mixed_actions(batch, rng))
    return batch


def played(rules: Rules, seed: int, *, greed: float = 0.5) -> Iterator[tuple[Game, Lay | str | None]]:
    """One game: each position with the move that is played there; at the end, the last one and None."""
    batch, rng = GameBatch(rules, 1, seed), np.random.default_rng(seed)
    while not batch.is_over[0]:
        actions = mixed_actions(batch, rng, greed)
        game = batch[0]
        yield game, game.move(int(actions[0]))
        batch.play(actions)
    yield batch[0], None


def as_staged(space: ActionSpace, action: int) -> list[int]:
    """The staged actions that make a flat one."""
    staged = ActionSpace(space.num_slots, space.num_placements, space.choices, staged=True)
    if action >= space.first_choice:
        return [staged.first_choice + action - space.first_choice]
    slot, placement = divmod(action, space.num_placements)
    return [slot, space.num_slots + placement]


def chi_square(found: Counter, expected: Counter) -> float:
    """The deviation of frequencies from expected ones, in standard deviations above the mean."""
    assert set(found) <= set(expected)
    scale = found.total() / expected.total()
    total = sum((found[each] - scale * count) ** 2 / (scale * count) for each, count in expected.items())
    freedom = len(expected) - 1
    return (total - freedom) / np.sqrt(2 * freedom) if freedom else 0.0
