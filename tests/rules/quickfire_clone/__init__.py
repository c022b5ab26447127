"""Tests of Quickfire-Clone, clause by clause."""
