"""What all games share: definitions, batches, single games, records, texts, observations, rewards."""
