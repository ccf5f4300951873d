"""Tournaments: balanced, repeatable in any number of pieces, and with intervals that hold."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from commands import refused
from failing import FailsAt
from filelock import FileLock
from ingenious_agents.commands import solitaire
from ingenious_agents.commands import tournament as script
from ingenious_agents.evaluation.log import Log
from ingenious_agents.evaluation.report import markdown, report, settled
from ingenious_agents.evaluation.scheduler import Schedule, run
from ingenious_agents.evaluation.statistics import share_by_deals, wilson
from ingenious_agents.evaluation.tournament import GameResult, Tournament
from ingenious_agents.executors import ProcessPool
from patience import PATIENCE
from recorded import Recorded
from sampled import nightly_but

from ingenious_env import Rules
from ingenious_env.games.ingenious.opponents.value import architecture
from ingenious_env.policies.value import ValueNetwork

AGENTS = ("uniform", "greedy", "greedy:utility=concave")
SMALL = Rules(2, board_side=4, num_colours=4, rack_size=3)
NEVER = 100_000
"""Deals that no test waits for."""


def without_seconds(path):
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [{name: value for name, value in line.items() if name != "seconds"} for line in lines]


def play(path, deals, tournament, *, processes=1, until_ci=None):
    log = Log.open(path, tournament)
    run_on(processes, Schedule(log, deals, until_ci))
    log.save()
    return log


def run_on(processes, schedule):
    if processes == 1:
        run(schedule, progress=False)
        return
    with ProcessPool(processes) as pool:
        run(schedule, pool, processes, progress=False)


@pytest.mark.parametrize("number", range(4))
def test_deals_in_progress_are_logged_though_another_fails(number, tmp_path):
    """All but those of the failing group that come after a gap."""
    tournament = Tournament(SMALL, AGENTS)
    log = Log.open(tmp_path / "log", tournament)
    with FailsAt(number, 4) as executor, pytest.raises(ChildProcessError, match="process has ended"):
        run(Schedule(log, 5, None), executor, 2, progress=False)
    assert executor.submitted == 4
    found = [log.deals(group) for group in tournament.groups]
    assert found == {0: [0, 1, 1], 1: [2, 0, 1], 2: [2, 1, 0], 3: [1, 1, 1]}[number]
    assert [Log.open(tmp_path / "log", tournament).deals(group) for group in tournament.groups] == found


def test_a_bar_shows_the_deals_of_all_groups(tmp_path, capsys):
    """Including those played before; none on request."""
    tournament = Tournament(SMALL, AGENTS)
    log = Log.open(tmp_path / "log", tournament)
    run(Schedule(log, 2, None))
    assert "6/6" in capsys.readouterr().err
    run(Schedule(log, 3, None))
    assert "6/9" in (shown := capsys.readouterr().err)
    assert "9/9" in shown
    run(Schedule(log, 4, None), progress=False)
    assert not capsys.readouterr().err


def main(*arguments: str) -> None:
    """The command, in this process."""
    script.main([*arguments, "--processes", "1"])


@pytest.mark.parametrize("rules", [Rules(), Rules.standard(3), Rules.standard(4), Rules.partnership()])
def test_everyone_sits_everywhere(rules):
    tournament = Tournament(rules, ("uniform",) * (rules.num_sheets + 1))
    sheets = rules.num_sheets
    assert len(tournament.groups) == sheets + 1
    group = tournament.groups[1]
    orders = Counter()
    for deal in range(12):
        seatings = tournament.seatings(group, deal)
        assert len(seatings) == sheets
        for place in range(sheets):
            assert {seating[place] for seating in seatings} == set(group)
        orders[frozenset((each[k - 1], each[k]) for each in seatings for k in range(sheets))] += 1
    assert len(orders) == max(1, (sheets - 1) * (sheets - 2))  # as many cyclic orders of 2, 3 or 4
    assert len(set(orders.values())) == 1


def test_games_are_those_of_the_seats():
    """Seats changed round, two equal agents have each other's results."""
    tournament = Tournament(Rules(), ("greedy", "greedy"), seed=4)
    games = tournament.play((0, 1), range(6))
    assert [game.deal for game in games] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert [game.seating for game in games[:2]] == [(0, 1), (1, 0)]
    assert all(one.scores == other.scores for one, other in zip(games[::2], games[1::2], strict=True))
    assert len({str(game.scores) for game in games}) == 6


def test_a_tournament_is_the_same_in_any_pieces(tmp_path):
    tournament = Tournament(SMALL, AGENTS, seed=2)
    whole = play(tmp_path / "whole.jsonl", 24, tournament)
    play(tmp_path / "pieces.jsonl", 5, tournament)
    play(tmp_path / "pieces.jsonl", 24, tournament)
    play(tmp_path / "two.jsonl", 24, tournament, processes=2)
    assert len(list(whole)) == 3 * 24 * 2
    expected = without_seconds(whole.path)
    assert without_seconds(tmp_path / "pieces.jsonl") == expected
    assert without_seconds(tmp_path / "two.jsonl") == expected
    other = play(tmp_path / "other.jsonl", 24, Tournament(SMALL, AGENTS, seed=3))
    assert not set(map(str, without_seconds(other.path))) & set(map(str, expected))


def test_a_line_that_was_cut_off_is_played_again(tmp_path):
    tournament = Tournament(SMALL, AGENTS)
    path = tmp_path / "log.jsonl"
    play(path, 8, tournament)
    expected, text = without_seconds(path), path.read_bytes()
    whole = len(text.splitlines(keepends=True)[0])
    for cut in (2, 40, 200, len(text) // 2, len(text) - whole // 2, len(text) - 5, len(text)):
        path.write_bytes(text[:-cut])
        if len(text) - cut >= whole:
            assert len(list(Log.load(path))) < 48
        play(path, 8, tournament)
        assert without_seconds(path) == expected


def test_a_last_line_without_its_end_is_a_game(tmp_path):
    """As filters of lines leave it; a plan of other agents keeps it, too."""
    path = tmp_path / "log.jsonl"
    play(path, 2, Tournament(SMALL, AGENTS))
    text = path.read_text()
    path.write_text(text.removesuffix("\n"))
    assert len(list(Log.load(path))) == 12
    assert len(Log.open(path, Tournament(SMALL, (AGENTS[0], "greedy:epsilon=0.5"))).others) == 12
    assert path.read_text() == text
    path.write_text(text + '{"format":"ingenious games 3","game":"ingenious"}')
    with pytest.raises(ValueError, match="this is not a game, by rules"):
        Log.load(path)


@pytest.mark.parametrize(
    ("processes", "asked"),
    nightly_but([(1, signal.SIGTERM), (2, signal.SIGINT)], product([1, 2], [signal.SIGINT, signal.SIGTERM])),
)
def test_an_interruption_loses_nothing(tmp_path, processes, asked):
    path = tmp_path / "log.jsonl"
    agents = ["greedy", "flat-mc:rollouts=60"]
    command = [sys.executable, "-m", "ingenious_env", "tournament", *agents, "--deals", str(NEVER)]
    command += ["--out", str(path), "--processes", str(processes)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=Path(__file__).parents[3])
    while not path.exists() or path.read_text().count("\n") < 8:
        time.sleep(0.05)
        assert process.poll() is None
    process.send_signal(asked)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert "the same command continues from there" in errors
    log = Log.load(path)
    assert 6 <= len(list(log)) < 2 * NEVER
    deals = log.deals((0, 1))
    again = log.tournament.play((0, 1), range(deals))
    assert [game.scores for game in log] == [game.scores for game in again]


@pytest.mark.parametrize("last", [2, 3])
def test_an_interruption_in_the_last_deal_leaves_nothing_to_play(tmp_path, monkeypatch, capsys, last):
    """And so it is no interruption: the report comes, unless a group is left."""
    calls, played = [], Tournament.play

    def interrupted(self, *arguments):
        calls.append(arguments)
        if len(calls) == last:
            signal.raise_signal(signal.SIGINT)
        return played(self, *arguments)

    monkeypatch.setattr(Tournament, "play", interrupted)
    path = tmp_path / "log.jsonl"
    command = [*AGENTS, "--deals", "1", "--out", str(path)]
    if last == 3:
        main(*command)
        assert "| greedy " in capsys.readouterr().out
    else:
        with pytest.raises(SystemExit, match="1"):
            main(*command)
        assert "the same command continues from there" in capsys.readouterr().err
    assert len(lines := path.read_text().splitlines()) == len(calls) * 2 == last * 2, lines


@pytest.mark.parametrize("times", [1, pytest.param(10, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("processes", nightly_but([2], [1, 2]))
def test_killed_it_goes_on_from_its_log(tmp_path, processes, times):
    """With -9, each time a few deals later, so that nothing can be put in order any more."""
    agents, deals = ["greedy", "greedy:utility=lowest", "flat-mc:rollouts=100"], 4 + 8 * times
    path, whole = tmp_path / "log.jsonl", tmp_path / "whole.jsonl"
    command = [
        sys.executable,
        "-m",
        "ingenious_env",
        "tournament",
        *agents,
        "--deals",
        str(deals),
        "--out",
        str(path),
    ]
    for time_killed in range(times):
        process = subprocess.Popen(
            [*command, "--processes", str(processes)],
            stderr=subprocess.DEVNULL,
            cwd=Path(__file__).parents[3],
        )
        while not path.exists() or path.read_text().count("\n") < 1 + 24 * (time_killed + 1):
            time.sleep(0.01)
            assert process.poll() is None
        process.kill()
        process.wait()
    play(path, deals, Tournament.of(Rules(), agents))
    play(whole, deals, Tournament.of(Rules(), agents))
    assert without_seconds(path) == without_seconds(whole)


def children(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(word) for word in text.split() if b"spawn_main" in Path(f"/proc/{word}/cmdline").read_bytes()]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks processes up in /proc")
@pytest.mark.parametrize("times", [1, pytest.param(10, marks=pytest.mark.nightly)])
def test_a_killed_worker_costs_what_it_was_playing(tmp_path, times):
    agents, deals = ["greedy", "flat-mc:rollouts=100"], 30 * times
    path, whole = tmp_path / "log.jsonl", tmp_path / "whole.jsonl"
    command = [
        sys.executable,
        "-m",
        "ingenious_env",
        "tournament",
        *agents,
        "--deals",
        str(deals),
        "--out",
        str(path),
    ]
    process = subprocess.Popen(
        [*command, "--processes", "2"], stderr=subprocess.PIPE, text=True, cwd=Path(__file__).parents[3]
    )
    for time_killed in range(times):
        while not path.exists() or path.read_text().count("\n") < 1 + 24 * (time_killed + 1):
            time.sleep(0.01)
            assert process.poll() is None
        os.kill(children(process.pid)[-1], signal.SIGKILL)
    _, errors = process.communicate()
    assert process.returncode == 0, errors
    play(whole, deals, Tournament.of(Rules(), agents))
    assert without_seconds(path) == without_seconds(whole)


@pytest.mark.parametrize("processes", [1, 2])
def test_what_is_being_played_is_finished_and_logged(tmp_path, processes):
    """The first deal takes longest, so that others are through before it."""
    tournament = Recorded(SMALL, ("uniform", "greedy"), folder=str(tmp_path))
    log = Log.open(tmp_path / "log.jsonl", tournament)

    def interrupt():
        while len(list(tmp_path.glob("*.played"))) < processes:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        run_on(processes, Schedule(log, 2000, None))
    thread.join()
    played = sum(int(path.stem.partition("-")[2]) for path in tmp_path.glob("*.played"))
    assert 0 < played == log.deals((0, 1)) < 2000
    play(log.path, 2000, tournament)
    assert log.deals((0, 1)) < 2000 == Log.load(log.path).deals((0, 1))


def test_it_stops_when_the_intervals_are_narrow(tmp_path):
    tournament = Tournament(SMALL, ("uniform", "greedy", "greedy:utility=lowest"), seed=1)
    logs = [
        play(tmp_path / f"{processes}.jsonl", 2000, tournament, processes=processes, until_ci=0.08)
        for processes in (1, 2)
    ]
    assert without_seconds(logs[0].path) == without_seconds(logs[1].path)
    for group, games in logs[0].games.items():
        deals = logs[0].deals(group)
        assert deals < 400
        assert deals % 20 == 0
        assert settled(games, group, 0.08)
        assert deals == 20 or not settled(games[: 2 * (deals - 20)], group, 0.08)


def test_it_says_where_the_intervals_are_still_wide(tmp_path, capsys):
    out = ["--out", str(tmp_path / "log.jsonl")]
    main(*AGENTS, "--deals", "20", "--until-ci", "0.1", *out)
    assert "after 20 deals: greedy, greedy:utility=concave\n" in capsys.readouterr().err
    main(*AGENTS, "--deals", "20", *out)
    assert "not as narrow" not in capsys.readouterr().err


def test_groups_count_alike_however_much_they_played(tmp_path):
    """Thirty deals of one group and three of the others: each agent's figures are the mean of its groups'."""
    log = play(tmp_path / "log.jsonl", 30, Tournament(SMALL, AGENTS))
    games = {group: played if group == (1, 2) else played[:6] for group, played in log.games.items()}
    figures = report(log.tournament, games)
    for agent in (0, 1, 2):
        wins, counters = [], []
        for group, played in games.items():
            if agent in group:
                at = [game.seating.index(agent) for game in played]
                ranks = [
                    (game.ranks[seat], game.ranks[1 - seat]) for game, seat in zip(played, at, strict=True)
                ]
                wins.append(np.mean([(np.sign(its - mine) + 1) / 2 for mine, its in ranks]))
                scores = [sorted(game.scores[seat]) for game, seat in zip(played, at, strict=True)]
                counters.append(np.mean(scores, axis=0))
        assert figures.shares[agent].mean == pytest.approx(np.mean(wins))
        assert figures.counters[agent] == pytest.approx(np.mean(counters, axis=0))


def test_a_replay_ends_with_the_luck_that_the_log_has(tmp_path, capsys):
    log = play(tmp_path / "log.jsonl", 1, Tournament(Rules(), ("greedy", "uniform"), luck=True))
    for number, game in enumerate(log):
        main("--show", str(log.path), "--replay", str(number))
        names = [log.tournament.agents[agent] for agent in game.seating]
        luck = ", ".join(f"{name} {mine:+.2f}" for name, mine in zip(names, game.luck, strict=True))
        assert capsys.readouterr().out.endswith(f"luck of the draw, in shares of the win: {luck}\n")


def test_a_game_is_replayed(tmp_path, capsys):
    log = play(tmp_path / "log.jsonl", 3, Tournament(SMALL, ("greedy", "flat-mc:rollouts=20"), seed=6))
    for number, game in enumerate(log):
        main("--show", str(log.path), "--replay", str(number))
        printed = capsys.readouterr().out
        assert printed.count("\n") > 12
        scores = " ".join(",".join(map(str, sheet)) for sheet in game.scores)
        assert f"scores {scores}\n" in printed


def test_the_report(tmp_path, capsys):
    path = tmp_path / "runs" / "log.jsonl"
    main(*AGENTS, "--deals", "30", "--out", str(path))
    printed = capsys.readouterr().out
    figures = report(Log.load(path).tournament, Log.load(path).games)
    assert markdown(figures) in printed
    best = printed.splitlines()[2]
    assert best.startswith("| greedy")
    assert printed.splitlines()[4].startswith("| uniform ")
    for name in ("ratings", "wins", "counters", "seats"):
        assert (path.parent / f"log-{name}.svg").read_text().startswith("<?xml")
    main("--show", str(path), "--plots", "pdf")
    for name in ("ratings", "wins", "counters", "seats"):
        drawn = (path.parent / f"log-{name}.pdf").read_bytes()
        assert {font.split(b"+")[-1] for font in re.findall(rb"/BaseFont /([\w+-]+)", drawn)} == {
            b"DejaVuSans"
        }
        assert b"/Subtype /Type3" not in drawn
        assert b"/CreationDate" not in drawn
    uniform, other = map(figures.tournament.agents.index, ("uniform", "greedy"))
    ahead = figures.ahead[min(uniform, other), max(uniform, other)].mean
    assert (ahead if uniform < other else 1 - ahead) < 0.05
    assert figures.shares[other].games == 120
    assert sum(share.mean for share in figures.sheets) == pytest.approx(1)
    assert (figures.seconds > 0).all()
    assert not list(path.parent.glob(".*.part"))


# Intervals, against games whose true shares are known.


def made_up(generator, chance, deals, luck):
    """Results of a pair: chance to win, moved up or down by the deal for both of its games."""
    moved = np.clip(chance + generator.choice([-luck, luck], deals), 0, 1)
    return (generator.random((deals, 2)) < moved[:, None]).astype(float).ravel()


@pytest.mark.parametrize(("chance", "luck"), [(0.5, 0.0), (0.6, 0.0), (0.6, 0.3), (0.9, 0.05), (0.97, 0.0)])
def test_intervals_hold_the_truth_19_times_in_20(chance, luck):
    generator, deals = np.random.default_rng(1), np.repeat(np.arange(100), 2)
    held = 0
    for _ in range(1000):
        share = share_by_deals(made_up(generator, chance, 100, luck), deals)
        held += share.low <= chance <= share.high
    assert 920 <= held <= 985


def test_games_of_a_deal_that_go_alike_are_not_two():
    """With the deal deciding all, two games of it say no more than one."""
    outcomes = np.random.default_rng(2).integers(0, 2, 400).astype(float)
    once = share_by_deals(outcomes, np.arange(400))
    twice = share_by_deals(np.repeat(outcomes, 2), np.repeat(np.arange(400), 2))
    assert twice.half_width == pytest.approx(once.half_width, rel=0.01)


@pytest.mark.parametrize("equals", [2, 3])
def test_deals_that_all_go_alike_are_as_many_games_as_there_are(equals):
    """A win shared in each deal, with any rounding of its third part."""
    results, deals = np.tile(np.eye(equals)[0], 50), np.repeat(np.arange(50), equals)
    share = share_by_deals(results, deals)
    assert (share.low, share.high) == pytest.approx(wilson(1 / equals, 50 * equals))


def test_an_agent_is_its_own_equal():
    held = 0
    for seed in range(20):
        tournament = Tournament(SMALL, ("greedy", "greedy"), seed)
        games = tournament.play((0, 1), range(60))
        figures = report(tournament, {(0, 1): games})
        held += figures.ahead[0, 1].low <= 0.5 <= figures.ahead[0, 1].high
    assert held >= 18


@pytest.mark.nightly
def test_who_wins_six_times_in_ten_is_rated_so():
    generator, held = np.random.default_rng(3), 0
    tournament = Tournament(Rules(), ("greedy", "uniform"))
    for _ in range(20):
        wins = generator.random(600) < 0.6
        games = [
            GameResult(
                k // 2,
                ((0, 1), (1, 0))[k % 2],
                [[1], [1]],
                [1, 2] if won != k % 2 else [2, 1],
                None,
                [1, 1],
                [1.0, 1.0],
                [0, 0],
            )
            for k, won in enumerate(wins.tolist())
        ]
        figures = report(tournament, {(0, 1): games})
        share, ratings = figures.ahead[0, 1], figures.ratings
        apart = 400 * np.log10(0.6 / 0.4)
        held += share.low <= 0.6 <= share.high
        assert share.mean == pytest.approx(wins.mean())
        assert ratings.ratings[0] - ratings.ratings[1] == pytest.approx(apart, abs=90)
        assert (
            2 * ratings.low[0] - 10 <= apart <= 2 * ratings.high[0] + 10 or not share.low <= 0.6 <= share.high
        )
    assert held >= 18


# What cannot be.


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["greedy"], "on 2 score sheets needs as many agents, not 1"),
        (["greedy", "perfect"], "an agent is one of uniform"),
        (["greedy", "uniform", "--players", "1"], "needs a variant with two score sheets or more"),
        (["greedy", "uniform", "--players", "5"], "--players must be a whole number from 1 to 4, not '5'"),
        (["greedy", "uniform", "--players", "4"], "on 4 score sheets needs as many agents"),
        (["greedy", "uniform", "--deals", "0"], "--deals must be a whole number from 1 to"),
        (["greedy", "uniform", "--deals", "many"], "not 'many'"),
        (["greedy", "uniform", "--deal", "3"], "Unrecognized options: --deal, 3"),
        (["greedy", "uniform", "--until-ci", "2"], "--until-ci must be a number between 0 and 1, not '2'"),
        (["greedy", "uniform", "--seed", "-1"], "--seed must be a whole number from 0"),
        (["greedy", "nowhere.Agent"], "there is no class nowhere.Agent: No module named 'nowhere'"),
        (["greedy", "./snatcher.py"], "or the path of a class, such as mine.Snatcher, not './snatcher.py'"),
        (["greedy", "json.dumps"], "json.dumps is not a class with a method act"),
        (["greedy", "gym_helpers.Says"], "no gym_helpers.Says can be made"),
        (["greedy", "gym_helpers.First:depth=3"], "gym_helpers.First takes the parameters: none"),
        (["greedy", "uniform", "value", "--players", "3", "--partnership"], "--partnership is for 4 players"),
        (["greedy", "uniform", "--game", "chess"], "invalid choice 'chess'"),
        (["--replay", "3"], "--replay needs --show"),
        (["--show", "/nowhere.jsonl"], "with --show these would be ignored: --out"),
        (["process:command=" + "x" * 600, "uniform"], "there is no program"),
    ],
)
def test_what_cannot_be_played(arguments, complaint, tmp_path, capsys):
    assert complaint in refused(capsys, script, *arguments, "--out", str(tmp_path / "log.jsonl"))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "ignored"),
    [
        (["greedy", "uniform"], "agents"),
        (["--deals", "7", "--luck"], "--deals, --luck"),
        (["--players", "3", "--until-ci", "0.1"], "--players, --until-ci"),
        (["--partnership"], "--partnership"),  # which sets the players
    ],
)
def test_options_that_a_log_makes_useless_are_refused(arguments, ignored, capsys):
    message = refused(capsys, script, "--show", "/nowhere.jsonl", *arguments)
    assert message.endswith(f"with --show these would be ignored: {ignored}")
    assert "No such file" in refused(capsys, script, "--show", "/nowhere.jsonl")
    replay = ["--show", "/nowhere.jsonl", "--replay", "1"]
    message = refused(capsys, script, *replay, "--format", "json", "--plots", "pdf")
    assert message.endswith("with --replay these would be ignored: --format, --plots")


@pytest.mark.parametrize("first", [[], ["--luck"]])
def test_a_log_is_continued_with_the_same_choice_of_luck(first, tmp_path, capsys):
    """By other agents, too, as the report hides the luck of all games where that of one is not known."""
    words = ["--deals", "1", "--processes", "1", "--out", str(tmp_path / "log.jsonl")]
    script.main(["greedy", "uniform", *words, *first])
    text = (tmp_path / "log.jsonl").read_bytes()
    other = [] if first else ["--luck"]
    for agents in (["greedy", "uniform"], ["greedy", "value"]):
        said = refused(capsys, script, *agents, *words, *other)
        assert "has games played with the other choice of --luck; give another --out" in said
    assert (tmp_path / "log.jsonl").read_bytes() == text
    script.main(["greedy", "uniform", *words, *first, "--until-ci", "0.5"])


def test_a_name_that_could_not_be_read_again_is_refused_before_play(tmp_path):
    """The longest one can."""
    path = tmp_path / "log.jsonl"
    for length in (500, 501):
        plan = Tournament(Rules(), ("x" * length, "uniform"))
        if length == 500:
            Log.open(path, plan)
        else:
            with pytest.raises(ValueError, match=r"has at most 500 characters, not 501: 'xxx.*'…"):
                Log.open(path.with_name("other.jsonl"), plan)
    twice = Tournament(Rules(), ("x" * 498, "x" * 498))  # the second one is "… (2)"
    with pytest.raises(ValueError, match="not 502"):
        Log.open(path.with_name("other.jsonl"), twice)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("a.jsonl", "a"),
        ("a.jsonl.gz", "a"),
        ("eps0.1", "eps0.1"),
        ("eps0.1.jsonl", "eps0.1"),
        ("b.log", "b.log"),
    ],
)
def test_plots_are_named_after_the_log(name, stem, tmp_path):
    assert Log(tmp_path / name, Tournament(Rules(), ("uniform", "greedy"))).stem == tmp_path / stem


def test_two_cannot_write_one_log(tmp_path, capsys):
    out = tmp_path / "log.jsonl"
    arguments = ("uniform", "greedy", "--deals", "2", "--out", str(out))
    with FileLock(f"{out}.lock"):
        assert "is being written by another process" in refused(capsys, script, *arguments)
    assert not out.exists()
    main(*arguments)
    assert len(list(Log.load(out))) == 4


def test_a_log_that_cannot_be_written_is_said_to_be_so(tmp_path, capsys, monkeypatch):
    (tmp_path / "file").touch()
    arguments = ("uniform", "greedy", "--deals", "2", "--out")
    assert "File exists" in refused(capsys, script, *arguments, str(tmp_path / "file" / "log.jsonl"))

    def denied(_self, *_arguments, **_options):
        raise PermissionError(13, "Permission denied", "log.jsonl")

    monkeypatch.setattr(Path, "touch", denied)
    assert "Permission denied" in refused(capsys, script, *arguments, str(tmp_path / "log.jsonl"))


def test_pictures_that_could_not_be_drawn_are_told_of_before(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    out = str(tmp_path / "log.jsonl")
    assert "a plot needs matplotlib" in refused(
        capsys, script, "uniform", "greedy", "--deals", "2", "--out", out
    )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", [script, solitaire])
def test_no_log_is_written_under_the_name_of_a_compressed_one(command, tmp_path, capsys):
    """A compressed log stays as it is."""
    out = tmp_path / "log.jsonl.gz"
    words = ["uniform", "greedy", "--deals", "1", "--processes", "1", "--out", str(out)]
    assert "gzip compresses a finished log" in refused(capsys, command, *words)
    assert not out.exists()
    content = gzip.compress(b"")
    out.write_bytes(content)
    assert "give a name without .gz" in refused(capsys, command, *words)
    assert out.read_bytes() == content


def test_ones_own_class_takes_part(tmp_path, capsys):
    out = tmp_path / "own.jsonl"
    main("gym_helpers.First", "greedy", "--deals", "4", "--out", str(out))
    assert "| gym_helpers.First |" in capsys.readouterr().out
    assert set(Log.load(out).tournament.agents) == {"gym_helpers.First", "greedy"}


def test_an_agent_with_other_weights_is_another(tmp_path):
    weights = np.random.default_rng(0).normal(size=architecture(SMALL).num_weights).astype(np.float32)
    network, path = tmp_path / "agent.safetensors", tmp_path / "log.jsonl"
    ValueNetwork(SMALL, weights).save(network)
    names = ("greedy", f"value:path={network}")
    play(path, 2, Tournament.of(SMALL, names))
    log = play(path, 3, Tournament.of(SMALL, names))
    assert list(script.replay(log.tournament, next(iter(log))))
    ValueNetwork(SMALL, -weights).save(network)
    with pytest.raises(ValueError, match="with other weights; give another --out"):
        Log.open(path, Tournament.of(SMALL, names))
    network.unlink()
    log = Log.load(path)
    assert len(list(log)) == 6  # what was played can be read, and replayed, without
    assert list(script.replay(log.tournament, next(iter(log))))


def test_a_log_without_games_gives_way(tmp_path, capsys):
    path = tmp_path / "log.jsonl"
    path.touch()
    Log.open(path, Tournament(SMALL, AGENTS))
    assert "has no games yet" in refused(capsys, script, "--show", str(path))
    assert "has no games yet" in refused(capsys, script, "--show", str(path), "--replay", "0")
    assert Log.open(path, Tournament(SMALL, AGENTS, seed=1)).tournament.seed == 1


def test_which_lines_make_a_log_again(tmp_path):
    """As docs/reference/records.md says: whole deals of each group from 0 on, in their order."""
    log = play(tmp_path / "log.jsonl", 12, Tournament(SMALL, AGENTS))
    more = play(tmp_path / "more.jsonl", 3, Tournament(SMALL, ("greedy", "greedy:utility=lowest")))
    other = play(tmp_path / "other.jsonl", 3, Tournament(SMALL, ("uniform", "greedy"), seed=1))
    lines, added, unlike = (each.path.read_text().splitlines() for each in (log, more, other))
    of = [set(json.loads(line)["agents"]) for line in lines]
    deals = [json.loads(line)["deal"] for line in lines]

    def loaded(part):
        path = tmp_path / "part.jsonl"
        path.write_text("".join(f"{line}\n" for line in part))
        found = Log.load(path)
        return sum(map(len, found.games.values()))

    for right in (
        [line for line, names in zip(lines, of, strict=True) if "uniform" in names],
        [line for line, deal in zip(lines, deals, strict=True) if deal < 5],
        sorted(lines, key=lambda line: json.loads(line)["deal"]),  # groups are interleaved
        [*lines, *added],
    ):
        assert loaded(right) == len(right)
    for wrong in (
        [line for line, deal in zip(lines, deals, strict=True) if deal],
        lines[::2],
        lines[::-1],
        sorted(lines),  # deal 10 before deal 2
        [*lines, *lines],
        [*lines, *unlike],
    ):
        with pytest.raises(ValueError, match=r"are not 0, 1, 2 and so on|2 variants or seeds"):
            loaded(wrong)


def test_logs_that_are_not(tmp_path, capsys):
    path = tmp_path / "log.jsonl"
    play(path, 2, Tournament(SMALL, AGENTS))
    with pytest.raises(ValueError, match="is the log of another tournament"):
        Log.open(path, Tournament(SMALL, AGENTS, seed=1))
    text = path.read_text()
    for spoilt in (
        "{}\n",
        "hello\n",
        text.replace('"deal":1', '"deal":7'),
        text + '{"deal":2}\n',
        "[1]\n" + text,
        text.replace('"ranks":[1,2]', '"ranks":[1]'),
        text.replace('"ranks":[1,2]', '"ranks":[0,0]'),
        text.replace('"ranks":[1,2]', '"ranks":[2,1]'),  # they do not follow from the scores
        text.replace('"scores":[[', '"scores":[[0,'),
        re.sub(r'"scores":\[\[\d+', '"scores":[[19', text),
        re.sub(r'"scores":\[\[\d+', '"scores":[[-1', text),
        re.sub(r'"scores":\[\[\d+', '"scores":[[1.5', text),
        re.sub(r'"decisions":\[\d+', '"decisions":[-1', text),
        re.sub(r'"seconds":\[[^,]+', '"seconds":[NaN', text),
        re.sub(r'"seconds":\[[^,]+', '"seconds":[-1.0', text),
        text.replace('"agents":["uniform","greedy"]', '"agents":["greedy","uniform"]'),
        text.replace('"agents":["uniform","greedy"]', '"agents":["greedy","greedy"]'),
        text.replace('"agents":["uniform","greedy"]', '"agents":[true,false]'),
        text.replace('"agents":["uniform","greedy"]', '"agents":["uniform"]'),
        text.replace('"seed":0', '"seed":Infinity'),
        text.replace('"seed":0', '"seed":-1'),
        text.replace('"seed":0', '"seed":"0"'),
        text.replace('"seed":0', '"seed":1', 1),
        text.replace('"networks":["",""]', '"networks":["a"]'),
        text.replace('"networks":["",""]', '"networks":["a","b"]', 1),
        text.replace('"luck":null', '"luck":[0.5]'),
        text.replace('"luck":null', '"luck":[0.5,NaN]'),
        text.replace('"luck":null', '"luck":0'),
        text.replace('"actions":[', '"actions":[0,'),
        re.sub(r'"actions":\[\d+', '"actions":[99999', text),
        text.replace('"format":"ingenious games 3"', '"format":"ingenious games 2"'),
        text.replace('"format":', '"more":1,"format":'),
        text.replace('"game":"ingenious"', '"game":"chess"'),
        text.replace('"deal"', "\udcff"),
        "\x7fELF\x02" + "\udcfe" * 5000,
    ):
        assert spoilt != text
        path.write_text(spoilt, errors="surrogateescape")
        told = r"log\.jsonl(: .* are not 0, 1, 2| is not a log of a tournament| has games .* other weights)"
        with pytest.raises(ValueError, match=told):
            Log.load(path)
        assert len(refused(capsys, script, "--show", str(path))) < 600
    path.write_text(text)
    assert "games 0 to 11, not 99" in refused(capsys, script, "--show", str(path), "--replay", "99")
