"""Tables: games that are played in browsers, by people and agents, and their files."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ingenious_env.engine.choices import is_choice, is_private, public_numbers
from ingenious_env.engine.definition import AnyDefinition, AnyRules, definition_of
from ingenious_env.engine.records import Record, read_game
from ingenious_env.languages import word
from ingenious_env.policies.levels import STRENGTHS, Level
from ingenious_env.policies.real_table import RealTable
from ingenious_env.policies.session import Session
from ingenious_env.policies.view import Policy, check_plays
from ingenious_env.render.words import TURN
from ingenious_env.web.real import RealSession
from ingenious_env.web.texts import TEXTS

HUMAN = "human"
"""The name of a person at a seat."""
LEVELS = {f"level {number}": strength for number, strength in enumerate(STRENGTHS, 1)}
"""The ten strengths by the names of their agents, the weakest first."""
FORMAT = "ingenious-table 1"
MAX_MOVES = 1000
PUBLIC = 1 << 20
"""The increment of a version for a public change; 1 for others."""
ID = re.compile(r"[0-9a-f]{32}")
_FIELDS = {
    "id": str,
    "start": str,
    "moves": list,
    "seats": list,
    "keys": list,
    "version": int,
    "take_backs": bool,
    "hints": bool,
}
"""By name, the type of each field of a file except its format."""


@dataclass(frozen=True)
class Agent:
    """An agent that a server offers.

    Attributes:
        name: which is also its id.
        make: of a game; ValueError if it does not play that game.
    """

    name: str
    make: Callable[[AnyDefinition], Policy]

    def for_rules(self, rules: AnyRules) -> Policy:
        """A new agent for a variant; ValueError if it does not play it."""
        policy = self.make(definition_of(rules))
        check_plays(policy, rules)
        return policy

    def plays(self, rules: AnyRules) -> bool:
        """Return whether it plays a variant."""
        try:
            self.for_rules(rules)
        except ValueError:
            return False
        return True


def built_in_agents(definitions: Mapping[str, AnyDefinition]) -> list[Agent]:
    """The ready opponents of the registered games."""
    names = dict.fromkeys(name for game in definitions.values() for name in game.policies)
    return [*(Agent(name, partial(_policy, name)) for name in names), *level_agents()]


def level_agents() -> list[Agent]:
    """The ten levels of opponents."""
    return [Agent(name, partial(_level, number)) for number, name in enumerate(LEVELS, 1)]


def _level(number: int, _game: AnyDefinition) -> Policy:
    return Level(number)


def _policy(name: str, game: AnyDefinition) -> Policy:
    policy: Policy = game.policy(name)
    return policy


@dataclass
class Table:
    """A game, its players, and the visibility of its moves.

    A move that others cannot see, such as keeping a rack that might have been swapped, is not counted for
    them; and the placements after which such a choice is available are shown to others once the turn is over.
    So neither numbers of moves nor the time at which they are shown depend on a hidden rack: after each move
    of an agent, that time is the same whether or not such a choice was available (see `Room`).

    Attributes:
        id: 32 hexadecimal digits.
        session: the game.
        seats: by seat, `HUMAN` or the name of an agent.
        keys: by seat, the secret of its player; "" for agents.
        version: increased with each change; see `PUBLIC`.
        take_backs, hints: whether there were any.
        hidden_take_backs: the seats that took back moves not yet shown to others.
        asking: the seat that asks the people at other pages for a takeback; None if nobody asks. A change
            ends this only if others notice the change.
    """

    id: str
    session: Session
    seats: list[str]
    keys: list[str]
    version: int = 0
    take_backs: bool = False
    hints: bool = False
    hidden_take_backs: set[int] = field(default_factory=set)
    asking: int | None = None
    public: list[int] = field(default_factory=lambda: [0])
    """The number of turns of the session after each public move; [0] is the deal."""
    _shown: int = 0
    """The number of turns visible to those not to move."""

    @classmethod
    def of(
        cls, rules: AnyRules, seats: Sequence[str], agents: Mapping[str, Agent], seed: Any = None
    ) -> Table:
        """A new table; ValueError if there are too few or too many seats, or an agent does not play."""
        session = Session(rules, seed, _players(rules, seats, agents))
        return cls(_new_key(), session, list(seats), _keys(seats))

    @classmethod
    def of_text(cls, text: str, seats: Sequence[str], agents: Mapping[str, Agent]) -> Table:
        """A table that continues a record or a position (see `read_game`).

        Raises:
            ValueError: it is neither; or IllegalActionError, which names the first illegal move of a record.
        """
        session = _session_of(text, seats, agents)
        table = cls(_new_key(), session, list(seats), _keys(seats))
        table._resume()
        return table

    @classmethod
    def of_real(cls, real: RealTable) -> Table:
        """A new table for a real one, all of whose moves one person enters."""
        seats = [HUMAN] * real.rules.num_players
        return cls(_new_key(), RealSession.of(real), seats, _keys(seats))

    @property
    def real(self) -> RealTable | None:
        """The real table that is followed, if there is one."""
        return self.session.real if isinstance(self.session, RealSession) else None

    @property
    def rules(self) -> AnyRules:
        """The variant."""
        rules: AnyRules = self.session.rules
        return rules

    @property
    def definition(self) -> AnyDefinition:
        """The game."""
        return definition_of(self.session.rules)

    def names(self) -> list[str]:
        """The players' names by seat; equal ones end in the number of the seat, from 1."""
        if self.real is not None:
            names = [TURN["seat"].format(number=seat) for seat in range(1, len(self.seats) + 1)]
            names[self.real.seat] = TURN["you"]
            return names
        names = [TURN["player"] if player == HUMAN else word(player) for player in self.seats]
        if self.seats.count(HUMAN) == 1:
            names[self.seats.index(HUMAN)] = TURN["you"]
        several = {name for name in names if names.count(name) > 1}
        return [f"{name} {seat}" if name in several else name for seat, name in enumerate(names, 1)]

    def own_seats(self, keys: Sequence[str]) -> list[int]:
        """The seats whose keys are among these."""
        return [seat for seat, key in enumerate(self.keys) if key and key in keys]

    def has_people_elsewhere(self, seats: Sequence[int]) -> bool:
        """Return whether a person has a seat besides these."""
        return any(key and seat not in seats for seat, key in enumerate(self.keys))

    # Pages, each with the seats whose keys it has.

    def seat_shown(self, seats: Sequence[int]) -> int | None:
        """The seat for which a page shows the table; None for spectators.

        Where several people share a page, it is the seat to move or else the last one before it.
        """
        if self.real is not None:
            return self.real.seat if seats else None
        if len(seats) < 2:
            return seats[0] if seats else None
        return min(seats, key=lambda seat: (self.session.to_play - seat) % self.rules.num_players)

    def is_current(self, seats: Sequence[int], version: int) -> bool:
        """Return whether a page with this version shows the latest position."""
        return version == self.version_for(self.seat_shown(seats))

    def is_to_move(self, seats: Sequence[int], version: int) -> bool:
        """Return whether a page shows the latest position, and one of its seats is to move."""
        session = self.session
        return self.is_current(seats, version) and not session.is_over and session.to_play in seats

    # Visibility to seats.

    @property
    def is_open(self) -> bool:
        """Whether all of it may be revealed: it is over, or only agents play."""
        return self.session.is_over or HUMAN not in self.seats

    def total(self, seat: int | None) -> int:
        """The number of moves so far that a seat may know."""
        return len(self.public) - 1 - self._num_held(seat)

    def version_for(self, seat: int | None) -> int:
        """The version for a seat: it increases with what the seat is shown."""
        knows_all = seat == self.session.to_play or self.real is not None
        return self.version if knows_all else self.version - self.version % PUBLIC

    def has_take_backs(self, seat: int | None) -> bool:
        """Return whether moves were taken back, as a seat may know it."""
        hidden = self.hidden_take_backs
        return self.take_backs or (bool(hidden) if self.session.is_over else seat in hidden)

    def turns_at(self, seat: int | None, number: int | None = None) -> int:
        """The number of turns of the session visible to a seat after a number of moves, by default all.

        Those that others cannot see belong to the move before them.

        Raises:
            ValueError: there are fewer.
        """
        total = self.total(seat)
        number = total if number is None else number
        if not 0 <= number <= total:
            msg = f"there are {total} moves, so at is from 0 to {total}, not {number}"
            raise ValueError(msg)
        following = self.public[number + 1 : number + 2]
        return following[0] - 1 if following else len(self.session.turns)

    def reviewed(self, seat: int | None, number: int) -> tuple[Any, Any]:
        """The game visible to a seat after a number of moves, and the next move.

        That is None if the seat may know no more moves; ValueError if there are fewer.
        """
        turns = self.turns_at(seat, number)
        is_last = number == self.total(seat)
        return self.session.at(turns), None if is_last else self.session.turns[turns].move

    def _num_held(self, seat: int | None) -> int:
        """The number of last placements not yet shown to a seat."""
        turns, session, held = self.session.turns, self.session, 0
        if seat == session.to_play:
            return 0
        for number in range(len(turns), 0, -1):
            turn = turns[number - 1]
            is_own = turn.seat == session.to_play and not is_choice(self.definition.choices, turn.move)
            if not is_own or not session.has_private_choice(number):
                break
            held += 1
        return held

    @property
    def is_held(self) -> bool:
        """Whether placements are not yet shown to those not to move."""
        return self._num_held(None) > 0

    # Changes, each first made to a draft and saved.

    def draft(self) -> Table:
        """A copy to be changed; the table does not change until it takes the draft over."""
        made = copy(self)
        made.session, made.public = self.session.copy(), [*self.public]
        made.hidden_take_backs = {*self.hidden_take_backs}
        return made

    def take_over(self, draft: Table) -> None:
        """Adopt the state of a draft of this table."""
        vars(self).update(vars(draft))

    def play(self, action: int) -> None:
        """Play a flat action for the seat to move; IllegalActionError changes nothing."""
        is_person = self.seats[self.session.to_play] == HUMAN
        self.session.play(action)
        if self.count() and is_person:
            self.asking = None

    def enter(self, move: str, tiles: Sequence[str]) -> None:
        """Enter a move at the real table, with the tiles drawn or shown; ValueError changes nothing."""
        assert isinstance(self.session, RealSession)  # noqa: S101 - others are played
        self.session.enter(move, tiles)
        self.count()

    def count(self) -> bool:
        """Count the move that the session has just made; returns whether others notice."""
        if not is_private(self.definition.choices, self.session.turns[-1].move):
            self.public.append(len(self.session.turns))
        return self._raise_version()

    def _raise_version(self) -> bool:
        """Raise the version after a change; returns whether it is public."""
        before, self._shown = self._shown, self.turns_at(None)
        is_noticed = self._shown != before
        self.version += PUBLIC - self.version % PUBLIC if is_noticed else 1
        return is_noticed

    def is_noticed(self, seat: int) -> bool:
        """Return whether others would notice a takeback of a seat; ValueError as `take_back`."""
        return self._last_decision(seat) < self._shown

    def _last_decision(self, seat: int) -> int:
        own = [number for number, turn in enumerate(self.session.turns) if turn.seat == seat]
        if not own:
            raise ValueError(TEXTS["no move"])
        return own[-1]

    def take_back(self, seat: int) -> bool:
        """Go back to the last decision of a seat; returns whether others notice.

        ValueError if it has made none.
        """
        self.session.take_back(len(self.session.turns) - self._last_decision(seat))
        self._recount()
        is_noticed = self._raise_version()
        if is_noticed:
            self.take_backs, self.asking = True, None
        else:
            self.hidden_take_backs.add(seat)
        return is_noticed

    def grant(self) -> None:
        """Go back to the last decision known to others of the seat that asks for it, which ends this."""
        while self.asking is not None:
            self.take_back(self.asking)

    def ask(self, seat: int | None) -> None:
        """Ask the people at other pages for a takeback of a seat, or end this for None; all notice."""
        self.asking = seat
        self.version += PUBLIC - self.version % PUBLIC

    def _recount(self) -> None:
        self.public = public_numbers(self.definition.choices, (turn.move for turn in self.session.turns))

    def _resume(self) -> None:
        self._recount()
        self._shown = self.turns_at(None)

    def private_actions(self, game: Any) -> list[int]:
        """The legal flat actions of a position that others cannot see."""
        legal = game.legal_mask()
        actions = [game.actions.choice(name) for name in self.private_choices]
        return [action for action in actions if legal[action]]

    @property
    def private_choices(self) -> list[str]:
        """The names of the choices that others cannot see."""
        choices = self.definition.choices
        return [name for name in choices if is_private(choices, name)]

    def beginning(self) -> str:
        """The beginning of the game, as text: a record without moves, or a position."""
        if self.session.seed is None:
            return str(self.session.at(0).to_text())
        return Record(self.rules, self.session.seed, ()).to_text()

    # Files.

    def to_json(self) -> str:
        """The table as text."""
        fields = {
            "format": FORMAT,
            "id": self.id,
            "start": self.beginning(),
            "moves": [self.definition.move_to_text(turn.move) for turn in self.session.turns],
            "seats": self.seats,
            "keys": self.keys,
            "version": self.version,
            "take_backs": self.take_backs,
            "hints": self.hints,
            "hidden_take_backs": sorted(self.hidden_take_backs),
            "asking": self.asking,
        }
        if isinstance(self.session, RealSession):
            fields |= {"real": self.session.real.seat, "tiles": self.session.tiles()}
        return json.dumps(fields)

    @classmethod
    def from_json(cls, text: str, agents: Mapping[str, Agent]) -> Table:
        """The table that `to_json` wrote; ValueError if the text is malformed."""
        try:
            fields = _checked(json.loads(text))
            session = _session_of(fields["start"], fields["seats"], agents)
            if "real" in fields:
                session = _real_session(session.game, fields)
            else:
                for move in fields["moves"]:
                    session.play(session.game.action(definition_of(session.rules).text_to_move(move)))
        except RecursionError:
            msg = "it is nested too deeply"
            raise ValueError(msg) from None
        except (TypeError, OverflowError) as error:
            raise ValueError(str(error)) from None
        table = cls(fields["id"], session, fields["seats"], fields["keys"], fields["version"])
        table.take_backs, table.hints = fields["take_backs"], fields["hints"]
        table.hidden_take_backs, table.asking = set(fields["hidden_take_backs"]), fields["asking"]
        table._resume()
        return table


def _checked(fields: Any) -> dict[str, Any]:
    """The fields of a file; ValueError if they cannot be those of a table."""
    if not isinstance(fields, dict) or fields.get("format") != FORMAT:
        msg = f"this is not a table: its format is not {FORMAT!r}"
        raise ValueError(msg)
    for name, kind in _FIELDS.items():
        value = fields.get(name)
        parts = value if isinstance(value, list) else []
        if type(value) is not kind or not all(isinstance(part, str) for part in parts):
            msg = f"this is not a table: {name} is not of type {kind.__name__}{' of texts' * (kind is list)}"
            raise ValueError(msg)
    people = [seat == HUMAN for seat in fields["seats"]]
    keyed = [bool(key) for key in fields["keys"]]
    if keyed != people or not all(map(ID.fullmatch, [fields["id"], *filter(None, fields["keys"])])):
        msg = "this is not a table: its id has 32 hexadecimal digits, and so has the key of each person"
        raise ValueError(msg)
    if fields["version"] < 0:
        msg = f"this is not a table: its version is {fields['version']}"
        raise ValueError(msg)
    hidden = fields.setdefault("hidden_take_backs", [])  # absent in earlier versions, as is the next
    if type(hidden) is not list or not all(type(each) is int and 0 <= each < len(people) for each in hidden):
        msg = "this is not a table: hidden_take_backs is not a list of seats"
        raise ValueError(msg)
    asking = fields.setdefault("asking", None)
    if asking is not None and not (type(asking) is int and 0 <= asking < len(people) and people[asking]):
        msg = "this is not a table: asking is not a seat of a person"
        raise ValueError(msg)
    return fields


def _session_of(text: str, seats: Sequence[str], agents: Mapping[str, Agent]) -> Session:
    game = read_game(text)
    if not isinstance(game, Record):
        return Session.from_game(game, _players(game.rules, seats, agents))
    if len(game.moves) > MAX_MOVES:
        msg = f"a record may have {MAX_MOVES} moves"
        raise ValueError(msg)
    return Session.from_record(game, _players(game.rules, seats, agents))


def _real_session(start: Any, fields: Mapping[str, Any]) -> RealSession:
    """The session of a real table from its first position, and the fields of its file."""
    tiles = fields.get("tiles")
    if not isinstance(tiles, list) or not all(isinstance(each, str) for each in tiles):
        msg = "this is not a table: tiles is not of type list of texts"
        raise ValueError(msg)
    session = RealSession.of(RealTable.from_game(start, fields["real"]))
    for move, each in zip(fields["moves"], tiles, strict=True):
        session.enter(move, each.split(",") if each else [])
    return session


def _players(rules: AnyRules, seats: Sequence[str], agents: Mapping[str, Agent]) -> list[Policy | None]:
    if len(seats) != rules.num_players:
        msg = f"there must be {rules.num_players} seats, not {len(seats)}"
        raise ValueError(msg)
    for seat in seats:
        if seat != HUMAN and seat not in agents:
            msg = f"a seat is one of {', '.join([HUMAN, *agents])}, not {seat!r}"
            raise ValueError(msg)
    return [None if seat == HUMAN else agents[seat].for_rules(rules) for seat in seats]


def _keys(seats: Sequence[str]) -> list[str]:
    return [_new_key() if seat == HUMAN else "" for seat in seats]


def _new_key() -> str:
    return secrets.token_hex(16)
