"""CMA-ES: the weights of a hand-made utility for solitaire, tuned on the lowest counter.

    pip install -c .ci/constraints.txt -e '.[optimise]'
    python -m scripts.examples.cma_utility
    python -m scripts.examples.cma_utility --generations 200      # continues from there

The agent tries the placements that add most to the counters and plays the one whose position has the highest
utility: a soft minimum of the counters that it expects at the end. All candidates of a generation play the
same bags, each generation others. The log has a line for each candidate; started again, the example continues
after the last one, to the same result. It ends with a plot, `objective.svg`, and with the mean lowest counter
on bags that played no part in the tuning, before and after.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ingenious_env.engine.extras import needs

with needs("this example", "ingenious-env[optimise]", ends=True):
    import cma
    from filelock import FileLock, Timeout
    from ingenious_agents import evaluate
    from matplotlib.figure import Figure
    from tqdm import tqdm

from ingenious_env import View

TRIED = 16  # placements of a tile
CONCAVITY = 0.5  # by which they are found, and at first also that of the soft minimum
NUM_PARAMETERS = 14
SPREAD = 0.1  # standard deviation of the first generation
TUNING_SEED, FRESH_SEED = 1_000_033, 1_000_021


@dataclass(frozen=True)
class Utility:
    """An agent that plays the placement whose position has the highest utility.

    The expected end of a counter is its space and a weighted sum of features of its colour. All parameters at
    0 are greedy play by the counters only.

    Attributes:
        parameters: 14: six weights of the features, seven of the features and of 1 times the number of halves
            of the colour that are still to come, and the logarithm of the concavity relative to `CONCAVITY`.
    """

    parameters: tuple[float, ...] = (0.0,) * NUM_PARAMETERS

    def act(self, view: View) -> NDArray[np.int64]:
        """The flat action of each game, int64 [B]."""
        rows, actions = self.placements(view)
        after = view.complete().take(rows)
        after.play(actions)
        utilities = self.utilities(View(after))
        order = np.lexsort((-utilities, rows))
        _, first = np.unique(rows[order], return_index=True)
        return actions[order[first]]

    def placements(self, view: View) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The game of each placement to try, and its action, both int64 [n]."""
        seen, mask = view.named(), view.legal_mask()[:, : view.actions.num_placements]
        counters = seen["scores"][:, 0, :, None].astype(np.float32)
        worth = np.exp(-CONCAVITY * counters) - np.exp(-CONCAVITY * (counters + seen["points"]))
        halves = (seen["racks"][:, 0, 0] @ worth).swapaxes(0, 1)  # [halves, B, cells]
        one, other = view.rules.geometry.pairs.T
        ways = [first[:, one] + second[:, other] for first, second in (halves, halves[::-1])]
        total = np.where(mask == 1, np.concatenate(ways, axis=1), -1)
        best = np.argpartition(-total, TRIED, axis=1)[:, :TRIED]
        rows, places = np.nonzero(np.take_along_axis(mask, best, axis=1))
        return rows, best[rows, places]

    def utilities(self, view: View) -> NDArray[np.float64]:
        """The utility of each position after a placement, float64 [n]."""
        weights = np.array(self.parameters)
        seen, rules = view.named(), view.rules
        is_empty = seen["board"] == 0
        beside = np.pad(is_empty, ((0, 0), (0, 1)))[:, rules.geometry.neighbours[:-1]]
        is_open = is_empty & beside.any(axis=2)  # cells on which half a tile still fits
        points = np.sort(seen["points"] * is_open[:, None], axis=2)
        best = points[:, :, -4:].astype(np.float64)
        shares = np.stack([points.mean(axis=2), (points > 2).mean(axis=2)], axis=2)
        features = np.concatenate([best, shares], axis=2)  # [n, colours, 6]
        colours = np.arange(1, rules.num_colours + 1)[:, None, None]
        laid = (seen["board"] == colours).sum(axis=2).T  # halves and start symbols by colour
        left = (rules.num_tiles * 2 / rules.num_colours + 1) - laid
        left = left / left.sum(axis=1, keepdims=True) * is_open.sum(axis=1, keepdims=True) / 10
        ends = seen["scores"][:, 0] + features @ weights[:6] + left * (features @ weights[6:12] + weights[12])
        concavity = CONCAVITY * np.exp(weights[13])
        return np.asarray(-np.log(np.exp(-concavity * ends).sum(axis=1)) / concavity)


@dataclass(frozen=True)
class Tuned:
    """The agent with the parameters of a file, for commands: `scripts.examples.cma_utility.Tuned:path=FILE`.

    Attributes:
        path: the file with the parameters, as this example writes it.
    """

    path: str = "runs/cma/utility.json"

    def act(self, view: View) -> NDArray[np.int64]:
        """The flat action of each game, int64 [B]."""
        return self.utility.act(view)

    @cached_property
    def utility(self) -> Utility:
        """The agent."""
        return Utility(tuple(map(float, json.loads(Path(self.path).read_text(encoding="utf-8")))))


class Log:
    """The results of all candidates so far: a line with the settings, and one for each candidate.

    Args:
        path: of the file; a last line that was not written whole is removed.
        settings: of the run; SystemExit if the file has others.
    """

    def __init__(self, path: Path, settings: dict[str, int]) -> None:
        self.path = path
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        whole = text[: text.rfind("\n") + 1] or json.dumps(settings) + "\n"
        if whole != text:
            write_whole(path, whole)
        found, *self.lines = map(json.loads, whole.splitlines())
        if found != settings:
            sys.exit(f"{path} is the log of a run with {found}, not {settings}; give another --folder")

    def result(self, number: int, parameters: NDArray[np.float64], bags: range) -> float:
        """The mean result of a candidate, from the log or by playing bags."""
        if number == len(self.lines):
            agent = Utility(tuple(parameters))  # so fast that more bags help more than luck-adjustment
            mean = evaluate(agent, bags, seed=TUNING_SEED, adjusted=False).mean
            self.lines.append({"parameters": parameters.tolist(), "mean": mean})
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(self.lines[-1]) + "\n")
        line = self.lines[number]
        if not np.allclose(line["parameters"], parameters):
            sys.exit(f"candidate {number} of {self.path} is of another version of cma; give another --folder")
        return float(line["mean"])


def write_whole(path: Path, text: str) -> None:
    """Write a file under another name, and rename it."""
    partial = path.with_name(f"{path.name}.part")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)


def tuned(
    log: Log, generations: int, population: int, bags: int, seed: int
) -> tuple[Utility, list[list[float]]]:
    """The mean of the last generation's distribution, and the results of each generation."""
    options = {"popsize": population, "seed": seed + 1, "verbose": -9}
    strategy = cma.CMAEvolutionStrategy([0.0] * NUM_PARAMETERS, SPREAD, options)
    results: list[list[float]] = []
    with tqdm(total=generations * population, unit="candidate") as bar:
        for generation in range(generations):
            same = range(generation * bags, (generation + 1) * bags)
            candidates, found = strategy.ask(), list[float]()
            for parameters in candidates:
                found.append(log.result(generation * population + len(found), parameters, same))
                bar.update()
            strategy.tell(candidates, [-result for result in found])
            results.append(found)
            bar.set_postfix(generation=generation, mean=f"{np.mean(found):.2f}")
    return Utility(tuple(strategy.mean)), results


def draw(path: Path, results: list[list[float]]) -> None:
    """Plot the mean, the worst and the best result of each generation."""
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes, numbers = figure.subplots(), range(len(results))
    axes.fill_between(numbers, np.min(results, axis=1), np.max(results, axis=1), alpha=0.3, label="range")
    axes.plot(numbers, np.mean(results, axis=1), label="mean")
    axes.set(xlabel="generation", ylabel="mean lowest counter")
    axes.legend()
    drawn = StringIO()
    figure.savefig(drawn, format="svg")
    write_whole(path, drawn.getvalue())


def main() -> None:
    """Tune, and rate before and after."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--generations", type=int, default=60, help="in all, those of before included")
    parser.add_argument("--population", type=int, default=11, help="candidates of a generation")
    parser.add_argument("--bags", type=int, default=150, help="that each candidate plays")
    parser.add_argument("--fresh", type=int, default=1000, help="bags of the rating at the end")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, default=Path("runs/cma"))
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    log_path, began = args.folder / "log.jsonl", time.perf_counter()
    try:
        with FileLock(args.folder / "lock", timeout=0):
            log = Log(log_path, {name: getattr(args, name) for name in ("population", "bags", "seed")})
            agent, results = tuned(log, args.generations, args.population, args.bags, args.seed)
            draw(args.folder / "objective.svg", results)
            write_whole(args.folder / "utility.json", json.dumps(agent.parameters) + "\n")
        seconds = time.perf_counter() - began
        print(f"{args.generations} generations in {seconds:.0f} seconds, {args.folder}/objective.svg")
        before, after = (evaluate(each, args.fresh, seed=FRESH_SEED) for each in (Utility(), agent))
    except Timeout:
        sys.exit(f"{args.folder} is being written by another process; give another --folder")
    except KeyboardInterrupt:
        sys.exit(f"interrupted: {log_path} has all results so far; the same command continues from there")
    print(f"{args.fresh} other bags, luck-adjusted, ± {before.half_width:.2f} and ± {after.half_width:.2f}:")
    print(f"mean lowest counter in solitaire: {before.mean:.2f} before, {after.mean:.2f} after")


if __name__ == "__main__":
    main()
