"""The language of what pages and pictures say: one for the process, English until another is chosen.

A language is a folder here, named by its tag. Its `words.json` has the words that Python writes, by the
English ones. All its other files stand in for those of the same path in the package, which have the words of
pages. What it does not have, as words of a game of another package, stays English.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

ENGLISH = "en"
WORDS = "words.json"
_FOLDER = files(__name__)


class _Language:
    """The chosen language: its tag, and its words by the English ones."""

    def __init__(self) -> None:
        self.tag = ENGLISH
        self.words: dict[str, str] = {}


_current = _Language()


def languages() -> list[str]:
    """The tags of all languages."""
    others = [each.name for each in _FOLDER.iterdir() if each.joinpath(WORDS).is_file()]
    return sorted([ENGLISH, *others])


def language() -> str:
    """The tag of the language of this process."""
    return _current.tag


def check(tag: str) -> None:
    """ValueError for the tag of no language, with the allowed ones."""
    if tag not in languages():
        msg = f"the language must be one of {', '.join(languages())}, not {tag!r}"
        raise ValueError(msg)


def choose(tag: str) -> None:
    """Choose the language of this process, before it shows anything; ValueError as `check`."""
    check(tag)
    _current.tag, _current.words = tag, {} if tag == ENGLISH else words_of(tag)


def words_of(tag: str) -> dict[str, str]:
    """The words of a language by the English ones."""
    found: dict[str, str] = json.loads(_FOLDER.joinpath(tag, WORDS).read_text(encoding="utf-8"))
    return found


def word(english: str) -> str:
    """Words in the language of this process."""
    return _current.words.get(english, english)


def stand_in(path: str) -> Traversable | None:
    """The file that stands in for one of the package, by its path there; None if there is none."""
    found = _FOLDER.joinpath(_current.tag, *path.split("/"))
    return found if found.is_file() else None


class Texts(Mapping[Any, str]):
    """Sentences by key, in the language of this process.

    Attributes:
        english: the same in English.
    """

    def __init__(self, english: Mapping[Any, str]) -> None:
        self.english = dict(english)

    def __getitem__(self, key: Any) -> str:
        """The sentence of a key."""
        return word(self.english[key])

    def __iter__(self) -> Iterator[Any]:
        """The keys."""
        return iter(self.english)

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.english)
