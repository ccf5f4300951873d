"""Ingenious for one player as a Gymnasium environment, `ingenious/Solitaire-v0`.

Tiles come one at a time (or from a rack, if the rules say so) until the board is full; the result is the lowest
counter.

    >>> import gymnasium as gym
    >>> env = gym.make("ingenious_env:ingenious/Solitaire-v0")
    >>> observation, info = env.reset(seed=7)
    >>> over = False
    >>> while not over:
    ...     action = env.action_space.sample(info["action_mask"])
    ...     observation, reward, over, _, info = env.step(action)
    >>> env.unwrapped.game.is_over, info["lowest"] == int(info["scores"].min())
    (True, True)

`env.unwrapped.game` is the `Game` being played. `gym.make_vec` makes a `SolitaireVectorEnv` (see `vector.py`).

| | |
| --- | --- |
| actions | `Discrete(446)`, staged `Discrete(447)`: see `ActionSpace` |
| observations | vector int8 [D], planes int8 [planes, 2n − 1, 2n − 1], or a `Dict` of named arrays: see `observation.py` |
| reward | float, or for "vector" float32 [C]; `reward_space` has the range |
| end | terminated when the game is over; never truncated |
| seed | `reset(seed=s)` deals `Game(Rules.solitaire(), s)`; a reset without a seed deals that game's successor |
| copies | deepcopy and pickle, in the middle of a game too: the copy has the same future |

| option | values, the default first | meaning |
| --- | --- | --- |
| `rack_size`, `board_side`, `num_colours`, `counter_top`, `double_sheet` | | the variant, see `Rules` |
| `rules` | None, a `Rules` for one player | the variant as one object instead |
| `observation` | "vector", "planes", "dict" | the form of observations |
| `actions` | "flat", "staged" | a placement is one action, or two: the slot, then the place |
| `reward` | "lowest", "sum", "score", "vector" | see below |
| `mask_in_observation` | False, True | observations are a flat `Dict` with an entry `action_mask` and one `observation`, or for "dict" the named arrays |
| `illegal` | "raise", "random", "lose" | an illegal action raises `IllegalActionError` and changes nothing; or a random legal action is played instead; or the episode ends there with reward −1 |
| `render_mode` | None, "ansi", "svg" | `render()` returns text or a picture |

| reward | value of a step |
| --- | --- |
| "lowest" | the rise of the lowest counter; over an episode they sum to the result |
| "sum", "score" | the rise of all counters together |
| "vector" | the rise of each counter, as an array; Gymnasium's checkers, which know only numbers, object to it |

| info | when | |
| --- | --- | --- |
| `action_mask` | always | int8 [A], 1 where an action is legal, all 0 at the end |
| `scores` | at the end | int8 [1, C], the counters |
| `lowest` | at the end | int, the lowest of them |
| `illegal_action` | after one | what was asked for |
| `played_action` | after one, with "random" | what was played instead |

What samples actions without the mask, as environment checkers do, needs `illegal` "random" or "lose".
"""  # noqa: E501 - a table's row is one line

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ingenious_env.adapter import Episodes, Options, SingleEnv
from ingenious_env.options import check_choice, split_options
from ingenious_env.rewards import Reward

REWARDS = ("lowest", "sum", "score", "vector")
ABOUT_RULES = ("rack_size", "board_side", "num_colours", "counter_top", "double_sheet")


class SolitaireOptions(Options, total=False):
    """All options by name, but for `render_mode`."""

    rack_size: int | None
    board_side: int | None
    num_colours: int
    counter_top: int
    double_sheet: bool | None


class SolitaireEpisodes(Episodes):
    """B games for one player, the learner.

    Raises:
        TypeError: there is no such option, or its value is of the wrong type.
        ValueError: an option has no such value, or options exclude each other.
    """

    def __init__(self, num_games: int, **options: Unpack[SolitaireOptions]) -> None:
        known = SolitaireOptions.__annotations__
        rules, rest = split_options(options, known, ABOUT_RULES, num_players=1)
        if rules.num_players != 1:
            msg = f"solitaire has one player, these rules have {rules.num_players}; see ingenious/Versus-v0"
            raise ValueError(msg)
        reward = rest.pop("reward", REWARDS[0])
        check_choice("reward", reward, REWARDS)
        super().__init__(rules, num_games, Reward(rules, reward), **rest)

    def results(self) -> dict[str, NDArray[Any]]:
        """The counters and the lowest of them."""
        results = super().results()
        return {**results, "lowest": results["scores"].min(axis=(1, 2)).astype(np.int64)}


class SolitaireEnv(SingleEnv):
    """Ingenious for one player; the module's page explains the options.

    Raises:
        TypeError: there is no such option, or its value is of the wrong type.
        ValueError: an option has no such value, or options exclude each other.
    """

    def __init__(self, *, render_mode: str | None = None, **options: Unpack[SolitaireOptions]) -> None:
        super().__init__(SolitaireEpisodes(1, **options), render_mode)
