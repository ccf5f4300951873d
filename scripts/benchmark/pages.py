"""Benchmark of the browser game in Chromium on this machine: times from an action to the painted page.

    python -m scripts.benchmark.pages

A time from an action to a painted page ends with the second animation frame after the change of the page.
Needs the extras `web`, `window` and `dev`, and Chromium.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import gymnasium
import numpy as np
from ingenious_agents.commands.command_line import Count, command, read
from ingenious_agents.provenance import machine
from tabulate import tabulate
from tqdm import tqdm

from ingenious_env import Rules
from scripts.pages import asked, chromium, new_table, served, sit_down

PROG = "python -m scripts.benchmark.pages"
THINKER = "tree:rollouts=100000"
"""An agent that thinks until it is stopped after half a minute."""
AGENTS = ("value", THINKER)
WATCH = """([place, deep, wanted]) => {
  window.taken = null;
  let begun = null;
  const begin = (event) => { begun ??= event.timeStamp; };
  for (const kind of ["click", "keydown"]) addEventListener(kind, begin, { capture: true, once: true });
  const observer = new MutationObserver(() => {
    if (begun === null || !document.querySelector(wanted)) return;
    observer.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => { window.taken = performance.now() - begun; }));
  });
  observer.observe(document.querySelector(place), { childList: true, subtree: deep });
}"""
"""Time from the next action to a painted change below `place`, once `wanted` selects an element."""


@dataclass(frozen=True)
class Args:
    """Command-line options."""

    times: Count = 100
    """repetitions of each action"""

    def check(self) -> None:
        """Do nothing, as no options contradict each other."""


# Measuring; all times are seconds.


def timed(page: Any, action: Callable[[], object], place: str, wanted: str, *, deep: bool) -> float:
    """From an action to its painted effect (see `WATCH`)."""
    page.evaluate(WATCH, [place, deep, wanted])
    action()
    while (taken := page.evaluate("window.taken")) is None:
        time.sleep(0.005)
    return float(taken) / 1000


def start_to_page(browser: Any) -> float:
    """From the start of the command to the dialog of a new game."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        with served(folder, AGENTS) as port:
            page = browser.new_page()
            page.goto(f"http://127.0.0.1:{port}/")
            page.wait_for_selector("#start")
            taken = time.perf_counter() - began
            page.close()
    return taken


def interactions(browser: Any, port: int, times: int) -> dict[str, list[float]]:
    """Times of hints, previews and own moves, in games against `value`."""
    found: dict[str, list[float]] = {"hints": [], "preview": [], "move": []}
    with tqdm(total=times, desc="interactions", leave=False) as bar:
        for seed in range(times):
            table, key = new_table(port, Rules(), ("human", "value"), seed)
            page = browser.new_page(viewport={"width": 1340, "height": 900})
            sit_down(page, port, table, key)
            while len(found["move"]) < times:
                page.wait_for_selector("#slot0:not([disabled]), .results, [id^=choose-]")
                if page.locator(".results").count():
                    break
                if page.locator("#choose-keep").count():
                    page.click("#choose-keep")
                    page.wait_for_selector("#choose-keep", state="detached")
                    continue
                play_one(page, found)
                bar.update(len(found["move"]) - bar.n)
            page.close()
            if len(found["move"]) >= times:
                break
    return found


def play_one(page: Any, found: dict[str, list[float]]) -> None:
    """Ask for hints, take the first, turn it twice, and place it."""
    keyboard = page.keyboard
    found["hints"].append(timed(page, partial(keyboard.press, "h"), "#analysis", "#hint0", deep=True))
    page.click("#hint0")
    keyboard.press("h")
    for key in ("r", "Shift+R"):
        found["preview"].append(timed(page, partial(keyboard.press, key), "#board", ".ghost", deep=True))
    before = page.inner_text("#replay")
    found["move"].append(timed(page, partial(keyboard.press, "Enter"), "#board", "#board", deep=False))
    while page.inner_text("#replay") == before:
        time.sleep(0.005)


def requests_while_thinking(port: int, times: int) -> list[float]:
    """Times of requests while two agents think."""
    tables = [new_table(port, Rules(), (THINKER, "human"), seed) for seed in range(2)]
    time.sleep(1)
    found = []
    for number in range(times):
        table, key = tables[number % 2]
        began = time.perf_counter()
        state = asked(port, "GET", f"/api/tables/{table}?keys={key}")
        found.append(time.perf_counter() - began)
        if not state["thinking"]:
            msg = "the agents did not think long enough; this machine is fast: lower --times"
            raise ValueError(msg)
    return found


def frames(seconds: float = 3.0) -> float:
    """Frames per second of `rgb_array` in the middle of a game of two."""
    env = gymnasium.make("ingenious/Versus-v0", render_mode="rgb_array").unwrapped
    env.reset(seed=1)
    env.render()
    number, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        env.render()
        number += 1
    return number / (time.perf_counter() - began)


def row(name: str, seconds: Sequence[float], goal: str) -> tuple[str, ...]:
    """A line of the table."""
    middle, high = np.percentile(np.array(seconds) * 1000, [50, 95])
    return name, f"{middle:.1f} ms", f"{high:.1f} ms", goal


def report(browser: Any, times: int) -> str:
    """The table."""
    start_to_page(browser)  # warms up caches
    starts = [start_to_page(browser) for _ in range(5)]
    with tempfile.TemporaryDirectory() as folder, served(folder, AGENTS) as port:
        found = interactions(browser, port, times)
        requests = requests_while_thinking(port, times)
    rows = [
        row("from the command to the page", starts, "2,000 ms"),
        row("own move, from the key to the painted board", found["move"], "100 ms"),
        row("preview of a turned tile", found["preview"], "16 ms and two frames"),
        row("hints of `value`, from the key", found["hints"], "50 ms and two frames"),
        row("a request while two agents think", requests, "20 ms"),
        ("`rgb_array`, frames per second", f"{frames():.0f}", "", "100"),
    ]
    return tabulate(rows, ("", "median", "95 %", "goal"), tablefmt="github")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    args = read(Args, arguments, PROG, __doc__)
    with command(PROG):
        facts = machine()
        print(f"{facts['processor']}, {facts['cores']} cores, commit {facts['commit']}\n")
        with chromium() as browser:
            print(report(browser, args.times))


if __name__ == "__main__":
    main()
