"""The games in OpenSpiel, with every drawn tile an outcome of chance; needs the `openspiel` extra.

    import pyspiel
    import ingenious_env.openspiel as adapter
    from ingenious_env import Game

    game = pyspiel.load_game("python_ingenious(num_players=2)")
    game = pyspiel.load_game("python_loopit(num_players=3,fixed_rounds=True)")
    game = adapter.load(Game(seed=7))              # begins with that position
    state = adapter.state_at(game, Game(seed=7))   # at a position, without a history
    bot = adapter.PolicyBot("greedy", game)        # an agent as a bot of OpenSpiel

Importing the module registers the games; `register_games` does so for those registered later.
"""

from __future__ import annotations

from typing import Any

from ingenious_env.engine.batch import GameBatch
from ingenious_env.engine.extras import needs
from ingenious_env.engine.game import BaseGame
from ingenious_env.policies.view import (
    Policy,
    View,
    begin_games,
    check_plays,
    check_policy,
    flat_action,
)

with needs("ingenious_env.openspiel", "ingenious-env[openspiel]"):
    import pyspiel

    from ingenious_env.openspiel.games import encode, register_games, short_name, state_at

register_games()


class PolicyBot(pyspiel.Bot):
    """A policy of this package as a bot of OpenSpiel.

    A policy with memory is notified of a game at the first step, and at the first one after `restart` or
    `restart_at`, which OpenSpiel calls between games.

    Args:
        policy: an object with `act(view)`, as agents are, or the name of an opponent that the game ships.
        game: from `pyspiel.load_game`.

    Raises:
        ValueError: there is no opponent of this name, or the policy does not play these rules.
        TypeError: it is not a policy.
    """

    def __init__(self, policy: Policy | str, game: pyspiel.Game) -> None:
        super().__init__()
        definition = game.kind.variant.definition
        self._policy = definition.policy(policy) if isinstance(policy, str) else policy
        check_policy(self._policy, definition.policies)
        check_plays(self._policy, game.kind.rules)
        self._has_begun = False

    def step(self, state: pyspiel.State) -> int:
        """The policy's action."""
        kind, game = state.get_game().kind, state.engine_game()
        view = View(GameBatch.from_rows(kind.variant, game.state.memory))
        if not self._has_begun:
            begin_games(self._policy, view.keys)
            self._has_begun = True
        action: int = kind.action_of(game, flat_action(self._policy, view))
        return action

    def restart(self) -> None:
        """Begin a game with the next step."""
        self._has_begun = False

    def restart_at(self, state: pyspiel.State) -> None:
        """Begin a game with the next step."""
        del state
        self.restart()


def load(start: BaseGame, **parameters: Any) -> pyspiel.Game:
    """The game that begins with a position, its hidden tiles dealt anew.

    Args:
        start: a position in which a tile is to be placed. Racks and tiles put out are dealt anew from all
            hidden tiles, as many as there are; what was shown in swaps is forgotten.
        parameters: `reward`.

    Raises:
        ValueError: no game can begin with it.
    """
    return pyspiel.load_game(short_name(start.definition), {"start": encode(start), **parameters})


__all__ = ["PolicyBot", "encode", "load", "register_games", "state_at"]
