"""Every order in back quotes that the program advises is accepted where it is advised.

The sentences come from random battles, from cases that chance does not bring, and from the help. Each
string of the rules with an order in it must have come up.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import islice, product
from pathlib import Path
from random import Random

import pytest
from attrs import frozen

from qf_tui.core import builtin_orders, corrections, schedule
from qf_tui.core.builtin_forms import CORRECTIONS, OPTION, list_forms
from qf_tui.core.errors import Finding, OrderRefused, QfError
from qf_tui.core.values import Battle, Form, Order, Owed, Slot
from qf_tui.document.help import TOPICS, read_page_source
from qf_tui.rules.gq2 import SYSTEM
from qf_tui.session import Session
from tests.cli.strange_orders import Lot
from tests.rules.advanced_quickfire import tables as advanced
from tests.rules.gq2 import tables as gq2
from tests.rules.quickfire import tables as quickfire
from tests.rules.quickfire_clone import tables as clone
from tests.systems import find_systems_and_books, load_our_battles, load_start

QUOTED = re.compile("`([^`]+)`")
EXAMPLE = re.compile(r"~?[\d.]+(in|cm|mm)")
"""A distance, which is no order."""
OF_BOOKS = ("lissa-1811", "river-bend-1863", "tassafaronga-1942")
"""Battles of the books that come with the program."""
FILLINGS_MOST = 400
"""Ways to fill in an order that are tried before its advice counts as wrong."""
RULES = Path(builtin_orders.__file__).parents[1] / "rules"


@frozen
class Advice:
    """A sentence of the program with orders in back quotes, and its place.

    Attributes:
        text: The sentence.
        battle: The battle on which the advice is to be followed.
        order: The order that it is about; None for advice on a phase.
        findings: The findings against that order.
    """

    text: str
    battle: Battle
    order: Order | None = None
    findings: tuple[Finding, ...] = ()


class Judge:
    """A judge that follows the advice of a session and reports where it is refused."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.forms = {**list_forms(session.system), **{form.word: form for form in CORRECTIONS}}
        self.lot = Lot(Random(1904), session)

    def list_faults(self, advice: Advice) -> list[str]:
        """List the advised orders that are refused, each with the sentence and why."""
        refused = ((advised, self._find_fault(advice, advised)) for advised in QUOTED.findall(advice.text))
        return [f"`{advised}` of “{advice.text}”: {why}" for advised, why in refused if why]

    def _find_fault(self, advice: Advice, advised: str) -> str:
        if advised.startswith("qf-tui ") or EXAMPLE.fullmatch(advised):
            return ""
        words = next(self._fill(advised, advice.battle), advised).split()
        form = self.forms.get(next((word for word in words if word not in ("force", "preview")), ""))
        if form is not None:
            return self._first_fault(self._fill_order(advice, advised, form), advice)
        order = advice.order
        if order is not None and order.is_answer:
            return self._first_fault([f"{order.word} {order.key} {advised}"], advice)
        if order is not None and find_slot(order.form, words[0]) is not None:
            return self._first_fault(self._fill_part(order, advised), advice)
        # A word alone may be about a part of other orders.
        others = self.session.system.forms if order is None or len(words) == 1 else ()
        parts = (find_slot(each, words[0]) for each in others)
        return "" if any(parts) else "neither an order nor a part of the one at hand"

    def _first_fault(self, lines: Iterable[str], advice: Advice) -> str:
        """Return why the last of some lines is refused, or "" if one of them is accepted."""
        why = "it cannot be filled in"
        for line in islice(lines, FILLINGS_MOST):
            why = self._refusal(line, advice)
            if not why:
                break
        return why

    def _refusal(self, line: str, advice: Advice) -> str:
        """Return why a line is refused; leave out findings that the advice itself is about."""
        try:
            order = self.session.read(line).require_order()
            if order.form in CORRECTIONS:
                self.session.work_out(order, self.session.throw)
                return ""
        except QfError as fault:
            return str(fault)
        found = self.session.preview_order(order, advice.battle, figures=False).findings
        if order.forced and all(finding.refused for finding in found):
            return ""
        others = [finding for finding in advice.findings if finding.text != advice.text]
        return "; ".join(finding.text for finding in found if finding not in others)

    def _fill_order(self, advice: Advice, advised: str, form: Form) -> Iterator[str]:
        """Yield an advised order with its capitals filled in; for a bare word, any orders of that form."""
        if advised != form.word:
            yield from self._fill(advised, advice.battle)
            return
        for owed in advice.battle.owed:
            yield f"{form.word} {owed.key} {self._answer(advice.battle, owed)}"
        while True:
            drawn = (self.lot.draw_slot(form, slot) for slot in form.slots if not slot.optional)
            yield " ".join((form.word, *(word for words in drawn for word in words)))

    def _fill_part(self, order: Order, advised: str) -> Iterator[str]:
        """Yield the order at hand with the advised part, and without one other part that it may replace."""
        named = [slot for word in advised.split() if (slot := find_slot(order.form, word)) is not None]
        own = {slot.name for slot in named}
        # A keyword alone refers to the value in the order.
        as_it_is = advised == named[0].keyword and named[0].name in order.slots
        others = [
            slot.name
            for slot in order.form.slots
            if slot.is_trailing and slot.optional and slot.name not in own
        ]
        left_out = [[], *([name] for name in others), others]
        for part, without in product(self._fill(advised, self.session.battle), left_out):
            gone = {*without, *(() if as_it_is and not without else own)}
            kept = {name: value for name, value in order.slots.items() if name not in gone}
            bare = Order(order.form, kept, forced=order.forced).line
            yield " ".join((bare, "" if as_it_is else part, *map(str, order.dice)))

    def _fill(self, advised: str, battle: Battle) -> Iterator[str]:
        """Yield an advised order with its capitals filled in, in all ways."""
        ships, numbers = list(battle.ships), [str(number) for number in range(10)]
        sides = [side.id for side in battle.sides]
        coming = islice(self.session.find_scope().arrivals(), 3)
        holes: Mapping[str, Iterable[str]] = {
            "SHIP": [*ships, *coming],
            "SHIP,SHIP": [",".join(ships[:2])],
            "SIDE": sides,
            "SIDE:": [f"{sides[0]}:"],
            "N": numbers,
            "M": numbers,
            "[K]": ["", "1"],
            "D...": ["1", "1 1"],
            "TEXT": ["a word"],
            "NAME": [option.name for option in self.session.system.options[:1]],
            "VALUE": [option.values[0] for option in self.session.system.options[:1]],
            "ORDER": ["note a word"],
            "CORRECTION": ["undo"],
            "[KEY]": [""],
            "WORD...": [self._answer(battle, owed) for owed in battle.owed if not owed.dice],
            "...": [self._answer(battle, owed) for owed in battle.owed if owed.key in advised] or ["a word"],
        }
        yield from map(" ".join, product(*(holes.get(word, (word,)) for word in advised.split())))

    def _answer(self, battle: Battle, owed: Owed) -> str:
        """Return the least faces of a roll, or the likeliest answer to a question."""
        faces = [str(die.least) for die in owed.dice]
        answers = () if faces else self.session.system.plain_answers(battle, owed)
        return " ".join(faces or next(iter(answers), ("none",)))


def find_slot(form: Form, word: str) -> Slot | None:
    """Return the part of a form that a word begins, by its keyword or as a flag."""
    behind = (slot for slot in form.slots if slot.is_trailing)
    return next((slot for slot in behind if word == slot.keyword or word in slot.choices), None)


def read_order(session: Session, line: str) -> Order | None:
    """Read a line as an order, or return None."""
    try:
        return session.read(line).require_order()
    except QfError:
        return None


def enter(session: Session, line: str) -> Iterator[Advice]:
    """Enter an order, and yield the advice on it and then on the phase."""
    before, order = session.battle, read_order(session, line)
    bare = None if order is None else order.without_dice
    if order is not None and order.form not in CORRECTIONS:
        preview = session.preview_order(order, figures=False)
        found = preview.findings
        yield from (Advice(finding.text, before, bare, found) for finding in found)
        yield from (Advice(text, before, bare, found) for text in preview.reminders)
    number = session.timeline.next_number
    try:
        session.enter(line)
    except OrderRefused as refusal:
        found = refusal.findings
        yield from (Advice(finding.text, before, bare, found) for finding in found)
        return
    except QfError as fault:
        yield Advice(str(fault), before, order)
        return
    ruling = session.timeline.rulings.get(number)
    for reason in ruling.decision.reasons if ruling else ():
        of_order = order is not None and any(
            find_slot(order.form, advised.split()[0]) for advised in QUOTED.findall(reason.text)
        )
        yield Advice(reason.text, before if of_order else session.battle, order)
    yield from (Advice(text, session.battle) for text in session.system.advice(session.battle))
    yield from (Advice(owed.prompt, session.battle) for owed in session.battle.owed)


def list_faults(session: Session, lines: Iterable[str], said: set[str]) -> list[str]:
    """Enter lines and list the refused advice; `said` gets all sentences of advice."""
    judge, faults = Judge(session), list[str]()
    for line in lines:
        for advice in enter(session, line):
            if "`" in advice.text and advice.text not in said:
                said.add(advice.text)
                faults += judge.list_faults(advice)
    return [*faults, *list_unasked(session)]


def list_unasked(session: Session) -> list[str]:
    """List reasons that name an order but are no questions, so that they would not come first."""
    timeline = session.timeline
    return [
        f"no question: {reason.text}"
        for number, ruling in timeline.rulings.items()
        if timeline.versions[number].order.form is not OPTION
        for reason in ruling.decision.reasons
        if not reason.is_question
        and any(not each.startswith("qf-tui ") for each in QUOTED.findall(reason.text))
    ]


BATTLES = {**load_our_battles(), **{name: load_start(name) for name in OF_BOOKS}}
ORDERS, SEEDS = 150, 2
"""Random orders per battle, and battles per scenario."""


@cache
def play_at_random(name: str) -> tuple[list[str], set[str]]:
    """Play a battle by random orders; return the refused advice and all advice."""
    faults, said = list[str](), set[str]()
    for seed in range(SEEDS):
        session = Session.begin(*BATTLES[name])
        lot = Lot(Random(seed), session)
        faults += list_faults(session, (lot.draw_line() for _ in range(ORDERS)), said)
    return faults, said


@pytest.mark.parametrize("name", BATTLES)
def test_advice_in_random_battles_is_accepted(name: str) -> None:
    faults, _ = play_at_random(name)
    assert not faults


MODULES = tuple(Path(str(each.__file__)) for each in (builtin_orders, corrections, schedule))
ELSEWHERE = (
    "chart.py",
    "charts.py",
    "clauses.py",
    "__init__.py",
    "changes.py",
    "faults.py",
    "declaration.py",
)
"""Modules of the rules that word charts, clauses and files, but no advice on a battle."""


def list_modules() -> list[Path]:
    """List the modules of the rules that advise."""
    return [*(path for path in sorted(RULES.rglob("*.py")) if path.name not in ELSEWHERE), *MODULES]


def find_templates(paths: Iterable[Path]) -> dict[str, re.Pattern[str]]:
    """Return the strings in functions that have back quotes, with a pattern that finds each in a text."""
    found = {}
    for path in paths:
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(function, ast.FunctionDef) or function.name == "build_estimated_ranges_switch":
                continue
            docstring = ast.get_docstring(function, clean=False)
            inner = {
                id(part)
                for node in ast.walk(function)
                if isinstance(node, ast.JoinedStr)
                for part in node.values
            }
            for node in ast.walk(function):
                if not isinstance(node, ast.JoinedStr | ast.Constant) or id(node) in inner:
                    continue
                parts = node.values if isinstance(node, ast.JoinedStr) else [node]
                texts = [part.value if isinstance(part, ast.Constant) else None for part in parts]
                if any(isinstance(text, str) and "`" in text for text in texts) and texts != [docstring]:
                    written = "".join("{}" if text is None else str(text) for text in texts)
                    pattern = "".join(".*" if text is None else re.escape(str(text)) for text in texts)
                    found[f"{path.name}: {written}"] = re.compile(pattern, re.DOTALL)
    return found


CASES: Mapping[str, tuple[Callable[[], Session], tuple[str, ...]]] = {
    "boat guns": (
        lambda: advanced.played(advanced.battle(advanced.ship("ajax"), advanced.craft("rook"))),
        ("boats ajax rook 4",),
    ),
    "initiative": (
        lambda: advanced.played(advanced.battle(phase="movement", initiative="each-turn")),
        ("move ajax 3",),
    ),
    "initiative of three": (
        lambda: advanced.played(
            advanced.battle(
                *(advanced.ship(side, side) for side in ("blue", "red", "green")),
                phase="movement",
                initiative="each-turn",
            )
        ),
        ("roll 9 4 4", "initiative green 3 blue 8"),
    ),
    "a guess without a base": (
        lambda: quickfire.played(quickfire.battle(range_guessing="yes")),
        ("fire ajax heavy rook 20in base 2in", "fire ajax heavy rook long guess 20in"),
    ),
    "estimates": (
        lambda: clone.played(clone.battle()),
        (
            "fire ajax heavy rook 110cm base 6",
            "fire ajax heavy rook 110cm abeam",
            "fire ajax heavy rook 110cm guess 112 base 6 abeam",
            "fire ajax heavy rook 110cm guess 112",
            "fire ajax heavy rook ~110cm guess 112 base 6",
            "fire ajax heavy rook 110cm off guess 112 base 6",
        ),
    ),
    "estimates by the card": (
        lambda: clone.played(clone.battle(clone.ship("ajax"), clone.ship("rook", "red", base=6))),
        ("fire ajax heavy rook 110cm guess 112", "fire ajax heavy rook 110cm abeam"),
    ),
    "a light more": (
        lambda: gq2.played(gq2.battle(phase="searchlights", light="night"), "light ajax rook", "roll 1 1"),
        ("light ajax rival", "next", "light ajax rival"),
    ),
    "AF by hand": (
        lambda: gq2.played(gq2.battle(phase="movement", armament_af="by-hand")),
        ("damage rook A1",),
    ),
    "wander checks": (
        lambda: gq2.played(gq2.battle(phase="movement"), "formation @blue-line abreast", "next"),
        (
            "wander ajax 8 2",
            "answer 8",
            "move ajax 12",
            "move boyne 12",
            "wander ajax 8 2",
            "roll 1 1 1 1 1 1",
        ),
    ),
    "wander moves by last turn's speed": (
        lambda: gq2.played(
            gq2.battle(*(gq2.ship("ajax", log={"went": 12}), gq2.ship("rook", "red")), phase="movement"),
            "formation @blue-line abreast",
            "next",
        ),
        ("answer 8",),
    ),
    "poor visibility": (lambda: gq2.played(gq2.battle()), ("table visibility 2",)),
    "a shift that stays": (
        lambda: gq2.played(gq2.battle(phase="movement"), "note a", "note b", "note c", "shift 3 after 1"),
        ("shift 2 after 1",),
    ),
}


@cache
def play_case(name: str) -> tuple[list[str], set[str]]:
    """Play a case that chance does not bring; return the refused advice and all advice."""
    begin, lines = CASES[name]
    said = set[str]()
    return list_faults(begin(), lines, said), said


@pytest.mark.parametrize("name", CASES)
def test_advice_in_written_cases_is_accepted(name: str) -> None:
    faults, said = play_case(name)
    assert said, "this case gives no advice any more"
    assert not faults


def test_every_advice_of_the_rules_was_followed() -> None:
    """Find each order named in a string of the rules in a random battle or a case."""
    played = (*map(play_at_random, BATTLES), *map(play_case, CASES))
    said = {text for _, texts in played for text in texts}
    wanted = find_templates(list_modules()).items()
    never = [name for name, pattern in wanted if not any(map(pattern.search, said))]
    assert [name for name in never if "`qf-tui verify --dice`" not in name] == [], "write a case for them"


PLANTED = (
    ("movement", "", "ships that touch: `contct SHIP,SHIP`"),
    ("movement", "", "ships that touch: `contact SHIP,@nobody`"),
    ("gunnery", "", "a ship further out makes one too: `wander`"),
    ("movement", "", "put the light out: `dark ajax rook` first"),
    ("gunnery", "fire ajax 6 rook straddle 5", "no stick is laid over: give the band, `stick N`"),
    ("gunnery", "fire ajax 6 rook straddle 5", "at dusk say `silhouette`"),
    ("movement", "", "the check is owed: `roll`"),
)
"""A phase, the order at hand if any, and advice that is wrong there."""


@pytest.mark.parametrize(("phase", "order", "text"), PLANTED)
def test_wrong_advice_is_found(phase: str, order: str, text: str) -> None:
    """Refuse an order that is misspelt, of another phase, or that answers nothing owed."""
    session = gq2.played(gq2.battle(phase=phase))
    at_hand = session.read(order).require_order() if order else None
    assert Judge(session).list_faults(Advice(text, session.battle, at_hand))


def test_wrong_advice_on_a_phase_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    session = gq2.played(gq2.battle(phase="movement"))
    planted = "a lit ship goes dark: `dark SHIP` (GQ2-PH-5)"
    monkeypatch.setattr(type(session.system), "advice", lambda self, battle: (planted,))
    assert list_faults(session, ("move ajax 12",), set()) != []


FENCED = re.compile("```.*?```", re.DOTALL)
NO_ORDERS = {
    "rules": "shows books of its own, which the tests of books play",
    "performance": "names what it measures",
    "talk": "has the words of `talk`; its orders are in orders.md too",
}


def list_help_orders() -> Iterator[tuple[str, str]]:
    """Yield the orders in the pages of the help, each with its page."""
    words = {
        form.word for system in find_systems_and_books().values() for form in list_forms(system).values()
    }
    words |= {form.word for form in CORRECTIONS} | {"force", "preview"}
    for topic in sorted(TOPICS):
        for advised in QUOTED.findall(FENCED.sub("", read_page_source(topic))):
            first, *more = advised.split()
            # A line with an equals sign belongs to a file.
            if "=" in more:
                continue
            if topic not in NO_ORDERS and first in words and (more or first == "next"):
                yield topic, advised


BY_A_CALL = ("dice", "amend 12 call 8")
"""An order that only a battle with called dice accepts."""
HIT = "fire tsesarevich heavy mikasa 41in 2 1"
"""A shot that leaves a roll owed."""
FOR_HELP = ("yellow-sea-1904", "port-arthur-1904-evening", "gq2-dogger-bank-1915", "yellow-sea-1904-clone")


def play_help_battles() -> Iterator[Session]:
    """Yield battles in every phase: new, after some orders, and with sealed dice."""
    for name in FOR_HELP:
        session = Session.begin(*load_start(name))
        for _ in session.system.phases:
            yield session
            session.enter("force next")
    for system, start, lines in (
        (*load_start("yellow-sea-1904"), ("damage fuji S G", *["force next"] * 4)),
        (*load_start("yellow-sea-1904"), ("next", HIT, "note a", "note b", "undo", "doubt 2")),
        (*load_start("chemulpo-1904"), ("force next",) * 18),
        (SYSTEM, gq2.battle(phase="movement"), ("formation @blue-line abreast", "next")),
    ):
        session = Session.begin(system, start)
        for line in lines:
            session.enter(line)
        yield session


def test_each_order_in_the_help_is_accepted_in_some_battle() -> None:
    left = set(list_help_orders()) - {("orders", "chart FILE"), BY_A_CALL}
    for session in play_help_battles():
        judge = Judge(session)
        left -= {each for each in left if not judge.list_faults(Advice(f"`{each[1]}`", session.battle))}
    assert not left, sorted(left)
