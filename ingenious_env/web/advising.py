"""The routes by which agents help a person: hints, judgements, and results for comparison."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from threading import Event
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ingenious_env.policies.judging import judge
from ingenious_env.policies.thinking import stoppable
from ingenious_env.policies.view import Policy
from ingenious_env.web.advice import advised
from ingenious_env.web.alone import is_compared, lowest, results_of
from ingenious_env.web.guard import Refusal
from ingenious_env.web.lookup import JUDGE, OpenRooms, state_of
from ingenious_env.web.requests import body_of, move_of, reason_of
from ingenious_env.web.rooms import LONGEST_THOUGHT, Room
from ingenious_env.web.tables import HUMAN, Table
from ingenious_env.web.texts import TEXTS


class Advising:
    """Routes that return hints, judgements and results of agents.

    Args:
        rooms: those in use.
    """

    def __init__(self, rooms: OpenRooms) -> None:
        self._rooms = rooms
        self._stops: set[Event] = set()
        """The stop flag of each piece of advice that is being computed."""

    async def advice(self, request: Request) -> Response:
        """An agent's values of the actions of the seat to move, which must be the page's.

        With `at`, a number of moves, of the seat to move after these, if the table is open to all.
        """
        kinds = {"keys": str, "version": int, "agent": str, "at": int}
        body = await body_of(request, kinds, {"keys", "version", "agent"})
        room, seats = await self._rooms.found(request, body["keys"])
        table = room.table
        agents = self._rooms.agents
        if body["agent"] not in agents:
            raise Refusal(422, f"agent must be one of {', '.join(agents)}, not {body['agent'][:40]!r}")
        at = body.get("at")
        async with room.lock:
            wanted = _advised_position(table, seats, body["version"], at)
            if wanted is None:
                return JSONResponse(state_of(room, seats), status_code=409)
            game, played = wanted
            if table.real is not None and game.to_play != table.real.seat:
                raise Refusal(422, TEXTS["hints"])
        async with self._thinking(LONGEST_THOUGHT, request) as stop:
            try:
                policy = await run_in_threadpool(agents[body["agent"]].for_rules, table.rules)
                action = None if played is None else game.action(played)
                found = await run_in_threadpool(advised, policy, game, stop, action)
            except (ValueError, TypeError) as error:
                raise Refusal(422, str(error)) from None
        if at is None:
            await self._mark_hints(room)
        asked = {name: body[name] for name in ("version", "agent", "at") if name in body}
        return JSONResponse({**found, **asked})

    async def judge(self, request: Request) -> Response:
        """The judgement of a move, before it is played."""
        kinds = {"keys": str, "version": int, "move": str}
        body = await body_of(request, kinds, kinds.keys())
        room, seats = await self._rooms.found(request, body["keys"])
        table = room.table
        policy = _judge_of(room)
        async with room.lock:
            if not table.is_to_move(seats, body["version"]):
                return JSONResponse(state_of(room, seats), status_code=409)
            game = table.session.game
        try:
            action = game.action(move_of(table.definition, body["move"]))
            async with self._thinking() as stop:
                found = await run_in_threadpool(_stoppable, stop, judge, policy, game, action)
        except (ValueError, TypeError) as error:
            raise Refusal(422, reason_of(error)) from None
        await self._mark_hints(room)
        best = table.definition.move_to_text(game.move(found.best))
        lost = {"loss": found.loss, "unit": found.unit, "mark": found.mark}
        return JSONResponse({"move": body["move"], "best": best, **lost})

    async def analysis(self, request: Request) -> Response:
        """The judgements of the moves that the page may see."""
        body = await body_of(request, {"keys": str}, {"keys"})
        room, seats = await self._rooms.found(request, body["keys"])
        table = room.table
        policy = _judge_of(room)
        async with room.lock:
            seat = table.seat_shown(seats)
            missing = room.analysis.missing(seat)
        async with self._thinking() as stop:
            await run_in_threadpool(_stoppable, stop, room.analysis.judge, policy, missing)
        if not table.session.is_over:
            await self._mark_hints(room)
        async with room.lock:
            return JSONResponse(room.analysis.of(seat))

    async def compared(self, request: Request) -> Response:
        """The result of a solitaire game, and what agents reach in the same deal."""
        body = await body_of(request, {"keys": str}, {"keys"})
        room, _ = await self._rooms.found(request, body["keys"])
        async with room.lock:
            table = room.table
            if not is_compared(table):
                raise Refusal(409, TEXTS["not compared"])
            result = lowest(table.session.game)
        async with self._thinking():
            if room.compared is None:
                room.compared = await run_in_threadpool(results_of, table, self._rooms.agents)
        return JSONResponse({"result": result, "agents": room.compared})

    @asynccontextmanager
    async def _thinking(
        self, seconds: float | None = None, request: Request | None = None
    ) -> AsyncIterator[Event]:
        """A block for a computation by an agent of no seat.

        Args:
            seconds: after which it should stop.
            request: for whose answer it is made: it stops when the page no longer waits for that.

        Yields:
            The flag that requests it to stop.
        """
        stop = Event()
        self._stops.add(stop)
        leaving = None if request is None else asyncio.create_task(_stop_at_end(request, stop))
        try:
            async with self._rooms.thinkers:
                if leaving is not None and leaving.done():
                    raise Refusal(400, "the request ended early")
                timer = asyncio.get_running_loop().call_later(seconds, stop.set) if seconds else None
                try:
                    yield stop
                finally:
                    if timer is not None:
                        timer.cancel()
        finally:
            self._stops.discard(stop)
            if leaving is not None:
                leaving.cancel()

    async def _mark_hints(self, room: Room) -> None:
        """Record that a player used hints."""
        async with room.lock:
            if not room.table.hints and HUMAN in room.table.seats:
                draft = room.table.draft()
                draft.hints = True
                room.change(draft)

    def close(self) -> None:
        """Make all agents that help decide now."""
        for stop in self._stops:
            stop.set()


def _judge_of(room: Room) -> Policy:
    if room.judge is None:
        raise Refusal(422, TEXTS["no judge"].format(judge=JUDGE))
    return room.judge


def _advised_position(table: Table, seats: list[int], version: int, at: int | None) -> tuple[Any, Any] | None:
    """The position that a page wants advice on, and the move that was played there, or None.

    None if the page does not show the latest state.
    """
    if at is None:
        return (table.session.game, None) if table.is_to_move(seats, version) else None
    if not table.is_open:
        raise Refusal(409, TEXTS["not over"])
    if HUMAN in table.seats and not table.is_current(seats, version):
        return None
    game, played = table.reviewed(table.seat_shown(seats), at)
    if game.is_over:
        raise Refusal(422, TEXTS["over"])
    return game, played


async def _stop_at_end(request: Request, stop: Event) -> None:
    """Set a flag when a page stops waiting for an answer; the body has been read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
    stop.set()


def _stoppable(stop: Event, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function that a flag can stop."""
    with stoppable(stop):
        return function(*arguments)
