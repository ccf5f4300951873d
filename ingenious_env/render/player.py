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
_FOR_PLAYING = {
    "points",
    "room",
    "open",
    "legal",
    "choices",
    "left",
}  # parts of a scene that are not drawn here
_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"

STYLES = ("drawing.css", "player.css")


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
    replay = {"look": pages.look(record.rules), "states": _states(record, names)}
    packed = gzip.compress(json.dumps(replay, separators=(",", ":")).encode(), mtime=0)
    styles = "".join([theme_css(), *(read(f"{SHARED}/{name}") for name in STYLES)])
    return f"""<!doctype html>
<html lang="{language()}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<title>{escape(word(definition.title))}</title>
<style>
{styles}</style>
</head>
<body class="player">
<svg class="defs" aria-hidden="true"><defs id="defs"></defs></svg>
<div id="others"></div>
<main><div id="board"></div><aside id="sheets"></aside></main>
<p id="say"></p>
<div id="replay"></div>
<script type="text/plain" id="record">{base64.b64encode(packed).decode()}</script>
<script type="module">
{_joined(f"{page_folder(definition.name)}/game.js", f"{SHARED}/player.js")}begin(Game);
</script>
</body>
</html>
"""


def _states(record: Record, names: Sequence[str] | None) -> list[dict[str, Any]]:
    """The positions from the deal on, as the modules of the browser game expect them."""
    session = Session.from_record(record)
    players = names_of(record.rules.num_players, names)
    return [_state(session, number, players) for number in range(len(session.turns) + 1)]


def _state(session: Session, number: int, names: list[str]) -> dict[str, Any]:
    """The position after a number of moves, with all racks open."""
    game, definition = session.at(number), definition_of(session.rules)
    pages = definition.pages
    assert pages is not None  # noqa: S101 - it makes this page
    scene = pages.scene(game, game.to_play)
    kept = {name: value for name, value in scene.items() if name not in _FOR_PLAYING}
    last: dict[str, Any] | None = None
    if number:
        turn = session.turns[number - 1]
        last = {"seat": turn.seat, "move": definition.move_to_text(turn.move)}
        if not is_choice(definition.choices, turn.move):
            last["gains"] = game.trail.last.gains.tolist()
    return {
        "names": names,
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
