"""A battle retold: its words, and the files that it is written into."""
