"""Tests of the features, a folder each."""
