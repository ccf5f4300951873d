"""A page without a server opens positions as text as a server does: equal answers to equal requests."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest
from consistency_positions import ingenious_states
from real_tables import any_action
from sampled import nightly_but

from ingenious_env.engine.definition import definitions

PRESETS = [(name, preset) for name in ("ingenious", "loopit") for preset in definitions()[name].presets]
SOME = nightly_but([("ingenious", "partnership"), ("loopit", "three")], PRESETS)
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


@pytest.mark.parametrize(("name", "preset"), SOME)
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
            assert [both.at_table(what)[0] for what in ("record", "position", "replay")] == [409] * 3
        if asked % 5 == 3:
            both.at_table("back", body={"version": version})
            both.sides[1].tab.reload()
            version = both.settled()["version"]
            advice = both.at_table("advice", body={"version": version, "agent": "greedy"})[1]["list"]
        asked += 1
        both.at_table("move", body={"version": version, "move": advice[0]["move"]})
        state = both.settled()
    assert both.at_table("record")[0] == 422
    assert both.at_table("replay")[0] == 200
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


def judged(both, text):
    """The status of a text, which both give; if it is a position, both show the same."""
    status, answer = both.ask("read", body={"text": text})
    if status == 200 and not answer["over"]:
        both.sit_down({"text": text, "seats": ["human"] * answer["players"]})
        both.at_table()
    return status


@pytest.mark.parametrize("edits", EDITS)
@pytest.mark.parametrize("name", ["ingenious", "loopit"])
def test_a_text_that_was_changed_is_refused_by_both_or_read_by_both(both, name, edits):
    """A number, a letter or a tile is another one somewhere, or two lines have changed places."""
    rng = random.Random(name)  # noqa: S311 - a test
    texts = [game.to_text() for seed in range(3) for game in positions(name, "two", seed)]
    found = set()
    for _ in range(edits):
        found.add(judged(both, changed(rng.choice(texts), rng)))
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


NUMBERS = ["-1", *"01234567", "13", "14", "19", "256", "12800", "2147483648", "007", "0007"]
BOARD, TURN, SCORES = 2, 3, 4  # lines of both games


def with_other_numbers(text, phases):
    """Texts that differ in one number of the turn, in the phase, or in one of the first scores."""
    lines = text.splitlines()
    for line in (TURN, SCORES):
        parts = re.split(r"([ ,=])", lines[line])
        for place in range(2, min(len(parts), 20), 2):
            if parts[place - 1] == "=" or parts[place].isdigit():
                for value in phases if parts[place] in phases else NUMBERS:
                    other = "".join([*parts[:place], value, *parts[place + 1 :]])
                    yield "\n".join([*lines[:line], other, *lines[line + 1 :]])


@pytest.mark.parametrize(("name", "preset"), [("ingenious", "partnership"), ("loopit", "four")])
def test_each_number_is_judged_alike(both, name, preset):
    """In all phases, and after each number of tiles that were laid in a turn."""
    phases, begun, found = definitions()[name].phases, set(), set()
    for game in (game for seed in range(4) for game in positions(name, preset, seed)):
        text = game.to_text()
        stage = (game.phase, *re.findall("laid=.", text))
        if stage not in begun:
            begun.add(stage)
            found |= {judged(both, other) for other in with_other_numbers(text, phases)}
    assert {phase for phase, *_ in begun} == set(phases)
    assert found == {200, 422}


@pytest.mark.parametrize("name", ["ingenious", "loopit"])
def test_boards_have_all_of_their_cells(both, name):
    """A text in which a row of the board is missing, too short or too long is refused."""
    lines = list(positions(name, "two", 2))[-1].to_text().splitlines()
    rows = lines[BOARD].removeprefix("board ").split("/")
    for k, row in enumerate(rows):
        for changed_row in ([], [row[:-1]], [f"{row}/1"], [f"{row},1" if name == "loopit" else f"{row}r"]):
            lines[BOARD] = f"board {'/'.join([*rows[:k], *changed_row, *rows[k + 1 :]])}"
            assert both.ask("read", body={"text": "\n".join(lines)})[0] == 422


def test_a_turn_ends_with_its_last_tile(both):
    """In Loopit: a position in which it goes on is refused."""
    definition, errors = definitions()["loopit"], []
    for game in positions("loopit", "two", 1):
        if game.laid != game.rules.tiles_per_turn - 1:
            continue
        move, after = game.move(int(game.legal_actions()[0])), game.clone()
        after.play(game.action(move))
        rack = list(game.racks[game.to_play])
        rest = [tile for tile in rack if tile != move.tile]
        before, left = (",".join(map(definition.tile_to_text, tiles)) for tiles in (rack, rest))
        lines = game.to_text().replace(f" {before}", f" {left}").splitlines()
        lines[BOARD] = after.to_text().splitlines()[BOARD]
        lines[TURN] = lines[TURN].replace(f"laid={game.laid}", f"laid={game.laid + 1}")
        status, answer = both.ask("read", body={"text": "\n".join(lines)})
        assert status == 422
        errors.append(answer["error"])
    assert any("3 tiles cannot have been laid in this turn" in error for error in errors), errors


def test_each_clause_is_judged_alike(both):
    """Positions of Ingenious that contradict themselves, and those next to them that may be."""
    definition, found = definitions()["ingenious"], []
    presets = [preset.rules for preset in definition.presets.values()]
    for begins, state in ingenious_states():
        if state.rules in presets:
            try:
                text = definition.state_to_text(state)
            except IndexError:
                continue  # a colour or a tile that has no letters
            found.append((begins, judged(both, text)))
    assert {status for begins, status in found if not begins} == {200}
    assert [status for _, status in found].count(422) > 20


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
