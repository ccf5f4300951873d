"""A variant in OpenSpiel's terms: actions by tile type, the deal as draws, and the draws of each move.

Actions, with Y tile types, P placements of a tile and the choices that the game names:

    type · P + placement            Y · P + choice            Y · P + choices in all

A rack's slots are not used, as they change with hidden tiles. Outcomes of chance are types.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ingenious_env.compiled.bag import NO_TILE
from ingenious_env.compiled.phases import PLACE
from ingenious_env.engine.batch import GameBatch
from ingenious_env.engine.dealing import exchange
from ingenious_env.engine.definition import AnyRules, variant_of
from ingenious_env.engine.facts import OUT, START
from ingenious_env.engine.game import BaseGame
from ingenious_env.errors import IllegalActionError


class Draws(NamedTuple):
    """The draws that a move causes.

    Attributes:
        number: of tiles, 0 for none.
        pool: [Y], tiles of each type from which they are drawn.
    """

    number: int
    pool: list[int]


class Kind:
    """A variant, and where its games begin.

    Args:
        rules: the variant.
        start: a position with a tile to be placed; the hidden tiles are dealt anew, and what was shown in
            swaps is forgotten. None begins with the deal.

    Attributes:
        rules: as given.
        definition: of the game.
        start: a copy of that position; None for the deal.
        num_types: tile types, Y.
        num_slots: of a rack.
        num_placements: of a tile, P.
        choices: the named choices.
        most_moves: an upper bound on the actions of players in a game.
        open_racks: whether all racks are public.
        deal: who draws each tile of the deal: seats, `OUT` or `START`.
    """

    def __init__(self, rules: AnyRules, start: BaseGame | None = None) -> None:
        self.rules = rules
        self.variant = variant_of(rules)
        self.definition = self.variant.definition
        self.num_types = len(self.variant.tiles)
        actions = self.variant.flat_actions
        self.num_slots, self.num_placements = actions.num_slots, actions.num_placements
        self.choices = actions.choices
        self.most_moves = self.definition.most_moves(rules)
        self.open_racks = self.definition.open_racks(rules)
        self.start = None if start is None else self._checked(start)
        self.deal = self._plan()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the rules and the position."""
        return type(self), (self.rules, self.start)

    # Visibility of choices, by the game's definition.

    @cached_property
    def private(self) -> frozenset[str]:
        """The choices that others cannot see."""
        return self._choices("is_private")

    @cached_property
    def shown(self) -> frozenset[str]:
        """The choices that show the rack to all and draw another before it goes back into the bag."""
        return self._choices("shows_rack")

    @cached_property
    def thrown(self) -> frozenset[str]:
        """The choices that put the rack back unseen and draw as many tiles from the bag."""
        return self._choices("returns_rack")

    def _choices(self, trait: str) -> frozenset[str]:
        choices = self.definition.choices.items()
        return frozenset(name for name, choice in choices if getattr(choice, trait))

    # The deal.

    def _checked(self, start: BaseGame) -> BaseGame:
        if start.rules != self.rules:
            msg = f"start is a position of {start.rules!r}, not of {self.rules!r}"
            raise ValueError(msg)
        if start.state.phase[0] != PLACE or start.state.held[0]:
            msg = "start must be a position in which a whole tile is to be placed"
            raise ValueError(msg)
        reason = self.definition.no_start(start)
        if reason:
            raise ValueError(reason)
        return type(start).from_row(self.variant, start.state.memory[0])

    def _plan(self) -> tuple[int, ...]:
        """The recipient of each tile of the deal."""
        whole = self.definition.deal(self.rules)
        if self.start is None:
            return whole
        sizes = (self.start.state.racks[0] != NO_TILE).sum(axis=1).tolist()
        out = [place for place in whole if place == OUT]
        return (*out, *(seat for seat, size in enumerate(sizes) for _ in range(size)))

    @cached_property
    def dealt_from(self) -> list[int]:
        """[Y]: tiles of each type from which the deal draws."""
        if self.start is None:
            return list(self.variant.tiles.values())
        return self.unplaced(self.start)

    def unplaced(self, game: BaseGame) -> list[int]:
        """[Y]: tiles of each type that do not lie on the board."""
        hidden = [*self._hands(game).values(), game.state.bag[0, game.state.drawn[0] :]]
        return self._counts(np.concatenate([hand[hand != NO_TILE] for hand in hidden]))

    def _counts(self, types: NDArray[np.uint8]) -> list[int]:
        """[Y]: the number of tiles of each type."""
        return [int(count) for count in np.bincount(types, minlength=self.num_types)]

    @cached_property
    def _dealer(self) -> GameBatch:
        return GameBatch(self.rules, 1, 0)

    def _hands(self, game: BaseGame) -> dict[str, NDArray[np.uint8]]:
        """Hidden tiles by place, without the bag, in the order of the deal."""
        hands = {str(OUT): game.state.out[0]} if OUT in self.deal else {}
        return hands | {str(seat): rack for seat, rack in enumerate(game.state.racks[0])}

    def dealt(self, outcomes: list[int]) -> BaseGame:
        """The game after the deal, from the type of each tile drawn."""
        left = np.array(self.dealt_from)
        np.subtract.at(left, outcomes, 1)
        if self.start is None:
            order = np.concatenate([outcomes, np.repeat(np.arange(self.num_types), left)])
            dealer = self._dealer.clone()
            dealer.deal_in_order(order[None])
            game: BaseGame = dealer[0]
            return game
        game = self.start.clone()
        wanted: dict[str, list[int]] = {}
        for place, tile in zip(self.deal, outcomes, strict=True):
            wanted.setdefault(str(place), []).append(tile)
        exchange(game.state.bag[0, game.state.drawn[0] :], self._hands(game), wanted, self.variant.tile_types)
        self.definition.settle(game.state)
        return game

    @cached_property
    def public_places(self) -> frozenset[int]:
        """Places whose draws are public."""
        return frozenset((START, *range(self.rules.num_players)) if self.open_racks else (START,))

    # Moves.

    def rack(self, game: BaseGame) -> tuple[int, ...]:
        """The types on the rack of the seat to move, ascending."""
        rack = game.state.racks[0, game.to_play]
        return tuple(rack[rack != NO_TILE].tolist())

    @property
    def num_actions(self) -> int:
        """Number of actions, A."""
        return self.num_types * self.num_placements + len(self.choices)

    def choice_of(self, action: int) -> str | None:
        """The name of the choice of an action; None for a placement."""
        number = action - self.num_types * self.num_placements
        return self.choices[number] if number >= 0 else None

    def legal(self, game: BaseGame) -> list[int]:
        """The legal actions, ascending: slots are by type, and of equal tiles only the first is legal."""
        actions = game.legal_actions()
        rack = game.state.racks[0, game.to_play].astype(np.int64)
        shift = (self.num_types - len(rack)) * self.num_placements
        choices = actions >= len(rack) * self.num_placements
        slots, placements = np.divmod(np.where(choices, 0, actions), self.num_placements)
        legal: list[int] = np.where(
            choices, actions + shift, rack[slots] * self.num_placements + placements
        ).tolist()
        return legal

    def action_of(self, game: BaseGame, engine_action: int) -> int:
        """The action of a flat action of the engine: the inverse of `engine_action`."""
        rack: list[int] = game.state.racks[0, game.to_play].tolist()
        slot, placement = divmod(engine_action, self.num_placements)
        if slot >= len(rack):
            return engine_action + (self.num_types - len(rack)) * self.num_placements
        return rack[slot] * self.num_placements + placement

    def engine_action(self, game: BaseGame, action: int) -> int:
        """The engine's flat action; IllegalActionError if the seat to move has no such tile."""
        if not 0 <= action < self.num_actions:
            msg = f"action {action} is not a move: actions are 0 to {self.num_actions - 1}"
            raise IllegalActionError(msg)
        tile, placement = divmod(action, self.num_placements)
        rack: list[int] = game.state.racks[0, game.to_play].tolist()
        if tile >= self.num_types:
            return action + (len(rack) - self.num_types) * self.num_placements
        if tile not in rack:
            msg = f"action {action} lays the tile {self.variant.tile_types[tile]}, which is not on the rack"
            raise IllegalActionError(msg)
        return rack.index(tile) * self.num_placements + placement

    def draws(self, game: BaseGame, action: int) -> tuple[Draws, BaseGame]:
        """The draws that an action causes, and the game after it, with other tiles drawn."""
        engine_action, after = self.engine_action(game, action), game.clone()
        try:
            after.play(engine_action)
        except IllegalActionError as error:
            reason = str(error).partition(": ")[2] or str(error)
            msg = f"action {action} is illegal, see legal_actions(): {reason}"
            raise IllegalActionError(msg) from None
        choice = self.choice_of(action)
        if after.is_over:
            return Draws(0, []), after
        if choice in self.shown:
            return Draws(self.num_slots, self.in_bag(game)), after
        if choice in self.thrown:
            rack = self.rack(game)
            pool = [count + rack.count(tile) for tile, count in enumerate(self.in_bag(game))]
            return Draws(len(rack), pool), after
        count = int(after.state.drawn[0]) - int(game.state.drawn[0])
        return Draws(count, self.in_bag(game) if count else []), after

    def in_bag(self, game: BaseGame) -> list[int]:
        """[Y]: tiles of each type in the bag."""
        return self._counts(game.state.bag[0, game.state.drawn[0] :])

    def after(self, game: BaseGame, action: int, drawn: list[int]) -> BaseGame:
        """The game after an action that drew these tiles."""
        game = game.clone()
        seat, tiles = game.to_play, [self.variant.tile_types[tile] for tile in drawn]
        if self.choice_of(action) in self.thrown:
            game.play(self.engine_action(game, action))  # shuffles the bag before it draws
            game.deal({seat: tiles})
            return game
        game.next_draws(tiles)
        game.play(self.engine_action(game, action))
        return game

    def move_text(self, game: BaseGame, action: int) -> str:
        """A player's action in readable form."""
        return self.definition.move_to_text(game.move(self.engine_action(game, action)))
