"""The folder of a page: played in a browser from any plain file server, from a subfolder, and by hand."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Mapping
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

pytest.importorskip("starlette")

from browser import SETTLED, Tab
from browser_play import HANDS, SEED, expected, play_all, until_changed
from page_server import serving_files
from pages import text_of

from ingenious_env import Record, Rules
from ingenious_env.engine.definition import definition_of
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.render.modules import read
from ingenious_env.web.guard import POLICY

FOLDER = "sites/games"
BUDGET = 500_000  # bytes of all files, packed as file servers send them
ASK = """async ([path, query, body]) => {
  const { ask } = await import("./web/static/transport.js");
  return JSON.stringify(await ask(path, query, body === null ? undefined : body));
}"""


class Site:
    """A page at a new table, and its own answers to requests, as `web_server.Client` asks a server.

    Args:
        browser: as `chromium` gives it.
        port: of the file server.
        body: of the request for a table.
        options: of the browser's context.
    """

    def __init__(self, browser, port, body, **options):
        self.tab = Tab(browser, port, **options)
        self.tab.open(f"{FOLDER}/")
        self.tab.page.wait_for_selector("#start")
        made = self._ask("tables", {}, body)
        [self.key] = made["keys"].values()
        self.path = f"/api/tables/{made['id']}"
        keep = f"localStorage.setItem('ingenious-tables', JSON.stringify({{'{made['id']}': '{self.key}'}}))"
        self.tab.page.evaluate(keep)
        self.tab.open(f"{FOLDER}/#{made['id']}")
        self.tab.page.wait_for_selector("#board svg")

    def _ask(self, path, query, body=None):
        found = json.loads(self.tab.page.evaluate(ASK, [path, query, body]))
        assert found["status"] == 200, found
        return found["body"]

    def get(self, path):
        path, _, query = path.partition("?")
        pairs = (part.partition("=") for part in query.split("&"))
        return self._ask(path.removeprefix("/api/"), {name: value for name, _, value in pairs})


@pytest.fixture(scope="module", name="port")
def _port(files):
    with serving_files({f"{FOLDER}/{path}": content for path, content in files.items()}) as port:
        yield port


def sit_down(browser, port, rules, **options):
    definition = definition_of(rules)
    seats = ["human"] + ["greedy"] * (rules.num_players - 1)
    body = {"game": definition.name, "rules": definition.rules_to_text(rules), "seats": seats, "seed": SEED}
    return Site(browser, port, body, **options)


GAMES = [
    ("mouse", Rules()),
    pytest.param("touch", Rules.solitaire(), marks=pytest.mark.nightly),
    pytest.param("keyboard", Rules.standard(3), marks=pytest.mark.nightly),
    pytest.param("typing", Rules.partnership(), marks=pytest.mark.nightly),
]


@pytest.mark.parametrize(("hand", "rules"), GAMES)
def test_a_whole_game(browser, port, hand, rules):
    """The same record as of the same moves here."""
    record, moves = expected(rules)
    site = sit_down(browser, port, rules, **HANDS[hand][1])
    play_all(site.tab, site, site.path, site.key, rules, hand, moves)
    assert Record.from_text(site.get(f"{site.path}/record?keys={site.key}")) == record
    site.tab.close()


def test_a_whole_game_of_loopit(browser, port):
    rules = LoopitRules(2)
    record, moves = expected(rules, person="greedy")
    site = sit_down(browser, port, rules)
    tab = site.tab
    for move in moves:
        tab.wait_for_turn()
        before = tab.page.inner_text("#replay")
        tab.page.fill("#move", definition_of(rules).move_to_text(move))
        tab.page.press("#move", "Enter")
        until_changed(tab, before, None)
    tab.page.wait_for_selector("#say:has-text(' win'), #say:has-text('share')")
    assert Record.from_text(site.get(f"{site.path}/record?keys={site.key}")) == record
    tab.close()


def test_a_game_from_the_dialog_survives_a_reload_and_is_shared(browser, port):
    """With hints, an illegal move, a move taken back, and the end by an opened link."""
    rules = Rules()
    record, moves = expected(rules, opponent="value")
    tab = Tab(browser, port)
    tab.open(f"{FOLDER}/")
    tab.page.click("#others-shown")
    tab.page.select_option("#seat1", "value")
    tab.page.fill("#seed", str(SEED))
    tab.page.click("#start")
    tab.wait_for_turn()
    tab.page.fill("#move", "r0,0 r1,0")
    tab.page.press("#move", "Enter")
    tab.page.wait_for_selector("#say:has-text('is not on the rack')")
    tab.page.fill("#move", definition_of(rules).move_to_text(moves[0]))
    tab.page.press("#move", "Enter")
    tab.page.wait_for_selector("#replay:has-text('move 2')")
    tab.page.keyboard.press("Escape")
    tab.page.reload()
    tab.page.wait_for_selector("#replay:has-text('move 2')")
    tab.page.click("#hints")
    tab.page.wait_for_selector("#hint0")
    tab.page.click("#take-back")
    tab.page.wait_for_selector("#replay:has-text('move 0')")
    tab.open(f"{FOLDER}/")
    link = 'import("./web/static/address.js").then(({ linkTo }) => (location.href = linkTo(text)))'
    tab.page.evaluate(f"(text) => {link}", record.to_text())
    tab.page.wait_for_selector(".results")
    assert tab.page.url.startswith(f"http://127.0.0.1:{port}/{FOLDER}/#")
    tab.page.wait_for_selector("#judged")
    tab.close()


@pytest.mark.parametrize("rules", [Rules(), LoopitRules(2)], ids=["ingenious", "loopit"])
def test_the_saved_picture_is_the_board(browser, port, rules):
    """Alone in an empty page, without style sheets, as on the screen; with a tile on the board."""
    site = sit_down(browser, port, rules)
    page = site.tab.page
    move = expected(rules, person="greedy")[1][0]
    page.fill("#move", definition_of(rules).move_to_text(move))
    page.press("#move", "Enter")
    page.wait_for_selector("#replay:not(:has-text('move 0'))")
    site.tab.wait_for_turn()
    page.mouse.move(1, 1)
    shown = page.locator("#board svg").screenshot()
    page.click("#share")
    page.wait_for_selector("#picture")
    with page.expect_download() as saved:
        page.click("#picture")
    assert saved.value.suggested_filename == f"{definition_of(rules).name}.svg"
    text = saved.value.path().read_text(encoding="utf-8")
    ElementTree.fromstring(text)
    assert "class=" not in text
    site.tab.close()
    context = browser.new_context(viewport={"width": 1200, "height": 1200})
    empty = context.new_page()
    empty.set_content(text)
    alone = Image.open(BytesIO(empty.locator("svg").first.screenshot()))
    context.close()
    whole = Image.open(BytesIO(shown))
    margin = (whole.width - whole.height * alone.width / alone.height) / 2  # as the board is in the middle
    part = whole.crop((round(margin), 0, round(whole.width - margin), whole.height))
    one, other = (np.asarray(each.convert("RGB").resize((200, 200)), float) for each in (part, alone))
    gap, mirrored = (np.abs(one - each).mean() for each in (other, other[:, ::-1]))
    assert gap < 4
    assert gap < mirrored / 2


def test_a_film_is_saved_without_a_server(browser, port):
    """Another library reads a frame for each position."""
    site = sit_down(browser, port, Rules())
    page = site.tab.page
    move = expected(Rules(), person="greedy")[1][0]
    page.fill("#move", definition_of(Rules()).move_to_text(move))
    page.press("#move", "Enter")
    page.wait_for_selector("#replay:not(:has-text('move 0'))")
    site.tab.wait_for_turn()
    total = int(page.get_attribute("#slider", "max"))
    page.click("#share")
    with page.expect_download() as saved:
        page.click("#film")
    assert Image.open(BytesIO(saved.value.path().read_bytes())).n_frames == total + 1
    site.tab.close()


def test_a_table_is_changed_by_one_tab_only(browser, port):
    """The other one says why; when the first one is closed, it goes on, with the agent's answers."""
    rules = Rules()
    site = sit_down(browser, port, rules)
    first, moves = site.tab.page, expected(rules, person="greedy")[1]
    address = first.url
    first.fill("#move", definition_of(rules).move_to_text(moves[0]))
    first.press("#move", "Enter")
    first.wait_for_selector("#replay:has-text('move 2')")
    second = site.tab.context.new_page()
    second.goto(address)
    second.wait_for_selector("#say:has-text('open in another tab')")
    assert "move 2" in second.inner_text("#replay")
    second.fill("#move", definition_of(rules).move_to_text(moves[1]))
    second.press("#move", "Enter")
    second.evaluate(
        "import('./web/static/store.js').then(({ enqueue }) => enqueue(async () => 0))"
    )  # its answer
    assert "open in another tab" in second.inner_text("#say")
    first.fill("#move", definition_of(rules).move_to_text(moves[1]))
    first.press("#move", "Enter")
    first.wait_for_selector("#replay:has-text('move 4')")
    first.reload()  # which does not lose the table to the other tab
    first.wait_for_selector("#replay:has-text('move 4')")
    first.fill("#move", definition_of(rules).move_to_text(moves[2]))
    first.press("#move", "Enter")
    first.wait_for_selector("#replay:has-text('move 6')")
    first.close()
    for number in (6, 8):  # at first it learns of the moves of the other one
        second.fill("#move", definition_of(rules).move_to_text(moves[3]))
        second.press("#move", "Enter")
        second.wait_for_selector(f"#replay:has-text('move {number}')")
    site.tab.context.close()


def test_a_table_that_is_left_can_be_opened_in_another_tab(browser, port):
    """Also while the first tab goes on with another table; on its way back it is refused."""
    rules = Rules()
    site = sit_down(browser, port, rules)
    first, moves = site.tab.page, expected(rules, person="greedy")[1]
    address = first.url
    first.click("#new")
    first.click("#start")
    first.wait_for_url(lambda url: url != address)
    first.wait_for_selector("#slot0:not([disabled])")
    second = site.tab.context.new_page()
    second.goto(address)
    second.wait_for_selector("#slot0:not([disabled])")
    second.fill("#move", definition_of(rules).move_to_text(moves[0]))
    second.press("#move", "Enter")
    second.wait_for_selector("#replay:has-text('move 2')")
    first.go_back()
    first.wait_for_selector("#say:has-text('open in another tab')")
    assert "move 2" in first.inner_text("#replay")
    site.tab.context.close()


def test_a_visitor_waits_for_few_requests(browser, files):
    """The page names all modules of the dialog; the first game's files come before it is begun; all once."""
    asked: list[str] = []
    with serving_files(Noted(asked, files)) as port:
        tab = Tab(browser, port)
        tab.open("")
        tab.page.wait_for_selector("#start")
        tab.settle()
        before = list(asked)
        tab.page.click("#start")
        tab.wait_for_turn()
        tab.settle()
        assert len(asked) == len(set(asked))
        tab.close()
    named = re.findall(r'<link rel="modulepreload" href="(.*?)">', files["index.html"].decode())
    modules = {path for path in before if path.endswith(".js")}
    later = {path for path in modules if path.startswith("games/ingenious/page/")}
    assert len(named) == len(set(named)) > 30
    assert modules - later == {*named, "web/static/main.js"}
    assert {path.partition("/")[0] for path in asked[len(before) :]} <= {
        "web"
    }  # of the parts around the board
    assert {"data/ingenious.wasm", "data/ingenious-two.weights", "games/ingenious/page/hand.js"} < set(before)


class Noted(dict[str, bytes]):
    """Files that note which of them are asked for."""

    def __init__(self, asked: list[str], files: Mapping[str, bytes]):
        super().__init__(files)
        self.asked = asked

    def get(self, path, default=None):
        self.asked.append(path)
        return super().get(path, default)


def test_the_policy_allows_scripts_and_kernels_of_the_page_only(files):
    index = files["index.html"].decode()
    [policy] = [line for line in index.splitlines() if "Content-Security-Policy" in line]
    parts = policy.split('content="')[1].removesuffix('">').split("; ")
    server = [part.strip() for part in POLICY.decode().split(";")]
    assert [part for part in parts if part not in server] == [
        "script-src 'self' 'wasm-unsafe-eval'",
        "worker-src 'self'",
    ]
    assert {part.split()[0] for part in server} - {part.split()[0] for part in parts} == {"frame-ancestors"}


def test_modules_come_without_comments(files):
    """And with all else: the lines of code that they have in the package."""
    for path, content in files.items():
        text = content.decode() if path.endswith(".js") else ""
        assert not re.search(r"^ *//|/\*", text, re.MULTILINE), path
    code = files["web/local/chance.js"].decode().splitlines()
    own = read("web/local/chance.js")
    assert [line for line in own.splitlines() if not re.match(r" *(//|/\*| \*)", line)] == code
    assert len(code) < len(own.splitlines())


def test_files_are_small_enough_and_named_relatively(files):
    """As small as the page about them says, too, rounded: versions of zlib differ by some kB."""
    sizes = [sum(map(len, files.values())), sum(len(gzip.compress(each, 9)) for each in files.values())]
    assert sizes[1] < BUDGET
    said = re.findall(r"are ([\d.]+) MB in all, or ([\d.]+) MB", text_of("docs/howto/page.md"))
    assert [(f"{sizes[0] / 1e6:.1f}", f"{sizes[1] / 1e6:.1f}")] == said
    for path, content in files.items():
        if path.endswith((".html", ".js", ".css")):
            assert not {b'"/web', b'"/render', b'"/games', b"/api/"} & {
                part for part in (b'"/web', b'"/render', b'"/games', b"/api/") if part in content
            }, path


def test_an_agent_may_move_before_the_page_of_a_game_has_come(browser, port):
    """The first news of a table tells of what happened meanwhile."""
    tab = Tab(browser, port)
    page = tab.page
    page.clock.install(time=0)
    page.clock.pause_at(1000)  # an agent waits for the page to be drawn
    drawing = tab.hold("**/games/ingenious/page/game.js")
    page.goto(f"http://127.0.0.1:{port}/{FOLDER}/", wait_until="domcontentloaded")
    page.click("#others-shown")
    page.select_option("#seat0", "greedy")
    page.select_option("#seat1", "human")
    page.click("#start")
    page.wait_for_url(f"**/{FOLDER}/#*")
    tab.page.wait_for_timeout(SETTLED)
    page.clock.run_for(1)
    page.wait_for_function("Object.values(JSON.parse(localStorage['ingenious-local']))[0].actions.length > 0")
    page.clock.resume()
    for route in drawing:
        route.continue_()
    page.wait_for_selector("#slot0:not([disabled])")
    assert "Your turn" in page.inner_text("#say")
    tab.close()
