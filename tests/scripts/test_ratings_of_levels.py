"""The script that measures the ten levels, and its published figures."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from ingenious_agents.evaluation.match import BATCH, MatchResult
from ingenious_agents.provenance import machine

from ingenious_env.policies.levels import RATINGS, STRENGTHS, Level
from scripts import levels, saved_rows

FIGURES = Path(__file__).parents[2] / "docs" / "figures" / "levels.json"


def content_of(path):
    return json.loads(path.read_text(encoding="utf-8"))


def test_finished_pairs_are_not_played_again(tmp_path, monkeypatch, capsys):
    """Nor after an interruption; more deals are another measurement."""
    out, played, play = tmp_path / "levels.json", [], levels.play_match

    def watched(rules, agents, *rest):
        played.append(agents)
        if len(played) == 3:
            raise KeyboardInterrupt
        return play(rules, [levels.make_agent("greedy")] * 2, *rest)

    monkeypatch.setattr(levels, "play_match", watched)
    words = ["--game", "ingenious", "--deals", "2", "--out", str(out)]
    with pytest.raises(SystemExit):
        levels.main(words)
    [measured] = content_of(out)["measured"]
    assert len(measured["pairs"]) == 2
    assert {len(results) for results in measured["pairs"].values()} == {4}
    levels.main(words)
    assert len(played) == 56  # of 55 pairs one was interrupted
    levels.main(words)
    assert len(played) == 56
    assert "neighbours overlap" in capsys.readouterr().err
    assert len(content_of(out)["levels"]) == 10


def test_results_that_rate_nobody_are_kept_and_said_in_a_sentence(tmp_path, monkeypatch, capsys):
    """An agent that loses all its games has no rating; neither more deals nor the other game are refused."""
    out, play, played = tmp_path / "levels.json", levels.play_match, []

    def alike(rules, agents, *rest):
        played.append(agents)
        return play(rules, [levels.make_agent("greedy")] * 2, *rest)

    def one_sided(rules, agents, *rest):
        found = alike(rules, agents, *rest)
        always_lost = np.tile([0.0, 1.0], (len(found.shares), 1))
        return replace(found, shares=always_lost) if agents[0] == levels.make_agent("uniform") else found

    words = ["--game", "ingenious", "--out", str(out), "--deals"]
    monkeypatch.setattr(levels, "play_match", one_sided)
    for _ in range(2):  # the second time it plays nothing
        with pytest.raises(SystemExit, match="2"):
            levels.main([*words, "2"])
        said = " ".join(capsys.readouterr().err.split())
        assert "ingenious: the duels do not bound a rating" in said
        assert "give more --deals than 2" in said
        assert len(played) == len(content_of(out)["measured"][0]["pairs"]) == 55
        assert content_of(out)["levels"] == []
    monkeypatch.setattr(levels, "play_match", alike)
    levels.main(["--game", "loopit", "--out", str(out), "--deals", "2"])
    assert [row["game"] for row in content_of(out)["levels"]] == ["loopit"] * 10
    levels.main([*words, "3"])
    assert [row["game"] for row in content_of(out)["levels"]] == ["ingenious"] * 10 + ["loopit"] * 10
    played = [("ingenious", 3), ("loopit", 2)]
    commands = [f"{levels.PROG} --game {game} --deals {deals} --seed 40" for game, deals in played]
    assert content_of(out)["machine"]["command"] == "; ".join(commands)


def test_rows_of_another_run_keep_their_commit(tmp_path, monkeypatch):
    """Once for each that differs, from the first to the one before this one."""
    path, now = tmp_path / "rows.json", machine()
    for commit in ("a", "b", "b", "a"):
        monkeypatch.setattr(saved_rows, "machine", lambda here=now | {"commit": commit}: here)
        path.write_text(json.dumps({"machine": saved_rows.made(path)}))
    found = content_of(path)["machine"]
    assert found["commit"] == "a"
    assert [each["commit"] for each in found["earlier"]] == ["b"]
    assert not any("earlier" in each for each in found["earlier"])
    path.unlink()
    assert "earlier" not in saved_rows.made(path)


def test_a_file_of_something_else_is_refused(tmp_path, capsys):
    out = tmp_path / "levels.json"
    out.write_text("{}")
    with pytest.raises(SystemExit, match="2"):
        levels.main(["--out", str(out)])
    assert "is not a file of" in capsys.readouterr().err


def test_intervals_are_over_deals_in_the_order_of_a_match(monkeypatch):
    """Which comes in blocks, here two; the same agent wins both games of a deal."""
    deals, given = BATCH + 100, []
    result = MatchResult(np.zeros((2 * deals, 2)), np.zeros((2 * deals, 2, 1), np.int8))
    text = "".join("2" if deal % 3 else "0" for deal in result.deals)
    names = levels.contestants_of("loopit")
    pairs = {f"{one} {other}": text for one, other in combinations(names, 2)}
    monkeypatch.setattr(levels, "fit", lambda duels, _: given.append(duels) or [None] * len(names))
    levels.Measured("loopit", deals, 0, pairs).places()
    [duels] = given
    assert len(duels.deals) == len(pairs) * 2 * deals
    assert np.array_equal(duels.results == 1, duels.deals % 3 > 0)


def test_the_order_is_checked_with_intervals_and_by_game():
    row = {"game": "a", "rating": 100.0, "half_width": 10.0}
    higher, near = row | {"rating": 121.0}, row | {"rating": 119.0}
    assert levels.is_monotone([row, higher, row | {"game": "b"}])
    assert not levels.is_monotone([row, near])
    assert not levels.is_monotone([higher, row])


def test_the_published_figures_are_of_the_levels_as_they_are():
    """Each is stronger than the one below; the ratings follow from the results in the file."""
    content = content_of(FIGURES)
    rows = content["levels"]
    assert [row["level"] for row in rows] == [*range(1, 11)] * 2
    for row in rows:
        assert row["plays"] == repr(Level(row["level"]).policy(levels.rules_of(row["game"])))
        assert row["title"] == STRENGTHS[row["level"] - 1].title
    assert levels.is_monotone(rows)
    measured = levels.measured_in(FIGURES)
    assert [row for each in measured.values() for row in levels.rows_of(each)] == rows
    for row in rows:
        greedy = row["wins_of"]["greedy"]
        if greedy is not None:  # the weaker an opponent, the more the anchor wins
            assert (greedy > 0.5) == (row["rating"] < levels.ANCHOR_RATING)
    assert np.isfinite([row["half_width"] for row in rows]).all()


def test_pages_show_the_published_ratings():
    """Of both games, at the table that was measured."""
    found = {}
    for row in content_of(FIGURES)["levels"]:
        found.setdefault((row["game"], levels.PRESET), []).append(round(row["rating"]))
    assert {table: list(ratings) for table, ratings in RATINGS.items()} == found
