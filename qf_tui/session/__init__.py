"""The session owns the open battle: it reads an order, asks the rules, and records.

`session`     opening, entering and previewing; new saves, copies and branches
`opening`     a battle by the name of a save or scenario
`saves`       a save with its rules: new, opened, or followed while another console writes it
`dice`        the dice of the open battle
`clock`       how long the phase and the turn have taken
`typed_dice`  the faces that typed digits mean
`volleys`     volleys that are not yet entered, kept for the phase
"""

from qf_tui.session.session import Session

__all__ = ["Session"]
