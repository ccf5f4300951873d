"""Compiled search and self-play, on the kernels of the game and of its opponents."""
