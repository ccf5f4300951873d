"""Game records: a variant, a seed and the moves, as text that round-trips and replays exactly.

    ingenious-record 1
    rules players=2 teams=no side=6 colours=6 rack=6 top=18 sheet=single racks=hidden
    seed 7 0
    r0,-4 b1,-4
    swap
    …

The first line begins with the name of the game. The seed is the pair (seed, index) of `Game`. The rules line
and the moves are in the game's notation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from ingenious_env.engine.definition import AnyRules, Move, definition_of, definitions
from ingenious_env.engine.files import read_text, write_text
from ingenious_env.engine.seeding import Seed, split_seed
from ingenious_env.engine.text import typed_lines
from ingenious_env.errors import IllegalActionError
from ingenious_env.languages import Texts

VERSION = "record 1"
FRAME_HEIGHT = 640  # of a page in a notebook, in pixels
TEXTS = Texts(
    {
        "no game": "a record begins with the line {records}, and a position with {positions}, not {text}",
        "or": " or ",
    }
)
"""Why a text is not a game."""


@dataclass(frozen=True)
class Record:
    """A game from its deal on, with all that is needed to replay it.

    Attributes:
        rules: the variant.
        seed: the game's seed and index; a seed alone has index 0.
        moves: the moves from the start, of all seats in order.
    """

    rules: AnyRules
    seed: Seed
    moves: tuple[Move, ...]

    def __post_init__(self) -> None:
        """Make equal records of equal games; TypeError, ValueError if the seed is none."""
        object.__setattr__(self, "seed", split_seed(self.seed))
        object.__setattr__(self, "moves", tuple(self.moves))

    @classmethod
    def of_actions(
        cls, rules: AnyRules, seed: Seed, actions: Iterable[int], *, staged: bool = False
    ) -> Record:
        """The record of a game by its actions from the deal on; IllegalActionError if one is illegal.

        Of staged actions, a slot that was picked last and not yet placed is left out.
        """
        game = definition_of(rules).game(rules, seed)
        moves = []
        for action in _flat(rules, actions) if staged else actions:
            move = game.move(action)
            game.play(action)
            moves.append(move)
        return cls(rules, seed, tuple(moves))

    @classmethod
    def load(cls, path: str | Path) -> Record:
        """The record in a file; ValueError if it is malformed."""
        return cls.from_text(read_text(Path(path)))

    def save(self, path: str | Path) -> None:
        """Write the record as text, atomically."""
        write_text(Path(path), self.to_text())

    def replay(self, stop: int | None = None) -> Any:
        """The game after the first `stop` moves, all by default.

        Raises:
            IllegalActionError: a move is illegal; the message has its number, counted from 1.
        """
        definition = definition_of(self.rules)
        game = definition.game(self.rules, self.seed)
        for number, move in enumerate(self.moves[:stop], start=1):
            try:
                game.play(game.action(move))
            except IllegalActionError as error:
                msg = f"move {number} of the record, {definition.move_to_text(move)!r}: {error}"
                raise IllegalActionError(msg) from None
        return game

    def to_text(self) -> str:
        """The record as text."""
        definition = definition_of(self.rules)
        seed, index = split_seed(self.seed)
        lines = [
            f"{definition.name}-{VERSION}",
            f"rules {definition.rules_to_text(self.rules)}",
            f"seed {seed} {index}",
        ]
        return "\n".join([*lines, *map(definition.move_to_text, self.moves)]) + "\n"

    def to_html(self, names: Sequence[str] | None = None) -> str:
        """A page that plays the record back in a browser, without a server; all racks are open.

        Args:
            names: of the players by seat; "Player 0" and on by default.

        Raises:
            IllegalActionError: a move is illegal.
            ValueError: there are not as many names as players, or the game has no such pages.
        """
        definition = definition_of(self.rules)
        if definition.pages is None:
            msg = f"{definition.name} has no pages"
            raise ValueError(msg)
        return definition.pages.replay(self, names)

    def _repr_html_(self) -> str | None:
        """The page in a frame, for notebooks; None if the game has none."""
        return None if definition_of(self.rules).pages is None else _framed(self.to_html())

    @classmethod
    def from_text(cls, text: str) -> Record:
        """The record that `to_text` wrote; ValueError if the text is malformed."""
        if not isinstance(text, str):
            msg = f"a record is a str, not {type(text).__name__}"
            raise TypeError(msg)
        lines = typed_lines(text) or [""]
        games = {f"{name}-{VERSION}": game for name, game in definitions().items()}
        if lines[0] not in games:
            msg = f"a record begins with the line {' or '.join(map(repr, games))}, not {lines[0][:40]!r}"
            raise ValueError(msg)
        if len(lines) < 3 or not lines[1].startswith("rules "):
            msg = "a record continues with a rules line and a seed line"
            raise ValueError(msg)
        seed = re.fullmatch(r"seed (\d{1,20}) (\d{1,20})", lines[2], re.ASCII)
        if seed is None:
            msg = f"the seed line is 'seed' and two numbers, not {lines[2][:60]!r}"
            raise ValueError(msg)
        game = games[lines[0]]
        pair = int(seed[1]), int(seed[2])
        moves = tuple(game.text_to_move(line) for line in lines[3:])
        return cls(game.text_to_rules(lines[1].removeprefix("rules ")), pair, moves)


def read_game(text: str) -> Record | Any:
    """The record, or the position (`Game.to_text`), in a text.

    Raises:
        TypeError: it is not a text.
        ValueError: it is neither, or malformed.
    """
    if not isinstance(text, str):
        msg = f"a record or a position is a str, not {type(text).__name__}"
        raise TypeError(msg)
    games = definitions()
    name, _, version = (typed_lines(text) or [""])[0].partition(" ")
    if name in games:
        return games[name].game.from_text(text)
    if f"{name} {version}" not in [f"{name}-{VERSION}" for name in games]:
        known = ", ".join(repr(f"{name}-{VERSION}") for name in games)
        wanted = {"records": known, "positions": TEXTS["or"].join(map(repr, games))}
        raise ValueError(TEXTS["no game"].format(**wanted, text=repr(text[:40])))
    return Record.from_text(text)


def _flat(rules: AnyRules, actions: Iterable[int]) -> Iterator[int]:
    """Staged actions as flat ones."""
    staged, flat = (definition_of(rules).actions(rules, staged=each) for each in (True, False))
    slot = 0
    for action in actions:
        if action >= staged.first_choice:
            yield action - staged.first_choice + flat.first_choice
        elif action >= staged.first_placement:
            yield flat.join_placement(slot, action - staged.first_placement)
        else:
            slot = action


def _framed(page: str) -> str:
    """An HTML document in a frame, which may run its script and nothing else."""
    return (
        f'<iframe srcdoc="{escape(page)}" sandbox="allow-scripts" title="A game, move by move" '
        f'style="width:100%;height:{FRAME_HEIGHT}px;border:0"></iframe>'
    )
