"""The dialog for an order, or for changing an earlier one: its fields, its keys, and how it enters the order.

`form_state` has the texts of the fields and their meaning.
"""

from collections.abc import Callable
from dataclasses import dataclass

from attrs import evolve, frozen
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import Input
from textual.widgets.input import Selection

from qf_tui.console.entry.form_state import (
    DICE_FIELD,
    Filling,
    FormReading,
    Offers,
    fill_records,
    find_division_slot,
    format_offers,
)
from qf_tui.console.entry.preview import Preview, format_unsettled, preview_form
from qf_tui.console.reading.source import REFUSED, TONES, OrderTone, explain_refusal, format_force_key
from qf_tui.console.widgets.actions import DIALOG
from qf_tui.console.widgets.fields import BACKSPACE, FieldForm, FormField, InputField
from qf_tui.console.widgets.keys import Hint, Hints
from qf_tui.console.widgets.text import SteadyText, cut, literal, measure_width, wrap_words
from qf_tui.core.builtin_forms import AMEND
from qf_tui.core.errors import QfError
from qf_tui.core.grammar.kinds import find_absent_ship
from qf_tui.core.grammar.names import FACE_KEYS, Reach, format_face_keys, read_faces, split_dice
from qf_tui.core.revisions import Revision
from qf_tui.core.values import CALL, Battle, Faces, Order
from qf_tui.session import Session

LABEL, LABEL_MORE, LABEL_MOST = 28, 36, 44
"""Widths of a label: usual, at most, and at most on a wide screen."""
WIDE = 110
"""Screen width from which labels may be long."""
WIDEST, AROUND = 120, 4
"""Greatest width of a dialog; width of its border and padding."""
LIST_LEAST, AROUND_OFFERS, AROUND_CHOICES = 20, 8, 40
"""Least width of a list of what a field may hold; cells that such a list leaves free: below, in a message."""
SAYS_MOST = 4
"""Lines for the preview, as in the style sheet."""
GAP = 3
FIELDS, OVERRULES = Hint("up", "fields", also="down"), Hint("f2", "overrule")
LATER, ALL_DICE = Hint("f7", "dice later"), Hint("f7", "these are all")
FLAG = "flag"
"""Key of the style metadata that holds a flag's name."""

Enter = Callable[[Order, Revision | None], str]
"""Enters an order, and returns why it was refused, or ""."""


class Flags(SteadyText):
    """The flags of an order in its dialog (words that are set or not), wrapped to the width."""

    @dataclass
    class Turned(Message):
        """The message that a flag was clicked."""

        name: str

    def __init__(self, id: str) -> None:
        super().__init__(Content(""), id=id)
        self._drawn: tuple[frozenset[str], int] | None = None

    def show(self, filling: Filling, room: int) -> None:
        """Draw the flags, and how to switch them, in lines of at most `room` cells."""
        if self._drawn == (filling.flags, room):
            return
        self._drawn = filling.flags, room
        parts = []
        # The metadata of a flag's style has its name, for `on_click`.
        for slot in filling.switches:
            is_set = slot.name in filling.flags
            meaning = f" ({slot.label})" if slot.label != slot.name else ""
            flag = literal(
                f"{'[x]' if is_set else '[ ]'} {slot.name}{meaning}", "bold" if is_set else "$quiet"
            )
            parts.append(flag.stylize(Style.from_meta({FLAG: slot.name})))
        letters = ", ".join(dict.fromkeys(slot.name[0] for slot in filling.switches))
        where = "among the dice" if filling.form.dice else "among figures"
        parts.append(literal(f"F3, or {where}: {letters}", "$quiet"))
        lines: list[Content] = []
        for part in parts:
            if lines and lines[-1].cell_length + GAP + part.cell_length <= room:
                lines[-1] = Content.assemble(lines[-1], " " * GAP, part)
            else:
                lines.append(part)
        self.update(Content("\n").join(lines))

    def on_click(self, event: events.Click) -> None:
        """Report the flag that was clicked."""
        name = event.style.meta.get(FLAG)
        if isinstance(name, str):
            self.post_message(self.Turned(name))


@frozen
class Spelling:
    """The letters that completed a word, while the user may still type them.

    Attributes:
        completed: Letters that were completed.
        typed: The first of these letters, typed since then.
        flags: Flags that were set when the word was completed.
    """

    completed: str = ""
    typed: str = ""
    flags: frozenset[str] = frozenset()


class OrderDialog(FieldForm[Filling | None]):
    """A dialog to fill in an order. Its result is None once the order is entered, else the unfinished state.

    Args:
        enter: Enters an order, with its revision if it was shown, and returns why it was refused.
        battle: Battle that the order is for; None for the present one.
        forced: True if the order is forced.
    """

    places = (DIALOG,)
    selects = False
    """Whether the keyboard finds a field's text selected, so that typing replaces it."""
    hint: tuple[Hint, ...] = (
        Hint("enter", "next/enter"),
        FIELDS,
        Hint("escape", "sets aside"),
        OVERRULES,
        Hint("f1", "help"),
    )

    def __init__(
        self,
        session: Session,
        filling: Filling,
        enter: Enter,
        battle: Battle | None = None,
        *,
        forced: bool = False,
    ) -> None:
        super().__init__()
        self.session, self.enter = session, enter
        self.battle, self.forced = battle, forced
        self.offers = Offers.collect(session, filling.form)
        self.scope = evolve(
            session.find_scope(Reach.ANYWHERE).with_battle(battle), recent=self.offers.attacked
        )
        self.original = filling
        self._fields = FormReading.read(self.scope, filling, forced=forced)
        self.filling, self.records = fill_records(self._fields, {})
        # `original` has no records yet, `start` has them.
        self.start = self.filling
        self.forms = session.system.forms
        self.title_text = f"{filling.form.title} · {filling.form.usage}"
        self.preview = Preview()
        # The field that the keyboard could not leave, and the field in which no key was typed yet.
        self.refused_field = self.entered_field = ""
        # Letters among the dice that are neither dice nor flags.
        self.stray_letters = ""
        self.spelling = Spelling()
        # The dice of the amended entry, and whether no dice are wanted yet.
        self.old_dice: Faces = ()
        self.dice_later = False
        if self.asks_dice:
            # F2 is named with each refusal that it can overrule, so its hint gives way to F7.
            self.hint = tuple(LATER if hint is OVERRULES else hint for hint in self.hint)

    @property
    def asks_dice(self) -> bool:
        """True if dice are typed here, so that the order is not entered without them by mistake."""
        return DICE_FIELD in self.filling.names and not self.session.calls and self.session.throw is None

    @property
    def fields(self) -> FormReading:
        """The present meaning of the fields."""
        if self._fields.filling is not self.filling:
            self._fields = FormReading.read(self.scope, self.filling, forced=self.forced)
        return self._fields

    def compose(self) -> ComposeResult:
        width = self.app.size.width
        with Vertical(id="dialog"):
            yield SteadyText(literal(self.title_text, "bold $primary"), id="dialog-title")
            for name in self.filling.names:
                start = FormField(name, self._label(name), self.filling.find_text(name))
                field = InputField(start, self.take, selects=self.selects)
                field.lay_out(self._measure_labels(width), _measure_inside(width))
                yield field
            if self.filling.switches:
                flags = Flags(id="dialog-flags")
                flags.show(self.filling, _measure_inside(width))
                yield flags
            yield SteadyText(Content(""), id="dialog-offers")
            yield SteadyText(Content(""), id="dialog-says")
            yield Hints(self.hint, id="dialog-keys")

    def on_resize(self) -> None:
        """Lay out labels and flags for the new width, and draw all texts again."""
        width = self.size.width
        for field in self.query(InputField):
            field.lay_out(self._measure_labels(width), _measure_inside(width))
        self._draw()

    def on_mount(self) -> None:
        self._go_to_open_field()
        self._draw()

    def _label(self, name: str) -> str:
        """Return the label of a field; for dice, which dice they are or that a call throws them."""
        slot = self.filling.find_slot(name)
        if slot is None:
            return "the call (or later)" if self.session.calls else f"dice {self._dice_title}"
        return f"{slot.label}, if any" if slot.optional else slot.label

    @property
    def _dice_title(self) -> str:
        """The title of the dice field; `×2` if the order takes the dice twice, as for two batteries."""
        form = self.filling.form
        times = 1 if form.has_variable_dice else len(self.preview.dice.asked) // len(form.dice.split())
        return f"{form.dice} ×{times}" if times > 1 else form.dice

    def _measure_labels(self, width: int) -> int:
        """Return the width of the labels on a screen of this width."""
        # A sign comes before a label, and a blank after it.
        longest = max(measure_width(self._label(name)) for name in self.filling.names) + 3
        return max(LABEL, min(LABEL_MOST, longest + 1) if width >= WIDE else min(LABEL_MORE, longest))

    def _build_field(self, name: str) -> FormField:
        """Build a field: its label, the meaning of its text, and the value that Space takes if it is empty.

        The meaning of dice is which die has which face. Text without a meaning yet has `?`. A value that
        differs from the record shows the recorded one, an equal value `as recorded`.
        """
        fields, slot = self.fields, self.filling.find_slot(name)
        full_text, recorded = fields.format_meaning(name), fields.find_recorded(name)
        meaning, look = "", "$text-success"
        is_empty = not self.filling.find_text(name).strip()
        # Only the dice field has no slot.
        if slot is None:
            faces_text = "thrown later" if self.dice_later else self.preview.dice.faces_text
            meaning = f"= {faces_text}" if faces_text else ""
        elif not is_empty and full_text is None:
            meaning, look = "?", "bold $text-warning"
        elif not is_empty and recorded and recorded != fields.find_value(name):
            meaning, look = f"recorded: {recorded}", "bold $text-warning"
        elif not is_empty:
            meaning = " ".join(filter(None, (full_text and f"= {full_text}", recorded and "as recorded")))
        likely = self.offers.format_likely(fields, name)
        wrong = name == self.refused_field
        return FormField(name, self._label(name), means=meaning, offered=likely, wrong=wrong, means_look=look)

    def _fill_field(self, name: str, text: str) -> None:
        """Fill in a field and go to the next one."""
        self.find_field(name).input.value = text
        self.filling = self.filling.with_text(name, text)
        self._go_to_open_field(name)

    def go_to(self, name: str) -> None:
        """Put the keyboard into a field, and remove the mark of a refused field; "" changes nothing."""
        if name:
            self.refused_field, self.entered_field = "", name
            super().go_to(name)

    def _go_to_open_field(self, left_field: str = "") -> None:
        """Go to the field that must be filled in next, looking first after `left_field`."""
        self.go_to(self.fields.find_next_field(left_field))

    def _refuse_to_leave(self, name: str) -> None:
        """Keep the keyboard in a field, and say why its text is unclear, or that it is missing."""
        self.refused_field = self.entered_field = name
        self._draw()
        choices = self.fields.format_offered(name, self._room)
        choices_note = f": {choices}" if choices else ""
        missing_text = f"{REFUSED} {self._label(name)} is missing{choices_note}"
        self._say(format_unsettled(self.fields, name, self._room) or missing_text, "refused")

    @property
    def _room(self) -> int:
        """The width for what a field may hold, next to why its text is unclear or missing."""
        return max(LIST_LEAST, self.size.width - AROUND_CHOICES)

    def _draw(self) -> None:
        """Draw the preview, the fields, the flags, what the focused field offers, and the keys."""
        if not self.is_mounted:
            return
        current_field = self.focused_name
        self.preview = preview = preview_form(
            self.session, self.fields, current_field, self._room, self.battle, self.old_dice
        )
        self._say(
            preview.text, preview.tone, preview.more, format_force_key(self) if preview.forceable else ""
        )
        for name in self.filling.names:
            self.find_field(name).show(self._build_field(name), name == current_field)
        if self.filling.switches:
            self.query_one(Flags).show(self.filling, _measure_inside(self.size.width))
        offers_text = ""
        if current_field == DICE_FIELD:
            offers_text = format_face_keys(preview.dice.asked)
        elif current_field:
            width = max(LIST_LEAST, self.size.width - AROUND_OFFERS)
            offers_text = format_offers(self.offers, self.fields, current_field, width)
        self.query_one("#dialog-offers", SteadyText).update(literal(offers_text, "$accent"))
        hints = self.hint
        if preview.dice.fewer_dice_words:
            # If the typed dice can be all, F7 says so, instead of leaving the dice for later.
            hints = tuple(ALL_DICE if hint is LATER else hint for hint in hints)
        self.query_one("#dialog-keys", Hints).show(hints)

    def _say(self, text: str, tone: OrderTone, more: tuple[str, ...] = (), force: str = "") -> None:
        """Show a text, the key that forces the order, and notes below it, cut so that all fit.

        Args:
            more: Notes; at most two are shown.
            force: Text about the key that forces the order, or "".
        """
        width = _measure_inside(self.size.width)
        notes = more[:2]
        texts = (f"{text}{force}", *notes)
        if sum(len(wrap_words(part, width)) for part in texts) <= SAYS_MOST:
            text += force
        else:
            *above, last = wrap_words(text, width, SAYS_MOST - len(notes)) or [""]
            text = "\n".join((*above, f"{cut(last, width - measure_width(force))}{force}"))
            notes = tuple(cut(note, width) for note in notes)
        lines = [literal(text, TONES[tone]), *(literal(note, "$quiet") for note in notes)]
        self.query_one("#dialog-says", SteadyText).update(Content("\n").join(lines))

    def take(self, character: str) -> bool:
        """Handle a character that is not text of the focused field; return whether it was handled.

        Among dice, letters may be the rest of a completed word, or the keys of faces, which stay text.
        """
        if self.focused_name == DICE_FIELD:
            if self._continue_completed_word(character):
                return True
            if not self.stray_letters and self._is_face(character):
                return False
        return self._handle_character(character)

    def _is_face(self, character: str) -> bool:
        """Return whether a letter in the dice field is the key of a face, and begins no flag.

        In a battle with calls, the field takes the number of a call and no faces.
        """
        letter = character.lower()
        begins_flag = any(slot.name.startswith(letter) for slot in self.filling.switches)
        return letter in FACE_KEYS and not begins_flag and not self.session.calls

    def _handle_character(self, character: str) -> bool:
        """Handle a character that may mean more than text; return whether it was handled.

        - Backspace drops letters that are neither dice nor flags; `?` explains a refusal.
        - Space after a settled word goes to the next field. In an empty field Space takes the offer.
        - After a ship, a character that can only belong to the next field goes there.
        - `@` in a field after the ships takes the whole division of the ship.
        - A letter that begins a flag switches that flag, among dice or in a number field.
        - A first character that cannot continue the text of a field replaces that text.
        """
        name = self.focused_name
        is_first_key = self.entered_field == name
        self.entered_field = ""
        if character == BACKSPACE:
            has_stray_letters = bool(self.stray_letters)
            self.stray_letters = ""
            self._draw()
            return has_stray_letters
        if character == "?" and (refusal := self.preview.refusal):
            return explain_refusal(self.app, self.session.system, refusal)
        if character == " " and name != DICE_FIELD and self.fields.is_whole(name):
            self._go_to_open_field(name)
            return True
        likely = self.offers.find_likely(self.fields, name)
        if self.fields.is_past_ship(name, character, bool(likely)):
            self._fill_field(
                name, self.fields.find_first_ship(name) or likely or self.filling.find_text(name)
            )
            if self.focused is not None and self.focused_name != name:
                self.focused.post_message(events.Key(character, character))
            return True
        if character == "@" and self._take_division(name):
            return True
        if character == " " and not self.filling.find_text(name).strip():
            if likely:
                self._fill_field(name, likely)
            return True
        if name == DICE_FIELD:
            return self._handle_non_die(character)
        if is_first_key and self.fields.is_starting_over(name, character):
            self.find_field(name).input.value = ""
            return False
        return self.filling.takes_flags(name) and character.isalpha() and self._turn_flag(character)

    def _take_division(self, name: str) -> bool:
        """Take the whole division of the ship for `@` in a field; return False if `@` is text there.

        If no ship is named yet, `@` is dropped.
        """
        slot, division = find_division_slot(self.fields, name)
        if division:
            box = self.find_field(slot).input
            box.value = division
            # Letters typed after `@` name another division.
            box.selection = Selection(1, len(division))
        return bool(slot)

    def _handle_non_die(self, character: str) -> bool:
        """Handle a character among the dice that is no die; return whether it was handled.

        A letter is a flag or a mistake; after a mistake every character belongs to it. Digits, and letters of
        the word `call` before a number, are text and not handled.
        """
        if self.stray_letters:
            self._say_stray(character)
            return True
        if self._is_spelling_call(character) or not character.isalpha():
            return False
        if not self._turn_flag(character):
            self._say_stray(character)
        return True

    def _continue_completed_word(self, character: str) -> bool:
        """Handle a character that may continue a completed word; return whether the word is typed out.

        Earlier letters of the word may have switched flags by mistake. So when the word is typed out, the
        flags of the moment of its completion are set again.
        """
        spelt = self.spelling
        letters = spelt.typed + character.lower()
        if letters == spelt.completed:
            self.spelling, self.stray_letters = Spelling(), ""
            self.filling = evolve(self.filling, flags=spelt.flags)
            self._draw()
            return True
        self.spelling = evolve(spelt, typed=letters) if spelt.completed.startswith(letters) else Spelling()
        return False

    def _is_spelling_call(self, character: str) -> bool:
        """Return whether, in a battle with calls, a character continues the word `call`, and is no flag."""
        typed_text, letter = self.filling.find_text(DICE_FIELD).lower(), character.lower()
        begins_flag = not typed_text and any(slot.name.startswith(letter) for slot in self.filling.switches)
        return self.session.calls and CALL.startswith(typed_text + letter) and not begins_flag

    def _say_stray(self, character: str) -> None:
        """Report the characters that are neither dice nor flags, after adding one; "" adds none."""
        self.stray_letters += character
        fault = f"“{self.stray_letters}” is neither a die nor a flag"
        self._say(f"{REFUSED} {fault}: Backspace drops it, Esc sets aside", "refused")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Read a changed field: fill in records of its ship, and complete a word that its letters begin."""
        event.stop()
        name = (event.input.id or "").removeprefix("slot-")
        old_filling = self.filling
        if event.value == old_filling.find_text(name):
            return
        # Deleting letters must not complete the word again.
        has_new_letters = not old_filling.find_text(name).startswith(event.value)
        self.refused_field = ""
        self.dice_later = self.dice_later and name != DICE_FIELD
        self.filling = typed_filling = old_filling.with_text(name, event.value)
        self.filling, self.records = fill_records(self.fields, self.records)
        for other_name in self.filling.names:
            if self.filling.find_text(other_name) != typed_filling.find_text(other_name):
                self.find_field(other_name).input.value = self.filling.find_text(other_name)
        sure_choice = self.fields.find_sure_choice(name, event.value)
        if sure_choice and has_new_letters and event.value != sure_choice:
            self.filling = self.filling.with_text(name, sure_choice)
            event.input.value = sure_choice
            self.spelling = Spelling(sure_choice.removeprefix(event.value.lower()), "", self.filling.flags)
            self._go_to_open_field(name)
        self._draw()

    def on_flags_turned(self, event: Flags.Turned) -> None:
        self._turn_flag(event.name)

    def on_descendant_focus(self) -> None:
        self._draw()

    def _turn_flag(self, letter: str) -> bool:
        """Set or clear the flag that begins with a letter; return whether there is one."""
        name = next((slot.name for slot in self.filling.switches if slot.name.startswith(letter.lower())), "")
        if name:
            self.filling = self.filling.switch_flag(name)
            self._draw()
        return bool(name)

    def action_toggle_flag(self) -> None:
        """Set the next combination of flags: none, the first, the second, both, and so on."""
        self.filling = self.filling.turn_flags()
        self._draw()

    def action_help(self) -> None:
        """Show the help on this order."""
        from qf_tui.console.reading.help import show_help

        show_help(self, self.session, place=DIALOG, form=self.filling.form)

    def action_advance(self) -> None:
        """Go to the next gap: an open field, the dice field or a missing die; without a gap, enter the order.

        An open field under the keyboard takes its offer, or is not left.
        """
        current_field, preview = self.focused_name, self.preview
        unfilled = self.fields.open
        takes_dice = DICE_FIELD in self.filling.names and not (self.session.calls or self.dice_later)
        if self.stray_letters:
            self._say_stray("")
        elif current_field in unfilled:
            if likely := self.offers.find_likely(self.fields, current_field):
                self._fill_field(current_field, likely)
            else:
                self._refuse_to_leave(current_field)
        elif unfilled or (takes_dice and current_field != DICE_FIELD):
            self._go_to_open_field(current_field)
        elif self._lacks_dice and not preview.refusal:
            self._ask_dice()
        elif self.filling == self.start and current_field != self.filling.names[-1]:
            # The dialog is as it opened: an accidental Enter must not enter the order.
            self.action_step(1)
        elif preview.order is None:
            self._say(preview.text, "refused")
        else:
            # `instead` has the parts that the ships can carry out, if they cannot do all.
            self._enter(preview.instead or preview.order, preview.revision)

    @property
    def _lacks_dice(self) -> bool:
        """True if Enter and F2 must ask for dice first: they are unclear, or some must still be typed."""
        dice = self.preview.dice
        must_type_dice = self.asks_dice and not (self.dice_later or self.old_dice)
        return bool(dice.fault or (dice.missing and must_type_dice))

    def _ask_dice(self) -> None:
        """Put the keyboard into the dice field, and say which dice are unclear or missing."""
        dice, box = self.preview.dice, self.find_field(DICE_FIELD).input
        if dice.faces and not box.value.endswith(" "):
            # After a space, the next digit begins a new die. `self.filling` is set first: else
            # `on_input_changed` takes the space for typing, and clears the message below.
            self.filling = self.filling.with_text(DICE_FIELD, f"{box.value} ")
            box.value = self.filling.find_text(DICE_FIELD)
        self.go_to(DICE_FIELD)
        self.refused_field = DICE_FIELD
        self._draw()
        other_way = "" if dice.faces else "; F7: thrown later"
        if dice.fewer_dice_words:
            other_way = "; F7 says that these are all"
        wanted = dice.doubt or f"{dice.missing_text}{other_way}"
        self._say(f"{REFUSED} {wanted}", "refused")

    def action_declare(self) -> None:
        """Leave the dice for later, or take that back.

        Dice that are typed already become all dice of the order, if it has a slot for their number.
        """
        dice, slot = self.preview.dice, self.filling.form.count_slot
        if dice.fewer_dice_words and slot is not None:
            self.find_field(slot.name).input.value = str(len(dice.faces))
        elif self.asks_dice and not (dice.faces or dice.doubt or self.old_dice):
            self.dice_later = not self.dice_later
            self._draw()

    def action_force(self) -> None:
        """Force the order if only rules are against it, unless dice are missing or letters are unclear."""
        preview = self.preview
        if self.stray_letters:
            self._say_stray("")
        elif self._lacks_dice:
            self._ask_dice()
        elif preview.forceable and preview.order is not None:
            self._enter(evolve(preview.order, forced=True), None)

    def _enter(self, order: Order, revision: Revision | None) -> None:
        """Enter an order and close; if it is refused, say why, and select the text of the focused field."""
        fault = self.enter(order, revision)
        if not fault:
            self.dismiss(None)
            return
        lacks_dice_only = self.focused_name == DICE_FIELD and not self.preview.refusal
        self._say(fault, "refused")
        if self.focused_name and not lacks_dice_only:
            # Typing replaces the selected text. Missing dice are typed after the others.
            box = self.find_field(self.focused_name).input
            box.selection = Selection(0, len(box.value))

    def action_set_aside(self) -> None:
        """Close the dialog with its texts and flags, but without records that the dialog itself filled in."""
        texts = {
            name: text
            for name, text in self.filling.texts.items()
            if self.original.find_text(name) or self.records.get(name, "") != text
        }
        self.dismiss(evolve(self.filling, texts=texts))

    def action_take_first(self) -> None:
        """Take the first ship that the typed letters may mean and go on; without one, go to the field below.

        A field that must be filled in is not left.
        """
        current_field = self.focused_name
        if first_ship := self.fields.find_first_ship(current_field):
            self._fill_field(current_field, first_ship)
        elif current_field in self.fields.open:
            self._refuse_to_leave(current_field)
        else:
            self.action_step(1)


def _measure_inside(width: int) -> int:
    """Return the width inside the frame of a dialog on a screen of this width."""
    return min(width, WIDEST) - AROUND


def refill(battle: Battle, order: Order) -> Filling | None:
    """Build the state of a dialog that is filled in with an order.

    Returns:
        None if the order has no slots, or one of its ships is not in this battle.
    """
    if not order.form.slots or find_absent_ship(order.form.slots, order.slots, battle):
        return None
    return Filling.from_order(order)


class AmendDialog(OrderDialog):
    """The dialog of an entry that is amended: typed dice replace the first ones, and Space skips a die.

    Args:
        enter: Takes the dialog and an order, enters it, and returns why it was refused. It calls
            `close` once the order is entered.
        dice_later: True if the dice of the entry are still owed.
    """

    selects = True

    def __init__(
        self,
        session: Session,
        filling: Filling,
        enter: Callable[["AmendDialog", Order], str],
        title: str,
        battle: Battle,
        *,
        forced: bool = False,
        dice_later: bool = False,
    ) -> None:
        super().__init__(session, filling, lambda order, _: enter(self, order), battle, forced=forced)
        dice_hints = Hint("enter", "enter"), Hint("space", "next die")
        enter_hints = dice_hints if filling.find_text(DICE_FIELD) else (Hint("enter", "next/enter"),)
        last_hint = LATER if self.asks_dice and not filling.find_text(DICE_FIELD) else OVERRULES
        self.hint = (*enter_hints, FIELDS, Hint("escape", "leaves it"), last_hint)
        self.title_text, self.dice_later = title, dice_later
        # An empty start: the filled-in fields then count as typed, so Enter alone may enter them again.
        self.start = Filling(filling.form)
        if not session.calls:
            self.old_dice = read_faces(filling.find_text(DICE_FIELD))

    def close(self) -> None:
        """Close the dialog: its order is entered, or no longer wanted."""
        if self.is_current:
            self.dismiss(None)

    def take(self, character: str) -> bool:
        """Handle a character as in any dialog, except that Space among dice selects the next die, if any.

        With calls, the field of the dice has the number of a call, and no dice to select.
        """
        is_among_dice = self.focused_name == DICE_FIELD and not self.session.calls
        if character == " " and is_among_dice and self._select_die():
            return True
        return super().take(character)

    def _select_die(self) -> bool:
        """Select the next die after the cursor, so that typing replaces only it; return whether there is one.

        If all dice are selected, the first die stays, and the second one is selected. After the last die,
        another one may be typed.
        """
        dice = self.find_field(DICE_FIELD).input
        words = split_dice(dice.value)
        selection_start, selection_end = sorted(dice.selection)
        are_all_selected = selection_end - selection_start == len(dice.value)
        after = words[0].end if words and are_all_selected else selection_end
        next_die = next((word for word in words if word.start >= after), None)
        if next_die is not None:
            dice.selection = Selection(next_die.start, next_die.end)
        elif selection_start < selection_end:
            dice.cursor_position = selection_end
        return next_die is not None

    def _enter(self, order: Order, revision: Revision | None) -> None:
        """Enter the amended order, or say why it was refused.

        This does not close the dialog: the function in `self.enter` does, perhaps only after a question.
        """
        fault = self.enter(order, None)
        if fault:
            self._say(fault, "refused")


def build_amendment(number: int, old_order: Order, order: Order) -> Order:
    """Build the correction that gives an entry another order, or only other dice.

    If only dice or a call differ, the correction has just these.

    Args:
        old_order: Order of the entry.
        order: The order that shall replace it.

    Raises:
        QfError: If nothing would change, or only the dice are left out.
    """
    if order in (old_order, evolve(old_order, dice=())):
        raise QfError("nothing changed: Esc leaves it")
    has_dice = order.dice or order.call is not None
    if has_dice and evolve(order, dice=(), call=None) == evolve(old_order, dice=(), call=None):
        return Order(AMEND, {"n": number}, order.dice, call=order.call)
    # Dice that a call threw are kept, so the call is not needed again.
    amended = evolve(order, call=None) if order.call == old_order.call else order
    return Order(AMEND, {"n": number, "order": amended})
