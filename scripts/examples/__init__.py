"""Examples: how each trainer and search library takes the games, one file each."""
