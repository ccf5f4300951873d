"""Engine against reference, step by step, in as many games as you like.

    python tests/oracle/differential.py --games 20000 --processes 2

Each position of each game is compared whole: board, counters, racks, the bag's order, whose turn it is and
what is owed, and every entry of the legal mask. Some games are played greedily, so that counters get to their
ends.
"""

from __future__ import annotations

import sys
from collections import Counter
from functools import cache, partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # as a script

import numpy as np
from differences import Fact, Turn, check_all, check_facts
from helpers import PRESETS, mixed_actions, reference_of
from many_games import Job, compare_many
from reference import ReferenceGame, adjacent_pairs, board_cells, start_symbols

from ingenious_env import Game, GameBatch, Rules
from ingenious_env.compiled.bag import NO_TILE
from ingenious_env.engine.state import NO_ACTION
from ingenious_env.games.ingenious.state import PHASES
from ingenious_env.games.ingenious.tiles import tile_types


@cache
def pair_numbers(rules: Rules) -> dict[frozenset, int]:
    """The number of each pair of cells: by the smaller cell number, then by the other."""
    cells = [tuple(cell) for cell in rules.cells.tolist()]
    free = set(cells) - set(start_symbols(rules.board_side, rules.num_colours))
    assert set(cells) == board_cells(rules.board_side)
    numbered = sorted(tuple(sorted(cells.index(cell) for cell in pair)) for pair in adjacent_pairs(free))
    return {frozenset((cells[a], cells[b])): number for number, (a, b) in enumerate(numbered)}


def expected_mask(rules: Rules, reference: ReferenceGame) -> np.ndarray:
    """The flat mask, composed from the reference's pairs and rack."""
    numbers = pair_numbers(rules)
    mask = np.zeros((rules.rack_size, 2, len(numbers)), np.int8)
    choices = [int(reference.phase == "swap")] * 2
    if reference.phase == "place":
        pairs = [numbers[pair] for pair in reference.allowed_pairs()]
        rack = reference.racks[reference.to_play]
        for slot, (low, high) in enumerate(rack):
            if (low, high) not in rack[:slot]:
                mask[slot, 0, pairs] = 1
                mask[slot, 1, pairs] = low != high
    return np.append(mask.ravel(), choices)


def compare(
    batch: GameBatch, row: int, mask: np.ndarray, reference: ReferenceGame, turn: Turn | None = None
) -> None:
    """All of one position; a difference is reported with the turn that led there."""
    state, rules = batch.state, batch.rules
    types = tile_types(rules.num_colours)
    board = [reference.board.get((q, r), 0) for q, r in rules.cells.tolist()]
    racks = [[types[tile] for tile in rack if tile != NO_TILE] for rack in state.racks[row].tolist()]
    bag = [types[tile] for tile in state.bag[row, state.drawn[row] :].tolist()]
    facts = [
        Fact("the board", "3.1", batch.board[row].tolist(), board),
        Fact("the counters", "4", state.scores[row].tolist(), reference.scores),
        Fact("bonus plays and placements owed", "5", int(state.plays_left[row]), reference.plays_left),
        Fact("the phase", "6.1, 7", PHASES[state.phase[row]], reference.phase),
        Fact("the seat to move", "3.4", int(state.to_play[row]), reference.to_play),
        Fact("the number of the turn", "3.4", int(state.turn[row]), reference.turn),
        Fact("the racks", "3.4, 6.2", racks, reference.racks),
        Fact("the bag", "3.4, 6.2", bag, reference.deck),
    ]
    if not np.array_equal(mask, expected := expected_mask(rules, reference)):
        game = batch[row]
        moves = ({game.move(action) for action in np.flatnonzero(each).tolist()} for each in (mask, expected))
        slots = (np.flatnonzero(each).tolist() for each in (mask, expected))
        facts += [Fact("the legal moves", "3.1, 3.2, 6.1", *moves), Fact("the mask", "3.1", *slots)]
    if reference.phase == "over":
        facts.append(Fact("the ranks", "7.3", batch.ranks[row].tolist(), reference.ranks))
    check_facts("RULES.md", turn, facts)


def follow(batch: GameBatch, row: int, before: Game, action: int, reference: ReferenceGame) -> str:
    """Make the batch's move in the reference; returns what kind of move it was."""
    move = before.move(action)
    if isinstance(move, str):
        types = tile_types(batch.rules.num_colours)
        order = [types[tile] for tile in batch.state.bag[row, batch.state.drawn[row] :].tolist()]
        reference.make(move, order if move == "swap" else None)
        return move
    reference.make(frozenset(move))
    return "bonus play" if reference.plays_left > 1 or before.plays_left > 1 else "placement"


def compare_games(rules: Rules, seed: int, first: int, count: int) -> Counter[str]:
    """Play games (seed, first) onwards with the reference; returns the number of moves of each kind."""
    batch = GameBatch(rules, count, seed)
    batch.seed(seed, first)
    references = [reference_of(batch[row]) for row in range(count)]
    turns = [Turn() for _ in references]
    rng = np.random.default_rng((seed, first))
    greed = rng.choice([0.0, 0.7, 1.0], count)
    kinds: Counter[str] = Counter()
    while not batch.is_over.all():
        masks = batch.legal_mask()
        check_all(
            partial(compare, batch, row, masks[row], references[row], turns[row])
            for row in range(count)
            if references[row].phase != "over"
        )
        chosen = np.where(rng.random(count) < greed, mixed_actions(batch, rng, 1.0), batch.random_actions())
        before = [batch[row] if action != NO_ACTION else None for row, action in enumerate(chosen)]
        batch.play(chosen)
        for row, game in enumerate(before):
            if game is not None:
                turns[row].add(references[row].turn, game.move(int(chosen[row])))
                kinds[follow(batch, row, game, int(chosen[row]), references[row])] += 1
    masks = batch.legal_mask()
    check_all(partial(compare, batch, row, masks[row], references[row], turns[row]) for row in range(count))
    kinds["full sheet"] += int((batch.scores == rules.last_space).all(axis=2).any(axis=1).sum())
    kinds["games"] += count
    return kinds


def compare_chunk(job: Job) -> tuple[str, Counter[str]]:
    """`compare_games` with a preset by its name."""
    name, seed, first, count = job
    return name, compare_games(PRESETS[name], seed, first, count)


if __name__ == "__main__":
    compare_many(__doc__, PRESETS, compare_chunk)
