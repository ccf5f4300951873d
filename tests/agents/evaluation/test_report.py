"""The figures of tournaments, matches and studies, from games made by hand."""

from __future__ import annotations

import time
from dataclasses import FrozenInstanceError
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from ingenious_agents.evaluation import match
from ingenious_agents.evaluation.log import Log
from ingenious_agents.evaluation.match import MatchResult, play_out
from ingenious_agents.evaluation.ratings import Ratings
from ingenious_agents.evaluation.report import markdown, report, settled
from ingenious_agents.evaluation.scheduler import Schedule
from ingenious_agents.evaluation.solitaire import StudyResult
from ingenious_agents.evaluation.solitaire import markdown as study_markdown
from ingenious_agents.evaluation.statistics import Share, came_before, share_by_deals
from ingenious_agents.evaluation.tournament import GameResult, Tournament

from ingenious_env import GameBatch, IllegalActionError, Rules
from ingenious_env.compiled.kernel import Kernel
from ingenious_env.policies.view import Uniform

Z = 1.959963984540054


def wilson_by_hand(share, trials):
    middle = (share + Z * Z / (2 * trials)) / (1 + Z * Z / trials)
    half = Z * sqrt(share * (1 - share) / trials + Z * Z / (4 * trials**2)) / (1 + Z * Z / trials)
    return middle - half, middle + half


def cells(line):
    return [cell.strip() for cell in line.split("|")[1:-1]]


def game(deal, seating, ranks, scores=((3,) * 6, (2,) * 6)):
    counters = [list(each) for each in scores]
    return GameResult(deal, seating, counters, list(ranks), None, [4, 5], [0.8, 1.5], [0] * 9)


def test_a_share_is_as_uncertain_as_its_deals_differ():
    """Of four deals two are won: their variance is (4 · ¼) / 3, so the mean's is 1 / 12: as of 3 games."""
    share = share_by_deals(np.array([1.0, 1.0, 0.0, 0.0]), np.arange(4))
    assert (share.mean, share.games) == (0.5, 4)
    assert (share.low, share.high) == pytest.approx(wilson_by_hand(0.5, 3))
    assert share.half_width == pytest.approx((share.high - share.low) / 2)


def test_deals_that_hardly_differ_are_worth_four_times_their_games_at_most():
    """A hundred deals of a win and a loss each, but for one that was won twice."""
    results = np.array([1.0, 0.0] * 100)
    results[1] = 1.0
    share = share_by_deals(results, np.repeat(np.arange(100), 2))
    assert (share.low, share.high) == pytest.approx(wilson_by_hand(101 / 200, 4 * 200))


def test_who_came_first():
    mine, its = np.array([1, 2, 3, 3]), np.array([1, 1, 2, 4])
    assert came_before(mine, its).tolist() == [0.5, 0, 0, 1]


def test_intervals_as_wide_as_asked_for_are_narrow_enough():
    games = [game(deal, (0, 1), (1, 2) if deal % 3 else (2, 1)) for deal in range(30)]
    width = share_by_deals(np.array([float(deal % 3 > 0) for deal in range(30)]), np.arange(30)).half_width
    assert settled(games, (0, 1), width)
    assert not settled(games, (0, 1), width * 0.999)


def test_a_pair_is_seen_from_both_sides():
    tournament = Tournament(Rules(), ("uniform", "greedy"))
    games = [game(deal, (0, 1), (2, 1) if deal else (1, 2)) for deal in range(4)]
    figures = report(tournament, {(0, 1): games})
    low, high = wilson_by_hand(0.25, 0.25 * 0.75 * 16)  # the variance of the mean is ¾ / 3 / 4 = 1 / 16
    table = markdown(figures).splitlines()
    seats = [cells(line) for line in table[-2:]]
    assert [(seat, wins.split()[0]) for seat, wins in seats] == [("1", "25.0%"), ("2", "75.0%")]
    assert [cells(line) for line in table[7:9]] == [
        ["greedy", "", f"75.0% [{1 - high:.1%}, {1 - low:.1%}]"],
        ["uniform", f"25.0% [{low:.1%}, {high:.1%}]", ""],
    ]
    assert cells(table[2])[2:] == [
        f"75.0% [{1 - high:.1%}, {1 - low:.1%}]",
        "4",
        "2.0 2.0 2.0 2.0 2.0 2.0",
        "0.3",  # 1.5 seconds for 5 decisions
    ]


def test_games_that_are_asked_for_together_share_the_time(monkeypatch):
    ticks = iter(range(10**6))
    monkeypatch.setattr(match, "clock", lambda: float(next(ticks)))
    batch = GameBatch(Rules(2, board_side=3, num_colours=3, rack_size=2), 4, 1)
    played = play_out(batch, [Uniform(), Uniform()])
    seconds, decisions = played.seconds, played.decisions
    assert [len(each) for each in played.actions] == decisions.sum(axis=1).tolist()
    assert decisions.min() > 1
    # each call takes a second, and all four games are in it until the first one ends
    assert (seconds >= decisions / 4).all()
    assert seconds.sum() == pytest.approx(round(seconds.sum()))
    assert seconds.sum() < decisions.sum() / 2


class Compiling(Uniform):
    """Moves in no time, but in its first move a kernel is compiled, for an hour."""

    def __init__(self, now):
        self.now = now
        self.kernel = Kernel(list, "int64()", target=self)

    def compile(self, function, _signature, _folder):
        self.now[0] += 3600
        return function

    def act(self, view):
        self.now[0] += 1
        assert self.kernel() == []
        return super().act(view)


def test_compiling_is_not_thinking(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    batch = GameBatch(Rules(1, board_side=3, num_colours=3), 1, 1)
    played = play_out(batch, [agent := Compiling(now)])
    assert played.seconds.sum() == played.decisions.sum() == now[0] - 3600
    assert agent.kernel.is_compiled


def test_evaluation_reads_no_clock_that_counts_compiling():
    sources = {
        path.name: path.read_text(encoding="utf-8") for path in Path(match.__file__).parent.glob("*.py")
    }
    assert {name for name, text in sources.items() if "clock()" in text} >= {"match.py", "losses.py"}
    assert not [name for name, text in sources.items() if "perf_counter" in text or "monotonic" in text]


class Reckless:
    """Plays an action that there is not."""

    def __init__(self, action):
        self.action = action

    def act(self, view):
        return np.full(len(view), self.action)


@pytest.mark.parametrize(("action", "read"), [(10**6, 0), (-1, -1)])
def test_the_agent_that_chose_no_action_is_named_though_another_would_be_legal(action, read):
    """In game 0 sheet 0 is to move, in game 1 sheet 1; there the first, or the last, action is legal."""
    batch = GameBatch(Rules(), 2)
    for seed in range(1000):
        row = GameBatch(Rules(), 1, seed)
        for _ in range(25):
            row.play(row.random_actions())
        if row.to_play[0] == 1 and row.legal_mask()[0, read]:
            batch.put(np.array([1]), row)
            break
    assert batch.to_play.tolist() == [0, 1]
    assert batch.legal_mask()[1, read] == 1
    message = f"^Reckless: action {action} is illegal: "
    with pytest.raises(IllegalActionError, match=message):
        play_out(batch, [Uniform(), Reckless(action)])


def test_a_schedule_says_how_many_deals_were_settled(tmp_path):
    tournament = Tournament(Rules(2, board_side=3, num_colours=3, rack_size=2), ("uniform", "uniform"))
    schedule = Schedule(Log.open(tmp_path / "log.jsonl", tournament), 7, None)
    played = {deals: tournament.play((0, 1), deals) for deals in (range(2), range(2, 5), range(5, 7))}
    settled_deals = [schedule.take((0, 1), deals, played[deals], 9.0) for deals in (range(2, 5), range(2))]
    assert settled_deals == [0, 5]  # the later deals wait for the first ones
    assert schedule.take((0, 1), range(5, 7), played[range(5, 7)], 9.0) == 2


def test_a_study_shows_the_range_of_the_lowest_counters():
    counters = np.array([[3, 9, 9, 9, 9, 18], [7, 8, 9, 9, 9, 9], [5, 6, 6, 6, 6, 6]], np.int8)
    table = study_markdown([StudyResult("greedy", counters, None, float("nan"), 0.25)])
    half = Z * 2 / sqrt(3)  # the standard deviation of 3, 7 and 5 is 2
    counted = "5.0 7.7 8.0 8.0 8.0 11.0"
    found = cells(table.splitlines()[2])
    assert found == ["greedy", f"5.00 ± {half:.2f}", "", "", "3–7", counted, "", "3", "0.25"]


@pytest.mark.parametrize(
    "result",
    [
        MatchResult(np.ones((1, 2)), np.ones((1, 2, 6), np.int8)),
        Ratings(np.zeros(2), np.zeros(2), np.zeros(2)),
        Share(0.5, 0.0, 1.0, 2),
        StudyResult("greedy", np.ones((1, 6), np.int8), None, 1.0, 0.1),
        Tournament(Rules(), ("uniform", "greedy")),
        game(0, (0, 1), (1, 2)),
    ],
    ids=lambda result: type(result).__name__,
)
def test_results_cannot_be_changed(result):
    name = next(iter(vars(result)))
    with pytest.raises(FrozenInstanceError):
        setattr(result, name, None)
