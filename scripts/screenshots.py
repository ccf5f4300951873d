"""Pictures of the browser game, for docs/tutorials/browser.md: on a screen and on a phone, dark and light.

    python -m scripts.screenshots --folder .assets

Needs the extras `web` and `dev`, and Chromium.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from ingenious_agents.commands.command_line import Seed, command, needs_extra, read

from ingenious_env import Rules
from ingenious_env.engine.definition import AnyRules
from ingenious_env.engine.files import written_whole
from ingenious_env.games.loopit import Rules as LoopitRules
from scripts.pages import chromium, new_table, served, sit_down

with needs_extra("python -m scripts.screenshots", "web,dev"):
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

PROG = "python -m scripts.screenshots"
SCREEN = {"viewport": {"width": 1340, "height": 900}}
COLOURS = 200  # of a palette, which makes pictures a third as large
TEXT = "Page text"
"""The field of a picture with the text of the page, by which outdated pictures are detected."""
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}


class Scene(NamedTuple):
    """A picture to take.

    Attributes:
        name: of the file.
        rules: of the game.
        seats: players; a person takes the first hint.
        moves: of the person before the picture; None plays to the end.
        device: size and kind of the screen.
        theme: "dark" or "light".
        hints: whether they are on.
    """

    name: str
    rules: AnyRules
    seats: tuple[str, ...]
    moves: int | None
    device: dict[str, Any]
    theme: str
    hints: bool


SCENES = (
    Scene("play", Rules(), ("human", "value"), 8, SCREEN, "dark", hints=True),
    Scene("play-end", Rules(4), ("greedy", "value", "uniform", "tree"), None, SCREEN, "light", hints=False),
    Scene("play-phone", Rules(), ("human", "value"), 6, PHONE, "dark", hints=False),
    Scene("play-loopit", LoopitRules(2), ("human", "planner"), 15, SCREEN, "light", hints=True),
)


@dataclass(frozen=True)
class Args:
    """Command-line options."""

    folder: Path = Path(".assets")
    """where the pictures are written"""
    seed: Seed = 21
    """seed of the games"""

    def check(self) -> None:
        """Do nothing, as no options contradict each other."""


def take(browser: Any, port: int, scene: Scene, seed: int, path: Path) -> None:
    """Play a scene, and write its picture."""
    options = {"color_scheme": scene.theme, "reduced_motion": "reduce", **scene.device}
    page = browser.new_page(**options)
    page.set_default_timeout(600_000)  # the first hints of a game may have to be compiled
    table, key = new_table(port, scene.rules, scene.seats, seed)
    sit_down(page, port, table, key)
    if scene.moves is None:
        page.wait_for_selector("#say:has-text('wins'), #say:has-text('share')")
    else:
        for _ in range(scene.moves):
            play_first_hint(page)
        page.wait_for_selector("#slot0:not([disabled])")
        if scene.hints:
            page.click("#hints")
            page.wait_for_selector("#hint0")
    page.wait_for_timeout(1500)
    page.evaluate("document.getElementById('live').textContent = ''")  # invisible, and depends on the time
    words = PngInfo()
    words.add_itxt(TEXT, page.inner_text("body"))
    with written_whole(path) as partial, Image.open(BytesIO(page.screenshot())) as taken:
        taken.quantize(COLOURS, dither=Image.Dither.NONE).save(partial, "PNG", optimize=True, pnginfo=words)
    page.close()


def play_first_hint(page: Any) -> None:
    """Play the first move of the hints."""
    page.wait_for_selector("#slot0:not([disabled]), [id^=choose-]")
    before = page.inner_text("#replay")
    if page.locator("#choose-swap").count():
        page.click("#choose-swap")
    else:
        page.click("#hints")
        page.click("#hint0")
        page.click("#hints")
        page.click("#place")
    while page.inner_text("#replay") == before:
        page.wait_for_timeout(10)


def main(arguments: Sequence[str] | None = None) -> None:
    """Take all pictures."""
    args = read(Args, arguments, PROG, __doc__)
    with command(PROG), TemporaryDirectory() as games, served(games) as port, chromium() as browser:
        args.folder.mkdir(parents=True, exist_ok=True)
        for scene in SCENES:
            path = args.folder / f"{scene.name}.png"
            take(browser, port, scene, args.seed, path)
            print(path)


if __name__ == "__main__":
    main()
