"""Each part of an observation and of a scene that goes by seats, with different things at each seat.

The viewer comes first, then the others in turn order. Numbers and tiles are put at the seats by hand, and
what each seat sees of them is worked out here.
"""

from __future__ import annotations

import numpy as np
import pytest
from loopit_helpers import STANDARD

from ingenious_env import Game, GameBatch, Rules
from ingenious_env.engine.definition import definition_of
from ingenious_env.engine.observation import FORMS
from ingenious_env.games.ingenious.render.scene import scene
from ingenious_env.games.ingenious.tiles import tile_types
from ingenious_env.games.loopit import Game as Loopit
from ingenious_env.games.loopit.render.scene import scene as loopit_scene

TABLES = {
    "two": Rules(2),
    "three": Rules(3),
    "four": Rules(4),
    "partnership": Rules.partnership(),
    "four, open": Rules(4, open_racks=True),
    "five": Rules(5),
    "six in teams": Rules(6, teams=True, open_racks=True),
}
TYPES = tile_types(6)


def different_seats(rules: Rules, to_play: int) -> Game:
    """Seat p has the tiles, counters, shown tiles and draws of its number."""
    game = Game(rules, 1)
    state, players = game.state, rules.num_players
    for seat in range(players):
        state.racks[0, seat] = np.sort(np.array([seat, seat, 6 + seat, 12, 20 - seat, 20]))
        state.shown[0, seat] = 0
        state.shown[0, seat, [seat, 10 + seat]] = 1 + seat % 2, 2
        state.drawn_since[0, seat] = [(seat + 2 * other) % 6 for other in range(players)]
    for sheet in range(rules.num_sheets):
        state.scores[0, sheet] = [sheet, 3 * sheet, 17 - sheet, 8 + sheet, 2, 12 - sheet]
    state.unplaced[0] = 6
    state.swaps[0], state.turn[0] = 3, players * 4 + to_play
    state.to_play[0], state.plays_left[0] = to_play, 2
    return game


def one_hot(rack: list[int]) -> list:
    colours = np.eye(6, dtype=int)
    return [[colours[TYPES[tile][0] - 1].tolist(), colours[TYPES[tile][1] - 1].tolist()] for tile in rack]


def expected(game: Game, viewer: int) -> dict[str, list]:
    """The sections that go by seats, from the arrays of the position."""
    rules, state = game.rules, game.state
    seats = [(viewer + k) % rules.num_players for k in range(rules.num_players)]
    sheets = [(rules.sheet_of(viewer) + k) % rules.num_sheets for k in range(rules.num_sheets)]
    racks = state.racks[0].tolist()
    in_sight = seats if rules.open_racks else [viewer]
    unseen = [6 - sum(racks[seat].count(tile) for seat in in_sight) for tile in range(21)]
    moves = viewer == game.to_play
    return {
        "racks": [one_hot(racks[seat]) for seat in in_sight],
        "scores": [state.scores[0, sheet].tolist() for sheet in sheets],
        "unseen": unseen,
        "shown": [state.shown[0, seat].tolist() for seat in seats],
        "drawn_since": [[int(state.drawn_since[0, seat, other]) for other in seats] for seat in seats],
        "to_play": [int(seat == game.to_play) for seat in seats],
        "plays_left": [2 * moves],
        "may_swap": [0],
    }


@pytest.mark.parametrize("name", TABLES)
def test_observations_of_ingenious(name):
    rules = TABLES[name]
    for to_play in range(rules.num_players):
        game = different_seats(rules, to_play)
        batch = GameBatch.from_rows(rules, np.repeat(game.state.memory, rules.num_players, axis=0))
        layout, seats = batch.layout, np.arange(rules.num_players)
        vectors = batch.observe(viewers=seats)
        forms = {form: layout.encode(vectors, form) for form in FORMS}
        on_board = tuple((rules.cells[40] + rules.board_side - 1).tolist()[::-1])
        first = layout.sections["points"].stop
        for viewer in seats.tolist():
            wanted = expected(game, viewer)
            assert np.array_equal(game.observe(viewer), vectors[viewer])
            for section, values in wanted.items():
                part, flat = layout.sections[section], np.array(values).ravel().tolist()
                assert vectors[viewer, part.start : part.stop].tolist() == flat, (section, viewer)
                assert forms["dict"][section][viewer].ravel().tolist() == flat
                planes = forms["planes"][viewer, 13 + part.start - first : 13 + part.stop - first]
                assert planes[(slice(None), *on_board)].tolist() == flat
    others = {tuple(vector.tolist()) for vector in vectors}
    assert len(others) == rules.num_players


@pytest.mark.parametrize("name", TABLES)
def test_scenes_of_ingenious(name):
    """By seat, for any viewer."""
    rules = TABLES[name]
    for to_play in range(rules.num_players):
        game = different_seats(rules, to_play)
        racks = [[list(TYPES[tile]) for tile in rack] for rack in game.state.racks[0].tolist()]
        for seat in range(rules.num_players):
            seen = scene(game, seat)
            assert seen["rack"] == racks[seat]
            assert seen.get("racks") == (racks if rules.open_racks and rules.num_players > 1 else None)
            assert seen["scores"] == game.state.scores[0].tolist()
            assert seen["sizes"] == [6] * rules.num_players
            for other, tiles in enumerate(seen["shown"]):
                shown = game.state.shown[0, other]
                assert tiles == [[*TYPES[tile], int(shown[tile])] for tile in np.flatnonzero(shown)]
            assert ("open" in seen) == (seat == to_play)


@pytest.mark.parametrize("name", ["two", "three", "four", "four, fixed"])
def test_loopit(name):
    """Racks of different sizes, scores beyond a hundred."""
    rules = STANDARD[name]
    players = rules.num_players
    for to_play in range(players):
        game = Loopit(rules, 3)
        state = game.state
        sizes = [5 - seat for seat in range(players)]
        for seat, size in enumerate(sizes):
            state.racks[0, seat] = [*range(10 * seat, 10 * seat + size), *[255] * seat]
            state.scores[0, seat] = 97 + 3 * seat
        state.unplaced[0] = 1
        state.to_play[0], state.turn[0], state.laid[0] = to_play, 2 * players + to_play, 0
        batch = GameBatch.from_rows(rules, np.repeat(state.memory, players, axis=0))
        layout = batch.layout
        vectors = batch.observe(viewers=np.arange(players))
        named = layout.named(vectors)
        for viewer in range(players):
            seats = [(viewer + k) % players for k in range(players)]
            assert named["scores"][viewer].tolist() == [97 + 3 * seat for seat in seats]
            assert named["rack_sizes"][viewer].tolist() == [sizes[seat] for seat in seats]
            assert named["to_play"][viewer].tolist() == [int(seat == to_play) for seat in seats]
            assert named["unseen"][viewer].sum() == len(state.unplaced[0]) - sizes[viewer]
            types = [rules.material.types[tile] for tile in range(10 * viewer, 10 * viewer + sizes[viewer])]
            rack = [[*(int(end in ends) for end in "NESW"), value] for ends, value in types]
            assert named["rack"][viewer].tolist() == rack + [[0] * 5] * viewer
            part = layout.sections["scores"]
            pairs = [divmod(97 + 3 * seat, 100) for seat in seats]
            assert vectors[viewer, part.start : part.stop].reshape(-1, 2).tolist() == [list(p) for p in pairs]
            seen = loopit_scene(game, viewer)
            assert seen["scores"] == [97 + 3 * seat for seat in range(players)]
            assert seen["sizes"] == sizes
            assert [tuple(tile) for tile in seen["rack"]] == types
            assert ("legal" in seen) == (viewer == to_play)


@pytest.mark.parametrize("name", ["three", "four", "partnership"])
def test_text_and_pictures_show_each_seats_own(name):
    rules = TABLES[name]
    game = different_seats(rules, 1)
    draw = definition_of(rules).draw_text
    for viewer in range(rules.num_players):
        lines = draw(game, viewer=viewer).split("\n")[-rules.num_players :]
        assert [seat for seat, line in enumerate(lines) if "??" not in line] == [viewer]
        assert [seat for seat, line in enumerate(lines) if line.startswith(">")] == [1]
