"""Tests of the rule systems, clause by clause."""
