"""The browser game as a folder of files, for any plain file server: no server of this package is needed.

    ingenious page --out page
    python -m http.server --directory page        # or any other server; the folder may be moved

The games, and the agents `uniform`, `greedy`, `lowest`, `concave`, `planner`, `value` and, of Ingenious,
`value-search`, are compiled to WebAssembly and played on the page itself: by the same seed the same game as
here. Browsers do not load such a page from a disk, without a file server. The first time, compiling takes a
few minutes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ingenious_agents.commands.command_line import command, read
from ingenious_agents.search.sequential_halving import LOOK_EVERY
from ingenious_agents.value.kernels.trials import deal_trials, next_words, write_outcomes
from ingenious_agents.value.search import CHOICES, OPPONENTS_HORIZON, SOLITAIRE_HORIZON, ValueSearch
from ingenious_env import languages
from ingenious_env.compiled.phases import CHOOSE
from ingenious_env.compiled.targets.wasm import linker
from ingenious_env.engine.definition import definitions
from ingenious_env.web.pack import LocalSearch
from ingenious_env.web.site import write_page
from ingenious_env.web.tables import Agent

PROG = "ingenious page"

linker()  # raises before the options are read if there is none


@dataclass(frozen=True)
class Args:
    """Command-line options."""

    out: Path
    """the folder to write to; files of the same names are replaced"""
    language: str = languages.ENGLISH
    """language of the page, such as de"""

    def check(self) -> None:
        """ValueError if there is a file in the place of the folder, or there is no such language."""
        languages.check(self.language)
        if self.out.exists() and not self.out.is_dir():
            msg = f"{self.out} is a file, and --out must be a folder"
            raise ValueError(msg)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and write the page."""
    args = read(Args, arguments, PROG, __doc__)
    with command(PROG):
        games = [game for game in definitions().values() if game.pages and game.pages.local]
        languages.choose(args.language)
        size = write_page(args.out, games, _announce, searches())
        print(f"{args.out} has a page of {size / 1000:,.0f} kB; open it from a file server")


def searches() -> list[LocalSearch]:
    """The agents of pages that search."""
    search = ValueSearch()
    facts = {
        "kind": "search",
        "rollouts": search.rollouts,
        "candidates": search.candidates,
        "horizon": search.horizon,
        "by_table": {"alone": SOLITAIRE_HORIZON, "against": OPPONENTS_HORIZON},
        "rollout_candidates": search.rollout_candidates,
        "seed": search.seed,
        "choose": CHOOSE,
        "choices": CHOICES["ingenious"],
        "look_every": LOOK_EVERY,
    }
    agent = Agent("value-search", lambda _game: search)
    return [
        LocalSearch(agent, {"ingenious": facts}, {"ingenious": [deal_trials, next_words, write_outcomes]})
    ]


def _announce(title: str) -> None:
    sys.stderr.write(f"{title}: compiling to WebAssembly, or reading what was compiled before\n")


if __name__ == "__main__":
    main()
