"""One simulated battle: by doctrines that give legal orders, and by one that does not."""

from collections.abc import Iterator
from random import Random

import pytest

from qf_tui.core.values import AFLOAT, Mark, Order, replace
from qf_tui.features.simulation import doctrines
from qf_tui.features.simulation.doctrines import CLOSE, DOCTRINES, HOLD, RUN, Doctrine, Moment
from qf_tui.features.simulation.jobs import play_here
from qf_tui.features.simulation.lines import BattleLine
from qf_tui.features.simulation.model import BattleModel
from qf_tui.features.simulation.playout import Playout
from qf_tui.features.simulation.simulate import TURNS_MOST, Question, simulate_battles
from qf_tui.library.faults import FileFaults
from tests.features.simulation.duels import SYSTEMS, build_duel_spec, load_duel


def _attack_own_side(moment: Moment, line: BattleLine) -> Iterator[Order]:
    """Order an attack that no rules allow: on a ship of the same side."""
    own = line.ships[0]
    attack = moment.model.list_attacks(own)[0]
    if moment.battle.phase in attack.form.phases:
        yield moment.build_order(attack, own)


def test_a_doctrine_with_illegal_orders_is_named_and_its_battles_count_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rash = Doctrine("rash", "attacks its own", _attack_own_side, lambda model, side: model.reach)
    monkeypatch.setattr(doctrines, "DOCTRINES", {**DOCTRINES, "rash": rash})
    doctrines.find_doctrine.cache_clear()
    pairs = (("rash", "hold"), ("hold", "hold"))
    found = simulate_battles(Question(build_duel_spec(), pairs, 3), play_here)
    apart, others = (found.tallies[pair] for pair in pairs)
    assert (apart.battles, apart.apart, others.battles, others.apart) == (0, 3, 3, 0)
    assert apart.first_fault is not None
    assert apart.first_fault[0] == 0
    assert apart.first_fault[1].startswith("rash orders `fire b-mikasa heavy b-mikasa")


@pytest.mark.parametrize("turns", [6, pytest.param(12, marks=pytest.mark.long)])
@pytest.mark.parametrize("rules", sorted(SYSTEMS))
def test_the_rules_accept_every_order_of_our_doctrines(rules: str, turns: int) -> None:
    """Guard against a stuck battle under any rule system, light craft and torpedoes included."""
    model = BattleModel(*load_duel(("mikasa", "asama", "shirakumo"), ("asahi", "kasuga", "kasumi"), rules))
    ours = tuple(DOCTRINES.values())
    for index, pair in enumerate(zip(ours, (*ours[1:], ours[0]), strict=True)):
        ending = Playout(model, dict(zip(model.sides, pair, strict=True)), Random(index)).play_to_end(turns)
        assert 1 <= ending.turn <= turns


@pytest.mark.parametrize("rules", sorted(SYSTEMS))
def test_an_attack_that_may_not_be_tried_is_refused_for_every_target(rules: str) -> None:
    """Guard against an attack that the rules would accept but no doctrine is offered."""
    model = BattleModel(*load_duel(("mikasa", "asama", "shirakumo"), ("asahi", "kasuga", "kasumi"), rules))
    barred: set[str] = set()

    class Asked(Playout):
        def enter(self, order: Order) -> None:
            for attack in (each for id in self.sea.line_by_ship for each in model.list_attacks(id)):
                phase = self.battle.phase in attack.form.phases
                if phase and not model.system.may_try(self.battle, attack.order):
                    barred.add(attack.form.word)
                    at_each = (self.build_order(attack, id) for id, _ in self.sea.list_enemies(attack.ship))
                    assert all(map(self.list_findings, at_each))
            for whole, repairs in (
                each for id in self.sea.line_by_ship for each in model.list_repairs(id, "repair")
            ):
                may = [order for order in repairs if model.system.may_try(self.battle, order)]
                assert all(self.list_findings(order) for order in repairs if order not in may)
                assert not may or model.system.may_try(self.battle, whole)
            super().enter(order)

    Asked(model, dict(zip(model.sides, (HOLD, CLOSE), strict=True)), Random(1)).play_to_end(4)
    assert ("fire" in barred) is (rules != "gq2")


@pytest.mark.parametrize("rules", sorted(SYSTEMS))
def test_ships_repair_if_the_rules_let_them(rules: str) -> None:
    """Guard against a repair form that no doctrine uses; damage control is part of the rules."""
    system, start = load_duel(("mikasa", "asama"), ("asahi", "kasuga"), rules)
    model = BattleModel(system, start)
    orders = {form.word for form in system.forms if form.mends}
    assert orders == (set() if rules == "gq2" else {"repair"})
    entered: list[str] = []

    class Noted(Playout):
        def enter(self, order: Order) -> None:
            before = self.battle
            super().enter(order)
            if order.word in orders:
                assert self.battle is not before
                entered.append(self.battle.ships[order.text("ship")].side)

    expected = {"blue", "red"} if orders else set()
    for seed in range(4):
        Noted(model, dict(zip(model.sides, (HOLD, CLOSE), strict=True)), Random(seed)).play_to_end(12)
        if set(entered) == expected:
            break
    assert set(entered) == expected


def test_a_script_sets_the_range_of_each_turn_and_no_line_steers() -> None:
    model = BattleModel(*load_duel(("mikasa", "asahi"), more="approach = [30, 20]"))
    playout = Playout(model, dict.fromkeys(model.sides, RUN), Random(1))
    ranges = [playout.sea.find_range("b-asahi", "r-mikasa")]
    while playout.battle.turn < 4:
        playout.play_phase()
        ranges.append(playout.sea.find_range("b-asahi", "r-mikasa"))
    assert list(dict.fromkeys(ranges)) == [30, 20]


@pytest.mark.parametrize(
    ("ranges", "told"),
    [('[30, "near"]', r"approach.2: expected .* from 1 to 1000"), ("[]", "approach: expected")],
)
def test_an_invalid_script_of_ranges_is_reported_with_its_place(ranges: str, told: str) -> None:
    with pytest.raises(FileFaults, match=told):
        load_duel(more=f"approach = {ranges}")


def test_a_side_breaks_at_half_its_worth_or_when_its_flagship_withdraws() -> None:
    system, start = load_duel(("mikasa", "asahi"), ("mikasa",))
    model = BattleModel(system, start)

    def find_ending(**statuses: str) -> tuple[str, tuple[str, ...]] | None:
        ships = {
            id: replace(ship, status=statuses.get(id[2:] if id[0] == "b" else id, AFLOAT))
            for id, ship in start.ships.items()
        }
        playout = Playout.from_model(model)
        playout.battle = replace(start, ships=ships)
        found = playout.find_ending(TURNS_MOST)
        return None if found is None else (found.winner, found.broken)

    assert find_ending() is None
    assert find_ending(asahi="withdrawn") is None
    assert find_ending(asahi="sunk") == ("red", ("blue",))
    assert find_ending(mikasa="withdrawn") == ("red", ("blue",))
    assert find_ending(mikasa="sunk", **{"r-mikasa": "sunk"}) == ("", ("blue", "red"))


SHIPS = ("mikasa", "shirakumo", "kasumi", "asama")


@pytest.mark.parametrize("amount", [4, pytest.param(12, marks=pytest.mark.long)])
@pytest.mark.parametrize("rules", sorted(SYSTEMS))
def test_sisters_share_a_cache_only_if_each_alone_has_the_same_result(rules: str, amount: int) -> None:
    """Guard against ships that count as alike but are not: one is hurt, one has another card."""
    system, start = load_duel(SHIPS, SHIPS, rules)
    hurt = replace(start.ships["r-kasumi"], marks=(Mark("1", "fires"),))
    start = replace(start, ships={**start.ships, hurt.id: hurt})
    whole, told = BattleModel(system, start), 0
    for ship in start.ships:
        for attack in whole.list_attacks(ship):
            alone = BattleModel(system, start)
            targets = [id for id in start.ships if whole.can_attack(attack, id, amount)]
            assert targets == [id for id in start.ships if alone.can_attack(attack, id, amount)]
            for id in targets:
                assert whole.compute_cost(attack, id, amount) == BattleModel(system, start).compute_cost(
                    attack, id, amount
                )
                told += 1
    assert told > 10
