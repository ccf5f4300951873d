"""Answers that routes share: streams of events, refusals, and faults."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from ingenious_env.web.guard import Refusal
from ingenious_env.web.store import SaveError
from ingenious_env.web.texts import TEXTS


class NewsResponse(StreamingResponse):
    """A stream of events.

    Args:
        news: the events.
        at_end: called once when the stream ends, even if it never begins.
    """

    def __init__(self, news: AsyncGenerator[str, None], at_end: Callable[[], None]) -> None:
        super().__init__(news, media_type="text/event-stream")
        self._news, self._at_end = news, at_end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events until the page leaves."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._news.aclose()
            self._at_end()


async def refused(_request: Request, error: Exception) -> Response:
    """The answer to a request refused by a route."""
    assert isinstance(error, Refusal)  # noqa: S101 - registered for these only
    return _error(error.status, error.reason)


async def bad_value(_request: Request, error: Exception) -> Response:
    """The answer to a request with an impossible value."""
    return _error(422, str(error))


async def unsaved(_request: Request, error: Exception) -> Response:
    """The answer to a request for a change that could not be saved, and so was not made."""
    return _error(507, TEXTS["unchanged"].format(error=error))


async def failed(_request: Request, _fault: Exception) -> Response:
    """The answer to a request that met a fault of the server, which its terminal shows."""
    return _error(500, TEXTS["fault"])


async def other(_request: Request, error: Exception) -> Response:
    """The answer to a request that no route takes."""
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for these only
    answer = _error(error.status_code, f"there is nothing of this kind here: {error.detail}")
    answer.headers.update(error.headers or {})
    return answer


def _error(status: int, text: str) -> Response:
    return JSONResponse({"error": text.encode(errors="backslashreplace").decode()}, status_code=status)


HANDLERS: Mapping[Any, Callable[..., Any]] = {
    Refusal: refused,
    ValueError: bad_value,
    SaveError: unsaved,
    HTTPException: other,
    Exception: failed,
}
"""By class of exception, the answer to a request that raised one."""
