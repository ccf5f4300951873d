"""The page and its files."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response

from ingenious_env.render.styles import theme_css
from ingenious_env.web.guard import Refusal
from ingenious_env.web.icon import icon

TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
STATIC = files("ingenious_env.web") / "static"


async def page(_request: Request) -> Response:
    """The one page."""
    return Response((STATIC / "index.html").read_bytes(), media_type="text/html")


async def static(request: Request) -> Response:
    """A file of the page, by its name in a fixed table."""
    name = request.path_params["name"]
    if name in _made():
        return Response(_made()[name], media_type=TYPES[name.rpartition(".")[2]])
    known = {each.name for each in STATIC.iterdir() if each.is_file()}
    if name not in known:
        raise Refusal(404, "there is no such file")
    kind = TYPES.get(name.rpartition(".")[2], "application/octet-stream")
    return Response((STATIC / name).read_bytes(), media_type=kind)


@cache
def _made() -> dict[str, str]:
    """The files that are made, by their names."""
    return {"theme.css": theme_css(), "icon.svg": icon()}
