"""Engine against reference in games of Loopit, step by step, in as many games as you like.

    python tests/oracle/loopit_differential.py --games 20000 --processes 2

Each position of each game is compared whole: board, scores, racks, the bag's order, the tiles put out, whose
turn it is, how many tiles were laid in it, and all legal moves. Some games are played greedily, and in others
each turn is stopped after its first tile.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain

import numpy as np
from loopit_reference import Move, ReferenceLoopit
from many_games import Job, compare_many

from ingenious_env.games.loopit import Game, Rules

PRESETS = {
    "two": Rules(num_players=2, fixed_rounds=False),
    "three": Rules(num_players=3, fixed_rounds=False),
    "four": Rules(num_players=4, fixed_rounds=False),
    "two, fixed rounds": Rules(num_players=2, fixed_rounds=True),
    "three, fixed rounds": Rules(num_players=3, fixed_rounds=True),
    "four, fixed rounds": Rules(num_players=4, fixed_rounds=True),
}


def reference_of(rules: Rules, game: Game) -> ReferenceLoopit:
    """The reference with the deal of a game that nobody has moved in."""
    ((start, start_tile),) = game.board.items()
    return ReferenceLoopit(
        num_players=rules.num_players,
        fixed_rounds=rules.fixed_rounds,
        draw_order=[*game.put_out, *chain(*game.racks), start_tile, *game.bag_order],
        tiles=rules.tiles,
        factors=rules.factors.tolist(),
        start=start,
    )


def named(move: tuple | str) -> Move:
    """The reference's name for a move of the engine."""
    return (move,) if isinstance(move, str) else ("lay", *move)


def compare(game: Game, reference: ReferenceLoopit) -> dict[Move, int]:
    """All of one position; returns the action of each legal move."""
    assert game.board == reference.board
    assert game.scores == reference.scores
    assert [Counter(rack) for rack in game.racks] == [Counter(rack) for rack in reference.racks]
    assert game.bag == Counter(reference.bag)
    assert game.bag_order == reference.bag
    assert Counter(game.put_out) == Counter(reference.put_out)
    assert game.turn == reference.turn
    assert game.laid == reference.laid
    assert game.to_play == reference.to_play
    assert game.is_over == reference.is_over
    if reference.is_over:
        assert game.ranks.tolist() == reference.ranks
    else:
        assert game.ranks is None
    legal = [int(action) for action in game.legal_actions()]
    actions = {named(game.move(action)): action for action in legal}
    assert len(actions) == len(legal)  # each move once, even if tiles are equal
    assert actions.keys() == reference.moves()
    return actions


def choose(
    game: Game, reference: ReferenceLoopit, actions: dict[Move, int], style: str, rng: np.random.Generator
) -> Move:
    """A move in the style of the game."""
    if style == "random":
        return named(game.move(game.random_action()))
    if style == "short turns" and ("stop",) in actions:
        return ("stop",)
    lays = [move for move in actions if move[0] == "lay"]
    if style == "greedy" and lays:
        return max(lays, key=lambda lay: reference.points(*lay[1:]))
    return list(actions)[rng.integers(len(actions))]


def compare_game(rules: Rules, seed: int, index: int) -> Counter[str]:
    """Play game (seed, index) beside the reference; returns what was met, and how often."""
    rng = np.random.default_rng((seed, index))
    style = rng.choice(["random", "greedy", "short turns"])
    game = Game(rules, (seed, index))
    reference = reference_of(rules, game)
    met: Counter[str] = Counter(games=1)
    actions = compare(game, reference)
    while not reference.is_over:
        move = choose(game, reference, actions, style, rng)
        seat, turn = reference.to_play, reference.turn
        game.play(actions[move])
        if move == ("throw back",):
            # How the bag was shaken only the engine can tell; what was drawn from it is on the rack.
            reference.play(move, game.racks[seat] + game.bag_order)
        else:
            reference.make(move)
        met[move[0]] += 1
        met["turns passed"] += max(reference.turn - turn - 1, 0)
        actions = compare(game, reference)
    if not any([*reference.racks, reference.bag]):
        met["all tiles laid"] += 1
    elif reference.rounds is not None and reference.turn == reference.rounds * rules.num_players:
        met["last round over"] += 1
    else:
        met["nothing fits"] += 1
    return met


def compare_games(rules: Rules, seed: int, first: int, count: int) -> Counter[str]:
    """Games (seed, first) and on."""
    return sum((compare_game(rules, seed, first + i) for i in range(count)), Counter())


def compare_chunk(job: Job) -> tuple[str, Counter[str]]:
    """`compare_games` with a preset by its name."""
    name, seed, first, count = job
    return name, compare_games(PRESETS[name], seed, first, count)


if __name__ == "__main__":
    compare_many(__doc__, PRESETS, compare_chunk)
