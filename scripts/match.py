"""Two or more agents against each other, every deal once in each rotation of the seats.

    python -m scripts.match greedy uniform --games 500
    python -m scripts.match greedy:utility=concave greedy uniform --games 200 --seed 7
    python -m scripts.match greedy uniform --game loopit

For agents see agents/registry.py; as many play the standard game as are named, 2 to 4. Prints each one's
share of the wins, ties shared, with its 95 % interval, every game counted as a trial of its own.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

from agents import MatchResult, make_agent, play_match
from ingenious_env.core.definition import definitions


def report(names: Sequence[str], result: MatchResult) -> str:
    """A line an agent: share of wins, 95 % interval, and the mean counters from the lowest up."""
    width = max(map(len, names))
    lines = []
    for number, name in enumerate(names):
        low, high = result.interval(number)
        sheets = result.scores[:, number].reshape(len(result.scores), -1)
        counters = np.sort(sheets, axis=1).mean(axis=0)
        what = "counters" if len(counters) > 1 else "score"
        lines.append(
            f"{name:<{width}}  {result.share(number):6.1%}  [{low:.1%}, {high:.1%}]  "
            f"{what} {' '.join(f'{counter:4.1f}' for counter in counters)}"
        )
    return "\n".join([f"{result.games} games", *lines])


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, play and print."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        prog="python -m scripts.match",
    )
    parser.add_argument("agents", nargs="+", help="two to four agents")
    parser.add_argument("--game", default="ingenious", choices=tuple(definitions()), help="(ingenious)")
    parser.add_argument("--games", type=int, default=500, help="deals; each is played once a rotation (500)")
    parser.add_argument("--seed", type=int, default=0, help="of the deals (0)")
    options = parser.parse_args(arguments)
    try:
        game = definitions()[options.game]
        if len(options.agents) < 2:
            parser.error("two or more agents are needed")
        rules = game.rules(len(options.agents))
        agents = [make_agent(name) for name in options.agents]
        result = play_match(rules, agents, options.games, options.seed, progress=True)
    except ValueError as error:
        parser.error(str(error))
    print(report(options.agents, result))


if __name__ == "__main__":
    main()
