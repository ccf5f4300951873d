"""The ratings of the ten levels of opponents: each against each other, on the fixed scale of the field.

    python -m scripts.levels                                      # both games
    python -m scripts.levels --game loopit --deals 100
    python -m scripts.levels --out docs/figures/levels.json

Each deal is played twice, with seats changed. `greedy` has 1000 points; 400 points are ten times the odds of
a win. `uniform` plays, too, as the weakest opponent that there is. Finished pairs are saved; the same command
continues after an interruption.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, pairwise
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro
from ingenious_agents import make_agent
from ingenious_agents.commands.command_line import (
    Count,
    GameName,
    InputError,
    Seed,
    checking,
    command,
    entering,
    hint,
    read,
    writable,
)
from ingenious_agents.evaluation.match import deals_of, play_match
from ingenious_agents.evaluation.scale import ANCHOR, ANCHOR_RATING, Duels, Place, fit
from ingenious_agents.tables import Format, Table, written
from tqdm import tqdm

from ingenious_env.engine.definition import AnyRules, definitions
from ingenious_env.engine.files import write_text
from ingenious_env.policies.levels import STRENGTHS, Level
from scripts import saved_rows

PROG = "python -m scripts.levels"
PRESET = "two"
MIN_DEALS = 2
LEVELS = tuple(f"level:number={number}" for number in range(1, len(STRENGTHS) + 1))
CONTESTANTS = ("uniform", ANCHOR, *LEVELS)
COLUMNS = ("game", "level", "plays", "rating", "uniform wins", "greedy wins", "level below wins")


@dataclass(frozen=True)
class Args:
    """Command-line options."""

    game: Annotated[GameName | None, tyro.conf.arg(metavar="GAME"), hint("both")] = None
    """only this game"""
    deals: Count = 60
    """of each pair of agents"""
    seed: Seed = 40
    """of the deals"""
    out: Path = Path("runs/levels.json")
    """the file of finished pairs and ratings"""
    format: Format = "markdown"
    """of the table"""

    def check(self) -> None:
        """ValueError if one deal would be all."""
        if self.deals < MIN_DEALS:
            msg = f"--deals must be at least {MIN_DEALS}, not {self.deals}: intervals need their spread"
            raise ValueError(msg)


@dataclass(frozen=True)
class Measured:
    """The results of all pairs in a game.

    Attributes:
        game: its name.
        deals: of each pair.
        seed: of the deals.
        pairs: by the names of two agents, joined by a space, a figure for each game: twice the result of the
            first.
    """

    game: str
    deals: int
    seed: int
    pairs: dict[str, str]

    @property
    def contestants(self) -> list[str]:
        """The agents, the levels in order."""
        return contestants_of(self.game)

    def results(self, one: str, other: str) -> list[float]:
        """The results of an agent against another: 1 for a win, ½ for a tie."""
        if f"{one} {other}" in self.pairs:
            return [int(result) / 2 for result in self.pairs[f"{one} {other}"]]
        return [1 - int(result) / 2 for result in self.pairs[f"{other} {one}"]]

    def places(self) -> dict[str, Place]:
        """The places of all agents on the scale; ValueError if the results do not bound one."""
        names = self.contestants
        agents, results, deals = [], [], []
        for one, other in combinations(range(len(names)), 2):
            found = self.results(names[one], names[other])
            agents += [[one, other]] * len(found)
            results += found
            deals += deals_of(self.deals, 2).tolist()
        given = np.where(np.array(names) == ANCHOR, ANCHOR_RATING, np.nan)
        duels = Duels(np.array(agents), np.array(results), np.array(deals))
        return dict(zip(names, fit(duels, given), strict=True))


def contestants_of(game: str) -> list[str]:
    """The agents that play each other; a level that is the anchor itself plays as such."""
    rules = rules_of(game)
    return [name for name in CONTESTANTS if name == ANCHOR or not is_anchor(name, rules)]


def is_anchor(name: str, rules: AnyRules) -> bool:
    """Return whether a level plays as the anchor does."""
    return name in LEVELS and Level(LEVELS.index(name) + 1).policy(rules) == make_agent(ANCHOR)


def rules_of(game: str) -> AnyRules:
    """The variant that is measured."""
    rules: AnyRules = definitions()[game].presets[PRESET].rules
    return rules


def measure(measured: Measured, save: Any) -> None:
    """Play the pairs that are missing, and save each."""
    rules = rules_of(measured.game)
    pairs = [f"{one} {other}" for one, other in combinations(measured.contestants, 2)]
    for pair in tqdm([pair for pair in pairs if pair not in measured.pairs], desc=measured.game, unit="pair"):
        agents = [make_agent(name) for name in pair.split(" ")]
        shares = play_match(rules, agents, measured.deals, measured.seed).shares[:, 0]
        measured.pairs[pair] = "".join(map(str, (2 * shares).astype(int)))
        save()


def rows_of(measured: Measured) -> list[dict[str, Any]]:
    """A row for each level, as JSON; ValueError if the results do not bound a rating."""
    places, rules, rows = measured.places(), rules_of(measured.game), []
    for number, name in enumerate(LEVELS, 1):
        mine = ANCHOR if is_anchor(name, rules) else name
        below = LEVELS[number - 2] if number > 1 else ""
        below = ANCHOR if is_anchor(below, rules) else below
        others = {"uniform": "uniform", "greedy": ANCHOR, "below": below}
        wins = {
            title: None if not other or other == mine else float(np.mean(measured.results(other, mine)))
            for title, other in others.items()
        }
        rows.append(
            {
                "game": measured.game,
                "level": number,
                "title": STRENGTHS[number - 1].title,
                "plays": repr(Level(number).policy(rules)),
                "rating": round(places[mine].rating, 1),
                "half_width": round(places[mine].half_width, 1),
                "wins_of": wins,
            }
        )
    return rows


def is_monotone(rows: Sequence[dict[str, Any]]) -> bool:
    """Return whether each level of a game is stronger than the one below: their intervals do not overlap."""
    pairs = [(one, other) for one, other in pairwise(rows) if one["game"] == other["game"]]
    return all(
        one["rating"] + one["half_width"] < other["rating"] - other["half_width"] for one, other in pairs
    )


def measured_in(path: Path) -> dict[str, Measured]:
    """The results in a file, by game; ValueError if it is not a file of this script."""
    return {each.game: each for each in saved_rows.rows_in(path, "measured", Measured, PROG)}


def table_of(rows: Sequence[dict[str, Any]]) -> Table:
    """The rows as a table."""
    texts = []
    for row in rows:
        wins = ["" if share is None else f"{100 * share:.0f} %" for share in row["wins_of"].values()]
        place = f"{row['rating']:.0f} ± {row['half_width']:.0f}"
        texts.append((row["game"], f"{row['level']}, {row['title']}", row["plays"], place, *wins))
    return Table("levels", COLUMNS, texts, list(rows))


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, play what is missing, and print all ratings."""
    args = read(Args, arguments, PROG, __doc__)
    with command(PROG):
        with checking():
            out = writable(args.out)
        games = [name for name in STRENGTHS[0].policies if args.game in (None, name)]
        with entering(saved_rows.continued(out, measured_in)) as known:
            here = saved_rows.made(out)

            def save() -> None:
                write_text(out, text_of(known.values(), here))

            for game in games:
                found = known.get(game)
                if found is None or (found.deals, found.seed) != (args.deals, args.seed):
                    known[game] = found = Measured(game, args.deals, args.seed, {})
                if not is_done(found):
                    measure(found, save)
        rows = []
        for game in games:
            try:
                rows += rows_of(known[game])
            except ValueError as error:
                msg = f"{game}: {error}; give more --deals than {args.deals}"
                raise InputError(msg) from error
        print(written([table_of(rows)], args.format))
        order = "each level is stronger than the one below" if is_monotone(rows) else "neighbours overlap"
        print(order, file=sys.stderr)


def text_of(measured: Collection[Measured], here: dict[str, Any]) -> str:
    """The file: how it was made and where, the rated levels by game, and all results."""
    commands = (f"{PROG} --game {each.game} --deals {each.deals} --seed {each.seed}" for each in measured)
    found = {
        "machine": {"command": "; ".join(commands), **here},
        "levels": [row for each in measured for row in rows_if_rated(each)],
        "measured": [asdict(each) for each in measured],
    }
    return json.dumps(found, indent=1) + "\n"


def is_done(measured: Measured) -> bool:
    """Return whether all pairs have been played."""
    return len(measured.pairs) == len(list(combinations(measured.contestants, 2)))


def rows_if_rated(measured: Measured) -> list[dict[str, Any]]:
    """A row for each level; none while pairs are missing, or if the results do not bound a rating."""
    if not is_done(measured):
        return []
    try:
        return rows_of(measured)
    except ValueError:
        return []


if __name__ == "__main__":
    main()
