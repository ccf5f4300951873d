"""The message of a failing comparison of engine and reference."""

from functools import partial

import pytest
from differences import DifferenceError, Fact, Turn, check_all, check_facts
from differential import compare
from helpers import reference_of
from loopit_differential import compare as compare_loopit
from loopit_differential import reference_of as loopit_reference_of

from ingenious_env import GameBatch, Rules
from ingenious_env.games.loopit import Game as Loopit
from ingenious_env.games.loopit import Rules as LoopitRules


def turn_of(*moves):
    turn = Turn()
    turn.add(0, "another turn")
    for move in moves:
        turn.add(1, move)
    return turn


def test_the_fact_the_paragraph_the_turn_and_both_answers_are_named():
    facts = [Fact("the phase", "7", 1, 1), Fact("the counters", "4.1", [1, 2], [1, 3])]
    with pytest.raises(DifferenceError) as caught:
        check_facts("RULES.md", turn_of("swap"), facts)
    assert str(caught.value).split("\n") == [
        "the counters (RULES.md 4.1) after ['swap']:",
        "  engine:    [1, 2]",
        "  reference: [1, 3]",
    ]


def test_of_sets_only_what_differs_is_told():
    with pytest.raises(DifferenceError, match=r"after the deal:\n.*engine:    \{1\}\n.*reference: \{4\}"):
        check_facts("RULES.md", None, [Fact("the legal moves", "3.1", {1, 2, 3}, {2, 3, 4})])


def test_the_shortest_turn_is_told():
    wrong = [Fact("the counters", "4.1", 1, 2)]
    checks = [partial(check_facts, "RULES.md", turn_of(*moves), wrong) for moves in ("abc", "d", "efg")]
    with pytest.raises(DifferenceError, match=r"after \['d'\]"):
        check_all([dict, *checks])
    assert check_all([dict, dict]) == [{}, {}]


def test_each_answer_of_the_reference_is_compared():
    batch = GameBatch(Rules(2), 1, 3)
    mask, other = batch.legal_mask()[0], reference_of(batch[0])
    compare(batch, 0, mask, other)
    other.scores[1][2] = 5
    with pytest.raises(DifferenceError, match=r"the counters \(RULES\.md 4\) after \['keep'\]"):
        compare(batch, 0, mask, other, turn_of("keep"))
    mask[mask.argmax()] = 0
    with pytest.raises(
        DifferenceError, match=r"(?s)the legal moves \(RULES\.md 3\.1.*engine:    set\(\)\n.*Place"
    ):
        compare(batch, 0, mask, reference_of(batch[0]))
    rules = LoopitRules(2)
    game = Loopit(rules, 4)
    slow = loopit_reference_of(rules, game)
    compare_loopit(game, slow)
    slow.racks[0] = slow.racks[0][::-1]
    compare_loopit(game, slow)  # the order of a rack does not matter
    slow.scores[0] = 7
    with pytest.raises(DifferenceError, match=r"the scores \(LOOPIT\.md 4\.1\) after the deal"):
        compare_loopit(game, slow)
