"""The facts of a game for a page without a server: its kernels as WebAssembly, its variants as JSON."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_env.compiled.kernel import Kernel
from ingenious_env.compiled.rows import ADDRESSES
from ingenious_env.compiled.targets.wasm import wasm_module
from ingenious_env.engine.definition import AnyDefinition, AnyRules, Variant, variant_of
from ingenious_env.policies.greedy import guide_kernels
from ingenious_env.policies.value import ValueNetwork, model_of, shipped_network

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
    "best_actions",
    "rank_actions",
)
"""The kernels that the page's JavaScript calls."""


def kernels_of(game: AnyDefinition) -> dict[str, Kernel]:
    """The kernels of a game that a page calls, by name; without those that the game does not have."""
    found = {name: each for name, each in vars(game.kernels).items() if isinstance(each, Kernel)}
    found |= {each.name: each for each in guide_kernels(game)}
    if game.value_model is not None:
        found |= {each.name: each for each in (game.value_model.best_actions, game.value_model.rank_actions)}
    return {name: found[name] for name in CALLED if name in found}


def wasm_of(game: AnyDefinition) -> bytes:
    """The kernels of a game as a module of WebAssembly; errors as of `wasm_module`."""
    return wasm_module(kernels_of(game))


def facts_of(game: AnyDefinition) -> dict[str, Any]:
    """The facts of a game's presets, as `GameFacts` of `local/types.d.ts`."""
    variants = {name: variant_facts(name, preset.rules) for name, preset in game.presets.items()}
    return {"game": game.name, "variants": variants}


def variant_facts(name: str, rules: AnyRules) -> dict[str, Any]:
    """The facts of a variant, as `VariantFacts` of `local/types.d.ts`."""
    variant = variant_of(rules)
    game, actions, layout = variant.definition, variant.flat_actions, variant.observation
    sections = layout.sections.items()
    utilities = game.guide.utilities if game.guide else {}
    return {
        "rules": game.rules_to_text(rules),
        "players": rules.num_players,
        "spec": [0 if each in ADDRESSES else number for each, number in _spec_of(variant)],
        "addresses": {each: place for place, (each, _) in enumerate(_spec_of(variant)) if each in ADDRESSES},
        "tables": {
            "small_tables": _text(variant.description.small_tables),
            "wide_tables": _text(variant.description.wide_tables),
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
    }


def _spec_of(variant: Variant) -> list[tuple[str, int]]:
    """The numbers that kernels take, by name, in order."""
    names = variant.definition.layout.Spec._fields
    return list(zip(names, variant.description.spec.tolist(), strict=True))


def _text(array: NDArray[Any]) -> str:
    """The bytes of an array, in base64."""
    return b64encode(array.tobytes()).decode("ascii")


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
    if network_of(rules) is None:
        return None
    model = model_of(rules)
    return {
        "weights": f"{name}.weights",
        "utility": model.utility,
        "candidates": model.candidates,
        "ranked": max(2, model.num_ranked(rules, model.candidates)),
    }


def network_of(rules: AnyRules) -> ValueNetwork | None:
    """The shipped network of a variant, if there is one."""
    try:
        return shipped_network(rules)
    except ValueError:
        return None


def weights_of(game: AnyDefinition) -> dict[str, bytes]:
    """The weights of the shipped networks of a game's presets, float32, by the name of the file."""
    networks = {name: network_of(preset.rules) for name, preset in game.presets.items()}
    return {f"{name}.weights": each.weights.tobytes() for name, each in networks.items() if each is not None}
