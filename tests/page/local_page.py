"""A page without a server in the place of a server and its client, for tests of the browser game."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qsl

from asking import Asking

ASK = """async ([path, query, body]) => {
  const { ask } = await import("./web/static/transport.js");
  return JSON.stringify(await ask(path, query, body === null ? undefined : body));
}"""
KEPT = "JSON.stringify(JSON.parse(localStorage.getItem('ingenious-local') || '{}'))"
KEEP = """(() => {
  const kept = JSON.parse(localStorage.getItem("ingenious-local") || "{}");
  localStorage.setItem("ingenious-local", JSON.stringify({ ...TABLES, ...kept }));
})();"""


class LocalBrowser:
    """A browser whose contexts have the tables that were made before (see `LocalClient`).

    Args:
        browser: as `chromium` gives it.
    """

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self.tables: dict[str, Any] = {}
        self.contexts: list[Any] = []

    def new_context(self, **options: Any) -> Any:
        """A context, with the tables in its storage."""
        context = self._browser.new_context(**options)
        context.add_init_script(KEEP.replace("TABLES", json.dumps(self.tables)))
        self.contexts.append(context)
        context.on("close", lambda _: self.contexts.remove(context))
        return context

    def keep(self, tables: dict[str, Any]) -> None:
        """Add tables to those that contexts have."""
        self.tables |= tables
        for context in self.contexts:
            context.add_init_script(KEEP.replace("TABLES", json.dumps(tables)))

    def new_page(self, **options: Any) -> Any:
        """A page in a context of its own, not of the game."""
        return self._browser.new_page(**options)

    def page(self, port: int) -> Any:
        """The page that was opened last, or a new one."""
        pages = [page for context in self.contexts for page in context.pages]
        shown = [page for page in pages if page.url.startswith(f"http://127.0.0.1:{port}/")]
        return shown[-1] if shown else None


class LocalClient(Asking):
    """Asks the page that was opened last, as `web_server.Client` asks a server.

    Args:
        browser: which has it.
        port: of the file server.
    """

    def __init__(self, browser: LocalBrowser, port: int) -> None:
        self.port, self._browser = port, browser

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """The status and the content of an answer."""
        path, _, query = path.removeprefix("/api/").partition("?")
        page = self._browser.page(self.port)
        if page is None or path == "tables":
            return self._ask_alone(path, dict(parse_qsl(query)), body)
        return self._evaluated(page, path, dict(parse_qsl(query)), body)

    def let_agents_move(self, page: Any) -> None:
        """Let one move, which needs a millisecond."""
        page.clock.run_for(1)

    def _ask_alone(self, path: str, query: Any, body: Any) -> tuple[int, Any]:
        """The same by a page of its own, whose tables are there for the next pages."""
        context = self._browser.new_context()
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{self.port}/")
        page.wait_for_selector("#start")
        found = self._evaluated(page, path, query, body)
        tables = json.loads(page.evaluate(KEPT))
        context.close()
        self._browser.keep(tables)
        return found

    def _evaluated(self, page: Any, path: str, query: Any, body: Any) -> tuple[int, Any]:
        found = json.loads(page.evaluate(ASK, [path, query, body]))
        return found["status"], found["body"]
