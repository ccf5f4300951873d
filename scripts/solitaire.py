"""The solitaire study: what agents make of the same bags, and what somebody could who knows them.

    python -m scripts.solitaire uniform greedy greedy:utility=concave --bags 2000
    python -m scripts.solitaire flat-mc clairvoyant:width=64 --bags 100 --processes 2 --out runs/mc.jsonl
    python -m scripts.solitaire --show runs/mc.jsonl         # the table and the plots once more

The result of a game alone is its lowest counter. `clairvoyant` is a beam search that knows the order of the
bag; the others are reported as a share of its result, too. The log has a line a game; started again with the
same contestants and seed, a study goes on where its log ends.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from agents.study import Study, figures_of, markdown
from agents.tournament import Log
from ingenious_env import Rules
from scripts.plots import draw_study
from scripts.sittings import add_options, check_options, play_on


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        prog="python -m scripts.solitaire",
    )
    parser.add_argument("contestants", nargs="*", help="agents (see agents/catalogue.py), or clairvoyant")
    add_options(parser, "bags", 2000, "runs/solitaire.jsonl", "contestant")
    options = parser.parse_args(arguments)
    check_options(parser, options, "bags")
    return options


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, play, and report."""
    options = parse(arguments)
    try:
        log = Log.load(options.show, Study) if options.show else _play(options)
        found = figures_of(log.tournament, log.games)
        print(markdown(found))
        print("plots:", *draw_study(found, log.path.with_suffix("")))
    except (ValueError, OSError) as error:
        sys.exit(f"solitaire: {error}")


def _play(options: argparse.Namespace) -> Log:
    study = Study(Rules.solitaire(), tuple(options.contestants), options.seed)
    return play_on(options.out, study, options.bags, None, options.processes)


if __name__ == "__main__":
    main()
