"""`GameDefinition`: the interface of a game; batches, environments and matches are written against it.

A game is a package with one value of this kind, registered under the class of its rules:

    register(definition)                        in the game's `definition.py`, imported by its `__init__.py`
    definition_of(rules)                      the definition that a `Rules` object belongs to
    variant_of(rules)                         all that is derived from a `Rules` object, computed once
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ingenious_env.compiled.actions import ActionSpace
from ingenious_env.compiled.kernel import Kernel, locked_property
from ingenious_env.compiled.row_kernels import RowKernels
from ingenious_env.compiled.rows import Description, RowLayout
from ingenious_env.engine.architecture import Architecture
from ingenious_env.engine.checks import check_choice
from ingenious_env.engine.choices import Choices
from ingenious_env.engine.facts import Preset, Unit
from ingenious_env.engine.observation import ObservationLayout
from ingenious_env.engine.registering import check_definition
from ingenious_env.languages import Texts

if TYPE_CHECKING:
    from ingenious_env.engine.batch import GameBatch
    from ingenious_env.engine.game import BaseGame
    from ingenious_env.engine.records import Record
    from ingenious_env.engine.state import GameState
    from ingenious_env.engine.trail import Trail
    from ingenious_env.policies.view import Policy


class AnyRules(Protocol):
    """A variant of some game: hashable and comparable.

    Attributes:
        num_players: P.
        num_sheets: score sheets, T.
    """

    @property
    def num_players(self) -> int: ...
    @property
    def num_sheets(self) -> int: ...
    def sheet_of(self, player: int, /) -> int:
        """The score sheet of a player."""

    def __hash__(self) -> int:
        """As of equal variants."""


RulesT = TypeVar("RulesT", bound=AnyRules)
GameT = TypeVar("GameT", bound="BaseGame")
Move = Any
"""A move of some game as people read it."""
Tile = Any
"""A tile type of some game as people read it."""
MoveT = TypeVar("MoveT")
TileT = TypeVar("TileT")


class Reward(Protocol):
    """The reward of each seat for a step.

    Attributes:
        name: the value of the environments' option `reward`.
        shape: of one seat's reward, [] for a number.
        at_end: whether all get 0 until the game is over.
        low, high: bounds of the reward of one step.
        zero_sum: whether the rewards of all seats sum to 0.
    """

    @property
    def name(self) -> str: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def at_end(self) -> bool: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def zero_sum(self) -> bool: ...

    def __call__(
        self, before: NDArray[Any], after: NDArray[Any], over: NDArray[np.bool_]
    ) -> NDArray[np.float32]:
        """Float32 [B, P, *shape] from the scores before and after a step, and `over`, bool [B]."""


class Guide(NamedTuple, Generic[RulesT]):
    """The compiled policy and evaluation that search builds on.

    Attributes:
        kernels: the module with the functions of `compiled_guide.py`.
        utilities: by name, functions of the rules that return the numbers that these functions take as
            `values`, float64 [n]; the default one first.
        slopes: by the number of sheets from 2 on, the last one for all above: the log-odds of a win for a
            lead of 1 in utility, half-way through a game.
    """

    kernels: ModuleType
    utilities: Mapping[str, Callable[[RulesT], NDArray[np.float64]]]
    slopes: tuple[float, ...]


class ValueModel(NamedTuple, Generic[RulesT]):
    """The value networks of a game.

    Attributes:
        form: the format of their files.
        folder: of the shipped ones, each in a file named after its variant.
        variants: with shipped weights, by name.
        architecture: of a variant's network.
        earlier_architectures: of older networks of a variant, which kernels know by their number of weights.
        best_actions: a row kernel that takes weights, the numbers of a utility, a number of candidates, and
            int32 and float64 [B] to write actions and their values to.
        rank_actions: a row kernel that takes the same, but int32 and float64 [B, K], to which it writes pairs
            of an action and its value, in the order in which `best_actions` evaluates them, and which it
            does not change after the last.
        num_ranked: of a variant and a number of candidates, the K that all there is to rank fits in.
        num_compared: the same, the K with which `rank_actions` evaluates what `best_actions` does.
        utility: the name of the utility by which candidates are found.
        candidates: default number of candidates.
        luck_candidates: number of candidates for each tile that could have been drawn (see `DrawLuck`).
        max_candidates: their maximum number, the capacity of the kernels.
        max_placed: of a variant, the most tiles that can lie on the board; the progress of a game is the
            share of them that does (the field `placed` of a row).
    """

    form: str
    folder: Path
    variants: Mapping[str, RulesT]
    architecture: Callable[[RulesT], Architecture]
    earlier_architectures: Callable[[RulesT], Sequence[Architecture]]
    best_actions: Kernel
    rank_actions: Kernel
    num_ranked: Callable[[RulesT, int], int]
    num_compared: Callable[[RulesT, int], int]
    utility: str
    candidates: int
    luck_candidates: int
    max_candidates: int
    max_placed: Callable[[RulesT], int]


class LocalPage(NamedTuple, Generic[RulesT]):
    """Parts of a game for a page without a server, besides its kernels; read by its `page/local.js`.

    Attributes:
        facts: of a variant, as JSON.
        standings: a module with `games_of` and `standing_of(game, sheet)`, compiled: a number that
            is higher for the better of two score sheets, and the same for equal ones.
        laying: the sentences of the game's `set_up`, and those of its `check` about tiles that somebody lays,
            by their names in `page/real.js`.
        kernels: by name, those of this game only: `find_phases` updates the phases of games as the method of
            `GameDefinition` does, in a game that has one.
    """

    facts: Callable[[RulesT], dict[str, Any]]
    standings: ModuleType
    laying: Sequence[Texts]
    kernels: Mapping[str, Kernel] = MappingProxyType({})


class PageModel(NamedTuple, Generic[RulesT, GameT]):
    """The interface through which pages draw and play a game.

    Attributes:
        colours: the game's own colours in a theme, "dark" or "light", as CSS variables by name.
        look: of a variant, the constant part of all positions, as JSON.
        scene: of a game and a seat, the position as the seat may know it, as JSON.
        headline: of a game, a viewer and the players' names, a sentence on the state of the game.
        revealed: of a game, the tiles of all racks by seat.
        replay: of a record and the players' names by seat, a page that plays it back, as HTML.
        local: for pages without a server; None if the game cannot be played there.
    """

    colours: Callable[[str], dict[str, str]]
    look: Callable[[RulesT], dict[str, Any]]
    scene: Callable[[GameT, int], dict[str, Any]]
    headline: Callable[[GameT, int | None, Sequence[str]], str]
    revealed: Callable[[GameT], list[Any]]
    replay: Callable[[Record, Sequence[str] | None], str]
    local: LocalPage[RulesT] | None = None


class GameDefinition(ABC, Generic[RulesT, GameT, MoveT, TileT]):
    """The interface between the engine and a game, which derives a class and registers one object of it.

    Attributes:
        name: of the game, lower case; records begin with it.
        players: the numbers of players.
        presets: the variants that pages offer, by name.
        example: a move as text.
        solitaire_unit: the unit of the result of a solitaire game.
        versus_id: Gymnasium's id of the environment against opponents; others share its namespace.
        rules: the class of its rules, whose keyword arguments are the options of a variant.
        game: the class of a single game, derived from `BaseGame`.
        layout: the row of a game (see `rows.py`). Next to those of `bag.py`, the engine reads the fields
            `stream`, `policy_key`, `to_play`, `phase`, `held` (u1: 1 + the slot picked, in staged actions)
            and `scores` ([T, …], with one row for each score sheet).
        compiled_rules: the module with its compiled rules (see `compiled_rules.py`).
        guide: what search builds on (see `Guide`); None if the game has none.
        value_model: its value networks (see `ValueModel`); None if the game has none.
        pages: what pages need to draw and play it (see `PageModel`); None if there is none.
        phases: names of the phases 0, 1 and 2: to place a tile, to take a named choice, over.
        choices: the named choices, with what others see of each.
        rewards: names of the rewards, the default one first.
        solitaire_rewards: those for one player, the default one first; none if there is no solitaire game.
        policies: the ready opponents by name, objects with `act(view)`.
        row_version: increased with each change of a row's layout or meaning.
    """

    name: str
    players: range
    presets: Mapping[str, Preset] = MappingProxyType({})
    example: str
    solitaire_unit: Unit = "points"
    versus_id: str
    rules: type[RulesT]
    game: type[GameT]
    layout: RowLayout
    compiled_rules: ModuleType
    guide: Guide[RulesT] | None = None
    value_model: ValueModel[RulesT] | None = None
    pages: PageModel[RulesT, GameT] | None = None
    phases: tuple[str, str, str]
    choices: Choices = MappingProxyType({})
    rewards: tuple[str, ...]
    solitaire_rewards: tuple[str, ...] = ()
    policies: Mapping[str, Policy]
    row_version: int = 1
    observation_dtype: str = "int8"

    @property
    def title(self) -> str:
        """The displayed name of the game."""
        return self.name.capitalize()

    @locked_property
    def kernels(self) -> RowKernels:
        """The compiled rules as the kernels of every game."""
        return RowKernels(self.name, self.compiled_rules, self.observation_dtype)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle as a reference: there is one definition of a game in a process."""
        return _registered, (type(self).__module__, self.name)

    # The variant.

    @abstractmethod
    def describe(self, rules: RulesT) -> Description:
        """The numbers and tables of a variant."""

    @abstractmethod
    def actions(self, rules: RulesT, *, staged: bool) -> ActionSpace:
        """The numbering of actions."""

    @abstractmethod
    def observation(self, rules: RulesT) -> ObservationLayout:
        """The layout of observations."""

    def tiles(self, rules: RulesT) -> Mapping[TileT, int]:
        """The number of tiles of each type, as people read it, in the order of the types' numbers.

        By default none, for a game whose row has neither a `bag` nor `racks`.
        """
        del rules
        return {}

    # Results.

    @abstractmethod
    def rank(self, scores: NDArray[Any]) -> NDArray[np.int64]:
        """Int64 [..., T] from the scores of finished games: 1 is best, ties share."""

    def max_score(self, rules: RulesT) -> int:
        """The highest number that the scores of a sheet can hold; by default that of their dtype."""
        return int(np.iinfo(variant_of(rules).scores[0]).max)

    @abstractmethod
    def reward(self, rules: RulesT, name: str, *, collaborative: bool = False) -> Reward:
        """The reward of that name; ValueError if there is none, or not all seats can share it."""

    def results(self, scores: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Entries of infos at the end of a solitaire game besides `scores`, by name [B]; none by default."""
        del scores
        return {}

    # Moves.

    @abstractmethod
    def move(self, game: GameT, action: int) -> MoveT:
        """The move that an action of a game means now; IllegalActionError if it means none."""

    @abstractmethod
    def action(self, game: GameT, move: MoveT) -> int:
        """The action of a move; IllegalActionError if there is none now, TypeError if it is not a move."""

    def tile_of(self, move: MoveT) -> TileT | None:
        """The tile that a move places; None for a named choice, and by default for all moves."""
        del move
        return None

    @abstractmethod
    def reason(self, game: GameBatch, action: int, code: int) -> str:
        """Why an action is illegal, in words, from a batch of one and the code that `illegality` returned."""

    # The game as a tree, in which every tile drawn is an outcome of chance.

    @abstractmethod
    def most_moves(self, rules: RulesT) -> int:
        """An upper bound on the number of actions of a game, of all players."""

    def deal(self, rules: RulesT) -> tuple[int, ...]:
        """The recipient of each dealt tile, in order: seats, by default a full rack each, `OUT` or `START`.

        The row of a game with tiles put out has a field `out` for them.
        """
        if not self.tiles(rules):
            return ()
        rack = self.actions(rules, staged=False).num_slots
        return tuple(seat for seat in range(rules.num_players) for _ in range(rack))

    def open_racks(self, rules: RulesT) -> bool:
        """Return whether all racks are public."""
        return bool(rules.num_players == 1)

    def barred(self, game: GameT) -> frozenset[int]:
        """The types that the seat to move cannot hold, as all can infer from its choices."""
        del game
        return frozenset()

    def no_start(self, game: GameT) -> str:
        """Why a position with a whole tile to be placed cannot be the start of a game; "" if it can."""
        del game
        return ""

    def settle(self, state: GameState) -> None:
        """Update fields derived from racks that were dealt anew, and clear the tiles shown."""
        del state

    def find_phases(self, state: GameState) -> None:
        """Update the phases of games in which the seats to move hold other tiles than before."""
        del state

    def set_up(self, rules: RulesT, placed: Sequence[MoveT], to_play: int) -> GameState:
        """A game at the beginning of a seat's turn with these tiles on the board, before any other is drawn.

        All scores are 0. By default a game has no such positions.

        Raises:
            ValueError: there is no such position.
        """
        del rules, placed, to_play
        msg = f"{self.name} has no positions by the tiles on the board"
        raise ValueError(msg)

    # Text, pictures and checks.

    @abstractmethod
    def check(self, state: GameState) -> None:
        """Raise InconsistentStateError if a game of the batch is in an impossible state."""

    @abstractmethod
    def rules_to_text(self, rules: RulesT) -> str:
        """The variant as one line."""

    @abstractmethod
    def text_to_rules(self, text: str) -> RulesT:
        """The variant that `rules_to_text` wrote; ValueError if it is malformed."""

    @abstractmethod
    def move_to_text(self, move: MoveT) -> str:
        """A move as text without line breaks."""

    @abstractmethod
    def text_to_move(self, text: str) -> MoveT:
        """The move that `move_to_text` wrote; ValueError if it is malformed."""

    def tile_to_text(self, tile: TileT) -> str:
        """A tile as text without blanks and commas."""
        return str(tile)

    @abstractmethod
    def state_to_text(self, state: GameState) -> str:
        """The first game of a batch, its hidden tiles and its future included."""

    @abstractmethod
    def text_to_state(self, text: str) -> GameState:
        """The game that `state_to_text` wrote, as a batch of one; ValueError if it is malformed."""

    @abstractmethod
    def draw_text(self, game: GameT, *, viewer: int | None, colour: bool = False) -> str:
        """A position as text, as a viewer may see it; None sees everything."""

    @abstractmethod
    def draw_svg(
        self,
        game: GameT,
        *,
        viewer: int | None,
        trail: Trail | None = None,
        names: Sequence[str] | None = None,
        theme: str = "dark",
    ) -> str:
        """A position as an SVG picture, as a viewer may see it; None sees everything.

        Args:
            game: the position.
            viewer: a player.
            trail: the tiles laid so far (see `engine/trail.py`); the game's own by default.
            names: of the players by seat.
            theme: "dark" or "light".
        """

    @abstractmethod
    def places(self, rules: RulesT, placement: int) -> tuple[tuple[int, int], ...]:
        """The places on the board that a placement covers (see `ActionSpace.placement_of`)."""

    def policy(self, name: str) -> Policy:
        """The ready opponent of a name; ValueError if there is none."""
        check_choice("policy", name, self.policies)
        return self.policies[name]


AnyDefinition = GameDefinition[Any, Any, Any, Any]
"""The definition of some game, where its types do not matter."""


class Variant:
    """A `Rules` object with all that is derived from it.

    Args:
        rules: of a registered game.

    Attributes:
        rules: the variant.
        definition: of its game.
        description: the numbers and tables that kernels take.
        row_dtype: of a game.
        scores: dtype and shape of a game's scores.
        writes_its_layout: whether the observation kernel was found to match the layout.
    """

    def __init__(self, rules: AnyRules) -> None:
        self.rules = rules
        self.definition = definition_of(rules)
        self.description = self.definition.describe(rules)
        self.row_dtype = self.description.row_dtype
        scores = self.row_dtype["scores"]
        self.scores = scores.base, scores.shape
        self.writes_its_layout = False

    @cached_property
    def flat_actions(self) -> ActionSpace:
        """The numbering of flat actions."""
        return self.definition.actions(self.rules, staged=False)

    @cached_property
    def staged_actions(self) -> ActionSpace:
        """The numbering of staged actions."""
        return self.definition.actions(self.rules, staged=True)

    @cached_property
    def tiles(self) -> Mapping[Any, int]:
        """The number of tiles of each type, in the order of the types' numbers."""
        return self.definition.tiles(self.rules)

    @cached_property
    def tile_types(self) -> tuple[Any, ...]:
        """The tile types in readable form, by their numbers."""
        return tuple(self.tiles)

    @cached_property
    def observation(self) -> ObservationLayout:
        """The layout of observations."""
        return self.definition.observation(self.rules)


_DEFINITIONS: dict[type[Any], AnyDefinition] = {}
MOST_VARIANTS = 256
"""The number of variants, those used last, of which what is derived from them is kept for others to use."""


def register(definition: AnyDefinition) -> None:
    """Register a game under the class of its rules, and with the class of a single game.

    Raises:
        TypeError: the definition lacks something, or another game has its name.
    """
    check_definition(definition)
    other = definitions().get(definition.name)
    if other is not None and other.rules is not definition.rules:
        msg = f"{definition.name} cannot be registered: {other.rules.__module__} has a game of that name"
        raise TypeError(msg)
    for module in (definition.compiled_rules, definition.guide and definition.guide.kernels):
        definition.layout.functions |= vars(module) if module else {}
    definition.game.definition = definition
    _DEFINITIONS[definition.rules] = definition


def _registered(module: str, name: str) -> AnyDefinition:
    """The registered game of a name; its module registers it on import."""
    import_module(module)
    return definitions()[name]


def definitions() -> Mapping[str, AnyDefinition]:
    """The registered games by name."""
    return {definition.name: definition for definition in _DEFINITIONS.values()}


def definition_of(rules: AnyRules) -> AnyDefinition:
    """The definition of the game of these rules; TypeError if they are the rules of no game."""
    definition = _DEFINITIONS.get(type(rules))
    if definition is None:
        known = ", ".join(each.__qualname__ for each in _DEFINITIONS) or "none"
        msg = f"rules must be those of a registered game ({known}), not {rules!r}"
        raise TypeError(msg)
    return definition


def variant_of(rules: AnyRules) -> Variant:
    """All that is derived from rules, kept for a while; TypeError if they are the rules of no game."""
    definition_of(rules)
    return _kept(rules)


@lru_cache(MOST_VARIANTS)
def _kept(rules: AnyRules) -> Variant:
    return Variant(rules)
