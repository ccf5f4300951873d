"""Games of agents against themselves: results by seat, and continued files."""

from __future__ import annotations

import json

import numpy as np
import pytest
from commands import refused
from ingenious_agents import make_agent, play_match

from ingenious_env import Rules
from ingenious_env.games.loopit import Rules as LoopitRules
from scripts import seats


@pytest.mark.parametrize("rules", [Rules(), Rules.partnership(), LoopitRules(num_players=3)], ids=str)
def test_results_are_those_of_a_match_in_its_first_rotation(rules):
    games, sheets = 12, rules.num_sheets
    results, luck = seats.results_of(rules, make_agent("greedy"), games, 5)
    match = play_match(rules, [make_agent("greedy")] * sheets, games, seed=5, luck=True)
    assert (results == match.shares[:games]).all()
    assert np.allclose(luck, match.luck[:games])


def test_what_is_saved_is_the_ratio_of_the_variances(monkeypatch):
    """A result that is luck and a tenth of something else has a hundredth of its variance left."""
    drawn = np.random.default_rng(3).normal(size=(2, 4000))
    luck = np.stack([drawn[0], -drawn[0]], axis=1)
    rest = np.stack([drawn[1], -drawn[1]], axis=1) / 10
    monkeypatch.setattr(seats, "results_of", lambda *_: (0.5 + luck + rest, luck))
    row = seats.row_of("two", Rules(), "greedy", 4000, 0)
    assert row.saved == pytest.approx(101, rel=0.1)
    assert row.half_widths == pytest.approx([0.1 * 1.96 / 4000**0.5] * 2, rel=0.1)
    assert row.adjusted == pytest.approx([0.5, 0.5], abs=0.005)


def test_a_command_continues_with_the_rows_that_are_missing(tmp_path, monkeypatch, capsys):
    out = tmp_path / "seats.json"
    words = ["--game", "loopit", "--games", "20", "--out", str(out)]
    played, row_of = [], seats.row_of

    def watched(preset, rules, name, games, seed):
        played.append((preset, name))
        if len(played) == 3:
            raise KeyboardInterrupt
        return row_of(preset, rules, name, games, seed)

    monkeypatch.setattr(seats, "row_of", watched)
    with pytest.raises(SystemExit):
        seats.main(["greedy", *words])
    assert len(json.loads(out.read_text())["rows"]) == 2
    seats.main(["greedy", *words])
    assert len(played) == 4
    assert played[2] == played[3]
    seats.main(["greedy", *words])
    assert len(played) == 4
    assert [line.split("|")[1].strip() for line in capsys.readouterr().out.splitlines()[2:5]] == [
        "loopit two",
        "loopit three",
        "loopit four",
    ]


def test_too_few_games_are_refused(tmp_path, capsys):
    assert "at least 20, not 19" in refused(capsys, seats, "--games", "19", "--out", str(tmp_path / "a.json"))


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"rows": [{"preset": 3}]}', '{"rows": 7}', "[" * 100_000])
def test_a_file_of_something_else_is_refused(text, tmp_path, capsys):
    out = tmp_path / "seats.json"
    out.write_text(text)
    assert "is not a file of" in refused(capsys, seats, "greedy", "--out", str(out))
    assert out.read_text() == text
