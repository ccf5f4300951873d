"""Tables of the site are those of files, which say how they were made, and so are figures of the README."""

from __future__ import annotations

import json
import re
import tomllib

import pytest
from pages import ROOT, pages, text_of

from scripts import seats

FIGURES = ROOT / "docs" / "figures"
RESULTS = {"seats", "levels", "recipes"}
"""Files of scripts that keep all results, with a directive each."""
SHOWN = re.compile(r"\{(figures|figure-of)\} ([\w-]+)")


def content(name):
    return json.loads((FIGURES / f"{name}.json").read_text(encoding="utf-8"))


def names():
    return sorted(path.stem for path in FIGURES.glob("*.json"))


def rows(name):
    return {row[0]: row[1:] for row in content(name)["rows"]}


def test_each_file_is_shown_and_each_page_has_its_files():
    shown = {name for page in pages() for _, name in SHOWN.findall(text_of(page))}
    assert shown | RESULTS == set(names())
    for name in RESULTS:
        assert any(f"{{{name}}}" in text_of(page) for page in pages())


@pytest.mark.parametrize("name", sorted(set(names()) - RESULTS))
def test_a_file_says_how_it_was_made(name):
    """By a command, on a machine, at a commit, or where the figures were converted from."""
    found = content(name)
    assert found["command"]
    assert found["machine"]
    commit = found["commit"]
    assert re.fullmatch(r"[0-9a-f]{40}", commit) if commit else found.get("converted")
    assert {len(row) for row in found["rows"]} == {len(found["heads"])}


@pytest.mark.parametrize("name", sorted(RESULTS))
def test_a_file_of_all_results_says_where_it_was_made(name):
    """On a machine, at a commit; the page has the command."""
    found = content(name)["machine"]
    assert re.fullmatch(r"[0-9a-f]{40}", found["commit"])
    assert found["processor"]
    assert any(
        f"python -m scripts.{name}" in text_of(page) for page in pages() if f"{{{name}}}" in text_of(page)
    )


def test_the_file_of_seats_has_all_presets():
    found = seats.rows_in(FIGURES / "seats.json")
    assert {row.preset for row in found} == set(seats.presets_of(None))


def test_losses_in_endings_as_shares_of_the_best_values():
    """The percentages of the page follow from the file and from the positions."""
    path = ROOT / "agents/ingenious_agents/positions/ingenious-solitaire-endings.jsonl"
    best: dict[str, list[float]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        position = json.loads(line)
        best.setdefault(position["group"][0], []).append(max(position["values"].values()))
    means = {left: sum(values) / len(values) for left, values in best.items()}
    page = " ".join(text_of("docs/benchmark/exact.md").split())
    assert "worth {:.2f}, {:.2f} and {:.2f} spaces".format(*(means[left] for left in "234")) in page
    losses = rows("endings_solitaire")
    for agent, words in (("`value`", "`value` loses"), ("`value-search`", "and `value-search`")):
        shares = [
            100 * float(cell.split(" ")[0]) / means[left]
            for cell, left in zip(losses[agent], "234", strict=True)
        ]
        assert "{} {:.2f}, {:.2f} and {:.2f} %".format(words, *shares) in page


def test_each_extra_has_its_size():
    """But those of developers."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].keys() - {"dev", "docs", "nightly", "all"}
    assert {name.strip("`") for name in rows("extras")} == extras


def test_games_of_both_comparisons_are_added():
    """Of Ingenious, for which there are three implementations of the rules."""
    python, c, both = (
        int(rows("agreement")[name][0].replace(",", ""))
        for name in ("a reference in Python", "an engine in C", "both")
    )
    assert python + c == both
    assert {row[-1] for row in content("agreement")["rows"]} == {"0"}
    engines = ("ingenious_env/engine/batch.py", "tests/oracle/reference.py", "scripts/benchmark/engine.c")
    assert all((ROOT / each).exists() for each in engines)


def test_the_figures_of_the_readme_are_those_of_the_files():
    readme = " ".join(text_of("README.md").split())
    fastest = rows("speed")["`GameBatch.play`, mask and observation, 1,024 games"][0]
    wins = rows("value_tree")["`value`"][0].partition(" [")[0]
    assert f"{fastest} steps per second" in readme
    assert f"wins {wins} of its games" in readme
    assert f"in {rows('agreement')['both'][0]} games against independent implementations" in readme
    assert f"{len(rows('trainers'))} libraries have an example that learns" in readme
