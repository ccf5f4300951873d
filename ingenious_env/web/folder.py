"""The folder of a server's games: one process at a time may write to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from ingenious_env.engine.files import PARTIAL

LOCK, ADDRESS = ".lock", ".address"


@contextmanager
def open_folder(path: Path) -> Iterator[Callable[[str], None]]:
    """Lock a folder for this process, making it if there is none.

    The operating system releases the lock when the process ends, for whatever reason.

    Yields:
        A function that stores the address of the server, for the message of another process.

    Raises:
        OSError: another process has the folder, or it cannot be written.
    """
    lock = FileLock(path / LOCK)
    try:
        path.mkdir(parents=True, exist_ok=True)
        (path / LOCK).touch()  # its error has the reason, where the lock would seem held
        lock.acquire(timeout=0)
    except Timeout:
        raise OSError(_open_already(path)) from None
    except (OSError, NotImplementedError) as error:  # the latter where the file system has no locks
        raise _unfit(path, error) from None
    try:
        (path / ADDRESS).unlink(missing_ok=True)
        for left in path.glob(PARTIAL):  # from a killed server
            left.unlink()
        yield lambda address: _write_address(path, address)
    finally:
        (path / ADDRESS).unlink(missing_ok=True)
        lock.release()


def reason(error: BaseException) -> str:
    """The text of an error of the operating system, without its number and its file."""
    return getattr(error, "strerror", None) or str(error)


def _write_address(path: Path, address: str) -> None:
    file = path / ADDRESS
    try:
        file.touch(mode=0o600)  # the address may have a token
        file.write_text(address, encoding="utf-8")
    except OSError as error:
        raise _unfit(path, error) from None


def _unfit(path: Path, error: Exception) -> OSError:
    return OSError(f"games cannot be kept in {path} ({reason(error)}); give another folder by --folder")


def _open_already(path: Path) -> str:
    try:
        address = f" at {(path / ADDRESS).read_text(encoding='utf-8')}"
    except (OSError, UnicodeError):  # the other process has just started
        address = ""
    return f"the games in {path} are open already{address}; to open others, give another folder by --folder"
