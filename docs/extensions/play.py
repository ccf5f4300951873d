"""The game in a page, `ingenious page`, as a part of the site; left out without the extra `page`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sphinx.util import logging

from ingenious_env.games import definitions
from ingenious_env.web.site import write_page

FOLDER = "play"
LOG = logging.getLogger(__name__)


def has_linker() -> bool:
    """Whether the extra `page` is installed."""
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
    source = "../" * env.docname.count("/") + f"{FOLDER}/index.html"
    alone = f'<p><a href="{source}">The game on a page of its own</a></p>'
    return f'<iframe class="game" src="{source}" title="Ingenious and Loopit, to play"></iframe>\n{alone}'


def write(app: Any, error: Exception | None) -> None:
    """Write the game beside the pages."""
    if error is None and app.builder.format == "html" and has_linker():
        from ingenious_agents.commands.page import searches  # noqa: PLC0415 - needs the linker

        games = [game for game in definitions().values() if game.pages and game.pages.local]
        size = write_page(Path(app.outdir) / FOLDER, games, searches=searches())
        LOG.info("the game: %.0f kB", size / 1000)
