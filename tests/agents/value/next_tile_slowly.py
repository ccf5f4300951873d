"""The inputs on the next tile of solitaire by slow code: all places of all tiles, by sets of cells."""

from __future__ import annotations

from collections import Counter
from math import exp

from reference import adjacent_pairs, neighbours

MOST = 8  # points that are told apart


def worth(counter: int, lowest: int, spaces: int, ratio: float) -> float:
    return ratio ** (counter - lowest) - ratio ** (counter + spaces - lowest)


def components(empty: set) -> list[int]:
    sizes, left = [], set(empty)
    while left:
        found, border = set(), {left.pop()}
        while border:
            found |= border
            border = {cell for each in border for cell in neighbours(each) & empty} - found
        left -= found
        sizes.append(len(found))
    return sizes


def next_inputs(
    empty: set, points: list[dict], counters: list[int], rooms: list[int], unseen: Counter
) -> tuple[list[list[float]], list[float]]:
    """Those of each colour, and those for all; `points` by colour and empty cell, tiles by colours from 1."""
    colours, lowest = len(counters), min(counters)
    pairs = [
        pair for one, other in map(tuple, adjacent_pairs(empty)) for pair in ((one, other), (other, one))
    ]
    known = [{cell: min(number, MOST) for cell, number in each.items()} for each in points]
    sizes = components(empty)
    left = sum(size // 2 for size in sizes)
    gains, doubles = [0.0] * colours, [0.0] * colours
    expected = {exp(-0.5): 0.0, exp(-0.2): 0.0}
    for (a, b), number in unseen.items():
        if not number or not pairs:
            continue
        low, high, share = a - 1, b - 1, number / unseen.total()
        if low == high:
            spaces = max(min(known[low][x] + known[low][y], rooms[low]) for x, y in pairs)
            gains[low] += share * spaces
            doubles[low] = spaces / 8
            for ratio in expected:
                expected[ratio] += share * worth(counters[low], lowest, spaces, ratio)
            continue
        places = {(min(known[low][x], rooms[low]), min(known[high][y], rooms[high])) for x, y in pairs}
        for ratio in expected:
            found = {
                (m, n): worth(counters[low], lowest, m, ratio) + worth(counters[high], lowest, n, ratio)
                for m, n in places
            }
            most = max(found.values())
            expected[ratio] += share * most
            if ratio == exp(-0.5):
                best = [place for place, value in found.items() if value > most - 1e-9]
                gains[low] += share * sum(m for m, _ in best) / len(best)
                gains[high] += share * sum(n for _, n in best) / len(best)
    of_colours = []
    for colour in range(colours):
        here = {cell: number for cell, number in points[colour].items() if neighbours(cell) & empty}
        ordered = [*sorted(here.values(), reverse=True), 0, 0]
        least = max(2, min(ordered[0], MOST) - 1)
        good = [cell for cell in here if known[colour][cell] >= least]
        wanted = [
            cell
            for cell in good
            if any(known[other][cell] >= known[colour][cell] for other in range(colours) if other != colour)
        ]
        sums = [known[colour][x] + known[colour][y] for x, y in pairs]
        both = [min(known[colour][x], known[colour][y]) >= 2 for x, y in pairs]
        of_colours.append(
            [
                gains[colour],
                doubles[colour],
                ordered[0] / 6,
                ordered[1] / 6,
                len(wanted) / 5,
                len(good) / 5,
                max(sums, default=0) / 8,
                sum(both) / 2 / 5,
                gains[colour] * left / 10,
            ]
        )
    steep, gentle = expected.values()
    counts = [left / 10, sum(size % 2 for size in sizes) / 5, sizes.count(1) / 5, len(sizes) / 5]
    return of_colours, [steep, gentle, *counts, steep * left / 10, gentle * left / 10]
