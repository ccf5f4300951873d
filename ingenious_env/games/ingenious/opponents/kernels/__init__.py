"""Compiled parts of the opponents."""
