"""Racks and draws by choice, copies, and games put back into a batch."""

from collections import Counter
from copy import copy, deepcopy

import numpy as np
import pytest

from ingenious_env import Game, GameBatch, Rules
from ingenious_env.compiled.bag import NO_TILE
from ingenious_env.games.loopit import Game as Loopit
from ingenious_env.games.loopit import Rules as LoopitRules
from scripts.examples import squares

VARIANTS = {
    "two": (Game, Rules.standard(2)),
    "four": (Game, Rules.standard(4)),
    "partnership": (Game, Rules.partnership()),
    "solitaire": (Game, Rules.solitaire()),
    "loopit": (Loopit, LoopitRules(num_players=3)),
    "loopit rounds": (Loopit, LoopitRules(num_players=2, fixed_rounds=True)),
    "squares": (squares.Game, squares.Rules(3)),
}


def played(kind, seed, moves):
    """A game after random moves."""
    game_class, rules = VARIANTS[kind]
    game = game_class(rules, seed=seed)
    for _ in range(moves):
        if game.is_over:
            break
        game.play(game.random_action())
    return game


def tiles_of(game):
    """The types in the bag, in drawing order, as people read them."""
    types = list(game.definition.tiles(game.rules))
    return [types[number] for number in game.state.bag[0, game.state.drawn[0] :]]


def hidden(game):
    """All tiles on racks and in the bag."""
    return Counter(tiles_of(game)) + Counter(tile for rack in game.racks for tile in rack)


def public(game):
    """All that the deal of hidden tiles does not touch."""
    names = set(game.state._dtype.names) - {"racks", "bag", "stream", "policy_key"}
    return {name: getattr(game.state, name).tolist() for name in names}


@pytest.mark.parametrize("moves", [0, 1, 7, 20])
@pytest.mark.parametrize("kind", ["two", "four", "partnership", "loopit", "loopit rounds", "squares"])
def test_racks_hold_what_they_are_given(kind, moves):
    """Of each seat that is not to move, as that one's tiles decide what it may do."""
    rng = np.random.default_rng(7)
    for seed in range(6):
        game = played(kind, seed, moves)
        if game.is_over:
            continue
        for seat in set(range(game.rules.num_players)) - {game.to_play}:
            before, bag = hidden(game), tiles_of(game)
            pool = sorted((Counter(bag) + Counter(game.racks[seat])).elements())
            wanted = [pool[k] for k in rng.permutation(len(pool))[: len(game.racks[seat])]]
            other, others = public(game), [rack for at, rack in enumerate(game.racks) if at != seat]
            if kind == "two" and game.state.swaps[0]:
                continue  # what was shown may forbid it: below
            game.deal({seat: wanted})
            assert Counter(game.racks[seat]) == Counter(wanted)
            assert [rack for at, rack in enumerate(game.racks) if at != seat] == others
            assert hidden(game) == before
            assert public(game) == other
            kept = [tile for tile, was in zip(tiles_of(game), bag, strict=True) if tile == was]
            assert len(bag) - len(kept) <= len(wanted)  # the rest of the bag stays in its order
            game.check_consistency()


@pytest.mark.parametrize("kind", ["two", "four", "loopit", "loopit rounds", "squares"])
def test_a_deal_by_hand_is_the_deal_of_a_seed(kind):
    """Racks of another seed's game, whose deals then have the same racks and the same moves."""
    for seed in range(30):
        model, game = played(kind, seed, 0), played(kind, seed + 1000, 0)
        more = {}
        if isinstance(model, Loopit):
            more = {"start": next(iter(model.board.values())), "put_out": model.put_out}
        game.deal(model.racks, **more)
        assert game.racks == model.racks
        assert public(game) == public(model)
        assert np.array_equal(game.legal_mask(), model.legal_mask())
        game.check_consistency()
        with pytest.raises(ValueError, match="no record"):
            game.record  # noqa: B018


def test_what_the_first_seat_may_do_follows_from_its_tiles():
    """LOOPIT.md 3.3: with a rack that fits nowhere, it throws it back or keeps it."""
    game = Loopit(seed=1)
    within_reach = Counter(tiles_of(game)) + Counter(game.racks[0])
    upright, level = ([tile for tile in within_reach if tile[0] == ends][:5] for ends in ("NS", "EW"))
    game.deal({0: upright}, start=level[0])
    assert [game.move(action) for action in game.legal_actions()] == ["throw back", "keep"]
    game.deal({0: level[1:] + upright[:1]})
    assert game.phase == "lay"


def test_racks_take_the_last_tiles_of_a_bag():
    game = played("loopit", 3, 0)
    while len(tiles_of(game)) > 3:
        game.play(game.random_action())
    other = (game.to_play + 1) % 3
    assert tiles_of(game)
    wanted = (tiles_of(game)[::-1] + game.racks[other])[: len(game.racks[other])]
    game.deal({other: wanted})
    assert Counter(game.racks[other]) == Counter(wanted)
    game.check_consistency()


@pytest.mark.parametrize("kind", sorted(VARIANTS))
def test_the_bag_gives_what_it_is_told_to(kind):
    """Of whichever seat draws: what comes to the rack is what was asked for, in all games to their ends."""
    rng = np.random.default_rng(11)
    for seed in range(4):
        game, draws = played(kind, seed, 0), 0
        while not game.is_over:
            bag, before = tiles_of(game), [Counter(rack) for rack in game.racks]
            wanted = [bag[k] for k in rng.permutation(len(bag))[:7]]
            game.next_draws(wanted)
            assert tiles_of(game)[: len(wanted)] == wanted
            assert Counter(tiles_of(game)) == Counter(bag)
            mover, drawn, placed = game.to_play, int(game.state.drawn[0]), int(game.state.placed[0])
            action = game.random_action()
            move = game.move(action)
            game.play(action)
            new = int(game.state.drawn[0]) - drawn
            if move in ("swap", "throw back"):
                continue  # the bag is shaken: below
            came = Counter(game.racks[mover]) - before[mover]
            gone = before[mover] - Counter(game.racks[mover])
            drawn_now = Counter(wanted[:new])
            laid = int(game.state.placed[0]) - placed
            assert sum(drawn_now.values()) - laid == sum(came.values()) - sum(gone.values())
            assert came <= drawn_now
            draws += new
        assert draws > 15


def test_a_swap_draws_what_it_is_told_to():
    """RULES.md 6.2: the new tiles are drawn before the old ones go back."""
    swaps = 0
    for seed in range(40):
        game = played("two", seed, 0)
        while not game.is_over and swaps < 12:
            if game.phase == "swap":
                wanted = tiles_of(game)[-6:]
                game.next_draws(wanted)
                seat = game.to_play
                game.play(game.action("swap"))
                assert Counter(game.racks[seat]) == Counter(wanted)
                swaps += 1
            else:
                game.play(game.random_action())
    assert swaps == 12


def test_bad_racks_are_refused_and_nothing_changes():
    """A clear error, and the game is as it was."""
    game = played("two", 5, 6)
    before, seat = game.clone(), 1 - game.to_play
    rack = game.racks[seat]
    for racks, message in [
        ({seat: rack[:-1]}, "has 6 tiles, not 5"),
        ({seat: [(1, 1)] * 6}, r"the bag and these racks have \d of \(1, 1\), not 6"),
        ({seat: [(2, 1)] * 6}, r"there is no tile \(2, 1\); tiles are \(1, 1\) to \(6, 6\)"),
        ({2: rack}, "seat must be from 0 to 1, not 2"),
        ([rack], "racks must be 2, one for each seat"),
    ]:
        with pytest.raises(ValueError, match=message):
            game.deal(racks)
        assert game == before
        assert game.record == before.record
    with pytest.raises(ValueError, match=r"the bag has \d of \(1, 1\), not 7"):
        game.next_draws([(1, 1)] * 7)
    assert game == before
    assert game.record == before.record


def test_racks_that_contradict_the_position_are_refused():
    """A rack to swap has no lowest colour (RULES.md 6.1), one to throw back does not fit (LOOPIT.md 3.3)."""
    game = next(game for game in map(until_swap, range(40)) if game)
    lowest = 1 + int(np.argmin(game.scores[game.to_play]))
    tile = next(tile for tile in tiles_of(game) if lowest in tile)
    before = game.clone()
    with pytest.raises(ValueError, match="contradicts"):
        game.deal({game.to_play: [tile, *game.racks[game.to_play][1:]]})
    assert game == before
    loopit = Loopit(seed=2)
    loopit.play(loopit.random_action())
    with pytest.raises(ValueError, match="at the deal only"):
        loopit.deal({}, start=("NS", 1))


def until_swap(seed):
    """A game in which a seat may swap; None if no seat ever could."""
    game = played("two", seed, 0)
    while not game.is_over and game.phase != "swap":
        game.play(game.random_action())
    return None if game.is_over else game


@pytest.mark.parametrize("kind", sorted(VARIANTS))
def test_deep_copies_are_clones(kind):
    """Equal, with the same record and future, and independent."""
    game = played(kind, 4, 5)
    twin = deepcopy([game])[0]
    assert twin == game
    assert twin.history == game.history
    assert twin.record == game.record
    assert type(copy(game)) is type(game)
    twin.play(twin.random_action())
    assert twin != game


def test_games_are_put_back_into_a_batch():
    """The rows taken, and others; the rest does not change."""
    rules = Rules.standard(3)
    batch, others = GameBatch(rules, 6, seed=1), GameBatch(rules, 2, seed=9)
    before = batch.clone()
    others.play(others.random_actions())
    batch.put([4, 1], others)
    assert (batch[4], batch[1]) == (others[0], others[1])
    assert all(batch[k] == before[k] for k in (0, 2, 3, 5))
    batch.put(np.array([1, 4]), before.take(np.array([1, 4])))
    assert batch == before


def test_bad_rows_are_refused_and_nothing_changes():
    """Rows that are not there or named twice, games of another number or variant."""
    batch, games = GameBatch(Rules.standard(2), 3, seed=1), GameBatch(Rules.standard(2), 2, seed=2)
    before = batch.clone()
    for rows, given, error, message in [
        ([0, 3], games, IndexError, "rows 0 to 2, not 0 to 3"),
        ([-1, 0], games, IndexError, "rows 0 to 2, not -1 to 0"),
        ([1, 1], games, ValueError, "row 1 is named twice"),
        ([0], games, ValueError, "shape"),
        ([0.0, 1.0], games, TypeError, "integers"),
        ([0, 1], GameBatch(Rules.standard(3), 2), ValueError, "games must be a GameBatch of"),
        ([0], [Game(seed=1)], TypeError, "games must be a GameBatch of"),
    ]:
        with pytest.raises(error, match=message):
            batch.put(rows, given)
        assert batch == before


@pytest.mark.parametrize("kind", sorted(VARIANTS))
def test_games_are_dealt_in_a_given_order(kind):
    """That of the deal of a seed: which is its tiles put out, its racks, its first tile and its bag."""
    _, rules = VARIANTS[kind]
    models = [played(kind, seed, 0) for seed in range(5)]
    orders = []
    for model in models:
        state = model.state
        order = [*(state.out[0, : rules.num_out] if kind.startswith("loopit") else [])]
        order += [tile for rack in state.racks[0] for tile in rack if tile != NO_TILE]
        order += [state.board[0, state.board[0, :-1].argmax()] - 1] if kind.startswith("loopit") else []
        orders.append([*order, *state.bag[0, state.drawn[0] :]])
    batch = GameBatch(rules, 5, seed=100)
    streams = batch.state.stream.copy()
    batch.deal_in_order(np.array(orders))
    for model, game in zip(models, [batch[k] for k in range(5)], strict=True):
        assert public(game) == public(model)
        assert game.racks == model.racks
        assert tiles_of(game) == tiles_of(model)
    assert np.array_equal(batch.state.stream, streams)
    before = batch.clone()
    for wrong, error, message in [
        (np.array(orders, float), TypeError, "orders must be integers"),
        (orders[:4], ValueError, "must have shape"),
        ([*orders[:4], [0] * len(orders[0])], ValueError, "row 4 of orders must have each type as often"),
    ]:
        with pytest.raises(error, match=message):
            batch.deal_in_order(wrong)
        assert batch == before
