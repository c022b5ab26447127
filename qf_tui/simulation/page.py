"""What is known of a thousand battles as one page of HTML: no script, no request."""

from attrs import frozen

import qf_tui
from qf_tui.pages import render
from qf_tui.simulation.simulate import SimulationResult
from qf_tui.simulation.tables import SimulationText, Subject, pair_words
from qf_tui.simulation.tally import Interval


@frozen
class ChanceBar:
    """How often the first side wins by one pair of doctrines, as the page draws it."""

    label: str
    wins: Interval


def page_of(subject: Subject, found: SimulationResult, told: SimulationText) -> str:
    """The page."""
    first = subject.battle.sides[0]
    bars = [
        ChanceBar(pair_words(subject, pair), tally.wins(first.id)) for pair, tally in found.tallies.items()
    ]
    return render("simulation/page.html", told=told, side=first.name, bars=bars, version=qf_tui.__version__)
