"""Tests of the wall display: the battle in large letters."""
