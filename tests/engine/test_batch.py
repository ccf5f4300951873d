"""Batching, seeding and copying: the same seed gives the same game, byte for byte, however it is stepped."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from helpers import PRESETS, VARIANTS, batch_at, play_out

from ingenious_env import Game, GameBatch, IllegalActionError, Rules
from ingenious_env.compiled import bag
from ingenious_env.compiled.bag import NO_TILE
from ingenious_env.engine.state import NO_ACTION, row_dtype
from ingenious_env.games.ingenious import geometry, tiles
from ingenious_env.games.ingenious.state import SWAP

SEED = 11


def history(batch: GameBatch, row: int, steps: int) -> list[bytes]:
    """The bytes of one game between moves, the whole batch playing at random, finished games dealt anew."""
    found = []
    for _ in range(steps):
        if not batch.state.held[row]:
            found.append(batch.state.memory[row].tobytes())
        batch.play(batch.random_actions(), auto_reset=True)
    return found


@pytest.mark.parametrize("name", PRESETS)
def test_any_batch_size_and_any_number_of_threads(name):
    rules = PRESETS[name]
    expected = history(GameBatch(rules, 512, SEED), 5, 200)
    assert len(set(expected)) == 200
    assert history(GameBatch(rules, 7, SEED), 5, 200) == expected
    assert history(GameBatch(rules, 512, SEED, num_threads=2), 5, 200) == expected
    assert history(GameBatch(rules, 7, SEED, num_threads=3), 5, 200) == expected
    alone = GameBatch(rules, 1, 0)
    alone.seed(SEED, 5)
    assert history(alone, 0, 200) == expected


@pytest.mark.parametrize("name", PRESETS)
def test_a_game_is_a_batch_of_one(name):
    rules = PRESETS[name]
    batch = GameBatch(rules, 3, SEED)
    games = [Game(rules, seed=(SEED, index)) for index in range(3)]
    assert Game(rules, SEED) == games[0]
    assert games[0] != games[1]
    while not batch.is_over.all():
        assert [batch[row] for row in range(3)] == games
        actions = batch.random_actions()
        for game, action in zip(games, actions.tolist(), strict=True):
            if action != NO_ACTION:
                assert action == game.random_action()
                game.play(action)
        batch.play(actions)
    assert all(game.is_over for game in games)


@pytest.mark.parametrize("name", VARIANTS)
def test_staged_and_flat_play_the_same_games(name):
    rules = VARIANTS[name]
    flat, staged = GameBatch(rules, 16, SEED), GameBatch(rules, 16, SEED, staged=True)
    slots, ways = rules.rack_size, flat.actions.num_placements
    while not flat.is_over.all():
        actions = flat.random_actions().astype(np.int64)
        placing = (actions != NO_ACTION) & (actions < flat.actions.keep)
        picks = np.where(placing, actions // ways, actions - flat.actions.keep + staged.actions.keep)
        masks = flat.legal_mask()
        by_slot = masks[:, : flat.actions.keep].reshape(16, slots, ways)
        staged_masks = staged.legal_mask()
        assert np.array_equal(staged_masks[:, :slots], by_slot.any(axis=2))
        assert not staged_masks[:, slots : staged.actions.keep].any()
        assert np.array_equal(staged_masks[:, staged.actions.keep :], masks[:, flat.actions.keep :])
        staged.play(np.where(actions == NO_ACTION, NO_ACTION, picks))
        if placing.any():
            rest = staged.take(np.flatnonzero(placing))
            chosen = actions[placing]
            second = rest.legal_mask()
            assert np.array_equal(second[:, slots:-2], by_slot[placing, chosen // ways])
            assert not second[:, :slots].any()
            rest.play(slots + chosen % ways)
            staged.state.memory[placing] = rest.state.memory
        flat.play(actions)
        assert flat == staged
        assert not staged.state.held.any()


@pytest.mark.parametrize("name", ["solitaire", "two", "partnership"])
@pytest.mark.parametrize("staged", [False, True])
def test_copies_have_the_same_future(name, staged):
    batch = batch_at(PRESETS[name], 8, 21, staged=staged)
    copies = [
        batch.clone(),
        pickle.loads(pickle.dumps(batch)),
        copy.deepcopy(batch),
        GameBatch.from_rows(batch.rules, batch.state.memory, staged=staged),
    ]
    texts = [Game.from_text(batch[row].to_text()) for row in range(8)]
    play_out(batch)
    for twin in copies:
        play_out(twin)
        assert twin == batch
        assert np.array_equal(twin.ranks, batch.ranks)
        assert np.array_equal(twin.final_scores, batch.scores)
    for twin in (batch.clone(), pickle.loads(pickle.dumps(batch))):
        assert np.array_equal(twin.final_scores, batch.final_scores)
    assert all(game != batch[row] for row, game in enumerate(texts) if not game.is_over)


def test_copies_are_independent():
    game = Game(seed=3)
    twin, pickled = game.clone(), pickle.loads(pickle.dumps(game))
    row = game.state.memory.tobytes()
    twin.play(twin.random_action())
    assert game.state.memory.tobytes() == row
    assert pickled == game != twin
    game.play(game.random_action())
    assert game == twin
    batch = GameBatch(Rules(), 2, 0)
    first = batch[0]
    batch.play(batch.random_actions())
    assert first == Game(seed=(0, 0))
    assert batch[-1] == batch[1]


@pytest.mark.parametrize("kind", ["game", "batch"])
def test_copies_from_shared_memory_leave_it_alone(kind):
    """Ray and joblib hand out arrays of a pickle in memory that several readers share, or cannot write."""
    original, buffers = Game(seed=3) if kind == "game" else GameBatch(Rules(), 4, 3), []
    saved = pickle.dumps(original, protocol=5, buffer_callback=buffers.append)
    shared = [bytes(buffer.raw()) for buffer in buffers]
    before = [bytes(bytearray(each)) for each in shared]
    first, second = (pickle.loads(saved, buffers=shared) for _ in range(2))
    first.play(first.random_action() if kind == "game" else first.random_actions())
    assert shared == before
    assert second == original != first
    assert first.state.memory.flags.carray


def test_rows_that_cannot_be_written_are_copied_or_refused():
    batch = GameBatch(Rules(), 2, SEED)
    rows = np.frombuffer(batch.state.memory.tobytes(), np.uint64).reshape(2, -1)
    assert GameBatch.from_rows(Rules(), rows) == batch
    with pytest.raises(ValueError, match="rows must be a writable contiguous array, uint64"):
        GameBatch.from_rows(Rules(), rows, copy=False)


@pytest.mark.parametrize("staged", [False, True])
def test_playing_writes_mask_and_observation_in_the_same_pass(staged):
    batch, plain = (GameBatch(Rules(), 32, SEED, staged=staged) for _ in range(2))
    mask, obs = batch.legal_mask(), batch.observe()
    for _ in range(120):
        actions = batch.random_actions()
        done = batch.play(actions, auto_reset=True, mask=mask, obs=obs)
        assert np.array_equal(done, plain.play(actions, True))
        assert np.array_equal(mask, plain.legal_mask())
        assert np.array_equal(obs, plain.observe())
        assert mask.any(axis=1).all()


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("threads", [1, 2])
def test_moves_only_are_the_moves_of_a_whole_step(name, threads):
    """Two kernels: without masks, observations and new deals, and with them."""
    bare, whole = (GameBatch(PRESETS[name], 40, SEED, num_threads=threads) for _ in range(2))
    mask = whole.legal_mask()
    while not bare.is_over.all():
        wrong = np.where(bare.is_over, NO_ACTION, (mask == 0).argmax(axis=1))
        messages = []
        for batch, options in ((bare, {}), (whole, {"mask": mask})):
            with pytest.raises(IllegalActionError) as refused:
                batch.play(wrong, **options)
            messages.append(str(refused.value))
        assert messages[0] == messages[1]
        actions = bare.random_actions()
        assert np.array_equal(bare.play(actions), whole.play(actions, mask=mask))
        assert bare == whole
        over = bare.is_over
        assert np.array_equal(bare.final_scores[over], whole.final_scores[over])


def test_finished_games_wait_or_are_dealt_anew():
    batch = GameBatch(Rules(board_side=3), 4, SEED)
    assert not batch.final_scores.any()
    assert not batch.ranks.any()
    play_out(batch)
    assert batch.ranks.all()
    before = batch.clone()
    assert batch.play(np.full(4, NO_ACTION)).all()
    assert batch == before
    assert not batch.legal_mask().any()
    assert np.array_equal(batch.final_scores, batch.scores)
    batch.deal([True, False, False, True])
    assert batch.is_over.tolist() == [False, True, True, False]
    assert batch[0] != Game(batch.rules, (SEED, 0))
    again = before.clone()
    again.deal()
    assert again[0] == batch[0]


def test_final_scores_are_those_of_the_game_that_ended():
    batch = GameBatch(Rules(board_side=3), 16, SEED)
    ended = 0
    for _ in range(60):
        actions, twin = batch.random_actions(), batch.clone()
        done = batch.play(actions, auto_reset=True)
        twin.play(actions)
        assert np.array_equal(done, twin.is_over)
        assert np.array_equal(batch.final_scores, twin.final_scores)
        assert np.array_equal(batch.final_scores[done], twin.scores[done])
        assert not batch.is_over.any()
        ended += int(done.sum())
    assert ended > 16


@pytest.mark.parametrize(
    "again", [GameBatch.clone, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))]
)
def test_copies_have_the_same_random_playouts(again):
    """The seed by default is that of the latest deal, regardless of later play and deals."""
    batch = GameBatch(Rules(2), 3, SEED)
    batch.play(batch.random_actions())
    for kept in (batch, GameBatch.from_rows(Rules(2), batch.state.memory)):
        assert np.array_equal(again(kept).random_playouts(8), kept.random_playouts(8))
    batch.seed(SEED + 1)
    assert np.array_equal(again(batch).random_playouts(8), batch.random_playouts(8))


def test_random_playouts_are_the_same_games_played_at_random():
    rules = Rules.standard(3)
    batch = GameBatch(rules, 40, SEED)
    scores = GameBatch(rules, 2, SEED).random_playouts(40)
    assert np.array_equal(scores, GameBatch(rules, 2, SEED, num_threads=2).random_playouts(40))
    while not batch.is_over.all():
        batch.play(batch.random_actions())
    assert np.array_equal(scores, batch.scores)


@pytest.mark.parametrize("staged", [False, True])
def test_random_actions_are_uniform_over_the_legal_ones(staged):
    """A chi-square test on one position of many games; and asking changes nothing."""
    batch = GameBatch(Rules(2, board_side=3, num_colours=2, rack_size=2), 1, 4, staged=staged)
    rows = np.repeat(batch.state.memory, 40_000, axis=0)
    crowd = GameBatch.from_rows(batch.rules, rows, staged=staged)
    crowd.state.stream[:] = np.random.default_rng(0).integers(0, 2**63, len(crowd), dtype=np.uint64)
    legal = np.flatnonzero(batch.legal_mask()[0])
    before = crowd.clone()
    counts = np.bincount(crowd.random_actions(), minlength=crowd.num_actions)
    assert crowd == before
    assert counts.sum() == counts[legal].sum()
    expected = len(crowd) / len(legal)
    chi_square = float(((counts[legal] - expected) ** 2 / expected).sum())
    assert abs(chi_square - (len(legal) - 1)) <= 5 * np.sqrt(2 * (len(legal) - 1))


@pytest.mark.parametrize("by_key", [False, True])
def test_random_actions_follow_from_the_stream_or_from_the_key(by_key):
    batch = batch_at(Rules(), 64, 10, seed=1)
    stream, key = batch.clone(), batch.clone()
    stream.state.stream[:] += np.uint64(1)
    key.state.policy_key[:] += np.uint64(1)
    actions = batch.random_actions(by_key=by_key)
    same, other = (stream, key) if by_key else (key, stream)
    assert (same.random_actions(by_key=by_key) == actions).all()
    assert (other.random_actions(by_key=by_key) != actions).mean() > 0.9


def test_each_game_has_a_policy_key_of_its_own():
    batch = GameBatch(Rules(), 200, 1)
    first = batch.state.policy_key.copy()
    batch.deal()
    assert len({*first.tolist(), *batch.state.policy_key.tolist(), *batch.state.stream.tolist()}) == 600


@pytest.mark.parametrize("staged", [False, True])
def test_random_actions_in_a_row_do_not_hang_together(staged):
    """The relative position of one pick among the legal actions is independent of the next."""
    batch = GameBatch(Rules(2, board_side=4, num_colours=3, rack_size=3), 1, 4, staged=staged)
    crowd = GameBatch.from_rows(batch.rules, np.repeat(batch.state.memory, 20_000, axis=0), staged=staged)
    crowd.state.stream[:] = np.random.default_rng(1).integers(0, 2**63, len(crowd), dtype=np.uint64)
    rows, places = np.arange(len(crowd)), []
    for _ in range(4):
        order, actions = crowd.legal_mask().cumsum(axis=1, dtype=np.int64), crowd.random_actions()
        places.append(order[rows, actions] / order[:, -1])
        crowd.play(actions)
    correlations = np.corrcoef(places)[np.triu_indices(4, 1)]
    assert np.abs(correlations).max() < 5 / np.sqrt(len(crowd))


def test_no_two_pairs_of_seed_and_index_are_the_same_game():
    seeds = [0, 1, 2, 3, 2**32, 2**63, 2**64 - 1]
    streams = {int(Game(Rules(), (seed, index)).state.stream[0]) for seed in seeds for index in seeds}
    assert len(streams) == len(seeds) ** 2


def test_every_order_of_the_bag_is_equally_likely():
    """Chi-square of the first tile drawn, and of where the last tile of the set ends up."""
    rules = Rules.solitaire()
    batch = GameBatch(rules, 60_000, 1)
    first = np.bincount(batch.state.racks[:, 0, 0], minlength=21)
    expected = np.array(rules.tile_counts) / rules.num_tiles * len(batch)
    assert ((first - expected) ** 2 / expected).sum() < 20 + 5 * np.sqrt(40)
    second_given_first = np.zeros((21, 21))
    np.add.at(second_given_first, (batch.state.racks[:, 0, 0], batch.state.bag[:, 1]), 1)
    counts = np.array(rules.tile_counts, float)
    pairs = np.outer(counts, counts) - np.diag(counts)
    expected_pairs = pairs / pairs.sum() * len(batch)
    chi_square = ((second_given_first - expected_pairs) ** 2 / expected_pairs).sum()
    assert abs(chi_square - 440) < 5 * np.sqrt(2 * 440)


def test_after_a_swap_every_tile_in_the_bag_may_be_next():
    """Chi-square of the tile on top, the tiles that were put back among the others."""
    batch = GameBatch(Rules(), 2048, 2)
    rows: np.ndarray = np.zeros(0, np.int64)
    while not len(rows):
        batch.play(batch.random_actions(), auto_reset=True)
        racks = batch.state.racks[np.arange(len(batch)), batch.to_play]
        differ = (racks[:, 1] != NO_TILE) & (racks[:, 0] != racks[:, 1])
        rows = np.flatnonzero((batch.phase == SWAP) & differ)
    crowd = batch.take(np.repeat(rows[:1], 40_000))
    crowd.state.stream[:] = np.random.default_rng(2).integers(0, 2**63, len(crowd), dtype=np.uint64)
    crowd.play(np.full(len(crowd), crowd.actions.swap))
    left = np.bincount(crowd.state.bag[0, crowd.state.drawn[0] :], minlength=21)
    # After the swap the mover has drawn all it can, so that what is on top is what the next seat will draw.
    top = np.bincount(crowd.state.bag[:, crowd.state.drawn[0]], minlength=21)
    assert (top[left == 0] == 0).all()
    expected = left[left > 0] / left.sum() * len(crowd)
    assert ((top[left > 0] - expected) ** 2 / expected).sum() < len(expected) + 5 * np.sqrt(2 * len(expected))


def test_the_largest_games_fit_into_the_workspaces_of_the_kernels():
    rules = Rules(6, board_side=10)
    assert rules.geometry.num_cells == 271 <= geometry.MAX_CELLS
    assert rules.geometry.num_pairs <= geometry.MAX_PAIRS
    assert rules.num_colours == 6 <= tiles.MAX_COLOURS
    assert rules.rack_size == 6 <= bag.MAX_RACK
    assert len(rules.tile_counts) == 21 <= bag.MAX_TYPES
    most = max(Rules(6, board_side=10, num_colours=colours).num_tiles for colours in range(2, 7))
    assert most <= tiles.MAX_TILES


def test_a_game_takes_few_bytes():
    assert row_dtype(Rules()).itemsize <= 1536
    batch = batch_at(Rules(), 64, 20)
    assert batch.state.memory.nbytes == 64 * row_dtype(Rules()).itemsize
