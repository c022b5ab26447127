"""Advanced Quickfire, clause by clause."""
