"""Tests of the save file: coding, reading, saving."""
