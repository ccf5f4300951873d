"""Optuna: a sweep of the options of `scripts.train_value` for solitaire.

    pip install -c .ci/constraints.txt -e '.[optimise]'
    python -m scripts.examples.optuna_value
    python -m scripts.examples.optuna_value --trials 40       # continues from there

Each trial trains a value network and plays bags with it; its result is the luck-adjusted mean lowest counter.
The first trial has the defaults. Trials are in a SQLite file, which other tools of Optuna read, too; started
again, the example continues an interrupted training from its checkpoint, to the same result. It ends with a
plot, `objective.svg`, and with the best options and the defaults on bags that played no part in the sweep.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from io import StringIO
from pathlib import Path

from ingenious_env.engine.extras import needs

with needs("this example", "ingenious-env[optimise]", ends=True):
    import optuna
    import torch  # noqa: F401 - of the training
    from filelock import FileLock, Timeout
    from ingenious_agents import Evaluation, evaluate, make_agent
    from matplotlib.figure import Figure
    from tqdm import tqdm

TUNING_SEED, FRESH_SEED = 1_000_033, 1_000_021
DEFAULTS: dict[str, float] = {"learning-rate": 0.01, "epsilon": 0.1, "td-lambda": 1.0, "minibatch": 256}
"""Of `scripts.train_value --players 1`."""


def suggested(trial: optuna.Trial) -> dict[str, float]:
    """The options of a trial."""
    return {
        "learning-rate": trial.suggest_float("learning-rate", 1e-3, 3e-2, log=True),
        "epsilon": trial.suggest_float("epsilon", 0.0, 0.3),
        "td-lambda": trial.suggest_float("td-lambda", 0.5, 1.0),
        "minibatch": trial.suggest_categorical("minibatch", [128, 256, 512]),
    }


def train(folder: Path, games: int, options: dict[str, float]) -> None:
    """Train with options, or continue such a training from its checkpoint."""
    command = [sys.executable, "-m", "scripts.train_value", "--players", "1", "--games", str(games)]
    command += ["--evaluations", "1", "--deals", "20", "--folder", str(folder)]
    for name, value in options.items():
        command += [f"--{name}", str(value)]
    if (folder / "checkpoint.pt").exists():
        command.append("--resume")
    done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - this Python
    if done.returncode:
        sys.exit(done.stderr.strip().splitlines()[-1])


def rated(folder: Path, bags: int, seed: int) -> Evaluation:
    """The results of the network in a folder."""
    return evaluate(make_agent(f"value:path={folder / 'agent.safetensors'}"), bags, seed=seed)


def opened(folder: Path, settings: dict[str, int]) -> optuna.Study:
    """The study in a folder; SystemExit if it has other settings."""
    study = optuna.create_study(
        storage=f"sqlite:///{folder / 'study.sqlite3'}",
        study_name="train_value",
        direction="maximize",
        load_if_exists=True,
    )
    found = study.user_attrs.get("settings", settings)
    if found != settings:
        sys.exit(f"{folder} has trials with {found}, not {settings}; give another --folder")
    study.set_user_attr("settings", settings)
    return study


def finished(study: optuna.Study) -> list[optuna.trial.FrozenTrial]:
    """The trials with a result; interrupted ones have none, and are repeated."""
    return study.get_trials(states=[optuna.trial.TrialState.COMPLETE])


def sweep(study: optuna.Study, folder: Path, trials: int, settings: dict[str, int]) -> list[float]:
    """Run the trials that are missing; returns the results of all."""
    done = len(finished(study))
    for number in tqdm(range(done, trials), initial=min(done, trials), total=trials, unit="trial"):
        study.sampler = optuna.samplers.TPESampler(seed=settings["seed"] + number)  # as if never interrupted
        if not number and not study.get_trials(states=[optuna.trial.TrialState.WAITING]):
            study.enqueue_trial(DEFAULTS)
        trial = study.ask()
        place = folder / f"trial-{number}"
        train(place, settings["games"], suggested(trial))
        study.tell(trial, rated(place, settings["bags"], TUNING_SEED).mean)
    return [float(trial.value or 0) for trial in finished(study)[:trials]]


def draw(path: Path, results: list[float]) -> None:
    """Plot the result of each trial, and the best so far."""
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes, numbers = figure.subplots(), range(len(results))
    axes.plot(numbers, results, "o", label="trial")
    axes.step(numbers, [max(results[: number + 1]) for number in numbers], where="post", label="best so far")
    axes.set(xlabel="trial", ylabel="luck-adjusted mean lowest counter")
    axes.legend()
    drawn, partial = StringIO(), path.with_name(f"{path.name}.part")
    figure.savefig(drawn, format="svg")
    partial.write_text(drawn.getvalue(), encoding="utf-8")
    partial.replace(path)


def main() -> None:
    """Sweep, and rate the best options and the defaults."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--trials", type=int, default=16, help="in all, those of before included")
    parser.add_argument("--games", type=int, default=8000, help="of self-play in each training")
    parser.add_argument("--bags", type=int, default=300, help="that each trained network plays")
    parser.add_argument("--fresh", type=int, default=1000, help="bags of the rating at the end")
    parser.add_argument("--seed", type=int, default=0, help="of the sampler")
    parser.add_argument("--folder", type=Path, default=Path("runs/optuna"))
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    began = time.perf_counter()
    try:
        with FileLock(args.folder / "lock", timeout=0):
            settings = {name: getattr(args, name) for name in ("games", "bags", "seed")}
            study = opened(args.folder, settings)
            results = sweep(study, args.folder, args.trials, settings)
            draw(args.folder / "objective.svg", results)
        best = results.index(max(results))
        seconds = time.perf_counter() - began
        print(f"{args.trials} trials in {seconds:.0f} seconds, {args.folder}/objective.svg")
        options = finished(study)[best].params.items()
        print("best:", " ".join(f"--{name} {value:.4g}" for name, value in options))
        before, after = (rated(args.folder / f"trial-{each}", args.fresh, FRESH_SEED) for each in (0, best))
    except Timeout:
        sys.exit(f"{args.folder} is being written by another process; give another --folder")
    except KeyboardInterrupt:
        sys.exit(f"interrupted: {args.folder} has all trials so far; the same command continues from there")
    print(f"{args.fresh} other bags, luck-adjusted, ± {before.half_width:.2f} and ± {after.half_width:.2f}:")
    print(f"mean lowest counter in solitaire: {before.mean:.2f} before, {after.mean:.2f} after")


if __name__ == "__main__":
    main()
