"""The page and its files."""

from __future__ import annotations

from functools import cache
from pathlib import PurePath

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ingenious_env.engine.definition import definitions
from ingenious_env.languages import language, word
from ingenious_env.render.modules import SHARED, names_in, page_folder, read
from ingenious_env.render.styles import theme_css
from ingenious_env.web import lessons
from ingenious_env.web.guard import Refusal
from ingenious_env.web.icon import icon

TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
}
OWN = "web/static"
INDEX_WORDS = ("Ingenious", "This page needs JavaScript.")


async def page(_request: Request) -> Response:
    """The page."""
    return Response(index(), media_type="text/html")


async def static(request: Request) -> Response:
    """A file of the page, by its path in a fixed table."""
    path = request.url.path.removeprefix("/")
    if path in lessons.paths():
        return _answer(path, await run_in_threadpool(lessons.made, path))
    if path not in _paths():
        raise Refusal(404, "there is no such file")
    return _answer(path)


def index() -> str:
    """The page itself."""
    text = read(f"{OWN}/index.html").replace('lang="en"', f'lang="{language()}"', 1)
    for shown in INDEX_WORDS:
        text = text.replace(f">{shown}<", f">{word(shown)}<")
    return text


def folders() -> list[str]:
    """The folders of static files, by path."""
    games = (page_folder(name) for name, game in definitions().items() if game.pages)
    return [OWN, SHARED, *filter(names_in, games)]


def routes() -> list[Route]:
    """The routes of the page and its files."""
    return [Route("/", page), *(Route(f"/{folder}/{{name}}", static) for folder in folders())]


def _answer(path: str, content: str = "") -> Response:
    return Response(content or made().get(path) or read(path), media_type=TYPES[PurePath(path).suffix])


@cache
def _paths() -> set[str]:
    """The paths of all files that a page may load."""
    found = {f"{folder}/{name}" for folder in folders() for name in names_in(folder)}
    return {path for path in found if PurePath(path).suffix in TYPES} | set(made())


@cache
def made() -> dict[str, str]:
    """The generated files, by path."""
    return {f"{OWN}/theme.css": theme_css(), f"{OWN}/icon.svg": icon()}
