"""Tables from files of figures: those of `docs/figures`, published fields, cards of agents and networks."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from ingenious_agents.evaluation import field as fields
from ingenious_agents.evaluation.card import read_card
from ingenious_agents.evaluation.card import table as card_table
from ingenious_agents.tables import Table, markdown_table, written
from links import DOCS, ROOT

from ingenious_env.games import definitions

FIGURES = DOCS / "figures"
ERROR = "mean error from "
NEEDED = ("command", "commit", "machine", "heads", "rows")


def read(env: Any, name: str) -> dict[str, Any]:
    """A file of `docs/figures`; OSError if it is missing, ValueError if it lacks something."""
    path = FIGURES / f"{name}.json"
    env.note_dependency(str(path))
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def checked(found: dict[str, Any]) -> dict[str, Any]:
    """A file with a table; ValueError if it lacks something, or a row has other columns than the head."""
    if missing := [key for key in NEEDED if key not in found]:
        msg = f"the file lacks {', '.join(missing)}"
        raise ValueError(msg)
    if any(len(row) != len(found["heads"]) for row in found["rows"]):
        msg = "a row does not have the columns of the head"
        raise ValueError(msg)
    return found


def table(env: Any, name: str) -> str:
    """A table, and below it how it was made."""
    found = checked(read(env, name))
    return f"{_unbroken(markdown_table(found['rows'], found['heads']))}\n\n{provenance(found)}"


def _unbroken(table: str) -> str:
    """A table whose intervals and percentages stay on one line."""
    return re.sub(r" ± |(?<=\d) (?=%)", lambda found: found[0].replace(" ", "\u00a0"), table)


def provenance(found: dict[str, Any]) -> str:
    """A line with the command, the commit and the machine of figures."""
    changed = ", with changes" if (found["commit"] or "").endswith("-dirty") else ""
    commit = (
        f"commit {found['commit'][:7]}{changed}" if found["commit"] else "at a commit that was not recorded"
    )
    return f"{{.provenance}}\n`{found['command']}` · {commit} · {found['machine']}"


def made(command: str, here: dict[str, Any]) -> str:
    """The same for figures whose file has what `ingenious_agents.provenance.machine` returned."""
    processor = re.sub(r"\(R\)| Processor", "", here["processor"])
    machine = f"{here['cores']} cores of an {processor}, {here['system'].partition('-')[0]}"
    if "earlier" in here:
        others = dict.fromkeys(str(each["commit"])[:7] for each in here["earlier"])
        machine += f"; some rows at commit {', '.join(others)}"
    return provenance({"command": command, "commit": here["commit"], "machine": machine})


def value(env: Any, argument: str) -> str:
    """One figure: the file, the row by its first cell, and the column; a big number of the front page.

    In place of a row `all`, and in place of a column what the rows are: their number.
    """
    name, row, column = (part.strip() for part in argument.split("|"))
    found = checked(read(env, name))
    if row == "all":
        return f"{{.big}}\n{len(found['rows'])} {column}"
    cells = next((each for each in found["rows"] if each[0] == row), None)
    if cells is None or column not in found["heads"]:
        msg = f"there is no row {row!r} with a column {column!r}"
        raise ValueError(msg)
    figure, _, _ = cells[found["heads"].index(column)].partition(" [")  # without its interval
    return f"{{.big}}\n{figure}"


def field(env: Any, name: str) -> str:
    """The published field of a preset, by game and preset."""
    game, _, preset = name.partition(" ")
    path = fields.FOLDER / fields.file_of(game, preset)
    env.note_dependency(str(path))
    found = fields.field_of(definitions()[game].presets[preset].rules)
    command = f"python -m scripts.field {preset}{' --game loopit' if game == 'loopit' else ''}"
    return f"{_unbroken(written([fields.table(found)], 'markdown'))}\n\n{made(command, found.made)}"


def seats(env: Any, _: str) -> str:
    """The table of the value of each seat and of the variance saved, from `scripts.seats`."""
    from scripts import seats as module  # noqa: PLC0415 - of the checkout

    path = _present(env, "seats.json")
    table = _unbroken(written([module.table_of(module.rows_in(path))], "markdown"))
    return f"{table}\n\n{made(module.PROG, _machine_in(path))}"


def recipes(env: Any, preset: str) -> str:
    """The results of training with the quick budget, from `scripts.recipes`; of one preset, or of all."""
    from scripts import recipes as module  # noqa: PLC0415 - of the checkout

    path = _present(env, "recipes.json")
    found = module.rows_in(path)
    rows = [
        row
        for each in module.games_and_presets(None)
        if preset in ("", " ".join(each))
        for row in found
        if (row.game, row.preset) == each
    ]
    if not rows:
        msg = f"{preset} is not a preset of the file"
        raise ValueError(msg)
    table = _unbroken(written([module.table_of(rows)], "markdown"))
    return f"{table}\n\n{made(module.PROG, _machine_in(path))}"


def levels(env: Any, game: str) -> str:
    """The ratings of the ten levels of a game, from `scripts.levels`."""
    from scripts import levels as module  # noqa: PLC0415 - of the checkout

    path = _present(env, "levels.json")
    table = _unbroken(written([module.table_of(module.rows_of(module.measured_in(path)[game]))], "markdown"))
    here = _machine_in(path)
    return f"{table}\n\n{made(here['command'], here)}"


def _machine_in(path: Path) -> dict[str, Any]:
    """The machine and the versions in a file of results."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["machine"]
    return found


def networks(env: Any, what: str) -> str:
    """The `results` of the shipped networks of Ingenious, or the errors of the `calibration` of all."""
    cards = {
        (game.name, preset): _card(env, game.value_model.folder / f"{preset}.md")
        for game in definitions().values()
        if game.value_model
        for preset in game.value_model.variants
    }
    rows, heads = {"results": _results, "calibration": _errors}[what](cards)
    how = "{.provenance}\nfrom the model cards, each with its commands, commit and machine"
    return f"{_unbroken(markdown_table(rows, heads))}\n\n{how}"


Cards = dict[tuple[str, str], dict[str, dict[str, str]]]
"""By game and preset, the rows of each section of a model card."""


def _results(cards: Cards) -> tuple[list[list[str]], list[str]]:
    """Rows and heads of the results against the opponents that all networks of Ingenious have met."""
    parts = {
        preset: card["Evaluation"]
        for (game, preset), card in cards.items()
        if game == "ingenious" and preset != "solitaire"
    }
    opponents = [name for name in parts["two"] if all(name in part for part in parts.values())]
    rows = [[f"`{name}`", *(_spaced(part[name]) for part in parts.values())] for name in opponents]
    return rows, ["all other agents", *(_title("ingenious", preset) for preset in parts)]


def _title(game: str, preset: str) -> str:
    """The title of a preset."""
    return str(definitions()[game].presets[preset].title)


def _errors(cards: Cards) -> tuple[list[list[str]], list[str]]:
    """Rows and heads of the errors of calibrated values, by who made the first turns."""
    kinds = [name for name in cards["ingenious", "two"]["Calibration"] if name.startswith(ERROR)]
    rows = [
        [
            f"{game.capitalize()}, {_title(game, preset)}",
            *(_error(card["Calibration"][kind]) for kind in kinds),
        ]
        for (game, preset), card in cards.items()
    ]
    return rows, ["mean error", *(kind.removeprefix(ERROR).removeprefix("positions of ") for kind in kinds)]


def _card(env: Any, path: Path) -> dict[str, dict[str, str]]:
    """The rows of the tables with two columns in a model card, by section, without their heads."""
    env.note_dependency(str(path))
    sections: dict[str, dict[str, str]] = {}
    for part in path.read_text(encoding="utf-8").split("\n## ")[1:]:
        title, *lines = part.splitlines()
        table = [
            [cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")
        ]
        sections[title] = {row[0]: row[1] for row in table[2:] if len(row) == 2}
    return sections


def _spaced(share: str) -> str:
    """A share with its interval, "85.0% [83.7%, 86.3%]", as pages write it."""
    mean, low, high = re.findall(r"[\d.]+", share)
    return f"{mean} % [{low}, {high}]"


def _error(text: str) -> str:
    """An error and that without calibration, "0.0050 of a win (before 0.0329)", in fewer words and digits."""
    unit, numbers = "of a win" in text, re.findall(r"[\d.]+\d", text)
    after, before = (f"{float(number):.{3 if unit else 2}f}" for number in numbers)
    return f"{after} ({before})" if unit else f"{after} ({before}) spaces"


def _present(env: Any, name: str) -> Path:
    """A file of results, of which a page depends; ValueError if it is missing or empty."""
    path = FIGURES / name
    env.note_dependency(str(path))
    if not path.exists() or not path.stat().st_size:
        msg = f"{name} is missing or empty"
        raise ValueError(msg)
    return path


def cards(env: Any, _: str) -> str:
    """The rated agents whose cards are in the repository."""
    paths = sorted((ROOT / "agents" / "cards").glob("*.json"))
    for path in paths:
        env.note_dependency(str(path))
    found: Table = card_table([read_card(Path(path)) for path in paths])
    how = "{.provenance}\nfrom the cards, each with its command, commit and machine"
    return f"{_unbroken(written([found], 'markdown'))}\n\n{how}"
