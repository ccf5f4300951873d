"""A slow, simple reference implementation of Ingenious, written from the rules only.

It shares no code with the engine that it checks. RULES.md, cited by paragraph, is in the game's folder.
"""

import copy
from collections import Counter
from typing import NamedTuple

Cell = tuple[int, int]  # axial (q, r)
Tile = tuple[int, int]  # (low, high) colours, low <= high, colours from 1
Half = tuple[Cell, int]
Move = frozenset[Half] | str  # two halves, or "swap" / "keep"

DIRECTIONS = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]


# The board and the tiles


def board_cells(side: int) -> set[Cell]:
    """All cells of the board of this side (RULES.md 1.3)."""
    span = range(-(side - 1), side)
    return {(q, r) for q in span for r in span if max(abs(q), abs(r), abs(q + r)) <= side - 1}


def start_symbols(side: int, num_colours: int) -> dict[Cell, int]:
    """The start symbols and their colours, clockwise from the top left (RULES.md 1.4, 8.1).

    They lie on the corners of the side-6 hexagon, on smaller boards on the board's own corners.
    """
    reach = min(side, 6) - 1
    corners = [(0, -reach), (reach, -reach), (reach, 0), (0, reach), (-reach, reach), (-reach, 0)]
    return {corner: i % num_colours + 1 for i, corner in enumerate(corners)}


def neighbours(cell: Cell) -> set[Cell]:
    """The six cells around a cell, on the board or not."""
    q, r = cell
    return {(q + dq, r + dr) for dq, dr in DIRECTIONS}


def adjacent_pairs(cells: set[Cell]) -> set[frozenset[Cell]]:
    """All unordered pairs of adjacent cells among these (RULES.md 8.2)."""
    return {frozenset({cell, other}) for cell in cells for other in neighbours(cell) if other in cells}


def tile_set(num_colours: int) -> Counter[Tile]:
    """One set of tiles: six of each pair of different colours, five of each double (RULES.md 1.2)."""
    tiles: Counter[Tile] = Counter()
    for low in range(1, num_colours + 1):
        for high in range(low, num_colours + 1):
            tiles[low, high] = 5 if low == high else 6
    return tiles


def full_bag(num_players: int, side: int, num_colours: int, rack_size: int) -> Counter[Tile]:
    """The whole set, repeated until it fills the board, all racks and (not in solitaire) one swap."""
    free_cells = len(board_cells(side)) - len(start_symbols(side, num_colours))
    needed = free_cells // 2 + num_players * rack_size
    if num_players > 1:
        needed += rack_size
    one_set = tile_set(num_colours)
    bag = Counter(one_set)
    while bag.total() < needed:
        bag += one_set
    return bag


# Scoring and ranking


def place_points(board: dict[Cell, int], move: frozenset[Half]) -> dict[int, int]:
    """Points by colour that a tile scores; the board is the one before the tile is laid (RULES.md 4.1, 4.2).

    The tile's own colours are all in the answer, with 0 points where they score nothing.
    """
    (cell_a, colour_a), (cell_b, colour_b) = move
    points = {colour_a: 0, colour_b: 0}
    for cell, colour, other_cell in [(cell_a, colour_a, cell_b), (cell_b, colour_b, cell_a)]:
        for dq, dr in DIRECTIONS:
            q, r = cell[0] + dq, cell[1] + dr
            if (q, r) == other_cell:
                continue  # the direction that leads to the other half
            while board.get((q, r)) == colour:  # empty cells and cells off the board are absent
                points[colour] += 1
                q, r = q + dq, r + dr
    return points


def rank(sheets: list[list[int]]) -> list[int]:
    """Rank of each sheet, 1 the best; equal sheets share a rank, and the next is skipped (RULES.md 7.3)."""
    keys = [sorted(sheet) for sheet in sheets]
    return [1 + sum(other > key for other in keys) for key in keys]


# The game


class ReferenceGame:
    """One game in progress, with every hidden thing in the open.

    Attributes:
        board: colour of each filled cell, start symbols included; empty cells are absent.
        scores: counters by sheet and by colour; colour c is at index c - 1.
        racks: each player's tiles, sorted.
        deck: the tiles in the bag, the next to be drawn first.
        to_play: the player to move; once the game is over, the one who moved last.
        phase: "place", "swap" (the choice after a turn's last placement) or "over".
        plays_left: placements left in this turn, bonus plays included; 0 in "swap" and "over".
        turn: turns completed so far; a turn that ends the game is not counted.
        ranks: rank of each sheet once the game is over, None before.
        bonus_earned: bonus plays earned in the game so far, forfeited ones included.
        touched: start symbols that tiles of the first round touched.
    """

    def __init__(
        self,
        *,
        num_players: int,
        teams: bool = False,
        side: int,
        num_colours: int = 6,
        rack_size: int | None = None,
        counter_top: int = 18,
        double_sheet: bool = False,
        racks: list[list[Tile]],
        deck: list[Tile],
    ) -> None:
        """Start a game with these racks and this deck; the rack size is 6, in solitaire 1, unless given."""
        if not 1 <= num_players <= 6:
            raise ValueError("num_players must be 1 to 6")
        if teams and num_players not in (4, 6):
            raise ValueError("teams need an even number of players, at least 4")
        if len(racks) != num_players:
            raise ValueError("one rack for each player")
        if rack_size is None:
            rack_size = 1 if num_players == 1 else 6
        self.num_players = num_players
        self.teams = teams
        self.num_colours = num_colours
        self.rack_size = rack_size
        self.counter_top = counter_top
        self.double_sheet = double_sheet
        self.cells = board_cells(side)
        self.symbols = start_symbols(side, num_colours)

        self.board = dict(self.symbols)
        num_sheets = 2 if teams else num_players
        self.scores = [[0] * num_colours for _ in range(num_sheets)]
        self.racks = [sorted(rack) for rack in racks]
        self.deck = list(deck)
        self.to_play = 0
        self.phase = "place"
        self.plays_left = 1
        self.turn = 0
        self.ranks: list[int] | None = None
        self.bonus_earned = 0
        self.touched: set[Cell] = set()
        if not self._has_open_pair():
            self._end_game()

    def copy(self) -> "ReferenceGame":
        """An independent copy of the game."""
        twin = copy.copy(self)
        twin.board = dict(self.board)
        twin.scores = [list(sheet) for sheet in self.scores]
        twin.racks = [list(rack) for rack in self.racks]
        twin.deck = list(self.deck)
        twin.ranks = None if self.ranks is None else list(self.ranks)
        twin.touched = set(self.touched)
        return twin

    def sheet_of(self, player: int) -> int:
        """The sheet a player scores on: partners share one, the others have one each (RULES.md 4.5)."""
        return player % 2 if self.teams else player

    def last_space(self) -> int:
        """The last space of a counter (RULES.md 4.3, 4.4)."""
        return 2 * self.counter_top if self.double_sheet else self.counter_top

    def empty_cells(self) -> set[Cell]:
        """The cells that a tile may still cover."""
        return self.cells - set(self.board)

    def unseen(self, player: int) -> Counter[Tile]:
        """All tiles that are neither on the board nor on the player's own rack."""
        tiles = Counter(self.deck)
        for other, rack in enumerate(self.racks):
            if other != player:
                tiles.update(rack)
        return tiles

    # Moves

    def legal_moves(self) -> set[Move]:
        """All different moves of the player to move; none when the game is over."""
        if self.phase == "over":
            return set()
        if self.phase == "swap":
            return {"swap", "keep"}
        moves: set[Move] = set()
        for pair in self.allowed_pairs():
            a, b = pair
            for low, high in self.racks[self.to_play]:
                moves.add(frozenset({(a, low), (b, high)}))
                moves.add(frozenset({(a, high), (b, low)}))
        return moves

    def allowed_pairs(self) -> set[frozenset[Cell]]:
        """The pairs of cells that the next tile may cover (RULES.md 3.1; in the first round 3.2, 8.3).

        A first tile must touch a start symbol, and none that an earlier player's tile touched. Where no
        pair of cells is left for that, any pair of empty cells will do.
        """
        pairs = self.open_pairs()
        if self.turn >= self.num_players:
            return pairs
        allowed = set()
        for pair in pairs:
            symbols = self.symbols_touched(pair)
            if symbols and not symbols & self.touched:
                allowed.add(pair)
        return allowed or pairs

    def symbols_touched(self, pair: frozenset[Cell]) -> set[Cell]:
        """The start symbols next to a pair of cells."""
        return {symbol for symbol in self.symbols if neighbours(symbol) & pair}

    def open_pairs(self) -> set[frozenset[Cell]]:
        """All pairs of adjacent empty cells, regardless of the first round."""
        return adjacent_pairs(self.empty_cells())

    def _has_open_pair(self) -> bool:
        """Return whether two adjacent cells are empty."""
        empty = self.empty_cells()
        return any(other in empty for cell in empty for other in neighbours(cell))

    # Playing

    def play(self, move: Move, new_deck: list[Tile] | None = None) -> None:
        """Make a move.

        Args:
            move: two halves, or "swap" or "keep".
            new_deck: with "swap", and only then, the order of the deck after the old tiles went back.

        Raises:
            ValueError: if the move is illegal, or the new deck missing, not called for or of wrong tiles;
                nothing has changed then.
        """
        if move not in self.legal_moves():
            raise ValueError(f"illegal move: {move}")
        if (move == "swap") != (new_deck is not None):
            raise ValueError("a new deck goes with a swap, and with nothing else")
        if new_deck is not None:
            old_tiles = self.racks[self.to_play]
            if Counter(new_deck) != Counter(self.deck[self.rack_size :]) + Counter(old_tiles):
                raise ValueError("the new deck must hold the rest of the deck and the old tiles")
        self.make(move, new_deck)

    def make(self, move: Move, new_deck: list[Tile] | None = None) -> None:
        """Make a move that is known to be legal."""
        if move == "swap":
            self._swap(new_deck)
            self._next_player()
        elif move == "keep":
            self._next_player()
        else:
            self._place(move)

    def _place(self, move: frozenset[Half]) -> None:
        """Lay a tile, score it, and determine the next phase (RULES.md 3, 4, 5, 7)."""
        points = place_points(self.board, move)
        for cell, colour in move:
            self.board[cell] = colour
        self.racks[self.to_play].remove(tuple(sorted(colour for _, colour in move)))
        if self.turn < self.num_players:
            self.touched |= self.symbols_touched(frozenset(cell for cell, _ in move))

        bonus = self._score(points)
        self.bonus_earned += bonus

        sheet = self.scores[self.sheet_of(self.to_play)]
        instant_win = all(counter == self.last_space() for counter in sheet)  # RULES.md 7.1
        if instant_win or not self._has_open_pair():  # RULES.md 7.2
            self._end_game()
        else:
            self.plays_left += bonus - 1
            if not self.racks[self.to_play]:
                self.plays_left = 0  # RULES.md 5.3
            if self.plays_left == 0:
                if self._may_swap():
                    self.phase = "swap"
                else:
                    self._next_player()

    def _score(self, points: dict[int, int]) -> int:
        """Move the counters, and return the number of bonus plays earned (RULES.md 3.3, 4.3, 4.4, 5.1)."""
        sheet = self.scores[self.sheet_of(self.to_play)]
        final_spaces = {self.counter_top, self.last_space()}
        reached = 0
        for colour, gain in points.items():
            old = sheet[colour - 1]
            # One tile never carries a counter past counter_top; on a single sheet nothing does.
            stop = self.counter_top if old < self.counter_top else self.last_space()
            new = min(old + gain, stop)
            sheet[colour - 1] = new
            if new != old and new in final_spaces:
                reached += 1
        if self.num_players == 1:  # RULES.md 5.4
            return 0
        if self.turn < self.num_players:  # RULES.md 3.2: no bonus plays in a first round
            return 0
        return reached

    def _may_swap(self) -> bool:
        """Return whether the player may swap after the turn's last placement (RULES.md 6.1, 6.3)."""
        rack = self.racks[self.to_play]
        if self.num_players == 1 or not rack or len(self.deck) < self.rack_size:
            return False
        sheet = self.scores[self.sheet_of(self.to_play)]
        lowest_colours = {i + 1 for i, counter in enumerate(sheet) if counter == min(sheet)}
        rack_colours = {colour for tile in rack for colour in tile}
        return not lowest_colours & rack_colours

    def _swap(self, new_deck: list[Tile]) -> None:
        """Draw a full rack; the old tiles have gone back into the new deck (RULES.md 6.2)."""
        self.racks[self.to_play] = self.deck[: self.rack_size]
        self.deck = list(new_deck)

    def _next_player(self) -> None:
        """End the turn: draw back up to a full rack, which it is already after a swap (RULES.md 3.4)."""
        rack = self.racks[self.to_play]
        while len(rack) < self.rack_size and self.deck:
            rack.append(self.deck.pop(0))
        rack.sort()
        self.turn += 1
        self.to_play = (self.to_play + 1) % self.num_players
        self.phase = "place"
        self.plays_left = 1

    def _end_game(self) -> None:
        """End the game. An instant winner's counters are all on the last space, so it ranks first."""
        self.phase = "over"
        self.plays_left = 0
        self.ranks = rank(self.scores)


# Counting


class Perft(NamedTuple):
    """The counts of `perft` of the moves at exactly the last ply."""

    nodes: int = 0  # moves
    points: int = 0  # total rise of the counters
    bonus: int = 0  # bonus plays earned
    swaps: int = 0  # moves after which a swap is offered
    ended: int = 0  # moves that end the game


def perft(game: ReferenceGame, depth: int) -> Perft:
    """Play all different sequences of `depth` moves, and count the last moves.

    A "swap" is counted as a node, but not played: what follows depends on how the bag is shuffled.
    """
    if depth < 1:
        raise ValueError("depth must be at least 1")
    total = Perft()
    for move in game.legal_moves():
        if move == "swap":
            if depth == 1:
                total = total._replace(nodes=total.nodes + 1)
            continue
        after = game.copy()
        after.make(move)
        if depth > 1:
            found = perft(after, depth - 1)
        else:
            found = Perft(
                nodes=1,
                points=sum(map(sum, after.scores)) - sum(map(sum, game.scores)),
                bonus=after.bonus_earned - game.bonus_earned,
                swaps=int(after.phase == "swap"),
                ended=int(after.phase == "over"),
            )
        total = Perft(*(a + b for a, b in zip(total, found, strict=True)))
    return total


def count_pair_sequences(cells: set[Cell], depth: int) -> int:
    """The number of ways to cover `depth` pairs of adjacent cells one after the other."""
    if depth == 0:
        return 1
    return sum(count_pair_sequences(cells - pair, depth - 1) for pair in adjacent_pairs(cells))
