"""Texts of the codes with which the compiled rules reject an action."""

from __future__ import annotations

from ingenious_env.compiled.placing import CHOICE_DUE, NOT_OFFERED, common_reason
from ingenious_env.engine.batch import GameBatch
from ingenious_env.games.ingenious.geometry import NUM_SYMBOLS
from ingenious_env.games.ingenious.kernels.legality import CELL_TAKEN, FIRST_ROUND, TURNED_DOUBLE
from ingenious_env.games.ingenious.moves import IngeniousActions
from ingenious_env.games.ingenious.rules import Rules
from ingenious_env.languages import Texts

TEXTS = Texts(
    {
        CHOICE_DUE: "this is the choice between {keep} (keep) and {swap} (swap)",
        NOT_OFFERED: "a tile must be placed now, there is no choice to swap",
        TURNED_DOUBLE: "a double has one orientation on a pair, the first",
        CELL_TAKEN: "cell {cell} of the pair {first} and {second} is taken",
        FIRST_ROUND: (
            "in the first round a tile must touch a start symbol, and none that an earlier tile touches; "
            "the pair {first} and {second} does not (touched so far: {touched})"
        ),
        "none": "none",
    }
)
"""By code; pages without a server fill these sentences in, too."""


def reason(game: GameBatch, action: int, code: int) -> str:
    """The code of an illegal action in words; the game is a batch of one."""
    actions = game.actions
    assert isinstance(actions, IngeniousActions)  # noqa: S101 - every batch of this game has them
    if code == CHOICE_DUE:
        return TEXTS[code].format(keep=actions.keep, swap=actions.swap)
    if code in (NOT_OFFERED, TURNED_DOUBLE):
        return TEXTS[code]
    if code in (CELL_TAKEN, FIRST_ROUND):
        return _pair_reason(game, (action - actions.first_placement) % actions.num_pairs, code)
    return common_reason(game, action, code)


def _pair_reason(game: GameBatch, pair: int, code: int) -> str:
    rules: Rules = game.rules
    cells = [tuple(rules.cells[cell].tolist()) for cell in rules.geometry.pairs[pair]]
    first, second = cells
    if code == CELL_TAKEN:
        board = game.board[0]
        taken = next(cell for cell in cells if board[rules.geometry.index[cell]])
        return TEXTS[code].format(cell=taken, first=first, second=second)
    symbols, bits = list(rules.start_symbols), int(game.state.touched[0])
    touched = ", ".join(str(symbols[k]) for k in range(NUM_SYMBOLS) if bits >> k & 1)
    return TEXTS[code].format(first=first, second=second, touched=touched or TEXTS["none"])
