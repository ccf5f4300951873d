"""The interface between the engine and the games: the example of docs/howto/add_a_game.md runs everywhere.

The rules of Squares are checked against a few lines of plain Python here; the environments by the kits of
PettingZoo, Gymnasium and Stable-Baselines3.
"""

import json
import os
import pickle
import subprocess
import sys
import warnings
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from ingenious_env import GameBatch, IllegalActionError, View
from ingenious_env.engine.definition import definition_of, definitions
from ingenious_env.engine.records import Record
from ingenious_env.envs import pettingzoo
from ingenious_env.envs.solitaire import SolitaireEnv
from ingenious_env.envs.vector import VersusVectorEnv
from ingenious_env.envs.versus import VersusEnv
from scripts.examples import squares


def plain_game(racks, bag, moves):
    """Scores of moves (colour and square, stop or again) by the rules, slowly; colours are letters."""
    board, scores, player = {}, [0, 0], 0
    racks, bag = [sorted(rack) for rack in racks], list(bag)
    due = "place"
    for move in moves:
        if move in ("stop", "again"):
            assert due == "choose"
            due = "place"
            player = player if move == "again" else 1 - player
            continue
        assert due == "place"
        colour, square = move[0], int(move[1:])
        assert square not in board
        racks[player].remove(colour)
        if bag:
            racks[player] = sorted([*racks[player], bag.pop(0)])
        row, column = divmod(square, 4)
        around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        points = 1 + sum(board.get(4 * r + c) == colour for r, c in around if r in range(4) and c in range(4))
        board[square] = colour
        scores[player] += points
        due = "choose" if points >= 3 and len(board) < 16 else "place"
        player = player if due == "choose" else 1 - player
    return scores, len(board) == 16


@pytest.mark.parametrize("rack_size", [1, 2, 4])
def test_games_follow_the_rules(rack_size):
    for seed in range(30):
        game = squares.Game(squares.Rules(rack_size), seed)
        racks = [[{"r": 0, "g": 1, "b": 2, "y": 3}[tile] for tile in rack] for rack in game.racks]
        bag = game.state.bag[0, game.state.drawn[0] :].tolist()
        moves = []
        while not game.is_over:
            action = game.random_action()
            moves.append(game.move(action))
            assert game.action(moves[-1]) == action
            game.play(action)
        letters = [["rgby"[tile] for tile in rack] for rack in racks]
        scores, over = plain_game(letters, ["rgby"[tile] for tile in bag], moves)
        assert game.scores.tolist() == scores
        assert over
        assert game.ranks.tolist() == [1 + (scores[1] > scores[0]), 1 + (scores[0] > scores[1])]
        record = Record(game.rules, seed, tuple(moves))
        assert record.to_text().startswith("squares-record 1\n")
        assert Record.from_text(record.to_text()).replay() == game
        assert squares.Game.from_text(game.to_text()) == game


@pytest.mark.parametrize("staged", [False, True])
def test_masks_and_single_actions_agree(staged):
    batch = GameBatch(squares.Rules(3), 16, 5, staged=staged)
    for _ in range(30):
        mask = batch.legal_mask()
        chosen = batch.random_actions()
        assert (mask[np.arange(16), chosen] == 1).all()
        for action in range(batch.num_actions):
            for row in range(0, 16, 5):
                one = batch.take(np.array([row]))
                if mask[row, action]:
                    one.play([action])
                else:
                    before = one.state.memory.copy()
                    with pytest.raises(IllegalActionError):
                        one.play([action])
                    assert np.array_equal(one.state.memory, before)
        batch.play(chosen, auto_reset=True)


def test_reasons_are_the_game_s_own_or_common():
    game = squares.Game(seed=1)
    game.play(game.action(f"{game.racks[0][0]}5"))
    if game.phase == "choose":
        game.play(game.actions.choice("stop"))
    tile = game.racks[1][0]
    with pytest.raises(IllegalActionError, match="the square is taken"):
        game.play(game.action(f"{tile}5"))
    with pytest.raises(IllegalActionError, match="the choice 'again' is not available"):
        game.play(game.actions.choice("again"))
    with pytest.raises(IllegalActionError, match=r"actions are 0 to 33\."):
        game.play(34)


def test_hidden_tiles_are_dealt_anew():
    seen = set()
    for seed in range(200):
        game = squares.Game(seed=7)
        own, scores = game.racks[0], game.scores.tolist()
        game.reshuffle_hidden(0, seed=seed)
        assert (game.racks[0], game.scores.tolist()) == (own, scores)
        seen.add(tuple(game.racks[1]))
    assert len(seen) == 10  # all pairs of four colours, equal ones included


def test_two_threads_play_the_same_games():
    one, two = (GameBatch(squares.Rules(), 64, 3, num_threads=threads) for threads in (1, 2))
    for _ in range(40):
        assert np.array_equal(one.observe(), two.observe())
        actions = one.random_actions()
        one.play(actions, auto_reset=True)
        two.play(actions, auto_reset=True)
    assert one == two
    assert pickle.loads(pickle.dumps(one)) == one


@pytest.mark.parametrize("actions", ["flat", "staged"])
@pytest.mark.parametrize("observation", ["vector", "planes", "dict"])
def test_pettingzoo_s_kit(actions, observation):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # on observations that are dictionaries
        env = pettingzoo.env(game="squares", actions=actions, observation=observation, reward="score")
        api_test(env, num_cycles=100)
        seed_test(lambda: pettingzoo.env(game="squares", actions=actions), num_cycles=20)


@pytest.mark.parametrize(
    "options", [{}, {"actions": "staged", "mask_in_observation": True}, {"observation": "dict"}]
)
def test_gymnasium_s_checker(options):
    env = VersusEnv(game="squares", illegal="random", reward="score", **options)
    check_env(env, skip_render_check=True)


def test_versus_pays_what_the_scores_say():
    env = gym.make("squares/Versus-v0", reward="score").unwrapped
    for seed in range(10):
        _, info = env.reset(seed=seed)
        total, over = 0.0, False
        while not over:
            _, reward, over, _, info = env.step(int(info["action_mask"].argmax()))
            total += reward
        assert total == info["scores"][info["seat"], 0]
        assert info["won"] == (info["ranks"].tolist().index(1) == info["seat"] and 2 in info["ranks"])


def test_vector_rows_are_single_environments():
    envs = VersusVectorEnv(6, game="squares", autoreset_mode="SameStep")
    observations, infos = envs.reset(seed=4)
    for row in range(6):
        single = VersusEnv(game="squares")
        observation, info = single.reset(seed=4, options={"index": row})
        assert np.array_equal(observation, observations[row])
        assert np.array_equal(info["action_mask"], infos["action_mask"][row])


def test_stable_baselines3_s_checker_and_a_match():
    pytest.importorskip("stable_baselines3")
    from ingenious_env.sb3 import make_vec_env

    env = make_vec_env("squares/Versus-v0", 8, seed=1, reward="score")
    env.reset()
    done = np.zeros(8, bool)
    for _ in range(30):
        masks = np.array(env.env_method("action_masks"))
        _, _, over, infos = env.step(masks.argmax(axis=1))
        done |= over
        assert all("terminal_observation" in infos[row] for row in np.flatnonzero(over))
    assert done.all()


def test_each_agent_plays_the_game_or_says_why_not():
    """`uniform` plays anything; others are made of a file or a program, which says what it plays."""
    from ingenious_agents import make_agent
    from ingenious_agents.registry import AGENTS

    view = View.of(squares.Game(seed=1))
    for name in AGENTS.keys() - {"ppo", "uniform", "sb3", "torch", "openspiel", "process"}:
        with pytest.raises(ValueError, match=r"squares$|^the planner plays Loopit|squares has no guide"):
            make_agent(name).act(view)
    assert make_agent("uniform").act(view).shape == (1,)


def test_a_match():
    from ingenious_agents import play_match

    class First:
        def act(self, view: View):
            return view.legal_mask().argmax(axis=1)

    uniform = definition_of(squares.Rules()).policy("uniform")
    result = play_match(squares.Rules(), [First(), uniform], games=50, seed=3)
    assert result.games == 100
    assert result.share(0) + result.share(1) == pytest.approx(1)
    assert result.scores.shape == (100, 2, 1)


def test_openspiel_s_check_and_resampled_histories():
    pyspiel = pytest.importorskip("pyspiel")
    import ingenious_env.openspiel as adapter

    adapter.register_games()
    spiel = pyspiel.load_game("python_squares(rack_size=3)")
    assert spiel.get_type().long_name == "Squares"
    assert spiel.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    pyspiel.random_sim_test(spiel, num_sims=2, serialize=True, verbose=False)
    rng, state = np.random.default_rng(1), spiel.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        else:
            again = state.resample_from_infostate(state.current_player(), rng.random)
            assert str(again.information_state_string()) == state.information_state_string()
            state.apply_action(int(rng.choice(state.legal_actions())))
    assert sum(state.returns()) == 0
    begun = adapter.load(squares.Game(seed=2))
    assert begun.new_initial_state().is_chance_node()


def test_torchrl_s_rollouts():
    pytest.importorskip("tensordict")  # `torchrl` would be found: the folder of its tests
    from ingenious_env.torchrl import SelfPlayEnv, VectorEnv

    played = SelfPlayEnv(squares.Rules(), 4).rollout(30, break_when_any_done=False)
    assert played["action_mask"].shape == (4, 30, 34)
    played = VectorEnv("squares/Versus-v0", 4, opponent="uniform").rollout(20, break_when_any_done=False)
    assert played["next", "done"].any()


def test_pictures_and_text():
    game = squares.Game(seed=1)
    env = VersusEnv(game="squares", render_mode="svg")
    env.reset(seed=1)
    assert env.render().startswith("<svg")
    assert "is to move" not in game.definition.draw_text(game, viewer=0)
    record = Record(game.rules, (1, 0), (game.move(0),))
    assert "<title>Squares</title>" in record.to_html()
    assert game.definition.text_to_move(squares.DEFINITION.example) == "r5"


def command(folder, *arguments):
    """`ingenious` where a package offers Squares as an entry point, and another one that fails."""
    for name, module in (("squares", "scripts.examples.squares"), ("broken", "no_such_module")):
        about = folder / f"{name}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(f"[ingenious_env.games]\n{name} = {module}\n")
    path = os.pathsep.join([str(folder), str(Path(squares.__file__).parents[3])])
    return subprocess.run(
        [sys.executable, "-m", "ingenious_env", *arguments],
        env={**os.environ, "MINARI_DATASETS_PATH": str(folder), "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def test_games_of_installed_packages(tmp_path):
    done = command(tmp_path, "draw", "--game", "squares", "--moves", "3")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("<svg")
    assert "the game broken (no_such_module) cannot be loaded: No module named" in done.stderr


COMMANDS = {
    "match": (["uniform", "uniform", "--deals", "3"], "uniform"),
    "tournament": (
        ["uniform", "greedy", "--deals", "3"],
        "squares has no guide",
    ),
    "solitaire": (["uniform", "--bags", "3"], "Unrecognized options: --game, squares"),
    "draw": (["--moves", "3"], "<svg"),
    "calibrate": ([], "there are no value networks for squares"),
}


RUN_ALL = """
import json, sys
from contextlib import suppress
from scripts.examples import squares
from ingenious_env.cli import main

sys.stderr = sys.stdout
for name, arguments in json.loads(sys.argv[1]).items():
    with suppress(SystemExit):
        main([name, "--game", "squares", *arguments])
    print("@@", flush=True)
"""


def test_commands_play_the_game_or_say_why_not(tmp_path):
    """In a process in which the game is known before the commands are read."""
    arguments = json.dumps({name: words for name, (words, _) in COMMANDS.items()})
    done = subprocess.run(
        [sys.executable, "-c", RUN_ALL, arguments],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(squares.__file__).parents[3])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    printed = done.stdout.split("@@")
    for (name, (_, expected)), output in zip(COMMANDS.items(), printed, strict=False):
        assert expected in output, (name, output)


def test_a_dataset(tmp_path):
    pytest.importorskip("minari")
    done = command(tmp_path, "dataset", "--game", "squares", "--agent", "uniform", "--games", "3")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "squares" / "uniform-v0" / "data" / "main_data.hdf5").exists()


def test_the_server_of_the_browser_game(tmp_path):
    pytest.importorskip("starlette")
    from web_server import playing

    with playing(tmp_path) as client:
        (offered,) = (each for each in client.get("/api/games")["games"] if each["game"] == "squares")
        assert offered["title"] == "Squares"
        large = {"title": "large racks", "rules": "rack=4", "players": 2, "sheets": [0, 1]}
        assert offered["presets"]["large"] == large
        seats, rules = ["human", "uniform"], offered["presets"]["small"]["rules"]
        made = client.post("/api/tables", {"game": "squares", "rules": rules, "seats": seats, "seed": 3})
        path, key = f"/api/tables/{made['id']}", made["keys"]["0"]
        seen = client.get(f"{path}?keys={key}")
        assert seen["headline"] == "Your turn"
        move = f"{seen['scene']['rack'][0][0]}5"
        after = client.post(f"{path}/move", {"keys": key, "version": seen["version"], "move": move})
        assert after["last"]["move"] == move
        assert "<svg" in client.get(f"{path}/picture?keys={key}")


def test_what_the_game_lacks_is_refused():
    with pytest.raises(ValueError, match="squares cannot be played by one player"):
        SolitaireEnv(game="squares")
    with pytest.raises(ValueError, match=r"game must be one of ingenious, .*squares.*, not 'chess'"):
        VersusEnv(game="chess")
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'board_side'"):
        VersusEnv(game="squares", board_side=3)
    with pytest.raises(TypeError, match="rules must be those of a registered game"):
        GameBatch(object())
    assert set(definitions()) >= {"ingenious", "squares"}
