"""Calibrate a value network: map its values to the results of its games against itself.

    ingenious calibrate --players 3                       # the shipped network of three players
    ingenious calibrate --path runs/value/agent.safetensors

The network plays all seats of --deals games, and a monotone curve is fitted to their results; as many other
games measure the error of the values without and with the curve. The curve is written into the network's
file, and with its errors into the card next to it. The browser game then shows chances of winning. They are
valid for games of the network against itself; for weaker or other players their error is not measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import tyro
from tqdm import tqdm

from ingenious_agents.commands.command_line import (
    Count,
    InputError,
    Seed,
    Variant,
    checking,
    command,
    entering,
    hint,
    read,
    writable,
)
from ingenious_agents.folders import kept_folder
from ingenious_agents.provenance import command_of
from ingenious_agents.tables import markdown_table
from ingenious_agents.training.evaluation import deals_of_training
from ingenious_agents.training.model_card import read_card, write_section
from ingenious_agents.value.calibration import BATCH, Claims, error_of, fit, joined, played_claims
from ingenious_env.policies.value import ValueNetwork, highest_value, shipped_path, unit_of

PROG = "ingenious calibrate"


@dataclass(frozen=True)
class Args(Variant):
    """Command-line options."""

    path: Annotated[Path | None, tyro.conf.arg(metavar="FILE"), hint("the shipped network")] = None
    """a network in a file, instead of the shipped one of the variant"""
    deals: Count = 2000
    """games to fit to, and as many others to measure with"""
    seed: Seed = 0
    """seed of the games"""

    def check(self) -> None:
        """ValueError if options contradict each other."""
        super().check()
        variant = Variant(self.game, self.players, self.partnership, self.fixed_rounds)
        if self.path is not None and variant != Variant():
            msg = "--path names a network, which has its variant: leave out the options of variants"
            raise ValueError(msg)


def claims_of(network: ValueNetwork, deals: int, seed: int, title: str) -> Claims:
    """The claims of a network in a number of games, with a progress bar."""
    found = []
    with tqdm(total=deals, unit="game", desc=title) as bar:
        for number, claims in enumerate(played_claims(network, deals, seed), 1):
            found.append(claims)
            bar.update(min(deals, number * BATCH) - bar.n)
    return joined(found)


def card_of(path: Path) -> Path:
    """The card of a network: next to a shipped one with its name, next to others `card.md`."""
    named = path.with_suffix(".md")
    return named if named.exists() else path.with_name("card.md")


def calibrate(args: Args, path: Path) -> None:
    """Play, fit, measure, and write the results to a locked folder."""
    with checking():
        network, content = ValueNetwork.load(path), path.read_bytes()
        card = card_of(path)
        writable(path)
        read_card(card)
    claims = claims_of(network, args.deals, args.seed, "fitting")
    with checking():
        calibration = fit(claims)
    fresh = claims_of(network, args.deals, deals_of_training(args.seed), "measuring")
    before = error_of(fresh.values, fresh)
    after = error_of(calibration.shares(fresh.values, fresh.progress), fresh)
    if path.read_bytes() != content:
        msg = f"{path} has changed meanwhile, and is left as it is"
        raise InputError(msg)
    replace(network, calibration=calibration).save(path)
    counted = unit_of(network.rules)
    unit = "of a win" if counted == "win" else f"of {highest_value(network.rules):g} {counted}"
    facts = {
        "command": f"`{command_of(PROG, args)}`",
        "games": f"{args.deals:,} to fit, {args.deals:,} others to measure, "
        "all of the network against itself",
        "holds for": "such games only; the error in games of other players is not measured",
        "coefficients": " ".join(f"{number:.4f}" for number in calibration.coefficients),
        "mean error before": f"{before:.4f} {unit}",
        "mean error after": f"{after:.4f} {unit}",
    }
    write_section(card, "Calibration", markdown_table(facts.items(), ("", "")))
    print(f"{path}: mean error {before:.4f} before, {after:.4f} after")


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, and calibrate."""
    args = read(Args, arguments, PROG, __doc__, Variant)
    with command(PROG):
        with checking():
            path = shipped_path(args.rules) if args.path is None else args.path
            ValueNetwork.load(path)  # before anything is written to its folder
        with entering(kept_folder(path.parent)):
            calibrate(args, path)


if __name__ == "__main__":
    main()
