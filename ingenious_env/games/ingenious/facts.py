"""Facts of Ingenious that other modules read: numbers of players, variants, visibility of choices."""

from __future__ import annotations

from ingenious_env.engine.choices import Choice
from ingenious_env.engine.facts import Preset
from ingenious_env.games.ingenious.rules import MAX_PLAYERS, Rules

PLAYERS = range(1, MAX_PLAYERS + 1)
PRESETS = {
    "solitaire": Preset("solitaire", Rules.solitaire()),
    "two": Preset("two players", Rules.standard(2)),
    "three": Preset("three players", Rules.standard(3)),
    "four": Preset("four players", Rules.standard(4)),
    "partnership": Preset("two partnerships", Rules.partnership()),
}
CHOICES = {"keep": Choice(is_private=True), "swap": Choice("Swap all", "x", shows_rack=True)}
EXAMPLE = "r0,-4 b1,-4"


def most_moves(rules: Rules) -> int:
    """An upper bound: each tile is laid once, with a choice and swaps that are rarer."""
    return 4 * rules.num_tiles
