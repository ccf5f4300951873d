"""Ingenious against opponents as a Gymnasium environment, `ingenious/Versus-v0`.

The learner has one seat; `step` plays its action and then the opponents' turns, up to its next decision or the
end. Bonus plays and the choice to swap are further steps of the learner.

    >>> import gymnasium as gym
    >>> env = gym.make("ingenious_env:ingenious/Versus-v0", opponent="greedy")
    >>> observation, info = env.reset(seed=7)
    >>> over = False
    >>> while not over:
    ...     action = env.action_space.sample(info["action_mask"])
    ...     observation, reward, over, _, info = env.step(action)
    >>> env.unwrapped.game.is_over, info["result"] == reward
    (True, True)

`env.unwrapped.game` is the `Game` being played, `env.unwrapped.seat` the learner's seat. `gym.make_vec` makes a
`VersusVectorEnv` (see `vector.py`).

| | |
| --- | --- |
| actions | `Discrete(2666)` for two players, staged `Discrete(452)`: see `ActionSpace` |
| observations | vector int8 [D], planes int8 [planes, 2n − 1, 2n − 1], or a `Dict` of named arrays, own seat first: see `observation.py` |
| reward | float, or for "vector" float32 [C]; `reward_space` has the range |
| end | terminated when the game is over; never truncated |
| seed | `reset(seed=s)` deals `Game(rules, s)`; a reset without a seed deals that game's successor |
| copies | deepcopy and pickle, in the middle of a game too: the copy has the same future, if the opponents have |

| option | values, the default first | meaning |
| --- | --- | --- |
| `num_players`, `teams`, `board_side`, `num_colours`, `rack_size`, `counter_top`, `double_sheet`, `open_racks` | | the variant, see `Rules`; two players by default |
| `rules` | None, a `Rules` for two players or more | the variant as one object instead |
| `opponent` | "uniform", "greedy", "lowest", "concave", a policy | who sits at the other seats: a name in `policies.POLICIES`, an object with `act(view)`, or a sequence of these, one for each other seat, partners included, in turn order after the learner |
| `seat` | "random", "rotate", 0, 1, … | the learner's seat: drawn for each episode out of the game's own stream; the next one each episode, from seat i on for game index i; or always the same |
| `observation` | "vector", "planes", "dict" | the form of observations |
| `actions` | "flat", "staged" | a placement is one action, or two: the slot, then the place; opponents are asked for whole placements either way |
| `reward` | "outcome", "margin", "score", "sum", "vector", "lowest" | see below |
| `collaborative` | False, True | the learner gets the sum over all score sheets; not with a zero-sum reward |
| `mask_in_observation` | False, True | observations are a flat `Dict` with an entry `action_mask` and one `observation`, or for "dict" the named arrays |
| `illegal` | "raise", "random", "lose" | an illegal action raises `IllegalActionError` and changes nothing; or a random legal action is played instead; or the episode ends there with reward −1 |
| `render_mode` | None, "ansi", "svg" | `render()` returns text or a picture, with the learner's rack alone |

A step's reward is what happened at the learner's seat from its action to its next decision; what a partner does
before the learner's first decision counts to the first step, so that an episode's rewards add up.

| reward | value |
| --- | --- |
| "outcome" | at the end, +1 for the first to −1 for the last in even steps, ties shared |
| "margin" | at the end, the own lowest counter less the others' mean, over the last space |
| "score", "sum" | the rise of the own counters, all colours together |
| "vector" | the rise of each own counter, as an array; Gymnasium's checkers, which know only numbers, object to it |
| "lowest" | the rise of the own lowest counter |

| info | when | |
| --- | --- | --- |
| `action_mask` | always | int8 [A], 1 where an action is legal, all 0 at the end |
| `seat` | always | int, the learner's seat |
| `scores` | at the end | int8 [T, C], the counters of all sheets, in table order |
| `ranks` | at the end | int64 [T], 1 is best, ties share; all 0 if an illegal action broke the game off |
| `won` | at the end | bool: the learner's sheet is first, and alone |
| `result` | at the end | float, the "outcome" reward, whatever reward is used |
| `illegal_action` | after one | what was asked for |
| `played_action` | after one, with "random" | what was played instead |

What samples actions without the mask, as environment checkers do, needs `illegal` "random" or "lose". An opponent's
illegal action is an error always.
"""  # noqa: E501 - a table's row is one line

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, SupportsIndex, Unpack

import numpy as np
from numpy.typing import NDArray

from ingenious_env.adapter import Episodes, Notes, Options, Rows, SingleEnv
from ingenious_env.engine import GameBatch
from ingenious_env.options import LOSS, RuleOptions, split_options
from ingenious_env.policies import Policy, View, find_policy, flat_actions
from ingenious_env.rewards import Reward, outcome
from ingenious_env.seeding import check_index

SEATS = ("random", "rotate")
LEARNER = -1
MOST_DEALS = 100
SEAT_STREAM = np.uint64(0x94F1B5C6A2D3E787)  # tells the draw of a seat apart from the deal

AnyPolicy = str | Policy


class VersusOptions(Options, RuleOptions, total=False):
    """All options by name, but for `render_mode`."""

    opponent: AnyPolicy | Sequence[AnyPolicy]
    seat: str | int
    collaborative: bool


class Opponent(NamedTuple):
    """A policy, and what errors call it."""

    name: str
    policy: Policy


class VersusEpisodes(Episodes):
    """B games of a learner against opponents.

    Raises:
        TypeError: there is no such option, or its value is of the wrong type.
        ValueError: an option has no such value, or options exclude each other.
    """

    def __init__(self, num_games: int, **options: Unpack[VersusOptions]) -> None:
        rules, rest = split_options(options, VersusOptions.__annotations__, RuleOptions.__annotations__)
        if rules.num_players == 1:
            msg = "one player alone has no opponents; see ingenious/Solitaire-v0"
            raise ValueError(msg)
        opponents = find_opponents(rest.pop("opponent", "uniform"), rules.num_players - 1)
        seat = _check_seat(rest.pop("seat", SEATS[0]), rules.num_players)
        collaborative = rest.pop("collaborative", False)
        if not isinstance(collaborative, bool):
            msg = f"collaborative must be a bool, not {collaborative!r}"
            raise TypeError(msg)
        reward = Reward(rules, rest.pop("reward", "outcome"), collaborative=collaborative)
        super().__init__(rules, num_games, reward, **rest)
        self._seat = seat
        if not isinstance(seat, str):
            self.seats[:] = seat
        # one entry for each policy, so that all games in which it is to act are one view
        self._opponents = list({id(opponent.policy): opponent for opponent in opponents}.values())
        places = [[each.policy is opponent.policy for each in self._opponents] for opponent in opponents]
        self._who_sits = np.array([LEARNER, *(place.index(True) for place in places)])

    def _sit(self, rows: Rows) -> None:
        players = self.rules.num_players
        if self._seat == "rotate":
            self.seats[rows] = self._numbers[rows] % players
        elif self._seat == "random":
            self.seats[rows] = draw_seats(self.batch.state.stream[rows], players)

    def _go_on(self, dealt: Rows) -> None:
        for _ in range(MOST_DEALS):
            try:
                self._play_opponents()
            except BaseException:
                self.ended[:] = True  # games may wait for an opponent: only a reset leads on
                raise
            dealt = dealt & self.batch.is_over
            if not dealt.any():
                return
            self._deal(dealt)  # on a tiny board the others may fill it before the learner's first turn
        msg = f"in {MOST_DEALS} deals running, the game was over before the learner's first turn"
        raise RuntimeError(msg)

    def _play_opponents(self) -> None:
        """Let opponents act until no game waits for one."""
        while True:
            places = (self.batch.to_play - self.seats) % self.rules.num_players
            waiting = ~(self.ended | self.batch.is_over)
            who = np.where(waiting, self._who_sits[places], LEARNER)
            if (who == LEARNER).all():
                return
            for number, opponent in enumerate(self._opponents):
                rows = who == number
                if rows.any():
                    self._let_act(opponent, rows)

    def _let_act(self, opponent: Opponent, rows: Rows) -> None:
        games = self.games(rows)
        whole = games
        if games.actions.staged:
            whole = GameBatch.from_rows(self.rules, games.state.memory, copy=False)
        try:
            whole.play(flat_actions(opponent.policy, View(whole)))
        except (TypeError, ValueError) as error:
            msg = f"opponent {opponent.name}: {error}"
            raise type(error)(msg) from error
        self.put_back(rows, games)

    def notes(self) -> Notes:
        """What the infos hold besides masks, as fresh arrays."""
        return {**super().notes(), "seat": (self.seats.copy(), self._everyone)}

    def results(self) -> dict[str, NDArray[Any]]:
        """The counters, the ranks and how the learner fared."""
        rows, sheets = np.arange(len(self.seats)), self.seats % self.rules.num_sheets
        scores, ranks, over = self.batch.scores.copy(), self.batch.ranks, self.batch.is_over
        first = ranks == 1
        fared = outcome(scores, scores, over, self.rules.last_space)[rows, sheets]
        return {
            "scores": scores,
            "ranks": ranks,
            "won": first[rows, sheets] & (first.sum(axis=1) == 1),
            "result": np.where(over, fared, LOSS),
        }


def find_opponents(opponent: AnyPolicy | Sequence[AnyPolicy], count: int) -> list[Opponent]:
    """Who sits at the other seats, in turn order after the learner."""
    if isinstance(opponent, Sequence) and not isinstance(opponent, str):
        chosen = list(opponent)
        if len(chosen) != count:
            msg = f"opponent must be one policy, or {count} for the other seats, not {len(chosen)}"
            raise ValueError(msg)
    else:
        chosen = [opponent] * count
    return [
        Opponent(repr(each) if isinstance(each, str) else type(each).__name__, find_policy(each))
        for each in chosen
    ]


def draw_seats(streams: NDArray[np.uint64], players: int) -> NDArray[np.int64]:
    """A seat for each game, int64 [n], out of its stream, uint64 [n], which stays as it is."""
    x = streams ^ SEAT_STREAM
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return (((x >> np.uint64(32)) * np.uint64(players)) >> np.uint64(32)).astype(np.int64)


def _check_seat(seat: str | SupportsIndex, players: int) -> str | int:
    if isinstance(seat, str):
        if seat not in SEATS:
            msg = f"seat must be one of {', '.join(SEATS)}, or from 0 to {players - 1}, not {seat!r}"
            raise ValueError(msg)
        return seat
    return check_index("seat", seat, 0, players - 1)


class VersusEnv(SingleEnv):
    """Ingenious from one seat, opponents inside; the module's page explains the options.

    Raises:
        TypeError: there is no such option, or its value is of the wrong type.
        ValueError: an option has no such value, or options exclude each other.
    """

    def __init__(self, *, render_mode: str | None = None, **options: Unpack[VersusOptions]) -> None:
        super().__init__(VersusEpisodes(1, **options), render_mode)

    @property
    def seat(self) -> int:
        """The learner's seat in this episode."""
        return int(self.episodes.seats[0])
