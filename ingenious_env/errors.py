"""Exceptions of this package in addition to `TypeError` and `ValueError`."""

from __future__ import annotations


class IllegalActionError(ValueError):
    """An action that is illegal now; the game has not changed."""


class InconsistentStateError(ValueError):
    """A position that no game can reach."""
