"""Figures and names in sentences are those of the files that have them."""

from __future__ import annotations

import json
import re

from pages import ROOT, text_of

from ingenious_env.games import definitions

FIELDS = ROOT / "agents" / "ingenious_agents" / "fields"


def prose(page):
    """A page on one line."""
    return " ".join(text_of(page).split())


def row(name, first):
    """A row of a file of figures, by its heads."""
    found = json.loads((ROOT / "docs" / "figures" / f"{name}.json").read_text(encoding="utf-8"))
    (cells,) = [row for row in found["rows"] if row[0] == first]
    return dict(zip(found["heads"], cells, strict=True))


def seconds_per_move(preset):
    """Of the agents in the field of a preset of Ingenious."""
    found = json.loads((FIELDS / f"ingenious-{preset}.json").read_text(encoding="utf-8"))
    return {each["agent"]: each["seconds_per_move"] for each in found["agents"]}


def test_the_ladder_explains_an_agent_that_is_on_it():
    explained = set(
        re.findall(r"`(greedy:epsilon=[\d.]+)` plays a random move", text_of("docs/benchmark/ladder.md"))
    )
    assert explained
    assert explained <= seconds_per_move("two").keys()


def test_shares_of_weak_starts_are_those_of_the_cards():
    """Which have the commands of the trainings."""
    shares = {}
    for preset, each in definitions()["ingenious"].presets.items():
        card = text_of(f"ingenious_env/games/ingenious/opponents/weights/{preset}.md")
        for share in re.findall(r"--weak-starts ([\d.]+)", card):
            shares.setdefault(share, []).append(each.title)
    said = prose("docs/explanation/calibration.md")
    assert len(shares) == 2
    assert [
        share for share, titles in shares.items() if f"{share} for {' and '.join(titles)}" not in said
    ] == []


def test_the_time_of_a_move_of_tree_is_that_of_both_measurements():
    name = "tree:rollouts=200"
    alone = float(row("value_tree", f"`{name}`")["seconds per move"])
    times = [round(1000 * each) for each in (alone, seconds_per_move("two")[name])]
    said = re.findall(r"(\d+) ms (?:per move )?\(\[", prose("docs/explanation/scaling.md"))
    assert said == [str(each) for each in times]


def test_the_time_of_a_move_of_value_is_that_of_the_file():
    """On the front pages, which name the share of wins of the same file."""
    seconds = float(row("value_tree", "`value`")["seconds per move"])
    for page in ("README.md", "docs/index.md"):
        assert f"in {1000 * seconds:.1f} ms per move" in prose(page)


def test_what_solved_endings_could_bring_is_the_loss_in_all_of_them():
    """With two players one game in twelve has such an ending."""

    def losses(file, name, part=""):
        cells = [cell for head, cell in row(file, f"`{name}`").items() if part in head]
        return [float(found[1]) for cell in cells if (found := re.match(r"([\d.]+) ±", cell))]

    alone = [sum(losses("endings_solitaire", name)) for name in ("value", "value-search")]
    assert [len(losses("endings_solitaire", name)) for name in ("value", "value-search")] == [3, 3]
    assert "one in twelve games has one" in prose("docs/benchmark/exact.md")
    shares = [100 * losses("endings_two", name, "loss")[0] / 12 for name in ("value", "value-search")]
    said = prose("docs/explanation/findings.md")
    assert f"loses {alone[0]:.2f} spaces in the three moves" in said
    assert f"and `value-search` {alone[1]:.2f}; with two players" in said
    assert "left, {:.1f} and {:.1f} % of a win per game".format(*shares) in said
