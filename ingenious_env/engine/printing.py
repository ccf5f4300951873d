"""Standard output of commands that may be closed, or on a full disk."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def flushed() -> Iterator[None]:
    """Flush standard output after the block; OSError if it does not take all.

    The rest is dropped, or its flush at the end of the program would fail, too.
    """
    try:
        yield
    finally:
        try:
            sys.stdout.flush()
        except OSError:
            with suppress(io.UnsupportedOperation):  # no file
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise


@contextmanager
def printing(prog: str) -> Iterator[None]:
    """End the program with status 1 if standard output does not take what the block prints.

    With one sentence, as on a full disk; without if a reader such as `head` has closed the pipe.
    """
    try:
        with flushed():
            yield
    except BrokenPipeError:
        sys.exit(1)
    except OSError as error:
        sys.stderr.write(f"{prog}: {error}\n")
        sys.exit(1)
