"""Pictures of a position: `svg.render` and `text.render` turn a position into a string, and do nothing else.

This module holds what both need: what a position must offer to be drawn (`Drawable`), who sees which rack,
and the sentences that say how the game stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    import numpy.typing as npt


class DrawableRules(Protocol):
    """The part of the rules that a picture shows."""

    @property
    def cells(self) -> npt.NDArray[np.integer[Any]]:
        """Axial (q, r) of every cell, `[N, 2]`."""

    @property
    def start_symbols(self) -> Mapping[tuple[int, int], int]:
        """Colour of the symbol printed on a cell."""

    @property
    def num_players(self) -> int:
        """1 to 6."""

    @property
    def num_sheets(self) -> int:
        """One for each player, or for each partnership."""

    @property
    def num_colours(self) -> int:
        """2 to 6."""

    @property
    def board_side(self) -> int:
        """3 to 10."""

    @property
    def counter_top(self) -> int:
        """The space at which a counter stops (18)."""

    @property
    def last_space(self) -> int:
        """The last space of the sheet: `counter_top`, or twice that on a double sheet."""

    @property
    def rack_size(self) -> int:
        """Tiles on a full rack."""

    @property
    def teams(self) -> bool:
        """Whether partners share a sheet."""

    @property
    def open_racks(self) -> bool:
        """Whether everybody may see every rack."""

    def sheet_of(self, player: int) -> int:
        """The sheet on which a player scores."""


class Drawable(Protocol):
    """The part of a game that a picture shows."""

    @property
    def rules(self) -> DrawableRules:
        """The rules it is played by."""

    @property
    def board(self) -> npt.NDArray[np.integer[Any]]:
        """Colour of every cell, `[N]`, 0 for an empty one."""

    @property
    def scores(self) -> npt.NDArray[np.integer[Any]]:
        """Counters, `[T, C]`."""

    @property
    def racks(self) -> Sequence[Sequence[tuple[int, int]]]:
        """The tiles of each player."""

    @property
    def bag(self) -> Mapping[tuple[int, int], int]:
        """The number of each tile left to draw."""

    @property
    def to_play(self) -> int:
        """The player whose turn it is."""

    @property
    def phase(self) -> str:
        """`"place"`, `"swap"` or `"over"`."""

    @property
    def plays_left(self) -> int:
        """Placements still owed in this turn."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""

    @property
    def ranks(self) -> npt.NDArray[np.integer[Any]] | None:
        """Rank of each sheet, `[T]`, 1 the best; None until the game is over."""


def check_viewer(game: Drawable, viewer: int | None) -> None:
    """Refuses a viewer who does not play in this game."""
    players = game.rules.num_players
    if viewer is not None and viewer not in range(players):
        msg = f"viewer must be None (sees every rack) or a player from 0 to {players - 1}, not {viewer!r}"
        raise ValueError(msg)


def check_highlight(game: Drawable, highlight: Iterable[tuple[int, int]]) -> None:
    """Refuses cells that are not on this game's board."""
    cells = {(q, r) for q, r in game.rules.cells.tolist()}
    for cell in highlight:
        if not isinstance(cell, tuple) or cell not in cells:
            side = game.rules.board_side
            msg = f"highlight takes cells (q, r), max(|q|, |r|, |q + r|) below {side}, not {cell!r}"
            raise ValueError(msg)


def is_shown(game: Drawable, player: int, viewer: int | None) -> bool:
    """Whether the viewer sees the tiles of that player's rack, and not only their number."""
    return viewer is None or viewer == player or game.rules.open_racks


def players_of(rules: DrawableRules, sheet: int) -> list[int]:
    """The players who score on a sheet."""
    return [player for player in range(rules.num_players) if rules.sheet_of(player) == sheet]


def standing(game: Drawable, sheet: int) -> str:
    """A sheet's final place, such as `1st` or `2nd, shared`; empty while there is none."""
    if game.ranks is None or game.rules.num_sheets == 1:
        return ""
    ranks = [int(rank) for rank in game.ranks]
    rank = ranks[sheet]
    ordinal = {1: "1st", 2: "2nd", 3: "3rd"}.get(rank, f"{rank}th")
    return ordinal + (", shared" if ranks.count(rank) > 1 else "")


def headline(game: Drawable, viewer: int | None) -> str:
    """One sentence: whose turn it is and what is owed, or how the game ended.

    That a seat may swap tells of its rack (RULES.md 6.1), so others only read whose turn it is.
    """
    if game.is_over:
        return f"Game over{_result(game)}"
    if not is_shown(game, game.to_play, viewer):
        return f"Player {game.to_play} to move"
    if game.phase == "swap":
        return f"Player {game.to_play} may swap the rack"
    return f"Player {game.to_play} to place, {_count(game.plays_left, 'play')} left"


def task(game: Drawable, viewer: int | None) -> str:
    """The task of the player to move in two words, as far as the viewer may know it."""
    if not is_shown(game, game.to_play, viewer):
        return "to move"
    return "may swap" if game.phase == "swap" else "to place"


def bag_line(game: Drawable) -> str:
    """The number of tiles left to draw, in words."""
    return f"{_count(sum(game.bag.values()), 'tile')} in the bag"


def _result(game: Drawable) -> str:
    rules = game.rules
    if game.ranks is None:
        return ""
    if rules.num_sheets == 1:
        return f": lowest counter {min(game.scores[0])}"
    best = [sheet for sheet in range(rules.num_sheets) if game.ranks[sheet] == 1]
    kind = "team" if rules.teams else "player"
    if len(best) > 1:
        return f": {kind}s {_listed(best)} share first place"
    partners = f" (players {_listed(players_of(rules, best[0]))})" if rules.teams else ""
    return f": {kind} {best[0]}{partners} wins"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _listed(numbers: Iterable[int]) -> str:
    *head, last = [str(number) for number in numbers]
    return f"{', '.join(head)} and {last}" if head else last
