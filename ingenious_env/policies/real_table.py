"""`RealTable`: a game at a real table, followed from one seat by what a person sees there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ingenious_env.engine.batch import GameBatch
from ingenious_env.engine.checks import check_index
from ingenious_env.engine.choices import Choice, is_choice
from ingenious_env.engine.dealing import check_has_tiles, tile_numbers
from ingenious_env.engine.definition import AnyRules, Move, Tile
from ingenious_env.engine.facts import OUT, START
from ingenious_env.engine.unseen import Unseen, count_of, offers, rack_of
from ingenious_env.errors import IllegalActionError, InconsistentStateError
from ingenious_env.languages import Texts
from ingenious_env.policies.view import View

Tiles = str | Sequence[Tile | str]
"""Tiles as people read them or as texts, or all in one text such as "rr,gy"."""
SEED = 0
"""Of the streams of a game that is followed from its deal."""
TEXTS = Texts(
    {
        "rack": "the rack of seat {seat}",
        "start": "the start square",
        "deal": "{name} has {tiles} in the deal, not {given}",
        "racks": "racks have {tiles}: {given} are given, and {left} are left for others",
        "too many": "the game has {tiles}, not {given}",
        "open": "with open racks nothing is unseen but the bag: use Game, with deal and next_draws",
        "no tile": "{move} lays no tile: placed are the tiles on the board",
        "no scores": "scores must be whole numbers of shape {shape}, first by sheet, not {scores}",
        "scores": "scores must be from 0 to {highest}, not {scores}",
        "over": "the game is over",
        "to move": "seat {mover} is to move, not seat {seat}",
        "not own": "drawn is for the tiles of seat {seat}, not of seat {mover}",
        "not others": "shown is for the tiles of another seat, not of seat {seat}",
        "shows none": "this move shows no tiles",
        "draws": "seat {seat} draws {tiles} after this move, not {given}",
        "not placed": "seat {seat} has not just placed a tile",
        "shows": "seat {seat} shows {tiles}, not {given}",
        "may not": "seat {seat} may not do this with these tiles",
        "impossible": "this cannot have been played: {reason}",
    }
)
"""Why nothing can be entered; pages without a server fill these sentences in, too."""


class Entry(NamedTuple):
    """A move at the table.

    Attributes:
        seat: that moved.
        move: its move.
        drawn: the tiles that the own seat drew after it.
        shown: the tiles that another seat showed in a swap.
    """

    seat: int
    move: Move
    drawn: tuple[Tile, ...] = ()
    shown: tuple[Tile, ...] = ()


class RealTable:
    """A game that people play at a real table, as one seat knows it.

    The deal is entered once, then each move as it happens, of all seats in turn, with the tiles that the own
    seat draws. In Ingenious the turn of another seat ends with its last tile, and if it then swaps, the swap
    is the next entry. In Loopit its turn ends with "stop", for whatever reason it ended, as long as the seat
    may have a tile that fits.

    Hidden tiles in `game` are placeholders, which never matter to what the own seat observes: its `view` is
    that of the true game. In Loopit with fixed rounds the tiles put out of the game are unknown, and the game
    goes on until the last round unless nothing can fit.

    Args:
        rules: the variant.
        seat: the own seat; seat 0 begins.
        rack: the tiles that the own seat has drawn in the deal.
        start: the tile on the start square, in a game that has one.

    Attributes:
        rules, seat: as given.
        definition: of the game.

    Raises:
        ValueError: the tiles are not those of a deal, or the game has no tiles, or it has several players
            and open racks.
    """

    def __init__(self, rules: AnyRules, seat: int, rack: Tiles, start: Tile | str | None = None) -> None:
        self._set_up(rules, seat)
        places = self.definition.deal(rules)
        given = {self.seat: self._numbers(rack), START: [] if start is None else self._numbers([start])}
        names = {self.seat: TEXTS["rack"].format(seat=self.seat), START: TEXTS["start"]}
        for place, name in names.items():
            if len(given[place]) != places.count(place):
                tiles = count_of(places.count(place))
                msg = TEXTS["deal"].format(name=name, tiles=tiles, given=len(given[place]))
                raise ValueError(msg)
        rest = self._others(given[self.seat] + given[START])
        order = [(given.get(place) or rest).pop(0) for place in places]
        batch = GameBatch(rules, 1, SEED)
        batch.deal_in_order(np.array([order + rest]))
        self._game = self._unseen.ready(batch[0])

    @classmethod
    def from_game(cls, game: Any, seat: int) -> RealTable:
        """A table that continues a position, as this seat knows it.

        Raises:
            ValueError: as the class, or a slot is picked, or another seat has a choice that it may keep
                secret.
        """
        table = cls.__new__(cls)
        table._set_up(game.rules, seat)
        if game.state.held[0] or (game.to_play != table.seat and game.has_private_choice):
            msg = f"the turn of seat {game.to_play} has begun: give a position before or after it"
            raise ValueError(msg)
        batch = GameBatch.from_rows(game.rules, game.state.memory)
        table._game = table._unseen.ready(table._unseen.redealt(batch[0], {}))
        return table

    @classmethod
    def from_position(
        cls,
        rules: AnyRules,
        seat: int,
        rack: Tiles,
        placed: Sequence[Move | str],
        scores: Any,
        *,
        to_play: int | None = None,
    ) -> RealTable:
        """A table that continues a game from the beginning of a turn, by what lies on it.

        All racks are full; earlier swaps are not known.

        Args:
            rules: the variant.
            seat: the own seat.
            rack: its tiles.
            placed: the tiles on the board as moves, in any order; in Loopit also the one on the start square.
            scores: of all sheets in the order of seats, in the form of the game's `scores`.
            to_play: the seat to move; by default the own one.

        Raises:
            ValueError: there is no such position.
        """
        table = cls.__new__(cls)
        table._set_up(rules, seat)
        mover = table.seat if to_play is None else check_index("to_play", to_play, 0, rules.num_players - 1)
        game = table._placed(placed, table._numbers(rack), mover)
        state = game.state
        state.scores[0] = _checked(scores, state.scores[0].shape, table.definition.max_score(rules))
        table._game = table._unseen.ready(game)
        table._game.check_consistency()
        return table

    def _placed(self, placed: Sequence[Move | str], rack: list[int], to_play: int) -> Any:
        """The game with these tiles on the board and this own rack, at the beginning of a turn."""
        definition = self.definition
        moves = [definition.text_to_move(move) if isinstance(move, str) else move for move in placed]
        for move in moves:
            if self._choice(move) is not None:
                raise ValueError(TEXTS["no tile"].format(move=repr(move)))
        rest = self._others(rack + self._numbers([definition.tile_of(move) for move in moves]))
        state = definition.set_up(self.rules, moves, to_play)
        players, slots = state.racks.shape[1:]
        num_out = definition.deal(self.rules).count(OUT)
        if len(rack) != slots or len(rest) < (players - 1) * slots + num_out:
            msg = TEXTS["racks"].format(tiles=count_of(slots), given=len(rack), left=len(rest))
            raise ValueError(msg)
        for seat in range(players):
            state.racks[0, seat] = sorted(rack if seat == self.seat else rest[:slots])
            del rest[: slots if seat != self.seat else 0]
        if num_out:
            state.out[0, :num_out] = rest[:num_out]
        bag = rest[num_out:]
        state.drawn[0] = state.bag.shape[1] - len(bag)
        state.bag[0] = [*[0] * int(state.drawn[0]), *bag]
        definition.settle(state)
        return definition.game.from_row(self.rules, state.memory[0])

    def _others(self, known: list[int]) -> list[int]:
        """All types but those known, ascending; ValueError if there are not so many."""
        counts = list(self._unseen.variant.tiles.values())
        left = Counter(dict(enumerate(counts)))
        left.subtract(known)
        for number in -left:
            text = self.definition.tile_to_text(self._types[number])
            tiles, given = count_of(counts[number], text), counts[number] - left[number]
            raise ValueError(TEXTS["too many"].format(tiles=tiles, given=given))
        return sorted(left.elements())

    def _set_up(self, rules: AnyRules, seat: int) -> None:
        self.rules: Any = rules
        self.seat = check_index("seat", seat, 0, rules.num_players - 1)
        self._unseen = Unseen(rules, self.seat)
        self.definition, self._types = self._unseen.definition, self._unseen.variant.tile_types
        check_has_tiles(self._types)
        if rules.num_players > 1 and self.definition.open_racks(rules):
            raise ValueError(TEXTS["open"])
        self._entries: list[Entry] = []
        self._positions: list[Any] = []  # before each entry

    # The position.

    @property
    def game(self) -> Any:
        """A copy of the game; the tiles that the own seat does not see are placeholders."""
        return self._game.clone()

    @property
    def view(self) -> View:
        """The view of the own seat, for policies and `advise`; ValueError unless it is to move."""
        if self.is_over or self.to_play != self.seat:
            who = "the game is over" if self.is_over else f"seat {self.to_play} is to move"
            msg = f"seat {self.seat} has no move to choose: {who}"
            raise ValueError(msg)
        return View.of(self._game)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._game.is_over)

    @property
    def to_play(self) -> int:
        """The seat to move; once the game is over, the seat that moved last."""
        return int(self._game.to_play)

    @property
    def rack(self) -> list[Tile]:
        """The tiles of the own seat."""
        return [self._types[number] for number in rack_of(self._game, self.seat)]

    @property
    def unseen(self) -> Counter[Tile]:
        """The tiles that the own seat does not see: in the bag, on other racks or out of the game."""
        return Counter({self._types[tile]: count for tile, count in self._unseen.of(self._game).items()})

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All moves entered, in order."""
        return tuple(self._entries)

    def at(self, number: int) -> Any:
        """A copy of the game after a number of entries; ValueError if there are fewer."""
        number = check_index("number", number, 0, len(self._entries))
        return [*self._positions, self._game][number].clone()

    def copy(self) -> RealTable:
        """A table with the same entries; entries in one do not affect the other."""
        made = copy(self)
        made._entries, made._positions = [*self._entries], [*self._positions]
        return made

    # Entries.

    @property
    def choices(self) -> list[str]:
        """The named choices that the seat to move may have, as far as the own seat knows."""
        return [] if self.is_over else [name for name in self.definition.choices if self._may_choose(name)]

    def _may_choose(self, name: str) -> bool:
        if self.to_play == self.seat:
            return offers(self._game, name)
        try:
            self._after(Entry(self.to_play, name))
        except ValueError:
            return False
        return not self.definition.choices[name].shows_rack

    def num_shown(self, choice: str) -> int:
        """The number of tiles that another seat shows with a choice after its last tile, 0 if it has none.

        Whether it has the choice depends on these tiles: `play` refuses others.
        """
        if self.is_over or not self._shows_late(choice) or self.to_play == self._entries[-1].seat:
            return 0
        return len(rack_of(self._positions[-1], self._entries[-1].seat)) - 1

    def num_drawn(self, move: Move | str | int) -> int:
        """The number of tiles that the own seat draws after a move, with which `play` is called.

        Raises:
            ValueError: the move is illegal, or the own seat is not to move.
        """
        entry = self._entry(move)
        if entry.seat != self.seat:
            raise ValueError(TEXTS["to move"].format(mover=entry.seat, seat=self.seat))
        with self._reasons(entry):
            return self._draws(entry)[0]

    def play(
        self, move: Move | str | int, *, drawn: Tiles = (), shown: Tiles = (), seat: int | None = None
    ) -> None:
        """Enter a move of the seat to move, or the swap of another seat that has just placed a tile.

        Args:
            move: a move or its text; one of the own seat may be a flat action.
            drawn: the tiles that the own seat draws after it, in any order.
            shown: the tiles that another seat shows in a swap.
            seat: that moves, if it is to be checked.

        Raises:
            ValueError: it cannot be played, another seat is to move, or there are too few or too many tiles;
                nothing has changed.
            TypeError: it is not a move.
        """
        entry = self._entry(move, drawn, shown)
        if seat is not None and seat != entry.seat:
            raise ValueError(TEXTS["to move"].format(mover=entry.seat, seat=seat))
        with self._reasons(entry):
            game = self._unseen.ready(self._after(entry))
            game.check_consistency()
        self._positions.append(self._game)
        self._entries.append(entry)
        self._game = game

    def take_back(self, number: int = 1) -> None:
        """Take back the last entries; ValueError if there are fewer, and nothing has changed."""
        if not self._entries:
            msg = "there is no entry to take back"
            raise ValueError(msg)
        number = check_index("number", number, 1, len(self._entries))
        self._game = self._positions[-number]
        del self._positions[-number:], self._entries[-number:]

    def _entry(self, move: Move | str | int, drawn: Tiles = (), shown: Tiles = ()) -> Entry:
        """The entry of a move; ValueError if its text, its seat or its tiles cannot be found."""
        if self.is_over:
            raise ValueError(TEXTS["over"])
        if isinstance(move, str):
            move = self.definition.text_to_move(move)
        elif isinstance(move, (int, np.integer)):
            if self.to_play != self.seat:
                msg = f"an action names a slot, and the rack of seat {self.to_play} is unseen: give a move"
                raise ValueError(msg)
            move = self._game.move(int(move))
        seat = self.to_play
        if self._shows_late(move):
            seat = self._entries[-1].seat
        return Entry(seat, move, *(tuple(self._types[k] for k in self._numbers(t)) for t in (drawn, shown)))

    def _choice(self, move: Move) -> Choice | None:
        choices = self.definition.choices
        return choices[move] if is_choice(choices, move) else None

    def _shows_late(self, move: Move) -> bool:
        """Whether a choice shows a rack and belongs to the turn of another seat that has just placed a tile.

        Its turn was taken to be over, as others do not notice whether it has the choice.
        """
        choice = self._choice(move)
        if choice is None or not choice.shows_rack or not self._entries or offers(self._game, move):
            return False
        last = self._entries[-1]
        return last.seat != self.seat and self._choice(last.move) is None

    def _after(self, entry: Entry) -> Any:
        """The game after an entry; ValueError if it cannot be played."""
        if entry.seat == self.seat:
            return self._after_own(entry)
        choice = self._choice(entry.move)
        if entry.drawn:
            raise ValueError(TEXTS["not own"].format(seat=self.seat, mover=entry.seat))
        if choice is not None and choice.shows_rack:
            return self._after_show(entry)
        if entry.shown:
            raise ValueError(TEXTS["shows none"])
        if choice is None:
            tile = self._numbers([self.definition.tile_of(entry.move)])
            return self._unseen.played(self._game, entry.move, {entry.seat: tile})
        if choice.is_private:
            return self._unseen.played(self._game, entry.move)
        return self._unseen.chosen(self._game, entry.move)

    def _after_own(self, entry: Entry) -> Any:
        if entry.shown:
            raise ValueError(TEXTS["not others"].format(seat=self.seat))
        count, after = self._draws(entry)
        if count != len(entry.drawn):
            given = len(entry.drawn)
            raise ValueError(TEXTS["draws"].format(seat=self.seat, tiles=count_of(count), given=given))
        choice, drawn = self._choice(entry.move), self._numbers(entry.drawn)
        if choice is None or not choice.returns_rack:
            return self._unseen.played(self._game, entry.move, drawn=drawn)
        if not after.is_over:  # the bag was shuffled before the draw
            after = self._unseen.redealt(after, {self.seat: drawn})
        return after

    def _draws(self, entry: Entry) -> tuple[int, Any]:
        """The number of tiles that the own seat draws after a move, and the game with others drawn."""
        after, choice = self._unseen.played(self._game, entry.move), self._choice(entry.move)
        if after.is_over:
            return 0, after
        kept = len(rack_of(self._game, self.seat))
        if choice is None:
            kept -= 1
        elif choice.shows_rack or choice.returns_rack:
            kept = 0
        return len(rack_of(after, self.seat)) - kept, after

    def _after_show(self, entry: Entry) -> Any:
        """The game after another seat has shown the rack that its last placement left."""
        if not self._shows_late(entry.move):
            raise ValueError(TEXTS["not placed"].format(seat=entry.seat))
        last, before = self._entries[-1], self._positions[-1]
        shown, size = self._numbers(entry.shown), len(rack_of(before, entry.seat)) - 1
        if len(shown) != size:
            msg = TEXTS["shows"].format(seat=entry.seat, tiles=count_of(size), given=len(shown))
            raise ValueError(msg)
        placed = self._numbers([self.definition.tile_of(last.move)])
        game = self._unseen.dealt(before, {entry.seat: placed + shown})
        game.play(game.action(last.move))
        if game.is_over or game.to_play != entry.seat or not offers(game, entry.move):
            raise ValueError(TEXTS["may not"].format(seat=entry.seat))
        return self._unseen.played(game, entry.move, {entry.seat: shown})

    # Texts.

    @contextmanager
    def _reasons(self, entry: Entry) -> Iterator[None]:
        """Raise errors as ValueError that begin with the move."""
        try:
            yield
        except InconsistentStateError as error:
            reason = TEXTS["impossible"].format(reason=error)
        except ValueError as error:
            reason = error.reason if isinstance(error, IllegalActionError) else str(error)
        else:
            return
        msg = f"{self.definition.move_to_text(entry.move)}: {reason}"
        raise ValueError(msg)

    def _numbers(self, tiles: Tiles) -> list[int]:
        """The types of tiles; ValueError if there is no such tile."""
        texts = {self.definition.tile_to_text(tile): tile for tile in self._types}
        if isinstance(tiles, str):
            tiles = re.findall(r"[^\s,]+", tiles)
        return tile_numbers(
            self._types, [texts.get(tile, tile) if isinstance(tile, str) else tile for tile in tiles]
        )


def _checked(scores: Any, shape: tuple[int, ...], highest: int) -> NDArray[np.int64]:
    """Scores as an array; ValueError unless they are whole numbers of this shape, 0 to `highest`."""
    try:
        found = np.array(scores, dtype=object)
        is_whole = found.shape == shape and all(
            isinstance(each, Integral) and not isinstance(each, bool) for each in found.flat
        )
    except ValueError:  # rows of different lengths
        is_whole = False
    if not is_whole:
        msg = TEXTS["no scores"].format(shape=list(shape), scores=repr(scores))
        raise ValueError(msg)
    if not all(0 <= each <= highest for each in found.flat):
        msg = TEXTS["scores"].format(highest=highest, scores=repr(scores))
        raise ValueError(msg)
    return found.astype(np.int64)
