"""Readers of text: what editors, mail programs and other systems put around lines changes nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ingenious_agents.commands import draw
from ingenious_agents.commands import play as play_script
from ingenious_agents.evaluation.log import Log
from ingenious_agents.evaluation.tournament import Tournament

from ingenious_env import Game, Record, Rules
from ingenious_env.engine.definition import definition_of, definitions
from ingenious_env.engine.records import read_game
from ingenious_env.games.loopit import Game as Loopit
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.games.loopit.material import load_material

MARK = "\ufeff"


def end(text: str, mark: str) -> str:
    return text.replace("\n", mark)


DECORATIONS = {
    "as written": lambda text: text,
    "no last line end": lambda text: text.rstrip("\n"),
    "CRLF": lambda text: end(text, "\r\n"),
    "CR": lambda text: end(text, "\r"),
    "byte order mark": lambda text: MARK + text,
    "byte order mark, CRLF": lambda text: MARK + end(text, "\r\n"),
    "blanks in front": lambda text: "".join(f" \t {line}" for line in text.splitlines(keepends=True)),
    "blanks behind": lambda text: end(text, "  \t\n"),
    "blanks behind, CRLF": lambda text: end(text, " \r\n"),
    "no-break spaces behind": lambda text: end(text, "\u00a0\n"),
    "blank lines behind": lambda text: text + "\n \n\n",
    "blank lines in front": lambda text: "\n\n  \n" + text,
    "every line end twice": lambda text: end(text, "\n\n"),
    "line ends converted twice": lambda text: end(text, "\r\r\n"),
}

TYPED = {
    "minus signs": lambda text: text.replace("-", "\u2212"),
    "dashes": lambda text: text.replace("-", "\u2013"),
    "quoted by a mail program": lambda text: "".join(f"> {line}" for line in text.splitlines(keepends=True)),
    "two blanks": lambda text: text.replace(" ", "  "),
    "tabs": lambda text: text.replace(" ", "\t"),
    "no-break spaces": lambda text: text.replace(" ", "\u00a0"),
    "blanks next to commas": lambda text: text.replace(",", " , "),
    "blanks next to equals signs": lambda text: text.replace("=", " = "),
}
"""Of notations only: logs and materials have their own."""

GAMES = {"ingenious": Game(Rules.solitaire(), seed=3), "loopit": Loopit(LoopitRules(2), seed=3)}


def record_of(name: str) -> Record:
    game, moves = GAMES[name].clone(), []
    for _ in range(6):
        moves.append(game.move(int(game.legal_actions()[0])))
        game.play(game.action(moves[-1]))
    return Record(game.rules, (3, 0), tuple(moves))


RECORDS = {name: record_of(name) for name in GAMES}


def in_file(read):
    """A reader of files as one of texts."""

    def reader(text: str, folder: Path) -> object:
        path = folder / "file"
        path.write_bytes(text.encode())
        return read(path)

    return reader


def drawn(path: Path) -> object:
    return draw.session_of(draw.Args(record=path)).record


def opened(path: Path) -> object:
    options, _ = play_script.options_of(play_script.Args(agents=("greedy",), open=path))
    return read_game(options["text"])


READERS = {}
for _name, _game in GAMES.items():
    _definition, _record = definitions()[_name], RECORDS[_name]
    _position, _rules = _game.to_text(), _definition.rules_to_text(_game.rules)
    READERS |= {
        f"{_name} position": (_position, lambda text, _, game=_game: game.from_text(text), _game),
        f"{_name} position, read_game": (_position, lambda text, _: read_game(text), _game),
        f"{_name} record": (_record.to_text(), lambda text, _: Record.from_text(text), _record),
        f"{_name} record, read_game": (_record.to_text(), lambda text, _: read_game(text), _record),
        f"{_name} record, load": (_record.to_text(), in_file(Record.load), _record),
        f"{_name} record, draw --record": (_record.to_text(), in_file(drawn), _record),
        f"{_name} record, play --open": (_record.to_text(), in_file(opened), _record),
        f"{_name} position, play --open": (_position, in_file(opened), _game),
        f"{_name} rules": (
            f"{_rules}\n",
            lambda text, _, read=_definition.text_to_rules: read(text),
            _game.rules,
        ),
    } | {
        f"{_name} move {move}": (
            f"{_definition.move_to_text(move)}\n",
            lambda text, _, read=_definition.text_to_move: read(text),
            move,
        )
        for move in (
            {"ingenious": ("swap", "keep"), "loopit": ("stop", "throw back")}[_name] + _record.moves[:1]
        )
    }
_STANDARD = Path(definition_of(LoopitRules(2)).value_model.folder).parents[1] / "standard.toml"
READERS["loopit material"] = (
    _STANDARD.read_text(encoding="utf-8"),
    in_file(load_material),
    LoopitRules(2).material,
)


def the_log(path: Path) -> object:
    log = Log.load(path)
    return log.tournament, log.games


@pytest.fixture(scope="module", autouse=True)
def _log(tmp_path_factory):
    """A log of two deals, as one more reader."""
    log = Log(
        tmp_path_factory.mktemp("log") / "log", Tournament.of(Rules.standard(2), ("uniform", "uniform"))
    )
    log.games[0, 1] += log.tournament.play((0, 1), range(2))
    log.save()
    READERS["log"] = (log.path.read_text(encoding="utf-8"), in_file(the_log), (log.tournament, log.games))


@pytest.mark.parametrize("reader", [*READERS, "log"])
def test_what_stands_around_lines_changes_nothing(reader, tmp_path):
    """Every reader of text, and every decoration."""
    text, read, wanted = READERS[reader]
    for name, decorate in DECORATIONS.items():
        if (reader, name) == ("log", "no last line end"):
            continue  # its error is on the truncated last line
        decorated = decorate(text)
        assert (decorated == text) == (name == "as written")
        assert read(decorated, tmp_path) == wanted, name


@pytest.mark.parametrize("reader", [each for each in READERS if each not in ("log", "loopit material")])
def test_notations_are_read_as_people_type_and_paste_them(reader, tmp_path):
    """Every reader, and every way of typing that changes its text."""
    text, read, wanted = READERS[reader]
    for name, typed in TYPED.items():
        assert read(typed(text), tmp_path) == wanted, name
    if " move " in reader:
        for typed in (text.upper(), text.lower(), text.title()):
            assert read(typed, tmp_path) == wanted, typed


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("name", GAMES)
def test_files_are_read_in_the_encodings_that_a_redirection_writes(name, encoding, tmp_path):
    """PowerShell's is UTF-16 with a byte order mark."""
    path = tmp_path / "record"
    path.write_bytes(RECORDS[name].to_text().replace("\n", "\r\n").encode(encoding))
    assert Record.load(path) == drawn(path) == opened(path) == RECORDS[name]


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"\x80abc", b"ingenious-record 1\xe9"])
def test_what_is_no_text_is_said_to_be_none(content, tmp_path):
    path = tmp_path / "record"
    path.write_bytes(content)
    for read in (Record.load, drawn, opened, Log.load, load_material):
        with pytest.raises(ValueError, match=f"{path} is not a text$"):
            read(path)


def test_a_log_with_a_byte_order_mark_is_known_for_one(tmp_path):
    path = tmp_path / "log"
    path.write_text(MARK + "\n" + json.dumps({"format": "x"}), encoding="utf-8")
    with pytest.raises(ValueError, match="looks like the log of a tournament"):
        opened(path)
