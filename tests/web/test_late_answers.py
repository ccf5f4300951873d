"""Agents that answer late, as programs do: only who waits for them waits, and each does one thing at once."""

import asyncio
import threading

import pytest
from patience import PATIENCE

pytest.importorskip("starlette")

from asgi import asked

from ingenious_env import Game, Rules
from ingenious_env.engine.definition import definition_of
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.web.app import make_app
from ingenious_env.web.store import Store
from ingenious_env.web.tables import HUMAN, Agent, Table

SEED = 5


class Late:
    """Plays the first legal action once its gate is open, with a memory; notes where it is asked."""

    def __init__(self):
        self.gate, self.busy = threading.Event(), threading.Lock()
        self.gate.set()
        self.threads, self.asked = set(), []

    def _note(self, what):
        self.threads.add(threading.get_ident())
        assert self.busy.acquire(blocking=what == "check"), "it does something else already"
        self.busy.release()
        self.asked.append(what)

    def check(self, rules):
        del rules
        self._note("check")

    def begin(self, keys):
        del keys
        self._note("begin")

    def act(self, view):
        self._note("act")
        with self.busy:
            assert self.gate.wait(PATIENCE)
        return view.legal_mask().argmax(axis=1)


@pytest.fixture(name="late")
def _late():
    late = Late()
    yield late
    late.gate.set()


@pytest.fixture(name="agents")
def _agents(late):
    return {"late": Agent("late", lambda _game: late)}


class Desk:
    """A page of a table with the agent, of which the person is to move first."""

    def __init__(self, app, made):
        self.app, self.path, self.keys = app, f"/api/tables/{made['id']}", made["keys"]["0"]

    @classmethod
    async def made(cls, app):
        rules = definition_of(Rules()).rules_to_text(Rules())
        body = {"game": "ingenious", "rules": rules, "seats": [HUMAN, "late"], "seed": SEED}
        return cls(app, (await asked(app, "POST", "/api/tables", body)).body)

    async def show(self):
        return (await asked(self.app, "GET", f"{self.path}?keys={self.keys}")).body

    async def post(self, name, **more):
        version = (await self.show())["version"]
        return await asked(
            self.app, "POST", f"{self.path}/{name}", {"keys": self.keys, "version": version, **more}
        )


def first_move():
    game = Game(Rules(), SEED)
    return game.definition.move_to_text(game.move(int(game.legal_actions()[0])))


async def until(is_so):
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.001)


def test_no_agent_is_asked_in_the_thread_of_the_server(agents, late, tmp_path):
    """By the list of games, a new table, a table out of a file, a move, a takeback or for a hint."""

    async def run():
        app = make_app(agents, Store(tmp_path, agents))
        found = [await asked(app, "GET", "/api/games")]
        desk = await Desk.made(app)
        desk.app = make_app(agents, Store(tmp_path, agents))
        found += [await desk.post("move", move=first_move()), await desk.post("back")]
        await desk.post("advice", agent="late")
        return found

    assert [answer.status for answer in asyncio.run(run())] == [200] * 3
    assert late.asked.count("check") > 3
    assert late.asked.count("begin") == 3
    assert "act" in late.asked
    assert threading.get_ident() not in late.threads


def test_a_takeback_waits_for_the_memory_of_an_agent_and_others_do_not(agents, late):
    """A game begins again once the thought about the other one has ended; meanwhile nothing changes."""

    async def run():
        app = make_app(agents, Store(None, agents))
        desk, other = await Desk.made(app), await Desk.made(app)
        late.gate.clear()
        late.asked.clear()
        assert (await desk.post("move", move=first_move())).status == 200
        await until(late.busy.locked)
        taking = asyncio.create_task(desk.post("back"))
        listening = asyncio.Event()
        path = f"{desk.path}/events?keys={desk.keys}"
        page = asyncio.create_task(asked(app, "GET", path, left=listening))
        for _ in range(20):
            assert (await other.show())["total"] == 0
            await asyncio.sleep(0.002)  # so that what would not wait is noticed
        again = asyncio.create_task(desk.post("back"))
        assert (taking.done(), again.done(), late.asked) == (False, False, ["act"])
        late.gate.set()
        answers = [await taking, await again]
        assert [answer.status for answer in answers] == [200, 422]
        seen = await desk.show()
        assert (seen["total"], seen["thinking"], late.asked) == (0, False, ["act", "begin"])
        listening.set()
        await page

    asyncio.run(run())


def test_a_table_out_of_a_file_is_read_once(agents, late, tmp_path, monkeypatch):
    """For all requests that come meanwhile."""
    table = Table.of(Rules(), [HUMAN, "late"], agents, SEED)
    Store(tmp_path, agents).add(table)
    read, from_json, server = [], Table.from_json, threading.get_ident()

    def noted(text, agents):
        assert threading.get_ident() != server
        read.append(text)
        assert late.gate.wait(PATIENCE)
        return from_json(text, agents)

    monkeypatch.setattr(Table, "from_json", noted)

    async def run():
        app = make_app(agents, Store(tmp_path, agents))
        path = f"/api/tables/{table.id}?keys={table.keys[0]}"
        late.gate.clear()
        asking = [asyncio.create_task(asked(app, "GET", path)) for _ in range(5)]
        await until(lambda: read or asking[0].done())
        assert (await asked(app, "GET", f"/api/tables/{'0' * 32}")).status == 404
        late.gate.set()
        assert [answer.status for answer in await asyncio.gather(*asking)] == [200] * 5

    asyncio.run(run())
    assert len(read) == 1


@pytest.mark.parametrize("rules", [Rules(), Rules(3, rack_size=2), LoopitRules(3)], ids=str)
def test_what_others_would_notice_is_what_they_notice(rules):
    """At each position, for each seat; no agent is told of a game that does not begin again."""
    hidden = 0
    for seed in range(5):
        table = Table.of(rules, [HUMAN] * rules.num_players, {}, seed)
        while not table.session.is_over:
            table.play(table.session.game.random_action())
            for seat in {turn.seat for turn in table.session.turns}:
                expected = table.draft().take_back(seat)
                assert table.is_noticed(seat) == expected
                hidden += not expected
    assert hidden
