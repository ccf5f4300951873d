"""A process that answers each line of its input with a line of output."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from weakref import finalize

MAX_ANSWER = 1 << 16
"""Bytes of the longest answer."""
SECONDS_TO_END = 2.0
"""Time in which a process may end by itself once its input has ended."""


def words_of(command: str) -> list[str]:
    """A program, by its path, and its arguments; ValueError if there is none of that name."""
    is_posix = os.name == "posix"
    try:
        words = [
            word if is_posix else word.strip('"') for word in shlex.split(command, posix=is_posix)
        ]  # on Windows, \ is in paths
    except ValueError as error:
        msg = f"`{command}` is not a command: {error}"
        raise ValueError(msg) from None
    program = shutil.which(words[0]) if words else None
    if program is None:
        msg = f"there is no program {words[0]!r}" if words else "the command is empty"
        raise ValueError(msg)
    return [program, *words[1:]]


class LineProcess:
    """A process that ends with this object.

    It is the first of a group of its own, so that Ctrl-C reaches only the process that plays with it.

    Args:
        words: the program, by its path, and its arguments.
    """

    def __init__(self, words: list[str]) -> None:
        if sys.platform == "win32":
            group = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        else:
            group = {"start_new_session": True}
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(words, stdin=pipe, stdout=pipe, **group)  # type: ignore[call-overload] # noqa: S603 - no shell
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        self._answers: SimpleQueue[bytes] = SimpleQueue()
        thread = Thread(target=_exchange, args=(self._process, self._lines, self._answers), daemon=True)
        thread.start()
        self._end = finalize(self, _end, self._process, self._lines)

    def answer(self, line: bytes, seconds: float) -> bytes:
        """The answer to a line, up to `MAX_ANSWER` bytes; none if the process has ended.

        Raises:
            TimeoutError: it did not come in time.
        """
        self._lines.put(line)
        try:
            return self._answers.get(timeout=seconds)
        except Empty:
            raise TimeoutError from None

    def end(self) -> int:
        """End the process; its status."""
        self._end()
        return int(self._process.wait())


def _exchange(
    process: subprocess.Popen[bytes], lines: SimpleQueue[bytes | None], answers: SimpleQueue[bytes]
) -> None:
    """Write lines and read answers, in a thread that may wait for both."""
    assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018 - they are pipes
    with process.stdout, suppress(OSError), process.stdin:
        while (line := lines.get()) is not None:
            with suppress(OSError):  # what a process that has ended wrote before is still to be read
                process.stdin.write(line)
                process.stdin.flush()
            answers.put(process.stdout.readline(MAX_ANSWER))


def _end(process: subprocess.Popen[bytes], lines: SimpleQueue[bytes | None]) -> None:
    """Close the input of a process, and kill it and those that it started if it goes on."""
    lines.put(None)
    try:
        process.wait(SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        if sys.platform == "win32":
            process.kill()
        else:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()
