"""Loopit, a tile-laying game for two to four players, as a PettingZoo AEC environment.

Players lay up to three tiles per turn, so that lines continue from tile to tile. A tile scores its value times the factor
of its square, and the values of the tiles that it is joined to. The rules are in `games/loopit/LOOPIT.md`. The
publisher's leaflet gives them, but neither the board nor the tiles: those of the package are assumed, and can be
replaced by others.

    >>> from ingenious_env import loopit_v0
    >>> env = loopit_v0.env(num_players=3, reward="score")
    >>> env.reset(seed=7)
    >>> for agent in env.agent_iter():
    ...     observation, reward, terminated, truncated, info = env.last()
    ...     done = terminated or truncated
    ...     env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))
    >>> env.unwrapped.game.is_over
    True

`env` has PettingZoo's wrappers, `raw_env` has none. `env.unwrapped.game` is the `Game` being played, to read or to
clone. Do not call its `play`: the environment would not be updated.

## Specification

| part | what it is |
| --- | --- |
| agents | `player_0`, `player_1`, …, in turn order; 2 by default, 2 to 4 |
| agent order | one agent acts at a time; the same agent acts again for each further tile of its turn, and for the second step of a staged placement |
| action space | `Discrete(A)` |
| observation space | `Dict` with `observation` (see Observations) and `action_mask`, int8 [A] |
| state | `state()` returns the vector observations of all seats, int8 [P, D], for centralised critics; `state_space` is its space |
| reward | float; `reward_space(agent)` is its range |
| termination | all agents terminate together; truncation never occurs. Players who keep racks of which nothing fits could continue for ever: a policy should throw such a rack back now and then, and an environment of Gymnasium may be cut off: `gymnasium.make(id, max_episode_steps=500)` |
| seed | `reset(seed=s)` deals `Game(rules, seed=s)`, with `options={"index": i}` `Game(rules, seed=(s, i))`; `reset()` deals the next game from the random stream of the present one |
| copies | `deepcopy` and `pickle` work at any point of a game; the copy has the same hidden tiles and the same future |

With the material of the package, there are 848 flat and 177 staged actions; a vector has 968, 972 or 976
entries with two, three or four players, and planes are [129 | 133 | 137, 13, 13].

## Options

| option | values, the default first | meaning |
| --- | --- | --- |
| `num_players` | 2, 3, 4 | players |
| `fixed_rounds` | `False`, `True` | `True`: the game ends after 13, 9 or 7 rounds, with 4, 2 or no tiles out of the game |
| `material` | `None`, a `Material`, a path | the board and the tiles: those of the package, your own, or a TOML file (`games/loopit/material.py` shows its entries) |
| `rack_size`, `tiles_per_turn` | 5 and 3; 1 to 7 | tiles on a full rack, and the most that can be laid in a turn |
| `rules` | `None`, a `Rules` | the variant as one object, instead of the options above |
| `observation` | `"vector"`, `"planes"`, `"dict"` | the form of observations, see Observations |
| `actions` | `"flat"`, `"staged"` | laying a tile is one action, or two: first the slot, then the square; see Actions |
| `reward` | `"outcome"`, `"margin"`, `"score"` | see Rewards |
| `collaborative` | `False`, `True` | every agent receives the sum of the reward over all players; only with `"score"` |
| `mask_in_observation`, `illegal`, `render_mode` | | as for `ingenious_v0` |

## Observations

An observation contains what a player may know, and nothing hidden: the board, all scores, all rack sizes, the bag's
size, the rounds left, the own rack, and how many tiles of each type are unseen. The observing seat comes first, the
others follow in turn order.

| form | space | content |
| --- | --- | --- |
| `"vector"` | int8 [D] | the sections listed in `games/loopit/observation.py`, concatenated |
| `"planes"` | int8 [planes, rows, columns] | one plane for each of the four line ends, one for values, one for the factors of the squares, and one constant plane for each further entry of the vector |
| `"dict"` | `Dict` | the same sections as arrays by name; `scores` are int16 [P] |

`action_mask` is 1 where an action is legal. `infos[agent]["action_mask"]` is the same array. The mask of an agent
that is not to act is all zeros, and so are all masks once the game is over. All arrays are fresh and owned by the
caller.

## Actions

Flat: rack slot × square, row by row, then stop, throw back, keep. Staged: slots, then squares, then the same three. Of
equal tiles on a rack only the first slot is legal. Illegal actions have the same effect as in `ingenious_v0`.

## Rewards

Every agent receives a reward at every step of any agent. `last()` returns the sum since the agent's previous action.

| name | when | value |
| --- | --- | --- |
| `"outcome"` | at the end | (players ranked lower − players ranked higher) / (P − 1): +1 for first place, −1 for last place; zero-sum |
| `"margin"` | at the end | (own score − best other score) / 100 |
| `"score"` | each step | the own points |

## Against opponents

`ingenious/Loopit-v0` is the game as a Gymnasium environment, in which one learner plays against others; `gym.make_vec`
makes many at once. Its options, infos and rewards are those of `ingenious/Versus-v0` (see `envs/versus.py`), with the
options of the variant above, the rewards above (default `"outcome"`), the info `scores` as int32 [P], and these
opponents:

| opponent | play |
| --- | --- |
| `"uniform"` | a uniformly random legal action |
| `"greedy"` | the placement with the most points |
| `"planner"` | the best turn of several tiles as a whole, less what it lets the next player score |
| `"value"` | the turn whose end is valued most by a trained network, shipped for two, three and four players with the standard material and without fixed rounds; other variants raise `ValueError` |

## Version history

* v0: first version.
"""  # noqa: E501 - a table's row is one line

from __future__ import annotations

from pathlib import Path
from typing import TypedDict, Unpack

from ingenious_env.envs.pettingzoo import AnyEnv, GameAEC
from ingenious_env.envs.pettingzoo import env as game_env
from ingenious_env.games.loopit import Material, Rules


class Options(TypedDict, total=False):
    """All options of the environment by name."""

    num_players: int
    fixed_rounds: bool
    material: Material | str | Path | None
    rack_size: int
    tiles_per_turn: int
    rules: Rules | None
    observation: str
    actions: str
    reward: str
    collaborative: bool
    mask_in_observation: bool
    illegal: str
    render_mode: str | None


def raw_env(**options: Unpack[Options]) -> GameAEC:
    """The environment without wrappers; the module's page explains the options."""
    return GameAEC(game="loopit", **options)


def env(**options: Unpack[Options]) -> AnyEnv:
    """The environment in PettingZoo's usual wrappers; the module's page explains the options."""
    return game_env(game="loopit", **options)


__all__ = ["env", "raw_env"]
