"""The words of every rule system on screen: columns, phases, labels."""

import pytest

from qf_tui.core.builtin_forms import list_forms
from tests.systems import find_our_systems

SYSTEMS = find_our_systems()
LINE = 120


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_column_has_a_help_text(name: str) -> None:
    assert [column.name for column in SYSTEMS[name].columns if not column.help] == []


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_phases_of_a_turn_fit_in_a_line(name: str) -> None:
    """Cut no title at 120 columns.

    A blank is at the left, two between, and brackets around the present one.
    """
    numbered = [f"{number} {phase.title}" for number, phase in enumerate(SYSTEMS[name].phases, 1)]
    assert len("  ".join(numbered)) + len(" []") <= LINE


@pytest.mark.parametrize("name", SYSTEMS)
def test_titles_and_labels_are_plain_words(name: str) -> None:
    system = SYSTEMS[name]
    labels = [slot.label for form in list_forms(system).values() for slot in form.slots]
    titles = [phase.title for phase in system.phases]
    titles += [column.title for column in system.columns]
    titles += [field.title for field in system.fields]
    assert [text for text in (*labels, *titles) if "`" in text or "_" in text] == []
