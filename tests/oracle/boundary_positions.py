"""Positions of Ingenious near the boundaries of its rules, most of which play never reaches.

A position is a `ReferenceGame` with any board, counters, racks and bag that a boundary asks for;
`engine_game` is the same one as a game of the engine.
"""

from __future__ import annotations

import numpy as np
from reference import ReferenceGame, board_cells, neighbours, start_symbols

from ingenious_env import Game, Rules
from ingenious_env.engine.state import GameState
from ingenious_env.games.ingenious.state import NO_TILE, PHASES, derive
from ingenious_env.games.ingenious.tiles import tile_types

Tile = tuple[int, int]


def engine_game(rules: Rules, reference: ReferenceGame) -> Game:
    """A game of the engine that stands as the reference does."""
    game = Game(rules, 0)
    state: GameState = game.state
    types = {tile: number for number, tile in enumerate(tile_types(rules.num_colours))}
    cells = [tuple(cell) for cell in rules.cells.tolist()]
    state.board[0, :-1] = [reference.board.get(cell, 0) for cell in cells]
    derive(state)
    state.racks[:] = NO_TILE
    for seat, rack in enumerate(reference.racks):
        state.racks[0, seat, : len(rack)] = sorted(types[tile] for tile in rack)
    state.drawn[0] = rules.num_tiles - len(reference.deck)
    state.bag[:] = 0
    state.bag[0, state.drawn[0] :] = [types[tile] for tile in reference.deck]
    left = [types[tile] for tiles in (*reference.racks, reference.deck) for tile in tiles]
    state.unplaced[0] = np.bincount(left, minlength=len(types))
    state.placed[0] = (len(reference.board) - len(reference.symbols)) // 2
    state.scores[0] = reference.scores
    state.turn[0], state.to_play[0] = reference.turn, reference.to_play
    state.phase[0] = PHASES.index(reference.phase)
    state.plays_left[0] = reference.plays_left
    state.touched[0] = sum(
        1 << number for number, cell in enumerate(reference.symbols) if cell in reference.touched
    )
    return game


def reference_at(
    rules: Rules,
    board: dict,
    racks: list[list[Tile]],
    deck: list[Tile],
    scores: list[list[int]],
    turn: int,
    plays_left: int = 1,
    touched: set | None = None,
) -> ReferenceGame:
    """The reference at a position in which a tile is to be placed."""
    reference = ReferenceGame(
        num_players=rules.num_players,
        teams=rules.teams,
        side=rules.board_side,
        num_colours=rules.num_colours,
        rack_size=rules.rack_size,
        counter_top=rules.counter_top,
        double_sheet=rules.double_sheet,
        racks=racks,
        deck=deck,
    )
    reference.board = reference.symbols | board
    reference.scores = [list(sheet) for sheet in scores]
    reference.turn, reference.to_play = turn, turn % rules.num_players
    reference.plays_left, reference.touched = plays_left, touched or set()
    return reference


# Random positions near boundaries.


def random_board(rules: Rules, rng: np.random.Generator, left: int) -> dict:
    """All but a number of cells filled with runs of colours; open ones are neighbours if possible."""
    symbols = start_symbols(rules.board_side, rules.num_colours)
    cells = sorted(board_cells(rules.board_side) - set(symbols))
    rng.shuffle(cells)
    free = [tuple(map(int, cell)) for cell in cells]
    inside = set(free)
    open_cells = {free[0], next(cell for cell in free if cell in neighbours(free[0]))}  # or the game is over
    while len(open_cells) < left:
        around = sorted(set.union(*map(neighbours, open_cells)) & inside - open_cells)
        pool = around if around and rng.random() < 0.85 else free
        open_cells.add(pool[rng.integers(len(pool))])
    few = rng.permutation(rules.num_colours)[:2] + 1
    plain = rng.random() < 0.5
    colours = few if plain else np.arange(1, rules.num_colours + 1)
    runs = {q: int(rng.choice(colours)) for q in range(-rules.board_side, rules.board_side + 1)}
    return {
        cell: runs[cell[1]] if rng.random() < 0.8 else int(rng.choice(colours))
        for cell in free
        if cell not in open_cells
    }


def random_sheet(rules: Rules, rng: np.random.Generator) -> list[int]:
    """Counters that stand near the spaces that matter, or anywhere."""
    top, last = rules.counter_top, rules.last_space
    near = [max(0, space - k) for space in {top, last} for k in range(3)]
    kind, sheet = rng.integers(5), [last] * rules.num_colours
    if kind == 0:
        sheet = rng.integers(0, last + 1, rules.num_colours).tolist()
    elif kind == 1:
        sheet = rng.choice(near, rules.num_colours).tolist()
    one, other = rng.permutation(rules.num_colours)[:2]
    if kind == 2 or min(sheet) == last:  # a full sheet has ended the game
        sheet[one] = last - 1
    if kind == 3:
        sheet[one], sheet[other] = last - 1 - int(rng.integers(2)), max(0, top - 1)
    if kind == 4:
        sheet = [int(rng.choice(near))] * rules.num_colours
        sheet[one] = sheet[other] = max(0, top - 1 - int(rng.integers(3)))
    return sheet


def random_rack(rules: Rules, rng: np.random.Generator, size: int, without: set[int]) -> list[Tile]:
    """Tiles without some colours, where there are others."""
    allowed = [colour for colour in range(1, rules.num_colours + 1) if colour not in without]
    allowed = allowed or list(range(1, rules.num_colours + 1))
    pairs = rng.choice(allowed, (size, 2)).tolist()
    return sorted((low, low) if rng.random() < 0.4 else tuple(sorted((low, high))) for low, high in pairs)


def random_position(rules: Rules, rng: np.random.Generator) -> ReferenceGame:
    """A position near several boundaries at once."""
    players, size = rules.num_players, rules.rack_size
    turn = int(rng.choice([0, players - 1, players, 2 * players + 1, 5 * players]))
    scores = [random_sheet(rules, rng) for _ in range(rules.num_sheets)]
    if rng.random() < 0.3:
        scores = [list(scores[0]) for _ in scores]
    sheet = scores[(turn % players) % 2 if rules.teams else turn % players]
    lowest = {colour + 1 for colour, counter in enumerate(sheet) if counter == min(sheet)}
    seat, without = turn % players, lowest if rng.random() < 0.6 else set()
    racks = [random_rack(rules, rng, size, set()) for _ in range(players)]
    racks[seat] = random_rack(rules, rng, int(rng.choice([1, max(1, size - 1), size, size])), without)
    if rng.random() < 0.7:  # the tile to lay may show a lowest colour, those that stay do not
        racks[seat][0] = random_rack(rules, rng, 1, set())[0]
        racks[seat].sort()
    deck_size = int(rng.choice([0, 1, 2, max(0, size - 1), size, size + 1, 2 * size]))
    deck = random_rack(rules, rng, min(deck_size, rules.num_tiles - players * size), set())
    rng.shuffle(deck)
    deck = [tuple(map(int, tile)) for tile in deck]
    left = int(rng.choice([2, 3, 4, 6, 9]))
    board = random_board(rules, rng, left)
    symbols = list(start_symbols(rules.board_side, rules.num_colours))
    touched = {symbols[k] for k in rng.permutation(6)[: rng.integers(7)]} if turn else set()
    plays_left = 1 if turn < players else int(rng.integers(1, 4))
    return reference_at(rules, board, racks, deck, scores, turn, plays_left, touched)
