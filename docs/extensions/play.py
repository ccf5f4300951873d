"""The game in a page, `ingenious page`, as a part of the site; left out without the extra `page`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pictures import board
from sphinx.util import logging

from ingenious_env.games import definitions
from ingenious_env.web.site import write_page

FOLDER = "play"
TITLE = "Ingenious and Loopit, to play"
LOG = logging.getLogger(__name__)


def has_linker() -> bool:
    """Return whether the extra `page` is installed."""
    try:
        from ingenious_env.compiled.targets.wasm import linker  # noqa: PLC0415 - may be missing

        linker()
    except (ImportError, RuntimeError):
        return False
    return True


def frame(env: Any, _: str) -> str:
    """The game in a frame, or how to get it."""
    if not has_linker():
        return "This copy of the site was built without the game: `ingenious play` opens it on your machine."
    source = _up(env) + f"{FOLDER}/index.html"
    alone = f'<p><a href="{source}">The game on a page of its own</a></p>'
    return f'<iframe class="game" src="{source}" title="{TITLE}"></iframe>\n{alone}'


def here(env: Any, argument: str) -> str:
    """A board as of `board`, which is replaced by the game when it is pressed; a link without JavaScript."""
    label, up = '<span class="play-here-label">Play here</span>', _up(env)
    link = f'<a href="{up}play.html">\n{board(env, argument)}\n{label}\n</a>'
    script = f'<script src="{up}_static/play_here.js" defer></script>' if has_linker() else ""
    place = f'<div class="play-here" data-game="{up}{FOLDER}/index.html" data-title="{TITLE}">'
    return f"{place}\n{link}\n</div>\n{script}"


def _up(env: Any) -> str:
    """The way from a page to the root of the site."""
    return "../" * int(env.docname.count("/"))


def write(app: Any, error: Exception | None) -> None:
    """Write the game beside the pages."""
    if error is None and app.builder.format == "html" and has_linker():
        from ingenious_agents.commands.page import searches  # noqa: PLC0415 - needs the linker

        games = [game for game in definitions().values() if game.pages and game.pages.local]
        size = write_page(Path(app.outdir) / FOLDER, games, searches=searches())
        LOG.info("the game: %.0f kB", size / 1000)
