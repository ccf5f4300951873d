"""Command-line programs of a checkout."""
