"""Whole games in every variant: what is legal, what it scores, what comes next, found anew at each step."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from loopit_helpers import (
    VARIANTS,
    as_staged,
    chi_square,
    every_variant,
    fitting,
    legal_lays,
    legal_moves,
    played,
    points,
    tile_order,
)

from ingenious_env import GameBatch, IllegalActionError
from ingenious_env.games.loopit import Game, Lay

SEEN: Counter[str] = Counter()


def moves_of(game: Game) -> list:
    """The move of each legal action, which are as many as the moves, and its action again."""
    actions = game.legal_actions().tolist()
    moves = [game.move(action) for action in actions]
    assert [game.action(move) for move in moves] == actions
    assert len(set(moves)) == len(moves)
    return moves


def follow(before: Game, move: Lay | str, after: Game) -> None:
    """The effect of a move, by the rules of a turn (LOOPIT.md 3 to 5)."""
    rules, seat = before.rules, before.to_play
    players, bag, rack = rules.num_players, before.bag_order, list(before.racks[seat])
    scores, board, laid = list(before.scores), dict(before.board), before.laid
    if isinstance(move, Lay):
        rack.remove(move.tile)
        board[move.square] = move.tile
        scores[seat] += points(before, move)
        laid += 1
    assert after.board == board
    assert after.scores == scores
    assert after.put_out == before.put_out
    assert [each for other, each in enumerate(after.racks) if other != seat] == [
        each for other, each in enumerate(before.racks) if other != seat
    ]
    fits = fitting(after)
    mine = [each for each in rack if each[0] in fits]
    goes_on = isinstance(move, Lay) and laid < rules.tiles_per_turn and bool(mine)
    if goes_on:
        assert (after.to_play, after.turn, after.laid, after.phase) == (seat, before.turn, laid, "lay")
        assert (after.racks[seat], after.bag_order) == (rack, bag)
        return
    if move == "throw back":
        assert after.bag + Counter(after.racks[seat]) == before.bag + Counter(rack)
        assert len(after.racks[seat]) == len(rack)
    else:
        drawn = min(rules.rack_size - len(rack), len(bag))
        assert after.racks[seat] == sorted(rack + bag[:drawn], key=tile_order)
        assert after.bag_order == bag[drawn:]
    assert after.laid == 0
    left = {ends for ends, _ in [*after.bag, *(each for rack in after.racks for each in rack)]}
    turn, last = before.turn + 1, rules.num_rounds * players
    while not (ends := turn == last > 0 or not left & fits) and not after.racks[turn % players]:
        turn += 1
        SEEN["passed"] += 1
    assert after.turn == turn
    assert after.is_over == ends
    if not ends:
        assert after.to_play == turn % players
        assert after.phase == ("lay" if legal_lays(after, after.to_play) else "throw")
    else:
        assert after.to_play == seat
        SEEN["last round" if turn == last else "nothing fits"] += 1
        SEEN["tiles left"] += bool(left)


@every_variant
def test_every_step_is_as_the_rules_say(name):
    """In large variants not at every step, as the rules here are slow."""
    rules = VARIANTS[name]
    every = max(1, rules.num_tiles // 12)
    for seed in range(1 if every > 1 else 4):
        before: tuple[Game, Lay | str | None] | None = None
        for step, (game, move) in enumerate(played(rules, seed)):
            game.check_consistency()
            if step % every < 2 or game.is_over:
                assert set(moves_of(game)) == legal_moves(game)
                if before is not None:
                    follow(*before, game)
            before = game, move


@every_variant
def test_staged_games_are_the_same(name):
    rules = VARIANTS[name]
    flat = GameBatch(rules, 4, 9)
    staged = GameBatch(rules, 4, 9, staged=True)
    rng = np.random.default_rng(9)
    while not flat.is_over.all():
        rows = np.flatnonzero(~flat.is_over)
        mask = flat.legal_mask()
        actions = np.full(4, -1)
        actions[rows] = [rng.choice(np.flatnonzero(mask[row])) for row in rows]
        slots, places = np.full(4, -1), np.full(4, -1)
        cells = rules.material.num_cells
        staged_mask = staged.legal_mask()
        for row in rows:
            by_slot = mask[row, : flat.actions.first_choice].reshape(-1, cells)
            assert staged_mask[row].tolist() == [*by_slot.max(axis=1), *[0] * cells, *mask[row, -3:]]
            slots[row], *rest = as_staged(flat.actions, int(actions[row]))
            places[row] = rest[0] if rest else -1
        held = places >= 0
        staged.play(slots)
        staged_mask = staged.legal_mask()
        for row in np.flatnonzero(held):
            by_slot = mask[row, : flat.actions.first_choice].reshape(-1, cells)
            assert staged_mask[row].tolist() == [*[0] * rules.rack_size, *by_slot[slots[row]], 0, 0, 0]
            assert staged.state.held[row] == slots[row] + 1
        if held.any():
            part = staged.take(np.flatnonzero(held))
            part.play(places[held])
            staged.state.memory[held] = part.state.memory
        flat.play(actions)
        assert staged == flat


@pytest.mark.parametrize("actions", ["flat", "staged"])
def test_moves_of_staged_actions_name_the_whole_move(actions):
    game = Game(seed=4, actions=actions)
    (lay, *_) = sorted(legal_moves(game))
    first = game.action(lay)
    if actions == "staged":
        assert first == game.racks[0].index(lay.tile)
        game.play(first)
        others = [each for each in game.racks[0] if each != lay.tile]
        with pytest.raises(IllegalActionError, match="has been picked, not slot"):
            game.action(Lay(others[0], lay.square))
    assert game.move(game.action(lay)) == lay
    for choice in ("stop", "throw back", "keep"):
        assert game.move(game.action(choice)) == choice
    game.play(game.action(lay))
    assert game.board[lay.square] == lay.tile


def frequencies(game: Game, *, by_key: bool, samples: int = 6000) -> Counter[int]:
    """The frequency of each action, over other streams or keys of the same position."""
    staged = game.actions.staged
    crowd = GameBatch.from_rows(game.rules, np.repeat(game.state.memory, samples, axis=0), staged=staged)
    words = np.random.default_rng(1).integers(0, 2**64, samples, np.uint64)
    (crowd.state.policy_key if by_key else crowd.state.stream)[:] = words
    return Counter(crowd.random_actions(by_key=by_key).tolist())


@pytest.mark.parametrize("actions", ["flat", "staged"])
@pytest.mark.parametrize("name", ["two", "4 x 7", "19 x 19", "5 x 5, fixed"])
def test_random_actions_are_uniform_over_the_legal_ones(name, actions):
    kinds = set()
    rng = np.random.default_rng(0)
    for seed in range(3):
        game = Game(VARIANTS[name], seed, actions=actions)
        for step in range(14):
            if game.is_over:
                break
            if step % 4 < 2 or game.phase == "throw":
                expected = Counter(game.legal_actions().tolist())
                found = frequencies(game, by_key=step % 2 == 0)
                assert set(found) == set(expected)
                assert chi_square(found, expected) < 6
                kinds.add((game.phase, game.laid > 0, bool(game.state.held[0])))
            game.play(int(rng.choice(game.legal_actions())))
    assert {("lay", False, False), ("lay", True, False)} <= kinds
    assert actions == "flat" or any(held for _, _, held in kinds)


def test_turns_pass_and_games_end_in_all_ways():
    """Seen by the test of every step, which runs before."""
    assert set(SEEN) in (set(), {"passed", "last round", "nothing fits", "tiles left"})


def test_a_game_that_is_over_has_no_action():
    game = [*played(VARIANTS["corner"], 0)][-1][0]
    assert game.is_over
    assert not game.legal_mask().any()
    row = game.state.memory.copy()
    with pytest.raises(IllegalActionError, match="the game is over: there is no legal action"):
        game.random_action()
    with pytest.raises(IllegalActionError, match="action 0 is not a move: the game is over"):
        game.move(0)
    for action in (0, -1, 5000):
        with pytest.raises(IllegalActionError):
            game.play(action)
    assert np.array_equal(game.state.memory, row)


@every_variant
def test_what_is_off_the_mask_is_refused_and_changes_nothing(name):
    rng = np.random.default_rng(3)
    for staged in (False, True):
        game = Game(VARIANTS[name], 8, actions="staged" if staged else "flat")
        for step in range(30):
            if game.is_over:
                break
            if step % 5 < 2:
                before = game.clone()
                illegal = np.flatnonzero(game.legal_mask() == 0)
                for action in [*rng.choice(illegal, min(30, len(illegal)), replace=False), -2, -1, 10**6]:
                    with pytest.raises(IllegalActionError, match=f"action {action} is illegal: .{{10}}"):
                        game.play(action)
                assert game == before
            game.play(int(rng.choice(game.legal_actions())))
