"""The state of a table as JSON, for pages: all that the seats of a page may know, and nothing else."""

from __future__ import annotations

from typing import Any

from ingenious_env.engine.choices import is_choice
from ingenious_env.engine.definition import AnyDefinition, PageModel
from ingenious_env.web.real import entry_state, real_scene
from ingenious_env.web.tables import HUMAN, Table


def pages_of(definition: AnyDefinition) -> PageModel[Any, Any]:
    """The `PageModel` of a game; ValueError if it has none."""
    if definition.pages is None:
        msg = f"{definition.name} cannot be played in a browser"
        raise ValueError(msg)
    return definition.pages


def visible(table: Table, seat: int | None, at: int | None = None) -> dict[str, Any]:
    """A table as a seat may see it after some of its moves, by default all.

    `at`, `to_play`, `terminal`, `ranks`, `headline`, `last`, `scene` and `revealed` describe the position
    that is shown; all else, such as `over`, describes the latest one.

    Args:
        table: the table.
        seat: of the page; None for spectators of agents, who see all racks.
        at: a number of moves.

    Raises:
        ValueError: there are fewer moves, or people play and no seat is given.
    """
    if seat is None and HUMAN in table.seats:
        msg = "only its players may see this game before its end"
        raise ValueError(msg)
    pages = pages_of(table.definition)
    turns = table.turns_at(seat, at)
    game = table.session.at(turns)
    viewer = int(game.to_play) if seat is None else seat
    found = {
        "id": table.id,
        "game": table.definition.name,
        "rules": table.definition.rules_to_text(table.rules),
        "version": table.version_for(seat),
        "at": table.total(seat) if at is None else at,
        "total": table.total(seat),
        "seat": seat,
        "seats": table.seats,
        "names": table.names(),
        "to_play": int(game.to_play),
        "over": table.session.is_over,
        "terminal": bool(game.is_over),
        "ranks": None if game.ranks is None else game.ranks.tolist(),
        "headline": pages.headline(game, seat, table.names()),
        "last": _last(table, turns, game),
        "scene": pages.scene(game, viewer),
        "take_backs": table.has_take_backs(seat),
        "hints": table.hints,
    }
    if table.asking is not None:
        found["asking"] = table.asking
    if table.real is not None:
        latest = {"scene": real_scene(table.real, pages)} if at is None else {}
        return found | latest | {"real": entry_state(table.real)}
    if seat is None or table.session.is_over:
        found["revealed"] = pages.revealed(game)
    if table.session.is_over:
        found["deal"] = table.beginning()
    return found


def _last(table: Table, turns: int, game: Any) -> dict[str, Any] | None:
    """The last public move, its seat and its score; `game` is the position after the turns."""
    numbers = [number for number in table.public[1:] if number <= turns]
    if not numbers:
        return None
    turn = table.session.turns[numbers[-1] - 1]
    found: dict[str, Any] = {"seat": turn.seat, "move": table.definition.move_to_text(turn.move)}
    last = game.trail.last  # moves that others do not notice lay no tile
    if not is_choice(table.definition.choices, turn.move) and last is not None:
        found["gains"] = last.gains.tolist()
    return found
