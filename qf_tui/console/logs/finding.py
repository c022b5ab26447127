"""Going to a ship by its letters: the cursor moves while they are typed."""

from collections.abc import Callable

from attrs import evolve
from textual import events

from qf_tui.console.actions import FIND
from qf_tui.console.keys import keymap
from qf_tui.console.logs.arranging import found_by
from qf_tui.console.logs.grid import Grid
from qf_tui.console.orders.candidates import ships_by
from qf_tui.console.text import listed

KEYS = "Enter goes there   ↓ next   Tab shows only these   Esc back"


class Finding:
    """The letters typed so far; `ended` becomes true with the key that ends it."""

    def __init__(self, grid: Grid, say: Callable[[str], None]) -> None:
        self.grid, self.say = grid, say
        self.letters = ""
        self.ended = False
        self._began = grid.ship.id if grid.ship else ""
        self._calls = {
            "find_take": self._end,
            "find_only": self._only,
            "find_back": self._back,
            "find_next": self._next,
            "find_shorten": self._shorten,
        }
        self._tell()

    def take(self, event: events.Key) -> None:
        """Takes a key: a character more, or what the table says."""
        action = keymap(FIND).get(event.key)
        if action is not None:
            self._calls[action.call]()
        elif event.character and event.is_printable:
            self.letters += event.character
            self._go()

    @property
    def found(self) -> tuple[str, ...]:
        """The ships that the letters may mean, likeliest first."""
        battle = self.grid.battle
        if not self.letters.strip():
            return ()
        named = [one.text for one in ships_by(self.letters, battle.ships.values())]
        others = [ship.id for ship in battle.ships.values() if found_by(battle, ship, self.letters)]
        return tuple(dict.fromkeys((*named, *others)))

    def _go(self) -> None:
        found = self.found
        if found:
            self.grid.put(found[0])
        self._tell()

    def _next(self) -> None:
        found, here = self.found, self.grid.ship
        if found:
            place = found.index(here.id) + 1 if here and here.id in found else 0
            self.grid.put(found[place % len(found)])

    def _shorten(self) -> None:
        self.letters = self.letters[:-1]
        self._go()

    def _end(self) -> None:
        self.ended = True
        self.say("")

    def _only(self) -> None:
        if self.found:
            self.grid.rearrange(evolve(self.grid.arrangement, letters=self.letters.strip()))
        self._end()

    def _back(self) -> None:
        self.grid.put(self._began)
        self._end()

    def _tell(self) -> None:
        ships = self.grid.battle.ships
        names = listed((ships[id].name for id in self.found), 40) if self.letters else "letters of a name"
        self.say(f"go to: {self.letters}▏ {names or 'no such ship'}   {KEYS}")
