"""Matches, tournaments, studies, and what they say."""
