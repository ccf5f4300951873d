"""The counts written in `loopit_perft.txt`: by the engine, by the reference, and in part by reasoning.

Points are counted beside the positions, as a scoring bug leaves the mere number of positions alone.
"""

import pytest
from differences import Turn
from loopit_differential import compare
from loopit_helpers import position, write_tiles
from loopit_perft import CASES, TABLE, recorded, table
from loopit_reference import OPPOSITE, Perft, ReferenceLoopit

from ingenious_env.games.loopit import Game

RECORDED = recorded()
PLY_BY_PLY = [pytest.param(*case, id=f"{case[0]}-{case[1]}") for case in RECORDED]


def test_the_reference_counts_as_written():
    assert table() == TABLE.read_text()


def test_every_column_counts_something():
    """A column of zeros would prove nothing."""
    assert len(RECORDED) == sum(last for _, last in CASES.values())
    assert all(any(column) for column in zip(*RECORDED.values(), strict=True))


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("standard")])
def test_first_placements(name):
    """One for each end of the start tile and each tile of the rack that has the opposite end."""
    game = ReferenceLoopit(**CASES[name][0])
    ((start_ends, start_value),) = game.board.values()
    ends = [(end, value) for ends, value in game.racks[0] for end in ends if OPPOSITE[end] in start_ends]
    points = sum(value + start_value for _, value in ends)
    assert RECORDED[name, 1] == Perft(nodes=len(ends), points=points, stops=len(ends))


# The engine, from the same tiles.


def engine_of(reference: ReferenceLoopit, actions: str) -> Game:
    """The engine's game with the deal of a reference without moves."""
    ((start, start_tile),) = reference.board.items()
    game = position(
        {start: write_tiles([start_tile])},
        [" ".join(write_tiles([tile]) for tile in rack) for rack in reference.racks],
        " ".join(write_tiles([tile]) for tile in reference.bag),
        factors=" ".join("".join(map(str, row)) for row in reference.factors),
        start=start,
        rack=reference.rack_size,
        a_turn=reference.tiles_a_turn,
        phase="throw" if ("keep",) in reference.moves() else "lay",
        rounds="free" if reference.rounds is None else "fixed",
        out=" ".join(write_tiles([tile]) for tile in reference.put_out),
    )
    return Game.from_row(game.rules, game.state.memory[0], staged=actions == "staged")


def after(game: Game) -> list[tuple[Game, bool]]:
    """The game after each legal move, of staged actions both, and whether that was to throw the rack back."""
    found = []
    for action in game.legal_actions().tolist():
        twin = game.clone()
        twin.play(action)
        found += after(twin) if twin.state.held[0] else [(twin, action == game.actions.choice("throw back"))]
    return found


def engine_perft(game: Game, depth: int) -> Perft:
    """The counts of `loopit_reference.perft`."""
    found = []
    for twin, thrown in after(game):
        if depth > 1:
            found.append(Perft() if thrown else engine_perft(twin, depth - 1))
        elif thrown:
            found.append(Perft(nodes=1))
        else:
            offered = set(twin.legal_actions().tolist())
            found.append(
                Perft(
                    nodes=1,
                    points=sum(twin.scores) - sum(game.scores),
                    stops=int(twin.actions.choice("stop") in offered),
                    throw_backs=int(twin.actions.choice("throw back") in offered),
                    ends=int(twin.is_over),
                )
            )
    return Perft(*map(sum, zip(*found, strict=True))) if found else Perft()


def check_turns(game: Game, reference: ReferenceLoopit, depth: int) -> None:
    """Compare all positions within a number of moves of one, the nearest ones first."""
    positions = [(game, reference, Turn())]
    for _ in range(depth + 1):
        following = []
        for engine, slow, turn in positions:
            for move, action in compare(engine, slow, turn).items():
                if move != ("throw back",):  # which only the engine's stream decides
                    twin, after, latest = engine.clone(), slow.copy(), Turn()
                    latest.number, latest.moves = turn.number, turn.moves
                    latest.add(slow.turn, move)
                    twin.play(action)
                    after.make(move)
                    following.append((twin, after, latest))
        positions = following


@pytest.mark.parametrize("actions", ["flat", "staged"])
@pytest.mark.parametrize(("name", "depth"), PLY_BY_PLY)
def test_the_engine_counts_as_written(name, depth, actions):
    reference = ReferenceLoopit(**CASES[name][0])
    counts = engine_perft(engine_of(reference, actions), depth)
    if counts != RECORDED[name, depth]:
        check_turns(engine_of(reference, "flat"), reference, depth)
    assert counts == RECORDED[name, depth]
