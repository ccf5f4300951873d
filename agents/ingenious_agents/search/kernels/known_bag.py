"""Simulated annealing of a whole line of play of one bag whose order is known.

A line is a place on the board for each tile, in the order in which the tiles are laid. A step changes it a
little: two tiles exchange their places, or a tile is turned, moved into an empty cell next to it, paired
anew with a neighbour, or added to the end or removed from there; with a larger rack two tiles may also
exchange their turns. The score of each half is kept, and a step recomputes only those that it can affect.

Letters: N cells, C colours, M tiles that fit on the board at most, Y tiles that matter: M and those that a
rack can hold in addition.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from ingenious_env.compiled.kernel import called, inlined, kernel
from ingenious_env.compiled.rng import GOLDEN, draw_number, mix

WALL = -1
"""The colour off the board."""
SYMBOL = -1
"""The turn in which start symbols were laid: before all."""
CELLS, COLOURS, TOP, LAST, MOST, RACK, GOAL = 0, 1, 2, 3, 4, 5, 6
PLACED, HOLES, LOWEST, BEST_PLACED = 0, 1, 2, 3
EXCHANGE, TURN, SHIFT, PAIR, APPEND, REMOVE, ALL = 45, 55, 73, 95, 98, 100, 115
"""Of so many steps those below the number are of the kind; with larger racks the rest exchange turns."""
NONE = -1


class Line(NamedTuple):
    """A line and its board.

    Attributes:
        board: int64 [N + 1], 0 empty, colours from 1, `WALL` last.
        turns: int64 [N + 1], in which a cell was covered, `SYMBOL` for start symbols.
        bag: int64 [Y, 2], the colours of tiles in drawing order.
        drawn: int64 [Y], by turn the tile laid, an index of the bag; from `PLACED` on those left for later.
        cells: int64 [M, 2], by turn the cells of the tile's first and second colour.
        gains: int64 [M, 2], the points of both halves.
        holes: int64 [N], the empty cells.
        numbers: int64 [4], tiles on the board, empty cells, the best lowest counter so far, and the tiles of
            that line.
    """

    board: NDArray[np.int64]
    turns: NDArray[np.int64]
    bag: NDArray[np.int64]
    drawn: NDArray[np.int64]
    cells: NDArray[np.int64]
    gains: NDArray[np.int64]
    holes: NDArray[np.int64]
    numbers: NDArray[np.int64]


class Change(NamedTuple):
    """A change of a line: which tiles move, and where to; `NONE` where a part is missing.

    Attributes:
        one: the turn of a tile that moves.
        other: that of another.
        later: the turn with which the first exchanges its tile.
        slot: of the hole that is filled.
        a: the cell of the first colour of `one`.
        b: of its second colour.
        c: of the first colour of `other`.
        d: of its second colour.
    """

    one: int
    other: int
    later: int
    slot: int
    a: int
    b: int
    c: int
    d: int


class Work(NamedTuple):
    """Workspace of a step.

    Attributes:
        changed: int64 [5], the cells that change.
        colours: int64 [5], their colours before.
        marks: int64 [2 M], by half, 2 · turn + 0 or 1, the step in which it was listed last.
        halves: int64 [2 M], the list of halves whose gains may change.
        saved: int64 [2 M], their gains before.
        counters: int64 [C + 1], by colour.
    """

    changed: NDArray[np.int64]
    colours: NDArray[np.int64]
    marks: NDArray[np.int64]
    halves: NDArray[np.int64]
    saved: NDArray[np.int64]
    counters: NDArray[np.int64]


@inlined
def points(line, neighbours, cell, turn):
    """What the half on a cell scored in its turn (RULES.md 4.1)."""
    total, colour = 0, line.board[cell]
    for direction in range(6):
        at = neighbours[cell, direction]
        while line.board[at] == colour and line.turns[at] < turn:
            total += 1
            at = neighbours[at, direction]
    return total


@inlined
def lift(line, turn):
    """Take a tile off the board."""
    line.board[line.cells[turn, 0]] = 0
    line.board[line.cells[turn, 1]] = 0


@inlined
def lay(line, turn, first, second):
    """Put a tile on two cells."""
    tile = line.drawn[turn]
    line.cells[turn, 0], line.cells[turn, 1] = first, second
    line.board[first], line.board[second] = line.bag[tile, 0], line.bag[tile, 1]
    line.turns[first], line.turns[second] = turn, turn


@called
def count(spec, line, counters):
    """The counters at the end; returns the distance from the goal: the squares of what each lacks."""
    for colour in range(1, spec[COLOURS] + 1):
        counters[colour] = 0
    top, last = spec[TOP], spec[LAST]
    for turn in range(line.numbers[PLACED]):
        tile = line.drawn[turn]
        first, second = line.bag[tile, 0], line.bag[tile, 1]
        gain_1, gain_2 = line.gains[turn, 0], line.gains[turn, 1]
        if first == second:
            gain_1, gain_2 = gain_1 + gain_2, 0
        counter = counters[first]
        counters[first] = min(counter + gain_1, top if counter < top else last)
        counter = counters[second]
        counters[second] = min(counter + gain_2, top if counter < top else last)
    distance = 0
    for colour in range(1, spec[COLOURS] + 1):
        lack = max(0, spec[GOAL] - counters[colour])
        distance += lack * lack
    return distance


@inlined
def may_begin(line, neighbours, first, second):
    """Return whether the first tile may lie on two cells (RULES.md 3.2)."""
    touches = False
    for direction in range(6):
        one, other = neighbours[first, direction], neighbours[second, direction]
        touches |= line.board[one] > 0 and line.turns[one] == SYMBOL
        touches |= line.board[other] > 0 and line.turns[other] == SYMBOL
    return touches


@inlined
def are_adjacent(neighbours, one, other):
    """Return whether two cells are neighbours."""
    found = False
    for direction in range(6):
        found |= neighbours[one, direction] == other
    return found


@inlined
def slot_of(line, cell):
    """The place of a cell in the list of empty ones, `NONE` if it is not empty."""
    found = NONE
    for slot in range(line.numbers[HOLES]):
        if line.holes[slot] == cell:
            found = slot
    return found


@inlined
def close(line, slot):
    """Remove a cell from the list of empty ones."""
    line.numbers[HOLES] -= 1
    line.holes[slot] = line.holes[line.numbers[HOLES]]


@inlined
def is_placed(line, cell):
    """Return whether a tile lies on a cell."""
    return line.board[cell] > 0 and line.turns[cell] != SYMBOL


@called
def append(spec, line, neighbours, stream):
    """Lay the next tile at random; returns whether it could."""
    placed = line.numbers[PLACED]
    if placed == spec[MOST]:
        return False
    slot = draw_number(stream, line.numbers[HOLES])
    first = line.holes[slot]
    second = neighbours[first, draw_number(stream, 6)]
    if line.board[second] != 0 or (placed == 0 and not may_begin(line, neighbours, first, second)):
        return False
    close(line, slot)
    close(line, slot_of(line, second))
    lay(line, placed, first, second)
    line.gains[placed, 0] = points(line, neighbours, first, placed)
    line.gains[placed, 1] = points(line, neighbours, second, placed)
    line.numbers[PLACED] += 1
    return True


@called
def remove(line):
    """Take the last tile off the board."""
    line.numbers[PLACED] -= 1
    turn = line.numbers[PLACED]
    lift(line, turn)
    for end in range(2):
        line.holes[line.numbers[HOLES]] = line.cells[turn, end]
        line.numbers[HOLES] += 1


@called
def exchange(line, stream):
    """Two tiles exchange their places."""
    placed = line.numbers[PLACED]
    one, other, ways = draw_number(stream, placed), draw_number(stream, placed - 1), draw_number(stream, 4)
    other += other >= one
    a, b, c, d = line.cells[other, 0], line.cells[other, 1], line.cells[one, 0], line.cells[one, 1]
    if ways & 1:
        a, b = b, a
    if ways & 2:
        c, d = d, c
    return Change(one, other, NONE, NONE, a, b, c, d)


@called
def shift(line, neighbours, stream):
    """One half of a tile stays or takes the place of the other, which moves into a hole."""
    slot = draw_number(stream, line.numbers[HOLES])
    a = line.holes[slot]
    b = neighbours[a, draw_number(stream, 6)]
    one = line.turns[b] if is_placed(line, b) else NONE
    if draw_number(stream, 2):
        a, b = b, a
    return Change(one, NONE, NONE, slot, a, b, NONE, NONE)


@called
def pair(line, neighbours, stream):
    """Two tiles that lie side by side share their four cells in another way."""
    one, ways = draw_number(stream, line.numbers[PLACED]), draw_number(stream, 16)
    a, c = line.cells[one, ways & 1], line.cells[one, 1 - (ways & 1)]
    b = neighbours[a, draw_number(stream, 6)]
    if not is_placed(line, b) or line.turns[b] == one:
        return nothing()
    other = line.turns[b]
    d = line.cells[other, 0] if line.cells[other, 1] == b else line.cells[other, 1]
    if not are_adjacent(neighbours, c, d):
        return nothing()
    if ways & 2:
        a, b, c, d = c, d, a, b
    if ways & 4:
        a, b = b, a
    if ways & 8:
        c, d = d, c
    return Change(one, other, NONE, NONE, a, b, c, d)


@called
def reorder(line, rack, stream):
    """A tile exchanges its turn, not its place, with a later one that was on the rack by then."""
    placed = line.numbers[PLACED]
    one = draw_number(stream, placed)
    later = one + 1 + draw_number(stream, rack)
    if later >= len(line.drawn) or line.drawn[later] > one + rack - 1:
        return nothing()
    a, b = line.cells[one, 0], line.cells[one, 1]
    if later < placed:
        return Change(one, later, later, NONE, a, b, line.cells[later, 0], line.cells[later, 1])
    return Change(one, NONE, later, NONE, a, b, NONE, NONE)


@inlined
def nothing():
    """No change."""
    return Change(NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE)


@inlined
def proposed(line, neighbours, rack, kind, stream):
    """A random change of a kind."""
    if kind < EXCHANGE:
        return exchange(line, stream)
    if kind < TURN:
        one = draw_number(stream, line.numbers[PLACED])
        return Change(one, NONE, NONE, NONE, line.cells[one, 1], line.cells[one, 0], NONE, NONE)
    if kind < SHIFT:
        return shift(line, neighbours, stream)
    if kind < PAIR:
        return pair(line, neighbours, stream)
    return reorder(line, rack, stream)


@called
def make(line, change):
    """Move the tiles of a change; the same with the cells of before takes it back."""
    lift(line, change.one)
    if change.other != NONE:
        lift(line, change.other)
    if change.later != NONE:
        drawn = line.drawn
        drawn[change.one], drawn[change.later] = drawn[change.later], drawn[change.one]
    lay(line, change.one, change.a, change.b)
    if change.other != NONE:
        lay(line, change.other, change.c, change.d)


@called
def list_moved(line, change, step, work):
    """List the cells that a change will change, and the halves of its tiles; returns the numbers of both."""
    number = 0
    for turn in (change.one, change.other):
        if turn != NONE:
            for end in range(2):
                cell = line.cells[turn, end]
                work.changed[number], work.colours[number] = cell, line.board[cell]
                work.halves[number] = 2 * turn + end
                work.marks[2 * turn + end] = step
                number += 1
    if change.slot == NONE:
        return number, number
    work.changed[number], work.colours[number] = line.holes[change.slot], 0
    return number + 1, number


@called
def rescore(line, neighbours, first, step, work, cells, halves):
    """Recompute the gains that a change may affect; returns the number of halves in the list.

    A half sees a changed cell only over cells of its own colour, which the changed cell must have or have
    had, and only if it was laid after the earliest tile that moved.

    Args:
        line: after the change.
        neighbours: int16 [N + 1, 6].
        first: the earliest turn whose tile moved.
        step: the number of this step.
        work: with the cells and halves of `list_moved`.
        cells: their number.
        halves: their number.
    """
    for place in range(cells):
        cell = work.changed[place]
        before, after = work.colours[place], line.board[cell]
        for direction in range(6):
            at = neighbours[cell, direction]
            colour = line.board[at]
            if colour <= 0 or colour not in (before, after):
                continue
            while line.board[at] == colour:
                turn = line.turns[at]
                half = 2 * turn + (line.cells[turn, 1] == at)
                if turn > first and work.marks[half] != step:
                    work.marks[half] = step
                    work.halves[halves] = half
                    halves += 1
                at = neighbours[at, direction]
    for place in range(halves):
        turn, end = work.halves[place] // 2, work.halves[place] % 2
        work.saved[place] = line.gains[turn, end]
        line.gains[turn, end] = points(line, neighbours, line.cells[turn, end], turn)
    return halves


@called
def attempt(spec, line, neighbours, change, step, work, most):
    """Make a change, and take it back if the line is farther than `most` from the goal then.

    Returns the distance from the goal, `NONE` if the change was taken back.
    """
    one, other = change.one, change.other
    a, b, c, d = line.cells[one, 0], line.cells[one, 1], NONE, NONE
    if other != NONE:
        c, d = line.cells[other, 0], line.cells[other, 1]
    first = one if other == NONE else min(one, other)
    back = Change(one, other, change.later, NONE, a, b, c, d)
    cells, halves = list_moved(line, change, step, work)
    make(line, change)
    if first == 0 and not may_begin(line, neighbours, line.cells[0, 0], line.cells[0, 1]):
        make(line, back)
        return NONE
    halves = rescore(line, neighbours, first, step, work, cells, halves)
    after = count(spec, line, work.counters)
    if after > most:
        for place in range(halves):
            line.gains[work.halves[place] // 2, work.halves[place] % 2] = work.saved[place]
        make(line, back)
        return NONE
    if change.slot != NONE:
        line.holes[change.slot] = b if a in (change.a, change.b) else a
    return after


@kernel(
    "int64(int64[::1], int16[:, ::1], int64[::1], int64[::1], int64[:, ::1], int64[::1], int64[:, ::1],"
    " int64[:, ::1], int64[::1], int64[::1], int64[:, ::1], int64[::1], uint64[::1], float64, float64, int64)"
)
def anneal(
    spec,
    neighbours,
    board,
    turns,
    bag,
    drawn,
    cells,
    gains,
    holes,
    numbers,
    best_cells,
    best_drawn,
    stream,
    temperature,
    cooling,
    steps,
):
    """Change a line step by step, and keep the best; ends early when the best reaches the goal.

    A step that leads away from the goal by x is kept with probability exp(−x / temperature).

    Args:
        spec: `CELLS` to `GOAL`.
        neighbours: int16 [N + 1, 6].
        board: of a `Line`.
        turns: of it.
        bag: of it.
        drawn: of it.
        cells: of it.
        gains: of it.
        holes: of it.
        numbers: of it.
        best_cells: int64 [M, 2], of the best line.
        best_drawn: int64 [Y], of it.
        stream: uint64 [1], of random numbers.
        temperature: at the beginning.
        cooling: by which it is multiplied in each step.
        steps: to make.

    Returns:
        The number of steps made.
    """
    line, most = Line(board, turns, bag, drawn, cells, gains, holes, numbers), spec[MOST]
    work = Work(
        np.zeros(5, np.int64),
        np.zeros(5, np.int64),
        np.full(2 * most, NONE, np.int64),
        np.zeros(2 * most, np.int64),
        np.zeros(2 * most, np.int64),
        np.zeros(spec[COLOURS] + 1, np.int64),
    )
    distance = count(spec, line, work.counters)
    for step in range(steps):
        temperature *= cooling
        kind = draw_number(stream, ALL if spec[RACK] > 1 else REMOVE)
        allowed = distance - np.int64(np.log(chance(stream)) * temperature)
        if PAIR <= kind < APPEND:
            if not append(spec, line, neighbours, stream):
                continue
            distance = count(spec, line, work.counters)
        elif numbers[PLACED] < 2:
            continue
        elif APPEND <= kind < REMOVE:
            numbers[PLACED] -= 1
            after = count(spec, line, work.counters)
            numbers[PLACED] += 1
            if after <= allowed:
                distance = after
                remove(line)
            continue
        else:
            change = proposed(line, neighbours, spec[RACK], kind, stream)
            if change.one == NONE:
                continue
            after = attempt(spec, line, neighbours, change, step, work, allowed)
            if after == NONE:
                continue
            distance = after
        lowest = spec[LAST]
        for colour in range(1, spec[COLOURS] + 1):
            lowest = min(lowest, work.counters[colour])
        if lowest > numbers[LOWEST]:
            numbers[LOWEST], numbers[BEST_PLACED] = lowest, numbers[PLACED]
            best_cells[:] = cells
            best_drawn[:] = drawn
            if lowest >= spec[GOAL]:
                return step + 1
    return steps


@inlined
def chance(stream):
    """A random number above 0, up to 1."""
    stream[0] += GOLDEN
    return float((mix(stream[0]) >> uint64(11)) + uint64(1)) * (1.0 / (1 << 53))
