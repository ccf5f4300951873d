"""Positions and their look as JSON, for pages that draw and play them.

A scene is made of one seat's observation and of what is public, so that it reveals no hidden tile.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from ingenious_env.games.ingenious import moves, notation, reasons
from ingenious_env.games.ingenious.geometry import DIRECTIONS
from ingenious_env.games.ingenious.kernels.turns import stop_of
from ingenious_env.games.ingenious.render import look
from ingenious_env.games.ingenious.render.layout import TEXTS, plays_left
from ingenious_env.games.ingenious.tiles import COLOUR_LETTERS, COLOUR_NAMES, tile_types
from ingenious_env.languages import word
from ingenious_env.render.svg import digits
from ingenious_env.render.theme import VARIABLES

if TYPE_CHECKING:
    from ingenious_env.games.ingenious.game import Game
    from ingenious_env.games.ingenious.rules import Rules


def colours(_theme: str) -> dict[str, str]:
    """The colours of tiles as CSS variables by name, `c1` to `c6`; the same in both themes."""
    return {f"c{number}": colour for number, colour in enumerate(look.COLOURS, 1)}


def board_look(rules: Rules) -> dict[str, Any]:
    """The constant part of all positions of a variant.

    Returns:
        By name: `defs`, SVG elements with the ids of `look.definitions`; `cells`, the axial [q, r] of each,
        and `middles`, [x, y]; `pairs`, the cells of each pair that can hold a tile; `symbols`, [cell, colour]
        of the start symbols; `colours`, their names, letters and grounds; lengths and numbers of the rules.
    """
    geometry = rules.geometry
    index = geometry.index
    names, letters = map(word, COLOUR_NAMES[: rules.num_colours]), COLOUR_LETTERS[: rules.num_colours]
    return {
        "defs": "".join(look.definitions(VARIABLES, rules.num_colours)),
        "cells": geometry.cells.tolist(),
        "middles": [[float(digits(x)) for x in look.middle(cell)] for cell in index],
        "pairs": geometry.pairs.tolist(),
        "directions": [list(step) for step in DIRECTIONS],
        "symbols": [[index[cell], colour] for cell, colour in rules.start_symbols.items()],
        "colours": [list(each) for each in zip(names, letters, look.COLOURS, strict=False)],
        "side": rules.board_side,
        "cell": look.CELL,
        "body": look.BODY,
        "ring": look.RING,
        "top": rules.counter_top,
        "last": rules.last_space,
        "rack": rules.rack_size,
        "bonus": rules.has_bonus_plays,
        "sheets": [rules.sheet_of(seat) for seat in range(rules.num_players)],
    }


def scene(game: Game, seat: int) -> dict[str, Any]:
    """A position as a seat may know it.

    Returns:
        By name: `board`, a digit per cell, 0 for an empty one; `points`, what half a tile would score, by
        colour and cell; `tiles`, the cells of each tile laid, as far as known; `rack`, its tiles,
        each two colours from 1, with the `racks` of all seats where they are open; `sizes` of all racks;
        `scores` by sheet, and by sheet and colour the `room` that one tile can still fill there; `lowest`, by
        sheet the colours, from 1, whose counters are lowest; `filled`, the colours whose counters the last
        tile moved to a final space; `shown`, by seat the tiles of its latest swap that may still be there;
        `unseen`, [low, high, number] of the unseen tiles, in solitaire; `bag`, their number; `touched`
        start symbols, in the first round. Only for the seat to move: `may_swap`; `plays_left`, the most tiles
        that it may still play in this turn; and `open`, the numbers of the pairs where it may lay a tile.
    """
    rules = game.rules
    seen = {name: values[0] for name, values in _named(game, seat).items()}
    players = rules.num_players
    types, index = tile_types(rules.num_colours), rules.geometry.index
    slots = seen["racks"].reshape(-1, rules.rack_size, 2, rules.num_colours)
    racks = [[_tile(slot) for slot in rack if slot.any()] for rack in slots]
    shown = [
        [[*types[tile], int(count)] for tile, count in enumerate(each) if count] for each in seen["shown"]
    ]
    scores = np.roll(seen["scores"], rules.sheet_of(seat), axis=0)
    found = {
        "board": "".join(map(str, seen["board"].tolist())),
        "points": seen["points"].tolist(),
        "tiles": [[index[cell] for cell in tile] for tile in game.trail.tiles],
        "rack": racks[0],
        "sizes": [len(rack) for rack in game.racks],
        "scores": scores.tolist(),
        "room": [[_stop(rules, score) - score for score in sheet] for sheet in scores.tolist()],
        "lowest": [(np.flatnonzero(sheet == sheet.min()) + 1).tolist() for sheet in scores],
        "filled": _filled(game),
        "shown": [shown[(each - seat) % players] for each in range(players)],
        "bag": int(game.state.bag.shape[1] - game.state.drawn[0]),
        "touched": np.flatnonzero(seen["touched"]).tolist() if seen["first_round"][0] else [],
    }
    if len(racks) > 1:
        found["racks"] = [racks[(each - seat) % players] for each in range(players)]
    if players == 1:
        counts = seen["unseen"].tolist()
        found["unseen"] = [[*tile, count] for tile, count in zip(types, counts, strict=True) if count]
    if game.to_play == seat and not game.is_over:
        mask = game.legal_mask()[: game.actions.first_choice]
        legal = mask.reshape(2 * rules.rack_size, -1).any(axis=0)
        found |= {
            "may_swap": bool(seen["may_swap"][0]),
            "plays_left": plays_left(game),
            "open": np.flatnonzero(legal).tolist(),
        }
    return found


def local_facts(rules: Rules) -> dict[str, Any]:
    """Facts of a variant for `page/local.js`.

    Returns:
        By name: `texts`, sentences; `stops`, by space the one on which a counter there stops; `teams`,
        whether partners share a sheet; `open`, whether all racks are public; `reasons`, by code or name why a
        move is illegal or none; `none`, the word for no symbols.
    """
    stops = [_stop(rules, counter) for counter in range(rules.last_space + 1)]
    return {
        "texts": dict(TEXTS),
        "stops": stops,
        "teams": rules.teams,
        "open": rules.open_racks,
        "reasons": {**notation.TEXTS, **moves.TEXTS, **reasons.TEXTS},
        "none": reasons.TEXTS["none"],
    }


def revealed(game: Game) -> list[list[list[int]]]:
    """The tiles of all racks, by seat: for the end of a game, and for spectators of agents."""
    return [[list(tile) for tile in rack] for rack in game.racks]


def _stop(rules: Rules, counter: int) -> int:
    """The space on which a counter stops, by the compiled rule (RULES.md 4.3, 4.4)."""
    rule = getattr(stop_of, "py_func", stop_of)  # without Numba's compiler it is the function itself
    return int(rule(SimpleNamespace(spec=rules), counter))


def _filled(game: Game) -> list[int]:
    """The colours, from 1, whose counters the last tile moved to a final space (RULES.md 5.1)."""
    last = game.trail.last
    if last is None:
        return []
    after = game.scores[game.rules.sheet_of(last.seat)]
    moved = enumerate(zip(after.tolist(), last.gains.tolist(), strict=True), 1)
    return [colour for colour, (now, gain) in moved if gain and now == _stop(game.rules, now - gain)]


def _named(game: Game, seat: int) -> dict[str, Any]:
    layout = game.definition.observation(game.rules)
    return layout.named(game.observe(seat)[None])


def _tile(slot: Any) -> list[int]:
    """The two colours, from 1, of a slot of the section `racks`."""
    low, high = slot.argmax(axis=1)
    return [int(low) + 1, int(high) + 1]
