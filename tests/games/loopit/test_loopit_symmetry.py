"""The standard board looks the same from all sides: 4 rotations × 2 reflections, tiles turned alike."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from loopit_helpers import FIVE, legal_moves, make, mixed_actions, tile_order, write_tiles

from ingenious_env import GameBatch
from ingenious_env.games.loopit import Game, Lay, Rules

Square = tuple[int, int]
ENDS = "NESW"


class Turn:
    """A number of quarter turns to the right, after a reflection that exchanges left and right, or none."""

    def __init__(self, quarters: int, reflected: bool) -> None:
        self.quarters, self.reflected = quarters, reflected

    def square(self, square: Square, side: int) -> Square:
        row, column = square
        if self.reflected:
            column = side - 1 - column
        for _ in range(self.quarters):
            row, column = column, side - 1 - row
        return row, column

    def tile(self, tile: tuple[str, int]) -> tuple[str, int]:
        ends, value = tile
        if self.reflected:
            ends = ends.translate(str.maketrans("EW", "WE"))
        turned = {ENDS[(ENDS.index(end) + self.quarters) % 4] for end in ends}
        return "".join(end for end in ENDS if end in turned), value

    def move(self, move: Lay | str, side: int) -> Lay | str:
        return move if isinstance(move, str) else Lay(self.tile(move.tile), self.square(move.square, side))

    def game(self, game: Game) -> Game:
        """The same game seen from another side, made by way of its text."""
        side = game.rules.material.shape[0]
        board = {self.square(square, side): self.tile(tile) for square, tile in game.board.items()}
        lines = dict(line.split(" ", 1) for line in game.to_text().splitlines())
        lines["board"] = "/".join(
            ",".join(
                write_tiles([board[row, column]]) if (row, column) in board else "1" for column in range(side)
            )
            for row in range(side)
        )
        lines["racks"] = " ".join(self._sorted(rack) for rack in game.racks)
        lines["out"] = self._sorted(game.put_out)
        lines["bag"] = write_tiles([self.tile(each) for each in game.bag_order])
        return Game.from_text("\n".join(f"{name} {values}" for name, values in lines.items()))

    def _sorted(self, tiles: list[tuple[str, int]]) -> str:
        return write_tiles(sorted(map(self.tile, tiles), key=tile_order))


TURNS = {
    f"{quarters} quarters{', reflected' * reflected}": Turn(quarters, reflected)
    for quarters in range(4)
    for reflected in (False, True)
}


def test_a_quarter_turn_by_hand():
    turn, reflection = Turn(1, reflected=False), Turn(0, reflected=True)
    assert turn.tile(("NE", 3)) == ("ES", 3)
    assert turn.square((0, 1), 13) == (1, 12)
    assert reflection.tile(("NE", 3)) == ("NW", 3)
    assert reflection.square((0, 1), 13) == (0, 11)


def gains(game: Game, map_move: Callable = lambda move: move) -> dict:
    """The score of each legal move, by playing it."""
    found = {}
    for action in game.legal_actions().tolist():
        twin, move = game.clone(), game.move(action)
        twin.play(action)
        found[map_move(move)] = twin.scores[game.to_play] - game.scores[game.to_play]
    return found


@pytest.mark.parametrize("name", TURNS)
@pytest.mark.parametrize(
    "rules",
    [Rules(2), Rules(3, fixed_rounds=True), Rules(2, material=FIVE, rack_size=3)],
    ids=["two", "three, fixed", "5 x 5"],
)
def test_all_sides_have_the_same_moves_points_and_futures(rules, name):
    turn, side = TURNS[name], rules.material.shape[0]
    batch, rng = GameBatch(rules, 1, 3), np.random.default_rng(3)
    image, step = turn.game(batch[0]), 0
    while not batch.is_over[0]:
        game = batch[0]
        assert {turn.move(move, side) for move in legal_moves(game)} == {
            image.move(action) for action in image.legal_actions().tolist()
        }
        if step % 12 == 0:
            assert gains(game, lambda move: turn.move(move, side)) == gains(image)
        actions = mixed_actions(batch, rng)
        move = game.move(int(actions[0]))
        batch.play(actions)
        if move == "throw back":  # which shakes the tiles, in the order of their types
            image = turn.game(batch[0])
        else:
            make(image, turn.move(move, side))
        assert turn.game(batch[0]) == image
        step += 1
    assert image.is_over
    assert image.scores == batch[0].scores
    assert step > 3
