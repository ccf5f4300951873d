"""Measurements of speed: of the engine, of two checkouts, of pages, of clusters."""
