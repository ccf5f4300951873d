"""Programs in any language as agents, by a protocol of lines of JSON (docs/reference/protocol.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.checks import MAX_SECONDS, check_positive, check_range
from ingenious_agents.guests.lines import LineProcess, words_of
from ingenious_env import NO_ACTION, IllegalActionError, View
from ingenious_env.engine.definition import AnyRules, variant_of
from ingenious_env.engine.files import digest

PROTOCOL = 1
"""Version of the protocol."""
MAX_QUOTE = 300
"""Characters of an answer that an error quotes."""


@dataclass(frozen=True)
class ProcessAgent:
    """Plays the moves of a program, which runs as a process.

    The process is started where it is first needed; each copy of the agent has its own. It ends with the
    agent, or after an error. Its standard error is that of this process.

    Attributes:
        command: the program and its arguments, as a shell splits them, though no shell runs them; ValueError
            if there is no such program.
        seconds: for each answer.
    """

    command: str
    seconds: float = 60.0

    def __post_init__(self) -> None:
        """Check the values, and find the program."""
        check_positive(self, "seconds")
        check_range(self, 0, MAX_SECONDS, "seconds")
        words_of(self.command)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle without the process."""
        return type(self), (self.command, self.seconds)

    @cached_property
    def _dialogue(self) -> Dialogue:
        return Dialogue(self.command, self.seconds)

    def check(self, rules: AnyRules) -> None:
        """Ask the program whether it plays these rules.

        Raises:
            ValueError: it does not.
            ChildProcessError: it does not follow the protocol.
        """
        self._dialogue.begin_variant(rules)

    def fingerprint(self, rules: AnyRules) -> str:
        """A short hash of the files that are arguments of the command; "" if there are none."""
        del rules
        files = [Path(word) for word in words_of(self.command)[1:] if Path(word).is_file()]
        return digest(b"".join(path.read_bytes() for path in files)) if files else ""

    def begin(self, keys: NDArray[np.uint64]) -> None:
        """Announce games, by their keys, before the next decision."""
        self._dialogue.begin_games(keys)

    def act(self, view: View) -> NDArray[np.int32]:
        """The program's action in each game, int32 [B], asked one by one.

        Raises:
            IllegalActionError: it answered by an illegal move.
            ValueError, ChildProcessError: as `check`.
        """
        games, seen = view.complete(), view.named()
        keys, seats = view.keys.tolist(), view.seats.tolist()
        actions = np.full(len(view), NO_ACTION, np.int32)
        for row in np.flatnonzero(~games.is_over).tolist():
            game, held = games[row], int(games.state.held[row])
            legal: list[int] = game.legal_actions().tolist()
            if held:
                legal = [each for each in legal if game.actions.split_placement(each)[0] == held - 1]
            text = game.definition.move_to_text
            moves = {action: text(game.move(action)) for action in legal}
            position = {name: values[row].tolist() for name, values in seen.items()}
            place = {"game": str(keys[row]), "seat": seats[row], "position": position}
            actions[row] = self._dialogue.choose(view.rules, place, moves)
        return view.encode(actions)


class Dialogue:
    """The messages to a program and its answers, one at a time.

    Args:
        command: of the process, which the first message starts.
        seconds: for each answer.
    """

    def __init__(self, command: str, seconds: float) -> None:
        self.command, self.seconds = command, seconds
        self._lock = RLock()
        self._games: list[str] = []  # that are not announced yet
        self._rules: AnyRules | None = None
        self._process: LineProcess | None = None

    def begin_variant(self, rules: AnyRules) -> None:
        """Announce the rules, unless they were the last ones.

        Raises:
            ValueError: the program does not play them.
            ChildProcessError: it does not follow the protocol.
        """
        with self._lock:
            if rules == self._rules:
                return
            answer = self._ask("rules", facts_of(rules))
            if "error" in answer:
                self._stop()
                msg = f"`{self.command}` does not play these rules: {_quoted(answer['error'])}"
                raise ValueError(msg)
            if answer.get("protocol") != PROTOCOL:
                raise self._failed(f'must answer rules by {{"protocol": {PROTOCOL}}}, not {_quoted(answer)}')
            self._rules = rules

    def begin_games(self, keys: NDArray[np.uint64]) -> None:
        """Announce games with the next decision, when their rules are known."""
        with self._lock:
            self._games += map(str, keys.tolist())

    def choose(self, rules: AnyRules, place: Mapping[str, Any], moves: Mapping[int, str]) -> int:
        """The program's action in a game.

        Args:
            rules: the variant.
            place: the game, the seat and the position.
            moves: the legal ones as text, by their actions.

        Raises:
            IllegalActionError: it answered by an illegal move.
            ValueError, ChildProcessError: as `begin_variant`.
        """
        with self._lock:
            self.begin_variant(rules)
            if self._games:
                self._told("begin", {"games": self._games})
                self._games = []
            legal = {"actions": list(moves), "moves": list(moves.values()), "seconds": self.seconds}
            answer = self._told("act", {**place, **legal})
            chosen = answer.get("action", answer.get("move"))
            if isinstance(chosen, bool) or not isinstance(chosen, int | str):
                raise self._failed(f"must answer act by an action or a move, not {_quoted(answer)}")
            for action, move in moves.items():
                if chosen in (action, move):
                    return action
            self._stop()
            quoted = _quoted(chosen)
            msg = f"`{self.command}` chose {quoted}, which is not one of the {len(moves)} legal actions"
            raise IllegalActionError(msg)

    def _told(self, kind: str, content: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a message, which must not be an error."""
        answer = self._ask(kind, content)
        if "error" in answer:
            raise self._failed(f"answered {kind} by an error: {_quoted(answer['error'])}")
        return answer

    def _ask(self, kind: str, content: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a message."""
        if self._process is None:
            self._process = LineProcess(words_of(self.command))
        line = json.dumps({"type": kind, **content}, separators=(",", ":")).encode() + b"\n"
        try:
            answer = self._process.answer(line, self.seconds)
        except TimeoutError:
            raise self._failed(f"did not answer {kind} within {self.seconds:g} seconds") from None
        if not answer:
            raise self._failed(f"ended before it answered {kind}, with status {self._stop()}")
        with suppress(ValueError, RecursionError):
            found = json.loads(answer)
            if isinstance(found, dict):
                return found
        text = answer.decode(errors="replace").rstrip()
        raise self._failed(f"must answer {kind} by a JSON object on one line, not {_quoted(text)}")

    def _stop(self) -> int | None:
        """End the process, so that the next message starts another one; its status."""
        process, self._process, self._rules = self._process, None, None
        return None if process is None else process.end()

    def _failed(self, fault: str) -> ChildProcessError:
        """The error that names a fault of the program, whose process ends."""
        self._stop()
        return ChildProcessError(f"`{self.command}` {fault}")


def facts_of(rules: AnyRules) -> dict[str, Any]:
    """The content of the message `rules`: all that is the same in all positions of a variant."""
    variant = variant_of(rules)
    definition, actions = variant.definition, variant.flat_actions
    placements = range(actions.num_placements)
    look = definition.pages.look(rules) if definition.pages else {}
    return {
        "protocol": PROTOCOL,
        "game": definition.name,
        "rules": definition.rules_to_text(rules),
        "sheets": [rules.sheet_of(seat) for seat in range(rules.num_players)],
        "slots": actions.num_slots,
        "placements": actions.num_placements,
        "choices": list(actions.choices),
        "places": [definition.places(rules, placement) for placement in placements],
        "tiles": list(variant.tiles.items()),
        "look": {name: value for name, value in look.items() if name != "defs"},
    }


def _quoted(answer: object) -> str:
    text = repr(answer)
    return text if len(text) <= MAX_QUOTE else f"{text[:MAX_QUOTE]}…"
