"""Accessibility: axe-core finds no fault in any state of both games, in either theme."""

import threading

import pytest
from patience import PATIENCE
from sampled import nightly_but

pytest.importorskip("starlette")
pytest.importorskip("axe_playwright_python")

from auditing import Auditor, until, whole
from real_desk import begin
from web_server import playing

from ingenious_env import Rules
from ingenious_env.engine.definition import definition_of, definitions
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.web.tables import Agent, built_in_agents

RULES = {"ingenious": Rules(), "loopit": LoopitRules(2)}
MOST = {"ingenious": Rules(4), "loopit": LoopitRules(4)}


class Slow:
    """An agent that thinks until it is let go."""

    go = threading.Event()

    def act(self, view):
        self.go.wait(PATIENCE)
        return view.legal_mask().argmax(axis=1)


@pytest.fixture(scope="module", name="client")
def _client(tmp_path_factory):
    agents = [*built_in_agents(definitions()), Agent("slow", lambda _: Slow())]
    with playing(tmp_path_factory.mktemp("games"), agents) as client:
        yield client
        Slow.go.set()


@pytest.fixture(name="auditor")
def _auditor(client, browser):
    auditor = Auditor(browser, client)
    yield auditor
    auditor.tab.close(409, 422)


def has_bonus(session):
    game = session.game
    return bool(session.turns) and session.turns[-1].seat == game.to_play and game.phase == "place"


def test_the_choice_of_a_game(auditor):
    page = auditor.page
    auditor.tab.open()
    page.wait_for_selector("#start")
    auditor.look("first")
    page.click("#openings")
    page.fill("#opened", "nonsense")
    page.wait_for_selector(".problem")
    auditor.look("problem")
    record = until(RULES["loopit"], lambda session: len(session.turns) == 5).record
    page.fill("#opened", record.to_text())
    page.wait_for_selector("#found")
    auditor.look("found")
    auditor.press("Escape")
    page.wait_for_selector("dialog:not([open])", state="attached")
    auditor.look("no game")
    assert auditor.states == 4


@pytest.mark.parametrize("game", nightly_but(["ingenious"], RULES))
def test_a_turn(auditor, game):
    """With and without hints and a tile in hand, earlier positions, and each dialog."""
    page = auditor.page
    auditor.sit(auditor.new(RULES[game], ["human", "greedy"]))
    page.wait_for_selector("#slot0:not([disabled])")
    auditor.look("turn")
    auditor.look_on_a_phone("turn on a phone")
    auditor.press("1", "ArrowRight")
    page.wait_for_selector(".ghost")
    auditor.look("tile in hand")
    auditor.press("Escape", "h")
    page.wait_for_selector("#hint0")
    auditor.look("hints")
    page.click("#hint0")
    page.wait_for_selector(".ghost")
    auditor.look("a hint in hand")
    page.click("#place")
    page.wait_for_selector(".chances")
    page.wait_for_selector("#slot0:not([disabled])")
    page.wait_for_selector("#hint0")
    auditor.look("second turn with hints")
    auditor.press("Home")
    page.wait_for_selector("#replay:has-text('move 0')")
    auditor.look("first position with hints")
    auditor.press("h", "End")
    page.wait_for_selector("#slot0:not([disabled])")
    page.fill("#move", "<b>no move</b>")
    auditor.press("Enter")
    page.wait_for_selector("#say.problem")
    auditor.look("a refusal")
    for button in ("#share", "#help", "#new"):
        page.click(button)
        page.wait_for_selector("dialog[open]")
        auditor.look(button)
        auditor.press("Escape")
    page.evaluate(
        "import('/web/static/warning.js').then(({ openWarning }) =>"
        " openWarning({ loss: 0.3, unit: 'win', move: 'keep', best: 'swap' }, () => {}))"
    )
    page.wait_for_selector("#anyway")
    auditor.look("warning")
    assert auditor.states == 12


@pytest.mark.parametrize("game", nightly_but(["loopit"], RULES))
def test_the_end(auditor, game):
    """With the analysis, at the last, an earlier and the first position; with its record."""
    page, rules = auditor.page, RULES[game]
    auditor.at(whole(rules))
    page.wait_for_selector("#rematch")
    page.wait_for_selector("#judged")
    auditor.look("end")
    auditor.look_on_a_phone("end on a phone")
    auditor.press("n")
    page.wait_for_selector("#remark")
    auditor.look("a weak move")
    auditor.press("Home")
    page.wait_for_selector("#replay:has-text('move 0')")
    auditor.look("beginning")
    auditor.press("h")
    page.wait_for_selector(".hint-row em")
    auditor.look("hints at the beginning")
    page.click("#share")
    page.wait_for_selector("#record")
    auditor.look("record")
    assert auditor.states == 6


def test_the_end_with_the_bag_of_the_day(auditor):
    page = auditor.page
    auditor.at(whole(Rules.solitaire(), 20261127))
    page.wait_for_selector("#judged")
    page.wait_for_selector("#compared table")
    assert page.locator(".other").count() == 0  # the own rack is empty
    auditor.look("end")
    auditor.look_on_a_phone("end on a phone")
    assert auditor.states == 2


@pytest.mark.parametrize("game", nightly_but(["loopit"], RULES))
def test_what_teaches(auditor, game):
    """Each page of the rules, a guided first move, a retried mistake, and a table on a small laptop."""
    page = auditor.page
    auditor.tab.open()
    page.wait_for_selector("#start")
    page.select_option("#game", game)
    page.click("#others-shown")
    auditor.look("seats")
    page.click("#rules-first")
    for number in range(4):
        auditor.look(f"rules {number}")
        page.click("#lesson-next")
    page.click("#guided")
    page.wait_for_selector("#guide-show")
    auditor.look("guide")
    page.click("#guide-show")
    page.wait_for_selector(".ghost")
    auditor.look("guided to a place")
    page.set_viewport_size({"width": 1280, "height": 640})
    auditor.look("small laptop")
    page.set_viewport_size({"width": 1340, "height": 900})
    auditor.at(whole(RULES[game]))
    page.click("#retry")
    page.wait_for_selector("#retry-show")
    auditor.look("retry")
    page.click("#retry-show")
    page.wait_for_selector(".ghost")
    auditor.look("solution")
    assert auditor.states == 10


@pytest.mark.parametrize("game", nightly_but(["ingenious"], RULES))
def test_a_real_table(auditor, game):
    """The choice of the own tiles, a move of another player, hints, and the choice of tiles drawn."""
    page, rules = auditor.page, RULES[game]
    auditor.tab.open()
    page.wait_for_selector("#start")
    page.click("#real")
    page.select_option("#real-game", game)
    page.wait_for_selector(".palette button")
    page.locator(".palette button").first.click()
    auditor.look("own tiles")
    page.click("#real-begun")
    page.wait_for_selector("#real-placed")
    auditor.look("a game that has begun")
    page.click("#real-begun")
    true = definition_of(rules).game(rules, 8)
    begin(auditor.tab, true, 1)
    auditor.look("another player's move")
    auditor.look_on_a_phone("on a phone")
    begin(auditor.tab, true, 0)
    auditor.press("h")
    page.click("#hint0")
    page.click("#place")
    if game == "loopit":
        page.click("#choose-stop")
    page.wait_for_selector("#enter")
    auditor.look("tiles drawn")
    assert auditor.states == 5


def test_several_at_a_table(auditor):
    """A covered rack, an agent that thinks, four players, one player, and partners."""
    page = auditor.page
    for game, rules in RULES.items():
        auditor.sit(auditor.new(rules, ["human", "human"]), open_rack=False)
        page.wait_for_selector("#uncover")
        auditor.look(f"covered {game}")
        auditor.sit(auditor.new(rules, ["slow", "human"]))
        page.wait_for_selector("#stop")
        auditor.look(f"thinking {game}")
    for rules in (*MOST.values(), Rules.solitaire()):
        auditor.sit(auditor.new(rules, ["human"] * rules.num_players))
        page.wait_for_selector("#slot0:not([disabled])")
        auditor.look(str(rules)[:40])
    auditor.at(whole(Rules.partnership()))
    page.wait_for_selector(".results")
    auditor.look("partners")
    assert auditor.states == 8


def test_choices(auditor):
    """An offer to swap, a swap that was shown, a bonus play, and a rack that fits nowhere."""
    page = auditor.page
    auditor.at(until(Rules(), lambda session: session.game.phase == "swap"))
    page.wait_for_selector("#choose-swap")
    auditor.look("swap")
    page.click("#choose-swap")
    page.click("#uncover")
    page.wait_for_selector(".shown")
    auditor.look("swapped")
    auditor.at(until(Rules(), has_bonus))
    page.wait_for_selector("#say:has-text('Ingenious!')")
    auditor.look("bonus")
    auditor.at(until(LoopitRules(2), lambda session: session.game.phase == "throw"))
    page.wait_for_selector("#choose-keep")
    auditor.look("stuck")
    auditor.at(until(LoopitRules(2), lambda session: session.game.laid == 1))
    page.wait_for_selector("#choose-stop")
    auditor.look("stop")
    assert auditor.states == 5
