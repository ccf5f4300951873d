"""The record of games of a value network against itself, and the targets that follow from it."""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import boolean, float32, float64, int8, int32, int64, types, uint64

from ingenious_env.compiled.kernel import inlined, kernel


class Recording(NamedTuple):
    """The record of games of self-play, by game and step.

    Attributes:
        inputs: float32 [B, S, I], of the network, for each afterstate.
        excess: float32 [B, S, E], the features of the seat's following draw less their expectation, for the
            control variate.
        values: float64 [B, S], of the best action.
        actions: int32 [B, S], the flat action played.
        sheets: int8 [B, S], the sheet that moved.
        explored: bool [B, S], whether the action was random instead of the best.
        counts: int64 [B], the number of steps.
        results: float64 [B, T], of all sheets. Where exploring ended the game, the sheet's result is the
            value of the best action.
    """

    inputs: Any
    excess: Any
    values: Any
    actions: Any
    sheets: Any
    explored: Any
    counts: Any
    results: Any


RECORDING = types.NamedTuple(
    (
        float32[:, :, ::1],
        float32[:, :, ::1],
        float64[:, ::1],
        int32[:, ::1],
        int8[:, ::1],
        boolean[:, ::1],
        int64[::1],
        float64[:, ::1],
    ),
    Recording,
)
PLAY_BY_VALUE = int64(int64[::1], int64, int64, float32[::1], float64[::1], int64, float64, RECORDING)
"""The signature of kernels that play games by a network and record them.

They take the spec, the first row and the row past the last, the weights, the numbers of a utility, the number
of candidates, the probability of a random one, and the recording.
"""


@inlined
def is_below(random, chance):
    """Return whether a random word, as a number from 0 to 1, is below a probability."""
    return float(random >> uint64(11)) * (1.0 / 9007199254740992.0) < chance


@kernel(
    "void(int64[::1], float64[::1], int8[::1], boolean[::1], float64[:, ::1],"
    " float32[::1], float64, float32[::1], float32[::1])"
)
def write_targets(counts, values, sheets, explored, results, control, td_lambda, changes, targets):
    """Write the target of each afterstate: a weighted mean of the values of the next ones of its sheet.

    The steps of all games, `counts` of each, are concatenated in the arrays [N]. The weight of the n-th value
    is (1 − λ) λ^(n−1), that of the result is the remainder. Only the next value counts where another action
    was explored, as the afterstate before has no information on it. The control variate, an estimate of the
    effect of the draw after an afterstate, is subtracted. Also writes the change of the value up to the
    sheet's next afterstate.
    """
    end = 0
    for i in range(len(counts)):
        first, end = end, end + counts[i]
        for sheet in range(results.shape[1]):
            target = value = results[i, sheet]
            for step in range(end - 1, first - 1, -1):
                if sheets[step] == sheet:
                    changes[step] = value - values[step]
                    value = values[step]
                    targets[step] = target - control[step]
                    onward = 0.0 if explored[step] else td_lambda
                    target = (1.0 - onward) * value + onward * targets[step]
