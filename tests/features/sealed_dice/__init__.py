"""Sealed dice: the faces, the contexts, the check, and the lines of the help."""
