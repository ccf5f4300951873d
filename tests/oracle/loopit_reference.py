"""A slow, simple reference implementation of Loopit, written from the rules only.

It shares no code with the engine that it checks. LOOPIT.md is cited by paragraph. Nothing is kept that the
board, the racks and the bag tell: what is legal, and whether any tile fits, is found anew after each move.
"""

import copy
from collections import Counter
from functools import cache
from itertools import combinations
from typing import NamedTuple

Square = tuple[int, int]  # (row, column), row 0 in the north, column 0 in the west
Tile = tuple[str, int]  # (ends, value), the ends being letters of "NESW" in this order
Move = tuple  # ("lay", tile, square), ("stop",), ("throw back",) or ("keep",)

STEPS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}

ROUNDS = {2: 13, 3: 9, 4: 7}  # with fixed rounds, by number of players (LOOPIT.md 2.2)
PUT_OUT = {2: 4, 3: 2, 4: 0}

SIZE = 13
START = (6, 6)
FACTORS = {2: [(3, 3), (4, 0)], 3: [(5, 2)], 4: [(6, 0)], 5: [(5, 5)], 6: [(6, 6)]}  # offsets (LOOPIT.md 1.4)


# The material


def standard_tiles() -> list[Tile]:
    """The 81 tiles (LOOPIT.md 1.3)."""
    patterns = ["".join(ends) for count in (2, 3) for ends in combinations("NESW", count)]
    return [(ends, value) for ends in patterns for value in range(1, 9)] + [("NESW", 8)]


def standard_factors() -> list[list[int]]:
    """The factor of each square, by row and column (LOOPIT.md 1.4)."""
    factors = [[1] * SIZE for _ in range(SIZE)]
    for factor, offsets in FACTORS.items():
        for a, b in offsets:
            for down, right in [(a, b), (b, a)]:
                for row in (START[0] - down, START[0] + down):
                    for column in (START[1] - right, START[1] + right):
                        factors[row][column] = factor
    return factors


@cache
def beside(square: Square, side: str) -> Square:
    """The square on this side of another, on the board or not."""
    down, right = STEPS[side]
    return square[0] + down, square[1] + right


def rank(scores: list[int]) -> list[int]:
    """Rank of each score, 1 the best; equal scores share a rank, and the next is skipped (LOOPIT.md 5.2)."""
    return [1 + sum(other > score for other in scores) for score in scores]


# The game


class ReferenceLoopit:
    """One game in progress, with every hidden thing in the open.

    Attributes:
        board: the tile on each filled square, the start tile included; empty squares are absent.
        scores: points by seat.
        racks: each player's tiles, in no order.
        bag: the tiles in the bag, the next to be drawn first.
        put_out: the tiles put out of the game, with fixed rounds.
        to_play: the player to move; once the game is over, the one who moved last.
        turn: turns completed so far, those that passed without an action and the last one included.
        laid: tiles laid in this turn.
        is_over: whether the game is over.
        ranks: rank of each player once the game is over, None before.
    """

    def __init__(
        self,
        *,
        num_players: int,
        fixed_rounds: bool = False,
        draw_order: list[Tile],
        tiles: list[Tile] | None = None,
        factors: list[list[int]] | None = None,
        start: Square = START,
        rack_size: int = 5,
        tiles_a_turn: int = 3,
    ) -> None:
        """Set up a game (LOOPIT.md 2).

        Args:
            num_players: 2 to 4.
            fixed_rounds: whether to play the variant with a fixed number of rounds.
            draw_order: all tiles: those put out, each player's in turn, the start tile, and the bag.
            tiles: the material, in any order.
            factors: the board: the factor of each square, by row and column.
            start: the square of the start tile.
            rack_size: tiles on a rack.
            tiles_a_turn: the most tiles that a player lays in a turn.

        Raises:
            ValueError: if the draw order is not of the material, too short for the deal, or the number of
                players not allowed.
        """
        if not 2 <= num_players <= 4:
            raise ValueError("num_players must be 2 to 4")
        if Counter(draw_order) != Counter(standard_tiles() if tiles is None else tiles):
            raise ValueError("the draw order must hold all tiles")
        num_put_out = PUT_OUT[num_players] if fixed_rounds else 0
        if len(draw_order) <= num_put_out + num_players * rack_size:
            raise ValueError("too few tiles")
        self.num_players = num_players
        self.rounds = ROUNDS[num_players] if fixed_rounds else None
        self.factors = standard_factors() if factors is None else factors
        self.rack_size = rack_size
        self.tiles_a_turn = tiles_a_turn

        self.bag = list(draw_order)
        self.put_out = self._draw(num_put_out)
        self.racks = [self._draw(rack_size) for _ in range(num_players)]
        self.board = {start: self._draw(1)[0]}
        self.scores = [0] * num_players
        self.to_play = 0
        self.turn = 0
        self.laid = 0
        self.is_over = False
        self.ranks: list[int] | None = None
        self._start_turn()

    def copy(self) -> "ReferenceLoopit":
        """An independent copy of the game."""
        twin = copy.copy(self)
        twin.bag = list(self.bag)
        twin.racks = [list(rack) for rack in self.racks]
        twin.board = dict(self.board)
        twin.scores = list(self.scores)
        return twin

    def unseen(self, player: int) -> Counter[Tile]:
        """The tiles that the player does not see: in the bag, on other racks, put out (LOOPIT.md 6)."""
        tiles = Counter(self.bag) + Counter(self.put_out)
        for other, rack in enumerate(self.racks):
            if other != player:
                tiles.update(rack)
        return tiles

    # The board

    def is_on_board(self, square: Square) -> bool:
        """Return whether there is such a square."""
        row, column = square
        return 0 <= row < len(self.factors) and 0 <= column < len(self.factors[0])

    def open_squares(self) -> set[Square]:
        """The empty squares that share an edge with a tile."""
        around = {beside(square, side) for square in self.board for side in STEPS}
        return {square for square in around if self.is_on_board(square) and square not in self.board}

    def fits(self, tile: Tile, square: Square) -> bool:
        """Return whether the tile may be laid on this empty square (LOOPIT.md 3.2)."""
        ends, _ = tile
        for side in STEPS:
            other = beside(square, side)
            if other in self.board:
                other_ends, _ = self.board[other]
                if (side in ends) != (OPPOSITE[side] in other_ends):
                    return False
            elif side in ends and not self.is_on_board(other):
                return False
        return bool(self.joined(tile, square))

    def joined(self, tile: Tile, square: Square) -> list[Tile]:
        """The tiles around the square that share a line with this one (LOOPIT.md 4.1)."""
        ends, _ = tile
        around = [(side, self.board.get(beside(square, side))) for side in ends]
        return [other for side, other in around if other is not None and OPPOSITE[side] in other[0]]

    def points(self, tile: Tile, square: Square) -> int:
        """Points for laying the tile on the square (LOOPIT.md 4.1)."""
        _, value = tile
        row, column = square
        return value * self.factors[row][column] + sum(value for _, value in self.joined(tile, square))

    # Moves

    def lays(self) -> set[Move]:
        """The ways to lay a tile of the rack of the player to move."""
        squares = self.open_squares()
        rack = set(self.racks[self.to_play])
        return {("lay", tile, square) for tile in rack for square in squares if self.fits(tile, square)}

    def moves(self) -> set[Move]:
        """All different moves of the player to move; none when the game is over (LOOPIT.md 3.1, 3.3)."""
        if self.is_over:
            return set()
        lays = self.lays()
        if self.laid > 0:
            return lays | {("stop",)}
        return lays or {("throw back",), ("keep",)}

    # Playing

    def play(self, move: Move, new_bag_order: list[Tile] | None = None) -> None:
        """Make a move.

        Args:
            move: one of `moves()`.
            new_bag_order: with ("throw back",), and only then, the order of the shaken bag: the old bag and
                the rack thrown back, before as many tiles are drawn again.

        Raises:
            ValueError: if the move is illegal, or the new order missing, not called for or of wrong tiles;
                nothing has changed then.
        """
        if move not in self.moves():
            raise ValueError(f"illegal move: {move}")
        rack = self.racks[self.to_play]
        if (move == ("throw back",)) != (new_bag_order is not None):
            raise ValueError("a new order of the bag goes with throwing back, and with nothing else")
        if new_bag_order is not None and Counter(new_bag_order) != Counter(self.bag + rack):
            raise ValueError("the new order must hold the bag and the rack")
        self.make(move, new_bag_order)

    def make(self, move: Move, new_bag_order: list[Tile] | None = None) -> None:
        """Make a move that is known to be legal."""
        rack = self.racks[self.to_play]
        if move[0] == "lay":
            _, tile, square = move
            self.scores[self.to_play] += self.points(tile, square)
            self.board[square] = tile
            rack.remove(tile)
            self.laid += 1
            if self.laid < self.tiles_a_turn and self.lays():
                return
        elif new_bag_order is not None:
            self.bag = list(new_bag_order)
            self.racks[self.to_play] = self._draw(len(rack))
        self._end_turn()

    def _draw(self, count: int) -> list[Tile]:
        """Take a number of tiles from the bag, or all if there are fewer."""
        drawn, self.bag = self.bag[:count], self.bag[count:]
        return drawn

    def _end_turn(self) -> None:
        """Fill the rack, and advance to the next player (LOOPIT.md 3.4)."""
        player = self.to_play
        rack = self.racks[player]
        rack += self._draw(self.rack_size - len(rack))
        self._next_turn()
        self._start_turn()
        if self.is_over:
            self.to_play = player

    def _start_turn(self) -> None:
        """See whether the game is over, else pass the turns of players without tiles (LOOPIT.md 3.3, 5.1)."""
        while not self._has_ended():
            if self.racks[self.to_play]:
                return
            self._next_turn()
        self.is_over = True
        self.ranks = rank(self.scores)

    def _next_turn(self) -> None:
        self.turn += 1
        self.to_play = (self.to_play + 1) % self.num_players
        self.laid = 0

    def _has_ended(self) -> bool:
        """Whether, at the start of a turn, no round is left or no tile fits any more (LOOPIT.md 5.1)."""
        if self.rounds is not None and self.turn == self.rounds * self.num_players:
            return True
        tiles = set(self.bag).union(*self.racks)
        squares = self.open_squares()
        return not any(self.fits(tile, square) for tile in tiles for square in squares)


# Counting


class Perft(NamedTuple):
    """The counts of `perft` of the moves at exactly the last ply."""

    nodes: int = 0  # moves
    points: int = 0  # total rise of the scores
    stops: int = 0  # moves after which the same player may stop
    throw_backs: int = 0  # moves after which the next player may throw back
    ends: int = 0  # moves that end the game


def perft(game: ReferenceLoopit, depth: int) -> Perft:
    """Play all different sequences of `depth` moves, and count the last moves.

    A "throw back" is counted as a node, but not played: what follows depends on how the bag is shaken.
    """
    if depth < 1:
        raise ValueError("depth must be at least 1")
    total = Perft()
    for move in game.moves():
        if move == ("throw back",):
            found = Perft(nodes=int(depth == 1))
        else:
            after = game.copy()
            after.make(move)
            if depth > 1:
                found = perft(after, depth - 1)
            else:
                choices = after.moves()
                found = Perft(
                    nodes=1,
                    points=sum(after.scores) - sum(game.scores),
                    stops=int(("stop",) in choices),
                    throw_backs=int(("throw back",) in choices),
                    ends=int(after.is_over),
                )
        total = Perft(*(a + b for a, b in zip(total, found, strict=True)))
    return total
