"""The commands: what they print and answer, and what is wrong with what they are given."""
