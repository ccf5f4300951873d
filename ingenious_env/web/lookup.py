"""The tables that a server has in use, and the requests to them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any
from weakref import WeakValueDictionary

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from ingenious_env.engine.definition import AnyRules
from ingenious_env.policies.view import Policy
from ingenious_env.web.folder import reason
from ingenious_env.web.guard import Refusal
from ingenious_env.web.rooms import Room
from ingenious_env.web.store import Store
from ingenious_env.web.tables import HUMAN, Agent, Table
from ingenious_env.web.texts import TEXTS
from ingenious_env.web.visible import visible

JUDGE = "value"
"""The agent that judges moves: its network is calibrated."""


class OpenRooms:
    """The rooms of the tables in use.

    Args:
        agents: that can be chosen.
        store: of the tables.
        thinkers: number of agents that think concurrently.
    """

    def __init__(self, agents: Mapping[str, Agent], store: Store, thinkers: int) -> None:
        self.agents, self.store = agents, store
        self.thinkers = asyncio.Semaphore(thinkers)
        self.by_table: WeakValueDictionary[str, Room] = WeakValueDictionary()
        """By the table's id, the room that requests, pages and agents share, while any of them uses it."""
        self._reading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """By the table's id, the lock of the requests that look it up."""

    def of(self, table: Table) -> Room:
        """The room of a table."""
        room = self.by_table.get(table.id)
        if room is None:
            judge = self._judge(table.rules) if table.real is None else None
            room = Room(table, self.store, self.thinkers, judge)
            self.by_table[table.id] = room
        return room

    async def found(self, request: Request, keys: str) -> tuple[Room, list[int]]:
        """The room of a request, and the seats whose keys it has; a table with agents only needs none."""
        try:
            table = await self.table(request.path_params["id"])
        except OSError as error:
            raise Refusal(503, TEXTS["not read"].format(reason=reason(error))) from None
        if table is None:
            raise Refusal(404, TEXTS["no table"])
        seats = table.own_seats(keys.split(","))
        if not seats and HUMAN in table.seats:
            raise Refusal(403, TEXTS["no seat"])
        return self.of(table), seats

    async def table(self, name: str) -> Table | None:
        """The table of an id; None and errors as `Store.read`, in a thread, once for all that ask for it."""
        async with self._reading.setdefault(name, asyncio.Lock()):
            table = self.store.kept(name)
            if table is None and (table := await run_in_threadpool(self.store.read, name)) is not None:
                self.store.keep(table)
            return table

    def _judge(self, rules: AnyRules) -> Policy | None:
        agent = self.agents.get(JUDGE)
        return agent.for_rules(rules) if agent is not None and agent.plays(rules) else None


def state_of(room: Room, seats: list[int], at: int | None = None) -> dict[str, Any]:
    """The state of a table for the page of some seats, after a number of moves, by default all."""
    table = room.table
    state = visible(table, table.seat_shown(seats), at)
    judge = None if room.judge is None else JUDGE
    yours = seats if table.real is None else [table.real.seat]
    return {**state, "yours": yours, "thinking": room.is_thinking, "judge": judge}
