"""Code shared by all games: definitions, batches, single games, records, texts, observations, rewards."""
