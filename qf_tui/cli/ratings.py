"""How the methods do: what is attested beside what they give, and the odd ones for the eye."""

from argparse import Namespace

from attrs import asdict

from qf_tui.cli.opening import named_systems
from qf_tui.cli.output import say, say_json
from qf_tui.cli.tables import table
from qf_tui.core.system import RuleSystem
from qf_tui.library.ships.rating_errors import attested_errors, odd_values
from qf_tui.library.ships.register import Register, register


def ratings(arguments: Namespace) -> int:
    """Prints the errors of each rule system's method, and its odd values."""
    ships = register()
    systems = named_systems(arguments.ruleset)
    if arguments.json:
        say_json({system.name: _row(system, ships) for system in systems}, indent=2)
    else:
        for system in systems:
            _tell(system, ships)
    return 0


def _row(system: RuleSystem, ships: Register) -> dict[str, object]:
    errors = [{**asdict(one), "error": one.error} for one in attested_errors(system, ships)]
    return {"attested": errors, "odd": [asdict(one) for one in odd_values(system, ships)]}


def _tell(system: RuleSystem, ships: Register) -> None:
    errors = attested_errors(system, ships)
    say(f"{system.title}: {len(errors)} values attested")
    heads = ("ship", "value", "attested", "method", "error")
    rows = [
        (one.ship, one.key, f"{one.attested:g}", f"{one.method:g}", f"{one.error:+g}" if one.error else "")
        for one in errors
    ]
    say(*table([heads, *rows], rights=(False, False, True, True, True)) if rows else ())
    odd = odd_values(system, ships)
    say("", f"{len(odd)} odd values")
    say(*table([(one.key, f"{one.value:g}", f"{one.ship} ({one.navy})", one.why) for one in odd]), "")
