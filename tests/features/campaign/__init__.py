"""Ships carried from battle into battle: by the command, by keys, and as values."""
