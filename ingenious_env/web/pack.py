"""The facts of a game for a page without a server: its kernels as WebAssembly, its variants as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_env.compiled.bag import NO_TILE
from ingenious_env.compiled.kernel import Kernel
from ingenious_env.compiled.phases import OVER
from ingenious_env.compiled.rows import ADDRESSES
from ingenious_env.compiled.targets.wasm import wasm_module
from ingenious_env.engine.definition import (
    AnyDefinition,
    AnyRules,
    LocalPage,
    Variant,
    definition_of,
    definitions,
    variant_of,
)
from ingenious_env.engine.records import VERSION
from ingenious_env.policies.calibration import MARGIN
from ingenious_env.policies.estimate import DECIDED, MIN_MOVES, spreads_of
from ingenious_env.policies.greedy import Greedy, guide_kernels
from ingenious_env.policies.judging import MARKS
from ingenious_env.policies.levels import looseness
from ingenious_env.policies.luck import are_draws_open
from ingenious_env.policies.ranking import Ranked
from ingenious_env.policies.value import (
    Value,
    ValueNetwork,
    highest_value,
    model_of,
    shipped_network,
    unit_of,
)
from ingenious_env.policies.view import Policy, Uniform
from ingenious_env.render.player import FOR_PLAYING
from ingenious_env.web.advice import LISTED
from ingenious_env.web.alone import COMPARED, NEAR
from ingenious_env.web.lookup import JUDGE
from ingenious_env.web.offer import about_game, about_variant
from ingenious_env.web.real_facts import real_facts
from ingenious_env.web.rooms import CHOICE_TIME, LONGEST_THOUGHT
from ingenious_env.web.standings import ranks_kernel
from ingenious_env.web.tables import LEVELS, Agent, built_in_agents

Announce = Callable[[str], object]
"""Called with the title of a game before its kernels are compiled, which takes a minute or two."""
GAMES = "games.json"
"""The file of the facts of all games."""
REAL = "{game}-real.json"
"""The file of the further data that real tables of a game need."""
CALLED = (
    "seed_games",
    "play_moves",
    "explain_actions",
    "write_masks",
    "write_observations",
    "reshuffle_hidden",
    "random_actions",
    "greedy_actions",
    "write_candidates",
    "rank_actions",
    "write_ranks",
)
"""The kernels that the page's JavaScript calls in each game, besides those of agents."""


@dataclass(frozen=True)
class LocalSearch:
    """An agent that searches, as a page without a server has it.

    Attributes:
        agent: as a server has it.
        facts: how it searches, by the name of each game that it plays: a `PolicyFacts` of
            `local/types.d.ts`.
        kernels: that its search calls, by the name of the game.
    """

    agent: Agent
    facts: Mapping[str, Mapping[str, Any]]
    kernels: Mapping[str, Sequence[Kernel]]

    def make(self, game: AnyDefinition) -> Policy:
        """The agent of a game; ValueError if it does not play that game on a page without a server."""
        if game.name not in self.facts:
            msg = f"{self.agent.name} does not play {game.title} on a page without a server"
            raise ValueError(msg)
        return self.agent.make(game)


def kernels_of(game: AnyDefinition, searches: Sequence[LocalSearch] = ()) -> dict[str, Kernel]:
    """The kernels of a game that a page calls, by name; without those that the game does not have."""
    found = {name: each for name, each in vars(game.kernels).items() if isinstance(each, Kernel)}
    found |= {each.name: each for each in guide_kernels(game)}
    if game.value_model is not None:
        found["rank_actions"] = game.value_model.rank_actions
    found["write_ranks"] = ranks_kernel(game.name, local_of(game).standings)
    called = {name: found[name] for name in CALLED if name in found}
    anywhere = next(iter(game.presets.values())).rules
    agents = [policy.ranking(anywhere).kernel for policy in ranked_of(game).values()]
    agents += [kernel for search in searches for kernel in search.kernels.get(game.name, ())]
    return {**called, **local_of(game).kernels, **{kernel.name: kernel for kernel in agents}}


def local_of(game: AnyDefinition) -> LocalPage[Any]:
    """What pages without a server need of a game; ValueError if it cannot be played there."""
    if game.pages is None or game.pages.local is None:
        msg = f"{game.name} cannot be played on a page without a server"
        raise ValueError(msg)
    return game.pages.local


def game_facts(game: AnyDefinition, searches: Sequence[LocalSearch] = ()) -> dict[str, Any]:
    """The facts of a game, as `GameFacts` of `local/types.d.ts`."""
    agents = local_agents(searches)
    policies = policies_of(game) | {each.agent.name: each.facts.get(game.name) for each in searches}
    choices = game.choices.items()
    return {
        **about_game(game, agents),
        "example": game.example,
        "policies": {name: facts for name, facts in policies.items() if name in agents and facts},
        "private": [name for name, choice in choices if choice.is_private],
        "shows": [name for name, choice in choices if choice.shows_rack],
        "returns": [name for name, choice in choices if choice.returns_rack],
        "record": f"{game.name}-{VERSION}",
        "marks": {unit: [list(each) for each in marks] for unit, marks in MARKS.items()},
        "compared": {"agents": list(COMPARED), "near": NEAR},
        "listed": LISTED,
        "judge": JUDGE,
        "over": OVER,
        "no_tile": NO_TILE,
        "longest": LONGEST_THOUGHT,
        "choice_time": CHOICE_TIME,
        "for_playing": list(FOR_PLAYING),
    }


def local_agents(searches: Sequence[LocalSearch] = ()) -> dict[str, Agent]:
    """The agents that a page without a server has: ready opponents that kernels are for, and searches."""
    known = definitions()
    policies = [policy for game in known.values() for policy in policies_of(game).items()]
    names = {name for name, facts in policies if facts is not None}
    ready = [agent for agent in built_in_agents(known) if agent.name in names]
    found = [*ready, *(Agent(each.agent.name, each.make) for each in searches)]
    return {agent.name: agent for agent in sorted(found, key=lambda agent: agent.name in LEVELS)}


def policies_of(game: AnyDefinition) -> dict[str, dict[str, Any] | None]:
    """How the ready opponents of a game and its levels choose, by name (see `policy_facts`)."""
    levels = {name: each.policies[game.name] for name, each in LEVELS.items() if game.name in each.policies}
    found = {name: policy_facts(name, policy) for name, policy in {**game.policies, **levels}.items()}
    return {name: facts and {**facts, "level": name in levels} for name, facts in found.items()}


def policy_facts(name: str, policy: Policy) -> dict[str, Any] | None:
    """How a policy chooses, as JSON; None if a page without a server cannot do so."""
    if isinstance(policy, Greedy):
        return {"kind": "greedy", "utility": policy.utility, "epsilon": policy.epsilon}
    if isinstance(policy, Value):
        return {"kind": "value", "temperature": policy.temperature}
    if isinstance(policy, Ranked):
        return {"kind": "ranked", "name": name}
    return {"kind": "uniform"} if isinstance(policy, Uniform) else None


def ranked_of(game: AnyDefinition) -> dict[str, Ranked]:
    """The ready opponents of a game that rank actions, by name."""
    return {name: policy for name, policy in game.policies.items() if isinstance(policy, Ranked)}


def variant_facts(name: str, rules: AnyRules, searches: Sequence[LocalSearch] = ()) -> dict[str, Any]:
    """The facts of a variant, as `VariantFacts` of `local/types.d.ts`."""
    variant = variant_of(rules)
    game, actions, layout = variant.definition, variant.flat_actions, variant.observation
    sections = layout.sections.items()
    utilities = game.guide.utilities if game.guide else {}
    return {
        "rules": game.rules_to_text(rules),
        "players": rules.num_players,
        "sheets": rules.num_sheets,
        "look": about_variant(rules, local_agents(searches)),
        "local": local_of(game).facts(rules),
        "tiles": [list(tile) for tile in variant.tile_types],
        "places": [game.places(rules, placement) for placement in range(actions.num_placements)],
        "spec": [0 if each in ADDRESSES else number for each, number in _spec_of(variant)],
        "addresses": {each: place for place, (each, _) in enumerate(_spec_of(variant)) if each in ADDRESSES},
        "tables": {
            "file": f"{game.name}-{name}.tables",
            "wide_bytes": variant.description.wide_tables.nbytes,
        },
        "row": {"bytes": variant.row_dtype.itemsize, "fields": _fields(variant)},
        "actions": {
            "slots": actions.num_slots,
            "placements": actions.num_placements,
            "choices": list(actions.choices),
        },
        "observation": {
            "kind": _kind(np.dtype(layout.dtype)),
            "size": layout.size,
            "sections": {part: {"at": each.start, "shape": list(each.shape)} for part, each in sections},
        },
        "utilities": {each: utility(rules).tolist() for each, utility in utilities.items()},
        "value": _value_facts(name, rules),
        "looseness": looseness(rules),
        "levels": _level_facts(rules),
        "rankings": {each: _ranking_facts(policy, rules) for each, policy in ranked_of(game).items()},
    }


def _level_facts(rules: AnyRules) -> dict[str, Any] | None:
    """Figures by which the levels of players are estimated; None if they were not measured."""
    spreads = spreads_of(rules)
    if spreads is None:
        return None
    return {
        "unit": unit_of(rules),
        "decided": DECIDED,
        "least": MIN_MOVES,
        "spreads": [list(each) for each in spreads],
    }


def _ranking_facts(policy: Ranked, rules: AnyRules) -> dict[str, Any]:
    """How a policy ranks the actions of a variant; arguments as words (see `compiled/targets/wasm.py`)."""
    kernel, arguments, room, unit = policy.ranking(rules)
    words = [np.array([each]).view(np.int64)[0] for each in arguments]
    return {"kernel": kernel.name, "arguments": [str(word) for word in words], "room": room, "unit": unit}


def _spec_of(variant: Variant) -> list[tuple[str, int]]:
    """The numbers that kernels take, by name, in order."""
    names = variant.definition.layout.Spec._fields
    return list(zip(names, variant.description.spec.tolist(), strict=True))


def _kind(dtype: np.dtype[Any]) -> str:
    """A type of numbers, as "u1"."""
    return dtype.str[1:]


def _fields(variant: Variant) -> dict[str, dict[str, Any]]:
    """The fields of a row, by name."""
    fields: Mapping[str, Any] = variant.row_dtype.fields or {}
    return {
        name: {
            "at": fields[name][1],
            "kind": _kind(fields[name][0].base),
            "shape": list(fields[name][0].shape),
        }
        for name in variant.definition.layout.fields
    }


def _value_facts(name: str, rules: AnyRules) -> dict[str, Any] | None:
    """How the shipped network is used; None if there is none."""
    network = network_of(rules)
    if network is None:
        return None
    model, curve = model_of(rules), network.calibration
    return {
        "unit": unit_of(rules),
        "highest": highest_value(rules),
        "calibration": None if curve is None else list(curve.coefficients),
        "margin": MARGIN,
        "most_placed": model.max_placed(rules),
        "weights": f"{definition_of(rules).name}-{name}.weights",
        "utility": model.utility,
        "candidates": model.candidates,
        "ranked": max(2, model.num_ranked(rules, model.candidates)),
        "compared": max(2, model.num_compared(rules, model.candidates)),
        "luck": None
        if are_draws_open(rules)
        else {
            "candidates": model.luck_candidates,
            "compared": max(2, model.num_compared(rules, model.luck_candidates)),
        },
    }


def network_of(rules: AnyRules) -> ValueNetwork | None:
    """The shipped network of a variant, if there is one."""
    try:
        return shipped_network(rules)
    except ValueError:
        return None


def data_files(
    games: Sequence[AnyDefinition], announce: Announce, searches: Sequence[LocalSearch] = ()
) -> dict[str, bytes]:
    """The files of some games by name: modules of WebAssembly, facts, weights; errors as of `wasm_module`."""
    found = {}
    for game in games:
        announce(game.title)
        found[f"{game.name}.wasm"] = wasm_module(kernels_of(game, searches))
        found[REAL.format(game=game.name)] = _json(real_facts(game, local_of(game).laying))
        for name, preset in game.presets.items():
            facts = variant_facts(name, preset.rules, searches)
            found[f"{game.name}-{name}.json"] = _json(facts)
            found[facts["tables"]["file"]] = tables_of(preset.rules)
            network = network_of(preset.rules)
            if network is not None:
                found[facts["value"]["weights"]] = packed(network.weights)
    return {GAMES: _json([game_facts(game, searches) for game in games]), **found}


def tables_of(rules: AnyRules) -> bytes:
    """The tables of a variant, the wide ones first."""
    description = variant_of(rules).description
    return description.wide_tables.tobytes() + description.small_tables.tobytes()


def packed(weights: NDArray[np.float32]) -> bytes:
    """Weights as their first bytes, their second ones, and so on, which file servers pack 4 % smaller."""
    return np.ascontiguousarray(weights.view(np.uint8).reshape(-1, weights.itemsize).T).tobytes()


def _json(content: Any) -> bytes:
    return json.dumps(content, separators=(",", ":")).encode()
