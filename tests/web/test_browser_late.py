"""Answers that come late: one that was overtaken changes nothing, for each kind of request."""

import base64
import json

import pytest

pytest.importorskip("starlette")

from browser import Tab
from browser_play import expected
from patience import PATIENCE

from ingenious_env import Rules, Session
from ingenious_env.engine.definition import definition_of
from ingenious_env.games.loopit import Rules as LoopitRules


class Held:
    """The answer to the first request for a path, kept until it is let go."""

    def __init__(self, tab, pattern):
        self.tab, self.page, self.pattern, self.kept = tab, tab.page, pattern, []
        self.page.route(pattern, self._keep)

    def _keep(self, route):
        if not self.kept:
            self.kept.append((route, route.fetch(timeout=1000 * PATIENCE)))
        else:
            route.fallback()

    def wait(self):
        """Until there is such an answer."""
        for _ in range(int(100 * PATIENCE)):
            if self.kept:
                return
            self.page.wait_for_timeout(10)
        raise AssertionError(self.pattern)

    def release(self, **instead):
        """Let the page have it, or another, and wait until it has dealt with it."""
        for route, answer in self.kept:
            route.fulfill(**(instead or {"response": answer}))
        self.page.unroute(self.pattern)
        self.tab.settle()


class Game:
    """A table, the same game here, and a page at all of its seats."""

    def __init__(self, client, browser, rules, session=None, seats=None):
        self.client, self.definition = client, definition_of(rules)
        self.session = session or Session(rules, 1)
        self.seats = seats or ["human"] * rules.num_players
        made = client.post("/api/tables", {"text": self.session.record.to_text(), "seats": self.seats})
        self.id, self.keys = made["id"], ",".join(made["keys"].values())
        self.path = f"/api/tables/{self.id}"
        self.tab = Tab(browser, client.port)
        self.tab.sit_down(self.id, self.keys)
        self.page = self.tab.page
        self.uncover()

    def uncover(self):
        if self.page.locator("#uncover").count():
            self.page.click("#uncover")

    def next_move(self, choice=0):
        action = int(self.session.game.legal_actions()[choice])
        text = self.definition.move_to_text(self.session.game.move(action))
        self.session.play(action)
        return text

    def elsewhere(self, name="move", **body):
        """Something that another page at the same table does."""
        version = self.client.get(f"{self.path}?keys={self.keys}")["version"]
        self.client.post(f"{self.path}/{name}", {"keys": self.keys, "version": version, **body})

    def press(self, key):
        self.page.evaluate("document.activeElement.blur()")
        self.page.keyboard.press(key)

    def type(self, move):
        self.page.fill("#move", move)
        self.page.press("#move", "Enter")

    def in_store(self, act):
        """Call a function with the module `store.js` of the page, and return its result."""
        return self.page.evaluate(f"import('/web/static/store.js').then({act})")

    def hand(self):
        """The tile in hand."""
        return self.in_store("({ app }) => app.game.hand")

    def shows(self, number):
        self.page.wait_for_selector(f"#replay:has-text('move {number}')")

    def stays(self, number):
        assert f"move {number}" in self.page.inner_text("#replay")


@pytest.fixture(name="game", params=[Rules(), LoopitRules(2)], ids=["ingenious", "loopit"])
def _game(client, browser, request):
    game = Game(client, browser, request.param)
    yield game
    game.tab.close(409, 422)


def test_a_state_that_was_asked_for_before_a_move(game):
    held = Held(game.tab, "**/api/tables/*?keys=*")
    game.in_store("({ show }) => void show(0)")
    held.wait()
    game.type(game.next_move())
    game.shows(1)
    held.release()
    game.stays(1)


def test_a_state_that_was_asked_for_before_a_refusal(client, browser):
    """The refusal contains the current state, of the same version."""
    game = Game(client, browser, Rules())
    state = client.get(f"{game.path}?keys={game.keys}")
    held = Held(game.tab, "**/api/tables/*?keys=*")
    game.in_store("({ show }) => void show(0)")
    held.wait()
    game.page.route("**/move", lambda route: route.fulfill(status=409, json=state))
    game.type(game.next_move())
    game.page.wait_for_selector("#say:has-text('check the position')")
    held.release(json={**state, "headline": "of before"})
    assert "check the position" in game.page.inner_text("#say")
    assert "of before" not in game.page.title()
    game.tab.close(409)


def test_the_answer_to_a_move_and_to_a_take_back(game):
    for path, number in (("move", 2), ("back", 2)):
        held = Held(game.tab, f"**/api/tables/*/{path}")
        if path == "move":
            game.type(game.next_move())
            held.wait()
            game.elsewhere(move=game.next_move())
        else:
            game.page.click("#take-back")
            held.wait()
            game.elsewhere(move=game.definition.move_to_text(game.session.turns[-1].move))
        game.shows(number)
        held.release()
        game.stays(number)
        game.uncover()


def test_the_latest_position_while_an_earlier_one_is_still_shown(game):
    """No tile is taken from its rack, no hint asked for it, and no move made in it."""
    game.type(game.next_move())
    game.shows(1)
    game.uncover()
    game.press("ArrowLeft")
    game.shows(0)
    asked = game.tab.hold("**/advice")
    held = Held(game.tab, "**/api/tables/*?keys=*")
    game.press("End")
    held.wait()
    for key in ("1", "ArrowRight", "r", "Enter", "h"):
        game.press(key)
    assert game.hand() is None
    assert not asked
    game.page.unroute("**/advice")
    held.release()
    game.shows(1)
    assert game.hand() is None
    game.press("1")
    assert game.hand() is not None


def test_a_tile_is_put_back_when_another_position_is_shown(game):
    """Even one that was taken while that position was on its way."""
    game.type(game.next_move())
    game.shows(1)
    game.uncover()
    game.press("1")
    held = Held(game.tab, "**/api/tables/*?keys=*")
    game.in_store("({ show }) => void show(0)")
    held.wait()
    game.in_store("({ app }) => app.game.pick(app.table.scene, 0)")
    held.release()
    game.shows(0)
    assert game.hand() is None


def test_hints_that_come_when_an_earlier_position_is_shown(game):
    game.type(game.next_move())
    game.shows(1)
    game.uncover()
    held = Held(game.tab, "**/advice")
    game.press("h")
    held.wait()
    game.press("ArrowLeft")
    game.shows(0)
    held.release()
    assert game.page.locator("#hint0").count() == 0
    assert game.page.locator(".dot, .candidate").count() == 0
    game.press("End")
    game.page.wait_for_selector("#hint0")


def test_a_judgement_of_a_move_when_another_has_been_played(game):
    """It asks no question about a position that is gone, and plays no move there."""
    game.page.evaluate("import('/web/static/settings.js').then(({ settings }) => (settings.warn = true))")
    held = Held(game.tab, "**/judge")
    move = game.next_move()
    game.type(move)
    held.wait()
    game.elsewhere(move=move)
    game.shows(1)
    held.release(json={"move": move, "best": move, "loss": 0.5, "mark": "??"})
    assert game.page.locator("dialog[open]").count() == 0
    game.stays(1)


def test_an_analysis_of_fewer_moves(client, browser):
    for rules in (Rules(), LoopitRules(2)):
        session = Session(rules, 3, [definition_of(rules).policy("uniform")] * 2)
        for _ in range(6):
            session.advance()
        game = Game(client, browser, rules, session)
        held = Held(game.tab, "**/analysis")
        game.press("h")
        held.wait()
        game.elsewhere(move=game.next_move())
        game.shows(client.get(f"{game.path}?keys={game.keys}")["total"])
        game.uncover()
        game.page.wait_for_selector("#hint0")  # whose value is the last point of the curve
        game.page.wait_for_selector(".chances")
        later = game.page.inner_html(".chances")
        held.release()
        assert game.page.inner_html(".chances") == later
        game.tab.close()


def test_a_choice_that_has_been_made(client, browser):
    """To keep a rack changes no version: what was asked before it still comes too late."""
    session = Session(Rules(), 0, [definition_of(Rules()).policy("greedy")] * 2)
    while session.game.phase != "swap":
        session.advance()
    game = Game(client, browser, Rules(), session)
    held = Held(game.tab, "**/api/tables/*?keys=*")
    total = client.get(f"{game.path}?keys={game.keys}")["total"]
    game.in_store(f"({{ show }}) => void show({total})")
    held.wait()
    game.page.click("#choose-keep")
    game.page.wait_for_selector("#uncover")
    held.release()
    assert game.page.locator("#choose-keep").count() == 0
    assert game.page.locator("#uncover").count() == 1
    game.tab.close()


def test_what_was_asked_of_another_table(client, browser):
    """Its state, its look and its record come when it is no longer shown."""
    game = Game(client, browser, Rules())
    other = client.post(
        "/api/tables",
        {
            "game": "loopit",
            "rules": definition_of(LoopitRules(2)).rules_to_text(LoopitRules(2)),
            "seats": ["uniform"] * 2,
        },
    )
    for pattern in ("**/api/tables/*?keys=*", "**/api/look"):
        held = Held(game.tab, pattern)
        game.page.evaluate(f"location.hash = '{other['id']}'")
        held.wait()
        game.page.evaluate(f"location.hash = '{game.id}'")
        held.release()
        assert game.page.inner_text("h1") == "Ingenious"
        assert game.page.locator("dialog[open]").count() == 0
    held = Held(game.tab, f"**/api/tables/{other['id']}?keys=*")
    game.page.evaluate(f"location.hash = '{other['id']}'")
    held.wait()
    game.elsewhere(move=game.next_move())
    game.shows(1)
    held.release()
    game.page.wait_for_selector("h1:has-text('Loopit')")
    for path, press in (("record", "#share"), ("record", "#branch")):
        game.page.evaluate(f"location.hash = '{other['id']}'")
        game.page.wait_for_selector("h1:has-text('Loopit')")
        game.page.wait_for_selector("#rematch")
        game.page.fill("#slider", "1")
        game.page.wait_for_selector("#branch")
        held = Held(game.tab, f"**/{path}*")
        game.page.click(press)
        held.wait()
        game.page.evaluate(f"location.hash = '{game.id}'")
        game.page.wait_for_selector("h1:has-text('Ingenious')")
        held.release()
        assert game.page.locator("dialog[open]").count() == 0
    game.tab.close()


def test_a_new_table_and_a_text_when_something_else_has_been_chosen(client, browser):
    game = Game(client, browser, Rules())
    other = client.post(
        "/api/tables", {"text": game.session.record.to_text(), "seats": ["greedy", "uniform"]}
    )
    held = Held(game.tab, "**/api/tables")
    game.page.click("#new")
    game.page.click("#start")
    held.wait()
    game.page.evaluate(f"location.hash = '{other['id']}'")
    game.page.wait_for_selector("#rematch")
    held.release()
    assert game.page.url.endswith(other["id"])
    made = json.loads(held.kept[0][1].text())
    assert made["id"] in game.page.evaluate("localStorage.getItem('ingenious-tables')")
    held = Held(game.tab, "**/api/read")
    game.page.click("#new")
    game.page.click("#openings")
    game.page.fill("#opened", game.session.record.to_text())
    held.wait()
    game.page.click("#cancel")
    held.release()
    assert game.page.locator("dialog[open]").count() == 0
    for text in (game.session.record.to_text(), expected(Rules())[0].to_text()):  # the second is over
        held = Held(game.tab, "**/api/read")
        packed = base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
        game.page.evaluate(f"location.hash = 'text={packed}'")
        held.wait()
        game.page.evaluate(f"location.hash = '{other['id']}'")
        held.release()
        assert game.page.locator("dialog[open]").count() == 0
        assert game.page.url.endswith(other["id"])
    game.tab.close()


PRESSED = """() => {
  window.clicked = [];
  document.addEventListener("click", (event) => {
    window.clicked.push(event.target.closest("button")?.id ?? null);
    event.stopPropagation();
    event.preventDefault();
  }, true);
}"""
REDRAW = "import('/web/static/drawing.js').then((drawing) => drawing.draw())"


@pytest.mark.parametrize("over", [False, True])
def test_a_button_that_is_drawn_anew_while_it_is_pressed_is_clicked_once(client, browser, over):
    """Each button of the page; and not if the pointer is released elsewhere."""
    rules = Rules(3)
    seats = ["greedy", "concave", "lowest"] if over else ["human", "greedy", "human"]
    body = {
        "game": "ingenious",
        "rules": definition_of(rules).rules_to_text(rules),
        "seats": seats,
        "seed": 2,
    }
    made = client.post("/api/tables", body)
    tab = Tab(browser, client.port)
    tab.sit_down(made["id"], ",".join(made["keys"].values()))
    page = tab.page
    if over:
        page.wait_for_selector("#rematch")
        page.fill("#slider", "3")
        page.wait_for_selector("#branch")
        page.wait_for_selector("#judged")
    else:
        page.click("#uncover")
    page.evaluate(PRESSED)
    ids = page.eval_on_selector_all(
        "button[id]:not([disabled])", "all => all.filter((each) => each.offsetParent).map((each) => each.id)"
    )
    redrawn = 0
    for name in ids:
        page.evaluate(f"window.was = document.getElementById('{name}')")
        page.hover(f"#{name}")
        page.mouse.down()
        page.evaluate(REDRAW)
        redrawn += page.evaluate("!window.was.isConnected")
        page.mouse.up()
        assert [each for each in page.evaluate("window.clicked") if each] == [name]
        page.evaluate("window.clicked.length = 0")
    assert redrawn >= 6
    page.hover("#share")
    page.mouse.down()
    page.evaluate(REDRAW)
    page.hover("#theme")
    page.mouse.up()
    assert not any(page.evaluate("window.clicked"))
    tab.close()


@pytest.mark.parametrize(("button", "file"), [("#openings", "openings.js"), ("#real", "layout.js")])
def test_a_choice_that_was_cancelled_does_not_come_over_another_dialog(client, browser, button, file):
    game = Game(client, browser, Rules())
    game.page.click("#new")
    held = Held(game.tab, f"**/{file}")
    game.page.click(button)
    held.wait()
    game.page.click("#cancel")
    game.page.click("#help")
    game.page.wait_for_selector("#set-warn")
    held.release()
    assert game.page.locator("#set-warn").count() == 1
    game.tab.close()


def test_a_replay_ends_with_its_table(client, browser):
    """Its next step does not end the slow moves of others at another one."""
    made = client.post("/api/tables", {"text": expected(Rules())[0].to_text(), "seats": ["greedy"] * 2})
    game = Game(client, browser, Rules())
    game.page.clock.install(time=0)
    game.page.evaluate(f"location.hash = '{made['id']}'")
    game.page.wait_for_selector("#rematch")
    game.page.clock.pause_at(1000)
    game.page.click("#watch")
    game.page.wait_for_selector("#replay:has-text('move 0')")
    game.page.evaluate(f"location.hash = '{game.id}'")
    game.page.wait_for_selector("#uncover")
    game.in_store("({ app }) => void (app.paced = true)")
    game.page.clock.run_for(3000)
    assert game.in_store("({ app }) => app.paced")
    game.tab.close()
