"""Train a small masked PPO agent on Versus-v0, then see what it is worth.

    python -m scripts.train_ppo                       # two minutes of training, then the matches
    python -m scripts.train_ppo --minutes 10 --opponent greedy --folder runs/ppo-greedy
    python -m scripts.train_ppo --resume              # go on from the last checkpoint

Leaves in the folder: `agent.npz` (plays as `ppo:path=…`), `checkpoint.pt` (to go on from), `curve.csv` (share
of wins against uniform as it learns), `board.svg` (the last board of a game against greedy). Ctrl-C ends the
training early; what was learned is kept and rated.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from tqdm import tqdm

from agents import make_agent, play_match
from agents.networks import GameNetwork, GamePolicy
from agents.ppo import NetworkPolicy
from ingenious_env import Rules
from ingenious_env.policies import POLICIES, Policy
from ingenious_env.sb3 import make_vec_env
from scripts.match import report
from scripts.plots import draw_last_board
from scripts.training import checkpoint_in, parse_options, save_checkpoint, save_curve

EVALUATION_SEED = 1_000_003  # deals that training, which counts its seeds from 0, does not see


@dataclass(frozen=True)
class Args:
    """What can be set on the command line, with its default."""

    minutes: float = 2.0
    """minutes of training, in all when resumed"""
    opponent: str = "uniform"
    """who is trained against: uniform, greedy or concave"""
    players: int = 2
    """2, 3 or 4"""
    num_envs: int = 64
    """games played side by side"""
    num_steps: int = 32
    """steps in each of them between updates"""
    learning_rate: float = 1e-3
    """of Adam"""
    entropy: float = 0.01
    """weight of the entropy bonus"""
    gamma: float = 0.99
    """discount a step"""
    hidden: int = 64
    """units in the hidden layers"""
    seed: int = 0
    """of games and network"""
    games: int = 500
    """deals of each match at the end, played once a seat"""
    threads: int = 1
    """of PyTorch; more are often slower on small machines"""
    folder: str = "runs/ppo"
    """where everything is written"""
    resume: bool = False
    """go on from the folder's checkpoint"""


def parse(arguments: Sequence[str] | None) -> Args:
    """The command line as `Args`."""
    args, parser = parse_options(Args, arguments, "python -m scripts.train_ppo", __doc__)
    if args.opponent not in POLICIES:
        parser.error(f"--opponent must be one of {', '.join(POLICIES)}, not {args.opponent!r}")
    if args.players not in (2, 3, 4):
        parser.error(f"--players must be 2, 3 or 4, not {args.players}")
    if min(args.minutes, args.num_envs, args.num_steps, args.hidden, args.games, args.threads) <= 0:
        parser.error("--minutes, --num-envs, --num-steps, --hidden, --games and --threads must be positive")
    return args


class Progress(BaseCallback):
    """Shows the time left, evaluates now and then, writes checkpoints, and stops when the time is up."""

    def __init__(self, args: Args, rules: Rules, *, every: float = 15.0) -> None:
        super().__init__()
        self.args, self.rules, self.every = args, rules, every
        self.folder = Path(args.folder)
        self.curve: list[tuple[float, int, float, float, float]] = []
        self.before = 0.0  # seconds of training in earlier runs
        self.steps_before = 0

    def _on_training_start(self) -> None:
        self.began = time.monotonic()
        self.paused = 0.0  # seconds of evaluation, which do not count
        total = round(60 * self.args.minutes)
        self.bar = tqdm(total=total, unit="s", desc="training", initial=min(total, round(self.before)))
        self.next_evaluation = self.before
        self._evaluate()

    @property
    def seconds(self) -> float:
        """Seconds of training, all runs together."""
        return self.before + time.monotonic() - self.began - self.paused

    @property
    def steps(self) -> int:
        """Actions of the learner, all runs together."""
        return self.steps_before + self.num_timesteps

    def _on_step(self) -> bool:
        self.bar.update(min(self.bar.total, int(self.seconds)) - self.bar.n)
        return self.seconds < 60 * self.args.minutes

    def _on_rollout_start(self) -> None:
        if self.seconds >= self.next_evaluation:
            self._evaluate()

    def _evaluate(self) -> None:
        """Play against uniform, and write the point and a checkpoint down."""
        start = time.monotonic()
        point = self.seconds
        others: list[Policy] = [make_agent("uniform")] * (self.rules.num_players - 1)
        result = play_match(self.rules, [self.agent(), *others], 100, EVALUATION_SEED)
        share, (low, high) = result.share(0), result.interval(0)
        self.curve.append((round(point, 1), self.steps, round(share, 4), round(low, 4), round(high, 4)))
        self.bar.set_postfix_str(f"{self.steps} steps, {share:.0%} against uniform")
        self.save()
        self.next_evaluation = point + self.every
        self.paused += time.monotonic() - start

    def agent(self) -> NetworkPolicy:
        """The agent as it is now, sharing the learner's weights."""
        network = self.model.policy.mlp_extractor
        assert isinstance(network, GameNetwork)  # noqa: S101 - what GamePolicy builds
        return NetworkPolicy(self.rules, network)

    def save(self) -> None:
        """Write the checkpoint, the agent and the curve, each to a file of another name first."""
        policy = self.model.policy
        checkpoint = {
            "policy": policy.state_dict(),
            "optimizer": policy.optimizer.state_dict(),
            "seconds": self.seconds,
            "steps": self.steps,
            "curve": self.curve,
        }
        save_checkpoint(self.folder, checkpoint)
        self.agent().save(self.folder / "agent.npz")
        save_curve(self.folder, ("seconds", "steps", "share", "low", "high"), self.curve)

    def restore(self, model: MaskablePPO) -> None:
        """Take up the checkpoint; ValueError if there is none that fits. Nothing in it is executed."""
        with checkpoint_in(self.folder) as saved:
            model.policy.load_state_dict(saved["policy"])
            model.policy.optimizer.load_state_dict(saved["optimizer"])
            self.before, self.steps_before = float(saved["seconds"]), int(saved["steps"])
            self.curve = [tuple(point) for point in saved["curve"]]


def train(args: Args, rules: Rules) -> NetworkPolicy:
    """Train until the time is up or Ctrl-C; the agent is in the folder, too."""
    options = {"opponent": args.opponent, "actions": "staged", "num_players": args.players}
    env = make_vec_env("ingenious/Versus-v0", args.num_envs, **options)
    env.seed(args.seed)
    model = MaskablePPO(
        GamePolicy,
        env,
        learning_rate=args.learning_rate,
        n_steps=args.num_steps,
        batch_size=512,
        n_epochs=4,
        gamma=args.gamma,
        gae_lambda=0.95,
        ent_coef=args.entropy,
        policy_kwargs={"rules": rules, "hidden": args.hidden},
        seed=args.seed,
    )
    progress = Progress(args, rules)
    if args.resume:
        progress.restore(model)
    try:
        model.learn(2**62, callback=progress)
    except KeyboardInterrupt:
        print("\nstopped early; rating what was learned")
    progress.save()
    progress.bar.close()
    env.close()
    return progress.agent()


def rate(agent: Policy, rules: Rules, games: int) -> None:
    """Print how the agent and greedy do against uniform, and against each other."""
    greedy, uniform = make_agent("greedy"), make_agent("uniform")
    others = rules.num_players - 1
    named = {"ppo": agent, "greedy": greedy, "uniform": uniform}
    for first, rest in (("ppo", "uniform"), ("greedy", "uniform"), ("ppo", "greedy")):
        seats = [first] + [rest] * others
        result = play_match(rules, [named[name] for name in seats], games, EVALUATION_SEED + 1, progress=True)
        print(report(seats, result))


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, rate, draw."""
    args = parse(arguments)
    torch.set_num_threads(args.threads)
    rules = Rules.standard(args.players)
    agent = train(args, rules)
    rate(agent, rules, args.games)
    board = Path(args.folder) / "board.svg"
    draw_last_board(board, rules, agent, "greedy")
    print(f"the agent is in {args.folder}, the last board in {board}")


if __name__ == "__main__":
    main()
