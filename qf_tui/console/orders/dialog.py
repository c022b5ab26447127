"""The dialog of one order, drawn from its form: a field a slot, flags, dice last, and what it would meet."""

from collections.abc import Callable

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.reactive import Reactive
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from qf_tui.console.hints import Hints
from qf_tui.console.keys import DIALOG, keymap, press
from qf_tui.console.orders.again import Offers
from qf_tui.console.orders.faces import Dicing, dicing
from qf_tui.console.orders.filling import DICE, Filling, Reader
from qf_tui.console.orders.foreseeing import REFUSED, Foresight, shown
from qf_tui.console.orders.orderbar import TONES
from qf_tui.console.panel import Panel
from qf_tui.console.reading.why import refusal_lines
from qf_tui.console.taking import Taking
from qf_tui.console.text import cut, listed, literal, width_of
from qf_tui.core.forms import Kind
from qf_tui.session import Session

LABEL = 28


class OrderDialog(ModalScreen[Filling | None]):
    """Fills an order in; gives None once it is entered, else what was filled in so far.

    `enter` enters a line and says in words why it was not taken, or nothing.
    """

    # The fields show themselves which of them has the keyboard; Textual would draw all of the screen for it.
    focused = Reactive(None, repaint=False)

    hint = "Enter goes on, at the end enters   ↑ ↓ fields   Esc puts it by   F2 forces"

    def __init__(self, session: Session, filling: Filling, enter: Callable[[str], str]) -> None:
        super().__init__()
        self.session, self.filling, self.enter = session, filling, enter
        self.reader = Reader(session.system, session.battle)
        self.keys = keymap(DIALOG)
        self.title_text = f"{filling.form.title} · {filling.form.usage}"
        self.foresight = Foresight()
        self.dicing = Dicing("")
        self.offers = Offers.of(session, filling.form)
        self._flagged: frozenset[str] | None = None

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            yield Static(literal(self.title_text, "bold $primary"), id="dialog-title")
            for name in self.filling.names:
                with Horizontal(classes="slot"):
                    yield Static(literal(cut(self._label(name), LABEL - 1)), classes="slot-label")
                    yield Taking(self.filling.text(name), self.take, id=f"slot-{name}", select_on_focus=True)
                    yield Static(Content(""), id=f"means-{name}", classes="slot-means")
            if self.filling.switches:
                yield Static(Content(""), id="dialog-flags")
            yield Static(Content(""), id="dialog-offers")
            yield Static(Content(""), id="dialog-says")
            yield Hints(self.hint, id="dialog-keys")

    def on_mount(self) -> None:
        self._focus(self._first_open())
        self._draw()

    def _label(self, name: str) -> str:
        slot = self.filling.slot(name)
        if slot is None:
            return f"dice {self.filling.form.dice}"
        return f"{slot.label}, if any" if slot.optional else slot.label

    async def on_key(self, event: events.Key) -> None:
        """Does what the table says; a character that came before any field had the keyboard goes to the field."""
        await press(self, self.keys, event)
        if event.is_printable and self.focused is not None and event.character not in (None, ""):
            self.focused.post_message(events.Key(event.key, event.character))

    def take(self, character: str) -> bool:
        """Takes a character that is not text.

        Space behind a settled word goes on, and so does a digit behind a ship; Space in an empty field takes what is
        offered there. A letter among dice is a flag, and `@` behind the ships takes the whole division of the ship
        that stands there.
        """
        name = self._here()
        if character == "?" and self.foresight.tone == "refused":
            lines = refusal_lines(self.session.system, self.foresight.text)
            if lines:
                self.app.push_screen(Panel("Why it is refused", lines))
            return bool(lines)
        if character == " " and name != DICE and self._settles(name):
            self._focus(self._first_open(name))
            return True
        if character.isdigit() and self._ends_a_ship(name, character):
            self._take_offered(name)
            self._focus(self._first_open(name))
            if self.focused is not None:
                self.focused.post_message(events.Key(character, character))
            return True
        if character == "@" and name != DICE and not self._takes_ships(name):
            return self._whole_division()
        if character == " " and not self.filling.text(name).strip():
            self._take_offered(name)
            return True
        if name == DICE and character.isalpha():
            self._switch(character)
            return True
        return False

    def _offered(self, name: str) -> str:
        return self.offers.likely(self.reader.settled(self.filling), name)

    def _take_offered(self, name: str) -> None:
        offered = self._offered(name)
        if offered:
            self.query_one(f"#slot-{name}", Input).value = offered
            self.filling = self.filling.with_text(name, offered)
            self._focus(self._first_open(name))

    def _ends_a_ship(self, name: str, digit: str) -> bool:
        """Whether the field names a ship already, or offers one, and no ship's name goes on with that digit."""
        slot = self.filling.slot(name)
        if slot is None or slot.kind is not Kind.SHIP or not (self._settles(name) or self._offered(name)):
            return False
        longer = self.filling.with_text(name, self.filling.text(name) + digit)
        return not self.reader.choices(longer, name)

    def _takes_ships(self, name: str) -> bool:
        slot = self.filling.slot(name)
        return slot is None or slot.kind in (Kind.SHIPS, Kind.DIVISION)

    def _whole_division(self) -> bool:
        slot = next((slot for slot in self.filling.slots if slot.kind is Kind.SHIPS), None)
        if slot is None:
            return False
        ids = (self.reader.words(self.filling, slot.name) or "").split(",")
        ship = self.session.battle.ships.get(ids[0])
        if ship is not None and ship.division:
            self.query_one(f"#slot-{slot.name}", Input).value = f"@{ship.division}"
        return True

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        name = (event.input.id or "").removeprefix("slot-")
        if event.value == self.filling.text(name):
            return
        typed = not self.filling.text(name).startswith(event.value)
        self.filling = self.filling.with_text(name, event.value)
        sure = self.reader.sure(self.filling, name, event.value)
        if sure and typed and event.value != sure:
            self.filling = self.filling.with_text(name, sure)
            event.input.value = sure
            self._focus(self._first_open(name))
        self._draw()

    def on_click(self, event: events.Click) -> None:
        """Turns the flag that is clicked."""
        if event.widget is None or event.widget.id != "dialog-flags":
            return
        said = "".join(
            line.text for line in event.widget.render_lines(event.widget.size.region)[event.y : event.y + 1]
        )
        before = said[: event.x + 1].count("[")
        above = sum(
            line.text.count("[") for line in event.widget.render_lines(event.widget.size.region)[: event.y]
        )
        if 0 < before <= said.count("["):
            self._switch(self.filling.switches[above + before - 1].name)

    def on_descendant_focus(self) -> None:
        self._draw()

    def _here(self) -> str:
        focused = self.focused.id if self.focused else None
        return (focused or "").removeprefix("slot-")

    def _focus(self, name: str) -> None:
        if name:
            self.set_focus(self.query_one(f"#slot-{name}", Input))

    def _first_open(self, behind: str = "") -> str:
        """The field to go on with: the first that is open, else the dice, else the next or last one."""
        names, open = self.filling.names, self.reader.open(self.filling)
        rest = names[names.index(behind) + 1 :] if behind in names else names
        found = next((name for name in (*rest, *names) if name in open and name != behind), "")
        return found or (names[-1] if DICE in names or not rest else rest[0])

    def _settles(self, name: str) -> bool:
        slot = self.filling.slot(name)
        whole = slot is not None and slot.kind not in (Kind.WORDS, Kind.CODES, Kind.RESERVE)
        return whole and bool(self.reader.words(self.filling, name))

    def _switch(self, letter: str) -> None:
        for slot in self.filling.switches:
            if slot.name.startswith(letter.lower()):
                self.filling = self.filling.switched(slot.name)
                self._draw()
                return

    def action_advance(self) -> None:
        """Goes on to what is missing; from the last field enters the order."""
        here, open = self._here(), self.reader.open(self.filling)
        if here in open:
            self._say(self._unsettled(here) or f"{REFUSED} {self._label(here)}: write more", "refused")
        elif open or (here != DICE and DICE in self.filling.names):
            self._focus(self._first_open(here))
        elif doubt := self.dicing.doubt:
            self._say(f"{REFUSED} {doubt}", "refused")
        else:
            self._enter(self.dicing.line)

    def _unsettled(self, name: str) -> str:
        """What is wrong with the letters of a field that mean no one thing, or nothing."""
        text = self.filling.text(name).strip()
        if not text or self.reader.words(self.filling, name) is not None:
            return ""
        if self.reader.choices(self.filling, name):
            return f"{REFUSED} “{text}” may be several: write more of it"
        offered = [choice.label for choice in self.reader.choices(self.filling.with_text(name, ""), name)]
        return f"{REFUSED} “{text}” is none of {listed(offered, max(20, self.size.width - 40))}"

    def action_force(self) -> None:
        if self.foresight.forceable:
            self._enter(f"force {self.dicing.line}")

    def _enter(self, line: str) -> None:
        fault = self.enter(line)
        if fault:
            self._say(fault, "refused")
        else:
            self.dismiss(None)

    def action_put_by(self) -> None:
        self.dismiss(self.filling)

    def action_below(self) -> None:
        self._step(1)

    @property
    def likeliest(self) -> str:
        """The first ship of those that the letters here may mean, where they may mean several; or nothing."""
        here = self._here()
        slot = self.filling.slot(here)
        if slot is None or slot.kind is not Kind.SHIP or not self.filling.text(here).strip():
            return ""
        found = self.reader.choices(self.filling, here)
        return found[0].text if found and not self._settles(here) else ""

    def action_take_first(self) -> None:
        """Takes the likeliest of several ships and goes on; else goes to the field below."""
        here, likeliest = self._here(), self.likeliest
        if not likeliest:
            self.action_below()
            return
        self.query_one(f"#slot-{here}", Input).value = likeliest
        self.filling = self.filling.with_text(here, likeliest)
        self._focus(self._first_open(here))

    def action_above(self) -> None:
        self._step(-1)

    def _step(self, by: int) -> None:
        names = self.filling.names
        here = self._here()
        if here in names:
            self._focus(names[(names.index(here) + by) % len(names)])

    def _draw(self) -> None:
        if not self.is_mounted:
            return
        self._foresee()
        for name in self.filling.names:
            self.query_one(f"#means-{name}", Static).update(self._meaning(name), layout=False)
            self.query_one(f"#slot-{name}", Input).placeholder = self._offered(name)
        if self.filling.switches and self.filling.flags != self._flagged:
            self._flagged = self.filling.flags
            self.query_one("#dialog-flags", Static).update(self._flags())
        self.query_one("#dialog-offers", Static).update(literal(self._offers(), "$accent"), layout=False)

    def _offers(self) -> str:
        """What the field may hold, and what Space takes."""
        here = self._here()
        width = max(20, self.size.width - 8)
        offered = self._offered(here)
        text = f"Space takes {cut(offered, width // 2)}   " if offered else ""
        names = [choice.label for choice in self.reader.choices(self.filling, here)] if here else []
        if names and self.likeliest:
            text = f"Tab takes {cut(names[0], width // 2)}   "
        return text + listed(names, width - width_of(text), " · ")

    def _foresee(self) -> None:
        if self.reader.open(self.filling):
            fault = self._unsettled(self._here())
            offered = self._here() and self.reader.choices(self.filling, self._here())
            self.foresight = Foresight() if offered else Foresight(fault, "refused" if fault else "")
            self.dicing = Dicing("")
        else:
            self.dicing = dicing(self.session, self.reader, self.filling)
            if self.dicing.doubt:
                self.foresight = Foresight(self.dicing.doubt, "wants")
            else:
                self.foresight = shown(self.session.prospect(self.dicing.line), self.session)
        force = "   F2 forces it" if self.foresight.forceable else ""
        self._say(self.foresight.text + force, self.foresight.tone, self.foresight.more)

    def _say(self, text: str, tone: str, more: tuple[str, ...] = ()) -> None:
        lines = [literal(text, TONES[tone]), *(literal(one, "$quiet") for one in more[:2])]
        self.query_one("#dialog-says", Static).update(Content("\n").join(lines))

    def _meaning(self, name: str) -> Content:
        """What the letters of a field are taken for."""
        text = self.filling.text(name).strip()
        slot = self.filling.slot(name)
        if slot is None and self.dicing.said:
            return literal(f"= {self.dicing.said}", "$text-success")
        if slot is None or not text:
            return Content("")
        words = self.reader.words(self.filling, name)
        if words is None:
            return literal("?", "bold $text-warning")
        ships = self.session.battle.ships
        named = ", ".join(ships[id].name if id in ships else id for id in words.split(","))
        return literal("" if named == text else f"= {named}", "$text-success")

    def _flags(self) -> Content:
        """The flags side by side, or where there is no room for that below each other."""
        parts = []
        for slot in self.filling.switches:
            stands = slot.name in self.filling.flags
            said = f"{'[x]' if stands else '[ ]'} {slot.name} ({slot.label})"
            parts.append(literal(said, "bold" if stands else "$quiet"))
        letters = ", ".join(slot.name[0] for slot in self.filling.switches)
        parts.append(literal(f"among the dice: {letters}", "$quiet"))
        beside = sum(part.cell_length + 3 for part in parts) <= self.size.width - 4
        return Content("   " if beside else "\n").join(parts)
