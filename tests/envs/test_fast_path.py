"""No slow path by accident: how many kernels a step calls, and how much memory it takes, not how long."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from ingenious_env import GameBatch, Rules, ingenious_v0
from ingenious_env.compiled.kernel import Kernel
from ingenious_env.envs.vector import SolitaireVectorEnv, VersusVectorEnv


@pytest.fixture
def kernel_calls(monkeypatch):
    """The names of the kernels that have been called since, in order."""
    calls: list[str] = []
    compiled = vars(Kernel)["compiled"]

    def counted(kernel):
        calls.append(kernel.name)
        return compiled.__get__(kernel)

    monkeypatch.setattr(Kernel, "compiled", property(counted))
    return calls


def test_a_step_of_a_batch_is_one_kernel_call(kernel_calls):
    batch = GameBatch(Rules(), 32, 0)
    mask, obs = batch.legal_mask(), batch.observe()
    actions = batch.random_actions()
    del kernel_calls[:]
    batch.play(actions, auto_reset=True, mask=mask, obs=obs)
    assert kernel_calls == ["play_games"]


def test_a_step_of_the_aec_loop_is_one_kernel_call(kernel_calls):
    env = ingenious_v0.env()
    env.reset(seed=1)
    observation = env.last()[0]
    for _ in range(20):
        action = int(np.flatnonzero(observation["action_mask"])[0])
        del kernel_calls[:]
        env.step(action)
        observation = env.last()[0]
        assert kernel_calls == ["play_games"]


@pytest.mark.parametrize("num_envs", [1, 50])
def test_a_step_of_solitaire_is_three_kernel_calls(kernel_calls, num_envs):
    env = SolitaireVectorEnv(num_envs)
    _, infos = env.reset(seed=1)
    del kernel_calls[:]
    env.step(infos["action_mask"].argmax(axis=1))
    assert kernel_calls == ["play_games", "write_masks", "write_observations"]


def test_a_step_against_opponents_does_not_call_kernels_game_by_game(kernel_calls):
    """The opponent acts and plays in all games at once: twice more where bonus plays or a swap follow."""
    env = VersusVectorEnv(200, opponent="greedy")
    _, infos = env.reset(seed=1)
    del kernel_calls[:]
    env.step(infos["action_mask"].argmax(axis=1))
    assert len(kernel_calls) <= 15


@pytest.mark.parametrize("num_games", [64, 4096])
def test_a_step_takes_no_memory_but_its_answer(num_games):
    """A byte a game for what is done, and eight where actions come as int32."""
    batch = GameBatch(Rules(), num_games, 0)
    mask, obs = batch.legal_mask(), batch.observe()
    actions = batch.random_actions()

    def taken(chosen: np.ndarray) -> int:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        batch.play(chosen, auto_reset=True, mask=mask, obs=obs)
        return tracemalloc.get_traced_memory()[1] - before

    tracemalloc.start()
    try:
        batch.play(actions, auto_reset=True, mask=mask, obs=obs)
        narrow = taken(batch.random_actions())
        wide = taken(batch.random_actions().astype(np.int64))
    finally:
        tracemalloc.stop()
    assert narrow <= 9 * num_games + 4096
    assert wide <= num_games + 4096


def test_whole_games_take_no_memory_but_their_scores():
    batch = GameBatch(Rules(), 1, 0)
    batch.random_playouts(10)
    tracemalloc.start()
    try:
        scores = batch.random_playouts(5000)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak <= scores.nbytes + 64 * 1024
