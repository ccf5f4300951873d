"""Optuna: a sweep of the options of `scripts.train_value` for solitaire.

    pip install -c .ci/constraints.txt -e '.[optimise]'
    python -m scripts.examples.optuna_value
    python -m scripts.examples.optuna_value --trials 40       # goes on from there

Each trial trains a value network and plays bags with it; its result is the mean lowest counter less luck. The
study is a SQLite file: a trial that was interrupted is lost, and all others are kept. It ends with the best
options, and with their result on fresh bags next to that of the defaults, which are the first trial.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

from ingenious_env.engine.extras import needs

with needs("this example", "ingenious-env[optimise]", ends=True):
    import optuna
    from ingenious_agents import evaluate, make_agent
    from ingenious_agents.evaluation.objective import Evaluation
    from matplotlib.figure import Figure

from ingenious_env.engine.files import written_whole

FRESH_SEED, TUNING_SEED = 1_000_021, 1_000_033
DEFAULTS: dict[str, float] = {"learning-rate": 0.01, "epsilon": 0.1, "td-lambda": 1.0, "minibatch": 256}
"""Of `scripts.train_value --players 1`."""


def trained(folder: Path, games: int, options: dict[str, float], bags: int, seed: int) -> Evaluation:
    """Train with options, unless the folder has that network, and play bags."""
    network = folder / "agent.safetensors"
    if not (folder / "card.md").exists():
        command = [sys.executable, "-m", "scripts.train_value", "--players", "1", "--games", str(games)]
        command += ["--evaluations", "2", "--deals", "20", "--folder", str(folder)]
        for name, value in options.items():
            command += [f"--{name}", str(value)]
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - this Python
    return evaluate(make_agent(f"value:path={network}"), bags, seed=seed)


def draw(path: Path, study: optuna.Study) -> None:
    """Plot the result of each trial, and the best so far."""
    done = [trial for trial in study.trials if trial.value is not None]
    values = [float(trial.value or 0) for trial in done]
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    axes.plot([trial.number for trial in done], values, "o", label="trials")
    axes.step(
        [trial.number for trial in done],
        [max(values[: number + 1]) for number in range(len(values))],
        where="post",
        label="best so far",
    )
    axes.set(xlabel="trial", ylabel="lowest counter, less luck")
    axes.legend()
    with written_whole(path) as partial:
        figure.savefig(partial, format="svg")


def main() -> None:
    """Sweep, and rate the best options and the defaults."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--trials", type=int, default=16, help="in all, those of before included")
    parser.add_argument("--games", type=int, default=8000, help="of self-play in each training")
    parser.add_argument("--bags", type=int, default=300)
    parser.add_argument("--fresh", type=int, default=1000, help="bags of the rating at the end")
    parser.add_argument("--folder", type=Path, default=Path("runs/optuna"))
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    began = time.perf_counter()

    def objective(trial: optuna.Trial) -> float:
        options: dict[str, float] = {
            "learning-rate": trial.suggest_float("learning-rate", 1e-3, 3e-2, log=True),
            "epsilon": trial.suggest_float("epsilon", 0.0, 0.3),
            "td-lambda": trial.suggest_float("td-lambda", 0.5, 1.0),
            "minibatch": trial.suggest_categorical("minibatch", [128, 256, 512]),
        }
        folder = args.folder / f"trial-{trial.number}"
        return trained(folder, args.games, options, args.bags, TUNING_SEED).mean

    study = optuna.create_study(
        storage=f"sqlite:///{args.folder / 'study.sqlite3'}",
        study_name=f"{args.games} games",
        direction="maximize",
        load_if_exists=True,
        sampler=optuna.samplers.TPESampler(seed=0),
    )
    if not study.trials:
        study.enqueue_trial(DEFAULTS)
    done = sum(trial.state == optuna.trial.TrialState.COMPLETE for trial in study.trials)
    study.optimize(objective, n_trials=max(0, args.trials - done), show_progress_bar=True)
    draw(args.folder / "objective.svg", study)
    print(f"{args.trials} trials, {time.perf_counter() - began:.0f} s, {args.folder}/objective.svg")
    print("best:", ", ".join(f"--{name} {value:.4g}" for name, value in study.best_params.items()))
    networks = [
        args.folder / f"trial-{number}" / "agent.safetensors" for number in (0, study.best_trial.number)
    ]
    before, after = (
        evaluate(make_agent(f"value:path={path}"), args.fresh, seed=FRESH_SEED) for path in networks
    )
    print(f"{args.fresh} fresh bags, less luck, ± {before.half_width:.2f} and ± {after.half_width:.2f}:")
    print(f"mean lowest counter in solitaire: {before.mean:.2f} before, {after.mean:.2f} after")


if __name__ == "__main__":
    main()
