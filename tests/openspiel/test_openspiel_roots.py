"""States of OpenSpiel that begin at a position."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

pytest.importorskip("pyspiel")
import pyspiel

import ingenious_env.openspiel as adapter
from ingenious_env import Game, Rules
from ingenious_env.games.loopit import Game as Loopit
from ingenious_env.games.loopit import Rules as LoopitRules

GAMES = {
    "python_ingenious(num_players=3)": Game(Rules(3), seed=5),
    "python_loopit(num_players=3)": Loopit(LoopitRules(3), seed=5),
}
SAMPLER = pyspiel.UniformProbabilitySampler(0.0, 1.0)


def played(name, moves=7):
    game = GAMES[name].clone()
    for _ in range(moves):
        game.play(game.random_action())
    return game


@pytest.mark.parametrize("name", GAMES)
def test_it_goes_on_to_the_end_with_the_results_of_the_whole_game(name):
    spiel, position, rng = pyspiel.load_game(name), played(name), np.random.default_rng(1)
    before = position.to_text()
    state = adapter.state_at(spiel, position)
    while not state.is_terminal():
        for each in (state.clone(), copy.deepcopy(state)):
            assert str(each) == str(state)
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=chances)))
        else:
            position = pickle.loads(pickle.dumps(state._position))
            assert position.kind.legal(position.game) == state.legal_actions()
            assert position.seen == state._position.seen
            state.apply_action(int(rng.choice(state.legal_actions())))
    ranks = state.engine_game().ranks
    assert np.argmax(state.returns()) == np.argmin(ranks)
    assert played(name).to_text() == before


@pytest.mark.parametrize("name", GAMES)
def test_it_is_resampled_for_each_seat_at_its_beginning_only(name):
    spiel, position = pyspiel.load_game(name), played(name)
    state = adapter.state_at(spiel, position)
    racks = set()
    for seat in range(3):
        for _ in range(5):
            again = state.resample_from_infostate(seat, SAMPLER)
            assert again.information_state_string(seat) == state.information_state_string(seat)
            assert again.observation_string(seat) == state.observation_string(seat)
            others = [each for each in range(3) if each != seat]
            racks.add(tuple(again.information_state_string(each) for each in others))
    assert len(racks) == 15
    state.apply_action(state.legal_actions()[0])
    while not state._position.num_revealed:
        actions = state.chance_outcomes()[0] if state.is_chance_node() else state.legal_actions()
        state.apply_action(actions[0])
    with pytest.raises(ValueError, match="can be resampled before its first move only"):
        state.resample_from_infostate(position.to_play, SAMPLER)


def test_positions_that_no_state_begins_at():
    spiel = pyspiel.load_game("python_ingenious(num_players=2)")
    with pytest.raises(ValueError, match=r"the position is one of Rules\(num_players=3"):
        adapter.state_at(spiel, Game(Rules(3), seed=1))
    staged = Game(Rules(2), seed=1, actions="staged")
    staged.play(0)
    with pytest.raises(ValueError, match="a slot has been picked: this is half of a move"):
        adapter.state_at(spiel, staged)
    over = Game(Rules(2), seed=1)
    while not over.is_over:
        over.play(over.random_action())
    with pytest.raises(ValueError, match="the game is over"):
        adapter.state_at(spiel, over)
