"""Connections: how many there may be, how long a request may take to come, and answers to what is no HTTP."""

from __future__ import annotations

import asyncio
import sys
from functools import cache

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from ingenious_env.web.guard import HEADERS

REQUEST_TIME = 20.0
"""Seconds in which a request must have come whole, from the beginning of a connection or the last answer."""
AT_ONCE = 8
"""The connections that are accepted in one turn of the event loop."""
OTHER_FILES = 96
"""The files that may be open beside these connections, as those of others before they are closed."""
MOST, FEWEST = 512, 16
"""The limits of the number of connections."""
PATIENCE = 1.0
"""Seconds for which a connection may wait for a request though others want its place."""


@cache
def max_connections() -> int:
    """The number of connections for which this process may open files; OSError if it is too small."""
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
    """A connection that ends if a request does not come whole in time, or if there are too many."""

    _timer: asyncio.TimerHandle | None = None
    _since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin; if there are too many connections, the one ends that has waited longest for a request."""
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
        """Handle what has come."""
        super().handle_events()
        self._watch()

    def on_response_complete(self) -> None:
        """Wait for another request."""
        super().on_response_complete()
        self._watch()

    def send_400_response(self, msg: str) -> None:
        """Answer to what is no HTTP, with the headers that all answers have."""
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
        """Have the timer run while a request has not come whole."""
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY) or self.transport.is_closing():
            self._stop_timer()
        elif self._timer is None:
            self._since = self.loop.time()
            self._timer = self.loop.call_later(REQUEST_TIME, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
