"""The second copy."""
