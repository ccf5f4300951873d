"""Cards of rated agents, and their verification by a replay of all games.

A card is JSON: the agent, the field, the results, the rating, and the SHA-256 of the log of its games, which
lies next to it. Everything but the provenance and the actions chosen in endings follows from the log, also
which deals count: those that `ingenious rate` chooses with the options of the card's command. A
verification replays the games, so scores, ranks and luck follow from the moves; it asks the opponents for
their moves again in a sample of the games, which nobody knows beforehand; and it computes the card anew, also
what the actions chosen in endings lose. What nobody can verify afterwards are the times of decisions and,
unless the agent itself is there, whether the moves are its own.
"""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.evaluation.duels import DuelPlan, copies_of, plan_in
from ingenious_agents.evaluation.endings import chosen_in, endings_of, endings_path
from ingenious_agents.evaluation.field import SEED, Field, field_of, rating_heads
from ingenious_agents.evaluation.log import COMPRESSED, Log, log_bytes
from ingenious_agents.evaluation.match import naming
from ingenious_agents.evaluation.positions import PositionError
from ingenious_agents.evaluation.rating import (
    HALF_WIDTH,
    ME,
    MOST_DEALS,
    Deals,
    names_of,
    pairs_of,
    rate,
    rating_of,
    rating_plan,
)
from ingenious_agents.evaluation.scale import Place
from ingenious_agents.evaluation.statistics import Share
from ingenious_agents.evaluation.tournament import GameResult
from ingenious_agents.provenance import machine
from ingenious_agents.registry import fingerprint, make_agent
from ingenious_agents.tables import Number, Table
from ingenious_env import GameBatch, IllegalActionError, View
from ingenious_env.compiled.phases import NO_ACTION
from ingenious_env.engine.definition import definitions
from ingenious_env.engine.files import read_text, write_text
from ingenious_env.policies.luck import DrawLuck
from ingenious_env.policies.view import begin_games, flat_actions

FORMAT = "ingenious card 1"
LUCK_TOLERANCE = 1e-3
"""Relative to 1 or the value: processors differ in the last digits of a network's values."""
DIGITS = 4  # of numbers on a card
LAST_DIGIT = 1.01 * 10.0**-DIGITS
"""Relative to 1 or the value: processors may round differently."""
MAX_BYTES = 1_000_000
MAX_WHOLE = 2**31 - 1
MAX_QUOTE = 100  # characters of an error that may quote the file
CHUNK = 256  # games replayed at a time


class CardError(ValueError):
    """A card or a log that does not replay to what it says."""


def card_of(log: Log, field: Field, deals: Mapping[str, int], digest: str) -> dict[str, Any]:
    """The part of a card that follows from its games.

    Args:
        log: of a `rating_plan`.
        field: of the opponents.
        deals: the number played against each opponent, by name.
        digest: the SHA-256 of the log.
    """
    plan, found = log.tournament, rating_of(log, field, deals)
    return {
        "format": FORMAT,
        "agent": plan.agents[ME],
        "network": plan.networks[ME],
        "game": field.game,
        "rules": field.rules,
        "seed": SEED,
        "field": field.digest,
        "luck": plan.measures_luck,
        "rating": _rounded(found.place),
        "rating_plain": _rounded(found.plain),
        "against": [
            {
                "opponent": each.opponent.agent,
                "rating": each.opponent.rating,
                "deals": each.deals,
                **{
                    name: round(value, DIGITS)
                    for name, share in (("share", each.share), ("share_luck_adjusted", each.luck_adjusted))
                    for name, value in share.numbers(name).items()
                    if isinstance(value, float)
                },
            }
            for each in found.against
        ],
        "games": found.games,
        "seconds_per_move": found.seconds,
        "log": digest,
    }


def _rounded(place: Place) -> dict[str, float | None]:
    half_width = round(place.half_width, 1) if np.isfinite(place.half_width) else None
    return {"value": round(place.rating, 1), "half_width": half_width}


def write_card(path: Path, card: Mapping[str, Any], command: str) -> None:
    """Write a card, with the command and the machine."""
    values = {**card, "command": command, "made": machine()}
    write_text(path, json.dumps(values, indent=1, ensure_ascii=False) + "\n")


def log_of(card: Path) -> Path:
    """The log of a card: `agent.json` has `agent.jsonl`, or else `agent.jsonl.gz`."""
    log = card.with_suffix(".jsonl")
    compressed = log.with_name(log.name + COMPRESSED)
    return compressed if compressed.exists() and not log.exists() else log


def log_digest(path: Path) -> str:
    """The SHA-256 of a log, of its content if it is compressed."""
    return hashlib.sha256(log_bytes(path)).hexdigest()


def table(cards: Sequence[Mapping[str, Any]]) -> Table:
    """The ratings of cards, the best first."""
    best_first = sorted(cards, key=lambda card: -card["rating"]["value"])
    has_luck = any(card["luck"] for card in cards)
    rows, records = [], []
    for card in best_first:
        rating, plain = (_place(card[name]) for name in ("rating", "rating_plain"))
        rows.append(
            (
                card["agent"],
                f"{card['game']}, {_title(card)}",
                str(rating),
                *([str(plain) if card["luck"] else ""] if has_luck else []),
                str(card["games"]),
                f"{card['seconds_per_move']:.2g}",
            )
        )
        values: dict[str, Number] = {
            "agent": card["agent"],
            "game": card["game"],
            "rules": card["rules"],
            "rating": rating.rating,
            "half_width": rating.half_width,
            "rating_plain": plain.rating,
            "half_width_plain": plain.half_width,
            "games": card["games"],
            "seconds_per_move": card["seconds_per_move"],
        }
        records.append(values)
    heads = ("agent", "game", *rating_heads(has_luck=has_luck), "games", "seconds per move")
    return Table("rating", heads, rows, records)


def _title(card: Mapping[str, Any]) -> str:
    """The title of the preset; the rules as a text if they are none."""
    definition = definitions()[card["game"]]
    titles = {definition.rules_to_text(each.rules): each.title for each in definition.presets.values()}
    return titles.get(card["rules"], str(card["rules"]))


def against_table(card: Mapping[str, Any]) -> Table:
    """The results of a card by opponent, the strongest first."""
    rows, records = [], []
    names = ("share", "share_luck_adjusted") if card["luck"] else ("share",)
    for each in reversed(card["against"]):
        shares = [
            str(Share(each[name], each[f"{name}_low"], each[f"{name}_high"], each["deals"])) for name in names
        ]
        rows.append((each["opponent"], f"{each['rating']:.0f}", *shares, str(each["deals"])))
        records.append(dict(each))
    less = ["luck-adjusted share"] if card["luck"] else []
    return Table("against", ("opponent", "its rating", "share", *less, "deals"), rows, records)


def _place(values: Mapping[str, float | None]) -> Place:
    half_width = values["half_width"]
    return Place(float(values["value"] or 0), float("inf") if half_width is None else half_width)


# Verification.


def read_card(path: Path) -> dict[str, Any]:
    """A card, of which only the form is checked.

    Raises:
        OSError: it cannot be read.
        CardError: it is not a card.
    """
    if path.stat().st_size > MAX_BYTES:
        msg = f"{path} is not a card: it is larger than {MAX_BYTES} bytes"
        raise CardError(msg)
    try:
        card = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        msg = f"{path} is not a card: {str(error)[:MAX_QUOTE]}"
        raise CardError(msg) from error
    if not isinstance(card, dict) or card.get("format") != FORMAT:
        msg = f"{path} is not a card of the format {FORMAT!r}"
        raise CardError(msg)
    try:
        _check_form(card, FORM, "the card")
    except CardError as error:
        raise CardError(f"{path}: {error}") from None
    if card["game"] not in definitions():
        msg = f"{path}: the game must be one of {', '.join(definitions())}, not {card['game']!r}"
        raise CardError(msg)
    return card


NAMES = {
    str: "a text",
    int: "a whole number",
    float: "a finite number",
    Optional: "a finite number or null",
    bool: "true or false",
    dict: "an object",
}
SHARES = [f"{name}{end}" for name in ("share", "share_luck_adjusted") for end in ("", "_low", "_high")]
PLACE = {"value": float, "half_width": Optional}
FORM = {
    **dict.fromkeys(("format", "agent", "network", "game", "rules", "field", "log", "command"), str),
    **dict.fromkeys(("seed", "games"), int),
    **dict.fromkeys(("rating", "rating_plain"), PLACE),
    "seconds_per_move": float,
    "luck": bool,
    "endings": (
        {
            **dict.fromkeys(("set", "digest"), str),
            "losses": [
                {"group": str, **dict.fromkeys(("loss", "half_width", "best"), float), "positions": int}
            ],
            "chosen": [int],
        },
    ),
    "against": [{"opponent": str, "rating": float, "deals": int, **dict.fromkeys(SHARES, float)}],
    "made": dict,
}
"""The form of a card: types, objects of named entries, lists of one kind of entry, and (form or null,)."""


def _check_form(value: Any, form: Any, name: str) -> None:
    """CardError unless a value of JSON has a form."""
    if isinstance(form, tuple):
        if value is not None:
            _check_form(value, form[0], name)
    elif isinstance(form, dict):
        if not isinstance(value, dict) or value.keys() != form.keys():
            found = f"the entries {', '.join(map(str, value))}" if isinstance(value, dict) else repr(value)
            msg = f"{name} must have the entries {', '.join(form)}, not {found}"
            raise CardError(msg)
        for key, each in form.items():
            _check_form(value[key], each, key)
    elif isinstance(form, list):
        if not isinstance(value, list) or not value:
            msg = f"{name} must be a list with an entry or more, not {value!r}"
            raise CardError(msg)
        for each in value:
            _check_form(each, form[0], f"an entry of {name}")
    else:
        is_number = type(value) in (int, float) and -MAX_WHOLE <= value <= MAX_WHOLE  # not NaN, either
        is_right = {
            float: is_number,
            int: type(value) is int and 0 <= value <= MAX_WHOLE,
            Optional: is_number or value is None,
        }
        if not is_right.get(form, isinstance(value, form) if isinstance(form, type) else False):
            msg = f"{name} must be {NAMES[form]}, not {str(value)[:MAX_QUOTE]!r}"
            raise CardError(msg)


def plan_of_card(card: Mapping[str, Any]) -> tuple[DuelPlan, Field]:
    """The plan of a card, without making its agent, and its field; CardError if that is not published."""
    definition = definitions()[card["game"]]
    try:
        rules = definition.text_to_rules(card["rules"])
        field = field_of(rules)
        opponents = rating_plan(rules, field.agents[0].agent, field)  # any agent stands in for the rated one
    except ValueError as error:
        raise CardError(str(error)) from error
    if card["field"] != field.digest:
        msg = "the field of this card is another one than that of this version of the package"
        raise CardError(msg)
    copies = copies_of(rules)
    plan = replace(
        opponents,
        agents=(*[card["agent"]] * copies, *opponents.agents[copies:]),
        networks=(*[card["network"]] * copies, *opponents.networks[copies:]),
        luck=card["luck"],
    )
    return plan, field


def verify(path: Path, *, sample: float, itself: bool, seed: int) -> Iterator[tuple[int, int]]:
    """Verify a card by its log, in steps.

    Args:
        path: of the card; its log lies next to it.
        sample: the share of the games in which opponents' moves are computed again.
        itself: compute the moves of the rated agent, too, which runs the code that its name selects.
        seed: of the sample; must be unknown to the author of the log, who could otherwise choose the games.

    Yields:
        The number of games replayed so far, and of all.

    Raises:
        OSError: a file cannot be read.
        CardError: the card does not follow from the log, or the log does not replay.
    """
    card = read_card(path)
    plan, field = plan_of_card(card)
    log_path = log_of(path)
    try:
        digest = log_digest(log_path)
        if card["log"] != digest:
            msg = f"{log_path} is not the log of this card: its SHA-256 is {digest}"
            raise CardError(msg)
        log = Log.read(log_path, plan)
    except ValueError as error:
        raise CardError(str(error)) from error
    deals = {each["opponent"]: each["deals"] for each in card["against"]}
    if not all(deals.values()):
        msg = "deals of an entry of against must be at least 1"
        raise CardError(msg)
    _check_extent(log, field, deals)
    _compare(card, card_of(log, field, deals, digest))  # which is quick
    _check_choice(log, field, deals, card["command"])
    _check_endings(card, plan, itself=itself)
    total, done = sum(len(games) for games in log.games.values()), 0
    generator = np.random.default_rng(seed)
    for group, games in log.games.items():
        check = generator.random(len(games)) < sample
        for first in range(0, len(games), CHUNK):
            part = games[first : first + CHUNK]
            check_games(plan, group, part, check[first : first + CHUNK], itself=itself)
            done += len(part)
            yield done, total


def _check_endings(card: Mapping[str, Any], plan: DuelPlan, *, itself: bool) -> None:
    """CardError unless the losses in the preset's endings are those of the chosen actions."""
    path, found = endings_path(plan.rules), card["endings"]
    if path is None or found is None:
        if (path is None) != (found is None):
            what = "has no actions" if found is None else "has actions"
            msg = (
                f"the card {what} in endings, and there is {'a' if path else 'no'} set of them for its rules"
            )
            raise CardError(msg)
        return
    try:
        _compare(found, endings_of(path, found["chosen"]))
    except PositionError as error:
        raise CardError(str(error)) from error
    agent = _member(plan, ME, itself=itself)
    if agent is not None and (again := chosen_in(agent, path)) != found["chosen"]:
        at = next(at for at, action in enumerate(again) if action != found["chosen"][at])
        msg = f"ending {at}: {plan.agents[ME]} plays action {again[at]}, not {found['chosen'][at]}"
        raise CardError(msg)


def _check_extent(log: Log, field: Field, deals: Mapping[str, int]) -> None:
    """CardError unless the log has the deals that the card counts, and no games of others."""
    plan = plan_in(log)
    if not all(name in names_of(field) for name in deals):
        msg = f"the opponents must be agents of the field, {', '.join(names_of(field))}"
        raise CardError(msg)
    if log.others:
        msg = f"the log has games of other agents: {log.others[0][:80]!r}"
        raise CardError(msg)
    duels = {pair: deals.get(each.agent, 0) for pair, each in zip(pairs_of(field), field.agents, strict=True)}
    for group, count in plan.deals_by_group(duels).items():
        if log.deals(group) < count:
            names = " and ".join(dict.fromkeys(plan.agents[agent] for agent in group))
            msg = f"the log has {log.deals(group)} complete deals of {names}, and the card counts {count}"
            raise CardError(msg)


def _check_choice(log: Log, field: Field, deals: Deals, command: str) -> None:
    """CardError unless the card counts the deals that its command chooses by the results in the log."""
    half_width, most = _asked(command)
    plan = plan_in(log)

    def play(opponent: str, wanted: int, _so_far: Place | None) -> None:
        number = names_of(field).index(opponent) + 1
        played = min(log.deals(group) for group in plan.groups_of((ME, number)))
        if played < wanted:
            msg = f"`{command}` does not end with the {played} deals against {opponent} in the log"
            raise CardError(msg)

    chosen = rate(log, field, half_width, most, play)
    if chosen != deals:
        wanted, found = (
            ", ".join(f"{counted[name]} against {name}" for name in names_of(field) if name in counted)
            for counted in (chosen, deals)
        )
        msg = f"`{command}` counts the deals {wanted}, and the card {found}"
        raise CardError(msg)


def _asked(command: str) -> tuple[float, int]:
    """The half-width and the most deals per opponent that a rating's command asks for."""
    try:
        words = shlex.split(command)
        options = dict(pairwise(words))
        half_width = float(options.get("--half-width", HALF_WIDTH))
        most = int(options.get("--deals", MOST_DEALS))
    except ValueError as error:
        msg = f"the command of the card cannot be read: {error}"
        raise CardError(msg) from error
    if not 0 < half_width < np.inf or most < 1:
        msg = f"the command of the card asks for ±{half_width:g} by {most} deals, which must be above 0"
        raise CardError(msg)
    return half_width, most


def check_games(
    plan: DuelPlan,
    group: Sequence[int],
    games: Sequence[GameResult],
    check: NDArray[np.bool_],
    *,
    itself: bool,
) -> None:
    """Replay games of a group; CardError if their moves do not lead to what the log says.

    Args:
        plan: of the log.
        group: its agents, by number.
        games: to replay.
        check: bool [games], whether their agents are asked for their moves.
        itself: ask the rated agent, too.
    """
    copies = copies_of(plan.rules)
    members = {
        agent: made
        for agent in group
        if (made := _member(plan, agent, itself=itself or agent >= copies)) is not None
    }
    deals = np.array([game.deal for game in games])
    batch = GameBatch(plan.rules, int(deals.max() - deals.min()) + 1, 0)
    batch.seed(plan.seed, int(deals.min()))
    batch = batch.take(deals - deals.min())
    luck = DrawLuck(batch) if plan.measures_luck else None
    for agent in members.values():
        begin_games(agent, batch.state.policy_key.copy())
    seating = np.array([game.seating for game in games])
    lengths = np.array([len(game.actions) for game in games])
    steps = np.full((len(games), int(lengths.max())), NO_ACTION, np.int64)
    for row, game in enumerate(games):
        steps[row, : len(game.actions)] = game.actions
    decisions = np.zeros(seating.shape, np.int64)
    rows = np.arange(len(games))
    for step, actions in enumerate(steps.T):
        running = actions != NO_ACTION
        if (batch.is_over & running).any() or (~batch.is_over & ~running).any():
            row = int(np.argmax(batch.is_over == running))
            how = "ends before" if running[row] else "goes on after"
            msg = f"deal {games[row].deal}: the game {how} move {step}"
            raise CardError(msg)
        sheets = batch.to_play % plan.rules.num_sheets
        for number, agent in members.items():
            mine = np.flatnonzero(running & check & (seating[rows, sheets] == number))
            if len(mine):
                with naming(plan.agents[number]):
                    chosen = flat_actions(agent, View(batch.take(mine)))
                wrong = np.flatnonzero(chosen != actions[mine])
                if len(wrong):
                    row = mine[wrong[0]]
                    msg = (
                        f"deal {games[row].deal}, move {step}: {plan.agents[number]} plays action "
                        f"{chosen[wrong[0]]}, not {actions[row]} as in the log"
                    )
                    raise CardError(msg)
        decisions[rows[running], sheets[running]] += 1
        try:
            (luck or batch).play(actions)
        except IllegalActionError as error:
            msg = f"the log has an illegal move: {error}"
            raise CardError(msg) from error
    _check_ends(games, batch, decisions, luck)


def _member(plan: DuelPlan, number: int, *, itself: bool) -> Any:
    if not itself:
        return None
    try:
        agent = make_agent(plan.agents[number])
        now = fingerprint(agent, plan.rules)
    except (ValueError, ImportError, OSError) as error:
        raise CardError(str(error)) from error
    if now != plan.networks[number]:
        msg = f"the weights of {plan.agents[number]} are not those of the card"
        raise CardError(msg)
    return agent


def _check_ends(
    games: Sequence[GameResult],
    batch: GameBatch,
    decisions: Any,
    luck: DrawLuck | None,
) -> None:
    """CardError unless the positions at the end are those of the log."""
    for row, game in enumerate(games):
        if not batch.is_over[row]:
            msg = f"deal {game.deal}: the moves of the log end before the game does"
            raise CardError(msg)
        found: dict[str, Any] = {
            "scores": batch.scores[row].tolist(),
            "ranks": batch.ranks[row].tolist(),
            "decisions": decisions[row].tolist(),
        }
        for name, value in found.items():
            if getattr(game, name) != value:
                msg = f"deal {game.deal}: the moves lead to {name} {value}, not {getattr(game, name)}"
                raise CardError(msg)
        if luck is None:
            if game.luck is not None:
                msg = f"deal {game.deal}: luck is not measured in this game"
                raise CardError(msg)
        elif game.luck is None or not np.allclose(
            luck.total[row], game.luck, rtol=LUCK_TOLERANCE, atol=LUCK_TOLERANCE
        ):
            msg = f"deal {game.deal}: the luck of the draws is {luck.total[row].tolist()}, not {game.luck}"
            raise CardError(msg)


def _compare(card: Mapping[str, Any], computed: Mapping[str, Any]) -> None:
    """CardError unless a card has the computed values."""
    for name, value in computed.items():
        if not _agree(card.get(name), value):
            msg = f"{name} is {card.get(name)!r} on the card, and should be {value!r}"
            raise CardError(msg)


def _agree(found: Any, computed: Any) -> bool:
    """Return whether two values of JSON agree, numbers up to the last digit of a card."""
    if type(computed) is float and type(found) in (int, float):
        return bool(abs(found - computed) <= LAST_DIGIT * max(1, abs(computed)))
    if isinstance(computed, dict) and isinstance(found, dict):
        return found.keys() == computed.keys() and all(
            _agree(found[each], computed[each]) for each in computed
        )
    if isinstance(computed, list) and isinstance(found, list):
        return len(found) == len(computed) and all(map(_agree, found, computed))
    return type(found) is type(computed) and bool(found == computed)
