"""Values of actions by rollouts: the mean results of games that a policy plays to their ends.

In a rollout of an action, all that the seat to move cannot know is dealt anew, every deal that agrees with
what it has seen with the same probability; then the action is played, and the policy plays all seats. The
deals follow from the position, and are the same for all of its actions: the value of an action does not
depend on when, or with which other actions, it is rolled out.

Letters: J pairs of a position and an action, K actions of a position, N rollouts of an action.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.evaluation.match import play_out, win_shares
from ingenious_env import GameBatch, Policy
from ingenious_env.engine.definition import AnyRules

FOLDS = 8
"""Parts of the rollouts of a position (see `value_of_best`)."""


def deals_of(rules: AnyRules, row: NDArray[np.uint64], seed: Sequence[int], number: int) -> GameBatch:
    """Copies of a position in which the seat to move knows the same, and all else is dealt anew.

    Args:
        rules: the variant.
        row: the position, a row of `GameState.memory`.
        seed: whole numbers from which the deals follow.
        number: of copies; the first ones of a larger number are the same.
    """
    copies = GameBatch.from_rows(rules, np.tile(row, (number, 1)))
    copies.reshuffle_hidden(seed=int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]))
    return copies


def roll_out(policy: Policy, deals: Sequence[GameBatch], actions: Sequence[int]) -> NDArray[np.float64]:
    """The results of rollouts for the seats to move: shares of the win, in solitaire the lowest counters.

    Args:
        policy: plays all seats after the action.
        deals: the N deals of each position (see `deals_of`).
        actions: [J], flat, of these positions.

    Returns:
        Float64 [J, N].

    Raises:
        IllegalActionError: an action is illegal.
    """
    rules, number = deals[0].rules, len(deals[0])
    games = GameBatch.from_rows(rules, np.concatenate([each.state.memory for each in deals]), copy=False)
    sheets = np.array([rules.sheet_of(int(seat)) for seat in games.to_play])
    games.play(np.repeat(np.asarray(actions), number))
    if not games.is_over.all():
        play_out(games, [policy] * rules.num_sheets)
    if rules.num_sheets == 1:
        results = games.scores[:, 0].min(axis=1).astype(np.float64)
    else:
        results = win_shares(games.ranks)[np.arange(len(games)), sheets]
    return np.asarray(results.reshape(len(deals), number))


def value_of_best(results: NDArray[np.float64]) -> float:
    """An unbiased estimate of the value of the action that other rollouts estimate as the best.

    The highest of several means is too high on average, as it is the one with the largest error. Here the
    rollouts are divided into `FOLDS` parts; each part values the action with the highest mean in the others.

    Args:
        results: float64 [K, N] of the rollouts of a position, N at least `FOLDS`.
    """
    sums = np.stack([part.sum(axis=1) for part in np.array_split(results, FOLDS, axis=1)], axis=1)
    best = (sums.sum(axis=1, keepdims=True) - sums).argmax(axis=0)
    return float(sums[best, np.arange(FOLDS)].sum() / results.shape[1])
