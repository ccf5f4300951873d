"""The command line that the differentials share: games of each preset, in chunks, in several processes."""

import argparse
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor

from tqdm import tqdm

CHUNK = 50

Job = tuple[str, int, int, int]  # preset, seed, index of the first game, number of games


def compare_many(
    description: str, presets: Iterable[str], compare_chunk: Callable[[Job], tuple[str, Counter[str]]]
) -> None:
    """Compare as many games as the command line asks for, and print what was met in them.

    Args:
        description: what the command line says of itself.
        presets: the names of the presets.
        compare_chunk: compares the games of one job; returns the preset's name and how many moves of each
            kind were made, with the number of games under "games". It can be pickled.
    """
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=200, help="games of each preset")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--first", type=int, default=0, help="index of the first game, to go on from there")
    options = parser.parse_args()
    firsts = range(options.first, options.first + options.games, CHUNK)
    last = options.first + options.games
    jobs = [(name, options.seed, at, min(CHUNK, last - at)) for at in firsts for name in presets]
    found: dict[str, Counter[str]] = {name: Counter() for name in presets}
    total = sum(count for _, _, _, count in jobs)
    with ProcessPoolExecutor(options.processes) as pool, tqdm(total=total, unit="game") as bar:
        for name, kinds in pool.map(compare_chunk, jobs):
            found[name] += kinds
            bar.update(kinds["games"])
    for name, kinds in found.items():
        print(f"{name}: {dict(kinds)}, no difference")
