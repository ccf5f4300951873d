"""`Rules`: the numbers that make one variant of the game, with the presets of the rule books."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ingenious_env.engine.checks import check_bool, check_index
from ingenious_env.games.ingenious.geometry import MAX_SIDE, MIN_SIDE, Cell, Geometry, geometry
from ingenious_env.games.ingenious.tiles import MAX_COLOURS, copies

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_PLAYERS = 6
MAX_RACK = 6
MAX_LAST_SPACE = 127  # counters are int8
MAX_POINTS = 6 * (MAX_SIDE - 1)
"""More than half a tile can score on any board: six lines as long as a side (RULES.md 4.1)."""
_STANDARD_SIDES = {1: 6, 2: 6, 3: 7, 4: 8}


@dataclass(frozen=True, init=False)
class Rules:
    """One variant of the game, checked on construction.

    Args:
        num_players: 1 to 6. One player is solitaire: no bonus plays, no swaps (RULES.md 5.4, 6.3). Five and
            six players are house rules of this package (README.md of the game).
        teams: two partnerships share two sheets, seats 0, 2, … against 1, 3, … (RULES.md 4.5); an even number
            of players, at least 4.
        board_side: 3 to 10; None takes that of the rule books, and players + 4 for more than four players.
        num_colours: 2 to 6. With fewer than six, the start symbols repeat the colours in turn.
        rack_size: tiles on a full rack, 2 to 6, for one player 1 to 6; None is 6, for one player 1.
        counter_top: the last space of one sheet.
        double_sheet: two sheets end to end, with a stop at `counter_top` (RULES.md 4.4); None is yes for
            partnerships and for one player.
        open_racks: all racks lie open to all players.

    Raises:
        TypeError: a value is of the wrong type.
        ValueError: a value, or a combination of them, is impossible.
    """

    num_players: int
    teams: bool
    board_side: int
    num_colours: int
    rack_size: int
    counter_top: int
    double_sheet: bool
    open_racks: bool

    def __init__(
        self,
        num_players: int = 2,
        *,
        teams: bool = False,
        board_side: int | None = None,
        num_colours: int = MAX_COLOURS,
        rack_size: int | None = None,
        counter_top: int = 18,
        double_sheet: bool | None = None,
        open_racks: bool = False,
    ) -> None:
        players = check_index("num_players", num_players, 1, MAX_PLAYERS)
        teams = check_bool("teams", teams)
        if teams and (players < 4 or players % 2):
            msg = f"teams needs an even number of players, at least 4, not {players}"
            raise ValueError(msg)
        solitaire = players == 1
        if board_side is None:
            board_side = _STANDARD_SIDES.get(players, players + 4)
        if rack_size is None:
            rack_size = 1 if solitaire else MAX_RACK
        double = solitaire or teams if double_sheet is None else check_bool("double_sheet", double_sheet)
        values = {
            "num_players": players,
            "teams": teams,
            "board_side": check_index("board_side", board_side, MIN_SIDE, MAX_SIDE),
            "num_colours": check_index("num_colours", num_colours, 2, MAX_COLOURS),
            "rack_size": check_index("rack_size", rack_size, 1 if solitaire else 2, MAX_RACK),
            "counter_top": check_index("counter_top", counter_top, 1, MAX_LAST_SPACE // (2 if double else 1)),
            "double_sheet": double,
            "open_racks": check_bool("open_racks", open_racks),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @classmethod
    def standard(cls, num_players: int = 2) -> Rules:
        """The game for 2, 3 or 4 players, each with a separate sheet."""
        return cls(num_players=check_index("num_players", num_players, 2, 4))

    @classmethod
    def solitaire(cls) -> Rules:
        """The game for one player: one tile at a time, a double sheet (RULES.md 2.2, 4.4)."""
        return cls(num_players=1)

    @classmethod
    def partnership(cls) -> Rules:
        """Four players in two partnerships, each on a double sheet (RULES.md 4.4, 4.5)."""
        return cls(num_players=4, teams=True)

    @property
    def geometry(self) -> Geometry:
        """The board's tables."""
        return geometry(self.board_side)

    @property
    def cells(self) -> NDArray[np.int64]:
        """The board's cells, int64 [N, 2], axial (q, r); a cell's number is its index here."""
        return self.geometry.cells

    @cached_property
    def start_symbols(self) -> dict[Cell, int]:
        """The colour of each start symbol by its cell (q, r), clockwise from the top left (RULES.md 1.4)."""
        places = [tuple(self.cells[cell].tolist()) for cell in self.geometry.symbol_cells]
        return {place: number % self.num_colours + 1 for number, place in enumerate(places)}

    @property
    def num_sheets(self) -> int:
        """Score sheets, T: one per player, or one per partnership."""
        return 2 if self.teams else self.num_players

    @property
    def last_space(self) -> int:
        """The last space of a counter: `counter_top`, or twice that on a double sheet."""
        return self.counter_top * (2 if self.double_sheet else 1)

    @property
    def max_points(self) -> int:
        """More than half a tile can score: six lines as long as a side (RULES.md 4.1)."""
        return 6 * (self.board_side - 1)

    @property
    def has_bonus_plays(self) -> bool:
        """Whether a counter on its last space earns a bonus play (RULES.md 5.1, 5.4)."""
        return self.num_players > 1

    @property
    def has_swaps(self) -> bool:
        """Whether a rack may ever be swapped (RULES.md 6.1, 6.3)."""
        return self.num_players > 1

    def sheet_of(self, player: int) -> int:
        """The sheet on which a player's tiles score."""
        return player % self.num_sheets

    @cached_property
    def tile_counts(self) -> tuple[int, ...]:
        """The number of tiles of each type in the game.

        The set of the books, repeated until it fills the board, all racks and one swap.
        """
        one_set = copies(self.num_colours)
        free_cells = self.geometry.num_cells - len(self.start_symbols)
        swapped = self.rack_size if self.has_swaps else 0
        needed = free_cells // 2 + self.num_players * self.rack_size + swapped
        sets = -(-needed // sum(one_set))
        return tuple(sets * count for count in one_set)

    @property
    def num_tiles(self) -> int:
        """All tiles in the game."""
        return sum(self.tile_counts)
