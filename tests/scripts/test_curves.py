"""`ingenious curves`: the lines are those of the files, and files that are not curves are refused."""

from __future__ import annotations

import pytest
from commands import refused
from ingenious_agents.commands import curves

VALUE = "games,seconds,result,low,high\n100,1.5,0.5,0.4,0.6\n200,3,0.7,0.65,0.75\n"
PPO = "steps,seconds,uniform,uniform low,uniform high,greedy,greedy low,greedy high\n"
PPO += "64,2,0.9,0.8,1,0.2,0.1,0.3\n"
NAMED = [
    (folder, VALUE.replace("result,low,high", f"{name},{name} low,{name} high"))
    for folder, name in (("greedy", "greedy"), ("alone", "nobody"))
]


@pytest.fixture(name="folders")
def _folders(tmp_path, monkeypatch):
    for name, text in (("one", VALUE), ("two", VALUE), ("ppo", PPO), ("wrong", "a,b\n1,2\n"), *NAMED):
        (tmp_path / name).mkdir()
        (tmp_path / name / "curve.csv").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def drawn(words, monkeypatch):
    """What is drawn: lines by label as lists, and both labels of the axes."""
    found = []
    monkeypatch.setattr(curves, "draw_curves", lambda *given: found.append(given))
    curves.main(words)
    ((_, lines, across, what),) = found
    return {label: points.tolist() for label, points in lines.items()}, across, what


def test_lines_are_results_by_games_or_seconds(folders, monkeypatch):
    by_games = [[100, 0.5, 0.4, 0.6], [200, 0.7, 0.65, 0.75]]
    assert drawn(["one", "two"], monkeypatch) == ({"one": by_games, "two": by_games}, "games", "result")
    words = ["greedy", "ppo", "--by", "seconds", "--column", "greedy"]
    lines, across, what = drawn(words, monkeypatch)
    assert lines == {"greedy": [[1.5, 0.5, 0.4, 0.6], [3, 0.7, 0.65, 0.75]], "ppo": [[2, 0.2, 0.1, 0.3]]}
    assert (across, what) == ("seconds of training", "share of wins against greedy")
    lines, _, what = drawn(["alone"], monkeypatch)
    assert (list(lines), what) == (["alone"], "mean lowest counter")


@pytest.mark.parametrize("name", ["both.svg", "both.pdf"])
def test_the_plot_is_written(name, folders, capsys):
    pytest.importorskip("matplotlib")
    curves.main(["one", "two", "--out", f"plots/{name}"])
    assert capsys.readouterr().out == f"plots/{name}\n"
    content = (folders / "plots" / name).read_bytes()
    assert content.startswith(b"%PDF" if name.endswith("pdf") else b"<?xml")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "give a folder or more"),
        (["one", "--out", "a.png"], "--out must end with .svg or .pdf, not 'a.png'"),
        (["one", "ppo"], "the curves count games and steps: give --by seconds"),
        (["one", "--column", "greedy"], "--column must be one of result for one, not greedy"),
        (
            ["greedy", "alone", "greedy"],
            "the curves show results against greedy and nobody: name one by --column",
        ),
        (["one", "ppo", "--by", "seconds"], "against result and uniform: name one by --column"),
        (["wrong"], "curve.csv is not the learning curve of a training"),
        (["missing"], "No such file or directory"),
    ],
)
def test_wrong_input_is_refused(words, sentence, folders, capsys):
    assert sentence in refused(capsys, curves, *words)
    assert not (folders / "runs" / "curves.svg").exists()
