"""Quickfire-Clone, clause by clause."""
