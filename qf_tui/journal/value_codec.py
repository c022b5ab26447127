"""The values of the core as JSON, and strictly back: what comes back is equal in every type.

A wrong type, an unknown key or an unknown kind is refused, never made to fit; empty and default parts are
left out. What reads and what writes is loaded when the first value comes: a battle that is not kept has none.
"""

from typing import Any, TypeVar

from qf_tui.core.acts import Correction, Entry
from qf_tui.core.values import Act, Mark, Owed
from qf_tui.journal.lines import Misread
from qf_tui.journal.validators import shown

_T = TypeVar("_T")


def make_ready() -> None:
    """Makes what writes and reads an act, for which else the first act of a battle would wait."""
    from qf_tui.journal.value_reader import reader
    from qf_tui.journal.value_writer import writer

    for kind in (Entry, Correction, Act, Mark, Owed):
        writer().get_unstructure_hook(kind)
        reader().get_structure_hook(kind)


def encoded(value: object, kind: object) -> Any:
    """A value of a kind as JSON takes it; Misread if it is not of that kind."""
    from qf_tui.journal.value_writer import writer

    try:
        return writer().unstructure(value, kind)
    except (ValueError, TypeError, KeyError, AttributeError) as fault:
        raise Misread(f"{shown(value)} is not what was expected: {fault}") from None


def decoded(kind: type[_T], value: object) -> _T:
    """A value of a kind; Misread names the place of each fault."""
    from qf_tui.journal.value_reader import FAULTS, faults_of, reader

    try:
        made: _T = reader().get_structure_hook(kind)(value, kind)
        return made
    except FAULTS:
        pass
    try:
        return reader(detailed=True).structure(value, kind)
    except FAULTS as fault:
        # In a line a decision has no key.
        raise Misread("; ".join(faults_of(fault)[:3]).replace(".decision", "")) from None
