"""Requests of the browser game, to a server or to a page without one."""

from __future__ import annotations

from typing import Any


class Asking:
    """Requests that are answered as they should be."""

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """The status and the content of an answer."""
        raise NotImplementedError

    def get(self, path: str) -> Any:
        """The content of a page that is there."""
        status, content = self.ask("GET", path)
        assert status == 200, content
        return content

    def post(self, path: str, body: Any) -> Any:
        """The content of the answer to a body that is taken."""
        status, content = self.ask("POST", path, body)
        assert status == 200, content
        return content

    def let_agents_move(self, page: Any) -> None:
        """Let agents move on a page whose clock stands still; those of a server do by themselves."""
