"""Every screen of the base by name, each with how it is opened on a session: to be walked through."""

from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen
from textual.screen import Screen

from qf_tui.console.app import ActionPalette
from qf_tui.console.battle.screen import BattleScreen
from qf_tui.console.battle.view import BattleView, WatchScreen
from qf_tui.console.entry.controller import CorrectionPreview, EndPhase
from qf_tui.console.entry.dialog import AmendDialog, OrderDialog, refill
from qf_tui.console.entry.form_state import Filling
from qf_tui.console.entry.volley import VolleyDialog, list_division
from qf_tui.console.entry.volley_rows import VolleyDesk
from qf_tui.console.history.screen import Forgotten, History
from qf_tui.console.history.view import HistoryView
from qf_tui.console.reading.announcements import TableChanges
from qf_tui.console.reading.document_view import build_card_lines, render_blocks
from qf_tui.console.reading.help import build_chart_lines, build_help_lines
from qf_tui.console.reading.lookup import Lookup
from qf_tui.console.reading.source import build_refusal_lines
from qf_tui.console.settings_screen import SettingsScreen
from qf_tui.console.setup.opening import view_scenario
from qf_tui.console.setup.scenario import ScenarioScreen
from qf_tui.console.setup.start import StartScreen
from qf_tui.console.widgets.fields import TextEntry
from qf_tui.console.widgets.keys import build_keymap
from qf_tui.console.widgets.panel import Panel, TooSmall
from qf_tui.console.widgets.text import literal
from qf_tui.core.availability import find_volleys
from qf_tui.core.builtin_forms import list_forms
from qf_tui.core.errors import refused
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Form, Ship
from qf_tui.document.glance import build_acting_blocks, build_hold_blocks
from qf_tui.document.transcript import build_why_document
from qf_tui.library.paths import find_shipped_folder, list_shelf
from qf_tui.library.settings import Settings
from qf_tui.session import Session
from qf_tui.session.saves import Follower

SAMPLE = find_shipped_folder("saves") / "yellow-sea-1904.qfb"
"""A save that can be watched."""
WIDTH = 72
"""Cells of charts that are opened from here."""


@frozen
class Stage:
    """What screens are opened on: a battle, and the rule systems that are installed."""

    session: Session
    systems: Mapping[str, RuleSystem]

    @property
    def system(self) -> RuleSystem:
        return self.session.system

    @property
    def ship(self) -> Ship:
        return next(iter(self.session.battle.ships.values()))

    @property
    def form(self) -> Form:
        """An order of this phase that has something to be filled in, or any."""
        forms = [form for form in list_forms(self.system).values() if form.slots]
        return next((form for form in forms if self.session.battle.phase in form.phases), forms[0])

    @property
    def changes(self) -> tuple[tuple[str, str], ...]:
        """Something to be read aloud on each side."""
        return tuple((side.id, f"put {side.name} to sea") for side in self.session.battle.sides)


@frozen
class ScreenEntry:
    """One screen: its class, and how it is made on a stage. `stays`: Escape does not leave it."""

    id: str
    kind: type[Screen[Any]]
    make: Callable[[Stage], Screen[Any]]
    stays: bool = False


def _scenario(stage: Stage) -> ScenarioScreen:
    path = next(iter(list_shelf("scenarios"))).path
    return ScenarioScreen(view_scenario(path, stage.systems), stage.systems, do_nothing)


def dodo_nothing(value: object) -> None:
    """What is opened or kept from there leads nowhere."""


def do_nothing(value: object) -> None:
    """What is opened or kept from there leads nowhere."""


def _refused(*of: object) -> str:
    return "✗ nothing is entered from here"


def _volley(stage: Stage) -> VolleyDialog:
    """The volley of the first ship's division, in the phase as it is or the first that has one."""
    phases = (stage.session.battle.phase, *(phase.name for phase in stage.system.phases))
    volleys = next(found for phase in phases if (found := find_volleys(stage.system, phase)))
    division = list_division(stage.session, stage.ship)
    return VolleyDialog(VolleyDesk(stage.session, volleys, division), "Volley", _refused)


def _amend(stage: Stage) -> AmendDialog:
    """The last entry that a dialog can take, as it was before it; without one an order to be inserted."""
    timeline = stage.session.timeline
    for place in reversed(range(len(timeline.play_order))):
        version, before = timeline.versions[timeline.play_order[place]], timeline.battle_at(place)
        filling = refill(before, version.order)
        if filling is not None:
            return AmendDialog(stage.session, filling, _refused, "Change an entry", before)
    filling = Filling.begin(stage.form, stage.ship.id)
    return AmendDialog(stage.session, filling, _refused, "Insert an entry", timeline.start)


def _why(stage: Stage) -> Panel:
    why = build_why_document(stage.system, stage.session.timeline, stage.ship, None)
    return Panel("Why", render_blocks(why.blocks))


def _end_phase(stage: Stage) -> EndPhase:
    system, timeline = stage.session.system, stage.session.timeline
    lines = render_blocks(
        (*build_hold_blocks(system, timeline.battle), *build_acting_blocks(system, timeline))
    )
    return EndPhase("End the phase?", lines, held=False, owes=False)


def _help(stage: Stage) -> Lookup:
    forms = stage.system.forms
    return Lookup(
        "Help", build_help_lines(stage.system, stage.session.battle, lambda place: build_keymap(place, forms))
    )


def _refusal(stage: Stage) -> Panel:
    clause = next(iter(stage.system.clauses), "")
    return Panel("Why it is refused", build_refusal_lines(stage.system, (refused("it may not", clause),)))


SCREENS = (
    ScreenEntry("start", StartScreen, lambda on: StartScreen(on.systems, do_nothing), stays=True),
    ScreenEntry("scenario", ScenarioScreen, _scenario),
    ScreenEntry("text-entry", TextEntry, lambda on: TextEntry("The side's name", "Japan", _refused)),
    ScreenEntry("battle", BattleScreen, lambda on: BattleScreen(on.session), stays=True),
    ScreenEntry("look-on", BattleView, lambda on: BattleView(on.session), stays=True),
    ScreenEntry("watch", WatchScreen, lambda on: WatchScreen(Follower(SAMPLE, on.systems)), stays=True),
    ScreenEntry("look-back", HistoryView, lambda on: HistoryView(on.session)),
    ScreenEntry("history", History, lambda on: History(on.session)),
    ScreenEntry(
        "order",
        OrderDialog,
        lambda on: OrderDialog(on.session, Filling.begin(on.form, on.ship.id), _refused),
    ),
    ScreenEntry("volley", VolleyDialog, _volley),
    ScreenEntry("amend", AmendDialog, _amend),
    ScreenEntry(
        "forgotten", Forgotten, lambda on: Forgotten("Which order?", on.system, on.session.battle.phase)
    ),
    ScreenEntry("end-phase", EndPhase, _end_phase),
    ScreenEntry(
        "proposal",
        CorrectionPreview,
        lambda on: CorrectionPreview("what changes", [literal("nothing changes")]),
    ),
    ScreenEntry("help", Lookup, _help),
    ScreenEntry(
        "charts", Lookup, lambda on: Lookup("Charts", build_chart_lines(on.system, on.session.battle, WIDTH))
    ),
    ScreenEntry(
        "card",
        Panel,
        lambda on: Panel("Card and log", build_card_lines(on.system, on.session.battle, on.ship)),
    ),
    ScreenEntry("why", Panel, _why),
    ScreenEntry("refusal", Panel, _refusal),
    ScreenEntry(
        "table-changes", TableChanges, lambda on: TableChanges("On the table", on.session.battle, on.changes)
    ),
    ScreenEntry("settings", SettingsScreen, lambda on: SettingsScreen(Settings(), lambda *_: Settings())),
    ScreenEntry("palette", ActionPalette, lambda on: ActionPalette()),
    ScreenEntry("too-small", TooSmall, lambda on: TooSmall(), stays=True),
)
"""All screens of the base, the palette too."""
