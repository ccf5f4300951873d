"""The browser game in Chromium, for scripts that time it or take pictures of it, and for tests."""

from __future__ import annotations

import http.client
import json
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from ingenious_env.engine.definition import AnyRules, definition_of

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Programs, the first one a Chromium without windows, in which a page opens in half the time."""


@contextmanager
def chromium(*arguments: str) -> Iterator[Any]:
    """The browser, with more arguments; OSError if there is none, ImportError without Playwright."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - in an extra

    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        msg = f"none of {', '.join(BROWSERS)} is installed"
        raise OSError(msg)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", *arguments])
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def listening(handler: Callable[..., BaseHTTPRequestHandler]) -> Iterator[int]:
    """The port of an HTTP server of this process, whose requests a handler answers."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def served(folder: str, agents: Sequence[str] = ()) -> Iterator[int]:
    """The port of a new server, with these agents or all of the catalogue."""
    command = [sys.executable, "-m", "ingenious_env", "play", *agents, "--no-browser", "--port", "0"]
    command += ["--folder", folder]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own
        try:
            assert process.stdout is not None  # noqa: S101 - requested above
            found = re.search(r":(\d+)/", process.stdout.readline())
            if found is None:
                msg = "the server did not start"
                raise OSError(msg)
            yield int(found[1])
        finally:
            process.terminate()


def asked(port: int, method: str, path: str, body: Any = None) -> Any:
    """The answer of the server."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    text = None if body is None else json.dumps(body)
    connection.request(method, path, text, {"Content-Type": "application/json"})
    answer = json.loads(connection.getresponse().read())
    connection.close()
    return answer


def new_table(port: int, rules: AnyRules, seats: Sequence[str], seed: int) -> tuple[str, str]:
    """A new table and the key of its first person; "" if there is none."""
    game = definition_of(rules)
    body = {"game": game.name, "rules": game.rules_to_text(rules), "seats": list(seats), "seed": seed}
    made = asked(port, "POST", "/api/tables", body)
    return made["id"], next(iter(made["keys"].values()), "")


def sit_down(page: Any, port: int, table: str, key: str) -> None:
    """Open a table as the person with its key."""
    page.goto(f"http://127.0.0.1:{port}/web/static/icon.svg")
    page.evaluate(f"localStorage.setItem('ingenious-tables', JSON.stringify({{'{table}': '{key}'}}))")
    page.goto(f"http://127.0.0.1:{port}/#{table}")
    page.wait_for_selector("#board svg")
