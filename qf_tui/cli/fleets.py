"""Fleets listed, as CSV, and made of CSV."""

from argparse import Namespace

from qf_tui.cli.files import shelf
from qf_tui.core.errors import QfError


def fleets(arguments: Namespace) -> int:
    """Prints the names and titles on the paths, or gives out or takes in one fleet."""
    if arguments.taken is None and arguments.name is None:
        return shelf(arguments)
    from qf_tui.cli.tables_of_ships import fleet_in, fleet_out

    if arguments.taken is not None:
        return fleet_in(arguments)
    if not arguments.csv:
        raise QfError(f"--csv gives out the ships of {arguments.name}")
    return fleet_out(arguments)
