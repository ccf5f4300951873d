"""The luck of the draw: exactly 0 in the mean over all that could have been drawn, for any network."""

from itertools import product

import numpy as np
import pytest
from helpers import PRESETS
from numpy.testing import assert_allclose

from ingenious_env import GameBatch, Record, Rules, View
from ingenious_env.compiled.bag import NO_TILE
from ingenious_env.compiled.phases import CHOOSE, NO_ACTION
from ingenious_env.engine.definition import variant_of
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.policies import Greedy
from ingenious_env.policies import luck as luck_module
from ingenious_env.policies.luck import DrawLuck, luck_by_move
from ingenious_env.policies.value import ValueNetwork, best_actions, model_of

GREEDY = Greedy()
SMALL = {"board_side": 3, "num_colours": 2}


def any_network(rules):
    """A network that knows nothing: its luck must have mean 0 all the same."""
    size = model_of(rules).architecture(rules).num_weights
    return ValueNetwork(rules, np.random.default_rng(7).normal(0, 0.1, size).astype(np.float32))


def greedy_actions(games, *, choice=None):
    """Greedy placements; in the phase `CHOOSE` the named choice."""
    actions = GREEDY.act(View(games)).astype(np.int64)
    if choice is not None:
        actions[games.phase == CHOOSE] = games.actions.choice(choice)
    actions[games.is_over] = NO_ACTION
    return actions


def chances(counts, sequences):
    """The probability of each sequence of types, [S, n], drawn from tiles of these counts."""
    left = np.repeat(np.array(counts, float)[None], len(sequences), axis=0)
    result, rows = np.ones(len(sequences)), np.arange(len(sequences))
    for types in sequences.T:
        result *= left[rows, types] / left.sum(axis=1)
        left[rows, types] -= 1
    return result


def deals_beginning_with(rules, length):
    """A game for each sequence in which the first tiles can be drawn, and their probabilities."""
    counts = list(variant_of(rules).tiles.values())
    sequences = np.array(list(product(range(len(counts)), repeat=length)))
    chance = chances(counts, sequences)
    sequences, chance = sequences[chance > 0], chance[chance > 0]
    games = GameBatch(rules, len(sequences), seed=0)
    rests = [
        np.repeat(np.arange(len(counts)), counts - np.bincount(each, minlength=len(counts)))
        for each in sequences
    ]
    games.deal_in_order(np.concatenate([sequences, np.array(rests)], axis=1))
    games.state.policy_key[:] = 5  # or random choices between equal actions would depend on the tiles
    return games, chance


def test_mean_luck_of_all_games_is_zero_and_so_the_adjusted_mean_is_exact():
    """A whole solitaire: every order of the tiles that are drawn, with its probability."""
    rules = Rules(1, **SMALL)
    games, chance = deals_beginning_with(rules, 9)
    assert chance.sum() == pytest.approx(1)
    luck = DrawLuck(games, any_network(rules))
    while not games.is_over.all():
        luck.play(greedy_actions(games))
    assert luck.total.std() > 0.01
    assert abs(chance @ luck.total[:, 0]) < 1e-9
    lowest = games.scores[:, 0].min(axis=1)
    assert chance @ (lowest - 1.5 * luck.total[:, 0]) == pytest.approx(chance @ lowest, abs=1e-9)


@pytest.mark.parametrize(
    "rules", [Rules(2, **SMALL, rack_size=2), Rules(4, teams=True, **SMALL, rack_size=2)]
)
def test_mean_luck_is_zero_at_every_step_of_a_game_against_others(rules):
    games, chance = deals_beginning_with(rules, rules.num_players * 2 + 2)
    luck = DrawLuck(games, any_network(rules))
    for _ in range(rules.num_players + 2):
        assert_allclose(chance @ luck.total, 0, atol=1e-12)
        luck.play(greedy_actions(games, choice="keep"))
    assert luck.total.std(axis=0).min() > 1e-3


def draw_alternatives(rules, moves, number, seed=3):
    """Copies of one game in which the seat to move next draws each possible sequence of tiles.

    Returns the games through which the luck is measured, the seat, and the probability of each.
    """
    probe = GameBatch(rules, 1, seed)
    for _ in range(moves):
        probe.play(greedy_actions(probe))
    bag = probe.state.bag[0, probe.state.drawn[0] :]
    types = len(variant_of(rules).tiles)
    counts = np.bincount(bag, minlength=types)
    sequences = np.array(list(product(np.flatnonzero(counts), repeat=number)))
    chance = chances(counts, sequences)
    sequences, chance = sequences[chance > 0], chance[chance > 0]
    games = GameBatch(rules, len(sequences), seed=0)
    games.state.memory[:] = GameBatch(rules, 1, seed).state.memory
    luck = DrawLuck(games, any_network(rules))
    for _ in range(moves):
        luck.play(greedy_actions(games))
    for row, drawn in enumerate(sequences):
        rest = np.repeat(np.arange(types), counts - np.bincount(drawn, minlength=types))
        games.state.bag[row, games.state.drawn[row] :] = np.concatenate([drawn, rest])
    return luck, int(probe.to_play[0]), chance


@pytest.mark.parametrize(
    ("rules", "moves", "number"),
    [
        *((rules, moves, 1) for rules in PRESETS.values() for moves in (0, 9, 21)),
        (Rules.partnership(), 20, 2),  # a bonus play
        *((LoopitRules(players, tiles_per_turn=1), moves, 1) for players in (2, 3, 4) for moves in (0, 30)),
        (LoopitRules(2, tiles_per_turn=2), 50, 2),
        (LoopitRules(3, tiles_per_turn=2), 40, 2),
    ],
)
def test_mean_luck_of_a_draw_is_zero(rules, moves, number):
    """All that could have been drawn, judged at the next decision of the seat that drew."""
    luck, seat, chance = draw_alternatives(rules, moves, number)
    games, is_due, before = luck.games, False, luck.games.state.drawn.astype(int)
    others_moved = rules.num_players == 1
    while not is_due:
        luck.play(greedy_actions(games, choice="keep"))
        if not others_moved and (games.to_play != seat).all():
            assert (games.state.drawn == before + number).all()
        others_moved = others_moved or bool((games.to_play != seat).all())
        is_due = others_moved and bool((games.to_play == seat).all())
    worth = luck.latest[:, rules.sheet_of(seat)]
    assert worth.std() > 1e-4
    assert abs(chance @ worth) < 1e-12


def decision_about_the_rack(rules):
    """The first game, by seed, in which greedy play leads to the phase `CHOOSE`, and after how many moves."""
    for seed in range(1000):
        game = GameBatch(rules, 1, seed)
        for moves in range(40):
            if game.phase[0] == CHOOSE:
                return seed, moves
            game.play(greedy_actions(game))
    raise AssertionError


def play_until_due(luck, seat):
    """Play until a seat is to move again; returns what it drew before, as luck of each game."""
    while True:
        luck.play(greedy_actions(luck.games, choice="keep"))
        if (luck.games.to_play == seat).all():
            return luck.latest[:, luck.games.rules.sheet_of(seat)]


def test_mean_luck_of_a_swap_is_zero():
    """The new rack is drawn before the old one is put back."""
    rules = Rules(2, board_side=4, num_colours=3, rack_size=2)
    seed, moves = decision_about_the_rack(rules)
    luck, seat, chance = draw_alternatives(rules, moves, 2, seed)
    luck.play(np.full(len(chance), luck.games.actions.choice("swap")))
    worth = play_until_due(luck, seat)
    assert worth.std() > 1e-4
    assert abs(chance @ worth) < 1e-12


def test_mean_luck_of_a_rack_thrown_back_is_zero():
    """It is shuffled into the bag first, so that its tiles can be drawn again; here by 1,000 shuffles."""
    rules = LoopitRules(2, rack_size=2)
    seed, moves = decision_about_the_rack(rules)
    games = GameBatch(rules, 1000, seed=0)
    games.state.memory[:] = GameBatch(rules, 1, seed).state.memory
    luck = DrawLuck(games, any_network(rules))
    for _ in range(moves):
        luck.play(greedy_actions(games))
    seat = int(games.to_play[0])
    games.state.stream[:] = np.random.default_rng(0).integers(2**63, size=len(games))
    luck.play(np.full(len(games), games.actions.choice("throw back")))
    worth = play_until_due(luck, seat)
    error = worth.std() / np.sqrt(len(worth))
    assert abs(worth.mean()) < 4 * error
    assert worth.std() > 1e-4


@pytest.mark.parametrize("rules", [*PRESETS.values(), LoopitRules(2)], ids=[*PRESETS, "loopit"])
def test_no_tile_vanishes_or_is_added_where_a_draw_is_judged(rules, monkeypatch):
    """The network may count tiles, and a game that lacks some may not end."""
    games, trials = GameBatch(rules, 1, seed=2), []

    def tiles_off_the_board(batch):
        held = (batch.state.racks != NO_TILE).sum(axis=(1, 2))
        return held + batch.state.bag.shape[1] - batch.state.drawn.astype(int)

    def watched(network, batch, candidates):
        trials.extend(tiles_off_the_board(batch).tolist())
        return best_actions(network, batch, candidates)

    monkeypatch.setattr(luck_module, "best_actions", watched)
    luck = DrawLuck(games, any_network(rules))
    judged = 0
    for _ in range(12):
        assert {*trials} <= {*tiles_off_the_board(games).tolist()}
        judged += len(trials)
        trials.clear()
        luck.play(greedy_actions(games, choice="keep"))
    assert judged > 50


def test_luck_is_refused_where_racks_are_open():
    with pytest.raises(ValueError, match="open"):
        DrawLuck(GameBatch(Rules(2, open_racks=True), 1, 0), any_network(Rules(2)))


def test_luck_does_not_depend_on_the_batch():
    """Rows of a batch have the luck that they have alone."""
    rules = Rules.standard(3)
    games = GameBatch(rules, 3, seed=1)
    alone = [DrawLuck(games.take(np.array([row]))) for row in range(3)]
    luck = DrawLuck(games)
    for _ in range(25):
        luck.play(greedy_actions(games))
        for each in alone:
            each.play(greedy_actions(each.games))
    assert_allclose(luck.total, np.concatenate([each.total for each in alone]), atol=1e-12)


@pytest.mark.parametrize("rules", [*PRESETS.values(), LoopitRules(2)], ids=[*PRESETS, "loopit"])
def test_the_luck_of_a_record_is_that_of_its_game_in_a_batch(rules):
    """Move by move, also of a record that ends early."""
    batch = GameBatch(rules, 2, seed=4)
    luck, rows, actions = DrawLuck(batch), [], []
    rows.append(luck.latest[1].copy())
    while not batch.is_over[1]:
        chosen = greedy_actions(batch)
        actions.append(int(chosen[1]))
        luck.play(chosen)
        rows.append(luck.latest[1].copy())
    record = Record.of_actions(rules, (4, 1), actions)
    found = luck_by_move(record)
    assert_allclose(found, rows, atol=1e-6)
    assert_allclose(found.sum(axis=0), luck.total[1], atol=1e-5)
    assert np.abs(found).max() > 0
    early = Record(record.rules, record.seed, record.moves[:5])
    assert_allclose(luck_by_move(early), rows[:6], atol=1e-6)
