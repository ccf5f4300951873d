"""What scripts share that play any game: the options that say which variant of which."""

from __future__ import annotations

import argparse

from ingenious_env.core.definition import AnyRules, definitions
from ingenious_env.games.ingenious import Rules as IngeniousRules
from ingenious_env.games.loopit import Rules as LoopitRules


def add_variant_options(parser: argparse.ArgumentParser) -> None:
    """The options for the game and its variant."""
    games = tuple(definitions())
    parser.add_argument("--game", default=games[0], choices=games, help=f"{' or '.join(games)} ({games[0]})")
    parser.add_argument("--players", type=int, help="2, 3 or 4 (2; with --partnership 4)")
    parser.add_argument("--partnership", action="store_true", help="Ingenious: two against two")
    parser.add_argument("--fixed-rounds", action="store_true", help="Loopit: a fixed number of rounds")


def check_variant_options(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Stop with an error where options exclude each other, and fill in the number of players."""
    if options.partnership and options.game != "ingenious":
        parser.error(f"--partnership is for ingenious, not {options.game}")
    if options.fixed_rounds and options.game != "loopit":
        parser.error(f"--fixed-rounds is for loopit, not {options.game}")
    if options.players is None:
        options.players = 4 if options.partnership else 2
    elif options.partnership and options.players != 4:
        parser.error(f"--partnership is for 4 players, not {options.players}")


def rules_of(options: argparse.Namespace) -> AnyRules:
    """The rules that checked options name; ValueError if there are none."""
    if options.game == "loopit":
        return LoopitRules(options.players, fixed_rounds=options.fixed_rounds)
    return IngeniousRules.partnership() if options.partnership else IngeniousRules.standard(options.players)
