"""Starting the browser game: its command, the addresses that it answers to, and games out of files."""

from __future__ import annotations

import asyncio
import base64
import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from patience import PATIENCE

pytest.importorskip("starlette")

import asgi
from commands import refused
from ingenious_agents.commands import play, tournament
from web_server import LEVELS, Client

from ingenious_env import Game, Rules, Session
from ingenious_env.compiled.compiling import _PROGRESS
from ingenious_env.engine.definition import definition_of
from ingenious_env.web.app import make_app
from ingenious_env.web.folder import open_folder
from ingenious_env.web.rooms import Room
from ingenious_env.web.server import Options, _fragment, _listener, _run, names_of, with_port
from ingenious_env.web.store import Store
from ingenious_env.web.tables import Agent, Table

EVERYWHERE = "0.0.0.0"  # noqa: S104 - behind a token


@contextmanager
def started(*command):
    """A running command, the address that it prints and its standard error."""
    process = subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        address = re.search(r"http://\S+", process.stdout.readline()).group()
        yield process, address
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


def game_command(tmp_path, *arguments):
    return [
        "-m",
        "ingenious_env",
        "play",
        "--no-browser",
        "--port",
        "0",
        "--folder",
        str(tmp_path),
        *arguments,
    ]


def finished_game():
    session = Session(Rules(), 4, [definition_of(Rules()).policy("greedy")] * 2)
    for _ in session.run():
        pass
    return session


def text_in(address):
    packed = address.partition("#text=")[2]
    return base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)).decode()


def test_a_file_is_opened_by_its_address(tmp_path):
    session = finished_game()
    for text in (session.record.to_text(), session.at(5).to_text()):
        (tmp_path / "game.txt").write_text(text)
        with started(*game_command(tmp_path, "--open", str(tmp_path / "game.txt"))) as (_, address):
            assert re.match(r"http://127\.0\.0\.1:\d+/#text=", address)
            assert text_in(address) == text


def test_other_files_and_ports_are_refused_in_a_sentence(tmp_path):
    (tmp_path / "game.txt").write_text("hello")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for arguments, complaint in [
            (["--open", str(tmp_path / "game.txt")], "a record begins with the line"),
            (["--open", str(tmp_path / "none.txt")], "none.txt"),
            (["--port", port], f"port {port} of 127.0.0.1 is not available"),
            (["--port", "99999"], "99999"),
            (["--host", "no such host"], "no such host"),
            (["--allow-host", "http://localhost:9000/"], "--allow-host takes a host with its port, such as"),
            (["--folder", str(tmp_path / "game.txt")], "games cannot be kept in"),
        ]:
            command = [sys.executable, *game_command(tmp_path, *arguments)]
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
            assert done.returncode != 0
            assert complaint in done.stderr
            assert "Traceback" not in done.stderr


@pytest.mark.parametrize("system", ["linux", "win32"])
def test_a_port_in_use_is_not_shared_on_windows(system, monkeypatch):
    """There `SO_REUSEADDR` lets two processes listen at one port."""
    chosen, exclusive = [], ~socket.SO_REUSEADDR

    class Noted(socket.socket):
        def setsockopt(self, _level, option, value):
            chosen.append((option, value))

    monkeypatch.delattr(socket, "SO_EXCLUSIVEADDRUSE", raising=False)
    if system == "win32":
        monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", exclusive, raising=False)
    monkeypatch.setattr(socket, "socket", Noted)
    _listener(Options(port=0)).close()
    assert chosen == [(exclusive if system == "win32" else socket.SO_REUSEADDR, 1)]


def refusal(tmp_path, *arguments):
    """The message of a second server of a folder."""
    command = [sys.executable, *game_command(tmp_path, *arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    return line


def test_one_server_at_a_time_has_a_folder(tmp_path):
    """A second one prints the address of the first; once the first has ended, in any way, it starts."""
    for end in (signal.SIGKILL, signal.SIGINT):
        with started(*game_command(tmp_path)) as (process, address):
            port = "0" if end == signal.SIGKILL else address.rpartition(":")[2].strip("/")
            assert refusal(tmp_path, "--port", port) == (
                f"ingenious play: the games in {tmp_path} are open already at {address};"
                f" to open others, give another folder by --folder"
            )
            (tmp_path / ".game.json.1-x.part").write_text("half of a game, if the server is killed now")
            assert (tmp_path / ".address").stat().st_mode & 0o77 == 0
            process.send_signal(end)
            process.communicate(timeout=PATIENCE)
    with open_folder(tmp_path):
        assert {path.name for path in tmp_path.iterdir()} == {".lock"}
        assert refusal(tmp_path) == (
            f"ingenious play: the games in {tmp_path} are open already;"
            f" to open others, give another folder by --folder"
        )
        with pytest.raises(OSError, match="are open already"), open_folder(tmp_path):
            raise AssertionError
    with open_folder(tmp_path):
        pass


@pytest.mark.parametrize(
    "error", [PermissionError(13, "Permission denied"), OSError(30, "Read-only file system")]
)
def test_a_folder_that_cannot_be_written(tmp_path, monkeypatch, error):
    def refused(*_, **__):
        raise error

    for step in ("mkdir", "touch"):
        with monkeypatch.context() as patch:
            patch.setattr(type(tmp_path), step, refused)
            expected = f"games cannot be kept in .* [(]{error.strerror}[)]; give another folder by --folder"
            with pytest.raises(OSError, match=expected), open_folder(tmp_path / "games"):
                raise AssertionError


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
def test_a_server_at_the_limit_of_open_files_answers(tmp_path):
    """To any request while others keep idle connections open, and without a traceback."""
    command = ["-c", LIMITED, *game_command(tmp_path)[2:]]
    with started(*command) as (process, address):
        port = int(address.rpartition(":")[2].strip("/"))
        waiting = [socket.create_connection(("127.0.0.1", port), PATIENCE) for _ in range(300)]
        body = {"game": "ingenious", "rules": definition_of(Rules()).rules_to_text(Rules()), "seed": 1}
        until = time.monotonic() + PATIENCE
        while True:  # none gives way in its first second
            assert time.monotonic() < until
            try:
                made = Client(port).post("/api/tables", {**body, "seats": ["human", "greedy"]})
                break
            except (http.client.HTTPException, OSError):
                time.sleep(0.1)
        assert (tmp_path / f"{made['id']}.json").exists()
        for connection in waiting:
            connection.close()
        process.send_signal(signal.SIGINT)
        _, complaints = process.communicate(timeout=PATIENCE)
        assert "Traceback" not in complaints
        assert "socket" not in complaints


LIMITED = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128))
runpy.run_module("ingenious_env", run_name="__main__")
"""


def test_a_forwarded_port(tmp_path):
    """To another port of this machine, without a token; to another name, with one."""
    with started(*game_command(tmp_path, "--allow-host", "localhost:9000")) as (_, address):
        port = re.fullmatch(r"http://127[.]0[.]0[.]1:(\d+)/", address)[1]
        assert asked("127.0.0.1", port, "localhost:9000", "/") == 200
        assert asked("127.0.0.1", port, "localhost:9001", "/") == 421
    with started(*game_command(tmp_path, "--allow-host", "[::1]:9000", "--allow-host", "box.test")) as (
        _,
        address,
    ):
        port, token = re.fullmatch(r"http://127[.]0[.]0[.]1:(\d+)/[?]token=(\S+)", address).groups()
        for name in ("[::1]:9000", "box.test", f"127.0.0.1:{port}"):
            assert asked("127.0.0.1", port, name, "/") == 401
            assert asked("127.0.0.1", port, name, f"/?token={token}") == 200
        assert asked("127.0.0.1", port, "evil.test", f"/?token={token}") == 421


def test_names_of_this_machine():
    assert names_of("127.0.0.1") == ["127.0.0.1", "localhost", "::1"]
    assert names_of("::1")[0] == "::1"
    assert names_of("192.0.2.7") == ["192.0.2.7"]
    everywhere = names_of(EVERYWHERE)
    assert {"127.0.0.1", "localhost", "::1", socket.gethostname()} <= set(everywhere)
    assert re.fullmatch(r"\d+\.\d+\.\d+\.\d+", everywhere[0])
    assert with_port("::1", 80) == "[::1]:80"
    assert with_port("localhost", 80) == "localhost:80"


def test_a_server_for_other_machines_wants_its_token(tmp_path):
    """It answers to the address that it prints and to names of this machine, and to no other."""
    with started(*game_command(tmp_path, "--host", EVERYWHERE)) as (_, address):
        host, port, token = re.fullmatch(r"http://([\d.]+):(\d+)/\?token=(\S+)", address).groups()
        for name in (host, "localhost", "127.0.0.1"):
            assert asked(host, port, f"{name}:{port}", "/") == 401
            assert asked(host, port, f"{name}:{port}", f"/?token={token}") == 200
            assert asked(host, port, f"{name}:{port}", f"/?token={token}x") == 401
        for name in ("evil.test", EVERYWHERE, "127.0.0.1.evil.test"):
            assert asked(host, port, f"{name}:{port}", f"/?token={token}") == 421


def asked(host, port, name, path):
    connection = http.client.HTTPConnection(host, int(port), timeout=PATIENCE)
    connection.request("GET", path, headers={"Host": name})
    status = connection.getresponse().status
    connection.close()
    return status


def script(tmp_path, *arguments):
    return [
        "-m",
        "ingenious_agents.commands.play",
        "--no-browser",
        "--port",
        "0",
        "--folder",
        str(tmp_path / "games"),
        *arguments,
    ]


def test_the_script_offers_the_catalogue(tmp_path):
    with started(*script(tmp_path)) as (_, address):
        offer = Client(int(address.split(":")[2].strip("/"))).get("/api/games")["games"]
        agents = {each["game"]: each["agents"] for each in offer}
        names = ["uniform", "greedy", "planner", "flat-mc", "tree", "value", "value-search", *LEVELS]
        assert list(agents["ingenious"]) == list(agents["loopit"]) == names
        assert agents["ingenious"]["planner"] == []
        assert agents["loopit"]["value-search"] == ["two", "three", "four"]
        assert agents["ingenious"]["value-search"] == list(offer[0]["presets"])
        assert [each["agent"] for each in offer[0]["levels"]] == LEVELS


def test_the_script_s_agents_play(tmp_path):
    with started(*script(tmp_path, "tree:rollouts=20", "greedy:utility=lowest")) as (_, address):
        client = Client(int(address.split(":")[2].strip("/")))
        body = {"game": "ingenious", "rules": definition_of(Rules()).rules_to_text(Rules()), "seed": 1}
        made = client.post("/api/tables", {**body, "seats": ["tree:rollouts=20", "human"]})
        key = made["keys"]["1"]
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            state = client.get(f"/api/tables/{made['id']}?keys={key}")
            if state["to_play"] == 1:
                break
            time.sleep(0.1)
        assert state["total"] == 1
        assert client.ask("POST", "/api/tables", {**body, "seats": ["greedy", "human"]})[0] == 422


def test_a_game_of_a_tournament_is_opened(tmp_path):
    """As the record of the very game, with the names of its agents."""
    log = tmp_path / "log.jsonl"
    tournament.main(["greedy", "uniform", "--deals", "2", "--processes", "1", "--out", str(log)])
    with started(*script(tmp_path, "--open", str(log), "--replay", "1", "value")) as (_, address):
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#([0-9a-f]{32})", address)
        client = Client(int(found[1]))
        state = client.get(f"/api/tables/{found[2]}")
        assert state["over"]
        assert state["names"] == ["uniform", "greedy"]
        expected = Session(Rules(), (0, 0), [definition_of(Rules()).policy(name) for name in state["names"]])
        for _ in expected.run():
            pass
        assert state["scene"]["scores"] == expected.game.scores.tolist()
        assert client.get(f"/api/tables/{found[2]}/record") == expected.record.to_text()


def test_a_game_of_an_agent_that_is_not_loaded_is_opened(tmp_path, monkeypatch):
    """A person has its seat, whose key is in the address."""
    log = tmp_path / "log.jsonl"
    tournament.main(["greedy", "uniform", "--deals", "1", "--processes", "1", "--out", str(log)])
    monkeypatch.setattr(play, "chooses_code", lambda name: name == "uniform")
    options, names = play.options_of(play.Args(open=log, replay=0))
    agents = {name: Agent(name, play.maker(name)) for name in names}
    store = Store(None, agents)
    fragment = _fragment(Options(**options), store, agents)
    table, key = re.fullmatch(r"#([0-9a-f]{32})[.]([0-9a-f]{32})", fragment).groups()
    state = asyncio.run(asgi.asked(make_app(agents, store), "GET", f"/api/tables/{table}?keys={key}"))
    assert (state.status, sorted(state.body["seats"])) == (200, ["greedy", "human"])


def test_what_the_script_refuses(tmp_path, capsys):
    log = tmp_path / "log.jsonl"
    tournament.main(["greedy", "uniform", "--deals", "1", "--processes", "1", "--out", str(log)])
    (tmp_path / "game.txt").write_text("hello")
    for arguments, complaint in [
        (["--replay", "1"], "--replay needs --open LOG"),
        (["--open", str(log)], "looks like the log of a tournament: name one of its games by --replay"),
        (["--open", str(log), "--replay", "9"], "has games 0 to 1, not 9"),
        (["--open", str(tmp_path / "game.txt")], "a record begins with the line"),
        (["--open", str(tmp_path / "game.txt"), "--replay", "0"], "is not a log of a tournament"),
        (["--open", str(tmp_path / "none.txt")], "none.txt"),
        (["nonsense"], "an agent is one of"),
        (["ppo"], "ppo needs the parameters path"),
        (["--port", "70000"], "--port must be a whole number from 0 to 65535, not '70000'"),
        (["--language", "fr"], "the language must be one of de, en, not 'fr'"),
    ]:
        assert complaint in refused(capsys, play, *arguments)


def test_a_server_in_german(tmp_path):
    with started(*script(tmp_path, "value", "--language", "de")) as (_, address):
        client = Client(int(re.search(r":(\d+)/", address)[1]))
        assert client.get("/").startswith('<!doctype html>\n<html lang="de">')
        assert client.get("/api/games")["games"][0]["title"] == "Einfach Genial"


def test_the_record_of_a_game_that_was_dealt_is_opened_by_people(tmp_path):
    game = Game(Rules(), 1)
    (tmp_path / "game.txt").write_text(game.record.to_text())
    with started(*script(tmp_path, "value", "--open", str(tmp_path / "game.txt"))) as (_, address):
        assert text_in(address) == game.record.to_text()


def test_an_interrupted_server_ends_in_good_order(tmp_path):
    """At once and without a traceback, while a page listens, an agent thinks and another one advises."""
    agent = "tree:rollouts=10000000"
    with started(*script(tmp_path, agent)) as (process, address):
        port = int(address.split(":")[2].strip("/"))
        client = Client(port)
        body = {"game": "ingenious", "rules": definition_of(Rules()).rules_to_text(Rules()), "seed": 1}
        first, second = (
            client.post("/api/tables", {**body, "seats": seats})
            for seats in ([agent, "human"], ["human"] * 2)
        )
        (key,) = first["keys"].values()
        stream = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        stream.request("GET", f"/api/tables/{first['id']}/events?keys={key}")
        assert stream.getresponse().fp.readline()
        asking = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        asked_for = {"keys": second["keys"]["0"], "version": 0, "agent": agent}
        headers = {"Content-Type": "application/json"}
        asking.request("POST", f"/api/tables/{second['id']}/advice", json.dumps(asked_for), headers)
        time.sleep(2)
        assert client.get(f"/api/tables/{first['id']}?keys={key}")["thinking"]
        process.send_signal(signal.SIGINT)
        _, announced = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
        assert "Traceback" not in announced
        assert "ERROR" not in announced
        stream.close()
        asking.close()


def test_pages_are_told_of_compiling(tmp_path):
    """By the server, from any thread that compiles; a page that opens meanwhile is notified at once."""
    announced = []

    class Told:
        @staticmethod
        def notify_compiling(*, now):
            announced.append(now)

        close = staticmethod(lambda: None)

    class Serves:
        should_exit = False

        async def serve(self, _listeners):
            with compiling_now("something"):
                await asyncio.sleep(0)
            while len(announced) < 2:
                await asyncio.sleep(0.01)
            self.should_exit = True

    async def pages():
        table = Table("0" * 32, Session(Rules(), 1), ["human", "human"], ["a", "b"])
        room = Room(table, Store(tmp_path, {}), asyncio.Semaphore(1))
        quiet, opened = room.news(0), room.news(1)
        first = [await anext(quiet)]
        with compiling_now("something"):
            first += [await anext(opened), await anext(opened)]
        room.notify("compiling", now=False)
        first += [await anext(quiet), await anext(opened)]
        await quiet.aclose()
        await opened.aclose()
        return first

    asyncio.run(_run(Serves(), None, Told))
    assert announced == [True, False]
    news = asyncio.run(pages())
    assert ["event: compiling" in each for each in news] == [False, False, True, True, True]
    assert [json.loads(each.split("data: ")[1])["now"] for each in news[2:]] == [True, False, False]


@contextmanager
def compiling_now(title):
    """As if a thread compiled something meanwhile."""
    threads = ThreadPoolExecutor(1)
    threads.submit(_PROGRESS.announce, title).result()
    yield
    threads.submit(_PROGRESS.announce, "").result()
    threads.shutdown()
