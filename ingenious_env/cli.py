"""The command `ingenious`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from ingenious_env import __version__
from ingenious_env.core.files import read_text


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, and do what it asks for."""
    parser = argparse.ArgumentParser(prog="ingenious", description="Ingenious and Loopit in a browser.")
    parser.add_argument("--version", action="version", version=f"ingenious-env {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    play = commands.add_parser("play", help="play in a browser, against people and agents")
    play.add_argument("--host", default="127.0.0.1", help="address to listen at (default: %(default)s)")
    play.add_argument(
        "--port", type=int, default=8417, help="port to listen at, 0 for any (default: %(default)s)"
    )
    play.add_argument("--no-browser", action="store_true", help="open no browser")
    play.add_argument("--folder", type=Path, help="where games are kept (default: a folder of this user's)")
    play.add_argument("--open", type=Path, metavar="FILE", help="open a record or a position")
    args = parser.parse_args(arguments)
    try:
        from ingenious_env.web.server import Options, serve  # noqa: PLC0415 - needs the extra `web`
    except ImportError as error:
        sys.exit(f"the browser game needs the extra `web`: pip install 'ingenious-env[web]' ({error})")
    try:
        text = read_text(args.open) if args.open else ""
        serve(Options(args.host, args.port, browser=not args.no_browser, folder=args.folder, text=text))
    except (OSError, ValueError) as error:
        sys.exit(f"ingenious play: {error}")


if __name__ == "__main__":
    main()
