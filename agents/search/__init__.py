"""Search without learning."""
