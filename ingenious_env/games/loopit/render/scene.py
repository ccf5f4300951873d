"""Positions and their look as JSON, for pages that draw and play them.

A scene is made of one seat's observation and of what is public, so that it reveals no hidden tile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ingenious_env.games.loopit import moves, notation, reasons
from ingenious_env.games.loopit.material import DIRECTIONS
from ingenious_env.games.loopit.render import look
from ingenious_env.games.loopit.render.layout import TEXTS, tiles_left
from ingenious_env.render.squares import legal_moves
from ingenious_env.render.theme import VARIABLES

if TYPE_CHECKING:
    from ingenious_env.games.loopit.game import Game
    from ingenious_env.games.loopit.material import Tile
    from ingenious_env.games.loopit.rules import Rules


def colours(theme: str) -> dict[str, str]:
    """The backgrounds of squares by their factors as CSS variables by name, `factor2` to `factor7`."""
    return {f"factor{number}": colour for number, colour in enumerate(look.FACTORS[theme], 2)}


def board_look(rules: Rules) -> dict[str, Any]:
    """The constant part of all positions of a variant.

    Returns:
        By name: `defs`, SVG elements with the ids of `look.definitions`; `size`, the numbers of rows and
        columns; `factors` of the squares, row by row, and the `start` square; `square`, its side, and `side`,
        that of a tile; numbers of the rules.
    """
    material = rules.material
    return {
        "defs": "".join(look.definitions(VARIABLES)),
        "size": [len(material.factors), len(material.factors[0])],
        "factors": [list(row) for row in material.factors],
        "start": list(material.start),
        "square": look.SQUARE,
        "side": look.SIDE,
        "line": look.LINE,
        "rim": look.RIM,
        "rack": rules.rack_size,
        "rounds": rules.num_rounds,
        "sheets": list(range(rules.num_players)),
    }


def scene(game: Game, seat: int) -> dict[str, Any]:
    """A position as a seat may know it.

    Returns:
        By name: `tiles`, [row, column, line ends, value] of each on the board; `laid_order`, the squares of
        the tiles in the order in which they were laid, as far as that is known; `rack`, [line ends, value] of
        its tiles; `sizes` of all racks; `scores`; `bag`, the number of tiles; `laid` in this turn; `round`.
        Only for the seat to move: `left`, the most tiles that it may still lay in this turn; `stuck`, whether
        no tile fits; and its `legal_moves`.
    """
    rules = game.rules
    players = rules.num_players
    layout = game.definition.observation(rules)
    seen = {name: values[0] for name, values in layout.named(game.observe(seat)[None]).items()}
    board = [
        [int(row), int(column), _ends(seen["ends"][:, row, column]), int(seen["values"][row, column])]
        for row, column in zip(*seen["values"].nonzero(), strict=True)
    ]
    found: dict[str, Any] = {
        "tiles": board,
        "laid_order": [list(tile[0]) for tile in game.trail.tiles],
        "rack": [[_ends(tile[:4]), int(tile[4])] for tile in seen["rack"] if tile.any()],
        "sizes": np.roll(seen["rack_sizes"], seat).tolist(),
        "scores": np.roll(seen["scores"], seat).tolist(),
        "bag": int(game.state.bag.shape[1] - game.state.drawn[0]),
        "laid": int(seen["laid"][0]),
        "round": min(game.turn // players + 1, rules.num_rounds) if rules.num_rounds else 0,
    }
    if game.to_play == seat and not game.is_over:
        found |= {"left": tiles_left(game), "stuck": bool(seen["stuck"][0]), **legal_moves(game)}
    return found


def _ends(flags: Any) -> str:
    return "".join(end for end, has in zip(DIRECTIONS, flags, strict=True) if has)


def local_facts(rules: Rules) -> dict[str, Any]:
    """Facts of a variant for `page/local.js`.

    Returns:
        By name: `texts`, sentences; `ends`, the letters of line ends in order; `a_turn`, the most tiles that
        may be laid in a turn; `reasons`, by code or name why a move is illegal or none, and why a tile does
        not fit; `edges`, the words for the edges of a square in the order of line ends.
    """
    return {
        "texts": dict(TEXTS),
        "ends": DIRECTIONS,
        "a_turn": rules.tiles_per_turn,
        "reasons": {**notation.TEXTS, **moves.TEXTS, **reasons.TEXTS, **reasons.MISFITS},
        "edges": list(reasons.EDGES.values()),
    }


def revealed(game: Game) -> list[list[Tile]]:
    """The tiles of all racks, by seat: for the end of a game, and for spectators of agents."""
    return game.racks
