"""The solitaire study: agents on the same bags, beside a perfect-information bound.

    python -m scripts.solitaire uniform greedy greedy:utility=concave --bags 2000
    python -m scripts.solitaire flat-mc clairvoyant:width=64 --bags 100 --processes 2 --out runs/mc.jsonl
    python -m scripts.solitaire --show runs/mc.jsonl                  # the table and the plots once more
    python -m scripts.solitaire value-search clairvoyant:width=1024 --optimise 7

The result of a game is its lowest counter. `clairvoyant` is a beam search that knows the order of the bag;
the others are reported as a share of its result, too. The log has a line a game; started again with the
same contestants and seed, a study goes on where its log ends.

With --optimise N all contestants play bag N and no other; each one's game is left as a record to replay and
as a picture of its last board, named after the log, the seed, the bag and the contestant. Parameters set the
effort: a wider beam, more rollouts, seconds a move.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from agents.evaluation.plots import draw_study
from agents.evaluation.solitaire import Study, figures_of, markdown
from agents.evaluation.tournament import Log
from ingenious_env import Game, Rules
from ingenious_env.core.files import write_text
from ingenious_env.core.records import Record
from ingenious_env.games.ingenious.render import svg
from scripts.sittings import add_options, check_options, play_on


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        prog="python -m scripts.solitaire",
    )
    parser.add_argument("contestants", nargs="*", help="agents (see agents/registry.py), or clairvoyant")
    add_options(parser, "bags", 2000, "runs/solitaire.jsonl", "contestant")
    parser.add_argument("--optimise", type=int, metavar="N", help="play bag N alone, and keep the games")
    options = parser.parse_args(arguments)
    check_options(parser, options, "bags")
    if options.optimise is not None and (options.show or options.optimise < 0):
        parser.error(f"--optimise takes a bag from 0 on and no --show, not {options.optimise}")
    return options


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, play, and report."""
    options = parse(arguments)
    try:
        if options.optimise is not None:
            _optimise(options)
            return
        log = Log.load(options.show, Study) if options.show else _play(options)
        found = figures_of(log.tournament, log.games)
        if not found:
            sys.exit(f"solitaire: {log.path} has no games yet")
        print(markdown(found))
        print("plots:", *draw_study(found, log.path.with_suffix("")))
    except (ValueError, OSError, ImportError) as error:
        sys.exit(f"solitaire: {error}")


def _study(options: argparse.Namespace) -> Study:
    return Study.of(Rules.solitaire(), options.contestants, options.seed)


def _play(options: argparse.Namespace) -> Log:
    return play_on(options.out, _study(options), options.bags, None, options.processes)


def _optimise(options: argparse.Namespace) -> None:
    """Have every contestant play one bag; print what they made of it, and keep their games."""
    study, bag = _study(options), options.optimise
    stem = Path(options.out).with_suffix("")
    stem.parent.mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(study.agents):
        line = study.line(number, bag)
        game = Game(study.rules, (study.seed, bag))
        moves = []
        for action in line.actions:
            moves.append(game.move(action))
            game.play(action)
        player = re.sub(r"[^\w.=-]+", "-", name)[:80]
        record = stem.with_name(f"{stem.name}-{study.seed}-{bag}-{number}-{player}.txt")
        write_text(record, Record(study.rules, (study.seed, bag), tuple(moves)).to_text())
        write_text(record.with_suffix(".svg"), svg.render(game))
        counters = " ".join(map(str, sorted(line.scores.tolist())))
        print(f"{name}: lowest counter {line.scores.min()} ({counters}), {record}")


if __name__ == "__main__":
    main()
