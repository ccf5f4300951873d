"""Numba made to read like the rules of a game: rows with named fields, kernels over batches, threads."""
