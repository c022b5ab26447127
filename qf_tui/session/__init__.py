"""The session holds the open battle: it reads an order, asks the rules, and records the result in the save.

`session`     the open battle: entering and previewing orders; new saves, copies and branches
`opening`     opens a battle by the name of a save or scenario
`saves`       a save with its rules: new, opened, or followed while another console writes it
`dice`        the dice of the open battle
`clock`       how long the phase and the turn have taken
`typed_dice`  the faces that typed digits mean
`volleys`     shots of several ships that are typed but not yet entered, kept for the phase
"""

from qf_tui.session.session import Session

__all__ = ["Session"]
