"""Errors of value networks in the differences between placements of solitaire, on a fixed set of positions.

    python -m scripts.differences                                       # the shipped network
    python -m scripts.differences runs/value/agent.safetensors other.safetensors
    python -m scripts.differences --make                                # the set anew

The set has positions of games, and in each the placements that the network of that time valued most, with
the mean results of two independent halves of rollouts, in the units of networks. The choice of a placement
depends on differences within a position, so the mean of each position is subtracted from values and results.
The rollouts' own errors cancel in the mean of the product of a network's errors against both halves:

    error = mean of (value − first half) · (value − second half) over positions and placements
    variance = mean of first half · second half, the error of a network that values all placements equally
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import tyro
from ingenious_agents.commands.command_line import (
    Count,
    Seed,
    check_needed,
    checking,
    command,
    read,
    writable,
)
from ingenious_agents.evaluation.match import play_out
from ingenious_agents.evaluation.statistics import Z95
from ingenious_agents.provenance import machine
from ingenious_agents.registry import make_agent
from ingenious_agents.tables import markdown_table
from ingenious_agents.value.search import ValueSearch
from numpy.typing import NDArray
from tqdm import tqdm

from ingenious_env import Game, GameBatch, Rules
from ingenious_env.engine.files import read_text, write_text
from ingenious_env.policies.value import ValueNetwork, model_of, rank_actions, shipped_network

PROG = "python -m scripts.differences"
SET = Path(__file__).parent / "data" / "solitaire_differences.jsonl"
RULES = Rules.solitaire()
PLAYERS = ("value", "greedy:utility=concave", "greedy:epsilon=0.2")
"""The games of the set are theirs, in turn."""
ROLLOUTS: dict[str, Any] = {"candidates": 8, "horizon": 0, "rollout_candidates": 12}
"""Of the search whose candidates are rolled out by its network, to the ends of games."""
LEAST_LEFT = 4
"""Placements left in a position at least, about."""


@dataclass(frozen=True)
class Args:
    """Command-line options."""

    networks: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="FILE")] = ()
    """files of networks, instead of the shipped one"""
    make: bool = False
    """make the set anew, of the options below"""
    positions: Count = 150
    """positions of the set"""
    rollouts: Count = 192
    """rollouts of each placement in each half"""
    seed: Seed = 39
    """of the games"""

    def check(self) -> None:
        """ValueError if options contradict each other."""
        if self.make and self.networks:
            msg = "--make rolls out by the shipped network: name no file"
            raise ValueError(msg)
        if not self.make:
            check_needed(self, "--make", ("positions", "rollouts", "seed"))


class Case(NamedTuple):
    """A position of the set.

    Attributes:
        seed: of the game, and its index.
        actions: flat, from the deal to the position.
        tried: K flat actions.
        halves: float64 [2, K], the mean results of each half of rollouts.
    """

    seed: tuple[int, int]
    actions: list[int]
    tried: list[int]
    halves: NDArray[np.float64]

    def game(self) -> Game:
        """The position."""
        game = Game(RULES, self.seed)
        for action in self.actions:
            game.play(action)
        return game


class Errors(NamedTuple):
    """The figures of a network.

    Attributes:
        error: of differences.
        half_width: of its 95 % interval, by the spread between positions.
        variance: of the differences themselves.
    """

    error: float
    half_width: float
    variance: float


def made(args: Args) -> list[Case]:
    """The cases of a set."""
    players, search = [make_agent(name) for name in PLAYERS], ValueSearch(**ROLLOUTS)
    cases = []
    for number in tqdm(range(args.positions), unit="position"):
        games = GameBatch(RULES)
        games.seed(args.seed, number)
        actions = play_out(games, [players[number % len(players)]]).actions[0]
        random = np.random.default_rng((args.seed, number))
        cut = int(random.integers(max(1, len(actions) - LEAST_LEFT)))
        case = Case((args.seed, number), [int(action) for action in actions[:cut]], [], np.empty((2, 0)))
        cases.append(rolled_out(case, search, args.rollouts))
    return cases


def rolled_out(case: Case, search: ValueSearch, rollouts: int) -> Case:
    """A case with the search's candidates and their mean results."""
    games = GameBatch.from_rows(RULES, case.game().state.memory)
    trial = search.search(games, 0)
    halves = np.zeros((2, len(trial.candidates), 3))
    for half in range(2):
        which = np.arange(len(trial.candidates))
        trial.simulate(which, half * rollouts, (half + 1) * rollouts, halves[half])
    return case._replace(tried=trial.candidates.tolist(), halves=halves[:, :, 0] / rollouts)


def errors_of(network: ValueNetwork, cases: Sequence[Case]) -> Errors:
    """The figures of a network of solitaire."""
    errors, variances = [], []
    for case in cases:
        values = values_of(network, case)
        values = values - values.mean()
        first, second = case.halves - case.halves.mean(axis=1, keepdims=True)
        room = len(values) - 1  # one degree of freedom is the mean's
        errors.append(((values - first) * (values - second)).sum() / room)
        variances.append((first * second).sum() / room)
    half_width = Z95 * np.std(errors, ddof=1) / np.sqrt(len(errors))
    return Errors(float(np.mean(errors)), float(half_width), float(np.mean(variances)))


def checked(network: ValueNetwork) -> ValueNetwork:
    """A network of solitaire; ValueError if it is for another variant."""
    if network.rules != RULES:
        msg = "the set is of solitaire, and this network plays another variant"
        raise ValueError(msg)
    return network


def values_of(network: ValueNetwork, case: Case) -> NDArray[np.float64]:
    """Float64 [K]: a network's values of the placements of a case."""
    games = GameBatch.from_rows(RULES, case.game().state.memory)
    model = model_of(RULES)
    actions, values = rank_actions(
        network, games, model.candidates, model.num_ranked(RULES, model.candidates)
    )
    of_action = dict(zip(actions[0].tolist(), values[0].tolist(), strict=True))
    return np.array([of_action[action] for action in case.tried])


def save(args: Args, cases: Sequence[Case]) -> None:
    """Write the set."""
    given = {"positions": args.positions, "rollouts": args.rollouts, "seed": args.seed}
    options = " ".join(f"--{name} {number}" for name, number in given.items())
    header = {
        "command": f"{PROG} --make {options}",
        "network": ValueSearch().fingerprint(RULES),
        **machine(),
    }
    lines = [
        json.dumps(
            {
                "seed": case.seed,
                "actions": case.actions,
                "tried": case.tried,
                "halves": case.halves.round(4).tolist(),
            }
        )
        for case in cases
    ]
    write_text(writable(SET), "\n".join([json.dumps(header), *lines, ""]))


def load() -> list[Case]:
    """The set; ValueError if there is none."""
    found = []
    for line in read_text(SET).splitlines()[1:]:
        fields = json.loads(line)
        halves = np.array(fields["halves"])
        found.append(Case(tuple(fields["seed"]), fields["actions"], fields["tried"], halves))
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, and measure or make."""
    args = read(Args, arguments, PROG, __doc__)
    with command(PROG):
        if args.make:
            save(args, made(args))
        with checking():
            networks = {str(path): checked(ValueNetwork.load(path)) for path in args.networks}
            cases = load()
        rows = []
        for name, network in (networks or {"shipped": shipped_network(RULES)}).items():
            found = errors_of(network, cases)
            rows.append((name, f"{found.error:.4f} ± {found.half_width:.4f}", f"{found.variance:.4f}"))
        print(markdown_table(rows, ("network", "error of differences", "their variance")))


if __name__ == "__main__":
    main()
