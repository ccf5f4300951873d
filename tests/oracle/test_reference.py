"""The reference implementation against figures worked by hand; RULES.md is cited by paragraph."""

import random
from collections import Counter

import pytest
from reference import (
    Perft,
    ReferenceGame,
    adjacent_pairs,
    board_cells,
    count_pair_sequences,
    full_bag,
    neighbours,
    perft,
    place_points,
    rank,
    start_symbols,
    tile_set,
)

RED, GREEN, BLUE, ORANGE, YELLOW, PURPLE = range(1, 7)
OTHER = [(BLUE, BLUE)] * 20


def lay(cell_a, colour_a, cell_b, colour_b):
    return frozenset({(cell_a, colour_a), (cell_b, colour_b)})


def paint(board, colour, *cells):
    for cell in cells:
        board[cell] = colour


def new_game(racks, deck=OTHER, first_round=False, **options):
    """A game with these racks; by default one whose first round is over."""
    options = {"num_players": len(racks), "side": 6} | options
    game = ReferenceGame(racks=racks, deck=deck, **options)
    if not first_round:
        game.turn = game.num_players
    return game


def random_game(seed, **options):
    """Play uniformly at random to the end; yield the game before each move and once it is over."""
    rng = random.Random(seed)  # noqa: S311
    players, size = options["num_players"], options["rack_size"]
    bag = sorted(full_bag(players, options["side"], options.get("num_colours", 6), size).elements())
    rng.shuffle(bag)
    racks = [bag[i * size : (i + 1) * size] for i in range(players)]
    game = ReferenceGame(racks=racks, deck=bag[players * size :], **options)
    while game.phase != "over":
        yield game
        move = rng.choice(sorted(game.legal_moves(), key=lambda m: (isinstance(m, str), sorted(m))))
        new_deck = None
        if move == "swap":
            new_deck = game.deck[size:] + game.racks[game.to_play]
            rng.shuffle(new_deck)
        game.play(move, new_deck)
    yield game


# Components (RULES.md 1, 8)


@pytest.mark.parametrize(("side", "cells"), [(2, 7), (3, 19), (6, 91), (7, 127), (8, 169)])
def test_1_3_cells(side, cells):
    assert len(board_cells(side)) == cells


@pytest.mark.parametrize(
    ("side", "every", "free", "first", "by_symbol"),
    [(6, 240, 222, 54, 9), (7, 342, 306, 102, 17), (8, 462, 426, 144, 24)],
)
def test_8_2_pair_counts(side, every, free, first, by_symbol):
    cells, symbols = board_cells(side), start_symbols(side, 6)
    free_pairs = adjacent_pairs(cells - set(symbols))
    assert len(adjacent_pairs(cells)) == every
    assert len(free_pairs) == free
    assert [sum(bool(pair & neighbours(s)) for pair in free_pairs) for s in symbols] == [by_symbol] * 6
    game = new_game([[(RED, RED)], [(RED, RED)]], side=side, first_round=True)
    assert len(game.legal_moves()) == first


def test_8_1_symbols_clockwise():
    symbols = {(0, -5): 1, (5, -5): 2, (5, 0): 3, (0, 5): 4, (-5, 5): 5, (-5, 0): 6}
    assert start_symbols(6, 6) == start_symbols(8, 6) == symbols
    assert start_symbols(7, 4) == {(0, -5): 1, (5, -5): 2, (5, 0): 3, (0, 5): 4, (-5, 5): 1, (-5, 0): 2}
    assert start_symbols(3, 6) == {(0, -2): 1, (2, -2): 2, (2, 0): 3, (0, 2): 4, (-2, 2): 5, (-2, 0): 6}


def test_1_2_tiles():
    tiles = tile_set(6)
    assert tiles.total() == 120
    assert len(tiles) == 21
    assert all(low <= high for low, high in tiles)
    halves = Counter(colour for tile in tiles.elements() for colour in tile)
    assert halves == dict.fromkeys(range(1, 7), 40)


def test_full_bag_repeats_the_set():
    assert full_bag(2, 6, 6, 6) == full_bag(4, 8, 6, 6) == full_bag(1, 6, 6, 1) == tile_set(6)
    # Three colours: 18 + 15 = 33 tiles a set. Side 6: 85 // 2 + 2 * 6 + 6 = 60 tiles, two sets.
    assert full_bag(2, 6, 3, 6).total() == 66
    # Side 3, two colours: 6 + 10 = 16 tiles a set. 13 // 2 + 2 * 4 + 4 = 18; alone 6 + 4 = 10.
    assert full_bag(2, 3, 2, 4).total() == 32
    assert full_bag(1, 3, 2, 4).total() == 16
    # Just enough: 13 // 2 + 2 * 3 + 3 = 15; and 6 + 10 = 16 alone with a rack of ten.
    assert full_bag(2, 3, 2, 3).total() == full_bag(1, 3, 2, 10).total() == 16
    assert full_bag(1, 3, 2, 11).total() == 32


# Scoring (RULES.md 4): the tile lies on (0, 0) and (1, 0)


def test_4_1_one_point():
    board = {}
    paint(board, RED, (-1, 0))
    assert place_points(board, lay((0, 0), RED, (1, 0), GREEN)) == {RED: 1, GREEN: 0}


def test_4_1_two_points_in_one_line_up_to_another_colour():
    board = {}
    paint(board, RED, (-1, 0), (-2, 0), (-4, 0))
    paint(board, GREEN, (-3, 0))
    assert place_points(board, lay((0, 0), RED, (1, 0), GREEN)) == {RED: 2, GREEN: 0}


def test_4_1_four_points_in_two_lines_up_to_a_gap():
    board = {}
    paint(board, RED, (-1, 0), (-2, 0), (-4, 0), (0, 1), (0, 2), (0, 4), (2, -2))
    assert place_points(board, lay((0, 0), RED, (1, 0), GREEN)) == {RED: 4, GREEN: 0}


def test_4_1_two_and_four_points():
    board = {}
    paint(board, RED, (1, -1), (0, -1))
    paint(board, GREEN, (2, 0), (3, 0), (4, 0), (1, 1))
    assert place_points(board, lay((0, 0), RED, (1, 0), GREEN)) == {RED: 2, GREEN: 4}


def test_4_1_one_and_two_points():
    board = {}
    paint(board, RED, (-1, 1))
    paint(board, GREEN, (2, -1), (3, -2))
    assert place_points(board, lay((0, 0), RED, (1, 0), GREEN)) == {RED: 1, GREEN: 2}


def test_4_2_double_scores_twelve_and_shared_cells_twice():
    # Three in each of four lines; (0, 1) and (1, -1) lie next to both halves.
    board = {}
    paint(board, RED, (0, 1), (0, 2), (0, 3), (-1, 2), (-2, 3))
    paint(board, RED, (1, -1), (2, -2), (3, -3), (1, -2), (1, -3))
    assert place_points(board, lay((0, 0), RED, (1, 0), RED)) == {RED: 12}


def test_4_1_not_through_the_other_half():
    board = {}
    paint(board, RED, (2, 0), (3, 0))
    assert place_points(board, lay((0, 0), RED, (1, 0), GREEN)) == {RED: 0, GREEN: 0}
    assert place_points(board, lay((0, 0), RED, (1, 0), RED)) == {RED: 2}


def test_4_1_start_symbols_count_and_the_edge_stops():
    board = start_symbols(6, 6)
    paint(board, RED, (0, -4))
    assert place_points(board, lay((0, -3), RED, (0, -2), GREEN)) == {RED: 2, GREEN: 0}


# Counters and bonus plays (RULES.md 4, 5)


def partnership(rack, scores):
    """Player 0's turn: (0, 0) scores 4 green, (1, 0) 2 yellow."""
    racks = [rack, OTHER[:6], OTHER[:6], OTHER[:6]]
    game = new_game(racks, side=8, teams=True, double_sheet=True)
    paint(game.board, GREEN, (-1, 0), (-2, 0), (0, 1), (0, 2))
    paint(game.board, YELLOW, (2, 0), (3, 0))
    game.scores[0] = scores
    return game


def test_5_1_partnership_two_counters_reach_18_with_one_tile():
    game = partnership([(GREEN, YELLOW), *[(RED, RED)] * 5], [5, 15, 5, 5, 16, 5])
    game.play(lay((0, 0), GREEN, (1, 0), YELLOW))
    assert game.scores == [[5, 18, 5, 5, 18, 5], [0] * 6]  # the fourth green point is lost
    assert (game.to_play, game.phase, game.plays_left, game.bonus_earned) == (0, "place", 2, 2)
    assert len(game.racks[0]) == 5  # nothing drawn before the bonus plays (RULES.md 5.2)
    game.play(lay((-3, 6), RED, (-4, 6), RED))
    assert (game.to_play, game.plays_left) == (0, 1)
    game.play(lay((5, 2), RED, (4, 2), RED))
    # No swap, as red is among the lowest colours.
    assert (game.to_play, game.phase, game.plays_left) == (1, "place", 1)
    assert (game.turn, game.bonus_earned, len(game.racks[0])) == (5, 2, 6)


def test_4_4_second_half_of_a_double_stops_at_18_a_later_tile_does_not():
    game = partnership([(GREEN, GREEN), (RED, GREEN), *[(RED, RED)] * 4], [5, 17, 5, 5, 5, 5])
    game.play(lay((0, 0), GREEN, (1, 0), GREEN))  # 4 from the left half, 1 from the right one: (0, 1)
    assert game.scores[0] == [5, 18, 5, 5, 5, 5]
    assert (game.to_play, game.plays_left) == (0, 1)
    game.play(lay((0, 3), GREEN, (0, 4), RED))  # the bonus play, at the end of a line of three
    assert game.scores[0] == [5, 21, 5, 5, 5, 5]
    assert game.bonus_earned == 1


def test_5_1_no_second_bonus_for_standing_on_18():
    game = partnership([(GREEN, YELLOW), *[(RED, RED)] * 5], [5, 5, 5, 5, 18, 5])
    game.play(lay((6, 0), YELLOW, (6, 1), GREEN))  # scores nothing
    assert game.scores[0] == [5, 5, 5, 5, 18, 5]
    assert game.bonus_earned == 0


def test_5_1_partnership_earns_again_at_36_and_loses_the_excess():
    game = partnership([(GREEN, YELLOW), *[(RED, RED)] * 5], [5, 33, 5, 5, 33, 5])
    game.play(lay((0, 0), GREEN, (1, 0), YELLOW))
    assert game.scores[0] == [5, 36, 5, 5, 35, 5]
    assert (game.plays_left, game.bonus_earned) == (1, 1)


def test_4_3_single_sheet_ends_at_18():
    game = partnership([(GREEN, YELLOW), *[(RED, RED)] * 5], [5, 16, 5, 5, 18, 5])
    game.double_sheet = False
    game.play(lay((0, 0), GREEN, (1, 0), YELLOW))
    assert game.scores[0] == [5, 18, 5, 5, 18, 5]
    assert game.bonus_earned == 1  # yellow stood there already


def test_4_5_partners_share_a_sheet():
    game = partnership([(GREEN, YELLOW), *[(RED, RED)] * 5], [5] * 6)
    game.to_play = 2
    game.racks[2] = [(GREEN, YELLOW)]
    assert [game.sheet_of(player) for player in range(4)] == [0, 1, 0, 1]
    game.play(lay((0, 0), GREEN, (1, 0), YELLOW))
    assert game.scores == [[5, 9, 5, 5, 7, 5], [0] * 6]


def test_5_2_bonus_plays_may_earn_more():
    game = new_game([[(RED, GREEN)] * 6, OTHER[:6]], counter_top=1)
    game.play(lay((0, -4), RED, (0, -3), GREEN))  # red, by the symbol on (0, -5)
    assert (game.to_play, game.plays_left, game.bonus_earned) == (0, 1, 1)
    game.play(lay((4, -4), GREEN, (3, -3), RED))  # green, by the symbol on (5, -5)
    assert (game.to_play, game.plays_left, game.bonus_earned) == (0, 1, 2)
    game.play(lay((0, 0), GREEN, (1, 0), RED))
    assert (game.bonus_earned, len(game.racks[0])) == (2, 3)
    assert game.phase == "swap"  # red and green stand at 1, the lowest colours at 0


def test_5_3_forfeited_with_an_empty_rack():
    game = new_game([[(RED, RED)], [(GREEN, GREEN)]], rack_size=1, counter_top=1)
    game.play(lay((0, -4), RED, (0, -3), RED))
    assert game.bonus_earned == 1
    assert (game.to_play, game.phase, game.plays_left) == (1, "place", 1)
    assert game.racks[0] == [(BLUE, BLUE)]


def test_5_3_forfeited_without_an_open_pair():
    game = new_game([[(RED, RED)] * 6, OTHER[:6]], counter_top=1)
    paint(game.board, BLUE, *(game.empty_cells() - {(0, -4), (0, -3), (0, 0)}))
    game.play(lay((0, -4), RED, (0, -3), RED))
    assert (game.bonus_earned, game.phase, game.plays_left, game.ranks) == (1, "over", 0, [1, 2])


def test_3_2_no_bonus_plays_in_a_first_round_nor_later_for_it():
    game = new_game([[(RED, RED)] * 6, OTHER[:6]], counter_top=1, first_round=True)
    game.play(lay((0, -4), RED, (0, -3), RED))
    assert (game.scores[0][0], game.bonus_earned, game.phase) == (1, 0, "swap")
    game.play("keep")
    game.play(lay((4, 0), BLUE, (3, 0), BLUE))
    assert (game.scores[1][BLUE - 1], game.bonus_earned) == (1, 0)
    game.play("keep")
    assert game.turn == 2
    game.play(lay((1, -5), RED, (2, -5), RED))  # by the red symbol again, in the second round
    assert (game.turn, game.bonus_earned) == (3, 0)


def test_5_4_solitaire_has_no_bonus_plays():
    game = new_game([[(RED, RED)]], num_players=1, counter_top=1, double_sheet=True)
    game.play(lay((0, -4), RED, (0, -3), RED))
    assert game.scores == [[1, 0, 0, 0, 0, 0]]
    assert (game.bonus_earned, game.to_play, game.phase, game.turn) == (0, 0, "place", 2)
    assert game.racks == [[(BLUE, BLUE)]]  # one tile at a time (RULES.md 2.2)


# The first round (RULES.md 3.2, 8.3)


def test_8_3_no_symbol_touched_before():
    game = new_game([[(RED, RED)] * 6, OTHER[:6], OTHER[:6]], side=7, first_round=True)
    game.play(lay((0, -4), RED, (0, -3), RED))
    game.play("keep")
    assert game.touched == {(0, -5)}
    assert len(game.legal_moves()) == 102 - 17
    with pytest.raises(ValueError, match="illegal"):
        game.play(lay((-1, -4), BLUE, (-2, -4), BLUE))  # touches the red symbol
    with pytest.raises(ValueError, match="illegal"):
        game.play(lay((0, 0), BLUE, (1, 0), BLUE))  # touches none
    game.play(lay((4, -4), BLUE, (3, -3), BLUE))
    assert len(game.legal_moves()) == 102 - 2 * 17


def test_8_3_one_symbol_touched_before_spoils_another():
    game = new_game([[(RED, RED)], [(RED, RED)]], side=3, rack_size=1, first_round=True)
    assert len(game.legal_moves()) == 24
    game.play(lay((0, 0), RED, (0, -1), RED))  # only touches the symbol on (0, -2)
    assert game.touched == {(0, -2)}
    between = lay((1, -2), RED, (1, -1), RED)  # touches (0, -2) and (2, -2)
    assert between not in game.legal_moves()
    game.touched = set()
    assert between in game.legal_moves()


def test_8_3_waived_where_no_pair_is_left():
    racks = [[(RED, RED)] for _ in range(5)]
    game = new_game(racks, side=3, rack_size=1, first_round=True)
    game.play(lay((1, -2), RED, (1, -1), RED))  # the symbols on (0, -2) and (2, -2)
    game.play(lay((1, 1), RED, (0, 1), RED))  # on (2, 0) and (0, 2)
    assert len(game.touched) == 4
    last = {pair for pair in game.legal_moves() if (-2, 1) in dict(pair)}
    assert last == {lay((-2, 1), RED, (-1, 0), RED), lay((-2, 1), RED, (-1, 1), RED)}
    game.play(lay((-2, 1), RED, (-1, 1), RED))  # on (-2, 2) and (-2, 0): all six
    # Empty: (0, 0), (1, 0), (0, -1), (-1, 0) and (2, -1), (-1, 2), (-1, -1).
    waived = {
        frozenset(pair)
        for pair in [
            ((0, 0), (1, 0)),
            ((0, 0), (0, -1)),
            ((0, 0), (-1, 0)),
            ((1, 0), (2, -1)),
            ((0, -1), (-1, 0)),
            ((0, -1), (-1, -1)),
            ((-1, 0), (-1, -1)),
        ]
    }
    assert {frozenset(dict(move)) for move in game.legal_moves()} == waived


def test_8_3_a_waived_tile_touches_symbols_too():
    game = new_game([[(RED, RED)] for _ in range(3)], side=3, rack_size=1, first_round=True)
    pair, other_pair = {(1, -2), (1, -1)}, {(-2, 1), (-1, 1)}
    paint(game.board, BLUE, *(game.empty_cells() - pair - other_pair))
    game.touched = {(0, -2), (-2, 0)}  # one by each pair
    assert len(game.legal_moves()) == 2
    game.play(lay((1, -2), RED, (1, -1), RED))
    assert game.touched == {(0, -2), (-2, 0), (2, -2)}


def test_3_1_after_the_first_round_anywhere():
    game = new_game([[(RED, GREEN), (RED, GREEN), (RED, RED)], OTHER[:3]], rack_size=3)
    assert len(game.legal_moves()) == 222 * 3  # two ways for the mixed tile, one for the double


# Swap (RULES.md 6)


def swap_game(rack, scores, deck=OTHER[:6], **options):
    """A turn ends with a tile that scores nothing; `rack` is what remains."""
    game = new_game([[(PURPLE, PURPLE), *rack], OTHER[:6]], deck=list(deck), **options)
    game.scores[0] = scores
    game.play(lay((0, 0), PURPLE, (1, 0), PURPLE))
    return game


def test_6_1_swap_if_the_rack_lacks_the_lowest_colour():
    assert swap_game([(RED, GREEN)] * 5, [4, 5, 3, 5, 5, 5]).phase == "swap"
    assert swap_game([(RED, GREEN)] * 4 + [(RED, BLUE)], [4, 5, 3, 5, 5, 5]).phase == "place"


def test_6_1_tied_lowest_colours_must_all_be_missing():
    assert swap_game([(RED, GREEN)] * 5, [4, 5, 3, 3, 5, 5]).phase == "swap"
    assert swap_game([(RED, GREEN)] * 5, [3, 5, 3, 5, 5, 5]).phase == "place"
    assert swap_game([(RED, GREEN)] * 5, [3, 3, 3, 3, 3, 3]).phase == "place"


def test_6_1_partnership_counters():
    racks = [OTHER[:6], [(RED, GREEN)] * 6, OTHER[:6], OTHER[:6]]
    game = new_game(racks, side=8, teams=True, double_sheet=True)
    game.to_play = 1
    game.scores = [[0] * 6, [20, 20, 19, 20, 20, 20]]
    game.play(lay((0, 0), RED, (1, 0), GREEN))
    assert game.phase == "swap"


def test_6_2_swap():
    deck = [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (5, 6), (4, 6)]
    game = swap_game([(RED, GREEN)] * 5, [4, 5, 3, 5, 5, 5], deck=deck)
    assert game.legal_moves() == {"swap", "keep"}
    new_deck = [(RED, GREEN), (4, 6), (RED, GREEN), (5, 6), *[(RED, GREEN)] * 3]
    wrong_tiles = [(RED, RED), *new_deck[1:]]
    for wrong in [None, new_deck[1:], [*new_deck, (1, 1)], wrong_tiles]:
        with pytest.raises(ValueError, match="new deck"):
            game.play("swap", wrong)
    assert (game.phase, game.to_play, len(game.deck)) == ("swap", 0, 8)
    game.play("swap", new_deck)
    assert game.racks[0] == deck[:6]
    assert game.deck == new_deck
    assert (game.to_play, game.phase, game.turn, game.plays_left) == (1, "place", 3, 1)


def test_6_1_swap_declined():
    game = swap_game([(RED, GREEN)] * 5, [4, 5, 3, 5, 5, 5], deck=[(1, 1), *OTHER[:5]])
    with pytest.raises(ValueError, match="new deck"):
        game.play("keep", game.racks[0])  # what would be right after a swap
    game.play("keep")
    assert game.racks[0] == [(RED, RED)] + [(RED, GREEN)] * 5
    assert (game.to_play, game.phase, len(game.deck)) == (1, "place", 5)


def test_6_3_no_swap_with_too_small_a_bag():
    game = swap_game([(RED, GREEN)] * 5, [4, 5, 3, 5, 5, 5], deck=OTHER[:5])
    assert (game.phase, game.to_play, len(game.deck)) == ("place", 1, 4)


def test_6_3_no_swap_with_an_empty_rack():
    game = swap_game([], [4, 5, 3, 5, 5, 5], rack_size=1)
    assert (game.phase, game.to_play, len(game.racks[0])) == ("place", 1, 1)


def test_6_3_no_swap_in_solitaire():
    game = new_game([[(RED, GREEN)] * 3], rack_size=3)
    game.scores[0] = [4, 5, 3, 5, 5, 5]
    game.play(lay((0, 0), RED, (1, 0), GREEN))
    assert (game.phase, game.to_play) == ("place", 0)
    assert game.racks[0] == [(RED, GREEN), (RED, GREEN), (BLUE, BLUE)]


# End and result (RULES.md 7)


def test_7_1_instant_win_with_bonus_plays_outstanding():
    game = new_game([OTHER[:6], [(RED, GREEN)] * 6, OTHER[:6]])
    game.to_play = 1
    game.plays_left = 2
    game.scores = [[17] * 6, [17, 17, 18, 18, 18, 18], [17, 18, 17, 18, 17, 18]]
    paint(game.board, RED, (-1, 0))
    paint(game.board, GREEN, (2, 0))
    game.play(lay((0, 0), RED, (1, 0), GREEN))
    assert (game.phase, game.to_play, game.plays_left, game.bonus_earned) == ("over", 1, 0, 2)
    assert game.ranks == [3, 1, 2]
    assert game.legal_moves() == set()
    with pytest.raises(ValueError, match="illegal"):
        game.play(lay((0, 2), RED, (1, 2), GREEN))


@pytest.mark.parametrize(("top", "phase"), [(18, "place"), (36, "over")])
def test_7_1_double_sheet_ends_on_36(top, phase):
    game = new_game([[(RED, GREEN)] * 6], double_sheet=True, rack_size=6)
    game.scores[0] = [top - 1] + [top] * 5
    paint(game.board, RED, (-1, 0))
    game.play(lay((0, 0), RED, (1, 0), GREEN))
    assert game.scores == [[top] * 6]
    assert game.phase == phase
    assert game.ranks == ([1] if phase == "over" else None)


def test_7_2_ends_without_two_adjacent_empty_cells():
    game = new_game([[(RED, RED)] * 6, OTHER[:6]])
    paint(game.board, BLUE, *(game.empty_cells() - {(0, 0), (1, 0), (2, 0), (3, 0), (-2, 0)}))
    game.play(lay((0, 0), RED, (1, 0), RED))
    assert (game.phase, game.to_play) == ("place", 1)
    game.play(lay((2, 0), BLUE, (3, 0), BLUE))
    assert (game.phase, game.to_play) == ("over", 1)
    assert len(game.empty_cells()) == 1
    assert game.ranks == [2, 1]


def test_7_2_a_board_without_room_is_over_at_once():
    game = new_game([[(RED, RED)] * 6, OTHER[:6]], side=2)
    assert (game.phase, game.ranks, game.legal_moves()) == ("over", [1, 1], set())


def test_7_3_ranking():
    a, b, c = [15, 10, 15, 15, 15, 15], [14, 12, 9, 18, 18, 18], [13, 9, 18, 12, 18, 18]
    assert rank([a, b, c]) == [1, 2, 3]
    assert rank([c, a, b]) == [3, 1, 2]
    assert rank([c, a, a[::-1]]) == [3, 1, 1]
    assert rank([a, c, c, b]) == [1, 3, 3, 2]
    assert rank([[10, 11, 12], [12, 10, 11]]) == [1, 1]
    assert rank([[0] * 6]) == [1]


def test_7_4_solitaire_draws_and_ends():
    *_, game = random_game(3, num_players=1, side=4, rack_size=1, double_sheet=True)
    assert game.phase == "over"
    assert game.ranks == [1]
    assert game.turn == len(set(game.board) - set(game.symbols)) // 2 - 1


# Settings and hidden tiles


@pytest.mark.parametrize(
    "options",
    [
        {"num_players": 0},
        {"num_players": 7},
        {"num_players": 2, "teams": True},
        {"num_players": 5, "teams": True},
    ],
)
def test_settings_out_of_range(options):
    with pytest.raises(ValueError, match="players"):
        ReferenceGame(side=6, racks=[[(1, 1)]] * options["num_players"], deck=[], **options)


def test_unseen_tiles():
    racks = [[(1, 2), (1, 1)], [(2, 2), (3, 3)], [(1, 2), (5, 5)]]
    game = new_game(racks, deck=[(6, 6), (2, 2)], rack_size=2)
    assert game.racks[0] == [(1, 1), (1, 2)]
    assert game.unseen(0) == {(2, 2): 2, (3, 3): 1, (1, 2): 1, (5, 5): 1, (6, 6): 1}
    assert game.unseen(2) == {(1, 1): 1, (1, 2): 1, (2, 2): 2, (3, 3): 1, (6, 6): 1}


@pytest.mark.parametrize(
    "options",
    [
        {"num_players": 2, "side": 4, "rack_size": 3, "counter_top": 4},
        {"num_players": 3, "side": 4, "rack_size": 2, "num_colours": 4, "counter_top": 6},
        {"num_players": 4, "side": 5, "rack_size": 3, "teams": True, "double_sheet": True, "counter_top": 5},
        {"num_players": 6, "side": 3, "rack_size": 2, "num_colours": 3},
        {"num_players": 1, "side": 4, "rack_size": 4, "double_sheet": True},
    ],
)
def test_random_games_keep_every_tile(options):
    players, side, rack_size = options["num_players"], options["side"], options["rack_size"]
    bag = full_bag(players, side, options.get("num_colours", 6), rack_size)
    for seed in range(3):
        for game in random_game(seed, **options):
            laid = Counter(game.board.values()) - Counter(game.symbols.values())
            for player, rack in enumerate(game.racks):
                hidden = game.unseen(player) + Counter(rack)
                assert hidden <= bag
                halves = Counter(colour for tile in (bag - hidden).elements() for colour in tile)
                assert halves == laid
            assert all(rack == sorted(rack) for rack in game.racks)
            assert all(0 <= counter <= game.last_space() for sheet in game.scores for counter in sheet)
            if game.phase == "place":
                assert game.plays_left >= 1
                assert len(game.racks[game.to_play]) >= 1


def test_8_2_random_two_player_games():
    placements, swaps_offered = 0, 0
    for seed in range(30):
        positions = [game.phase for game in random_game(seed, num_players=2, side=6, rack_size=6)]
        placements += positions.count("place")
        swaps_offered += positions.count("swap")
    assert 37 < placements / 30 < 39
    assert 0.2 < swaps_offered / 30 < 1.2


# Counting


@pytest.mark.parametrize(
    ("side", "symbols", "counts"),
    [
        (2, {}, [12, 66, 120]),
        (3, {}, [42, 1404, 36288]),
        (6, start_symbols(6, 6), [222, 47076]),
    ],
)
def test_8_2_pair_sequences(side, symbols, counts):
    cells = board_cells(side) - set(symbols)
    assert [count_pair_sequences(cells, depth + 1) for depth in range(len(counts))] == counts


# On side 3 six first tiles lie on the centre and touch one symbol, one each. The other 18 touch two
# neighbouring symbols, three each of the six couples. A symbol has three free neighbours; nine pairs of
# cells, counted once for each neighbour they cover, that is seven pairs, two of which cover two.


def test_perft_3_2_first_tiles():
    game = new_game([[(1, 1)], [(2, 2)]], side=3, rack_size=1, first_round=True)
    # Every pair touches a symbol; points are the neighbours of symbol 1 covered.
    assert perft(game, 1) == Perft(nodes=24, points=9)
    # After one of the six on the centre (used now): the four couples without its symbol, three tiles each.
    # After one of the 18: the four single symbols left, and three couples of three tiles each.
    nodes = 6 * 12 + 18 * (4 + 9)
    # Second tiles on symbol 2: the one on the centre for 1 point after 12 first tiles, and for each of the
    # two couples 4 points in all after 13.
    assert perft(game, 2) == Perft(nodes=nodes, points=12 + 2 * 4 * 13)


def test_perft_3_2_tiles_of_two_colours():
    game = new_game([[(1, 2)], [(2, 2)]], side=3, rack_size=1, first_round=True)
    assert perft(game, 1) == Perft(nodes=2 * 24, points=2 * 9)
    # With a double left over, it may be swapped where the other tile scored in its colour.
    game.racks[0] = [(1, 1), (1, 2)]
    assert perft(game, 1) == Perft(nodes=3 * 24, points=3 * 9, swaps=9)


def test_perft_6_1_swaps_are_counted_but_not_played():
    game = new_game([[(1, 1)] * 2, [(2, 2)] * 2], side=3, rack_size=2, first_round=True)
    # The second double may be swapped where the first one scored.
    assert perft(game, 1) == Perft(nodes=24, points=9, swaps=7)
    # Seven times "swap" or "keep"; 5 single symbols and 12 pairs elsewhere, then as above.
    nodes = 7 * 2 + 5 * 12 + 12 * 13
    # Second tiles on symbol 2 after first tiles off symbol 1. On the centre: one tile, 1 point, after the
    # 9 of the couples 3-4, 4-5, 5-6. On 2-3: three tiles, 4 points, after 3 on the centre and 6 of 4-5, 5-6.
    # On 1-2: three tiles, 4 points, after 4 on the centre and those 9.
    points = 1 * 9 + 4 * 9 + 4 * 13
    swaps = 1 * 9 + 3 * 9 + 3 * 13
    assert perft(game, 2) == Perft(nodes=nodes, points=points, swaps=swaps)
    # Of the three moves from each of the seven, only "keep" leads on.
    game.play(lay((0, 0), 1, (0, -1), 1))
    assert perft(game, 1) == Perft(nodes=2)
    assert perft(game, 2).nodes == 4 * 3


def test_perft_5_1_bonus_plays():
    game = new_game([[(1, 1)], [(2, 2)]], side=3, rack_size=1, counter_top=1)
    assert perft(game, 1) == Perft(nodes=24, points=7, bonus=7)


def test_perft_7_2_ended_games():
    # Open: a line of four cells; a tile on its middle ends the game, else one on the rest does.
    game = new_game([[(1, 1)], [(2, 4)]], side=3, rack_size=1)
    paint(game.board, PURPLE, *(game.empty_cells() - {(1, 0), (0, 0), (-1, 0), (-1, -1)}))
    assert perft(game, 1) == Perft(nodes=3, points=1, ended=1)  # (-1, -1) lies by symbol 1
    assert perft(game, 2) == Perft(nodes=2 * 2, ended=2 * 2)
    assert perft(game, 3) == Perft()
