"""Battles retold in words and files."""
