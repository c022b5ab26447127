"""The sources, sentence by sentence: which clause, what kind, which test."""
