"""Facts of Loopit that other modules read: numbers of players, variants, deal, visibility of choices."""

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
    """Far more than in any real game; there is no bound, as racks that fit nowhere can be kept for ever."""
    return 1000 * rules.num_tiles


def deal(rules: Rules) -> tuple[int, ...]:
    """The tiles put out of the game first, then the racks, and the tile of the start square (LOOPIT.md 2)."""
    seats = [seat for seat in range(rules.num_players) for _ in range(rules.rack_size)]
    return (*[OUT] * rules.num_out, *seats, START)
