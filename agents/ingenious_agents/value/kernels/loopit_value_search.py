"""Rollouts of Loopit by a value network: it plans the turns of all seats, and evaluates the last position."""

from __future__ import annotations

from ingenious_agents.search.kernels.rollouts import (
    SUMS,
    VALUES,
    add_result,
    deal_hidden,
    one_word,
    word_of_search,
)
from ingenious_agents.value.kernels.loopit_self_play import play_turn
from ingenious_env.compiled.actions import FLAT, first_choice
from ingenious_env.compiled.kernel import SPEC, inlined, kernel
from ingenious_env.compiled.phases import CHOOSE, OVER
from ingenious_env.compiled.rows import copy_row, spare_row
from ingenious_env.compiled.vectors import row_of_array, vector_of
from ingenious_env.games.loopit.kernels import games_of, play
from ingenious_env.games.loopit.kernels.turns import THROW_BACK
from ingenious_env.games.loopit.opponents.kernels.guide import result_for
from ingenious_env.games.loopit.opponents.kernels.value import (
    WEIGHTS,
    best_plan,
    evaluator_of,
    value_of_throwing_back,
)


@inlined
def roll_out(game, seat, turn, turns, width, evaluator):
    """Play on until a seat begins its `turns`th turn after `turn`; returns the value of its best plan there.

    Where the game ends before that, or for 0 turns, it returns the seat's result.
    """
    left = turns
    while game.phase != OVER:
        is_next = game.to_play == seat and game.turn != turn
        left -= int(is_next)
        node, value = -1, 0.0
        if game.phase == CHOOSE:
            if is_next and left == 0:
                value = value_of_throwing_back(game, evaluator)
        else:
            node, value, _ = best_plan(game, width, evaluator)
        if is_next and left == 0:
            return value
        if node < 0:
            play(game, FLAT, first_choice(game, FLAT) + THROW_BACK)
        else:
            play_turn(game, node, evaluator)
    return result_for(game, seat, 0.0)


@kernel(f"void({SPEC}, int32[::1], int64, int64, uint64, {WEIGHTS}, {VALUES}, int64, int64, {SUMS})")
def try_plans_by_network(spec, candidates, first, last, seed, weights, _prior, width, turns, sums):
    """As `try_by_network` of Ingenious: `width` is that of plans, and `turns` are counted, not decisions."""
    root = games_of(spec)[0]
    deal, game = spare_row(root), spare_row(root)
    evaluator, stream = evaluator_of(root, weights), one_word()
    actions, seat, word = vector_of(candidates), root.to_play, word_of_search(root, seed)
    for simulation in range(first, last):
        deal_hidden(root, deal, word, simulation, stream)
        for k in range(len(candidates)):
            copy_row(game, deal)
            play(game, FLAT, actions[k])
            add_result(row_of_array(sums, k), roll_out(game, seat, root.turn, turns, width, evaluator))
