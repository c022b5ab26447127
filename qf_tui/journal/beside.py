"""The names of the files that stand beside a save, each of which has an ending more than the save's name."""

END, SEED, LOCK, BOARD = ".end", ".seed", ".lock", ".board"
"""Of the file that remembers the save's end, of the secret seed, of the lock, and of the links to a board."""
BESIDE = (END, SEED, LOCK, BOARD)


def ending_beside(name: str) -> str:
    """The ending by which a name is that of a file beside a save; "" where it is none.

    Some disks know no capitals.
    """
    return next((ending for ending in BESIDE if name.lower().endswith(ending)), "")
