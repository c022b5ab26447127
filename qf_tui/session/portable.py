"""A battle as bytes, for a process or a computer that does not have its file."""

from collections.abc import Mapping

from attrs import evolve

from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle
from qf_tui.journal.codec import SaveRules, decode_header, encode_header
from qf_tui.journal.lines import parsed, written
from qf_tui.journal.validators import list_of, object_of, text
from qf_tui.session.header import header_of
from qf_tui.session.open_save import rules_by


def packed(system: RuleSystem, battle: Battle) -> bytes:
    """A battle at any moment, with what is still to come and how its phase began."""
    moments = (battle,) if battle.began is None else (battle, battle.began)
    bodies = [encode_header(header_of(system, _alone(one))) for one in moments]
    return written({"moments": bodies})


def _alone(battle: Battle) -> Battle:
    """A moment without how its phase began, and without what was to come and has come."""
    due = (
        evolve(one, ships=tuple(id for id in one.ships if id not in battle.ships))
        for one in battle.plan.schedule
    )
    schedule = tuple(one for one in due if one.turn > battle.turn or one.ships)
    return evolve(battle, plan=evolve(battle.plan, schedule=schedule), began=None)


def unpacked(data: bytes, systems: Mapping[str, RuleSystem]) -> tuple[RuleSystem, Battle]:
    """The rule system and the battle of such bytes; QfError where the rule system is not installed."""
    bodies = list_of(object_of(parsed(data))["moments"])
    name = text(object_of(bodies[0])["system"])
    if name not in systems:
        raise QfError(f"the rule system {name} is not installed here: install it wherever battles are played")
    rules: SaveRules = rules_by(systems)(name)
    battle, *began = [decode_header(body, None, rules.read_order).start for body in bodies]
    return systems[name], evolve(battle, began=began[0] if began else None)
