"""A page without a server opens positions as text as a server does: equal answers to equal requests."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest
from real_tables import any_action

from ingenious_env.engine.definition import definitions

PRESETS = [(name, preset) for name in ("ingenious", "loopit") for preset in definitions()[name].presets]
EDITS = [60, pytest.param(600, marks=pytest.mark.nightly)]
"""Numbers of texts that are changed somewhere."""


def positions(name, preset, seed):
    """Positions of a random game, one in five, and its end."""
    rules = definitions()[name].presets[preset].rules
    game, rng = definitions()[name].game(rules, seed), np.random.default_rng(seed)
    while not game.is_over:
        if rng.random() < 0.2:
            yield game.clone()
        game.play(any_action(game, rng))
    yield game


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_a_position_is_opened_and_played_on(both, name, preset):
    """Moves, take backs, hints, judgements, a reload and the end; and the text of any position."""
    game = next(each for each in positions(name, preset, 4) if each.history)
    players, text = game.rules.num_players, game.to_text()
    assert both.ask("read", body={"text": text})[1]["moves"] == 0
    both.sit_down({"text": text, "seats": ["human", *["greedy"] * (players - 1)]})
    state, asked = both.settled(), 0
    while not state["over"]:
        version = state["version"]
        advice = both.at_table("advice", body={"version": version, "agent": "greedy"})[1]["list"]
        if asked % 5 == 1:
            both.at_table("judge", body={"version": version, "move": advice[-1]["move"]})
            assert both.at_table("record")[0] == both.at_table("position")[0] == 409
        if asked % 5 == 3:
            both.at_table("back", body={"version": version})
            both.sides[1].tab.reload()
            version = both.settled()["version"]
            advice = both.at_table("advice", body={"version": version, "agent": "greedy"})[1]["list"]
        asked += 1
        both.at_table("move", body={"version": version, "move": advice[0]["move"]})
        state = both.settled()
    assert both.at_table("record")[0] == 422
    assert both.at_table("compared", body={})[0] == 409
    both.at_table("analysis", body={})
    for at in range(state["total"] + 1):
        status, found = both.at_table("position", query={"at": at})
        assert (status, found) == (200, definitions()[name].game.from_text(found).to_text())
    both.sit_down({"text": state["deal"], "seats": ["human"] * players})


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_each_position_is_read(both, name, preset):
    """In all phases; its text is the same again."""
    phases = set()
    for seed in range(3):
        for game in positions(name, preset, seed):
            text, seats = game.to_text(), ["human"] * game.rules.num_players
            assert both.ask("read", body={"text": text})[1]["over"] == game.is_over
            both.sit_down({"text": text, "seats": seats})
            assert both.at_table()[1]["over"] == game.is_over
            if game.is_over:
                assert both.at_table("position")[1] == text
            phases.add(game.phase)
    assert len(phases) > 1


@pytest.mark.parametrize("edits", EDITS)
@pytest.mark.parametrize("name", ["ingenious", "loopit"])
def test_a_text_that_was_changed_is_refused_by_both_or_read_by_both(both, name, edits):
    """A number, a letter or a tile is another one somewhere, or two lines have changed places."""
    rng = random.Random(name)  # noqa: S311 - a test
    texts = [game.to_text() for seed in range(3) for game in positions(name, "two", seed)]
    found = set()
    for _ in range(edits):
        text = changed(rng.choice(texts), rng)
        status, answer = both.ask("read", body={"text": text})
        if status == 200 and not answer["over"]:
            both.sit_down({"text": text, "seats": ["human"] * 2})
            both.at_table()
        found.add(status)
    assert found == {200, 422}


def changed(text, rng):
    lines = text.splitlines()
    number = rng.randrange(2, len(lines))
    kind = rng.randrange(5)
    if kind == 0:
        other = rng.randrange(2, len(lines))
        lines[number], lines[other] = lines[other], lines[number]
        return "\n".join(lines)
    parts = re.split(r"([ ,/=])", lines[number])
    place = rng.randrange(2, len(parts))
    if kind == 1:
        parts[place] = rng.choice(["0", "1", "2", "3", "9", "19", "256", "-", "x", "", "2147483648"])
    elif kind == 2:
        other = rng.randrange(2, len(parts))
        parts[place], parts[other] = parts[other], parts[place]
    elif kind == 3:
        parts[place] = re.sub(r"\d", lambda digit: str((int(digit[0]) + 1) % 10), parts[place])
    else:
        parts[place : place + 2] = []
    lines[number] = "".join(parts)
    return "\n".join(lines)


def test_what_cannot_be_opened_is_refused_in_a_sentence(both):
    """Other variants than the presets, too."""
    text = definitions()["ingenious"].game(None, 3).to_text()
    other = definitions()["ingenious"].game(definitions()["ingenious"].rules(5), 3).to_text()
    page = both.sides[1]
    status, answer = page.ask("read", body={"text": other})
    assert status == 422
    assert "at its own tables only" in answer["error"]
    for wrong in ("", "hello", "chess 1", "ingenious", "ingenious 2\n" + text.partition("\n")[2], text[:200]):
        assert both.ask("read", body={"text": wrong})[0] == 422
    said, found = (side.ask("read", body={"text": "hello"})[1]["error"] for side in both.sides)
    for name in definitions().keys() - {"ingenious", "loopit"}:  # games that other tests have registered
        said = said.replace(f", '{name}-record 1'", "").replace(f" or '{name}'", "")
    assert found == said
