"""Connections: their number, time limits of requests, and answers to invalid HTTP."""

from __future__ import annotations

import asyncio
import sys
from functools import cache

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from ingenious_env.web.guard import HEADERS

REQUEST_TIME = 20.0
"""Seconds in which a request must be complete, from the start of a connection or the last answer.

The client has the same time to take each part of an answer that is too large to be sent at once.
"""
AT_ONCE = 8
"""The connections accepted in one turn of the event loop."""
OTHER_FILES = 96
"""Open files in addition to these connections, as surplus ones before they are closed."""
MOST, FEWEST = 512, 16
"""The largest and smallest number of connections."""
PATIENCE = 1.0
"""Seconds for which an idle connection is kept though others need its place."""


@cache
def max_connections() -> int:
    """The number of connections that the limit of open files allows; OSError if it is too small."""
    if sys.platform == "win32":
        return MOST
    import resource  # noqa: PLC0415 - not on Windows

    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed == resource.RLIM_INFINITY:
        return MOST
    if allowed < (needed := FEWEST + OTHER_FILES):
        msg = f"{allowed} files may be open at once (ulimit -n), and the server needs {needed}"
        raise OSError(msg)
    return min(MOST, allowed - OTHER_FILES)


class Connection(H11Protocol):
    """A connection that ends if a request or an answer takes too long, or if there are too many."""

    _timer: asyncio.TimerHandle | None = None
    _since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin; if there are too many connections, end the one that has waited longest for a client."""
        super().connection_made(transport)
        self._watch()
        there = [each for each in self.connections if not each.transport.is_closing()]
        if len(there) > max_connections():
            waiting = [each for each in there if isinstance(each, Connection) and each._timer]
            oldest = min(waiting, key=lambda each: each._since)
            (oldest if oldest._since < self.loop.time() - PATIENCE else self).transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        super().connection_lost(exc)
        self._stop_timer()

    def handle_events(self) -> None:
        """Handle received data."""
        super().handle_events()
        self._watch()

    def on_response_complete(self) -> None:
        """Wait for another request."""
        super().on_response_complete()
        self._watch()

    def pause_writing(self) -> None:
        """Wait until the client takes what is sent."""
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        """Send on."""
        super().resume_writing()
        self._stop_timer()
        self._watch()

    def send_400_response(self, msg: str) -> None:
        """Answer invalid HTTP, with the headers of all answers."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            headers = [(b"content-type", b"text/plain"), (b"connection", b"close"), *HEADERS]
            for event in (
                h11.Response(status_code=400, headers=headers, reason=b"Bad Request"),
                h11.Data(data=msg.encode()),
                h11.EndOfMessage(),
            ):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _watch(self) -> None:
        """Run the timer while a request is not complete, or an answer is not taken."""
        is_awaited = self.flow.write_paused or self.conn.their_state in (h11.IDLE, h11.SEND_BODY)
        if not is_awaited or self.transport.is_closing():
            self._stop_timer()
        elif self._timer is None:
            self._since = self.loop.time()
            self._timer = self.loop.call_later(REQUEST_TIME, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
