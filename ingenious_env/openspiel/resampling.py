"""A random history that a seat cannot distinguish from the true one.

The seat has not seen the tiles that others drew. Each draw of another is a place that some tile went to, and
left again when it was laid, shown or thrown back:

    draws of another seat       a  b  c  d  e  f        g           h
    what it laid                             x (of a…f)    y (of the rest, g)
    its rack now                what is left of a…h

First the places of tiles that were seen later are chosen, from the first move to the last: a tile laid may
be any of those on the rack, with equal probability. Then the places that are left on racks get unseen tiles.
Until a rack goes back into the bag, a history then has the probability that follows from its draws and from
laying each tile of a rack with equal probability: all unseen tiles are equally likely to be on a rack. After
that, a history that needs a tile before it came back into the bag is rejected, and another one is tried; the
probabilities of those that remain are no longer exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ingenious_env.engine.facts import OUT
from ingenious_env.errors import IllegalActionError
from ingenious_env.openspiel.kinds import Kind
from ingenious_env.openspiel.position import Event, Position

Random = Callable[[], float]
"""A source of numbers in [0, 1)."""
MAX_TRIES = 1000


@dataclass
class Draw:
    """A tile that another seat drew unseen.

    Attributes:
        event: its number among the events of the game.
        until: that of the event by which it left the rack; None for one that is still there.
        tile: its type, once it is chosen.
        barred: types that it cannot be.
    """

    event: int
    until: int | None = None
    tile: int | None = None
    barred: set[int] = field(default_factory=set)


class DeadEndError(Exception):
    """No history continues the choices made so far."""


def resampled(position: Position, seat: int, random: Random) -> Position:
    """A position that the seat cannot distinguish from this one, with its hidden parts at random.

    Raises:
        ValueError: none was found; one exists, but it is very unlikely. Or moves were made since a root
            without a history.
    """
    if position.root is not None:
        if position.events:
            msg = "a state that begins at a position can be resampled before its first move only"
            raise ValueError(msg)
        game = position.root.clone()
        game.reshuffle_hidden(seat, int(random() * 2**32))
        return Position(position.kind, game)
    for _ in range(MAX_TRIES):
        try:
            draws = _hidden_draws(position, seat, random)
            _fill_racks(position, seat, draws, random)
            return _replay(position, seat, draws, random)
        except DeadEndError:
            continue
    msg = f"none of {MAX_TRIES} histories agrees with what seat {seat} has seen"
    raise ValueError(msg)


def _pick(items: list[int], random: Random) -> int:
    if not items:
        raise DeadEndError
    return items[min(int(random() * len(items)), len(items) - 1)]


def _is_hidden(kind: Kind, event: Event, seat: int) -> bool:
    return event.is_draw and event.seat != seat and event.seat not in kind.public_places


def _hidden_draws(position: Position, seat: int, random: Random) -> dict[int, Draw]:
    """The hidden draws by their events, with the types of those whose tiles were seen later."""
    kind, draws = position.kind, {}
    racks: dict[int, list[Draw]] = {place: [] for place in (OUT, *range(kind.rules.num_players))}
    for number, event in enumerate(position.events):
        if _is_hidden(kind, event, seat):
            draws[number] = Draw(number)
            racks[event.seat].append(draws[number])
        if event.is_draw or event.seat == seat or event.seat in kind.public_places:
            continue
        rack, choice = racks[event.seat], kind.choice_of(event.action)
        for draw in rack:
            draw.barred |= event.barred
        if choice is None:
            tile = event.action // kind.num_placements
            draw = rack.pop(_pick([k for k, each in enumerate(rack) if tile not in each.barred], random))
            draw.tile, draw.until = tile, number
        elif choice in kind.shown or choice in kind.thrown:
            shown = list(event.rack)
            for draw in rack:
                draw.until = number
                if shown:
                    draw.tile = shown.pop(_pick(list(range(len(shown))), random))
                    if draw.tile in draw.barred:
                        raise DeadEndError
            rack.clear()
    return draws


def _fill_racks(position: Position, seat: int, draws: dict[int, Draw], random: Random) -> None:
    """Choose the types of tiles on racks and out of the game, those with the fewest choices first."""
    open_draws = [draw for draw in draws.values() if draw.tile is None and draw.until is None]
    pool = _unseen(position, seat)
    for draw in sorted(open_draws, key=lambda draw: -len(draw.barred)):
        left = [tile for tile, count in enumerate(pool) if tile not in draw.barred for _ in range(count)]
        draw.tile = _pick(left, random)
        pool[draw.tile] -= 1


def _unseen(position: Position, seat: int) -> list[int]:
    """[Y]: tiles of each type hidden from the seat: in the bag, on other racks or out of the game."""
    kind = position.kind
    if position.game is None:
        pool = kind.dealt_from.copy()
        for event in position.events:
            if not _is_hidden(kind, event, seat):
                pool[event.action] -= 1
        return pool
    game, move = position.game, position.move
    rack = game.state.racks[0, seat].tolist()
    pool = [count - rack.count(tile) for tile, count in enumerate(kind.unplaced(game))]
    if move is None:
        return pool
    choice = kind.choice_of(move)
    if choice is None and game.to_play != seat:
        pool[move // kind.num_placements] -= 1  # laid, though not yet in the game before the draws
    if game.to_play == seat and choice not in kind.thrown:
        for tile in position.drawn:
            pool[tile] -= 1
    return pool


def _replay(position: Position, seat: int, draws: dict[int, Draw], random: Random) -> Position:
    """Play the history with other draws, and with the private choices that occur in it."""
    kind, again = position.kind, Position(position.kind)
    for number, event in enumerate(position.events):
        if not event.is_draw and event.seat != seat and kind.choice_of(event.action) in kind.private:
            continue  # hidden, and made where it occurs
        _end_turns(again, seat, event.seat, is_draw=event.is_draw)
        action = event.action
        if number in draws:
            action = _tile_of(draws[number], draws, position, again, random)
        try:
            again.play(action)
        except (IllegalActionError, ValueError):
            raise DeadEndError from None
    while not again.is_known_to(seat):
        _choose_privately(again)
    if (again.seen[seat], again.is_over, again.is_turn_of(seat)) != (
        position.seen[seat],
        position.is_over,
        position.is_turn_of(seat),
    ):
        raise DeadEndError
    return again


def _end_turns(again: Position, seat: int, mover: int, *, is_draw: bool) -> None:
    """Make private choices for others until a seat is to move or to draw."""
    while True:
        if again.drawer == mover if is_draw else again.is_turn_of(mover):
            return
        if again.is_over or again.is_turn_of(seat):
            raise DeadEndError
        _choose_privately(again)


def _choose_privately(again: Position) -> None:
    """Make a private choice for the seat to move."""
    if again.drawer is not None:
        raise DeadEndError
    assert again.game is not None  # noqa: S101 - a player is to move
    private = [
        each for each in again.kind.legal(again.game) if again.kind.choice_of(each) in again.kind.private
    ]
    if not private:
        raise DeadEndError
    again.play(private[0])


def _tile_of(draw: Draw, draws: dict[int, Draw], position: Position, again: Position, random: Random) -> int:
    """The type of a hidden draw: for one that is thrown back unseen, a type that no draw until then needs."""
    if draw.tile is not None or draw.until is None:
        assert draw.tile is not None  # noqa: S101 - tiles still on a rack were chosen
        return draw.tile
    pool = again.pool_left()
    for number in range(draw.event + 1, draw.until):
        event = position.events[number]
        tile = draws[number].tile if number in draws else event.action
        if event.is_draw and tile is not None:
            pool[tile] -= 1
    left = [tile for tile, count in enumerate(pool) if tile not in draw.barred for _ in range(count)]
    draw.tile = _pick(left, random)
    return draw.tile
