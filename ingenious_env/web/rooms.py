"""Rooms: tables in use, with the pages that listen and the agent that thinks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from ingenious_env.compiled.compiling import compiling
from ingenious_env.policies.session import Session, Thinking, Turn
from ingenious_env.policies.view import Policy
from ingenious_env.web.analysis import Analysis
from ingenious_env.web.store import SaveError, Store
from ingenious_env.web.tables import HUMAN, Table

LONGEST_THOUGHT = 30.0  # seconds
CHOICE_TIME = 0.3
"""Seconds from an agent's move to its news; in them it makes a choice that others must not notice."""
SAVE_AGAIN = 2.0
"""Seconds until an agent's move that could not be saved is saved again."""
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
        self._left: Thinking | None = None
        """A thought that was taken back, whose thread may still run."""

    def change(self, draft: Table) -> None:
        """Make the table what a draft of it is, once that is saved; whoever calls holds the lock.

        Raises:
            SaveError: it could not be saved; nothing has changed.
        """
        self._store.save(draft)
        self.table.take_over(draft)

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

    async def news(self, seat: int | None) -> AsyncGenerator[str, None]:
        """The events of the table, as server-sent events for the page of a seat."""
        queue: asyncio.Queue[str] = asyncio.Queue(100)
        version = self.table.version_for(seat)
        self.listeners[queue] = seat, version
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
        self._playing = asyncio.create_task(self._play())

    async def _play(self) -> None:
        try:
            while not self.table.session.is_over and not self.table.session.is_waiting:
                turns = self.table.session.turns
                actions = await self._decided(self.table.session.copy())
                while not await self._played(turns, actions):
                    if not self.listeners:
                        return  # whoever comes next has the agent think again
                    await asyncio.sleep(SAVE_AGAIN)
        except Exception as error:  # an agent of somebody's own may do anything
            table = self.table
            self.tell("failed", error=f"{table.seats[table.session.to_play]} failed: {error}")

    async def _decided(self, session: Session) -> list[int]:
        """Have the agent to move decide on its next action, and on all that others learn of at the same time.

        Args:
            session: a copy of the table's, in which these actions are played.
        """
        first = len(session.turns)
        if self._left is not None:  # agents with a memory think one thought at a time
            ended = asyncio.Event()
            _after(self._left, ended.set)
            await ended.wait()
            self._left = None
        await self._thinkers.acquire()
        try:
            if not self.table.is_held:  # others would learn of a choice
                self.tell("thinking", seat=session.to_play)
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

    async def _chosen(self, session: Session, before: Session) -> int | None:
        """What an agent does after a move of its own, if it may now choose what others must not notice.

        It thinks for as long whether it may or not, and others learn of its move as late: otherwise the time
        of the answer would tell of its rack.

        Args:
            session: after the move.
            before: the same before the move, which it thinks about once more if it may not, for nothing.

        Returns:
            A flat action; None if it may not.
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
        """Let another agent think, once the thread of this one has ended."""
        thought, self._thought = self._thought, None
        if thought is None or thought.done():
            self._thinkers.release()
        else:
            thought.stop()
            _after(thought, self._thinkers.release)

    async def _played(self, turns: Sequence[Turn], actions: Sequence[int]) -> bool:
        """Play what an agent has decided after these turns; whether it could be saved."""
        async with self.lock:
            if self.table.session.turns != turns:
                return True  # it is no longer wanted
            draft = self.table.draft()
            for action in actions:
                draft.play(action)
            try:
                self.change(draft)
            except SaveError as error:
                player = self.table.seats[self.table.session.to_play]
                self.tell("failed", error=f"{error} with the move of {player}; it is tried again")
                return False
        self.tell_of_moves()
        return True

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
            self._left = self._thought
            self._playing.cancel()
            await asyncio.wait([self._playing])


def _after(thought: Thinking, function: Callable[[], Any]) -> None:
    """Call a function in this loop once the thread of a thought has ended."""
    loop = asyncio.get_running_loop()

    def ended(_: object) -> None:
        with suppress(RuntimeError):  # the server has ended
            loop.call_soon_threadsafe(function)

    thought.add_done_callback(ended)


def _event(name: str, version: int, content: Mapping[str, Any]) -> str:
    """A server-sent event."""
    return f"event: {name}\nid: {version}\ndata: {json.dumps(content)}\n\n"
