"""A Minari dataset of games, for offline reinforcement learning; needs the `minari` extra.

    python -m scripts.dataset                                   # ingenious/value-v0: 2,000 games of two
    python -m scripts.dataset --game loopit                     # loopit/value-v0
    python -m scripts.dataset --players 1 --games 5000 --name ingenious/solitaire-v0
    python -m scripts.dataset --agent concave --actions staged --folder datasets

An agent plays all seats; an episode is what one of them, the learner, sees and does, with observations as
dictionaries of `observation` and `action_mask`. Episode k is what the environment gives for
`reset(seed=seed + k)` and the episode's actions. The dataset appears whole or not at all; one that is there
already is not touched. `docs/trainers/minari.md` shows how to load it.
"""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import gymnasium as gym
import numpy as np
import tyro
from numpy.typing import NDArray
from tqdm import tqdm

from ingenious_env import Policy, View
from ingenious_env.core.definition import definition_of
from scripts.command_line import Count, Seed, Variant, hint, needs_extra, read, refusals

with needs_extra("dataset", "minari"):
    import h5py
    import minari
    from minari.data_collector import EpisodeBuffer

SCRIPT = "dataset"
TOGETHER = 256  # games that are played side by side
HDF5 = ("v110", "v110")  # the format of 2016: what is older takes three times the room for small arrays
FOLDER = "MINARI_DATASETS_PATH"  # where Minari looks for datasets


@dataclass(frozen=True)
class Args(Variant):
    """Command-line options."""

    agent: str = "value"
    """who plays all seats: a name that the environments have for an opponent"""
    games: Count = 2000
    """episodes, each of another deal"""
    seed: Seed = 0
    """of the first game; the others follow"""
    actions: Literal["flat", "staged"] = "flat"
    """how actions are numbered"""
    reward: str = ""
    """what the environment calls it; outcome, in solitaire lowest, if none is given"""
    name: str = ""
    """the dataset's id in Minari; GAME/AGENT-v0 if none is given"""
    folder: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER"), hint("Minari's own")] = None
    """where to put it; Minari finds it there if MINARI_DATASETS_PATH says so"""

    @property
    def dataset_id(self) -> str:
        """The dataset's id in Minari."""
        return self.name or f"{self.game}/{self.agent}-v0"

    @property
    def env_id(self) -> str:
        """The environment's id in Gymnasium."""
        name = definition_of(self.rules).versus_id if self.players > 1 else f"{self.game}/Solitaire-v0"
        return f"ingenious_env:{name}"

    def env_options(self) -> dict[str, Any]:
        """The environment's options, as its id does not say them."""
        options: dict[str, Any] = {"mask_in_observation": True, "actions": self.actions}
        options["reward"] = self.reward or ("outcome" if self.players > 1 else "lowest")
        if self.players > 1:
            options |= {"opponent": self.agent, "num_players": self.players}
        options |= {"teams": True} if self.partnership else {}
        return options | ({"fixed_rounds": True} if self.fixed_rounds else {})


def episodes(args: Args, policy: Policy) -> Iterator[EpisodeBuffer]:
    """The episodes, in order."""
    for first in range(0, args.games, TOGETHER):
        number = min(TOGETHER, args.games - first)
        envs = gym.make_vec(args.env_id, number, autoreset_mode="Disabled", **args.env_options())
        yield from played(envs, policy, [args.seed + first + row for row in range(number)])


def played(envs: Any, policy: Policy, seeds: Sequence[int]) -> Iterator[EpisodeBuffer]:
    """The first episode of each row."""
    observations, _ = envs.reset(seed=seeds)
    seen, done = [observations], []
    lengths = np.zeros(len(seeds), np.int64)
    while not lengths.all():
        actions = np.asarray(policy.act(View(envs.episodes.batch)))
        observations, rewards, ended, _, _ = envs.step(actions)
        seen.append(observations)
        done.append((actions, rewards))
        lengths[ended & (lengths == 0)] = len(done)
        if ended.any():
            envs.reset(options={"reset_mask": ended})  # these rows are not looked at any more
    for row, (seed, length) in enumerate(zip(seeds, lengths, strict=True)):
        yield episode(row, int(seed), seen[: length + 1], done[:length])


def episode(
    row: int,
    seed: int,
    seen: Sequence[Mapping[str, NDArray[Any]]],
    done: Sequence[tuple[NDArray[Any], NDArray[Any]]],
) -> EpisodeBuffer:
    """A row's episode, as Minari has it."""
    actions, rewards = (np.array([step[which][row] for step in done]) for which in (0, 1))
    ends = np.arange(len(done)) == len(done) - 1
    return EpisodeBuffer(
        seed=seed,
        observations={name: np.array([each[name][row] for each in seen]) for name in seen[0]},
        actions=actions.astype(np.int64),
        rewards=rewards,
        terminations=ends,
        truncations=np.zeros_like(ends),
        infos={},
    )


def pack(path: Path) -> None:
    """Compress all arrays of an HDF5 file: masks are mostly 0, and Minari writes them as they are."""
    packed = path.with_suffix(".packed")
    with h5py.File(path) as source, h5py.File(packed, "w", libver=HDF5) as target:

        def copy(name: str, item: Any) -> None:
            if isinstance(item, h5py.Dataset) and item.shape:
                options = {"dtype": item.dtype, "maxshape": item.maxshape, "chunks": item.shape}
                made = target.create_dataset(name, data=item[()], compression="gzip", **options)
            elif isinstance(item, h5py.Dataset):
                made = target.create_dataset(name, data=item[()], dtype=item.dtype)
            else:
                made = target.require_group(name)
            for key, value in item.attrs.items():
                made.attrs[key] = value

        for key, value in source.attrs.items():
            target.attrs[key] = value
        source.visititems(copy)
    packed.replace(path)


@contextmanager
def minari_writes_to(folder: Path) -> Iterator[None]:
    """Have Minari keep datasets in a folder."""
    before = os.environ.get(FOLDER)
    os.environ[FOLDER] = str(folder)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*is set to None")  # an author's address, and the like
            yield
    finally:
        if before is None:
            del os.environ[FOLDER]
        else:
            os.environ[FOLDER] = before


def make(args: Args) -> Path:
    """Make the dataset; returns its folder."""
    folder = args.folder or Path(os.environ.get(FOLDER, Path.home() / ".minari" / "datasets"))
    target = folder / args.dataset_id
    if target.exists():
        msg = f"there is a dataset {args.dataset_id} in {folder} already; give another --name"
        raise ValueError(msg)
    policy = definition_of(args.rules).policy(args.agent)
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix=".dataset-", dir=folder) as partial,
        minari_writes_to(Path(partial)),
    ):
        made = minari.create_dataset_from_buffers(
            args.dataset_id,
            list(tqdm(episodes(args, policy), total=args.games, unit="game", leave=False)),
            env=gym.make(args.env_id, **args.env_options()),
            algorithm_name=args.agent,
            description=f"{args.game}: {args.agent} in all seats, as one of them sees it",
            requirements=["ingenious-env"],
        )
        for file in Path(made.spec.data_path).rglob("*.hdf5"):
            pack(file)
        target.parent.mkdir(parents=True, exist_ok=True)
        (Path(partial) / args.dataset_id).rename(target)
    return target


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, and make the dataset."""
    args = read(Args, arguments, SCRIPT, __doc__, Variant)
    with refusals(SCRIPT):
        target = make(args)
    size = sum(each.stat().st_size for each in target.rglob("*") if each.is_file())
    print(f"{args.dataset_id}: {args.games:,} episodes, {size / 1e6:.1f} MB, in {target}")


if __name__ == "__main__":
    main()
