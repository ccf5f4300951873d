"""The solitaire study, and the beam search that knows the bag."""

from __future__ import annotations

import json

import numpy as np
import pytest
from commands import refused
from ingenious_agents import make_agent, play_match
from ingenious_agents.commands import solitaire as script
from ingenious_agents.evaluation.log import Log
from ingenious_agents.evaluation.scheduler import Schedule, run
from ingenious_agents.evaluation.solitaire import Study, figures_of, markdown
from ingenious_agents.evaluation.tournament import GameResult
from ingenious_agents.executors import ProcessPool
from ingenious_agents.search.perfect_information import best_line

from ingenious_env import Game, Rules

SMALL = Rules(1, board_side=4, num_colours=4, rack_size=3)
TINY = Rules(1, board_side=3, num_colours=2, rack_size=2)


@pytest.mark.parametrize(
    "rules", [SMALL, Rules.solitaire(), Rules(1, board_side=3, num_colours=2, rack_size=2)]
)
def test_a_line_can_be_played_as_it_stands(rules):
    for index in range(3):
        line = best_line(rules, 7, index, width=4, candidates=6)
        game = Game(rules, (7, index))
        for action in line.actions:
            assert not game.is_over
            game.play(action)
        assert game.is_over
        assert np.array_equal(game.scores[0], line.scores)
        assert best_line(rules, 7, index, width=4, candidates=6).actions == line.actions


def test_a_wider_beam_finds_more_and_the_knowing_beat_the_rest():
    lowest = {
        width: np.mean([best_line(SMALL, 1, bag, width=width).scores.min() for bag in range(12)])
        for width in (1, 8, 64)
    }
    assert lowest[1] < lowest[8] < lowest[64]
    study = Study(SMALL, ("greedy:utility=concave", "flat-mc:rollouts=50"), seed=1)
    blind = [np.mean([min(game.scores[0]) for game in study.play((k,), range(12))]) for k in (0, 1)]
    assert blind[0] < blind[1] < lowest[64]


def test_one_who_is_named_twice_is_two(tmp_path):
    study = Study(SMALL, ("flat-mc:rollouts=20", "flat-mc:rollouts=20"))
    log = Log(tmp_path / "log.jsonl", study)
    first, second = study.play((0,), range(6)), study.play((0,), range(6, 12))
    log.games = {(0,): first, (1,): second}
    found = figures_of(study, log.games)
    expected = sorted(np.mean([min(game.scores[0]) for game in games]) for games in (first, second))
    assert sorted(each.lowest for each in found) == pytest.approx(expected)
    assert expected[0] < expected[1]


def played(lowest, contestant):
    """Games of solitaire with these lowest counters."""
    return [
        GameResult(deal, (contestant,), [[9, counter, 8]], [1], None, [4], [2.0], [0] * 4)
        for deal, counter in enumerate(lowest)
    ]


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (1, 2, 0)])
def test_the_possible_is_what_the_best_of_those_found_who_know_the_bag(order):
    """Over the deals that both have played, whichever of them comes first."""
    agents = ["greedy", "clairvoyant:width=1", "clairvoyant:width=2"]
    lowest = [[2, 3, 4, 8], [4, 4, 4], [5, 7, 6, 6]]
    study = Study(SMALL, tuple(agents[each] for each in order))
    games = {(place,): played(lowest[each], place) for place, each in enumerate(order)}
    found = {each.name: each.of_clairvoyant for each in figures_of(study, games)}
    assert found == pytest.approx(
        {"greedy": 17 / 24, "clairvoyant:width=1": 12 / 18, "clairvoyant:width=2": 1}
    )


def test_a_log_without_games_has_no_report(tmp_path, capsys):
    log = Log.open(tmp_path / "log.jsonl", Study(SMALL, ("greedy",)))
    assert "has no games yet" in refused(capsys, script, "--show", str(log.path))


def exhaustive(game):
    """The best lowest counter that can be reached, by trying everything."""
    best, seen = -1, set()

    def search(position):
        nonlocal best
        if position.is_over:
            best = max(best, int(position.scores.min()))
            return
        for action in position.legal_actions():
            after = position.clone()
            after.play(int(action))
            key = after.board.tobytes() + after.scores.tobytes()
            if key not in seen:
                seen.add(key)
                search(after)

    search(game)
    return best


def test_the_widest_beam_finds_the_best_there_is():
    """On the last placements of a tiny bag, against trying everything."""
    for index in range(4):
        line = best_line(TINY, 2, index, width=20_000, candidates=200)
        game = Game(TINY, (2, index))
        for action in line.actions[:-3]:
            game.play(action)
        assert exhaustive(game) == line.scores.min()


def test_a_study_goes_on_where_it_stopped(tmp_path):
    study = Study(SMALL, ("greedy", "clairvoyant:width=4,candidates=4", "uniform"), seed=3)
    logs = []
    for name, steps in (("whole", [(9, 1)]), ("pieces", [(4, 1), (9, 2)])):
        for bags, processes in steps:
            log = Log.open(tmp_path / name, study)
            with ProcessPool(processes) as pool:
                run(Schedule(log, bags, None), pool, processes, progress=False)
        log.save()
        lines = [json.loads(line) for line in log.path.read_text().splitlines()]
        logs.append([{key: value for key, value in line.items() if key != "seconds"} for line in lines])
    assert logs[0] == logs[1]
    assert len(logs[0]) == 3 * 9


def test_the_report(tmp_path, capsys):
    path = tmp_path / "study.jsonl"
    study = Study(SMALL, ("uniform", "greedy", "clairvoyant:width=4"))
    log = Log.open(path, study)
    run(Schedule(log, 20, None), progress=False)
    found = figures_of(study, log.games)
    assert [each.name for each in found] == ["clairvoyant:width=4", "greedy", "uniform"]
    assert found[0].of_clairvoyant == 1
    lowest = [min(game.scores[0]) for game in log.games[1,]]
    assert found[1].lowest == pytest.approx(np.mean(lowest))
    assert found[1].half_width == pytest.approx(1.96 * np.std(lowest, ddof=1) / np.sqrt(20), rel=1e-3)
    assert 0 < found[2].of_clairvoyant < found[1].of_clairvoyant < 1
    assert (np.diff(found[1].counters, axis=1) >= 0).all()
    behind = [min(game.scores[0]) for game in log.games[0,]]
    ahead = np.subtract(lowest, behind)
    mean, half = found[1].lead(found[2])
    assert mean == pytest.approx(np.mean(ahead))
    assert half == pytest.approx(1.96 * np.std(ahead, ddof=1) / np.sqrt(20), rel=1e-3)
    assert f"| {mean:.2f} ± {half:.2f} " in markdown(found)
    script.main(["--show", str(path)])
    assert markdown(found) in capsys.readouterr().out
    for name in ("lowest", "counters"):
        assert (tmp_path / f"study-{name}.svg").read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("agent", "lowest", "tolerance"),
    [
        ("uniform", 1.39, 0.12),
        ("greedy", 10.54, 0.5),
        ("greedy:utility=lowest", 13.78, 0.5),
        ("greedy:utility=concave", 13.78, 0.5),
    ],
)
def test_figures_of_an_independent_program(agent, lowest, tolerance):
    """Mean lowest counters of 2,000 bags, without the luck of the draw, which would take a minute."""
    scores = play_match(Rules.solitaire(), [make_agent(agent)], 2000).scores
    assert scores[:, 0].min(axis=1).mean() == pytest.approx(lowest, abs=tolerance)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "needs a contestant"),
        (["perfect"], "an agent is one of uniform, greedy, level, planner, flat-mc"),
        (["clairvoyant:width=wide"], "width must be a whole number"),
        (["clairvoyant:width=0"], "width must be from 1 to"),
        (["clairvoyant:width=9999999"], "width must be from 1 to 1000000, not 9999999"),
        (["uniform", "--deals", "0"], "--deals must be a whole number from 1 to"),
        (["--show", "/nowhere"], "with --show these would be ignored: --out"),
        (
            ["--show", "/nowhere", "uniform", "--side", "4"],
            "with --show these would be ignored: --side, --out, agents",
        ),
    ],
)
def test_studies_that_are_not(arguments, complaint, tmp_path, capsys):
    assert complaint in refused(capsys, script, *arguments, "--out", str(tmp_path / "log.jsonl"))
    assert not list(tmp_path.iterdir())


def test_who_knows_the_bag_plays_alone():
    with pytest.raises(
        ValueError, match="only solitaire can be played knowing the bag, not a game of 2 players"
    ):
        best_line(Rules(), 1, 1)
    with pytest.raises(ValueError, match="needs a variant for one player, not 2"):
        Study(Rules(), ("uniform",))
    with pytest.raises(ValueError, match=r"width must be from 1 to .*, not 0"):
        best_line(SMALL, 1, 1, width=0)
