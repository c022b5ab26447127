"""The rule systems, clause by clause."""
