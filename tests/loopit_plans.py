"""The compiled parts of Loopit's planner and value network, for tests to call one by one."""

from __future__ import annotations

import numpy as np
from numba import float64, int64

from ingenious_env import GameBatch
from ingenious_env.compiled.bag import rack_count
from ingenious_env.compiled.kernel import ALL_ROWS, ROWS, kernel
from ingenious_env.compiled.rows import spare_row
from ingenious_env.games.loopit import Game
from ingenious_env.games.loopit.kernels import games_of
from ingenious_env.games.loopit.opponents.kernels.inputs import input_workspace, write_inputs
from ingenious_env.games.loopit.opponents.kernels.outlook import (
    count_unseen,
    expect_rack,
    find_chances,
    find_points,
    outlook_workspace,
)
from ingenious_env.games.loopit.opponents.kernels.plans import find_plans, plans_workspace, play_plan
from ingenious_env.games.loopit.opponents.value import architecture


@kernel(f"int64({ROWS}, int64[::1], int64[::1])")
def write_outlook(spec, low, _high, best, unseen):
    """The points of the best square for each tile type, and the tiles that the seat to move does not see."""
    game, outlook = games_of(spec)[low], outlook_workspace()
    total = count_unseen(game, outlook)
    find_points(game, outlook)
    for tile in range(len(best)):
        best[tile], unseen[tile] = outlook.points[tile], outlook.unseen[tile]
    return total


@kernel(float64(int64[::1], int64, int64, int64, float64, float64[::1]))
def expect(tiles, num_unseen, num_drawn, num_best, limit, expected):
    """The expected points of the best tiles of a rack; returns the sum of some, or more than a limit."""
    outlook = outlook_workspace()
    for number in range(len(tiles)):
        outlook.tiles[number] = tiles[number]
    find_chances(outlook, num_unseen, num_drawn)
    total = expect_rack(outlook, num_unseen, num_best, limit)
    for place in range(3):
        expected[place] = outlook.expected[place]
    return total


@kernel(f"int64({ROWS}, int64, int64[:, ::1], int64[::1])")
def write_plans(spec, low, _high, width, plans, gains):
    """The flat actions of each plan, −1 behind the last, and its points; returns the number of plans."""
    game, found = games_of(spec)[low], plans_workspace()
    after = spare_row(game)
    count = find_plans(game, width, found, after)
    for node in range(count):
        gains[node] = found.gains[node]
        length = play_plan(game, found, node, after)
        for place in range(plans.shape[1]):
            plans[node, place] = found.path[length - 1 - place] if place < length else ALL_ROWS
        if after.scores[game.to_play] - game.scores[game.to_play] != gains[node]:
            return -1
    return count


def batch_of(game: Game) -> GameBatch:
    return GameBatch.from_rows(game.rules, game.state.memory)


def plans_of(game: Game, width: int) -> list[tuple[list[int], int]]:
    plans, gains = np.zeros((2000, 7), np.int64), np.zeros(2000, np.int64)
    count = batch_of(game).run(write_plans, width, plans, gains)
    assert count >= 1
    return [
        ([int(action) for action in plan if action >= 0], int(gain))
        for plan, gain in zip(plans[:count], gains[:count], strict=True)
    ]


@kernel(f"int64({ROWS}, int64, int64, float32[::1])")
def write_plan_inputs(spec, low, _high, width, node, inputs):
    """The inputs of the end of a turn after a plan; of the rack thrown back for plan −1, or kept for −2."""
    game, found, workspace = games_of(spec)[low], plans_workspace(), input_workspace()
    after = spare_row(game)
    if node >= 0:
        find_plans(game, width, found, after)
        play_plan(game, found, node, after)
        write_inputs(after, rack_count(after, after.to_play), workspace)
    else:
        write_inputs(game, 0 if node == -1 else rack_count(game, game.to_play), workspace)
    for k in range(len(inputs)):
        inputs[k] = workspace.inputs[k]
    return ALL_ROWS


def inputs_of(game: Game, width: int, node: int) -> np.ndarray:
    inputs = np.full(architecture(game.rules).num_inputs, np.nan, np.float32)
    batch_of(game).run(write_plan_inputs, width, node, inputs)
    return inputs
