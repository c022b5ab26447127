"""The battle screen, and what stands around an entry."""
