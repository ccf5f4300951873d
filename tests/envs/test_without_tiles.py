"""A game without bag, racks and tiles runs wherever games run, and says where there is nothing to draw."""

import pickle
import warnings

import gymnasium as gym
import noughts
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test

from ingenious_env import GameBatch, IllegalActionError, Record, Session, View
from ingenious_env.envs import pettingzoo
from ingenious_env.envs.versus import VersusEnv


def test_the_number_of_games():
    """By their numbers of moves; 255,168 in all, as is known."""
    boards, ended = {bytes(GameBatch(noughts.Rules(), 1).state.memory[0]): 1}, {}
    for move in range(1, 10):
        following = {}
        for row, ways in boards.items():
            one = GameBatch.from_rows(noughts.Rules(), np.frombuffer(row, np.uint64)[None])
            for action in np.flatnonzero(one.legal_mask()[0]):
                after = one.take(np.array([0]))
                after.play([action])
                if after.phase[0] == 2:
                    ended[move] = ended.get(move, 0) + ways
                else:
                    key = bytes(after.state.memory[0])
                    following[key] = following.get(key, 0) + ways
        boards = following
    assert ended == {5: 1_440, 6: 5_328, 7: 47_952, 8: 72_576, 9: 127_872}
    assert sum(ended.values()) == 255_168


def test_whole_games_records_and_texts():
    session = Session(noughts.Rules(), 3, [noughts.DEFINITION.policy("uniform")] * 2)
    for _ in session.run():
        pass
    assert session.is_over
    record = session.record
    assert Record.from_text(record.to_text()).replay() == session.game
    assert noughts.Game.from_text(session.game.to_text()) == session.game
    assert pickle.loads(pickle.dumps(session.game)) == session.game
    board = noughts.DEFINITION.draw_text(session.game, viewer=None)
    assert len(board.replace("\n", "")) == 9


def test_environments():
    check_env(VersusEnv(game="noughts", illegal="random"), skip_render_check=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a new board is all zeros
        api_test(pettingzoo.env(game="noughts"), num_cycles=50)
    env = gym.make("noughts/Versus-v0", actions="staged")
    _, info = env.reset(seed=1)
    assert info["action_mask"].tolist() == [1] + [0] * 9
    batch = GameBatch(noughts.Rules(), 100)
    scores = batch.random_playouts(1000)
    assert set(np.unique(scores)) == {0, 1}


def test_nothing_can_be_drawn():
    game = noughts.Game()
    for call in (lambda: game.deal({0: ["x"]}), lambda: game.next_draws(["x"])):
        with pytest.raises(ValueError, match="this game has no tiles to draw"):
            call()
    with pytest.raises(ValueError, match="this game has no tiles to draw"):
        GameBatch(noughts.Rules(), 1).deal_in_order([[0]])
    before = game.clone()
    game.reshuffle_hidden(0, seed=1)
    assert game == before
    game.play(4)
    with pytest.raises(IllegalActionError, match="the square is taken"):
        game.play(4)
    view = View.of(game)
    assert view.legal_mask().sum() == 8


def test_openspiel_is_for_games_of_tiles():
    pyspiel = pytest.importorskip("pyspiel")
    import ingenious_env.openspiel as adapter

    adapter.register_games()
    assert "python_noughts" not in pyspiel.registered_names()
