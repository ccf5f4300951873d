"""Links, anchors, pictures and paths on the pages lead to what is in the repository."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import PurePosixPath
from urllib.parse import urlsplit

import pytest
from pages import FENCE, ROOT, blocks_of, pages, text_of

LINK = re.compile(r"\[[^][]*\]\(([^()\s]+)\)|<(?:img|a)\b[^>]*?\b(?:src|href)=\"([^\"]+)\"", re.DOTALL)
PATH = re.compile(r"(?:ingenious_env|agents|scripts|tests|docs|\.ci|\.assets|\.github)/[\w./-]*\w/?")


def prose_of(page: str) -> str:
    """A page without its blocks, where brackets are code."""
    return FENCE.sub("", text_of(page))


def links_of(page: str) -> list[str]:
    """The targets of all links and pictures of a page."""
    prose = re.sub(r"`[^`]*`", "`code`", prose_of(page))
    return [one or other for one, other in LINK.findall(prose)]


def anchors_of(page: str) -> set[str]:
    """Anchors of headings, also of what the site inserts: lower case, no signs, hyphens for spaces."""
    texts = [prose_of(page)]
    for kind, name in re.findall(r"^:::\{(file|docstring)\} (\S+)$", texts[0], re.MULTILINE):
        texts.append(prose_of(name) if kind == "file" else import_module(name).__doc__ or "")
    headings = re.findall(r"^#+ (.*)$", "\n".join(texts), re.MULTILINE)
    plain = [re.sub(r"\[([^]]*)\]\([^)]*\)|`", r"\1", heading).strip().lower() for heading in headings]
    return {re.sub(r"[^\w -]", "", heading).replace(" ", "-") for heading in plain}


def wrong(page: str, target: str) -> str:
    """The fault of a link; "" for none."""
    parts = urlsplit(target)
    if parts.scheme:
        return "" if parts.scheme == "https" and "." in parts.netloc else "no address of the web"
    folder = PurePosixPath(page).parent
    place = (ROOT / folder / parts.path).resolve() if parts.path else ROOT / page
    if not place.is_relative_to(ROOT) or not place.exists():
        return "there is no such file"
    if parts.fragment:
        if place.suffix != ".md":
            return "an anchor in what is not a page"
        if parts.fragment not in anchors_of(place.relative_to(ROOT).as_posix()):
            return "there is no such heading"
    return ""


@pytest.mark.parametrize("page", pages())
def test_links_lead_somewhere(page):
    assert {target: why for target in links_of(page) if (why := wrong(page, target))} == {}


def test_wrong_links_are_noticed():
    page = "docs/howto/clusters.md"
    assert wrong(page, "../explanation/scaling.md#the-model") == ""
    assert wrong(page, "../explanation/scaling.md#the-models")
    assert wrong(page, "scaling.md")
    assert wrong(page, "#speech")
    assert wrong(page, "http://docs.ray.io")
    assert wrong(page, "../../../outside.md")
    assert sum(len(links_of(page)) for page in pages()) > 60


def test_each_how_to_that_installs_pytorch_says_how_to_avoid_cuda():
    """In a line of its own: what is installed first decides."""
    folder, place = "docs/howto/", "install.md#without-a-gpu-no-cuda"
    asked = [
        page
        for page in pages()
        if page.startswith(folder)
        and any("-c .ci/constraints.txt" in each.text for each in blocks_of(page, "bash"))
    ]
    assert len(asked) > 10
    assert [page for page in asked if not any(link.endswith(place) for link in links_of(page))] == []


def test_each_picture_is_shown():
    shown = {PurePosixPath(target).name for page in pages() for target in links_of(page)}
    assert {path.name for path in (ROOT / ".assets").iterdir()} <= shown


def test_each_page_can_be_reached_from_the_readme():
    found, waiting = set(), ["README.md"]
    while waiting:
        page = waiting.pop()
        found.add(page)
        for target in links_of(page):
            parts = urlsplit(target)
            place = (ROOT / PurePosixPath(page).parent / parts.path).resolve()
            inside = [place] if place.is_file() else sorted(place.glob("*.md")) if place.is_dir() else []
            for each in inside:
                name = each.relative_to(ROOT).as_posix()
                if not parts.scheme and each.suffix == ".md" and name not in found:
                    waiting.append(name)
    assert set(pages()) <= found


@pytest.mark.parametrize("page", pages())
def test_paths_in_the_text_exist(page):
    named = [path for code in re.findall(r"`([^`\n]+)`", prose_of(page)) for path in PATH.findall(code)]
    assert [path for path in named if not (ROOT / path).exists()] == []
