"""An order, an owed roll or an answer made ready by its rules: judged by faces, decided into effects."""

from collections.abc import Callable, Hashable, Iterator

from attrs import Factory, frozen
from attrs import field as attr_field

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import Measure, Need
from qf_tui.core.errors import Finding, refused
from qf_tui.core.grammar.dice import Faces as Faces
from qf_tui.core.values import Battle, Die, Form


def nothing_declared(builder: DecisionBuilder) -> None:
    """What an order does before its dice are thrown, if it says nothing of it."""


@frozen(kw_only=True)
class PreparedOrder:
    """An order, owed roll or answer, prepared on a battle: its hindrances, the dice it needs, its effects."""

    findings: tuple[Finding, ...] = ()
    """What hinders it; if nothing does, it is accepted."""
    dice: tuple[Die, ...] = ()
    """The most dice that it can need, in the order in which they are thrown."""
    missing: Callable[[Faces], tuple[Die, ...]] = attr_field(
        default=Factory(lambda self: lambda faces: self.dice[len(faces) :], takes_self=True)
    )
    """The dice that are still needed after those faces; if left out, all of `dice`.

    Where it needs none without any, it does then what comes before them, and with too few the same.
    """
    judge: Callable[[Faces], tuple[int, ...]] = lambda faces: ()
    """What all faces mean, in small integers, for the odds; it has no effects and no text."""
    alike: Callable[[Faces], Hashable] | None = None
    """What of all faces its effects and its outcome hang on, if that is known before anything is written.

    Faces of one value do the same, and differ in words alone.
    """
    decide: Callable[[Faces, DecisionBuilder], None] = lambda faces, builder: None
    """Writes the effects and the reasons of all faces."""
    declare: Callable[[DecisionBuilder], None] = nothing_declared
    """Writes what the order does before its dice are thrown."""
    waits: Callable[[DecisionBuilder], None] = nothing_declared
    """Writes what is to be said of it where its dice are still to come."""
    owes: str = ""
    """The line under which its dice are owed, if they are not given with the order."""
    prompt: str = ""
    """What people are asked when they throw those dice."""
    ship: str = ""
    """The ship that throws them, by its id."""
    odds: tuple[Measure, ...] = ()
    """The figures that are shown of it, read from `judge`."""
    needs: tuple[Need, ...] = ()
    """The results that people throw for, read from `judge`."""
    assumes: tuple[str, ...] = ()
    """What it takes as given, in words; recorded with its reasons."""
    reminders: tuple[str, ...] = ()
    """What people should check on the table before they enter it; not recorded."""
    foretold: "PreparedOrder | None" = None
    """What it comes to if a roll before it changes nothing: its odds and needs stand in this one's place."""
    parts: tuple["PreparedOrder", ...] = ()
    """Rolls that stand side by side in it, whose dice are its own in turn: its odds and needs are theirs."""
    may_wait: bool = True
    """Whether it may be entered without its dice, which are then owed."""
    thrown_at_once: bool = True
    """Whether the console's dice are thrown as it is entered; if not they are owed, as the table's are."""

    def parts_with(self, faces: Faces) -> "Iterator[tuple[PreparedOrder, Faces]]":
        """Each of its parts, with those of the faces that are its own."""
        at = 0
        for part in self.parts:
            yield part, faces[at : at + len(part.dice)]
            at += len(part.dice)


def out_of_phase(battle: Battle, form: Form, clause: str = "") -> tuple[Finding, ...]:
    """What hinders an order outside its phases."""
    if not form.phases or battle.phase in form.phases:
        return ()
    return (refused(f"{form.word} belongs to {' or '.join(form.phases)}", clause),)
