"""Compiled search, on the engine's own kernels (see `ingenious_env.kernels`)."""
