"""Spare rows of kernels have room for every variant: field by field, as long as its longest."""

from __future__ import annotations

import pytest
from helpers import PRESETS, VARIANTS
from loopit_helpers import VARIANTS as LOOPIT_VARIANTS

from ingenious_env import Rules
from ingenious_env.engine.definition import definition_of, variant_of

WIDEST = Rules(6, board_side=10, num_colours=6, rack_size=6)


@pytest.mark.parametrize("rules", [*PRESETS.values(), *VARIANTS.values(), *LOOPIT_VARIANTS.values()])
def test_no_field_of_a_variant_is_longer(rules):
    layout, row = definition_of(rules).layout, variant_of(rules).row_dtype
    spare = layout.dtype(layout.largest)
    assert spare.itemsize >= row.itemsize
    for name in layout.fields:
        assert spare[name].itemsize >= row[name].itemsize, name


def test_the_widest_variant_of_ingenious_fills_all_fields_but_those_of_equal_length():
    """Its board has 271 cells and one for what is beyond, and 756 pairs, which take 12 words of bits."""
    layout, row = definition_of(WIDEST).layout, variant_of(WIDEST).row_dtype
    assert row["board"].itemsize == 272
    assert row["open_pairs"].itemsize == 12 * 8
    spare = layout.dtype(layout.largest)
    longer = {name for name in layout.fields if spare[name].itemsize > row[name].itemsize}
    assert longer == {"bag"}  # no variant has 255 tiles
