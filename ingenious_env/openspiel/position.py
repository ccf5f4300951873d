"""A node in the tree of a game: an unfinished deal, a decision, or the draws after a move."""

from __future__ import annotations

from typing import Any, NamedTuple

from ingenious_env.engine.files import digest
from ingenious_env.engine.game import BaseGame
from ingenious_env.openspiel.kinds import Kind


class Event(NamedTuple):
    """An action of the game, by chance or by a player, and its visibility.

    Attributes:
        seat: that moves or draws; `OUT` and `START` in the deal, too.
        action: of the player, or the type drawn.
        is_draw: whether chance moved.
        barred: types that the seat cannot have held when it moved, by public information.
        rack: types that the move showed to all.
    """

    seat: int
    action: int
    is_draw: bool
    barred: frozenset[int] = frozenset()
    rack: tuple[int, ...] = ()


class Position:
    """A node in the tree.

    A move is revealed to others when all its consequences are settled: its draws, and the choices hidden from
    others. Otherwise their view would depend on the mover's rack, as whether a choice is available does.

    Args:
        kind: the variant, and where its games begin.
        root: a decision without a history, at which it begins; None for the beginning of the game.

    Attributes:
        kind, root: as given.
        game: the game at the decision, or before the move that causes the draws; None during the deal. It is
            replaced, never changed.
        shown: the game as seen by the seats that are not to move.
        events: the history.
        num_revealed: the number of events revealed to all that may see them.
        drawn: types drawn in the deal, or for the move.
        move: the player's action that causes the draws; None at other nodes.
        seen: by seat, its information state as a string, the same in histories that it cannot distinguish.
    """

    def __init__(self, kind: Kind, root: BaseGame | None = None) -> None:
        self.kind, self.root = kind, root
        self.game, self.shown = root, root
        self.events: list[Event] = []
        self.num_revealed = 0
        self.drawn: list[int] = []
        seats = range(kind.rules.num_players)
        self.seen = ["" if root is None else f"@{digest(root.observe(seat).tobytes())} " for seat in seats]
        self._unrevealed = [""] * len(seats)  # by seat, the text to be revealed
        self._pool: list[int] = []
        self.move: int | None = None
        self._count = 0  # of draws

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        """A copy that shares immutable parts."""
        del memo
        copy = Position.__new__(Position)
        copy.__dict__ |= self.__dict__
        copy.events, copy.drawn = self.events.copy(), self.drawn.copy()
        copy.seen, copy._unrevealed = self.seen.copy(), self._unrevealed.copy()
        return copy

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the history."""
        return replayed, (self.kind, [event.action for event in self.events], self.root)

    def is_known_to(self, seat: int) -> bool:
        """Return whether all events so far that a seat may see have been revealed to it."""
        return self.game is None or self.game.to_play == seat or self.num_revealed == len(self.events)

    def known_to(self, seat: int) -> Position:
        """The position as far as it has been revealed to a seat."""
        if self.is_known_to(seat):
            return self
        return replayed(self.kind, [event.action for event in self.events[: self.num_revealed]], self.root)

    def shown_to(self, seat: int) -> BaseGame | None:
        """The game as a seat sees it; None during the deal. It must not be changed."""
        return self.game if self.game is None or self.game.to_play == seat else self.shown

    # Whose move it is.

    @property
    def drawer(self) -> int | None:
        """The place that gets the next tile; None if a player is to move or the game is over."""
        if self.game is None:
            return self.kind.deal[len(self.drawn)]
        return None if self.move is None else self.game.to_play

    def is_turn_of(self, seat: int) -> bool:
        """Return whether a seat is to move."""
        return (
            self.drawer is None and self.game is not None and not self.is_over and self.game.to_play == seat
        )

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.game is not None and self.game.is_over

    def chances(self) -> list[tuple[int, float]]:
        """The types that may be drawn now, and their probabilities."""
        pool = self.pool_left()
        total = sum(pool)
        return [(tile, count / total) for tile, count in enumerate(pool) if count]

    def pool_left(self) -> list[int]:
        """[Y]: tiles of each type that may be drawn now."""
        pool = (self.kind.dealt_from if self.game is None else self._pool).copy()
        for tile in self.drawn:
            pool[tile] -= 1
        return pool

    # Play.

    def play(self, action: int) -> None:
        """Play a player's legal action, or a draw of a type."""
        if self.drawer is None:
            self._decide(action)
        else:
            self._draw(action)
        game = self.game
        if game is not None and self.drawer is None and not game.has_private_choice:
            self.seen = [seen + text for seen, text in zip(self.seen, self._unrevealed, strict=True)]
            self._unrevealed = [""] * len(self.seen)
            self.num_revealed, self.shown = len(self.events), game

    def _draw(self, tile: int) -> None:
        seat = self.drawer
        assert seat is not None  # noqa: S101 - a tile is drawn
        if not 0 <= tile < self.kind.num_types or self.pool_left()[tile] <= 0:
            msg = f"type {tile} cannot be drawn: there are {dict(self.chances())} by their chances"
            raise ValueError(msg)
        self.events.append(Event(seat, tile, is_draw=True))
        self.drawn.append(tile)
        if self.game is None:
            if len(self.drawn) == len(self.kind.deal):
                self.game = self.kind.dealt(self.drawn)
                for place in dict.fromkeys(self.kind.deal):
                    hand = [t for p, t in zip(self.kind.deal, self.drawn, strict=True) if p == place]
                    self._reveal_draws(place, hand)
                self.drawn = []
        elif len(self.drawn) == self._count:
            assert self.move is not None  # noqa: S101 - it causes the draws
            self.game = self.kind.after(self.game, self.move, self.drawn)
            self._reveal_draws(seat, self.drawn)
            self.drawn, self.move, self._pool = [], None, []

    def _reveal_draws(self, place: int, tiles: list[int]) -> None:
        """Reveal tiles to the drawing seat, or to all if public; sorted, as they are drawn together."""
        text = f"{place}+{','.join(map(str, sorted(tiles)))} "
        if place in self.kind.public_places:
            self._reveal(place, text)
        elif place >= 0:
            self.seen[place] += text

    def _reveal(self, seat: int, text: str) -> None:
        """Reveal a text to a seat at once, and to the others when the move is settled."""
        for each in range(len(self.seen)):
            (self.seen if each == seat else self._unrevealed)[each] += text

    def _decide(self, action: int) -> None:
        kind, game = self.kind, self.game
        assert game is not None  # noqa: S101 - a player is to move
        draws, after = kind.draws(game, action)
        seat, choice, text = game.to_play, kind.choice_of(action), f"{game.to_play}:{action} "
        rack = kind.rack(game) if choice in kind.shown else ()
        self.events.append(Event(seat, action, is_draw=False, barred=kind.definition.barred(game), rack=rack))
        if choice in kind.private:
            self.seen[seat] += text
        else:
            self._reveal(seat, text + (f"({','.join(map(str, rack))}) " if rack else ""))
        if draws.number:
            self.move, self._count, self._pool = action, draws.number, draws.pool
        else:
            self.game = after


def replayed(kind: Kind, actions: list[int], root: BaseGame | None = None) -> Position:
    """The position after these actions of players and of chance."""
    position = Position(kind, root)
    for action in actions:
        position.play(action)
    return position
