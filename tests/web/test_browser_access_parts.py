"""Accessibility of what is opened more rarely: lists, questions, verdicts, real tables; and in German."""

import numpy as np
import pytest
from sampled import nightly_but

pytest.importorskip("starlette")
pytest.importorskip("axe_playwright_python")

from auditing import LAPTOP, PHONE, Auditor, until, whole
from real_tables import texts_of, turns_with_full_racks
from spoken import speaking

from ingenious_env import Rules
from ingenious_env.engine.definition import definition_of
from ingenious_env.games.loopit import Rules as LoopitRules

RULES = {"ingenious": Rules(), "loopit": LoopitRules(2)}

each_game = pytest.mark.parametrize("game", RULES)


@pytest.fixture(name="auditor")
def _auditor(client, browser):
    auditor = Auditor(browser, client)
    yield auditor
    auditor.tab.close(403, 409, 422)


def begun(game, moves=5):
    return until(RULES[game], lambda session: len(session.turns) == moves)


@pytest.mark.parametrize("game", nightly_but(["ingenious"], RULES))
def test_moves_coordinates_and_a_film(auditor, game):
    """The list of moves, with and without any; coordinates; and a film while it is saved."""
    page = auditor.page
    auditor.at(begun(game, 0))
    page.click("#help")
    page.click("#list")
    page.wait_for_selector("#dialog:has-text('There are none yet')")
    auditor.look("no moves")
    auditor.at(begun(game))
    page.click("#help")
    page.click("#list")
    page.wait_for_selector("#move1")
    auditor.look("moves")
    page.click("#close")
    page.click("#help")
    page.click("#set-coordinates")
    page.click("#close")
    page.wait_for_selector(".coordinate")
    auditor.look("coordinates")
    auditor.look_on_a_phone("coordinates on a phone")
    asked = auditor.tab.hold("**/api/tables/*at=1*")
    page.click("#share")
    with page.expect_download():
        page.click("#film")
        page.wait_for_selector("#film[disabled]:has-text('0 of')")
        auditor.look("a film is saved")
        asked[0].continue_()
    assert auditor.states == 5


def test_own_games(auditor):
    """Their list, the question before one is deleted, and the reason why one is not."""
    page = auditor.page
    tables = [auditor.new(rules, ["human", "human"]) for rules in RULES.values()]
    auditor.sit(tables[0])
    keys = {made["id"]: made["keys"]["0"] for made in tables}
    page.evaluate("keys => localStorage.setItem('ingenious-tables', JSON.stringify(keys))", keys)
    page.click("#new")
    page.click("#openings")
    page.wait_for_selector(f"#open-{tables[1]['id']}")
    page.fill(f"#name-{tables[1]['id']}", "With Ann")
    auditor.look("own games")
    auditor.look_on_a_phone("own games on a phone")
    page.click(f"#delete-{tables[1]['id']}")
    page.wait_for_selector("button:text-is('Delete for good')")
    auditor.look("a question")
    page.click(f"#sure-{tables[1]['id']}")
    page.wait_for_selector("dialog .problem")
    auditor.look("a reason")
    assert auditor.states == 4


def test_a_seat_is_given_away(auditor):
    page = auditor.page
    auditor.sit(auditor.new(Rules(3), ["human", "greedy", "human"]))
    page.click("#share")
    page.wait_for_selector("#give2")
    auditor.look("seats to give")
    page.click("#give2")
    page.wait_for_selector("#record")
    auditor.look("a link")
    assert auditor.states == 2


def test_a_take_back_is_asked_of_another_person(auditor, browser):
    """The page of the one who asks, and that of the other."""
    made = auditor.new(Rules(), ["human", "human"])
    other = Auditor(browser, auditor.client)
    for each, seat in ((auditor, "0"), (other, "1")):
        each.sit({"id": made["id"], "keys": {seat: made["keys"][seat]}})
    game = definition_of(Rules()).game(Rules(), 3)
    auditor.page.fill("#move", game.definition.move_to_text(game.move(int(game.legal_actions()[0]))))
    auditor.page.press("#move", "Enter")
    for each in (auditor, other):
        each.page.wait_for_selector("#replay:has-text('move 1')")
    auditor.page.click("#take-back")
    other.page.wait_for_selector("#allow")
    other.look("a question")
    auditor.page.wait_for_selector("#say:has-text('another player decides')")
    auditor.look("who asks")
    other.tab.close()
    assert auditor.states + other.states == 2


@each_game
def test_verdicts_of_mistakes(auditor, game):
    """Of the same move again, and of the best one."""
    page = auditor.page
    made = auditor.made({"text": whole(RULES[game]).record.to_text(), "seats": ["human", "greedy"]})
    auditor.sit(made)
    page.click("#retry")
    page.wait_for_selector("#retry-show")
    analysis = auditor.client.post(f"/api/tables/{made['id']}/analysis", {"keys": made["keys"]["0"]})
    choices = definition_of(RULES[game]).choices
    marked = (turn for turn in analysis["turns"] if turn["seat"] == 0 and turn["mark"])
    wrong = next(turn for turn in marked if turn["move"] not in choices)
    for move, verdict in ((wrong["move"], "no less than before"), (wrong["best"], "the best move")):
        page.fill("#move", move)
        page.press("#move", "Enter")
        page.wait_for_selector(f"#retried:has-text('{verdict}')")
        auditor.look(verdict)
    auditor.look_on_a_phone("a verdict on a phone")
    assert auditor.states == 3


@pytest.mark.parametrize("game", nightly_but(["loopit"], RULES))
def test_a_real_table_that_has_begun(auditor, game):
    """Its board with tiles and one in hand, its problem, and the table that is begun; also on a phone."""
    page, rules = auditor.page, RULES[game]
    true, placed = next(each for each in turns_with_full_racks(rules, 3) if len(each[1]) > 6)
    definition, seat = definition_of(rules), true.to_play
    auditor.tab.open()
    page.wait_for_selector("#start")
    page.click("#real")
    page.select_option("#real-game", game)
    page.select_option("#real-seat", str(seat))
    for tile in texts_of(rules, true.racks[seat]):
        page.click(f"#rack-{tile}:not([disabled])")
    page.click("#real-begun")
    page.wait_for_selector("#real-board .board")
    moves = [definition.move_to_text(move) for move in placed]
    page.fill("#real-placed", "\n".join([*moves[:-1], "nonsense"]))
    page.wait_for_selector(f"#real-board .board[aria-label*='with {len(moves) - 1} tiles']")
    label = f"#laid-{definition.tile_to_text(definition.tile_of(placed[-1]))}"
    page.click(label)
    page.wait_for_selector(f"{label}[aria-pressed=true]")
    auditor.look("a tile in hand")
    auditor.look_on_a_phone("a tile in hand on a phone")
    page.click("#start:not([disabled])")
    page.wait_for_selector("dialog .problem")
    auditor.look("a problem")
    page.fill("#real-placed", "\n".join(moves))
    for sheet, scores in enumerate(np.asarray(true.scores).reshape(rules.num_sheets, -1)):
        page.fill(f"#real-scores{sheet}", " ".join(map(str, scores)))
    page.select_option("#real-turn", str(seat))
    page.click("#start:not([disabled])")
    page.wait_for_selector("#slot0:not([disabled])")
    auditor.look("begun")
    page.set_viewport_size(PHONE)
    auditor.press("h")
    page.wait_for_selector("#hint0")
    auditor.look("hints on a phone")
    page.set_viewport_size(LAPTOP)
    assert auditor.states == 5


@pytest.mark.parametrize("game", nightly_but(["ingenious"], RULES))
def test_a_german_page(auditor, game):
    """Its dialogs, a turn with hints on a phone, and the end."""
    page = auditor.page
    with speaking("de"):
        auditor.tab.open()
        page.wait_for_selector("#start")
        page.select_option("#game", game)
        page.click("#others-shown")
        auditor.look("first")
        page.click("#rules-first")
        auditor.look("rules")
        auditor.at(begun(game))
        assert page.get_attribute("html", "lang") == "de"
        auditor.press("h")
        page.wait_for_selector("#hint0")
        auditor.look("hints")
        auditor.look_on_a_phone("hints on a phone")
        for button in ("#help", "#share"):
            page.click(button)
            page.wait_for_selector("dialog[open]")
            auditor.look(button)
            auditor.press("Escape")
        auditor.at(whole(RULES[game]))
        page.wait_for_selector("#judged")
        auditor.look("end")
    assert auditor.states == 7
