"""Whole battles, with the transcripts that a person has read."""
