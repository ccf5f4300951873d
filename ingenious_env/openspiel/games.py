"""The games as OpenSpiel loads them: parameters, states, observations, results."""

from __future__ import annotations

import base64
import inspect
import zlib
from importlib import import_module
from typing import Any, ClassVar, get_args, get_type_hints

import numpy as np
import pyspiel

from ingenious_env.engine.definition import AnyDefinition, definitions
from ingenious_env.engine.facts import OUT, START
from ingenious_env.engine.game import BaseGame
from ingenious_env.openspiel.kinds import Kind
from ingenious_env.openspiel.position import Position
from ingenious_env.openspiel.resampling import resampled

Parameters = dict[str, Any]
CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)
"""Players of OpenSpiel in addition to seats."""


def encode(game: BaseGame) -> str:
    """A position for the parameter `start`: its text, packed into letters, digits, - and _."""
    packed = base64.urlsafe_b64encode(zlib.compress(game.to_text().encode(), 9))
    return packed.decode().rstrip("=")


def decode(kind: type[BaseGame], text: str) -> BaseGame:
    """The position that `encode` wrote; ValueError if it is malformed."""
    try:
        packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        unpacked = zlib.decompressobj().decompress(packed, MAX_TEXT).decode()
    except (ValueError, zlib.error):
        msg = "start must be what ingenious_env.openspiel.encode made of a position"
        raise ValueError(msg) from None
    return kind.from_text(unpacked)


MAX_TEXT = 1 << 20
"""The largest size of a position's text in bytes, far above any real one."""


def short_name(definition: AnyDefinition) -> str:
    """The name by which OpenSpiel loads a game."""
    return f"python_{definition.name}"


def type_of(definition: AnyDefinition, *, zero_sum: bool, open_racks: bool) -> pyspiel.GameType:
    """The `GameType` of a game."""
    information, utility = pyspiel.GameType.Information, pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=short_name(definition),
        long_name=definition.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.PERFECT_INFORMATION if open_racks else information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if zero_sum else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(definition.players),
        min_num_players=min(definition.players),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=options_of(definition),
    )


class TileGame(pyspiel.Game):
    """A game of OpenSpiel; a subclass for each game of this package."""

    definition: ClassVar[AnyDefinition]

    def __init__(self, params: Parameters | None = None) -> None:
        definition, defaults = self.definition, options_of(self.definition)
        options = defaults | (params or {})
        start = decode(definition.game, options["start"]) if options["start"] else None
        others = {name for name, value in options.items() if value != defaults[name]}
        if start is not None and others - {"start", "reward"}:
            msg = f"start determines the variant: with it only reward may be given, not {sorted(others)}"
            raise ValueError(msg)
        if start is None:
            plain = {name: options[name] for name in defaults if name not in ("reward", "start")}
            rules = definition.rules(
                **{name: value for name, value in plain.items() if value != defaults[name]}
            )
        else:
            rules = start.rules
        self.kind = Kind(rules, start)
        self.reward = definition.reward(rules, options["reward"])
        if self.reward.shape:
            msg = f"reward must be a number, which {options['reward']!r} is not"
            raise ValueError(msg)
        scores, shape = self.kind.variant.scores
        self._before = np.zeros((1, *shape), scores) if start is None else start.state.scores.copy()
        info = pyspiel.GameInfo(
            num_distinct_actions=self.kind.num_actions,
            max_chance_outcomes=self.kind.num_types,
            num_players=rules.num_players,
            min_utility=self.reward.low,
            max_utility=self.reward.high,
            **({"utility_sum": 0.0} if self.reward.zero_sum else {}),
            max_game_length=self.kind.most_moves,
        )
        kind = type_of(definition, zero_sum=self.reward.zero_sum, open_racks=self.kind.open_racks)
        super().__init__(kind, info, options)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the text by which OpenSpiel loads the game, since the class belongs to no module."""
        return _load, (str(self),)

    def new_initial_state(self, from_dict: Any = None) -> TileState:
        """The root of the tree; states cannot be made from dictionaries."""
        if from_dict is not None:
            msg = "states are made by their histories, not of dictionaries"
            raise ValueError(msg)
        return TileState(self)

    def max_chance_nodes_in_history(self) -> int:
        """A bound on the draws of a game."""
        return len(self.kind.deal) + self.kind.most_moves * self.kind.num_slots

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """An observer of information states (perfect recall), or of observations."""
        if params:
            msg = f"observers take no parameters, not {params!r}"
            raise ValueError(msg)
        return Observer(self.kind, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))

    def returns_of(self, position: Position) -> list[float]:
        """The returns of all seats: sums of the rewards of all steps; 0 until the game is over."""
        if not position.is_over or position.game is None:
            return [0.0] * self.kind.rules.num_players
        rewards = self.reward(self._before, position.game.state.scores, np.ones(1, np.bool_))
        return [float(each) for each in rewards[0]]


class TileState(pyspiel.State):
    """A state of OpenSpiel; its only attribute is its position, so that it is easy to copy and to save."""

    def __init__(self, game: TileGame) -> None:
        super().__init__(game)
        self._position = Position(game.kind)

    def current_player(self) -> int:
        """The seat to move, or another player of OpenSpiel."""
        if self._position.is_over:
            return TERMINAL
        if self._position.drawer is not None or self._position.game is None:
            return CHANCE
        game: BaseGame = self._position.game
        return int(game.to_play)

    def _legal_actions(self, player: int) -> list[int]:
        del player
        assert self._position.game is not None  # noqa: S101 - a player is to move
        return self._position.kind.legal(self._position.game)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The types that may be drawn, and their probabilities."""
        return self._position.chances()

    def _apply_action(self, action: int) -> None:
        self._position.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        kind, position = self._position.kind, self._position
        if player == CHANCE or position.game is None:
            who: dict[int | None, str] = {OUT: "out of the game", START: "to the start square"}
            place = who.get(position.drawer, f"to Player {position.drawer}")
            return f"{kind.variant.tile_types[action]} {place}"
        return kind.move_text(position.game, action)

    def engine_game(self) -> BaseGame | None:
        """A copy of the game at the decision, or before the move that causes the draws; None in the deal."""
        game = self._position.game
        return None if game is None else game.clone()

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self._position.is_over

    def returns(self) -> list[float]:
        """The returns of all seats, 0 until the game is over."""
        returns: list[float] = self.get_game().returns_of(self._position)
        return returns

    def __str__(self) -> str:
        """The position with all hidden information."""
        position = self._position
        if position.game is None:
            return f"deal: {position.drawn}"
        text = position.kind.definition.draw_text(position.game, viewer=None)
        return text if position.drawer is None else f"{text}\ndrawn: {position.drawn}"

    def resample_from_infostate(self, player: int, probability_sampler: Any) -> TileState:
        """A state that the player cannot distinguish from this one, with its own history."""
        state: TileState = self.get_game().new_initial_state()
        found = resampled(self._position.known_to(player), player, probability_sampler)
        if found.root is not None:
            state._position = found
        for event in found.events:
            state.apply_action(event.action)
        return state


def state_at(game: TileGame, position: BaseGame) -> TileState:
    """The state of a decision, without a history, and so not to be serialised; copies can be made.

    Args:
        game: of these rules, from `pyspiel.load_game`.
        position: which is copied with its hidden tiles: deal them anew where they must not be known.

    Raises:
        ValueError: it is of other rules, or it is no decision between whole moves.
    """
    if position.rules != game.kind.rules:
        msg = f"the position is one of {position.rules!r}, not of {game.kind.rules!r}"
        raise ValueError(msg)
    if position.is_over or position.state.held[0]:
        msg = "the game is over" if position.is_over else "a slot has been picked: this is half of a move"
        raise ValueError(msg)
    state = game.new_initial_state()
    root = type(position).from_row(game.kind.variant, position.state.memory[0])
    state._position = Position(game.kind, root)
    return state


NO_TENSOR = (
    "there is no information_state_tensor, as the type of the game says (provides_information_state_tensor): "
    "use information_state_string, or observation_tensor, which does not recall what came before"
)


class Observer:
    """A seat's observation, as the environments' vector and as text, or its information state as a string.

    While tiles are drawn, this is the view before the move that causes the draws; during the deal, nothing. A
    seat that waits sees a move once no private choice can follow.
    """

    def __init__(self, kind: Kind, wanted: Any) -> None:
        if wanted.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            msg = "there are observations for single seats only"
            raise ValueError(msg)
        self._recalls = wanted.perfect_recall
        self.tensor = None if self._recalls else np.zeros(kind.variant.observation.size, np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: TileState, player: int) -> None:
        """Fill the tensor with the player's observation."""
        if self.tensor is None:
            raise NotImplementedError(NO_TENSOR)
        game = state._position.shown_to(player)
        self.tensor[:] = 0 if game is None else game.observe(player)

    def string_from(self, state: TileState, player: int) -> str:
        """The player's information state, or observation."""
        position = state._position
        if self._recalls:
            return position.seen[player]
        game = position.shown_to(player)
        return "the deal" if game is None else game.definition.draw_text(game, viewer=player)


def options_of(definition: AnyDefinition) -> Parameters:
    """The parameters of a game with their defaults: the options of its rules, `reward` and `start`.

    OpenSpiel only has numbers, booleans and strings: None is 0 or "", and an option that can be true, false
    or None is omitted.
    """
    kinds = get_type_hints(definition.rules.__init__, vars(import_module(definition.rules.__module__)))
    options: Parameters = {}
    for name, parameter in inspect.signature(definition.rules).parameters.items():
        kind = kinds[name]
        others = set(get_args(kind))
        if parameter.default is not None:
            options[name] = parameter.default
        elif int in others or str in others:
            options[name] = 0 if int in others else ""
    return {**options, "reward": definition.rewards[0], "start": ""}


def _load(text: str) -> pyspiel.Game:
    """The game of its text, in a process that may not have registered it."""
    register_games()
    return pyspiel.load_game(text)


def register_games() -> None:
    """Register the games of tiles known so far with OpenSpiel, unless they are registered."""
    for definition in definitions().values():
        if "bag" in definition.layout.fields and short_name(definition) not in pyspiel.registered_names():
            kind = type(definition.title, (TileGame,), {"definition": definition})
            pyspiel.register_game(type_of(definition, zero_sum=False, open_racks=False), kind)
