"""Facts of Loopit that other modules read: who plays it, its variants, its deal, what its choices tell."""

from __future__ import annotations

from ingenious_env.engine.choices import Choice
from ingenious_env.engine.facts import OUT, START, Preset
from ingenious_env.games.loopit.rules import MAX_PLAYERS, MIN_PLAYERS, Rules

PLAYERS = range(MIN_PLAYERS, MAX_PLAYERS + 1)
PRESETS = {
    "two": Preset("two players", Rules(2)),
    "three": Preset("three players", Rules(3)),
    "four": Preset("four players", Rules(4)),
}
CHOICES = {"stop": Choice(is_private=True), "throw back": Choice(returns_rack=True), "keep": Choice()}
EXAMPLE = "NE5@6,7"


def most_moves(rules: Rules) -> int:
    """Far more than any game has; no bound is known, as racks that fit nowhere can be kept for ever."""
    return 1000 * rules.num_tiles


def deal(rules: Rules) -> tuple[int, ...]:
    """What is put out of the game first, then the racks, and the tile of the start square (LOOPIT.md 2)."""
    seats = [seat for seat in range(rules.num_players) for _ in range(rules.rack_size)]
    return (*[OUT] * rules.num_out, *seats, START)
