"""The pool of opponents: who plays which game, who is met how often, who is dropped."""

from __future__ import annotations

import itertools
from collections import Counter
from itertools import chain

import gymnasium as gym
import numpy as np
import pytest
from gym_helpers import StagedUniform

pytest.importorskip("tqdm")

from ingenious_agents.ppo.opponent_pool import Pool

from ingenious_env import GameBatch, Rules
from ingenious_env.policies.view import Uniform, View, begin_games, check_plays


class Noting(Uniform):
    """Plays at random and keeps the keys of the games that it was asked in."""

    def __init__(self) -> None:
        object.__setattr__(self, "keys", [])

    def act(self, view):
        self.keys.extend(view.keys.tolist())
        return super().act(view)


def a_pool(count: int = 3, **options) -> Pool:
    return Pool({f"agent-{number}": Noting() for number in range(count)}, **options)


def give(pool: Pool, key: int, name: str) -> None:
    """Draw until a new game of this key is given to this member."""
    for number in itertools.count():
        drawn = pool.draw(number)
        if drawn[key % len(drawn)] == name:
            assert pool.plays(key) == name
            return


def test_a_game_is_played_by_one_member_from_beginning_to_end():
    pool, batch = a_pool(active=3), GameBatch(Rules(), 40, 5)
    for number in range(10):
        batch.play(pool.act(View(batch)))
        pool.record(number, 1.0)
        pool.draw(number)
    asked = {name: set(member.policy.keys) for name, member in pool.members.items()}
    assert sum(len(keys) for keys in asked.values()) == 40
    assert set.union(*asked.values()) == set(View(batch).keys.tolist())
    assert min(len(keys) for keys in asked.values()) >= 5


def test_it_plays_as_its_members_do_in_whatever_batch():
    pool, batch = a_pool(), GameBatch(Rules(), 30, 6)
    chosen, rows = pool.act(View(batch)), np.random.default_rng(0).permutation(30)
    assert np.array_equal(pool.act(View(batch.take(rows))), chosen[rows])
    assert np.array_equal(chosen, Uniform().act(View(batch)))


def test_members_may_play_staged_actions():
    batch = GameBatch(Rules(), 30, 6)
    pool = Pool({"staged": StagedUniform(), "flat": Uniform()})
    for _ in range(5):
        batch.play(pool.act(View(batch)))


def test_new_games_go_to_those_that_were_drawn():
    pool = a_pool(5, active=2)
    drawn = set(pool.draw(3))
    assert len(drawn) == 2
    assert {pool.plays(key) for key in range(100)} == drawn
    assert set(a_pool(5, active=2).draw(3)) == drawn
    assert len({tuple(sorted(a_pool(5, active=2, seed=seed).draw(3))) for seed in range(20)}) > 3


def test_who_wins_half_of_the_games_is_met_most():
    pool = a_pool(active=1)
    shares = {}
    for name, share, count in (("agent-0", 0.0, 8), ("agent-1", 0.5, 8), ("agent-2", 1.0, 16)):
        for key in range(count):
            give(pool, key, name)
            pool.record(key, share)
        won, games = pool.results[name]
        fade = 0.99**count
        played = (1 - fade) / (1 - 0.99)
        assert games == pytest.approx(4 * fade + played)
        assert won == pytest.approx(2 * fade + share * played)
        shares[name] = won / games
    met = Counter(pool.draw(number)[0] for number in range(4000))
    chances = np.array([each * (1 - each) + 0.01 for each in shares.values()])
    expected = 4000 * chances / chances.sum()
    found = np.array([met[name] for name in shares])
    assert found[1] > found[0] > found[2]
    assert ((found - expected) ** 2 / expected).sum() < 13.8  # chi squared, 2 degrees of freedom, 0.1 %


def test_nobody_is_lost_sight_of():
    pool = a_pool(2, active=2)
    place = list(pool.draw(0)).index("agent-0")
    for key in range(place, 200_000, 2):
        assert pool.plays(key) == "agent-0"
        pool.record(key, 1.0)
    assert set(pool.draw(1)) == {"agent-0", "agent-1"}


def test_the_past_self_that_is_beaten_most_is_dropped():
    pool = a_pool(1, most=2)
    for name in ("one", "two"):
        pool.add(name, Uniform())
    for key, name in enumerate(["agent-0", "one", "two"]):
        give(pool, key, name)
        pool.record(key, {"agent-0": 1.0, "one": 0.6, "two": 0.4}[name])
    give(pool, 9, "one")
    pool.add("three", Uniform())
    assert list(pool.members) == ["agent-0", "two", "three"]
    assert pool.plays(9) in pool.members
    pool.record(8, 1.0)  # a game that it never saw
    assert pool.results["three"] == (2, 4)
    with pytest.raises(ValueError, match="a member 'two' already"):
        pool.add("two", Uniform())


def test_what_makes_no_pool():
    with pytest.raises(ValueError, match="a pool needs a member"):
        Pool({})
    for name, bad, least in (("active", 0, 1), ("most", -1, 0)):
        with pytest.raises(ValueError, match=f"{name} must be from {least} to"):
            a_pool(**{name: bad})
    for options in ({"active": 1.5}, {"most": float("nan")}):
        with pytest.raises(TypeError, match="must be a whole number"):
            a_pool(**options)


class Remembering(Uniform):
    """Plays at random, in games that it was told of; only with two players."""

    def __init__(self) -> None:
        object.__setattr__(self, "begun", [])

    def begin(self, keys):
        self.begun.extend(keys.tolist())

    def check(self, rules):
        if rules.num_players != 2:
            msg = "it plays with two players"
            raise ValueError(msg)

    def act(self, view):
        assert set(view.keys.tolist()) <= set(self.begun)
        return super().act(view)


def test_members_are_told_of_their_games_once():
    """And again where a game begins again, or its member was dropped."""
    pool, batch = Pool({name: Remembering() for name in "abc"}, active=3), GameBatch(Rules(), 40, 5)
    keys = View(batch).keys
    begin_games(pool, keys)
    for _ in range(4):
        batch.play(pool.act(View(batch)))
    begun = [member.policy.begun for member in pool.members.values()]
    assert sorted(chain(*begun)) == sorted(keys.tolist())
    assert min(map(len, begun)) > 0
    begin_games(pool, keys[:7])
    batch.seed(5)
    pool.act(View(batch))
    assert sorted(chain(*begun)) == sorted([*keys.tolist(), *keys[:7].tolist()])


def test_a_pool_plays_what_all_its_members_play():
    pool = Pool({"any": Uniform(), "two": Remembering()})
    check_plays(pool, Rules())
    with pytest.raises(ValueError, match="with two players"):
        gym.make("ingenious_env:ingenious/Versus-v0", num_players=3, opponent=pool)


def test_each_draw_is_another():
    """Without a number, the draw after the latest one."""
    pool = Pool({str(number): Uniform() for number in range(8)}, active=1)
    drawn = [pool.draw() for _ in range(12)]
    assert drawn == [pool.draw(number) for number in range(1, 13)]
    assert pool.draw() == pool.draw(13)
    assert len({name for (name,) in drawn}) > 3
