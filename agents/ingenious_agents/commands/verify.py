"""Verification of a card that `ingenious rate` wrote, by its log.

    ingenious verify runs/rating/mine.Snatcher-ingenious-two.json
    ingenious verify cards/*.json --sample 1

All games of the log are replayed: moves must be legal and lead to the scores, ranks and luck of the log, and
the games must be those of the published deals and seatings, and those that count the ones that `ingenious
rate` chooses with the options of the card's command. In a random sample of the games the opponents are asked
for their moves again. Then every number of the card is computed from the log. What does not agree is refused,
with status 1 and one sentence; a file that is no card, with status 2. With the --seed that is printed, the
sample is the same again.

With --itself the moves of the rated agent are computed again, too. That runs the code that its name selects.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from tqdm import tqdm

from ingenious_agents.commands.command_line import (
    MAX_SEED,
    STOPPED,
    Fraction,
    Seed,
    checking,
    command,
    hint,
    read,
    refuse,
)
from ingenious_agents.evaluation.card import CardError, log_of, read_card, verify

PROG = "ingenious verify"


@dataclass(frozen=True)
class Args:
    """Command-line options."""

    cards: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="CARD")] = ()
    """cards; the log of agent.json is agent.jsonl"""
    sample: Fraction = 0.05
    """the share of the games in which the opponents' moves are computed again"""
    seed: Annotated[Seed | None, tyro.conf.arg(metavar="N"), hint("random")] = None
    """seed of that sample; it must be unknown to the author of a card"""
    itself: bool = False
    """compute the rated agent's moves, too: runs the code that its name selects"""

    def check(self) -> None:
        """ValueError if there is no card."""
        if not self.cards:
            msg = "give a card or more"
            raise ValueError(msg)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and verify each card."""
    args = read(Args, arguments, PROG, __doc__)
    seed = secrets.randbelow(MAX_SEED + 1) if args.seed is None else args.seed
    with command(PROG):
        with checking():
            for card in args.cards:
                read_card(card)
                log_of(card).stat()
        for card in args.cards:
            with tqdm(unit="game", desc=card.name, leave=False) as bar:
                try:
                    for done, total in verify(card, sample=args.sample, itself=args.itself, seed=seed):
                        bar.total = total
                        bar.update(done - bar.n)
                except CardError as error:
                    bar.close()
                    refuse(PROG, f"{card}: {error} (--seed {seed})", STOPPED)
            print(f"{card}: all {done} games replay, and all numbers follow from them (--seed {seed})")


if __name__ == "__main__":
    main()
