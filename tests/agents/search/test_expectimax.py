"""The one-ply expectimax, against the same sum written down with the reference's scoring."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from helpers import batch_at, hidden_tiles
from ingenious_agents import make_agent, play_match
from reference import adjacent_pairs, place_points

from ingenious_env import Game, Place, Rules
from ingenious_env.games.ingenious.opponents.utilities import UTILITIES
from ingenious_env.policies.advice import advise
from ingenious_env.policies.view import View

CASES = {
    "alone": (Rules(1, board_side=4, num_colours=3, rack_size=3), 7, 5),
    "two": (Rules(2, board_side=4, num_colours=3, rack_size=3), 7, 5),
    "three": (Rules(3, board_side=5, num_colours=4, rack_size=2), 7, 5),
    # late, when the tiles that are seen make a difference, though not often one of choice
    "open": (Rules(3, board_side=4, num_colours=3, rack_size=4, open_racks=True, counter_top=60), 11, 80),
}
"""Variants, actions after which to look, and in how many games."""
DISCOUNT = 5.0  # so that what is hoped for decides


def most_added(board, pairs, counters, tile, values, last):
    """The most that a tile adds to the value of the counters, wherever it goes."""
    most = 0.0
    for one, other in pairs:
        for colours in (tile, tile[::-1]):
            points = place_points(board, frozenset({(one, colours[0]), (other, colours[1])}))
            moved = counters.copy()
            for colour, gain in points.items():
                moved[colour - 1] = min(last, moved[colour - 1] + gain)
            most = max(most, values[moved].sum() - values[counters].sum())
    return most


def hope(board, counters, kept, unseen, draws, values, last):
    """The mean of the best addition of the tiles kept and of those drawn, over all draws with replacement."""
    pairs = [sorted(pair) for pair in adjacent_pairs({cell for cell in board if not board[cell]})]
    added = {tile: most_added(board, pairs, counters, tile, values, last) for tile in {*kept, *unseen}}
    floor = max((added[tile] for tile in kept), default=0.0)
    total, mean = sum(unseen.values()), 0.0
    for drawn in itertools.product(unseen, repeat=draws):
        chance = np.prod([unseen[tile] / total for tile in drawn])
        mean += chance * max([floor, *(added[tile] for tile in drawn)])
    return mean


def worth(game: Game, action: int, values) -> float:
    """What the agent says a placement without bonus plays is worth."""
    rules, move, seat = game.rules, game.move(action), game.to_play
    assert isinstance(move, Place)
    after = game.clone()
    after.play(action)
    sheet = rules.sheet_of(seat)
    counters = after.scores[sheet].astype(int)
    value = values[counters].sum()
    if after.is_over:
        return value
    cells = [tuple(int(number) for number in cell) for cell in rules.cells]
    board = dict(zip(cells, after.board.tolist(), strict=True))
    rack = Counter(game.racks[seat])
    rack[tuple(sorted(colour for _, colour in move))] -= 1
    unseen = hidden_tiles(game, seat)
    return value + DISCOUNT * hope(board, counters, +rack, +unseen, 1, values, rules.last_space)


@pytest.mark.parametrize(("rules", "actions", "games"), CASES.values(), ids=CASES)
def test_placements_are_worth_what_the_sum_says(rules, actions, games):
    values = UTILITIES["concave"](rules)
    agent = make_agent(f"expectimax:discount={DISCOUNT},candidates=500")
    batch = batch_at(rules, games, actions, seed=3)
    chosen = agent.act(View(batch))
    checked = 0
    for row in range(len(batch)):
        game = batch[row]
        if game.phase != "place":
            continue
        each = {action: worth(game, action, values) for action in game.legal_actions().tolist()}
        assert each[chosen[row]] == pytest.approx(max(each.values()), abs=1e-9)
        found = advise(agent, View.of(game), 10**6)
        added = found.values + values[game.scores[rules.sheet_of(game.to_play)].astype(int)].sum()
        assert dict(zip(found.actions.tolist(), added, strict=True)) == pytest.approx(each, abs=1e-9)
        assert found.actions[0] == chosen[row]
        checked += max(each.values()) > min(each.values()) + 0.01
    assert checked >= 2


def test_it_is_better_alone_than_greedy():
    lowest = {}
    for text in ("expectimax:discount=1.0", "greedy:utility=concave"):
        result = play_match(Rules.solitaire(), [make_agent(text)], 400, seed=4)
        lowest[text] = result.scores[:, 0].min(axis=1).mean()
    assert lowest["expectimax:discount=1.0"] > lowest["greedy:utility=concave"] + 0.7


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("expectimax:utility=best", "utility must be one of points, lowest, concave"),
        ("expectimax:candidates=0", "candidates must be from 1 to"),
        ("expectimax:candidates=10001", "candidates must be from 1 to 10000"),
        ("expectimax:discount=1e9", "discount must be from 0 to 1000"),
        ("expectimax:discount=-0.5", "discount must be from 0 to"),
        ("expectimax:discount=nan", "discount must be from 0 to"),
    ],
)
def test_agents_that_are_not(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        make_agent(text)
