"""The compiled basis of search: the functions that a game's `guide` supplies besides compiled rules.

Called directly: the function of the game at hand is chosen at compile time (see `dispatch.py`). Actions are
flat; the spec has `num_sheets` and `num_types`. `values` are the numbers of one of the game's `utilities`, a
vector of float64; `random` is a random word.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ingenious_env.compiled.dispatch import supplied, supplied_without_game
from ingenious_env.compiled.kernel import inlined


class Candidates(NamedTuple):
    """Actions to consider, the most promising first.

    Attributes:
        actions: int32 [K], flat.
        gains: float64 [K], what they add to the utility of the seat that moves.
        size: K, the capacity, at least 2.
    """

    actions: Any
    gains: Any
    size: Any


@supplied_without_game("workspace")
def rules_workspace(game: Any) -> Any:
    """Scratch memory for the compiled rules, on the stack of the kernel."""


@supplied_without_game("guide_workspace")
def guide_workspace(game: Any) -> Any:
    """Scratch memory for the functions below, on the stack of the kernel."""


@supplied
def greedy_action(game: Any, values: Any, random: Any, workspace: Any) -> Any:
    """The action that adds most to the utility, one of several equals at random; not in a finished game."""


@supplied
def list_candidates(game: Any, values: Any, random: Any, workspace: Any, candidates: Any) -> Any:
    """Fill candidates with the actions that add most, equals in random order; returns their number.

    Where a named choice is due, these are the choices.
    """


@supplied
def sheet_to_move(game: Any) -> Any:
    """The score sheet of the seat to move."""


@supplied
def utility_of(game: Any, sheet: Any, values: Any) -> Any:
    """The utility of the scores of a sheet."""


@supplied
def result_for(game: Any, sheet: Any, margin: Any) -> Any:
    """The value of a finished game for a sheet: its share of the win, and `margin` times its lead."""


@inlined
def insert_candidate(candidates: Any, last: Any, action: Any, gain: Any) -> None:
    """Insert a candidate where its gain belongs; the one at place `last` is dropped."""
    actions, gains, at = candidates.actions, candidates.gains, last
    while at > 0 and gains[at - 1] < gain:
        gains[at], actions[at] = gains[at - 1], actions[at - 1]
        at -= 1
    gains[at], actions[at] = gain, action
