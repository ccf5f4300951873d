"""Trainings of several seeds: what is trained, continued files, and that they are as strong as published."""

from __future__ import annotations

import json
import signal
from dataclasses import asdict, replace
from hashlib import sha256
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

import pytest
from commands import refused

pytest.importorskip("torch")

from ingenious_agents import make_agent
from ingenious_agents.evaluation.statistics import t95
from ingenious_agents.training.evaluation import evaluate
from ingenious_agents.value.training import Learner
from safetensors.numpy import load_file

from ingenious_env.engine.definition import definitions
from scripts import recipes, train_value

PUBLISHED = Path(recipes.__file__).parent.parent / "docs" / "figures" / "recipes.json"
ROW = recipes.Row("loopit", "two", 0, 100, 2.5, "planner", 5, 0.25, 0.2, 0.3, "0" * 16)


@pytest.fixture
def _short(monkeypatch):
    """Trainings of one batch of games."""
    budgets = {name: {"games": 200} for name in ("quick", "full")}
    monkeypatch.setattr(train_value, "BUDGETS", budgets)
    monkeypatch.setattr(train_value, "CURVE_DEALS", 2)


@pytest.mark.parametrize("preset", ["solitaire", "partnership"])
@pytest.mark.usefixtures("_short")
def test_a_row_is_a_training_by_default_and_its_evaluation(preset, tmp_path):
    row = recipes.row_of("ingenious", preset, 3, 4, tmp_path)
    path = tmp_path / f"ingenious-{preset}-3" / "agent.safetensors"
    rules = definitions()["ingenious"].presets[preset].rules
    opponent = "nobody" if preset == "solitaire" else "greedy:utility=concave"
    found = evaluate(make_agent(f"value:path={path}"), rules, 4, opponent).best
    assert (row.result, row.low, row.high) == found
    assert (row.seed, row.games, row.opponent, row.deals) == (3, 200, opponent, 4)
    assert row.weights == sha256(load_file(path)["weights"].tobytes()).hexdigest()[:16]
    again = recipes.row_of("ingenious", preset, 3, 4, tmp_path / "again")
    assert replace(again, seconds=row.seconds) == row
    assert recipes.row_of("ingenious", preset, 4, 4, tmp_path).weights != row.weights


@pytest.mark.usefixtures("_short")
def test_a_training_that_is_stopped_is_continued_and_makes_no_row(tmp_path, monkeypatch):
    out, learn, calls = tmp_path / "rows.json", Learner.learn, []
    monkeypatch.setattr(train_value, "BUDGETS", {"quick": {"games": 600}})
    words = ["solitaire", "--seeds", "1", "--deals", "2", "--folder", str(tmp_path), "--out", str(out)]

    def interrupted(self, games):
        calls.append(self.done)
        if len(calls) == 2:
            signal.raise_signal(signal.SIGINT)
        return learn(self, games)

    monkeypatch.setattr(Learner, "learn", interrupted)
    with pytest.raises(SystemExit):
        recipes.main(words)
    assert not out.exists()
    recipes.main(words)
    assert calls == sorted(set(calls))  # no batch is played twice
    (row,) = recipes.rows_in(out)
    assert row.games == 600


def test_a_command_continues_with_the_rows_that_are_missing(tmp_path, monkeypatch, capsys):
    out, made = tmp_path / "rows.json", []

    def row_of(game, preset, seed, deals, _folder):
        made.append((preset, seed))
        if len(made) == 3:
            raise KeyboardInterrupt
        return replace(ROW, game=game, preset=preset, seed=seed, deals=deals, result=0.5 + seed / 10)

    monkeypatch.setattr(recipes, "row_of", row_of)
    words = ["two", "three", "--game", "loopit", "--seeds", "2", "--deals", "5", "--out", str(out)]
    with pytest.raises(SystemExit):
        recipes.main(words)
    assert len(json.loads(out.read_text())["rows"]) == 2
    recipes.main(words)
    assert made == [("two", 0), ("three", 0), ("two", 1), ("two", 1), ("three", 1)]
    capsys.readouterr()
    recipes.main(words)
    assert len(made) == 5
    cells = [
        [cell.strip() for cell in line.split("|")[1:-1]] for line in capsys.readouterr().out.splitlines()
    ]
    assert [row for row in cells if row and row[0].startswith("loopit")] == [
        [f"loopit {preset}", "100", "2", "planner", "55.0 %", "7.1 %", "2"] for preset in ("two", "three")
    ]
    recipes.main([*words[:-4], "--deals", "6", "--out", str(out)])
    assert len(made) == 9


def test_the_published_trainings_are_those_of_the_defaults():
    """Of all presets of both games, whatever other tests have registered."""
    args, rows = recipes.Args(), recipes.rows_in(PUBLISHED)
    presets = [(game, preset) for game in ("ingenious", "loopit") for preset in definitions()[game].presets]
    wanted = [(*each, seed) for each in presets for seed in range(args.seeds)]
    assert sorted((row.game, row.preset, row.seed) for row in rows) == sorted(wanted)
    assert {row.deals for row in rows} == {args.deals}
    assert len({row.weights for row in rows}) == len(rows)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("game", "preset"), [("ingenious", "two"), ("ingenious", "solitaire"), ("loopit", "two")]
)
def test_another_seed_is_as_strong_as_published(game, preset, tmp_path):
    """Not weaker than the 95 % prediction interval of one more training."""
    published = [row for row in recipes.rows_in(PUBLISHED) if (row.game, row.preset) == (game, preset)]
    results = [row.result for row in published]
    margin = t95(len(results) - 1) * stdev(results) * sqrt(1 + 1 / len(results))
    row = recipes.row_of(game, preset, len(results), published[0].deals, tmp_path)
    assert row.games == published[0].games
    assert row.high > fmean(results) - margin


def test_what_is_refused(tmp_path, capsys):
    message = refused(capsys, recipes, "five", "--game", "loopit")
    assert message.endswith("'five' is not a preset; there are two, three, four")
    path = tmp_path / "rows.json"
    path.write_text(json.dumps({"rows": [{**asdict(ROW), "more": 1}]}), encoding="utf-8")
    message = refused(capsys, recipes, "two", "--out", str(path))
    assert message.endswith(f"{path} is not a file of python -m scripts.recipes")
