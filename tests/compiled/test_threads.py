"""Rows shared among threads: the same games as on one, and never much slower under any load."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from helpers import PRESETS, batch_at

from ingenious_env import GameBatch, IllegalActionError, InconsistentStateError, Rules
from ingenious_env.compiled import threads
from ingenious_env.compiled.kernel import ALL_ROWS, ROWS, kernel
from ingenious_env.compiled.threads import Pace, run_in_shares, share_bounds
from ingenious_env.games.ingenious.opponents.utilities import UTILITIES
from ingenious_env.policies.greedy import Greedy
from ingenious_env.policies.view import View

# Pace, by made-up times.

MICROSECOND, MILLISECOND = 1_000, 1_000_000


def test_the_first_call_is_on_one_thread():
    pace = Pace()
    assert not pace.shares(now=0)
    pace.took_single(100 * MICROSECOND)
    assert pace.shares(now=0)


def test_the_fastest_of_late_is_how_long_one_thread_takes():
    pace = Pace()
    for took in (300, 100, 5000):
        pace.took_single(took * MICROSECOND)
    assert pace.single == pytest.approx(110 * MICROSECOND)  # the delayed call made it a tenth longer, no more
    pace.took_single(90 * MICROSECOND)
    assert pace.single == 90 * MICROSECOND


def started(took: int = 100 * MICROSECOND) -> Pace:
    """After a call on one thread, and the first one on several."""
    pace = Pace()
    pace.took_single(took)
    pace.took_shared(took, now=0)
    return pace


def pause_of(pace: Pace, now: int) -> int:
    """Milliseconds from now on without sharing."""
    for pause in range(2000):
        if pace.shares(now + pause * MILLISECOND):
            assert pause == 0 or not pace.shares(now + pause * MILLISECOND - 1)
            return pause
    raise AssertionError


def test_a_loss_is_followed_by_a_pause_and_each_further_one_by_twice_as_long_a_pause():
    pace, now, pauses = started(), 10**9, []
    for _ in range(8):
        pace.took_shared(5 * MILLISECOND, now)
        pauses.append(pause_of(pace, now))
        now += pauses[-1] * MILLISECOND
    assert pauses == [20, 40, 80, 160, 320, 640, 1000, 1000]


def test_the_first_shared_call_does_not_count():
    """It loads the compiled code and starts the threads, which takes milliseconds."""
    pace = Pace()
    pace.took_single(100 * MICROSECOND)
    pace.took_shared(300 * MILLISECOND, now=0)
    assert pace.shares(now=0)
    pace.took_shared(5 * MILLISECOND, now=1)
    assert pause_of(pace, 1) == 20


def test_threads_may_take_four_tenths_of_a_millisecond_to_wake():
    pace = started()
    for call in range(4):
        pace.took_shared(200 * MICROSECOND, now=call)
        assert pace.shares(now=call)
    pace.took_shared(101 * MICROSECOND, now=5)
    assert pause_of(pace, 5) == 20
    pace.took_shared(499 * MICROSECOND, now=10**9)  # what was lost before the pause is forgotten
    assert pace.shares(now=10**9)


def test_gains_pay_for_losses_up_to_a_fifth_of_a_millisecond():
    pace = started()
    for call in range(100):  # each wins 0.05 ms
        pace.took_shared(50 * MICROSECOND, now=call)
    for call in range(100, 115):  # each loses 0.04 ms, and 0.2 + 0.4 ms may be lost
        pace.took_shared(140 * MICROSECOND, now=call)
        assert pace.shares(now=call)
    pace.took_shared(140 * MICROSECOND, now=115)
    assert pause_of(pace, 115) == 20


def test_after_enough_gains_pauses_are_short_again():
    pace, now = started(), 0
    for _ in range(3):
        pace.took_shared(5 * MILLISECOND, now)
        now += pause_of(pace, now) * MILLISECOND
    for _ in range(3):  # 0.15 ms won, which is not enough
        pace.took_shared(50 * MICROSECOND, now)
    pace.took_shared(5 * MILLISECOND, now)
    assert pause_of(pace, now) == 160
    now += 160 * MILLISECOND
    for _ in range(4):
        pace.took_shared(50 * MICROSECOND, now)
    pace.took_shared(5 * MILLISECOND, now)
    assert pause_of(pace, now) == 20


def test_now_and_then_one_thread_is_timed_again():
    pace, alone = Pace(), 0
    for call in range(2000):
        if pace.shares(now=call):
            pace.took_shared(50 * MICROSECOND, now=call)
        else:
            pace.took_single(100 * MICROSECOND)
            alone += 1
    assert alone == 4  # the first, and one after each 512 shared ones


def simulate(shared_times: list[int], alone: int) -> tuple[int, int]:
    """Nanoseconds of a number of calls, on a machine on which one thread always takes equally long."""
    pace, now, shared = Pace(), 0, 0
    for took in shared_times:
        if pace.shares(now):
            now += took
            pace.took_shared(took, now)
            shared += 1
        else:
            now += alone
            pace.took_single(alone)
    return now, shared


def test_beside_a_busy_program_little_is_lost():
    """In 20 s some 1 + 6 + 19 calls find out that nothing has changed, of 9 ms each."""
    total, shared = simulate([9 * MILLISECOND] * 200_000, 100 * MICROSECOND)
    assert shared <= 1 + 6 + 20
    assert total <= 1.015 * 200_000 * 100 * MICROSECOND


def test_on_a_quiet_machine_nearly_all_calls_are_shared():
    total, shared = simulate([55 * MICROSECOND] * 10_000, 100 * MICROSECOND)
    assert shared >= 9_970
    assert total <= 0.56 * 10_000 * 100 * MICROSECOND


def test_sharing_is_taken_up_again_when_the_machine_is_quiet_again():
    busy, quiet = [10 * MILLISECOND] * 3000, [55 * MICROSECOND] * 10_000
    _, shared = simulate(busy + quiet, 100 * MICROSECOND)
    assert shared >= 7000


# Rows.


@pytest.fixture(name="shared_calls")
def _shared_calls(monkeypatch):
    """Share all calls, regardless of times; returns the shared calls."""
    calls: list[int] = []
    took_shared = Pace.took_shared

    def noted(pace: Pace, took: int, now: int) -> None:
        calls.append(took)
        took_shared(pace, took, now)

    monkeypatch.setattr(Pace, "shares", lambda _pace, _now: True)
    monkeypatch.setattr(Pace, "took_shared", noted)
    return calls


@pytest.mark.parametrize(
    ("rows", "shares", "expected"),
    [(8, 2, [0, 4, 8]), (7, 3, [0, 2, 4, 7]), (1, 2, [0, 0, 1]), (2, 4, [0, 0, 1, 1, 2]), (5, 1, [0, 5])],
)
def test_shares_are_equal_and_cover_all_rows(rows, shares, expected):
    assert share_bounds(rows, shares).tolist() == expected


@kernel(f"int64({ROWS}, int64[::1], int64)")
def count_rows(_spec, low, high, visits, stop):
    """Count the visits of each row, up to the first one at or behind `stop` that is a multiple of three."""
    for row in range(low, high):
        if stop <= row and row % 3 == 0:
            return row
        visits[row] += 1
    return ALL_ROWS


@pytest.mark.parametrize("num_threads", [2, 3, 5])
@pytest.mark.parametrize("num_rows", [1, 2, 7, 100])
def test_every_row_once_and_the_first_stop(shared_calls, num_rows, num_threads):
    spec, visits = np.zeros(1, np.int64), np.zeros(num_rows, np.int64)
    assert run_in_shares(count_rows, spec, num_rows, num_threads, visits, num_rows) == -1
    assert visits.tolist() == [1] * num_rows
    for stop in range(0, num_rows, 3):
        assert run_in_shares(count_rows, spec, num_rows, num_threads, visits, stop) == stop
    assert len(shared_calls) == (0 if num_rows == 1 else 1 + len(range(0, num_rows, 3)))


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize("name", PRESETS)
def test_every_kernel_does_on_two_threads_what_it_does_on_one(shared_calls, name, staged):
    rules = PRESETS[name]
    one, two = (GameBatch(rules, 37, 3, staged=staged, num_threads=threads) for threads in (1, 2))
    assert two == one
    chosen = np.arange(37) % 3 == 0
    viewers = np.arange(37) % rules.num_players
    for step in range(60):
        actions = one.random_actions()
        assert np.array_equal(two.random_actions(), actions)
        assert np.array_equal(two.random_actions(by_key=True), one.random_actions(by_key=True))
        assert np.array_equal(two.legal_mask(), one.legal_mask())
        assert np.array_equal(two.observe(viewers=viewers), one.observe(viewers=viewers))
        answers = []
        for batch in (one, two):
            mask, obs = batch.legal_mask(), batch.observe()
            done = batch.play(actions, auto_reset=True, mask=mask, obs=obs)
            answers.append([done, mask, obs, batch.final_scores.copy()])
        for mine, its in zip(*answers, strict=True):
            assert np.array_equal(mine, its)
        if step % 20 == 19:
            for batch in (one, two):
                batch.reshuffle_hidden(viewers, seed=step)
            assert two == one
            for batch in (one, two):
                batch.reshuffle_hidden(seed=step, by_key=True)
                batch.deal(chosen)
        assert two == one
    assert np.array_equal(two.random_playouts(41), one.random_playouts(41))
    assert two == one
    assert len(shared_calls) > 60 * 6


@pytest.mark.parametrize("utility", UTILITIES)
def test_greedy_does_on_two_threads_what_it_does_on_one(shared_calls, utility):
    one = batch_at(Rules(), 33, 20)
    two = GameBatch.from_rows(one.rules, one.state.memory, num_threads=2)
    del shared_calls[:]
    assert np.array_equal(Greedy(utility).act(View(two)), Greedy(utility).act(View(one)))
    assert len(shared_calls) == 1


def test_an_illegal_action_in_any_share_changes_nothing(shared_calls):
    batch = GameBatch(Rules(), 40, 0, num_threads=2)
    for rows in ([39], [20], [0], [19, 39], [5, 25]):
        actions, before = batch.random_actions(), batch.clone()
        actions[rows] = batch.actions.swap
        with pytest.raises(IllegalActionError, match=f"action 2665 is illegal in game {rows[0]}: "):
            batch.play(actions)
        assert batch == before
    assert shared_calls


@pytest.mark.parametrize("rows", [[6], [1], [2, 6]])
def test_the_first_game_without_a_deal_is_named(shared_calls, rows):
    batch = GameBatch(Rules(2, board_side=3, num_colours=2, rack_size=2), 8, 0, num_threads=2)
    batch.state.swaps[rows] = 1
    batch.state.shown[rows, 0] = batch.state.unplaced[rows]  # all, and seat 0 has drawn none since
    before = batch.clone()
    with pytest.raises(InconsistentStateError, match=f"game {rows[0]}: no deal agrees"):
        batch.reshuffle_hidden(np.ones(8, np.int64), seed=0)
    assert batch == before
    assert shared_calls


def test_callers_on_several_threads_do_not_wait_for_each_other(shared_calls):
    """A pool takes work from one caller at a time: the others continue on one thread."""

    def history(seed: int, num_threads: int) -> bytes:
        batch = GameBatch(Rules(), 64, seed, num_threads=num_threads)
        for _ in range(100):
            batch.play(batch.random_actions(), auto_reset=True)
        return batch.state.memory.tobytes()

    expected = [history(seed, 1) for seed in range(4)]
    assert not shared_calls
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(history, range(4), [2] * 4)) == expected
    assert shared_calls


def test_fewer_threads_than_there_are():
    code = (
        "import numba; from ingenious_env import GameBatch, Rules\n"
        "from ingenious_env.compiled.threads import Pace\n"
        "calls, took = [], Pace.took_shared\n"
        "Pace.shares = lambda pace, now: True\n"
        "Pace.took_shared = lambda *measured: (calls.append(1), took(*measured))\n"
        "batch = GameBatch(Rules(), 64, 5, num_threads=2)\n"
        "print(batch.state.memory.sum(), len(calls), numba.get_num_threads())"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "NUMBA_NUM_THREADS": "4"},
    ).stdout
    assert shown == f"{GameBatch(Rules(), 64, 5).state.memory.sum()} 1 4\n"


def test_sharing_goes_by_the_time_that_calls_took(monkeypatch):
    """Without the fixture: the first call on one thread; then shared; after a slow one, on one again."""
    clock = iter(range(0, 10**12, 100 * MICROSECOND))
    slow = [0]

    def tick() -> int:
        slow[0] += 1
        return next(clock) + (10**9 if slow[0] >= 8 else 0)  # the fourth call takes a second

    monkeypatch.setattr(threads.time, "perf_counter_ns", tick)
    asked: list[bool] = []
    shares = Pace.shares

    def noted(pace: Pace, now: int) -> bool:
        asked.append(shares(pace, now))
        return asked[-1]

    monkeypatch.setattr(Pace, "shares", noted)
    spec, visits = np.zeros(1, np.int64), np.zeros(11, np.int64)
    for _ in range(6):
        run_in_shares(count_rows, spec, 11, 2, visits, 11)
    assert asked == [False, True, True, True, False, False]
    assert visits.tolist() == [6] * 11
