"""A game that is over, reviewed: each control at each position, however the game came to the page."""

import base64

import pytest

pytest.importorskip("starlette")

from browser import Tab

from ingenious_env import Rules, Session
from ingenious_env.engine.definition import definition_of
from ingenious_env.games.loopit import Rules as LoopitRules

RULES = {"ingenious": Rules(), "loopit": LoopitRules(2)}
KINDS = ("own game", "agents only", "opened record", "link")


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
        made = client.post("/api/tables", {"text": text, "seats": ["human", "greedy"]})
        tab.sit_down(made["id"], made["keys"]["0"])
    else:
        made = client.post("/api/tables", {"text": text, "seats": ["greedy", "uniform"]})
        tab.open(f"#{made['id']}")
    tab.page.wait_for_selector("#judged")
    return tab


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", RULES)
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
            assert count("#take-back") == count("#hints") == seated
            assert count(".slot") == count("#move") == count("#uncover") == count("#stop") == 0
            assert count("#adviser") == (hints and seated)
            assert count("#hint0") == count(".dot") == count(".candidate") == 0
            tiles = page.locator(".other .backs .tile").count()
            game_then = session.at(len(session.turns) if at == total else turns_of(session, at))
            assert tiles == sum(len(rack) for rack in game_then.racks)
            if game == "ingenious":
                assert count(".results") == (at == total)
            else:
                assert count(".sheet header span:text-matches('1st')") == (at == total)
            assert count("text=your turn") == 0
            page.keyboard.press("n")
            page.wait_for_selector("#remark")
            page.wait_for_selector("#overlay .better")
        if not hints and seated:
            page.keyboard.press("h")
            page.wait_for_selector("#hints[aria-pressed=true]")
            page.wait_for_selector("#analysis:has-text('the game is over')")
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


def turns_of(session, at):
    """The number of turns that a page shows after a number of moves."""
    choices = definition_of(session.rules).choices
    private = [name for name, choice in choices.items() if choice.is_private]
    public = [number for number, turn in enumerate(session.turns, 1) if turn.move not in private]
    following = [number for number in public if number > (public[at - 1] if at else 0)]
    return following[0] - 1 if following else len(session.turns)


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
