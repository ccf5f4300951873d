"""Ratings against published fields: their numbers by another reading of the log, interruptions, cards."""

from __future__ import annotations

import contextlib
import hashlib
import json
import signal
from collections import defaultdict
from itertools import pairwise
from math import exp, log

import numpy as np
import pytest
from commands import refused
from ingenious_agents.commands import rate, verify
from ingenious_agents.evaluation import rating
from ingenious_agents.evaluation.duels import DuelPlan, results_of
from ingenious_agents.evaluation.field import FOLDER, field_of
from ingenious_agents.evaluation.log import Log
from ingenious_agents.evaluation.rating import rating_plan
from ingenious_agents.evaluation.scheduler import Schedule, run
from ingenious_agents.folders import locked
from sampled import nightly_but

from ingenious_env import Rules
from ingenious_env.engine.definition import definitions
from ingenious_env.games.loopit import Rules as LoopitRules

AGENT = "greedy:epsilon=0.35"
TABLES = {
    "solitaire": ["--players", "1"],
    "two": ["--luck"],
    "three": ["--players", "3"],
    "partnership": ["--partnership"],
    "loopit": ["--game", "loopit"],
}


def rated(path, *options, agent=AGENT, processes="1"):
    """The card of an agent."""
    rate.main([agent, "--half-width", "110", "--processes", processes, "--out", str(path), *options])
    return json.loads(path.read_text(encoding="utf-8"))


def lines_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def without_times(card):
    left_out = ("seconds_per_move", "made", "log", "command")
    return {name: value for name, value in card.items() if name not in left_out}


def solved(card, share):
    """The rating by shares and opponents' ratings, by bisection."""
    low, high = -2000.0, 4000.0
    for _ in range(60):
        middle = (low + high) / 2
        expected = [
            each["deals"] / (1 + exp((each["rating"] - middle) * log(10) / 400)) for each in card["against"]
        ]
        found = [each["deals"] * each[share] for each in card["against"]]
        low, high = (middle, high) if sum(expected) < sum(found) else (low, middle)
    return middle


@pytest.fixture(scope="module")
def cards(tmp_path_factory):
    """A card of each table, with its path."""
    folder = tmp_path_factory.mktemp("cards")
    return {
        name: (folder / f"{name}.json", rated(folder / f"{name}.json", *options))
        for name, options in TABLES.items()
    }


@pytest.mark.parametrize("table", TABLES)
def test_a_rating_solves_its_equation(table, cards):
    _, card = cards[table]
    assert solved(card, "share") == pytest.approx(card["rating_plain"]["value"], abs=0.5)
    assert solved(card, "share_luck_adjusted") == pytest.approx(card["rating"]["value"], abs=0.5)
    assert card["rating"]["half_width"] <= 110
    assert 0 < card["rating"]["value"] < 1000  # between uniform and greedy


@pytest.mark.parametrize("table", ["two", "three", "partnership", "loopit"])
def test_shares_are_those_of_the_log(table, cards):
    """By the ranks of the lines: the share of the opponent's copies that the agent comes before."""
    path, card = cards[table]
    shares = defaultdict(list)
    for line in lines_of(path.with_suffix(".jsonl")):
        mine = line["ranks"][line["agents"].index(AGENT)]
        others = {label.split(" (")[0]: 0 for label in line["agents"] if label != AGENT}
        (opponent,) = others
        its = [rank for label, rank in zip(line["agents"], line["ranks"], strict=True) if label != AGENT]
        shares[opponent].append(np.mean([1.0 * (mine < rank) + 0.5 * (mine == rank) for rank in its]))
    assert {name: np.mean(each) for name, each in shares.items()} == pytest.approx(
        {each["opponent"]: each["share"] for each in card["against"]}, abs=1e-4
    )
    assert card["games"] == sum(map(len, shares.values()))


def test_in_solitaire_the_better_result_of_a_bag_wins(cards):
    path, card = cards["solitaire"]
    ends = defaultdict(dict)
    for line in lines_of(path.with_suffix(".jsonl")):
        ends[line["agents"][0]][line["deal"]] = sorted(line["scores"][0])
    for each in card["against"]:
        mine, its = (ends[name] for name in (AGENT, each["opponent"]))
        won = [(mine[bag] > its[bag]) + (mine[bag] == its[bag]) / 2 for bag in range(each["deals"])]
        assert np.mean(won) == pytest.approx(each["share"], abs=1e-4)


def test_a_duel_at_a_larger_table_is_one_against_copies_of_the_other(tmp_path):
    plan = DuelPlan.between(Rules.standard(4), ["uniform", "greedy"], [(1, 0)], 5)
    assert plan.agents == ("uniform",) * 3 + ("greedy",) * 3
    assert plan.groups == [(0, 1, 2, 3)]
    log = Log.open(tmp_path / "log.jsonl", plan)
    run(Schedule(log, 2, None), progress=False)
    for game in log:
        assert sorted(game.seating) == [0, 1, 2, 3]
    assert len({game.seating for game in log if game.deal == 0}) == 4  # greedy at each seat once
    assert results_of(log, (1, 0), 2, adjusted=False).results == pytest.approx(1.0)


@pytest.mark.parametrize("processes", nightly_but(["2"], ["1", "2"]))
def test_an_interruption_changes_nothing(processes, cards, tmp_path, monkeypatch):
    path, steps = tmp_path / "card.json", []
    whole = rating.next_step

    def interrupting(*arguments):
        steps.append(arguments)
        if len(steps) == 3:
            raise KeyboardInterrupt
        return whole(*arguments)

    monkeypatch.setattr(rating, "next_step", interrupting)
    with pytest.raises(SystemExit) as stopped:
        rated(path, "--luck", processes=processes)
    assert stopped.value.code == 1
    assert not path.exists()
    log = path.with_suffix(".jsonl")
    log.write_text(log.read_text(encoding="utf-8")[:-200], encoding="utf-8")  # as a killed process leaves it
    assert without_times(rated(path, "--luck", processes=processes)) == without_times(cards["two"][1])


def test_an_interruption_ends_a_rating_unless_it_is_complete(tmp_path, monkeypatch, capsys):
    """Each time in the last deal against an opponent: the command does not go on with the next one."""
    played = DuelPlan.play

    def interrupted(self, group, deals, *arguments):
        if deals.stop == 2:
            signal.raise_signal(signal.SIGINT)
        return played(self, group, deals, *arguments)

    whole = rated(tmp_path / "whole.json", "--deals", "2")
    monkeypatch.setattr(DuelPlan, "play", interrupted)
    path, games = tmp_path / "card.json", 4 * len(whole["against"])
    for done in range(4, games, 4):
        with pytest.raises(SystemExit, match="1"):
            rated(path, "--deals", "2")
        assert "the same command continues from there" in capsys.readouterr().err
        assert len(lines_of(path.with_suffix(".jsonl"))) == done
    assert not path.exists()
    assert without_times(rated(path, "--deals", "2")) == without_times(whole)
    assert len(lines_of(path.with_suffix(".jsonl"))) == games > 4


def test_a_wider_interval_uses_the_first_games(cards, tmp_path):
    path, card = tmp_path / "card.json", cards["two"][1]
    narrow = rated(path, "--luck", "--half-width", "70")
    assert narrow["rating"]["half_width"] <= 70 < card["rating"]["half_width"]
    again = rated(path, "--luck")
    assert without_times(again) == without_times(card)
    verify.main([str(path)])


def test_games_with_and_without_luck_are_not_mixed(tmp_path, capsys):
    path = tmp_path / "card.json"
    rated(path, "--deals", "2")
    text = path.read_bytes()
    said = refused(capsys, rate, AGENT, "--processes", "1", "--out", str(path), "--luck")
    assert "the other choice of --luck" in said
    assert path.read_bytes() == text


@pytest.mark.parametrize("options", [[], ["--players", "1"]])
def test_a_card_and_a_log_of_another_agent_stay_as_they_are(options, tmp_path, capsys):
    """Also those of an agent that is in the field."""
    path = tmp_path / "card.json"
    rated(path, "--deals", "2", *options, agent="greedy")
    files = {each: each.read_bytes() for each in (path, path.with_suffix(".jsonl"))}
    words = [AGENT, "--processes", "1", "--deals", "2", "--out", str(path), *options]
    assert f"is the card of greedy, not of {AGENT}; give another --out" in refused(capsys, rate, *words)
    assert {each: each.read_bytes() for each in files} == files
    path.write_text("{}", encoding="utf-8")
    assert "is not a card" in refused(capsys, rate, *words)


def test_the_log_of_a_card_that_is_not_finished_is_of_its_agent_only(tmp_path, capsys):
    path = tmp_path / "card.json"
    rated(path, "--deals", "2", agent="greedy")
    path.unlink()
    log = path.with_suffix(".jsonl").read_bytes()
    said = refused(capsys, rate, AGENT, "--processes", "1", "--out", str(path))
    assert f"is not the log of {AGENT}: it has games of greedy and " in said
    assert path.with_suffix(".jsonl").read_bytes() == log
    assert not path.exists()


def test_each_agent_has_its_own_card():
    """A name that is cut, or has other signs in a file's name, is told apart by a digest; others stay."""
    long = "mine.Agent:" + "x" * 80
    names = ["mine.Agent", "mine.Agent:a=1,b=2", "mine.Agent:a=1:b=2", long + "1", long + "2"]
    paths = [rate.default_card(rate.Args(agents=(name,))).name for name in names]
    assert paths[0] == "mine.Agent-ingenious-two.json"
    assert len(set(paths)) == len(names)
    assert all(len(name) < 130 for name in paths)


def test_nobody_elses_rating_moves(cards):
    """The field is only read."""
    for name, (_, card) in cards.items():
        game, preset = ("loopit", "two") if name == "loopit" else ("ingenious", name)
        text = (FOLDER / f"{game}-{preset}.json").read_bytes()
        assert card["field"] == hashlib.sha256(text).hexdigest()


def test_a_card_is_written_while_no_other_process_can_add_games(tmp_path, monkeypatch):
    """Which would make its digest that of another log."""
    tried = []

    def endings(_args):
        lock = locked(tmp_path / "card.jsonl", "--out")
        with pytest.raises(ValueError, match="is being written by another process"), lock:
            pass
        tried.append("endings")

    def write_card(path, *_args):
        endings(None)
        path.write_text("{}")

    monkeypatch.setattr(rate, "endings", endings)
    monkeypatch.setattr(rate, "write_card", write_card)
    monkeypatch.setattr(rate, "table", lambda _: None, raising=False)
    with contextlib.suppress(SystemExit):
        rate.main(["greedy", "--deals", "2", "--processes", "1", "--out", str(tmp_path / "card.json")])
    assert tried == ["endings", "endings"]


def test_limits_end_a_rating(tmp_path, capsys):
    card = rated(tmp_path / "card.json", "--half-width", "1", "--deals", "20")
    assert "the interval is still wider than ±1 after 20 deals per opponent" in capsys.readouterr().err
    assert {each["deals"] for each in card["against"]} == {20}
    assert len(card["against"]) >= rating.NEAREST


class Weakest:
    """Plays the move after which its seat has the fewest points."""

    def act(self, view):
        chosen = []
        for row in range(len(view)):
            game = view.take(np.array([row])).complete()
            actions = np.flatnonzero(game.legal_mask()[0])
            after = game.take(np.zeros(len(actions), np.int64))
            after.play(actions)
            sheet = game.rules.sheet_of(int(game.to_play[0]))
            chosen.append(int(actions[after.scores[:, sheet].sum(axis=1).argmin()]))
        return np.array(chosen)


def test_an_agent_that_always_loses_has_an_open_interval(tmp_path, capsys):
    card = rated(tmp_path / "card.json", "--deals", "2", agent=f"{__name__}.Weakest")
    assert card["rating"]["half_width"] is None
    output = capsys.readouterr()
    assert "no bound on one side" in output.err
    assert "± ∞" in output.out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("", "one agent is rated at a time, not 0"),
        ("greedy uniform", "one agent is rated at a time, not 2"),
        ("nobody", "an agent is one of"),
        ("greedy --game loopit --fixed-rounds", "there is no published field of"),
        ("greedy --out card.txt", "--out must end in .json, not 'card.txt'"),
        ("greedy --half-width 0", "must be a number above 0"),
        ("planner", "planner"),
        ("--show nowhere.json", "nowhere.json"),
        ("greedy --show nowhere.json --players 3", "with --show these would be ignored: --players, agents"),
    ],
)
def test_ratings_that_are_not(arguments, complaint, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert complaint in refused(capsys, rate, *arguments.split())
    assert not list(tmp_path.glob("**/*.json*"))


@pytest.mark.parametrize("form", ["markdown", "latex", "csv", "json"])
def test_a_card_is_printed_in_each_format(form, cards, capsys):
    path, card = cards["three"]
    capsys.readouterr()
    rate.main(["--show", str(path), "--format", form])
    text = capsys.readouterr().out
    if form == "json":
        assert json.loads(text)["rating"][0]["rating"] == card["rating"]["value"]
    elif form == "csv":
        heads, row = (line.split(",") for line in text.splitlines())
        assert float(dict(zip(heads, row, strict=True))["half_width"]) == card["rating"]["half_width"]
    else:
        assert f"{card['rating']['value']:.0f} ± {card['rating']['half_width']:.0f}" in text
        assert "three players" in text


# Fields.


SHIPPED = [(game, preset) for game in ("ingenious", "loopit") for preset in definitions()[game].presets]


@pytest.mark.parametrize(("game", "preset"), SHIPPED)
def test_neighbours_of_a_field_win_10_to_90_percent(game, preset):
    """So all ratings are finite; and they ascend, greedy has 1000, and the mixtures lie below it."""
    field = field_of(definitions()[game].presets[preset].rules)
    shares = {(each.agent, each.other): each.share for each in field.duels}
    names = [each.agent for each in field.agents]
    for weaker, stronger in pairwise(names):
        assert 0.1 <= shares[stronger, weaker] <= 0.9, (stronger, weaker)
    ratings = {each.agent: each.rating for each in field.agents}
    assert list(ratings.values()) == sorted(ratings.values())
    assert ratings["greedy"] == 1000
    assert names[0] == "uniform"
    assert all(ratings[name] < 1000 for name in names if "epsilon" in name)
    assert field.text == (FOLDER / f"{game}-{preset}.json").read_text(encoding="utf-8")


def test_a_member_of_the_field_does_not_play_itself(tmp_path):
    card = rated(tmp_path / "card.json", agent="greedy:epsilon=0.2")
    assert "greedy:epsilon=0.2" not in {each["opponent"] for each in card["against"]}
    field = field_of(Rules())
    published = next(each for each in field.agents if each.agent == "greedy:epsilon=0.2")
    assert card["rating"]["value"] == pytest.approx(published.rating, abs=150)


def test_the_plan_has_copies_for_each_opponent():
    plan = rating_plan(LoopitRules(3), "greedy", field_of(LoopitRules(3)))
    assert plan.labels[:4] == ["greedy", "greedy (2)", "uniform", "uniform (2)"]
    assert plan.groups[0] == (0, 2, 3)
