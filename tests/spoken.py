"""The words of pages in all languages, and what a page says to its reader."""

from __future__ import annotations

import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.resources import files
from typing import Any

from page_server import serving_files

import ingenious_env
from ingenious_env import languages
from ingenious_env.engine.definition import definitions
from ingenious_env.languages import ENGLISH, Texts
from ingenious_env.web.page import INDEX_WORDS
from ingenious_env.web.tables import LEVELS

GAMES = ("ingenious", "loopit")
PARTS = ("engine", "games", "policies", "render", "web")
"""Subpackages with texts."""
ROOT = files("ingenious_env")


@contextmanager
def speaking(tag: str) -> Iterator[None]:
    """A block in which the language of this process is another one."""
    languages.choose(tag)
    try:
        yield
    finally:
        languages.choose(ENGLISH)


def scripts() -> dict[str, bytes]:
    """All modules of JavaScript, by path."""
    root = ROOT.joinpath()
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*.js")}


def text_modules() -> list[str]:
    """The paths of all modules with words of pages, in English."""
    return sorted(
        path for path in scripts() if path.endswith("texts.js") and not path.startswith("languages/")
    )


def texts() -> list[Texts]:
    """All sentences of Python."""
    for part in PARTS:
        package = import_module(f"ingenious_env.{part}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    own = (vars(each) for name, each in sys.modules.copy().items() if name.startswith(ingenious_env.__name__))
    return [value for names in own for value in names.values() if isinstance(value, Texts)]


def english() -> set[str]:
    """All words that Python writes."""
    colours = import_module("ingenious_env.games.ingenious.tiles").COLOUR_NAMES
    found = {*(each for some in texts() for each in some.english.values()), *LEVELS, *INDEX_WORDS, *colours}
    for game in (definitions()[name] for name in GAMES):
        found |= {game.title, *(preset.title for preset in game.presets.values())}
        found |= {choice.title or name.capitalize() for name, choice in game.choices.items()}
    return found | {word for level in LEVELS.values() for word in (level.title, level.text)}


SAID = """async (paths) => {
  const given = [1, 2, "Xx", ["Xx", "Yy"]];
  const said = (value) => {
    if (typeof value === "string") return [value];
    if (typeof value === "function") return given.flatMap((each) => {
      try { return [String(value(...Array(value.length).fill(each)))]; } catch { return []; }
    });
    return Object.values(value).flatMap(said);
  };
  const modules = await Promise.all(paths.map((path) => import(`/${path}`)));
  return modules.flatMap((each) => Object.values(each).flatMap(said));
}"""
"""All that modules of texts say, with some values of their arguments."""


def only_english(browser: Any) -> set[str]:
    """The words of English texts that are in no German one, without the names of agents."""
    with serving_files({**scripts(), "index.html": b""}) as port:
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{port}/")
        found = _only_english(page)
        page.close()
    return found


def _only_english(page: Any) -> set[str]:
    paths = text_modules()
    german = languages.words_of("de")
    said = page.evaluate(SAID, [f"languages/de/{path}" for path in paths])
    names = {name for game in GAMES for name in definitions()[game].policies}
    spoken = words([*page.evaluate(SAID, paths), *german])
    return spoken - words([*said, *german.values(), *names])


def words(sentences: Iterable[str]) -> set[str]:
    """The words of sentences, without values that are filled in."""
    texts = (re.sub(r"\{\w+\}", "", text) for text in sentences)
    return {word.lower() for text in texts for word in re.findall(r"[^\W\d_]{2,}", text)}


SHOWN = """() => {
  const found = [document.title];
  for (const each of document.querySelectorAll("body *, body")) {
    const labels = ["aria-label", "title", "placeholder", "alt"];
    found.push(...labels.map((name) => each.getAttribute(name) || ""));
    found.push(...[...each.childNodes].map((child) => (child.nodeType === 3 ? child.textContent : "")));
  }
  return found;
}"""
"""All that a page says, by text and by labels."""
NOTATION = re.compile(r"\w+-record|[NESW]{2,}")
"""Notation, which is the same in all languages."""


class Reader:
    """Reads a page, and collects the texts that are in English.

    Args:
        tab: the page.
        english: words that are English only.
    """

    def __init__(self, tab: Any, english: set[str]) -> None:
        self.tab, self.page, self._english = tab, tab.page, english
        self.untranslated: dict[str, set[str]] = {}

    def read(self) -> None:
        """Read all that is shown now, but for the names of games of other packages."""
        others = words(
            each for name in set(definitions()) - set(GAMES) for each in (name, definitions()[name].title)
        )
        for text in self.page.evaluate(SHOWN):
            found = words([NOTATION.sub("", text)]) & self._english - others
            if found:
                self.untranslated[text] = found

    def open(self, button: str, shown: str, close: str = "") -> None:
        """Click a button, read what it opens, and close that."""
        self.page.click(button)
        self.page.wait_for_selector(shown)
        self.tab.settle()
        self.read()
        if close:
            self.page.click(close)


def read_game(reader: Reader, game: str) -> None:
    """Read a page that shows the dialog of a new game: all of it, some moves, and the end of a game."""
    page, tab = reader.page, reader.tab
    page.wait_for_selector("#start")
    page.select_option("#game", game)
    page.click("#others-shown")
    reader.open("#openings", "#opened")
    page.fill("#opened", "?")
    page.wait_for_selector(".problem")
    reader.read()
    page.fill("#opened", "")
    page.wait_for_selector("#rules-first")
    page.click("#rules-first")
    for _ in range(3):
        reader.open("#lesson-next", "#lesson")
    page.click("#lesson-next")
    page.click("#start")
    tab.wait_for_turn()
    reader.read()
    _play(reader)
    reader.open("#help", "#set-warn", "#close")
    page.click("#help")
    reader.open("#list", "#move1", "#close")
    reader.open("#share", "#film", "#close")
    reader.open("#previous", "#say:has-text(' von ')")
    reader.open("#next", "#slot0:not([disabled])")
    reader.open("#take-back", ".who:has-text(' · mit Zurücknehmen')")
    _watch(reader, game)


def _play(reader: Reader) -> None:
    """A tile in hand, a wrong move, and the best one by the hints, twice."""
    page, tab = reader.page, reader.tab
    reader.open("#slot0", "#slot0[aria-pressed=true]")
    page.keyboard.press("Escape")
    for typed in ("hello", "r0,0 r0,1", "NE5@0,0"):
        page.fill("#move", typed)
        page.press("#move", "Enter")
        page.wait_for_selector("#say.problem")
        tab.settle()
        reader.read()
    reader.open("#hints", "#hint0")
    for _ in range(2):
        before = page.inner_text("#replay")
        page.click("#hint0")
        reader.read()
        page.click("#place")
        page.wait_for_function("before => document.querySelector('#replay').innerText !== before", arg=before)
        page.wait_for_selector("#hint0, [id^=choose-]")
        tab.settle()
        reader.read()


def _watch(reader: Reader, game: str) -> None:
    """The end of a game of agents, and its analysis."""
    page, tab = reader.page, reader.tab
    page.click("#new")
    page.select_option("#game", game)
    page.click("#others-shown")
    for seat in (0, 1):
        page.select_option(f"#seat{seat}", "greedy")
    page.click("#start")
    page.wait_for_selector("#judged")
    tab.settle()
    reader.read()
    reader.open("#mistake", ".hint-row em")
    reader.open("#branch", "#found")
