"""History in pictures: the tiles laid, and the score of the last one."""

import numpy as np
import pytest

from ingenious_env import Game, Rules
from ingenious_env.engine.trail import Trail
from ingenious_env.games.loopit import Game as Loopit
from ingenious_env.games.loopit import Rules as LoopitRules

GAMES = {
    "two": lambda **options: Game(Rules(), **options),
    "partnership": lambda **options: Game(Rules.partnership(), **options),
    "many swaps": lambda **options: Game(Rules(3, num_colours=6, rack_size=2), **options),
    "loopit": lambda **options: Loopit(LoopitRules(3), **options),
}


def cells_of(move):
    if isinstance(move, str):
        return None
    if isinstance(move[0][0], tuple):  # a Place: two cells with their colours
        return {cell for cell, _ in move}
    return {move[1]}


@pytest.mark.parametrize("actions", ["flat", "staged"])
@pytest.mark.parametrize("make", GAMES.values(), ids=GAMES)
def test_the_trail_follows_the_moves(make, actions):
    """Against the moves that people read and the scores before them."""
    choices = 0
    for seed in range(6):
        game, flat = make(seed=seed, actions=actions), make(seed=seed)
        tiles, last = [], None
        assert game.trail == Trail()
        while not flat.is_over:
            action = flat.random_action()
            move, seat, before = flat.move(action), flat.to_play, np.array(flat.scores)
            flat.play(action)
            while game.turn != flat.turn or game.state.phase[0] != flat.state.phase[0] or game != flat:
                game.play(game.action(move))
            covered = cells_of(move)
            if covered is None:
                choices += 1
            else:
                tiles.append(covered)
                sheet = flat.rules.sheet_of(seat)
                last = seat, (np.array(flat.scores) - before)[sheet]
            for each in (game, flat, game.clone()):
                assert [set(tile) for tile in each.trail.tiles] == tiles
                assert each.trail.last.seat == last[0]
                assert np.array_equal(each.trail.last.gains, last[1])
    if make is not GAMES["two"]:
        assert choices


def test_an_illegal_move_leaves_it_as_it_was():
    game = Game(seed=3)
    for _ in range(5):
        game.play(game.random_action())
    before = game.trail
    with pytest.raises(ValueError, match="illegal"):
        game.play(int(np.flatnonzero(game.legal_mask() == 0)[0]))
    assert game.trail.tiles == before.tiles
    assert np.array_equal(game.trail.last.gains, before.last.gains)


def test_games_without_a_past():
    game = Game(seed=3)
    for _ in range(5):
        game.play(game.random_action())
    assert Game.from_text(game.to_text()).trail == Trail()
    dealt = game.clone()
    dealt.reshuffle_hidden(0)
    assert dealt.trail.tiles == game.trail.tiles
    game.seed(4)
    assert game.trail == Trail()
