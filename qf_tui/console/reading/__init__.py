"""What is only read: help, charts, report, the story of a cell, and what is read aloud."""
