"""Take backs that are asked of people at other pages: at the server, and in two browsers."""

import asyncio

import pytest

pytest.importorskip("starlette")

from asgi import asked
from browser import Tab
from test_saving import Desk, _agents, _first, first_move, new_table, saved  # noqa: F401 - fixtures

from ingenious_env import Rules
from ingenious_env.engine.definition import definition_of
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.web.app import make_app
from ingenious_env.web.store import Store
from ingenious_env.web.tables import HUMAN, Table
from ingenious_env.web.visible import visible


class Pages:
    """The pages of the seats of a table, each with its own key."""

    def __init__(self, app, made):
        self.desks = [Desk(app, {**made, "keys": {seat: key}}) for seat, key in sorted(made["keys"].items())]

    @classmethod
    async def made(cls, app, seats=(HUMAN, HUMAN), rules=None):
        answer = await asked(app, "POST", "/api/tables", new_table(seats, rules))
        assert answer.status == 200
        return cls(app, answer.body)

    async def post(self, number, name, **more):
        """A request of a page with the version that it is shown."""
        version = (await self.desks[number].show())["version"]
        return await self.desks[number].post(name, version=version, **more)

    async def totals(self):
        return [(state["total"], state.get("asking")) for state in [await desk.show() for desk in self.desks]]


def run(agents, folder, play, **options):
    async def runs():
        app = make_app(agents, Store(folder, agents))
        pages = await Pages.made(app, **options)
        await play(pages)

    asyncio.run(runs())


@pytest.mark.parametrize("allow", [True, False])
def test_the_other_person_decides(agents, tmp_path, allow):
    async def play(pages):
        assert (await pages.post(0, "move", move=first_move())).status == 200
        answer = await pages.post(0, "back")
        assert (answer.status, answer.body["total"], answer.body["asking"]) == (200, 1, 0)
        assert await pages.totals() == [(1, 0), (1, 0)]
        assert saved(tmp_path, pages.desks[0])["asking"] == 0
        again = await pages.post(0, "back")  # nothing changes by asking again
        assert (again.status, again.body["asking"]) == (200, 0)
        own = await pages.post(0, "back", allow=True)
        assert (own.status, own.body["error"]) == (422, "nobody asks you to allow a takeback")
        answer = await pages.post(1, "back", allow=allow)
        assert answer.status == 200
        assert await pages.totals() == [(1 - allow, None)] * 2
        assert (await pages.desks[1].show())["take_backs"] == allow
        assert saved(tmp_path, pages.desks[0])["asking"] is None
        late = await pages.post(1, "back", allow=True)
        assert (late.status, late.body["error"]) == (422, "nobody asks you to allow a takeback")

    run(agents, tmp_path, play)


def test_a_page_that_shows_an_older_position_allows_nothing(agents, tmp_path):
    async def play(pages):
        await pages.post(0, "move", move=first_move())
        version = (await pages.desks[1].show())["version"]
        await pages.post(0, "back")
        late = await pages.desks[1].post("back", version=version, allow=True)
        assert (late.status, late.body["asking"]) == (409, 0)
        assert await pages.totals() == [(1, 0), (1, 0)]

    run(agents, tmp_path, play)


def test_a_move_goes_on_with_the_game(agents, tmp_path):
    async def play(pages):
        await pages.post(0, "move", move=first_move())
        await pages.post(0, "back")
        assert (await pages.post(1, "move", move=first_move(1))).status == 200
        assert await pages.totals() == [(2, None)] * 2

    run(agents, tmp_path, play)


def test_moves_of_agents_leave_the_question(agents, tmp_path):
    """With an agent between the two: its thought goes on."""

    async def play(pages):
        await pages.post(0, "move", move=first_move())
        for _ in range(100):
            if (await pages.desks[0].show())["to_play"] == 2:
                break
            await asyncio.sleep(0.05)
        await pages.post(0, "back")
        assert await pages.totals() == [(2, 0)] * 2
        assert (await pages.post(1, "back", allow=True)).status == 200
        assert (await pages.desks[0].show())["total"] == 0

    run(agents, tmp_path, play, seats=(HUMAN, "first", HUMAN), rules=Rules(3))


def test_who_plays_alone_against_agents_asks_nobody(agents, tmp_path):
    async def play(pages):
        await pages.post(0, "move", move=first_move())
        answer = await pages.post(0, "back")
        assert (answer.body["total"], "asking" in answer.body) == (0, False)

    run(agents, tmp_path, play, seats=(HUMAN, "first"))


def before_a_swap():
    """A table of two people, and the placement of the seat to move after which it may swap its rack."""
    for seed in range(3000):
        table = Table.of(Rules(), [HUMAN, HUMAN], {}, seed)
        while not table.session.is_over:
            action = int(table.session.game.legal_actions()[0])
            game = table.session.game
            game.play(action)
            if game.phase == "swap" and not game.is_over:
                return table, action
            table.play(action)
    raise AssertionError


@pytest.mark.parametrize("asks", ["mover", "other"])
def test_a_move_that_others_have_not_seen_leaves_the_question(asks):
    """For a change of it would tell that racks may be swapped; and what is allowed is what was asked for."""
    table, action = before_a_swap()
    mover = table.session.to_play
    other = 1 - mover
    table.ask(mover if asks == "mover" else other)
    before = visible(table, other)
    table.play(action)
    assert visible(table, other) == before
    table.take_back(mover)
    assert visible(table, other) == before
    table.play(action)
    granted = table.draft()
    granted.grant()
    turns = [turn.seat for turn in table.session.turns][:-1]
    last = max(number for number, seat in enumerate(turns) if seat == table.asking)
    assert (granted.asking, len(granted.session.turns)) == (None, last)
    table.play(table.session.game.action("keep"))
    assert "asking" not in visible(table, other)


def test_moves_that_others_have_not_seen_are_taken_back_at_once():
    """A placement after which racks may be swapped is shown at the end of the turn."""
    table, action = before_a_swap()
    table.play(action)
    seat = table.session.to_play
    version = table.version_for(1 - seat)
    assert not table.take_back(seat)
    assert table.version_for(1 - seat) == version


def test_damaged_files_are_refused():
    table = Table.of(Rules(), [HUMAN, HUMAN], {}, 3)
    table.ask(1)
    text = table.to_json()
    assert Table.from_json(text, {}).asking == 1
    for wrong in ("2", "-1", "true", '"0"', "0.0", "[0]"):
        with pytest.raises(ValueError, match="asking is not a seat of a person"):
            Table.from_json(text.replace('"asking": 1', f'"asking": {wrong}'), {})


@pytest.mark.parametrize("rules", [Rules(), LoopitRules(2)], ids=["ingenious", "loopit"])
def test_two_browsers(client, browser, rules):
    """One asks; the other refuses, and allows it the second time."""
    game = definition_of(rules)
    body = {"game": game.name, "rules": game.rules_to_text(rules), "seats": ["human", "human"], "seed": 4}
    made = client.post("/api/tables", body)
    tabs = []
    for seat in ("0", "1"):
        tab = Tab(browser, client.port)
        tab.sit_down(made["id"], made["keys"][seat])
        tabs.append(tab)
    first, second = (tab.page for tab in tabs)
    shown, number = game.game(rules, 4), 0
    while shown.to_play == 0:  # in Loopit a turn has several moves, which others see at its end
        move, number = shown.move(int(shown.legal_actions()[0])), number + 1
        first.fill("#move", game.move_to_text(move))
        first.press("#move", "Enter")
        first.wait_for_selector(f"#replay:has-text('move {number}')")
        shown.play(shown.action(move))
    moves = f"move {number}"
    second.wait_for_selector(f"#replay:has-text('{moves}')")
    first.click("#take-back")
    second.wait_for_selector("#refuse")
    first.wait_for_selector("#say:has-text('another player decides')")
    assert second.inner_text("#dialog h2").endswith("asks to take a move back")
    second.click("#refuse")
    first.wait_for_selector("#say:not(:has-text('another player decides'))")
    assert moves in first.inner_text("#replay")
    first.keyboard.press("z")
    second.click("#allow")
    for page in (first, second):
        page.wait_for_selector(f"#replay:not(:has-text('{moves}'))")
        assert page.locator("dialog[open]").count() == 0
    for tab in tabs:
        tab.close()
