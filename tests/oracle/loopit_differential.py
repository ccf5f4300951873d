"""Engine against reference in games of Loopit, step by step, in as many games as you like.

    python tests/oracle/loopit_differential.py --games 20000 --processes 2

Each position of each game is compared whole: board, scores, racks, the bag's order, the tiles put out, whose
turn it is, how many tiles were laid in it, and all legal moves. Some games are played greedily, and in others
each turn is stopped after its first tile.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import chain

import numpy as np
from differences import Fact, Turn, check_all, check_facts
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
    """The reference with the deal of a game without moves."""
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


def compare(game: Game, reference: ReferenceLoopit, turn: Turn | None = None) -> dict[Move, int]:
    """All of one position; returns the action of each legal move. A difference is reported with the turn."""
    legal = [int(action) for action in game.legal_actions()]
    actions = {named(game.move(action)): action for action in legal}
    racks = [[Counter(rack) for rack in racks] for racks in (game.racks, reference.racks)]
    ranks = [] if game.ranks is None else game.ranks.tolist()
    facts = [
        Fact("the board", "3.2", game.board, reference.board),
        Fact("the scores", "4.1", game.scores, reference.scores),
        Fact("the end", "5.1", game.is_over, reference.is_over),
        Fact("the seat to move", "3.4", game.to_play, reference.to_play),
        Fact("the number of the turn", "3.4", game.turn, reference.turn),
        Fact("the tiles laid in the turn", "3.1", game.laid, reference.laid),
        Fact("the racks", "3.3, 3.4", *racks),
        Fact("the bag", "3.3, 3.4", game.bag, Counter(reference.bag)),
        Fact("the bag's order", "3.3, 3.4", game.bag_order, reference.bag),
        Fact("the tiles put out", "2.2", Counter(game.put_out), Counter(reference.put_out)),
        Fact("the ranks", "5.2", ranks, reference.ranks if reference.is_over else []),
        Fact("the legal moves", "3.1 to 3.3", set(actions), set(reference.moves())),
        Fact("the number of legal moves, equal tiles once", "3.1", len(legal), len(actions)),
    ]
    check_facts("LOOPIT.md", turn, facts)
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
    """Play game (seed, index) with the reference; returns the cases met, and their numbers."""
    rng = np.random.default_rng((seed, index))
    style = rng.choice(["random", "greedy", "short turns"])
    game = Game(rules, (seed, index))
    reference = reference_of(rules, game)
    met: Counter[str] = Counter(games=1)
    latest = Turn()
    actions = compare(game, reference)
    while not reference.is_over:
        move = choose(game, reference, actions, style, rng)
        seat, turn = reference.to_play, reference.turn
        latest.add(turn, move)
        game.play(actions[move])
        if move == ("throw back",):
            # Only the engine has the order of the bag; the tiles drawn from it are on the rack.
            reference.play(move, game.racks[seat] + game.bag_order)
        else:
            reference.make(move)
        met[move[0]] += 1
        met["turns passed"] += max(reference.turn - turn - 1, 0)
        actions = compare(game, reference, latest)
    if not any([*reference.racks, reference.bag]):
        met["all tiles laid"] += 1
    elif reference.rounds is not None and reference.turn == reference.rounds * rules.num_players:
        met["last round over"] += 1
    else:
        met["nothing fits"] += 1
    return met


def compare_games(rules: Rules, seed: int, first: int, count: int) -> Counter[str]:
    """Games (seed, first) and on; of differences, that with the shortest turn is raised."""
    games = [partial(compare_game, rules, seed, first + i) for i in range(count)]
    return sum(check_all(games), Counter())


def compare_chunk(job: Job) -> tuple[str, Counter[str]]:
    """`compare_games` with a preset by its name."""
    name, seed, first, count = job
    return name, compare_games(PRESETS[name], seed, first, count)


if __name__ == "__main__":
    compare_many(__doc__, PRESETS, compare_chunk)
