"""A throw of dice on the chart, and the question of strict mode that may interrupt it (AQF-CHA-3)."""

from collections.abc import Callable

from attrs import evolve, field, frozen

from qf_tui.core.errors import Finding, impossible
from qf_tui.core.ledger import Ledger
from qf_tui.core.system import Faces, Measure, Ready
from qf_tui.core.values import Battle, Die, Owed
from qf_tui.rules.advanced_quickfire.charts import SHAPES, Place, Reader, Unread, reader

CHART = "chart"
"""The line of the question what the umpire's printed chart says."""

_BEHIND = "::"


@frozen
class Throw:
    """The dice of one roll and what they do.

    `resolve` reads every cell it needs before it writes, so that a cell that only the umpire can read changes
    nothing until it is answered.
    """

    dice: tuple[Die, ...]
    resolve: Callable[[Faces, Ledger, Reader], None]
    missing: Callable[[Faces], tuple[Die, ...]]
    judge: Callable[[Faces], tuple[int, ...]] = lambda faces: ()
    odds: tuple[Measure, ...] = ()


def all_of(dice: tuple[Die, ...]) -> Callable[[Faces], tuple[Die, ...]]:
    """The rule of dice that are all needed."""
    return lambda faces: dice[len(faces) :]


@frozen
class Roll:
    """What a throw is thrown for: an owed line, or an order entered with its dice."""

    line: str
    ship: str
    order: str = ""
    about: tuple[str, ...] = ()
    answers: dict[Place, str] = field(factory=dict)


def roll_of(owed: Owed) -> Roll:
    """The roll that an owed line asks for."""
    return Roll(owed.line, owed.ship, owed.order, owed.about)


def ready(
    battle: Battle,
    roll: Roll,
    throw: Throw,
    findings: tuple[Finding, ...] = (),
    declare: Callable[[Ledger], None] = lambda ledger: None,
    prompt: str = "",
    assumes: tuple[str, ...] = (),
    reminders: tuple[str, ...] = (),
) -> Ready:
    """A throw made ready: decided at once, or held up by a cell that the umpire must read out."""

    def decide(faces: Faces, ledger: Ledger) -> None:
        try:
            throw.resolve(faces, ledger, reader(battle, roll.answers))
        except Unread as unread:
            _ask(ledger, roll, faces, unread.place)

    return Ready(
        findings=findings,
        dice=throw.dice,
        missing=throw.missing,
        judge=throw.judge,
        decide=decide,
        declare=declare,
        owes=roll.line,
        prompt=prompt,
        ship=roll.ship,
        odds=throw.odds,
        assumes=assumes,
        reminders=reminders,
    )


def _ask(ledger: Ledger, roll: Roll, faces: Faces, place: Place) -> None:
    given = tuple(f"{_key(known)}={text}" for known, text in roll.answers.items())
    ledger.owe(
        CHART,
        roll.ship,
        f"what does your chart say at {place}?",
        order=roll.order,
        faces=faces,
        about=(roll.line, _key(place), *given, _BEHIND, *roll.about),
        cell=(place.table, place.row, place.column),
    )
    ledger.because(f"{place} is not attested: read it from the printed chart", "AQF-CHA-3")


def _cased(word: str) -> str:
    """A code as charts write it, however it was typed."""
    return word.lower() if word.lower() in ("out", "fix") else word.upper()


def _key(place: Place) -> str:
    return f"{place.table}|{place.row}|{place.column}"


def _place(key: str) -> Place:
    table, row, column = key.split("|")
    return Place(table, row, column)


def answered(owed: Owed, words: tuple[str, ...]) -> tuple[Roll, Place, tuple[Finding, ...]]:
    """The interrupted roll with the umpire's answer, the cell it is for, and what is wrong with the words."""
    bound = owed.about.index(_BEHIND)
    line, key, *given = owed.about[:bound]
    place = _place(key)
    text = "-" if [word.lower() for word in words] in (["none"], ["-"]) else " ".join(map(_cased, words))
    fault = SHAPES[place.table].fault(text)
    answers = {_place(item.partition("=")[0]): item.partition("=")[2] for item in given}
    answers[place] = text
    findings = (impossible(f"{place}: {fault}"),) if fault else ()
    return Roll(line, owed.ship, owed.order, owed.about[bound + 1 :], answers), place, findings


def answer_ready(inner: Ready, owed: Owed, place: Place, text: str, findings: tuple[Finding, ...]) -> Ready:
    """The interrupted roll made ready again: its dice are there, so the answer decides it."""

    def decide(faces: Faces, ledger: Ledger) -> None:
        ledger.because(f"the printed chart says {text} at {place}", "AQF-CHA-3")
        inner.decide(owed.faces, ledger)

    return evolve(inner, findings=findings, missing=lambda faces: (), dice=inner.dice, decide=decide, odds=())
