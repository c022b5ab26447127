"""Battles by the thousand: doctrines, one battle, counts, and where they are played."""
