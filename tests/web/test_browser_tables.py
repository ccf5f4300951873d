"""Tables in a real browser: replays, tabs, records, new games, several people."""

import base64
import re
import subprocess
import sys

import numpy as np
import pytest
from patience import PATIENCE, wait_until

pytest.importorskip("starlette")

from browser import SETTLED, Tab
from browser_play import by_typing, expected, finished, sit_down, type_moves, until_changed
from web_server import Client

from ingenious_env import Record, Rules, Session
from ingenious_env.engine.definition import definition_of
from ingenious_env.games.loopit import Rules as LoopitRules


def test_a_reload_a_second_tab_and_a_replay(client, browser):
    rules = Rules()
    _, moves = expected(rules)
    tab, path, key = sit_down(client, browser, rules)
    type_moves(tab, client, path, key, rules, moves[:3])
    tab.wait_for_turn()
    shown = tab.page.inner_html("#board")
    tab.page.reload()
    tab.page.wait_for_selector("#slot0:not([disabled])")
    assert tab.page.inner_html("#board") == shown
    second = Tab(browser, client.port)
    second.sit_down(path.rsplit("/", 1)[1], key)
    assert second.page.inner_html("#board") == shown
    before = second.page.inner_text("#replay")
    by_typing(second, client, path, key, rules, moves[3])
    until_changed(second, before, moves[3])
    until_changed(tab, before, moves[3])
    second.wait_for_turn()
    tab.wait_for_turn()
    tab.page.keyboard.press("Home")
    tab.page.wait_for_selector("#replay:has-text('move 0')")
    assert tab.page.locator("#board use[href^='#half']").count() == 0
    assert tab.page.locator("#slot0[disabled]").count() == 1
    for number in (1, 2, 3):
        tab.page.keyboard.press("ArrowRight")
        tab.page.wait_for_selector(f"#replay:has-text('move {number}')")
        assert tab.page.locator("#board use[href^='#half']").count() == 2 * number
    quick_steps(tab)
    tab.page.keyboard.press("End")
    tab.page.wait_for_selector("#slot0:not([disabled])")
    tab.page.keyboard.press("z")
    tab.page.wait_for_selector(".who:has-text('with takebacks')")
    second.page.wait_for_selector(".who:has-text('with takebacks')")
    tab.close()
    second.close()


def started(folder, port=0):
    """A server in a separate process, and its port."""
    command = [sys.executable, "-m", "ingenious_env", "play", "--no-browser", "--folder", str(folder)]
    process = subprocess.Popen([*command, "--port", str(port)], stdout=subprocess.PIPE, text=True)
    return process, int(re.search(r"http://127\.0\.0\.1:(\d+)/", process.stdout.readline())[1])


def test_a_server_that_is_killed_and_started_again(browser, tmp_path):
    """With -9, in the middle of a game: the open page shows a message, and then continues."""
    rules = Rules()
    record, moves = expected(rules)
    process, port = started(tmp_path)
    client = Client(port)
    try:
        tab, path, key = sit_down(client, browser, rules)
        for number, move in enumerate(moves):
            tab.wait_for_turn()
            if number == 5:
                process.kill()
                process.communicate()
                by_typing(tab, client, path, key, rules, move)
                tab.page.wait_for_selector("#say:has-text('the server does not answer')")
                process, _ = started(tmp_path, port)
                tab.page.wait_for_selector("#say:not(.problem)")
            before = tab.page.inner_text("#replay")
            by_typing(tab, client, path, key, rules, move)
            if number < len(moves) - 1:
                until_changed(tab, before, move)
        tab.page.wait_for_selector(".results")
        assert finished(client, path, key) == record
        tab.close(broken=True)
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


def quick_steps(tab):
    """Keys that come faster than answers, and a slider that is dragged, end where they ought to."""
    total = int(tab.page.get_attribute("#slider", "max"))
    tab.page.evaluate(
        """(steps) => [...steps].forEach((step) =>
             document.body.dispatchEvent(new KeyboardEvent("keydown", {
               bubbles: true, key: { "0": "Home", "+": "ArrowRight" }[step] })))""",
        "0++++",
    )
    tab.page.wait_for_selector("#replay:has-text('move 4')")
    assert tab.page.locator("#board use[href^='#half']").count() == 8
    box = tab.page.locator("#slider").bounding_box()
    middle_height = box["y"] + box["height"] / 2
    tab.page.mouse.move(box["x"] + 4, middle_height)
    tab.page.mouse.down()
    tab.page.wait_for_selector("#replay:has-text('move 0')")
    for part in (0.3, 0.6, 0.8, 0.5):
        tab.page.mouse.move(box["x"] + part * box["width"], middle_height, steps=3)
        tab.page.wait_for_timeout(30)
    tab.page.mouse.up()
    number = round(total / 2)
    tab.page.wait_for_selector(f"#replay:has-text('move {number}')")
    tab.page.wait_for_function(
        f"document.querySelectorAll(\"#board use[href^='#half']\").length === {2 * number}"
    )
    tab.page.keyboard.press("n")  # the slider has the focus, and no use for letters
    tab.page.locator("#slider").blur()


def test_a_part_of_the_dialog_stays_as_it_was_switched(client, browser):
    """Also if the dialog is drawn anew at once."""
    tab = Tab(browser, client.port)
    tab.open()
    tab.page.wait_for_selector("#preset")
    for is_open in (True, False, True):
        tab.page.evaluate(
            """() => {
                document.getElementById("others-shown").click();
                document.getElementById("preset").dispatchEvent(new Event("change"));
            }"""
        )
        tab.page.wait_for_timeout(SETTLED)
        shown = tab.page.evaluate("document.getElementById('others-shown').parentElement.open")
        assert shown is is_open
    tab.close()


def test_a_new_game_is_chosen_and_shared(client, browser):
    tab = Tab(browser, client.port)
    tab.open()
    tab.page.select_option("#game", "loopit")
    tab.page.select_option("#game", "ingenious")
    tab.page.select_option("#preset", "three")
    tab.page.click("#others-shown")
    for seat, name in enumerate(["greedy", "uniform", "value"]):
        tab.page.select_option(f"#seat{seat}", name)
    tab.page.fill("#seed", "5 ")
    tab.page.click("#start")
    tab.page.wait_for_selector(".results")
    tab.page.click("#share")
    text = tab.page.input_value("#record")
    record = Record.from_text(text)
    assert record.rules == Rules(3)
    assert tuple(record.seed) == (5, 0)
    assert record.replay().is_over
    tab.page.click("#close")
    tab.page.click("#new")
    tab.page.click("#openings")
    tab.page.fill("#opened", text)
    tab.page.wait_for_selector("#found:has-text('3 players'):has-text('over')")
    address = tab.page.url
    tab.page.click("#start")
    tab.page.wait_for_url(lambda url: url != address)
    tab.page.wait_for_selector(".results")
    tab.close()


def test_a_seed_that_is_not_taken_is_told(client, browser):
    """And nothing is begun; the guided first move waits, too."""
    tab = Tab(browser, client.port)
    tab.open()
    tab.page.click("#others-shown")
    for number, (text, button) in enumerate([("9" * 16, "start"), ("5x", "guided"), ("-1", "start")]):
        tab.page.fill("#seed", text)
        tab.page.click(f"#{button}")
        tab.page.wait_for_selector("dialog .problem:has-text('at most 15 digits')")
        assert tab.page.input_value("#seed") == text
        tab.page.select_option("#preset", ["three", "four", "solitaire"][number])
    tab.page.fill("#seed", "9" * 15)
    tab.page.click("#start")
    tab.page.wait_for_selector("#slot0:not([disabled])")
    assert tab.page.inner_text("#guide") == ""
    tab.close()


@pytest.mark.parametrize(
    ("rules", "preset"),
    [(Rules(), "two"), (Rules(1), "solitaire"), (Rules(2, rack_size=5), "two"), (LoopitRules(3), "three")],
)
def test_a_new_game_is_like_the_shown_one(client, browser, rules, preset):
    """Of its game, and of its preset if it has one."""
    tab, *_ = sit_down(client, browser, rules)
    tab.page.click("#new")
    assert tab.page.input_value("#game") == definition_of(rules).name
    assert tab.page.input_value("#preset") == preset
    tab.close()


def open_text(tab, text):
    """Paste a text into the dialog of a new game."""
    if not tab.page.locator("dialog[open]").count():
        tab.page.click("#new")
    if not tab.page.locator("#opened").is_visible():
        tab.page.click("#openings")
    tab.page.fill("#opened", text)


def test_a_text_is_typed_and_asked_about_once(client, browser):
    """A browser sends an event for each line of a long text; redrawing the dialog keeps the caret."""
    record, _ = expected(Rules())
    asked = []
    tab = Tab(browser, client.port)
    tab.page.on("request", lambda request: asked.append(request.url) if "/api/read" in request.url else None)
    tab.open()
    tab.page.wait_for_selector("#start")
    open_text(tab, record.to_text())
    tab.page.wait_for_selector("#found:has-text('over')")
    assert len(asked) == 1
    tab.page.fill("#opened", "")
    for letter in "hello":
        tab.page.keyboard.type(letter)
        tab.page.wait_for_selector(".problem:has-text('a record begins with')")
    assert tab.page.input_value("#opened") == "hello"
    tab.close(422)


def test_a_record_or_position_is_played_on_by_who_is_chosen(client, browser, tmp_path):
    """Pasted, out of a file, and by a link; nonsense is refused where it is pasted."""
    rules = Rules(3)
    session = Session(rules, 5, [definition_of(rules).policy("concave")] * 3)
    for _ in range(12):
        session.advance()
    (tmp_path / "game.txt").write_text(session.record.to_text())
    tab = Tab(browser, client.port)
    tab.open()
    tab.page.wait_for_selector("#start")
    open_text(tab, "hello")
    tab.page.wait_for_selector(".problem:has-text('a record begins with')")
    assert "a record begins with" in tab.page.get_by_role("alert").inner_text()
    assert tab.page.locator("#start[disabled]").count() == 1
    tab.page.set_input_files("#file", tmp_path / "game.txt")
    tab.page.wait_for_selector("#found:has-text('3 players, 12 moves')")
    tab.page.select_option("#seat1", "greedy")
    tab.page.select_option("#seat2", "greedy")
    tab.page.click("#start")
    tab.page.wait_for_selector("#slot0:not([disabled])")
    assert "move 12" in tab.page.inner_text("#replay")
    open_text(tab, session.game.to_text())
    tab.page.wait_for_selector("#found:has-text('3 players, 0 moves')")
    for seat in range(3):
        tab.page.select_option(f"#seat{seat}", "concave")
    tab.page.click("#start")
    tab.page.wait_for_selector(".results")
    for _ in session.run():
        pass
    found = [
        int(text) for text in tab.page.locator(".results td:not(:first-child)").all_inner_texts() if text
    ]
    rows = session.game.scores[np.argsort(session.game.ranks, kind="stable")]
    assert found == rows.ravel().tolist()
    packed = base64.urlsafe_b64encode(session.record.to_text().encode()).decode().rstrip("=")
    link = Tab(browser, client.port)
    link.open(f"#text={packed}")
    link.page.wait_for_selector(".results")
    link.close()
    tab.close(422)


def test_playing_on_from_a_replay(client, browser):
    """From the middle of a game that is over, with its history; the game before stays as it is."""
    made = client.post(
        "/api/tables",
        {
            "game": "ingenious",
            "rules": definition_of(Rules()).rules_to_text(Rules()),
            "seats": ["greedy", "concave"],
            "seed": 6,
        },
    )
    tab = Tab(browser, client.port)
    tab.open(f"#{made['id']}")
    tab.page.wait_for_selector(".results")
    assert tab.page.locator("#branch").count() == 0
    whole = Record.from_text(client.get(f"/api/tables/{made['id']}/record"))
    tab.page.fill("#slider", "8")
    tab.page.click("#branch")
    tab.page.wait_for_selector("#found:has-text('8 moves')")
    assert tab.page.locator("#opened").count() == 0
    tab.page.select_option("#seat1", "greedy")
    tab.page.click("#start")
    tab.page.wait_for_selector("#slot0:not([disabled])")
    assert "move 8" in tab.page.inner_text("#replay")
    assert tab.page.locator("#board use[href^='#half']").count() == 16
    tab.page.keyboard.press("ArrowLeft")
    tab.page.wait_for_selector("#replay:has-text('move 7')")
    assert Record.from_text(client.get(f"/api/tables/{made['id']}/record")) == whole
    tab.close()


def test_a_link_that_cannot_be_read_is_told(client, browser):
    """A record with a stray character, and a table with one; a new game can be begun."""
    made = client.post("/api/tables", {"text": expected(Rules())[0].to_text(), "seats": ["greedy"] * 2})
    for link in ("text=aW5n.", "text=", f"{made['id']}.", made["id"][:-1]):
        tab = Tab(browser, client.port)
        tab.open(f"#{link}")
        tab.page.wait_for_selector("dialog .problem:has-text('This link cannot be read')")
        assert tab.page.is_enabled("#start")
        tab.close()


def test_two_people_at_one_page(client, browser):
    """Neither sees the other's tiles while they change places."""
    made = client.post(
        "/api/tables",
        {
            "game": "ingenious",
            "rules": definition_of(Rules()).rules_to_text(Rules()),
            "seats": ["human", "human"],
            "seed": 1,
        },
    )
    tab = Tab(browser, client.port)
    tab.sit_down(made["id"], ",".join(made["keys"].values()))
    assert tab.page.locator(".slot").count() == 0
    tab.page.click("#uncover")
    session = Session(Rules(), 1)
    for _ in range(4):
        action = int(session.game.legal_actions()[0])
        rack = session.game.racks[session.to_play]
        assert tab.page.locator(".slot").count() == len(rack)
        tab.page.fill("#move", session.game.definition.move_to_text(session.game.move(action)))
        tab.page.press("#move", "Enter")
        session.play(action)
        tab.page.wait_for_selector(f"#uncover:has-text('Player {session.to_play + 1}')")
        assert tab.page.locator(".slot").count() == 0
        tab.page.click("#uncover")
    tab.close()


def test_back_and_forward_of_two_people_at_one_page(client, browser):
    """The rack is covered again, and after that there are hints as before."""
    rules = definition_of(Rules()).rules_to_text(Rules())
    body = {"game": "ingenious", "rules": rules, "seats": ["human", "human"], "seed": 1}
    made = client.post("/api/tables", body)
    tab = Tab(browser, client.port)
    tab.sit_down(made["id"], ",".join(made["keys"].values()))
    tab.page.keyboard.press("h")
    tab.page.click("#uncover")
    tab.page.wait_for_selector("#hint0")
    for _ in range(2):  # the first time, the table has changed: there were hints
        tab.page.evaluate("location.hash = ''")
        tab.page.wait_for_selector("dialog[open] #start")
        tab.page.go_back()
        tab.page.wait_for_selector("dialog:not([open])", state="attached")
        tab.page.click("#uncover")
        tab.page.click("#hint0")
        tab.page.wait_for_selector(".picked")
    tab.close()


def test_nothing_of_a_covered_rack_is_shown(client, browser):
    """Neither what was better, nor the analysis of the other before the own one has come, nor a picture."""
    body = {"game": "ingenious", "rules": definition_of(Rules()).rules_to_text(Rules()), "seed": 1}
    made = client.post("/api/tables", {**body, "seats": ["human", "human"]})
    tab = Tab(browser, client.port)
    page = tab.page
    tab.sit_down(made["id"], ",".join(made["keys"].values()))
    session = Session(Rules(), 1)

    def mark(route):
        found = route.fetch(timeout=1000 * PATIENCE)
        content = found.json()
        for turn in content["turns"]:
            turn["mark"] = "?"
        route.fulfill(response=found, json=content)

    def move():
        action = int(session.game.legal_actions()[0])
        page.fill("#move", session.game.definition.move_to_text(session.game.move(action)))
        page.press("#move", "Enter")
        session.play(action)
        page.wait_for_selector(f"#uncover:has-text('Player {session.to_play + 1}')")

    page.route("**/analysis", mark)
    page.click("#uncover")
    page.click("#hints")
    move()
    page.click("#uncover")
    move()
    page.click("#uncover")
    page.wait_for_selector("#curve section")
    move()
    assert page.inner_text("#curve") == ""
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#replay:has-text('move 2')")
    tab.settle()
    assert page.inner_text("#curve") == ""
    page.click("#share")
    page.wait_for_selector("#picture[href^='blob:']")
    page.click("#close")
    held = tab.hold("**/analysis")
    page.click("#uncover")
    wait_until(lambda: page.wait_for_timeout(10) or held)
    assert page.inner_text("#curve") == ""
    mark(held[0])
    page.wait_for_selector("#remark")
    page.click("#share")
    page.wait_for_selector("#picture[href^='/api/']")
    tab.close(409)


def test_another_game_at_the_end(client, browser):
    """With the seats moved on, or with the same tiles."""
    rules = Rules.solitaire()
    tab, path, key = sit_down(client, browser, rules)
    record, moves = expected(rules)
    type_moves(tab, client, path, key, rules, moves)
    address = tab.page.url
    tab.page.click("#again")
    tab.page.wait_for_url(lambda url: url != address)
    tab.page.wait_for_selector("#slot0:not([disabled])")
    first = sorted(definition_of(rules).move_to_text(moves[0]).split())
    by_typing(tab, client, path, key, rules, moves[0])
    tab.page.wait_for_selector("#replay:has-text('move 1')")
    assert sorted(definition_of(rules).move_to_text(record.moves[0]).split()) == first
    tab.close()
    made = client.post(
        "/api/tables",
        {
            "game": "ingenious",
            "rules": definition_of(Rules()).rules_to_text(Rules()),
            "seats": ["greedy", "concave"],
            "seed": 1,
        },
    )
    tab = Tab(browser, client.port)
    tab.open(f"#{made['id']}")
    tab.page.wait_for_selector(".results")
    address = tab.page.url
    tab.page.click("#rematch")
    tab.page.wait_for_url(lambda url: url != address)
    tab.page.wait_for_selector(".who:has-text('concave · greedy')")
    tab.close()


def test_back_from_a_shared_game_leads_to_the_own_one(client, browser):
    """Not to its link, which would open it once more."""
    tab, _, _ = sit_down(client, browser, Rules())
    address = tab.page.url
    packed = base64.urlsafe_b64encode(expected(Rules())[0].to_text().encode()).decode().rstrip("=")
    tab.page.evaluate(f"location.hash = 'text={packed}'")
    tab.page.wait_for_selector(".results")
    tab.page.go_back()
    tab.page.wait_for_selector("#slot0:not([disabled])")
    tab.settle()
    assert tab.page.url == address
    tables = tab.page.evaluate("Object.keys(JSON.parse(localStorage.getItem('ingenious-tables'))).length")
    assert tables == 2
    tab.close()
