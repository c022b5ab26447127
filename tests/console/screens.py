"""All screens of the base by name, and how to open each of them on a session."""

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
from qf_tui.console.history.screen import ForgottenOrder, History
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
"""Width in cells of charts opened from here."""


@frozen
class Stage:
    """The battle and the installed rule systems that a screen is opened with."""

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
        """An order of this phase with a slot to fill in, or any order."""
        forms = [form for form in list_forms(self.system).values() if form.slots]
        return next((form for form in forms if self.session.battle.phase in form.phases), forms[0])

    @property
    def changes(self) -> tuple[tuple[str, str], ...]:
        """A table change to read aloud for each side."""
        return tuple((side.id, f"put {side.name} to sea") for side in self.session.battle.sides)


@frozen
class ScreenEntry:
    """A screen: its class and how it is made on a stage; Escape does not leave it if it `stays`."""

    id: str
    kind: type[Screen[Any]]
    make: Callable[[Stage], Screen[Any]]
    stays: bool = False


def _open_scenario(stage: Stage) -> ScenarioScreen:
    path = next(iter(list_shelf("scenarios"))).path
    return ScenarioScreen(view_scenario(path, stage.systems), stage.systems, do_nothing)


def do_nothing(value: object) -> None:
    """Ignore the value that a screen opens or keeps."""


def _refuse(*of: object) -> str:
    return "✗ nothing is entered from here"


def _open_volley(stage: Stage) -> VolleyDialog:
    """Open the volley of the first ship's division, in this phase or the first that has volleys."""
    phases = (stage.session.battle.phase, *(phase.name for phase in stage.system.phases))
    volleys = next(found for phase in phases if (found := find_volleys(stage.system, phase)))
    division = list_division(stage.session, stage.ship)
    return VolleyDialog(VolleyDesk(stage.session, volleys, division), "Volley", _refuse)


def _open_amend(stage: Stage) -> AmendDialog:
    """Open a dialog to amend the last entry that a dialog can hold, or else to insert an order."""
    timeline = stage.session.timeline
    for place in reversed(range(len(timeline.play_order))):
        version, before = timeline.versions[timeline.play_order[place]], timeline.battle_at(place)
        filling = refill(before, version.order)
        if filling is not None:
            return AmendDialog(stage.session, filling, _refuse, "Change an entry", before)
    filling = Filling.begin(stage.form, stage.ship.id)
    return AmendDialog(stage.session, filling, _refuse, "Insert an entry", timeline.start)


def _open_why(stage: Stage) -> Panel:
    why = build_why_document(stage.system, stage.session.timeline, stage.ship, None)
    return Panel("Why", render_blocks(why.blocks))


def _open_end_phase(stage: Stage) -> EndPhase:
    system, timeline = stage.session.system, stage.session.timeline
    lines = render_blocks(
        (*build_hold_blocks(system, timeline.battle), *build_acting_blocks(system, timeline))
    )
    return EndPhase("End the phase?", lines, held=False, owes=False)


def _open_help(stage: Stage) -> Lookup:
    forms = stage.system.forms
    return Lookup(
        "Help", build_help_lines(stage.system, stage.session.battle, lambda place: build_keymap(place, forms))
    )


def _open_refusal(stage: Stage) -> Panel:
    clause = next(iter(stage.system.clauses), "")
    return Panel("Why it is refused", build_refusal_lines(stage.system, (refused("it may not", clause),)))


SCREENS = (
    ScreenEntry("start", StartScreen, lambda on: StartScreen(on.systems, do_nothing), stays=True),
    ScreenEntry("scenario", ScenarioScreen, _open_scenario),
    ScreenEntry("text-entry", TextEntry, lambda on: TextEntry("The side's name", "Japan", _refuse)),
    ScreenEntry("battle", BattleScreen, lambda on: BattleScreen(on.session), stays=True),
    ScreenEntry("look-on", BattleView, lambda on: BattleView(on.session), stays=True),
    ScreenEntry("watch", WatchScreen, lambda on: WatchScreen(Follower(SAMPLE, on.systems)), stays=True),
    ScreenEntry("look-back", HistoryView, lambda on: HistoryView(on.session)),
    ScreenEntry("history", History, lambda on: History(on.session)),
    ScreenEntry(
        "order",
        OrderDialog,
        lambda on: OrderDialog(on.session, Filling.begin(on.form, on.ship.id), _refuse),
    ),
    ScreenEntry("volley", VolleyDialog, _open_volley),
    ScreenEntry("amend", AmendDialog, _open_amend),
    ScreenEntry(
        "forgotten",
        ForgottenOrder,
        lambda on: ForgottenOrder("Which order?", on.system, on.session.battle.phase),
    ),
    ScreenEntry("end-phase", EndPhase, _open_end_phase),
    ScreenEntry(
        "proposal",
        CorrectionPreview,
        lambda on: CorrectionPreview("what changes", [literal("nothing changes")]),
    ),
    ScreenEntry("help", Lookup, _open_help),
    ScreenEntry(
        "charts", Lookup, lambda on: Lookup("Charts", build_chart_lines(on.system, on.session.battle, WIDTH))
    ),
    ScreenEntry(
        "card",
        Panel,
        lambda on: Panel("Card and log", build_card_lines(on.system, on.session.battle, on.ship)),
    ),
    ScreenEntry("why", Panel, _open_why),
    ScreenEntry("refusal", Panel, _open_refusal),
    ScreenEntry(
        "table-changes", TableChanges, lambda on: TableChanges("On the table", on.session.battle, on.changes)
    ),
    ScreenEntry("settings", SettingsScreen, lambda on: SettingsScreen(Settings(), lambda *_: Settings())),
    ScreenEntry("palette", ActionPalette, lambda on: ActionPalette()),
    ScreenEntry("too-small", TooSmall, lambda on: TooSmall(), stays=True),
)
"""All screens of the base, the palette too."""
