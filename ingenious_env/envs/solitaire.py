"""Ingenious for one player as a Gymnasium environment, `ingenious/Solitaire-v0`.

The player draws and places one tile at a time (or plays from a rack, with `rack_size` above 1) until the board is full.
The result is the lowest counter.

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

| part | what it is |
| --- | --- |
| actions | `Discrete(446)`, staged `Discrete(447)`; numbered by `IngeniousActions` in `games/ingenious/moves.py` |
| observations | int8 [D], int8 [planes, 2n − 1, 2n − 1] or a `Dict` of arrays; sections in `games/ingenious/observation.py` |
| reward | float, or float32 [C] for `"vector"`; `reward_space` is its range |
| termination | when the game is over; truncation never occurs |
| seed | `reset(seed=s)` deals `Game(Rules.solitaire(), s)`; `reset()` deals the next game from the random stream of the present one |
| copies | `deepcopy` and `pickle` work at any point of a game; the copy has the same future |

The options are:

| option | values, the default first | explained in |
| --- | --- | --- |
| `rack_size`, `board_side`, `num_colours`, `counter_top`, `double_sheet` | | `Rules` |
| `rules` | `None`, a `Rules` for one player | `ingenious_v0` |
| `observation` | `"vector"`, `"planes"`, `"dict"` | `ingenious_v0` |
| `actions` | `"flat"`, `"staged"` | `ingenious_v0` |
| `reward` | `"lowest"`, `"score"`, `"vector"` | `ingenious_v0`; over an episode the rewards `"lowest"` sum to the result |
| `mask_in_observation` | `False`, `True` | `versus.py` |
| `illegal` | `"raise"`, `"random"`, `"lose"` | `versus.py` |
| `render_mode` | `None`, `"ansi"`, `"svg"`, `"rgb_array"` | `versus.py` |

The infos are those of `versus.py` without `seat`, `ranks`, `won` and `result`, and with `lowest` at the end: int, the
lowest counter. `scores` is int8 [1, C]. Code that samples actions without the mask needs `illegal="random"` or
`"lose"`; Gymnasium's environment checker warns of `"vector"` rewards.
"""  # noqa: E501 - a table's row is one line

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from ingenious_env.engine.checks import check_choice
from ingenious_env.envs.episodes import Episodes
from ingenious_env.envs.gymnasium import SingleEnv
from ingenious_env.envs.options import AnyGame, Options, find_game, known_options, split_options


class SolitaireEpisodes(Episodes):
    """B games for one player, the learner.

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
        if not definition.solitaire_rewards:
            msg = f"{definition.name} cannot be played by one player"
            raise ValueError(msg)
        rules, rest = split_options(definition, options, known_options(Options), num_players=1)
        if rules.num_players != 1:
            msg = f"solitaire has one player, these rules have {rules.num_players}; see ingenious/Versus-v0"
            raise ValueError(msg)
        reward = rest.pop("reward", definition.solitaire_rewards[0])
        check_choice("reward", reward, definition.solitaire_rewards)
        super().__init__(rules, num_games, definition.reward(rules, reward), **rest)

    def results(self) -> dict[str, NDArray[Any]]:
        """The scores, and the game's results from them."""
        results = super().results()
        return {**results, **self.definition.results(results["scores"])}


class SolitaireEnv(SingleEnv):
    """A game for one player; the module's page explains the options.

    Raises:
        TypeError: there is no such option, or its value is of the wrong type.
        ValueError: an option has no such value, or options exclude each other.
    """

    def __init__(
        self, *, game: AnyGame = "ingenious", render_mode: str | None = None, **options: Any
    ) -> None:
        super().__init__(SolitaireEpisodes(1, game, **options), render_mode)
