"""The games as OpenSpiel loads them: parameters, states, observations, results."""

from __future__ import annotations

import base64
import zlib
from typing import Any, ClassVar

import numpy as np
import pyspiel

from ingenious_env.engine.definition import AnyRules
from ingenious_env.engine.game import BaseGame
from ingenious_env.games.ingenious import Game, Rules
from ingenious_env.games.loopit import Game as Loopit
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.openspiel.kinds import OUT, START, IngeniousKind, Kind, LoopitKind
from ingenious_env.openspiel.position import Position
from ingenious_env.openspiel.resampling import resampled

Parameters = dict[str, Any]
CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)
"""Players of OpenSpiel, beside seats."""


def encode(game: BaseGame) -> str:
    """A position as the parameter `start` takes it: its text, packed into letters, digits, - and _."""
    packed = base64.urlsafe_b64encode(zlib.compress(game.to_text().encode(), 9))
    return packed.decode().rstrip("=")


def decode(kind: type[BaseGame], text: str) -> BaseGame:
    """The position that `encode` wrote; ValueError says what is wrong."""
    try:
        packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        unpacked = zlib.decompressobj().decompress(packed, MAX_TEXT).decode()
    except (ValueError, zlib.error):
        msg = "start must be what ingenious_env.openspiel.encode made of a position"
        raise ValueError(msg) from None
    return kind.from_text(unpacked)


MAX_TEXT = 1 << 20
"""Bytes of a position's text, far more than any has."""


class TileGame(pyspiel.Game):
    """A game of OpenSpiel; a subclass for each of ours."""

    short_name: ClassVar[str]
    long_name: ClassVar[str]
    players: ClassVar[tuple[int, int]]
    specification: ClassVar[Parameters]
    game: ClassVar[type[BaseGame]]
    kind_class: ClassVar[type[Kind]]

    def __init__(self, params: Parameters | None = None) -> None:
        options = self.specification | (params or {})
        start = decode(self.game, options["start"]) if options["start"] else None
        others = {name for name, value in options.items() if value != self.specification[name]}
        if start is not None and others - {"start", "reward"}:
            msg = f"start determines the variant: with it only reward may be given, not {sorted(others)}"
            raise ValueError(msg)
        self.kind = self.kind_class(self.rules_of(options) if start is None else start.rules, start)
        rules = self.kind.rules
        self.reward = self.kind.variant.definition.reward(rules, options["reward"])
        if self.reward.shape:
            msg = f"reward must be a number, which {options['reward']!r} is not"
            raise ValueError(msg)
        scores, shape = self.kind.variant.scores
        self._before = np.zeros((1, *shape), scores) if start is None else start.state.scores.copy()
        zero_sum = self.is_zero_sum(rules, self.reward.name)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.kind.num_actions,
            max_chance_outcomes=self.kind.num_types,
            num_players=rules.num_players,
            min_utility=self.reward.low,
            max_utility=self.reward.high,
            **({"utility_sum": 0.0} if zero_sum else {}),
            max_game_length=self.kind.most_moves,
        )
        super().__init__(self.type_of(zero_sum=zero_sum, open_racks=self.kind.open_racks), info, options)

    @classmethod
    def rules_of(cls, options: Parameters) -> AnyRules:
        """The variant that parameters ask for."""
        raise NotImplementedError

    @staticmethod
    def is_zero_sum(rules: AnyRules, reward: str) -> bool:
        """True if the returns of all seats sum to 0."""
        raise NotImplementedError

    @classmethod
    def type_of(cls, *, zero_sum: bool, open_racks: bool) -> pyspiel.GameType:
        """The `GameType` of the game."""
        information, utility = pyspiel.GameType.Information, pyspiel.GameType.Utility
        return pyspiel.GameType(
            short_name=cls.short_name,
            long_name=cls.long_name,
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
            information=information.PERFECT_INFORMATION if open_racks else information.IMPERFECT_INFORMATION,
            utility=utility.ZERO_SUM if zero_sum else utility.GENERAL_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=cls.players[1],
            min_num_players=cls.players[0],
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification=cls.specification,
        )

    def new_initial_state(self, from_dict: Any = None) -> TileState:
        """The root of the tree; states cannot be made of dictionaries."""
        if from_dict is not None:
            msg = "states are made by their histories, not of dictionaries"
            raise ValueError(msg)
        return TileState(self)

    def max_chance_nodes_in_history(self) -> int:
        """A bound on the draws of a game."""
        return len(self.kind.deal) + self.kind.most_moves * int(self.kind.rules.rack_size)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """An observer of information states (perfect recall), or of observations."""
        if params:
            msg = f"observers take no parameters, not {params!r}"
            raise ValueError(msg)
        return Observer(self.kind, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))

    def returns_of(self, position: Position) -> list[float]:
        """Of all seats: the sum of the rewards of all steps; 0 until the game is over."""
        if not position.is_over or position.game is None:
            return [0.0] * self.kind.rules.num_players
        rewards = self.reward(self._before, position.game.state.scores, np.ones(1, np.bool_))
        return [float(each) for each in rewards[0]]


class TileState(pyspiel.State):
    """A state of OpenSpiel; all of it is its position, so that it is copied and saved at one stroke."""

    def __init__(self, game: TileGame) -> None:
        super().__init__(game)
        self._position = Position(game.kind)

    def current_player(self) -> int:
        """The seat to move, or who else is at it."""
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
        """The types that may be drawn, and how likely each is."""
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
        """A copy of the game at the decision, or before the move that brings the draws; None in the deal."""
        game = self._position.game
        return None if game is None else game.clone()

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._position.is_over

    def returns(self) -> list[float]:
        """Of all seats, 0 until the game is over."""
        returns: list[float] = self.get_game().returns_of(self._position)
        return returns

    def __str__(self) -> str:
        """The position as one sees it who sees everything."""
        position = self._position
        if position.game is None:
            return f"deal: {position.drawn}"
        text = position.kind.variant.definition.draw_text(position.game, viewer=None)
        return text if position.drawer is None else f"{text}\ndrawn: {position.drawn}"

    def resample_from_infostate(self, player: int, probability_sampler: Any) -> TileState:
        """A state that the player cannot tell from this one, with a history of its own that leads there."""
        state: TileState = self.get_game().new_initial_state()
        for event in resampled(self._position.known_to(player), player, probability_sampler).events:
            state.apply_action(event.action)
        return state


NO_TENSOR = (
    "there is no information_state_tensor, as the type of the game says (provides_information_state_tensor): "
    "use information_state_string, or observation_tensor, which does not recall what came before"
)


class Observer:
    """What a seat sees now, as the environments' vector and as text; or what it has seen, as a string.

    While tiles are drawn, it is what was seen before the move that brings them; during the deal, nothing. A
    seat that waits sees a move once a choice that it is not to notice can no longer follow.
    """

    def __init__(self, kind: Kind, wanted: Any) -> None:
        if wanted.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            msg = "there are observations for single seats only"
            raise ValueError(msg)
        self._recalls = wanted.perfect_recall
        self.tensor = None if self._recalls else np.zeros(kind.variant.observation.size, np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: TileState, player: int) -> None:
        """Fill the tensor with what the player sees."""
        if self.tensor is None:
            raise NotImplementedError(NO_TENSOR)
        game = state._position.shown_to(player)
        self.tensor[:] = 0 if game is None else game.observe(player)

    def string_from(self, state: TileState, player: int) -> str:
        """What the player has seen, or sees."""
        position = state._position
        if self._recalls:
            return position.seen[player]
        game = position.shown_to(player)
        return "the deal" if game is None else game.definition.draw_text(game, viewer=player)


class IngeniousGame(TileGame):
    """Ingenious."""

    short_name, long_name, players = "python_ingenious", "Ingenious", (1, 6)
    game, kind_class = Game, IngeniousKind
    specification: ClassVar[Parameters] = {
        "num_players": 2,
        "teams": False,
        "board_side": 0,
        "num_colours": 6,
        "rack_size": 0,
        "counter_top": 18,
        "open_racks": False,
        "reward": "outcome",
        "start": "",
    }

    @classmethod
    def rules_of(cls, options: Parameters) -> Rules:
        """`Rules` of these names; 0 is for their None."""
        return Rules(
            options["num_players"],
            teams=options["teams"],
            board_side=options["board_side"] or None,
            num_colours=options["num_colours"],
            rack_size=options["rack_size"] or None,
            counter_top=options["counter_top"],
            open_racks=options["open_racks"],
        )

    @staticmethod
    def is_zero_sum(rules: Rules, reward: str) -> bool:
        """What compares the players."""
        return reward in ("outcome", "margin") and rules.num_players > 1


class LoopitGame(TileGame):
    """Loopit."""

    short_name, long_name, players = "python_loopit", "Loopit", (2, 4)
    game, kind_class = Loopit, LoopitKind
    specification: ClassVar[Parameters] = {
        "num_players": 2,
        "fixed_rounds": False,
        "rack_size": 5,
        "tiles_per_turn": 3,
        "material": "",
        "reward": "outcome",
        "start": "",
    }

    @classmethod
    def rules_of(cls, options: Parameters) -> LoopitRules:
        """`Rules` of these names; `material` is the path of a file."""
        return LoopitRules(
            options["num_players"],
            fixed_rounds=options["fixed_rounds"],
            rack_size=options["rack_size"],
            tiles_per_turn=options["tiles_per_turn"],
            material=options["material"] or None,
        )

    @staticmethod
    def is_zero_sum(rules: LoopitRules, reward: str) -> bool:
        """What compares the players; the margin is over the best other one, and so for two only."""
        return reward == "outcome" or (reward == "margin" and rules.num_players == 2)


for each in (IngeniousGame, LoopitGame):
    if each.short_name not in pyspiel.registered_names():
        pyspiel.register_game(each.type_of(zero_sum=False, open_racks=False), each)
