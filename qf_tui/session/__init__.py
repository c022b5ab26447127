"""The session owns the one open battle: it reads an order, asks the rules, and records.

`session`   opening, entering, previewing; new saves, copies and branches
`opening`   a battle by what people name: a save, or a scenario, which may wait for its dice
`saves`     a save with its rules: new, opened, or followed while another console writes it
`dice`      whose dice it throws
`clock`     how long phases, turns and throws take
`typed_dice`  which faces typed digits are
`volleys`   volleys that are not entered yet, kept for the phase
"""

from qf_tui.session.session import Session

__all__ = ["Session"]
