"""Bots of OpenSpiel as agents: the positions that they are given, and what they may choose."""

from __future__ import annotations

import pickle
from copy import deepcopy

import gymnasium as gym
import numpy as np
import pytest
import spiel_bots
from sampled import nightly_but

pytest.importorskip("pyspiel")

from ingenious_agents import agent_text, make_agent, play_match
from ingenious_agents.evaluation.tournament import Tournament

from ingenious_env import NO_ACTION, GameBatch, IllegalActionError, Rules, View
from ingenious_env.engine.definition import definition_of
from ingenious_env.engine.state import CHOOSE, PLACE
from ingenious_env.games.loopit import Rules as LoopitRules

SMALL = Rules(2, board_side=3, num_colours=2, rack_size=2)
VARIANTS = {
    "ingenious": Rules(),
    "small": SMALL,
    "solitaire": Rules.solitaire(),
    "partnership": Rules.partnership(),
    "loopit": LoopitRules(2),
    "fixed rounds": LoopitRules(3, rack_size=2, fixed_rounds=True),
}


@pytest.fixture
def seen(monkeypatch):
    """Records of the states that bots are shown."""
    log = []
    monkeypatch.setattr(spiel_bots, "SEEN", log)
    return log


@pytest.mark.parametrize("name", nightly_but(VARIANTS.keys() - {"partnership"}, VARIANTS))
def test_each_decision_of_whole_games(name, seen):
    """Choices and the middle of a turn, too: the state has the legal moves, and its move is played."""
    rules = VARIANTS[name]
    games, agent, phases = GameBatch(rules, 8, seed=2), make_agent("openspiel:bot=spiel_bots.Last"), set()
    text = definition_of(rules).move_to_text
    while not games.is_over.all():
        rows = np.flatnonzero(~games.is_over)
        view = View(games.take(rows))
        actions = agent.act(view)
        for row, action, (seat, _, state) in zip(rows, actions, seen[-len(rows) :], strict=True):
            game, legal = games[row], state.legal_actions()
            phases.add(int(games.phase[row]))
            assert seat == game.to_play
            moves = {text(game.move(each)) for each in game.legal_actions()}
            assert {state.action_to_string(seat, each) for each in legal} == moves
            assert text(game.move(action)) == state.action_to_string(seat, legal[-1])
        games.play(np.where(games.is_over, NO_ACTION, games.random_actions()))
        seen.clear()
    assert phases == ({PLACE} if name in ("solitaire", "loopit") else {PLACE, CHOOSE})


def test_a_bot_sees_nothing_hidden(seen):
    for rules in (Rules.standard(3), LoopitRules(3)):
        games = GameBatch(rules, 4, seed=5)
        for _ in range(4):
            games.play(games.random_actions())
        other = games.clone()
        other.reshuffle_hidden(seed=1)
        agent = make_agent("openspiel:bot=spiel_bots.Last")
        for each in (games, other):
            agent.act(View(each))
        assert len(seen) == 8
        for (seat, seed, state), again in zip(seen[:4], seen[4:], strict=True):
            assert (seat, seed, str(state)) == (again[0], again[1], str(again[2]))
        hidden = [str(games[row].to_text()) for row in range(4)]
        assert [state.engine_game().to_text() for _, _, state in seen[:4]] != hidden
        seen.clear()


@pytest.mark.parametrize("rules", nightly_but([SMALL], [SMALL, LoopitRules(2, rack_size=2)]), ids=str)
def test_a_search_that_resamples(rules):
    agents = [make_agent("openspiel:bot=spiel_bots.search"), make_agent("uniform")]
    assert play_match(rules, agents, 1, seed=4).games == 2


def test_seeds_follow_from_the_position(seen):
    agent = make_agent("openspiel:bot=spiel_bots.uniform")
    results = [play_match(SMALL, [agent, make_agent("uniform")], 6, seed=1) for _ in range(2)]
    assert np.array_equal(results[0].scores, results[1].scores)
    games = GameBatch(SMALL, 50, seed=1)
    for _ in range(2):
        make_agent("openspiel:bot=spiel_bots.Last").act(View(games))
        games.play(games.random_actions())
    seeds = [seed for _, seed, _ in seen]
    assert len(set(seeds)) == 100
    assert min(seeds) >= 0
    assert 2**30 < max(seeds) < 2**31


@pytest.mark.parametrize("rules", [SMALL, LoopitRules(2)], ids=["ingenious", "loopit"])
def test_staged_views(rules):
    staged, flat = (GameBatch(rules, 20, seed=3, staged=each) for each in (True, False))
    agent = make_agent("openspiel:bot=spiel_bots.uniform")
    flat.play(agent.act(View(flat)))
    for _ in range(2):
        staged.play(agent.act(View(staged)))
    assert np.array_equal(flat.board, staged.board)


def test_tournaments_and_environments():
    name = "openspiel:bot=spiel_bots.Last"
    agent = make_agent(name)
    for each in (deepcopy(agent), pickle.loads(pickle.dumps(agent)), make_agent(agent_text(agent))):
        assert each == agent
    tournament = Tournament.of(SMALL, (name, "uniform"))
    assert len(tournament.play((0, 1), range(2))) == 4
    env = gym.make("ingenious_env:ingenious/Versus-v0", rules=SMALL, opponent=agent)
    env.reset(seed=1)
    over = False
    while not over:
        over = env.step(int(np.flatnonzero(env.unwrapped.action_masks())[0]))[2]


def test_finished_games_are_not_asked_about(seen):
    games = GameBatch(SMALL, 1, seed=3)
    while not games.is_over.all():
        games.play(games.random_actions())
    assert make_agent("openspiel:bot=spiel_bots.Last").act(View(games)) == [NO_ACTION]
    assert seen == []


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("openspiel", "openspiel needs the parameters bot"),
        ("openspiel:bot=nowhere.make", "there is no function nowhere.make: No module"),
        ("openspiel:bot=spiel_bots.nothing", "there is no function spiel_bots.nothing: module"),
        ("openspiel:bot=make", "there is no function make: "),
        (
            "openspiel:bot=spiel_bots.NUMBER",
            r"spiel_bots\.NUMBER is not a function of a game, a seat and a seed",
        ),
    ],
)
def test_functions_that_are_not(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        make_agent(text)


def test_what_a_function_must_return_and_a_bot_must_choose():
    view = View(GameBatch(SMALL, 1, seed=1))
    with pytest.raises(ValueError, match=r"spiel_bots\.no_bot must return a bot, .*, not 'a bot'"):
        make_agent("openspiel:bot=spiel_bots.no_bot").act(view)
    with pytest.raises(
        IllegalActionError, match=r"the bot of spiel_bots\.Illegal chose -1, which is not a legal"
    ):
        make_agent("openspiel:bot=spiel_bots.Illegal").act(view)


def test_rules_without_a_game_of_openspiel():
    agents = [make_agent("openspiel:bot=spiel_bots.Last"), make_agent("uniform")]
    with pytest.raises(
        ValueError, match=r"the parameters of OpenSpiel's game cannot express players=2 .*sheet=double"
    ):
        play_match(Rules(2, double_sheet=True), agents, 1)
