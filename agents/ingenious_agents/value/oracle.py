"""Oracles: players by the value network that know hidden tiles, to measure what that knowledge is worth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.checks import MAX_CANDIDATES, MAX_HORIZON, check_range
from ingenious_agents.evaluation.match import win_shares
from ingenious_agents.value.agent import Networked
from ingenious_env import GameBatch, View
from ingenious_env.compiled.bag import NO_TILE
from ingenious_env.compiled.phases import NO_ACTION
from ingenious_env.engine.definition import AnyRules, definition_of
from ingenious_env.engine.seeding import check_seed
from ingenious_env.policies.value import advise_by, best_actions, check_candidates, choose, model_of

MAX_TILES = 255
MAX_WORLDS = 100_000


@dataclass(frozen=True)
class Oracle(Networked):
    """A contestant of studies and ladders that knows hidden tiles, unlike an agent.

    Its candidates are the actions of highest value. Each is played in the same worlds: copies of the game in
    which all that the oracle does not know is dealt anew. All seats continue by the network to the oracle's
    decision in a later turn, which the network evaluates, or to the end of the game. The candidate with the
    best mean is played. With `horizon=0` there are no worlds, and it plays as `value`.

    All deals of what it does not know are equally likely. If it knows tiles of the bag only, this disregards
    what a swap in Ingenious has shown to all. If it knows anything, it also knows the tiles put out in
    Loopit.

    Attributes:
        tiles: the number of tiles that it knows of those that are drawn next; `MAX_TILES` is the whole bag.
        racks: 1 if it knows the racks of the others.
        horizon: of its later turns, the one with which a world ends.
        worlds: their number; 1 is enough if nothing unknown is drawn before the horizon.
        candidates: the number of actions to try.
        rollout_candidates: placements, or plans, that the network evaluates per move in a world.
        seed: of the worlds.
    """

    tiles: int = 0
    racks: int = 0
    horizon: int = 1
    worlds: int = 8
    candidates: int = 4
    rollout_candidates: int = 12
    seed: int = 0

    def __post_init__(self) -> None:
        """Check the values, and read the file."""
        check_range(self, 0, MAX_TILES, "tiles")
        check_range(self, 0, 1, "racks")
        check_range(self, 0, MAX_HORIZON, "horizon")
        check_range(self, 1, MAX_WORLDS, "worlds")
        check_range(self, 1, MAX_CANDIDATES, "candidates", "rollout_candidates")
        check_seed(self.seed)
        super().__post_init__()

    @property
    def knows_hidden(self) -> bool:
        """Whether it knows more than its seat, so that the mean of its luck of the draw is not 0."""
        return bool(self.tiles or self.racks)

    def check(self, rules: AnyRules) -> None:
        """ValueError if there is no network for a variant, or it cannot evaluate as many candidates."""
        check_candidates(rules, self.rollout_candidates)
        super().check(rules)

    def act(self, view: View) -> NDArray[np.int32]:
        """Int32 [B]: the action for each game, `NO_ACTION` for finished ones; ValueError as `check`."""
        if not self.horizon:
            return choose(self.network(view.rules), view, model_of(view.rules).candidates)
        actions = np.full(len(view), NO_ACTION, np.int32)
        for row in np.flatnonzero(view.legal_mask().any(axis=1)):
            actions[row] = self._best(view.take(np.array([row])))
        return actions

    def _best(self, view: View) -> int:
        """The flat action for the one game of a view."""
        network, game = self.network(view.rules), view._batch  # the true game, which agents do not use
        advice = advise_by(network, view, model_of(view.rules).candidates, self.candidates)
        tried = len(advice.actions)
        if tried == 1:
            return int(advice.actions[0])
        games = self._dealt(game).take(np.tile(np.arange(self.worlds), tried))
        games.play(np.repeat(advice.actions, self.worlds))
        values = np.repeat(advice.values, self.worlds)
        self._continue(games, int(game.to_play[0]), int(game.state.turn[0]), values)
        return int(advice.actions[values.reshape(tried, -1).mean(axis=1).argmax()])

    def _dealt(self, game: GameBatch) -> GameBatch:
        """The worlds of a game; they do not depend on where unknown tiles are."""
        state, games = game.state, game.take(np.zeros(self.worlds, np.int64))
        random = np.random.default_rng([self.seed, int(state.policy_key[0]), int(state.placed[0])])
        if not self.knows_hidden:
            games.reshuffle_hidden(seed=int(random.integers(2**63)))
            return games
        seats, bag = np.arange(game.rules.num_players)[:, None], state.bag[0]
        sees_racks = self.racks or definition_of(game.rules).open_racks(game.rules)
        on_racks = (state.racks[0] != NO_TILE) & (seats != state.to_play[0]) & (not sees_racks)
        in_bag = np.arange(len(bag)) >= int(state.drawn[0]) + self.tiles
        unknown = np.concatenate([on_racks.ravel(), in_bag])
        if not unknown.any():
            return games
        tiles = np.tile(np.concatenate([state.racks[0].ravel(), bag]), (self.worlds, 1))
        tiles[:, unknown] = random.permuted(np.sort(tiles[:, unknown], axis=1), axis=1)
        racks, games.state.bag[:] = np.split(tiles, [on_racks.size], axis=1)
        games.state.racks[:] = np.sort(racks.reshape(games.state.racks.shape), axis=2)
        games.state.stream[:] = random.integers(2**63, size=self.worlds)  # of a bag that is shaken later
        return games

    def _continue(self, games: GameBatch, seat: int, turn: int, values: NDArray[np.float64]) -> None:
        """Continue games by the network.

        Args:
            games: after an action of a seat.
            seat: the seat.
            turn: the number of its turn.
            values: float64 [B], of the action; to be replaced by the value of the latest decision of the
                seat's sheet in each game, or against others by its share of the win in a game that ends.
        """
        network, rules = self.network(games.rules), games.rules
        sheet_of = np.array([rules.sheet_of(each) for each in range(rules.num_players)])
        rows, left, latest = (
            np.arange(len(games)),
            np.full(len(games), self.horizon),
            np.full(len(games), turn),
        )
        while True:
            ends = np.flatnonzero(games.is_over)
            if rules.num_sheets > 1 and len(ends):
                values[rows[ends]] = win_shares(games.ranks[ends])[:, sheet_of[seat]]
            actions, found = best_actions(network, games, self.rollout_candidates)
            mine = (sheet_of[games.to_play] == sheet_of[seat]) & ~games.is_over
            values[rows[mine]] = found[mine]
            left -= mine & (games.state.turn != latest)
            latest = np.where(mine, games.state.turn, latest)
            kept = np.flatnonzero((left > 0) & ~games.is_over)
            if not len(kept):
                return
            games, rows, left, latest = games.take(kept), rows[kept], left[kept], latest[kept]
            games.play(actions[kept])
