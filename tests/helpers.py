"""Helpers of several tests: variants, the reference of a game, games played to some point."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from typing import TypeVar

import numpy as np
from reference import ReferenceGame

from ingenious_env import Game, GameBatch, Rules
from ingenious_env.engine.state import NO_ACTION
from ingenious_env.policies.greedy import Greedy
from ingenious_env.policies.view import View

T = TypeVar("T")
PRESETS = {
    "solitaire": Rules.solitaire(),
    "two": Rules.standard(2),
    "three": Rules.standard(3),
    "four": Rules.standard(4),
    "partnership": Rules.partnership(),
}

# All that the presets leave out, with low counter tops, which make bonus plays common.
CUSTOM = {
    "side3": Rules(2, board_side=3, num_colours=2, rack_size=2, counter_top=3),
    "side4": Rules(3, board_side=4, num_colours=3, rack_size=3, counter_top=4),
    "side5": Rules(4, board_side=5, num_colours=4, rack_size=4, counter_top=5, open_racks=True),
    "side6": Rules(2, board_side=6, num_colours=5, rack_size=5, counter_top=6, double_sheet=True),
    "side7": Rules(1, board_side=7, rack_size=6, counter_top=60),
    "side8": Rules(4, teams=True, board_side=8, counter_top=7, double_sheet=False),
    "five": Rules(5),
    "six": Rules(6, rack_size=2, counter_top=8),
    "six in teams": Rules(6, teams=True, num_colours=3),
    "crowded": Rules(6, board_side=3, counter_top=1),
    "solitaire, single sheet": Rules(1, board_side=5, num_colours=2, double_sheet=False, counter_top=9),
}

VARIANTS = PRESETS | CUSTOM


def reference_of(game: Game) -> ReferenceGame:
    """The reference with the deal of a game without moves."""
    rules = game.rules
    return ReferenceGame(
        num_players=rules.num_players,
        teams=rules.teams,
        side=rules.board_side,
        num_colours=rules.num_colours,
        rack_size=rules.rack_size,
        counter_top=rules.counter_top,
        double_sheet=rules.double_sheet,
        racks=game.racks,
        deck=game.bag_order,
    )


def mixed_actions(batch: GameBatch, rng: np.random.Generator, greed: float = 0.7) -> np.ndarray:
    """For each game a greedy action with this chance, else a random one; so counters get to their ends."""
    greedy = Greedy("points").act(View(batch))
    return np.where(rng.random(len(batch)) < greed, greedy, batch.random_actions())


def hidden_tiles(game: Game, seat: int) -> Counter[tuple[int, int]]:
    """The tiles hidden from a seat: the bag, and the racks of others unless open."""
    others = [other for other in range(game.rules.num_players) if other != seat]
    return sum((Counter(game.racks[other]) for other in others if not game.rules.open_racks), game.bag)


def batch_at(rules: Rules, num_games: int, moves: int, *, seed: int = 0, staged: bool = False) -> GameBatch:
    """Games after a number of actions; those that end earlier stay over."""
    batch = GameBatch(rules, num_games, seed, staged=staged)
    rng = np.random.default_rng(seed)
    for _ in range(moves):
        batch.play(mixed_actions(batch, rng))
    return batch


def play_out(batch: GameBatch, seed: int = 0) -> None:
    """Play all games to their ends."""
    rng = np.random.default_rng(seed)
    while not batch.is_over.all():
        batch.play(mixed_actions(batch, rng))
    assert (batch.random_actions() == NO_ACTION).all()


def pickled(each: T) -> T:
    """A copy by pickling."""
    copied: T = pickle.loads(pickle.dumps(each))
    return copied


def in_shared_memory(each: T) -> T:
    """A copy whose arrays are in memory that cannot be written, as in Ray's object store."""
    buffers: list[pickle.PickleBuffer] = []
    saved = pickle.dumps(each, protocol=5, buffer_callback=buffers.append)
    assert buffers
    copied: T = pickle.loads(saved, buffers=[bytes(buffer.raw()) for buffer in buffers])
    return copied


COPIES = [copy.deepcopy, pickled, in_shared_memory]
"""Ways to copy an environment."""
