"""Tests of General Quarters 2, clause by clause."""
