"""Texts of the codes with which the compiled rules reject an action."""

from __future__ import annotations

from ingenious_env.compiled.placing import CHOICE_DUE, NOT_OFFERED, common_reason
from ingenious_env.engine.batch import GameBatch
from ingenious_env.games.ingenious.geometry import NUM_SYMBOLS
from ingenious_env.games.ingenious.kernels.legality import CELL_TAKEN, FIRST_ROUND, TURNED_DOUBLE
from ingenious_env.games.ingenious.moves import IngeniousActions
from ingenious_env.games.ingenious.rules import Rules


def reason(game: GameBatch, action: int, code: int) -> str:
    """The code of an illegal action in words; the game is a batch of one."""
    actions = game.actions
    assert isinstance(actions, IngeniousActions)  # noqa: S101 - every batch of this game has them
    if code == CHOICE_DUE:
        return f"this is the choice between {actions.keep} (keep) and {actions.swap} (swap)"
    if code == NOT_OFFERED:
        return "a tile must be placed now, there is no choice to swap"
    if code == TURNED_DOUBLE:
        return "a double has one orientation on a pair, the first"
    if code in (CELL_TAKEN, FIRST_ROUND):
        return _pair_reason(game, (action - actions.first_placement) % actions.num_pairs, code)
    return common_reason(game, action, code)


def _pair_reason(game: GameBatch, pair: int, code: int) -> str:
    rules: Rules = game.rules
    cells = [tuple(rules.cells[cell].tolist()) for cell in rules.geometry.pairs[pair]]
    places = f"{cells[0]} and {cells[1]}"
    if code == CELL_TAKEN:
        board = game.board[0]
        taken = next(cell for cell in cells if board[rules.geometry.index[cell]])
        return f"cell {taken} of the pair {places} is taken"
    symbols, bits = list(rules.start_symbols), int(game.state.touched[0])
    touched = ", ".join(str(symbols[k]) for k in range(NUM_SYMBOLS) if bits >> k & 1) or "none"
    return (
        "in the first round a tile must touch a start symbol, and none that an earlier tile touches; "
        f"the pair {places} does not (touched so far: {touched})"
    )
