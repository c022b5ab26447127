"""A save decided again: what differs by a declared ruling, in words alone, or otherwise."""

import pytest
from attrs import evolve

from qf_tui.core.decisions import Decision, DecisionBuilder, Reason
from qf_tui.core.errors import refused
from qf_tui.core.system import ChangedRuling, PreparedOrder, RuleSystem
from qf_tui.core.timeline import Ruling, State
from qf_tui.core.values import Battle, Order, Owed
from qf_tui.core.verify import DifferenceKind, differences
from qf_tui.library.systems import find_systems
from tests.core.playing import shooting
from tests.core.test_mended_rules import BURNING, Milder
from tests.tiny import D6, SYSTEM, Tiny


class Declared(Milder):
    """The milder rules, which say that a blaze no longer sets fires."""

    changed_rulings = (ChangedRuling("T-9", "0.2", seen_in=("fires",)),)


class Cited(Tiny):
    """Rules as mended whose changed clause is that of the reason which they give."""

    changed_rulings = (ChangedRuling("T-8", "0.2"), ChangedRuling("T-9", "0.2"))

    def prepare_roll(self, battle: Battle, owed: Owed) -> PreparedOrder:
        return PreparedOrder(dice=(D6,), decide=lambda faces, builder: builder.because("no fire", "T-9"))


class Polite(Tiny):
    """The rules with other words for the same."""

    def enter(self, battle: Battle, builder: DecisionBuilder) -> None:
        super().enter(battle, builder)
        builder.because("if you please")


def kinds(system: RuleSystem, program: str = "0.1.0") -> dict[int, tuple[DifferenceKind, tuple[str, ...]]]:
    """What differs in a battle with two blazes, by entry: of which kind, and by which clauses."""
    found = differences(system, BURNING, program)
    return {one.number: (one.kind, tuple(ruling.clause for ruling in one.by)) for one in found}


def test_a_save_of_today_s_rules_has_no_differences() -> None:
    assert differences(SYSTEM, BURNING, "0.1.0") == ()


@pytest.mark.parametrize("system", [Declared(), Cited()], ids=["by its fields", "by its clause"])
def test_a_difference_is_explained_by_the_ruling_that_shows_in_it(system: RuleSystem) -> None:
    """Catches a fault of the program told as a changed ruling's, and the other way round."""
    assert kinds(system) == {3: (DifferenceKind.RULING, ("T-9",)), 5: (DifferenceKind.RULING, ("T-9",))}


@pytest.mark.parametrize("program", ["0.2", "0.2.0", "0.2.1", "0.10.0", "1.0.0"])
def test_a_ruling_explains_no_save_that_was_begun_under_it(program: str) -> None:
    assert set(kinds(Declared(), program).values()) == {(DifferenceKind.OTHER, ())}


@pytest.mark.parametrize("program", ["", "0.1.0", "0.1.12", "0", "0.1.0.dev3"])
def test_a_ruling_explains_every_save_before_it(program: str) -> None:
    assert set(kinds(Declared(), program).values()) == {(DifferenceKind.RULING, ("T-9",))}


def test_what_no_ruling_explains_is_otherwise() -> None:
    assert set(kinds(Milder()).values()) == {(DifferenceKind.OTHER, ())}


def test_other_words_for_the_same_are_told_as_such() -> None:
    played = shooting("next", "next")
    found = differences(Polite(), played, "0.1.0")
    assert [one.kind for one in found] == [DifferenceKind.WORDS] * len(found) != []


def test_another_prompt_is_other_words() -> None:
    was = BURNING.rulings[2]
    effects = tuple(
        evolve(one, value=evolve(one.value, prompt="And now?")) if isinstance(one.value, Owed) else one
        for one in was.decision.effects
    )
    assert effects != was.decision.effects
    other = evolve(was, decision=evolve(was.decision, effects=effects))
    reworded = evolve(BURNING, rulings=BURNING.rulings.plus({2: other}))
    found = {one.number: one.kind for one in differences(SYSTEM, reworded, "0.1.0")}
    assert found == dict.fromkeys((2, 3), DifferenceKind.WORDS)


class Shy(Tiny):
    """Rules by which no shot ever fires, and which changed what a hit is."""

    changed_rulings = (ChangedRuling("T-2", "0.2"),)

    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        def decide(faces: tuple[int, ...], builder: DecisionBuilder) -> None:
            builder.because("misses", "T-1")

        return PreparedOrder(dice=(D6, D6), decide=decide)


def test_what_follows_from_a_difference_explains_nothing() -> None:
    """Catches a shot that fails otherwise told as by the ruling on hits, which it never came to."""
    fired = Ruling(Decision((), (Reason("fires", "T-1"), Reason("hits", "T-2")), (("fired", True),)))
    played = shooting("shoot ant cat 1 2")
    played = evolve(played, rulings=played.rulings.plus({2: fired}))
    assert [one.kind for one in differences(Shy(), played, "0.1.0")] == [DifferenceKind.OTHER]


@pytest.mark.parametrize(("clause", "kind"), [("T-2", DifferenceKind.RULING), ("T-1", DifferenceKind.OTHER)])
def test_an_entry_that_is_refused_today_is_explained_by_the_clause_that_refuses_it(
    clause: str, kind: DifferenceKind
) -> None:
    played = shooting("shoot ant cat 1 2")
    parked = Ruling(Decision(), State.PARKED, (refused("not so", clause),))
    played = evolve(played, rulings=played.rulings.plus({2: parked}))
    assert [one.kind for one in differences(Shy(), played, "0.1.0")] == [kind]


@pytest.mark.parametrize("system", find_systems().values(), ids=lambda system: system.name)
def test_a_changed_ruling_is_a_clause_of_its_system(system: RuleSystem) -> None:
    """Catches a clause that nobody could look up, and one that is declared twice."""
    clauses = [ruling.clause for ruling in system.changed_rulings]
    assert set(clauses) <= set(system.clauses)
    assert len(set(clauses)) == len(clauses)
