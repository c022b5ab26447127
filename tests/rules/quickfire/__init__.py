"""Tests of Quickfire, clause by clause."""
