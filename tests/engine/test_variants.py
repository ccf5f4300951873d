"""Caches by variant: bounded to the latest, and not needed by games in use."""

import gc
from itertools import islice, product
from weakref import ref

from ingenious_env import Game, Rules
from ingenious_env.engine.definition import MOST_VARIANTS, variant_of
from ingenious_env.games.ingenious.tables import fresh_row


def test_what_is_derived_from_variants_is_bounded():
    """As a server that reads rules of others may meet any number; games of earlier ones go on."""
    used, other = (Rules(2, counter_top=17, rack_size=rack) for rack in (4, 5))
    game, expected = Game(used, 1), Game(used, 1)
    while not expected.is_over:
        expected.play(int(expected.legal_actions()[0]))
    there = ref(variant_of(other))
    assert variant_of(other) is there()
    row = ref(fresh_row(other).base)
    others = product((3, 4), (4, 5, 6), (2, 3, 6), range(4, 19))
    for players, colours, rack, top in islice(others, MOST_VARIANTS):
        rules = Rules(players, num_colours=colours, rack_size=rack, counter_top=top)
        assert (variant_of(rules).rules, fresh_row(rules).ndim) == (rules, 1)
    gc.collect()
    assert there() is None
    assert row() is None
    while not game.is_over:
        game.play(int(game.legal_actions()[0]))
    assert game.scores.tolist() == expected.scores.tolist()
    assert variant_of(used) is variant_of(used)
