"""Examples: the games with each trainer and search library, one file each."""

from ingenious_env.cli import write_any_sign

write_any_sign()  # each example is run as a module of this package
