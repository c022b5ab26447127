"""The rules court."""
