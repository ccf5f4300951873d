"""Environments for any game: PettingZoo, Gymnasium and vectorised, written against `GameDefinition` only."""
