"""Tests of the board: what players see."""
