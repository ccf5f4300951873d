"""Exceptions of this package in addition to `TypeError` and `ValueError`."""

from __future__ import annotations


class IllegalActionError(ValueError):
    """An action that is illegal now; the game has not changed.

    Args:
        message: the whole message.
        reason: the part of it that says why, by default all.
        action: its number, where it has one.
    """

    def __init__(self, message: str, reason: str = "", action: int | None = None) -> None:
        super().__init__(message)
        self.reason = reason or message
        self.action = action


class InconsistentStateError(ValueError):
    """A position that no game can reach."""
