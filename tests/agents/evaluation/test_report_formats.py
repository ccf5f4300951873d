"""Reports in Markdown, LaTeX, CSV and JSON: the same figures, as numbers where programs read them."""

from __future__ import annotations

import csv
import io
import json
import re
from itertools import permutations

import pytest
from ingenious_agents import play_match
from ingenious_agents.commands import match, solitaire, tournament
from ingenious_agents.evaluation import plots
from ingenious_agents.registry import make_agent
from ingenious_agents.tables import Table, numbered, written

from ingenious_env import Rules

ONE = Table(
    "agents",
    ("agent", "wins"),
    [("a_b", "50.0% [1%, 2%]"), ("c & d", "∞")],
    [{"agent": "a_b", "wins": 0.5, "low": float("-inf")}, {"agent": "c & d", "wins": None, "low": 1.0}],
)
TWO = Table("pairs", ("x",), [("1",)], [{"x": 1}])


def test_formats():
    assert written([ONE, TWO], "markdown").split("\n\n")[1].splitlines() == ["| x   |", "|-----|", "| 1   |"]
    latex = written([ONE, TWO], "latex")
    assert latex.count("\\begin{tabular}") == 2
    assert r"a\_b" in latex
    assert r"c \& d" in latex
    assert r"50.0\% [1\%, 2\%]" in latex
    rows = list(csv.DictReader(io.StringIO(written([ONE, TWO], "csv"))))
    assert rows == [{"agent": "a_b", "wins": "0.5", "low": ""}, {"agent": "c & d", "wins": "", "low": "1.0"}]
    read = json.loads(written([ONE, TWO], "json"))
    assert read["agents"][0] == {"agent": "a_b", "wins": 0.5, "low": None}
    assert read["pairs"] == [{"x": 1}]
    assert numbered("counter", [3, 4]) == {"counter_1": 3.0, "counter_2": 4.0}
    assert written([Table("none", ("x",), [], [])], "csv") == ""


def test_signs_that_end_a_cell_or_that_latex_does_not_know():
    """A cell ends at a bar without a backslash; infinity is a symbol of mathematics."""
    name = 'process:command="a | b"'
    table = Table("agents", (name, "rating"), [(name, "+38 [+2, +∞]"), ("x", "[-∞, 1_0]")], [])
    for line in written([table], "markdown").splitlines():
        assert len(re.split(r"(?<!\\)\|", line)) == 4, line
    assert written([table], "markdown").count(r"a \| b") == 2
    latex = written([table], "latex")
    assert "∞" not in latex
    assert r"[+2, +$\infty$]" in latex
    assert r"[-$\infty$, 1\_0]" in latex
    assert "a | b" in latex


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logs")
    agents = ["uniform", "greedy", "greedy:utility=concave"]
    tournament.main(
        [*agents, "--deals", "20", "--luck", "--processes", "1", "--out", str(folder / "t.jsonl")]
    )
    solitaire.main([*agents[1:], "--deals", "20", "--processes", "1", "--out", str(folder / "s.jsonl")])
    return folder


def shown(capsys, script, path, form):
    capsys.readouterr()
    script.main(["--show", str(path), "--format", form])
    return capsys.readouterr().out


def test_a_tournament_in_each_format(logs, capsys):
    """The numbers of JSON and CSV, rounded, are the texts of Markdown; its plots are named elsewhere."""
    texts = {form: shown(capsys, tournament, logs / "t.jsonl", form) for form in ("markdown", "csv", "json")}
    found = json.loads(texts["json"])
    assert set(found) == {"agents", "pairs", "seats"}
    rows = list(csv.DictReader(io.StringIO(texts["csv"])))
    lines = texts["markdown"].splitlines()[2:5]
    for line, row, record in zip(lines, rows, found["agents"], strict=True):
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        assert cells[0] == row["agent"] == record["agent"]
        assert cells[1].startswith(f"{record['rating']:+.0f} [")
        assert cells[2] == "{wins:.1%} [{wins_low:.1%}, {wins_high:.1%}]".format(**record)
        less = "{wins_luck_adjusted:.1%} [{wins_luck_adjusted_low:.1%}, {wins_luck_adjusted_high:.1%}]"
        assert cells[3] == less.format(**record)
        assert cells[4] == row["games"] == str(record["games"])
        assert cells[5] == " ".join(f"{record[f'counter_{number}']:.1f}" for number in range(1, 7))
        assert cells[6] == f"{record['seconds_per_move']:.2g}"
        assert [row[name] for name in row] == [
            "" if value is None else str(value) for value in record.values()
        ]
    assert len(found["pairs"]) == 6
    for pair in found["pairs"]:
        (turned,) = (
            each
            for each in found["pairs"]
            if each["agent"] == pair["other"] and each["other"] == pair["agent"]
        )
        assert pair["ahead"] + turned["ahead"] == pytest.approx(1)
        assert pair["ahead_luck_adjusted_low"] + turned["ahead_luck_adjusted_high"] == pytest.approx(1)
    assert sum(seat["wins"] for seat in found["seats"]) == pytest.approx(1)
    assert "plots" not in "".join(texts.values())


def test_a_study_in_each_format(logs, capsys):
    (table,) = json.loads(shown(capsys, solitaire, logs / "s.jsonl", "json")).values()
    lines = shown(capsys, solitaire, logs / "s.jsonl", "markdown").splitlines()[2:]
    for line, record in zip(lines, table, strict=True):
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        assert cells[0] == record["contestant"]
        assert cells[1] == "{lowest:.2f} ± {lowest_half_width:.2f}".format(**record)
        assert cells[2] == "{luck_adjusted:.2f} ± {luck_adjusted_half_width:.2f}".format(**record)
        assert cells[4] == "{least}–{most}".format(**record)
        assert record["luck_adjusted_half_width"] < record["lowest_half_width"]
    assert table[0]["ahead_of_next"] > 0
    assert table[1]["ahead_of_next"] is None


def test_a_match_in_each_format(capsys):
    names = ["greedy", "uniform"]
    match.main([*names, "--deals", "20", "--seed", "5", "--luck", "--format", "json"])
    (table,) = json.loads(capsys.readouterr().out).values()
    result = play_match(Rules(), [make_agent(name) for name in names], 20, 5, luck=True)
    for number, record in enumerate(table):
        assert record["wins"] == pytest.approx(result.share(number))
        assert (record["wins_low"], record["wins_high"]) == pytest.approx(result.interval(number))
        assert record["wins_luck_adjusted"] == pytest.approx(result.adjusted(number).mean)


@pytest.mark.parametrize(("script", "first"), [(tournament, "agent"), (solitaire, "contestant")])
def test_an_agent_that_is_given_again_is_told_apart(script, first, tmp_path, capsys):
    """In every format, as in the log."""
    path = tmp_path / "log.jsonl"
    agents = ["uniform", "uniform", "greedy"]
    script.main([*agents, "--deals", "3", "--processes", "1", "--out", str(path)])
    labels = {name for line in path.read_text().splitlines() for name in json.loads(line)["agents"]}
    assert labels == {"greedy", "uniform", "uniform (2)"}
    records, *others = json.loads(shown(capsys, script, path, "json")).values()
    assert {record[first] for record in records} == labels
    if script is tournament:
        assert {(pair["agent"], pair["other"]) for pair in others[0]} == {*permutations(labels, 2)}
    read = csv.DictReader(io.StringIO(shown(capsys, script, path, "csv")))
    assert {row[first] for row in read} == labels
    for form in ("markdown", "latex"):
        tables = shown(capsys, script, path, form)
        assert tables.count("uniform (2)") == (3 if script is tournament else 1)


def test_plots_and_replays_tell_an_agent_apart_that_is_given_again(tmp_path, monkeypatch, capsys):
    drawn = []
    label = plots._label
    monkeypatch.setattr(plots, "_label", lambda name: drawn.append(name) or label(name))
    path = tmp_path / "log.jsonl"
    for script in (solitaire, tournament):
        path.unlink(missing_ok=True)
        script.main(["uniform", "uniform", "--deals", "3", "--processes", "1", "--out", str(path)])
        assert {*drawn} == {"uniform", "uniform (2)"}
        drawn.clear()
    capsys.readouterr()
    tournament.main(["--show", str(path), "--replay", "0"])
    moves = [line for line in capsys.readouterr().out.splitlines() if " seat " in line]
    assert {line.split(" seat ")[1][2:].partition(":")[0] for line in moves} == {"uniform", "uniform (2)"}
