"""Train a value network by self-play, TD(λ) on positions after a move, then rate it.

    python -m scripts.train_value                              # two players, a minute or two
    python -m scripts.train_value --players 1 --preset full    # solitaire, for as long as it pays
    python -m scripts.train_value --game loopit                # the second game
    python -m scripts.train_value --resume                     # go on from the last checkpoint

Leaves in the folder: `agent.npz` (plays as `value:path=…`), `checkpoint.pt` (to go on from), `curve.csv` (as
it learns: in solitaire the mean lowest counter, else the share of wins against one opponent), and when done
`card.md` (the model card), `curve.svg`, and `board.svg` (a game's last board).
The same options give the same network, whatever the threads and however often it was stopped. Ctrl-C ends the
training early; what was learned is kept and rated.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from tqdm import tqdm

from agents.evaluation.plots import draw_curve, draw_last_board
from agents.stopping import stop_request
from agents.training.model_card import write_card
from agents.value.agent import ValueAgent
from agents.value.network import as_played, networks_for, unit_of
from agents.value.self_play import Experience, SelfPlay
from ingenious_env.core.definition import definition_of
from ingenious_env.core.value import ValueNetwork
from scripts.training import (
    AnyVariant,
    begin,
    check_positive,
    check_seed,
    check_variant,
    checkpoint_in,
    command_of,
    deals_of_training,
    describe,
    evaluate,
    parse_options,
    ratings_of,
    save_checkpoint,
    save_curve,
)

PROG = "python -m scripts.train_value"
SAVE_EVERY = 60.0  # seconds
WARM_UP = 2000  # games, or a tenth of all, in which the learning rate rises
OPPONENTS = {
    "ingenious": ("greedy:utility=concave", "greedy:utility=lowest", "greedy", "expectimax"),
    "loopit": ("planner", "greedy", "tree:rollouts=200"),
}
"""By game, the opponents that a trained network is rated against; the first of them also as it learns."""
MAY_CHANGE = ("threads", "folder", "resume", "evaluations", "deals")
"""Options that do not change what is learned."""


PRESETS: dict[str, dict[str, Any]] = {"quick": {"games": 40_000}, "full": {"games": 600_000}}
SOLITAIRE: dict[str, Any] = {"decay": 1.0, "minibatch": 256}
"""Defaults of solitaire."""
LOOPIT: dict[str, dict[str, Any]] = {
    preset: {"games": games, "minibatch": 128, "learning_rate": 3e-3, "candidates": 32}
    for preset, games in (("quick", 10_000), ("full", 100_000))
}
"""Defaults of Loopit, by preset."""


@dataclass(frozen=True)
class Args(AnyVariant):
    """What can be set on the command line, with its default."""

    preset: str = "quick"
    """length of the training: sets --games unless that is given"""
    games: int = PRESETS["quick"]["games"]
    """games of self-play in all; in Loopit 10000 (quick) or 100000 (full)"""
    batch: int = 200
    """games between two updates"""
    passes: int = 1
    """passes over the experience of a batch"""
    minibatch: int = 512
    """positions in a gradient step; in solitaire 256, in Loopit 128"""
    learning_rate: float = 1e-2
    """highest learning rate of Adam; it rises for a while, then falls to 0; in Loopit 3e-3"""
    decay: float = 0.8
    """lambda of TD(lambda): 1 learns from outcomes alone, 0 from the next value alone; in solitaire 1"""
    explore: float = 0.1
    """epsilon: how often a placement, or in Loopit a turn, is played at random"""
    candidates: int = 16
    """placements looked at in training, the best by a utility; in Loopit plans, 32"""
    seed: int = 0
    """seed of the games and of the network"""
    threads: int = 2
    """threads that play games"""
    evaluations: int = 20
    """evaluations on the learning curve"""
    deals: int = 500
    """deals of the last evaluation, each played once from each seat"""
    folder: str = "runs/value"
    """folder for all files"""
    resume: bool = False
    """go on from the folder's checkpoint"""

    def defaults(self) -> Mapping[str, Any]:
        """What goes by the preset and the number of players, unless it is given."""
        of_game = LOOPIT[self.preset] if self.game == "loopit" else SOLITAIRE if self.players == 1 else {}
        return {**super().defaults(), **PRESETS[self.preset], **of_game}


def parse(arguments: Sequence[str] | None) -> Args:
    """The command line as `Args`."""
    args, parser = parse_options(Args, arguments, PROG, __doc__, tuple(PRESETS))
    check_variant(parser, args)
    positive = ("games", "batch", "passes", "minibatch", "candidates", "threads", "evaluations", "deals")
    check_positive(parser, args, *positive)
    check_seed(parser, args.seed)
    if not (0 <= args.decay <= 1 and 0 <= args.explore <= 1):
        parser.error("--decay and --explore must be from 0 to 1")
    if not args.learning_rate > 0:
        parser.error(f"--learning-rate must be more than 0, not {args.learning_rate}")
    return args


class Training:
    """A network, its optimiser, and how far it has come.

    Attributes:
        deals: the seed of the games.
        done: games played.
        curve: games, seconds and what an evaluation found: mean, low and high.
    """

    def __init__(self, args: Args) -> None:
        self.args, self.rules = args, args.rules
        torch.manual_seed(args.seed)
        self.network, self.control = networks_for(self.rules)
        self.opponents = OPPONENTS[args.game]
        weights = [*self.network.parameters(), *self.control.parameters()]
        self.optimizer = torch.optim.Adam(weights, lr=args.learning_rate, fused=True)
        self.unit = unit_of(self.rules)
        self.deals = deals_of_training(args.seed)
        self.done, self.seconds = 0, 0.0
        self.curve: list[tuple[int, float, float, float, float]] = []
        self.folder = Path(args.folder)

    def value_network(self) -> ValueNetwork:
        """The network as it is now, as agents play it."""
        return as_played(self.rules, self.network)

    @property
    def result(self) -> str:
        """What evaluations measure."""
        alone = self.rules.num_sheets == 1
        return "mean lowest counter" if alone else f"share of wins against {self.opponents[0]}"

    @property
    def learning_rate(self) -> float:
        """Of the next games: it rises, as first steps at full rate can end units for good, then falls."""
        games, ready = self.args.games, self.done + self.args.batch
        return self.args.learning_rate * min(1.0, ready / min(WARM_UP, games / 10)) * (1 - self.done / games)

    def control_of(self, inputs: NDArray[np.float32], excess: NDArray[np.float32]) -> NDArray[np.float32]:
        """The control variate in units of values, as `SelfPlay.play` takes it."""
        with torch.no_grad():
            control = self.control(torch.from_numpy(inputs), torch.from_numpy(excess))
        return np.asarray(control.numpy() * np.float32(self.unit))

    def learn(self, experience: Experience) -> None:
        """Some passes over the experience, in an order that follows from seed and games done."""
        loss_of: nn.Module = nn.MSELoss() if self.rules.num_sheets == 1 else nn.BCEWithLogitsLoss()
        inputs, excess = torch.from_numpy(experience.inputs), torch.from_numpy(experience.excess)
        targets = torch.from_numpy(experience.targets) / self.unit
        changes = torch.from_numpy(experience.changes) / self.unit
        for group in self.optimizer.param_groups:
            group["lr"] = self.learning_rate
        order = np.random.default_rng((self.args.seed, self.done))
        for _ in range(self.args.passes):
            shuffled = torch.from_numpy(order.permutation(len(inputs)))
            for chosen in torch.split(shuffled, self.args.minibatch):
                some = inputs[chosen]
                loss = loss_of(self.network(some), targets[chosen])
                loss = loss + nn.functional.mse_loss(self.control(some, excess[chosen]), changes[chosen])
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()

    def save(self) -> None:
        """Write the checkpoint, the agent and the curve, each to a file of another name first."""
        checkpoint = {
            "args": asdict(self.args),
            "network": self.network.state_dict(),
            "control": self.control.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "done": self.done,
            "seconds": self.seconds,
            "curve": self.curve,
        }
        save_checkpoint(self.folder, checkpoint)
        self.value_network().save(self.folder / "agent.npz")
        save_curve(self.folder, ("games", "seconds", "result", "low", "high"), self.curve)

    def restore(self) -> None:
        """Take up the checkpoint; ValueError if there is none that fits. Nothing in it is executed."""
        with checkpoint_in(self.folder, self.args, MAY_CHANGE) as saved:
            self.network.load_state_dict(saved["network"])
            self.control.load_state_dict(saved["control"])
            self.optimizer.load_state_dict(saved["optimizer"])
            self.done, self.seconds = int(saved["done"]), float(saved["seconds"])
            self.curve = [tuple(point) for point in saved["curve"]]


def train(training: Training) -> None:
    """Play and learn until all games are played, or Ctrl-C; the agent is in the folder, too."""
    args, rules = training.args, training.rules
    path, every = Path(args.folder) / "agent.npz", -(-args.games // args.evaluations)
    self_play = SelfPlay(
        rules,
        args.batch,
        candidates=args.candidates,
        epsilon=args.explore,
        td_lambda=args.decay,
        num_threads=args.threads,
    )
    with (
        tqdm(total=args.games, initial=training.done, unit="game", desc="training") as bar,
        stop_request() as stop,
    ):
        saved = time.monotonic()
        while training.done < args.games and not stop.is_set():
            began = time.monotonic()
            experience = self_play.play(
                training.value_network(), training.deals, training.done, training.control_of
            )
            training.learn(experience)
            before, training.done = training.done, training.done + args.batch
            training.seconds += time.monotonic() - began
            bar.update(min(args.batch, args.games - before))
            if before // every != training.done // every or training.done >= args.games:
                training.value_network().save(path)
                found = evaluate(ValueAgent(str(path)), rules, 100, training.opponents[0])
                training.curve.append((training.done, round(training.seconds, 1), *found))
                training.save()
                bar.set_postfix_str(describe(rules, found))
                saved = time.monotonic()
            elif time.monotonic() - saved > SAVE_EVERY:
                training.save()
                saved = time.monotonic()
    training.save()
    if stop.is_set():
        print("stopped early; rating what was learned")


def rate(training: Training) -> dict[str, str]:
    """The network's results in solitaire or against each opponent, in words; writes the card, too."""
    args, rules = training.args, training.rules
    agent = ValueAgent(str(training.folder / "agent.npz"))
    ratings = ratings_of(agent, rules, args.deals, training.opponents)
    facts = {
        "command": f"`{command_of(PROG, args)}`",
        "games": f"{training.done:,}",
        "time": f"{training.seconds:.0f} seconds of training, --threads {args.threads}",
        "seed": str(args.seed),
    }
    columns = ("games", "seconds", training.result, "low", "high")
    title = f"Value network: {definition_of(rules).rules_to_text(rules)}"
    write_card(training.folder / "card.md", title, facts, ratings, curve=training.curve, columns=columns)
    draw_curve(training.folder / "curve.svg", training.curve, training.result)
    draw_last_board(training.folder / "board.svg", rules, agent, training.opponents[0])
    return ratings


def main(arguments: Sequence[str] | None = None) -> None:
    """Train and rate."""
    args = parse(arguments)
    torch.set_num_threads(1)  # for networks as small as this, more are slower
    training = begin(lambda: Training(args), PROG, resume=args.resume)
    train(training)
    print(f"{training.done} games in {training.seconds:.0f} seconds")
    for opponent, found in rate(training).items():
        print(f"against {opponent}: {found}")
    folder = training.folder
    print(f"it plays as value:path={folder / 'agent.npz'}; its card, curve and last board are in {folder}")


if __name__ == "__main__":
    main()
