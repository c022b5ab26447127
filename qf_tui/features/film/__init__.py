"""The film of a battle: a web page that plays it entry by entry.

It uses the board feature and the report feature.

`film`      a battle entry by entry, as a viewer may see it once it is over, and the page
`command`   `qf-tui replay`
"""

from qf_tui.cli.arguments import SAVE
from qf_tui.hooks import Argument, Command, Feature, declare_flag

COMMAND = Command(
    "replay",
    "qf_tui.features.film.command:replay",
    "the film of a battle: a page that plays it entry by entry, with its logs and its luck",
    "The page needs no network. The save itself is not touched.",
    SAVE,
    declare_flag("--html", "as a page for a browser, the only kind there is"),
    Argument("--out", "FILE", "into a new file"),
    declare_flag("--replace", "overwrites a file that is there"),
    Argument("--viewer", "SIDE", "what this side may see once the battle is over; all: what everybody may"),
    declare_flag("--no-luck", "without the curve, which takes long to work out"),
)
FILM = Feature("film", commands=(COMMAND,))
