"""The compiled part of a game's interface: the functions that a game's module of kernels supplies.

Templates (see `kernel.py`) call these as `rules.deal(game)`; `bind` puts the game's own module in the place
of this one, whose functions are stubs. Those that are `supplied` can also be called directly (see
`dispatch.py`). All are `inlined`. `game` is a row (see `rows.py`), `staged` whether actions are staged,
`workspace` the result of `workspace()`.
"""

from __future__ import annotations

from typing import Any

from ingenious_env.compiled.dispatch import supplied


def games_of(spec: Any) -> Any:
    """The games of a spec: the layout's `games_of`."""


def workspace() -> Any:
    """Scratch memory for the functions below, on the stack of the kernel: a named tuple of vectors."""


def deal(game: Any) -> None:
    """Begin a new game with the row's stream, which continues."""


def hand_out(game: Any) -> None:
    """Begin a game whose bag is in order and from which nothing was drawn: the second half of `deal`."""


def write_mask(game: Any, staged: Any, workspace: Any, mask: Any) -> None:
    """Write 1 for each legal action, 0 for all others, to a vector of int8 [A]."""


def illegality(game: Any, staged: Any, action: Any, workspace: Any) -> Any:
    """Why an action is illegal, a code that the game's `reason` turns into text; 0 if it is legal.

    In a finished game, `NO_ACTION` is legal.
    """


def random_action(game: Any, staged: Any, random: Any, workspace: Any) -> Any:
    """The legal action picked by a random word, uniformly; `NO_ACTION` in a finished game."""


@supplied
def play(game: Any, staged: Any, action: Any) -> None:
    """Play a legal action."""


@supplied
def word_for_decision(game: Any, word: Any) -> Any:
    """A random word for the decision at hand, always the same in the same position for the same word."""


def write_observation(game: Any, viewer: Any, out: Any) -> None:
    """Write what a seat may know to a vector [D], in the layout of the game's observations.

    A section may be written with up to 64 entries too many, which the next section overwrites, but not beyond
    the vector's end.
    """


@supplied
def reshuffle(game: Any, viewer: Any, stream: Any, workspace: Any) -> Any:
    """Resample what a seat cannot know, uniformly over all possible deals, with a stream [1].

    Returns whether there is such a deal; if not, the content of the row is undefined.
    """


# Functions that the templates of `placing.py` need.


def slot_illegality(game: Any, slot: Any) -> Any:
    """Why the tile of a slot may not be placed anywhere: a code of `placing.py`, or 0."""


def placement_illegality(game: Any, slot: Any, placement: Any, workspace: Any) -> Any:
    """Why the tile of a slot may not be placed there: a code, or 0."""


def may_choose(game: Any, choice: Any) -> Any:
    """Return whether a named choice is available."""


def place(game: Any, slot: Any, placement: Any) -> None:
    """Place the tile of a slot, and advance to the next decision."""


def choose(game: Any, choice: Any) -> None:
    """Take a named choice, and advance to the next decision."""
