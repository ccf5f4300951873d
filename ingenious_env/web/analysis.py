"""Analysis for pages: the chances during a game, and the moves that lost some, as JSON."""

from __future__ import annotations

from typing import Any

from ingenious_env.policies.estimate import Estimate, estimated
from ingenious_env.policies.judging import Judgement, judge, marks_of
from ingenious_env.policies.luck import luck_by_move, relative_luck
from ingenious_env.policies.session import Session, Turn
from ingenious_env.policies.value import highest_value
from ingenious_env.policies.view import Policy
from ingenious_env.web.alone import lowest
from ingenious_env.web.tables import Table


class Analysis:
    """The judgements of a table's moves, each made once.

    Args:
        table: the table.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._found: dict[int, tuple[Turn, Judgement]] = {}
        self._drawn: tuple[tuple[Turn, ...], list[float] | None] | None = None
        """The turns of a game that is over, and its luck of each sheet."""

    def missing(self, seat: int | None) -> list[tuple[int, Turn, Any]]:
        """The moves visible to a seat that are not judged yet: number, turn, and the game before it."""
        session = self._table.session
        return [
            (number, turn, session.at(number))
            for number, turn in self._open_to(seat)
            if not self._knows(number, turn)
        ]

    def judge(self, policy: Policy, missing: list[tuple[int, Turn, Any]]) -> None:
        """Judge moves, at the end the luck of the draw, too; ValueError if the policy has no advice."""
        for number, turn, game in missing:
            self._found[number] = turn, judge(policy, game, turn.action)
        session = self._table.session
        if session.is_over and (self._drawn is None or self._drawn[0] != session.turns):
            self._drawn = session.turns, _luck_of(session)

    def of(self, seat: int | None) -> dict[str, Any]:
        """The judgements of the moves visible to a seat.

        Until the game is over, a player only sees the own moves, as those of others depend on their racks.

        Returns:
            By name: `unit` (see `Advice`), `calibrated`; `marks`, those of moves that lose more than a number
            of units, with it, the worst first; `highest`, the highest value; `results`, the value of each
            sheet in a game that is over, else null; `luck`, the luck of each sheet less the others' mean, in
            the same unit (see `DrawLuck`), null until the end or where it is not known; `levels`, the
            estimated level of each seat with its interval (see `Estimate`), null likewise; `turns`, the
            moves, each with `at`, the number of moves before it as pages count them, `seat`, `sheet`,
            `value`, `loss`, `mark`, `move` and, as text, the `best` one. A choice that others cannot see
            belongs to the move before it.
        """
        table, turns = self._table, []
        unit, calibrated = None, False
        for number, turn in self._open_to(seat):
            if self._knows(number, turn):
                judged = self._found[number][1]
                unit, calibrated = judged.unit, judged.calibrated
                turns.append(self._entry(number, judged))
        return {
            "unit": unit,
            "calibrated": calibrated,
            "marks": [list(each) for each in marks_of(unit, calibrated=calibrated)] if unit else [],
            "highest": highest_value(table.rules),
            "results": self._results(),
            "luck": self._drawn[1] if self._drawn and self._drawn[0] == table.session.turns else None,
            "levels": self._levels(),
            "turns": turns,
        }

    def _open_to(self, seat: int | None) -> list[tuple[int, Turn]]:
        table = self._table
        turns = enumerate(table.session.turns)
        return [(number, turn) for number, turn in turns if table.is_open or turn.seat == seat]

    def _knows(self, number: int, turn: Turn) -> bool:
        """Return whether this turn was judged, rather than one that has been taken back."""
        return number in self._found and self._found[number][0] is turn

    def _entry(self, number: int, judged: Judgement) -> dict[str, Any]:
        table = self._table
        game = table.session.at(number)
        with_it = sum(count <= number + 1 for count in table.public) - 1
        return {
            "at": max(with_it - 1, 0),  # a game can begin with a choice that others cannot see
            "seat": judged.seat,
            "sheet": int(table.rules.sheet_of(judged.seat)),
            "value": judged.value,
            "loss": judged.loss,
            "mark": judged.mark,
            "move": table.definition.move_to_text(game.move(judged.action)),
            "best": table.definition.move_to_text(game.move(judged.best)),
        }

    def _levels(self) -> list[Estimate | None] | None:
        """The estimated level of each seat in a game that is over, where it is known."""
        table = self._table
        if not table.session.is_over:
            return None
        judged = [self._found[number][1] for number, turn in self._open_to(None) if self._knows(number, turn)]
        seats = range(table.rules.num_players)
        return [estimated(table.rules, [each for each in judged if each.seat == seat]) for seat in seats]

    def _results(self) -> list[float] | None:
        """By sheet, the share of the win; in solitaire the lowest counter."""
        game = self._table.session.game
        if not game.is_over:
            return None
        if self._table.rules.num_sheets == 1:
            return [lowest(game)]
        won = game.ranks == 1
        return [float(share) for share in won / won.sum()]


def _luck_of(session: Session) -> list[float] | None:
    """The relative luck of each sheet in a finished game; None if unknown."""
    try:
        luck = luck_by_move(session.record).sum(axis=0, keepdims=True)
    except ValueError:  # there is no network, the racks are open, or the game began in the middle
        return None
    return [float(each) for each in relative_luck(luck)[0]]
