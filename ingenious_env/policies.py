"""Ready opponents: policies that are compiled, and what any policy gets to see.

A policy is anything with `act(view)`, which returns an action for each game of the view, integers [B]. Those
actions are flat, unless the policy has an attribute `staged` that is true.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ingenious_env.engine import GameBatch
from ingenious_env.kernels.compiling import load
from ingenious_env.moves import ActionSpace
from ingenious_env.observation import Layout
from ingenious_env.rules import Rules

if TYPE_CHECKING:
    from ingenious_env.game import Game


class View:
    """What the seats to move may know of their games, and no more.

    Args:
        batch: the games; the view looks on, it copies nothing.
    """

    def __init__(self, batch: GameBatch) -> None:
        self._batch = batch

    @classmethod
    def of(cls, game: Game) -> View:
        """One game, as the seat to move may see it."""
        return cls(GameBatch.from_rows(game.rules, game.state.memory))

    def __len__(self) -> int:
        """Number of games, B."""
        return len(self._batch)

    @property
    def rules(self) -> Rules:
        """The variant played."""
        return self._batch.rules

    @property
    def actions(self) -> ActionSpace:
        """How actions are numbered."""
        return self._batch.actions

    @property
    def keys(self) -> NDArray[np.uint64]:
        """Uint64 [B]: tells games apart, and stays with each to its end.

        For random choices that can be repeated. It is made of the game's seed, as the deal is: an agent that
        works out one from the other cheats, and nothing keeps it from that.
        """
        return self._batch.state.policy_key.copy()

    def take(self, rows: NDArray[np.int64]) -> View:
        """A view of a copy of some of the games."""
        return View(self._batch.take(rows))

    @property
    def layout(self) -> Layout:
        """How `observe` is laid out."""
        return self._batch.layout

    def observe(self) -> NDArray[np.int8]:
        """Int8 [B, D]: the vector observation of the seat to move."""
        return self._batch.observe()

    def named(self) -> dict[str, NDArray[np.int8]]:
        """What `observe` says as arrays by name: board, racks, scores, unseen (see `observation.py`)."""
        return self.layout.named(self.observe())

    def legal_mask(self) -> NDArray[np.int8]:
        """Int8 [B, A]: 1 where the action is legal."""
        return self._batch.legal_mask()

    def complete(self, seed: int = 0) -> GameBatch:
        """Whole games, flat, that could be these: what is hidden is dealt anew, as `reshuffle_hidden` does.

        The deal follows from the seed and each game's `policy_key`, so that a game's is the same in whatever
        batch it is.
        """
        games = GameBatch.from_rows(self.rules, self._batch.state.memory)
        games.reshuffle_hidden(seed=seed, by_key=True)
        return games

    def encode(self, actions: NDArray[np.int32]) -> NDArray[np.int32]:
        """Flat actions, int32 [B], as this view numbers them: staged, the slot, or where its tile goes."""
        if not self.actions.staged:
            return actions
        slots, ways = self.rules.rack_size, self.actions.num_placements
        swaps, held = actions >= slots * ways, self._batch.state.held > 0
        placing = np.where(held, slots + actions % ways, actions // ways)
        choices = np.where(swaps, actions - slots * ways + self.actions.keep, placing)
        return np.where(actions < 0, actions, choices).astype(np.int32)


class Policy(Protocol):
    """Anything that chooses actions."""

    def act(self, view: View) -> NDArray[np.integer[Any]]:
        """A legal action for each game of the view, integers [B]."""


def flat_actions(policy: Policy, view: View) -> NDArray[np.integer[Any]]:
    """What a policy plays in the games of a flat view, as flat actions [B].

    One that plays staged actions is asked for slots, and then, with these tiles in hand, for their places.
    """
    if not getattr(policy, "staged", False):
        return policy.act(view)
    games, slots = view._batch, view.rules.rack_size
    staged = GameBatch.from_rows(games.rules, games.state.memory, staged=True)
    picks = np.asarray(policy.act(View(staged))).astype(np.int64)
    actions = picks - staged.actions.keep + games.actions.keep
    placing = np.flatnonzero(picks < slots)
    if len(placing):
        held = staged.take(placing)
        held.play(picks[placing])
        places = np.asarray(policy.act(View(held))).astype(np.int64) - slots
        actions[placing] = picks[placing] * games.actions.num_placements + places
    return actions


@cache
def _kernels() -> Any:
    return load("ingenious_env.kernels.policies")


@dataclass(frozen=True)
class Uniform:
    """Every legal action with the same chance."""

    def act(self, view: View) -> NDArray[np.int32]:
        """Int32 [B]: a random legal action for each game."""
        return view._batch.random_actions(by_key=True)


@dataclass(frozen=True)
class Greedy:
    """The placement that raises the value of the own counters most, equals drawn for; swaps when it may.

    Attributes:
        utility: "points" values every space alike; "concave" values the spaces of a counter less the further
            it stands, as the lowest one decides the game; "lowest" compares as the end of the game does, the
            lowest counters first (Rules 7.3).
    """

    utility: str = "points"

    def __post_init__(self) -> None:
        """Check the name."""
        check_utility(self.utility)

    def act(self, view: View) -> NDArray[np.int32]:
        """Int32 [B]: the greedy action for each game, `NO_ACTION` for finished ones."""
        batch = view._batch
        actions = np.empty(len(batch), np.int32)
        values = UTILITIES[self.utility](batch.rules)
        batch.run(_kernels().greedy_actions, batch.actions.staged, values, actions)
        return actions


@cache
def points(rules: Rules) -> NDArray[np.float64]:
    """The value of each space of a counter, float64 [last space + 1]: its number."""
    return np.arange(rules.last_space + 1, dtype=np.float64)


@cache
def concave(rules: Rules) -> NDArray[np.float64]:
    """The value of each space of a counter, float64 [last space + 1]: each is worth less than the last."""
    concavity = CONCAVITY[min(rules.num_players, len(CONCAVITY)) - 1]
    return np.asarray(-np.exp(-concavity * points(rules)))


@cache
def lowest(rules: Rules) -> NDArray[np.float64]:
    """The value of each space of a counter, float64 [last space + 1]: a step is worth more than all above it.

    Of two score sheets the one with more value is ahead, lowest counters first (Rules 7.3): a counter that
    stands one space lower outweighs all others. Exact within 18 spaces, where floats keep every step.
    """
    return np.asarray(-((rules.num_colours + 1.0) ** (rules.last_space - points(rules))))


CONCAVITY = (0.5, 0.12, 0.03, 0.015)
"""By the number of players, tuned against the other two; with more of them each one's game is shorter."""
UTILITIES = {"points": points, "lowest": lowest, "concave": concave}
"""Values that rise, and less and less; the compiled search for the best placement builds on that."""


def check_utility(utility: str, name: str = "utility") -> None:
    """ValueError if there is no such utility; the message calls it by the name of the parameter."""
    if utility not in UTILITIES:
        msg = f"{name} must be one of {', '.join(UTILITIES)}, not {utility!r}"
        raise ValueError(msg)


POLICIES: dict[str, Policy] = {
    "uniform": Uniform(),
    "greedy": Greedy("points"),
    "lowest": Greedy("lowest"),
    "concave": Greedy("concave"),
}


def find_policy(policy: str | Policy) -> Policy:
    """The policy of this name, or the policy itself; the error names what there is."""
    if isinstance(policy, str) and policy in POLICIES:
        return POLICIES[policy]
    if isinstance(policy, str) or not callable(getattr(policy, "act", None)):
        others = "an object with act(view), as agents.make_agent makes them"
        msg = f"a policy is one of {', '.join(POLICIES)}, or {others}, not {policy!r}"
        raise (ValueError if isinstance(policy, str) else TypeError)(msg)
    return policy
