"""The counts written in `loopit_perft.txt`, made again by the reference and in part by reasoning."""

import pytest
from loopit_perft import CASES, TABLE, recorded, table
from loopit_reference import OPPOSITE, Perft, ReferenceLoopit


def test_the_reference_counts_as_written():
    assert table() == TABLE.read_text()


def test_every_column_counts_something():
    """A column of zeros would prove nothing."""
    assert len(recorded()) == sum(last for _, last in CASES.values())
    assert all(any(column) for column in zip(*recorded().values(), strict=True))


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("standard")])
def test_first_placements(name):
    """One for each end of the start tile and each tile of the rack that has the opposite end."""
    game = ReferenceLoopit(**CASES[name][0])
    ((start_ends, start_value),) = game.board.values()
    ends = [(end, value) for ends, value in game.racks[0] for end in ends if OPPOSITE[end] in start_ends]
    points = sum(value + start_value for _, value in ends)
    assert recorded()[name, 1] == Perft(nodes=len(ends), points=points, stops=len(ends))
