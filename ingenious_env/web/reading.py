"""The routes by which a table is read: its record, positions and pictures."""

from __future__ import annotations

from dataclasses import replace

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ingenious_env.render.player import replay_states
from ingenious_env.web.guard import Refusal
from ingenious_env.web.lookup import OpenRooms
from ingenious_env.web.requests import number_of
from ingenious_env.web.tables import Table
from ingenious_env.web.texts import TEXTS


class Reading:
    """Routes that return the record, the positions and a picture of a table.

    Args:
        rooms: those in use.
    """

    def __init__(self, rooms: OpenRooms) -> None:
        self._rooms = rooms

    async def record(self, request: Request) -> Response:
        """The record of a game that is over, up to a move, as text; before that it would reveal the bag."""
        table = await self._open_table(request, TEXTS["record"])
        record = table.session.record
        turns = table.turns_at(None, number_of(request, "at"))
        return Response(replace(record, moves=record.moves[:turns]).to_text(), media_type="text/plain")

    async def replay(self, request: Request) -> Response:
        """All positions of a game that is over, for a page that plays it back."""
        table = await self._open_table(request, TEXTS["replay"])
        return JSONResponse({"states": await run_in_threadpool(replay_states, table.session, table.names())})

    async def position(self, request: Request) -> Response:
        """A position of a game that is over, as text."""
        table = await self._open_table(request, TEXTS["position"])
        game = table.session.at(table.turns_at(None, number_of(request, "at")))
        return Response(game.to_text(), media_type="text/plain")

    async def _open_table(self, request: Request, what: str) -> Table:
        """The table of a request if all of it may be revealed: it is over, or only agents play."""
        room, _ = await self._rooms.found(request, request.query_params.get("keys", ""))
        if room.table.real is not None:
            raise Refusal(409, TEXTS["no text"].format(what=what))
        if not room.table.is_open:
            raise Refusal(409, TEXTS["hidden"].format(what=what))
        return room.table

    async def picture(self, request: Request) -> Response:
        """The position as an SVG picture, as the page's seat may see it."""
        room, seats = await self._rooms.found(request, request.query_params.get("keys", ""))
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
