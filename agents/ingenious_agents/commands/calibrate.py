"""Calibrate a value network: map its values to the results of the games that it plays from a position on.

    ingenious calibrate --players 3                       # the shipped network of three players
    ingenious calibrate --path runs/value/agent.safetensors

The network plays all seats of --deals games, and a monotone curve is fitted to their results. In half of them
weak players make the first turns, at random lengths, so that the curve holds for their positions, too. Other
games measure the error of the values without and with the curve: from the deal, and from positions of each
kind of weak player. The curve is written into the network's file, and with its errors into the card next to
it. The browser game then shows chances of winning, as if the network played on from there.
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
from ingenious_agents.folders import locked_folder
from ingenious_agents.provenance import command_of
from ingenious_agents.tables import markdown_table
from ingenious_agents.training.evaluation import deals_of_calibration
from ingenious_agents.training.model_card import read_card, write_section
from ingenious_agents.value.calibration import BATCH, Claims, error_of, fit, joined, played_claims
from ingenious_agents.value.weak_starts import BEGINNERS, FROM_THE_DEAL, WEAK, WeakStarts
from ingenious_env.policies.calibration import Calibration
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


FITTED = WeakStarts(0.5)
"""The starts of the games that a curve is fitted to."""


def claims_of(network: ValueNetwork, deals: int, seed: int, title: str, starts: WeakStarts) -> Claims:
    """The claims of a network in a number of games, with a progress bar (see `played_claims`)."""
    found = []
    with tqdm(total=deals, unit="game", desc=title) as bar:
        for number, claims in enumerate(played_claims(network, deals, seed, starts), 1):
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
    claims = claims_of(network, args.deals, args.seed, "fitting", FITTED)
    with checking():
        calibration = fit(claims)
    errors = errors_of(network, calibration, args.deals, deals_of_calibration(args.seed))
    if path.read_bytes() != content:
        msg = f"{path} has changed meanwhile, and is left as it is"
        raise InputError(msg)
    replace(network, calibration=calibration).save(path)
    counted = unit_of(network.rules)
    factor, unit = (1.0, "of a win") if counted == "win" else (highest_value(network.rules), counted)
    facts = {
        "command": f"`{command_of(PROG, args)}`",
        "games": f"{args.deals:,} to fit, half of them begun by weak players; to measure {args.deals:,}"
        " others from the deal, and as many for each kind of weak players; the network plays on",
        "coefficients": " ".join(f"{number:.4f}" for number in calibration.coefficients),
        **{
            f"mean error {start}": f"{after * factor:.4f} {unit} (before {before * factor:.4f})"
            for start, (before, after) in errors.items()
        },
    }
    write_section(card, "Calibration", markdown_table(facts.items(), ("", "")))
    before, after = next(iter(errors.values()))
    print(f"{path}: mean error {before * factor:.4f} before, {after * factor:.4f} after {unit}")


def errors_of(
    network: ValueNetwork, calibration: Calibration, deals: int, seed: int
) -> dict[str, tuple[float, float]]:
    """The mean errors of values without and with a calibration, by how the games started."""
    starts = {"from the deal": FROM_THE_DEAL}
    starts |= {f"from positions of {BEGINNERS[number]}": WeakStarts(1.0, number) for number in WEAK}
    starts["from positions of mixed players"] = WeakStarts(1.0)
    found = {}
    for title, each in starts.items():
        fresh = claims_of(network, deals, seed, f"measuring {title}", each)
        shares = calibration.shares(fresh.values, fresh.progress)
        found[title] = error_of(fresh.values, fresh), error_of(shares, fresh)
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, and calibrate."""
    args = read(Args, arguments, PROG, __doc__, Variant)
    with command(PROG):
        with checking():
            path = shipped_path(args.rules) if args.path is None else args.path
            ValueNetwork.load(path)  # before anything is written to its folder
        with entering(locked_folder(path.parent, "--path")):
            calibrate(args, path)


if __name__ == "__main__":
    main()
