"""Optimised bags whose order is known: a folder with all rounds, and the best line of each bag as a record.

`rounds.jsonl` has a line of JSON per round, each complete without the others:

    {"format": "ingenious rounds 1", "rules": …, "seed": 0, "bag": 7, "bound": 33, "number": 4, "lowest": 27,
     "seconds": 1.5, "actions": [131, …]}

The game is that of `Game(rules, (seed, bag))`. Its lowest counter cannot exceed the bound. The actions are
flat, from the deal to the end. `bag-7.txt` is the record of the best line of bag 7.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ingenious_agents.evaluation.log import MAX_SECONDS, MAX_WHOLE
from ingenious_agents.evaluation.solitaire import half_width
from ingenious_agents.evaluation.statistics import wilson
from ingenious_agents.executors import SerialExecutor
from ingenious_agents.search.known_bag import Round, check_solitaire, improve, upper_bound
from ingenious_agents.stopping import stop_request
from ingenious_agents.tables import Number, Table
from ingenious_env import IllegalActionError, Record, Rules
from ingenious_env.engine.checks import MAX_WORD
from ingenious_env.engine.definition import definition_of
from ingenious_env.engine.extras import needs
from ingenious_env.engine.files import read_text, write_text
from ingenious_env.engine.text import logged_lines
from ingenious_env.games.ingenious import Game

with needs("ingenious_agents.evaluation.known_bags", "ingenious-env[play]"):
    from tqdm import tqdm

FORMAT = "ingenious rounds 1"
START = f'{{"format":"{FORMAT}",'
TEXTS, NUMBERS = ("format", "rules"), ("seed", "bag", "bound", "number", "lowest")
LOOK_SECONDS = 0.5  # between two checks for a request to stop
LEVELS = (1.0, 10.0, 100.0)
"""CPU seconds per bag after which a study reports."""
MAX_QUOTE = 200
NOTICE = "stopping once the rounds in hand are made and logged; Ctrl-C once more drops them"


def _is_round(values: Any) -> bool:
    """Return whether a JSON value has the entries of a round, of the right types and ranges."""
    return (
        isinstance(values, dict)
        and values.keys() == {*TEXTS, *NUMBERS, "seconds", "actions"}
        and all(isinstance(values[key], str) for key in TEXTS)
        and all(type(values[key]) is int and 0 <= values[key] <= MAX_WORD for key in NUMBERS)
        and type(values["seconds"]) in (int, float)
        and 0 <= values["seconds"] <= MAX_SECONDS
        and isinstance(values["actions"], list)
        and all(type(action) is int and 0 <= action <= MAX_WHOLE for action in values["actions"])
    )


@dataclass(frozen=True)
class Limit:
    """When to stop improving a bag; at the upper bound in any case.

    Attributes:
        seconds: CPU seconds of its rounds, in all.
        rounds: their number.
    """

    seconds: float = float("inf")
    rounds: float = float("inf")


class KnownBags:
    """The rounds made so far of the bags of one variant and seed, and their files.

    Args:
        folder: of the files, which exists.
        rules: a variant for one player.
        seed: of the bags; bag b is that of `Game(rules, (seed, b))`.

    Attributes:
        rounds: by bag and number.

    Raises:
        OSError: the log cannot be read or written.
        ValueError: the variant is for several players, or the log is of another variant or seed.
    """

    def __init__(self, folder: Path, rules: Rules, seed: int) -> None:
        check_solitaire(rules)
        self.folder, self.rules, self.seed = folder, rules, seed
        self.rounds: dict[int, dict[int, Round]] = {}
        self._text = definition_of(rules).rules_to_text(rules)
        self.bound = cache(lambda bag: upper_bound(rules, (seed, bag)))
        if self._log.exists():
            self._read(read_text(self._log))
        self.save()
        for bag in self.rounds:
            self._write_record(bag)  # an interruption may have come between a round and its record

    @property
    def _log(self) -> Path:
        return self.folder / "rounds.jsonl"

    def _read(self, text: str) -> None:
        for line in logged_lines(text, START):
            try:
                values = json.loads(line)
            except (ValueError, RecursionError):
                values = None
            if not _is_round(values):
                msg = f"{self._log} has a line that is not a round: {line[:MAX_QUOTE]!r}"
                raise ValueError(msg)
            if (values["format"], values["rules"], values["seed"]) != (FORMAT, self._text, self.seed):
                msg = (
                    f"{self._log} has rounds of {values['rules']}, seed {values['seed']}; "
                    "give another --out, or remove it"
                )
                raise ValueError(msg)
            found = Round(
                values["number"], values["lowest"], tuple(values["actions"]), float(values["seconds"])
            )
            if found.lowest != self._lowest(values["bag"], found.actions):
                msg = f"{self._log} has a round that does not follow from its actions: {line[:MAX_QUOTE]!r}"
                raise ValueError(msg)
            self.rounds.setdefault(values["bag"], {})[found.number] = found

    def _lowest(self, bag: int, actions: Sequence[int]) -> int | None:
        """The lowest counter at the end of a line of a bag; None if it is illegal or does not end."""
        game = Game(self.rules, seed=(self.seed, bag))
        try:
            for action in actions:
                game.play(action)
        except IllegalActionError:
            return None
        return int(game.scores.min()) if game.is_over else None

    def _line(self, bag: int, found: Round) -> str:
        values = {
            "format": FORMAT,
            "rules": self._text,
            "seed": self.seed,
            "bag": bag,
            "bound": self.bound(bag),
            "number": found.number,
            "lowest": found.lowest,
            "seconds": found.seconds,
            "actions": found.actions,
        }
        return json.dumps(values, separators=(",", ":")) + "\n"

    def save(self) -> None:
        """Rewrite the log sorted by bag and number, so that equal rounds give equal files."""
        ordered = [
            (bag, rounds[number]) for bag, rounds in sorted(self.rounds.items()) for number in sorted(rounds)
        ]
        write_text(self._log, "".join(self._line(*each) for each in ordered))

    def path(self, bag: int) -> Path:
        """The record of a bag's best line."""
        return self.folder / f"bag-{bag}.txt"

    def add(self, bag: int, found: Round) -> None:
        """Log a round, and write the record of the bag if this is its best line."""
        with self._log.open("a", encoding="utf-8") as file:
            file.write(self._line(bag, found))
        self.rounds.setdefault(bag, {})[found.number] = found
        self._write_record(bag)

    def _write_record(self, bag: int) -> None:
        """Write the record of a bag's best line, unless it is that already."""
        path, best = self.path(bag), self.best(bag)
        if best is not None:
            text = Record.of_actions(self.rules, (self.seed, bag), best.actions).to_text()
            if not path.exists() or path.read_bytes() != text.encode():
                write_text(path, text)

    def best(self, bag: int, seconds: float = float("inf")) -> Round | None:
        """The best of the rounds that ended within so many CPU seconds, the first of equal ones."""
        spent, best = 0.0, None
        for _, each in sorted(self.rounds.get(bag, {}).items()):
            spent += each.seconds
            if spent <= seconds and (best is None or each.lowest > best.lowest):
                best = each
        return best

    def spent(self, bag: int) -> float:
        """The CPU seconds of a bag's rounds."""
        return sum(each.seconds for each in self.rounds.get(bag, {}).values())

    def is_done(self, bag: int, limit: Limit) -> bool:
        """Return whether a bag needs no further round: its best line is the bound, or a limit is reached."""
        best = self.best(bag)
        if best is not None and best.lowest >= self.bound(bag):
            return True
        return self.spent(bag) >= limit.seconds or len(self.rounds.get(bag, {})) >= limit.rounds

    def next(
        self, bags: Sequence[int], limit: Limit, in_hand: Sequence[tuple[int, int]]
    ) -> tuple[int, int] | None:
        """The bag and the number of the next round that is not in hand; None if there is none."""
        busy = Counter(bag for bag, _ in in_hand)
        wanting = [
            bag
            for bag in bags
            if not self.is_done(bag, limit) and len(self.rounds.get(bag, {})) + busy[bag] < limit.rounds
        ]
        if not wanting:
            return None
        bag = min(wanting, key=lambda each: busy[each])
        number = 0
        while number in self.rounds.get(bag, {}) or (bag, number) in in_hand:
            number += 1
        return bag, number


def run(
    study: KnownBags,
    bags: Sequence[int],
    limit: Limit,
    executor: Executor | None = None,
    workers: int = 1,
    *,
    progress: bool = True,
) -> None:
    """Make the rounds that bags still need.

    Args:
        study: takes the rounds.
        bags: their numbers.
        limit: for each of them.
        executor: makes rounds; this thread by default.
        workers: the number of rounds that it makes at the same time.
        progress: show a progress bar, with the latest bag.

    Raises:
        KeyboardInterrupt: after Ctrl-C or a termination signal, if rounds are left.
        Exception: that of the first round that failed.

    In both cases rounds in hand have been made and logged before, unless there was a second signal.
    """
    executor = SerialExecutor() if executor is None else executor
    in_hand: dict[Future[Round], tuple[int, int]] = {}
    failed: BaseException | None = None
    done = sum(study.is_done(bag, limit) for bag in bags)
    with (
        stop_request(NOTICE) as asked,
        tqdm(total=len(bags), initial=done, unit="bag", disable=not progress) as bar,
    ):
        while True:
            while len(in_hand) < workers and not asked.is_set() and failed is None:
                task = study.next(bags, limit, list(in_hand.values()))
                if task is None:
                    break
                bag, number = task
                future = executor.submit(
                    improve, study.rules, (study.seed, bag), number, goal=study.bound(bag)
                )
                in_hand[future] = task
            if not in_hand:
                break
            for future in wait(in_hand, LOOK_SECONDS, FIRST_COMPLETED).done:
                bag, _ = in_hand.pop(future)
                error = future.exception()
                if error is not None:
                    failed = failed or error
                    continue
                study.add(bag, future.result())
                best = study.best(bag)
                lowest = best.lowest if best else 0
                bar.set_postfix_str(
                    f"bag {bag}: {lowest} of at most {study.bound(bag)}, {study.spent(bag):.1f} s"
                )
                bar.update(sum(study.is_done(each, limit) for each in bags) - bar.n)
        if failed is not None:
            raise failed
        if asked.is_set() and study.next(bags, limit, ()) is not None:
            raise KeyboardInterrupt
    study.save()


def bags_table(study: KnownBags, bags: Sequence[int]) -> Table:
    """The best line of each bag."""
    rows, records = [], list[dict[str, Number]]()
    for bag in bags:
        best = study.best(bag)
        if best is None:
            continue
        game = Record.of_actions(study.rules, (study.seed, bag), best.actions).replay()
        counters = " ".join(map(str, sorted(game.scores[0].tolist())))
        values: dict[str, Number] = {
            "bag": bag,
            "lowest": best.lowest,
            "at_most": study.bound(bag),
            "counters": counters,
            "rounds": len(study.rounds[bag]),
            "seconds": round(study.spent(bag), 1),
            "record": str(study.path(bag)),
        }
        rows.append([str(each) for each in values.values()])
        records.append(values)
    heads = ("bag", "lowest", "at most", "counters, lowest first", "rounds", "CPU seconds", "record")
    return Table("bags", heads, rows, records)


def study_table(study: KnownBags, bags: Sequence[int], seconds: float) -> Table:
    """Means over bags by CPU seconds: the lowest counter, the bound, and how many bags are closed.

    At each level are the bags up to the first one that has neither had so much time nor reached its bound.
    Unless a level has all bags, and is no less than their limit, a last row has all rounds, at the mean of
    the CPU seconds that they took.

    Args:
        study: has the rounds.
        bags: their numbers.
        seconds: the limit of CPU seconds per bag.
    """
    rows, records = [], list[dict[str, Number]]()

    def add(level: float, found: Sequence[tuple[Round, int]]) -> None:
        """Add a row: best lines with their bounds."""
        lowest, bounds = (
            np.array(each) for each in zip(*((best.lowest, at) for best, at in found), strict=True)
        )
        gaps = bounds - lowest
        closed = float((gaps == 0).mean())
        low, high = wilson(closed, len(found))
        rows.append(
            (
                f"{level:g}",
                str(len(found)),
                f"{lowest.mean():.2f} ± {half_width(lowest):.2f}",
                f"{lowest.min()}–{lowest.max()}",
                f"{bounds.mean():.2f} ± {half_width(bounds):.2f}",
                f"{gaps.mean():.2f} ± {half_width(gaps):.2f}",
                f"{closed:.0%} [{low:.0%}, {high:.0%}]",
            )
        )
        records.append(
            {
                "seconds": level,
                "bags": len(found),
                "lowest": float(lowest.mean()),
                "lowest_half_width": half_width(lowest),
                "least": int(lowest.min()),
                "most": int(lowest.max()),
                "at_most": float(bounds.mean()),
                "at_most_half_width": half_width(bounds),
                "gap": float(gaps.mean()),
                "gap_half_width": half_width(gaps),
                "closed": closed,
                "closed_low": low,
                "closed_high": high,
            }
        )

    def best_of(some: Sequence[int], within: float = float("inf")) -> list[tuple[Round, int]]:
        """The best lines of bags that have one, with their bounds."""
        best = ((study.best(bag, within), study.bound(bag)) for bag in some)
        return [(each, bound) for each, bound in best if each is not None]

    whole = 0.0  # the highest level of all bags
    for level in LEVELS:
        until = next((at for at, bag in enumerate(bags) if not study.is_done(bag, Limit(level))), len(bags))
        found = best_of(bags[:until], level)
        if found and len(found) == until:
            add(level, found)
            whole = level if until == len(bags) else whole
    if whole < seconds and (found := best_of(bags)):
        add(round(sum(map(study.spent, bags)) / len(found), 2), found)
    heads = ("CPU seconds per bag", "bags", "lowest counter", "range", "upper bound", "gap", "proven best")
    return Table("study", heads, rows, records)
