"""Files and folders that one process at a time writes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from glob import escape
from pathlib import Path

from filelock import FileLock, Timeout

from ingenious_env.engine.files import PARTIAL, replaceable


@contextmanager
def locked(path: Path, option: str) -> Iterator[None]:
    """Lock a file for this process, and remove its temporary files of killed ones.

    Args:
        path: of the file, whose folder exists.
        option: of the command, that names it; "" if there is none.

    Raises:
        ValueError: another process is writing it.
        OSError: nothing can be written there, or there is something else than a file.
    """
    target = replaceable(path)
    left = f".{escape(target.name)}.*.part"
    with _held(path, target.with_name(f"{target.name}.lock"), left, option):
        yield


@contextmanager
def locked_folder(folder: Path, option: str) -> Iterator[None]:
    """Lock a folder, making it if there is none (see `locked`)."""
    folder.mkdir(parents=True, exist_ok=True)
    with _held(folder, folder / ".lock", PARTIAL, option):
        yield


@contextmanager
def _held(path: Path, lock: Path, partial: str, option: str) -> Iterator[None]:
    lock.touch()  # its error has the reason, where the lock would seem held
    try:
        held = FileLock(lock, timeout=0).acquire()
    except Timeout:
        other = f", or give another {option}" if option else ""
        msg = f"{path} is being written by another process; let it end{other}"
        raise ValueError(msg) from None
    with held:
        for left in lock.parent.glob(partial):
            if left.is_dir():
                shutil.rmtree(left)
            else:
                left.unlink()
        yield
