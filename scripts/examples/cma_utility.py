"""CMA-ES: the weights of a hand-made utility for solitaire, tuned on the lowest counter less luck.

    pip install -e '.[optimise]'
    python -m scripts.examples.cma_utility
    python -m scripts.examples.cma_utility --generations 200      # goes on from there

An agent with 14 weights tries the best placements by `greedy:utility=concave` and chooses among the positions
that they lead to. All candidates of a generation play the same bags, others than those of the generation
before. The log has a line per generation; started again, the example repeats the generations of the log
without playing them. It ends with the mean lowest counter on fresh bags, before and after.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ingenious_env.engine.extras import needs

with needs("this example", "ingenious-env[optimise]", ends=True):
    import cma
    from ingenious_agents import evaluate
    from matplotlib.figure import Figure
    from tqdm import tqdm

from ingenious_env import GameBatch, View
from ingenious_env.engine.files import written_whole
from ingenious_env.games.ingenious.opponents.utilities import UTILITIES
from ingenious_env.policies.greedy import candidate_table

CANDIDATES = 12  # placements tried
NUM_WEIGHTS = 14
START = np.array([1.0, 0.5, 0.25, 0.12, 0.06, 0.03, *np.zeros(8)])
"""The first weights: the counters only, the lower ones more."""
SPREAD = 0.1  # of the first generation
FRESH_SEED, TUNING_SEED = 1_000_021, 1_000_033


class Utility:
    """Plays the placement whose position is worth most by a weighted sum.

    Args:
        weights: float64 [14], of the six counters in ascending order, of what the best half tile of each of
            their colours would score, and of what the second best of the two lowest ones would.
    """

    def __init__(self, weights: NDArray[np.float64]) -> None:
        self.weights = np.asarray(weights, np.float64)

    def worth(self, games: GameBatch) -> NDArray[np.float64]:
        """Float64 [B], of positions after a placement."""
        counters = games.scores[:, 0].astype(np.float64)
        order = np.argsort(counters, axis=1, kind="stable")
        points = np.sort(games.state.points, axis=2)[:, :, -2:].astype(np.float64)
        ascending, best, second = (
            np.take_along_axis(each, order, axis=1) for each in (counters, points[:, :, 1], points[:, :, 0])
        )
        return np.concatenate([ascending, best, second[:, :2]], axis=1) @ self.weights

    def act(self, view: View) -> NDArray[np.int64]:
        """The flat action of each game."""
        games = view.complete()
        actions, _, counts = candidate_table(games, UTILITIES["concave"](games.rules), CANDIDATES)
        rows, columns = np.nonzero(np.arange(actions.shape[1]) < counts[:, None])
        after = games.take(rows)
        after.play(actions[rows, columns].astype(np.int64))
        worths = np.full(actions.shape, -np.inf)
        worths[rows, columns] = self.worth(after)
        return actions[np.arange(len(view)), worths.argmax(axis=1)].astype(np.int64)


def generations(log: Path, bags: int, population: int, seed: int) -> Iterator[dict[str, object]]:
    """The generations, of which those in the log are not played again."""
    options = {"popsize": population, "seed": seed + 1, "verbose": -9}
    strategy = cma.CMAEvolutionStrategy(START, SPREAD, options)
    done = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []
    number = 0
    while True:
        asked = strategy.ask()
        if number < len(done):
            line = done[number]
            if not np.allclose(line["weights"], asked):
                msg = f"{log} is of another run: give another --folder"
                raise SystemExit(msg)
        else:
            same = range(number * bags, (number + 1) * bags)
            means = [evaluate(Utility(weights), same, seed=TUNING_SEED).mean for weights in asked]
            line = {
                "generation": number,
                "means": means,
                "weights": [weights.tolist() for weights in asked],
                "center": strategy.mean.tolist(),
            }
            with log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        strategy.tell(asked, [-mean for mean in line["means"]])
        yield {**line, "center": strategy.mean.tolist()}
        number += 1


def draw(path: Path, found: list[dict[str, object]]) -> None:
    """Plot the mean and the best result of each generation."""
    means = np.array([each["means"] for each in found])
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    axes.plot(means.mean(axis=1), label="mean of the generation")
    axes.plot(means.max(axis=1), label="best of the generation")
    axes.set(xlabel="generation", ylabel="lowest counter, less luck")
    axes.legend()
    with written_whole(path) as partial:
        figure.savefig(partial, format="svg")


def main() -> None:
    """Tune, and rate before and after."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--generations", type=int, default=80)
    parser.add_argument("--population", type=int, default=12)
    parser.add_argument("--bags", type=int, default=48, help="that each candidate plays")
    parser.add_argument("--fresh", type=int, default=1000, help="bags of the rating at the end")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, default=Path("runs/cma"))
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    began, found = time.perf_counter(), []
    steps = generations(args.folder / "log.jsonl", args.bags, args.population, args.seed)
    for _, line in zip(tqdm(range(args.generations), unit="generation"), steps, strict=False):
        found.append(line)
    draw(args.folder / "objective.svg", found)
    center = np.array(found[-1]["center"])
    print(f"{args.generations} generations, {time.perf_counter() - began:.0f} s, {args.folder}/objective.svg")
    print("weights:", " ".join(f"{weight:.3f}" for weight in center / np.abs(center).max()))
    before, after = (evaluate(Utility(each), args.fresh, seed=FRESH_SEED) for each in (START, center))
    print(f"{args.fresh} fresh bags, less luck, ± {before.half_width:.2f} and ± {after.half_width:.2f}:")
    print(f"mean lowest counter in solitaire: {before.mean:.2f} before, {after.mean:.2f} after")


if __name__ == "__main__":
    main()
