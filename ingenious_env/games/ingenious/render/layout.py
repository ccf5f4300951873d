"""Parts that pictures and texts share: the limits of drawing, the visibility of racks, and sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ingenious_env.engine.trail import Trail
from ingenious_env.games.ingenious.ranking import rank
from ingenious_env.languages import Texts
from ingenious_env.render import words

TEXTS = Texts(
    words.TURN.english
    | {
        "swap": "swap all tiles, or keep them",
        "play one": "play a tile",
        "play": "play {plays} tiles",
        "alone": "Game over: lowest counter {lowest}",
        "wins": "{names} wins by {decision}",
        "win": "{names} win by {decision}",
        "teams win": "{partners} win by {decision}",
        "decision": "the {order}lowest counter, {mine} to {theirs}",
        "orders": " second- third- fourth- fifth- sixth-",
        "joint": ", and ",
    }
)
"""Sentences about a game, which pages without a server fill in, too."""


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
        """Whether all racks are public."""

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
    def trail(self) -> Trail:
        """The tiles laid so far, and the score of the last one, as far as known."""

    @property
    def ranks(self) -> npt.NDArray[np.integer[Any]] | None:
        """Rank of each sheet, `[T]`, 1 the best; None until the game is over."""


def check_highlight(game: Drawable, highlight: Iterable[tuple[int, int]]) -> None:
    """ValueError for cells that are not on this game's board."""
    cells = {(q, r) for q, r in game.rules.cells.tolist()}
    allowed = f"cells (q, r), max(|q|, |r|, |q + r|) below {game.rules.board_side}"
    words.check_places(highlight, cells, allowed)


def is_shown(game: Drawable, player: int, viewer: int | None) -> bool:
    """Return whether the viewer sees the tiles of that player's rack, and not only their number."""
    return viewer is None or viewer == player or game.rules.open_racks


def players_of(rules: DrawableRules, sheet: int) -> list[int]:
    """The players who score on a sheet."""
    return [player for player in range(rules.num_players) if rules.sheet_of(player) == sheet]


def headline(game: Drawable, viewer: int | None, names: Sequence[str]) -> str:
    """One sentence: whose turn it is and what is due, or how the game ended.

    Whether a seat may swap depends on its rack (RULES.md 6.1), and so does what it still owes, so that others
    only see whose turn it is.
    """
    if game.is_over:
        return _result(game, names)
    turn = words.turn_of(names[game.to_play], is_viewer=viewer == game.to_play)
    is_told = is_shown(game, game.to_play, viewer)
    return TEXTS["due"].format(turn=turn, task=task(game)) if is_told else turn


def task(game: Drawable) -> str:
    """The task of the player to move; for those who may know it."""
    if game.phase == "swap":
        return TEXTS["swap"]
    plays = plays_left(game)
    return TEXTS["play one" if plays == 1 else "play"].format(plays=plays)


def plays_left(game: Drawable) -> int:
    """The most tiles that the player to move may still play in this turn (RULES.md 5.3)."""
    return min(game.plays_left, len(game.racks[game.to_play]))


def bag_line(game: Drawable) -> str:
    """The number of tiles left to draw, in words."""
    return words.in_bag(sum(game.bag.values()))


def _result(game: Drawable, names: Sequence[str]) -> str:
    rules = game.rules
    if game.ranks is None or rules.num_sheets == 1:
        return TEXTS["alone"].format(lowest=min(game.scores[0]))
    sheets = [words.listed(names[player] for player in players_of(rules, s)) for s in range(rules.num_sheets)]
    best = [sheet for sheet in range(rules.num_sheets) if game.ranks[sheet] == 1]
    if len(best) > 1:
        joint = TEXTS["joint"].join if rules.teams else words.listed
        return TEXTS["share"].format(names=joint([sheets[sheet] for sheet in best]))
    winner, why = sheets[best[0]], decision(game.scores, best[0])
    if rules.teams:
        return TEXTS["teams win"].format(partners=winner, decision=why)
    return TEXTS["win" if winner == TEXTS["you"] else "wins"].format(names=winner, decision=why)


def decision(scores: npt.NDArray[np.integer[Any]], winner: int) -> str:
    """The counter that decided the game (RULES.md 7.3), the winner's and that of the next best."""
    others = np.delete(scores, winner, axis=0)
    second = others[rank(others).argmin()]
    mine, theirs = np.sort(scores[winner]).tolist(), np.sort(second).tolist()
    nth = next(k for k, (a, b) in enumerate(zip(mine, theirs, strict=True)) if a != b)
    order = TEXTS["orders"].split(" ")[nth]
    return TEXTS["decision"].format(order=order, mine=mine[nth], theirs=theirs[nth])
