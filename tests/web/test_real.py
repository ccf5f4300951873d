"""Games at a real table over HTTP: entered move by move, shown as the own seat knows them, and saved."""

import json

import numpy as np
import pytest

pytest.importorskip("starlette")

from real_desk import Desk
from real_tables import any_action, drawn_by, is_public, table_for, texts_of, turns_with_full_racks

from ingenious_env import Rules
from ingenious_env.engine.definition import definition_of, definitions
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.web.tables import Table, built_in_agents
from ingenious_env.web.visible import visible

GAMES = {
    "two": Rules(),
    "three": Rules(3),
    "solitaire": Rules.solitaire(),
    "loopit": LoopitRules(2),
}
AGENTS = {agent.name: agent for agent in built_in_agents(definitions())}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", [0, 1])
def test_a_whole_game_is_followed(client, name, seed):
    """The own seat's scenes are those of the true game; while others move, each unseen tile can be chosen."""
    rules, rng = GAMES[name], np.random.default_rng(seed)
    game = definition_of(rules).game(rules, seed)
    seat, pages = seed % rules.num_players, definition_of(rules).pages
    desk, own, others = Desk(client, game, seat), 0, 0
    while not game.is_over:
        state = desk.state
        assert state["names"][seat] == "You"
        assert state["yours"] == [seat]
        assert "revealed" not in state
        if game.to_play == seat:
            assert state["scene"] == pages.scene(game, seat)
            own += 1
        elif not game.has_private_choice:
            assert state["scene"]["rack"] == [list(tile) for tile in sorted_types(game, seat)]
            assert state["scene"].get("open") == pages.scene(game, game.to_play).get("open")
            others += 1
        assert sum(count for _, _, count in state["real"]["unseen"]) == sum(game.unseen(seat).values())
        before = game.clone()
        move = game.move(any_action(game, rng))
        game.play(game.action(move))
        desk.tell(before, game, move)
    assert desk.state["over"]
    assert desk.state["scene"]["scores"] == np.asarray(game.scores).tolist()
    assert "revealed" not in desk.state
    assert "deal" not in desk.state
    for at in range(0, desk.state["total"], 4):
        status, answer = client.ask("POST", f"{desk.path}/advice", desk.body(agent="greedy", at=at))
        if desk.look(at=at)["to_play"] == seat:
            assert (status, answer["played"]["move"]) == (200, desk.look(at=at + 1)["last"]["move"])
        else:
            assert (status, "for your own moves only" in answer["error"]) == (422, True)
    assert own > 5
    assert others > 5 or rules.num_players == 1
    assert desk.look(at=0)["scene"]["scores"] == np.zeros_like(game.scores).tolist()


def sorted_types(game, seat):
    unseen = game.unseen(seat)
    return [tile for tile in game.definition.tiles(game.rules) if unseen[tile]]


def test_placements_of_another_seat_are_those_of_its_unseen_tiles(client):
    """In Loopit, by the true game with each of these tiles on the rack of that seat."""
    game = definition_of(LoopitRules(2)).game(LoopitRules(2), 4)
    desk = Desk(client, game, 1)
    scene = desk.state["scene"]
    expected = []
    for slot, tile in enumerate(sorted_types(game, 1)):
        other = game.clone()
        left = [each for each in game.bag if each != tile][:4]
        other.deal({0: [tile, *left]})
        if other.phase != "lay":
            continue
        moves = [other.move(int(action)) for action in other.legal_actions()]
        expected += [[slot, *move.square] for move in moves if move.tile == tile]
    assert sorted(each[:3] for each in scene["legal"]) == sorted(expected)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_that_has_begun(client, name):
    """It shows the scenes of the true game to a seat, whether this seat or another one is to move."""
    rules = GAMES[name]
    definition, seen = definition_of(rules), set()
    for seed in range(2):
        for game, placed in turns_with_full_racks(rules, seed):
            if len(placed) % 3:
                continue
            seat = (game.to_play + len(placed) // 3) % rules.num_players
            real = {
                "seat": seat,
                "rack": texts_of(rules, game.racks[seat]),
                "placed": [definition.move_to_text(move) for move in reversed(placed)],
                "scores": np.asarray(game.scores).tolist(),
                "to_play": game.to_play,
            }
            body = {"game": definition.name, "rules": definition.rules_to_text(rules), "real": real}
            made = client.post("/api/tables", body)
            state = client.get(f"/api/tables/{made['id']}?keys={','.join(made['keys'].values())}")
            assert state["to_play"] == game.to_play
            scene = definition.pages.scene(game, seat)
            unknown = {"tiles", "filled", "laid_order"}  # follow from the moves so far
            if game.to_play != seat:
                unknown |= {"rack", "choices"}
            assert {part: state["scene"][part] for part in scene if part not in unknown} == {
                part: scene[part] for part in scene if part not in unknown
            }
            seen.add((seed, seat == game.to_play))
    assert len(seen) == (4 if rules.num_players > 1 else 2)


def test_a_game_that_has_begun_is_refused_by_its_reason(client):
    """Each wrong part, and nothing is made."""
    text = definition_of(Rules()).rules_to_text(Rules())
    right = {
        "seat": 0,
        "rack": ["rr", "gy", "by", "oy", "yp", "pp"],
        "placed": ["r1,-5 p2,-5", " G5,-4   Y4,-4 "],
        "scores": [[0] * 6, [0, 1, 0, 0, 0, 0]],
        "to_play": 0,
    }
    form = "a game that has begun has placed, a list of moves"
    whole = "scores must be whole numbers of shape [2, 6], first by sheet"
    for wrong, message in [
        ({"placed": "r1,-5 p2,-5"}, form),
        ({"placed": [3]}, form),
        ({"to_play": None}, form),
        ({"to_play": True}, form),
        ({"to_play": 2}, "to_play must be from 0 to 1, not 2"),
        ({"placed": ["keep"]}, "'keep' lays no tile"),
        ({"placed": ["r1,-5 p9,-5"]}, "is not on the board"),
        ({"scores": None}, whole),
        ({"scores": []}, whole),
        ({"scores": [[0] * 6, [0] * 5]}, whole),
        ({"scores": [[0] * 6, [True] * 6]}, whole),
        ({"scores": [[0] * 6, [0.5] * 6]}, whole),
        ({"scores": [[0] * 6, 0]}, whole),
        ({"scores": [0, 0]}, whole),
        *(({"scores": json.loads("[" * deep + "]" * deep)}, whole) for deep in (64, 65, 500)),
        ({"scores": [[0] * 6, [19] * 6]}, "scores must be from 0 to 18"),
        ({"rack": ["rr"]}, "racks have 6 tiles: 1 are given"),
    ]:
        body = {"game": "ingenious", "rules": text, "real": right | wrong}
        status, answer = client.ask("POST", "/api/tables", body)
        assert (status, message in answer["error"]) == (422, True), (wrong, answer)
    assert client.post("/api/tables", {"game": "ingenious", "rules": text, "real": right})["id"]


def test_wrong_entries_are_refused(client):
    game = definition_of(Rules()).game(Rules(), 5)
    desk = Desk(client, game, 0)
    move = game.definition.move_to_text(game.move(int(game.legal_actions()[0])))
    desk.refused("seat 0 draws 1 tile after this move, not 0", move)
    desk.refused("there is no tile 'zz'", move, ["zz"])
    desk.refused("half a tile is a colour", "nonsense here")
    desk.refused("a move has at most 60 characters", "r" * 61)
    status, answer = client.ask("POST", f"{desk.path}/draws", desk.body(move="r9,9 r9,8"))
    assert status == 422
    assert "is not on the board" in answer["error"]
    for what in ("record", "position", "replay"):
        status, answer = client.ask("GET", f"{desk.path}/{what}?keys={desk.keys}")
        assert status == 409
        assert "there is no text of this game" in answer["error"]
    for real, message in [
        ({}, "a real table has a seat"),
        ({"seat": True, "rack": [], "start": None}, "a real table has a seat"),
        ({"seat": 0, "rack": [1], "start": None}, "a real table has a seat"),
        ({"seat": 0, "rack": ["rr"], "start": None}, "has 6 tiles in the deal, not 1"),
        ({"seat": 7, "rack": ["rr"], "start": None}, "seat must be from 0 to 1, not 7"),
    ]:
        text = game.definition.rules_to_text(Rules())
        status, answer = client.ask("POST", "/api/tables", {"game": "ingenious", "rules": text, "real": real})
        assert status == 422
        assert message in answer["error"]


def test_a_rack_that_is_thrown_back_can_be_drawn_again(client):
    """LOOPIT.md 3.3: the palette then has the own tiles, too."""
    text = definition_of(LoopitRules()).rules_to_text(LoopitRules())
    rack = [f"NS{value}" for value in range(1, 6)]
    real = {"seat": 0, "rack": rack, "start": "EW1"}
    made = client.post("/api/tables", {"game": "loopit", "rules": text, "real": real})
    keys = ",".join(made["keys"].values())
    path, now = f"/api/tables/{made['id']}", {"keys": keys, "version": 0}
    assert client.get(f"{path}?keys={keys}")["scene"]["choices"] == ["throw back", "keep"]
    thrown, kept = (client.post(f"{path}/draws", {**now, "move": move}) for move in ("throw back", "keep"))
    assert (thrown["number"], kept["number"]) == (5, 0)
    assert len(thrown["tiles"]) == 80
    assert set(rack) < {tile for tile, _, _ in thrown["tiles"]}
    after = client.post(f"{path}/move", {**now, "move": "throw back", "tiles": ["NE1", *rack[1:]]})
    assert after["scene"]["rack"][0] != after["scene"]["rack"][1]
    assert after["to_play"] == 1


def test_hints_are_for_the_own_moves_only(client):
    game = definition_of(Rules()).game(Rules(), 5)
    desk = Desk(client, game, 1)
    status, answer = client.ask("POST", f"{desk.path}/advice", desk.body(agent="value"))
    assert (status, "for your own moves only" in answer["error"]) == (422, True)
    before, move = game.clone(), game.move(int(game.legal_actions()[0]))
    game.play(game.action(move))
    desk.tell(before, game, move)
    found = client.post(f"{desk.path}/advice", desk.body(agent="value"))
    assert found["list"][0]["move"]
    assert desk.state["judge"] is None


@pytest.mark.parametrize("name", GAMES)
def test_a_table_is_saved_and_taken_back(client, name):
    """Each entry of a game: the same state from the file, and after it was taken back and entered again."""
    rules, rng = GAMES[name], np.random.default_rng(3)
    game = definition_of(rules).game(rules, 3)
    table = Table.of_real(table_for(game, 0))
    desk = Desk(client, game, 0)
    for _ in range(12):
        before = game.clone()
        move = game.move(any_action(game, rng))
        game.play(game.action(move))
        if game.is_over:
            break
        desk.tell(before, game, move)
    states = [desk.state["total"]]
    while states[-1]:
        desk.state = client.post(f"{desk.path}/back", desk.body())
        states.append(desk.state["total"])
    assert states == sorted(states, reverse=True)
    assert client.ask("POST", f"{desk.path}/back", desk.body())[0] == 422
    assert desk.state["take_backs"]
    assert desk.state["scene"] == visible(table, 0)["scene"]


def saved(table):
    """The content of a file but for the first position, in which hidden tiles are made up."""
    return {name: value for name, value in json.loads(table.to_json()).items() if name != "start"}


@pytest.mark.parametrize("name", GAMES)
def test_the_file_of_a_table_has_all_of_it(name):
    rules, rng = GAMES[name], np.random.default_rng(3)
    game = definition_of(rules).game(rules, 3)
    table = Table.of_real(table_for(game, 0))
    for _ in range(15):
        before = game.clone()
        move = game.move(any_action(game, rng))
        game.play(game.action(move))
        seat = before.to_play
        if game.is_over or (seat != 0 and game.has_private_choice):
            break
        known = drawn_by(before, game, seat, move) if seat == 0 else []
        if seat != 0 and move == "swap":
            known = before.racks[seat]
        if seat == 0 or is_public(before, move):
            table.enter(game.definition.move_to_text(move), texts_of(rules, known))
        again = Table.from_json(table.to_json(), AGENTS)
        assert saved(again) == saved(table)
        assert visible(again, 0) == visible(table, 0)
        assert again.real.entries == table.real.entries
    text = table.to_json()
    for wrong in (text.replace('"tiles": ["', '"tiles": [[], "'), text.replace('"real": 0', '"real": "x"')):
        with pytest.raises(ValueError, match=r"tiles is not|must be a whole number"):
            Table.from_json(wrong, AGENTS)
