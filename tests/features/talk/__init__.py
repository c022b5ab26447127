"""The console line by line."""
