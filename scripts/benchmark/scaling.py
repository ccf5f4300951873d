"""The cost of self-play and tournaments, and the number of workers that a learner or a driver can keep busy.

    python -m scripts.benchmark.scaling                       # two players, some minutes
    python -m scripts.benchmark.scaling --game loopit
    python -m scripts.benchmark.scaling --ray --workers 1 2   # and check the prediction on a Ray cluster

Measures the parts separately: a game of self-play, an update, the bytes of weights and of experience, a task
of a cluster, a game in a tournament's log. From these a small model predicts the speed for any number of
workers (docs/explanation/scaling.md); with --ray training runs are timed and compared with the prediction.
"""

from __future__ import annotations

import os
import pickle
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

from ingenious_agents.commands.command_line import (
    LOCAL,
    Cluster,
    Count,
    Counts,
    Positive,
    Variant,
    check_needed,
    checking,
    command,
    hint,
    needs_extra,
    read,
)
from ingenious_agents.evaluation.log import Log
from ingenious_agents.evaluation.scheduler import CHUNK_SECONDS, Schedule
from ingenious_agents.evaluation.tournament import Tournament
from ingenious_agents.tables import markdown_table

from ingenious_env.engine.definition import AnyRules

with needs_extra("python -m scripts.benchmark.scaling", "torch"):
    import torch
    from ingenious_agents.value.training import Learner, Settings, played_batches, shares_of

PROG = "python -m scripts.benchmark.scaling"
PREDICTED = (1, 2, 4, 10, 100, 1000)
LAGS = (0, 2)
CANDIDATES = {"ingenious": 16, "loopit": 32}
MINIBATCH = {"ingenious": 512, "loopit": 128}
CHEAP = ("greedy", "greedy")


@dataclass(frozen=True)
class Choice(Variant):
    """Options that determine the defaults of the others."""

    def defaults(self) -> Mapping[str, Any]:
        """Defaults by variant."""
        of_game = {"candidates": CANDIDATES[self.game], "minibatch": MINIBATCH[self.game]}
        return {**super().defaults(), **of_game}


@dataclass(frozen=True)
class Args(Choice):
    """Command-line options."""

    batch: Count = 200
    """games between two updates"""
    candidates: Count = CANDIDATES["ingenious"]
    """placements evaluated per move in self-play; in Loopit plans, 32"""
    minibatch: Count = MINIBATCH["ingenious"]
    """positions in a gradient step; in Loopit 128"""
    repetitions: Count = 7
    """repetitions of each measurement, of which the median is used"""
    bandwidth: Positive = 1000.0
    """megabits per second that the learner's node can receive"""
    ray: Annotated[Cluster, hint("no cluster")] = None
    """time tasks and training runs on a Ray cluster, at ADDRESS or on this machine's cores"""
    workers: Counts = (1, 2)
    """with --ray: numbers of workers to time"""
    batches: Count = 20
    """with --ray: batches of each training that is timed"""

    def check(self) -> None:
        """ValueError if options contradict each other."""
        super().check()
        if self.ray is None:
            check_needed(self, "--ray", ("workers", "batches"))


@dataclass(frozen=True)
class Costs:
    """The costs of the parts of a training.

    Attributes:
        game: seconds of one core for a game of self-play.
        update: seconds for learning from a batch.
        batch: games of a batch.
        experience: bytes of a game's experience.
        latency: seconds from submitting a task to its result.
        task: seconds of the learner's core for a share of a batch, without the transfer of its bytes.
        copying: seconds of the learner's core for a byte of experience.
        bandwidth: bytes per second that the learner's node can receive.
        cores: of the learner's machine if the workers are on it, too; 0 if they are elsewhere.
    """

    game: float
    update: float
    batch: int
    experience: float
    latency: float
    task: float
    copying: float
    bandwidth: float
    cores: int = 0

    @property
    def learning(self) -> float:
        """Seconds of the learner for a received batch: to unpack it, and to learn from it."""
        return self.update + self.copying * self.experience * self.batch

    def parts(self, workers: int, lag: int) -> dict[str, float]:
        """Seconds of a batch: of the workers, of the learner, and of the network."""
        tasks = self.task * shares_of(workers, lag, self.batch)
        elsewhere = not self.cores
        return {
            "games": self.game * self.batch / workers,
            "updates": self.learning + tasks,
            "network": self.experience * self.batch / self.bandwidth if elsewhere else 0.0,
        }

    def games_per_second(self, workers: int, lag: int) -> float:
        """The speed of a training; with a lag workers play while the learner learns."""
        parts = self.parts(workers, lag)
        if lag == 0:
            playing = max(parts["games"], parts["network"]) + self.latency
            return self.batch / (playing + parts["updates"])
        together = max(parts.values())
        if self.cores:  # shared by all
            together = max(together, (self.game * self.batch + parts["updates"]) / self.cores)
        return self.batch / together

    def bound(self, workers: int, lag: int) -> str:
        """The part that takes the most of a batch's time."""
        parts = self.parts(workers, lag)
        return max(parts, key=lambda name: parts[name])


def median_seconds(
    action: Callable[[], object], repetitions: int, clock: Callable[[], float] = time.perf_counter
) -> float:
    """The median of some timings, after a warm-up."""
    found = []
    for _ in range(repetitions + 1):
        began = clock()
        action()
        found.append(clock() - began)
    return statistics.median(found[1:])


def settings_of(args: Args, *, games: int, lag: int = 0) -> Settings:
    """The settings of a training of a number of games."""
    return Settings(
        games=games, batch=args.batch, candidates=args.candidates, minibatch=args.minibatch, lag=lag
    )


def measure(args: Args, rules: AnyRules) -> tuple[Costs, dict[str, str]]:
    """The costs of a training without a cluster, and figures to print."""
    learner = Learner(rules, settings_of(args, games=10**6))
    weights, play = learner.value_network().weights, learner.self_play
    number = iter(range(10**6))

    def one_batch() -> object:
        return play.play(weights, learner.deals, args.batch * next(number), args.batch)

    game = median_seconds(one_batch, args.repetitions) / args.batch
    played = play.play(weights, learner.deals, 0, args.batch)
    update = median_seconds(lambda: learner.learn(played), args.repetitions)
    experience = sum(array.nbytes for array in played) / args.batch
    costs = Costs(
        game=game,
        update=update,
        batch=args.batch,
        experience=experience,
        latency=0.0,
        task=0.0,
        copying=0.0,
        bandwidth=args.bandwidth * 1e6 / 8,
    )
    figures = {
        "a game of self-play on one core": f"{1e3 * game:.2f} ms",
        f"an update on {args.batch} games": f"{1e3 * update:.0f} ms",
        "positions of a game": f"{len(played.inputs) / args.batch:.0f}",
        "experience of a game": f"{experience / 1e3:.0f} kB",
        "weights, sent for each share of a batch": f"{weights.nbytes / 1e3:.0f} kB",
        "a share of the update in all work": f"{update / (update + game * args.batch):.0%}",
    }
    return costs, figures


def tournament_figures(args: Args, rules: AnyRules) -> dict[str, str]:
    """The work of a tournament's driver for a game, and the number of workers that it can keep busy."""
    tournament = Tournament.of(rules, CHEAP * ((rules.num_sheets + 1) // 2))
    (group, *_), deals = tournament.groups, range(200)
    games = tournament.play(group, deals)
    with tempfile.TemporaryDirectory() as folder:

        def log_all() -> None:
            log = Log(Path(folder) / "log.jsonl", tournament)
            Schedule(log, len(deals), None).take(group, deals, games, CHUNK_SECONDS)

        seconds = median_seconds(log_all, args.repetitions) / len(games)
    task = len(pickle.dumps(games)) / len(games)
    return {
        "driver's time for a game in a tournament's log": f"{1e6 * seconds:.0f} µs",
        "bytes of a game's result": f"{task:.0f}",
        "games a second that a driver can log": f"{1 / seconds:,.0f}",
    }


def payload(nbytes: int) -> bytes:
    """A number of bytes, as a task's result."""
    return os.urandom(min(nbytes, 1)) * nbytes


def task_costs(executor: Executor, nbytes: int, repetitions: int) -> tuple[float, float, float]:
    """The latency of a task, and the seconds of the driver's core for it and for a byte of its result."""

    def ask(size: int) -> object:
        return executor.submit(payload, size).result()

    latency = median_seconds(lambda: ask(0), repetitions)
    small = median_seconds(lambda: ask(0), repetitions, time.process_time)
    large = median_seconds(lambda: ask(nbytes), repetitions, time.process_time)
    return latency, small, max(0.0, large - small) / nbytes


def timed_training(args: Args, rules: AnyRules, executor: Executor, workers: int, lag: int) -> float:
    """Games per second of a training, without its first batches."""
    warm_up = 3 + 2 * lag
    learner = Learner(rules, settings_of(args, games=args.batch * (args.batches + warm_up), lag=lag))
    began = 0.0
    for number, games in enumerate(played_batches(learner, executor, shares_of(workers, lag, args.batch))):
        learner.learn(games)
        if number + 1 == warm_up:
            began = time.perf_counter()
    return args.batch * args.batches / (time.perf_counter() - began)


@contextmanager
def cluster_of(args: Args, workers: int) -> Iterator[Any]:
    """The executor of the cluster that the options name, with a number of workers."""
    with checking():
        cluster = import_module("ingenious_agents.cluster")  # Ray is in its own extra
        joined = cluster.RayExecutor(None if args.ray == LOCAL else args.ray, workers=workers)
    with joined as executor:
        yield executor


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, predict and print."""
    args = read(Args, arguments, PROG, __doc__, Choice)
    torch.set_num_threads(1)
    with command(PROG):
        rules = args.rules
        costs, figures = measure(args, rules)
        if rules.num_sheets > 1:
            figures |= tournament_figures(args, rules)
        checked: list[tuple[str, ...]] = []
        if args.ray is not None:
            size = int(costs.experience * args.batch)
            with cluster_of(args, 1) as executor:
                latency, task, copying = task_costs(executor, size, args.repetitions)
            costs = replace(costs, latency=latency, task=task, copying=copying)
            figures["latency of a task"] = f"{1e3 * latency:.1f} ms"
            figures["learner's time for a task"] = f"{1e3 * task:.1f} ms"
            figures["learner's time to receive a batch"] = f"{1e3 * copying * size:.0f} ms"
            here = replace(costs, cores=os.cpu_count() or 1) if args.ray == LOCAL else costs
            for workers in args.workers:
                with cluster_of(args, workers) as executor:
                    for lag in LAGS:
                        predicted = here.games_per_second(workers, lag)
                        found = timed_training(args, rules, executor, workers, lag)
                        row = (workers, lag, f"{predicted:.0f}", f"{found:.0f}", f"{found / predicted:.2f}")
                        checked.append(tuple(map(str, row)))
        print(markdown_table(figures.items(), ("", "")), "\n")
        if checked:
            heads = ("workers here", "lag", "predicted games a second", "measured", "measured / predicted")
            print(markdown_table(checked, heads), "\n")
        feeds = costs.game * costs.batch / costs.learning
        print(f"A learner keeps up with {feeds:.1f} workers (with a lag).\n")
        predictions = [
            (
                f"{workers:,}",
                *(f"{costs.games_per_second(workers, lag):,.0f}" for lag in LAGS),
                costs.bound(workers, LAGS[-1]),
            )
            for workers in PREDICTED
        ]
        columns = ("workers elsewhere", *(f"games a second, lag {lag}" for lag in LAGS), "bound by")
        print(markdown_table(predictions, columns))


if __name__ == "__main__":
    main()
