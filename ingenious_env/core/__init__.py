"""Compiled tile-laying games: batches, actions, kernels, records. Knows no rule of any game."""
