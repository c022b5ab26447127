"""Searchlights and smoke: the orders that set them (GQ2-NIT-3, GQ2-NIT-7, GQ2-PH-3, GQ2-PH-5)."""

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.grammar.order import Order
from qf_tui.core.system import Faces, PreparedOrder
from qf_tui.core.text import whose
from qf_tui.core.values import Battle, Owed, Ship
from qf_tui.rules.gq2.forms import DARK, DAY, LIGHT, SMOKE
from qf_tui.rules.gq2.lights import REACH, SEARCHING, light, lights_most
from qf_tui.rules.gq2.measures import with_unit
from qf_tui.rules.gq2.mistargeting import TARGETING, WHO, ask, must_target
from qf_tui.rules.gq2.targets import at_target, of_phase, out_of_action


def prepare_light(battle: Battle, order: Order) -> PreparedOrder:
    """`light`: a searchlight at a ship; at an unlit one the targeting roll comes first (GQ2-NIT-3)."""
    ship, target = battle.ships[order.text("ship")], battle.ships[order.text("target")]
    findings = (*of_phase(battle, LIGHT), *_light_findings(battle, ship, target))
    notes = _light_reminders(battle, ship)

    def declare(builder: DecisionBuilder) -> None:
        builder.remember(LIGHT.word, ship.id)
        if not ship.live("lights") and ship.log.get(SEARCHING) is not True:
            builder.record(ship.id, SEARCHING, True)
            builder.because("is lit itself from now on", "GQ2-NIT-7", subject=ship.name)

    if must_target(battle, target):
        return ask(battle, order, findings, declare, notes, PreparedOrder(), ((ship.id, 0),))

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        builder.remember(LIGHT.word, ship.id)
        _switch_on(builder, ship.id, target.id)

    return PreparedOrder(findings=findings, decide=decide, reminders=notes)


def go_on(builder: DecisionBuilder, order: Order, owed: Owed) -> None:
    """The targeting is settled: the light falls on that ship."""
    _switch_on(builder, order.text("ship"), order.text("target"))


def _light_findings(battle: Battle, ship: Ship, target: Ship) -> tuple[Finding, ...]:
    """What hinders another searchlight, the phase left aside; friends may be lit."""
    strayed = ship.side == target.side and ship.id != target.id
    found = list(at_target(battle, ship, target, "GQ2-NIT-3", strayed=strayed))
    if light(battle) == DAY:
        found.append(refused("searchlights light nothing by day", "GQ2-NIT-6"))
    shining = [mark.text for mark in ship.live("lights")]
    declared = _declared(battle, ship)
    if target.id in shining:
        found.append(refused(f"{ship.name} lights {target.name} already", "GQ2-PH-5"))
    elif target.id in declared:
        found.append(refused(f"{whose(ship.name)} light at {target.name} has its roll to come", "GQ2-PH-5"))
    elif len(shining) + len(declared) >= lights_most(ship):
        found.append(refused(_too_many(battle, ship, declared), "GQ2-NIT-3"))
    elif _used(battle, ship) >= lights_most(ship):
        used = "no searchlight that was not used in this phase"
        found.append(refused(f"{ship.name} has {used}", "GQ2-NIT-7"))
    return tuple(found)


def _used(battle: Battle, ship: Ship) -> int:
    """A ship's lights that rolled in this phase, put out since or not, and those that burn from before."""
    from_before = [mark for mark in ship.live("lights") if mark.turn < battle.turn]
    return len(from_before) + len(battle.done(LIGHT.word, ship.id))


def _declared(battle: Battle, ship: Ship) -> tuple[str, ...]:
    """The ships at which a ship's searchlights are declared, and not yet rolled for (GQ2-NIT-3)."""
    orders = [owed.order for owed in battle.owed if owed.line in (TARGETING, WHO) and owed.ship == ship.id]
    return tuple(order.text("target") for order in orders if order is not None and order.form is LIGHT)


def _too_many(battle: Battle, ship: Ship, declared: tuple[str, ...]) -> str:
    most = "one ship only" if lights_most(ship) == 1 else "one ship on each side"
    if declared:
        names = ", ".join(battle.ships[id].name for id in declared)
        return f"{ship.name} lights {most}: one is declared at {names} already"
    lit = next(mark.text for mark in ship.live("lights"))
    return f"{ship.name} lights {most}: `dark {ship.id} {lit}` first"


def may_light(battle: Battle, ship: Ship) -> bool:
    """Whether a ship may still light another in this phase."""
    if of_phase(battle, LIGHT):
        return False
    return any(not _light_findings(battle, ship, target) for target in battle.ships.values())


def _light_reminders(battle: Battle, ship: Ship) -> tuple[str, ...]:
    """What people measure before a searchlight goes on."""
    side = () if lights_most(ship) == 1 else ("one ship on each side at most (GQ2-NIT-3)",)
    return (f"searchlights reach {with_unit(battle, REACH)} (GQ2-NIT-3)", *side)


def _switch_on(builder: DecisionBuilder, id: str, target: str) -> None:
    """The light falls on a ship, and shows its user (GQ2-NIT-3)."""
    ship, lit = builder.ship(id), builder.ship(target)
    if ship.log.get(SEARCHING) is True:
        builder.record(id, SEARCHING, False)
    if not any(mark.text == target for mark in ship.live("lights")):
        builder.mark(id, "lights", target)
    builder.because(f"lights {lit.name}, and is lit itself", "GQ2-NIT-3", subject=ship.name)


def prepare_dark(battle: Battle, order: Order) -> PreparedOrder:
    """`dark`: a ship's searchlights go off, or the one on a ship (GQ2-PH-5, GQ2-NIT-3)."""
    ship, target = battle.ships[order.text("ship")], order.text("target")
    shining = [mark for mark in ship.live("lights") if target in ("", mark.text)]
    there = f" at {battle.ships[target].name}" if target else ""
    searching = ship.log.get(SEARCHING) is True and not target
    dark = () if shining or searching else (impossible(f"{ship.name} has no searchlight on{there}"),)
    findings = (*of_phase(battle, DARK), *dark)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        for mark in shining:
            builder.lift(ship.id, mark)
        if searching:
            builder.record(ship.id, SEARCHING, False)
        off = f"searchlight{there} goes off" if target else "searchlights go off"
        builder.because(f"{whose(ship.name)} {off}", "GQ2-PH-5")

    return PreparedOrder(findings=findings, decide=decide)


def colour(turn: int) -> str:
    """The smoke of a turn (GQ2-PH-3)."""
    return "black" if turn % 2 else "gray"


def prepare_smoke(battle: Battle, order: Order) -> PreparedOrder:
    """`smoke`: a ship lays the smoke of this turn's colour (GQ2-PH-3, GQ2-PH-6)."""
    ship, laid = battle.ships[order.text("ship")], colour(battle.turn)
    again = any(mark.turn == battle.turn for mark in ship.live("smoke"))
    twice = (refused(f"{ship.name} lays smoke this turn already", "GQ2-PH-3"),) if again else ()
    findings = (*of_phase(battle, SMOKE), *out_of_action(battle, ship), *twice)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        builder.mark(ship.id, "smoke", laid)
        builder.because(f"lays {laid} smoke", "GQ2-PH-3", subject=ship.name)

    return PreparedOrder(
        findings=findings, decide=decide, reminders=("smoke counts as `low` or `bases` in a shot (GQ2-PH-6)",)
    )


def clear_smoke(battle: Battle, builder: DecisionBuilder) -> None:
    """The repair phase takes up the smoke of the turn before (GQ2-PH-3)."""
    old = colour(battle.turn + 1)
    for ship in battle.ships.values():
        for mark in ship.live("smoke"):
            if mark.text == old:
                builder.lift(ship.id, mark)
                builder.because(f"{whose(ship.name)} {old} smoke is taken up", "GQ2-PH-3")
