"""Counts of all sequences of moves in small games of Loopit, by the reference.

    python tests/oracle/loopit_perft.py    # write them anew, after a change that is meant

A line a case and a depth: what `perft` counts, in columns.
"""

import random
from pathlib import Path

from loopit_reference import Perft, ReferenceLoopit, Tile, perft, standard_tiles

TABLE = Path(__file__).with_suffix(".txt")


def tiles(text: str) -> list[Tile]:
    """Tiles as in "NE1 ESW2"."""
    return [(tile[:-1], int(tile[-1])) for tile in text.split()]


def small(rack_size: int, draw_order: str, start: tuple[int, int] = (2, 2), **options) -> dict:
    """A game on 5 × 5 squares, two players unless given; its material is what is drawn."""
    factors = [
        [6, 1, 4, 1, 6],
        [1, 2, 3, 2, 1],
        [4, 3, 1, 3, 4],
        [1, 2, 3, 2, 1],
        [6, 1, 4, 1, 6],
    ]
    order = tiles(draw_order)
    material = {"draw_order": order, "tiles": sorted(order), "factors": factors, "start": start}
    return {"num_players": 2, "rack_size": rack_size} | material | options


def standard(num_players: int, *, fixed_rounds: bool = False) -> dict:
    """A game with the standard material, in a fixed order."""
    order = standard_tiles()
    random.Random(num_players).shuffle(order)  # noqa: S311
    return {"num_players": num_players, "fixed_rounds": fixed_rounds, "draw_order": order}


CASES = {
    "two players": (small(3, "NE1 ESW2 NS3  NW4 NES5 EW6  NESW8  SW7 NEW1 ES2 NSW3"), 4),
    "three players": (small(2, "NE1 SW2  NW3 NES4  ES5 EW6  NSW7  NEW1 NS2", num_players=3), 4),
    "four players": (small(1, "NE1  SW2  NW3  NES4  NESW1  ES5 EW6 NSW7", num_players=4), 4),
    "equal tiles": (small(3, "NE1 NE1 NE2  SW1 SW1 ES1  NESW1  NE1"), 4),
    "one tile a turn": (small(2, "NE1 SW2  NW3 NES4  EW5  NESW6 NEW7 SW8", tiles_a_turn=1), 4),
    "two tiles a turn": (small(3, "NE1 SW2 NS3  NW3 NES4 EW1  EW5  NESW6 NEW7 SW8", tiles_a_turn=2), 4),
    "throw backs": (small(2, "NS1 NS2  NS3 SW4  EW5  NS6 NE7 ES8"), 6),
    "the last tiles": (small(2, "NE1 NW2  ES3 SW4  NE5"), 6),
    "turns that pass": (small(1, "EW1  NS2  NW3  EW5", num_players=3), 4),
    "start tile on the edge": (small(2, "EW1 NS2  NE3 SW4  NESW1  EW5 NSW6", start=(0, 3)), 4),
    "tiles put out": (small(2, "NW1 EW1 NW2 EW2  NS1 EW2  NE3 SW4  ES5", fixed_rounds=True), 6),
    "standard, two players": (standard(2), 3),
    "standard, four players, fixed rounds": (standard(4, fixed_rounds=True), 3),
}
"""Arguments of `ReferenceLoopit`, and the last depth."""


def table() -> str:
    """The counts of all cases to all depths."""
    lines = [f"{'':38} depth {' '.join(f'{name:>11}' for name in Perft._fields)}"]
    for name, (arguments, last) in CASES.items():
        for depth in range(1, last + 1):
            counts = perft(ReferenceLoopit(**arguments), depth)
            lines.append(f"{name:38} {depth:5} {' '.join(f'{count:11}' for count in counts)}")
    return "\n".join(lines) + "\n"


def recorded() -> dict[tuple[str, int], Perft]:
    """The counts as written, by case and depth."""
    found = {}
    for line in TABLE.read_text().splitlines()[1:]:
        name, depth, *counts = line.rsplit(maxsplit=1 + len(Perft._fields))
        found[name, int(depth)] = Perft(*map(int, counts))
    return found


if __name__ == "__main__":
    TABLE.write_text(table())
