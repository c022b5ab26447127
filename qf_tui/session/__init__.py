"""The session owns the one open battle: it reads an order, asks the rules, and records.

`session`   opening, entering, previewing
`pace`      how long a turn lasts, and how fast its entries come
`joinable`  the ships that may join a battle
`following` a save that another console writes, as it grows
`order_preview`  what an order would meet, with its odds
`glance`    a battle in the few words that are read across the room
`changes`   what an entry changed, from and to
`dice`      whose dice it throws; `seal` the seal of sealed ones, as people take it down
`open_save` a save given to its rules
`header`    the header of a new save; `new_save` new saves on the user's shelf
`remarks`   notes on ships and entries, and doubts
`headlines` what an entry did to whom, first
`why`       the entries that made a ship's log what it is
`act_words` entries and battles in words, for the console's log and for transcripts
"""

from qf_tui.session.session import OrderPreview as OrderPreview
from qf_tui.session.session import Session

__all__ = ["OrderPreview", "Session"]
