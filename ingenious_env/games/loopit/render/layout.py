"""The sentences of pictures: how the game stands, and who sees which rack."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ingenious_env.games.loopit.game import Game


def check_viewer(game: Game, viewer: int | None) -> None:
    """ValueError for a viewer who does not play in this game."""
    players = game.rules.num_players
    if viewer is not None and viewer not in range(players):
        msg = f"viewer must be None (sees every rack) or a player from 0 to {players - 1}, not {viewer!r}"
        raise ValueError(msg)


def check_highlight(game: Game, highlight: Iterable[tuple[int, int]]) -> None:
    """ValueError for squares that are not on this game's board."""
    rows, columns = game.rules.material.shape
    for square in highlight:
        inside = isinstance(square, tuple) and len(square) == 2
        if not inside or square[0] not in range(rows) or square[1] not in range(columns):
            msg = f"highlight takes squares (row, column) of {rows} × {columns}, not {square!r}"
            raise ValueError(msg)


def is_shown(player: int, viewer: int | None) -> bool:
    """Whether the viewer sees the tiles of that player's rack, and not only their number."""
    return viewer is None or viewer == player


def standing(game: Game, player: int) -> str:
    """A player's final place, such as `1st` or `2nd, shared`; empty while there is none."""
    if game.ranks is None:
        return ""
    ranks = game.ranks.tolist()
    rank = ranks[player]
    ordinal = {1: "1st", 2: "2nd", 3: "3rd"}.get(rank, f"{rank}th")
    return ordinal + (", shared" if ranks.count(rank) > 1 else "")


def headline(game: Game, viewer: int | None) -> str:
    """One sentence: whose turn it is and what is to be done, or how the game ended.

    That a seat can lay nothing tells of its rack, so others only read whose turn it is.
    """
    if game.ranks is not None:
        best = [player for player, rank in enumerate(game.ranks.tolist()) if rank == 1]
        if len(best) == 1:
            return f"Game over: player {best[0]} wins"
        return f"Game over: players {', '.join(map(str, best[:-1]))} and {best[-1]} share first place"
    if not is_shown(game.to_play, viewer):
        return f"Player {game.to_play} to move"
    if game.phase == "throw":
        return f"Player {game.to_play} can lay no tile, and may throw the rack back"
    left, more = game.rules.tiles_per_turn - game.laid, " more" if game.laid else ""
    tiles = f"one{more} tile" if left == 1 else f"up to {left}{more} tiles"
    return f"Player {game.to_play} to lay {tiles}"


def bag_line(game: Game) -> str:
    """The number of tiles left to draw, and the rounds left, in words."""
    rules, tiles = game.rules, sum(game.bag.values())
    text = f"{tiles} tile{'' if tiles == 1 else 's'} in the bag"
    if rules.num_rounds:
        round_number = min(game.turn // rules.num_players + 1, rules.num_rounds)
        text += f", round {round_number} of {rules.num_rounds}"
    return text
