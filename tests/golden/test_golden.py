"""The golden playthroughs, once from the engine and once from the reference."""

import loopit_golden
import pytest
from golden import FOLDER, SEEDS, playthrough
from helpers import PRESETS, reference_of

from ingenious_env import Game
from ingenious_env.games.ingenious.notation import text_to_move


@pytest.mark.parametrize("name", PRESETS)
def test_the_engine_plays_as_written(name):
    assert playthrough(PRESETS[name], SEEDS[name]) == (FOLDER / f"{name}.txt").read_text()


@pytest.mark.parametrize("name", PRESETS)
def test_the_reference_agrees(name):
    text = (FOLDER / f"{name}.txt").read_text()
    lines = text.split("\n")
    start, moves = "\n".join(lines[:11]), lines[11:]
    game = Game.from_text(start)
    reference = reference_of(game)
    swaps = 0
    for line in moves[: next(number for number, line in enumerate(moves) if line.startswith("ranks"))]:
        turn, seat, *move, last = line[:3], line[4], line[6:20].strip(), line[21:]
        assert (reference.turn, reference.to_play) == (int(turn), int(seat))
        made = text_to_move(move[0])
        game.play(game.action(made))  # for the order in which a swap leaves the bag
        reference.make(
            made if isinstance(made, str) else frozenset(made), game.bag_order if made == "swap" else None
        )
        swaps += made == "swap"
        scores = " ".join(",".join(map(str, sheet)) for sheet in reference.scores)
        assert last == f"{scores} {reference.phase} {reference.plays_left}"
    assert f"ranks {reference.ranks}" in moves
    if name == "two":
        assert swaps > 0


# Loopit.


@pytest.mark.parametrize("name", loopit_golden.PRESETS)
def test_the_engine_replays_loopit_as_written(name):
    text = (FOLDER / f"{name}.txt").read_text()
    assert loopit_golden.replay(loopit_golden.PRESETS[name], loopit_golden.SEEDS[name], text) == text


@pytest.mark.parametrize("name", loopit_golden.PRESETS)
def test_the_reference_plays_loopit_as_written(name):
    text = (FOLDER / f"{name}.txt").read_text()
    assert loopit_golden.playthrough(loopit_golden.PRESETS[name], loopit_golden.SEEDS[name]) == text
    assert all(f" {choice} " in text for choice in ("stop", "throw back", "keep"))
