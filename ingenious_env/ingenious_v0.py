"""Ingenious, a board game for one to six players, as a PettingZoo AEC environment.

Players place two-coloured tiles on a hexagonal board. Each half of a tile advances the player's counter of its
colour by the cells of that colour in straight lines from it. Players are ranked by their lowest counter, so every
colour matters. The rules are in `games/ingenious/RULES.md`; five and six players are house rules of this package, in
`games/ingenious/README.md`.

    >>> from ingenious_env import ingenious_v0
    >>> env = ingenious_v0.env(num_players=3, reward="lowest")
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
| agents | `player_0`, `player_1`, …, in turn order; 2 by default, 1 to 6 |
| agent order | one agent acts at a time; the same agent acts again for a bonus play, and for the second step of a staged placement |
| action space | `Discrete(A)` |
| observation space | `Dict` with `observation` (see Observations) and `action_mask`, int8 [A] |
| state | `state()` returns the vector observations of all seats, int8 [P, D], for centralised critics; `state_space` is its space |
| reward | float, or float32 [C] for `"vector"`; `reward_space(agent)` is its range |
| termination | all agents terminate together; truncation never occurs |
| seed | `reset(seed=s)` deals `Game(rules, seed=s)`, with `options={"index": i}` `Game(rules, seed=(s, i))`; `reset()` deals the next game from the random stream of the present one |
| copies | `deepcopy` and `pickle` work at any point of a game; the copy has the same hidden tiles and the same future |

Sizes of the presets: A is the number of actions, `vector` is D, and `planes` is the shape.

| preset | options | A flat | A staged | vector | planes |
| --- | --- | --- | --- | --- | --- |
| solitaire | `num_players=1` | 446 | 447 | 1165 | 86, 11, 11 |
| two players | | 2666 | 452 | 1261 | 182, 11, 11 |
| three players | `num_players=3` | 3674 | 620 | 1726 | 215, 13, 13 |
| four players | `num_players=4` | 5114 | 860 | 2265 | 250, 15, 15 |
| partnership | `num_players=4, teams=True` | 5114 | 860 | 2253 | 238, 15, 15 |

## Options

| option | values, the default first | meaning |
| --- | --- | --- |
| `num_players`, `teams`, `board_side`, `num_colours`, `rack_size`, `counter_top`, `double_sheet`, `open_racks` | | the variant; see `Rules` for values and defaults |
| `rules` | `None`, a `Rules` | the variant as one object, instead of the options above |
| `observation` | `"vector"`, `"planes"`, `"dict"` | the form of observations, see Observations |
| `actions` | `"flat"`, `"staged"` | a placement is one action, or two: first the slot, then the place; see Actions |
| `reward` | `"outcome"`, `"margin"`, `"score"`, `"vector"`, `"lowest"` | see Rewards |
| `collaborative` | `False`, `True` | every agent receives the sum of the reward over all score sheets; not with `"outcome"` or `"margin"`, which sum to zero |
| `mask_in_observation` | `True`, `False` | `True`: observations are a `Dict` with `observation` and `action_mask`; `False`: the observation only. `infos` contain the mask in both cases |
| `illegal` | `"raise"`, `"lose"`, `"random"` | the effect of an illegal action, see Actions |
| `render_mode` | `None`, `"human"`, `"ansi"`, `"svg"`, `"rgb_array"` | `"human"` shows the position after every step, in a window (extra `window`), or as text where there can be none; with the others `render()` returns text, an SVG picture or pixels (extra `pixels`), uint8 [H, W, 3]. All racks are shown |

## Observations

An observation contains what a player with perfect memory knows, and nothing hidden. The observing seat comes first,
the others follow in turn order.

| form | space | content |
| --- | --- | --- |
| `"vector"` | int8 [D] | the sections listed in `games/ingenious/observation.py`, concatenated |
| `"planes"` | int8 [planes, 2n − 1, 2n − 1] | the axial grid of a board of side n: one plane for each colour, one for the empty cells, one for the points of each colour, and one constant plane for each further entry of the vector |
| `"dict"` | `Dict` | the same sections as arrays by name; `board` is int8 [N], the colour of each cell, 0 for empty |

`action_mask` is 1 where an action is legal. `infos[agent]["action_mask"]` is the same array. The mask of an agent
that is not to act is all zeros, and so are all masks once the game is over. All arrays are fresh and owned by the
caller.

## Actions

`IngeniousActions` in `games/ingenious/moves.py` defines the numbering. Flat: rack slot × orientation × pair of cells,
then keep, then swap. Staged: slots, then orientation × pair, then keep, then swap. The numbering does not affect the
game: the same placements lead to the same state. Of equal tiles on a rack only the first slot is legal, and a
double has one legal orientation on a pair.

An illegal action raises `IllegalActionError` and changes nothing (`illegal="raise"`). With `"lose"` it ends the game:
the agent that played it receives −1, all others 0; `raw_env` still raises. With `"random"` a random legal action is
played instead, drawn from the game's own random stream, and the agent's info contains `illegal_action` and
`played_action` until its next action. With every setting `env` refuses actions that are out of range or not integers.

## Rewards

Every agent receives a reward at every step of any agent; partners receive the same. `last()` returns the sum since the
agent's previous action. T is the number of score sheets: one for each player, or one for each partnership.

| name | when | value |
| --- | --- | --- |
| `"outcome"` | at the end | (sheets ranked lower − sheets ranked higher) / (T − 1): +1 for first place, −1 for last place; zero-sum |
| `"margin"` | at the end | (own lowest counter − mean of the other sheets' lowest counters) / last space of a counter; zero-sum |
| `"score"` | each step | the increase of the own counters, summed over the colours |
| `"vector"` | each step | the increase of each own counter, one objective for each colour, as in MO-PettingZoo environments |
| `"lowest"` | each step | the increase of the own lowest counter |

With one player `"outcome"` and `"margin"` are always 0.

## Version history

* v0: first version.
"""  # noqa: E501 - a table's row is one line

from __future__ import annotations

from typing import TypedDict, Unpack

from ingenious_env.envs.pettingzoo import AnyEnv, GameAEC
from ingenious_env.envs.pettingzoo import env as game_env
from ingenious_env.games.ingenious import Rules


class Options(TypedDict, total=False):
    """All options of the environment by name."""

    num_players: int
    teams: bool
    board_side: int | None
    num_colours: int
    rack_size: int | None
    counter_top: int
    double_sheet: bool | None
    open_racks: bool
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
    return GameAEC(game="ingenious", **options)


def env(**options: Unpack[Options]) -> AnyEnv:
    """The environment in PettingZoo's usual wrappers; the module's page explains the options."""
    return game_env(game="ingenious", **options)


__all__ = ["env", "raw_env"]
