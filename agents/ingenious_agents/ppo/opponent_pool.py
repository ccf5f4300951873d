"""Prioritised fictitious self-play: an opponent pool that prefers opponents of about equal strength."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_env import Policy, View
from ingenious_env.engine.checks import check_index
from ingenious_env.engine.definition import AnyRules
from ingenious_env.policies.view import begin_games, check_plays, flat_actions

NEW = 4.0  # prior games of a new member, half of them won
FLOOR = 0.01  # of the weight in draws, so that every member has a chance to be drawn
MEMORY = 0.99  # discount of earlier results with each new one


@dataclass
class Member:
    """An opponent, and the learner's results against it.

    Attributes:
        policy: of the opponent.
        stays: whether it is never dropped.
        won: the learner's results, from 0 for the last place to 1 for the first, discounted by age.
        games: the number of games, discounted alike.
    """

    policy: Policy
    stays: bool
    won: float = NEW / 2
    games: float = NEW

    @property
    def share(self) -> float:
        """The learner's mean result, recent games weighted more."""
        return self.won / self.games


class Pool:
    """A policy that plays each game, from beginning to end, as one of its members.

    A member is drawn with a probability proportional to share · (1 − share) of the learner's wins against it,
    plus a floor. `draw` picks a few, among which new games are then distributed by their keys (`View.keys`):
    one network that plays many games is faster than many that play a few each. A game stays assigned until
    `record` or `record_infos` reports its end.

    Args:
        members: by name, those that always stay.
        seed: of the draws.
        active: the number drawn at a time.
        most: the largest number of others; of more, the one with the highest share of the learner is dropped.

    Attributes:
        members: those that can be drawn, by name.
        playing: the member of each unfinished game, by the game's key.

    Raises:
        TypeError, ValueError: there are no members, or a number is too small or not whole.
    """

    def __init__(
        self, members: Mapping[str, Policy], *, seed: int = 0, active: int = 3, most: int = 10
    ) -> None:
        if not members:
            msg = "a pool needs a member"
            raise ValueError(msg)
        self._active, self._most = check_index("active", active, 1), check_index("most", most, 0)
        self.members = {name: Member(policy, stays=True) for name, policy in members.items()}
        self._seed, self._number = seed, 0
        self.playing: dict[int, str] = {}
        self.draw(0)

    def draw(self, number: int | None = None) -> Sequence[str]:
        """Draw the members to which new games are assigned.

        They are determined by the results and the number of the draw, by default the one after the latest.
        """
        self._number = self._number + 1 if number is None else number
        names = list(self.members)
        shares = np.array([member.share for member in self.members.values()])
        weights = shares * (1 - shares) + FLOOR
        rng = np.random.default_rng((self._seed, self._number))
        count = min(self._active, len(names))
        chosen = rng.choice(len(names), count, replace=False, p=weights / weights.sum())
        self._drawn = [names[index] for index in chosen]
        return self._drawn

    def add(self, name: str, policy: Policy) -> None:
        """Add a past version of the learner; ValueError if there is a member of that name."""
        if name in self.members:
            msg = f"the pool has a member {name!r} already"
            raise ValueError(msg)
        self.members[name] = Member(policy, stays=False)
        others = [each for each, member in self.members.items() if not member.stays]
        if len(others) > self._most:
            del self.members[max(others, key=lambda each: self.members[each].share)]

    def check(self, rules: AnyRules) -> None:
        """ValueError if a member does not play these rules."""
        for member in self.members.values():
            check_plays(member.policy, rules)

    def begin(self, keys: NDArray[np.uint64]) -> None:
        """Start games, by their keys, uint64 [n]; members are assigned to them when they first act."""
        for key in keys.tolist():
            self.playing.pop(key, None)

    def act(self, view: View) -> NDArray[np.int64]:
        """The flat action of the member that plays each game, int64 [B]."""
        actions, keys = np.empty(len(view), np.int64), view.keys
        is_new = np.array([self.playing.get(key) not in self.members for key in keys.tolist()])
        names = np.array([self.plays(key) for key in keys.tolist()])
        for name in np.unique(names):
            rows = np.flatnonzero(names == name)
            policy = self.members[name].policy
            begin_games(policy, keys[rows[is_new[rows]]])
            actions[rows] = flat_actions(policy, view.take(rows))
        return actions

    def plays(self, key: int) -> str:
        """The member that plays the game of a key; a game whose member was dropped continues with another."""
        name = self.playing.get(key)
        if name not in self.members:
            name = self._drawn[key % len(self._drawn)]
            if name not in self.members:
                name = next(iter(self.members))
            self.playing[key] = name
        return name

    def record(self, key: int, share: float) -> None:
        """Record the learner's result in a game that has ended, from 0 to 1."""
        name = self.playing.pop(key, "")
        if name in self.members:
            member = self.members[name]
            member.won = MEMORY * member.won + share
            member.games = MEMORY * member.games + 1

    def record_infos(self, infos: Iterable[Mapping[str, Any]]) -> None:
        """Record the games that have ended, from the infos of environments of `ingenious_env.sb3`."""
        for info in infos:
            if "key" in info:
                self.record(info["key"], (1 + float(info["result"])) / 2)

    def start_afresh(self) -> None:
        """Discard the unfinished games."""
        self.playing.clear()

    @property
    def results(self) -> dict[str, tuple[float, float]]:
        """By name, the sum of the learner's results and the games, later ones weighted more."""
        return {name: (member.won, member.games) for name, member in self.members.items()}
