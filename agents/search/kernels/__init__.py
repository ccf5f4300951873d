"""Kernels of search."""
