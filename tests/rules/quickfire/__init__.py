"""Quickfire, clause by clause."""
