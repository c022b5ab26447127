"""The session owns the one open battle: it reads an order, asks the rules, and records.

`session`   opening, entering, previewing; how a battle is timed
`saves`     a save given to its rules: new, opened, or followed while another console writes it
`new_save`  new saves on the user's shelf: battles that begin, copies, branches
`changes`   what an entry changed, from and to, and which entries made a ship what she is
`dice`      whose dice it throws; the seal of sealed ones, as people take it down
"""

from qf_tui.session.session import OrderPreview as OrderPreview
from qf_tui.session.session import Session

__all__ = ["OrderPreview", "Session"]
