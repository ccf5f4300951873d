"""Tables that change during other requests, and changes that cannot be saved: no move is lost."""

import asyncio
import errno
import json
import os
import threading

import numpy as np
import pytest
from patience import PATIENCE

pytest.importorskip("starlette")

from asgi import asked
from spoken import speaking

from ingenious_env import Game, Rules
from ingenious_env.engine.definition import definition_of
from ingenious_env.web import rooms
from ingenious_env.web import store as storing
from ingenious_env.web.app import Server, make_app
from ingenious_env.web.folder import open_folder
from ingenious_env.web.store import Store
from ingenious_env.web.tables import HUMAN, PUBLIC, Agent, Table, level_agents

SEED = 5


class First:
    """Plays the first legal action, once a gate is open."""

    def __init__(self):
        self.gate, self.asked = threading.Event(), threading.Event()
        self.gate.set()

    def act(self, view):
        self.asked.set()
        assert self.gate.wait(PATIENCE)
        return view.legal_mask().argmax(axis=1)


@pytest.fixture(name="first")
def _first():
    policy = First()
    yield policy
    policy.gate.set()


@pytest.fixture(name="agents")
def _agents(first):
    """Two that are one: `value` judges, too."""
    return {name: Agent(name, lambda _game: first) for name in ("first", "value")}


class Desk:
    """A table of a server with its keys, and requests to it."""

    def __init__(self, app, made):
        self.app, self.id, self.keys = app, made["id"], ",".join(made["keys"].values())

    @classmethod
    async def made(cls, app, seats=(HUMAN, HUMAN), rules=None, seed=SEED):
        answer = await asked(app, "POST", "/api/tables", new_table(seats, rules, seed))
        assert answer.status == 200, answer
        return cls(app, answer.body)

    async def show(self):
        return (await asked(self.app, "GET", f"/api/tables/{self.id}?keys={self.keys}")).body

    async def post(self, name, moves=0, **more):
        """Send a request after a number of moves."""
        body = self.bodies(moves * PUBLIC)[name] | more
        return await asked(self.app, "POST", f"/api/tables/{self.id}/{name}", body)

    def bodies(self, version=0):
        """By the end of its path, the body of each route that takes one for this table."""
        move = first_move()
        return {
            "move": {"keys": self.keys, "version": version, "move": move},
            "draws": {"keys": self.keys, "version": version, "move": move},
            "back": {"keys": self.keys, "version": version},
            "stop": {"keys": self.keys},
            "delete": {"keys": self.keys},
            "advice": {"keys": self.keys, "version": version, "agent": "first"},
            "judge": {"keys": self.keys, "version": version, "move": move},
            "analysis": {"keys": self.keys},
            "compared": {"keys": self.keys},
        }


def new_table(seats=(HUMAN, HUMAN), rules=None, seed=SEED):
    rules = rules or Rules(2)
    game = definition_of(rules)
    return {"game": game.name, "rules": game.rules_to_text(rules), "seats": list(seats), "seed": seed}


def first_move(moves=0, seed=SEED):
    game = Game(Rules(2), seed)
    for _ in range(moves):
        game.play(int(game.legal_actions()[0]))
    return game.definition.move_to_text(game.move(int(game.legal_actions()[0])))


def posts(server):
    """The ends of the paths of all routes that may change a table."""
    paths = [route.path for route in server.routes() if "POST" in route.methods]
    return {path.rpartition("/")[2] for path in paths if "{id}" in path}


VERSIONED = ("move", "draws", "back", "advice", "judge")
THINKING = ("advice", "judge", "analysis")
CHANGING = ("move", "back", *THINKING)


def test_every_route_is_known(agents):
    desk = Desk(None, {"id": "", "keys": {}})
    assert posts(Server(agents, Store(None, agents))) == desk.bodies().keys()
    assert {*VERSIONED, *THINKING, "stop", "delete", "compared"} == desk.bodies().keys()


@pytest.mark.parametrize("name", VERSIONED)
def test_a_page_that_shows_an_older_position_is_told_so(agents, name):
    """Also if the position was still shown when its request came, and another one was faster."""

    async def run():
        server = Server(agents, Store(None, agents))
        app = make_app(agents, server.rooms.store)
        desk = await Desk.made(app)
        assert (await desk.post("move")).status == 200
        for moves in (0, 2, -1):
            stale = await desk.post(name, moves)
            assert (stale.status, stale.body["version"]) == (409, PUBLIC)
        room = room_of(app, desk)
        async with room.lock:
            waiting = asyncio.create_task(desk.post(name, 1))
            await settled()
            draft = room.table.draft()
            draft.play(int(draft.session.game.legal_actions()[0]))
            room.change(draft)
        late = await waiting
        assert (late.status, late.body["version"], late.body["total"]) == (409, 2 * PUBLIC, 2)

    asyncio.run(run())


def room_of(app, desk):
    """The room of a table, which a request uses."""
    server = app.routes[-1].endpoint.__self__
    store = server.rooms.store
    table = store.kept(desk.id) or store.read(desk.id)
    store.keep(table)
    return server.rooms.of(table)


async def thinks(policy):
    async with asyncio.timeout(PATIENCE):
        while not policy.asked.is_set():
            await asyncio.sleep(0.001)


async def thought_about(desk, policy, name):
    """A request that a policy thinks about until its gate is opened, after two moves.

    A page judges only moves of the seat that it shows, which has made one of them.
    """
    for moves in range(2):
        assert (await desk.post("move", moves, move=first_move(moves))).status == 200
    policy.gate.clear()
    policy.asked.clear()
    more = {"move": first_move(2)} if name == "judge" else {}
    thinking = asyncio.create_task(desk.post(name, 2, **more))
    await thinks(policy)
    return thinking


async def settled():
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.mark.parametrize("name", ["move", "back"])
def test_two_that_come_together_change_a_table_once(agents, tmp_path, name):
    async def run():
        app = make_app(agents, Store(tmp_path, agents))
        desk = await Desk.made(app)
        assert (await desk.post("move")).status == 200
        assert (await desk.post("move", 1, move=first_move(1))).status == 200
        more = {"move": first_move(2)} if name == "move" else {}
        answers = await asyncio.gather(*(desk.post(name, 2, **more) for _ in range(5)))
        assert sorted(answer.status for answer in answers) == [200] + [409] * 4
        total = 3 if name == "move" else 1
        assert (await desk.show())["total"] == total
        assert len(saved(tmp_path, desk)["moves"]) == total

    asyncio.run(run())


def test_two_take_backs_that_come_together_take_back_once(agents, first, tmp_path):
    """Also while an agent thinks, whose end they wait for."""

    async def run():
        app = make_app(agents, Store(tmp_path, agents))
        desk = await Desk.made(app, (HUMAN, "first"))
        assert (await desk.post("move")).status == 200
        seen = await until(desk, lambda seen: not seen["thinking"])
        first.gate.clear()
        game = Table.from_json((tmp_path / f"{desk.id}.json").read_text(), agents).session.game
        move = game.definition.move_to_text(game.move(int(game.legal_actions()[0])))
        after = await desk.post("move", version=seen["version"], move=move)
        assert after.body["thinking"]
        answers = await asyncio.gather(*(desk.post("back", version=after.body["version"]) for _ in range(5)))
        assert sorted(answer.status for answer in answers) == [200] + [409] * 4
        assert (await desk.show())["total"] == seen["total"]
        first.gate.set()

    asyncio.run(run())


def saved(folder, desk):
    return json.loads((folder / f"{desk.id}.json").read_text())


@pytest.mark.parametrize("name", THINKING)
def test_a_table_that_is_thought_about_is_not_forgotten(agents, first, tmp_path, name):
    """With any number of other requests: a move that is made meanwhile stays, in memory and in the file."""

    async def run():
        app = make_app(agents, Store(tmp_path, agents, capacity=1))
        desk = await Desk.made(app)
        thinking = await thought_about(desk, first, name)
        others = [await Desk.made(app) for _ in range(3)]
        for other in others:
            assert (await other.show())["total"] == 0
        moved = await desk.post("move", 2, move=first_move(2))
        assert (moved.status, moved.body["total"]) == (200, 3)
        first.gate.set()
        assert (await thinking).status == 200
        seen = await desk.show()
        assert (seen["total"], seen["hints"]) == (3, True)
        assert (len(saved(tmp_path, desk)["moves"]), saved(tmp_path, desk)["hints"]) == (3, True)
        again = Store(tmp_path, agents).read(desk.id)
        assert (len(again.session.turns), again.hints) == (3, True)

    asyncio.run(run())


def test_hints_that_end_while_an_agent_thinks_do_not_stop_it(agents, first, tmp_path):
    async def run():
        app = make_app(agents, Store(tmp_path, agents))
        desk = await Desk.made(app, (HUMAN, "first"))
        first.gate.clear()
        advice = asyncio.create_task(desk.post("advice"))
        await thinks(first)
        assert (await desk.post("move")).body["thinking"]
        first.gate.set()
        assert (await advice).status == 200
        seen = await until(desk, lambda seen: not seen["thinking"])
        assert (seen["hints"], seen["to_play"]) == (True, 0)
        assert saved(tmp_path, desk)["hints"]

    asyncio.run(run())


async def until(desk, done):
    async with asyncio.timeout(PATIENCE):
        while not done(seen := await desk.show()):
            await asyncio.sleep(0.005)
    return seen


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EMFILE, errno.EDQUOT, errno.EIO])
@pytest.mark.parametrize("name", ["tables", *CHANGING])
def test_a_change_that_cannot_be_saved_is_not_made(agents, tmp_path, monkeypatch, name, number):
    """Neither in memory nor in the file; a message reports it, and the next try works."""

    async def run():
        app = make_app(agents, Store(tmp_path, agents))
        desk = await Desk.made(app)
        assert (await desk.post("move")).status == 200
        before, files = await desk.show(), contents(tmp_path)

        async def change():
            if name == "tables":
                return await asked(app, "POST", "/api/tables", new_table())
            return await desk.post(name, 1, **({"move": first_move(1)} if name in ("move", "judge") else {}))

        def full(path, text):
            raise OSError(number, os.strerror(number), str(path))

        monkeypatch.setattr(storing, "write_text", full)
        for _ in range(2):
            answer = await change()
            assert answer.status == 507
            sentence = (
                f"the game could not be saved ({os.strerror(number)}), so nothing has changed; try again"
            )
            assert answer.body == {"error": sentence}
            assert await desk.show() == before
            assert contents(tmp_path) == files
        monkeypatch.undo()
        assert (await change()).status == 200
        assert contents(tmp_path) != files
        assert Store(tmp_path, agents).read(desk.id).version == (await desk.show())["version"]

    asyncio.run(run())


# Deleted tables.


def test_a_deleted_table_is_gone(agents, tmp_path):
    """For the page, for those that listen, and after a restart."""

    async def run():
        app = make_app(agents, Store(tmp_path, agents))
        desk, other = await Desk.made(app), await Desk.made(app)
        assert (await desk.post("move")).status == 200
        path = f"/api/tables/{desk.id}/events?keys={desk.keys}"
        listening = asyncio.create_task(asked(app, "GET", path))
        await settled()
        assert (await desk.post("delete")).body == {"deleted": True}
        stream = (await listening).body.decode()
        assert "this game was deleted" in stream
        assert await desk.show() == {"error": "there is no such game on this server"}
        assert (await desk.post("delete")).status == 404
        assert contents(tmp_path).keys() == {f"{other.id}.json"}
        assert Store(tmp_path, agents).read(desk.id) is None
        assert (await other.show())["total"] == 0

    asyncio.run(run())


@pytest.mark.parametrize("name", ["agent", *THINKING])
def test_what_was_thought_about_a_deleted_table_is_not_saved(agents, first, tmp_path, name):
    async def run():
        app = make_app(agents, Store(tmp_path, agents))
        desk = await Desk.made(app, (HUMAN, "first" if name == "agent" else HUMAN))
        thinking = None
        if name == "agent":
            first.gate.clear()
            assert (await desk.post("move")).body["thinking"]
            await thinks(first)
        else:
            thinking = await thought_about(desk, first, name)
        assert (await desk.post("delete")).status == 200
        first.gate.set()
        if thinking is not None:
            assert (await thinking).status == 507
        await asyncio.sleep(0.05)
        assert contents(tmp_path) == {}
        assert (await desk.post("stop")).status == 404

    asyncio.run(run())


def test_a_table_of_several_pages_is_not_deleted_by_one(agents, tmp_path):
    async def run():
        app = make_app(agents, Store(tmp_path, agents))
        desk = await Desk.made(app, (HUMAN, HUMAN, HUMAN), Rules(3))
        files = contents(tmp_path)
        for keys in (desk.keys.split(",")[0], ",".join(desk.keys.split(",")[:2])):
            refused = await desk.post("delete", keys=keys)
            assert refused.status == 403
            assert refused.body == {"error": "others play this game, too, so that it cannot be deleted"}
        assert contents(tmp_path) == files
        assert (await desk.post("move")).status == 200
        agents_only = await Desk.made(app, ("first", "first"))
        assert (await agents_only.post("delete", keys="")).status == 200

    asyncio.run(run())


def test_a_table_that_cannot_be_deleted_stays(agents, first, tmp_path, monkeypatch):
    """And the agent that was thinking there goes on."""

    def read_only(path, **_):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    async def run():
        app = make_app(agents, Store(tmp_path, agents))
        desk = await Desk.made(app, (HUMAN, "first"))
        first.gate.clear()
        assert (await desk.post("move")).body["thinking"]
        files = contents(tmp_path)
        monkeypatch.setattr(type(tmp_path), "unlink", read_only)
        deleted = asyncio.create_task(desk.post("delete"))
        await settled()
        first.gate.set()
        refused = await deleted
        assert refused.status == 507
        sentence = "the game could not be deleted (Read-only file system), so nothing has changed; try again"
        assert refused.body == {"error": sentence}
        assert contents(tmp_path) == files
        monkeypatch.undo()
        seen = await until(desk, lambda seen: not seen["thinking"])
        assert seen["total"] == 2
        assert (await desk.post("delete")).status == 200
        assert contents(tmp_path) == {}

    asyncio.run(run())


def test_the_move_of_an_agent_that_cannot_be_saved_is_saved_later(agents, tmp_path, monkeypatch):
    """Its pages are notified, and the agent does not think again."""
    monkeypatch.setattr(rooms, "SAVE_AGAIN", 0.001)
    written, blocked = storing.write_text, []

    def failing(path, text):
        if len(blocked) < 3 and len(json.loads(text)["moves"]) == 2:
            blocked.append(text)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written(path, text)

    monkeypatch.setattr(storing, "write_text", failing)

    async def run():
        app = make_app(agents, Store(tmp_path, agents))
        desk = await Desk.made(app, (HUMAN, "first"))
        left = asyncio.Event()
        path = f"/api/tables/{desk.id}/events?keys={desk.keys}"
        listening = asyncio.create_task(asked(app, "GET", path, left=left))
        await settled()
        assert (await desk.post("move")).status == 200
        seen = await until(desk, lambda seen: not seen["thinking"])
        left.set()
        return seen, (await listening).body.decode(), saved(tmp_path, desk)

    seen, stream, file = asyncio.run(run())
    assert seen["total"] == len(file["moves"]) == 2
    events = [line.partition(": ")[2] for line in stream.splitlines() if line.startswith(("event", "data"))]
    sentence = (
        "the game could not be saved (No space left on device) with the move of first; it is tried again"
    )
    failed = ["failed", json.dumps({"error": sentence})]
    states = [["state", json.dumps({"version": moves * PUBLIC})] for moves in range(3)]
    assert events == [*states[0], *states[1], "thinking", '{"seat": 1}', *failed * 3, *states[2]]
    assert len({*blocked}) == 1


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        ("think", "Stufe 3 hat versagt: no"),
        ("save", "no, mit dem Zug von Stufe 3; es wird noch einmal versucht."),
    ],
)
def test_an_agent_is_named_as_it_is_shown(monkeypatch, broken, sentence):
    """In sentences about it, as everywhere else."""
    agents, told = {agent.name: agent for agent in level_agents()}, []

    def fails(*_):
        raise storing.SaveError("no")

    async def run():
        table = Table.of(Rules(), ["level 3", HUMAN], agents, 1)
        room = rooms.Room(table, Store(None, agents), asyncio.Semaphore(1))
        monkeypatch.setattr(*{"think": (table.session, "copy"), "save": (room, "change")}[broken], fails)
        monkeypatch.setattr(room, "notify", lambda _event, **content: told.append(content.get("error")))
        room.resume()
        await asyncio.wait([room._playing])

    with speaking("de"):
        asyncio.run(run())
    assert told[-1] == sentence


@pytest.mark.parametrize("rules", [Rules(2), Rules(3)], ids=str)
def test_a_move_at_once_after_a_take_back(agents, first, tmp_path, rules):
    """It is answered to; what the agent was thinking about the other move is forgotten."""

    async def run():
        app = make_app(agents, Store(tmp_path, agents))
        desk = await Desk.made(app, (HUMAN, *["first"] * (rules.num_players - 1)), rules)
        game = definition_of(rules).game(rules, SEED)
        moves = [
            game.definition.move_to_text(game.move(int(action))) for action in game.legal_actions()[[0, -1]]
        ]
        first.gate.clear()
        after = await desk.post("move", 0, move=moves[0])
        await thinks(first)
        back = await desk.post("back", version=after.body["version"])
        assert (back.status, back.body["total"], back.body["thinking"]) == (200, 0, False)
        moved = await desk.post("move", version=back.body["version"], move=moves[1])
        assert (moved.status, moved.body["total"], moved.body["thinking"]) == (200, 1, True)
        first.gate.set()
        seen = await until(desk, lambda seen: not seen["thinking"])
        file = saved(tmp_path, desk)
        assert file["moves"][0] == moves[1]
        assert seen["to_play"] == 0
        assert Table.from_json(json.dumps(file), agents).total(0) == seen["total"]

    asyncio.run(run())


class Killed(BaseException):
    """Ends the writer between two steps."""


@pytest.mark.parametrize("step", ["write_text", "replace"])
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_a_writer_that_is_killed_loses_nothing(agents, tmp_path, monkeypatch, step, share):
    """The file is as before or as after, and what was left is removed when the folder is opened again."""
    table = Table.of(Rules(2), [HUMAN, HUMAN], agents, SEED)
    Store(tmp_path, agents).add(table)
    before = contents(tmp_path)
    path = type(tmp_path)

    def killed(self, given, **options):
        if step == "write_text":
            self.write_bytes(given.encode()[: int(share * len(given))])
        raise Killed

    monkeypatch.setattr(path, step, killed)
    monkeypatch.setattr(path, "unlink", lambda *_, **__: None)
    draft = table.draft()
    draft.play(int(draft.session.game.legal_actions()[0]))
    with pytest.raises(Killed):
        Store(tmp_path, agents).save(draft)
    monkeypatch.undo()
    assert len(contents(tmp_path)) == 2
    with open_folder(tmp_path):
        assert {name: text for name, text in contents(tmp_path).items() if name.endswith("json")} == before
        assert not [name for name in contents(tmp_path) if name.endswith("part")]


NUMBERS = (True, -1, 7, 1.5, float("inf"), float("nan"), 10**30)
TEXTS = ("", "x", "../x", "0" * 31, "\ud800", "[" * 50_000)
LISTS = ([], [None], [[]], [7], ["x"], ["x"] * 2, ["keep"], [HUMAN], [HUMAN] * 3, ["", ""])
ODD = (None, *NUMBERS, *TEXTS, *LISTS, {}, {"a": 1})
RIGHT = {
    "version": lambda value: type(value) is int and value >= 0,
    "take_backs": lambda value: value is True,
    "hints": lambda value: value is True,
    "moves": lambda value: value == [],
    "hidden_take_backs": lambda value: value == [],
    "asking": lambda value: value is None,
}
"""By field, whether one of these values is no damage."""
FIELDS = tuple(json.loads(Table.of(Rules(2), [HUMAN] * 2, {}, SEED).to_json()))


@pytest.mark.parametrize("field", FIELDS)
def test_a_damaged_table_is_said_to_be_so(agents, tmp_path, field):
    """In a sentence, for each odd value of each field; its file stays, and nothing is written anywhere."""
    folder = tmp_path / "games"
    table = Table.of(Rules(2), [HUMAN, "first"], agents, SEED)
    table.play(int(table.session.game.legal_actions()[0]))
    Store(folder, agents).add(table)
    whole = json.loads(table.to_json())
    path = folder / f"{table.id}.json"
    is_right = RIGHT.get(field, lambda _value: False)
    damaged = [{**whole, field: value} for value in ODD if not is_right(value)]
    if field not in ("hidden_take_backs", "asking"):  # which earlier versions had not
        damaged.append({name: value for name, value in whole.items() if name != field})

    async def run():
        for fields in damaged:
            path.write_text(json.dumps(fields))
            await refused(agents, folder, path, table)

    asyncio.run(run())


async def refused(agents, folder, path, table):
    app, content = make_app(agents, Store(folder, agents)), path.read_bytes()
    for method, end, body in (
        ("GET", f"?keys={table.keys[0]}", None),
        ("POST", "/move", {"keys": table.keys[0], "version": 0, "move": first_move()}),
        ("GET", f"/events?keys={table.keys[0]}", None),
    ):
        answer = await asked(app, method, f"/api/tables/{table.id}{end}", body)
        assert answer.status == 422, content[:2000]
        start = f"the file of this game, {table.id}.json, cannot be used and is left as it is: "
        assert answer.body["error"].startswith(start)
        assert len(answer.body["error"]) > len(start) + 5
        assert "\n" not in answer.body["error"]
    assert path.read_bytes() == content
    assert [each.name for each in folder.parent.rglob("*") if each != path] == ["games"]


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"7", b"\xff\xfe", b"\0" * 100, b"[" * 100_000, b"9" * 10_000]
)
def test_a_file_that_is_no_table_is_said_to_be_so(agents, tmp_path, content):
    folder = tmp_path / "games"
    table = Table.of(Rules(2), [HUMAN, "first"], agents, SEED)
    Store(folder, agents).add(table)
    path = folder / f"{table.id}.json"
    path.write_bytes(content)
    asyncio.run(refused(agents, folder, path, table))


def test_a_file_that_cannot_be_read_is_not_a_game_that_does_not_exist(agents, tmp_path):
    async def run():
        app = make_app(agents, Store(tmp_path, agents))
        (tmp_path / f"{'0' * 32}.json").mkdir()
        answer = await asked(app, "GET", f"/api/tables/{'0' * 32}")
        assert answer.status == 503
        assert answer.body["error"].startswith("the game cannot be read (")
        assert (await asked(app, "GET", f"/api/tables/{'1' * 32}")).status == 404

    asyncio.run(run())


def test_a_draft_is_another_table_until_it_is_taken_over(agents):
    table = Table.of(Rules(2), [HUMAN, HUMAN], agents, SEED)
    rng = np.random.default_rng(0)
    for _ in range(6):
        before, version = table.session.game, table.version
        draft = table.draft()
        draft.play(int(rng.choice(draft.session.game.legal_actions())))
        draft.take_back(draft.session.turns[0].seat)
        draft.play(int(rng.choice(draft.session.game.legal_actions())))
        draft.hints = True
        assert (table.session.game, table.version, table.hints, table.take_backs) == (
            before,
            version,
            False,
            False,
        )
        assert len(table.public) == 1 + len(table.session.turns)
        other = table.draft()
        other.play(int(rng.choice(other.session.game.legal_actions())))
        table.take_over(other)
        assert (table.session.game, table.version) == (other.session.game, version + PUBLIC)
