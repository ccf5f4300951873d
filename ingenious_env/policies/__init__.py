"""What plays and judges: views, sessions, advice, greedy policies, value networks."""
