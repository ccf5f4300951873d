"""Differences of engine and reference: the fact, its paragraph of the rules, the turn and both answers."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple


class Fact(NamedTuple):
    """One fact of a position, in the form that both report.

    Attributes:
        name: what it is.
        paragraph: of the game's rules.
        engine, reference: both answers; of sets only the differences.
    """

    name: str
    paragraph: str
    engine: Any
    reference: Any


class DifferenceError(AssertionError):
    """A fact on which both disagree.

    Attributes:
        turn: the moves of the turn after which they do.
    """

    def __init__(self, fact: Fact, document: str, turn: list[Any]) -> None:
        engine, reference = fact.engine, fact.reference
        if isinstance(engine, set) and isinstance(reference, set):
            engine, reference = engine - reference, reference - engine
        super().__init__(
            f"{fact.name} ({document} {fact.paragraph}) after {turn or 'the deal'}:\n"
            f"  engine:    {engine}\n  reference: {reference}"
        )
        self.turn = turn


class Turn:
    """The moves of the latest turn in which a move was made."""

    def __init__(self) -> None:
        self.number = -1
        self.moves: list[Any] = []

    def add(self, number: int, move: Any) -> None:
        """Note a move of a turn."""
        self.moves = [*(self.moves if number == self.number else []), move]
        self.number = number


def check_facts(document: str, turn: Turn | None, facts: Iterable[Fact]) -> None:
    """Raise a `DifferenceError` at the first fact on which engine and reference disagree."""
    for fact in facts:
        if fact.engine != fact.reference:
            raise DifferenceError(fact, document, turn.moves if turn else [])


def check_all(checks: Iterable[Callable[[], Any]]) -> list[Any]:
    """The results of all checks; if some find a difference, it raises that with the shortest turn."""
    results, found = [], []
    for check in checks:
        try:
            results.append(check())
        except DifferenceError as difference:
            found.append(difference)
    if found:
        raise min(found, key=lambda difference: len(difference.turn))
    return results
