"""`Unseen`: a game as one seat knows it, with placeholders for the tiles that it does not see.

Which tiles lie on other racks, in the bag and out of the game decides what the engine lets other seats do.
The placeholders are chosen so that all that the seat cannot exclude is possible: a tile that was laid had
been on the rack, and a turn or the game continues if it may.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ingenious_env.compiled.bag import NO_TILE
from ingenious_env.compiled.phases import CHOOSE
from ingenious_env.engine.definition import AnyRules, Move, Variant, variant_of
from ingenious_env.engine.facts import OUT
from ingenious_env.languages import Texts

Types = Sequence[int]
"""Numbers of tile types."""
Racks = Mapping[int, Types]
"""Types that seats have, at least, by seat."""
TEXTS = Texts(
    {
        "tile": "{number} tile",
        "tiles": "{number} tiles",
        "has": "seat {seat} has {tiles}, not {given}",
        "seen some": "seat {seat} does not see {unseen} of the {tiles}, and more were given",
        "seen all": "seat {seat} has seen where all tiles {tile} are: there are {total}",
        "can place": "seat {seat} has a tile that it can place",
    }
)
"""Why tiles cannot lie where they are said to; pages without a server fill these sentences in, too."""


class Unseen:
    """The tiles that a seat does not see.

    Args:
        rules: the variant.
        seat: the seat.
    """

    def __init__(self, rules: AnyRules, seat: int) -> None:
        self.variant: Variant = variant_of(rules)
        self.definition, self.seat = self.variant.definition, seat
        self._has_out = OUT in self.definition.deal(rules)

    def of(self, game: Any) -> Counter[int]:
        """The types that the seat does not see."""
        return self._all(game) - Counter(rack_of(game, self.seat))

    def _all(self, game: Any) -> Counter[int]:
        """The types on racks, in the bag and out of the game."""
        hands = [*game.state.racks[0], game.state.bag[0, game.state.drawn[0] :]]
        hands += [game.state.out[0]] if self._has_out else []
        return Counter(tile for hand in hands for tile in hand.tolist() if tile != NO_TILE)

    def barred(self, game: Any) -> frozenset[int]:
        """The types that the seat to move cannot have if it is to make a choice instead of a placement."""
        copy = game.clone()
        copy.state.phase[:] = CHOOSE
        return self.definition.barred(copy)

    def dealt(
        self, game: Any, racks: Racks | None = None, *, drawn: Types = (), first: Collection[int] = ()
    ) -> Any:
        """A copy of a game in which these tiles are dealt anew.

        Args:
            game: which does not change.
            racks: those that are known; the seat itself has its rack by default.
            drawn: types that are drawn next.
            first: types that lie on the rack of the seat to move, on other racks or in the bag, in this
                order, rather than out of the game.

        Raises:
            ValueError: there are not as many tiles of a type, on a rack or in the bag.
        """
        copy = game.clone()
        state = copy.state
        given = {self.seat: rack_of(game, self.seat)} | dict(racks or {})
        rest = self._left(game, given, drawn, first)
        players = state.racks.shape[1]
        for seat in [(game.to_play + k) % players for k in range(players)]:
            size, tiles = len(rack_of(game, seat)), list(given.get(seat, ()))
            if len(tiles) > size:
                msg = TEXTS["has"].format(seat=seat, tiles=count_of(size), given=len(tiles))
                raise ValueError(msg)
            missing = size - len(tiles)
            state.racks[0, seat, :size] = sorted(tiles + rest[:missing])
            del rest[:missing]
        bag = state.bag[0, state.drawn[0] :]
        bag[:] = [*drawn, *rest][: len(bag)]
        if self._has_out:
            out, phase = [*drawn, *rest][len(bag) :], int(state.phase[0])
            state.out[0, : len(out)] = sorted(out)
            self.definition.settle(state)
            state.phase[:] = phase  # before a placement, the turn is where it was
        return copy

    def _left(self, game: Any, given: Racks, drawn: Types, first: Collection[int]) -> list[int]:
        """The types that are not given, `first` ones first."""
        left = self._all(game)
        left.subtract([*drawn, *(tile for tiles in given.values() for tile in tiles)])
        for number in -left:
            total, unseen = list(self.variant.tiles.values())[number], self.of(game)[number]
            tile = self.definition.tile_to_text(self.variant.tile_types[number])
            values = {"unseen": unseen, "tiles": count_of(total, tile), "tile": tile, "total": total}
            text = TEXTS["seen some" if unseen else "seen all"]
            raise ValueError(text.format(seat=self.seat, **values))
        return sorted(left.elements(), key=lambda number: (number not in first, number))

    def played(self, game: Any, move: Move, racks: Racks | None = None, *, drawn: Types = ()) -> Any:
        """A copy of a game after a move, in which the turn and the game go on if they may.

        Args:
            game: before the move, which does not change.
            move: of the seat to move.
            racks: as for `dealt`.
            drawn: as for `dealt`.

        Raises:
            IllegalActionError: the move is illegal.
            ValueError: as `dealt`.
        """
        after, first = game, frozenset[int]()
        for _ in range(2):  # which tiles can be laid next is known after the move
            after = self.dealt(game, racks, drawn=drawn, first=first)
            after.play(after.action(move))
            first = self.barred(after)
        return after

    def redealt(self, game: Any, racks: Racks) -> Any:
        """A copy of a game at the beginning of a turn, with these racks and the phase that follows from them.

        Raises:
            ValueError: as `dealt`.
        """
        copy = self.dealt(game, racks, first=self.barred(game))
        if not copy.is_over:
            self.definition.find_phases(copy.state)
        return copy

    def chosen(self, game: Any, move: Move) -> Any:
        """A copy of a game after another seat's choice, which it makes as it has no tile to place.

        Raises:
            IllegalActionError: the choice is not offered.
            ValueError: it must have such a tile.
        """
        seat, barred = game.to_play, self.barred(game)
        size = len(rack_of(game, seat))
        rack = [tile for tile in self.of(game).elements() if tile not in barred][:size]
        if len(rack) < size:
            msg = TEXTS["can place"].format(seat=seat)
            raise ValueError(msg)
        return self.played(self.redealt(game, {seat: rack}), move, {seat: rack})

    def ready(self, game: Any) -> Any:
        """The game at the next decision that all notice; another seat can place a tile if it may have one."""
        while not game.is_over and game.to_play != self.seat and game.state.phase[0] == CHOOSE:
            if game.has_private_choice:  # it is made, unless a public one is entered
                choices = self.definition.choices.items()
                private = [name for name, choice in choices if choice.is_private and offers(game, name)]
                game = self.played(game, private[0])
                continue
            ways = self.barred(game) & self.of(game).keys()
            if ways:
                game = self.redealt(game, {game.to_play: [min(ways)]})
            break
        return game


def rack_of(game: Any, seat: int) -> list[int]:
    """The types on a rack, ascending."""
    return [tile for tile in game.state.racks[0, seat].tolist() if tile != NO_TILE]


def offers(game: Any, choice: str) -> bool:
    """Return whether the seat to move may make a choice."""
    return bool(game.legal_mask()[game.actions.choice(choice)])


def count_of(number: int, kind: str = "") -> str:
    """A number of tiles in words."""
    text = TEXTS["tile" if number == 1 else "tiles"].format(number=number)
    return f"{text} {kind}" if kind else text
