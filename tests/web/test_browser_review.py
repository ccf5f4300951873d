"""A game that is over, reviewed: each control at each position, however the game came to the page."""

import base64
from itertools import product

import pytest
from sampled import nightly_but

pytest.importorskip("starlette")

from browser import Tab
from patience import PATIENCE

from ingenious_env import Rules, Session, View
from ingenious_env.engine.definition import definition_of
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.web.advice import LISTED

RULES = {"ingenious": Rules(), "loopit": LoopitRules(2)}
KINDS = ("own game", "agents only", "opened record", "link")
EACH_ONCE = [
    ("ingenious", "own game"),
    ("ingenious", "opened record"),
    ("loopit", "agents only"),
    ("loopit", "link"),
]


def whole(rules):
    """A game of weak players, so that moves are marked."""
    session = Session(rules, 4, [definition_of(rules).policy("uniform")] * rules.num_players)
    for _ in session.run():
        pass
    return session


def opened(client, browser, kind, session):
    tab, text = Tab(browser, client.port), session.record.to_text()
    if kind == "link":
        tab.open(f"#text={base64.urlsafe_b64encode(text.encode()).decode().rstrip('=')}")
    elif kind == "opened record":
        tab.open()
        tab.page.click("#openings")
        tab.page.fill("#opened", text)
        tab.page.wait_for_selector("#found")
        tab.page.click("#start")
    elif kind == "own game":
        others = ["greedy"] * (session.rules.num_players - 1)
        made = client.post("/api/tables", {"text": text, "seats": ["human", *others]})
        tab.sit_down(made["id"], made["keys"]["0"])
    else:
        made = client.post("/api/tables", {"text": text, "seats": ["greedy", "uniform"]})
        tab.open(f"#{made['id']}")
    tab.page.wait_for_selector("#judged")
    return tab


@pytest.mark.parametrize(("game", "kind"), nightly_but(EACH_ONCE, product(RULES, KINDS)))
def test_each_control_at_each_position(client, browser, game, kind):
    """At the last, an earlier and the first position, with hints on and off."""
    rules = RULES[game]
    session = whole(rules)
    tab = opened(client, browser, kind, session)
    page = tab.page
    count = lambda selector: page.locator(selector).count()  # noqa: E731
    total = int(page.get_attribute("#slider", "max"))
    marks, seated = count("g.judged"), kind != "agents only"
    assert marks > 0
    for hints in (False, True):
        for at in (total, total // 2, 0):
            page.fill("#slider", str(at))
            page.locator("#slider").blur()
            page.wait_for_selector(f"#replay:has-text('move {at}')")
            expected = f"Move {at} of {total}"
            if at < total:
                page.wait_for_selector(f"#say:text-is('{expected}.')")
                assert page.title().startswith(f"{expected} · {game.capitalize()}")
            assert count(".chances") == count("#judged") == count("#mistake") == 1
            assert count("g.judged") == marks
            assert count("#rematch") == count("#again") == count("#share") == count("#watch") == 1
            assert count("#branch") == (at < total)
            assert count("#take-back") == seated
            assert count("#hints") == 1
            assert count(".slot") == count("#move") == count("#uncover") == count("#stop") == 0
            game_then = session.at(len(session.turns) if at == total else turns_of(session, at))
            hints_are_shown(page, hints=hints, at_end=at == total)
            tiles = page.locator(".other .backs .tile").count()
            assert tiles == sum(len(rack) for rack in game_then.racks)
            if game == "ingenious":
                assert count(".results") == (at == total)
            else:
                assert count(".sheet header span:text-matches('1st')") == (at == total)
            assert count("text=your turn") == 0
            page.keyboard.press("n")
            page.wait_for_selector("#remark")
            page.wait_for_selector("#overlay .better")
        if not hints:
            page.keyboard.press("h")
            page.wait_for_selector("#hints[aria-pressed=true]")
            page.wait_for_selector("#adviser")
    page.fill("#slider", "3")
    page.click("#branch")
    page.wait_for_selector(f"#found:has-text('{turns_of(session, 3)} moves')")
    page.click("#cancel")
    page.keyboard.press("Home")
    page.wait_for_selector("#replay:has-text('move 0')")
    before = page.url
    page.click("#again" if seated else "#rematch")
    page.wait_for_url(lambda url: url != before)
    tab.close()


def hints_are_shown(page, *, hints, at_end):
    """The panel if hints are on, with a list but at the end, and nothing on the board for an own turn."""
    count = lambda selector: page.locator(selector).count()  # noqa: E731
    if hints:
        page.wait_for_selector("#analysis:has-text('the game is over')" if at_end else "#hint0")
    assert count("#adviser") == hints
    assert count("#hint0") == count(".hint-row em") == (hints and not at_end)
    assert count(".dot") == count(".candidate") == 0


def turns_of(session, at):
    """The number of turns that a page shows after a number of moves."""
    choices = definition_of(session.rules).choices
    private = [name for name, choice in choices.items() if choice.is_private]
    public = [number for number, turn in enumerate(session.turns, 1) if turn.move not in private]
    following = [number for number in public if number > (public[at - 1] if at else 0)]
    return following[0] - 1 if following else len(session.turns)


LISTS = {"ingenious": Rules(), "solitaire": Rules.solitaire(), "loopit": LoopitRules(2)}
DRAWN = """async ([move]) => {
    const { app } = await import("/web/static/store.js");
    const shown = document.getElementById("overlay").innerHTML;
    app.game.overlay(app.table, null, move);
    return [shown, document.getElementById("overlay").innerHTML];
}"""


def mixed(rules):
    """A game in which good and random moves alternate."""
    session = Session(rules, 4)
    policies = [definition_of(rules).policy(name) for name in ("value", "uniform")]
    while not session.is_over:
        policy = policies[len(session.turns) % 3 == 2]
        session.play(int(policy.act(View.of(session.game))[0]))
    return session


@pytest.mark.parametrize("game", nightly_but(["solitaire", "loopit"], LISTS))
def test_the_list_at_earlier_positions(client, browser, game):
    """The hints of the chosen agent, with the move that was played; the pressed one is drawn on the board."""
    rules, choices = LISTS[game], definition_of(LISTS[game]).choices
    session = mixed(rules)
    tab = opened(client, browser, "own game", session)
    page = tab.page
    table, version = page.url.partition("#")[2], 0
    keys = page.evaluate("JSON.parse(localStorage.getItem('ingenious-tables'))")[table]
    page.keyboard.press("h")
    page.wait_for_selector("#analysis:has-text('the game is over')")
    ranks = []
    for agent in ("value", "greedy"):
        page.select_option("#adviser", agent)
        for at in (0, 2, 5, 10, 19):
            page.evaluate("at => import('/web/static/store.js').then(({ show }) => show(at))", at)
            page.wait_for_selector(f"#replay:has-text('move {at}')")
            asked = {"keys": keys, "version": version, "agent": agent, "at": at}
            found = client.post(f"/api/tables/{table}/advice", asked)
            tab.settle()
            page.wait_for_selector("#hint0")
            labels = page.locator(".hint-row").evaluate_all("rows => rows.map((row) => row.ariaLabel)")
            played, moves = found["played"], [entry["move"] for entry in found["list"]]
            ranks.append(played["rank"])
            if played["move"] not in moves:
                moves.append(played["move"])
            assert len(labels) == len(moves)
            for move, label in zip(moves, labels, strict=True):
                number = moves.index(move) if move != played["move"] else played["rank"]
                assert label.startswith(f"{number + 1}: ")
                assert move in label or move in choices
                assert label.endswith(" played") == (move == played["move"])
            assert page.locator(".hint-row em").count() == 1
            for row in (0, len(moves) - 1):
                page.click(f"#hint{row}")
                page.wait_for_selector(f"#hint{row}[aria-pressed=true]")
                assert page.locator(".hint-row[aria-pressed=true]").count() == 1
                shown, expected = page.evaluate(DRAWN, [moves[row]])
                assert shown == expected
                assert ("better" in shown) == (moves[row] not in choices)
    assert min(ranks) == 0
    assert max(ranks) >= LISTED
    tab.close()


COUNTING = """(() => {
    const fetched = window.fetch;
    let waiting = 0;
    window.most = 0;
    window.fetch = async (address, given) => {
        if (!address.endsWith("/advice")) return fetched(address, given);
        waiting += 1;
        window.most = Math.max(window.most, waiting);
        try { return await fetched(address, given); } finally { waiting -= 1; }
    };
})()"""


@pytest.mark.parametrize("game", RULES)
def test_requests_for_lists_do_not_pile_up(client, browser, game):
    """Of many positions one after the other the last counts, and one request at a time is waited for."""
    tab = opened(client, browser, "own game", whole(RULES[game]))
    page, held = tab.page, []
    page.evaluate(COUNTING)
    page.keyboard.press("h")
    page.wait_for_selector("#adviser")

    def hold(route):
        held.append(route)

    page.route("**/advice", hold)
    for number, at in enumerate((9, 8, 7, 6), 1):
        page.evaluate("at => import('/web/static/store.js').then(({ show }) => show(at))", at)
        page.wait_for_selector(f"#replay:has-text('move {at}')")
        for _ in range(int(100 * PATIENCE)):
            if len(held) == number:
                break
            page.wait_for_timeout(10)
    assert [route.request.post_data_json["at"] for route in held] == [9, 8, 7, 6]
    held.pop().continue_()
    page.wait_for_selector("#hint0")
    page.keyboard.press("End")
    page.wait_for_selector("#analysis:has-text('the game is over')")
    assert page.evaluate("most") == 1
    tab.close()


def test_news_while_an_earlier_position_is_shown(client, browser):
    """The move that is shown is not announced as new, and a rack stays covered for the next person.

    When the moves that are shown are taken back, the latest position is.
    """
    body = {"game": "ingenious", "rules": definition_of(Rules()).rules_to_text(Rules()), "seed": 1}
    made = client.post("/api/tables", {**body, "seats": ["human", "human"]})
    path, keys = f"/api/tables/{made['id']}", ",".join(made["keys"].values())
    tab = Tab(browser, client.port)
    tab.sit_down(made["id"], keys)
    session = Session(Rules(), 1)

    def move():
        action = int(session.game.legal_actions()[0])
        text = session.game.definition.move_to_text(session.game.move(action))
        session.play(action)
        version = client.get(f"{path}?keys={keys}")["version"]
        client.post(f"{path}/move", {"keys": keys, "version": version, "move": text})

    for _ in range(3):
        move()
    tab.page.wait_for_selector("#replay:has-text('move 3')")
    tab.page.click("#uncover")
    tab.page.keyboard.press("ArrowLeft")
    tab.page.wait_for_selector("#say:text-is('Move 2 of 3.')")
    said = tab.page.inner_text("#live")
    move()
    tab.page.wait_for_selector("#say:text-is('Move 2 of 4.')")
    assert tab.page.inner_text("#live") == said
    assert tab.page.locator(".slot").count() == 0
    tab.page.wait_for_selector("#uncover:has-text('Player 1')")
    tab.page.keyboard.press("End")
    tab.page.wait_for_selector("#replay:has-text('move 4')")
    tab.page.keyboard.press("ArrowLeft")
    tab.page.wait_for_selector("#say:text-is('Move 3 of 4.')")
    for _ in range(2):
        version = client.get(f"{path}?keys={keys}")["version"]
        client.post(f"{path}/back", {"keys": keys, "version": version})
    tab.page.wait_for_selector("#replay:has-text('move 2')")
    tab.page.wait_for_selector("#uncover")
    tab.close(422)


@pytest.mark.parametrize("game", RULES)
def test_no_two_elements_have_one_id(client, browser, game):
    tab = opened(client, browser, "own game", whole(RULES[game]))
    ids = "[...document.querySelectorAll('[id]')].map((element) => element.id)"
    found = tab.page.evaluate(ids)
    assert sorted(found) == sorted(set(found))
    tab.close()
