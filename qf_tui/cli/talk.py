"""`qf-tui talk`: the console line by line, for screen readers, braille and slow links.

It asks the same session as the console and makes the same saves. It draws nothing and redraws nothing: each
answer is a few lines, with words in place of signs.
"""

import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from time import monotonic

from qf_tui.cli.opening import scenario_rules, targets
from qf_tui.cli.output import printable
from qf_tui.core.builtin_forms import AMEND, CORRECTIONS, INSERT, NEXT, all_forms
from qf_tui.core.errors import Finding, OrderRefused, QfError, impossible, only_rules
from qf_tui.core.grammar.names import Reach, fitting, named_ships
from qf_tui.core.grammar.reader import as_forced
from qf_tui.core.odds import chances, needed
from qf_tui.core.revisions import Revision
from qf_tui.core.schedule import events
from qf_tui.core.sealed_dice import SealedDice
from qf_tui.core.system import Column
from qf_tui.core.timeline import LogAct, Timeline
from qf_tui.core.values import Battle, Order, Owed, Ship
from qf_tui.document.acts import describe, ended_text, owed_text, phase_text, summary
from qf_tui.document.glance import (
    act_and_outcome,
    acting_blocks,
    advice_of,
    by_side,
    card_document,
    changed_in_phase,
    held_blocks,
    present_document,
    table_fixes,
)
from qf_tui.document.speech import spoken, spoken_lines
from qf_tui.document.transcript import (
    changes_anything,
    consequences_document,
    entry_document,
    finding_text,
    is_correction,
    open_lines,
    phase_message,
    why_document,
)
from qf_tui.document.values import Block, text_line
from qf_tui.library.settings import load_settings
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.dice import NOTHING_PROVED, Seal, new_dice, seal_texts, seal_words, with_words
from qf_tui.session.opening import PLEDGE, TAKE_DOWN, Beginning, open_target
from qf_tui.session.session import branch_with, to_throw
from qf_tui.session.typed_dice import read_dice

HISTORY = 10
"""Entries that `history` reads when it is given no number."""
WORDS = {
    "ORDER": "any order, as in the order bar; digits alone are the dice of the first owed roll",
    "": "where the battle stands",
    "owed": "what is owed, and what the dice need; owed 2 takes the dice of the second roll",
    "who": "who may still act",
    "ship [NAME]": "a ship's card and log; without a name all ships in a line each",
    "why NAME [COLUMN]": "why a ship's log is as it is; why N: an entry with its dice, cells and clauses; "
    "why alone: the last refusal, or the last entry",
    "odds ORDER": "the exact chances of an order",
    "history [N]": "the last entries, or N of them; with letters, those that hold them",
    "n": "ends the phase, after a question if somebody may still act or something is owed",
    "force": "enters the order that a rule has just refused",
    "seal": "the seal of sealed dice, and the words of the sides",
    "help [WORD]": "these words; the orders and clauses that hold a word",
    "quit": "leaves; everything is saved",
}
"""Beside these only orders: what the words of the console's keys do."""


class Left(Exception):
    """The umpire leaves."""


def talk(arguments: Namespace) -> int:
    """Talks about one battle until the umpire leaves."""
    with suppress(ImportError):
        import readline  # noqa: F401 - where there is one, `input` lets a line be edited
    try:
        session = _opened(arguments)
    except EOFError:
        raise QfError("the battle has not begun: its sides gave no words") from None
    session.start_clock(monotonic)
    try:
        _copy(session, arguments.copy_to)
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
    if target is None:
        raise QfError("name a scenario or a save; `qf-tui scenarios` lists the scenarios")
    opened, left_out = open_target(target, save, find_systems(), rules)
    say(*filter(None, (spoken(left_out),)))
    return opened.begin(_sealed(opened.sides)) if isinstance(opened, Beginning) else opened


def _sealed(sides: Sequence[str]) -> SealedDice:
    """New dice, their seal said, with the words that the sides give behind that."""
    dice = new_dice()
    say(TAKE_DOWN, f"The seal of this battle's dice: {', '.join(seal_words(dice.seal))}.", PLEDGE)
    while True:
        try:
            given = with_words(dice, len(sides), [input(f"A word of {side}> ") for side in sides])
        except QfError as fault:
            say(spoken(str(fault)))
            continue
        if Seal(given.seal, given.words).proves or asks(f"{NOTHING_PROVED} Begin all the same?"):
            return given


def _copy(session: Session, folder: str | None) -> None:
    """Keeps the second copy in a folder, or where the settings have it."""
    try:
        session.copy_to(load_settings().copy_to if folder is None else folder)
    except QfError as fault:
        say(spoken(str(fault)))


def say(*lines: str) -> None:
    """Says lines, each as one."""
    for line in lines:
        print(printable(line))
    sys.stdout.flush()


def asks(question: str) -> bool:
    """Whether a question is answered with yes."""
    return input(f"{question} yes or no> ").strip().casefold() in ("y", "yes")


class Conversation:
    """The umpire's lines and what is answered; `refused` is the last order, if only a rule is against it.

    `against` is what stood against the last order, `warned` the last word about the second copy.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.refused: Order | None = None
        self.against: tuple[Finding, ...] = ()
        self.warned = ""
        self.answers: dict[str, Callable[[str], object]] = {
            "owed": self._owed, "who": self._who, "ship": self._ship, "why": self._why, "odds": self._odds,
            "history": self._history, "help": self._help, "n": self._end_phase, "quit": self._quit,
            "seal": self._seal,
        }  # fmt: skip

    def run(self) -> None:
        """Answers line after line until the umpire leaves, or the input ends."""
        if not self.session.timeline.log and (notes := self.session.battle.table.get("notes")):
            say(spoken(str(notes)))
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
        self.against = tuple(findings)
        say(*(spoken(finding_text(finding)) for finding in self.against))
        if self.refused is not None and only_rules(self.against):
            say("force enters it all the same.")

    def _stand(self) -> None:
        system, timeline = self.session.system, self.session.timeline
        battle, now = timeline.battle, present_document(system, timeline)
        title = str(battle.table.get("title") or system.title)
        say(spoken(f"{title}, {system.title}. {now.title}."))
        # The counts stand at its beginning, the ships of the sides at its end.
        self._read_out((*open_lines(timeline), *now.blocks[1 : -len(battle.sides)]))
        say(*map(spoken, advice_of(system, battle)))
        say(*(spoken(f"Owed: {owed_text(owed, key=False)}") for owed in battle.owed[:1]))

    # What is asked.

    def _owed_text(self, owed: Owed) -> str:
        needs = to_throw(self.session.system, self.session.battle, owed)
        return spoken(": ".join(filter(None, (owed_text(owed, key=False), ", ".join(map(str, needs))))))

    def _owed(self, rest: str) -> None:
        battle = self.session.battle
        if rest:
            if not (rest.isdecimal() and 0 < int(rest) <= len(battle.owed)):
                raise QfError(f"“{rest}” is not the number of an owed roll; owed alone lists them")
            owed = battle.owed[int(rest) - 1]
            self._enter(input(f"{self._owed_text(owed)}> "), owed.key)
            return
        owing = [f"{place}: {self._owed_text(owed)}" for place, owed in enumerate(battle.owed, 1)]
        say(*(owing or ("Nothing is owed.",)))
        say(*(f"Entry {number} is in doubt." for number in battle.doubts))

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
            raise QfError(f"“{text}” is not a ship; ship alone lists them")
        if len(found) > 1:
            raise QfError(f"“{text}” may be {', '.join(ship.name for _, ship in found)}; give more letters")
        return ships[found[0][1].id]

    def _ship(self, rest: str) -> None:
        system, timeline = self.session.system, self.session.timeline
        if not rest:
            self._read_out(present_document(system, timeline).blocks[-len(timeline.battle.sides) :])
            return
        card = card_document(system, timeline.battle, self._named(rest))
        say(card.title)
        self._read_out(card.blocks)

    def _why(self, rest: str) -> None:
        system, timeline = self.session.system, self.session.timeline
        if not rest and self.against:
            clauses = dict.fromkeys(finding.clause for finding in self.against)
            self._refuse(self.against)
            say(*(spoken(f"{one}: {system.clauses[one]}") for one in clauses if one in system.clauses))
            return
        number = int(rest) if rest.isdecimal() else 0 if rest else (*timeline.play_order, 0)[-1]
        if number and number not in timeline.play_order:
            act = timeline.act(number)
            say(self._act_line(act) if act is not None else f"There is no entry {number}.")
            return
        if number or not rest:
            document = entry_document(system, timeline, number)
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
        entry = self.session.prepare(self.session.read_typed(rest).complete())
        self._refuse(entry.prepared.findings)
        say(*(spoken(str(need)) for need in needed(entry.prepared)))
        say(*(spoken(str(chance)) for chance in chances(entry.prepared)))

    def _history(self, rest: str) -> None:
        timeline = self.session.timeline
        count = int(rest) if rest.isdecimal() else HISTORY
        acts = (
            timeline.log[max(0, len(timeline.log) - count) :]
            if rest.isdecimal() or not rest
            else timeline.log
        )
        lines = [self._act_line(act) for act in acts]
        found = (
            lines
            if acts is not timeline.log
            else [line for line in lines if rest.casefold() in line.casefold()]
        )
        say(*(found or (f"no entry holds {rest}",)))

    def _act_line(self, act: LogAct) -> str:
        timeline = self.session.timeline
        told, state = summary(self.session.system, timeline, act), describe(timeline, act).state
        parts = (told.effect, "" if told.alone else told.by)
        return spoken(f"{act.number}{f', {state}' if state else ''}: {'. '.join(filter(None, parts))}")

    def _help(self, rest: str) -> None:
        system = self.session.system
        if not rest:
            say(*(f"{word or 'an empty line'}: {text}." for word, text in WORDS.items()))
            return
        forms = (*all_forms(system).values(), *CORRECTIONS)
        texts = [(form.usage, form.help) for form in forms] + list(system.clauses.items())
        found = [f"{name}: {text}" for name, text in texts if rest.casefold() in f"{name} {text}".casefold()]
        say(*map(spoken, found or (f"nothing holds {rest}",)))

    def _seal(self, rest: str) -> None:
        say(*(seal_texts(self.session.extra) or ("The dice of this battle are not sealed.",)))

    def _quit(self, rest: str) -> None:
        raise Left

    # What is entered.

    def _enter(self, line: str, key: str = "") -> None:
        """Enters a line; `key` is the owed roll that it answers, if it is one."""
        session = self.session
        reading = session.read_typed(line, key)
        self.refused, self.against = None, ()
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
            if shared and asks(f"Enter {'; '.join(spoken(share.line) for share in shared)} instead?"):
                for share in shared:
                    self._take(share)

    def _force(self) -> None:
        if self.refused is None:
            say("Nothing to force: no rule has refused the last order.")
            return
        order, self.refused, self.against = as_forced(self.refused), None, ()
        self._take(order)

    def _correct(self, order: Order, *, only_look: bool) -> None:
        """Says what a correction changes, and does it after a yes where that is more than a word."""
        revision = self.session.work_out(order)
        looks = only_look or changes_anything(revision)
        if looks:
            self._tell_change(revision, order)
        answer = input("Do it? yes, no or branch> ").strip().casefold() if looks and not only_look else ""
        if only_look:
            return
        if not looks or answer in ("y", "yes"):
            self._record(order, lambda: revision, told=looks)
        elif answer == "branch":
            save = branch_with(self.session, order)
            say(f"Saved as a branch beside this save: {save.name}. This battle is unchanged.")
        else:
            say("Nothing is changed.")

    def _record(self, order: Order, worked_out: Callable[[], Revision], *, told: bool = False) -> None:
        """Records an order and says what came of it; `told`: not again what a correction changes."""
        session = self.session
        asked, words = session.battle.question(order.key), " ".join(order.many("words"))
        entered = session.record(worked_out())
        before, after = entered.before.battle, entered.after.battle
        ended = order.is_phase_end and (before.turn, before.phase) != (after.turn, after.phase)
        if ended:
            self._begin_phase(entered.before, session.pass_empty_phases())
        elif told or (is_correction(entered) and changes_anything(entered)):
            if not told:
                self._tell_change(entered, order)
            say(f"Done, as entry {entered.number}.")
            self._say_table(table_fixes(session.system, entered))
        else:
            self._tell(entered)
        called = [owed.key for owed in entered.owed if owed.dice and session.sealed and not ended][:1]
        self._say_owed(before, called)
        if asked is not None and asked.cell and words and asks(f"Keep {words} in your own chart?"):
            self._tell(session.keep_cell(asked.cell, words))
        copy = session.copy.word if session.copy is not None else ""
        if copy != self.warned:
            self.warned = copy
            say(*filter(None, (copy,)))
        for key in called:
            self._call(key)

    def _call(self, key: str) -> None:
        """Asks for the call that throws what an order owes; any other line is answered as such."""
        owed = self.session.battle.question(key)
        prompt = f"Call for {spoken(owed.prompt)}, or nothing for later> " if owed is not None else ""
        line = input(prompt).strip() if prompt else ""
        if line.isdecimal():
            self._enter(line, key)
        elif line:
            self.answer(line)

    def _tell(self, revision: Revision) -> None:
        """Says an act, outcome first."""
        system, battle, order = self.session.system, revision.after.battle, revision.order
        told = act_and_outcome(system, revision.after, revision.act)
        # Where its reasons name all its ships the order says them twice; of a roll they may be its outcome.
        named = order is not None and all(battle.called(name) in told.effect for name in order.names)
        by = "" if told.alone and named else told.by
        why = "" if set(told.why.split()) <= set(told.effect.replace(":", "").split()) else told.why
        say(*map(spoken, filter(None, (f"{revision.number}: {told.effect}", by, why))))

    def _tell_change(self, revision: Revision, order: Order) -> None:
        """Says what a correction does, to the entry and beyond it."""
        system, after = self.session.system, revision.after
        outcome = act_and_outcome(system, after, revision.act).effect if order.form in (AMEND, INSERT) else ""
        say(*map(spoken, filter(None, (summary(system, after, revision.act).effect, outcome))))
        self._read_out(consequences_document(system, revision).blocks)

    def _begin_phase(self, ended: Timeline, passed: tuple[str, ...]) -> None:
        system, battle = self.session.system, self.session.battle
        says = (
            *(f"{event.text}." for event in events(system, ended.battle, battle)),
            phase_message(system, battle, passed, brief=True),
            ended_text(system, battle),
        )
        say(*map(spoken, filter(None, says)))
        self._say_table(changed_in_phase(system, ended, battle))

    def _say_table(self, changes: Iterable[tuple[str, str]]) -> None:
        """Says what hands must change on the table, by side."""
        lines = tuple(by_side(self.session.battle, changes))
        self._read_out((text_line("On the table:"), *lines) if lines else ())

    def _say_owed(self, before: Battle, called: Sequence[str]) -> None:
        """Says the rolls that are newly owed but for those asked for now, and which comes first."""
        owed, known = self.session.battle.owed, {*called, *(owed.key for owed in before.owed)}
        first = owed[0].key if owed and owed[:1] != before.owed[:1] and not called else ""
        new = (one for one in owed if one.key == first or one.key not in known)
        say(*(spoken(f"Owed: {owed_text(one, key=False)}") for one in new))

    def _end_phase(self, rest: str) -> None:
        """Ends the phase, after a question if something holds it or somebody may still act."""
        session = self.session
        held = any(held_blocks(session.system, session.battle))
        acting = acting_blocks(session.system, session.timeline)
        if held:
            self._owed("")
        self._read_out(acting)
        carried = " and carry over what is owed or in doubt" if held else ""
        phase = spoken(phase_text(session.system, session.battle))
        if not (held or acting) or asks(f"End {phase}{carried}?"):
            self._take(Order(NEXT, {}, forced=held))
