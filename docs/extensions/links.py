"""Links of pages to files outside `docs`: to the page made from a file, or to the repository."""

from __future__ import annotations

import os.path
import re
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = {
    "ingenious_env/games/ingenious/RULES.md": "reference/rules/ingenious.md",
    "ingenious_env/games/ingenious/README.md": "reference/rules/more_players.md",
    "ingenious_env/games/loopit/LOOPIT.md": "reference/rules/loopit.md",
    "ingenious_env/games/loopit/README.md": "reference/rules/loopit_material.md",
    "CHANGELOG.md": "changes.md",
    "CONTRIBUTING.md": "reference/contributing.md",
    "SECURITY.md": "reference/security.md",
}
"""Files that are pages of the site, each by a directive `file`."""
LINK = re.compile(r"(!?)\[([^][]*)\]\((?!\w+:|#)([^()\s#]+)(#[^()\s]*)?\)")
FENCE = re.compile(r"^\s*(```|~~~)")


def address(key: str = "repository") -> str:
    """The address of the repository, or of the `site`; "" for none."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found: str = settings["tool"]["ingenious"][key]
    return found


def rewritten(text: str, path: Path, page: Path) -> str:
    """A Markdown text of a file, with links as they are on a page.

    Args:
        text: of the file.
        path: of the file, to which its links are relative.
        page: the page of the site, a path in `docs`.
    """
    repository = address()

    def linked(match: re.Match[str]) -> str:
        picture, label, target, anchor = match[1], match[2], match[3], match[4] or ""
        place = Path(os.path.normpath(path.parent / target))
        name = place.relative_to(ROOT).as_posix()
        if name in PAGES:
            place = DOCS / PAGES[name]
        elif not picture and not place.is_relative_to(DOCS):
            kind = "tree" if place.is_dir() else "blob"
            return f"[{label}]({repository}/{kind}/main/{name}{anchor})" if repository else label
        return f"{picture}[{label}]({Path(os.path.relpath(place, page.parent)).as_posix()}{anchor})"

    lines, is_code = [], False
    for line in _paragraphs(text):
        if FENCE.match(line):
            is_code = not is_code
        lines.append(line if is_code else LINK.sub(linked, line))
    return "".join(lines)


def _paragraphs(text: str) -> list[str]:
    """Lines of code one by one, and the other lines in pieces, as a link may be broken."""
    found: list[str] = []
    is_code = False
    for line in text.splitlines(keepends=True):
        fence = bool(FENCE.match(line))
        if found and not is_code and not fence and not FENCE.match(found[-1]):
            found[-1] += line
        else:
            found.append(line)
        if fence:
            is_code = not is_code
    return found


def rewrite_source(app: Any, name: str, source: list[str]) -> None:
    """Rewrite the links of a page that is read."""
    path = Path(app.env.doc2path(name))
    if path.suffix == ".md":
        source[0] = rewritten(source[0], path, path)


def file(env: Any, name: str) -> str:
    """The text of a file of the repository below its title, which stands on the page."""
    path = ROOT / name
    if PAGES.get(name) != f"{env.docname}.md":
        msg = f"{name} must be the page that docs/extensions/links.py says, {PAGES.get(name)}"
        raise ValueError(msg)
    env.note_dependency(str(path))
    text = path.read_text(encoding="utf-8")
    body = re.sub(r"\A# .*\n", "", text)
    return rewritten(body, path, Path(env.doc2path(env.docname)))
