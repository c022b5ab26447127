"""The session owns the one open battle: it takes an order, asks the rules, appends, and hands out the new battle.

`session`   opening, entering, previewing, odds
`telling`   entries and battles in words, for the console's log and for transcripts
"""

from qf_tui.session.session import Changed, Entered, Prospect, Session

__all__ = ["Changed", "Entered", "Prospect", "Session"]
