"""The routes: whole games over HTTP, and what is refused."""

import asyncio
import http.client
import json
import re
import time
from urllib.parse import quote, urljoin

import numpy as np
import pytest
from patience import PATIENCE, wait_until

pytest.importorskip("starlette")

from web_server import LEVELS, Client, playing

from ingenious_env import Game, Record, Rules, Session
from ingenious_env.engine.definition import definition_of, definitions
from ingenious_env.games.loopit import Game as LoopitGame
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.render.player import replay_states
from ingenious_env.web.app import Server
from ingenious_env.web.store import Store
from ingenious_env.web.tables import PUBLIC, Agent, Table, built_in_agents


def rules_text(rules):
    return definition_of(rules).rules_to_text(rules)


def start(client, rules=None, seats=("human", "human"), **more):
    """The path of a new table, and the keys of its seats."""
    rules = rules or Rules()
    name = definition_of(rules).name
    made = client.post(
        "/api/tables", {"game": name, "rules": rules_text(rules), "seats": list(seats), **more}
    )
    return f"/api/tables/{made['id']}", made["keys"]


def state(client, path, *keys):
    return client.get(f"{path}?keys={','.join(keys)}")


def waited_for(client, path, keys, done):
    """The first state of which something is true."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        found = state(client, path, *keys)
        if done(found):
            return found
        time.sleep(0.02)
    raise AssertionError(found)


@pytest.mark.parametrize("rules", [Rules(), Rules.partnership(), Rules.solitaire(), LoopitRules(3)], ids=str)
def test_people_play_a_whole_game(client, rules):
    """By each its own page, against the same game played here."""
    game = definition_of(rules).game(rules, 11)
    path, keys = start(client, rules, ["human"] * rules.num_players, seed=11)
    while not game.is_over:
        seat = game.to_play
        action = game.random_action()
        move = game.definition.move_to_text(game.move(action))
        seen = state(client, path, keys[str(seat)])
        assert seen["to_play"] == seat
        assert seen["yours"] == [seat]
        body = {"keys": keys[str(seat)], "version": seen["version"], "move": move}
        answer = client.post(f"{path}/move", body)
        game.play(action)
        assert answer["over"] == game.is_over
    ended = state(client, path, keys["0"])
    assert ended["ranks"] == game.ranks.tolist()
    assert Record.from_text(client.get(f"{path}/record?keys={keys['0']}")).replay() == game


def test_an_agent_answers(client):
    path, keys = start(client, seats=["human", "value"], seed=3)
    game = Game(Rules(), 3)
    for _ in range(4):
        seen = waited_for(client, path, keys.values(), lambda found: found["to_play"] == 0)
        turns = seen["scene"]["tiles"]
        assert len(turns) == seen["total"]
        move = f"{'rgboyp'[seen['scene']['rack'][0][0] - 1]}"
        pair = game.rules.geometry.pairs[seen["scene"]["open"][0]]
        low, high = seen["scene"]["rack"][0]
        cells = [",".join(map(str, game.rules.cells[cell])) for cell in pair]
        move = f"{'rgboyp'[low - 1]}{cells[0]} {'rgboyp'[high - 1]}{cells[1]}"
        client.post(f"{path}/move", {"keys": keys["0"], "version": seen["version"], "move": move})
    seen = waited_for(client, path, keys.values(), lambda found: found["to_play"] == 0)
    assert seen["total"] >= 8
    assert seen["names"] == ["You", "value"]
    assert not seen["thinking"]


def test_agents_play_to_the_end_before_who_watches(client):
    path, keys = start(client, seats=["greedy", "uniform"], seed=3)
    assert keys == {}
    ended = waited_for(client, path, (), lambda found: found["over"])
    assert ended["seat"] is None
    assert len(ended["revealed"]) == 2
    assert Record.from_text(client.get(f"{path}/record")).replay().ranks.tolist() == ended["ranks"]


def test_a_move_is_made_once(client):
    path, keys = start(client, seed=1)
    seen = state(client, path, keys["0"])
    move = first_move(Game(Rules(), 1))
    body = {"keys": keys["0"], "version": seen["version"], "move": move}
    after = client.post(f"{path}/move", body)
    for again in (body, {**body, "keys": keys["1"]}, {**body, "version": after["version"]}):
        status, content = client.ask("POST", f"{path}/move", again)
        assert status == 409
        assert content["version"] == after["version"]
    assert state(client, path, keys["0"])["total"] == 1


def first_move(game):
    return game.definition.move_to_text(game.move(int(game.legal_actions()[0])))


@pytest.mark.parametrize(
    "move", ["", "hello", "swap", "keep", "r0,0 b0,1", "r0,0" * 2000, "r99,0 b99,1", "\0"]
)
def test_illegal_moves_are_refused_in_a_sentence(client, move):
    path, keys = start(client, seed=1)
    body = {"keys": keys["0"], "version": 0, "move": move}
    status, content = client.ask("POST", f"{path}/move", body)
    assert status == 422
    assert 10 < len(content["error"]) < 5000
    assert "Traceback" not in content["error"]
    assert state(client, path, keys["0"])["total"] == 0


def test_taking_back(client):
    path, keys = start(client, seats=["human", "greedy"], seed=2)
    refused = client.ask("POST", f"{path}/back", {"keys": keys["0"], "version": 0})
    assert refused == (422, {"error": "there is no move of yours to take back"})
    body = {"keys": keys["0"], "version": 0, "move": first_move(Game(Rules(), 2))}
    client.post(f"{path}/move", body)
    seen = waited_for(client, path, keys.values(), lambda found: found["to_play"] == 0 and found["total"])
    stale = client.ask("POST", f"{path}/back", {"keys": keys["0"], "version": seen["version"] - 1})
    assert stale[0] == 409
    after = client.post(f"{path}/back", {"keys": keys["0"], "version": seen["version"]})
    assert after["total"] == 0
    assert after["take_backs"]
    assert after["version"] > seen["version"]


def test_keys_open_seats(client):
    path, keys = start(client, seed=1)
    for wrong in ("", "x", ",", keys["0"][:-1], keys["0"].upper() + "0"):
        for call in (
            f"{path}?keys={wrong}",
            f"{path}/record?keys={wrong}",
            f"{path}/picture?keys={wrong}",
            f"{path}/events?keys={wrong}",
        ):
            assert client.ask("GET", call)[0] == 403
        for name, body in {
            "move": {"version": 0, "move": "swap"},
            "back": {"version": 0},
            "stop": {},
        }.items():
            assert client.ask("POST", f"{path}/{name}", {"keys": wrong, **body})[0] == 403
    other, _ = start(client, seed=1)
    assert client.ask("GET", f"{other}?keys={keys['0']}")[0] == 403
    assert client.ask("GET", f"/api/tables/{'0' * 32}?keys={keys['0']}")[0] == 404
    assert client.ask("GET", "/api/tables/..%2f..%2fetc?keys=x")[0] == 404


def test_two_seats_at_one_page_see_one_rack_at_a_time(client):
    path, keys = start(client, seed=1)
    both = ",".join(keys.values())
    seen = state(client, path, both)
    assert seen["yours"] == [0, 1]
    assert seen["seat"] == 0
    assert "revealed" not in seen
    body = {"keys": both, "version": 0, "move": first_move(Game(Rules(), 1))}
    assert client.post(f"{path}/move", body)["seat"] == 1


def test_a_record_tells_of_the_bag_so_it_can_be_had_at_the_end(client):
    path, keys = start(client, seed=1)
    status, content = client.ask("GET", f"{path}/record?keys={keys['0']}")
    assert status == 409
    assert "it is available at the end" in content["error"]


def test_a_picture_is_what_the_seat_sees(client):
    path, keys = start(client, Rules(3), ["human"] * 3, seed=1)
    names = ["Player 1", "Player 2", "Player 3"]
    for seat in range(3):
        picture = client.get(f"{path}/picture?keys={keys[str(seat)]}&theme=light")
        game = Game(Rules(3), 1)
        assert picture == game.definition.draw_svg(game, viewer=seat, names=names, theme="light")
    assert client.ask("GET", f"{path}/picture?keys={keys['0']}&at=1")[0] == 422


def test_all_positions_of_a_game_that_may_be_revealed(client):
    """With its players' names; of no game of people before its end."""
    path, keys = start(client, Rules.solitaire(), ["greedy"], seed=2)
    wait_until(lambda: client.get(path)["over"])
    session = Session.from_record(Record.from_text(client.get(f"{path}/record")))
    states = replay_states(session, client.get(path)["names"])
    assert client.get(f"{path}/replay") == {"states": json.loads(json.dumps(states))}
    path, keys = start(client, Rules(2), ["human", "greedy"], seed=2)
    status, content = client.ask("GET", f"{path}/replay?keys={keys['0']}")
    assert (status, "a page of the game reveals" in content["error"]) == (409, True)


def test_a_record_is_opened_and_played_on(client):
    game = Game(Rules(), 6)
    for _ in range(9):
        game.play(game.random_action())
    text = game.record.to_text()
    made = client.post("/api/tables", {"text": text, "seats": ["human", "human"]})
    seen = state(client, f"/api/tables/{made['id']}", *made["keys"].values())
    assert seen["scene"]["scores"] == game.scores.tolist()
    assert seen["total"] == 9 - sum(move == "keep" for move in game.record.moves)


def test_a_position_is_opened_and_played_on(client):
    game = Game(Rules(), 6)
    for _ in range(9):
        game.play(game.random_action())
    made = client.post("/api/tables", {"text": game.to_text(), "seats": ["greedy", "uniform"]})
    path = f"/api/tables/{made['id']}"
    ended = waited_for(client, path, (), lambda found: found["over"])
    first = client.get(f"{path}?at=0")
    assert first["scene"]["scores"] == game.scores.tolist()
    assert first["revealed"] == [[list(tile) for tile in rack] for rack in game.racks]
    status, content = client.ask("GET", f"{path}/record")
    assert status == 422
    assert "began with a position" in content["error"]
    assert client.get(f"{path}/position?at=0") == game.to_text()
    assert Game.from_text(client.get(f"{path}/position")).ranks.tolist() == ended["ranks"]


def test_what_a_text_holds(client):
    game = LoopitGame(LoopitRules(3), 6)
    for _ in range(9):
        game.play(game.random_action())
    expected = {"game": "loopit", "rules": rules_text(game.rules), "players": 3, "over": False}
    expected["sheets"] = [0, 1, 2]
    agents = ["uniform", "greedy", "value", "planner", *LEVELS]
    for text, moves in ((game.record.to_text(), 9), (game.to_text(), 0)):
        found = client.post("/api/read", {"text": text})
        assert sorted(found.pop("agents")) == sorted(agents)
        assert found == {**expected, "moves": moves}
    whole = Game(Rules(5), 1)
    while not whole.is_over:
        whole.play(whole.random_action())
    found = client.post("/api/read", {"text": whole.record.to_text()})
    assert found["over"]
    assert "value" not in found["agents"]
    drawn = [game for game in definitions().values() if game.pages]
    assert len(client.get("/api/games")["games"]) == len(drawn)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "a record begins with the line 'ingenious-record 1'"),
        ("hello", "and a position with 'ingenious' or 'loopit'"),
        ("chess-record 1\n", "a record begins with"),
        ("ingenious-record 2\n", "a record begins with"),
        ("ingenious 1\nrules", "a position has 11 lines, not 2"),
        ("ingenious-record 1\nrules x\nseed 1 1", "rules"),
        (Game(Rules(), 1).record.to_text() + "r9,9 b9,9\n", "move 1 of the record"),
        (Game(Rules(), 1).to_text().replace("turn 0", "turn 7"), "turn"),
    ],
)
def test_other_texts_are_refused_in_a_sentence(client, text, complaint):
    for path, body in (("read", {}), ("tables", {"seats": ["human", "human"]})):
        status, content = client.ask("POST", f"/api/{path}", {**body, "text": text})
        assert status == 422
        assert complaint in content["error"]


def test_the_text_of_a_position_tells_of_the_bag_so_it_can_be_had_at_the_end(client):
    path, keys = start(client, seed=1)
    for name in ("record", "position", "replay"):
        assert client.ask("GET", f"{path}/{name}?keys={keys['0']}")[0] == 409
        assert client.ask("GET", f"{path}/{name}?keys=x")[0] == 403


def test_a_record_up_to_a_move(client):
    path, _ = start(client, seats=["uniform", "uniform"], seed=keeping())
    waited_for(client, path, (), lambda found: found["over"])
    whole = Record.from_text(client.get(f"{path}/record"))
    total = state(client, path)["total"]
    assert total < len(whole.moves)  # a rack was kept
    for at in range(total + 1):
        part = Record.from_text(client.get(f"{path}/record?at={at}"))
        assert part.moves == whole.moves[: len(part.moves)]
        assert part.replay().to_text() == client.get(f"{path}/position?at={at}")
        assert sum(move != "keep" for move in part.moves) == at
    assert part == whole


def keeping():
    """A seed of a game of uniform players in which a rack is kept."""
    for seed in range(200):
        session = Session(Rules(), seed, [definition_of(Rules()).policy("uniform")] * 2)
        if any(turn.move == "keep" for turn in session.run()):
            return seed
    raise AssertionError


OK = {"game": "ingenious", "rules": rules_text(Rules()), "seats": ["human", "human"]}


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ({**OK, "seats": ["human"]}, "there must be 2 seats, not 1"),
        ({**OK, "seats": ["human", "os.system"]}, "a seat is one of human, uniform"),
        ({**OK, "seats": ["human", "value:path=/etc/passwd"]}, "a seat is one of human, uniform"),
        ({**OK, "seats": ["human", "planner"]}, "policy must be one of"),
        ({**OK, "seats": "human"}, "seats must be of type list"),
        ({**OK, "seats": [["human"], 7]}, "a seat is one of human, uniform"),
        ({**OK, "game": "chess"}, "game must be one of ingenious, loopit"),
        ({**OK, "rules": "players=99"}, "rules"),
        ({**OK, "rules": ""}, "rules"),
        ({**OK, "seed": -1}, "seed must be"),
        ({**OK, "seed": 2**70}, "seed must be"),
        ({**OK, "seed": "7"}, "seed must be of type int"),
        ({**OK, "seed": True}, "seed must be of type int"),
        ({**OK, "path": "/etc/passwd"}, "the keys are game, rules, seats, seed, text"),
        ({"seats": ["human", "human"], "text": "hello"}, "a record begins with the line"),
        ({"game": "ingenious", "rules": OK["rules"]}, "there must be 2 seats, not 0"),
        ([], "what is posted must be an object"),
        ("x", "what is posted must be an object"),
        (b"{", "what is posted must be JSON"),
        (b"[" * 60000, "what is posted must be JSON"),
        (b"\xff\xfe", "what is posted must be JSON"),
        (b"", "what is posted must be JSON"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_impossible_tables_are_refused_in_a_sentence(client, body, complaint):
    status, content = client.ask("POST", "/api/tables", body)
    assert status == 422
    assert complaint in content["error"]
    assert "Traceback" not in content["error"]


def test_too_long_a_record(client):
    lines = Game(Rules(), 6).record.to_text() + "swap\n" * 1001
    status, content = client.ask("POST", "/api/tables", {"text": lines, "seats": ["human", "human"]})
    assert (status, content) == (422, {"error": "a record may have 1000 moves"})


@pytest.mark.parametrize("at", ["-1", "x", "1.5", "99999999", "٣", "1"])
def test_impossible_numbers_of_moves(client, at):
    path, keys = start(client, seed=1)
    status, content = client.ask("GET", f"{path}?keys={keys['0']}&at={quote(at)}")
    assert status == 422
    assert "at" in content["error"]


@pytest.mark.parametrize(
    "path",
    [
        "/web/static/../app.py",
        "/web/static/..%2fapp.py",
        "/web/static/%2e%2e/app.py",
        "/web/static/",
        "/web/static/x.js",
        "/render/static/%2e%2e/modules.py",
        "/render/modules.py",
        "/games/ingenious/page/../game.py",
        "/games/ingenious/game.py",
        "/games/none/page/game.js",
        "/app.py",
        "/api",
        "/api/tables",
    ],
)
def test_there_are_no_other_files(client, path):
    assert client.ask("GET", path)[0] in (404, 405)


def test_the_page_has_all_that_it_asks_for(client):
    """Nothing of it comes from elsewhere, and there is no script or style in it."""
    page = client.get("/")
    assert not re.search(r"https?://", page)
    assert not re.search(r"<script(?![^>]*src=)|<style|\son\w+=|style=", page)
    wanted = {urljoin("/", name) for name in re.findall(r'(?:src|href)="([^"]+)"', page)}
    seen = set()
    while wanted:
        path = wanted.pop()
        seen.add(path)
        content = client.get(path)
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", content), path
        wanted |= {
            urljoin(path, name) for name in re.findall(r'^import .*"(\.[^"]+)";', content, re.MULTILINE)
        } - seen
    assert len(seen) > 8


def test_news_of_a_table(client):
    path, keys = start(client, seats=["human", "greedy"], seed=3)
    connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=PATIENCE)
    connection.request("GET", f"{path}/events?keys={keys['0']}")
    answer = connection.getresponse()
    assert answer.headers.get_content_type() == "text/event-stream"
    assert events(answer, 1) == [("state", "0", {"version": 0})]
    body = {"keys": keys["0"], "version": 0, "move": first_move(Game(Rules(), 3))}
    client.post(f"{path}/move", body)
    found = events(answer, 3)
    assert [name for name, _, _ in found] == ["state", "thinking", "state"]
    assert found[1][2] == {"seat": 1}
    assert [number for _, number, _ in found] == [str(PUBLIC), str(PUBLIC), str(2 * PUBLIC)]
    connection.close()


def events(answer, number):
    found, fields = [], {}
    while len(found) < number:
        line = answer.fp.readline().decode().strip()
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif fields.get("event"):
            found.append((fields["event"], fields["id"], json.loads(fields["data"])))
            fields = {}
    return found


def test_a_restart_loses_no_game(tmp_path):
    """Nor an agent's turn, if it was ended while the agent thought."""
    with playing(tmp_path) as client:
        path, keys = start(client, seats=["human", "greedy"], seed=4)
        body = {"keys": keys["0"], "version": 0, "move": first_move(Game(Rules(), 4))}
        client.post(f"{path}/move", body)
        before = waited_for(client, path, keys.values(), lambda found: found["to_play"] == 0)
    with playing(tmp_path) as client:
        assert state(client, path, keys["0"]) == before
        assert client.post(f"{path}/back", {"keys": keys["0"], "version": before["version"]})["total"] == 0
    (file,) = tmp_path.glob("*.json")
    saved = json.loads(file.read_text())
    saved["moves"].append(first_move(Game(Rules(), 4)))
    file.write_text(json.dumps(saved))
    with playing(tmp_path) as client:
        connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=PATIENCE)
        connection.request("GET", f"{path}/events?keys={keys['0']}")
        connection.getresponse()
        assert waited_for(client, path, keys.values(), lambda found: found["to_play"] == 0)["total"] >= 2
        connection.close()


class Slow:
    """Plays the first legal action once it is asked to stop."""

    def act(self, view):
        from ingenious_env.policies.thinking import is_stopped

        until = time.monotonic() + PATIENCE
        while not is_stopped() and time.monotonic() < until:
            time.sleep(0.01)
        return view.legal_mask().argmax(axis=1)


class Broken:
    def act(self, view):
        msg = f"nothing for {len(view)}"
        raise RuntimeError(msg)


@pytest.fixture(name="own")
def _own(tmp_path):
    agents = [
        *built_in_agents(definitions()),
        Agent("slow", lambda _game: Slow()),
        Agent("broken", lambda _game: Broken()),
    ]
    with playing(tmp_path, agents) as client:
        yield client


def test_an_agent_can_be_told_to_stop_thinking(own):
    path, keys = start(own, seats=["human", "slow"], seed=4)
    body = {"keys": keys["0"], "version": 0, "move": first_move(Game(Rules(), 4))}
    assert own.post(f"{path}/move", body)["thinking"]
    for _ in range(20):
        assert state(own, path, keys["0"])["thinking"]  # so others are answered meanwhile
    until = time.monotonic() + PATIENCE
    while not own.post(f"{path}/stop", {"keys": keys["0"]})["stopped"] and time.monotonic() < until:
        time.sleep(0.01)
    waited_for(own, path, keys.values(), lambda found: found["to_play"] == 0)


def test_a_move_is_taken_back_while_an_agent_thinks(own):
    path, keys = start(own, seats=["human", "slow"], seed=4)
    body = {"keys": keys["0"], "version": 0, "move": first_move(Game(Rules(), 4))}
    seen = own.post(f"{path}/move", body)
    after = own.post(f"{path}/back", {"keys": keys["0"], "version": seen["version"]})
    assert after["total"] == 0
    time.sleep(0.3)
    assert state(own, path, keys["0"])["total"] == 0


def test_an_agent_that_fails_is_named(own):
    path, keys = start(own, seats=["human", "broken"], seed=4)
    connection = http.client.HTTPConnection("127.0.0.1", own.port, timeout=PATIENCE)
    connection.request("GET", f"{path}/events?keys={keys['0']}")
    answer = connection.getresponse()
    events(answer, 1)
    own.post(f"{path}/move", {"keys": keys["0"], "version": 0, "move": first_move(Game(Rules(), 4))})
    found = events(answer, 3)
    assert found[-1][0] == "failed"
    assert found[-1][2] == {"error": "broken failed: nothing for 1"}
    connection.close()


def test_only_so_many_pages_listen(own):
    path, keys = start(own, seed=4)
    connections = []
    statuses = []
    for _ in range(34):
        connection = http.client.HTTPConnection("127.0.0.1", own.port, timeout=PATIENCE)
        connection.request("GET", f"{path}/events?keys={keys['0']}")
        answer = connection.getresponse()
        statuses.append(answer.status)
        if answer.status == 200:
            events(answer, 1)
        connections.append(connection)
    assert statuses == [200] * 32 + [503] * 2
    for connection in connections:
        connection.close()
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        connection = http.client.HTTPConnection("127.0.0.1", own.port, timeout=PATIENCE)
        connection.request("GET", f"{path}/events?keys={keys['0']}")
        if connection.getresponse().status == 200:
            break
        connection.close()
        time.sleep(0.5)
    else:
        raise AssertionError("pages that left still count")
    connection.close()


def test_the_offer_and_the_look(client):
    offer = {each["game"]: each for each in client.get("/api/games")["games"]}
    assert list(offer)[:2] == ["ingenious", "loopit"]  # other tests may have registered more
    assert offer["ingenious"]["presets"]["partnership"]["players"] == 4
    assert offer["ingenious"]["presets"]["partnership"]["sheets"] == [0, 1, 0, 1]
    assert offer["loopit"]["agents"]["planner"] == ["two", "three", "four"]
    assert offer["ingenious"]["agents"]["planner"] == []
    look = client.post("/api/look", {"game": "ingenious", "rules": rules_text(Rules(3))})
    assert np.array_equal(look["cells"], Rules(3).cells)
    assert np.array_equal(look["pairs"], Rules(3).geometry.pairs)
    assert look["top"] == look["last"] == 18
    assert look["agents"] == ["uniform", "greedy", "lowest", "concave", "value", *LEVELS]
    five = client.post("/api/look", {"game": "ingenious", "rules": rules_text(Rules(5))})
    assert five["agents"] == ["uniform", "greedy", "lowest", "concave", *LEVELS[:5]]  # no network plays five
    assert client.ask("POST", "/api/look", {"game": "ingenious", "rules": "x"})[0] == 422
    assert isinstance(client, Client)


def test_a_request_keeps_its_room_while_others_come():
    """Pages that came later would not receive its move in another room."""
    agents = {agent.name: agent for agent in built_in_agents(definitions())}
    server = Server(agents, Store(None, agents))
    tables = [Table.of(Rules(), ["human", "human"], agents) for _ in range(2)]

    async def rooms():
        first = server.rooms.of(tables[0])
        server.rooms.of(tables[1])
        return first is server.rooms.of(tables[0]), len(server.rooms.by_table)

    assert asyncio.run(rooms()) == (True, 1)
