"""Train a small network by masked PPO, against ready opponents and its own past selves, then rate it.

    python -m scripts.train_ppo                                # two players, a few minutes
    python -m scripts.train_ppo --players 1                    # alone
    python -m scripts.train_ppo --preset full                  # for as long as it pays
    python -m scripts.train_ppo --resume                       # go on from the last checkpoint

Leaves in the folder: `agent.npz` (plays as `ppo:path=…`), `checkpoint.pt` (to go on from), `curve.csv` (as
it learns: alone the mean lowest counter, else the share of wins against each of a few fixed opponents),
`tensorboard` (the same and the losses), and when done `card.md` (how it came to be, what it is worth),
`curve.svg`, and `board.svg` (a game's last board).

Training goes by rounds. A round deals all games anew, learns, evaluates, takes the network as it then is into
the pool of opponents, and writes the checkpoint. So the same options give the same network, however often it
was stopped. Ctrl-C goes back to the last checkpoint, and rates that.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure
from stable_baselines3.common.vec_env import VecEnv, VecEnvWrapper
from tqdm import tqdm

from agents.evaluation.plots import draw_curve, draw_last_board
from agents.ppo.agent import NetworkPolicy
from agents.ppo.network import GameNetwork
from agents.ppo.opponent_pool import Pool
from agents.ppo.policy import GamePolicy
from agents.stopping import stop_request
from agents.training.model_card import write_card
from ingenious_env.core.actions import NUMBERINGS
from ingenious_env.games.ingenious.definition import POLICIES
from ingenious_env.games.ingenious.notation import rules_to_text
from ingenious_env.sb3 import make_vec_env
from scripts.training import (
    Variant,
    begin,
    check_positive,
    check_seed,
    check_variant,
    checkpoint_in,
    command_of,
    evaluate,
    option_name,
    parse_options,
    ratings_of,
    save_checkpoint,
    save_curve,
    whom_to_meet,
)

PROG = "python -m scripts.train_ppo"
OPPONENTS = ("uniform", "greedy", "greedy:utility=concave")
"""Whom a network is rated against, as it learns and when done."""
MAY_CHANGE = ("threads", "folder", "resume", "deals", "device")
"""Options that may change when a training goes on; of these a device alone, with random numbers of its own,
changes what is learned."""
PRESETS: dict[str, dict[str, Any]] = {
    "quick": {"rounds": 8, "steps": 16_384},
    "full": {"rounds": 55, "steps": 32_768},
}


@dataclass(frozen=True)
class Args(Variant):
    """What can be set on the command line, with its default."""

    preset: str = "quick"
    """quick or full: how long, unless that is given"""
    actions: str = "flat"
    """flat: a slot and the place of its tile at once; or staged: one after the other"""
    opponents: str = "uniform,greedy,concave"
    """who is in the pool of opponents from the beginning, by the names of Versus-v0"""
    selves: int = 10
    """at most so many past selves in the pool"""
    active: int = 3
    """members of the pool that play in a round"""
    rounds: int = PRESETS["quick"]["rounds"]
    """after each of which the network is evaluated, and joins the pool"""
    steps: int = PRESETS["quick"]["steps"]
    """steps of all games together in a round"""
    num_envs: int = 256
    """games played side by side"""
    num_steps: int = 64
    """steps in each of them between updates"""
    minibatch: int = 1024
    """steps that an update's step looks at"""
    epochs: int = 6
    """passes over the experience in an update, at most"""
    target_kl: float = 0.03
    """how far an update may move the policy; it ends there"""
    learning_rate: float = 2e-3
    """learning rate of Adam at the beginning; it falls to 0"""
    entropy: float = 0.001
    """weight of the entropy bonus"""
    gamma: float = 1.0
    """discount a step"""
    gae_lambda: float = 0.95
    """how far advantages trust what followed over the value"""
    hidden: int = 64
    """units in the hidden layers"""
    seed: int = 0
    """seed of the games and of the network"""
    curve_deals: int = 100
    """deals of each match after a round, each played once from each seat"""
    deals: int = 500
    """deals of each match at the end, each played once from each seat"""
    threads: int = 1
    """threads of PyTorch; more are often slower on small machines"""
    device: str = "auto"
    """PyTorch device that learns: auto takes a GPU where there is one"""
    folder: str = "runs/ppo"
    """folder for all files"""
    resume: bool = False
    """go on from the folder's checkpoint"""

    def defaults(self) -> Mapping[str, Any]:
        """What goes by the preset and the variant, unless it is given."""
        return {**super().defaults(), **PRESETS[self.preset]}


def parse(arguments: Sequence[str] | None) -> Args:
    """The command line as `Args`."""
    args, parser = parse_options(Args, arguments, PROG, __doc__, tuple(PRESETS))
    check_variant(parser, args)
    unknown = [name for name in args.opponents.split(",") if name not in POLICIES]
    if unknown:
        parser.error(f"--opponents must be of {', '.join(POLICIES)}, with commas between, not {unknown[0]!r}")
    if args.actions not in NUMBERINGS:
        parser.error(f"--actions must be one of {', '.join(NUMBERINGS)}, not {args.actions!r}")
    positive = (
        "active",
        "rounds",
        "steps",
        "num_envs",
        "num_steps",
        "minibatch",
        "epochs",
        "hidden",
        "curve_deals",
        "deals",
        "threads",
    )
    check_positive(parser, args, *positive)
    check_seed(parser, args.seed)
    if args.selves < 0:
        parser.error(f"--selves must be at least 0, not {args.selves}")
    for name in ("learning_rate", "target_kl"):
        if not getattr(args, name) > 0:
            parser.error(f"{option_name(name)} must be more than 0, not {getattr(args, name)}")
    if not (0 <= args.gamma <= 1 and 0 <= args.gae_lambda <= 1):
        parser.error("--gamma and --gae-lambda must be from 0 to 1")
    return args


class Watched(VecEnvWrapper):
    """Keeps the time that games and opponents take, tells the pool how games end, and scales rewards."""

    def __init__(self, env: VecEnv, pool: Pool | None, unit: float) -> None:
        super().__init__(env)
        self.pool, self.unit, self.seconds = pool, unit, 0.0

    def reset(self) -> Any:
        """Start all games."""
        return self.venv.reset()

    def step_wait(self) -> Any:
        """Play the actions on, up to the learner's next decisions."""
        began = time.perf_counter()
        observations, rewards, done, notes = self.venv.step_wait()
        if self.pool is not None:
            self.pool.hear(notes)
        self.seconds += time.perf_counter() - began
        return observations, rewards / self.unit, done, notes


class Progress(BaseCallback):
    """Moves the bar on, and stops when asked to."""

    def __init__(self, bar: Any, stop: Event) -> None:
        super().__init__()
        self.bar, self.stop = bar, stop

    def _on_step(self) -> bool:
        self.bar.update(self.training_env.num_envs)
        return not self.stop.is_set()


class Training:
    """A learner, its opponents, and how far it has come.

    Attributes:
        done: rounds.
        seconds: of learning, evaluations apart.
        env_seconds: of these, what games and opponents took.
        curve: steps, seconds, and by opponent the share of wins, its low and its high end.
    """

    def __init__(self, args: Args) -> None:
        self.args, self.rules = args, args.rules
        self.folder = Path(args.folder)
        self.done, self.seconds, self.env_seconds = 0, 0.0, 0.0
        self.curve: list[tuple[float, ...]] = []
        self.against = whom_to_meet(self.rules, OPPONENTS)
        self.pool: Pool | None = None
        if args.players > 1:
            members = {name: POLICIES[name] for name in args.opponents.split(",")}
            self.pool = Pool(members, seed=args.seed, active=args.active, most=args.selves)
        self.env = Watched(self._make_env(), self.pool, self.unit)
        self.model = MaskablePPO(
            GamePolicy,
            self.env,
            learning_rate=lambda _: args.learning_rate * (1 - self.done / args.rounds),
            n_steps=args.num_steps,
            batch_size=args.minibatch,
            n_epochs=args.epochs,
            target_kl=args.target_kl,
            gamma=args.gamma,
            gae_lambda=args.gae_lambda,
            ent_coef=args.entropy,
            policy_kwargs={"rules": self.rules, "hidden": args.hidden, "staged": args.actions == "staged"},
            seed=args.seed,
            device=args.device,
        )

    @property
    def round_steps(self) -> int:
        """Steps of a round: as many as asked for, or a few more for whole updates."""
        update = self.args.num_envs * self.args.num_steps
        return -(-self.args.steps // update) * update

    @property
    def unit(self) -> float:
        """Of rewards, for one of what is learned: alone they are spaces of the lowest counter."""
        return float(self.rules.last_space) if self.pool is None else 1.0

    def _make_env(self) -> VecEnv:
        args = self.args
        if self.pool is None:
            return make_vec_env(
                "ingenious/Solitaire-v0", args.num_envs, actions=args.actions, reward="lowest"
            )
        return make_vec_env(
            "ingenious/Versus-v0", args.num_envs, rules=self.rules, actions=args.actions, opponent=self.pool
        )

    def agent(self) -> NetworkPolicy:
        """The agent as it is now."""
        network = self.model.policy.mlp_extractor
        assert isinstance(network, GameNetwork)  # noqa: S101 - what GamePolicy builds
        return NetworkPolicy(self.rules, deepcopy(network))

    def learn(self, progress: BaseCallback) -> None:
        """Play one round, and learn from it."""
        number = int(np.random.SeedSequence((self.args.seed, self.done)).generate_state(1)[0])
        self.model.set_random_seed(number)  # of the games, too
        if self.pool is not None:
            self.pool.draw(self.done)
            self.pool.start_afresh()
        self.model._last_obs = None  # has `learn` deal all games anew
        began, self.env.seconds = time.perf_counter(), 0.0
        self.model.learn(self.round_steps, callback=progress, reset_num_timesteps=False)
        self._took = time.perf_counter() - began

    def conclude(self) -> None:
        """Evaluate what the round has led to, take it into the pool, and write everything down."""
        self.done += 1
        self.seconds += self._took
        self.env_seconds += self.env.seconds
        agent = self.agent()
        found = [evaluate(agent, self.rules, self.args.curve_deals, opponent) for opponent in self.against]
        steps = self.done * self.round_steps
        self.curve.append((steps, round(self.seconds, 1), *(number for each in found for number in each)))
        for opponent, (mean, _, _) in zip(self.against, found, strict=True):
            self.model.logger.record(f"evaluation/{opponent}", mean)
        if self.pool is not None:
            self.pool.add(f"self-{self.done}", self.past_self())
            for name, member in self.pool.members.items():
                self.model.logger.record(f"pool/{name}", member.share)
        self.model.logger.dump(steps)
        self.save()

    def past_self(self) -> NetworkPolicy:
        """The learner as it plays now, exploring: a match for it, as its likeliest actions would not be."""
        return NetworkPolicy(self.rules, self.agent().network, sample=True)

    def save(self) -> None:
        """Write the checkpoint, the agent and the curve, each to a file of another name first."""
        checkpoint = {
            "args": asdict(self.args),
            "policy": self.model.policy.state_dict(),
            "optimizer": self.model.policy.optimizer.state_dict(),
            "done": self.done,
            "seconds": self.seconds,
            "env_seconds": self.env_seconds,
            "curve": self.curve,
            "pool": self._pool_state(),
        }
        save_checkpoint(self.folder, checkpoint)
        self.agent().save(self.folder / "agent.npz")
        save_curve(self.folder, self.columns, self.curve)

    @property
    def columns(self) -> tuple[str, ...]:
        """What the numbers of a point on the curve are."""
        return (
            "steps",
            "seconds",
            *(f"{each}{end}" for each in self.against for end in ("", " low", " high")),
        )

    def _pool_state(self) -> dict[str, Any]:
        """What draws and past selves follow from; nothing alone."""
        if self.pool is None:
            return {}
        return {
            "results": self.pool.results,
            "selves": {
                name: member.policy.network.state_dict()
                for name, member in self.pool.members.items()
                if isinstance(member.policy, NetworkPolicy)
            },
        }

    def restore(self) -> None:
        """Take up the checkpoint; ValueError if there is none that fits. Nothing in it is executed."""
        with checkpoint_in(self.folder, self.args, MAY_CHANGE) as saved:
            self.model.policy.load_state_dict(saved["policy"])
            self.model.policy.optimizer.load_state_dict(saved["optimizer"])
            self.done = int(saved["done"])
            self.model.num_timesteps = self.done * self.round_steps
            self.seconds, self.env_seconds = float(saved["seconds"]), float(saved["env_seconds"])
            self.curve = [tuple(point) for point in saved["curve"]]
            pool = self.pool
            if pool is None:
                return  # solitaire
            for name, weights in saved["pool"].get("selves", {}).items():
                before_now = self.past_self()
                before_now.network.load_state_dict(weights)
                pool.add(name, before_now)
            for name, (won, games) in saved["pool"].get("results", {}).items():
                pool.members[name].won, pool.members[name].games = won, games


def train(training: Training) -> None:
    """Learn until all rounds are done, or Ctrl-C; the agent is in the folder, too."""
    rounds = training.args.rounds
    training.model.set_logger(configure(str(training.folder / "tensorboard"), ["tensorboard"]))
    with (
        tqdm(total=rounds * training.round_steps, unit="step", desc="training") as bar,
        stop_request() as stop,
    ):
        while training.done < rounds:
            bar.update(training.model.num_timesteps - bar.n)
            training.learn(Progress(bar, stop))
            if stop.is_set():
                break
            training.conclude()
            shares = ", ".join(
                f"{mean:.4g} against {opponent}"
                for opponent, mean in zip(training.against, training.curve[-1][2::3], strict=True)
            )
            bar.set_postfix_str(shares)
    if stop.is_set():
        print("stopped early; what was learned up to the last checkpoint is kept")


def rate(training: Training) -> dict[str, str]:
    """What the network is worth, alone or against each opponent, in words; the card says so, too."""
    args, rules, folder = training.args, training.rules, training.folder
    agent = NetworkPolicy.load(folder / "agent.npz")
    ratings = ratings_of(agent, rules, args.deals, OPPONENTS)
    share = training.env_seconds / training.seconds
    facts = {
        "command": f"`{command_of(PROG, args)}`",
        "rounds": f"{training.done}, {training.done * training.round_steps:,} steps",
        "time": f"{training.seconds:.0f} seconds of training, of which games and opponents took {share:.0%}",
        "seed": str(args.seed),
    }
    title = f"PPO network: {rules_to_text(rules)}"
    write_card(folder / "card.md", title, facts, ratings, curve=training.curve, columns=training.columns)
    what = "share of wins" if rules.num_sheets > 1 else "mean lowest counter"
    draw_curve(folder / "curve.svg", training.curve, what, training.against)
    draw_last_board(folder / "board.svg", rules, agent, OPPONENTS[-1])
    return ratings


def main(arguments: Sequence[str] | None = None) -> None:
    """Train and rate."""
    args = parse(arguments)
    torch.set_num_threads(args.threads)
    training = begin(lambda: Training(args), PROG, resume=args.resume)
    train(training)
    if not training.done:
        print("no round was done, so there is nothing to rate")
        return
    share = training.env_seconds / training.seconds
    print(
        f"{training.done} rounds in {training.seconds:.0f} seconds, {share:.0%} of them games and opponents"
    )
    for opponent, found in rate(training).items():
        print(f"against {opponent}: {found}")
    folder = training.folder
    print(f"it plays as ppo:path={folder / 'agent.npz'}; its card, curve and last board are in {folder}")


if __name__ == "__main__":
    main()
