"""The built site, in the folder `INGENIOUS_SITE`: links, anchors, pictures, public names, accessibility."""

from __future__ import annotations

import functools
import http.server
import os
import re
import threading
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from browser import chromium
from test_public_names import PUBLIC

SEEN = (
    "index",
    "play",
    "tutorials/self_play",
    "howto/index",
    "howto/trainers/agilerl",
    "reference/environments/ingenious",
    "reference/api/ingenious_env",
    "reference/commands",
    "reference/rules/ingenious",
    "explanation/engine",
    "benchmark/ladder",
    "changes",
    "search",
)
"""A page of each kind."""
SIZES = {"phone": {"width": 390, "height": 844}, "laptop": {"width": 1280, "height": 800}}


@pytest.fixture(scope="module")
def site():
    """The folder; the tests are skipped where the site has not been built."""
    if "INGENIOUS_SITE" not in os.environ:
        pytest.skip("INGENIOUS_SITE names no site; .ci/run builds it")
    return Path(os.environ["INGENIOUS_SITE"])


@pytest.fixture(scope="module")
def address(site):
    """The address of a server of the site."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class Targets(HTMLParser):
    """The links, pictures and anchors of a page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.anchors.add(found.get("id", ""))
        wanted = {"a": "href", "img": "src", "iframe": "src", "script": "src", "link": "href"}.get(tag)
        if wanted and found.get(wanted) and found.get("rel") != "search":
            self.links.append(found[wanted])


def test_the_site_is_whole(site):
    """Links, anchors and pictures lead somewhere, and each public name has an entry."""
    others = {site / "play", site / "_static"}
    paths = [path for path in site.rglob("*.html") if not others & {*path.parents}]
    found = {path: Targets(path) for path in paths}
    assert len(found) > 60
    wrong = []
    for path, page in found.items():
        assert not re.search(r"`{3}|:{3}\{|\{[a-z-]+\}`", path.read_text(encoding="utf-8")), path
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme:
                wrong += [(path.name, link)] if link not in outside(path) else []
                continue
            place = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            place = place / "index.html" if place.is_dir() else place
            if not place.exists() or (parts.fragment and parts.fragment not in anchors(found, place)):
                wrong.append((path.name, link))
    assert wrong == []
    for module, names in PUBLIC.items():
        path = site / "reference" / "api" / f"{module}.html"
        text = path.read_text(encoding="utf-8")  # a name of another module has a link there
        explained = {name for name in names.split() if f"{module}.{name}" in found[path].anchors}
        linked = {name for name in names.split() if f'<span class="pre">{name}</span></code></dt>' in text}
        assert explained | linked == set(names.split())
    assert (site / "play" / "index.html").exists()


def outside(path):
    """The links to other sites: those of `a`, never of scripts or pictures."""
    text = path.read_text(encoding="utf-8")
    return set(re.findall(r'<a\b[^>]*\bhref="(https://[^"]+)"', text))


def anchors(found, place):
    """The anchors of a page."""
    return found[place].anchors if place in found else Targets(place).anchors


def test_the_game_is_loaded_where_its_picture_is_pressed(site, address):
    """On the landing page, which requests nothing of it before."""
    with chromium() as browser:
        page, asked = browser.new_page(), []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{address}/index.html", wait_until="networkidle")
        assert [url for url in asked if url.startswith(f"{address}/play/")] == []
        page.click(".play-here a")
        page.frame_locator("iframe.game").locator("dialog[open]").wait_for()
        assert page.url == f"{address}/index.html"


def test_each_column_has_a_head(site):
    """On all pages: of the faults of accessibility, the one that text alone can have."""
    empty = re.compile(r"<th\b[^>]*>\s*(<p>\s*</p>)?\s*</th>")
    assert [
        name for name in names_of(site) if empty.search((site / f"{name}.html").read_text(encoding="utf-8"))
    ] == []


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("size", SIZES)
def test_pages_of_each_kind_have_no_fault(address, size, theme):
    look(address, size, theme, SEEN)


@pytest.mark.nightly
@pytest.mark.parametrize(("size", "theme"), [("phone", "dark"), ("laptop", "light")])
def test_all_pages_have_no_fault(site, address, size, theme):
    look(address, size, theme, names_of(site))


def names_of(site):
    """All pages but the game, which has tests of its own."""
    paths = (path.relative_to(site) for path in site.rglob("*.html"))
    found = [path.with_suffix("").as_posix() for path in paths if path.parts[0] not in ("play", "_static")]
    assert len(found) > 60
    return sorted(found)


def look(address, size, theme, names):
    """Pages have no fault of accessibility, request nothing from elsewhere, and fit the screen."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    with chromium() as browser:
        context = browser.new_context(viewport=SIZES[size], color_scheme=theme, reduced_motion="reduce")
        wrong = {}
        for name in names:
            page, asked = context.new_page(), []
            page.on("request", lambda request, asked=asked: asked.append(request.url))
            page.goto(f"{address}/{name}.html")
            found = axe.run(page, options={"resultTypes": ["violations"]}).response["violations"]
            faults = [(rule["id"], [node["html"][:200] for node in rule["nodes"]]) for rule in found]
            faults += [("from elsewhere", url) for url in asked if not url.startswith((address, "data:"))]
            if (width := page.evaluate("document.documentElement.scrollWidth")) > SIZES[size]["width"]:
                faults.append(("too wide", width))
            if faults:
                wrong[name] = faults
            page.close()
        assert wrong == {}
