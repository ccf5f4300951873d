"""The routes that belong to no table: the games, and the agents that play them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ingenious_env.engine.definition import AnyDefinition, AnyRules, definition_of, definitions
from ingenious_env.engine.records import read_game
from ingenious_env.languages import word
from ingenious_env.policies.levels import DEFAULT, RATINGS
from ingenious_env.web.guard import Refusal
from ingenious_env.web.real import deal_of
from ingenious_env.web.requests import body_of, rules_of
from ingenious_env.web.tables import HUMAN, LEVELS, Agent, Table
from ingenious_env.web.visible import pages_of

NO_ADVISERS = {"uniform", *LEVELS}
"""Agents that give no hints."""


class Offer:
    """The games, variants and agents of a server.

    Args:
        agents: that can be chosen.
    """

    def __init__(self, agents: Mapping[str, Agent]) -> None:
        self.agents = agents
        self._asking = asyncio.Lock()

    async def games(self, _request: Request) -> Response:
        """The games with their presets, and the agents that play them."""
        async with self._asking:  # agents what they play
            return JSONResponse({"games": await run_in_threadpool(lambda: self._games)})

    @cached_property
    def _games(self) -> list[dict[str, Any]]:
        return [about_game(game, self.agents) for game in definitions().values() if game.pages is not None]

    async def look(self, request: Request) -> Response:
        """The constant part of all positions of a variant, its words, and the agents that play it."""
        body = await body_of(request, {"game": str, "rules": str}, {"game", "rules"})
        rules = rules_of(body["game"], body["rules"])
        return JSONResponse(await run_in_threadpool(about_variant, rules, self.agents))

    async def deal(self, request: Request) -> Response:
        """The tiles of a variant, to choose those of a deal at a real table."""
        body = await body_of(request, {"game": str, "rules": str}, {"game", "rules"})
        return JSONResponse(deal_of(rules_of(body["game"], body["rules"])))

    async def read(self, request: Request) -> Response:
        """The contents of a text, a record or a position: its variant, and the agents that play it."""
        body = await body_of(request, {"text": str}, {"text"})
        try:
            table = await run_in_threadpool(self._opened, body["text"])
        except (ValueError, TypeError) as error:
            raise Refusal(422, str(error)) from None
        rules, session = table.rules, table.session
        return JSONResponse(
            {
                "game": table.definition.name,
                "rules": table.definition.rules_to_text(rules),
                "players": rules.num_players,
                "sheets": sheets_of(rules),
                "moves": len(session.turns),
                "over": session.is_over,
                "agents": players_of(rules, self.agents),
            }
        )

    def _opened(self, text: str) -> Table:
        people = [HUMAN] * read_game(text).rules.num_players
        return Table.of_text(text, people, self.agents)


def about_game(game: AnyDefinition, agents: Mapping[str, Agent]) -> dict[str, Any]:
    """A game with its presets, the agents that play each, and its levels, as JSON."""
    return {
        "game": game.name,
        "title": word(game.title),
        "presets": {
            name: {
                "title": word(preset.title),
                "rules": game.rules_to_text(preset.rules),
                "players": preset.rules.num_players,
                "sheets": sheets_of(preset.rules),
            }
            for name, preset in game.presets.items()
        },
        "agents": {
            name: [each for each, preset in game.presets.items() if agent.plays(preset.rules)]
            for name, agent in agents.items()
        },
        "levels": [
            {
                "agent": name,
                "name": word(name),
                "title": word(each.title),
                "text": word(each.text),
                "ratings": {
                    preset: ratings[number]
                    for (rated, preset), ratings in RATINGS.items()
                    if rated == game.name
                },
            }
            for number, (name, each) in enumerate(LEVELS.items())
            if game.name in each.policies and name in agents
        ],
        "level": list(LEVELS)[DEFAULT - 1],
    }


def about_variant(rules: AnyRules, agents: Mapping[str, Agent]) -> dict[str, Any]:
    """The constant part of all positions of a variant, its words, and the agents that play it, as JSON."""
    game, players = definition_of(rules), players_of(rules, agents)
    words = {
        "title": word(game.title),
        "example": game.example,
        "choices": {
            name: {"title": word(choice.title or name.capitalize()), "key": choice.key or name[0]}
            for name, choice in game.choices.items()
        },
        "agents": players,
        "advisers": [name for name in players if name not in NO_ADVISERS],
    }
    return {**pages_of(game).look(rules), **words}


def sheets_of(rules: AnyRules) -> list[int]:
    """The score sheets of a variant by seat; partners share one."""
    return [rules.sheet_of(seat) for seat in range(rules.num_players)]


def players_of(rules: AnyRules, agents: Mapping[str, Agent]) -> list[str]:
    """The names of the agents that play a variant."""
    return [name for name, agent in agents.items() if agent.plays(rules)]
