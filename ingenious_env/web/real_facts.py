"""Data for real tables and for positions as text on a page without a server, in addition to `pack.py`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from ingenious_env.compiled.rows import WORD_BYTES
from ingenious_env.engine import checks, dealing, unseen
from ingenious_env.engine.batch import GameBatch
from ingenious_env.engine.definition import AnyDefinition, AnyRules, variant_of
from ingenious_env.engine.facts import START
from ingenious_env.languages import Texts
from ingenious_env.policies import real_table
from ingenious_env.web import real
from ingenious_env.web.requests import LONGEST_MOVE
from ingenious_env.web.texts import TEXTS

SERVER = ("hints", "long move", "no judge", "no text", "not real", "position", "record")
"""The sentences of a server that a page without one shows at real tables, too."""


def real_facts(game: AnyDefinition, laying: Sequence[Texts]) -> dict[str, Any]:
    """The sentences, presets and notation of a game, as `RealFacts` of `local/types.d.ts`."""
    own = {name: text for texts in laying for name, text in texts.items()}
    return {
        "words": {
            "range": checks.RANGE,
            "dealing": dict(dealing.TEXTS),
            "unseen": dict(unseen.TEXTS),
            "table": dict(real_table.TEXTS),
            "request": dict(real.TEXTS),
            "server": {name: TEXTS[name] for name in SERVER},
            "own": own,
        },
        "values": {json.dumps(value): repr(value) for value in (None, True, False)},
        "longest": LONGEST_MOVE,
        "notation": _notation(game),
        "presets": {name: _preset_facts(preset.rules) for name, preset in game.presets.items()},
    }


def _notation(game: AnyDefinition) -> dict[str, Any]:
    """Of positions: the first line, the keywords of the others, the names in that of the turn, and phases."""
    some = next(iter(game.presets.values())).rules
    version, *lines = game.game(some, 0).to_text().splitlines()
    values = {line.partition(" ")[0]: line.partition(" ")[2].split(" ") for line in lines}
    turn = [value.partition("=")[0] for value in values["turn"][1:]]
    return {"version": version, "lines": list(values), "turn": turn, "phases": list(game.phases)}


def _preset_facts(rules: AnyRules) -> dict[str, Any]:
    variant = variant_of(rules)
    batch = GameBatch(rules, 1, real_table.SEED)
    batch.deal_in_order(np.repeat(np.arange(len(variant.tiles)), list(variant.tiles.values()))[None])
    game, spec = variant.definition, variant.description.spec
    names = game.layout.Spec._fields
    return {
        "tiles": [[game.tile_to_text(tile), count] for tile, count in variant.tiles.items()],
        "deal": [None if place == START else place for place in game.deal(rules)],
        "open": game.open_racks(rules),
        "highest": game.max_score(rules),
        "dealt": {name: str(getattr(batch.state, name)[0]) for name in ("stream", "policy_key")},
        "fresh": int(spec[names.index("fresh_row_at")]) * WORD_BYTES,
    }
