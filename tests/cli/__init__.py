"""The commands: their output and exit status, and how they refuse bad input."""
