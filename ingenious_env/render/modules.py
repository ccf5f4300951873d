"""The JavaScript and style sheets of pages, by path, which is also the URL.

Paths are those in the package; a game's files are in the folder `page` of its own package.
"""

from __future__ import annotations

import sys
from importlib.resources import files
from importlib.resources.abc import Traversable

from ingenious_env.engine.definition import definitions
from ingenious_env.languages import stand_in

SHARED = "render/static"
"""The folder of files shared by the drawings of all games."""


def page_folder(game: str) -> str:
    """The folder of the JavaScript that draws and plays a game; its `game.js` exports the class `Game`."""
    return f"games/{game}/page"


def names_in(folder: str) -> set[str]:
    """The names of the files in a folder; none if it does not exist."""
    found = _in_package(folder)
    return {each.name for each in found.iterdir() if each.is_file()} if found.is_dir() else set()


def read(path: str) -> str:
    """The text of a file, in the language of this process."""
    return (stand_in(path) or _in_package(path)).read_text(encoding="utf-8")


def _in_package(path: str) -> Traversable:
    for name, game in definitions().items():
        if f"{path}/".startswith(f"{page_folder(name)}/"):
            own = sys.modules[type(game).__module__].__package__ or ""
            return files(own).joinpath(*path.split("/")[2:])
    return files("ingenious_env").joinpath(*path.split("/"))
