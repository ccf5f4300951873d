"""The routes of the browser game; all of them are protected by `guard.py`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from threading import Event
from typing import Any
from weakref import WeakValueDictionary

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ingenious_env.engine.definition import AnyRules
from ingenious_env.errors import IllegalActionError
from ingenious_env.policies.judging import judge
from ingenious_env.policies.thinking import stoppable
from ingenious_env.policies.view import Policy
from ingenious_env.render.player import replay_states
from ingenious_env.web import page
from ingenious_env.web.advice import advised
from ingenious_env.web.alone import is_compared, lowest, results_of
from ingenious_env.web.answers import HANDLERS, NewsResponse
from ingenious_env.web.folder import reason
from ingenious_env.web.guard import Refusal
from ingenious_env.web.offer import Offer
from ingenious_env.web.real import draws_of, real_table
from ingenious_env.web.requests import body_of, move_of, number_of, reason_of, rules_of
from ingenious_env.web.rooms import LONGEST_THOUGHT, Room
from ingenious_env.web.store import Store
from ingenious_env.web.tables import HUMAN, Agent, Table
from ingenious_env.web.texts import TEXTS
from ingenious_env.web.visible import visible

MAX_STREAMS = 32
JUDGE = "value"
"""The agent that judges moves: its network is calibrated."""


class Server:
    """The state of the routes.

    Args:
        agents: that can be chosen.
        store: of the tables.
        thinkers: number of agents that think concurrently.
    """

    def __init__(self, agents: Mapping[str, Agent], store: Store, thinkers: int = 2) -> None:
        self.agents, self.store = agents, store
        self.rooms: WeakValueDictionary[str, Room] = WeakValueDictionary()
        """By table, the room that requests, pages and agents share, while any of them uses it."""
        self._thinkers = asyncio.Semaphore(thinkers)
        self._advising: set[Event] = set()
        """The stop flag of each piece of advice that is being computed."""
        self._streams = 0
        """The number of pages that listen, or are about to."""

    def routes(self) -> list[Route]:
        """All routes."""
        offer = Offer(self.agents)
        return [
            *page.routes(),
            Route("/api/games", offer.games),
            Route("/api/look", offer.look, methods=["POST"]),
            Route("/api/deal", offer.deal, methods=["POST"]),
            Route("/api/read", offer.read, methods=["POST"]),
            Route("/api/tables", self.create, methods=["POST"]),
            Route("/api/tables/{id}", self.show),
            Route("/api/tables/{id}/move", self.move, methods=["POST"]),
            Route("/api/tables/{id}/draws", self.draws, methods=["POST"]),
            Route("/api/tables/{id}/back", self.back, methods=["POST"]),
            Route("/api/tables/{id}/stop", self.stop, methods=["POST"]),
            Route("/api/tables/{id}/delete", self.delete, methods=["POST"]),
            Route("/api/tables/{id}/advice", self.advice, methods=["POST"]),
            Route("/api/tables/{id}/judge", self.judge, methods=["POST"]),
            Route("/api/tables/{id}/analysis", self.analysis, methods=["POST"]),
            Route("/api/tables/{id}/compared", self.compared, methods=["POST"]),
            Route("/api/tables/{id}/record", self.record),
            Route("/api/tables/{id}/position", self.position),
            Route("/api/tables/{id}/picture", self.picture),
            Route("/api/tables/{id}/replay", self.replay),
            Route("/api/tables/{id}/events", self.events),
        ]

    # Tables.

    async def create(self, request: Request) -> Response:
        """A new table, one that continues a record or a position, or one that follows a real one."""
        kinds = {"game": str, "rules": str, "seats": list, "seed": int, "text": str, "real": dict}
        body = await body_of(request, kinds, set())
        try:
            table = await run_in_threadpool(self._table, body)
        except (ValueError, IllegalActionError, TypeError) as error:
            raise Refusal(422, str(error)) from None
        if self.store.is_full:
            raise Refusal(503, TEXTS["full"])
        self.store.add(table)
        self._room(table).resume()
        keys = {str(seat): key for seat, key in enumerate(table.keys) if key}
        return JSONResponse({"id": table.id, "keys": keys})

    def _table(self, body: Mapping[str, Any]) -> Table:
        seats = [str(seat) for seat in body.get("seats", [])]
        if "text" in body:
            return Table.of_text(body["text"], seats, self.agents)
        rules = rules_of(body.get("game", ""), body.get("rules", ""))
        if "real" in body:
            return Table.of_real(real_table(rules, body["real"]))
        return Table.of(rules, seats, self.agents, body.get("seed"))

    async def show(self, request: Request) -> Response:
        """A table as its page may see it."""
        room, seat = self._found(request, request.query_params.get("keys", ""))
        async with room.lock:
            return JSONResponse(self._state(room, seat, number_of(request, "at")))

    def _state(self, room: Room, seats: list[int], at: int | None = None) -> dict[str, Any]:
        table = room.table
        state = visible(table, table.seat_shown(seats), at)
        judge = None if room.judge is None else JUDGE
        yours = seats if table.real is None else [table.real.seat]
        return {**state, "yours": yours, "thinking": room.is_thinking, "judge": judge}

    # Moves.

    async def move(self, request: Request) -> Response:
        """Play a move, as text, for the seat to move; at a real table with the tiles drawn or shown."""
        kinds = {"keys": str, "version": int, "move": str, "tiles": list}
        body = await body_of(request, kinds, {"keys", "version", "move"})
        room, seats = self._found(request, body["keys"])
        table = room.table
        async with room.lock:
            if not table.is_to_move(seats, body["version"]):
                return JSONResponse(self._state(room, seats), status_code=409)
            draft = table.draft()
            try:
                move = move_of(table.definition, body["move"])
                if table.real is None:
                    await run_in_threadpool(lambda: draft.play(draft.session.game.action(move)))
                else:
                    await run_in_threadpool(draft.enter, body["move"], list(map(str, body.get("tiles", []))))
            except (ValueError, TypeError) as error:
                raise Refusal(422, reason_of(error)) from None
            room.change(draft)
            state = self._state(room, seats)
        room.notify_moves()
        room.resume()
        return JSONResponse({**state, "thinking": room.is_thinking})

    async def delete(self, request: Request) -> Response:
        """Delete a table, for a page that has the seats of all people."""
        body = await body_of(request, {"keys": str}, {"keys"})
        room, seats = self._found(request, body["keys"])
        table = room.table
        async with room.lock:
            if len(seats) < sum(map(bool, table.keys)):
                raise Refusal(403, TEXTS["others"])
            await room.end_thought()
            try:
                self.store.remove(table)
            except OSError:
                room.resume()
                raise
        room.notify("failed", error=TEXTS["deleted"])
        room.close()
        return JSONResponse({"deleted": True})

    async def draws(self, request: Request) -> Response:
        """The tiles that the own seat at a real table can draw after a move."""
        kinds = {"keys": str, "version": int, "move": str}
        body = await body_of(request, kinds, kinds.keys())
        room, seats = self._found(request, body["keys"])
        table = room.table
        async with room.lock:
            if not table.is_to_move(seats, body["version"]):
                return JSONResponse(self._state(room, seats), status_code=409)
            if table.real is None:
                raise Refusal(422, TEXTS["not real"])
            try:
                move_of(table.definition, body["move"])
                found = await run_in_threadpool(draws_of, table.real, body["move"])
            except (ValueError, TypeError) as error:
                raise Refusal(422, reason_of(error)) from None
        return JSONResponse(found)

    async def back(self, request: Request) -> Response:
        """Take back to the last decision of the page's seat; with `allow`, answer somebody who asks for it.

        Where people at other pages would notice, they are asked first; the first answer counts.
        """
        kinds = {"keys": str, "version": int, "allow": bool}
        body = await body_of(request, kinds, {"keys", "version"})
        room, seats = self._found(request, body["keys"])
        table = room.table
        async with room.lock:
            if not table.is_current(seats, body["version"]):
                return JSONResponse(self._state(room, seats), status_code=409)
            if "allow" in body:
                if table.asking is None or table.asking in seats:
                    raise Refusal(422, TEXTS["not asked"])
                takes, asking, seat = body["allow"], None, table.asking
            else:
                own = [turn.seat for turn in table.session.turns if turn.seat in seats]
                if not own:
                    raise Refusal(422, TEXTS["no move"])
                asking = seat = own[-1]
                takes = not (table.has_people_elsewhere(seats) and table.draft().take_back(seat))
            if takes:
                await self._take_back(room, seat)
            else:
                draft = table.draft()
                draft.ask(asking)
                room.change(draft)
            state = self._state(room, seats)
        room.notify_moves()
        return JSONResponse({**state, "thinking": room.is_thinking})

    async def _take_back(self, room: Room, seat: int) -> None:
        """Go back to the last decision of a seat; the room is locked."""
        try:
            await room.end_thought()
            draft = room.table.draft()
            draft.take_back(seat)
            room.change(draft)
        finally:
            room.resume()

    async def stop(self, request: Request) -> Response:
        """Make the thinking agent decide now."""
        body = await body_of(request, {"keys": str}, {"keys"})
        room, _ = self._found(request, body["keys"])
        return JSONResponse({"stopped": room.stop()})

    # Agents.

    async def advice(self, request: Request) -> Response:
        """An agent's values of the actions of the seat to move, which must be the page's.

        With `at`, a number of moves, of the seat to move after these, if the table is open to all.
        """
        kinds = {"keys": str, "version": int, "agent": str, "at": int}
        body = await body_of(request, kinds, {"keys", "version", "agent"})
        room, seats = self._found(request, body["keys"])
        table = room.table
        if body["agent"] not in self.agents:
            raise Refusal(422, f"agent must be one of {', '.join(self.agents)}, not {body['agent'][:40]!r}")
        at = body.get("at")
        async with room.lock:
            wanted = _advised_position(table, seats, body["version"], at)
            if wanted is None:
                return JSONResponse(self._state(room, seats), status_code=409)
            game, played = wanted
            if table.real is not None and game.to_play != table.real.seat:
                raise Refusal(422, TEXTS["hints"])
        async with self._thinking(LONGEST_THOUGHT, request) as stop:
            try:
                policy = self.agents[body["agent"]].for_rules(table.rules)
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
        room, seats = self._found(request, body["keys"])
        table = room.table
        policy = _judge_of(room)
        async with room.lock:
            if not table.is_to_move(seats, body["version"]):
                return JSONResponse(self._state(room, seats), status_code=409)
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
        room, seats = self._found(request, body["keys"])
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
        """The result of a game for one, and what agents reach in the same deal."""
        body = await body_of(request, {"keys": str}, {"keys"})
        room, _ = self._found(request, body["keys"])
        async with room.lock:
            table = room.table
            if not is_compared(table):
                raise Refusal(409, TEXTS["not compared"])
            result = lowest(table.session.game)
        async with self._thinking():
            if room.compared is None:
                room.compared = await run_in_threadpool(results_of, table, self.agents)
        return JSONResponse({"result": result, "agents": room.compared})

    def _judge(self, rules: AnyRules) -> Policy | None:
        agent = self.agents.get(JUDGE)
        return agent.for_rules(rules) if agent is not None and agent.plays(rules) else None

    @asynccontextmanager
    async def _thinking(
        self, seconds: float | None = None, request: Request | None = None
    ) -> AsyncIterator[Event]:
        """A block for a computation by an agent of no seat.

        Args:
            seconds: after which it should stop.
            request: for whose answer alone it is made: it stops when the page no longer waits for that.

        Yields:
            The flag that requests it to stop.
        """
        stop = Event()
        self._advising.add(stop)
        leaving = None if request is None else asyncio.create_task(_stop_at_end(request, stop))
        try:
            async with self._thinkers:
                if leaving is not None and leaving.done():
                    raise Refusal(400, "the request ended early")
                timer = asyncio.get_running_loop().call_later(seconds, stop.set) if seconds else None
                try:
                    yield stop
                finally:
                    if timer is not None:
                        timer.cancel()
        finally:
            self._advising.discard(stop)
            if leaving is not None:
                leaving.cancel()

    async def _mark_hints(self, room: Room) -> None:
        """Record that a player used hints."""
        async with room.lock:
            if not room.table.hints and HUMAN in room.table.seats:
                draft = room.table.draft()
                draft.hints = True
                room.change(draft)

    # Records and pictures.

    async def record(self, request: Request) -> Response:
        """The record of a game that is over, up to a move, as text; before that it would reveal the bag."""
        table = self._open_table(request, TEXTS["record"])
        record = table.session.record
        turns = table.turns_at(None, number_of(request, "at"))
        return Response(replace(record, moves=record.moves[:turns]).to_text(), media_type="text/plain")

    async def replay(self, request: Request) -> Response:
        """All positions of a game that is over, for a page that plays it back."""
        table = self._open_table(request, TEXTS["replay"])
        return JSONResponse({"states": await run_in_threadpool(replay_states, table.session, table.names())})

    async def position(self, request: Request) -> Response:
        """A position of a game that is over, as text."""
        table = self._open_table(request, TEXTS["position"])
        game = table.session.at(table.turns_at(None, number_of(request, "at")))
        return Response(game.to_text(), media_type="text/plain")

    def _open_table(self, request: Request, what: str) -> Table:
        """The table of a request if all of it may be revealed: it is over, or only agents play."""
        room, _ = self._found(request, request.query_params.get("keys", ""))
        if room.table.real is not None:
            raise Refusal(409, TEXTS["no text"].format(what=what))
        if not room.table.is_open:
            raise Refusal(409, TEXTS["hidden"].format(what=what))
        return room.table

    async def picture(self, request: Request) -> Response:
        """The position as an SVG picture, as the page's seat may see it."""
        room, seats = self._found(request, request.query_params.get("keys", ""))
        theme = "light" if request.query_params.get("theme") == "light" else "dark"
        table, at = room.table, number_of(request, "at")
        seat = table.seat_shown(seats)
        try:
            game = table.session.at(table.turns_at(seat, at))
        except ValueError as error:
            raise Refusal(422, str(error)) from None
        viewer = None if table.session.is_over and table.real is None else seat
        svg = table.definition.draw_svg(game, viewer=viewer, names=table.names(), theme=theme)
        return Response(svg, media_type="image/svg+xml")

    # News.

    async def events(self, request: Request) -> Response:
        """The events of a table, as server-sent events."""
        room, seats = self._found(request, request.query_params.get("keys", ""))
        if request.method == "HEAD":
            return Response(media_type="text/event-stream")
        if self._streams >= MAX_STREAMS:
            raise Refusal(503, f"at most {MAX_STREAMS} pages may listen")
        self._streams += 1
        return NewsResponse(room.news(room.table.seat_shown(seats)), self._end_stream)

    def _end_stream(self) -> None:
        self._streams -= 1

    def notify_compiling(self, *, now: bool) -> None:
        """Notify all pages of the begin or the end of a compilation."""
        for room in self.rooms.values():
            room.notify("compiling", now=now)

    def close(self) -> None:
        """End all streams, and make all agents decide now, so that the server can end."""
        for room in self.rooms.values():
            room.close()
        for stop in self._advising:
            stop.set()

    # Lookup.

    def _room(self, table: Table) -> Room:
        room = self.rooms.get(table.id)
        if room is None:
            judge = self._judge(table.rules) if table.real is None else None
            room = Room(table, self.store, self._thinkers, judge)
            self.rooms[table.id] = room
        return room

    def _found(self, request: Request, keys: str) -> tuple[Room, list[int]]:
        """The room of a request, and the seats whose keys it has; a table with agents only needs none."""
        try:
            table = self.store.get(request.path_params["id"])
        except OSError as error:
            raise Refusal(503, TEXTS["not read"].format(reason=reason(error))) from None
        if table is None:
            raise Refusal(404, TEXTS["no table"])
        seats = table.own_seats(keys.split(","))
        if not seats and HUMAN in table.seats:
            raise Refusal(403, TEXTS["no seat"])
        return self._room(table), seats


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


def make_app(agents: Mapping[str, Agent], store: Store, thinkers: int = 2) -> Starlette:
    """The application, without its guard; `app.state.close()` ends all streams and computations."""
    server = Server(agents, store, thinkers)
    app = Starlette(routes=server.routes(), exception_handlers=HANDLERS)
    app.router.redirect_slashes = False
    app.state.close, app.state.notify_compiling = server.close, server.notify_compiling
    return app
