"""Utilities in OpenSpiel, by the final scores: each reward of both games, from the deal and positions."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

pytest.importorskip("pyspiel")
import pyspiel
from final_rewards import seat_reward
from loopit_helpers import VARIANTS

import ingenious_env.openspiel as adapter
from ingenious_env import Rules
from ingenious_env.engine.definition import definition_of

SMALL = {"board_side": 3, "num_colours": 2, "rack_size": 2}
TABLES = {
    "one": Rules(1, **SMALL, counter_top=4),
    "two": Rules(2, **SMALL, counter_top=2),
    "three": Rules(3, **SMALL, counter_top=2),
    "teams": Rules(4, teams=True, **SMALL, counter_top=6),
    "double": Rules(2, **SMALL, counter_top=3, double_sheet=True, open_racks=True),
    "loopit two": VARIANTS["5 x 5"],
    "loopit three": VARIANTS["5 x 5, fixed"],
}
NUMBERS = {
    "ingenious": ("outcome", "margin", "score", "lowest"),
    "loopit": ("outcome", "margin", "score"),
}
CASES = [
    (table, reward, begins)
    for table, begins in product(TABLES, ("deal", "position"))
    for reward in NUMBERS["loopit" if "loopit" in table else "ingenious"]
    if (table, begins) != ("double", "deal")  # no parameter of OpenSpiel
]
SAMPLER = pyspiel.UniformProbabilitySampler(0.0, 1.0)
LOOPIT_TOP = 12_799
"""The most that the tiles of a set may score (LOOPIT.md)."""


def bounds(rules, name):
    """The smallest and the largest reward of a game."""
    if name == "outcome":
        return -1, 1
    if not isinstance(rules, Rules):
        return {"margin": (-LOOPIT_TOP / 100, LOOPIT_TOP / 100), "score": (0, LOOPIT_TOP)}[name]
    top = 2 * rules.counter_top if rules.double_sheet else rules.counter_top
    points = top * rules.num_colours
    return {"margin": (-1, 1), "lowest": (0, top)}.get(name, (0, points))


def parameters_of(rules, folder):
    """The rules as parameters of OpenSpiel."""
    if isinstance(rules, Rules):
        return {name: getattr(rules, name) for name in ("num_players", "teams", *SMALL, "counter_top")}
    material, file = rules.material, folder / "material.toml"
    factors = ["".join(map(str, row)) for row in material.factors]
    tiles = [
        f"{ends} = {[value for each, value in material.tiles if each == ends]}"
        for ends in dict.fromkeys(ends for ends, _ in material.tiles)
    ]
    board = [f"start = {list(material.start)}", f"factors = {factors}"]
    file.write_text("\n".join(["[board]", *board, "[tiles]", *tiles]), encoding="utf-8")
    names = ("num_players", "fixed_rounds", "rack_size", "tiles_per_turn")
    return {"material": str(file)} | {name: getattr(rules, name) for name in names}


def start_of(rules, seed, left):
    """A position at the beginning of a turn, with points made, `left` such ones before the end at most."""
    for again in range(100):
        game, found = definition_of(rules).game(rules, seed=(seed, again)), []
        while not game.is_over:
            whole = game.phase == "lay" and not game.laid if hasattr(game, "laid") else game.phase == "place"
            if whole and game.state.scores.any():
                found.append(game.clone())
            game.play(game.random_action())
        if found:
            return found[max(0, len(found) - left)]
    pytest.fail("no game makes points before its end")


def step(state, rng):
    """A random step, by chance or by a player."""
    if state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(int(rng.choice(outcomes, p=chances)))
    else:
        state.apply_action(int(rng.choice(state.legal_actions())))


def played(spiel, rng):
    """The end of a random game, all of whose positions are consistent; nothing is paid on the way."""
    state = spiel.new_initial_state()
    nothing = [0.0] * spiel.num_players()
    while not state.is_terminal():
        assert state.returns() == state.rewards() == nothing
        if (game := state.engine_game()) is not None:
            game.check_consistency()
        step(state, rng)
    return state


@pytest.mark.parametrize(("table", "reward", "begins"), CASES)
def test_utilities_are_those_of_the_scores(table, reward, begins, tmp_path):
    """Returns, rewards, bounds, the sum and its type, loaded by name, by text and by pickle."""
    rules, rng, sums, paid = TABLES[table], np.random.default_rng(7), set(), []
    name = definition_of(rules).name
    compares = reward == "outcome" or (reward == "margin" and table != "loopit three")
    zero_sum = compares and rules.num_players > 1
    for seed in range(4):
        if begins == "position":
            start = start_of(rules, seed, 1 + seed)
            spiel = adapter.load(start, reward=reward)
            before = np.array(start.scores)
            assert before.any()
        else:
            spiel = pyspiel.load_game(f"python_{name}", parameters_of(rules, tmp_path) | {"reward": reward})
            before = 0
        spiel = pyspiel.load_game(str(spiel))
        low, high = bounds(rules, reward)
        assert (spiel.min_utility(), spiel.max_utility()) == pytest.approx((low, high))
        kinds = pyspiel.GameType.Utility
        assert spiel.get_type().utility == (kinds.ZERO_SUM if zero_sum else kinds.GENERAL_SUM)
        assert spiel.utility_sum() == (0.0 if zero_sum else None)
        for _ in range(2):
            state = played(spiel, rng)
            scores = state.engine_game().scores
            expected = [
                seat_reward(rules, reward, scores, seat, before=before) for seat in range(rules.num_players)
            ]
            assert state.returns() == state.rewards() == pytest.approx(expected, abs=1e-6)
            assert [state.player_return(seat) for seat in range(rules.num_players)] == state.returns()
            assert [state.player_reward(seat) for seat in range(rules.num_players)] == state.returns()
            assert all(low - 1e-6 <= each <= high + 1e-6 for each in state.returns())
            _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(spiel, state))
            assert again.returns() == state.clone().returns() == state.returns()
            sums.add(round(sum(state.returns()), 4))
            paid += state.returns()
    assert (sums == {0.0}) == (compares or (rules.num_players == 1 and reward == "outcome"))
    assert any(paid) != (compares and rules.num_players == 1)


@pytest.mark.parametrize("table", ["5 x 5, fixed", "4 x 7, fixed", "racks of one", "corner"])
def test_deals_from_positions_are_games(table):
    """Choices to lay or to throw back, and ends, follow from the tiles (LOOPIT.md 3.3, 5.1)."""
    rules, rng, phases = VARIANTS[table], np.random.default_rng(8), set()
    for seed in range(12 if "fixed" in table else 4):
        game = definition_of(rules).game(rules, seed=seed)
        while not game.is_over:
            if game.phase == "lay" and not game.laid:
                spiel = adapter.load(game)
                for _ in range(3):
                    state = spiel.new_initial_state()
                    while state.is_chance_node():
                        step(state, rng)
                    dealt = state.engine_game()
                    dealt.check_consistency()
                    assert state.is_terminal() == dealt.is_over
                    phases.add(dealt.phase)
                    for seat in range(rules.num_players):
                        other = state.resample_from_infostate(seat, SAMPLER)
                        assert other.information_state_string(seat) == state.information_state_string(seat)
                        other.engine_game().check_consistency()
            game.play(game.random_action())
    assert {"lay", "throw"} <= phases
    assert "over" in phases or table not in ("5 x 5, fixed", "4 x 7, fixed")
