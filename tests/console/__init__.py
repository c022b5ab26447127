"""The console, played by its keys."""
