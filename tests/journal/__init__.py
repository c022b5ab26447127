"""The save file: coding, reading, saving."""
