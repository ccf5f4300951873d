"""Command lines: a dataclass whose fields are the arguments and options, read by tyro.

The docstring below a field is its text in `--help`. Wrong input ends a command with status 2 and one
sentence on standard error.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, redirect_stderr
from dataclasses import dataclass, fields
from itertools import groupby
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn, Protocol, TypeVar

import tyro
from tyro.constructors import ConstructorRegistry, PrimitiveConstructorSpec, PrimitiveTypeInfo

from ingenious_agents.provenance import given_options, option_name
from ingenious_agents.stopping import end_as_interrupt
from ingenious_env import Rules
from ingenious_env.cli import write_any_sign
from ingenious_env.engine.definition import definitions
from ingenious_env.engine.files import temporary
from ingenious_env.engine.printing import flushed, printing
from ingenious_env.envs.options import rule_options
from ingenious_env.errors import IllegalActionError

WRONG_INPUT, STOPPED = 2, 1  # exit statuses
OURS = ("ingenious_agents", "ingenious_env", "scripts")  # whose modules are in no extra
MAX_COUNT = 1_000_000_000
MAX_SEED = 2**32 - 1  # of PyTorch and NumPy, too

CONFIG = (tyro.conf.OmitArgPrefixes, tyro.conf.FlagCreatePairsOff)
REGISTRY = ConstructorRegistry()
T = TypeVar("T")


# Types of arguments.


def _number(convert: Callable[[str], Any], what: str, is_right: Callable[[Any], bool], metavar: str) -> Any:
    """A number of one word, or None where that is the default."""

    def read(words: list[str]) -> Any:
        try:
            value = convert(words[0])
        except ValueError:
            value = None
        if value is None or not is_right(value):
            msg = f"must be {what}, not {words[0]!r}"
            raise ValueError(msg)
        return value

    return PrimitiveConstructorSpec(
        nargs=1,
        metavar=metavar,
        instance_from_str=read,
        is_instance=lambda _: True,
        str_from_instance=lambda value: [str(value)],
    )


def _whole(least: int, most: int, what: str = "") -> Any:
    what = what or f"a whole number from {least} to {most}"
    return _number(int, what, lambda value: least <= value <= most, "N")


def _real(what: str, is_right: Callable[[float], bool]) -> Any:
    return _number(float, what, lambda value: isfinite(value) and is_right(value), "X")


@REGISTRY.primitive_rule
def _plain_number(info: PrimitiveTypeInfo) -> Any:
    """An int or float without a range, which is checked later."""
    kinds = {
        int: _number(int, "a whole number", lambda _: True, "N"),
        float: _number(float, "a number", lambda _: True, "X"),
    }
    return kinds.get(info.type)


def _several(one: PrimitiveConstructorSpec[Any]) -> Any:
    """One or more values, one per word."""

    def read(words: list[str]) -> tuple[Any, ...]:
        if not words:
            msg = "needs a value"
            raise ValueError(msg)
        return tuple(one.instance_from_str([word]) for word in words)

    return PrimitiveConstructorSpec(
        nargs="*",
        metavar=f"{one.metavar} [{one.metavar} ...]",
        instance_from_str=read,
        is_instance=lambda _: True,
        str_from_instance=lambda values: [str(value) for value in values],
    )


Count = Annotated[int, _whole(1, MAX_COUNT)]
Counts = Annotated[tuple[int, ...], _several(_whole(1, MAX_COUNT))]
CountOrZero = Annotated[int, _whole(0, MAX_COUNT)]
CountsOrZero = Annotated[tuple[int, ...], _several(_whole(0, MAX_COUNT))]
Number = Annotated[int | None, _whole(0, MAX_COUNT)]
Seed = Annotated[int, _whole(0, MAX_SEED)]
Port = Annotated[int, _whole(0, 65535)]
Fraction = Annotated[float, _real("a number from 0 to 1", lambda value: 0 <= value <= 1)]
HalfWidth = Annotated[float | None, _real("a number between 0 and 1", lambda value: 0 < value < 1)]
Positive = Annotated[float, _real("a number above 0", lambda value: value > 0)]


def _address(words: list[str]) -> str:
    if len(words) > 1:
        msg = f"takes one address at most, not {' '.join(words)!r}"
        raise ValueError(msg)
    return words[0] if words else LOCAL


LOCAL = "local"
Cluster = Annotated[
    str | None,
    PrimitiveConstructorSpec(
        nargs="*",
        metavar="[ADDRESS]",
        instance_from_str=_address,
        is_instance=lambda _: True,
        str_from_instance=lambda value: [str(value)],
    ),
]
"""The address of a Ray cluster, `LOCAL` without one, None without the option."""
Agents = Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="AGENT")]
Budget = Annotated[Literal["quick", "full"], tyro.conf.arg(aliases=("--preset",))]
"""The length of a training. Its former name is that of earlier cards' commands."""


def hint(text: str) -> Any:
    """The text of `--help` in place of a default that is None."""
    return tyro.conf.arg(help_behavior_hint=f"(default: {text})")


# Variants.

if TYPE_CHECKING:
    GameName = str
else:
    GameName = Literal[tuple(definitions())]
RULE_FLAGS = {"partnership": "teams", "fixed_rounds": "fixed_rounds"}
SIZES = {"side": "board_side", "colours": "num_colours", "rack": "rack_size", "counter_top": "counter_top"}
"""Options of the command line by name, with the names of rules' fields."""


@dataclass(frozen=True)
class Variant:
    """The game and its variant."""

    game: GameName = "ingenious"
    """the game"""
    players: Annotated[int, _whole(1, 4)] = 2
    """the number of players; with --partnership 4"""
    partnership: bool = False
    """Ingenious: two against two, each pair with one score sheet"""
    fixed_rounds: bool = False
    """Loopit: a fixed number of rounds"""

    def defaults(self) -> Mapping[str, Any]:
        """The defaults that depend on the options given."""
        return {"players": 4} if self.partnership else {}

    def check(self) -> None:
        """ValueError if the options contradict each other."""
        games = definitions()
        for name, option in RULE_FLAGS.items():
            known = [each for each, game in games.items() if option in rule_options(game)]
            if getattr(self, name) and self.game not in known:
                msg = f"{option_name(name)} is for {' and '.join(known)}, not {self.game}"
                raise ValueError(msg)
        if self.partnership and self.players != 4:
            msg = f"--partnership is for 4 players, not {self.players}"
            raise ValueError(msg)
        known = [each for each, game in games.items() if self.players in game.players]
        if self.game not in known:
            msg = f"--players {self.players} is for {' and '.join(known)}, not {self.game}"
            raise ValueError(msg)

    @property
    def rules(self) -> Any:
        """The rules of the variant."""
        return definitions()[self.game].rules(num_players=self.players, **self._rule_options())

    def _rule_options(self) -> dict[str, Any]:
        """The options of the rules that differ from their defaults, besides the players."""
        return {option: True for name, option in RULE_FLAGS.items() if getattr(self, name)}


@dataclass(frozen=True)
class Sizes:
    """The sizes of a variant of Ingenious."""

    side: Annotated[Count | None, tyro.conf.arg(metavar="N"), hint("that of the rule books")] = None
    """Ingenious: cells along an edge of the board, 3 to 10"""
    colours: Count = 6
    """Ingenious: the number of colours, 2 to 6"""
    rack: Annotated[Count | None, tyro.conf.arg(metavar="N"), hint("6, for one player 1")] = None
    """Ingenious: tiles on a full rack, 2 to 6, for one player 1 to 6"""
    counter_top: Count = 18
    """Ingenious: the last space of a sheet"""

    @property
    def sizes(self) -> dict[str, int]:
        """Those that are not the default, by the names of rules' fields."""
        return {
            option: getattr(self, name)
            for name, option in SIZES.items()
            if getattr(self, name) != getattr(Sizes, name)
        }

    def sized(self, players: int) -> Rules:
        """The rules for a number of players, without partnerships.

        Raises:
            ValueError: there are none of these sizes; it begins with the name of the option.
        """
        with _sizes_named():
            return Rules(players, **self.sizes)  # type: ignore[arg-type] # all are whole numbers


@contextmanager
def _sizes_named() -> Iterator[None]:
    """Name the option of the command line in a ValueError of rules."""
    try:
        yield
    except ValueError as error:
        option, space, rest = str(error).partition(" ")
        names = {option: name for name, option in SIZES.items()}
        raise ValueError(f"{names.get(option, option)}{space}{rest}") from None


@dataclass(frozen=True)
class SizedVariant(Sizes, Variant):
    """The game and its variant, of any size."""

    def check(self) -> None:
        """ValueError if the options contradict each other, or there are no such rules."""
        super().check()
        if self.sizes and self.game != "ingenious":
            msg = f"{', '.join(map(option_name, SIZES))} are for ingenious, not {self.game}"
            raise ValueError(msg)
        with _sizes_named():
            _ = self.rules

    def _rule_options(self) -> dict[str, Any]:
        return {**super()._rule_options(), **self.sizes}


def check_ignored(options: Any, with_option: str, ignored: Collection[str]) -> None:
    """ValueError if one of the options that another one makes useless was given.

    Args:
        options: the command line as a dataclass.
        with_option: the other option.
        ignored: the names of those that it makes useless.
    """
    _refuse_given(options, f"with {with_option}", ignored)


def check_needed(options: Any, option: str, needed_by: Collection[str]) -> None:
    """ValueError if one of the options was given that have an effect with another one only, which was not.

    Args:
        options: the command line as a dataclass.
        option: the other option, with its value's name.
        needed_by: the names of those that need it.
    """
    _refuse_given(options, f"without {option}", needed_by)


def _refuse_given(options: Any, when: str, names: Collection[str]) -> None:
    given = [
        name if name == "agents" else option_name(name) for name in given_options(options) if name in names
    ]
    if given:
        msg = f"{when} these would be ignored: {', '.join(given)}"
        raise ValueError(msg)


def check_used(options: Any, with_option: str, used: Collection[str]) -> None:
    """ValueError if an option was given that another one makes useless: any but those that are used."""
    check_ignored(options, with_option, {field.name for field in fields(options)} - {*used})


# Reading.


class Checked(Protocol):
    """Options that may contradict each other."""

    def check(self) -> None:
        """ValueError if they do."""


Options = TypeVar("Options", bound=Checked)


def read(
    kind: type[Options],
    arguments: Sequence[str] | None,
    prog: str,
    description: str | None,
    first: type[Any] | None = None,
) -> Options:
    """The command line as a dataclass.

    Args:
        kind: the dataclass.
        arguments: those of the command line; of this process by default.
        prog: the command without its arguments.
        description: of the command, for `--help`.
        first: a base of `kind` with a method `defaults`, which returns the defaults of other options that
            depend on its fields.
    """
    write_any_sign()
    words, stderr = list(sys.argv[1:] if arguments is None else arguments), io.StringIO()
    default: Any = tyro.MISSING_NONPROP if first is None else kind(**_defaults(first, words))
    try:
        with printing(prog), redirect_stderr(stderr):
            options: Options = tyro.cli(
                kind,
                prog=prog,
                description=description,
                args=words,
                default=default,
                config=CONFIG,
                registry=REGISTRY,
            )
    except SystemExit as stopped:
        if stopped.code == WRONG_INPUT:
            refuse(prog, _sentence(stderr.getvalue()))
        raise
    try:
        options.check()
    except ValueError as error:
        field, space, rest = str(error).partition(" ")
        is_field = field in {each.name for each in fields(kind)}  # type: ignore[arg-type]
        refuse(prog, f"{option_name(field)}{space}{rest}" if is_field else error)
    return options


def _defaults(first: type[Any], words: list[str]) -> Mapping[str, Any]:
    """The defaults that depend on some options; the usual ones, if these cannot be parsed."""
    try:
        with redirect_stderr(io.StringIO()):
            given, _ = tyro.cli(
                first, args=words, config=CONFIG, registry=REGISTRY, return_unknown_args=True, add_help=False
            )
    except SystemExit:  # which the second pass reports
        given = first()
    defaults: Mapping[str, Any] = given.defaults()
    return defaults


def _sentence(stderr: str) -> str:
    """The first paragraph below the title in tyro's frame, as one sentence.

        ╭─ title ────╮     title
        │ paragraph  │     ------------
        │ ────────── │      paragraph
        │ …          │      -----------
        ╰────────────╯      …

    The frame on the right is that of a standard output without UTF-8.
    """
    _, *lines = [line.strip("│╭╮╰╯ ") for line in stderr.splitlines()]
    paragraphs = [list(group) for is_rule, group in groupby(lines, _is_rule) if not is_rule]
    text = " ".join(paragraphs[0]) if paragraphs else stderr
    return re.sub(r"^Error parsing (--\S+): ", r"\1 ", " ".join(text.split()))


def _is_rule(line: str) -> bool:
    return not line.strip("-─ ")


def refuse(prog: str, why: object, status: int = WRONG_INPUT) -> NoReturn:
    """End with one sentence."""
    sys.stderr.write(f"{prog}: {' '.join(str(why).split())}\n")
    sys.exit(status)


class InputError(ValueError):
    """Arguments, or files that they name, that a command cannot use."""


@contextmanager
def checking() -> Iterator[None]:
    """Report ValueError, OSError and ImportError of the block as wrong input, which `command` refuses.

    Only checks belong in the block: elsewhere a ValueError is a fault of the program.
    """
    try:
        yield
    except (ValueError, OSError, ImportError) as error:
        raise InputError(str(error)) from error


@contextmanager
def command(prog: str) -> Iterator[None]:
    """Run a command: refuse wrong input, and end with one sentence where the system or the user stops it.

    InputError, and illegal actions of an agent, end it with `WRONG_INPUT`; OSError (a full disk, a cluster
    that is lost), Ctrl-C and a termination signal with `STOPPED`, and so does a closed pipe, without a
    sentence. Other errors are faults of the program, and print a traceback.
    """
    try:
        with flushed(), end_as_interrupt():
            yield
    except (InputError, IllegalActionError) as error:
        refuse(prog, error)
    except BrokenPipeError:  # a reader such as `head` has closed the pipe
        sys.exit(STOPPED)
    except OSError as error:
        refuse(prog, error, STOPPED)
    except KeyboardInterrupt as error:
        refuse(prog, str(error) or "interrupted", STOPPED)


@contextmanager
def needs_extra(prog: str, extra: str) -> Iterator[None]:
    """Refuse to run a script where the block imports a library that is not installed; name its extra."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in OURS:
            raise
        refuse(prog, f"{error}; install the extra: pip install 'ingenious-env[{extra}]'")


@contextmanager
def entering(manager: AbstractContextManager[T]) -> Iterator[T]:
    """Enter a context and report its errors as wrong input (see `checking`); errors of the block are not."""
    with ExitStack() as stack:
        with checking():
            entered = stack.enter_context(manager)
        yield entered


def writable(path: Path) -> Path:
    """A path whose folder exists and at which a file can be written; OSError if not."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with temporary(path) as (probe, _):
        probe.touch()
    return path
