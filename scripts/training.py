"""What trainings share: options that are fields of a dataclass, checkpoints to go on from, and ratings."""

from __future__ import annotations

import argparse
import ast
import csv
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray

from agents import make_agent, play_match
from agents.evaluation.solitaire import half_width
from ingenious_env import Rules
from ingenious_env.core.definition import AnyRules, definitions
from ingenious_env.core.files import written_whole
from ingenious_env.core.view import Policy
from ingenious_env.games.loopit import Rules as LoopitRules

CHECKPOINT = "checkpoint.pt"
EVALUATION_SEED = 1_000_003
LEFT_OUT = ("folder", "resume")  # of the command that a card shows


@dataclass(frozen=True)
class Variant:
    """Options that say what is played."""

    players: int = 2
    """1, 2, 3 or 4; with partnership 4"""
    partnership: bool = False
    """two against two, each pair on a sheet"""

    @property
    def rules(self) -> AnyRules:
        """The rules that the options name."""
        if self.players == 1:
            return Rules.solitaire()
        return Rules.partnership() if self.partnership else Rules.standard(self.players)

    def defaults(self) -> Mapping[str, Any]:
        """What goes by the preset and the variant, unless it is given."""
        return {"players": 4} if self.partnership else {}


@dataclass(frozen=True)
class AnyVariant(Variant):
    """Options that say what is played, of any game."""

    game: str = "ingenious"
    """ingenious or loopit"""
    fixed_rounds: bool = False
    """Loopit: a fixed number of rounds"""

    @property
    def rules(self) -> AnyRules:
        """The rules that the options name."""
        if self.game == "loopit":
            return LoopitRules(self.players, fixed_rounds=self.fixed_rounds)
        return super().rules


Options = TypeVar("Options", bound=Variant)


def option_name(field: str) -> str:
    """A field as an option."""
    return f"--{field.replace('_', '-')}"


def parse_options(
    kind: type[Options],
    arguments: Sequence[str] | None,
    prog: str,
    description: str | None,
    presets: Sequence[str],
) -> tuple[Options, argparse.ArgumentParser]:
    """The command line as a dataclass, and the parser for what else may be wrong with it.

    `--preset` takes one of the presets; what it and the variant bring with them is their `defaults`.
    """
    parser = argparse.ArgumentParser(
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        prog=prog,
    )
    meanings = field_docstrings(kind)
    for field in fields(kind):
        option, default, meaning = option_name(field.name), field.default, meanings[field.name]
        if field.name == "preset":
            parser.add_argument(option, choices=presets, default=default, help=f"{meaning} ({default})")
        elif isinstance(default, bool):
            parser.add_argument(option, action="store_true", help=meaning)
        else:
            meaning = f"{meaning} ({default})"
            parser.add_argument(option, type=type(default), default=default, help=meaning)
    parser.set_defaults(**kind(**vars(parser.parse_args(arguments))).defaults())
    return kind(**vars(parser.parse_args(arguments))), parser


def field_docstrings(kind: type[Any]) -> dict[str, str]:
    """The string behind each field of a dataclass, on one line, by the name of the field."""
    found: dict[str, str] = {}
    for base in kind.__mro__[-2::-1]:
        (definition,) = ast.parse(textwrap.dedent(inspect.getsource(base))).body
        assert isinstance(definition, ast.ClassDef)  # noqa: S101 - the source of a class
        for field, after in pairwise(definition.body):
            match field, after:
                case ast.AnnAssign(target=ast.Name(name)), ast.Expr(value=ast.Constant(value=str(text))):
                    found[name] = " ".join(text.split())
    return found


def check_variant(parser: argparse.ArgumentParser, variant: Variant) -> None:
    """Refuse what is no variant."""
    if variant.players not in (1, 2, 3, 4):
        parser.error(f"--players must be 1, 2, 3 or 4, not {variant.players}")
    if variant.partnership and variant.players != 4:
        parser.error(f"--partnership is for 4 players, not {variant.players}")
    if isinstance(variant, AnyVariant):
        _check_game(parser, variant)


def _check_game(parser: argparse.ArgumentParser, variant: AnyVariant) -> None:
    if variant.game not in definitions():
        parser.error(f"--game must be one of {', '.join(definitions())}, not {variant.game}")
    if variant.fixed_rounds and variant.game != "loopit":
        parser.error(f"--fixed-rounds is for loopit, not {variant.game}")
    if variant.game == "loopit" and (variant.partnership or variant.players == 1):
        wrong = "--partnership" if variant.partnership else "--players 1"
        parser.error(f"{wrong} is for ingenious, not loopit")


def check_positive(parser: argparse.ArgumentParser, options: Any, *names: str) -> None:
    """Refuse options that are less than 1."""
    for name in names:
        if getattr(options, name) < 1:
            parser.error(f"{option_name(name)} must be at least 1, not {getattr(options, name)}")


def check_seed(parser: argparse.ArgumentParser, seed: int) -> None:
    """Refuse a seed that not every library takes."""
    if not 0 <= seed < 2**32:
        parser.error(f"--seed must be from 0 to {2**32 - 1}, not {seed}")


class Resumable(Protocol):
    """A training that can go on from a checkpoint."""

    def restore(self) -> None:
        """Take up the checkpoint; ValueError if there is none that fits."""


Begun = TypeVar("Begun", bound=Resumable)


def begin(make: Callable[[], Begun], prog: str, *, resume: bool) -> Begun:
    """A training, from its checkpoint if that is asked for; says what is wrong and ends if it cannot be."""
    try:
        training = make()
        if resume:
            training.restore()
    except (ValueError, RuntimeError) as error:
        sys.exit(f"{prog}: {error}")
    return training


def command_of(prog: str, options: Variant) -> str:
    """What to type to train so again, wherever it is written."""
    words, defaults = [prog], options.defaults()
    for field in fields(options):
        value = getattr(options, field.name)
        if value != defaults.get(field.name, field.default) and field.name not in LEFT_OUT:
            words += [option_name(field.name)] if value is True else [option_name(field.name), str(value)]
    return " ".join(words)


def check_same(folder: Path, before: Options, now: Options, may_change: Sequence[str]) -> None:
    """ValueError if options differ that change what is learned."""
    for field in fields(before):
        was, value = getattr(before, field.name), getattr(now, field.name)
        if field.name not in may_change and was != value:
            msg = f"{folder / CHECKPOINT} was trained with {option_name(field.name)} {was}, not {value}"
            raise ValueError(msg)


def deals_of_training(seed: int) -> int:
    """The seed of the deals that a training sees: none that anybody would give to an evaluation."""
    return int(np.random.SeedSequence((seed, EVALUATION_SEED)).generate_state(1, np.uint64)[0])


def evaluate(agent: Policy, rules: AnyRules, deals: int, opponent: str) -> tuple[float, float, float]:
    """Mean lowest counter in solitaire, else the share of wins; with the ends of its 95 % interval."""
    others: list[Policy] = [make_agent(opponent) for _ in range(rules.num_sheets - 1)]
    result = play_match(rules, [agent, *others], deals, EVALUATION_SEED)
    if others:
        return (result.share(0), *result.interval(0))
    lowest: NDArray[np.int8] = result.scores[:, 0].min(axis=1)
    mean, half = float(lowest.mean()), half_width(lowest)
    return mean, mean - half, mean + half


def whom_to_meet(rules: AnyRules, opponents: Sequence[str]) -> Sequence[str]:
    """The opponents that a network is rated against; in solitaire nobody."""
    return opponents if rules.num_sheets > 1 else ("nobody",)


def ratings_of(agent: Policy, rules: AnyRules, deals: int, opponents: Sequence[str]) -> dict[str, str]:
    """The result of an agent in solitaire or against each opponent, in words."""
    met = whom_to_meet(rules, opponents)
    return {opponent: describe(rules, evaluate(agent, rules, deals, opponent)) for opponent in met}


def describe(rules: AnyRules, found: tuple[float, float, float]) -> str:
    """What an evaluation found, in words."""
    mean, low, high = found
    if rules.num_sheets == 1:
        return f"lowest counter {mean:.2f} [{low:.2f}, {high:.2f}]"
    return f"{mean:.1%} [{low:.1%}, {high:.1%}]"


def save_checkpoint(folder: Path, checkpoint: Mapping[str, Any]) -> None:
    """Write it to a file of another name first."""
    folder.mkdir(parents=True, exist_ok=True)
    with written_whole(folder / CHECKPOINT) as partial:
        torch.save(checkpoint, partial)


def save_curve(folder: Path, names: Sequence[str], points: Sequence[Sequence[float]]) -> None:
    """Write `curve.csv` to a file of another name first."""
    with written_whole(folder / "curve.csv") as partial, partial.open("w", newline="") as file:
        csv.writer(file).writerows([names, *points])


@contextmanager
def checkpoint_in(folder: Path, now: Options, may_change: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The folder's checkpoint, while it is taken up; nothing in it is executed.

    Args:
        folder: of the training.
        now: its options, which the checkpoint has, too.
        may_change: options that do not change what is learned.

    Raises:
        ValueError: there is none, it is of a training with other options, or it does not fit.
    """
    path = folder / CHECKPOINT
    if not path.is_file():
        msg = f"there is no checkpoint {path} to resume from"
        raise ValueError(msg)
    try:
        saved: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
        before = type(now)(**saved["args"])
    except Exception as error:
        msg = f"{path} is no checkpoint of this training: {error}"
        raise ValueError(msg) from error
    check_same(folder, before, now, may_change)
    try:
        yield saved
    except Exception as error:
        msg = f"{path} is no checkpoint of this training: {error}"
        raise ValueError(msg) from error
