"""`qf-tui talk`: the console line by line, for screen readers, braille and slow links.

It asks the same session as the console and makes the same saves. It draws nothing and redraws nothing: each
answer is a few lines, with words in place of signs.
"""

import sys
from argparse import Namespace
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import monotonic

from qf_tui.cli.opening import scenario_rules, targets
from qf_tui.cli.output import printable
from qf_tui.core.builtin_forms import CORRECTIONS, NEXT
from qf_tui.core.errors import Finding, OrderRefused, QfError, impossible, only_rules
from qf_tui.core.grammar.names import Reach, fitting, named_ships
from qf_tui.core.grammar.reader import as_forced
from qf_tui.core.odds import chances, needed
from qf_tui.core.revisions import Revision
from qf_tui.core.system import Column
from qf_tui.core.values import Order, Ship
from qf_tui.document.acts import describe, owed_text, phase_text
from qf_tui.document.glance import acting_blocks, card_document, held_blocks, table_fixes, victory_blocks
from qf_tui.document.speech import spoken, spoken_lines
from qf_tui.document.transcript import (
    consequences_document,
    entered_lines,
    entry_document,
    finding_text,
    phase_message,
    reaches_further,
    table_texts,
    why_document,
)
from qf_tui.document.values import Block
from qf_tui.library.paths import snapshots
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.typed_dice import read_dice

HISTORY = 10
"""Entries that `history` reads when it is given no number."""
WORDS = {
    "ORDER": "any order, as in the order bar; digits alone are the dice of the first owed roll",
    "": "where the battle stands",
    "owed": "what is owed, and what the dice need",
    "who": "who may still act",
    "ship NAME": "a ship's card and log",
    "why NAME [COLUMN]": "why a ship's log is as it is; why N: an entry with its dice, cells and clauses",
    "odds ORDER": "the exact chances of an order",
    "history [N]": "the last entries, or N of them",
    "n": "ends the phase, after a question if somebody may still act or something is owed",
    "force": "enters the order that a rule has just refused",
    "help [WORD]": "these words; the orders and clauses that hold a word",
    "quit": "leaves; everything is saved",
}


class Left(Exception):
    """The umpire leaves."""


def talk(arguments: Namespace) -> int:
    """Talks about one battle until the umpire leaves."""
    with suppress(ImportError):
        import readline  # noqa: F401 - where there is one, `input` lets a line be edited
    session = _opened(arguments)
    session.start_clock(monotonic)
    try:
        say(*filter(None, (session.notice,)))
        Conversation(session).run()
    finally:
        say(*filter(None, (session.close(),)))
    if session.journal.path is not None:
        say(f"The battle is saved in {session.journal.path}.")
    return 0


def _opened(arguments: Namespace) -> Session:
    """A save to go on with, or a new battle with its save."""
    rules = scenario_rules(arguments.battle, arguments.rules)
    target, save = targets(arguments.battle, arguments.save)
    systems = find_systems()
    if target is None:
        raise QfError("name a scenario or a save; `qf-tui scenarios` lists the scenarios")
    if save is None and arguments.battle is not None and _is_save(target):
        return Session.resume(target, systems, snapshots())
    from qf_tui.library.scenarios import battle_of, find_scenario, left_out_text, read_named
    from qf_tui.session.dice import is_sealed, new_dice, seal_words, with_words
    from qf_tui.session.session import begin_on_shelf

    reading = read_named(target, systems, rules)
    system, start = battle_of(reading)
    say(*filter(None, (left_out_text(system, reading.left_out),)))
    sealed = None
    if is_sealed(start):
        sealed = new_dice()
        say(f"The seal of this battle's dice: {' '.join(seal_words(sealed.seal))}.")
        words = [input(f"A word of {side.name}: ") for side in start.sides]
        sealed = with_words(sealed, len(start.sides), words)
    if save is not None:
        return Session.begin(system, start, save, sealed=sealed)
    return begin_on_shelf(system, start, find_scenario(target).stem, sealed)


def _is_save(path: Path) -> bool:
    from qf_tui.cli.opening import find_save

    return find_save(str(path)) is not None


def say(*lines: str) -> None:
    """Says lines, each as one."""
    for line in lines:
        print(printable(line))
    sys.stdout.flush()


class Conversation:
    """The umpire's lines and what is answered; `refused` is the last order, if only a rule is against it."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.refused: Order | None = None
        self.answers: dict[str, Callable[[str], object]] = {
            "owed": self._owed, "who": self._who, "ship": self._ship, "why": self._why, "odds": self._odds,
            "history": self._history, "help": self._help, "n": self._end_phase, "quit": self._quit,
        }  # fmt: skip

    def run(self) -> None:
        """Answers line after line until the umpire leaves, or the input ends."""
        self._stand()
        with suppress(Left, EOFError):
            while True:
                self.answer(input(self._prompt()))

    def answer(self, line: str) -> None:
        """Answers one line."""
        word, _, rest = line.strip().partition(" ")
        try:
            if not word:
                self._stand()
            elif line.strip() == "force":
                self._force()
            elif word in self.answers:
                self.answers[word](rest.strip())
            else:
                self._enter(line)
        except OrderRefused as refusal:
            self._refuse(refusal.findings)
        except QfError as fault:
            say(spoken(str(fault)))

    def _prompt(self) -> str:
        battle = self.session.battle
        owed = f", {len(battle.owed)} owed" if battle.owed else ""
        return f"{spoken(phase_text(self.session.system, battle))}{owed}> "

    def _read_out(self, blocks: Iterable[Block], nothing: str = "") -> None:
        lines = list(spoken_lines(blocks))
        say(*(lines or filter(None, (nothing,))))

    def _refuse(self, findings: Iterable[Finding]) -> None:
        found = tuple(findings)
        say(*(spoken(finding_text(finding)) for finding in found))
        if self.refused is not None and only_rules(found):
            say("force enters it all the same.")

    def _stand(self) -> None:
        battle = self.session.battle
        title = str(battle.table.get("title") or self.session.system.title)
        say(spoken(f"{title}, {self.session.system.title}. {phase_text(self.session.system, battle)}."))
        if battle.owed:
            say(spoken(f"Owed: {owed_text(battle.owed[0])}"))
        self._read_out(victory_blocks(battle))

    # What is asked.

    def _owed(self, rest: str) -> None:
        self._read_out(held_blocks(self.session.system, self.session.battle), "Nothing is owed.")

    def _who(self, rest: str) -> None:
        self._read_out(acting_blocks(self.session.system, self.session.timeline), "Nobody may still act.")

    def _named(self, text: str) -> Ship:
        """The ship that letters mean; QfError where they mean none, or several."""
        ships = self.session.battle.ships
        if text in ships:
            return ships[text]
        named = named_ships(ships.values())
        found = fitting(text, named, Reach.BEGINS) or fitting(text, named, Reach.ANYWHERE)
        if not found:
            raise QfError(f"“{text}” is not a ship")
        if len(found) > 1:
            raise QfError(f"“{text}” may be {', '.join(ship.name for _, ship in found)}; give more letters")
        return ships[found[0][1].id]

    def _ship(self, rest: str) -> None:
        ship = self._named(rest)
        card = card_document(self.session.system, self.session.battle, ship)
        say(card.title)
        self._read_out(card.blocks)

    def _why(self, rest: str) -> None:
        system, timeline = self.session.system, self.session.timeline
        if rest.isdecimal():
            document = entry_document(system, timeline, int(rest))
        else:
            name, _, column = rest.partition(" ")
            document = why_document(system, timeline, self._named(name), self._column(column.strip()))
        say(spoken(document.title))
        self._read_out(document.blocks)

    def _column(self, text: str) -> Column | None:
        columns = self.session.system.columns
        named = [column for column in columns if column.title.casefold().startswith(text.casefold())]
        if text and not named:
            raise QfError(f"“{text}” is not a column: {', '.join(column.title for column in columns)}")
        return named[0] if text else None

    def _odds(self, rest: str) -> None:
        entry = self.session.prepare(self.session.read(rest).complete())
        self._refuse(entry.prepared.findings)
        say(*(spoken(str(need)) for need in needed(entry.prepared)))
        say(*(spoken(str(chance)) for chance in chances(entry.prepared)))

    def _history(self, rest: str) -> None:
        timeline = self.session.timeline
        count = int(rest) if rest.isdecimal() else HISTORY
        for act in timeline.log[max(0, len(timeline.log) - count) :]:
            say(spoken(str(describe(timeline, act))))

    def _help(self, rest: str) -> None:
        system = self.session.system
        if not rest:
            say(*(f"{word or 'an empty line'}: {text}." for word, text in WORDS.items()))
            return
        texts = [(form.usage, form.help) for form in system.forms] + list(system.clauses.items())
        found = [f"{name}: {text}" for name, text in texts if rest.casefold() in f"{name} {text}".casefold()]
        say(*map(spoken, found or (f"nothing holds {rest}",)))

    def _quit(self, rest: str) -> None:
        raise Left

    # What is entered.

    def _asks(self, question: str) -> bool:
        return input(f"{question} yes or no> ").strip().casefold() in ("y", "yes")

    def _enter(self, line: str) -> None:
        session = self.session
        reading = session.read_typed(line)
        self.refused = None
        if reading.order is None:
            raise OrderRefused(*reading.findings)
        dice = read_dice(session, reading)
        if dice.order is None or dice.doubt:
            raise OrderRefused(impossible(dice.doubt or "the dice cannot be read"))
        self._take(dice.order, only_look=reading.preview)

    def _take(self, order: Order, *, only_look: bool = False) -> None:
        session = self.session
        try:
            if order.form in CORRECTIONS and order.called is None:
                self._correct(order, only_look=only_look)
            else:
                self._record(order, partial(session.work_out, order, session.throw))
        except OrderRefused as refusal:
            shared = session.system.possible(session.battle, order) if only_rules(refusal.findings) else ()
            self.refused = order if only_rules(refusal.findings) else None
            self._refuse(refusal.findings)
            if shared and self._asks(f"Enter {'; '.join(spoken(share.line) for share in shared)} instead?"):
                for share in shared:
                    self._take(share)

    def _force(self) -> None:
        if self.refused is None:
            say("Nothing to force: no rule has refused the last order.")
            return
        order, self.refused = as_forced(self.refused), None
        self._take(order)

    def _correct(self, order: Order, *, only_look: bool) -> None:
        """Says what a correction changes, and does it after a yes where that is more than itself."""
        revision = self.session.work_out(order)
        if only_look or reaches_further(revision):
            self._read_out(consequences_document(self.session.system, revision).blocks)
        if only_look:
            return
        if not reaches_further(revision) or self._asks("Do it?"):
            self._record(order, lambda: revision)
        else:
            say("Nothing is changed.")

    def _record(self, order: Order, worked_out: Callable[[], Revision]) -> None:
        session = self.session
        entered = session.record(worked_out())
        before, after = entered.before.battle, entered.after.battle
        if order.is_phase_end and (before.turn, before.phase) != (after.turn, after.phase):
            say(*(spoken(f"owed: {owed_text(owed)}") for owed in entered.owed))
            passed = session.pass_empty_phases()
            say(spoken(phase_message(session.system, session.battle, passed)))
        else:
            self._read_out(entered_lines(session, entered))
        fixes = table_fixes(session.system, entered)
        say(*(spoken(f"On the table: {text}") for text in table_texts(session.battle, fixes)))

    def _end_phase(self, rest: str) -> None:
        """Ends the phase, after a question if something holds it or somebody may still act."""
        session = self.session
        held = tuple(held_blocks(session.system, session.battle))
        acting = acting_blocks(session.system, session.timeline)
        self._read_out((*held, *acting))
        if not (held or acting) or self._asks(f"End {spoken(phase_text(session.system, session.battle))}?"):
            self._take(Order(NEXT, {}, forced=bool(held)))
