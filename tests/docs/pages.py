"""The pages of the repository and their blocks, as they are written."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
FOLDERS = ("docs", "agents", "scripts", "ingenious_env")
FENCE = re.compile(r"^```([^`\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Block(NamedTuple):
    """A block of a page.

    Attributes:
        page: its path from the root of the repository.
        line: of the page on which the block's text begins.
        language: `bash`, `python` or another.
        text: as written.
    """

    page: str
    line: int
    language: str
    text: str

    @property
    def place(self) -> str:
        """Page and line, as tools name them."""
        return f"{self.page}:{self.line}"

    @property
    def file(self) -> str:
        """The file in which the page has a block of Python saved, named by a comment on top; "" if none."""
        named = re.match(r"# (\w+\.py)\n", self.text) if self.language == "python" else None
        return named[1] if named else ""


def pages() -> list[str]:
    """All Markdown files, the README first."""
    found = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.md"))
    top = [ROOT / "README.md", *sorted(ROOT.glob("[!R]*.md"))]
    return [path.relative_to(ROOT).as_posix() for path in (*top, *sorted(found))]


def text_of(page: str) -> str:
    """The text of a page."""
    return (ROOT / page).read_text(encoding="utf-8")


def blocks_of(page: str, *languages: str) -> list[Block]:
    """The blocks of a page, all or those in some languages, in order."""
    text = text_of(page)
    found = [
        Block(page, text.count("\n", 0, match.start(2)) + 1, match[1], match[2])
        for match in FENCE.finditer(text)
    ]
    return [block for block in found if not languages or block.language in languages]


def pages_that_run() -> list[str]:
    """The pages with blocks of bash or Python."""
    return [page for page in pages() if blocks_of(page, "bash", "python")]
