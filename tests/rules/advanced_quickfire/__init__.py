"""Tests of Advanced Quickfire, clause by clause."""
