"""The state of all ships in a spreadsheet: by the command, by keys, and as values."""
