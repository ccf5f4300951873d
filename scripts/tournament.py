"""A tournament: every pair of agents, or every three or four that sit at a table, seats changed round.

    python -m scripts.tournament uniform greedy greedy:utility=concave --deals 500
    python -m scripts.tournament greedy flat-mc:rollouts=200 --until-ci 0.02 --processes 2 --out runs/mc.jsonl
    python -m scripts.tournament --players 4 uniform greedy greedy:utility=lowest greedy:utility=concave
    python -m scripts.tournament --show runs/mc.jsonl                # the report and the plots once more
    python -m scripts.tournament --show runs/mc.jsonl --replay 17    # game 17 of it, move by move

Each deal is played once in every rotation of the seats. The log has a line a game; started again with the
same agents and seed, a tournament goes on where its log ends, after an interruption (Ctrl-C) or with more
deals. Neither that nor the number of processes changes a result, unless an agent is given seconds.

With --until-ci W a group is done as soon as the 95 % interval of each pair is no wider than plus and minus W,
looked at every 20 deals; at the latest after --deals.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence

from agents.evaluation.plots import draw_report
from agents.evaluation.report import markdown, report
from agents.evaluation.tournament import Game, Log, Tournament
from agents.registry import make_agent
from ingenious_env.core.definition import definition_of
from ingenious_env.core.view import View, flat_actions
from scripts.sittings import add_options, check_options, play_on
from scripts.variants import add_variant_options, check_variant_options, rules_of


def replay(tournament: Tournament, game: Game) -> Iterator[str]:
    """A game once more, a line a move, and the position at its end; ValueError if it comes out otherwise."""
    tournament.check_networks()
    definition = definition_of(tournament.rules)
    position = definition.game(tournament.rules, (tournament.seed, game.deal))
    agents = {number: make_agent(tournament.agents[number]) for number in set(game.seating)}
    while not position.is_over:
        number = game.seating[position.to_play % tournament.rules.num_sheets]
        action = int(flat_actions(agents[number], View.of(position))[0])
        move = definition.move_to_text(position.move(action))
        yield f"{position.turn:3} seat {position.to_play + 1} {tournament.agents[number]}: {move}"
        position.play(action)
    yield position.to_text()
    if position.state.scores[0].tolist() != game.scores:
        why = "an agent was given seconds, draws random numbers of its own, or has changed"
        msg = f"the game ended otherwise in the tournament, {game.scores}: {why}"
        raise ValueError(msg)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        prog="python -m scripts.tournament",
    )
    parser.add_argument("agents", nargs="*", help="two or more agents (see agents/registry.py)")
    add_variant_options(parser)
    add_options(parser, "deals", 500, "runs/tournament.jsonl", "group")
    parser.add_argument("--until-ci", type=float, metavar="W", help="stop at intervals of plus and minus W")
    parser.add_argument(
        "--replay", type=int, metavar="N", help="with --show: game N of it, group by group, from 0"
    )
    options = parser.parse_args(arguments)
    check_options(parser, options, "deals")
    check_variant_options(parser, options)
    if options.until_ci is not None and not 0 < options.until_ci < 1:
        parser.error(f"--until-ci must be between 0 and 1, not {options.until_ci}")
    if options.replay is not None and not options.show:
        parser.error("--replay needs --show LOG")
    return options


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, play, and report."""
    options = parse(arguments)
    try:
        log = Log.load(options.show) if options.show else _play_tournament(options)
        if options.replay is not None:
            every = list(log)
            if not every:
                sys.exit(f"{log.path} has no games yet")
            if not 0 <= options.replay < len(every):
                sys.exit(f"the log has games 0 to {len(every) - 1}, not {options.replay}")
            for line in replay(log.tournament, every[options.replay]):
                print(line)
            return
        figures = report(log.tournament, log.games)
        print(markdown(figures))
        print("plots:", *draw_report(figures, log.path.with_suffix("")))
    except (ValueError, OSError, ImportError) as error:
        sys.exit(f"tournament: {error}")


def _play_tournament(options: argparse.Namespace) -> Log:
    tournament = Tournament.of(rules_of(options), options.agents, options.seed)
    return play_on(options.out, tournament, options.deals, options.until_ci, options.processes)


if __name__ == "__main__":
    main()
