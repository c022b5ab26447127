"""Whole battles, with transcripts that a person has read."""
