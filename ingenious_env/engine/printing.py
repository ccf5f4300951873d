"""Standard output that may be closed, on a full disk, or of an encoding with few characters."""

from __future__ import annotations

import codecs
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

PLAIN = "ingenious-plain"
"""The name of an error handler of encodings, which writes in ASCII what they lack."""
_ASCII = {
    "−": "-", "–": "-", "—": "-", "·": "*", "×": "x", "±": "+-", "∞": "inf", "…": "...",
    "→": "->", "≤": "<=", "≥": ">=", "µ": "u", "“": '"', "”": '"', "‘": "'", "’": "'",
    "√": "sqrt ", "λ": "lambda", "ε": "epsilon", "σ": "sigma",
    **dict.fromkeys("─╴╶", "-"), **dict.fromkeys("│╵╷", "|"), **dict.fromkeys("┌┐└┘├┤┬┴┼", "+"),
}  # fmt: skip


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


def print_any(text: str) -> None:
    """Print a text, in ASCII where the encoding of standard output lacks a character."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    sys.stdout.write(text.encode(encoding, PLAIN).decode(encoding) + "\n")


def _plain(error: UnicodeError) -> tuple[str, int]:
    """The characters that could not be encoded, in ASCII."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    signs = error.object[error.start : error.end]
    plain = (_ASCII.get(sign) or sign.encode("ascii", "backslashreplace").decode("ascii") for sign in signs)
    return "".join(plain), error.end


codecs.register_error(PLAIN, _plain)
