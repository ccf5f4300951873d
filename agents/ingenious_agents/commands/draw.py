"""A picture of a game of agents or of a record; or the whole game, as an animation or a page.

    ingenious draw --seed 4 --moves 25 > board.svg
    ingenious draw --game loopit --moves 40 > loopit.svg
    ingenious draw --record runs/optimise/bag-7.txt --moves 10 --out move10.png
    ingenious draw --agent value --out game.gif      # all moves, two per second
    ingenious draw --agent value --out game.html     # a page that plays the game back

Prints the board after a number of moves as SVG, as the first player sees it, the last tile outlined, or
writes it to --out. Animations show the first player's view; pages show all racks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro
from tqdm import tqdm

from ingenious_agents import make_agent
from ingenious_agents.commands.command_line import (
    Count,
    CountOrZero,
    Seed,
    Variant,
    check_ignored,
    check_used,
    checking,
    command,
    hint,
    read,
    writable,
)
from ingenious_env import Record, Session
from ingenious_env.engine.definition import definition_of
from ingenious_env.engine.extras import needs
from ingenious_env.engine.files import write_text, written_whole
from ingenious_env.render import FRAMES_PER_SECOND

PROG = "ingenious draw"
AGENTS = {"ingenious": "greedy:utility=concave", "loopit": "planner"}
"""By game, the agent that plays by default; `uniform` plays others."""
FORMS = (".svg", ".png", ".gif", ".html")
PIXELS = (".png", ".gif")
"""Forms that need an extra."""
USELESS = {".svg": ("width",), ".html": ("theme", "width")}
"""By form, the options of others."""
MOST_WIDTH = 10_000  # of a picture in pixels
LAST_FRAME = 4  # seconds that an animation shows its end


@dataclass(frozen=True)
class Choice(Variant):
    """Options that determine the defaults of the others."""

    def defaults(self) -> Mapping[str, Any]:
        """Defaults by variant."""
        return {**super().defaults(), "agent": AGENTS.get(self.game, "uniform")}


@dataclass(frozen=True)
class Args(Choice):
    """Command-line options."""

    agent: str = AGENTS["ingenious"]
    """the agent that plays all seats; in Loopit planner"""
    seed: Seed = 0
    """seed of the game"""
    moves: CountOrZero = 1000
    """moves that are played, unless the game ends before"""
    record: Annotated[Path | None, tyro.conf.arg(metavar="FILE"), hint("the agent plays")] = None
    """a record whose moves are played instead"""
    theme: Literal["dark", "light"] = "dark"
    """colours of the picture"""
    width: Count = 1000
    """width of a .png or .gif in pixels"""
    out: Annotated[Path | None, tyro.conf.arg(metavar="FILE"), hint("print SVG")] = None
    """write to this file, in the format of its suffix: .svg, .png, .gif or .html"""

    def check(self) -> None:
        """ValueError if options contradict each other."""
        super().check()
        if self.record is not None:
            check_used(self, "--record", ("record", "moves", "theme", "width", "out"))
        if self.width > MOST_WIDTH:
            msg = f"--width must be at most {MOST_WIDTH}, not {self.width}"
            raise ValueError(msg)
        if self.out is not None and self.out.suffix not in FORMS:
            msg = f"--out must end in {', '.join(FORMS[:-1])} or {FORMS[-1]}, not {self.out.name!r}"
            raise ValueError(msg)
        form = FORMS[0] if self.out is None else self.out.suffix
        check_ignored(self, form, USELESS.get(form, ()))


def session_of(args: Args) -> Session:
    """The game to draw, played as far as it is shown; InputError if the record or the agent is invalid."""
    with checking():
        if args.record is not None:
            record = Record.load(args.record)
            return Session.from_record(Record(record.rules, record.seed, record.moves[: args.moves]))
        session = Session(args.rules, args.seed, [make_agent(args.agent)] * args.rules.num_players)
    for _ in islice(session.run(), args.moves):
        pass
    return session


def picture(session: Session, number: int, theme: str) -> str:
    """The position after a number of moves, as SVG."""
    return definition_of(session.rules).draw_svg(session.at(number), viewer=0, theme=theme)


def frames(session: Session, theme: str, width: int) -> Iterator[Any]:
    """The positions from the deal on, as images."""
    image = import_module("PIL.Image")
    to_array = import_module("ingenious_env.render.pixels").to_array
    for number in tqdm(range(len(session.turns) + 1), unit="frame", leave=False):
        yield image.fromarray(to_array(picture(session, number, theme), width))


def animate(session: Session, theme: str, width: int, path: Path) -> None:
    """Write all positions as a looping GIF with one palette."""
    image = import_module("PIL.Image")
    images = list(frames(session, theme, width))
    palette = images[-1].quantize(128, dither=image.Dither.NONE)
    first, *rest = [each.quantize(palette=palette, dither=image.Dither.NONE) for each in images]
    times = [round(1000 / FRAMES_PER_SECOND)] * len(rest) + [1000 * LAST_FRAME]
    with written_whole(path) as partial:
        first.save(partial, "GIF", save_all=True, append_images=rest, duration=times, loop=0, optimize=True)


def write(session: Session, args: Args, path: Path) -> None:
    """Write the game in the format of the path's suffix."""
    if path.suffix == ".html":
        write_text(path, session.record.to_html())
    elif path.suffix == ".gif":
        animate(session, args.theme, args.width, path)
    else:
        drawn = picture(session, len(session.turns), args.theme)
        if path.suffix == ".svg":
            write_text(path, drawn)
            return
        pixels = import_module("ingenious_env.render.pixels").to_array(drawn, args.width)
        with written_whole(path) as partial:
            import_module("PIL.Image").fromarray(pixels).save(partial, "PNG", optimize=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, and print or write the drawing."""
    args = read(Args, arguments, PROG, __doc__, Choice)
    with command(PROG):
        with checking():
            path = None if args.out is None else writable(args.out)
            if path is not None and path.suffix in PIXELS:
                with needs(f"a {path.suffix} file", "ingenious-env[pixels]"):
                    import_module("PIL.Image")
                import_module("ingenious_env.render.pixels").rasterizer()
        session = session_of(args)
        if path is None:
            print(picture(session, len(session.turns), args.theme), end="")
        else:
            write(session, args, path)


if __name__ == "__main__":
    main()
