"""Exceptions of this package in addition to `TypeError` and `ValueError`."""

from __future__ import annotations


class IllegalActionError(ValueError):
    """An action that the game does not allow now; the game is as it was."""


class InconsistentStateError(ValueError):
    """A position that no game can reach."""
