"""Kernels of self-play and of search by a value network."""
