"""Limits made small, and met: thoughts, tables, streams, connections, requests that never end."""

import asyncio
import socket
import threading
import time
from contextlib import contextmanager, suppress

import pytest
from patience import PATIENCE, wait_until

pytest.importorskip("starlette")

from asgi import asked
from uvicorn.protocols.http.h11_impl import H11Protocol
from web_server import Client, serving

from ingenious_env import Game, Rules
from ingenious_env.engine.definition import definition_of
from ingenious_env.policies.thinking import is_stopped
from ingenious_env.web import advising, connections, rooms
from ingenious_env.web import app as application
from ingenious_env.web.app import make_app
from ingenious_env.web.store import Store
from ingenious_env.web.tables import HUMAN, PUBLIC, Agent


class Counting:
    """Plays the first legal action once it is allowed to or asked to stop, and counts who else does."""

    def __init__(self):
        self.lock, self.gate = threading.Lock(), threading.Event()
        self.thinking = self.most = self.calls = 0
        self.is_stubborn = False

    def act(self, view):
        with self.lock:
            self.calls += 1
            self.thinking += 1
            self.most = max(self.most, self.thinking)
        until = time.monotonic() + PATIENCE
        while not (self.gate.is_set() or (is_stopped() and not self.is_stubborn)):
            assert time.monotonic() < until
            time.sleep(0.001)
        with self.lock:
            self.thinking -= 1
        return view.legal_mask().argmax(axis=1)


@pytest.fixture(name="policy")
def _policy():
    policy = Counting()
    yield policy
    policy.gate.set()


@pytest.fixture(name="agents")
def _agents(policy):
    return {name: Agent(name, lambda _game: policy) for name in ("counting", "value")}


async def sat_down(app, seats=(HUMAN, HUMAN)):
    """The path of a new table, and the keys of its people."""
    rules = definition_of(Rules(2)).rules_to_text(Rules(2))
    body = {"game": "ingenious", "rules": rules, "seats": list(seats), "seed": 5}
    answer = await asked(app, "POST", "/api/tables", body)
    assert answer.status == 200, answer
    return f"/api/tables/{answer.body['id']}", ",".join(answer.body["keys"].values())


async def until(done):
    async with asyncio.timeout(PATIENCE):
        while not done():
            await asyncio.sleep(0.002)


def first_move(moves=0):
    game = Game(Rules(2), 5)
    for _ in range(moves):
        game.play(int(game.legal_actions()[0]))
    return game.definition.move_to_text(game.move(int(game.legal_actions()[0])))


@pytest.mark.parametrize("thinkers", [1, 2, 3])
def test_only_so_many_think_at_once(agents, policy, thinkers):
    """Agents at seats, hints, warnings and analyses together, also about moves that are taken back, and also
    if they do not stop when they are asked to."""
    policy.is_stubborn = True

    async def run():
        app = make_app(agents, Store(None, agents), thinkers)
        move = first_move()
        asking = []
        path, keys = await sat_down(app)
        for seat in range(2):
            move_of = {"keys": keys, "version": seat * PUBLIC, "move": first_move(seat)}
            assert (await asked(app, "POST", f"{path}/move", move_of)).status == 200
        asking.append(asyncio.create_task(asked(app, "POST", f"{path}/analysis", {"keys": keys})))
        for _ in range(6):
            path, keys = await sat_down(app)
            now = {"keys": keys, "version": 0}
            asking += [
                asyncio.create_task(asked(app, "POST", f"{path}/advice", {**now, "agent": "counting"})),
                asyncio.create_task(asked(app, "POST", f"{path}/judge", {**now, "move": move})),
            ]
            path, keys = await sat_down(app, (HUMAN, "counting"))
            now = {"keys": keys, "version": 0}
            for _ in range(3):
                seen = (await asked(app, "POST", f"{path}/move", {**now, "move": move})).body
                now["version"] = seen["version"]
                seen = (await asked(app, "POST", f"{path}/back", now)).body
                now["version"] = seen["version"]
            assert (await asked(app, "POST", f"{path}/move", {**now, "move": move})).status == 200
        await until(lambda: policy.thinking == thinkers)
        policy.gate.set()
        assert {answer.status for answer in await asyncio.gather(*asking)} == {200}
        await until(lambda: policy.calls >= 18)
        await until(lambda: policy.thinking == 0)

    asyncio.run(run())
    assert policy.most == thinkers


def test_an_agent_at_a_table_has_one_thought_at_a_time(agents, policy):
    """However often moves are taken back before the first thought ends."""
    policy.is_stubborn = True

    async def run():
        app = make_app(agents, Store(None, agents), thinkers=3)
        path, keys = await sat_down(app, (HUMAN, "counting"))
        now = {"keys": keys, "version": 0}
        for number in range(3):
            seen = (await asked(app, "POST", f"{path}/move", {**now, "move": first_move()})).body
            now["version"] = seen["version"]
            await until(lambda: policy.thinking)
            await settled()
            if number < 2:
                seen = (await asked(app, "POST", f"{path}/back", now)).body
                now["version"] = seen["version"]
        policy.gate.set()
        async with asyncio.timeout(PATIENCE):
            while (await asked(app, "GET", f"{path}?keys={keys}")).body["total"] < 2:
                await asyncio.sleep(0.002)

    asyncio.run(run())
    assert policy.most == 1


def test_a_thought_takes_no_longer_than_the_longest(agents, policy, monkeypatch):
    """Of an agent at a seat and of hints; then they stop with what they have found."""
    monkeypatch.setattr(rooms, "LONGEST_THOUGHT", 0.01)
    monkeypatch.setattr(advising, "LONGEST_THOUGHT", 0.01)

    async def run():
        app = make_app(agents, Store(None, agents))
        path, keys = await sat_down(app, (HUMAN, "counting"))
        now = {"keys": keys, "version": 0}
        asked_for = {**now, "agent": "counting"}
        assert (await asked(app, "POST", f"{path}/advice", asked_for)).body["list"][0]["move"] == first_move()
        assert (await asked(app, "POST", f"{path}/move", {**now, "move": first_move()})).status == 200
        async with asyncio.timeout(PATIENCE):
            while (seen := (await asked(app, "GET", f"{path}?keys={keys}")).body)["thinking"]:
                await asyncio.sleep(0.002)
        assert seen["total"] == 2

    asyncio.run(run())
    assert not policy.gate.is_set()


def test_advice_that_nobody_waits_for_is_stopped(agents, policy, monkeypatch):
    """While it is computed, and before; then the next one is not kept waiting."""
    monkeypatch.setattr(advising, "LONGEST_THOUGHT", 10 * PATIENCE)  # which would stop it, too

    async def run():
        app = make_app(agents, Store(None, agents), thinkers=1)
        path, keys = await sat_down(app)
        asked_for = {"keys": keys, "version": 0, "agent": "counting"}

        def ask(left):
            return asyncio.create_task(asked(app, "POST", f"{path}/advice", asked_for, left=left))

        first, second = asyncio.Event(), asyncio.Event()
        asking = [ask(first)]
        await until(lambda: policy.thinking == 1)
        asking.append(ask(second))
        await asyncio.sleep(0)
        second.set()
        await settled()
        first.set()
        assert [answer.status for answer in await asyncio.gather(*asking)] == [200, 400]
        assert policy.calls == 1
        policy.gate.set()
        assert (await ask(asyncio.Event())).status == 200

    asyncio.run(run())


async def settled():
    """Let all tasks that can go on do so."""
    for _ in range(50):
        await asyncio.sleep(0)


def test_only_so_many_tables_without_a_folder(agents):
    """With any number of concurrent requests; existing ones continue."""

    async def run():
        app = make_app(agents, Store(None, agents, capacity=3))
        rules = definition_of(Rules(2)).rules_to_text(Rules(2))
        body = {"game": "ingenious", "rules": rules, "seats": [HUMAN] * 2}
        answers = await asyncio.gather(*(asked(app, "POST", "/api/tables", body) for _ in range(20)))
        assert sorted(answer.status for answer in answers) == [200] * 3 + [503] * 17
        assert "there are too many games" in {answer.status: answer for answer in answers}[503].body["error"]
        for answer in answers:
            if answer.status == 200:
                keys = ",".join(answer.body["keys"].values())
                assert (await asked(app, "GET", f"/api/tables/{answer.body['id']}?keys={keys}")).status == 200

    asyncio.run(run())


@pytest.mark.parametrize("limit", [1, 32])
def test_only_so_many_pages_listen_together(agents, monkeypatch, limit):
    """Of 300 concurrent ones; one that leaves, at any moment, makes room for another."""
    assert application.MAX_STREAMS == 32
    monkeypatch.setattr(application, "MAX_STREAMS", limit)

    async def run():
        app = make_app(agents, Store(None, agents))
        tables = [await sat_down(app) for _ in range(3)]
        for number in range(3):
            left, done = asyncio.Event(), []
            if number == 1:
                left.set()  # before the first event

            async def listen(path, keys, left, done):
                done.append(await asked(app, "GET", f"{path}/events?keys={keys}", left=left))

            asking = [asyncio.create_task(listen(*tables[k % 3], left, done)) for k in range(300)]
            refused = 300 - limit if number != 1 else 300
            await until(lambda done=done, refused=refused: len(done) >= refused)
            head = [await asked(app, "HEAD", f"{path}/events?keys={keys}") for path, keys in tables]
            assert [answer.status for answer in head] == [200] * 3
            if number != 1:
                assert [answer.status for answer in done] == [503] * (300 - limit)
                assert done[0].body == {"error": f"at most {limit} pages may listen"}
            left.set()
            await asyncio.gather(*asking)
            if number != 1:
                assert [answer.status for answer in done[300 - limit :]] == [200] * limit
        server = app.routes[-1].endpoint.__self__
        assert server._streams == 0
        assert not any(room.listeners for room in server.rooms.by_table.values())

    asyncio.run(run())


async def nothing(_scope, _receive, send):
    """An application that answers with nothing."""
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})


HALVES = {
    "nothing": b"",
    "a line": b"GET / HT",
    "a header": b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nX: y",
    "no body": b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 9\r\n\r\nx",
    "a second one": b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\nGET / HT",
}


@pytest.mark.parametrize("start", HALVES)
@pytest.mark.parametrize("drips", [False, True])
def test_a_request_that_never_ends_is_ended(monkeypatch, start, drips):
    """With any part received, and even if more keeps arriving."""
    monkeypatch.setattr(connections, "REQUEST_TIME", 0.3)
    with serving(nothing) as port, socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
        half = HALVES[start]
        connection.sendall(half % port if b"%d" in half else half)
        connection.settimeout(0.02 if drips else PATIENCE)
        until = time.monotonic() + PATIENCE
        while True:
            assert time.monotonic() < until
            try:
                if not connection.recv(65536):
                    break
            except TimeoutError:
                if half and drips:
                    with suppress(ConnectionError):
                        connection.sendall(b"x")
            except ConnectionError:
                break


async def much(_scope, _receive, send):
    """An application that answers with more than waits to be sent."""
    headers = [(b"content-length", b"%d" % MUCH)]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": bytes(MUCH)})


MUCH = 1 << 23


@contextmanager
def unread(port, number):
    """Connections that ask again and again, and read no answer."""
    made = [socket.socket() for _ in range(number)]
    for connection in made:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # so that no answer fits
        connection.connect(("127.0.0.1", port))
        connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % port * 3)
    yield made
    for connection in made:
        connection.close()


def test_an_answer_that_is_not_taken_ends_its_connection(monkeypatch):
    monkeypatch.setattr(connections, "REQUEST_TIME", 0.3)
    seen = []
    monkeypatch.setattr(
        connections.Connection,
        "connection_lost",
        lambda self, error: (seen.append(self.flow.write_paused), H11Protocol.connection_lost(self, error)),
    )
    with serving(much) as port, unread(port, 3):
        wait_until(lambda: len(seen) == 3)
        assert seen == [True] * 3


def test_an_answer_that_is_not_taken_gives_way_to_others(monkeypatch):
    monkeypatch.setattr(connections, "max_connections", lambda: 3)
    monkeypatch.setattr(connections, "PATIENCE", -1.0)
    monkeypatch.setattr(connections, "REQUEST_TIME", 10 * PATIENCE)
    paused, pause = set(), connections.Connection.pause_writing
    monkeypatch.setattr(
        connections.Connection, "pause_writing", lambda self: (pause(self), paused.add(id(self)))
    )
    with serving(much) as port, unread(port, 3):
        wait_until(lambda: len(paused) == 3)
        for _ in range(5):
            with socket.create_connection(("127.0.0.1", port), PATIENCE) as another:
                another.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % port)
                assert another.recv(12) == b"HTTP/1.1 200"


def test_a_connection_that_waits_gives_way_to_others(monkeypatch):
    """There are never more than the limit, and every request is answered."""
    monkeypatch.setattr(connections, "max_connections", lambda: 5)
    monkeypatch.setattr(connections, "PATIENCE", -1.0)
    with serving(nothing) as port:
        waiting = [socket.create_connection(("127.0.0.1", port), PATIENCE) for _ in range(30)]
        client = Client(port)
        for _ in range(3):
            assert client.ask("GET", "/")[0] == 200
        ended = 0
        for connection in waiting:
            connection.settimeout(0.2)
            try:
                ended += connection.recv(1) == b""
            except ConnectionError:
                ended += 1
            except TimeoutError:
                pass
            connection.close()
        assert ended >= 25


def test_a_connection_too_many_is_closed(monkeypatch):
    """Unless another one has waited for some time."""
    monkeypatch.setattr(connections, "max_connections", lambda: 3)
    monkeypatch.setattr(connections, "PATIENCE", 1e6)
    with serving(nothing) as port:
        waiting = [socket.create_connection(("127.0.0.1", port), PATIENCE) for _ in range(3)]
        for connection in waiting:
            connection.sendall(b"GET / HTTP/1.1\r\n")
        time_out = time.monotonic() + PATIENCE
        while time.monotonic() < time_out:
            with socket.create_connection(("127.0.0.1", port), PATIENCE) as another:
                another.sendall(b"GET / HTTP/1.1\r\n")
                try:
                    if another.recv(1) == b"":
                        break
                except ConnectionError:
                    break
        else:
            raise AssertionError
        for connection in waiting:
            connection.sendall(b"Host: 127.0.0.1:%d\r\n\r\n" % port)
            assert connection.recv(12) == b"HTTP/1.1 200"
            connection.close()


def test_the_number_of_connections_follows_the_limit_of_open_files(monkeypatch):
    resource = pytest.importorskip("resource")
    found = {}
    for allowed in (112, 128, 256, 1024, 10**6, resource.RLIM_INFINITY):
        monkeypatch.setattr(resource, "getrlimit", lambda _which, allowed=allowed: (allowed, allowed))
        connections.max_connections.cache_clear()
        found[allowed] = connections.max_connections()
    assert list(found.values()) == [16, 32, 160, 512, 512, 512]
    monkeypatch.setattr(resource, "getrlimit", lambda _which: (111, 111))
    connections.max_connections.cache_clear()
    with pytest.raises(OSError, match="111 files may be open at once"):
        connections.max_connections()
    connections.max_connections.cache_clear()
