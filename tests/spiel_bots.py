"""Bots of OpenSpiel that tests name as agents; this module imports nothing, as OpenSpiel may be missing."""

from __future__ import annotations

SEEN = []
"""What `Last` was given: the seat, the seed and the state."""


class Last:
    """The last legal action, or any other by its number among them."""

    def __init__(self, game, seat, seed, number=-1):
        self.seat, self.seed, self.number = seat, seed, number

    def step(self, state):
        assert state.current_player() == self.seat
        SEEN.append((self.seat, self.seed, state.clone()))
        return state.legal_actions()[self.number]


class Illegal(Last):
    def step(self, state):
        return -1


def uniform(game, seat, seed):
    import pyspiel

    return pyspiel.make_uniform_random_bot(seat, seed)


def search(game, seat, seed):
    """OpenSpiel's IS-MCTS, which resamples the hidden tiles."""
    import numpy as np
    from open_spiel.python.algorithms import ismcts, mcts

    rng = np.random.RandomState(seed)
    return ismcts.ISMCTSBot(
        game=game,
        evaluator=mcts.RandomRolloutEvaluator(1, rng),
        uct_c=2.0,
        max_simulations=6,
        random_state=rng,
        final_policy_type=ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
    )


def no_bot(game, seat, seed):
    return "a bot"


NUMBER = 3
