"""Five and six players, which RULES.md does not have: the table of the game's README."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from reference import adjacent_pairs, board_cells, neighbours, start_symbols

from ingenious_env import Game, Rules, ingenious_v0

PAGE = Path(__file__).parents[3] / "ingenious_env" / "games" / "ingenious" / "README.md"
ROWS = {
    name: [int(five), int(six)]
    for name, five, six in re.findall(
        r"^\| ([\w' ,]+?) \| (\d+) \| (\d+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
}


def test_the_table_has_all_rows():
    assert len(ROWS) == 11


@pytest.mark.parametrize("players", [5, 6])
def test_the_game_is_as_the_table_says(players):
    column = {
        name.partition(",")[0]: numbers[players - 5]
        for name, numbers in ROWS.items()
        if "actions" not in name
    }
    side = column["board side"]
    assert side == players + 4
    cells, symbols = board_cells(side), set(start_symbols(side, 6))
    free = adjacent_pairs(cells - symbols)
    first = [pair for pair in free if any(neighbours(symbol) & pair for symbol in symbols)]
    counted = {
        "cells": len(cells),
        "tiles": 2 * 120,
        "start symbols": len(symbols),
        "pairs of adjacent cells": len(adjacent_pairs(cells)),
        "pairs without the symbols' cells": len(free),
        "pairs open to the first tile": len(first),
        "score sheets": players,
    }
    rules = Rules(players)
    assert {name: column[name] for name in counted} == counted
    assert (rules.board_side, len(rules.cells), rules.num_tiles) == (side, len(cells), 240)
    assert (rules.geometry.num_pairs, rules.num_sheets, rules.last_space) == (len(free), players, 18)
    game = Game(rules, seed=1)
    tile = game.racks[0].index(next(tile for tile in game.racks[0] if tile[0] != tile[1]))
    laid = [
        action for action in game.legal_actions() if game.move(int(action))[0][1] == game.racks[0][tile][0]
    ]
    assert len({frozenset(place for place, _ in game.move(int(action))) for action in laid}) == len(first)
    for actions in ("flat", "staged"):
        env = ingenious_v0.env(num_players=players, actions=actions)
        assert env.action_space("player_0").n == ROWS[f"actions, {actions}"][players - 5]
    space = env.observation_space("player_0")["observation"]
    assert space.shape == (column["entries of a vector observation"],)
