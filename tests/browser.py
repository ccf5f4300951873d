"""A real browser for the tests: Chromium, driven by Playwright."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from patience import PATIENCE

from scripts import pages

SETTLED = 25
"""Milliseconds in which a page begins what follows from an answer."""

LATENCY = float(os.environ.get("INGENIOUS_LATENCY", "0"))
"""Milliseconds added to each request of a `Tab`, so that tests that do not wait for an answer fail."""


@contextmanager
def chromium(*arguments: str) -> Iterator[Any]:
    """The browser; where there is none the test is skipped, unless the environment asks for one."""
    pytest.importorskip("playwright.sync_api")
    with ExitStack() as stack:
        try:
            browser = stack.enter_context(pages.chromium(*arguments))
        except OSError as error:
            if os.environ.get("INGENIOUS_NEEDS_BROWSER"):
                raise
            pytest.skip(str(error))
        yield browser


class Tab:
    """A page of the browser game, with all that went wrong on it.

    Args:
        browser: as `chromium` gives it.
        port: of the server.
        options: of the browser's context.
    """

    def __init__(self, browser: Any, port: int, **options: Any) -> None:
        wanted = {"viewport": {"width": 1340, "height": 900}, "reduced_motion": "reduce"} | options
        self.context = browser.new_context(**wanted)
        self.port, self.problems = port, []
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE * 1000)
        if LATENCY:
            network = {"offline": False, "latency": LATENCY, "downloadThroughput": -1, "uploadThroughput": -1}
            self.context.new_cdp_session(self.page).send("Network.emulateNetworkConditions", network)
        self.page.on("pageerror", lambda error: self.problems.append(error.stack or str(error)))
        self.page.on("console", self._heard)
        self.page.on("request", self._asked)
        self.pending: set[Any] = set()
        self.page.on("requestfinished", self._answered)
        self.page.on("requestfailed", self._answered)

    def _heard(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(f"{message.text} ({message.location.get('url', '')})")

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((f"http://127.0.0.1:{self.port}/", "data:", "blob:")):
            self.problems.append(f"asked for {request.url}")
        if request.resource_type != "eventsource":  # which stays open
            self.pending.add(request)

    def _answered(self, request: Any) -> None:
        self.pending.discard(request)

    def settle(self) -> None:
        """Until every request is answered, and what the page does then has made no other."""
        quiet = 0
        for _ in range(int(PATIENCE * 1000 / SETTLED)):
            self.page.wait_for_timeout(SETTLED)
            quiet = 0 if self.pending else quiet + 1
            if quiet == 2:
                return
        msg = f"never answered: {[request.url for request in self.pending]}"
        raise AssertionError(msg)

    def open(self, fragment: str = "") -> None:
        """Open the page, at a table or at the choice of a new game."""
        self.page.goto(f"http://127.0.0.1:{self.port}/{fragment}")

    def sit_down(self, table: str, keys: str) -> None:
        """Open a table with the keys of seats."""
        # The storage of the page is that of any file from its address, which is opened sooner than the page.
        self.page.goto(f"http://127.0.0.1:{self.port}/web/static/style.css")
        self.page.evaluate(
            f"localStorage.setItem('ingenious-tables', JSON.stringify({{'{table}': '{keys}'}}))"
        )
        self.open(f"#{table}")
        self.page.wait_for_selector("#board svg")

    def hold(self, address: str) -> list[Any]:
        """The requests to an address, a pattern, as they come; they are not answered yet."""
        held: list[Any] = []

        def hold(route: Any) -> None:
            held.append(route)

        self.page.route(address, hold)
        return held

    def wait_for_turn(self) -> None:
        """Until this page is to move, or the game is over."""
        self.page.wait_for_selector("#slot0:not([disabled]), .results, [id^=choose-]")

    def close(self, *statuses: int, broken: bool = False) -> None:
        """Close it, and fail on any error except these statuses, or `broken` connections."""
        self.context.close()
        expected = [f"responded with a status of {status}" for status in statuses]
        # A server that is killed may refuse, reset, or cut an answer short: Chromium has a name for each.
        expected += ["net::ERR_"] * broken
        wrong = [each for each in self.problems if not any(text in each for text in expected)]
        assert not wrong, wrong
