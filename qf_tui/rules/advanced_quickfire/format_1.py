"""What each position held in saves of format 1."""

from qf_tui.rules.quickfire_family.format_1 import positional

POSITIONAL = positional(
    {
        "fire": ("battery", "target", "range"),
        "rof": ("battery", "fired"),
        "boats": ("target", "dice"),
        "torpedo": ("target",),
        "repair": ("kind",),
        "initiative": ("side",),
    }
)
