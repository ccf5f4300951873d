"""Train a small network by masked PPO, against ready opponents and its own past selves, then rate it.

    python -m scripts.train_ppo                                # two players, a minute or two
    python -m scripts.train_ppo --players 1                    # solitaire
    python -m scripts.train_ppo --budget full                  # 55 rounds, about 15 minutes
    python -m scripts.train_ppo --resume                       # continue from the last checkpoint

Leaves in the folder: `agent.safetensors` (plays as `ppo:path=…`), `checkpoint.pt` (to continue from),
`curve.csv` (the learning curve: in solitaire the mean lowest counter, else the share of wins against each of
a few fixed opponents), `tensorboard` (the same and the losses), and at the end `card.md` (the model card),
`curve.svg`, and `board.svg` (a game's last board).

Training proceeds in rounds. A round deals all games anew, learns, evaluates, adds the current network to the
pool of opponents, and writes the checkpoint. So the same options give the same network, regardless of
interruptions. Ctrl-C discards the current round, and evaluates the last checkpoint.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ingenious_agents.commands.command_line import (
    Budget,
    Count,
    Variant,
    check_ignored,
    check_needed,
    checking,
    command,
    entering,
    needs_extra,
    read,
)
from ingenious_agents.evaluation.plots import draw_curve, draw_last_board
from ingenious_agents.folders import locked_folder
from ingenious_agents.provenance import command_of
from ingenious_agents.stopping import stop_request
from ingenious_agents.training.evaluation import ratings_of
from ingenious_agents.training.model_card import write_card
from ingenious_agents.training.settings import settings_of
from tqdm import tqdm

from ingenious_env.games.ingenious.notation import rules_to_text

with needs_extra("python -m scripts.train_ppo", "train"):
    import torch
    from ingenious_agents.ppo.agent import PPOAgent
    from ingenious_agents.ppo.training import OPPONENTS, Learner, Progress, Settings, check_device
    from ingenious_agents.training.checkpoint import AGENT, checkpoint_in, save_checkpoint, save_curve
    from stable_baselines3.common.logger import configure

PROG = "python -m scripts.train_ppo"
MAY_CHANGE = ("threads", "folder", "resume", "deals", "device")
"""Options that may change when a training is resumed; of these only a device, with its own random numbers,
affects the result."""
BUDGETS: dict[str, dict[str, Any]] = {
    "quick": {"rounds": 8, "steps": 16_384},
    "full": {"rounds": 55, "steps": 32_768},
}


@dataclass(frozen=True)
class Choice(Variant):
    """Options that determine the defaults of the others."""

    budget: Budget = "quick"
    """length of the training: sets --rounds and --steps unless they are given"""

    def defaults(self) -> Mapping[str, Any]:
        """Defaults by budget and variant."""
        return {**super().defaults(), **BUDGETS[self.budget]}

    def check(self) -> None:
        """ValueError if options contradict each other, or the game is another."""
        super().check()
        if self.game != "ingenious":
            msg = f"game must be ingenious, the only one that the policy network plays, not {self.game}"
            raise ValueError(msg)


@dataclass(frozen=True)
class Args(Settings, Choice):
    """Command-line options."""

    deals: Count = 500
    """deals of each match at the end, each played once from each seat"""
    threads: Count = 1
    """threads of PyTorch; more are often slower on small machines"""
    device: str = "auto"
    """PyTorch device that learns: auto is a GPU if there is one"""
    folder: Path = Path("runs/ppo")
    """folder for all files"""
    resume: bool = False
    """continue from the folder's checkpoint"""

    def check(self) -> None:
        """ValueError if options are out of range or contradict each other."""
        Choice.check(self)
        Settings.check(self)
        if self.players == 1:
            check_ignored(self, "--players 1", ("opponents", "selves", "active"))
        if not self.imitate:
            check_needed(self, "--imitate N", ("teacher",))
        check_device(self.device)


def parse(arguments: Sequence[str] | None) -> Args:
    """The command line as `Args`."""
    return read(Args, arguments, PROG, __doc__, Choice)


def save(args: Args, learner: Learner) -> None:
    """Write the checkpoint, the agent and the curve, each atomically."""
    save_checkpoint(args.folder, args, learner.state())
    learner.agent().save(args.folder / AGENT)
    save_curve(args.folder, learner.columns, learner.curve)


def train(args: Args, learner: Learner) -> None:
    """Learn until all rounds are done, or Ctrl-C."""
    learner.model.set_logger(configure(str(args.folder / "tensorboard"), ["tensorboard"]))
    with (
        tqdm(total=args.rounds * learner.round_steps, unit="step", desc="training") as bar,
        stop_request() as stop,
    ):
        while learner.done < args.rounds:
            bar.update(learner.model.num_timesteps - bar.n)
            learner.learn(Progress(bar, stop))
            if stop.is_set():
                break
            learner.conclude()
            save(args, learner)
            shares = ", ".join(
                f"{mean:.4g} against {opponent}"
                for opponent, mean in zip(learner.against, learner.curve[-1][2::3], strict=True)
            )
            bar.set_postfix_str(shares)
    if learner.done < args.rounds:
        print("stopped early; what was learned up to the last checkpoint is kept")


def rate(args: Args, learner: Learner) -> dict[str, str]:
    """The network's results in solitaire or against each opponent, in words; writes the card, too."""
    rules, folder = args.rules, args.folder
    agent = PPOAgent(str(folder / AGENT))
    ratings = ratings_of(agent, rules, args.deals, OPPONENTS, progress=True)
    share = learner.env_seconds / learner.seconds
    facts = {
        "command": f"`{command_of(PROG, args)}`",
        "rounds": f"{learner.done}, {learner.done * learner.round_steps:,} steps",
        "time": f"{learner.seconds:.0f} seconds of training, of which games and opponents took {share:.0%}",
        "seed": str(args.seed),
        "weights": agent.fingerprint(rules),
    }
    title = f"PPO network: {rules_to_text(rules)}"
    write_card(folder / "card.md", title, facts, ratings, curve=learner.curve, columns=learner.columns)
    what = "share of wins" if rules.num_sheets > 1 else "luck-adjusted mean lowest counter"
    draw_curve(folder / "curve.svg", learner.curve, what, learner.against)
    draw_last_board(folder / "board.svg", rules, agent, OPPONENTS[-1])
    return ratings


def main(arguments: Sequence[str] | None = None) -> None:
    """Train and rate."""
    args = parse(arguments)
    torch.set_num_threads(args.threads)
    with command(PROG), entering(locked_folder(args.folder, "--folder")):
        with checking():
            learner = Learner(args.rules, settings_of(Settings, args), args.device)
        if args.resume:
            with checking(), checkpoint_in(args.folder, args, MAY_CHANGE) as state:
                learner.restore(state)
            save(args, learner)  # the other files may be older than the checkpoint
        train(args, learner)
        if not learner.done:
            print("no round was done, so there is nothing to rate")
            return
        share = learner.env_seconds / learner.seconds
        print(
            f"{learner.done} rounds in {learner.seconds:.0f} seconds, {share:.0%} of them games and opponents"
        )
        for opponent, found in rate(args, learner).items():
            print(f"against {opponent}: {found}")
    print(f"it plays as ppo:path={args.folder / AGENT}; its card, curve and last board are in {args.folder}")


if __name__ == "__main__":
    main()
