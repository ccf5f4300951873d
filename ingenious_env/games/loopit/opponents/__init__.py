"""Opponents that `Versus` offers by name."""
