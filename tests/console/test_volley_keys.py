"""A volley under any keys: each digit stays where the cursor stood, and what is entered is what stood there.

The volley is told by what it draws: a model notes, for each digit, the ship and the column that are marked.
"""

from collections import defaultdict
from itertools import pairwise

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st
from textual import events

from qf_tui.console.entry.form_state import slot_text
from qf_tui.console.entry.volley import VolleyDialog, division_of, lines
from qf_tui.console.entry.volley_rows import VolleyDesk, VolleyRow
from qf_tui.console.widgets.actions import ACTIONS, Action
from qf_tui.console.widgets.keys import keymap
from qf_tui.core.availability import range_book, volley_of
from qf_tui.core.builtin_forms import AMEND
from qf_tui.core.errors import QfError
from qf_tui.core.grammar.dice import FACE_KEYS, faces_text
from qf_tui.core.values import Order
from qf_tui.session import Session
from tests.console.test_volley import at_guns

WIDTH = 130
SCENARIOS = {
    "yellow-sea-1904": "fire tsesarevich heavy mikasa 36in 9",
    "yellow-sea-1904-clone": "fire tsesarevich heavy mikasa 90cm 3 6",
    "port-arthur-1904-evening": "fire petropavlovsk heavy mikasa 9in 6",
    "gq2-dogger-bank-1915": "fire derfflinger main lion straddle 5 9",
}
AIMS = {
    "yellow-sea-1904": ("ts", "9"),
    "yellow-sea-1904-clone": ("ts", "90"),
    "port-arthur-1904-evening": ("pe", "9"),
    "gq2-dogger-bank-1915": ("der", "5"),
}
"""Letters of a target, and a range at which all of a line may fire at her."""
KEYS = st.one_of(
    st.sampled_from([*"0123456789", *FACE_KEYS]),
    st.sampled_from([*"112233", "enter", "space", "down", "up", "left", "right"]),
    st.sampled_from(["enter", "enter", "right", "f2", "backspace", "escape", "t", *"tsaeponb", "f3", "tab"]),
)


def battle(scenario: str, known: bool) -> Session:
    """A battle at its guns, in which the first ship's range may be known by the shot of her target."""
    session = at_guns(scenario)
    if known:
        session.enter(SCENARIOS[scenario])
    return session


@frozen
class Drawn:
    """What is drawn of a row: its sign, its ship, and the text of its columns."""

    here: bool
    sign: str
    ship: str
    guns: str
    target: str
    range: str
    dice: str


class Volley(VolleyDialog):
    """A volley without a screen: keys go to it, and what it would draw is read."""

    def __init__(self, session: Session) -> None:
        volley = volley_of(session.system, session.battle.phase)
        assert volley is not None
        division = division_of(session, next(iter(session.battle.ships.values())))
        super().__init__(VolleyDesk(session, volley, division), "Volley", self.take)
        self.session = session
        self.open = True
        self.entered: list[Order] = []

    def take(self, order: Order) -> str:
        try:
            self.session.record(self.session.work_out(order))
        except QfError as fault:
            return str(fault)
        self.entered.append(order)
        return ""

    def keys_of(self, *places: str, usual: bool = False) -> dict[str, Action]:
        return {key: one for place in places for key, one in keymap(place, (), ACTIONS, enters=True).items()}

    def dismiss(self, result: tuple[VolleyRow, ...] | None = None) -> None:  # type: ignore[override]  # nobody waits for it
        self.open = False

    def press(self, key: str) -> None:
        action = self.keys.get(key)
        if action is None:
            self.other_key(events.Key(key, key if len(key) == 1 else None))
        else:
            getattr(self, f"action_{action.call.name}")(*action.call.arguments)

    def drawn(self) -> tuple[str, list[Drawn]]:
        """The column whose title is marked, and the rows."""
        head, *rows = (line.plain for line in lines(self.desk, WIDTH, 99))
        column = head[head.index("[") + 1 : head.index("]")]
        head = head.replace("[", "").replace("]", "  ")
        titles = ("guns", "target", "range", "needs", "dice", "does")
        places = [4, *(head.index(f" {title}") + 1 for title in titles), None]
        found = []
        for at, text in enumerate(rows):
            _, guns, target, range_, _, dice, _ = (
                text[begins:ends].strip() for begins, ends in pairwise(places)
            )
            here = text.startswith("▸")
            if here:
                target, range_, dice = (one.rstrip("_") for one in (target, range_, dice))
            found.append(Drawn(here, text[2], self.desk.rows[at].ship, guns, target, range_, dice))
        return column, found


class Model:
    """What was typed, by the ship and the column under the cursor, and what a volley promised to enter."""

    def __init__(self, session: Session) -> None:
        self.session, self.volley = session, Volley(session)
        self.column, self.rows = self.volley.drawn()
        self.typed: dict[tuple[str, str], str] = defaultdict(str)

    def press(self, key: str) -> None:
        """Presses a key, and looks at what became of every row."""
        volley = self.volley
        before, column = self.rows, self.column
        at = next(place for place, row in enumerate(before) if row.here)
        written = volley.desk.typed
        volley.press(key)
        self.column, self.rows = volley.drawn()
        if key == "f2":
            self.closing(before, written)
        elif volley.open and key not in ("backspace", "escape"):
            self.stays(key, before, at, column)
        if not volley.open:
            self.volley = Volley(self.session)
            self.column, self.rows = self.volley.drawn()
            self.typed.clear()

    def stays(self, key: str, before: list[Drawn], at: int, column: str) -> None:
        """A figure changes the one cell under the cursor, and no other key changes the figures of dice."""
        after = self.rows
        if key.isdigit() or (key in FACE_KEYS and column == "dice"):
            self.typed[before[at].ship, column] += str(FACE_KEYS.get(key, key))
            assert self.column == column
            assert after[:at] + after[at + 1 :] == before[:at] + before[at + 1 :]
            same = {name: getattr(before[at], name) for name in ("target", "range", "dice") if name != column}
            assert {name: getattr(after[at], name) for name in same} == same
            assert after[at].here
        elif key != "space":
            assert [figures(row.dice) for row in after] == [figures(row.dice) for row in before]

    def closing(self, before: list[Drawn], written: str) -> None:
        """What is entered is each row that was ready, as it was drawn, and was typed where it stands."""
        volley = self.volley
        promised = [row for row in before if row.sign == "✓"]
        if written or not volley.entered:
            assert not volley.entered
            assert volley.open
            return
        kept = {row.ship for row in volley.desk.rows if row.fault}
        assert [self.said(order) for order in volley.entered] == [
            (row.ship, row.guns, row.target, row.range, row.dice) for row in promised if row.ship not in kept
        ]
        book = range_book(self.session.system, self.session.timeline)
        known = {str(one.value) for measures in book.pairs.values() for one in measures}
        for ship, _, _, range_, dice in map(self.said, volley.entered):
            assert within(figures(dice), self.typed[ship, "dice"])
            assert range_[:1] == "~" or range_ in known or within(figures(range_), self.typed[ship, "range"])
        volley.entered.clear()

    def said(self, order: Order) -> tuple[str, str, str, str, str]:
        """An order, or a correction, as a row says it."""
        of, dice = self.volley.desk.volley, faces_text(order.dice)
        if order.form is AMEND:
            order = self.session.timeline.versions[int(str(order.slots["n"]))].order
        slot, target = of.form.slot(of.range), self.session.battle.ships[order.text(of.target)].name
        assert slot is not None
        range_ = slot_text(slot, order.slots[of.range])
        return (order.text(of.ship), order.text(of.battery), target, range_, dice)


def figures(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def within(figures: str, typed: str) -> bool:
    """Whether figures are among those that were typed, in their order."""
    rest = iter(typed)
    return all(figure in rest for figure in figures)


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("scenario", SCENARIOS)
@given(st.lists(KEYS, max_size=60))
def test_each_figure_stays_where_the_cursor_stood(scenario: str, known: bool, keys: list[str]) -> None:
    """Catches a die that becomes another ship's, a range taken for dice, and a shot that nobody saw."""
    model = Model(battle(scenario, known))
    target, figure = AIMS[scenario]
    aim = [*"t", *target, "enter", *figure, "enter", "up", "up", *figure, "enter", "right"]
    for key in [*aim, *keys, "f2"]:
        model.press(key)


FOUND: tuple[str, ...] = (
    # Both dice of a miss, and the next ship's; digits behind a full row; a range behind one that is known.
    "t t s enter 3 6 enter 3 6 enter up up right 9 9 enter 9 1 f2",
    "t t s enter 3 6 enter right 3 1 1 1 enter 1 1 enter f2 space f2",
    "t t s enter 3 6 enter 9 enter up right 1 y z enter f2",
    "t t s enter 3 6 right 9 1 f2 right 3 enter f2 up right 4 y f2",
)


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("keys", FOUND)
def test_keys_that_once_entered_what_was_not_meant(keys: str, known: bool) -> None:
    model = Model(battle("yellow-sea-1904", known))
    for key in keys.split():
        model.press(key)
