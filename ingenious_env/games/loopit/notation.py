"""Text: a whole position, hidden tiles and future included, and single moves; both round-trip exactly.

A position is one fact per line, in this order; a tile is its line ends and its value:

    loopit 1
    rules players=2 rounds=free rack=5 turn=3 material=standard
    board 13/13/13/13/13/13/6,NS4,6/…            rows from the top; numbers count empty squares
    turn 0 to_play=0 phase=lay laid=0 held=0
    scores 0,0
    racks NE1,EW2,NS3,NS5,NESW8 …                seat by seat
    out -                                        tiles put out of the game
    bag NE3,SW7,…                                in the order of drawing
    stream 0123456789abcdef                      the game's random stream
    policy_key 0123456789abcdef                  determines agents' random choices

Custom material is written out: all tiles, the rows of factors and the start square, as in
`material=NE1,NS1,NS1;131/111/111;1,1`. A move is `stop`, `throw back`, `keep`, or a tile and its square's row
and column:

    NE5@6,7
"""

from __future__ import annotations

import re

import numpy as np

from ingenious_env.engine.state import GameState
from ingenious_env.engine.text import (
    line_of,
    read_choice,
    read_lines,
    read_named_values,
    read_number,
    read_number_rows,
    read_rows,
    read_value,
    read_word,
    write_lines,
    write_row,
)
from ingenious_env.games.loopit import consistency
from ingenious_env.games.loopit.material import DIRECTIONS, MAX_SCORE, Material, Tile, standard_material
from ingenious_env.games.loopit.moves import CHOICES, Lay, Move
from ingenious_env.games.loopit.rules import MAX_OUT, Rules
from ingenious_env.games.loopit.state import NO_TILE, PHASES, derive
from ingenious_env.games.loopit.tables import fresh_row
from ingenious_env.languages import Texts

VERSION = "loopit 1"
_KEYWORDS = ("rules", "board", "turn", "scores", "racks", "out", "bag", "stream", "policy_key")
_TILE = rf"(?=[{DIRECTIONS}])N?E?S?W?[1-9]\d?"
_STANDARD = "standard"
_ROUNDS = ("free", "fixed")
TEXTS = Texts(
    {
        "no move": (
            f"a move is {', '.join(map(repr, CHOICES))} or a tile and its square, such as 'NE5@6,7', "
            "not {text}"
        )
    }
)
"""Why a text is not a move; pages without a server fill this sentence in, too."""


# Moves.


def move_to_text(move: Move) -> str:
    """A move in words."""
    if isinstance(move, str):
        return move
    (row, column) = move.square
    return f"{tile_to_text(move.tile)}@{row},{column}"


def text_to_move(text: str) -> Move:
    """The move that `move_to_text` wrote, or that somebody typed; ValueError if it is malformed."""
    text = line_of(text)
    for choice in CHOICES:
        if text.lower() == choice:
            return choice
    match = re.fullmatch(rf"({_TILE})@(\d{{1,2}}),(\d{{1,2}})", text.upper(), re.ASCII)
    if match is None:
        msg = TEXTS["no move"].format(text=repr(text))
        raise ValueError(msg)
    tile, row, column = match.groups()
    return Lay(_text_to_tile(tile), (int(row), int(column)))


def tile_to_text(tile: Tile) -> str:
    """The line ends of a tile and its value."""
    ends, value = tile
    return f"{ends}{value}"


def _text_to_tile(text: str) -> Tile:
    """The tile of a text of valid form."""
    ends = text.rstrip("0123456789")
    return ends, int(text.removeprefix(ends))


def _read_tile(name: str, text: str) -> Tile:
    return read_value(name, text, _TILE, "tiles, line ends and a value, such as NE5", _text_to_tile)


# Rules.


def rules_to_text(rules: Rules) -> str:
    """The variant, as in the rules line."""
    return (
        f"players={rules.num_players} rounds={_ROUNDS[rules.fixed_rounds]} rack={rules.rack_size} "
        f"turn={rules.tiles_per_turn} material={_material_to_text(rules.material)}"
    )


def text_to_rules(text: str) -> Rules:
    """The variant that `rules_to_text` wrote; ValueError if it is malformed."""
    values = read_named_values("rules", line_of(text), ("players", "rounds", "rack", "turn", "material"))
    return Rules(
        read_number("players", values["players"]),
        fixed_rounds=read_choice("rounds", values["rounds"], _ROUNDS) == 1,
        material=_text_to_material(values["material"]),
        rack_size=read_number("rack", values["rack"]),
        tiles_per_turn=read_number("turn", values["turn"]),
    )


def _material_to_text(material: Material) -> str:
    if material == standard_material():
        return _STANDARD
    tiles = write_row(map(tile_to_text, material.tiles))
    factors = "/".join("".join(map(str, row)) for row in material.factors)
    return f"{tiles};{factors};{write_row(material.start)}"


def _text_to_material(text: str) -> Material:
    if text == _STANDARD:
        return standard_material()
    parts = text.split(";")
    if len(parts) != 3 or re.fullmatch(r"\d+(/\d+)*", parts[1], re.ASCII) is None:
        msg = f"material must be {_STANDARD} or tiles;factors;start, not {text[:40]!r}"
        raise ValueError(msg)
    tiles = tuple(_read_tile("material", tile) for tile in parts[0].split(","))
    factors = tuple(tuple(map(int, row)) for row in parts[1].split("/"))
    start = [read_number("start", number, 99) for number in parts[2].split(",")]
    return Material(tiles, factors, tuple(start))  # type: ignore[arg-type] # checks their number


# Positions.


def state_to_text(state: GameState) -> str:
    """The first game of the batch."""
    rules: Rules = state.rules
    texts = [tile_to_text(tile) for tile in rules.material.types]
    lines = {
        "rules": rules_to_text(rules),
        "board": _board_to_text(state, texts),
        "turn": (
            f"{state.turn[0]} to_play={state.to_play[0]} phase={PHASES[state.phase[0]]} "
            f"laid={state.laid[0]} held={state.held[0]}"
        ),
        "scores": write_row(state.scores[0]),
        "racks": " ".join(
            write_row(texts[tile] for tile in rack if tile != NO_TILE) for rack in state.racks[0]
        ),
        "out": write_row(texts[tile] for tile in state.out[0] if tile != NO_TILE),
        "bag": write_row(texts[tile] for tile in state.bag[0, state.drawn[0] :]),
        "stream": f"{state.stream[0]:016x}",
        "policy_key": f"{state.policy_key[0]:016x}",
    }
    return write_lines(VERSION, lines)


def text_to_state(text: str) -> GameState:
    """The game that `state_to_text` wrote, as a batch of one.

    Raises:
        TypeError: this is not a string.
        ValueError: the text is malformed, or (InconsistentStateError) the position is impossible.
    """
    lines = read_lines(text, VERSION, _KEYWORDS)
    rules = text_to_rules(lines["rules"])
    state = GameState(rules, fresh_row(rules)[None].copy())
    _read_board(state, lines["board"])
    _read_turn(state, lines["turn"])
    state.scores[0] = read_number_rows("scores", lines["scores"], (1, rules.num_players), MAX_SCORE)[0]
    _read_tiles(state, lines)
    state.stream[0] = read_word("stream", lines["stream"])
    state.policy_key[0] = read_word("policy_key", lines["policy_key"])
    derive(state)
    consistency.check(state)
    return state


def _board_to_text(state: GameState, texts: list[str]) -> str:
    rows = []
    for row in state.board[0, :-1].reshape(state.rules.material.shape):
        parts: list[str] = []
        empty = 0
        for tile in [*row.tolist(), None]:  # None ends the row
            if tile == 0:
                empty += 1
                continue
            parts += [str(empty)] if empty else []
            parts += [texts[tile - 1]] if tile else []
            empty = 0
        rows.append(",".join(parts))
    return "/".join(rows)


def _read_board(state: GameState, text: str) -> None:
    rules: Rules = state.rules
    types, (num_rows, num_columns) = list(rules.material.types), rules.material.shape
    rows = text.split("/")
    if len(rows) != num_rows:
        msg = f"the board has {num_rows} rows, not {len(rows)}"
        raise ValueError(msg)
    for number, row in enumerate(rows):
        cells: list[int] = []
        for part in row.split(","):
            if re.fullmatch(r"[1-9]\d?", part, re.ASCII):
                cells += [0] * int(part)
            else:
                cells.append(1 + _type_of(types, f"row {number} of the board", part))
        if len(cells) != num_columns:
            msg = f"row {number} of the board has {num_columns} squares, not {len(cells)}"
            raise ValueError(msg)
        state.board[0, number * num_columns : (number + 1) * num_columns] = cells


def _type_of(types: list[Tile], name: str, text: str) -> int:
    tile = _read_tile(name, text)
    if tile not in types:
        msg = f"{name}: the game has no tile {text}"
        raise ValueError(msg)
    return types.index(tile)


def _read_turn(state: GameState, text: str) -> None:
    turn, _, rest = text.partition(" ")
    values = read_named_values("turn", rest, ("to_play", "phase", "laid", "held"))
    state.turn[0] = read_number("turn", turn, 2**31 - 1)
    state.phase[0] = read_choice("phase", values["phase"], PHASES)
    for name in ("to_play", "laid", "held"):
        getattr(state, name)[0] = read_number(name, values[name], 255)


def _read_tiles(state: GameState, lines: dict[str, str]) -> None:
    """Racks, tiles put out and the bag."""
    rules: Rules = state.rules
    types = list(rules.material.types)
    racks, (out,), (bag,) = (
        [
            [_type_of(types, name, tile) for tile in row]
            for row in read_rows(name, lines[name], rules.num_players if name == "racks" else 1)
        ]
        for name in ("racks", "out", "bag")
    )
    for name, tiles, most in (
        *(("a rack", rack, rules.rack_size) for rack in racks),
        ("out", out, MAX_OUT),
        ("the bag", bag, rules.num_tiles),
    ):
        if len(tiles) > most:
            msg = f"{name} has at most {most} tiles, not {len(tiles)}"
            raise ValueError(msg)
    unplaced = np.bincount([tile for row in [*racks, out, bag] for tile in row], minlength=len(types))
    too_many = np.flatnonzero(unplaced > rules.material.counts)
    if len(too_many):
        tile = too_many[0]
        most = rules.material.counts[tile]
        msg = f"the game has {most} tiles {tile_to_text(types[tile])}, not {unplaced[tile]}"
        raise ValueError(msg)
    state.unplaced[0] = unplaced
    state.placed[0] = np.count_nonzero(state.board[0, :-1])
    state.drawn[0] = rules.num_tiles - len(bag)
    state.bag[0] = [*[0] * int(state.drawn[0]), *bag]
    state.out[0] = [*out, *[NO_TILE] * (MAX_OUT - len(out))]
    for seat, rack in enumerate(racks):
        state.racks[0, seat] = [*rack, *[NO_TILE] * (rules.rack_size - len(rack))]
