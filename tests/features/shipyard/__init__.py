"""The shipyard."""
