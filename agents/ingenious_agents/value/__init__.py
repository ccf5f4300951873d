"""Value networks: agents, search and training."""
