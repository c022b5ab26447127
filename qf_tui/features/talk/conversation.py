"""`qf-tui talk`: the console line by line, for screen readers, braille and slow links.

It uses the same session as the console and makes the same saves. Each answer is a few lines, with words in
place of signs.
"""

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from time import monotonic

from attrs import evolve

from qf_tui.cli.opening import choose_crews, choose_rules, find_targets, list_given_settings
from qf_tui.cli.output import replace_unprintable
from qf_tui.core.builtin_forms import AMEND, CORRECTIONS, LEAVE, NEXT, list_forms
from qf_tui.core.errors import Finding, OrderRefused, QfError, impossible, is_forcible
from qf_tui.core.grammar.reader import force_order
from qf_tui.core.odds import compute_chances, list_needs
from qf_tui.core.revisions import Revision
from qf_tui.core.schedule import list_events
from qf_tui.core.system import Column
from qf_tui.core.timeline import LogAct, Timeline
from qf_tui.core.values import OPEN_DICE, Battle, Order, Owed, Ship
from qf_tui.document import glance, transcript
from qf_tui.document.acts import describe_act, format_answers, format_owed, format_phase, summarize_act
from qf_tui.document.values import Table, build_line
from qf_tui.features.board.document import format_declaring, format_proposal_outcome, list_proposal_lines
from qf_tui.features.board.tray import Tray, WeighedProposal
from qf_tui.features.points.document import build_working_blocks
from qf_tui.features.points.sums import compute_sums, list_public_rules, list_rules
from qf_tui.features.sealed_dice.seal import list_seal_texts
from qf_tui.features.sealed_dice.witness import list_witnesses
from qf_tui.features.talk.speech import speak_blocks, speak_text
from qf_tui.library.settings import load_settings
from qf_tui.library.systems import find_systems
from qf_tui.operating_systems import end_by_signals
from qf_tui.session import Session
from qf_tui.session.opening import Beginning, open_target
from qf_tui.session.session import ActOrigin, branch_with_correction, list_needed_throws
from qf_tui.session.typed_dice import read_dice


def talk(arguments: Namespace) -> int:
    """Open or begin a battle, answer the umpire's lines until he leaves, and return 0."""
    with suppress(ImportError):
        import readline  # noqa: F401 - where there is one, `input` lets a line be edited
    settings = load_settings().with_values(list_given_settings(arguments))
    rules = choose_rules(arguments.battle, arguments.rules)
    target, save = find_targets(arguments.battle, arguments.save)
    assert target is not None  # the command always has a battle
    crews = choose_crews(arguments.battle, arguments.crews)
    opened, left_out = open_target(target, save, find_systems(), rules, crews)
    say(left_out)
    session = _begin(opened) if isinstance(opened, Beginning) else opened
    session.start_clock(monotonic)
    try:
        with end_by_signals(_raise_end):
            say(session.notice)
            session.listen(settings)
            Conversation(session).run()
    except ConversationEnded as ended:
        session.close()
        # The caught signal is sent again, so that it ends the program as usual.
        os.kill(os.getpid(), ended.number)
    finally:
        say(session.close())
    if session.journal.path is not None:
        print(replace_unprintable(f"The battle is saved in {session.journal.path}."))
    return 0


class ConversationEnded(BaseException):
    """The end of the conversation by a signal.

    It is raised while a line is read, so that line editing is undone. `number` is the number of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


def _raise_end(number: int) -> None:
    """End the conversation because of a signal with this number."""
    raise ConversationEnded(number)


def _begin(beginning: Beginning) -> Session:
    """Begin a battle; if its dice are to be sealed, show the seal and ask for the words first."""
    maker = beginning.maker
    return beginning.begin(maker.ask_in_lines(beginning.sides, say, ask_yes_or_no) if maker else None)


def say(*texts: str) -> None:
    """Print texts that are not empty, each as a line, with words in place of signs."""
    for text in filter(None, texts):
        print(replace_unprintable(speak_text(text)))
    sys.stdout.flush()


def ask_yes_or_no(question: str) -> bool:
    """Ask a question, and return whether the answer is yes."""
    return input(f"{speak_text(question)} yes or no> ").strip().casefold() in ("y", "yes")


class Conversation:
    """The umpire's lines and the console's answers.

    Attributes:
        refused: The last order if only rules refuse it, so that it can be forced; else None.
        last_findings: Findings against the last order.
        origins: By key of an owed question, the player's proposal whose answer waits for a call.
    """

    def __init__(self, session: Session) -> None:
        self.session, self.system = session, session.system
        self.refused: Order | None = None
        self.last_findings: tuple[Finding, ...] = ()
        self.tray = Tray.from_session(session)
        self.origins: dict[str, ActOrigin] = {}
        # Each function gets the rest of the line after its word.
        self.answers: dict[str, Callable[[str], object]] = {
            "owed": self._say_owed_rolls, "who": self._say_who, "ship": self._say_ship, "why": self._say_why,
            "odds": self._say_odds, "history": self._say_history, "help": self._say_help,
            "n": self._end_phase, "quit": self._leave, "seal": self._say_seal, "witness": self._say_witness,
            "tray": self._say_proposals, "in": self._let_in, "back": self._send_back,
            "points": self._say_points,
        }  # fmt: skip

    def run(self) -> None:
        """Print the notes of a new battle and its state, then answer line after line until the input ends."""
        if not self.session.timeline.log:
            # Each sentence of the scenario's notes is a line.
            say(str(self.session.battle.table.get("notes") or "").replace(". ", ".\n"))
        self._say_state()
        with suppress(EOFError):
            while True:
                self.answer(input(self._format_prompt()))

    def answer(self, line: str) -> None:
        """Print the state for an empty line, answer a word of `answers`, and enter any other line."""
        word, _, argument = line.strip().partition(" ")
        try:
            if not word:
                self._say_state()
            elif line.strip() == "force":
                self._force()
            elif word in self.answers:
                self.answers[word](argument.strip())
            else:
                self._enter(line)
        except OrderRefused as refusal:
            self._refuse(refusal.findings)
        except QfError as fault:
            say(str(fault))

    def _format_prompt(self) -> str:
        """Format the prompt: warnings, phase, and the numbers of owed rolls and proposals."""
        battle = self.session.battle
        warnings = self.session.collect_warnings()
        counts = f", {len(battle.owed)} owed" if battle.owed else ""
        if self.tray is not None:
            self.tray.look()
            counts += f", {len(self.tray.waiting)} in the tray" if self.tray.waiting else ""
        return f"{warnings}{warnings and ' '}{speak_text(format_phase(self.system, battle))}{counts}> "

    def _refuse(self, findings: Iterable[Finding]) -> None:
        """Print findings against an order and keep them for `why`; say if the order can be forced."""
        self.last_findings = tuple(findings)
        say(*map(transcript.format_finding, self.last_findings))
        if self.refused is not None and is_forcible(self.last_findings):
            say("force enters it anyway.")

    def _say_state(self) -> None:
        """Print the state of the battle: title, phase, open entries, advice, and the first owed roll."""
        timeline, battle = self.session.timeline, self.session.battle
        present = glance.build_present_document(self.system, timeline)
        say(f"{battle.table.get('title') or self.system.title}, {self.system.title}. {present.title}.")
        say(*speak_blocks(glance.build_crew_lines(battle)))
        # Leave out the counts at the start of the document and the ships of the sides at its end.
        say(*speak_blocks((*transcript.list_open_entries(timeline), *present.blocks[1 : -len(battle.sides)])))
        say(*glance.list_advice(self.system, battle))
        say(*(f"Owed: {self._format_question(owed)}" for owed in battle.owed_in_order[:1]))

    # Questions to the console.

    def _format_question(self, owed: Owed) -> str:
        """Format an owed roll with its dice, or a question with its answers."""
        words = format_answers(self.system, self.session.battle, owed)
        return format_owed(owed, key=False) if owed.dice else f"{owed.prompt} ({words})"

    def _format_owed(self, owed: Owed) -> str:
        """Format an owed roll or question with the faces that bring each result."""
        needs = ", ".join(map(str, list_needed_throws(self.system, self.session.battle, owed)))
        return ": ".join(filter(None, (self._format_question(owed), needs)))

    def _say_owed_rolls(self, argument: str) -> None:
        """Print all owed rolls and disputed entries; with a number, ask for the dice of that roll.

        Raises:
            QfError: There is no owed roll with that number.
        """
        battle = self.session.battle
        if argument:
            if not (argument.isdecimal() and 0 < int(argument) <= len(battle.owed)):
                raise QfError(f"“{argument}” is not the number of an owed roll; owed alone lists them")
            owed = battle.owed_in_order[int(argument) - 1]
            self._enter(input(f"{speak_text(self._format_owed(owed))}> "), owed.key)
            return
        lines = [f"{place}: {self._format_owed(owed)}" for place, owed in enumerate(battle.owed_in_order, 1)]
        doubts = (f"Entry {number} is disputed." for number in battle.doubts)
        say(*(lines or ("Nothing is owed.",)), *doubts)

    def _say_who(self, argument: str) -> None:
        """Print the ships that may still act."""
        acting = glance.build_acting_blocks(self.system, self.session.timeline)
        say(*speak_blocks(acting or (build_line("No ship may still act."),)))

    def _say_points(self, rest: str) -> None:
        """Print how the victory points of each side add up; with the word `secret`, count secret ones too."""
        timeline = self.session.timeline
        list_wanted_rules = list_rules if rest == "secret" else list_public_rules
        sums = compute_sums(self.system, timeline, list_wanted_rules(timeline.battle))
        say(
            *speak_blocks(build_working_blocks(self.system, timeline.battle, sums)),
            "" if sums else "No points.",
        )

    def _find_ship(self, text: str) -> tuple[Ship, str]:
        """Return the ship at the beginning of a text, and the rest of the text.

        Raises:
            OrderRefused: The text does not begin with a ship.
        """
        # The order `leave` begins with a ship, so its slot reads the ship from the text.
        reading = self.session.read_typed(f"{LEAVE.word} {text}")
        part = reading.parts.get("ship")
        if part is None or part.value is None:
            raise OrderRefused(*reading.findings)
        return self.session.battle.ships[str(part.value)], text[len(part.text) :].strip()

    def _say_ship(self, argument: str) -> None:
        """Print a ship's card, or all ships if none is named."""
        battle = self.session.battle
        if argument:
            ship, _ = self._find_ship(argument)
            card = glance.build_card_document(self.system, battle, ship)
            say(card.title)
            say(*speak_blocks(card.blocks))
        else:
            present = glance.build_present_document(self.system, self.session.timeline)
            # The last blocks are the ships, one block for each side.
            say(*speak_blocks(present.blocks[-len(battle.sides) :]))

    def _say_why(self, argument: str) -> None:
        """Explain an entry, a refusal, or a ship's values.

        Without an argument, explain the last refusal, or the latest entry if nothing was refused. With a
        number, explain that entry; with a ship, and perhaps a column, her values.
        """
        timeline = self.session.timeline
        if not argument and self.last_findings:
            self._refuse(self.last_findings)
            clauses = dict.fromkeys(finding.clause for finding in self.last_findings)
            say(
                *(
                    f"{clause}: {self.system.clauses[clause]}"
                    for clause in clauses
                    if clause in self.system.clauses
                )
            )
            return
        if argument and not argument.isdecimal():
            ship, column_text = self._find_ship(argument)
            column = self._find_column(column_text)
            save = self.session.journal.path
            document = transcript.build_why_document(self.system, timeline, ship, column, save)
        else:
            latest_number = timeline.play_order[-1] if timeline.play_order else 0
            number = int(argument or latest_number)
            act = timeline.find_act(number)
            if act is None or number not in timeline.play_order:
                say(self._format_act(act) if act is not None else f"There is no entry {number}.")
                return
            document = transcript.build_entry_document(self.system, timeline, number)
        say(document.title)
        say(*speak_blocks(document.blocks))

    def _find_column(self, text: str) -> Column | None:
        """Return the first column whose title begins with a text; None for an empty text.

        Raises:
            QfError: No column has such a title.
        """
        columns = self.system.columns
        matches = [column for column in columns if column.title.casefold().startswith(text.casefold())]
        if text and not matches:
            raise QfError(f"“{text}” is not a column: {', '.join(column.title for column in columns)}")
        return matches[0] if text else None

    def _say_odds(self, argument: str) -> None:
        """Print the findings against an order, the faces that it needs and its chances."""
        prepared = self.session.prepare(self.session.read_typed(argument).require_order()).prepared
        self._refuse(prepared.findings)
        say(*map(str, (*list_needs(prepared), *compute_chances(prepared))))

    def _say_history(self, argument: str) -> None:
        """Print the last acts (ten, or the number given), or all acts that contain a text."""
        log = self.session.timeline.log
        search = "" if argument.isdecimal() else argument.casefold()
        first_index = 0 if search else max(0, len(log) - int(argument or 10))
        texts = [text for text in map(self._format_act, log[first_index:]) if search in text.casefold()]
        say(*(texts or (f"no entry contains {argument}",)))

    def _format_act(self, act: LogAct) -> str:
        """Format an act: number, state, effect, order and player; no order if reasons are all its effect."""
        timeline = self.session.timeline
        summary = summarize_act(self.system, timeline, act)
        state = describe_act(timeline, act).state
        number = f"{act.number}, {state}" if state else f"{act.number}"
        parts = (summary.lead, "" if summary.only_reasons else summary.by, summary.origin)
        return f"{number}: {'. '.join(filter(None, parts))}"

    def _say_help(self, argument: str) -> None:
        """Print a page of the help, or the orders, switches and clauses that match a word.

        If a name equals the word, only its text is printed, or else every text that contains the word.
        Without a word, the table of the page `talk` is printed.
        """
        from qf_tui.document.help import TOPICS, build_help_page

        if not argument or argument in TOPICS:
            page = build_help_page(argument or "talk").blocks
            say(*speak_blocks(block for block in page if argument or isinstance(block, Table)))
            return
        word = argument.casefold()
        texts = (
            *(
                (form.word, ": ".join(filter(None, (form.usage, form.help))))
                for form in (*list_forms(self.system).values(), *CORRECTIONS)
            ),
            *(
                (option.name, f"{option.name}, {' or '.join(option.values)}: {option.text}")
                for option in self.system.options
            ),
            *((clause, f"{clause}: {text}") for clause, text in self.system.clauses.items()),
        )
        matches = [text for name, text in texts if name.casefold() == word]
        matches = matches or [text for _, text in texts if word in text.casefold()]
        say(*(matches or (f"nothing contains {argument}",)))

    def _say_seal(self, argument: str) -> None:
        """Print the seal of sealed dice and the words of the sides."""
        say(*(list_seal_texts(self.session.extra) or ("The dice of this battle are not sealed.",)))

    def _say_witness(self, argument: str) -> None:
        """Print the witnesses of the log."""
        say(*speak_blocks(list_witnesses(self.system, self.session.timeline, self.session)))

    def _leave(self, argument: str) -> None:
        """End the conversation as the end of the input does."""
        raise EOFError

    # Proposals of players.

    def _read_tray(self) -> Tray:
        """Return the tray with its latest proposals.

        Raises:
            QfError: The battle has no save, so players cannot propose.
        """
        if self.tray is None:
            raise QfError("players cannot propose: this battle has no save")
        self.tray.look()
        return self.tray

    def _find_proposal(self, number: str) -> WeighedProposal:
        """Return the waiting proposal with a number, with the result that it would have.

        Raises:
            QfError: There is no such proposal.
        """
        tray = self._read_tray()
        if not (number.isdecimal() and 0 < int(number) <= len(tray.waiting)):
            raise QfError(f"“{number}” is not the number of a proposal; tray lists them")
        return tray.weigh(tray.waiting[int(number) - 1])

    def _say_proposals(self, argument: str) -> None:
        """Print the tray: its faults, the waiting proposals with their results, and who has declared."""
        tray = self._read_tray()
        say(*tray.faults)
        for place, proposal in enumerate(tray.waiting, 1):
            outcome = format_proposal_outcome(self.session, tray.weigh(proposal))
            say(f"{place}: {proposal.by}, {proposal.line}: {outcome}")
        say(format_declaring(tray.collect_news()), "" if tray.waiting else "Nothing waits.")

    def _let_in(self, argument: str) -> None:
        """Print a proposal and, if it can enter, ask whether to let it in."""
        weighed = self._find_proposal(argument)
        say(*speak_blocks(list_proposal_lines(self.session, weighed)))
        order, proposal = weighed.order, weighed.proposal
        if order is None or not weighed.accepted or not ask_yes_or_no("Let it in?"):
            return
        if weighed.throws and self.session.calls:
            self.origins = {order.key: proposal.origin}
            self._enter(input("Call> "), order.key)
        else:
            revision = weighed.revision or self.session.work_out(order, self.session.throw)
            self._record(order, revision, origin=proposal.origin)

    def _send_back(self, argument: str) -> None:
        """Send a proposal back; the words after its number are the reason."""
        number, _, why = argument.partition(" ")
        proposal = self._find_proposal(number).proposal
        self._read_tray().send_back(proposal, why.strip())
        self.origins = {}
        say(f"Sent back to {proposal.by}.")

    # Orders and corrections.

    def _enter(self, line: str, key: str = "") -> None:
        """Read a line as an order with its dice, and decide it.

        Args:
            key: Key of the owed roll that the line answers, or "".

        Raises:
            OrderRefused: The line is no order, or its dice are wrong.
        """
        session = self.session
        reading = session.read_typed(line, key)
        first_owed = next(iter(session.battle.owed_in_order), None)
        if reading.form is None and not key and first_owed is not None and not first_owed.dice:
            # A text that is no order answers the question that waits for words.
            reading = session.read_typed(line, first_owed.key)
        self.refused, self.last_findings = None, ()
        if reading.order is None:
            raise OrderRefused(*reading.findings)
        dice = read_dice(session, reading, full_text=True)
        if dice.fewer_dice_words and ask_yes_or_no(
            f"{dice.missing_text}. Are these {len(dice.faces)} dice all?"
        ):
            dice = evolve(dice, missing=())
        if dice.order is None or dice.fault:
            raise OrderRefused(impossible(dice.fault or "the dice cannot be read"))
        self._decide_order(dice.order, preview=reading.preview)

    def _decide_order(self, order: Order, *, preview: bool = False) -> None:
        """Record an order, or print why it is refused, and offer the part of the order that is possible.

        Args:
            preview: True to show only what a correction would change.
        """
        session = self.session
        try:
            # The dice of a call are not known before the order is entered, so no changes can be shown first.
            if order.form in CORRECTIONS and order.effective_call is None:
                self._correct(order, preview=preview)
            else:
                self._record(order, session.work_out(order, session.throw))
        except OrderRefused as refusal:
            can_force = is_forcible(refusal.findings)
            possible_order = self.system.possible(session.battle, order) if can_force else None
            self.refused = order if can_force else None
            self._refuse(refusal.findings)
            if possible_order is not None and ask_yes_or_no(f"Enter {possible_order.line} instead?"):
                self._decide_order(possible_order)

    def _force(self) -> None:
        """Enter the last refused order although a rule refuses it."""
        if self.refused is None:
            say("Nothing to force: no rule has refused the last order.")
            return
        order = force_order(self.refused)
        self.refused, self.last_findings = None, ()
        self._decide_order(order)

    def _correct(self, order: Order, *, preview: bool) -> None:
        """Print the changes of a correction, and ask whether to record it, here or in a branch.

        A correction that changes only words is recorded without a question. With `preview` nothing is
        recorded.
        """
        revision = self.session.work_out(order)
        shows_changes = preview or transcript.has_any_effect(revision)
        if shows_changes:
            self._say_correction(revision)
        if preview:
            return
        answer = input("Do it? yes, no or branch> ").strip().casefold() if shows_changes else "yes"
        if answer in ("y", "yes"):
            self._record(order, revision, are_changes_printed=shows_changes)
        elif answer == "branch":
            save = branch_with_correction(self.session, order)
            say(f"Saved as a branch next to this save: {save.name}. This battle is unchanged.")
        else:
            say("Nothing is changed.")

    def _record(
        self,
        order: Order,
        revision: Revision,
        *,
        are_changes_printed: bool = False,
        origin: ActOrigin | None = None,
    ) -> None:
        """Record an order and print its result.

        Then offer to keep an answer about a chart cell in the umpire's chart. If dice are thrown by calls and
        the order led to new rolls, ask for the call of the first roll.

        Args:
            are_changes_printed: True if the changes of a correction were already printed.
            origin: Player's proposal that the order comes from, or None.
        """
        session = self.session
        question = session.battle.find_question(order.key)
        words = " ".join(order.list_texts("words"))
        entered = session.record(revision, self.origins.pop(order.key, origin))
        before, after = entered.before.battle, entered.after.battle
        is_phase_over = order.is_phase_end and (before.turn, before.phase) != (after.turn, after.phase)
        changes_earlier = transcript.is_retroactive(entered) and transcript.has_any_effect(entered)
        if is_phase_over:
            self._say_phase(entered.before, session.pass_empty_phases())
        elif are_changes_printed or changes_earlier:
            if not are_changes_printed:
                self._say_correction(entered)
            say(f"Done, as entry {entered.number}.")
            self._say_table_changes(glance.list_table_corrections(self.system, entered))
        else:
            self._say_act(entered)
            say(transcript.format_waiting_message(self.system, after, "n") if order.is_phase_end else "")
        needs_calls = session.calls and not is_phase_over and any(owed.dice for owed in entered.newly_owed)
        rolls_to_call = after.owed_in_order[:1] if needs_calls else ()
        self._say_new_owed(before, rolls_to_call)
        cell = question.cell if question is not None else ()
        if cell and words and ask_yes_or_no(f"Keep {words} in your own chart?"):
            self._say_act(session.keep_cell(cell, words))
        for owed in rolls_to_call:
            self._ask_for_call(owed)

    def _ask_for_call(self, owed: Owed) -> None:
        """Ask for the call of an owed roll; any other line is answered as usual."""
        line = input(f"Call for {speak_text(owed.prompt)}: {OPEN_DICE}, or nothing for later> ").strip()
        if line.isdecimal():
            self._enter(line, owed.key)
        elif line:
            self.answer(line)

    def _say_act(self, revision: Revision) -> None:
        """Print an act: its effect, its order if that adds anything, and reasons not yet named."""
        battle, order = revision.after.battle, revision.order
        summary = summarize_act(self.system, revision.after, revision.act)
        # The order would repeat ships that the effect names, and a reason may repeat the effect.
        ships_are_named = order is not None and all(
            battle.called(name) in summary.effect for name in order.names
        )
        order_text = "" if summary.only_reasons and ships_are_named else summary.by
        reasons_add_nothing = set(summary.why.split()) <= set(summary.effect.replace(":", "").split())
        say(f"{revision.number}: {summary.lead}", order_text, "" if reasons_add_nothing else summary.why)

    def _say_correction(self, revision: Revision) -> None:
        """Print the effects of a correction on its entry and on other entries."""
        after, act, order = revision.after, revision.act, revision.order
        amended = order is not None and order.form is AMEND
        outcome = glance.summarize_with_outcome(self.system, after, act).effect if amended else ""
        say(summarize_act(self.system, after, act).effect, outcome)
        say(*speak_blocks(transcript.build_consequences_document(self.system, revision).blocks))

    def _say_phase(self, timeline_before: Timeline, passed_phases: tuple[str, ...]) -> None:
        """Print that a phase begins: events, phases passed over, changes on the table, and the first advice.

        There is no advice while something is owed.
        """
        battle = self.session.battle
        say(*(f"{event.text}." for event in list_events(self.system, timeline_before.battle, battle)))
        advice = () if battle.owed else glance.list_advice(self.system, battle)[:1]
        say(transcript.format_phase_message(self.system, battle, passed_phases))
        self._say_table_changes(glance.list_phase_changes(self.system, timeline_before, battle))
        say(*advice)

    def _say_table_changes(self, changes: Iterable[tuple[str, str]]) -> None:
        """Print what players must change on the table, by side; without changes, print nothing."""
        sides = tuple(glance.group_by_side(self.session.battle, changes))
        say(*speak_blocks((build_line("On the table:"), *sides) if sides else ()))

    def _say_new_owed(self, before: Battle, rolls_to_call: Sequence[Owed]) -> None:
        """Print the first owed roll if another was first before the last order, and all other new rolls.

        Args:
            before: Battle before the last order.
            rolls_to_call: The first owed roll if its call is asked for next, so that it is not printed here;
                else ().
        """
        owed = self.session.battle.owed_in_order
        first = owed[:1]
        is_first_printed = first != before.owed_in_order[:1] and not rolls_to_call
        printed_first = first if is_first_printed else ()
        say(*(f"Owed: {self._format_question(question)}" for question in printed_first))
        known_keys = {question.key for question in (*before.owed, *rolls_to_call, *printed_first)}
        others = [question for question in owed if question.key not in known_keys]
        after_first = f", after {owed[0].prompt}" if others and not printed_first else ""
        say(*(f"Also owed: {self._format_question(question)}{after_first}" for question in others))

    def _end_phase(self, argument: str) -> None:
        """End the phase; ask first if rolls or disputes block it, or if ships may still act."""
        battle = self.session.battle
        is_blocked = battle.owed or battle.doubts
        acting_blocks = glance.build_acting_blocks(self.system, self.session.timeline)
        if is_blocked:
            self._say_owed_rolls("")
        say(*speak_blocks(acting_blocks))
        carry_text = " and carry over what is owed or disputed" if is_blocked else ""
        must_ask = is_blocked or acting_blocks
        if not must_ask or ask_yes_or_no(f"End {format_phase(self.system, battle)}{carry_text}?"):
            self._decide_order(Order(NEXT, {}, forced=bool(is_blocked)))
