"""Bad input: an error with the fault and the allowed values, and an unchanged state."""

from __future__ import annotations

import pickle
import re

import numpy as np
import pytest
from helpers import VARIANTS, batch_at
from hypothesis import given, settings
from hypothesis import strategies as st

from ingenious_env import Game, GameBatch, IllegalActionError, Place, Rules
from ingenious_env.engine import batch as batch_module
from ingenious_env.engine.state import NO_ACTION, row_dtype
from ingenious_env.envs.spaces import Encoder
from ingenious_env.envs.versus import find_policy
from ingenious_env.games.ingenious import INGENIOUS
from ingenious_env.games.ingenious.observation import Layout
from ingenious_env.games.ingenious.rewards import make_reward
from ingenious_env.games.ingenious.state import SWAP
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.policies.greedy import Greedy


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("staged", [False, True])
def test_every_action_off_the_mask_is_refused_and_changes_nothing(name, staged):
    for moves in (0, 1, 13, 28):
        batch = batch_at(VARIANTS[name], 1, moves, staged=staged, seed=moves)
        mask, before = batch.legal_mask()[0], batch.clone()
        illegal = np.flatnonzero(mask == 0)
        rng = np.random.default_rng(moves)
        for action in [*rng.choice(illegal, 60), -2, -1, batch.num_actions, 2**40, -(2**62)]:
            if action == NO_ACTION and batch.is_over[0]:
                continue
            with pytest.raises(IllegalActionError, match=f"action {action} is illegal: .{{10}}"):
                batch.play([action])
        assert batch == before


def test_an_action_of_more_than_64_bits_is_refused():
    """As a number that is too large, and the largest and the smallest of 64 bits as illegal."""
    game = Game(seed=1)
    before = game.clone()
    for action in (2**63, 2**64, -(2**63) - 1):
        with pytest.raises(ValueError, match=f"action must be from -{2**63} to {2**63 - 1}, not {action}"):
            game.play(action)
    for action in (2**63 - 1, -(2**63)):
        with pytest.raises(IllegalActionError, match=f"action {action} is illegal"):
            game.play(action)
    assert game == before


def test_one_illegal_action_stops_the_whole_batch():
    batch = GameBatch(Rules(), 64, 0)
    before = batch.clone()
    actions = batch.random_actions()
    actions[[37, 60]] = batch.actions.swap
    for threads in (1, 2):
        for first in (37, 5):  # with two threads, in the rows of the second only, and of both
            actions[first] = batch.actions.swap
            batch = GameBatch(Rules(), 64, 0, num_threads=threads)
            message = f"action 2665 is illegal in game {first}: a tile must be placed"
            with pytest.raises(IllegalActionError, match=message):
                batch.play(actions)
            assert batch == before
        actions[5] = before.random_actions()[5]


def reasons(batch: GameBatch) -> set[str]:
    found = set()
    for action in np.flatnonzero(batch.legal_mask()[0] == 0):
        with pytest.raises(IllegalActionError) as error:
            batch.play([action])
        found.add(str(error.value).split(": ", 1)[1])
    return found


def test_the_reason_is_the_right_one():
    game = Game.from_text(
        "ingenious 1\n"
        "rules players=2 teams=no side=3 colours=2 rack=3 top=18 sheet=single racks=hidden\n"
        "board r1g/4/g3r/4/r1g\n"
        "turn 0 to_play=0 phase=place plays_left=1 held=0 touched=- swaps=0\n"
        "scores 0,0 0,0\nracks rr,rg,rg rg,gg,gg\n"
        "bag rr,rr,rr,rr,rg,rg,rg,gg,gg,gg\nshown - -\ndrawn_since 0,0 0,0\nstream 0000000000000001\n"
        "policy_key 0000000000000001\n"
    )
    batch = GameBatch.from_rows(game.rules, game.state.memory)
    pairs = batch.rules.geometry.num_pairs
    with pytest.raises(IllegalActionError, match="a double has one orientation"):
        game.play(pairs + int(np.flatnonzero(game.legal_mask()[:pairs])[0]))
    with pytest.raises(IllegalActionError, match="slots 1 and 2 hold equal tiles"):
        game.play(2 * 2 * pairs)
    standard = Game(seed=0)
    with pytest.raises(IllegalActionError, match="the first round a tile must touch"):
        standard.play(int(np.flatnonzero(standard.legal_mask()[:222] == 0)[0]))
    played = game.clone()
    played.play(int(played.legal_actions()[0]))
    with pytest.raises(IllegalActionError, match=r"cell \(.*\) of the pair .* is taken"):
        played.play(int(game.legal_actions()[0]))
    assert len(reasons(batch)) == 3


def test_reasons_at_a_swap_and_when_staged():
    batch = GameBatch(Rules(), 2048, 3)
    while not (batch.phase == SWAP).any():
        batch.play(batch.random_actions(), auto_reset=True)
    offered = batch.take(np.flatnonzero(batch.phase == SWAP)[:1])
    with pytest.raises(IllegalActionError, match=r"choice between 2664 \(keep\) and 2665 \(swap\)"):
        offered.play([0])
    staged = GameBatch(Rules(), 1, 0, staged=True)
    with pytest.raises(IllegalActionError, match="first pick a slot, 0 to 5"):
        staged.play([100])
    staged.play([0])
    with pytest.raises(
        IllegalActionError, match="slot 0 is already picked; now say where its tile goes, 6 to 449"
    ):
        staged.play([1])


def test_nothing_after_the_end():
    game = Game(Rules(board_side=3), 0)
    while not game.is_over:
        game.play(game.random_action())
    row = game.state.memory.tobytes()
    for action in (0, -1, 5000):
        with pytest.raises(IllegalActionError):
            game.play(action)
    with pytest.raises(IllegalActionError, match="the game is over"):
        game.random_action()
    with pytest.raises(IllegalActionError, match="the game is over"):
        game.move(0)
    assert game.state.memory.tobytes() == row
    assert not len(game.legal_actions())


@pytest.mark.parametrize(
    ("actions", "error", "complaint"),
    [
        ([0.0, 1.0], TypeError, "must be integers"),
        ([True, False], TypeError, "must be integers"),
        (["a", "b"], TypeError, "must be integers"),
        (np.zeros(2, np.uint64), TypeError, "must be integers of at most 64 bits, signed"),
        ([0], ValueError, r"actions must have shape \[2\], not \[1\]"),
        ([[0, 0]], ValueError, r"actions must have shape \[2\], not \[1, 2\]"),
        (0, ValueError, r"actions must have shape \[2\], not \[\]"),
        (None, TypeError, "must be integers"),
    ],
)
def test_actions_of_the_wrong_kind(actions, error, complaint):
    batch = GameBatch(Rules(), 2, 0)
    before = batch.clone()
    with pytest.raises(error, match=complaint):
        batch.play(actions)
    assert batch == before


@pytest.mark.parametrize("action", ["0", 1.0, None, True, [0]])
def test_a_game_plays_whole_numbers(action):
    game = Game(seed=0)
    with pytest.raises(TypeError, match="action must be a whole number"):
        game.play(action)
    assert game == Game(seed=0)


def test_numpy_integers_are_whole_numbers():
    game = Game(seed=np.int64(4))
    game.play(game.legal_actions()[0])
    assert game.state.placed[0] == 1
    assert Game(seed=(np.uint8(4), np.int16(0))) == Game(seed=4)
    batch = GameBatch(Rules(), np.int64(3), np.uint64(2**64 - 1), num_threads=np.int8(1))
    assert batch == GameBatch(Rules(), 3, 2**64 - 1)


def test_an_array_of_one_integer_is_a_whole_number():
    game, other = Game(seed=4), Game(seed=np.array([4]))
    assert game == other
    action = int(game.legal_actions()[-1])
    game.play(action)
    assert other.move(np.array([action])) == Game(seed=4).move(action)
    other.play(np.array([action]))
    assert game == other
    for bad in (np.array([1, 2]), np.array([[1]]), np.array([True]), np.array([1.0]), np.array([], int)):
        with pytest.raises(TypeError, match="action must be a whole number"):
            game.play(bad)
    assert game == other


@pytest.mark.parametrize("rules", [7, 7.0, "two", [Rules()], {}, (2, 3), Rules])
def test_a_game_needs_rules(rules):
    """Such as a seed in the place of the rules."""
    with pytest.raises(TypeError, match=r"rules must be .*Rules.*; a seed is given as seed="):
        Game(rules)
    with pytest.raises(TypeError, match="rules must be"):
        GameBatch(rules)
    with pytest.raises(TypeError, match="rules must be"):
        GameBatch(rules, 2, 0)


def test_a_seed_in_the_place_of_the_rules_is_told_where_it_goes():
    with pytest.raises(TypeError, match=r"rules must be .*Rules.*, not 7; a seed is given as seed="):
        Game(7)
    with pytest.raises(TypeError, match=r"rules must be .*, not None"):
        GameBatch(None)


@pytest.mark.parametrize("rows", [[3], [0, 1, 3], [-4], [2**40], [0, -(2**40)]])
@pytest.mark.parametrize("into", [False, True])
def test_rows_that_there_are_not_cannot_be_taken(rows, into):
    batch = GameBatch(Rules(), 3, 0)
    room = np.zeros((4, batch.state.memory.shape[1]), np.uint64) if into else None
    with pytest.raises(IndexError):
        batch.take(np.array(rows), room)
    assert not into or not room.any()


@pytest.mark.parametrize("into", [False, True])
def test_no_rows_are_refused(into):
    batch = GameBatch(Rules(), 3, 0)
    room = np.zeros((4, batch.state.memory.shape[1]), np.uint64) if into else None
    with pytest.raises(ValueError, match="rows must be one or more indices; a batch has at least one game"):
        batch.take(np.flatnonzero(batch.is_over), room)


def test_rows_are_taken_into_the_memory_given():
    batch = GameBatch(Rules(), 5, 0)
    room = np.zeros((4, batch.state.memory.shape[1]), np.uint64)
    taken = batch.take(np.array([4, 0, 4]), room)
    assert np.shares_memory(taken.state.memory, room)
    assert np.array_equal(room[:3], batch.state.memory[[4, 0, 4]])
    assert not room[3].any()
    with pytest.raises(IndexError, match="rows 0 to 4, not -1 to 2"):  # from the end only without `into`
        batch.take(np.array([2, -1]), room)
    with pytest.raises(IndexError, match="rows 0 to 4, not 0 to 5"):
        batch.take(np.array([5, 0]), room)


def test_a_game_takes_its_numbering_by_name():
    flat, staged = Game(seed=1), Game(seed=1, actions="staged")
    assert flat == staged == Game(seed=1, actions="flat")
    assert len(flat.legal_mask()) == 2666
    assert len(staged.legal_mask()) == 452
    placing = int(flat.legal_actions()[0])
    slot, placement = divmod(placing, 444)
    for action in (slot, 6 + placement):
        assert staged.action(flat.move(placing)) == action
        staged.play(action)
    flat.play(placing)
    assert flat == staged
    assert len(staged.clone().legal_mask()) == len(pickle.loads(pickle.dumps(staged)).legal_mask()) == 452
    for bad in ("spoken", None, True):
        with pytest.raises(ValueError, match="actions must be one of flat, staged"):
            Game(seed=1, actions=bad)


@pytest.mark.parametrize("name", ["mask", "obs"])
def test_arrays_to_be_filled_are_checked(name):
    batch = GameBatch(Rules(), 4, 0)
    width = {"mask": batch.num_actions, "obs": batch.observation_size}[name]
    before, actions = batch.clone(), batch.random_actions()
    locked = np.zeros((4, width), np.int8)
    locked.flags.writeable = False
    for bad in (
        np.zeros((4, width), np.uint8),
        np.zeros((4, width), bool),
        np.zeros((3, width), np.int8),
        np.zeros((4, width + 1), np.int8),
        np.zeros((4, 2 * width), np.int8)[:, ::2],
        locked,
        [[0]],
    ):
        with pytest.raises(ValueError, match=f"{name} must be"):
            batch.play(actions, **{name: bad})
        assert batch == before
    with pytest.raises(ValueError, match="out must be"):
        batch.legal_mask(np.zeros((4, 3), np.int8))
    with pytest.raises(ValueError, match="out must be"):
        batch.observe(np.zeros((4, 3), np.int8))
    with pytest.raises(ValueError, match="out must be"):
        batch.random_actions(np.zeros(4, np.int64))


def frozen(values):
    array = np.array(values)
    array.flags.writeable = False
    return array


def test_arrays_that_are_only_read_may_be_read_only():
    batch, other = GameBatch(Rules(), 4, 0), GameBatch(Rules(), 4, 0)
    seats = np.array([0, 1, 1, 0])
    assert np.array_equal(batch.observe(viewers=frozen(seats)), other.observe(viewers=seats))
    for each, as_given in ((batch, frozen), (other, np.array)):
        each.play(as_given(each.random_actions().astype(np.int64)))
        each.reshuffle_hidden(as_given(seats), 1)
        each.deal(as_given([True, False, True, False]))
        each.put(as_given([2, 0]), each.take(as_given([1, 3])))
    assert batch == other


def test_viewers_and_rows_are_checked():
    batch = GameBatch(Rules(), 3, 0)
    with pytest.raises(ValueError, match="viewers must be seats from 0 to 1"):
        batch.observe(viewers=[0, 1, 2])
    with pytest.raises(ValueError, match="viewers must have shape"):
        batch.reshuffle_hidden([0])
    with pytest.raises(ValueError, match="chosen must be bool"):
        batch.deal([0, 1, 1])
    with pytest.raises(IndexError, match="games 0 to 2, not 3"):
        batch[3]
    game = batch[0]
    with pytest.raises(ValueError, match="viewer must be from 0 to 1"):
        game.reshuffle_hidden(2)
    with pytest.raises(ValueError, match="player must be from 0 to 1"):
        game.observe(-1)
    with pytest.raises(ValueError, match="player must be from 0 to 1"):
        game.unseen(2)


@pytest.mark.parametrize(
    ("seed", "error"),
    [(-1, ValueError), (2**64, ValueError), (1.5, TypeError), ("7", TypeError), (True, TypeError),
     ((1, 2, 3), ValueError), ((1, -2), ValueError), ((1, "a"), TypeError)],
)  # fmt: skip
def test_seeds_are_checked(seed, error):
    with pytest.raises(error, match=r"seed|index"):
        Game(Rules(), seed)
    if not isinstance(seed, tuple):
        with pytest.raises(error, match="seed"):
            GameBatch(Rules(), 2, seed)


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
@settings(max_examples=50, deadline=None)
def test_every_seed_deals_a_sound_game(seed, index):
    rules = Rules(board_side=3, num_colours=3)
    game = Game(rules, (seed, index))
    game.check_consistency()
    assert game == Game(rules, (seed, index))


def test_no_seed_is_a_fresh_seed():
    assert Game(Rules()) != Game(Rules())
    assert GameBatch(Rules(), 2) != GameBatch(Rules(), 2)


def test_sizes_are_checked():
    for bad in (0, -3):
        with pytest.raises(ValueError, match="num_games must be from 1"):
            GameBatch(Rules(), bad, 0)
        with pytest.raises(ValueError, match="num_threads must be from 1"):
            GameBatch(Rules(), 1, 0, num_threads=bad)
        with pytest.raises(ValueError, match="games must be from 1"):
            GameBatch(Rules(), 1, 0).random_playouts(bad)
    with pytest.raises(TypeError, match="num_games must be a whole number"):
        GameBatch(Rules(), 2.0, 0)


def test_moves_are_checked():
    game = Game(seed=0)
    (low, high), cells = game.racks[0][0], game.rules.cells
    first, second = (tuple(cells[cell].tolist()) for cell in game.rules.geometry.pairs[0])
    for move in (Place((first, low), (second, high)), Place((second, high), (first, low))):
        assert game.move(game.action(move)) == Place((first, low), (second, high))
    others = [
        tile for tile in [(a, b) for a in range(1, 7) for b in range(a, 7)] if tile not in game.racks[0]
    ]
    bad = [
        (
            Place((first, others[0][0]), (second, others[0][1])),
            IllegalActionError,
            r"tile \(\d, \d\) is not on the rack, which holds \[",
        ),
        (
            Place(((9, 9), low), (second, high)),
            IllegalActionError,
            r"cell \(9, 9\) is not on the board of side 6",
        ),
        (
            Place((first, low), ((5, 0), high)),
            IllegalActionError,
            re.escape(f"cells {first} and (5, 0) are not two adjacent cells"),
        ),
        (
            Place(((0, -5), low), ((1, -5), high)),
            IllegalActionError,
            "not two adjacent cells that can hold a tile",
        ),
        (Place((first, low), (first, high)), IllegalActionError, "not two adjacent cells"),
        ("pass", TypeError, 'a move is a Place, "swap" or "keep"'),
        (7, TypeError, "a move is"),
        ((first, second), TypeError, "a move is"),
        (None, TypeError, "a move is"),
    ]
    for move, error, complaint in bad:
        with pytest.raises(error, match=complaint):
            game.action(move)
    for action in (-1, 2666, 2667):
        with pytest.raises(IllegalActionError, match=f"action {action} is not a move: actions are 0 to 2665"):
            game.move(action)


def test_the_number_of_no_action_cannot_be_played():
    with pytest.raises(IllegalActionError, match=r"^action -1 is illegal: actions are 0 to 2665$"):
        Game(seed=1).play(-1)


def test_an_empty_slot_is_no_move():
    game = Game(Rules(2, num_colours=2, counter_top=3, rack_size=2), 1)
    seen = False
    while not game.is_over and not seen:
        if len(game.racks[game.to_play]) < 2 and game.phase == "place":
            with pytest.raises(IllegalActionError, match="slot 1 of the rack is empty"):
                game.move(game.legal_actions()[-1] // 444 * 444 + 444)
            with pytest.raises(IllegalActionError, match="slot 1 of the rack is empty"):
                game.play(444)
            seen = True
        else:
            game.play(game.random_action())
    assert seen


def test_pickles_of_another_version_are_refused(monkeypatch):
    game = Game(seed=1)
    saved = pickle.dumps(game)
    was, row_version = batch_module.PICKLE_VERSION, INGENIOUS.row_version
    monkeypatch.setattr(batch_module, "PICKLE_VERSION", 99)
    complaint = rf"pickled in version \({was}, {row_version}\), and only \(99, {row_version}\) can be read"
    with pytest.raises(ValueError, match=complaint):
        pickle.loads(saved)


def test_pickles_of_another_layout_are_refused():
    batch = GameBatch(Rules(), 2, 0)
    saved = batch.__getstate__() | {"rules": Rules.standard(3)}
    expected, found = (row_dtype(rules).itemsize for rules in (Rules.standard(3), Rules()))
    with pytest.raises(ValueError, match=f"a pickled game has {expected} bytes, not {found}"):
        GameBatch.__new__(GameBatch).__setstate__(saved)


def test_names_are_checked():
    with pytest.raises(ValueError, match="reward must be one of outcome, margin, score, vector, lowest, not"):
        make_reward(Rules(), "win")
    with pytest.raises(ValueError, match="collaborative reward cannot be 'outcome'"):
        make_reward(Rules(), "outcome", collaborative=True)
    with pytest.raises(ValueError, match="observation must be one of vector, planes, dict"):
        Encoder(Layout(Rules()), "image")
    with pytest.raises(ValueError, match="opponent must be one of uniform, greedy, lowest, concave"):
        find_policy(INGENIOUS, "perfect")
    with pytest.raises(TypeError, match=r"or an object with act\(view\)"):
        find_policy(INGENIOUS, 3)
    with pytest.raises(ValueError, match="utility must be one of concave, lowest, points"):
        Greedy("best")


@given(st.integers(), st.integers(0, 30))
@settings(max_examples=300, deadline=None)
def test_any_number_is_an_action_on_the_mask_or_an_error(number, moves):
    game = batch_at(Rules(board_side=4, num_colours=3, rack_size=3), 1, moves, seed=moves)[0]
    row = game.state.memory.tobytes()
    for action in (number, number % 400):
        legal = action in game.legal_actions()
        try:
            game.play(action)
        except (IllegalActionError, ValueError):
            assert not legal
            assert game.state.memory.tobytes() == row
        else:
            assert legal
            return


@pytest.mark.parametrize("copy", [True, False])
def test_rows_of_another_variant_are_refused(copy):
    """Kernels would read and write beyond them; copied or not, as a batch or as one game."""
    rows = GameBatch(Rules(), 2, 0).state.memory
    for other in (Rules(3), Rules(2, num_colours=3), Rules.partnership(), LoopitRules()):
        for read, found in ((GameBatch.from_rows, rows), (Game.from_row, rows[0])):
            with pytest.raises(ValueError, match="rows of this variant must be uint64"):
                read(other, found, copy=copy)
    for bad in (rows[0], rows[:, :-1], rows.view(np.uint32), rows.astype(np.int64), rows[None]):
        with pytest.raises(ValueError, match="rows of this variant must be uint64"):
            GameBatch.from_rows(Rules(), bad, copy=copy)


def test_the_last_index_of_a_batch_is_an_index():
    """Indices do not wrap."""
    batch, last = GameBatch(Rules(), 3, 0), 2**64 - 1
    batch.seed(1, last - 2)
    assert batch[2] == Game(Rules(), (1, last))
    with pytest.raises(ValueError, match="index must be from 0 to"):
        batch.seed(1, last - 1)
    assert batch[2] == Game(Rules(), (1, last))
