"""Going to a ship by its letters: the cursor moves while they are typed."""

from collections.abc import Callable, Mapping

from attrs import evolve

from qf_tui.console.logs.grid import Grid
from qf_tui.console.logs.row_order import found_by
from qf_tui.console.widgets.text import listed
from qf_tui.core.grammar.names import candidates, named_ships

WANTED = "letters of a name, a kind, a division or a player"
NAMES_LEAST = 20


class ShipSearch:
    """The letters typed so far; `ended` becomes true with the key that ends it."""

    def __init__(self, grid: Grid, say: Callable[[str], None]) -> None:
        self.grid, self.say = grid, say
        self.letters = ""
        self.ended = False
        self._began = grid.cursor
        self._tell()

    def do(self, what: str) -> None:
        """Does what a key of the table means."""
        DOES[what](self)

    def more(self, letter: str) -> None:
        """Takes a letter more."""
        self.letters += letter
        self._go()

    @property
    def found(self) -> tuple[str, ...]:
        """The ships that the letters may mean, likeliest first."""
        battle = self.grid.battle
        if not self.letters.strip():
            return ()
        named = [one.text for one in candidates(self.letters, named_ships(battle.ships.values()))]
        others = [ship.id for ship in battle.ships.values() if found_by(battle, ship, self.letters)]
        return tuple(dict.fromkeys((*named, *others)))

    def _go(self) -> None:
        found = self.found
        if found:
            self.grid.put(found[0], self._began)
        self._tell()

    def next(self) -> None:
        found, here = self.found, self.grid.ship
        if found:
            place = found.index(here.id) + 1 if here and here.id in found else 0
            self.grid.put(found[place % len(found)], self._began)

    def shorten(self) -> None:
        self.letters = self.letters[:-1]
        self._go()

    def end(self) -> None:
        self.ended = True
        self.say("")

    def only(self) -> None:
        if self.found:
            self.grid.rearrange(evolve(self.grid.arrangement, letters=self.letters.strip()))
        self.end()

    def back(self) -> None:
        self.grid.move(self._began)
        self.end()

    def _tell(self) -> None:
        ships = self.grid.battle.ships
        room = max(NAMES_LEAST, self.grid.app.size.width - 14 - len(self.letters))
        names = listed((ships[id].name for id in self.found), room) if self.letters else WANTED
        self.say(f"go to: {self.letters}▏ {names or 'no such ship'}")


DOES: Mapping[str, Callable[[ShipSearch], None]] = {
    "take": ShipSearch.end,
    "only": ShipSearch.only,
    "back": ShipSearch.back,
    "next": ShipSearch.next,
    "shorten": ShipSearch.shorten,
}
"""What the keys of the table mean."""
