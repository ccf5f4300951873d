"""Losses of levels: whose moves count, quantiles of games, and continued files."""

from __future__ import annotations

import json

import numpy as np
import pytest
from commands import refused

from ingenious_env import Rules
from ingenious_env.engine.definition import definitions
from ingenious_env.policies.levels import STRENGTHS
from scripts import level_losses


def test_tables_are_those_with_levels():
    assert level_losses.tables_of("loopit") == [("loopit", name) for name in ("two", "three", "four")]
    assert ("ingenious", "solitaire") in level_losses.tables_of(None)
    assert len(level_losses.tables_of(None)) == 8


@pytest.mark.parametrize("preset", ["solitaire", "two", "partnership"])
def test_the_moves_of_one_seat_are_judged_each_seat_in_turn(preset, monkeypatch):
    """The level has the judged seat, and the others have any."""
    rules = definitions()["ingenious"].presets[preset].rules
    seats, numbers, begun = [], [], level_losses.Level

    def mean_loss(judged):
        assert len(judged) > 5
        (seat,) = {each.seat for each in judged}
        seats.append(seat)
        return float(seat)

    def noted(number):
        numbers.append(number)
        return begun(number)

    monkeypatch.setattr(level_losses, "mean_loss", mean_loss)
    monkeypatch.setattr(level_losses, "Level", noted)
    games = 2 * rules.num_players
    found = level_losses.losses(rules, 7, games, 3)
    assert seats == found == [game % rules.num_players for game in range(games)]
    each = rules.num_players + 1
    assert [numbers[game * each + rules.num_players] for game in range(games)] == [7] * games
    others = set(numbers) - {7}
    assert others <= set(range(1, len(STRENGTHS) + 1))
    assert len(others) > 2 or rules.num_players == 1


@pytest.mark.parametrize(("rules", "much"), [(Rules(), 0.15), (Rules.solitaire(), 0.3)])
def test_the_best_level_loses_nothing_and_the_worst_much(rules, much):
    assert max(level_losses.losses(rules, 10, 4, 5)) < 0.05
    assert min(level_losses.losses(rules, 1, 4, 5)) > much


def test_a_row_has_quantiles_of_the_games_that_count(monkeypatch):
    drawn = np.random.default_rng(1).random(81).tolist()
    monkeypatch.setattr(level_losses, "losses", lambda *_: drawn)
    row = level_losses.row_of("ingenious", "two", 4, 100, 9)
    ranked = sorted(drawn)
    assert (row.low, row.median, row.high) == pytest.approx((ranked[2], ranked[40], ranked[78]), abs=1e-4)
    assert (row.games, row.measured, row.level, row.seed) == (100, 81, 4, 9)
    monkeypatch.setattr(level_losses, "losses", lambda *_: [])
    with pytest.raises(ValueError, match="all games of level 4 at ingenious two were decided too early"):
        level_losses.row_of("ingenious", "two", 4, 100, 9)


def test_a_command_continues_with_the_rows_that_are_missing(tmp_path, monkeypatch, capsys):
    out, made = tmp_path / "rows.json", []

    def losses(_rules, level, games, seed):
        made.append((level, games, seed))
        if len(made) == 3:
            raise KeyboardInterrupt
        return [level / 10]

    monkeypatch.setattr(level_losses, "losses", losses)
    words = ["two", "--game", "loopit", "--games", "5", "--out", str(out)]
    with pytest.raises(SystemExit):
        level_losses.main(words)
    assert len(json.loads(out.read_text())["rows"]) == 2
    level_losses.main(words)
    assert [level for level, *_ in made] == [1, 2, 3, *range(3, 11)]
    capsys.readouterr()
    level_losses.main(words)
    assert len(made) == 11
    lines = capsys.readouterr().out.splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert cells[-1] == ["loopit two", "10", "1", "100.0 %", "100.0 % to 100.0 %"]
    level_losses.main([*words, "--seed", "8"])
    assert len(made) == 21
    assert made[-1] == (10, 5, 8)


def test_losses_are_written_in_their_units():
    rows = [
        level_losses.Row("ingenious", preset, 2, 9, 1, 9, 0.25, 0.125, 1.5) for preset in ("solitaire", "two")
    ]
    alone, together = level_losses.table_of(rows).rows
    assert list(alone) == ["ingenious solitaire", "2", "9", "0.25 spaces", "0.12 spaces to 1.50 spaces"]
    assert list(together) == ["ingenious two", "2", "9", "25.0 %", "12.5 % to 150.0 %"]


def test_what_is_refused(tmp_path, capsys):
    message = refused(capsys, level_losses, "solitaire", "--game", "loopit")
    assert message.endswith("'solitaire' is not a table with levels; there are two, three, four")
    path = tmp_path / "rows.json"
    path.write_text('{"rows": [{"level": 1}]}', encoding="utf-8")
    message = refused(capsys, level_losses, "two", "--out", str(path))
    assert message.endswith(f"{path} is not a file of python -m scripts.level_losses")
