"""Imitation: which actions are learned and played, in both numberings, and what is learned from them."""

from __future__ import annotations

from threading import Event

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch
from commands import refused
from ingenious_agents import make_agent
from ingenious_agents.ppo import imitation
from ingenious_agents.ppo.imitation import Teacher
from ingenious_agents.ppo.training import Learner, Progress, Settings
from stable_baselines3.common.logger import configure
from tqdm import tqdm

from ingenious_env import GameBatch, Rules, View
from ingenious_env.policies.view import flat_actions
from scripts import train_ppo

SHORT = {"rounds": 2, "steps": 1024, "num_envs": 32, "num_steps": 32, "minibatch": 64, "hidden": 16}
EVERY_KIND = [Rules(), Rules.solitaire(), Rules.standard(3), Rules.partnership()]


class Recorded:
    """A policy that counts its decisions, and notes the games that begin."""

    def __init__(self):
        self.policy, self.decisions, self.begun = make_agent("greedy"), 0, []

    def begin(self, keys):
        self.begun += keys.tolist()

    def act(self, view):
        self.decisions += len(view)
        return self.policy.act(view)


def games_of(rules, count, *, staged):
    games = GameBatch(rules, count, staged=staged)
    games.seed(7)
    games.deal()
    return games


@pytest.mark.parametrize("rules", EVERY_KIND, ids=["two", "solitaire", "three", "partnership"])
@pytest.mark.parametrize("staged", [False, True])
def test_without_random_moves_the_agents_own_are_played_and_learned(rules, staged, monkeypatch):
    monkeypatch.setattr(imitation, "EXPLORED", 0.0)
    games, flat = games_of(rules, 20, staged=staged), games_of(rules, 20, staged=False)
    teacher, policy = Teacher(make_agent("greedy"), games, 0), make_agent("greedy")
    while not games.is_over.any():
        wanted, played = teacher.act()
        assert np.array_equal(wanted, played)
        games.play(played)
        if staged and games.state.held.any():
            wanted, played = teacher.act()
            assert np.array_equal(wanted[games.state.held > 0], played[games.state.held > 0])
            games.play(played)
        if not staged:
            flat.play(flat_actions(policy, View(flat)))
            assert games == flat
    assert games.scores.any()


@pytest.mark.parametrize("staged", [False, True])
def test_random_moves_are_legal_and_not_learned_but_where_their_slot_is_random(staged, monkeypatch):
    monkeypatch.setattr(imitation, "EXPLORED", 0.5)
    games = games_of(Rules(), 200, staged=staged)
    teacher, policy = Teacher(make_agent("greedy"), games, 3), make_agent("greedy")
    differ = 0
    for _ in range(12):
        held = games.state.held > 0
        wanted, played = teacher.act()
        rows = np.arange(len(games))
        assert games.legal_mask()[rows, wanted].all()
        if not held.all():
            whole = GameBatch.from_rows(games.variant, games.state.memory[~held])
            own = games.actions.from_flat(flat_actions(policy, View(whole)), np.zeros(len(whole), np.bool_))
            assert np.array_equal(wanted[~held], own)
        assert np.array_equal(wanted[held], played[held])
        differ += int((wanted != played).sum())
        games.play(played)
    decisions = 200 * 12 / (2 if staged else 1)
    assert 0.25 * decisions < differ < 0.55 * decisions


def test_an_agent_is_told_once_of_each_game_and_asked_once_a_move():
    games, agent = games_of(Rules(), 8, staged=True), Recorded()
    teacher = Teacher(agent, games, 0)
    for _ in range(6):
        teacher_moves = int((games.state.held == 0).sum())
        before = agent.decisions
        games.play(teacher.act()[1])
        assert agent.decisions - before == teacher_moves
    assert sorted(agent.begun) == sorted(games.state.policy_key.tolist())
    games.seed(8)
    games.deal()
    teacher.act()
    assert len(agent.begun) == 16


def agreement(learner, rules, count=400):
    """The share of positions of random games in which the network plays as `greedy`."""
    games = games_of(rules, count, staged=False)
    games.play(games.random_actions())
    assert not games.is_over.any()
    wanted = flat_actions(make_agent("greedy"), View(games))
    return float((flat_actions(learner.agent(), View(games)) == wanted).mean())


@pytest.mark.parametrize("numbering", ["flat", "staged"])
def test_the_network_comes_to_play_like_the_agent(numbering):
    rules = Rules(2, board_side=3, num_colours=3, rack_size=2)
    settings = Settings(imitate=2, teacher="greedy", actions=numbering, curve_deals=2, **SHORT)
    learner = Learner(rules, settings, "cpu")
    learner.model.set_logger(configure(None, []))
    before = agreement(learner, rules)
    for _ in range(2):
        learner.learn(Progress(tqdm(disable=True), Event()))
        learner.conclude()
    assert learner.model.num_timesteps == 2048
    assert agreement(learner, rules) > before + 0.1


def test_the_bar_counts_the_steps_of_imitation_and_its_stop_ends_it():
    settings = Settings(imitate=1, teacher="greedy", curve_deals=2, **SHORT)
    learner = Learner(Rules(2, board_side=3, num_colours=3, rack_size=2), settings, "cpu")
    stop, bar = Event(), tqdm(disable=True)
    counted = []
    bar.update = counted.append
    learner.learn(Progress(bar, stop))
    assert sum(counted) == learner.round_steps == 1024
    stop.set()
    learner.learn(Progress(bar, stop))
    assert sum(counted) == 1024 + 32


def test_random_actions_are_played_and_the_agents_are_learned_with_the_returns(monkeypatch):
    monkeypatch.setattr(imitation, "EXPLORED", 1.0)
    settings = Settings(imitate=1, teacher="greedy", curve_deals=2, **SHORT)
    learner = Learner(Rules(2, board_side=3, num_colours=3, rack_size=2), settings, "cpu")
    chosen, stepped, errors = [], [], []
    act, fit = Teacher.act, imitation._fit
    monkeypatch.setattr(Teacher, "act", lambda self: chosen.append(act(self)) or chosen[-1])
    games = learner.env.venv
    play = games.step_async
    monkeypatch.setattr(games, "step_async", lambda actions: stepped.append(actions) or play(actions))

    def error(buffer):
        seen = torch.from_numpy(buffer.observations.reshape(-1, *buffer.obs_shape))
        with torch.no_grad():
            values = learner.model.policy.predict_values(seen).numpy()
        return float(((values - buffer.returns.reshape(-1, 1)) ** 2).mean())

    def fitted(model, buffer):
        assert np.array_equal(buffer.actions[..., 0], [wanted for wanted, _ in chosen])
        assert np.array_equal(stepped, [played for _, played in chosen])
        assert not np.array_equal(stepped, buffer.actions[..., 0])
        held = buffer.observations.copy(), buffer.returns.copy()
        errors.append(error(buffer))
        fit(model, buffer)
        buffer.observations, buffer.returns = held
        errors.append(error(buffer))

    monkeypatch.setattr(imitation, "_fit", fitted)
    learner.learn(Progress(tqdm(disable=True), Event()))
    assert errors[1] < 0.95 * errors[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--imitate", "9"], "imitate must be"),
        (["--imitate", "1", "--teacher", "nobody"], "nobody"),
        (["--imitate", "1", "--teacher", "clairvoyant"], "clairvoyant"),
    ],
)
def test_what_cannot_be_imitated_is_refused(options, message, tmp_path, capsys):
    assert message in refused(capsys, train_ppo, *options, "--folder", str(tmp_path / "new"))
