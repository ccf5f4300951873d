"""Game records: a variant, a seed and the moves, as text that round-trips and replays exactly.

    ingenious-record 1
    rules players=2 teams=no side=6 colours=6 rack=6 top=18 sheet=single racks=hidden
    seed 7 0
    r0,-4 b1,-4
    swap
    …

The seed is the pair (seed, index) of `Game`. The rules line and the moves are those of `notation.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ingenious_env.errors import IllegalActionError
from ingenious_env.game import Game
from ingenious_env.moves import Move
from ingenious_env.notation import move_to_text, rules_to_text, text_to_move, text_to_rules
from ingenious_env.rules import Rules
from ingenious_env.seeding import Seed, split_seed

VERSION = "ingenious-record 1"


@dataclass(frozen=True)
class Record:
    """A game from its deal on: all that is needed to play it again.

    Attributes:
        rules: the variant.
        seed: the game's seed and index.
        moves: the moves from the start, of all seats in order.
    """

    rules: Rules
    seed: Seed
    moves: tuple[Move, ...]

    def replay(self, stop: int | None = None) -> Game:
        """The game after the first `stop` moves, all by default.

        Raises:
            IllegalActionError: a move is illegal; the message has its number, counted from 1.
        """
        game = Game(self.rules, self.seed)
        for number, move in enumerate(self.moves[:stop], start=1):
            try:
                game.play(game.action(move))
            except IllegalActionError as error:
                msg = f"move {number} of the record, {move_to_text(move)!r}: {error}"
                raise IllegalActionError(msg) from None
        return game

    def to_text(self) -> str:
        """The record as text."""
        seed, index = split_seed(self.seed)
        lines = [VERSION, f"rules {rules_to_text(self.rules)}", f"seed {seed} {index}"]
        return "\n".join([*lines, *map(move_to_text, self.moves)]) + "\n"

    @classmethod
    def from_text(cls, text: str) -> Record:
        """The record that `to_text` wrote; ValueError says what is wrong with the text."""
        if not isinstance(text, str):
            msg = f"a record is a str, not {type(text).__name__}"
            raise TypeError(msg)
        lines = text.rstrip("\n").split("\n")
        if lines[0] != VERSION:
            msg = f"a record begins with the line {VERSION!r}, not {lines[0][:40]!r}"
            raise ValueError(msg)
        if len(lines) < 3 or not lines[1].startswith("rules "):
            msg = "a record goes on with a rules line and a seed line"
            raise ValueError(msg)
        seed = re.fullmatch(r"seed (\d{1,20}) (\d{1,20})", lines[2], re.ASCII)
        if seed is None:
            msg = f"the seed line is 'seed' and two numbers, not {lines[2][:60]!r}"
            raise ValueError(msg)
        pair = split_seed((int(seed[1]), int(seed[2])))
        moves = tuple(text_to_move(line) for line in lines[3:])
        return cls(text_to_rules(lines[1].removeprefix("rules ")), pair, moves)
