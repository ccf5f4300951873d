"""Tools on top of Numba: rows with named fields, kernels over batches, threads."""
