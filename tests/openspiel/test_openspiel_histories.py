"""Observations follow from information states: at a seat's decisions, at those of others, at draws."""

from collections import defaultdict

import numpy as np
import pytest

pytest.importorskip("pyspiel")
import pyspiel

import ingenious_env.openspiel as adapter
from ingenious_env import Game, IllegalActionError, Rules

SAMPLER = pyspiel.UniformProbabilitySampler(0.0, 1.0)
NAMES = {
    "ingenious": [
        "python_ingenious(num_players=3,rack_size=2)",
        "python_ingenious(num_players=2,rack_size=3)",
        "python_ingenious(num_players=4,teams=True,rack_size=2)",
    ],
    "loopit": [
        "python_loopit(num_players=2,rack_size=2)",
        "python_loopit(num_players=3,rack_size=3,fixed_rounds=True)",
    ],
}


def observed(state, player):
    """All that OpenSpiel hands out to a player, but for the information state."""
    return state.observation_string(player), tuple(state.observation_tensor(player))


def step(state, rng):
    if state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(int(rng.choice(outcomes, p=chances)))
    else:
        state.apply_action(int(rng.choice(state.legal_actions())))


def choices_of(state):
    """The private choices of a history, by seat."""
    kind = state.get_game().kind
    private = ("keep",) if "swap" in kind.choices else ("stop",)
    return [
        (each.player, each.action)
        for each in state.full_history()
        if each.player >= 0 and kind.choice_of(each.action) in private
    ]


@pytest.mark.parametrize("number", [60, pytest.param(1000, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("game", NAMES)
def test_histories_that_a_seat_cannot_tell_apart_show_it_the_same(game, number):
    """Pairs of different histories, a good part of them with other private choices."""
    rng, pairs, others = np.random.default_rng(3), 0, 0
    while pairs < number:
        for name in NAMES[game]:
            spiel = pyspiel.load_game(name)
            state = spiel.new_initial_state()
            while not state.is_terminal():
                if state._position.game is not None and rng.random() < 0.2:
                    player = int(rng.integers(spiel.num_players()))
                    again = state.resample_from_infostate(player, SAMPLER)
                    assert again.information_state_string(player) == state.information_state_string(player)
                    assert observed(again, player) == observed(state, player)
                    pairs += again.history() != state.history()
                    others += choices_of(again) != choices_of(state)
                step(state, rng)
    assert others > number // 20


def states(state):
    waiting = [state]
    while waiting:
        state = waiting.pop()
        yield state
        if not state.is_terminal():
            waiting += [state.child(action) for action in state.legal_actions()]


@pytest.mark.parametrize(("seed", "placed"), [(5, 4), (0, 3)])
def test_a_whole_tree_shows_each_seat_what_it_has_seen(seed, placed):
    """Every state of an endgame, for every seat: equal information states have equal observations."""
    game = Game(Rules(2, board_side=3, num_colours=2, rack_size=2, counter_top=6), seed=seed)
    while game.state.placed[0] < placed or game.phase != "place":
        game.play(game.random_action())
    found, count = defaultdict(set), 0
    for state in states(adapter.load(game).new_initial_state()):
        if state._position.game is None:
            continue  # the deal
        for player in range(2):
            found[player, state.information_state_string(player)].add(observed(state, player))
            count += 1
    assert count > 500
    assert all(len(each) == 1 for each in found.values())


def test_what_is_left_out_of_the_interface_says_so():
    game = pyspiel.load_game(NAMES["ingenious"][0])
    state, rng = game.new_initial_state(), np.random.default_rng(0)
    while state.is_chance_node():
        step(state, rng)
    assert not game.get_type().provides_information_state_tensor
    for ask in (lambda: state.information_state_tensor(0), game.information_state_tensor_shape):
        with pytest.raises(NotImplementedError, match="use information_state_string"):
            ask()
    before = str(state)
    for action in (-5, game.num_distinct_actions(), *(set(range(4000)) - set(state.legal_actions()))):
        with pytest.raises(
            IllegalActionError, match=f"action {action} (is not a move|lays the tile|is illegal)"
        ):
            state._position.play(action)
    assert str(state) == before
