"""The page itself in a real browser: its width, its size, and who may reach it."""

import gzip
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import urlsplit

import numpy as np
import pytest

pytest.importorskip("starlette")

from browser_play import SEED, expected, sit_down
from patience import PATIENCE, wait_until

from ingenious_env import Rules
from ingenious_env.engine.definition import definition_of
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.web.lessons import WHOLE

SIZE = 110_000
"""Bytes of all that a page loads until it shows a game, as they are."""
PACKED_SIZE = 41_000
"""The same as file servers pack them."""


@pytest.mark.parametrize(
    "rules",
    [Rules(), Rules(4), Rules.solitaire(), LoopitRules(4)],
    ids=["two", "four", "solitaire", "loopit"],
)
def test_nothing_is_wider_than_the_window(client, browser, rules):
    tab, _, _ = sit_down(client, browser, rules)
    for width in (360, 390, 768, 1024, 1340):
        tab.page.set_viewport_size({"width": width, "height": 844})
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
        unnamed = tab.page.evaluate(
            "[...document.querySelectorAll('button,input,select')]"
            ".filter(e => !(e.innerText || e.ariaLabel || (e.labels && e.labels.length)))"
            ".map(e => e.outerHTML)"
        )
        assert unnamed == []
    tab.close()


class Elsewhere(BaseHTTPRequestHandler):
    """A page of another site, which forbids itself nothing."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><p>elsewhere")

    def log_message(self, *arguments):
        """Say nothing."""


def test_another_site_cannot_reach_the_game(client, browser):
    """By a name that leads to this machine, from a page of another port, or in a frame."""
    page = browser.new_page()
    answer = page.goto(f"http://evil.test:{client.port}/")
    assert answer.status == 421
    assert f"this server answers at http://127.0.0.1:{client.port}/ only" in page.inner_text("body")
    with HTTPServer(("127.0.0.1", 0), Elsewhere) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        page.goto(f"http://127.0.0.1:{other.server_port}/")
        own, game = (f"http://127.0.0.1:{port}" for port in (other.server_port, client.port))
        tried = page.evaluate(
            """async ([own, game]) => {
                const tell = async (address, options) => {
                    try { return (await fetch(address, options)).status; } catch (error) { return 'refused'; }
                };
                const json = {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'};
                const asked = [tell(own), tell(`${game}/api/games`), tell(`${game}/api/tables`, json)];
                return Promise.all(asked);
            }""",
            [own, game],
        )
        assert tried == [200, "refused", "refused"]
        page.evaluate(
            "game => document.body.append(Object.assign(document.createElement('iframe'), {src: game}))", game
        )
        page.wait_for_timeout(500)
        assert not any("Ingenious" in (frame.content() or "") for frame in page.frames)
        other.shutdown()
    page.close()


@pytest.mark.parametrize("game", ["ingenious", "loopit"])
def test_the_client_is_small(client, browser, game):
    """All that a page loads until it shows a game."""
    answers = {}
    page = browser.new_page()
    page.on("response", lambda answer: answers.setdefault(answer.url, answer))
    page.goto(f"http://127.0.0.1:{client.port}/")
    page.select_option("#game", game)
    page.click("#start")
    page.wait_for_selector("#board svg")
    icon = page.evaluate("document.querySelector('link[rel=icon]').href")
    answers.setdefault(icon, page.request.get(icon))  # which a browser without windows does not load
    # Bodies are read while the page is open, and not in the handler: a page that closes takes them along.
    files = {urlsplit(url).path: answer.body() for url, answer in answers.items() if "/api/" not in url}
    page.close()
    own = {f"/web/static/{name}" for name in ("main.js", "style.css", "theme.css", "icon.svg")}
    assert {"/", f"/games/{game}/page/game.js", "/render/static/drawing.css", *own} <= set(files)
    size = sum(map(len, files.values()))
    packed = sum(len(gzip.compress(content, 9)) for content in files.values())
    print(f"{game}: {size} bytes, {packed} packed")
    assert size < SIZE
    assert packed < PACKED_SIZE


LATER = [
    ("rules.js", "#rules", "#lesson"),
    ("lesson_texts.js", "#rules", "#lesson"),
    ("help.js", "#help", "#set-warn"),
    ("advice.js", "#hints", "#hint0"),
    ("curve.js", "#hints", "#hint0"),
]


@pytest.mark.parametrize(("file", "button", "shown"), LATER)
def test_a_click_waits_for_what_is_loaded_on_first_use(client, browser, file, button, shown):
    """And meanwhile the page is as it was, and can be played on."""
    tab, _, _ = sit_down(client, browser, Rules())
    asked = tab.hold(f"**/{file}")
    tab.page.click(button)
    until_asked(tab, asked)
    assert tab.page.locator(shown).count() == 0
    tab.page.click("#slot0")
    assert tab.page.get_attribute("#slot0", "aria-pressed") == "true"
    asked[0].continue_()
    tab.page.wait_for_selector(shown)
    assert len(asked) == 1
    tab.close()


def until_asked(tab, asked):
    """Until a page has asked for a file."""
    for _ in range(int(PATIENCE * 100)):
        if asked:
            return
        tab.page.wait_for_timeout(10)
    pytest.fail("the page asks for no such file")


def test_a_part_that_cannot_be_loaded_is_told(client, browser):
    tab, _, _ = sit_down(client, browser, Rules())
    tab.page.route("**/rules.js", lambda route: route.abort())
    tab.page.click("#rules")
    tab.page.wait_for_selector("#say:has-text('the server does not answer')")
    tab.page.click("#slot0")
    assert tab.page.get_attribute("#slot0", "aria-pressed") == "true"
    tab.close(broken=True)


def test_the_games_that_are_taught_are_those_with_lessons(client, browser):
    tab, _, _ = sit_down(client, browser, Rules())
    script = """async () => {
        const { LESSONS } = await import("/web/static/lesson_texts.js");
        const { TEXTS } = await import("/web/static/texts.js");
        return [Object.keys(LESSONS), TEXTS.taught];
    }"""
    lessons, taught = tab.page.evaluate(script)
    assert lessons == taught == list(WHOLE)
    tab.close()


@pytest.mark.parametrize("rules", [Rules(), LoopitRules(2)], ids=["ingenious", "loopit"])
def test_the_list_of_moves(rules, client, browser):
    """Those that the page may know, with their points; each leads to the position after it."""
    tab, path, key = sit_down(client, browser, rules)
    page, definition = tab.page, definition_of(rules)
    page.click("#help")
    page.click("#list")
    page.wait_for_selector("#dialog:has-text('There are none yet')")
    page.click("#close")
    for move in expected(rules, person="greedy")[1][:5]:
        state = client.get(f"{path}?keys={key}")
        answer = {"keys": key, "version": state["version"], "move": definition.move_to_text(move)}
        client.post(f"{path}/move", answer)
        wait_until(lambda: client.get(f"{path}?keys={key}")["to_play"] == 0)
    total = client.get(f"{path}?keys={key}")["total"]
    assert total >= 6
    page.reload()
    page.wait_for_selector(f"#replay:has-text('move {total}')")
    page.click("#help")
    page.click("#list")
    page.wait_for_selector("#move1")
    lines = page.eval_on_selector_all("#moves button", "all => all.map((each) => each.textContent)")
    for number, line in enumerate(lines, 1):
        state = client.get(f"{path}?keys={key}&at={number}")
        last, points = state["last"], int(np.sum(state["last"].get("gains", 0)))
        assert line == f"{state['names'][last['seat']]}: {last['move']}{f' +{points}' * (points > 0)}"
    assert len(lines) == total
    page.click("#move3")
    page.wait_for_selector("#say:has-text('Move ')")
    tab.settle()
    assert page.inner_text("#say").startswith("Move 3 of")
    assert page.locator("dialog[open]").count() == 0
    tab.close()


@pytest.mark.parametrize("rules", [Rules(), LoopitRules(2)], ids=["ingenious", "loopit"])
def test_coordinates_on_empty_cells(rules, client, browser):
    """As in typed moves, from the next drawing on and after a reload, until they are switched off."""
    tab, path, key = sit_down(client, browser, rules)
    page = tab.page
    texts = "[one.textContent, one.previousSibling.querySelector('title').textContent]"
    blank = "document.querySelectorAll('#board .cell.blank').length"
    shown = "[...document.querySelectorAll('.coordinate')]"
    labels = f"[{shown}.map((one) => {texts}), {blank}]"  # in one call, as an agent may move between two
    assert page.locator(".coordinate").count() == 0
    page.click("#help")
    page.click("#set-coordinates")
    page.wait_for_selector(".coordinate")
    page.click("#close")
    state = client.get(f"{path}?keys={key}")
    game = definition_of(rules).game(rules, SEED)
    move = game.move(int(game.legal_actions()[0]))
    page.fill("#move", definition_of(rules).move_to_text(move))
    page.press("#move", "Enter")
    page.wait_for_selector(f"#replay:not(:has-text('move {state['total']}'))")  # as an agent moves soon after
    for _ in range(2):
        found, cells = page.evaluate(labels)
        assert len(found) == cells > 50
        assert all(title.split()[0] == text for text, title in found)
        assert len({text for text, _ in found}) == len(found)
        page.reload()
        page.wait_for_selector(".coordinate")
    page.click("#help")
    page.click("#set-coordinates")
    page.wait_for_selector(".coordinate", state="detached")
    page.click("#close")
    tab.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_picture_has_the_theme_of_the_page(client, browser, theme):
    """Although none was chosen."""
    tab, _, _ = sit_down(client, browser, Rules(), color_scheme=theme)
    tab.page.click("#share")
    tab.page.wait_for_selector("#picture")
    assert f"theme={theme}" in tab.page.get_attribute("#picture", "href")
    tab.close(409)  # the record comes with the end of the game


def test_the_theme_is_kept(client, browser):
    tab, _, _ = sit_down(client, browser, Rules(), color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = tab.page.evaluate(ground)
    tab.page.click("#theme")
    tab.page.wait_for_selector("html[data-theme='light']")
    light = tab.page.evaluate(ground)
    assert light != dark
    tab.page.reload()
    tab.page.wait_for_selector("#board svg")
    assert tab.page.evaluate(ground) == light
    tab.page.click("#theme")
    tab.page.wait_for_selector("html[data-theme='dark']")
    assert tab.page.evaluate(ground) == dark
    tab.close()
