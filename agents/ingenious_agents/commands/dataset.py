"""A Minari dataset of games, for offline reinforcement learning; needs the `minari` extra.

    ingenious dataset                                   # ingenious/value-v0: 2,000 games of two
    ingenious dataset --game loopit                     # loopit/value-v0
    ingenious dataset --players 1 --games 5000 --name ingenious/solitaire-v0
    ingenious dataset --agent concave --actions staged --folder datasets

An agent plays all seats; an episode is the trajectory of one of them, the learner, with observations as
dictionaries of `observation` and `action_mask`. Episode k is reproduced in the environment by
`reset(seed=seed + k)` and the episode's actions. The dataset is written atomically; an existing one is not
changed. `docs/howto/trainers/minari.md` shows how to load it.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from io import RawIOBase
from pathlib import Path
from typing import Annotated, Any, Literal

import gymnasium as gym
import h5py
import minari
import numpy as np
import tyro
from minari.data_collector import EpisodeBuffer
from minari.dataset.minari_dataset import parse_dataset_id
from numpy.typing import NDArray
from tqdm import tqdm

from ingenious_agents.commands.command_line import (
    RULE_FLAGS,
    Count,
    Seed,
    Variant,
    checking,
    command,
    entering,
    hint,
    read,
)
from ingenious_agents.folders import locked_folder
from ingenious_env import Policy, View
from ingenious_env.engine.definition import definition_of

PROG = "ingenious dataset"
TOGETHER = 256  # games played in one batch
HDF5 = ("v110", "v110")  # the format of 2016: older ones need three times the space for small arrays
FOLDER = "MINARI_DATASETS_PATH"  # where Minari looks for datasets


@dataclass(frozen=True)
class Args(Variant):
    """Command-line options."""

    agent: str = "value"
    """the agent at all seats: an opponent of the environments by name"""
    games: Count = 2000
    """episodes, each of another deal"""
    seed: Seed = 0
    """of the first game; the others follow"""
    actions: Literal["flat", "staged"] = "flat"
    """how actions are numbered"""
    reward: str = ""
    """the environment's reward by name; outcome, in solitaire lowest, if none is given"""
    name: str = ""
    """the dataset's id in Minari; GAME/AGENT-v0 if none is given"""
    folder: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER"), hint("Minari's own")] = None
    """the folder of datasets; Minari finds it there if MINARI_DATASETS_PATH names it"""

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
        """The environment's options, as its id does not contain them."""
        options: dict[str, Any] = {"mask_in_observation": True, "actions": self.actions}
        options["reward"] = self.reward or ("outcome" if self.players > 1 else "lowest")
        if self.players > 1:
            options |= {"opponent": self.agent, "num_players": self.players}
        return options | {option: True for name, option in RULE_FLAGS.items() if getattr(self, name)}


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
            envs.reset(options={"reset_mask": ended})  # these rows are ignored from now on
    for row, (seed, length) in enumerate(zip(seeds, lengths, strict=True)):
        yield episode(row, int(seed), seen[: length + 1], done[:length])


def episode(
    row: int,
    seed: int,
    seen: Sequence[Mapping[str, NDArray[Any]]],
    done: Sequence[tuple[NDArray[Any], NDArray[Any]]],
) -> EpisodeBuffer:
    """A row's episode, in Minari's form."""
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


class HeldBack(RawIOBase):
    """A file for HDF5, which crashes where a write fails: the first error is stored for `check`.

    Args:
        path: of the file, a new one.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._file = path.open("x+b", buffering=0)
        self._error: OSError | None = None

    def check(self) -> None:
        """Raise the error of an earlier write."""
        if self._error is not None:
            raise self._error

    def _try(self, function: Callable[[], int]) -> int | None:
        if self._error is None:
            try:
                return function()
            except OSError as error:
                self._error = error
        return None

    def write(self, data: Any) -> int:
        """Write all of it."""
        left = size = len(data)
        while left and (written := self._try(lambda: self._file.write(data[size - left :]))):  # noqa: B023
            left -= written
        return size

    def truncate(self, size: int | None = None) -> int:
        """Set the size."""
        return self._try(lambda: self._file.truncate(size)) or 0

    def readinto(self, buffer: Any) -> int:
        """Read; zeros past the written data."""
        found = self._file.readinto(buffer) or 0
        buffer[found:] = bytes(len(buffer) - found)
        return len(buffer)

    def seek(self, offset: int, whence: int = 0) -> int:
        """Set the position."""
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        """The position."""
        return self._file.tell()

    def close(self) -> None:
        """Close the file."""
        self._try(self._closed)
        super().close()

    def _closed(self) -> int:
        self._file.close()
        return 0


def write_episodes(path: Path, played: Iterable[EpisodeBuffer]) -> tuple[int, int]:
    """Write episodes as Minari does, but compressed; returns their number, and that of all steps.

    Masks are mostly 0, and Minari does not compress them.
    """
    number = steps = 0
    file = HeldBack(path)
    with closing(file), h5py.File(file, "w", libver=HDF5, track_order=True) as target:
        for number, each in enumerate(played, 1):
            group = target.create_group(f"episode_{number - 1}")
            group.attrs.update({"id": number - 1, "seed": each.seed, "total_steps": len(each.rewards)})
            arrays = {f"observations/{name}": array for name, array in each.observations.items()}
            arrays |= {
                name: getattr(each, name) for name in ("actions", "rewards", "terminations", "truncations")
            }
            for name, array in arrays.items():
                room = {"maxshape": (None, *array.shape[1:]), "chunks": array.shape}
                group.create_dataset(name, data=array, compression="gzip", **room)
            group.create_group("infos")
            steps += len(each.rewards)
            file.check()
    file.check()
    return number, steps


@contextmanager
def minari_writes_to(folder: Path) -> Iterator[None]:
    """Make Minari write datasets to a folder."""
    before = os.environ.get(FOLDER)
    os.environ[FOLDER] = str(folder.absolute())  # Minari would join a relative one twice
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*is set to None")  # an author's address, for example
            yield
    finally:
        if before is None:
            del os.environ[FOLDER]
        else:
            os.environ[FOLDER] = before


def folder_of(args: Args) -> Path:
    """The folder of datasets; ValueError if the dataset is there already, or Minari does not allow its id."""
    folder = args.folder or Path(os.environ.get(FOLDER, Path.home() / ".minari" / "datasets"))
    try:
        parse_dataset_id(args.dataset_id)
    except (ValueError, TypeError):  # TypeError without a version
        msg = f"--name must be such as group/name-v0, of letters, digits, - and _, not {args.dataset_id!r}"
        raise ValueError(msg) from None
    target = folder / args.dataset_id
    inside = [each for each in target.parents if folder in each.parents]
    taken = [each for each in inside if (each.exists() and not each.is_dir()) or (each / "data").exists()]
    if target.exists() or taken:
        name = (taken[0] if taken else target).relative_to(folder).as_posix()
        msg = f"there is a dataset {name} in {folder} already; give another --name"
        raise ValueError(msg)
    return folder


def make(args: Args, folder: Path, policy: Policy) -> Path:
    """Make the dataset in a locked folder; returns the dataset's own folder."""
    target = folder / args.dataset_id
    partial = Path(tempfile.mkdtemp(prefix=f".dataset.{os.getpid()}-", suffix=".part", dir=folder))
    try:
        with minari_writes_to(partial):
            storage = minari.create_dataset_from_buffers(
                args.dataset_id,
                [],
                env=gym.make(args.env_id, **args.env_options()),
                algorithm_name=args.agent,
                description=f"{args.game}: {args.agent} in all seats, as one of them sees it",
                requirements=["ingenious-env"],
            ).storage
        file = Path(storage.data_path) / "main_data.hdf5"
        file.unlink()
        played = tqdm(episodes(args, policy), total=args.games, unit="game", leave=False)
        number, steps = write_episodes(file, played)
        storage.update_metadata(
            {"total_episodes": number, "total_steps": steps, "dataset_size": storage.get_size()}
        )
        target.parent.mkdir(parents=True, exist_ok=True)
        (partial / args.dataset_id).rename(target)
    finally:
        shutil.rmtree(partial)
    return target


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, and make the dataset."""
    args = read(Args, arguments, PROG, __doc__, Variant)
    with command(PROG):
        with checking():
            policy = definition_of(args.rules).policy(args.agent)
            gym.make(args.env_id, **args.env_options())
            folder = folder_of(args)
        with entering(locked_folder(folder, "--folder")):
            with checking():
                folder_of(args)  # again, as another process may have made it
            target = make(args, folder, policy)
        size = sum(each.stat().st_size for each in target.rglob("*") if each.is_file())
        print(f"{args.dataset_id}: {args.games:,} episodes, {size / 1e6:.1f} MB, in {target}")


if __name__ == "__main__":
    main()
