"""The compiled rules of Ingenious: the functions that `compiled/compiled_rules.py` requires of a game."""

from __future__ import annotations

import sys

from ingenious_env.compiled import placing
from ingenious_env.compiled.kernel import bind, inlined
from ingenious_env.compiled.placing import word_for_decision
from ingenious_env.games.ingenious.kernels.hidden import reshuffle
from ingenious_env.games.ingenious.kernels.legality import (
    may_choose,
    placement_illegality,
    random_action,
    slot_illegality,
    workspace,
    write_mask,
)
from ingenious_env.games.ingenious.kernels.observation import write_observation
from ingenious_env.games.ingenious.kernels.turns import choose, deal, hand_out, place
from ingenious_env.games.ingenious.state import LAYOUT

_this = sys.modules[__name__]
games_of = LAYOUT.games_of
illegality = inlined(bind(placing.illegality, _this))
play = inlined(bind(placing.play, _this))

__all__ = [
    "choose",
    "deal",
    "games_of",
    "hand_out",
    "illegality",
    "may_choose",
    "place",
    "placement_illegality",
    "play",
    "random_action",
    "reshuffle",
    "slot_illegality",
    "word_for_decision",
    "workspace",
    "write_mask",
    "write_observation",
]
