"""Tests of the open battle and of a save that is followed."""
