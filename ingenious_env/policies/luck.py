"""The luck of the draw: a control variate that subtracts the effect of drawn tiles from results.

Draws are judged at the next decision of the seat that drew. A tile is worth the network's value of the best
action with this tile next to those that the seat had kept; the luck of a draw is the worth of the tile less
its mean over all tiles that could have been drawn, each with its probability. Where several were drawn, their
luck is added up, each as if it were the only one. What others play in between does not depend on these tiles,
as nobody else sees them. So, for policies that do not know the bag, the expectation of the luck of each draw,
and of a game, is exactly 0, whatever the network. The better it predicts results, the more of their variance
luck explains.

Letters: B games, T score sheets, P seats, Y tile types, R slots of a rack.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ingenious_env.compiled.bag import NO_TILE
from ingenious_env.compiled.phases import OVER
from ingenious_env.engine.batch import GameBatch
from ingenious_env.engine.checks import check_integers
from ingenious_env.engine.definition import AnyRules, variant_of
from ingenious_env.engine.records import Record
from ingenious_env.engine.state import GameState
from ingenious_env.policies.value import ValueNetwork, best_actions, model_of, shipped_network


class Draws(NamedTuple):
    """The tiles that each seat has drawn since its latest decision.

    Attributes:
        tiles: int64 [B, P, Y], the tiles of each type.
        pool: int64 [B, P, Y], those among which they were.
    """

    tiles: NDArray[np.int64]
    pool: NDArray[np.int64]


class DrawLuck:
    """The luck of the draw in a batch of games, which are played through it from their deal on.

    Args:
        games: that have just been dealt, flat, without open racks if others play.
        network: judges the draws; the shipped one by default.
        candidates: as for `best_actions`; by default those of the game's `ValueModel`.

    Attributes:
        games: as given.
        latest: float64 [B, T], what the deal or the latest action has added to the luck of each sheet.
        total: float64 [B, T], the luck of each sheet so far, in units of the network's values.

    Raises:
        ValueError: no network is given, and none is shipped for the variant; or others see the racks.
    """

    def __init__(self, games: GameBatch, network: ValueNetwork | None = None, candidates: int = 0) -> None:
        rules, variant = games.rules, variant_of(games.rules)
        if are_draws_open(rules):
            msg = "the luck of the draw is not known where all racks are open"
            raise ValueError(msg)
        self.games = games
        self._network = shipped_network(rules) if network is None else network
        self._candidates = candidates or model_of(rules).luck_candidates
        self._num_types = len(variant.tiles)
        self._sheets = np.array([rules.sheet_of(seat) for seat in range(rules.num_players)])
        choices = [variant.definition.choices[name] for name in variant.flat_actions.choices]
        self._shows = np.flatnonzero([choice.shows_rack for choice in choices])
        self._returns = np.flatnonzero([choice.returns_rack for choice in choices])
        self._draws = self._deal()
        self.latest = np.zeros((len(games), rules.num_sheets))
        self.total = np.zeros_like(self.latest)
        self._judge()

    def play(self, actions: ArrayLike) -> NDArray[np.bool_]:
        """Play one flat action in each game, as `GameBatch.play`, and judge the draws that are due."""
        before = self.games.clone()
        done = self.games.play(actions)
        self._note(before, check_integers("actions", actions, len(before)))
        self._judge()
        return done

    # What is drawn.

    def _counts(self, tiles: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Int64 [n, Y]: tiles of each type among types [n, k], in which `NO_TILE` is none."""
        rows, places = np.nonzero(tiles != NO_TILE)
        where = rows * self._num_types + tiles[rows, places]
        return np.bincount(where, minlength=len(tiles) * self._num_types).reshape(len(tiles), -1)

    def _in_bag(self, games: GameBatch) -> NDArray[np.int64]:
        """Int64 [n, Y]: tiles of each type in the bag."""
        bag, drawn = games.state.bag, games.state.drawn
        is_left = np.arange(bag.shape[1]) >= drawn[:, None]
        return self._counts(np.where(is_left, bag, np.uint8(NO_TILE)))

    def _deal(self) -> Draws:
        """The racks, each drawn from what the others have left.

        Racks of others determine the board on which a rack is judged, so it is judged as if these were known.
        """
        racks = np.stack([self._counts(rack) for rack in self.games.state.racks.swapaxes(0, 1)], axis=1)
        return Draws(racks, racks + self._in_bag(self.games)[:, None])

    def _note(self, before: GameBatch, actions: NDArray[np.int64]) -> None:
        """Note what the actions have drawn."""
        state, choices = self.games.state, actions - before.actions.first_choice
        shows, returns = (np.isin(choices, numbers) for numbers in (self._shows, self._returns))
        drew = shows | returns | (state.drawn > before.state.drawn)
        rows = np.flatnonzero(drew & (state.phase != OVER))
        if len(rows) == 0:
            return
        before, after = before.take(rows), self.games.take(rows)
        each, seats = np.arange(len(rows)), before.state.to_play.astype(np.int64)
        pool = self._in_bag(before)
        whole = self._counts(after.state.racks[each, seats])
        is_whole = (shows | returns)[rows, None]
        self._draws.tiles[rows, seats] = np.where(is_whole, whole, pool - self._in_bag(after))
        put_back = self._counts(before.state.racks[each, seats])
        self._draws.pool[rows, seats] = pool + np.where(returns[rows, None], put_back, 0)

    # What it is worth.

    def _judge(self) -> None:
        """Add the luck of what the seats to move have drawn."""
        state, seats = self.games.state, self.games.state.to_play.astype(np.int64)
        self.latest[:] = 0
        has_drawn = self._draws.tiles[np.arange(len(seats)), seats].any(axis=1)
        rows = np.flatnonzero(has_drawn & (state.phase != OVER))
        if len(rows):
            seats = seats[rows]
            self.latest[rows, self._sheets[seats]] = self._luck(rows, seats)
            self.total += self.latest
            self._draws.tiles[rows, seats] = 0

    def _luck(self, rows: NDArray[np.int64], seats: NDArray[np.int64]) -> NDArray[np.float64]:
        """Float64 [n]: the luck of what these seats have drawn in these rows."""
        tiles, pool = self._draws.tiles[rows, seats], self._draws.pool[rows, seats]
        kept = self._counts(self.games.state.racks[rows, seats]) - tiles
        which, types = np.nonzero(pool)
        trial = self.games.take(rows[which])
        self._give(trial.state, seats[which], kept[which], types, tiles.sum(axis=1)[which] - 1)
        trial.variant.definition.find_phases(trial.state)
        worth = np.zeros(pool.shape)
        worth[which, types] = best_actions(self._network, trial, self._candidates)[1]
        means = (pool * worth).sum(axis=1) / pool.sum(axis=1)
        return np.asarray((tiles * worth).sum(axis=1) - tiles.sum(axis=1) * means)

    def _give(
        self,
        state: GameState,
        seats: NDArray[np.int64],
        kept: NDArray[np.int64],
        types: NDArray[np.int64],
        missing: NDArray[np.int64],
    ) -> None:
        """Give seats their racks as if they had drawn one tile.

        Args:
            state: n games.
            seats: [n].
            kept: int64 [n, Y], the tiles of each type that they had before.
            types: [n], of the tiles drawn.
            missing: [n], other tiles that they drew. Any tiles take their places in the bag, since a game
                in which tiles have vanished might never end.
        """
        rows = np.arange(len(seats))
        held = kept.copy()
        held[rows, types] += 1
        racks = np.full((len(seats), state.racks.shape[2]), NO_TILE, np.uint8)
        is_held = np.arange(racks.shape[1]) < held.sum(axis=1)[:, None]
        racks[is_held] = np.repeat(np.tile(np.arange(self._num_types), len(seats)), held.ravel())
        state.racks[rows, seats] = racks
        places, drawn = np.arange(state.bag.shape[1]), state.drawn.astype(np.int64)[:, None]
        returned = (places >= drawn - missing[:, None]) & (places < drawn)
        state.bag[:] = np.where(returned, types[:, None], state.bag)
        state.drawn[:] -= missing.astype(np.uint8)


def luck_by_move(record: Record) -> NDArray[np.float64]:
    """The luck of the draws of a game, move by move.

    Args:
        record: of the game, which may have ended early.

    Returns:
        Float64 [moves + 1, T]: row n is what move n, or for row 0 the deal, has added to the luck of each
        sheet, in units of the network's values. A draw counts at the next decision of the seat that drew.

    Raises:
        ValueError: no network is shipped for the variant, or others see the racks.
    """
    game = record.replay(0)
    luck = DrawLuck(GameBatch.from_rows(record.rules, game.state.memory))
    rows = [luck.latest[0].copy()]
    for move in record.moves:
        action = game.action(move)
        game.play(action)
        luck.play([action])
        rows.append(luck.latest[0].copy())
    return np.stack(rows)


def are_draws_open(rules: AnyRules) -> bool:
    """Return whether others see what a seat draws, so that the luck of the draw is not known."""
    return bool(rules.num_players > 1 and variant_of(rules).definition.open_racks(rules))


def has_draw_luck(rules: AnyRules) -> bool:
    """Return whether a network that measures the luck of the draw is shipped for a variant."""
    try:
        shipped_network(rules)
    except ValueError:
        return False
    return True


def relative_luck(luck: NDArray[np.float64]) -> NDArray[np.float64]:
    """The luck of each sheet less the mean of the others', float64 [B, T]; of a single sheet its own."""
    sheets = luck.shape[1]
    if sheets == 1:
        return luck
    return np.asarray((luck * sheets - luck.sum(axis=1, keepdims=True)) / (sheets - 1))
