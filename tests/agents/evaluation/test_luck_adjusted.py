"""Luck-adjusted results: unbiased, narrower intervals, in matches, tournaments and studies."""

from __future__ import annotations

import json

import numpy as np
import pytest
from ingenious_agents import make_agent, play_match
from ingenious_agents.evaluation.log import Log
from ingenious_agents.evaluation.replaying import replayed
from ingenious_agents.evaluation.report import markdown, report, settled
from ingenious_agents.evaluation.scheduler import Schedule, run
from ingenious_agents.evaluation.solitaire import Study, figures_of
from ingenious_agents.evaluation.statistics import FOLDS, MIN_DEALS, luck_adjusted, share_by_deals
from ingenious_agents.evaluation.tournament import GameResult, Tournament

from ingenious_env import GameBatch, Rules
from ingenious_env.policies import DrawLuck
from ingenious_env.policies.luck import relative_luck


def test_the_factor_of_a_game_is_that_of_other_deals():
    """By least squares over the deals of the other folds, written out for one game."""
    generator, deals = np.random.default_rng(1), np.repeat(np.arange(40), 2)
    luck = generator.normal(size=80)
    results = 0.5 + 0.3 * luck + generator.normal(0, 0.1, 80)
    others = deals % FOLDS != 7
    slope, _ = np.polyfit(luck[others], results[others], 1)
    expected = results - slope * luck
    found = luck_adjusted(results, luck, deals)
    assert found[14:16] == pytest.approx(expected[14:16])  # the games of deal 7
    assert found.std() < results.std() / 2


def test_few_deals_or_no_luck_change_nothing():
    generator = np.random.default_rng(1)
    deals = np.repeat(np.arange(MIN_DEALS - 1), 2)
    results, luck = generator.random(len(deals)), generator.normal(size=len(deals))
    assert (luck_adjusted(results, luck, deals) == results).all()
    assert (luck_adjusted(results, luck, np.arange(len(deals))) != results).any()
    assert (luck_adjusted(results, np.zeros(len(deals)), np.arange(len(deals))) == results).all()
    assert len(luck_adjusted(np.array([]), np.array([]), np.array([], int))) == 0


@pytest.mark.parametrize("chance", [0.5, 0.9])
def test_luck_adjusted_intervals_hold_the_truth_19_times_in_20(chance):
    """Pairs of games of a deal; a third of the variance is luck, and the truth is known."""
    generator, deals, held, bias = np.random.default_rng(2), np.repeat(np.arange(60), 2), 0, []
    width = min(chance, 1 - chance)
    for _ in range(600):
        luck = generator.choice([-1.0, 1.0], 120)
        results = (generator.random(120) < chance + 0.8 * width * luck).astype(float)
        share = share_by_deals(luck_adjusted(results, luck, deals), deals)
        held += share.low <= chance <= share.high
        bias.append(share.mean - chance)
    assert 0.93 < held / 600 < 0.97
    assert abs(np.mean(bias)) < 4 * np.std(bias) / np.sqrt(600)


def test_luck_relative_to_the_others():
    assert relative_luck(np.array([[1.0, 3.0, -1.0]])).tolist() == [[0.0, 3.0, -3.0]]
    assert relative_luck(np.array([[2.5]])).tolist() == [[2.5]]


@pytest.mark.nightly
def test_solitaire_has_narrower_intervals_about_the_same_mean():
    study = Study(Rules.solitaire(), ("greedy:utility=concave", "clairvoyant:width=2"))
    games = {(0,): study.play((0,), range(100)), (1,): study.play((1,), range(2))}
    knowing, blind = figures_of(study, games)
    assert knowing.adjusted is None
    plain, adjusted = blind.counters[:, 0], blind.adjusted
    assert adjusted.std() < 0.75 * plain.std()
    assert abs(adjusted.mean() - plain.mean()) < 3 * plain.std() / 10
    assert blind.lead(blind) == (0, 0)


def test_a_match_with_luck_plays_the_same_games():
    agents = [make_agent("greedy"), make_agent("greedy:utility=concave")]
    plain, measured = (play_match(Rules(), agents, 24, seed=3, luck=luck) for luck in (False, True))
    assert (plain.scores == measured.scores).all()
    assert plain.luck is None
    assert plain.adjusted(0) is None
    assert plain.deals.tolist() == [*range(24), *range(24)]
    # the match keeps luck by agent; deal 5 of the second rotation, played alone, has that of its seats
    game = GameBatch(Rules(), 1, 0)
    game.seed(3, 5)
    luck = DrawLuck(game)
    tournament = Tournament.of(Rules(), ("greedy", "greedy:utility=concave"), 3, luck=True)
    (same,) = (each for each in tournament.play((0, 1), range(5, 6)) if each.seating == (1, 0))
    for action in same.actions:
        luck.play(np.array([action]))
    assert relative_luck(luck.total)[0, [1, 0]] == pytest.approx(measured.luck[24 + 5])
    assert same.luck == pytest.approx(luck.total[0].tolist(), abs=1e-6)
    both = [measured.adjusted(agent) for agent in (0, 1)]
    assert both[0].mean + both[1].mean == pytest.approx(1)


def game(deal, seating, won, luck):
    ranks = [1, 2] if won == 0 else [2, 1]
    scores = [[3], [1]] if won == 0 else [[1], [3]]
    return GameResult(deal, seating, scores, ranks, luck, [1, 1], [0.1, 0.1], [0, 0])


def test_a_report_shows_luck_adjusted_shares_beside_plain_ones():
    """The first sheet is lucky in 7 of 10 games and then wins 9 of 10; its chance is one half."""
    generator = np.random.default_rng(3)
    games = []
    for deal in range(100):
        for seating in ((0, 1), (1, 0)):
            lucky = generator.random() < 0.7
            won = lucky == (generator.random() < 0.9)
            luck = [0.5, -0.5] if lucky else [-0.5, 0.5]
            games.append(game(deal, seating, 0 if won else 1, luck))
    tournament = Tournament(Rules(), ("greedy", "value"))
    figures = report(tournament, {(0, 1): games})
    assert figures.sheets[0].mean > 0.6
    assert figures.sheets_adjusted[0].mean == pytest.approx(0.5, abs=0.06)
    assert figures.sheets_adjusted[0].half_width < 0.75 * figures.sheets[0].half_width
    assert figures.adjusted[1].mean == pytest.approx(0.5, abs=0.06)
    assert figures.ahead_adjusted[0, 1].mean == pytest.approx(figures.adjusted[0].mean)
    table = markdown(figures)
    assert "luck-adjusted wins" in table
    assert "comes before, luck-adjusted" in table
    assert table.count("luck-adjusted wins") == 2  # of agents, and of seats
    wide = figures.ahead[0, 1].half_width
    assert not settled([each for each in games if each.deal < 10], (0, 1), 0.75 * wide)
    assert settled(games, (0, 1), 0.75 * wide)
    games[3] = game(games[3].deal, games[3].seating, 0, None)
    assert report(tournament, {(0, 1): games}).adjusted is None
    assert "luck-adjusted" not in markdown(report(tournament, {(0, 1): games}))


def test_an_agent_that_joins_a_log_keeps_its_games(tmp_path):
    path = tmp_path / "log.jsonl"

    def played(*names):
        log = Log.open(path, Tournament.of(Rules(), names))
        run(Schedule(log, 2, None), progress=False)
        log.save()
        return path.read_text().splitlines()

    first = played("uniform", "greedy")
    more = played("greedy:utility=lowest", "uniform", "greedy")
    assert set(first) < set(more)
    assert len(more) == 12
    assert set(played("uniform", "greedy")) == set(more)  # those of others stay
    kept = Log.load(path)
    assert len(list(kept)) == 12
    twice = played("greedy", "greedy")
    assert len(twice) == 16
    assert sum('"greedy (2)"' in line for line in twice) == 4
    assert Log.load(path).tournament.agents.count("greedy") == 2


def test_a_game_of_a_log_is_replayed_without_its_agents(tmp_path):
    path = tmp_path / "log.jsonl"
    tournament = Tournament.of(Rules(3), ("uniform", "greedy", "greedy:utility=lowest"), 4)
    log = Log.open(path, tournament)
    run(Schedule(log, 1, None), progress=False)
    text = path.read_text()
    for number, each in enumerate(Log.load(path)):
        assert replayed(tournament, each).game.scores.tolist() == each.scores
        line = json.loads(text.splitlines()[number])
        assert set(line) == {"format", "game", "rules", "seed", "deal", "agents", "networks", "scores"} | {
            "ranks", "luck", "decisions", "seconds", "actions"
        }  # fmt: skip
    for spoilt, told in (
        ({"actions": each.actions[:-1]}, "before its end"),
        ({"actions": [*each.actions[:9], each.actions[0], *each.actions[10:]]}, "are not a game: "),
        ({"deal": each.deal + 1}, "(are not a game|end )"),
    ):
        with pytest.raises(ValueError, match=told):
            replayed(tournament, GameResult(**{**vars(each), **spoilt}))


def test_seatings_do_not_depend_on_who_else_takes_part():
    few = Tournament(Rules(3), ("uniform", "greedy", "value"))
    more = Tournament(Rules(3), ("tree", "value", "flat-mc", "greedy", "uniform"))

    def names(tournament, group, deal):
        return [[tournament.agents[agent] for agent in each] for each in tournament.seatings(group, deal)]

    for deal in range(4):
        assert names(few, (0, 1, 2), deal) == names(more, (1, 3, 4), deal)
