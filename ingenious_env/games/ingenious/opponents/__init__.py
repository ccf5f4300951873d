"""The opponents that environments offer by name."""
