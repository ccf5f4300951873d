"""Bots of OpenSpiel as agents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_env import NO_ACTION, IllegalActionError, View
from ingenious_env.engine.definition import AnyRules, definition_of
from ingenious_env.engine.extras import needs
from ingenious_env.engine.files import digest

with needs("ingenious_agents.guests.openspiel", "ingenious-env[openspiel]"):
    import pyspiel

    from ingenious_env.openspiel import state_at
    from ingenious_env.openspiel.games import options_of, short_name


@dataclass(frozen=True)
class OpenSpielAgent:
    """Plays the steps of bots of OpenSpiel.

    A bot is made for each decision, and asked for one step, in a state without a history whose hidden tiles
    are dealt anew. So moves depend on the position only, and a bot keeps nothing from one move to the next;
    its function should keep what takes long to make, such as a network.

    Attributes:
        bot: the path of a function, such as mine.make_bot, of a game of OpenSpiel, a seat and a seed from 0
            to 2^31 − 1, that returns an object with a method `step(state)`; ValueError if there is none.
    """

    bot: str

    def __post_init__(self) -> None:
        """Find the function."""
        self._make()

    def _make(self) -> Callable[[Any, int, int], Any]:
        module, _, name = self.bot.rpartition(".")
        try:
            make = getattr(import_module(module), name)
        except (ImportError, AttributeError, ValueError) as error:
            msg = f"there is no function {self.bot}: {error}"
            raise ValueError(msg) from error
        if not callable(make):
            msg = f"{self.bot} is not a function of a game, a seat and a seed"
            raise ValueError(msg)
        made: Callable[[Any, int, int], Any] = make
        return made

    def check(self, rules: AnyRules) -> None:
        """ValueError if OpenSpiel has no game of these rules."""
        game_of(rules)

    def act(self, view: View) -> NDArray[np.int32]:
        """The step of a new bot in each game, int32 [B].

        Raises:
            IllegalActionError: it is illegal.
            ValueError: as `check`, or the function returns no bot.
        """
        spiel, games = game_of(view.rules), view.complete()
        games.state.held[:] = 0  # a bot chooses whole moves, the same for both halves of one
        observations, keys, seats = games.observe(), view.keys, view.seats.tolist()
        actions = np.full(len(view), NO_ACTION, np.int32)
        for row in np.flatnonzero(~games.is_over).tolist():
            game, seat = games[row], seats[row]
            known = keys[row].tobytes() + bytes([seat]) + observations[row].tobytes()
            bot = self._make()(spiel, seat, int(digest(known), 16) >> 33)
            if not callable(getattr(bot, "step", None)):
                msg = f"{self.bot} must return a bot, an object with step(state), not {bot!r}"
                raise ValueError(msg)
            state = state_at(spiel, game)
            step = bot.step(state.clone())
            if step not in state.legal_actions():
                msg = f"the bot of {self.bot} chose {step!r}, which is not a legal action of the state"
                raise IllegalActionError(msg)
            actions[row] = spiel.kind.engine_action(game, int(step))
        return view.encode(actions)


@lru_cache(maxsize=16)
def game_of(rules: AnyRules) -> Any:
    """The game of OpenSpiel with these rules; ValueError if its parameters cannot express them."""
    definition = definition_of(rules)
    given = {
        name: getattr(rules, name)
        for name, default in options_of(definition).items()
        if isinstance(getattr(rules, name, None), type(default))
    }
    game = pyspiel.load_game(short_name(definition), given)
    if game.kind.rules != rules:
        msg = f"the parameters of OpenSpiel's game cannot express {definition.rules_to_text(rules)}"
        raise ValueError(msg)
    return game
