"""A game that is saved as a page: that of its record; also one that began with a position."""

import base64
import gzip
import json
import re

import pytest

pytest.importorskip("starlette")

from browser import Tab

from ingenious_env import Game, Record, Rules, Session
from ingenious_env.engine.definition import definition_of
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.render.player import replay_states
from ingenious_env.web.site import COMMENT

RULES = {"ingenious": Rules(), "solitaire": Rules.solitaire(), "loopit": LoopitRules(2)}
PARTS = re.compile(r'id="record">(.*)</script>\n<script type="module">\n(.*)</script>', re.DOTALL)
"""The parts of a page that its game and its modules fill in."""


def whole_game(rules):
    """The record of a game of agents."""
    session = Session(rules, 8, [definition_of(rules).policy("greedy")] * rules.num_players)
    for _ in session.run():
        pass
    return session.record


def saved(client, browser, text, path, seats):
    """The page of the game of a text, saved by the browser, and the state of its table."""
    made = client.post("/api/tables", {"text": text, "seats": seats})
    tab = Tab(browser, client.port)
    tab.sit_down(made["id"], made["keys"].get("0", ""))
    tab.page.wait_for_selector("#rematch")
    tab.page.click("#share")
    with tab.page.expect_download() as download:
        tab.page.click("#page")
    download.value.save_as(path)
    tab.page.wait_for_selector("#page:not([disabled]):has-text('Save page')")
    state = client.get(f"/api/tables/{made['id']}?keys={','.join(made['keys'].values())}")
    assert download.value.suggested_filename == f"{state['game']}.html"
    tab.close(422)  # there is no record of a game that began with a position
    return path.read_text(encoding="utf-8"), state


def parts_of(page):
    """The content and the script of a page, and the rest of it."""
    packed, script = PARTS.search(page).groups()
    content = json.loads(gzip.decompress(base64.b64decode(packed)))
    return content, COMMENT.sub("", script), page.replace(packed, "").replace(script, "")


def plays_back(browser, path, total):
    """Return whether a saved page shows the last and the first position without an error."""
    page, problems = browser.new_page(), []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text))
    page.goto(path.as_uri())
    page.wait_for_selector(f"#replay:has-text('move {total}')")
    page.click("#first")
    page.wait_for_selector("#replay:has-text('move 0')")
    page.close()
    return problems == []


@pytest.mark.parametrize("name", RULES)
def test_a_saved_page_is_that_of_the_record(client, browser, tmp_path, name):
    record = whole_game(RULES[name])
    seats = ["human"] * record.rules.num_players
    page, state = saved(client, browser, record.to_text(), tmp_path / "game.html", seats)
    (content, *found), (expected, *same) = parts_of(page), parts_of(record.to_html(state["names"]))
    assert found == same
    assert content["states"] == expected["states"]
    assert content["look"].items() >= expected["look"].items()
    assert plays_back(browser, tmp_path / "game.html", len(record.moves))


def test_a_game_that_began_with_a_position(client, browser, tmp_path):
    """It has no record, and is saved all the same."""
    record = whole_game(Rules())
    game = Record(record.rules, record.seed, record.moves[:-4]).replay()
    page, state = saved(client, browser, game.to_text(), tmp_path / "game.html", ["greedy"] * 2)
    states = parts_of(page)[0]["states"]
    session = Session.from_game(game)
    for each in states[1:]:
        session.play(session.game.action(session.game.definition.text_to_move(each["last"]["move"])))
    assert session.is_over
    assert states == json.loads(json.dumps(replay_states(session, state["names"])))
    assert plays_back(browser, tmp_path / "game.html", len(session.turns))


def test_a_game_that_goes_on_is_not_saved(client, browser):
    """As all racks are open in it."""
    made = client.post("/api/tables", {"text": Game(Rules(), 1).to_text(), "seats": ["human", "greedy"]})
    tab = Tab(browser, client.port)
    tab.sit_down(made["id"], made["keys"]["0"])
    tab.page.click("#share")
    tab.page.wait_for_selector("#film")
    assert tab.page.locator("#page").count() == 0
    tab.close(409, 422)
