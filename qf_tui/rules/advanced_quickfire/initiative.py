"""Who moves first (AQF-PH-5)."""

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.effects import Op
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.grammar.order import Order
from qf_tui.core.system import Faces, PreparedOrder
from qf_tui.core.values import Battle, Die
from qf_tui.rules.advanced_quickfire.options import option


def prepare_initiative(battle: Battle, order: Order) -> PreparedOrder:
    """`initiative`: both sides' dice, the higher moves first (AQF-PH-5)."""
    sides, die = (order.text("side"), order.text("other")), Die(12)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        if faces[0] == faces[1]:
            builder.because("throw again", "AQF-PH-5", roll=f"both throw {faces[0]}")
            return
        first = sides[0] if faces[0] > faces[1] else sides[1]
        builder.write(Op.TABLE, "", "moves_first", first)
        builder.remember("initiative", "", side=first)
        builder.because(f"{first} moves first ({faces[0]} against {faces[1]})", "AQF-PH-5")

    return PreparedOrder(
        findings=tuple(_hindrances(battle, order)),
        dice=(die, die),
        decide=decide,
        may_wait=False,
    )


def _hindrances(battle: Battle, order: Order) -> list[Finding]:
    findings: list[Finding] = []
    switch = option(battle, "initiative")
    if order.text("side") == order.text("other"):
        findings.append(impossible("initiative: name two sides, each with its die"))
    if switch == "simultaneous":
        findings.append(refused("all ships move at once: turn the switch `initiative` first", "AQF-PH-5"))
    if switch == "once" and battle.table.get("moves_first"):
        findings.append(
            refused(f"{battle.table['moves_first']} moves first for the whole battle", "AQF-PH-5")
        )
    if battle.done("initiative", ""):
        findings.append(refused("initiative was thrown for this turn: amend that entry instead", "AQF-PH-5"))
    if battle.phase != "movement":
        findings.append(refused("initiative is thrown for in the movement phase", "AQF-PH-5"))
    if len(order.dice) == 2 and order.dice[0] == order.dice[1]:
        findings.append(impossible("initiative: equal dice; throw again"))
    return findings
