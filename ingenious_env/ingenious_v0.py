"""Ingenious, a board game for one to six players, as a PettingZoo environment.

Players lay two-coloured tiles on a hexagonal board and move the counters of both colours on by the lines that
the tile extends. It is the lowest counter that decides, so all colours matter.

    >>> from ingenious_env import ingenious_v0
    >>> env = ingenious_v0.env(num_players=3, reward="lowest")
    >>> env.reset(seed=7)
    >>> for agent in env.agent_iter():
    ...     observation, reward, terminated, truncated, info = env.last()
    ...     done = terminated or truncated
    ...     env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))
    >>> env.unwrapped.game.is_over
    True

`env` has PettingZoo's wrappers, `raw_env` has none. `env.unwrapped.game` is the `Game` being played: look at it
or clone it. The environment does not notice what others play on it.

## Specs

| | |
| --- | --- |
| agents | `player_0`, `player_1`, …, in turn order; 2 by default, 1 to 6 |
| moves | one agent at a time; after a bonus play, or a slot picked in staged actions, the same agent again |
| action space | `Discrete(A)` |
| observation space | `Dict`: `observation` as below, `action_mask` int8 [A] |
| reward | float, or for `vector` float32 [C]; `reward_space(agent)` has the range |
| end | all agents terminate together; nobody is truncated |
| seed | `reset(seed=s)` deals `Game(rules, seed=s)`; a reset without a seed deals that game's successor |
| copies | deepcopy and pickle, in the middle of a game too: the copy has the same future |

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
| `num_players`, `teams`, `board_side`, `num_colours`, `rack_size`, `counter_top`, `double_sheet`, `open_racks` | | the variant, see `Rules` |
| `rules` | `None`, a `Rules` | the variant as one object instead |
| `observation` | `"vector"`, `"planes"`, `"dict"` | the form of observations |
| `actions` | `"flat"`, `"staged"` | a placement is one action, or two: the slot, then the place |
| `reward` | `"outcome"`, `"margin"`, `"score"`, `"vector"`, `"lowest"`, `"sum"` | see Rewards |
| `collaborative` | `False`, `True` | all agents get the sum over all score sheets; not with a zero-sum reward |
| `illegal` | `"raise"`, `"lose"`, `"random"` | see Actions |
| `render_mode` | `None`, `"human"`, `"ansi"`, `"svg"` | text printed after every step, or what `render()` returns: text, or a picture; all racks are shown |

## Observation

`observation` is what a careful player knows, and no more, own seat first and the others in turn order:

| form | space | content |
| --- | --- | --- |
| `"vector"` | int8 [D] | the sections listed in `observation.py`, one after the other |
| `"planes"` | int8 [planes, 2n − 1, 2n − 1] | the axial grid of a board of side n: a plane for each colour, the empty cells, a plane for the points of each colour, then each further entry of the vector spread over the board |
| `"dict"` | `Dict` | the sections as arrays by name; the board is int8 [N] of colours |

`action_mask` is 1 where the action is legal. It is in `infos[agent]` too. While an agent waits, and once the
game is over, it is all zeros. All arrays are fresh and belong to the caller.

## Actions

`ActionSpace` has the numbering. Flat: rack slot × orientation × pair of cells, then keep, then swap. Staged: slots,
then orientation × pair, then keep, then swap. Between whole moves both are the same game, byte for byte.

An illegal action raises `IllegalActionError` and changes nothing. With `illegal="lose"` it ends the game instead:
whoever played it gets −1, all others 0 (`raw_env` still raises). With `"random"` a random legal action, out
of the game's own stream, is played instead, and the agent's info has `illegal_action` and `played_action` until
it acts again. `env` always refuses what is out of range or no whole number.

## Rewards

Every agent gets its reward at every step; partners get the same. `last()` gives what came together since the
agent last acted.

| name | when | value |
| --- | --- | --- |
| `"outcome"` | at the end | +1 for the first to −1 for the last in even steps, ties shared; sums to zero |
| `"margin"` | at the end | the own lowest counter less the others' mean, over the last space; sums to zero |
| `"score"`, `"sum"` | each step | the rise of the own counters, all colours together |
| `"vector"` | each step | the rise of each counter, as MO-PettingZoo environments give it |
| `"lowest"` | each step | the rise of the lowest counter |

In solitaire, `"outcome"` and `"margin"` are always 0: choose another.

## Version history

* v0: the first.
"""  # noqa: E501 - a table's row is one line

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex, Unpack

from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from ingenious_env.aec import IngeniousAEC, Options
from ingenious_env.options import LOSS

if TYPE_CHECKING:
    from pettingzoo import AECEnv

    AnyEnv = AECEnv[str, dict[str, Any], SupportsIndex | None]

REGISTRY_ID = "ingenious/ingenious-v0"

raw_env = IngeniousAEC


def env(**options: Unpack[Options]) -> AnyEnv:
    """The environment in PettingZoo's usual wrappers; the module's page explains the options."""
    wrapped: AnyEnv = raw_env(**options)
    if options.get("illegal") == "lose":
        wrapped = TerminateIllegalWrapper(wrapped, illegal_reward=LOSS)
        return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(wrapped))
    return StraightWrapper(AssertOutOfBoundsWrapper(wrapped))


class StraightWrapper(OrderEnforcingWrapper[str, dict[str, Any], SupportsIndex | None]):
    """PettingZoo's `OrderEnforcingWrapper`, but `last` asks the environment itself.

    There it looks up six attributes, each through all wrappers, which took a fifth of a loop's time. Only for
    wrappers that change nothing about them.
    """

    def __init__(self, env: AnyEnv) -> None:
        super().__init__(env)
        self._innermost = env.unwrapped

    def last(self, observe: bool = True) -> tuple[dict[str, Any] | None, float, bool, bool, dict[str, Any]]:  # noqa: FBT001, FBT002 - PettingZoo's signature
        """Observation, reward, termination, truncation and info of the agent to act."""
        if not self._has_reset:
            return super().last(observe)
        return self._innermost.last(observe)

    def __str__(self) -> str:
        """The environment's name."""
        return str(self.env)


def register_pettingzoo() -> None:
    """Make `pettingzoo.make("aec", "ingenious/ingenious-v0")` work, where PettingZoo has it (1.27)."""
    try:
        from pettingzoo.env_registry.registration import aec_registry, register  # noqa: PLC0415 - new in 1.27
    except ImportError:
        return
    if REGISTRY_ID not in aec_registry:  # a second entry would warn of overriding the first
        register("aec", REGISTRY_ID, entry_point=f"{__name__}:env")


register_pettingzoo()

__all__ = ["env", "raw_env", "register_pettingzoo"]
