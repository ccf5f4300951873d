"""Ingenious against built-in or custom opponents as a Gymnasium environment, `ingenious/Versus-v0`.

The learner has one seat. `step` plays the learner's action and then the opponents' turns, up to the learner's next
decision or the end of the game. Bonus plays and the choice to swap are further steps of the learner.

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
`VersusVectorEnv` (see `vector.py`). `ingenious/Loopit-v0` is the same environment for Loopit; `loopit_v0` lists the
differences.

| part | what it is |
| --- | --- |
| actions | `Discrete(2666)` for two players, staged `Discrete(452)`; numbered by `IngeniousActions` in `games/ingenious/moves.py` |
| observations | int8 [D], int8 [planes, 2n − 1, 2n − 1] or a `Dict` of arrays; sections in `games/ingenious/observation.py` |
| reward | float, or float32 [C] for `"vector"`; `reward_space` is its range |
| termination | when the game is over; truncation never occurs |
| seed | `reset(seed=s)` deals `Game(rules, s)`; `reset()` deals the next game from the random stream of the present one |
| copies | `deepcopy` and `pickle` work at any point of a game; the copy has the same future, provided that the copied opponents act the same |

Sizes of the other presets are in `ingenious_v0`. These options are explained there: `rules` and the options of the
variant (at least two players here), `observation`, `actions`, `reward` (default `"outcome"`) and `collaborative`. The
others are:

| option | values, the default first | meaning |
| --- | --- | --- |
| `opponent` | `"uniform"`, another name below, a policy, a sequence | the policy at the other seats: a name, an object with `act(view)`, or a sequence with one of these for each other seat, partners included, in turn order after the learner |
| `seat` | `"random"`, `"rotate"`, 0, 1, … | the learner's seat: `"random"` draws it for each episode, determined by the seed of the game; `"rotate"` takes the next seat in each episode, starting at the game's index, so that `reset(seed=s)` without an index always gives seat 0: to rotate in an evaluation, seed the first reset only, or pass `options={"index": i}` with one seed; a number fixes it |
| `mask_in_observation` | `False`, `True` | `True`: observations are a flat `Dict` with `action_mask` and either `observation` or, for `observation="dict"`, the named arrays |
| `illegal` | `"raise"`, `"random"`, `"lose"` | an illegal action raises `IllegalActionError` and changes nothing; a random legal action is played instead; or the episode ends with reward −1 |
| `render_mode` | `None`, `"ansi"`, `"svg"`, `"rgb_array"` | `render()` returns text, an SVG picture or pixels (extra `pixels`), uint8 [H, W, 3], with the racks that the learner may see; with `"human"`, `gymnasium.make` opens a window (extra `window`) |

| opponent | play |
| --- | --- |
| `"uniform"` | a uniformly random legal action |
| `"greedy"` | the placement with the most points |
| `"lowest"` | the placement after which its counters rank highest, lowest counters first |
| `"concave"` | the placement that most increases a concave value of its counters, in which low counters count more |
| `"value"` | the placement whose resulting position is valued most by a trained network, shipped for the presets of `ingenious_v0`; other variants raise `ValueError` |

Any other agent is an opponent as an object: `opponent=make_agent("tree")`, by `ingenious_agents.make_agent`.

An opponent's actions are whole (flat) placements for any `actions`, unless its attribute `staged` is true. An
illegal action of an opponent always raises. Its method `begin(keys)`, if it has one, is called when games begin (see
`Policy`). An opponent that is given by name survives `EnvSpec.to_json`; a policy does not (one that is no dataclass
raises `TypeError` there): give it again, `make(spec, opponent=policy)`.

A step's reward is the sum at the learner's seat from its action to its next decision. What a partner scores before the
learner's first decision is added to the reward of the first step, so that the rewards of an episode sum to its return.
With `"vector"` rewards Gymnasium's environment checker warns, as it expects numbers.

| info | present | value |
| --- | --- | --- |
| `action_mask` | always | int8 [A], 1 where an action is legal, all 0 at the end |
| `seat` | always | int, the learner's seat |
| `scores` | at the end | int8 [T, C], the counters of all score sheets, in table order |
| `ranks` | at the end | int64 [T], 1 is best, ties share a rank; all 0 if an illegal action ended the game |
| `won` | at the end | bool, whether the learner's sheet is first without a tie |
| `result` | at the end | float64, the `"outcome"` reward, whichever reward is used; rewards are float32 |
| `illegal_action` | after an illegal action | the action requested |
| `played_action` | after an illegal action, with `illegal="random"` | the action played instead |

Code that samples actions without the mask, such as environment checkers, needs `illegal="random"` or `"lose"`.
"""  # noqa: E501 - a table's row is one line

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from ingenious_env.compiled.rng import mix, scale
from ingenious_env.engine.batch import GameBatch
from ingenious_env.engine.checks import check_bool, check_choice, check_index
from ingenious_env.engine.definition import AnyDefinition, AnyRules
from ingenious_env.engine.ranking import outcome_of_ranks
from ingenious_env.envs.episodes import Episodes, Notes, Rows
from ingenious_env.envs.gymnasium import SingleEnv
from ingenious_env.envs.options import LOSS, AnyGame, Options, find_game, known_options, split_options
from ingenious_env.errors import IllegalActionError
from ingenious_env.policies.view import Policy, View, begin_games, check_plays, check_policy, flat_actions

SEATS = ("random", "rotate")
LEARNER = -1
MAX_DEALS = 100
SEAT_STREAM = np.uint64(0x94F1B5C6A2D3E787)  # separates the draw of a seat from the deal

AnyPolicy = str | Policy


class VersusOptions(Options, total=False):
    """Options by name, except `render_mode` and those of the rules."""

    opponent: AnyPolicy | Sequence[AnyPolicy]
    seat: str | int
    collaborative: bool


class Opponent(NamedTuple):
    """A policy, and its name in errors."""

    name: str
    policy: Policy


class VersusEpisodes(Episodes):
    """B games of a learner against opponents.

    Args:
        num_games: B.
        game: a registered game, by name or as its definition.
        options: see the module's page.

    Raises:
        TypeError: there is no such option, or its value is of the wrong type.
        ValueError: an option has no such value, or options exclude each other.
    """

    def __init__(self, num_games: int, game: AnyGame = "ingenious", **options: Any) -> None:
        definition = find_game(game)
        rules, rest = split_options(definition, options, known_options(VersusOptions))
        if rules.num_players == 1:
            msg = "one player has no opponents; see ingenious/Solitaire-v0"
            raise ValueError(msg)
        opponents = find_opponents(definition, rules, rest.pop("opponent", "uniform"))
        seat = _check_seat(rest.pop("seat", SEATS[0]), rules.num_players)
        collaborative = check_bool("collaborative", rest.pop("collaborative", False))
        name = rest.pop("reward", definition.rewards[0])
        reward = definition.reward(rules, name, collaborative=collaborative)
        super().__init__(rules, num_games, reward, **rest)
        self._seat = seat
        if not isinstance(seat, str):
            self.seats[:] = seat
        # one entry for each policy, so that all games in which it moves are one view
        self._opponents = list({id(opponent.policy): opponent for opponent in opponents}.values())
        places = [[each.policy is opponent.policy for each in self._opponents] for opponent in opponents]
        self._who_sits = np.array([LEARNER, *(place.index(True) for place in places)])
        self._sheet_of_seat = np.array([rules.sheet_of(seat) for seat in range(rules.num_players)])

    def _assign_seats(self, rows: Rows) -> None:
        players = self.rules.num_players
        for opponent in self._opponents:
            begin_games(opponent.policy, self.batch.state.policy_key[rows])
        if self._seat == "rotate":
            self.seats[rows] = self._numbers[rows] % players
        elif self._seat == "random":
            self.seats[rows] = draw_seats(self.batch.state.stream[rows], players)

    def _advance(self, dealt: Rows) -> None:
        for _ in range(MAX_DEALS):
            try:
                self._play_opponents()
            except BaseException:
                self.ended[:] = self.is_interrupted = True  # games may wait for an opponent
                raise
            dealt = dealt & self.batch.is_over
            if not dealt.any():
                return
            self._deal(dealt)  # on a tiny board the others may fill it before the learner's first turn
        msg = f"in {MAX_DEALS} deals running, the game was over before the learner's first turn"
        raise RuntimeError(msg)

    def _play_opponents(self) -> None:
        """Play the opponents' moves until no game waits for one."""
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
        games, before = self.games(rows), self._before(rows)
        whole = games
        if games.actions.staged:
            whole = GameBatch.from_rows(games.variant, games.state.memory, copy=False)
        try:
            actions = flat_actions(opponent.policy, View(whole))
            whole.play(actions)
        except (TypeError, ValueError) as error:
            msg = f"opponent {opponent.name}: {error}"
            # not the error's own type, which may take other arguments
            kinds = (IllegalActionError, TypeError, ValueError)
            raise next(kind for kind in kinds if isinstance(error, kind))(msg) from error
        self.put_back(rows, games)
        if before is not None:
            self._note(rows, whole.actions, actions, *before)

    def notes(self) -> Notes:
        """The entries of infos besides masks, as fresh arrays."""
        return {**super().notes(), "seat": (self.seats.copy(), self._everyone)}

    def results(self) -> dict[str, NDArray[Any]]:
        """The scores, the ranks and the learner's result."""
        rows, sheets = np.arange(len(self.seats)), self._sheet_of_seat[self.seats]
        scores, ranks, over = self.batch.scores.copy(), self.batch.ranks, self.batch.is_over
        first = ranks == 1
        result = np.full(len(rows), LOSS)
        result[over] = outcome_of_ranks(ranks[over])[np.arange(over.sum()), sheets[over]]
        return {
            "scores": scores,
            "ranks": ranks,
            "won": first[rows, sheets] & (first.sum(axis=1) == 1),
            "result": result,
        }


def find_opponents(
    game: AnyDefinition, rules: AnyRules, opponent: AnyPolicy | Sequence[AnyPolicy]
) -> list[Opponent]:
    """The policies at the other seats, in turn order after the learner.

    Raises:
        TypeError: one of them is not a policy.
        ValueError: there is no policy of a name, it does not play these rules, or there are too few or too
            many.
    """
    count = rules.num_players - 1
    if isinstance(opponent, Sequence) and not isinstance(opponent, str):
        chosen = list(opponent)
        if len(chosen) != count:
            msg = f"opponent must be one policy, or {count} for the other seats, not {len(chosen)}"
            raise ValueError(msg)
    else:
        chosen = [opponent] * count
    opponents = [
        Opponent(repr(str(each)) if isinstance(each, str) else type(each).__name__, find_policy(game, each))
        for each in chosen
    ]
    for each in opponents:
        check_plays(each.policy, rules)
    return opponents


def find_policy(game: AnyDefinition, policy: AnyPolicy) -> Policy:
    """The game's ready policy of this name, or the policy itself; the error names the ready ones."""
    if isinstance(policy, str):
        check_choice("opponent", policy, game.policies)
        found: Policy = game.policy(policy)
        return found
    if isinstance(policy, Mapping):
        msg = (
            f"opponent must be one of {', '.join(game.policies)}, or a policy, not {policy!r}: of a policy "
            "EnvSpec.to_json keeps the fields only; give it to make again, as opponent=…"
        )
        raise TypeError(msg)
    check_policy(policy, game.policies)
    return policy


def draw_seats(streams: NDArray[np.uint64], players: int) -> NDArray[np.int64]:
    """A seat for each game, int64 [n], from its stream, uint64 [n], which does not change."""
    seats: NDArray[np.int64] = scale.py_func(mix.py_func(streams ^ SEAT_STREAM), np.uint64(players))
    return seats


def _check_seat(seat: str | SupportsIndex, players: int) -> str | int:
    if isinstance(seat, str):
        if seat not in SEATS:
            msg = f"seat must be one of {', '.join(SEATS)}, or from 0 to {players - 1}, not {seat!r}"
            raise ValueError(msg)
        return seat
    return check_index("seat", seat, 0, players - 1)


class VersusEnv(SingleEnv):
    """A game from one seat, with built-in opponents; the module's page explains the options.

    Raises:
        TypeError: there is no such option, or its value is of the wrong type.
        ValueError: an option has no such value, or options exclude each other.
    """

    def __init__(
        self, *, game: AnyGame = "ingenious", render_mode: str | None = None, **options: Any
    ) -> None:
        super().__init__(VersusEpisodes(1, game, **options), render_mode)

    @property
    def seat(self) -> int:
        """The learner's seat in this episode."""
        return int(self.episodes.seats[0])
