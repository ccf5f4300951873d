"""Retried mistakes: what fails, what comes late, and the tables that are made for them."""

import json
import re

import pytest

pytest.importorskip("starlette")

from browser import Tab
from patience import PATIENCE
from test_browser_teaching import finished, keys_of, play

from ingenious_env import Rules, Session
from ingenious_env.engine.definition import definition_of

ALONE = definition_of(Rules.solitaire())


class Over:
    """A page at a solitaire game that is over, and has mistakes."""

    def __init__(self, client, browser):
        text = finished(Rules.solitaire(), ["greedy"]).to_text()
        made = client.post("/api/tables", {"text": text, "seats": ["human"]})
        self.client, self.id, self.key = client, made["id"], made["keys"]["0"]
        self.tab = Tab(browser, client.port)
        self.tab.sit_down(self.id, self.key)
        self.page = self.tab.page
        self.page.wait_for_selector("#retry")
        turns = client.post(f"/api/tables/{self.id}/analysis", {"keys": self.key})["turns"]
        self.mistakes = [turn for turn in turns if turn["mark"]]

    def retry(self):
        self.page.click("#retry")
        self.wait_for(1)

    def wait_for(self, number):
        """Until the position before a mistake is shown."""
        self.page.wait_for_selector(f"#retried:has-text('Mistake {number} of {len(self.mistakes)}')")
        assert f"move {self.mistakes[number - 1]['at']}" in self.page.inner_text("#replay")

    def other(self):
        """Go to a new table."""
        body = {"game": "ingenious", "rules": ALONE.rules_to_text(Rules.solitaire()), "seats": ["human"]}
        made = self.client.post("/api/tables", {**body, "seed": 3})
        kept = json.dumps({self.id: self.key, made["id"]: made["keys"]["0"]})
        self.page.evaluate(f"localStorage.setItem('ingenious-tables', JSON.stringify({kept}))")
        self.page.evaluate(f"location.hash = '{made['id']}'")
        self.page.wait_for_selector("#slot0:not([disabled])")

    def play_first(self):
        """A move, which counts."""
        session = Session(Rules.solitaire(), 3)
        play(self.tab, ALONE.move_to_text(session.game.move(int(session.game.legal_actions()[0]))))
        self.page.wait_for_selector("#replay:has-text('move 1')")


def refuse(route):
    route.fulfill(status=503, json={"error": "no room"})


def test_a_game_that_began_with_a_position_is_retried(client, browser):
    session = Session(Rules.solitaire(), 8, [ALONE.policy("greedy")])
    turns = list(session.run())
    made = client.post("/api/tables", {"text": session.at(len(turns) - 4).to_text(), "seats": ["human"]})
    path, key = f"/api/tables/{made['id']}", made["keys"]["0"]
    for turn in turns[-4:]:
        version = client.get(f"{path}?keys={key}")["version"]
        text = ALONE.move_to_text(turn.move)
        client.post(f"{path}/move", {"keys": key, "version": version, "move": text})
    tab = Tab(browser, client.port)

    def mark(route):
        found = route.fetch(timeout=1000 * PATIENCE)
        content = found.json()
        content["turns"][1] |= {"mark": "?", "loss": 1}
        route.fulfill(response=found, json=content)

    tab.page.route("**/analysis", mark)
    tab.sit_down(made["id"], key)
    tab.page.click("#retry")
    tab.page.wait_for_selector("#retried:has-text('Mistake')")
    scene = client.get(f"{path}?keys={key}&at=1")["scene"]
    assert tab.page.locator(".slot").count() == sum(tile is not None for tile in scene["rack"])
    tab.close(422)


def test_a_refused_retry_ends(client, browser):
    """And moves at other tables are played."""
    over = Over(client, browser)
    over.page.route("**/api/tables", refuse)
    over.page.click("#retry")
    over.page.wait_for_selector("#say:has-text('no room')")
    assert over.page.inner_text("#guide") == ""
    over.page.unroute("**/api/tables")
    over.other()
    over.play_first()
    over.tab.close(503)


def test_a_refused_next_one_leaves_all_as_it_is(client, browser):
    over = Over(client, browser)
    over.retry()
    over.page.route("**/api/tables", refuse)
    over.page.click("#retry-next")
    over.page.wait_for_selector("#say:has-text('no room')")
    over.wait_for(1)
    over.page.unroute("**/api/tables")
    play(over.tab, over.mistakes[0]["best"])
    over.page.wait_for_selector("#retried:has-text('the best move')")
    over.page.click("#retry-next")
    over.wait_for(2)
    over.tab.close(503)


def test_who_goes_elsewhere_is_not_pulled_away(client, browser):
    over = Over(client, browser)
    held = over.tab.hold("**/api/tables")
    over.page.click("#retry")
    over.other()
    held[0].continue_()
    over.tab.settle()
    assert over.page.inner_text("#guide") == ""
    over.play_first()
    over.tab.close()


def test_back_before_the_next_one_has_come(client, browser):
    over = Over(client, browser)
    over.retry()
    held = over.tab.hold("**/api/tables")
    over.page.click("#retry-next")
    over.page.click("#retry-back")
    over.page.wait_for_selector("#judged")
    held[0].continue_()
    over.tab.settle()
    assert over.page.inner_text("#guide") == ""
    assert not over.page.locator("#say.problem").count()
    assert over.page.locator("#judged").count() == 1
    over.tab.close()


def test_nothing_is_taken_back_meanwhile(client, browser):
    """And the best move is shown at its place while an earlier position is."""
    over = Over(client, browser)
    over.retry()
    assert over.page.locator("#take-back").count() == 0
    over.page.keyboard.press("z")
    over.tab.settle()
    over.wait_for(1)
    over.page.click("#retry-next")
    over.wait_for(2)
    over.page.keyboard.press("ArrowLeft")
    over.page.wait_for_selector(f"#replay:has-text('move {over.mistakes[1]['at'] - 1}')")
    over.page.click("#retry-show")
    over.page.wait_for_selector(".ghost")
    over.page.click("#retry-back")
    over.page.wait_for_selector("#judged")
    assert over.page.locator("#take-back").count() == 1
    over.tab.close()


def test_the_tables_of_mistakes_are_deleted(client, browser):
    """Deleted when the next one, a link or the game is opened, and never listed among the own games."""
    over = Over(client, browser)
    ids = []
    over.page.on("request", lambda request: ids.extend(re.findall(r"/tables/(\w+)/events", request.url)))
    over.retry()
    over.page.click("#retry-next")
    over.wait_for(2)
    over.page.click("#new")
    over.page.click("#openings")
    over.page.wait_for_selector(f"#name-{over.id}")
    assert over.page.locator("[id^=name-]").count() == 1
    over.page.click("#cancel")
    over.page.click("#retry-back")
    over.page.wait_for_selector("#judged")
    over.retry()
    over.other()
    over.tab.settle()
    made = [each for each in ids if each != over.id][:-1]
    assert len(made) == len(set(made)) == 3
    for each in made:
        assert client.ask("GET", f"/api/tables/{each}")[0] == 404
    assert len(over.page.evaluate("Object.keys(JSON.parse(localStorage.getItem('ingenious-tables')))")) == 2
    assert not over.page.locator("#say.problem").count()
    over.tab.close()


def test_several_players_at_a_page_have_names(client, browser):
    """Nobody is its reader, in the analysis, in hints, and when mistakes are retried."""
    text = finished(Rules(), ["greedy", "greedy"]).to_text()
    made = client.post("/api/tables", {"text": text, "seats": ["human", "human"]})
    tab = Tab(browser, client.port)
    page = tab.page
    tab.sit_down(made["id"], ",".join(made["keys"].values()))
    page.wait_for_selector("#curve footer:has-text('Player 1: chance of winning')")
    assert page.inner_text("#retry") == "Retry the mistakes"
    page.click("#mistake")
    page.wait_for_selector("#remark:text-matches('^Player [12]: ')")
    page.click("#hints")
    for at in (1, 2):
        page.keyboard.press("Home")
        for _ in range(at):
            page.keyboard.press("ArrowRight")
        page.wait_for_selector(f"#replay:has-text('move {at}')")
        player = client.get(f"/api/tables/{made['id']}?keys={keys_of(tab)}&at={at}")["to_play"] + 1
        page.wait_for_selector(f"#analysis:has-text('Player {player} to move')")
    page.click("#retry")
    page.wait_for_selector("#retried:text-matches(': Player [12] played ')")
    tab.close()


def test_a_dialog_leaves_the_address_as_it_is(client, browser):
    """That of the game: the table of a mistake is deleted afterwards."""
    over = Over(client, browser)
    address = over.page.url
    over.retry()
    over.page.keyboard.press("?")
    over.page.wait_for_selector("dialog[open] #set-warn")
    over.page.keyboard.press("Escape")
    over.page.click("#new")
    over.page.click("#cancel")
    assert over.page.url == address
    over.page.click("#retry-back")
    over.page.wait_for_selector("#judged")
    assert over.page.url == address
    over.tab.close()
