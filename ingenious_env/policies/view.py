"""`View`: the information that a policy gets; `Policy`: anything that chooses actions from it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ingenious_env.compiled.actions import ActionSpace
from ingenious_env.engine.batch import GameBatch
from ingenious_env.engine.definition import AnyRules
from ingenious_env.engine.game import BaseGame
from ingenious_env.engine.observation import ObservationLayout
from ingenious_env.errors import IllegalActionError


class View:
    """The information of the seats to move about their games.

    Args:
        batch: the games, which are not copied.
    """

    def __init__(self, batch: GameBatch) -> None:
        self._batch = batch

    @classmethod
    def of(cls, game: BaseGame) -> View:
        """A copy of one game, as the seat to move may see it."""
        return cls(GameBatch.from_rows(game.rules, game.state.memory))

    def __len__(self) -> int:
        """Number of games, B."""
        return len(self._batch)

    @property
    def rules(self) -> Any:
        """The variant played."""
        return self._batch.rules

    @property
    def actions(self) -> ActionSpace:
        """The numbering of actions."""
        return self._batch.actions

    @property
    def layout(self) -> ObservationLayout:
        """The layout of `observe`."""
        return self._batch.layout

    @property
    def seats(self) -> NDArray[np.int64]:
        """Int64 [B]: the seat to move, which distinguishes the seatings of one deal."""
        return self._batch.state.to_play.astype(np.int64)

    @property
    def keys(self) -> NDArray[np.uint64]:
        """Uint64 [B]: an identifier of each game, constant to its end.

        For reproducible random choices. It is derived from the game's seed, as the deal is, so that games of
        one deal share it. A policy that inferred the deal from it would cheat; nothing prevents that.
        """
        return self._batch.state.policy_key.copy()

    def take(self, rows: NDArray[np.int64]) -> View:
        """A view of a copy of some of the games."""
        return View(self._batch.take(rows))

    def observe(self) -> NDArray[Any]:
        """[B, D]: the vector observation of the seat to move."""
        return self._batch.observe()

    def named(self) -> dict[str, NDArray[Any]]:
        """`observe` as arrays by name, as the game's `observation.py` lists them."""
        return self.layout.named(self.observe())

    def legal_mask(self) -> NDArray[np.int8]:
        """Int8 [B, A]: 1 where the action is legal."""
        return self._batch.legal_mask()

    def random_actions(self) -> NDArray[np.int32]:
        """Int32 [B]: a uniformly random legal action for each game, from its key."""
        return self._batch.random_actions(by_key=True)

    def complete(self, seed: int = 0) -> GameBatch:
        """Whole games, flat, consistent with the view: hidden tiles are dealt anew, as by `reshuffle_hidden`.

        The deal follows from the seed and each game's `policy_key`, so that it does not depend on the batch
        that a game is in.
        """
        games = GameBatch.from_rows(self._batch.variant, self._batch.state.memory)
        games.reshuffle_hidden(seed=seed, by_key=True)
        return games

    def encode(self, actions: NDArray[np.int32]) -> NDArray[np.int32]:
        """Flat actions, int32 [B], as this view numbers them: staged, slots or placements."""
        return self.actions.from_flat(actions, self._batch.state.held > 0)


class Policy(Protocol):
    """Anything that chooses actions.

    Its actions are flat, unless it has an attribute `staged` that is true. Optional methods in addition to
    `act` are declared by `Remembering`, `Selective`, and `Advising` and `Calibrated` of `advice.py`.
    """

    def act(self, view: View) -> NDArray[np.integer[Any]]:
        """A legal action for each game of the view, integers [B]."""


@runtime_checkable
class Remembering(Protocol):
    """A policy with memory."""

    def begin(self, keys: NDArray[np.uint64]) -> object:
        """Start games, by their keys, uint64 [B], before it first acts in them."""


@runtime_checkable
class Selective(Protocol):
    """A policy that plays certain rules only."""

    def check(self, rules: AnyRules) -> object:
        """ValueError if it does not play these."""


def flat_actions(policy: Policy, view: View) -> NDArray[np.integer[Any]]:
    """The actions of a policy in the games of a flat view, as flat actions [B].

    One with staged actions is called for slots, and then, with these picked, for placements.

    Raises:
        IllegalActionError: a staged policy did not return an integer for each game, or an illegal action.

    What a flat policy returns is checked where it is played.
    """
    if not getattr(policy, "staged", False):
        return policy.act(view)
    games = view._batch
    staged = GameBatch.from_rows(games.variant, games.state.memory, staged=True)
    space = staged.actions
    picks = checked_actions(policy, policy.act(View(staged)), len(staged))
    is_slot, is_choice = picks < space.first_placement, picks >= space.first_choice
    if not (is_slot | is_choice).all():
        staged.play(picks)  # raises, as no tile has been picked
    actions = picks - space.first_choice + games.actions.first_choice
    placing = np.flatnonzero(is_slot)
    if len(placing):
        held = staged.take(placing)
        held.play(picks[placing])
        second = checked_actions(policy, policy.act(View(held)), len(held))
        if not ((second >= space.first_placement) & (second < space.first_choice)).all():
            held.play(second)  # raises, as a tile has been picked
        places = second - space.first_placement
        actions[placing] = picks[placing] * games.actions.num_placements + places
    return actions


def flat_action(policy: Policy, view: View) -> int:
    """The flat action of a policy in the one game of a flat view; raises as `flat_actions`."""
    return int(checked_actions(policy, flat_actions(policy, view), len(view))[0])


def checked_actions(policy: Policy, actions: ArrayLike, count: int) -> NDArray[np.int64]:
    """The actions that a policy returned, int64 [B]; IllegalActionError if they are not B integers."""
    array = np.asarray(actions)
    if array.shape != (count,) or not np.issubdtype(array.dtype, np.integer):
        found = f"{array.dtype} {list(array.shape)}"
        reason = f"must choose an action for each game, integers [{count}], not {found}"
        raise IllegalActionError(f"{name_of(policy)} {reason}", reason)
    return array.astype(np.int64)


def name_of(policy: object) -> str:
    """A policy in a message: its repr, or the name of its class where the repr would have an address only."""
    kind = type(policy)
    return kind.__name__ if kind.__repr__ is object.__repr__ else repr(policy)


def begin_games(policy: Policy, keys: NDArray[np.uint64]) -> None:
    """Notify a policy with memory that games begin, by their keys [n]."""
    if isinstance(policy, Remembering) and len(keys):
        policy.begin(keys)


def check_plays(policy: Policy, rules: AnyRules) -> None:
    """ValueError if a policy does not play these rules."""
    if isinstance(policy, Selective):
        policy.check(rules)


def check_policy(policy: object, names: Iterable[str]) -> None:
    """TypeError if a value is not a policy; the message names the ready ones."""
    if not callable(getattr(policy, "act", None)):
        others = "an object with act(view), as ingenious_agents.make_agent makes them"
        msg = f"a policy is one of {', '.join(names)}, or {others}, not {name_of(policy)}"
        raise TypeError(msg)


@dataclass(frozen=True)
class Uniform:
    """Every legal action with the same probability."""

    def act(self, view: View) -> NDArray[np.int32]:
        """Int32 [B]: a random legal action for each game."""
        return view.random_actions()
