"""The order bar: an input line that keeps half-typed and earlier orders; the message lines next to it.

`preview` has the meaning of its text, and `controller` enters it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.suggester import Suggester
from textual.timer import Timer
from textual.widgets import Input

from qf_tui.console.entry.form_state import Filling
from qf_tui.console.entry.preview import Preview, preview_line
from qf_tui.console.reading.source import REFUSED, TONES, OrderTone, explain_refusal, format_force_key
from qf_tui.console.widgets.fields import KeyInput, turn_value
from qf_tui.console.widgets.keys import find_screen_key
from qf_tui.console.widgets.text import SteadyText, cut, join_parts, literal, measure_width, wrap_words
from qf_tui.core.errors import Findings, is_forcible
from qf_tui.core.grammar.names import are_dice, expand_face_keys
from qf_tui.core.grammar.reader import Reading
from qf_tui.core.schedule import find_scheduled_order
from qf_tui.core.text import add_answer, format_count
from qf_tui.core.values import CALL, Owed
from qf_tui.document.acts import format_answers
from qf_tui.session import Session

REMEMBERED_MOST = 50
NOTES_LEAST = 12
"""Least width for the notes on an order."""
PREVIEW_MOST, OFFERED_MOST = 4, 24
"""Most lines of a preview; most words that are offered."""


class MessageLine(SteadyText):
    """A line for messages, cut to its width; a preview may take more lines.

    Attributes:
        text: The message.
        refusal: The findings that the line is about.
    """

    def __init__(self, id: str) -> None:
        super().__init__(Content(""), id=id)
        self.text = ""
        self.refusal: Findings = ()

    def say(self, text: str, tone: OrderTone = "", findings: Findings = ()) -> None:
        """Show a message until another replaces it, and the key that forces the order if `findings` allow."""
        self.refusal = findings
        room = self.size.width - 2
        if is_forcible(findings):
            force = format_force_key(self.screen)
            text = f"{cut(text, room - measure_width(force))}{force}"
        self.text = text
        self.update(literal(f" {cut(text, room)}", TONES[tone]))

    def show_preview(self, preview: Preview) -> None:
        """Show the preview of an order; after it the key that forces it, or else its notes if they fit."""
        self.text, self.refusal = "", preview.refusal
        width = self.size.width - 2
        force = format_force_key(self.screen) if preview.forceable else ""
        *upper_lines, last_line = wrap_words(f"{preview.text}{force}", width, PREVIEW_MOST) or [""]
        room = width - measure_width(last_line) - 3
        notes = ""
        if preview.more and not force and room >= NOTES_LEAST:
            notes = f"   {cut('; '.join(preview.more), room)}"
        lines = literal("\n".join(f" {line}" for line in (*upper_lines, last_line)), TONES[preview.tone])
        self.update(Content.assemble(lines, literal(notes, "$quiet")))

    def offer(self, label: str, words: Iterable[str]) -> None:
        """Show a question and the possible next words that fit, next to the question or below a long one."""
        self.text, self.refusal = "", ()
        room = self.size.width - 2
        label, words = add_answer(label, ""), tuple(words)
        # Next to the label, the words must get half of the line, or room for all of them.
        room_next_to_label = room - measure_width(label) - 1
        fits_next_to_label = (
            measure_width(label) <= room // 2 or measure_width(" · ".join(words)) <= room_next_to_label
        )
        question = "\n".join(f" {line}" for line in wrap_words(label, room, PREVIEW_MOST - 1))
        words_text = join_parts(words, room_next_to_label if fits_next_to_label else room, " · ")
        if words_text:
            words_text = f" {words_text}" if fits_next_to_label else f"\n {words_text}"
        self.update(Content.assemble(literal(question, "$accent"), literal(words_text)))


class Banner(SteadyText):
    """A line of events that are not yet read; without events it is hidden."""

    def __init__(self, id: str) -> None:
        super().__init__(Content(""), id=id)
        self.events: tuple[str, ...] = ()

    def add(self, events: Sequence[str]) -> None:
        """Show more events until they are read; an equal event is shown only once."""
        if events:
            self._show(tuple(dict.fromkeys((*self.events, *events))))

    def clear_unread(self) -> bool:
        """Remove the events, which the umpire has now read; return whether there were any."""
        unread = bool(self.events)
        if unread:
            self._show(())
        return unread

    def _show(self, events: tuple[str, ...]) -> None:
        """Show these events in capitals, and the key that removes them; hide the line if there are none."""
        self.events = events
        self.display = bool(events)
        key = find_screen_key(self.screen, "grid.drop")
        text = literal(" · ".join(event.upper() for event in events), "bold $text-warning")
        self.update(Content.assemble(" ‼ ", text, literal(f"   {key} read" if key else "", "$quiet")))


class Alarm(SteadyText):
    """A warning line; without a warning it is hidden.

    Attributes:
        standing: Warning that is shown again when another one is removed.
        unread: Warning that comes before the standing one, until the user removes it.
    """

    def __init__(self, id: str) -> None:
        super().__init__(Content(""), id=id)
        self.text = self.standing = self.unread = ""

    def clear_unread(self) -> bool:
        """Remove the unread warning, which the umpire has now read; return whether there was one."""
        was_unread, self.unread = bool(self.unread), ""
        if was_unread:
            self.show("")
        return was_unread

    def show(self, text: str) -> None:
        """Show another warning; "" shows the unread or the standing one, or hides the line."""
        if self.unread and text in ("", self.unread):
            text = f"{self.unread} {find_screen_key(self.screen, 'grid.drop')} removes this."
        text = text or self.standing
        if text != self.text:
            self.text = text
            self.display = bool(text)
            self.update(literal(f" ‼ {text}") if text else Content(""))


def find_neighbour_key(owed: Sequence[Owed], current_key: str, step: int, dice: bool) -> str:
    """Return the key of the owed question `step` places after the one being answered, around the ends.

    Args:
        current_key: Key of the question being answered, or "". If dice are typed, a key that is not of a roll
            counts as that of the first roll.
        dice: True if dice are typed already; only rolls then count.

    Returns:
        "" in three cases: fewer than two questions are owed; neither an answer is open nor dice are typed;
        dice are typed but no roll is owed.
    """
    if len(owed) < 2 or not (current_key or dice):
        return ""
    keys = [question.key for question in owed if question.dice or not dice]
    at = keys.index(current_key) if current_key in keys else 0
    return keys[(at + step) % len(keys)] if keys else ""


SLOW = 0.02
"""Seconds of work after which previews wait for a pause in the typing."""
PAUSE = 0.15
"""Seconds without typing that count as such a pause."""


class _WordSuggester(Suggester):
    """Suggests the rest of the first word offered, dim after the cursor."""

    def __init__(self, bar: "OrderBar") -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self.bar = bar

    async def get_suggestion(self, value: str) -> str | None:
        """Return the text with its last word completed; None if no offered word continues its letters."""
        letters, first = find_first_offer(self.bar.session.read_typed(value, self.bar.question_key))
        if not letters or not first.startswith(letters) or first == letters:
            return None
        return value + first[len(letters) :]


class OrderBar(Vertical):
    """The order bar and its preview line.

    Attributes:
        question_key: Key of the owed question that the bar answers, or "".
        stash: Text that was set aside. It is offered in the empty bar and never joins other text.
        aside: Dialog that was set aside half filled, or None; `stash` is then its text.
        variants: Texts through which the arrow keys go, such as the fields of a cell.
        pasted: Pasted lines that come into the bar one by one, each after the line before is entered.
    """

    @dataclass
    class Asked(Message):
        """The message that the bar now answers another owed question, or takes any order ("")."""

        key: str

    def __init__(self, session: Session, id: str) -> None:
        super().__init__(id=id)
        self.session = session
        self.input = KeyInput("", self.take, id="bar", suggester=_WordSuggester(self), select_on_focus=False)
        self.message_line = MessageLine(id="bar-says")
        self.question_key = ""
        self.stash = ""
        self.aside: Filling | None = None
        self.variants: tuple[str, ...] = ()
        self.pasted: tuple[str, ...] = ()
        self.input.take_lines = self.take_pasted
        self.reading = Reading()
        self.preview = Preview()
        self._prompt_text = ""
        self._was_cleared = False
        self._earlier_orders: list[str] = []
        # Place in the earlier orders that the arrow keys have reached.
        self._at = 0
        # How long the last preview took, and the text and key that it was for.
        self._preview_seconds = 0.0
        self._previewed = ("", "")
        self._preview_timer: Timer | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="bar-line"):
            yield SteadyText(Content(" > "), id="bar-prompt")
            yield self.input
        yield self.message_line

    @property
    def text(self) -> str:
        """The typed text."""
        return self.input.value

    @property
    def has_dice(self) -> bool:
        """True if the typed text consists of dice only."""
        return are_dice(expand_face_keys(self.text))

    def ask_dice(self) -> bool:
        """Report typed dice that are unclear or too few; return whether they are.

        Too few dice get a space after them, so that the next digit begins a new die.
        """
        dice = self.preview.dice
        if dice.faces and dice.missing and not self.text.endswith(" "):
            self._set(f"{self.text} ")
            self.update_preview()
        if dice.fault:
            self.message_line.show_preview(Preview(f"{REFUSED} {dice.fault}", "refused"))
        return bool(dice.fault)

    def take(self, character: str) -> bool:
        """Handle a character that is a command and not text; return whether it is a command.

        `?` explains a refusal. While a roll is answered, `o` goes to the next one. In the empty bar, the key
        that opens the bar brings back the text that was set aside.
        """
        if character == self._restore_key and not self.text and self.restore_stash():
            return True
        owed = self.session.battle.find_question(self.question_key) if self.question_key else None
        if character == "o" and owed is not None and owed.dice:
            self.action_another(1)
            return True
        refusal = self.message_line.refusal
        return character == "?" and explain_refusal(self.app, self.session.system, refusal)

    def put(self, text: str, *, key: str = "", variants: Sequence[str] = ()) -> None:
        """Put a text into the bar and focus it; half-typed text is set aside first.

        Args:
            key: Key of the owed question that the bar answers, or "".
            variants: Texts through which the arrow keys go.
        """
        self.set_aside()
        self.variants = tuple(variants)
        self.set_question(key)
        self._set(text)
        self.screen.set_focus(self.input)

    def set_question(self, key: str) -> None:
        """Make the bar answer the owed question with this key; with "" the bar takes any order again.

        The prompt says what the bar takes, such as `roll`, and how many pasted lines wait.
        """
        if key != self.question_key:
            self.post_message(self.Asked(key))
        self.question_key = key
        owed = self.session.battle.find_question(key) if key else None
        words = []
        if owed is not None:
            throw_word = CALL if self.session.calls else "roll"
            words.append(throw_word if owed.dice else "answer")
        if self.pasted:
            words.append(format_count(len(self.pasted), "more line"))
        prompt_text = ", ".join(words)
        if prompt_text != self._prompt_text:
            self._prompt_text = prompt_text
            prompt = literal(f" {prompt_text} > " if prompt_text else " > ", "bold $accent")
            self.query_one("#bar-prompt", SteadyText).update(prompt)
            self.show_stash()

    def set_aside(self) -> None:
        """Set half-typed text aside and empty the bar.

        Dice and answers are dropped, because they would answer a different question later.
        """
        text = self.text.strip()
        if text and not self.has_dice and not self.question_key:
            self.keep_for_later(text)
        self.clear()

    def take_pasted(self, lines: Sequence[str]) -> None:
        """Let further pasted lines wait, and show in the prompt how many wait."""
        self.pasted = (*lines, *self.pasted)
        self.set_question(self.question_key)

    def show_next_pasted(self) -> bool:
        """Put the next pasted line into the empty bar; return whether there is one."""
        if not self.pasted:
            return False
        text, *rest = self.pasted
        self.pasted = tuple(rest)
        self.put(text)
        return True

    def drop_pasted(self) -> str:
        """Keep waiting pasted lines only as earlier orders; return a message about them, or ""."""
        lines, self.pasted = self.pasted, ()
        # In reverse, so that ↑ brings back the first line first.
        for line in reversed(lines):
            self.remember(line)
        count = format_count(len(lines), "pasted line")
        return f"not entered: {count}; ↑ in the bar brings them back" if lines else ""

    def keep_for_later(self, text: str, aside: Filling | None = None) -> bool:
        """Offer a text in the empty bar, and return whether a text was offered there before.

        An earlier offered text that differs stays available by the arrow keys.

        Args:
            text: Text that was set aside; "" to offer nothing any more.
            aside: Dialog that was set aside, or None.
        """
        earlier_stash = self.stash
        if earlier_stash not in ("", text):
            self.remember(earlier_stash)
        self.stash, self.aside = text, aside
        self.show_stash()
        return bool(earlier_stash)

    def show_stash(self) -> None:
        """Show in the empty bar the text that was set aside, with its keys.

        While an owed question is answered, nothing is shown, because other keys count then.
        """
        if not self.stash or self.question_key:
            self.input.placeholder = ""
            return
        # The key of its order reopens a dialog; the key that opens the bar brings back a text.
        continue_key = (self.aside and self.aside.form.key) or self._restore_key
        keys = f"   {continue_key} continues it, {find_screen_key(self.screen, 'grid.drop')} drops it"
        room = max(0, self.input.content_size.width - measure_width(keys))
        self.input.placeholder = cut(f"set aside: {self.stash}", room) + keys

    def restore_stash(self) -> bool:
        """Put the text set aside into the bar, and forget its dialog; return whether there was any."""
        text = self.stash
        self.forget_stash()
        if text:
            self.put(f"{text} ")
        return bool(text)

    def forget_stash(self) -> None:
        """Forget the text that was set aside, and its dialog."""
        self.stash, self.aside = "", None
        self.show_stash()

    @property
    def _restore_key(self) -> str:
        """The key that puts the text that was set aside into the bar, as people write it."""
        return find_screen_key(self.screen, "grid.open-bar")

    def clear(self) -> None:
        """Empty the bar; it then takes any order."""
        self.set_question("")
        self.variants = ()
        self.reading, self.preview = Reading(), Preview()
        self._previewed = ("", "")
        # Only removed text causes the event that `on_input_changed` must ignore.
        self._was_cleared = bool(self.text)
        self.input.value = ""

    def remember(self, text: str) -> None:
        """Remember an order for the arrow keys, as the newest of at most `REMEMBERED_MOST`."""
        self._earlier_orders = [*(older for older in self._earlier_orders if older != text), text]
        self._earlier_orders = self._earlier_orders[-REMEMBERED_MOST:]
        self._at = len(self._earlier_orders)

    def action_another(self, step: int) -> None:
        """Go to another owed question; if there is none, to the next variant or to another earlier order.

        Questions and variants go around the ends, earlier orders stop there.

        Args:
            step: 1 for the next, -1 for the one before; variants only go on.
        """
        key = find_neighbour_key(self.session.battle.owed_in_order, self.question_key, step, self.has_dice)
        if key:
            self.set_question(key)
            self.update_preview()
        elif self.variants:
            self._set(turn_value(self.variants, self.text))
        elif self._earlier_orders:
            self._at = max(0, min(self._at + step, len(self._earlier_orders) - 1))
            self._set(self._earlier_orders[self._at])

    def action_answer(self) -> None:
        """Open the bar for the first owed question; say so if none is owed.

        If the schedule asks for an order, the bar holds that order, and answers no question.
        """
        owed = self.session.battle.owed_in_order
        if not owed:
            self.message_line.say("nothing is owed")
            return
        order = find_scheduled_order(owed[0])
        if order is not None:
            self.put(order.line)
        else:
            self.put("", key=owed[0].key)
        self.update_preview()

    def action_type(self, text: str) -> None:
        """Put a text into the bar, such as a digit typed at the logs."""
        self.put(text)

    def action_complete(self) -> None:
        """Replace the letters at the end by the first word that they may begin, if there is one."""
        self.catch_up()
        letters, first = find_first_offer(self.reading)
        if first and self.text.casefold().endswith(letters.casefold()):
            self._set(f"{self.text[: len(self.text) - len(letters)]}{first} ")

    def catch_up(self) -> None:
        """Update the preview now if it waits for a pause or belongs to an earlier battle."""
        revision = self.preview.revision
        stale = revision is not None and revision.before is not self.session.timeline
        if self._preview_timer is not None or stale or self._previewed != (self.text, self.question_key):
            self._stop_waiting()
            self.update_preview()

    def _stop_waiting(self) -> None:
        if self._preview_timer is not None:
            self._preview_timer.stop()
            self._preview_timer = None

    def _set(self, text: str) -> None:
        """Replace the text, with the cursor at its end."""
        self.input.value = text
        self.input.cursor_position = len(text)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Preview changed text at once, or after a pause if previews are slow.

        Nothing is done if the bar was only emptied, or this text was previewed already: its message stays.
        """
        event.stop()
        self._stop_waiting()
        if self._was_cleared and not event.value:
            # The message about the order that left the bar stays visible.
            self._was_cleared = False
            return
        if self._previewed == (event.value, self.question_key):
            return
        if self._preview_seconds > SLOW:
            self._preview_timer = self.set_timer(PAUSE, self.update_preview)
        else:
            self.update_preview()

    def update_preview(self) -> None:
        """Preview the typed order in the message line; without a preview, show the words that may follow.

        If the bar is empty and answers no question, the message line is cleared.
        """
        began = perf_counter()
        self.reading, self.preview = preview_line(self.session, self.text, self.question_key)
        self._previewed = (self.text, self.question_key)
        self._preview_seconds = perf_counter() - began
        if self.preview.text:
            self.message_line.show_preview(self.preview)
        elif not (self.text.strip() or self.question_key):
            self.message_line.say("")
        elif (owed := self.session.battle.find_question(self.question_key)) is not None and not owed.dice:
            words = owed.words or (format_answers(self.session.system, self.session.battle, owed),)
            self.message_line.offer(owed.prompt, words)
        else:
            offers = self.reading.cursor.offers()[:OFFERED_MOST]
            # Show label and word if they differ.
            labels = (
                word.label if word.label.casefold() == word.text else f"{word.label} ({word.text})"
                for word in offers
            )
            self.message_line.offer(self.reading.cursor.label, labels)

    def on_resize(self) -> None:
        self.show_stash()


def find_first_offer(reading: Reading) -> tuple[str, str]:
    """Return the letters at the end of a line, and the first word that they may begin, or "" if none."""
    offers = reading.cursor.offers()
    first_word = offers[0].text if offers else ""
    return reading.cursor.letters, first_word
