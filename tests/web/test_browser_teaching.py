"""What teaches the game: levels, rules, a guided first move, and retried mistakes."""

from __future__ import annotations

import base64
import re
from urllib.parse import urlsplit

import pytest

pytest.importorskip("starlette")

from browser import Tab
from browser_play import PHONE
from patience import PATIENCE
from spoken import speaking

from ingenious_env import Record, Rules, Session
from ingenious_env.engine.definition import definition_of
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.policies.levels import RATINGS, STRENGTHS
from ingenious_env.web import lessons

GAMES = {"ingenious": Rules(), "loopit": LoopitRules(2)}
LAPTOP = {"viewport": {"width": 1280, "height": 640}}
SEED = 8

each_game = pytest.mark.parametrize("game", GAMES)


def opened(client, browser, game="ingenious", **options):
    """A page with the dialog of a new game."""
    tab = Tab(browser, client.port, **options)
    tab.open()
    tab.page.wait_for_selector("#start")
    tab.page.select_option("#game", game)
    return tab


def table_of(client, tab):
    """The state of the table that a page shows, as its seats see it."""
    found = tab.page.evaluate("JSON.parse(localStorage.getItem('ingenious-tables'))")
    table = tab.page.url.partition("#")[2]
    return client.get(f"/api/tables/{table}?keys={found[table]}")


# Levels.


def test_a_level_is_chosen_for_all_opponents(client, browser):
    tab = opened(client, browser)
    page = tab.page
    assert page.inner_text("#level").startswith("Level 3, casual. ")
    for number, rating in enumerate(RATINGS["ingenious", "two"], 1):
        page.click(f"#level{number}")
        assert page.inner_text("#level").endswith(
            f" Rating {rating} (always taking the most points has 1000)."
        )
    page.select_option("#preset", "three")
    for number, each in enumerate(STRENGTHS, 1):
        page.click(f"#level{number}")
        assert page.inner_text("#level") == f"Level {number}, {each.title}. {each.text}"
        assert page.locator(".levels [aria-pressed=true]").all_inner_texts() == [str(number)]
    page.click("#level2")
    page.click("#others-shown")
    page.select_option("#seat2", "greedy")
    assert page.inner_text("#level") == "level 2, greedy"
    page.click("#level7")
    page.fill("#seed", "5")
    page.click("#start")
    page.wait_for_selector("#slot0")
    assert table_of(client, tab)["seats"] == ["human", "level 7", "level 7"]
    tab.close()


def test_a_table_of_people_gets_opponents_by_a_level(client, browser):
    tab = opened(client, browser)
    tab.page.click("#others-shown")
    tab.page.select_option("#seat1", "human")
    tab.page.click("#level4")
    assert tab.page.input_value("#seat1") == "level 4"
    assert tab.page.input_value("#seat0") == "human"
    tab.page.select_option("#preset", "solitaire")
    assert tab.page.locator(".levels").count() == 0
    assert tab.page.is_visible("#seat0")
    tab.close()


# Rules.


@each_game
def test_the_rules_page_by_page(client, browser, game):
    """From the dialog, with a picture of the theme; behind the last page is the dialog again."""
    tab = opened(client, browser, game, color_scheme="light")
    page = tab.page
    assert page.inner_text(".line b") == "New here?"
    page.click("#rules-first")
    titles = []
    for number in range(4):
        titles.append(page.inner_text("#lesson"))
        check_picture(page, game)
        if number == 1:
            page.click("#lesson-before")
            assert page.inner_text("#lesson") == titles[0]
            page.click("#lesson-next")
        page.click("#lesson-next")
    assert [title[0] for title in titles] == list("1234")
    page.wait_for_selector("#start")
    assert page.input_value("#game") == game
    assert page.locator(".line b").count() == 0  # no first visit any more
    page.click("#start")
    page.wait_for_selector("#slot0")
    page.click("#rules")
    href = page.get_attribute("dialog a", "href")
    assert page.evaluate("(at) => fetch(at).then((answer) => answer.text())", href) == lessons.made(
        f"web/static/{game}.txt"
    ).removeprefix(lessons.MARK)
    page.click("#lesson-close")
    page.click("#help")
    page.click("#help-rules")
    assert page.inner_text("#lesson") == titles[0]
    tab.close()


def check_picture(page, game):
    """There is one, of the game and in the light theme."""
    picture = page.locator("img.lesson")
    path = urlsplit(picture.get_attribute("src")).path
    assert path.startswith(f"/web/static/{game}")
    assert path.endswith("-light.svg")
    picture.evaluate("(image) => image.decode()")
    assert picture.evaluate("(image) => image.naturalWidth") > 0


TITLES = {
    "two": ["Lay a tile", "Score its colours", "The lowest colour decides", "Ingenious!"],
    "partnership": ["Lay a tile", "Score its colours", "You share your counters", "Ingenious!"],
    "solitaire": [
        "Lay your tile",
        "Score its colours",
        "Your lowest colour is your result",
        "The end, and the bag of the day",
    ],
}


@pytest.mark.parametrize("preset", TITLES)
def test_the_rules_are_those_of_the_table(client, browser, preset):
    """From the dialog, and at the table."""
    tab = opened(client, browser, color_scheme="light")
    page = tab.page
    page.select_option("#preset", preset)
    page.click("#rules-first")
    assert read_rules(page) == TITLES[preset]
    page.wait_for_selector("#start")
    page.click("#start")
    page.wait_for_selector("#slot0")
    page.click("#rules")
    assert read_rules(page) == TITLES[preset]
    tab.close()


def read_rules(page):
    """The titles of all pages, each with a picture."""
    titles = []
    for number in range(1, 5):
        check_picture(page, "ingenious")
        begin, _, title = page.inner_text("#lesson").partition(". ")
        assert begin == str(number)
        titles.append(title)
        page.click("#lesson-next")
    return titles


def drawn(name):
    """The game in a picture, and its last tile."""
    session = lessons.PICTURES[name].session()
    return session.game, session.game.trail.last


def test_what_the_lessons_say_of_their_pictures():
    """What the outlined tiles scored, where counters stand, and who plays on."""
    game, last = drawn("ingenious")
    assert last.gains.tolist() == [0, 0, 5, 0, 0, 0]
    assert game.scores[last.seat].tolist() == [2, 0, 16, 0, 0, 0]
    game, last = drawn("ingenious-full")
    assert (game.scores[0, 2], int(last.gains[2]) > 0) == (18, True)
    assert last.seat == game.to_play == 0
    game, last = drawn("ingenious-partnership")
    assert (game.scores[0, 4], game.scores[0, 0], game.scores[0].min()) == (35, 3, 3)
    assert (game.scores[1, 2], int(last.gains[2]) > 0) == (18, True)
    assert last.seat == game.to_play == 3
    game, _ = drawn("ingenious-solitaire")
    assert game.scores[0].min() == game.scores[0, 1] == 11
    session = lessons.PICTURES["loopit"].session()
    assert int(session.game.trail.last.gains.sum()) == 18
    assert session.turns[-1].move.tile[1] == 8
    game, _ = drawn("loopit-end")
    assert game.is_over
    assert list(game.scores) == [310, 304]


# The first move.


@each_game
@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_a_guided_first_move(client, browser, game, device):
    """The tile that is outlined, where it goes, and what it scores: the move of most points.

    The guide is dismissed, or ends with the next move.
    """
    tab = opened(client, browser, game, **device)
    page = tab.page
    page.click("#others-shown")
    page.fill("#seed", "5")
    page.click("#guided")
    page.wait_for_selector("#guide-show")
    assert page.locator(".slot.guided").count() == 1
    assert page.is_hidden("#say")  # in the place of which the guide speaks
    page.fill("#move", "hello")
    page.press("#move", "Enter")
    page.wait_for_selector("#say.problem")
    page.click("#guide-show")
    page.wait_for_selector(".ghost")
    state = table_of(client, tab)
    text = page.inner_text("#place")
    assert text in page.inner_text("#guide")
    page.click("#place")
    page.wait_for_selector("#guide:has-text('Your turn again')")
    points = int(text.partition("+")[2])
    definition = definition_of(GAMES[game])
    rules = definition.text_to_rules(state["rules"])
    first = client.get(f"/api/tables/{state['id']}?keys={keys_of(tab)}&at=1")["last"]
    gains = first["gains"] if isinstance(first["gains"], list) else [first["gains"]]
    assert sum(gains) == points > 0
    assert definition.text_to_move(first["move"])
    assert rules.num_players == 2
    if device is PHONE:
        page.click("#guide-done")
    else:
        state = table_of(client, tab)
        body = {"keys": keys_of(tab), "version": state["version"], "agent": "greedy"}
        page.fill("#move", client.post(f"/api/tables/{state['id']}/advice", body)["list"][0]["move"])
        page.press("#move", "Enter")
        page.wait_for_selector(f"#replay:not(:has-text('move {state['total']}'))")
        tab.wait_for_turn()
    assert page.inner_text("#guide") == ""
    tab.close(422)


def keys_of(tab):
    found = tab.page.evaluate("JSON.parse(localStorage.getItem('ingenious-tables'))")
    return found[tab.page.url.partition("#")[2]]


# The report and mistakes.


def finished(rules, agents):
    session = Session(rules, SEED, [definition_of(rules).policy(name) for name in agents])
    for _ in session.run():
        pass
    return session.record


@pytest.mark.parametrize(
    ("rules", "lost"),
    [(Rules(), r"\d+ %"), (LoopitRules(2), r"\d+ %"), (Rules.solitaire(), r"\d\.\d spaces")],
    ids=["ingenious", "loopit", "solitaire"],
)
def test_mistakes_are_retried(client, browser, rules, lost):
    """The position before a marked move; what one tries is judged and not played."""
    others = ["value"] * (rules.num_players - 1)
    record = finished(rules, ["greedy", *others])
    made = client.post("/api/tables", {"text": record.to_text(), "seats": ["human", *others]})
    tab = Tab(browser, client.port)
    tab.sit_down(made["id"], made["keys"]["0"])
    page = tab.page
    page.wait_for_selector("#retry")
    analysis = client.post(f"/api/tables/{made['id']}/analysis", {"keys": made["keys"]["0"]})
    wrong = [turn for turn in analysis["turns"] if turn["seat"] == 0 and turn["mark"]]
    page.click("#retry")
    page.wait_for_selector("#retried:has-text('Mistake 1 of')")
    assert f"Mistake 1 of {len(wrong)}" in page.inner_text("#retried")
    assert f"move {wrong[0]['at']}" in page.inner_text("#replay")
    assert page.locator("#judged").count() == 0
    play(tab, wrong[0]["move"])
    page.wait_for_selector("#retried:has-text('no less than before')")
    assert re.search(f" loses {lost}, no less", page.inner_text("#retried"))
    play(tab, wrong[0]["best"])
    page.wait_for_selector("#retried:has-text('the best move')")
    assert f"move {wrong[0]['at']}" in page.inner_text("#replay")
    page.click("#retry-show")
    page.wait_for_selector(".ghost")
    if len(wrong) > 1:
        page.click("#retry-next")
        page.wait_for_selector("#retried:has-text('Mistake 2 of')")
        assert f"move {wrong[1]['at']}" in page.inner_text("#replay")
    page.click("#retry-back")
    page.wait_for_selector("#judged")
    assert page.url.endswith(made["id"])
    assert page.inner_text("#guide") == ""
    path = f"/api/tables/{made['id']}/record?keys={made['keys']['0']}"
    assert client.get(path) == record.to_text()
    tab.close()


def play(tab, move):
    tab.page.fill("#move", move)
    tab.page.press("#move", "Enter")


def test_the_report_at_the_end_has_losses_and_luck(client, browser):
    """Per player; the luck of two sheets is opposite."""
    record = finished(Rules(), ["greedy", "value"])
    tab = Tab(browser, client.port)
    packed = base64.urlsafe_b64encode(record.to_text().encode()).decode().rstrip("=")
    tab.open(f"#text={packed}")
    tab.page.wait_for_selector("#judged")
    head, *rows = (row.split("\t") for row in tab.page.locator("#judged tr").all_inner_texts())
    assert head[1:4] == ["lost per move", "level", "luck"]
    losses = [float(row[1].removesuffix(" %")) for row in rows]
    assert losses[0] > losses[1]
    shown = [int(row[3].replace("−", "-").removesuffix(" %")) for row in rows]
    table = tab.page.url.partition("#")[2]
    luck = client.post(f"/api/tables/{table}/analysis", {"keys": keys_of(tab)})["luck"]
    assert shown == [round(100 * each) for each in luck]
    assert shown[0] == -shown[1] != 0
    assert tab.page.locator("#luck").count() == 0  # who reads a game of two others
    tab.close()


@pytest.mark.parametrize(
    ("rules", "luck", "said"),
    [
        (Rules(), [0.124, -0.124], "You were lucky by 12 % of a win."),
        (Rules(), [-0.2, 0.2], "You were unlucky by 20 % of a win."),
        (Rules(), [-0.004, 0.004], "You were neither lucky nor unlucky."),
        (Rules.solitaire(), [2.06], "You were lucky by 2.1 spaces."),
        (Rules.solitaire(), [-1], "You were unlucky by 1.0 spaces."),
        (Rules.partnership(), [0.1, -0.1], "You and your partner were unlucky by 10 % of a win."),
        (Rules(), None, None),
    ],
    ids=["lucky", "unlucky", "even", "solitaire", "unlucky alone", "partners", "unknown"],
)
def test_the_report_tells_its_reader_of_luck(client, browser, rules, luck, said):
    """The reader plays last; partners share their luck."""
    others = rules.num_players - 1
    record = finished(rules, ["greedy"] * rules.num_players)
    made = client.post("/api/tables", {"text": record.to_text(), "seats": ["greedy"] * others + ["human"]})
    tab = Tab(browser, client.port)
    luck = luck and luck[::-1] if rules == Rules() else luck

    def answer(route):
        found = route.fetch(timeout=1000 * PATIENCE)
        route.fulfill(response=found, json=found.json() | {"luck": luck})

    tab.page.route("**/analysis", answer)
    tab.sit_down(made["id"], made["keys"][str(others)])
    tab.page.wait_for_selector("#judged")
    assert tab.page.locator("#luck").all_inner_texts() == ([said] if said else [])
    tab.close()


def test_the_report_on_solitaire(client, browser):
    """Spaces that were lost per move, and the number of moves with each mark, which `N` leads to."""
    record = finished(Rules.solitaire(), ["greedy"])
    made = client.post("/api/tables", {"text": record.to_text(), "seats": ["human"]})
    tab = Tab(browser, client.port)
    tab.sit_down(made["id"], made["keys"]["0"])
    page = tab.page
    page.wait_for_selector("#judged")
    turns = client.post(f"/api/tables/{made['id']}/analysis", {"keys": made["keys"]["0"]})["turns"]
    marked = [turn for turn in turns if turn["mark"]]
    head, row = (each.split("\t") for each in page.locator("#judged tr").all_inner_texts())
    assert head[1:] == ["lost per move", "level", "luck", "?!", "?", "??"]
    assert row[1] == f"{sum(turn['loss'] for turn in turns) / len(turns):.2f} spaces"
    counts = [sum(turn["mark"] == mark for turn in marked) for mark in head[-3:]]
    assert row[-3:] == [str(count) for count in counts]
    assert min(counts[:2]) > 0
    assert page.locator("g.judged").count() == len(marked)
    page.click("#mistake")
    page.wait_for_selector(f"#replay:has-text('move {marked[0]['at'] + 1}')")
    assert f"{marked[0]['mark']} −{marked[0]['loss']:.1f}" in page.inner_text("#remark")
    tab.close()


@pytest.mark.parametrize(
    ("rules", "luck", "told", "losses"),
    [
        (Rules.solitaire(), [2.06], "Du hattest Glück: 2,1 Felder.", r"\d,\d\d Felder"),
        (Rules(), [0.002, -0.004], "Du hattest weder Glück noch Pech.", r"\d+,\d %"),
    ],
    ids=["solitaire", "two"],
)
def test_german_reports_have_german_numbers(client, browser, rules, luck, told, losses):
    """And luck that is shown as zero has no sign."""
    others = ["greedy"] * (rules.num_players - 1)
    text = finished(rules, ["greedy"] * rules.num_players).to_text()
    made = client.post("/api/tables", {"text": text, "seats": ["human", *others]})
    tab = Tab(browser, client.port)

    def answer(route):
        found = route.fetch(timeout=1000 * PATIENCE)
        route.fulfill(response=found, json=found.json() | {"luck": luck})

    tab.page.route("**/analysis", answer)
    with speaking("de"):
        tab.sit_down(made["id"], made["keys"]["0"])
        tab.page.wait_for_selector("#judged")
        assert tab.page.inner_text("#luck") == told
        rows = [row.split("\t") for row in tab.page.locator("#judged tr").all_inner_texts()[1:]]
        assert len(rows) == rules.num_players
        for row in rows:
            assert re.fullmatch(losses, row[1])
            assert "0 %" in row or rules == Rules.solitaire()
        tab.page.click("#hints")
        tab.page.keyboard.press("Home")
        tab.page.wait_for_selector(".worth:text-matches('[0-9]')")
        assert not re.search(r"\d\.\d", tab.page.inner_text("#curve") + tab.page.inner_text("#analysis"))
    tab.close()


def test_luck_in_the_analysis_is_that_of_the_package(client):
    from ingenious_env.policies.luck import luck_by_move

    for rules in (Rules(), Rules.solitaire()):
        record = finished(rules, ["greedy"] * rules.num_players)
        body = {"text": record.to_text(), "seats": ["human"] * rules.num_players}
        made = client.post("/api/tables", body)
        keys = ",".join(made["keys"].values())
        found = client.post(f"/api/tables/{made['id']}/analysis", {"keys": keys})["luck"]
        luck = luck_by_move(Record.from_text(record.to_text())).sum(axis=0)
        others = (luck.sum() - luck) / max(1, len(luck) - 1)
        assert found == pytest.approx((luck - others).tolist())


@pytest.mark.parametrize(
    ("levels", "shown"),
    [
        ([[3, 1, 6], [10, 10, 10]], ["3 (1–6)", "10"]),
        ([None, [1, 1, 2]], ["", "1 (1–2)"]),
        ([None, None], None),
    ],
    ids=["certain", "one unknown", "unknown"],
)
def test_the_report_estimates_levels(client, browser, levels, shown):
    """With the interval, unless it has one level only."""
    made = client.post(
        "/api/tables", {"text": finished(Rules(), ["greedy"] * 2).to_text(), "seats": ["human"] * 2}
    )
    tab = Tab(browser, client.port)

    def answer(route):
        found = route.fetch(timeout=1000 * PATIENCE)
        route.fulfill(response=found, json=found.json() | {"levels": levels})

    tab.page.route("**/analysis", answer)
    tab.sit_down(made["id"], ",".join(made["keys"].values()))
    tab.page.wait_for_selector("#judged")
    head, *rows = (row.split("\t") for row in tab.page.locator("#judged tr").all_inner_texts())
    assert ("level" in head) == (shown is not None)
    if shown:
        assert [row[head.index("level")] for row in rows] == shown
    tab.close()
