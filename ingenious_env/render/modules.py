"""The JavaScript and style sheets of pages, each by its path in the package, which is its URL, too."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable

SHARED = "render/static"
"""The folder of what drawings of any game share."""


def page_folder(game: str) -> str:
    """The folder of the JavaScript that draws and plays a game; its `game.js` exports the class `Game`."""
    return f"games/{game}/page"


def names_in(folder: str) -> set[str]:
    """The names of the files in a folder."""
    return {each.name for each in _in_package(folder).iterdir() if each.is_file()}


def read(path: str) -> str:
    """The text of a file."""
    return _in_package(path).read_text(encoding="utf-8")


def _in_package(path: str) -> Traversable:
    return files("ingenious_env").joinpath(*path.split("/"))
