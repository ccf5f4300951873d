"""Matches, tournaments, studies, and their reports."""
