"""Records as pages with playback, for notebooks and as files: one document, without a server.

A page draws with the modules of the game and the shared ones (see `modules.py`), joined to one script.
The positions are packed JSON, which the page unpacks.
"""

from __future__ import annotations

import base64
import gzip
import json
import posixpath
import re
from collections.abc import Sequence
from html import escape
from typing import Any

from ingenious_env.engine.choices import is_choice
from ingenious_env.engine.definition import definition_of
from ingenious_env.engine.records import Record
from ingenious_env.languages import language, word
from ingenious_env.policies.session import Session
from ingenious_env.render.modules import SHARED, page_folder, read
from ingenious_env.render.styles import theme_css
from ingenious_env.render.words import names_of

_IMPORT = re.compile(r'^import \{[^}]*\} from "(\.[^"]+)";\n', re.MULTILINE)
_PART = re.compile(r"\{\{(\w+)\}\}")
"""A part of `replay.html`, which the browser game fills in the same way (`web/static/saved_page.js`)."""
STYLES = ("drawing.css", "player.css")
FOR_PLAYING = ("points", "room", "open", "legal", "choices", "left")
"""The parts of a scene that are not drawn here."""


def replay_page(record: Record, names: Sequence[str] | None = None) -> str:
    """An HTML document that plays a record back, with all racks open.

    Args:
        record: the game.
        names: of the players by seat; "Player 0" and on by default.

    Raises:
        IllegalActionError: a move of the record is illegal.
        ValueError: there are not as many names as players.
    """
    definition = definition_of(record.rules)
    pages = definition.pages
    assert pages is not None  # noqa: S101 - it makes this page
    session = Session.from_record(record)
    players = names_of(record.rules.num_players, names)
    replay = {"look": pages.look(record.rules), "states": replay_states(session, players)}
    packed = gzip.compress(json.dumps(replay, separators=(",", ":")).encode(), mtime=0)
    parts = {
        "language": language(),
        "title": escape(word(definition.title)),
        "styles": "".join([theme_css(), *(read(f"{SHARED}/{name}") for name in STYLES)]),
        "record": base64.b64encode(packed).decode(),
        "script": _joined(f"{page_folder(definition.name)}/game.js", f"{SHARED}/player.js"),
    }
    return _PART.sub(lambda found: parts[found[1]], read(f"{SHARED}/replay.html"))


def replay_states(session: Session, names: Sequence[str]) -> list[dict[str, Any]]:
    """The positions of a game as the modules of the browser game draw them, with all racks open.

    Args:
        session: the game; its first position is first.
        names: of the players by seat.
    """
    return [_state(session, number, names) for number in range(len(session.turns) + 1)]


def _state(session: Session, number: int, names: Sequence[str]) -> dict[str, Any]:
    """The position after a number of moves, with all racks open."""
    game, definition = session.at(number), definition_of(session.rules)
    pages = definition.pages
    assert pages is not None  # noqa: S101 - it makes this page
    scene = pages.scene(game, game.to_play)
    kept = {name: value for name, value in scene.items() if name not in FOR_PLAYING}
    last: dict[str, Any] | None = None
    if number:
        turn = session.turns[number - 1]
        last = {"seat": turn.seat, "move": definition.move_to_text(turn.move)}
        if not is_choice(definition.choices, turn.move):
            last["gains"] = game.trail.last.gains.tolist()
    return {
        "names": list(names),
        "seat": None,
        "yours": [],
        "to_play": game.to_play,
        "terminal": game.is_over,
        "ranks": None if game.ranks is None else game.ranks.tolist(),
        "headline": pages.headline(game, None, names),
        "last": last,
        "scene": kept,
        "revealed": pages.revealed(game),
    }


def _joined(*paths: str) -> str:
    """Modules and their imports as one module, each once and after its dependencies."""
    found: dict[str, str] = {}

    def add(path: str) -> None:
        if path in found:
            return
        text = read(path)
        for needed in _IMPORT.findall(text):
            add(posixpath.normpath(posixpath.join(posixpath.dirname(path), needed)))
        found[path] = re.sub(r"^export ", "", _IMPORT.sub("", text), flags=re.MULTILINE)

    for path in paths:
        add(path)
    return "".join(found.values())
