"""Tests of victory points: what counts, and who may see it."""
