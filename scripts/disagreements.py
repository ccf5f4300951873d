"""Positions in which strong agents differ, valued by rollouts: a set for `ingenious score AGENT`.

    python -m scripts.disagreements two                  # Ingenious for two players
    python -m scripts.disagreements two --game loopit --count 200 --out runs/loopit.jsonl

The games are played by agents of different strength at one table. Of each game one decision is drawn; it is
kept if the judges, strong agents, choose different actions. The actions of all judges, and the best ones by
the value network, are rolled out. An interrupted command continues from its file; so does one with a higher
count, since the first positions of a larger set are those of a smaller one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import tyro
from ingenious_agents import make_agent
from ingenious_agents.commands.command_line import (
    Count,
    GameName,
    InputError,
    Seed,
    checking,
    command,
    entering,
    hint,
    read,
    writable,
)
from ingenious_agents.evaluation.match import play_out
from ingenious_agents.evaluation.positions import (
    DISAGREEMENTS,
    MAX_ROLLOUTS,
    Position,
    Rollouts,
    estimated,
    path_of,
    read_positions,
    write_positions,
)
from ingenious_agents.evaluation.rollouts import FOLDS
from ingenious_agents.folders import locked
from ingenious_agents.registry import fingerprint
from tqdm import tqdm

from ingenious_env import GameBatch, View
from ingenious_env.engine.definition import definitions
from ingenious_env.policies import advise
from ingenious_env.policies.view import flat_actions

PROG = "python -m scripts.disagreements"
RUNS = Path("runs/positions")
BLOCK = 16
"""Games that are played, and positions that are rolled out, together."""
FROM_NETWORK = 3
"""Actions that are rolled out because the network values them highest."""
SAVE_EVERY = 8
"""Blocks after which the file is written."""


class AgentRoles(NamedTuple):
    """The agents that make a set.

    Attributes:
        players: of the games.
        judges: the strong agents that differ.
        rollouts: plays the rollouts.
    """

    players: tuple[str, ...]
    judges: tuple[str, ...]
    rollouts: str


ROLES = {
    "ingenious": AgentRoles(
        ("value", "value:candidates=12", "tree:rollouts=30", "greedy:utility=concave", "greedy:epsilon=0.2"),
        ("value", "value:candidates=12", "tree:rollouts=200"),
        "value:candidates=12",
    ),
    "loopit": AgentRoles(
        ("value", "value:candidates=8", "planner:width=64", "flat-mc:rollouts=50", "greedy"),
        ("value", "planner:width=64", "flat-mc:rollouts=200"),
        "value:candidates=8",
    ),
}
Preset = Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="PRESET")]


@dataclass(frozen=True)
class Args:
    """Command-line options."""

    preset: Preset = ""
    """the preset, such as two or partnership"""
    game: GameName = "ingenious"
    """its game"""
    count: Count = 1000
    """positions"""
    rollouts: Count = 64
    """of each action"""
    seed: Seed = 38
    """of the games"""
    out: Annotated[Path | None, tyro.conf.arg(metavar="FILE"), hint("runs/positions/NAME")] = None
    """the file"""

    def check(self) -> None:
        """ValueError if there is no such preset, or no such number of rollouts."""
        presets = definitions()[self.game].presets
        if self.preset not in presets:
            msg = f"preset must be one of {', '.join(presets)}, not {self.preset!r}"
            raise ValueError(msg)
        if not FOLDS <= self.rollouts <= MAX_ROLLOUTS:
            msg = f"rollouts must be from {FOLDS} to {MAX_ROLLOUTS}, not {self.rollouts}"
            raise ValueError(msg)


class Maker:
    """Makes the positions of a set, block of games by block."""

    def __init__(self, args: Args) -> None:
        preset, roles = definitions()[args.game].presets[args.preset], ROLES[args.game]
        self._rules, self._group, self._seed = preset.rules, preset.title, args.seed
        self._players = [make_agent(name) for name in roles.players]
        self._judges = [make_agent(name) for name in roles.judges]
        self._network, self._policy = make_agent("value"), make_agent(roles.rollouts)
        self.rollouts = Rollouts(roles.rollouts, fingerprint(self._policy, self._rules), args.rollouts)

    def is_mine(self, position: Position) -> bool:
        """Return whether a position could be one of this set."""
        made = position.rollouts
        return (
            (position.rules, position.seed[0]) == (self._rules, self._seed)
            and made is not None
            and made.kind == self.rollouts.kind
        )

    def block(self, number: int) -> list[Position]:
        """The positions of a block of games."""
        choices = np.random.default_rng((self._seed, number))
        games = GameBatch(self._rules, BLOCK)
        games.seed(self._seed, number * BLOCK)
        seated = choices.integers(len(self._players), size=self._rules.num_sheets)
        played = play_out(games, [self._players[each] for each in seated]).actions
        cuts = choices.integers([len(actions) for actions in played])
        found = [
            Position(self._rules, (self._seed, number * BLOCK + row), tuple(actions[:cut]), self._group, {})
            for row, (actions, cut) in enumerate(zip(played, cuts, strict=True))
        ]
        view = View(
            GameBatch.from_rows(self._rules, np.concatenate([each.game().state.memory for each in found]))
        )
        chosen = np.stack([flat_actions(judge, view) for judge in self._judges], axis=1)
        differ = np.flatnonzero((chosen != chosen[:, :1]).any(axis=1))
        kept = [found[row] for row in differ]
        actions = [self._actions(each, chosen[row].tolist()) for each, row in zip(kept, differ, strict=True)]
        return estimated(kept, actions, self._policy, self.rollouts) if kept else []

    def _actions(self, position: Position, chosen: list[int]) -> list[int]:
        """The different actions to roll out."""
        advised = advise(self._network, View.of(position.game()), FROM_NETWORK).actions.tolist()
        return list(dict.fromkeys([*chosen, *advised]))


def make(args: Args, maker: Maker, out: Path) -> None:
    """Make the positions that a file lacks."""
    found = read_positions(out) if out.exists() else []
    if not all(map(maker.is_mine, found)):
        msg = (
            f"{out} has other positions, of another seed or other rollouts; give another --out, or remove it"
        )
        raise InputError(msg)
    last = found[-1].seed[1] if found else -1
    number, before = (last + 1) // BLOCK, len(found)
    with tqdm(total=args.count, initial=min(args.count, before), unit="position") as bar:
        try:
            while len(found) < args.count:
                new = [each for each in maker.block(number) if each.seed[1] > last]
                found += new[: args.count - len(found)]
                bar.update(len(found) - bar.n)
                number += 1
                if number % SAVE_EVERY == 0:
                    write_positions(out, found)
        finally:
            if len(found) > before:
                write_positions(out, found)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, play, roll out and write."""
    args = read(Args, arguments, PROG, __doc__)
    with command(PROG):
        with checking():
            maker = Maker(args)
            out = writable(args.out or RUNS / path_of(args.game, args.preset, DISAGREEMENTS).name)
        with entering(locked(out, "--out")):
            make(args, maker, out)


if __name__ == "__main__":
    main()
