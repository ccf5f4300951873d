"""Benchmark against peers: interleaved repetitions, medians and spread, as tables and as JSON.

    python -m scripts.benchmark                               # all tables, about ten minutes
    python -m scripts.benchmark --tables engine aec           # some of them
    python -m scripts.benchmark --profile                     # the time of a step by part

The tables are engine, variants, games, aec, peers, vector, single, network and start. Peers that are not
installed are left out (`pip install momaland open_spiel pgx pygame rlcard`). "C" is the engine of `engine.c`,
which needs a C compiler; it writes masks, but no observations. All cases of a table take turns, so that a
temporary slowdown of the machine affects all of them; compare ratios, each the median over all turns.
"""

from __future__ import annotations

import itertools
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import tyro
from ingenious_agents.commands.command_line import Count, Counts, Positive, command, hint, read
from ingenious_agents.provenance import machine

from ingenious_env import Game, GameBatch, Rules, ingenious_v0
from ingenious_env.engine.definition import AnyRules, variant_of
from ingenious_env.envs.vector import SolitaireVectorEnv, VersusVectorEnv
from ingenious_env.games.loopit import Rules as LoopitRules
from scripts.benchmark import c_engine, peers
from scripts.benchmark.network_steps import GAMES, gradient_steps
from scripts.benchmark.timing import Case, Play, enough, measure, repeat, show, whose_time, write

PROG = "python -m scripts.benchmark"
PRESETS = {
    "solitaire": Rules.solitaire(),
    "two players": Rules.standard(2),
    "three players": Rules.standard(3),
    "four players": Rules.standard(4),
    "partnership": Rules.partnership(),
}
LOOPIT = {
    "Loopit, two players": LoopitRules(2),
    "Loopit, three players": LoopitRules(3),
    "Loopit, four players": LoopitRules(4),
}
VARIANTS: dict[str, AnyRules] = {**PRESETS, **LOOPIT}
BATCHES = (1, 64, 1024, 8192)
WHAT = {"bare": (False, False), "mask": (True, False), "mask and observation": (True, True)}
OWNERS = ("ingenious_env", "pettingzoo", "gymnasium")


# The command line.


@dataclass(frozen=True)
class Args:
    """Command-line options."""

    tables: tuple[
        Literal["engine", "variants", "games", "aec", "peers", "vector", "single", "network", "start"], ...
    ] = ("engine", "variants", "games", "aec", "peers", "vector", "single", "network", "start")
    """some of the tables"""
    batches: Counts = BATCHES
    """batch sizes of the engine table"""
    threads: Counts = (1, 2)
    """numbers of threads of the engine table"""
    repetitions: Count = 21
    """repetitions of each case"""
    seconds: Positive = 0.1
    """seconds of one repetition"""
    json: Annotated[Path | None, tyro.conf.arg(metavar="FILE"), hint("none")] = None
    """the file for all figures"""
    profile: bool = False
    """show the time by part, instead of the tables"""

    def check(self) -> None:
        """ValueError if the folder of the figures does not exist, or the system has no timer for profiles."""
        if self.profile and sys.platform == "win32":
            msg = "--profile needs Linux or macOS"
            raise ValueError(msg)
        if self.json and not self.json.parent.is_dir():
            msg = f"there is no folder {self.json.parent}"
            raise ValueError(msg)


# Cases.


def random_steps(rules: AnyRules, num_games: int, num_threads: int, *, mask: bool, observation: bool) -> Play:
    """Uniformly random play through `GameBatch`, with auto-reset."""
    batch = GameBatch(rules, num_games, 0, num_threads=num_threads)
    actions = np.empty(num_games, np.int32)
    masks = batch.legal_mask() if mask else None
    observations = batch.observe() if observation else None

    def play(steps: int) -> int:
        rounds = -(-steps // num_games)
        for _ in range(rounds):
            batch.play(batch.random_actions(actions), auto_reset=True, mask=masks, obs=observations)
        return rounds * num_games

    return play


def playouts(rules: AnyRules, num_threads: int) -> Play:
    """Whole random games; only their scores are written."""
    batch = GameBatch(rules, 1, 0, num_threads=num_threads)
    return lambda games: len(batch.random_playouts(games, seed=1))


def playout_steps(num_threads: int) -> Play:
    """The steps of whole random games of two players, by the mean of 4,096 such games."""
    batch, steps_taken = GameBatch(Rules(), 4096, 1), 0
    while not batch.is_over.all():
        steps_taken += len(batch) - int(batch.is_over.sum())
        batch.play(batch.random_actions())
    steps_a_game = steps_taken / len(batch)
    play = playouts(Rules(), num_threads)
    return lambda steps: round(steps_a_game * play(round(steps / steps_a_game) + 1))


def vector_steps(kind: type[SolitaireVectorEnv] | type[VersusVectorEnv], **options: Any) -> Play:
    """A vector environment of 1,024 games, its learner at random; a step is one of the learner."""
    env = kind(1024, autoreset_mode="SameStep", **options)
    env.reset(seed=0)

    def play(steps: int) -> int:
        rounds = -(-steps // env.num_envs)
        for _ in range(rounds):
            env.step(env.episodes.batch.random_actions())
        return rounds * env.num_envs

    return play


def middle_game() -> Game:
    """Two players, after twelve moves."""
    game = Game(Rules(), 3)
    for _ in range(12):
        game.play(game.random_action())
    return game


def clone_and_play(game: Game) -> Callable[[], None]:
    """A copy, and a random move on it."""

    def act() -> None:
        twin = game.clone()
        twin.play(twin.random_action())

    return act


# The tables.


def count_threads(number: int) -> str:
    """The number and the word."""
    return "1 thread" if number == 1 else f"{number} threads"


def engine_table(options: Args) -> Iterator[Case]:
    """Two players: batch sizes, threads, and outputs; the C engine writes no observations."""
    one, compiled = count_threads(options.threads[0]), c_engine.is_there()
    for num_games, (what, (mask, observation)) in itertools.product(options.batches, WHAT.items()):
        for threads in options.threads:
            case, baseline = f"batch {num_games}, {{}}, {what}".format, one
            if compiled and not observation:
                baseline = f"{count_threads(threads)}, C"
                yield Case(
                    case(baseline),
                    "steps",
                    partial(c_engine.random_steps, Rules(), num_games, threads, mask=mask),
                    case(f"{one}, C"),
                )
            yield Case(
                case(count_threads(threads)),
                "steps",
                partial(random_steps, Rules(), num_games, threads, mask=mask, observation=observation),
                case(baseline),
            )
    for threads in options.threads:
        whole = "whole games, {}, bare".format
        baseline = (
            f"batch {max(options.batches)}, {count_threads(threads)}, C, bare" if compiled else whole(one)
        )
        yield Case(whole(count_threads(threads)), "steps", partial(playout_steps, threads), baseline)


def variants_table(_options: Args) -> Iterator[Case]:
    """Every preset of both games in batches of 1,024, one thread, and those of Ingenious in C."""
    compiled = c_engine.is_there()
    for (name, rules), (what, (mask, observation)) in itertools.product(VARIANTS.items(), WHAT.items()):
        yield Case(
            f"{name}, {what}",
            "steps",
            partial(random_steps, rules, 1024, 1, mask=mask, observation=observation),
            f"two players, {what}",
        )
        if compiled and name in PRESETS and not observation:
            yield Case(
                f"{name}, {what}, C",
                "steps",
                partial(c_engine.random_steps, PRESETS[name], 1024, 1, mask=mask),
                f"{name}, {what}",
            )


def games_table(options: Args) -> Iterator[Case]:
    """Whole random games."""
    for (name, rules), threads in itertools.product(VARIANTS.items(), options.threads):
        yield Case(
            f"{name}, {count_threads(threads)}",
            "games",
            partial(playouts, rules, threads),
            f"{name}, {count_threads(options.threads[0])}",
        )


def aec_table(_options: Args) -> Iterator[Case]:
    """PettingZoo's loop: `agent_iter`, `last`, a sample by the mask, `step`."""
    ours = "ingenious_v0"
    yield Case(ours, "steps", lambda: peers.aec(ingenious_v0.env()))
    yield Case(f"{ours}, raw", "steps", lambda: peers.aec(ingenious_v0.raw_env()), ours)
    yield Case("MOMAland moingenious", "steps", peers.moingenious, ours)
    yield Case("MOMAland moingenious, raw", "steps", lambda: peers.moingenious(wrapped=False), ours)
    yield Case("PettingZoo connect four", "steps", lambda: peers.pettingzoo_classic("connect_four_v3"), ours)
    yield Case("PettingZoo go 9 x 9", "steps", lambda: peers.pettingzoo_classic("go_v5", board_size=9), ours)


def peers_table(_options: Args) -> Iterator[Case]:
    """Mask and observation at each step, with C the mask only, by the fastest interface on one thread."""
    ours, masks = "GameBatch, batch 1024", "GameBatch, batch 1024, mask"
    yield Case(ours, "steps", lambda: random_steps(Rules(), 1024, 1, mask=True, observation=True))
    yield Case("MOMAland moingenious, raw", "steps", lambda: peers.moingenious(wrapped=False), ours)
    yield Case("OpenSpiel hex", "steps", lambda: peers.openspiel("hex"), ours)
    yield Case("OpenSpiel backgammon", "steps", lambda: peers.openspiel("backgammon"), ours)
    yield Case("Pgx hex, batch 1024", "steps", lambda: peers.pgx("hex", 1024), ours)
    yield Case(masks, "steps", lambda: random_steps(Rules(), 1024, 1, mask=True, observation=False))
    if c_engine.is_there():
        yield Case(
            "C, batch 1024, mask", "steps", lambda: c_engine.random_steps(Rules(), 1024, 1, mask=True), masks
        )


def vector_table(_options: Args) -> Iterator[Case]:
    """The native vector environments, 1,024 games, in learner steps."""
    for actions in ("flat", "staged"):
        yield Case(
            f"Solitaire-v0, {actions}",
            "steps",
            partial(vector_steps, SolitaireVectorEnv, actions=actions),
        )
        for opponent in ("uniform", "greedy", "concave"):
            yield Case(
                f"Versus-v0, {opponent}, {actions}",
                "steps",
                partial(vector_steps, VersusVectorEnv, opponent=opponent, actions=actions),
            )


def single_table(_options: Args) -> Iterator[Case]:
    """One game as an object."""
    game = middle_game()
    yield Case("Game.clone", "calls", lambda: repeat(game.clone))
    yield Case("Game.clone, random_action and play", "calls", lambda: repeat(clone_and_play(game)))
    yield Case("Game.legal_actions", "calls", lambda: repeat(game.legal_actions))
    yield Case("Game.observe", "calls", lambda: repeat(game.observe))


def network_table(_options: Args) -> Iterator[Case]:
    """The policy network, on one thread of PyTorch."""
    for name in ("two players", "four players"):
        listed = f"gradient step of {GAMES} games, {name}, all logits"
        yield Case(listed, "steps", partial(gradient_steps, PRESETS[name], listed=True))
        yield Case(
            listed.replace("all logits", "compiled head"),
            "steps",
            partial(gradient_steps, PRESETS[name], listed=False),
            listed,
        )


TABLES: dict[str, Callable[[Args], Iterator[Case]]] = {
    "engine": engine_table,
    "variants": variants_table,
    "games": games_table,
    "aec": aec_table,
    "peers": peers_table,
    "vector": vector_table,
    "single": single_table,
    "network": network_table,
}


# Start-up and memory, which are not rates.


def start_up(repetitions: int) -> dict[str, float]:
    """Seconds to import the package, and to the first game with and without a cache of compiled kernels."""
    times = {"import": _median_seconds("import ingenious_env", repetitions)}
    first = "from ingenious_env import Game; Game(seed=1).random_action()"
    with tempfile.TemporaryDirectory() as folder:
        cache = {"NUMBA_CACHE_DIR": folder}
        times["first game, nothing cached"] = _median_seconds(first, 1, cache)
        times["first game, cached"] = _median_seconds(first, repetitions, cache)
    return times


def _median_seconds(code: str, repetitions: int, environment: dict[str, str] | None = None) -> float:
    samples = []
    for _ in range(repetitions):
        began = time.perf_counter()
        subprocess.run(  # noqa: S603 - this Python
            [sys.executable, "-c", code],
            check=True,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **(environment or {})},
        )
        samples.append(time.perf_counter() - began)
    return statistics.median(samples)


def bytes_per_game() -> dict[str, int]:
    """The memory of one game of each preset."""
    return {name: variant_of(rules).row_dtype.itemsize for name, rules in VARIANTS.items()}


# Profiles.


def profile(seconds: float) -> str:
    """Nanoseconds of a step by part, batch 1,024, and the time in the AEC loop by package."""
    batch = GameBatch(Rules(), 1024, 0)
    actions, masks, observations = batch.random_actions(), batch.legal_mask(), batch.observe()

    def step(**outputs: Any) -> Callable[[], object]:
        return lambda: batch.play(batch.random_actions(actions), auto_reset=True, **outputs)

    parts = {
        "random_actions": lambda: batch.random_actions(actions),
        "random_actions and play": step(),
        "the same, with mask": step(mask=masks),
        "the same, with mask and observation": step(mask=masks, obs=observations),
        "legal_mask": lambda: batch.legal_mask(masks),
        "observe": lambda: batch.observe(observations),
    }
    lines = [
        "### a step, batch 1024, two players, one thread",
        "",
        "| part | ns per game |",
        "| --- | --- |",
    ]
    for name, part in parts.items():
        play = repeat(part)
        count = enough(play, seconds)
        began = time.perf_counter()
        play(count)
        lines.append(f"| {name} | {1e9 * (time.perf_counter() - began) / count / len(batch):.1f} |")
    return "\n".join([*lines, "", _aec_profile(seconds), ""])


def _aec_profile(seconds: float) -> str:
    play = peers.aec(ingenious_v0.env())
    shares = whose_time(play, enough(play, 100 * seconds), OWNERS)
    total = sum(shares.values())
    lines = ["### the AEC loop, wrapped", "", "| whose code | share of the time |", "| --- | --- |"]
    return "\n".join(
        [*lines, *(f"| {owner} | {share / total:.0%} |" for owner, share in shares.most_common())]
    )


def parse(arguments: Sequence[str] | None) -> Args:
    """The command line as `Args`."""
    return read(Args, arguments, PROG, __doc__)


@command(PROG)
def main(arguments: Sequence[str] | None = None) -> None:
    """Time the selected tables, print them and write the JSON."""
    options = parse(arguments)
    if options.profile:
        print(profile(options.seconds))
        return
    report: dict[str, Any] = {**machine(), "bytes a game": bytes_per_game(), "tables": {}}
    for name in options.tables:
        if name == "start":
            report["seconds to start"] = start_up(options.repetitions)
            print(_pairs("seconds to start", report["seconds to start"], "{:.2f}"))
            print(_pairs("bytes a game", report["bytes a game"], "{}"))
            continue
        results = measure(name, list(TABLES[name](options)), options.repetitions, options.seconds)
        print(show(name, results), flush=True)
        report["tables"][name] = [
            {"name": case.name, "unit": f"{case.unit}/s", "rates": rates} for case, rates in results
        ]
        if options.json:
            write(options.json, report)
    if options.json:
        write(options.json, report)


def _pairs(title: str, values: dict[str, Any], form: str) -> str:
    lines = [f"| {name} | {form.format(value)} |" for name, value in values.items()]
    return "\n".join([f"### {title}", "", "| | |", "| --- | --- |", *lines, ""])


if __name__ == "__main__":
    main()
