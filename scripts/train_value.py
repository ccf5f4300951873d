"""Train a value network by self-play, TD(λ) on positions after a move, then rate it.

    python -m scripts.train_value                              # two players, a minute or two
    python -m scripts.train_value --players 1 --budget full    # solitaire, 600,000 games
    python -m scripts.train_value --players 1 --side 3 --colours 2    # a small variant
    python -m scripts.train_value --game loopit                # the second game
    python -m scripts.train_value --ray --workers 4     # games on a Ray cluster (docs/howto/clusters.md)
    python -m scripts.train_value --resume                     # continue from the last checkpoint

Leaves in the folder: `agent.safetensors` (plays as `value:path=…`), `checkpoint.pt` (to continue from),
`curve.csv` (the learning curve: in solitaire the mean lowest counter, else the share of wins against one
opponent), and at the end `card.md` (the model card), `curve.svg`, and `board.svg` (a game's last board). The
same options give the same network, regardless of workers and interruptions. Ctrl-C ends the training early;
what was learned is saved and evaluated.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

from ingenious_agents.commands.command_line import (
    LOCAL,
    Budget,
    Cluster,
    Count,
    Number,
    SizedVariant,
    check_ignored,
    checking,
    command,
    entering,
    hint,
    needs_extra,
    read,
)
from ingenious_agents.evaluation.endings import chosen_in, endings_of, endings_path, endings_table
from ingenious_agents.evaluation.plots import draw_curve, draw_last_board
from ingenious_agents.folders import locked_folder
from ingenious_agents.provenance import command_of
from ingenious_agents.stopping import stop_request
from ingenious_agents.tables import written
from ingenious_agents.training.evaluation import describe, evaluate, met_by, ratings_of
from ingenious_agents.training.model_card import write_card, write_section
from ingenious_agents.training.settings import settings_of
from ingenious_agents.value.agent import ValueAgent
from ingenious_agents.value.self_play import PlayedGames
from tqdm import tqdm

from ingenious_env.engine.definition import definition_of
from ingenious_env.policies.luck import has_draw_luck

with needs_extra("python -m scripts.train_value", "torch"):
    import torch
    from ingenious_agents.training.checkpoint import AGENT, checkpoint_in, save_checkpoint, save_curve
    from ingenious_agents.value.training import CURVE, Learner, Settings, played_batches, shares_of

PROG = "python -m scripts.train_value"
SAVE_EVERY = 60.0  # seconds
CURVE_DEALS = 100
OPPONENTS = {
    "ingenious": ("greedy:utility=concave", "greedy:utility=lowest", "greedy"),
    "loopit": ("planner", "greedy", "tree:rollouts=200"),
}
"""By game, the opponents against which a trained network is rated, by the first also during training."""
MAY_CHANGE = ("threads", "ray", "workers", "folder", "resume", "evaluations", "deals")
"""Options that do not affect the result."""

BUDGETS: dict[str, dict[str, Any]] = {"quick": {"games": 40_000}, "full": {"games": 600_000}}
SOLITAIRE: dict[str, Any] = {"td_lambda": 1.0, "minibatch": 256}
"""Defaults of solitaire."""
LOOPIT: dict[str, dict[str, Any]] = {
    budget: {"games": games, "minibatch": 128, "learning_rate": 3e-3, "candidates": 32}
    for budget, games in (("quick", 10_000), ("full", 100_000))
}
"""Defaults of Loopit, by budget."""


@dataclass(frozen=True)
class Choice(SizedVariant):
    """Options that determine the defaults of the others."""

    budget: Budget = "quick"
    """length of the training: sets --games unless that is given"""

    def defaults(self) -> Mapping[str, Any]:
        """Defaults by budget and variant."""
        of_game = LOOPIT[self.budget] if self.game == "loopit" else SOLITAIRE if self.players == 1 else {}
        return {**super().defaults(), **BUDGETS[self.budget], **of_game}


@dataclass(frozen=True)
class Args(Settings, Choice):
    """Command-line options."""

    threads: Count = 2
    """threads that play games"""
    ray: Annotated[Cluster, hint("threads of this machine")] = None
    """play games on a Ray cluster, at ADDRESS or without it on this machine's cores"""
    workers: Annotated[Number, hint("all cores of the cluster")] = None
    """with --ray: workers that play a batch together"""
    evaluations: Count = 20
    """evaluations on the learning curve"""
    deals: Count = 500
    """deals of each final evaluation, each played once from each seat"""
    folder: Path = Path("runs/value")
    """folder for all files"""
    resume: bool = False
    """continue from the folder's checkpoint"""

    def check(self) -> None:
        """ValueError if options are out of range or contradict each other."""
        Settings.check(self)
        Choice.check(self)
        if self.workers is not None and (self.ray is None or self.workers < 1):
            msg = f"--workers needs --ray and at least 1 worker, not {self.workers}"
            raise ValueError(msg)
        if self.ray is not None:
            check_ignored(self, "--ray", ("threads",))


def parse(arguments: Sequence[str] | None) -> Args:
    """The command line as `Args`."""
    return read(Args, arguments, PROG, __doc__, Choice)


@contextmanager
def workers_of(args: Args) -> Iterator[tuple[Executor, int]]:
    """The executor that plays games, and the number of shares of a batch."""
    if args.ray is None:
        with ThreadPoolExecutor(args.threads) as threads:
            yield threads, shares_of(args.threads, args.lag, args.batch)
        return
    with checking():
        cluster = import_module("ingenious_agents.cluster")  # Ray is in its own extra
        joined = cluster.RayExecutor(None if args.ray == LOCAL else args.ray, workers=args.workers)
    with joined as executor:
        yield executor, shares_of(executor.workers, args.lag, args.batch)


def result_of(args: Args) -> str:
    """The quantity that evaluations measure."""
    if args.rules.num_sheets == 1:
        return f"{'luck-adjusted ' if has_draw_luck(args.rules) else ''}mean lowest counter"
    return f"share of wins against {OPPONENTS[args.game][0]}"


def save(args: Args, learner: Learner) -> None:
    """Write the checkpoint, the agent and the curve, each atomically."""
    save_checkpoint(args.folder, args, learner.state())
    learner.value_network().save(args.folder / AGENT)
    opponent = met_by(args.rules, OPPONENTS[args.game])[0]
    columns = (*CURVE[:2], *(f"{opponent}{end}" for end in ("", " low", " high")))  # as of train_ppo
    save_curve(args.folder, columns, learner.curve)


def saving_if_lost(args: Args, learner: Learner, batches: Iterator[PlayedGames]) -> Iterator[PlayedGames]:
    """The batches; if the executor is lost, the network so far is saved, and OSError reports it."""
    while True:
        try:
            games = next(batches, None)
        except OSError as error:
            save(args, learner)
            saved = f"{learner.done:,} games are learned and saved"
            raise OSError(f"{error}; {saved}; the same command with --resume continues") from error
        if games is None:
            return
        yield games


def train(args: Args, learner: Learner, executor: Executor, shares: int) -> None:
    """Play and learn until all games are played, or Ctrl-C."""
    every, opponent = -(-args.games // args.evaluations), OPPONENTS[args.game][0]
    with (
        tqdm(total=args.games, initial=learner.done, unit="game", desc="training") as bar,
        stop_request() as stop,
    ):
        began = saved = time.monotonic()
        for games in saving_if_lost(args, learner, played_batches(learner, executor, shares)):
            before = learner.done
            learner.learn(games)
            learner.seconds += time.monotonic() - began
            bar.update(min(args.batch, args.games - before))
            if before // every != learner.done // every or learner.is_done:
                bar.set_postfix_str("rating")
                learner.value_network().save(args.folder / AGENT)
                found = evaluate(ValueAgent(str(args.folder / AGENT)), args.rules, CURVE_DEALS, opponent)
                learner.add_evaluation(found.best)
                bar.set_postfix_str(describe(args.rules, found))
                saved = -SAVE_EVERY
            if time.monotonic() - saved > SAVE_EVERY:
                save(args, learner)
                saved = time.monotonic()
            if stop.is_set():
                break
            began = time.monotonic()
    save(args, learner)
    if not learner.is_done:
        print("stopped early; rating what was learned")


def rate(args: Args, learner: Learner) -> dict[str, str]:
    """The network's results in solitaire or against each opponent, in words; writes the card, too."""
    rules, folder = args.rules, args.folder
    agent = ValueAgent(str(folder / AGENT))
    ratings = ratings_of(agent, rules, args.deals, OPPONENTS[args.game], progress=True)
    where = f"--threads {args.threads}" if args.ray is None else f"--ray, {args.workers or 'all'} workers"
    share = learner.learning_seconds / max(learner.seconds, 1e-9)
    facts = {
        "command": f"`{command_of(PROG, args)}`",
        "games": f"{learner.done:,}",
        "time": f"{learner.seconds:.0f} seconds of training, {where}; updates took {share:.0%}",
        "seed": str(args.seed),
        "weights": agent.fingerprint(rules),
    }
    result = result_of(args)
    columns = (*CURVE[:2], result, *CURVE[3:])
    title = f"Value network: {definition_of(rules).rules_to_text(rules)}"
    write_card(folder / "card.md", title, facts, ratings, curve=learner.curve, columns=columns)
    if (path := endings_path(rules)) is not None:
        endings = endings_of(path, chosen_in(agent, path))
        write_section(folder / "card.md", "Endings", written([endings_table(endings)], "markdown"))
    draw_curve(folder / "curve.svg", learner.curve, result)
    draw_last_board(folder / "board.svg", rules, agent, OPPONENTS[args.game][0])
    return ratings


def main(arguments: Sequence[str] | None = None) -> None:
    """Train and rate."""
    args = parse(arguments)
    torch.set_num_threads(1)  # more are slower for networks as small as this
    with command(PROG), entering(locked_folder(args.folder, "--folder")):
        with checking():
            learner = Learner(args.rules, settings_of(Settings, args))
        if args.resume:
            with checking(), checkpoint_in(args.folder, args, MAY_CHANGE) as state:
                learner.restore(state)
            save(args, learner)  # the other files may be older than the checkpoint
        with workers_of(args) as (executor, shares):
            train(args, learner, executor, shares)
        print(f"{learner.done} games in {learner.seconds:.0f} seconds")
        for opponent, found in rate(args, learner).items():
            print(f"against {opponent}: {found}")
    agent = args.folder / AGENT
    print(f"it plays as value:path={agent}; its card, curve and last board are in {args.folder}")


if __name__ == "__main__":
    main()
