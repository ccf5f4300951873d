"""Text: a whole position, hidden tiles and future included, and single moves; both round-trip exactly.

A position is one fact per line, in this order; colours are the letters r g b o y p:

    ingenious 1
    rules players=2 teams=no side=6 colours=6 rack=6 top=18 sheet=single racks=hidden
    board r4g/7/8/9/10/p9b/10/9/8/7/y4o          rows from the top; numbers count empty cells
    turn 0 to_play=0 phase=place plays_left=1 held=0 touched=- swaps=0
    scores 0,0,0,0,0,0 0,0,0,0,0,0               sheet by sheet, colour by colour
    racks rr,rg,gb,gb,oy,pp rg,gg,gp,bb,oo,yp    seat by seat
    bag rg,bb,…                                  in the order of drawing
    shown - -                                    seat by seat: tiles of its latest swap, not placed since
    drawn_since 0,0 0,0                          seat by seat: drawn by each seat since that swap
    stream 0123456789abcdef                      the game's random stream
    policy_key 0123456789abcdef                  determines agents' random choices

`touched` names the start symbols by their numbers, 0 to 5, clockwise from the top left. A move is `swap`,
`keep`, or two halves, each a colour and its cell's q,r:

    r0,-4 b1,-4
"""

from __future__ import annotations

import re

import numpy as np

from ingenious_env.engine.state import GameState
from ingenious_env.engine.text import (
    NONE,
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
from ingenious_env.games.ingenious import consistency
from ingenious_env.games.ingenious.geometry import NUM_SYMBOLS
from ingenious_env.games.ingenious.moves import Half, Move, Place
from ingenious_env.games.ingenious.rules import Rules
from ingenious_env.games.ingenious.state import NO_TILE, PHASES, derive
from ingenious_env.games.ingenious.tables import fresh_row
from ingenious_env.games.ingenious.tiles import COLOUR_LETTERS, Tile, tile_types
from ingenious_env.languages import Texts

VERSION = "ingenious 1"
_KEYWORDS = (
    "rules",
    "board",
    "turn",
    "scores",
    "racks",
    "bag",
    "shown",
    "drawn_since",
    "stream",
    "policy_key",
)

TEXTS = Texts(
    {
        "no move": 'a move is "swap", "keep" or two halves such as "r0,-4 b1,-4", not {text}',
        "no half": (
            f'half a tile is a colour ({COLOUR_LETTERS}) and a cell q,r, such as "r0,-4", not {{text}}'
        ),
    }
)
"""Why a text is not a move; pages without a server fill these sentences in, too."""


# Moves.


def move_to_text(move: Move) -> str:
    """A move in words."""
    if isinstance(move, str):
        return move
    return " ".join(f"{COLOUR_LETTERS[colour - 1]}{q},{r}" for (q, r), colour in move)


def text_to_move(text: str) -> Move:
    """The move that `move_to_text` wrote, or that somebody typed; ValueError if it is malformed."""
    text = line_of(text).lower()
    if text == "swap":
        return "swap"
    if text == "keep":
        return "keep"
    halves = [_text_to_half(half) for half in text.split(" ")]
    if len(halves) != 2:
        msg = TEXTS["no move"].format(text=repr(text))
        raise ValueError(msg)
    return Place(*halves)


def _text_to_half(text: str) -> Half:
    match = re.fullmatch(rf"([{COLOUR_LETTERS}])(-?\d{{1,3}}),(-?\d{{1,3}})", text, re.ASCII)
    if match is None:
        msg = TEXTS["no half"].format(text=repr(text))
        raise ValueError(msg)
    letter, q, r = match.groups()
    return (int(q), int(r)), COLOUR_LETTERS.index(letter) + 1


def tile_to_text(tile: Tile) -> str:
    """The letters of a tile's colours."""
    low, high = tile
    return f"{COLOUR_LETTERS[low - 1]}{COLOUR_LETTERS[high - 1]}"


# Rules.


def rules_to_text(rules: Rules) -> str:
    """The variant, as in the rules line."""
    sheet, racks = "double" if rules.double_sheet else "single", "open" if rules.open_racks else "hidden"
    return (
        f"players={rules.num_players} teams={'yes' if rules.teams else 'no'} side={rules.board_side} "
        f"colours={rules.num_colours} rack={rules.rack_size} top={rules.counter_top} "
        f"sheet={sheet} racks={racks}"
    )


def text_to_rules(text: str) -> Rules:
    """The variant that `rules_to_text` wrote; ValueError if it is malformed."""
    names = ("players", "teams", "side", "colours", "rack", "top", "sheet", "racks")
    values = read_named_values("rules", line_of(text), names)
    return Rules(
        read_number("players", values["players"]),
        teams=read_choice("teams", values["teams"], ("no", "yes")) == 1,
        board_side=read_number("side", values["side"]),
        num_colours=read_number("colours", values["colours"]),
        rack_size=read_number("rack", values["rack"]),
        counter_top=read_number("top", values["top"]),
        double_sheet=read_choice("sheet", values["sheet"], ("single", "double")) == 1,
        open_racks=read_choice("racks", values["racks"], ("hidden", "open")) == 1,
    )


# Positions.


def state_to_text(state: GameState) -> str:
    """The first game of the batch."""
    rules = state.rules
    touched = "".join(str(symbol) for symbol in range(NUM_SYMBOLS) if state.touched[0] >> symbol & 1)
    types = _type_texts(rules)
    shown = (np.repeat(np.arange(len(types)), counts) for counts in state.shown[0])
    lines = {
        "rules": rules_to_text(rules),
        "board": _board_to_text(state),
        "turn": (
            f"{state.turn[0]} to_play={state.to_play[0]} phase={PHASES[state.phase[0]]} "
            f"plays_left={state.plays_left[0]} held={state.held[0]} touched={touched or NONE} "
            f"swaps={state.swaps[0]}"
        ),
        "scores": " ".join(write_row(sheet) for sheet in state.scores[0]),
        "racks": " ".join(
            write_row(types[tile] for tile in rack if tile != NO_TILE) for rack in state.racks[0]
        ),
        "bag": write_row(types[tile] for tile in state.bag[0, state.drawn[0] :]),
        "shown": " ".join(write_row(types[tile] for tile in tiles) for tiles in shown),
        "drawn_since": " ".join(write_row(counts) for counts in state.drawn_since[0]),
        "stream": f"{state.stream[0]:016x}",
        "policy_key": f"{state.policy_key[0]:016x}",
    }
    return write_lines(VERSION, {keyword: lines[keyword] for keyword in _KEYWORDS})


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
    sheet_rows = [(rules.num_sheets, rules.num_colours), (rules.num_players, rules.num_players)]
    state.scores[0] = read_number_rows("scores", lines["scores"], sheet_rows[0], 127)
    state.drawn_since[0] = read_number_rows("drawn_since", lines["drawn_since"], sheet_rows[1], 255)
    _read_tiles(state, lines)
    state.stream[0] = read_word("stream", lines["stream"])
    state.policy_key[0] = read_word("policy_key", lines["policy_key"])
    derive(state)
    consistency.check(state)
    return state


def _rows(rules: Rules) -> list[slice]:
    """The cells of each row of the board."""
    breaks = np.flatnonzero(np.diff(rules.cells[:, 1])) + 1
    return [slice(low, high) for low, high in zip([0, *breaks], [*breaks, None], strict=True)]


def _board_to_text(state: GameState) -> str:
    letters = "." + COLOUR_LETTERS
    rows = ("".join(letters[colour] for colour in state.board[0, :-1][row]) for row in _rows(state.rules))
    return "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)


def _read_board(state: GameState, text: str) -> None:
    letters = COLOUR_LETTERS[: state.rules.num_colours]
    rows, texts = _rows(state.rules), text.split("/")
    if len(texts) != len(rows):
        msg = f"the board has {len(rows)} rows, not {len(texts)}"
        raise ValueError(msg)
    cells = state.board[0, :-1]
    for number, (row, row_text) in enumerate(zip(rows, texts, strict=True)):
        if not re.fullmatch(rf"([{letters}]|[1-9]\d?)*", row_text, re.ASCII):
            msg = f"row {number} of the board may hold {', '.join(letters)} and numbers, not {row_text!r}"
            raise ValueError(msg)
        spread = re.sub(r"\d+", lambda run: "." * int(run[0]), row_text)
        if len(spread) != len(cells[row]):
            msg = f"row {number} of the board has {len(cells[row])} cells, not {len(spread)}"
            raise ValueError(msg)
        cells[row] = [("." + letters).index(letter) for letter in spread]


def _read_turn(state: GameState, text: str) -> None:
    turn, _, rest = text.partition(" ")
    names = ("to_play", "phase", "plays_left", "held", "touched", "swaps")
    values = read_named_values("turn", rest, names)
    state.turn[0] = read_number("turn", turn, 255)
    state.phase[0] = read_choice("phase", values["phase"], PHASES)
    for name in ("to_play", "plays_left", "held", "swaps"):
        getattr(state, name)[0] = read_number(name, values[name], 255)
    form = f"{NONE} or start symbols, 0 to 5, ascending"
    touched = read_value("touched", values["touched"], "-|(?=.)0?1?2?3?4?5?", form, lambda s: s.strip(NONE))
    state.touched[0] = sum(1 << int(symbol) for symbol in touched)


def _read_tiles(state: GameState, lines: dict[str, str]) -> None:
    """Racks, bag and shown tiles; all other tiles are on the board."""
    rules = state.rules
    types = len(rules.tile_counts)
    racks = _tile_rows("racks", lines["racks"], rules, rules.num_players)
    shown = _tile_rows("shown", lines["shown"], rules, rules.num_players)
    (bag,) = _tile_rows("bag", lines["bag"], rules, 1)
    for name, rows in (("a rack", racks), ("a shown rack", shown)):
        longest = max(len(row) for row in rows)
        if longest > rules.rack_size:
            msg = f"{name} has at most {rules.rack_size} tiles, not {longest}"
            raise ValueError(msg)
    unplaced = np.bincount([tile for row in [*racks, bag] for tile in row], minlength=types)
    placed = np.array(rules.tile_counts) - unplaced
    worst = int(np.argmin(placed))
    if placed[worst] < 0:
        tile, most = _type_texts(rules)[worst], rules.tile_counts[worst]
        msg = f"the game has {most} tiles {tile}, not {unplaced[worst]}"
        raise ValueError(msg)
    state.unplaced[0], state.placed[0] = unplaced, placed.sum()
    state.drawn[0] = rules.num_tiles - len(bag)
    state.bag[0] = [*[0] * int(state.drawn[0]), *bag]
    for seat in range(rules.num_players):
        state.racks[0, seat] = [*racks[seat], *[NO_TILE] * (rules.rack_size - len(racks[seat]))]
        state.shown[0, seat] = np.bincount(shown[seat], minlength=types)


# Helpers of both directions.


def _type_texts(rules: Rules) -> list[str]:
    return [tile_to_text(tile) for tile in tile_types(rules.num_colours)]


def _tile_rows(name: str, text: str, rules: Rules, count: int) -> list[list[int]]:
    types = _type_texts(rules)
    rows = read_rows(name, text, count)
    unknown = [tile for row in rows for tile in row if tile not in types]
    if unknown:
        msg = f"{name}: {unknown[0][:10]!r} is not a tile; tiles are {', '.join(types)}"
        raise ValueError(msg)
    return [[types.index(tile) for tile in row] for row in rows]
