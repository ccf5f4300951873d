"""Rooms: tables in use, with the listening pages and the thinking agent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

from ingenious_env.compiled.compiling import compiling
from ingenious_env.policies.session import Session, Thinking, Turn
from ingenious_env.policies.view import Policy, Remembering
from ingenious_env.web.analysis import Analysis
from ingenious_env.web.store import SaveError, Store
from ingenious_env.web.tables import HUMAN, Table
from ingenious_env.web.texts import TEXTS

LONGEST_THOUGHT = 30.0  # seconds
CHOICE_TIME = 0.3
"""Seconds from an agent's move to its event; in them it makes a choice hidden from others."""
SAVE_AGAIN = 2.0
"""Seconds until saving an agent's move is tried again."""
HEARTBEAT = 15.0  # seconds
_END = ""  # of a stream


class Room:
    """A table in use: one writer at a time, listening pages, and the thinking agent.

    Args:
        table: the table.
        store: that saves it.
        thinkers: limits the number of agents of the server that think concurrently.
        judge: judges moves; None if there is none for this variant.
    """

    def __init__(
        self, table: Table, store: Store, thinkers: asyncio.Semaphore, judge: Policy | None = None
    ) -> None:
        self.table, self.judge = table, judge
        self.lock = asyncio.Lock()
        self.listeners: dict[asyncio.Queue[str], tuple[int | None, int]] = {}
        """By listening page, its seat and the last version sent to it."""
        self.analysis = Analysis(table)
        self.compared: list[dict[str, Any]] | None = None
        """Results of agents in the table's deal (see `alone.py`); None before they are computed."""
        self._store, self._thinkers = store, thinkers
        self._playing: asyncio.Task[None] | None = None
        self._thought: Thinking | None = None
        self._left: Thinking | None = None
        """A cancelled computation, whose thread may still run."""
        self._is_paused = False

    def change(self, draft: Table) -> None:
        """Replace the table by a draft of it, once that is saved; the caller holds the lock.

        Raises:
            SaveError: it could not be saved; nothing has changed.
        """
        self._store.save(draft)
        self.table.take_over(draft)

    # News.

    def notify(self, event: str, **content: Any) -> None:
        """Notify all listening pages of an event that does not change the position."""
        for queue, (seat, _) in self.listeners.items():
            with suppress(asyncio.QueueFull):
                queue.put_nowait(_event(event, self.table.version_for(seat), content))

    def notify_moves(self) -> None:
        """Notify the pages to whose seats something new is shown."""
        for queue, (seat, sent) in self.listeners.items():
            version = self.table.version_for(seat)
            if version != sent:
                self.listeners[queue] = seat, version
                with suppress(asyncio.QueueFull):
                    queue.put_nowait(_event("state", version, {"version": version}))

    async def news(self, seat: int | None) -> AsyncGenerator[str, None]:
        """The events of the table, as server-sent events for the page of a seat."""
        queue: asyncio.Queue[str] = asyncio.Queue(100)
        version = self.table.version_for(seat)
        self.listeners[queue] = seat, version
        try:
            yield "retry: 500\n" + _event("state", version, {"version": version})
            if compiling():
                yield _event("compiling", version, {"now": True})
            self.resume()  # after a restart, an agent may have to move
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

    # Agents.

    @property
    def is_thinking(self) -> bool:
        """Whether an agent is playing."""
        return self._playing is not None and not self._playing.done()

    def resume(self) -> None:
        """Start agents, which play until a person is to move, or the game is over."""
        session = self.table.session
        if session.is_over or session.is_waiting or self.is_thinking or self._is_paused:
            return
        self._playing = asyncio.create_task(self._play())

    async def _play(self) -> None:
        try:
            while not self.table.session.is_over and not self.table.session.is_waiting:
                turns = self.table.session.turns
                actions = await self._decided(self.table.session.copy())
                while not await self._played(turns, actions):
                    if not self.listeners:
                        return  # the next page that listens starts the agent again
                    await asyncio.sleep(SAVE_AGAIN)
        except Exception as error:  # a custom agent may raise any error
            self.notify("failed", error=TEXTS["agent failed"].format(agent=self._player, error=error))

    @property
    def _player(self) -> str:
        """The name of the player to move, as pages show it."""
        return self.table.names()[self.table.session.to_play]

    async def _decided(self, session: Session) -> list[int]:
        """Let the agent to move decide on its next action, and on all that are shown at the same time.

        Args:
            session: a copy of the table's, in which these actions are played.
        """
        first = len(session.turns)
        await self._end_left()
        await self._thinkers.acquire()
        try:
            if not self.table.is_held:  # the event would reveal a choice
                self.notify("thinking", seat=session.to_play)
            before = session.copy()
            session.play(await self._think(session, LONGEST_THOUGHT))
            while HUMAN in self.table.seats and self.table.private_choices and not session.is_over:
                chosen = await self._chosen(session, before)
                if chosen is None:
                    break
                before = session.copy()
                if session.play(chosen).move in self.table.private_choices:
                    break
        finally:
            self._release_thinker()
        return [turn.action for turn in session.turns[first:]]

    async def _end_left(self) -> None:
        """Wait for the thread of a cancelled computation; agents with memory run one at a time."""
        if self._left is not None:
            ended = asyncio.Event()
            _after(self._left, ended.set)
            await ended.wait()
            self._left = None

    async def _chosen(self, session: Session, before: Session) -> int | None:
        """An agent's private choice after its own move, if it has one.

        It thinks for the same time in either case, and its move is shown equally late: otherwise the response
        time would reveal something about its rack.

        Args:
            session: after the move.
            before: the same before the move, on which it thinks again if it has none, without effect.

        Returns:
            A flat action; None if there is none.
        """
        seat, loop = session.turns[-1].seat, asyncio.get_running_loop()
        answer_at = loop.time() + CHOICE_TIME
        may_choose = session.to_play == seat and bool(self.table.private_actions(session.game))
        action = await self._think(session if may_choose else before, CHOICE_TIME * 2 / 3)
        await asyncio.sleep(answer_at - loop.time())
        return action if may_choose else None

    async def _think(self, session: Session, seconds: float) -> int:
        thought = self._thought = session.think()
        timer = asyncio.get_running_loop().call_later(seconds, thought.stop)
        try:
            return await asyncio.wrap_future(thought)
        finally:
            timer.cancel()

    def _release_thinker(self) -> None:
        """Release the slot for another agent, once the thread of this one has ended."""
        thought, self._thought = self._thought, None
        if thought is None or thought.done():
            self._thinkers.release()
        else:
            thought.stop()
            _after(thought, self._thinkers.release)

    async def _played(self, turns: Sequence[Turn], actions: Sequence[int]) -> bool:
        """Play the actions of an agent after these turns; whether they could be saved."""
        async with self.lock:
            if self.table.session.turns != turns:
                return True  # they are no longer needed
            draft = self.table.draft()
            for action in actions:
                draft.play(action)
            try:
                self.change(draft)
            except SaveError as error:
                self.notify("failed", error=TEXTS["retried"].format(error=error, player=self._player))
                return False
        self.notify_moves()
        return True

    def stop(self) -> bool:
        """Make the thinking agent decide now; whether there is one."""
        if self._thought is None:
            return False
        self._thought.stop()
        return True

    def close(self) -> None:
        """End the streams of events, and make the thinking agent decide now."""
        for queue in self.listeners:
            with suppress(asyncio.QueueFull):
                queue.put_nowait(_END)
        self.stop()

    @asynccontextmanager
    async def paused(self) -> AsyncIterator[None]:
        """A block in which no agent thinks, and after which the next one does; the caller holds the lock."""
        self._is_paused = True
        try:
            await self.end_thought()
            if any(isinstance(player, Remembering) for player in self.table.session.players):
                await self._end_left()
            yield
        finally:
            self._is_paused = False
            self.resume()

    async def end_thought(self) -> None:
        """Stop the thinking agent, and discard its result."""
        if self._playing is not None and not self._playing.done():
            self._left = self._thought or self._left  # which is still waited for, if none has begun since
            self._playing.cancel()
            await asyncio.wait([self._playing])


def _after(thought: Thinking, function: Callable[[], Any]) -> None:
    """Call a function in this loop once the thread of a computation has ended."""
    loop = asyncio.get_running_loop()

    def ended(_: object) -> None:
        with suppress(RuntimeError):  # the server has ended
            loop.call_soon_threadsafe(function)

    thought.add_done_callback(ended)


def _event(name: str, version: int, content: Mapping[str, Any]) -> str:
    """A server-sent event."""
    return f"event: {name}\nid: {version}\ndata: {json.dumps(content)}\n\n"
