"""Rooms: tables in use, with the pages that listen and the agent that thinks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from typing import Any

from ingenious_env.core.compiling import compiling
from ingenious_env.core.session import Thinking
from ingenious_env.core.view import Policy
from ingenious_env.web.analysis import Analysis
from ingenious_env.web.store import Store
from ingenious_env.web.tables import Table

LONGEST_THOUGHT = 30.0  # seconds
HEARTBEAT = 15.0  # seconds
_END = ""  # of a stream


class Room:
    """A table in use: one writer at a time, listening pages, and the agent that thinks.

    Args:
        table: the table.
        store: that keeps it.
        thinkers: lets so many agents of the server think side by side.
        judge: judges moves; None if nobody can in this variant.
    """

    def __init__(
        self, table: Table, store: Store, thinkers: asyncio.Semaphore, judge: Policy | None = None
    ) -> None:
        self.table, self.judge = table, judge
        self.lock = asyncio.Lock()
        self.listeners: dict[asyncio.Queue[str], tuple[int | None, int]] = {}
        """By listening page, its seat and the version that it was told last."""
        self.analysis = Analysis(table)
        self._store, self._thinkers = store, thinkers
        self._playing: asyncio.Task[None] | None = None
        self._thought: Thinking | None = None

    # News.

    def tell(self, event: str, **content: Any) -> None:
        """Tell all pages that listen of something that has not changed the position."""
        for queue, (seat, _) in self.listeners.items():
            with suppress(asyncio.QueueFull):
                queue.put_nowait(_event(event, self.table.version_for(seat), content))

    def tell_of_moves(self) -> None:
        """Tell the pages to whose seats something new is shown."""
        for queue, (seat, told) in self.listeners.items():
            version = self.table.version_for(seat)
            if version != told:
                self.listeners[queue] = seat, version
                with suppress(asyncio.QueueFull):
                    queue.put_nowait(_event("state", version, {"version": version}))

    async def news(self, seat: int | None) -> AsyncIterator[str]:
        """The events of the table, as server-sent events for the page of a seat."""
        queue: asyncio.Queue[str] = asyncio.Queue(100)
        version = self.table.version_for(seat)
        self.listeners[queue] = seat, version
        self.table.in_use += 1
        try:
            yield "retry: 500\n" + _event("state", version, {"version": version})
            if compiling():
                yield _event("compiling", version, {"now": True})
            self.go_on()  # after a restart, an agent may have to move
            while True:
                try:
                    event = await asyncio.wait_for(queue.get(), HEARTBEAT)
                except TimeoutError:
                    event = ": still there\n\n"
                if event == _END:
                    return
                yield event
        finally:
            del self.listeners[queue]
            self.table.in_use -= 1

    # Agents.

    @property
    def is_thinking(self) -> bool:
        """Whether an agent plays on."""
        return self._playing is not None and not self._playing.done()

    def go_on(self) -> None:
        """Have agents play until a person is to move, or the game is over."""
        session = self.table.session
        if session.is_over or session.is_waiting or self.is_thinking:
            return
        self.table.in_use += 1
        self._playing = asyncio.create_task(self._play())

    async def _play(self) -> None:
        loop, table = asyncio.get_running_loop(), self.table
        try:
            while not table.session.is_over and not table.session.is_waiting:
                async with self._thinkers:
                    if not table.is_held:  # others would learn of a choice
                        self.tell("thinking", seat=table.session.to_play)
                    thought = self._thought = table.session.think()
                    timer = loop.call_later(LONGEST_THOUGHT, thought.stop)
                    try:
                        await asyncio.wrap_future(thought)
                    finally:
                        timer.cancel()
                        self._thought = None
                async with self.lock:
                    if table.session.finish(thought) is None:
                        return  # the position has changed since
                    table.count()
                    self._store.save(table)
                self.tell_of_moves()
        except Exception as error:  # an agent of somebody's own may do anything
            self.tell("failed", error=f"{table.seats[table.session.to_play]} failed: {error}")
        finally:
            table.in_use -= 1

    def stop(self) -> bool:
        """Have the agent that thinks decide now; whether there is one."""
        if self._thought is None:
            return False
        self._thought.stop()
        return True

    def close(self) -> None:
        """End the streams of news, and have the agent that thinks decide now."""
        for queue in self.listeners:
            with suppress(asyncio.QueueFull):
                queue.put_nowait(_END)
        self.stop()

    async def end_thought(self) -> None:
        """Have the agent that thinks stop, and forget what it has found."""
        if self._playing is not None and not self._playing.done():
            self._playing.cancel()
            self.stop()
            with suppress(asyncio.CancelledError):
                await self._playing


def _event(name: str, version: int, content: Mapping[str, Any]) -> str:
    """A server-sent event."""
    return f"event: {name}\nid: {version}\ndata: {json.dumps(content)}\n\n"
