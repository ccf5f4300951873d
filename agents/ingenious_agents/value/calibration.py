"""Calibration of value networks: games of a network to their ends, and the curve that fits their results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.value.weak_starts import FROM_THE_DEAL, WeakStarts, start_weakly
from ingenious_env import GameBatch, View
from ingenious_env.policies.calibration import NUM_COEFFICIENTS, Calibration, features, sigmoid
from ingenious_env.policies.value import ValueNetwork, best_actions, highest_value, model_of, progress_of

BATCH = 100
"""Games played in one batch."""
PHASES, GROUPS = 3, 10
"""Numbers of groups of equal size of positions for the error, by progress and in each by claim."""
_MAX_STEPS, _TOLERANCE = 50, 1e-9


class Claims(NamedTuple):
    """Claims of a network at N decisions and the results that followed, as shares of the highest value.

    Attributes:
        values: float64 [N], of the best action.
        progress: float64 [N], of the game.
        results: float64 [N], of the sheet that moved: its share of the win, in solitaire its lowest counter.
    """

    values: NDArray[np.float64]
    progress: NDArray[np.float64]
    results: NDArray[np.float64]


def played_claims(
    network: ValueNetwork, deals: int, seed: int, starts: WeakStarts = FROM_THE_DEAL
) -> Iterator[Claims]:
    """The claims of a network that plays all seats, batch by batch of deals (seed, 0) onwards.

    Args:
        network: the claims are those of its best actions.
        deals: the number of games.
        seed: of the deals.
        starts: which games weak players begin; their turns hold no claims.
    """
    candidates = model_of(network.rules).candidates
    for first in range(0, deals, BATCH):
        games = GameBatch(network.rules, min(BATCH, deals - first))
        games.seed(seed, first)
        start_weakly(games, network, candidates, starts, (seed, first))
        yield _claims_of(network, games)


def _claims_of(network: ValueNetwork, games: GameBatch) -> Claims:
    rules, highest = network.rules, highest_value(network.rules)
    candidates = model_of(rules).candidates
    sheet_of = np.array([rules.sheet_of(seat) for seat in range(rules.num_players)])
    results = np.empty((len(games), rules.num_sheets))
    running = np.flatnonzero(~games.is_over)
    steps = []
    while len(running):
        some = games.take(running)
        actions, values = best_actions(network, View(some).complete(), candidates)
        steps.append((running, sheet_of[some.to_play], values / highest, progress_of(some)))
        some.play(actions)
        games.put(running, some)
        over = some.is_over
        results[running[over]] = _results_of(some, over)
        running = running[~over]
    if not steps:
        return Claims(np.empty(0), np.empty(0), np.empty(0))
    numbers, sheets, claims, progress = (np.concatenate(each) for each in zip(*steps, strict=True))
    return Claims(claims, progress, results[numbers, sheets])


def _results_of(games: GameBatch, chosen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Float64 [K, T]: of the chosen games, which are over."""
    if games.rules.num_sheets == 1:
        return np.asarray(games.scores[chosen].min(axis=-1) / highest_value(games.rules))
    won = games.ranks[chosen] == 1
    return np.asarray(won / won.sum(axis=1, keepdims=True))


def joined(claims: list[Claims]) -> Claims:
    """All claims, in their order."""
    return Claims(*map(np.concatenate, zip(*claims, strict=True)))


def fit(claims: Claims) -> Calibration:
    """The maximum-likelihood curve, by Newton's method.

    Raises:
        ValueError: the claims do not determine a curve that rises, as there are too few of them.
    """
    inputs = features(claims.values, claims.progress)
    coefficients = np.zeros(NUM_COEFFICIENTS)
    coefficients[1] = 1.0
    for _ in range(_MAX_STEPS):
        shares = sigmoid(inputs @ coefficients)
        gradient = inputs.T @ (claims.results - shares)
        hessian = (inputs.T * (shares * (1 - shares))) @ inputs
        try:
            step = np.linalg.solve(hessian, gradient)
            coefficients += step
            if np.abs(step).max() < _TOLERANCE:
                return Calibration(tuple(coefficients.tolist()))
        except ValueError:  # LinAlgError is one
            break
    msg = f"{len(inputs)} positions do not determine a curve that rises; play more deals"
    raise ValueError(msg)


def error_of(shares: NDArray[np.float64], claims: Claims) -> float:
    """The mean difference between claim and result, over groups of positions with similar claims.

    Args:
        shares: float64 [N], the claims: the network's values, raw or calibrated.
        claims: of which only `progress` and `results` are used.
    """
    order = np.argsort(claims.progress, kind="stable")
    groups = [
        group
        for phase in np.array_split(order, PHASES)
        for group in np.array_split(phase[np.argsort(shares[phase], kind="stable")], GROUPS)
    ]
    gaps = [abs(float(shares[group].mean() - claims.results[group].mean())) for group in groups]
    return float(np.mean(gaps))
