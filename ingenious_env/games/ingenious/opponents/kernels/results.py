"""Values of finished games and of counters for a score sheet."""

from __future__ import annotations

from numba import int64

from ingenious_env.compiled.kernel import inlined
from ingenious_env.compiled.vectors import scratch
from ingenious_env.games.ingenious.tiles import MAX_COLOURS

_counters = scratch(int64, MAX_COLOURS)


@inlined
def sheet_to_move(game):
    """The number of the score sheet of the seat to move."""
    return game.sheet_of_seat[game.to_play]


@inlined
def sort_sheet(game, sheet, counters):
    """Write the counters of a sheet in ascending order; returns them as digits of a number (RULES.md 7.3)."""
    own, number = game.scores[sheet], 0
    for colour in range(game.spec.num_colours):
        counter, at = own[colour], colour
        while at > 0 and counters[at - 1] > counter:
            counters[at] = counters[at - 1]
            at -= 1
        counters[at] = counter
    for colour in range(game.spec.num_colours):
        number = number * 128 + counters[colour]
    return number


@inlined
def result_for(game, sheet, margin):
    """The value of a finished game for a sheet, from 0 to a little above 1.

    Against others its share of the win, and `margin` times the lead of its lowest counter, as a share of
    the last space. In solitaire its counters, each weighted `margin` times as much as the next lower one,
    as such shares.
    """
    counters, last_space = _counters(), game.spec.last_space
    own = sort_sheet(game, sheet, counters)
    if game.spec.num_sheets == 1:
        value = 0.0
        for k in range(game.spec.num_colours - 1, -1, -1):
            value = counters[k] + margin * value
        return value / last_space
    lowest, lowest_of_others, better, equal = counters[0], 0, 0, 1
    for other in range(game.spec.num_sheets):
        if other != sheet:
            others = sort_sheet(game, other, counters)
            lowest_of_others = max(lowest_of_others, counters[0])
            better += int(others > own)
            equal += int(others == own)
    share = 0.0 if better else 1.0 / equal
    return share + margin * (lowest - lowest_of_others) / last_space


@inlined
def outcome(game, sheet):
    """The value of a finished game for a sheet, the target of the value network.

    Against others its share of the win. In solitaire the weighted mean of its lowest four counters, with
    weights 1, 0.2, 0.1 and 0.05 from the lowest up.
    """
    if game.spec.num_sheets > 1:
        return result_for(game, sheet, 0.0)
    counters = _counters()
    sort_sheet(game, sheet, counters)
    value, weight, weights = 0.0, 1.0, 0.0
    for k in range(min(4, game.spec.num_colours)):
        value += weight * counters[k]
        weights += weight
        weight = 0.2 if k == 0 else weight / 2
    return value / weights


@inlined
def value_of_sheet(game, sheet, values):
    """The value of the counters of a sheet; `values` has one number for each space of a counter."""
    own, value = game.scores[sheet], 0.0
    for colour in range(game.spec.num_colours):
        value += values[own[colour]]
    return value
