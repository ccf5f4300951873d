"""The losses in endings on cards: those of the chosen actions, and manipulations that are refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from ingenious_agents import make_agent
from ingenious_agents.commands import rate, verify
from ingenious_agents.evaluation import card as cards
from ingenious_agents.evaluation.card import CardError, log_of
from ingenious_agents.evaluation.endings import (
    chosen_in,
    endings_of,
    endings_path,
    endings_table,
    losses_of,
    values_of,
)
from ingenious_agents.evaluation.losses import score
from ingenious_agents.evaluation.positions import PositionError
from ingenious_agents.search.exact_two import TwoPlayerSolver
from ingenious_agents.tables import written

from ingenious_env import Rules
from ingenious_env.policies.value import shipped_path

SETS = {rules: endings_path(rules) for rules in (Rules.solitaire(), Rules())}


@pytest.fixture(scope="module")
def card(tmp_path_factory):
    path = tmp_path_factory.mktemp("card") / "card.json"
    words = ["--players", "1", "--half-width", "300", "--deals", "5", "--processes", "1"]
    rate.main(["greedy", *words, "--out", str(path)])
    return path


def refusal(card, folder, change, *, itself=False):
    """The sentence with which a changed copy of a card is refused."""
    path = folder / "card.json"
    shutil.copy(log_of(card), log_of(path))
    values = json.loads(card.read_text(encoding="utf-8"))
    change(values)
    path.write_text(json.dumps(values), encoding="utf-8")
    with pytest.raises(CardError) as refused:
        for _ in cards.verify(path, sample=0.0, itself=itself, seed=0):
            pass
    return str(refused.value)


@pytest.mark.parametrize("path", SETS.values(), ids=lambda path: path.stem)
def test_losses_are_those_of_a_score(path):
    values = values_of(path)
    found = losses_of(path, chosen_in(make_agent("greedy"), path))
    scores = score("greedy", make_agent("greedy"), values)
    assert [each["group"] for each in found] == [each.group for each in scores]
    for mine, other in zip(found, scores, strict=True):
        assert mine["loss"] == pytest.approx(other.losses.mean(), abs=1e-4)
        assert mine["half_width"] == pytest.approx(other.mean.half_width, abs=1e-4)
        assert mine["best"] == pytest.approx((other.losses <= 0).mean(), abs=1e-4)
    best = [max(each.values, key=each.values.__getitem__) for each in values.positions]
    assert all(each["loss"] == 0 and each["best"] == 1 for each in losses_of(path, best))
    with pytest.raises(PositionError, match="positions, not 1"):
        losses_of(path, best[:1])


def test_line_ends_of_windows_are_the_same_set(tmp_path):
    path = SETS[Rules.solitaire()]
    copy, best = tmp_path / path.name, [max(each.values) for each in values_of(path).positions]
    copy.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert endings_of(copy, best) == endings_of(path, best)


def test_the_endings_of_two_players_are_exact():
    """And the choice makes a difference in each."""
    positions, solver = values_of(SETS[Rules()]).positions, TwoPlayerSolver(Rules(2), 1 << 24)
    assert len({each.seed for each in positions}) == len(positions) >= 100
    for each in positions:
        assert min(each.values.values()) < max(each.values.values())
    for each in positions[::40]:
        game = each.game()
        assert set(each.values) == set(map(int, game.legal_actions()))
        found = solver.solve_unseen(game)
        for action, value in zip(found.actions.tolist(), found.values.tolist(), strict=True):
            assert each.values[action] == pytest.approx(value, abs=1e-4)


@pytest.mark.parametrize(("rules", "path"), SETS.items(), ids=("solitaire", "two"))
def test_the_model_card_of_the_shipped_network_has_its_losses(rules, path):
    model_card = shipped_path(rules).with_suffix(".md").read_text(encoding="utf-8")
    table = endings_table(endings_of(path, chosen_in(make_agent("value"), path)))
    assert f"## Endings\n\n{written([table], 'markdown')}\n" in model_card


def test_the_figures_of_losses_with_two_placements_left_are_those_of_the_agents():
    """In the endings of two players."""
    path = Path(__file__).parents[3] / "docs" / "figures" / "endings_two.json"
    shown = {name: cells for name, *cells in json.loads(path.read_text(encoding="utf-8"))["rows"]}
    for name in ("value", "greedy", "uniform"):
        (found,) = losses_of(SETS[Rules()], chosen_in(make_agent(name), SETS[Rules()]))
        loss = f"{found['loss']:.4f} ± {found['half_width']:.4f}"
        assert shown[f"`{name}`"] == [loss, f"{found['best']:.0%}".replace("%", " %")]


def test_a_card_has_what_the_agent_loses(card, capsys):
    values = json.loads(card.read_text(encoding="utf-8"))["endings"]
    path = SETS[Rules.solitaire()]
    assert values == endings_of(path, chosen_in(make_agent("greedy"), path))
    rate.main(["--show", str(card)])
    printed = capsys.readouterr().out
    assert f"{values['losses'][0]['loss']:.4f} ± " in printed
    verify.main([str(card), "--itself"])
    assert "all numbers follow" in capsys.readouterr().out


def test_manipulated_endings_are_refused(card, tmp_path):
    def set_to(*place_and_value):
        *place, key, value = place_and_value

        def change(values):
            inside = values["endings"]
            for each in place:
                inside = inside[each]
            inside[key] = value

        return change

    positions = values_of(SETS[Rules.solitaire()]).positions
    worst = [min(each.values, key=each.values.__getitem__) for each in positions]
    for change, sentence in (
        (set_to("losses", 0, "loss", 0.0), "losses is"),
        (set_to("losses", 1, "half_width", 0.001), "losses is"),
        (set_to("losses", 2, "best", 0.9), "losses is"),
        (set_to("losses", 2, "positions", 249), "losses is"),
        (set_to("losses", 2, "group", "none"), "losses is"),
        (set_to("digest", "0" * 64), "digest is"),
        (set_to("set", "others"), "set is"),
        (set_to("chosen", worst), "losses is"),
        (set_to("chosen", 7, 10**6), "has no value of action 1000000"),
        (set_to("chosen", [1]), "positions, not 1"),
        (set_to("chosen", []), "chosen must be a list with an entry or more"),
        (set_to("chosen", 7, 0.5), "must be a whole number"),
        (lambda values: values.update(endings=None), "the card has no actions in endings"),
        (lambda values: values.pop("endings"), "must have the entries"),
    ):
        assert sentence in refusal(card, tmp_path, change)


def test_other_actions_than_the_agents_are_found_on_request(card, tmp_path):
    """They lose nothing, and the card says so; only the agent itself shows that they are not its own."""
    path = SETS[Rules.solitaire()]
    best = [max(each.values, key=each.values.__getitem__) for each in values_of(path).positions]

    def change(values):
        values["endings"] = endings_of(path, best)

    assert "greedy plays action" in refusal(card, tmp_path, change, itself=True)


def test_no_endings_where_there_is_no_set(card, tmp_path, monkeypatch):
    monkeypatch.setattr(cards, "endings_path", lambda _: None)
    assert "the card has actions in endings" in refusal(card, tmp_path, lambda _: None)
