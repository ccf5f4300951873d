"""The commands `ingenious match`, `tournament` and others; `ingenious_env.cli` lists them."""
