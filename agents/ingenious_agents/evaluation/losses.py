"""The losses of agents per decision in a set of positions, as programs of backgammon are compared.

The loss of an action is the value of the best one less its own. Where a set has estimates and lacks the value
of an action, the action is rolled out as those of the set were.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.evaluation.match import naming
from ingenious_agents.evaluation.positions import Position, PositionError, estimated
from ingenious_agents.evaluation.statistics import Z95
from ingenious_agents.registry import fingerprint, make_agent
from ingenious_agents.tables import Number, Table
from ingenious_env import GameBatch, IllegalActionError, Policy, View
from ingenious_env.compiled.compiling import clock
from ingenious_env.engine.extras import needs
from ingenious_env.policies.value import unit_of
from ingenious_env.policies.view import begin_games, check_plays, checked_actions, flat_actions

with needs("ingenious_agents.evaluation.losses", "ingenious-env[play]"):
    from tqdm import tqdm

BLOCK = 32
"""Positions in which an agent chooses, or actions that are rolled out, per step of a progress bar."""
SECONDS_PER_MINUTE = 60


@dataclass(frozen=True)
class Mean:
    """A mean loss and its standard error, by the spread between games."""

    value: float
    error: float

    @property
    def half_width(self) -> float:
        """Half the width of the 95 % interval."""
        return Z95 * self.error

    def __str__(self) -> str:
        """The mean with the half-width."""
        return f"{self.value:z.4f} ± {self.half_width:.4f}"


def mean_by_game(numbers: NDArray[np.float64], games: NDArray[np.int64]) -> Mean:
    """The mean of numbers [n] that are independent between games, int64 [n].

    The error is infinite where all are of one game.
    """
    value = float(numbers.mean())
    _, of_game = np.unique(games, return_inverse=True)
    sums = np.bincount(of_game, numbers - value)
    if len(sums) < 2:
        return Mean(value, float("inf"))
    return Mean(value, float(np.sqrt((sums**2).sum() * len(sums) / (len(sums) - 1)) / len(numbers)))


@dataclass(frozen=True)
class Score:
    """An agent's losses in the positions of a group.

    Attributes:
        agent: its name.
        group: of positions.
        losses: float64 [n], the value of the best action less that of the chosen one.
        from_highest: float64 [n], the highest value in the set less that of the chosen action. The same where
            values are exact; too high on average where they are estimates.
        games: int64 [n], the number of each position's game.
        rolled_out: bool [n], whether the set has no value of the action.
        unit: of the losses.
        seconds: the mean time per decision, without compilation.
        minutes: the time of decisions and rollouts.
    """

    agent: str
    group: str
    losses: NDArray[np.float64]
    from_highest: NDArray[np.float64]
    games: NDArray[np.int64]
    rolled_out: NDArray[np.bool_]
    unit: str
    seconds: float
    minutes: float

    @property
    def mean(self) -> Mean:
        """The mean loss."""
        return mean_by_game(self.losses, self.games)

    @property
    def best(self) -> float:
        """The share of actions with the highest value in the set, or a higher one."""
        return float((self.from_highest <= 0).mean())

    @property
    def halves(self) -> tuple[Mean, Mean]:
        """The mean losses in every second game, and in the others; ValueError with fewer than two games."""
        _, numbers = np.unique(self.games, return_inverse=True)
        if numbers.max() < 1:
            msg = "one game has no halves"
            raise ValueError(msg)
        one = numbers % 2 == 0
        return mean_by_game(self.losses[one], self.games[one]), mean_by_game(
            self.losses[~one], self.games[~one]
        )


class Values:
    """The values of a set's actions; those that it lacks are rolled out, each once.

    Args:
        positions: the set.

    Attributes:
        positions: as given.
        games: all of them, in this order.

    Raises:
        ValueError: the rollouts' policy does not play the variant, or has other weights than it had.
        PositionError: the actions of a position are not a game.
    """

    def __init__(self, positions: Sequence[Position]) -> None:
        self.positions = positions
        rules, rollouts = positions[0].rules, positions[0].rollouts
        try:
            rows = [each.game().state.memory for each in positions]
        except IllegalActionError as error:
            msg = f"the actions of a position are not a game: {error}"
            raise PositionError(msg) from error
        self.games = GameBatch.from_rows(rules, np.concatenate(rows))
        self._policy: Policy | None = None
        self._more: dict[tuple[int, int], float] = {}
        if rollouts is not None:
            self._policy = make_agent(rollouts.policy)
            check_plays(self._policy, rules)
            if fingerprint(self._policy, rules) != rollouts.network:
                msg = f"the values are from rollouts of {rollouts.policy} with other weights than it has now"
                raise ValueError(msg)

    def of(self, actions: Sequence[int], title: str = "") -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """The values of one action of each position, float64 [n], and bool [n]: whether the set lacks it.

        Args:
            actions: [n], legal.
            title: of a progress bar.

        Raises:
            PositionError: the values are exact, and the action is not among them.
        """
        chosen = list(enumerate(actions))
        lacks = np.array([action not in self.positions[number].values for number, action in chosen])
        jobs = [job for job, missing in zip(chosen, lacks, strict=True) if missing and job not in self._more]
        with tqdm(
            total=len(jobs), unit="action", desc=title, disable=None if jobs else True, leave=False
        ) as bar:
            for first in range(0, len(jobs), BLOCK):
                self._roll_out(jobs[first : first + BLOCK])
                bar.update(len(jobs[first : first + BLOCK]))
        values = [
            self._more[number, action] if missing else self.positions[number].values[action]
            for (number, action), missing in zip(chosen, lacks, strict=True)
        ]
        return np.array(values), lacks

    def _roll_out(self, jobs: Sequence[tuple[int, int]]) -> None:
        """Find the values of actions of positions, given by number."""
        positions = [self.positions[number] for number, _ in jobs]
        rollouts = positions[0].rollouts
        if rollouts is None or self._policy is None:
            _, action = jobs[0]
            msg = f"the position of seed {list(positions[0].seed)} has no value of action {action}"
            raise PositionError(msg)
        found = estimated(positions, [[action] for _, action in jobs], self._policy, rollouts)
        for job, each in zip(jobs, found, strict=True):
            self._more[job] = each.values[job[1]]


def score(name: str, agent: Policy, values: Values) -> list[Score]:
    """The losses of an agent in each group of a set.

    Args:
        name: of the agent.
        agent: plays the variant of the set.
        values: of the set.

    Raises:
        IllegalActionError: an action of the agent is illegal.
        PositionError: the values of a position are exact, and the chosen action is not among them.
    """
    positions, unit = values.positions, unit_of(values.games.rules)
    chosen, seconds = _choices(name, agent, values.games)
    groups = np.array([each.group for each in positions])
    best = np.array([each.best for each in positions])
    highest = np.array([max(each.values.values()) for each in positions])
    games = np.unique([each.seed for each in positions], axis=0, return_inverse=True)[1].ravel()
    began = clock()
    mine, lacks = values.of(chosen.tolist(), f"{name}: rollouts")
    per_rollout = (clock() - began) / max(1, lacks.sum())
    found = []
    for group in dict.fromkeys(groups.tolist()):
        rows = groups == group
        found.append(
            Score(
                agent=name,
                group=group,
                losses=(best - mine)[rows],
                from_highest=(highest - mine)[rows],
                games=games[rows],
                rolled_out=lacks[rows],
                unit=unit,
                seconds=float(seconds[rows].mean()),
                minutes=float(seconds[rows].sum() + per_rollout * lacks[rows].sum()) / SECONDS_PER_MINUTE,
            )
        )
    return found


def _choices(name: str, agent: Policy, games: GameBatch) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The legal actions of an agent, int64 [n], and the time of each in seconds, float64 [n]."""
    begin_games(agent, games.state.policy_key.copy())
    chosen, seconds = np.empty(len(games), np.int64), np.empty(len(games))
    with tqdm(total=len(games), unit="position", desc=name, disable=None, leave=False) as bar:
        for first in range(0, len(games), BLOCK):
            rows = np.arange(first, min(first + BLOCK, len(games)))
            part = games.take(rows)
            view = View(part)
            began = clock()
            with naming(name):
                chosen[rows] = checked_actions(agent, flat_actions(agent, view), len(view))
                seconds[rows] = (clock() - began) / len(rows)
                part.play(chosen[rows])
            bar.update(len(rows))
    return chosen, seconds


def tables(scores: Sequence[Score]) -> list[Table]:
    """Mean losses with 95 % intervals, and how far two halves of the set agree."""
    return [_losses(scores), _agreement(scores)]


def _losses(scores: Sequence[Score]) -> Table:
    estimates = any((each.losses != each.from_highest).any() for each in scores)
    rows: list[tuple[str, ...]] = []
    records: list[dict[str, Number]] = []
    for each in scores:
        at_most = float(each.from_highest.mean())
        rows.append(
            (
                each.agent,
                each.group,
                str(each.mean),
                *([f"{at_most:z.4f}"] if estimates else []),
                f"{each.best:.0%}",
                str(len(each.losses)),
                *([str(each.rolled_out.sum())] if estimates else []),
                f"{each.seconds:.2g}",
                f"{each.minutes:.2g}",
            )
        )
        records.append(
            {
                "agent": each.agent,
                "group": each.group,
                "loss": each.mean.value,
                "half_width": each.mean.half_width,
                "at_most": at_most,
                "unit": each.unit,
                "best": each.best,
                "positions": len(each.losses),
                "rolled_out": int(each.rolled_out.sum()),
                "seconds_per_move": each.seconds,
                "minutes": each.minutes,
            }
        )
    heads = (
        "agent",
        "positions",
        f"loss per move ({scores[0].unit if scores else ''})",
        *(["at most"] if estimates else []),
        "best moves",
        "number",
        *(["rolled out"] if estimates else []),
        "seconds per move",
        "minutes",
    )
    return Table("losses", heads, rows, records)


def _agreement(scores: Sequence[Score]) -> Table:
    rows: list[tuple[str, ...]] = []
    records: list[dict[str, Any]] = []
    for each in scores:
        if len(np.unique(each.games)) < 2:
            continue
        one, other = each.halves
        distance = (one.value - other.value) / float(np.hypot(one.error, other.error) or 1.0)
        rows.append((each.agent, each.group, str(one), str(other), f"{distance:+z.1f}"))
        records.append(
            {
                "agent": each.agent,
                "group": each.group,
                "one": one.value,
                "one_half_width": one.half_width,
                "other": other.value,
                "other_half_width": other.half_width,
                "difference_in_errors": distance,
            }
        )
    heads = ("agent", "positions", "one half", "the other half", "difference in standard errors")
    return Table("halves", heads, rows, records)
