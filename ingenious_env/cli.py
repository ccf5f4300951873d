"""The command `ingenious`."""

from __future__ import annotations

import argparse
import codecs
import io
import sys
from collections.abc import Sequence
from pathlib import Path

from ingenious_env import __version__
from ingenious_env.engine.files import read_text

_PLAIN = {
    "−": "-", "–": "-", "—": "-", "─": "-", "│": "|", "·": "*", "×": "x", "±": "+-", "∞": "inf", "…": "...",
    "→": "->", "≤": "<=", "≥": ">=", "µ": "u", "“": '"', "”": '"', "‘": "'", "’": "'",
    "√": "sqrt ", "λ": "lambda", "ε": "epsilon", "σ": "sigma",
}  # fmt: skip


def write_any_sign() -> None:
    """Have standard output and error write every sign, in ASCII where their encoding lacks it."""
    codecs.register_error("ingenious-plain", _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="ingenious-plain")


def _plain(error: UnicodeError) -> tuple[str, int]:
    """The signs that could not be encoded, in ASCII."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    signs = error.object[error.start : error.end]
    plain = (_PLAIN.get(sign) or sign.encode("ascii", "backslashreplace").decode("ascii") for sign in signs)
    return "".join(plain), error.end


def compile_everything() -> None:
    """Compile all kernels, and show how far that has come."""
    from ingenious_env.engine.everything import compile_all  # noqa: PLC0415 - not for `play`

    end = "\x1b[K\r" if sys.stderr.isatty() else "\n"

    def show(line: str) -> None:
        sys.stderr.write(line + end)
        sys.stderr.flush()

    try:
        told = compile_all(show)
    except OSError as error:
        sys.exit(f"ingenious compile: {error}")
    except KeyboardInterrupt:
        sys.exit("ingenious compile: interrupted; what is compiled is kept")
    sys.stdout.write(f"{told}\n")


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, and do what it asks for."""
    write_any_sign()
    parser = argparse.ArgumentParser(prog="ingenious", description="Ingenious and Loopit: the browser game.")
    parser.add_argument("--version", action="version", version=f"ingenious-env {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    play = commands.add_parser("play", help="play in a browser, against people and agents")
    play.add_argument("--host", default="127.0.0.1", help="address to listen at (default: %(default)s)")
    play.add_argument(
        "--port", type=int, default=8417, help="port to listen at, 0 for any (default: %(default)s)"
    )
    play.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="HOST:PORT",
        help="another address of the server, as where its port is forwarded; may be given several times",
    )
    play.add_argument("--no-browser", action="store_true", help="open no browser")
    play.add_argument("--folder", type=Path, help="where games are kept (default: a folder of this user's)")
    play.add_argument("--open", type=Path, metavar="FILE", help="open a record or a position")
    commands.add_parser("compile", help="compile all code now that is otherwise compiled on first use")
    args = parser.parse_args(arguments)
    if args.command == "compile":
        compile_everything()
        return
    try:
        from ingenious_env.engine.records import read_game  # noqa: PLC0415 - not for `--help`
        from ingenious_env.web.server import Options, serve  # noqa: PLC0415 - needs the extra `web`
    except ImportError as error:
        sys.exit(f"the browser game needs the extra `web`: pip install 'ingenious-env[web]' ({error})")
    try:
        text = read_text(args.open) if args.open else ""
        if text:
            read_game(text)
        options = Options(
            args.host,
            args.port,
            browser=not args.no_browser,
            folder=args.folder,
            allowed=tuple(args.allow_host),
            text=text,
        )
    except (OSError, ValueError) as error:
        sys.exit(f"ingenious play: {error}")
    try:
        serve(options)
    except OSError as error:  # a ValueError here is a fault of the program
        sys.exit(f"ingenious play: {error}")


if __name__ == "__main__":
    main()
