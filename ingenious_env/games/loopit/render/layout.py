"""Parts that pictures and texts of a position share: sentences, and the visibility of racks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ingenious_env.languages import Texts
from ingenious_env.render import words

if TYPE_CHECKING:
    from ingenious_env.games.loopit.game import Game


TEXTS = Texts(
    words.TURN.english
    | {
        "stuck": "no tile fits, the rack may be thrown back",
        "lay one": "lay one{more} tile",
        "lay": "lay up to {left}{more} tiles",
        "more": " more",
        "wins": "{name} wins, {score} to {second}",
        "win": "{name} win, {score} to {second}",
    }
)
"""Sentences about a game, which pages without a server fill in, too."""
PICTURE = Texts({"round": "{tiles}, round {number} of {rounds}"})
"""Words of pictures."""


def check_highlight(game: Game, highlight: Iterable[tuple[int, int]]) -> None:
    """ValueError for squares that are not on this game's board."""
    rows, columns = game.rules.material.shape
    squares = {(row, column) for row in range(rows) for column in range(columns)}
    words.check_places(highlight, squares, f"squares (row, column) of {rows} × {columns}")


def is_shown(player: int, viewer: int | None) -> bool:
    """Return whether the viewer sees the tiles of that player's rack, and not only their number."""
    return viewer is None or viewer == player


def headline(game: Game, viewer: int | None, names: Sequence[str]) -> str:
    """One sentence: whose turn it is and what is due, or how the game ended.

    Whether a seat can lay a tile depends on its rack, so others only see whose turn it is.
    """
    if game.ranks is not None:
        best = [player for player, rank in enumerate(game.ranks.tolist()) if rank == 1]
        if len(best) > 1:
            return TEXTS["share"].format(names=words.listed(names[player] for player in best))
        second = max(score for player, score in enumerate(game.scores) if player != best[0])
        text = TEXTS["win" if names[best[0]] == TEXTS["you"] else "wins"]
        return text.format(name=names[best[0]], score=game.scores[best[0]], second=second)
    turn = words.turn_of(names[game.to_play], is_viewer=viewer == game.to_play)
    is_told = is_shown(game.to_play, viewer)
    return TEXTS["due"].format(turn=turn, task=task(game)) if is_told else turn


def task(game: Game) -> str:
    """The task of the player to move; for those who may know it."""
    if game.phase == "throw":
        return TEXTS["stuck"]
    left, more = tiles_left(game), TEXTS["more"] if game.laid else ""
    return TEXTS["lay one" if left == 1 else "lay"].format(left=left, more=more)


def tiles_left(game: Game) -> int:
    """The most tiles that the player to move may still lay in this turn (LOOPIT.md 3.1)."""
    return min(game.rules.tiles_per_turn - game.laid, len(game.racks[game.to_play]))


def bag_line(game: Game) -> str:
    """The number of tiles left to draw, and the rounds left, in words."""
    rules, tiles = game.rules, words.in_bag(sum(game.bag.values()))
    if not rules.num_rounds:
        return tiles
    round_number = min(game.turn // rules.num_players + 1, rules.num_rounds)
    return PICTURE["round"].format(tiles=tiles, number=round_number, rounds=rules.num_rounds)
