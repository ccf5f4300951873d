"""Examples: how each trainer and search library takes the games, one file each."""

from ingenious_env.cli import write_any_sign

write_any_sign()  # each example is run as a module of this package
