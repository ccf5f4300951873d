"""Games at a real table on pages: one person enters what a seat sees there, and sees what it knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Self

from ingenious_env.compiled.bag import NO_TILE
from ingenious_env.engine.definition import AnyRules, PageModel, variant_of
from ingenious_env.engine.facts import START
from ingenious_env.languages import Texts
from ingenious_env.policies.real_table import RealTable
from ingenious_env.policies.session import Session, Turn

UNKNOWN = -1
"""The action of a turn at a real table: slots of other seats are not known."""
TEXTS = Texts(
    {
        "no table": "a real table has a seat, a number; a rack, a list of tiles; and a start, a tile or null",
        "not begun": "a game that has begun has placed, a list of moves, and to_play, a seat",
    }
)
"""Why a request begins no real table; pages without a server answer with these, too."""


class RealSession(Session):
    """A session whose moves are those at a real table.

    Attributes:
        real: the table.
    """

    real: RealTable

    @classmethod
    def of(cls, real: RealTable) -> RealSession:
        """The session of a table without entries, which it changes."""
        session = cls.__new__(cls)
        session._set_up(real.game, None, None)
        session.real = real
        return session

    def copy(self) -> Self:
        """A session with the same history; moves in one do not affect the other."""
        made = super().copy()
        made.real = self.real.copy()
        return made

    def enter(self, move: str, tiles: Sequence[str]) -> None:
        """Enter a move, and the tiles that the own seat drew or another one showed.

        Raises:
            ValueError, TypeError: as `RealTable.play`; nothing has changed.
        """
        is_other = self.real.to_play != self.real.seat or self.real.num_shown(move) > 0
        self.real.play(move, drawn=() if is_other else tiles, shown=tiles if is_other else ())
        entry = self.real.entries[-1]
        self._positions.append(self._game)
        self._turns.append(Turn(entry.seat, UNKNOWN, entry.move))
        self._game = self.real.game

    def take_back(self, number: int = 1) -> None:
        """Take back the last entries; ValueError if there are fewer, and nothing has changed."""
        self.real.take_back(number)
        super().take_back(number)

    def has_private_choice(self, number: int) -> bool:
        """False: nothing is hidden from the person who enters it."""
        del number
        return False

    def tiles(self) -> list[str]:
        """By entry, the tiles drawn or shown, as one text."""
        text = self.real.definition.tile_to_text
        return [",".join(map(text, entry.drawn + entry.shown)) for entry in self.real.entries]


def real_table(rules: AnyRules, wanted: Mapping[str, Any]) -> RealTable:
    """The table that a page begins.

    Args:
        rules: the variant.
        wanted: `seat`, `rack` and `start`, the deal; or for a game that has begun `seat`, `rack`, `placed`,
            `scores` and `to_play`, as of `RealTable.from_position`.

    Raises:
        ValueError: it is not a table of a real game.
    """
    seat, rack, start = (wanted.get(name) for name in ("seat", "rack", "start"))
    if type(seat) is not int or not _are_texts(rack) or not isinstance(start, (str, type(None))):
        raise ValueError(TEXTS["no table"])
    if "placed" not in wanted:
        return RealTable(rules, seat, wanted["rack"], start)
    placed, to_play = wanted["placed"], wanted.get("to_play")
    if not _are_texts(placed) or type(to_play) is not int:
        raise ValueError(TEXTS["not begun"])
    return RealTable.from_position(rules, seat, wanted["rack"], placed, wanted.get("scores"), to_play=to_play)


def _are_texts(found: Any) -> bool:
    return isinstance(found, list) and all(isinstance(each, str) for each in found)


def palette_of(rules: AnyRules, counts: Mapping[Any, int]) -> list[list[Any]]:
    """The text, the tile as JSON and the number of each type of which there are tiles, in their order."""
    variant = variant_of(rules)
    return [
        [variant.definition.tile_to_text(tile), list(tile) if isinstance(tile, tuple) else tile, counts[tile]]
        for tile in variant.tiles
        if counts[tile]
    ]


def deal_of(rules: AnyRules) -> dict[str, Any]:
    """The deal of a variant: `tiles`, the palette of all, and `has_start`, whether one begins the board."""
    variant = variant_of(rules)
    return {"tiles": palette_of(rules, variant.tiles), "has_start": START in variant.definition.deal(rules)}


def draws_of(real: RealTable, move: str) -> dict[str, Any]:
    """The `number` of tiles that the own seat draws after a move, and the palette `tiles` of these.

    Raises:
        ValueError: as `RealTable.num_drawn`.
    """
    number = real.num_drawn(move) if real.to_play == real.seat else 0
    choice = real.definition.choices.get(move)
    counts = real.unseen + Counter(real.rack if choice and choice.returns_rack else [])
    return {"number": number, "tiles": palette_of(real.rules, counts)}


def real_scene(real: RealTable, pages: PageModel[Any, Any]) -> dict[str, Any]:
    """The latest position as the own seat knows it.

    While another seat is to move, the rack has a tile of each type that it may hold.
    """
    game = real.game
    scene = pages.scene(game, real.seat)
    if real.is_over or real.to_play == real.seat:
        return scene
    types = [number for number, tile in enumerate(variant_of(real.rules).tiles) if real.unseen[tile]]
    slots = game.state.racks.shape[2]
    rack: list[Any] = []
    legal: list[list[int]] = []
    shown: dict[str, Any] = {}
    for part in (types[first : first + slots] for first in range(0, len(types), slots)):
        game.state.racks[0, real.to_play] = [*part, *[NO_TILE] * (slots - len(part))]
        shown = pages.scene(game, real.to_play)
        legal += [[len(rack) + slot, *rest] for slot, *rest in shown.get("legal", [])]
        rack += shown["rack"]
    found = {**shown, **scene, "rack": rack, "choices": real.choices}
    return found | ({"legal": legal} if "legal" in shown else {})


def entry_state(real: RealTable) -> dict[str, Any]:
    """The state from which a page enters the next move.

    Returns:
        By name: `seat`, the own one; `unseen`, the palette of the tiles that it does not see; `shows`, the
        choice, the seat and the number of tiles that the seat of the last entry may still show, or null.
    """
    last = real.entries[-1].seat if real.entries else None
    shows = [[name, last, number] for name in real.definition.choices if (number := real.num_shown(name))]
    return {
        "seat": real.seat,
        "unseen": palette_of(real.rules, real.unseen),
        "shows": shows[0] if shows else None,
    }
