"""The estimated level of a player: by hand, of games of levels, and what is left out."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest

from ingenious_env import Rules
from ingenious_env.engine.definition import definitions
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.policies import estimate
from ingenious_env.policies.estimate import Spread, estimated, mean_loss, spreads_of
from ingenious_env.policies.judging import Judgement
from ingenious_env.policies.levels import STRENGTHS
from ingenious_env.policies.value import unit_of
from scripts import level_losses

SPREADS = [Spread(0.5, 0.3, 0.7), Spread(0.3, 0.2, 0.5), Spread(0.1, 0.02, 0.2), Spread(0.0, 0.0, 0.01)]
UNKNOWN = 0.005
"""How far the median of 200 games may be from the next level's in the wrong order."""
UNKNOWN_SPACES = 0.02
"""The same in solitaire."""
TABLES = [(name, preset) for name in ("ingenious", "loopit") for preset in definitions()[name].presets]


def judged(*pairs, unit="win", calibrated=True):
    """Judgements with these values and losses."""
    return [Judgement(0, 1, 2, value, loss, unit, calibrated) for value, loss in pairs]


def moves_that_lose(share):
    return judged(*[(0.5, 0.5 * share)] * 6)


def alone(spaces):
    return judged(*[(12.0, spaces)] * 6, unit="spaces")


def test_the_mean_loss_is_that_of_positions_that_were_not_decided():
    pairs = [(0.5, 0.1), (0.8, 0.0), (0.25, 0.25), (0.05, 0.01), (0.95, 0.19)]
    assert mean_loss(judged(*pairs)) == pytest.approx((0.2 + 0 + 1 + 0.2 + 0.2) / 5)
    assert mean_loss(judged(*pairs, (0.04, 0.04), (0.96, 0.96))) == mean_loss(judged(*pairs))
    assert mean_loss(judged(*pairs[:4], (0.04, 0.04), (0.96, 0.96))) is None


def test_in_solitaire_it_is_in_spaces():
    """Values are lowest counters: from 0 to 18, and no move of a game is decided."""
    pairs = [(0.0, 0.0), (0.5, 0.5), (12.0, 0.25), (17.9, 0.0), (18.0, 1.0)]
    assert mean_loss(judged(*pairs, unit="spaces")) == pytest.approx(1.75 / 5)
    assert mean_loss(judged(*pairs[:4], unit="spaces")) is None


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        (0.9, (1, 1, 1)),  # worse than any game that was measured
        (0.41, (1, 1, 2)),
        (0.39, (2, 1, 2)),
        (0.7, (1, 1, 1)),
        (0.21, (2, 2, 2)),
        (0.19, (3, 3, 3)),
        (0.03, (4, 3, 4)),  # nearest to a level that has no such game
        (0.015, (4, 4, 4)),  # in no game of any level
        (0.0, (4, 4, 4)),
    ],
)
def test_an_estimate_has_the_nearest_median_and_the_levels_with_such_games(share, expected, monkeypatch):
    monkeypatch.setattr(estimate, "spreads_of", lambda _: SPREADS)
    found = estimated(Rules(), moves_that_lose(share))
    assert found == pytest.approx(expected)
    assert found.low <= found.level <= found.high


def test_what_has_no_estimate():
    """Too few moves, values in another unit or not calibrated, variants that were not measured."""
    moves = moves_that_lose(0.2)
    assert estimated(Rules(), moves)
    assert estimated(Rules(), moves[:4]) is None
    assert estimated(Rules(), []) is None
    assert estimated(Rules(), [*moves, *judged((0.5, 0.1), calibrated=False)]) is None
    assert estimated(Rules(), alone(0.3)) is None
    assert estimated(Rules.solitaire(), alone(0.3))
    assert estimated(Rules.solitaire(), moves) is None
    for rules in (Rules(1, board_side=5), Rules(2, board_side=5), LoopitRules(2, fixed_rounds=True)):
        assert spreads_of(rules) is None
        assert estimated(rules, moves) is None


@pytest.mark.parametrize(("game", "preset"), TABLES)
def test_all_levels_of_all_tables_were_measured(game, preset):
    """A higher level loses less, as far as that is known; the highest nothing: it is the judge itself."""
    rules = definitions()[game].presets[preset].rules
    spreads = spreads_of(rules)
    assert len(spreads) == len(STRENGTHS)
    assert all(each.low <= each.median <= each.high for each in spreads)
    medians = [each.median for each in spreads]
    unknown = UNKNOWN if unit_of(rules) == "win" else UNKNOWN_SPACES
    assert all(lower > higher - unknown for lower, higher in pairwise(medians))
    assert all(lower > higher for lower, higher in zip(medians, medians[2:], strict=False))
    assert medians[-1] == 0


def test_the_file_is_that_of_the_script():
    rows = level_losses.rows_in(estimate.FILE)
    assert {(row.game, row.preset, row.level) for row in rows} == {
        (*table, level) for table in TABLES for level in range(1, len(STRENGTHS) + 1)
    }
    assert {row.games for row in rows} == {level_losses.Args.games}
    assert json.loads(estimate.FILE.read_text(encoding="utf-8"))["machine"]["commit"]


@pytest.mark.parametrize(
    ("game", "preset"), [("ingenious", "solitaire"), ("ingenious", "two"), ("loopit", "two")]
)
def test_intervals_hold_the_level_that_plays(game, preset):
    """In games that were not measured: nineteen of twenty on average, here four of five at least."""
    rules = definitions()[game].presets[preset].rules
    spreads = spreads_of(rules)
    held, errors = [], []
    for level in (2, 6, 9):
        for found in level_losses.losses(rules, level, 15, 1234):
            moves = moves_that_lose(found) if rules.num_sheets > 1 else alone(found)
            estimate = estimated(rules, moves)
            held.append(estimate.low <= level <= estimate.high)
            errors.append(abs(estimate.level - level))
    assert len(held) > 40
    assert np.mean(held) > 0.8
    assert np.mean(errors) < 2
    assert len(spreads) == len(STRENGTHS)
