"""Checked contents of requests: bodies, numbers, variants, moves."""

from __future__ import annotations

import json
from collections.abc import Mapping, Set
from typing import Any

from starlette.requests import Request

from ingenious_env.engine.definition import AnyDefinition, AnyRules, definitions
from ingenious_env.errors import IllegalActionError
from ingenious_env.web.guard import Refusal
from ingenious_env.web.texts import TEXTS

LONGEST_MOVE = 60  # characters


def rules_of(game: str, text: str) -> AnyRules:
    """The variant of a game that a text names; refused if there is no such game or variant."""
    known = definitions()
    if game not in known:
        raise Refusal(422, f"game must be one of {', '.join(known)}, not {game[:40]!r}")
    try:
        rules: AnyRules = known[game].text_to_rules(text)
    except ValueError as error:
        raise Refusal(422, str(error)) from None
    return rules


def number_of(request: Request, name: str) -> int | None:
    """A number in the query; None if it is not given."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise Refusal(422, f"{name} must be a whole number, not {text[:40]!r}")
    return int(text)


def move_of(game: AnyDefinition, text: str) -> Any:
    """The move that a text names; ValueError if it is malformed."""
    if len(text) > LONGEST_MOVE:
        raise ValueError(TEXTS["long move"].format(most=LONGEST_MOVE))
    return game.text_to_move(text)


def reason_of(error: Exception) -> str:
    """Why a move was not played, in words for a person."""
    return error.reason if isinstance(error, IllegalActionError) else str(error)


async def body_of(request: Request, kinds: Mapping[str, type], needed: Set[str]) -> dict[str, Any]:
    """The body of a request: an object with these keys, of these types.

    Args:
        request: the request.
        kinds: by key, the type of its value.
        needed: the required keys.
    """
    try:
        body = json.loads(await request.body())
        json.dumps(body, ensure_ascii=False).encode()  # lone surrogates cannot be encoded in an answer
    except (ValueError, RecursionError):
        raise Refusal(422, "what is posted must be JSON") from None
    if not isinstance(body, dict):
        raise Refusal(422, "what is posted must be an object")
    unknown = body.keys() - kinds.keys()
    if unknown or needed - body.keys():
        raise Refusal(422, f"the keys are {', '.join(kinds)}, needed are {', '.join(sorted(needed))}")
    for name, value in body.items():
        if not isinstance(value, kinds[name]) or (isinstance(value, bool) and kinds[name] is not bool):
            raise Refusal(422, f"{name} must be of type {kinds[name].__name__}")
    return body
