"""The routes of the browser game; all of them are protected by `guard.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import methodcaller
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ingenious_env.errors import IllegalActionError
from ingenious_env.web import page
from ingenious_env.web.advising import Advising
from ingenious_env.web.answers import HANDLERS, NewsResponse
from ingenious_env.web.guard import Refusal
from ingenious_env.web.lookup import OpenRooms, state_of
from ingenious_env.web.offer import Offer
from ingenious_env.web.reading import Reading
from ingenious_env.web.real import draws_of, real_table
from ingenious_env.web.requests import body_of, move_of, number_of, reason_of, rules_of
from ingenious_env.web.rooms import Room
from ingenious_env.web.store import Store
from ingenious_env.web.tables import Agent, Table
from ingenious_env.web.texts import TEXTS

MAX_STREAMS = 32


class Server:
    """The state of the routes.

    Args:
        agents: that can be chosen.
        store: of the tables.
        thinkers: number of agents that think concurrently.
    """

    def __init__(self, agents: Mapping[str, Agent], store: Store, thinkers: int = 2) -> None:
        self.rooms = OpenRooms(agents, store, thinkers)
        self._advising = Advising(self.rooms)
        self._streams = 0
        """The number of pages that listen, or are about to."""

    def routes(self) -> list[Route]:
        """All routes."""
        offer, advising, reading = Offer(self.rooms.agents), self._advising, Reading(self.rooms)
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
            Route("/api/tables/{id}/advice", advising.advice, methods=["POST"]),
            Route("/api/tables/{id}/judge", advising.judge, methods=["POST"]),
            Route("/api/tables/{id}/analysis", advising.analysis, methods=["POST"]),
            Route("/api/tables/{id}/compared", advising.compared, methods=["POST"]),
            Route("/api/tables/{id}/record", reading.record),
            Route("/api/tables/{id}/position", reading.position),
            Route("/api/tables/{id}/picture", reading.picture),
            Route("/api/tables/{id}/replay", reading.replay),
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
        if self.rooms.store.is_full:
            raise Refusal(503, TEXTS["full"])
        self.rooms.store.add(table)
        self.rooms.of(table).resume()
        keys = {str(seat): key for seat, key in enumerate(table.keys) if key}
        return JSONResponse({"id": table.id, "keys": keys})

    def _table(self, body: Mapping[str, Any]) -> Table:
        seats = [str(seat) for seat in body.get("seats", [])]
        if "text" in body:
            return Table.of_text(body["text"], seats, self.rooms.agents)
        rules = rules_of(body.get("game", ""), body.get("rules", ""))
        if "real" in body:
            return Table.of_real(real_table(rules, body["real"]))
        return Table.of(rules, seats, self.rooms.agents, body.get("seed"))

    async def show(self, request: Request) -> Response:
        """A table as its page may see it."""
        room, seat = await self.rooms.found(request, request.query_params.get("keys", ""))
        async with room.lock:
            return JSONResponse(state_of(room, seat, number_of(request, "at")))

    # Moves.

    async def move(self, request: Request) -> Response:
        """Play a move, as text, for the seat to move; at a real table with the tiles drawn or shown."""
        kinds = {"keys": str, "version": int, "move": str, "tiles": list}
        body = await body_of(request, kinds, {"keys", "version", "move"})
        room, seats = await self.rooms.found(request, body["keys"])
        table = room.table
        async with room.lock:
            if not table.is_to_move(seats, body["version"]):
                return JSONResponse(state_of(room, seats), status_code=409)
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
            state = state_of(room, seats)
        room.notify_moves()
        room.resume()
        return JSONResponse({**state, "thinking": room.is_thinking})

    async def delete(self, request: Request) -> Response:
        """Delete a table, for a page that has the seats of all people."""
        body = await body_of(request, {"keys": str}, {"keys"})
        room, seats = await self.rooms.found(request, body["keys"])
        table = room.table
        async with room.lock:
            if len(seats) < sum(map(bool, table.keys)):
                raise Refusal(403, TEXTS["others"])
            await room.end_thought()
            try:
                self.rooms.store.remove(table)
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
        room, seats = await self.rooms.found(request, body["keys"])
        table = room.table
        async with room.lock:
            if not table.is_to_move(seats, body["version"]):
                return JSONResponse(state_of(room, seats), status_code=409)
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
        room, seats = await self.rooms.found(request, body["keys"])
        table = room.table
        async with room.lock:
            if not table.is_current(seats, body["version"]):
                return JSONResponse(state_of(room, seats), status_code=409)
            if "allow" in body:
                if table.asking is None or table.asking in seats:
                    raise Refusal(422, TEXTS["not asked"])
                takes, asking = body["allow"], None
                take_back: Callable[[Table], Any] = Table.grant
            else:
                own = [turn.seat for turn in table.session.turns if turn.seat in seats]
                if not own:
                    raise Refusal(422, TEXTS["no move"])
                asking = own[-1]
                takes = not (table.has_people_elsewhere(seats) and table.is_noticed(asking))
                take_back = methodcaller("take_back", asking)
            if takes:
                await self._take_back(room, take_back)
            else:
                draft = table.draft()
                draft.ask(asking)
                room.change(draft)
            state = state_of(room, seats)
        room.notify_moves()
        return JSONResponse({**state, "thinking": room.is_thinking})

    async def _take_back(self, room: Room, take_back: Callable[[Table], Any]) -> None:
        """Take moves of a draft back, and replace the table by it; the room is locked."""
        async with room.paused():
            draft = room.table.draft()
            await run_in_threadpool(take_back, draft)  # which agents with memory may answer late
            room.change(draft)

    async def stop(self, request: Request) -> Response:
        """Make the thinking agent decide now."""
        body = await body_of(request, {"keys": str}, {"keys"})
        room, _ = await self.rooms.found(request, body["keys"])
        return JSONResponse({"stopped": room.stop()})

    # News.

    async def events(self, request: Request) -> Response:
        """The events of a table, as server-sent events."""
        room, seats = await self.rooms.found(request, request.query_params.get("keys", ""))
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
        for room in self.rooms.by_table.values():
            room.notify("compiling", now=now)

    def close(self) -> None:
        """End all streams, and make all agents decide now, so that the server can end."""
        for room in self.rooms.by_table.values():
            room.close()
        self._advising.close()


def make_app(agents: Mapping[str, Agent], store: Store, thinkers: int = 2) -> Starlette:
    """The application, without its guard; `app.state.close()` ends all streams and computations."""
    server = Server(agents, store, thinkers)
    app = Starlette(routes=server.routes(), exception_handlers=HANDLERS)
    app.router.redirect_slashes = False
    app.state.close, app.state.notify_compiling = server.close, server.notify_compiling
    return app
