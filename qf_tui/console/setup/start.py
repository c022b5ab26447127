"""The first screen: continue a saved battle, begin a scenario, or open what a feature offers."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from pathlib import Path

from attrs import evolve, frozen
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content

from qf_tui.console.setup.opening import Scenario, view_scenario
from qf_tui.console.setup.scenario import ScenarioScreen
from qf_tui.console.widgets.actions import SCENARIO, START
from qf_tui.console.widgets.keys import build_question_hints
from qf_tui.console.widgets.panel import Panel, build_help_panel, show_panel
from qf_tui.console.widgets.picklist import (
    FilterScreen,
    PickLine,
    build_about_lines,
    build_heading_line,
    build_text_line,
)
from qf_tui.console.widgets.text import CUT, SteadyText, cut, fit, literal, measure_width, to_one_line
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import format_count
from qf_tui.document.acts import format_phase
from qf_tui.document.muster import format_afloat, format_ship_count, list_side_counts
from qf_tui.journal.disk import is_held
from qf_tui.journal.reading import is_save
from qf_tui.journal.save_summary import summarize_save
from qf_tui.library.faults import format_faults, format_first_fault
from qf_tui.library.paths import find_own_folder, find_shipped_folder, list_shelf
from qf_tui.registry import find_features
from qf_tui.session import Session
from qf_tui.session.saves import find_system
from qf_tui.session.session import copy_on_shelf

LATEST = 5
"""Number of saves listed until the user asks for all."""
ALL_SAVES = "all-saves"
COLUMN_FROM = 60
"""Width from which the texts of the offers stand in a column."""
TITLES = 30
"""Cells of the title and subtitle, before the filter."""
AT_ONCE = 10
"""Number of older saves whose ends are read between two keys."""
ABOUT = 3
"""Lines for the details of the cursor's line."""
HELD = "open in another console: watch only"


@frozen
class SaveFacts:
    """The facts of a save that the first screen shows.

    Attributes:
        system: Title of its rule system, or the save's name for it if that is not installed.
        turn_and_phase: Turn and phase, "" if not known.
        acts: Number of acts in its log.
        written: Time of the last change of its file, in seconds since 1970; 0 if not known.
        held: True if another console has it open.
        fault: What is wrong with it, or "".
        afloat: Ships still afloat, "" if not known.
        is_whole: True if the whole save was read, not only its two ends.
        system_name: Name of its rule system in the save, "" if not known.
    """

    title: str
    system: str = ""
    turn_and_phase: str = ""
    acts: int = 0
    written: float = 0
    held: bool = False
    fault: str = ""
    afloat: str = ""
    is_whole: bool = False
    system_name: str = ""

    @property
    def acts_text(self) -> str:
        """The length of its log as text."""
        return format_count(self.acts, "entry", "entries")

    @property
    def written_text(self) -> str:
        """The time of the last change as text: the time of day if that was today, else the day."""
        when, now = datetime.fromtimestamp(self.written), datetime.now()
        if when.date() == now.date():
            return f"today {when:%H:%M}"
        return f"{when.day} {when:%b %H:%M}" if when.year == now.year else f"{when.day} {when:%b %Y}"


def list_saves(folder: Path) -> list[Path]:
    """List the saves in a folder, the latest first; none if the folder cannot be read."""
    try:
        paths = [(path.stat().st_mtime, path) for path in folder.iterdir() if is_save(path)]
    except OSError:
        return []
    return [path for _, path in sorted(paths, reverse=True)]


def read_ends(path: Path, systems: Mapping[str, RuleSystem]) -> SaveFacts:
    """Read the facts of a save from its two ends, or the whole save if need be; a fault is among them."""
    try:
        summary = summarize_save(path)
        # The rules of a book are in the save itself; all others must be installed.
        has_system = summary.book is not None or summary.system in systems
        system = find_system(summary.system, summary.book, systems) if has_system else None
    except Exception as fault:  # noqa: BLE001 - a damaged file must not stop the others from being opened
        return _build_faulty(path, fault)
    turn_and_phase = ""
    if summary.phase and system:
        turn, name = summary.phase
        title = next((phase.title for phase in system.phases if phase.name == name), name)
        turn_and_phase = f"turn {turn}, {title}"
    return SaveFacts(
        to_one_line(summary.title or path.stem),
        system.title if system else summary.system,
        turn_and_phase,
        summary.acts,
        _read_written_time(path),
        is_held(path),
        fault="" if system else f"its rule system “{summary.system}” is not installed",
        system_name=summary.system,
    )


def read_whole(path: Path, systems: Mapping[str, RuleSystem]) -> SaveFacts:
    """Read the facts of a whole save, with the ships still afloat; a fault is among the facts."""
    try:
        session = Session.view(path, systems)
    except Exception as fault:  # noqa: BLE001 - a damaged file must not stop the others from being opened
        return _build_faulty(path, fault)
    battle, system = session.battle, session.system
    return SaveFacts(
        to_one_line(str(battle.table.get("title") or path.stem)),
        system.title,
        format_phase(system, battle),
        len(session.timeline.log),
        _read_written_time(path),
        is_held(path),
        afloat=format_afloat(battle),
        is_whole=True,
        system_name=system.name,
    )


def _build_faulty(path: Path, fault: Exception) -> SaveFacts:
    """Build the facts of a save that cannot be read, so that no more of the save is read later."""
    text = str(fault) if isinstance(fault, QfError) else format_odd_file(path, fault)
    return SaveFacts(to_one_line(path.stem), fault=text, written=_read_written_time(path), is_whole=True)


def format_odd_file(path: Path, fault: Exception) -> str:
    """Format the message about a file that makes its reader fail."""
    return (
        f"{to_one_line(path.name)}: cannot be read ({type(fault).__name__}): qf-tui did not write it "
        "like this. Nothing in it was changed; move it out of its folder, or restore an earlier copy."
    )


def _read_written_time(path: Path) -> float:
    """Return when a file was last changed, in seconds since 1970; 0 if that cannot be read."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0


class OfferKind(Enum):
    """The kinds of offers, in the order and with the headings of the first screen."""

    NEWEST = "Continue"
    SAVE = "Open another"
    SAMPLE = "Try the sample battle"
    SCENARIO = "Begin a scenario"
    OWN = "Set up a battle"


@frozen
class Offer:
    """A line of the first screen that opens something: a save, a scenario, or an offer of a feature.

    Attributes:
        path: File of a save or scenario; None for an offer of a feature.
        save: Facts of a save, None until they are read.
        scenario: A scenario, None until it is read.
        fault: Lines of all that is wrong with a scenario's file.
        first_fault: First of these faults, as a short text.
        own: True if the scenario is the user's own.
        opens: Function of a feature that opens the offer; None if the base opens it.
        means: Description of a feature's offer.
    """

    kind: OfferKind
    key: str
    title: str
    path: Path | None = None
    save: SaveFacts | None = None
    scenario: Scenario | None = None
    fault: tuple[str, ...] = ()
    first_fault: str = ""
    own: bool = False
    opens: Callable[[], object] | None = None
    means: str = ""

    @property
    def unread(self) -> bool:
        """True for a save that is not read: only its name is known."""
        return self.save is None and self.kind in (OfferKind.NEWEST, OfferKind.SAVE, OfferKind.SAMPLE)

    @property
    def is_whole(self) -> bool:
        """True if the whole file was read, or there is none to read."""
        if self.save is not None:
            return self.save.is_whole
        return self.opens is not None or self.scenario is not None or bool(self.fault)

    def merge_known(self, earlier: "Offer | None") -> "Offer":
        """Return the offer with the facts of an earlier reading of its whole file, if they still hold.

        Facts of a scenario always hold. Those of a save, except a fault, hold while its file is unchanged.
        """
        if earlier is None or not earlier.is_whole or self.is_whole:
            return self
        if self.kind is OfferKind.SCENARIO or earlier.save is None:
            return earlier
        if self.save is None or earlier.save.written != self.save.written or earlier.save.fault:
            return self
        # Another save may be the newest now, and another console may have opened or closed this one.
        return evolve(earlier, kind=self.kind, save=evolve(earlier.save, held=self.save.held))

    @property
    def about(self) -> tuple[str, ...]:
        """The texts next to the title, the most important first."""
        if save := self.save:
            if save.fault:
                return (f"✗ {save.fault}",)
            facts = [
                HELD if save.held else "",
                save.turn_and_phase,
                save.acts_text,
                self._written,
                save.system,
            ]
        elif self.fault:
            return (f"✗ {self.first_fault}",)
        elif scenario := self.scenario:
            facts = [format_ship_count(scenario.battle), "yours" if self.own else "", scenario.system.title]
        else:
            return ()
        return tuple(filter(None, facts))

    @property
    def more(self) -> tuple[str, ...]:
        """The details below the list, as sentences."""
        name = to_one_line(self.path.name) if self.path else ""
        if save := self.save:
            if save.fault:
                return (save.fault,)
            held_text = "Another console has it open: you can watch, but nothing is recorded."
            last = f"last written {self._written}" if self._written else ""
            facts = (
                f"{save.title} · {save.system}",
                held_text if save.held else "",
                save.turn_and_phase,
                save.afloat,
            )
            return tuple(filter(None, (*facts, save.acts_text, last, name)))
        if self.fault:
            return ("Enter shows all that is wrong with it.", name)
        if self.scenario is not None:
            battle = self.scenario.battle
            title = f"{self.title} · {self.scenario.system.title}"
            return title, " · ".join(list_side_counts(battle)), "Enter shows its order of battle", name
        return (self.means,)

    @property
    def _written(self) -> str:
        """The time of the last change of a user's save as text, else ""."""
        return "" if self.save is None or self.kind is OfferKind.SAMPLE else self.save.written_text

    def draw(self, width: int) -> Content:
        """Render the offer in a width: its title, and the most important texts in a column next to it.

        In a small width they follow the title directly, in its style.
        """
        parts = list(self.about)
        if width < COLUMN_FROM or not parts:
            return literal(cut("   ".join((self.title, *parts)), width))
        # The titles get two fifths of the width.
        title_width = width * 2 // 5
        room = width - title_width - 2
        faulty = self.fault or (self.save is not None and self.save.fault)
        about = " · ".join(parts)
        while len(parts) > 1 and measure_width(about) > room:
            parts.pop()
            about = f"{' · '.join(parts)} {CUT}"
        style = "$text-error" if faulty else "$quiet"
        return Content.assemble(
            literal(fit(self.title, title_width)), literal(f"  {cut(about, room)}", style)
        )

    def is_match(self, letters: str) -> bool:
        """Return whether each typed word is found in the title, the file's name or the texts next to them."""
        text = " ".join((self.title, self.path.name if self.path else "", *self.about)).casefold()
        return all(word in text for word in letters.casefold().split())

    def with_ends(self, systems: Mapping[str, RuleSystem]) -> "Offer":
        """Return the offer with the facts from the two ends of its save, if none are known yet."""
        if self.path is None or not self.unread:
            return self
        save = read_ends(self.path, systems)
        return evolve(self, save=save, title=save.title)

    def read_through(self, systems: Mapping[str, RuleSystem]) -> "Offer":
        """Read the whole file of the offer, and return the offer with its facts or faults."""
        if self.path is None:
            return self
        if self.kind is not OfferKind.SCENARIO:
            save = read_whole(self.path, systems)
            return evolve(self, save=save, title=save.title)
        try:
            return evolve(self, scenario=view_scenario(self.path, systems))
        except QfError as fault:
            return evolve(self, fault=format_faults(fault), first_fault=format_first_fault(fault))
        except Exception as fault:  # noqa: BLE001 - a damaged file must not stop the others from being opened
            odd = format_odd_file(self.path, fault)
            return evolve(self, fault=(odd,), first_fault=odd)


def list_offers(systems: Mapping[str, RuleSystem]) -> list[Offer]:
    """List the offers of the base: saves, sample battles and scenarios.

    Only the names of files are read, and the two ends of the latest saves and of the samples.
    """
    offers: list[Offer] = []
    for place, path in enumerate(list_saves(find_own_folder("saves"))):
        kind = OfferKind.SAVE if place else OfferKind.NEWEST
        offer = Offer(kind, f"save:{path.name}", to_one_line(path.stem), path)
        offers.append(offer.with_ends(systems) if place <= LATEST else offer)
    samples = (
        Offer(OfferKind.SAMPLE, f"sample:{path.name}", path.stem, path)
        for path in list_saves(find_shipped_folder("saves"))
    )
    offers.extend(sample.with_ends(systems) for sample in samples)
    for file in list_shelf("scenarios"):
        title = to_one_line(file.title)
        offers.append(Offer(OfferKind.SCENARIO, f"scenario:{file.path}", title, file.path, own=file.own))
    return offers


def build_offer_lines(all_offers: Iterable[Offer], letters: str, all_saves: bool) -> list[PickLine]:
    """Build the lines of the offers that match the letters, by kind.

    Older saves are hidden behind one line, unless `all_saves` is True or letters are typed.
    """
    matching_offers = [offer for offer in all_offers if offer.is_match(letters)]
    titles = Counter(offer.title for offer in matching_offers if offer.save is not None)
    lines: list[PickLine] = []
    for kind in OfferKind:
        offers = [offer for offer in matching_offers if offer.kind is kind]
        if not offers:
            continue
        hides_older = kind is OfferKind.SAVE and not (all_saves or letters)
        hidden = max(0, len(offers) - LATEST) if hides_older else 0
        lines.append(build_heading_line(kind.value))
        shown_count = len(offers) - hidden
        for offer in offers[:shown_count]:
            # Saves with the same title, such as a battle and its branches, also show their files.
            has_same_title = offer.save is not None and titles[offer.title] > 1
            file = f"{to_one_line(offer.path.stem)}: " if has_same_title and offer.path else ""
            lines.append(PickLine(offer.key, evolve(offer, title=f"{file}{offer.title}").draw))
        if hidden:
            text = f"… {format_count(hidden, 'older save')}: Enter shows them, letters find them"
            lines.append(build_text_line(text, "$quiet", ALL_SAVES))
    return lines or [build_text_line(f"nothing matches “{letters}”: Esc shows all", "$quiet")]


class LazyOffers:
    """The offers by their keys; their files are read as needed."""

    def __init__(self, systems: Mapping[str, RuleSystem]) -> None:
        self.systems = systems
        self.offers: dict[str, Offer] = {}

    def refresh(self, more: Iterable[Offer] = ()) -> None:
        """List the offers of the base and `more` again, and keep the facts of unchanged files."""
        fresh = (
            offer.merge_known(self.offers.get(offer.key)) for offer in (*list_offers(self.systems), *more)
        )
        self.offers = {offer.key: offer for offer in fresh}

    def read_saves(self, most: int) -> bool:
        """Read the two ends of each of at most `most` unread saves; return whether a save was unread."""
        unread = [offer for offer in self.offers.values() if offer.unread][:most]
        self.offers |= {offer.key: offer.with_ends(self.systems) for offer in unread}
        return bool(unread)

    def read_next(self, keys: Iterable[str]) -> bool:
        """Read the whole file of the first of these offers that is not read; return whether there was one."""
        for key in keys:
            if (offer := self.offers.get(key)) and not offer.is_whole:
                self.offers[key] = offer.read_through(self.systems)
                return True
        return False


class StartScreen(FilterScreen[None]):
    """The first screen, with everything that can be opened.

    Attributes:
        opened: Takes the battle that is opened.
        fault: Lines about a file named on the command line that cannot be opened.
    """

    places = (START,)

    def __init__(
        self,
        systems: Mapping[str, RuleSystem],
        opened: Callable[[Session], None],
        fault: Sequence[str] = (),
    ) -> None:
        super().__init__()
        self.systems, self.opened, self.fault = systems, opened, tuple(fault)
        self.all_saves = False
        self.lazy_offers = LazyOffers(systems)
        self.parts = [feature.start(self) for feature in find_features() if feature.start is not None]

    def compose_below(self) -> ComposeResult:
        with VerticalScroll(id="start-fault"):
            yield SteadyText(Content(""), id="start-fault-text")

    def on_mount(self) -> None:
        self.show_fault(*self.fault)

    def on_screen_resume(self) -> None:
        """List the offers again, and go on reading their files."""
        self.lazy_offers.refresh(offer for part in self.parts for offer in part.list_offers())
        self.show()
        self._read_soon()

    def _read_soon(self) -> None:
        """Read on after the screen is drawn and waiting keys are handled."""
        self.app.call_later(self.call_later, self._read_on)

    @property
    def offer(self) -> Offer | None:
        """The offer under the cursor, or None."""
        return self.lazy_offers.offers.get(self.picks.word)

    def show(self, key: str = "") -> None:
        """Draw the offers that match the filter; the cursor goes to a key, or with "" stays on its line."""
        self.show_filter(
            title="qf-tui",
            subtitle="the umpire's console",
            invitation="type to filter",
            room=self.app.size.width - TITLES,
        )
        self.picks.show(
            build_offer_lines(self.lazy_offers.offers.values(), self.letters, self.all_saves), key
        )
        self.show_details()

    def render_about(self, width: int) -> list[Content]:
        """Render the details of the offer under the cursor: one line, then the rest wrapped."""
        first, *rest = self.offer.more if self.offer else ("",)
        lines = build_about_lines(" · ".join(rest), width, ABOUT - 1, "$quiet")
        return [*build_about_lines(first, width, 1), *lines]

    def _read_on(self) -> None:
        """Read the file under the cursor or another in sight; if all are read, the ends of some saves.

        The rest is read later.
        """
        if not self.is_current:
            return
        has_read = self.lazy_offers.read_next((self.picks.word, *self.picks.in_sight))
        if has_read:
            self.show()
        if has_read or self.lazy_offers.read_saves(AT_ONCE):
            self._read_soon()

    def narrow(self, letters: str) -> None:
        """List the offers that match these letters, with the cursor on the first; "" lists all."""
        # Letters are looked for in all saves.
        self.lazy_offers.read_saves(len(self.lazy_offers.offers))
        self.letters = letters
        self.show_fault()
        self.show()
        if letters:
            self.picks.go(0)
        self._read_on()

    def action_read_again(self) -> None:
        """Forget all facts and read every file again, since another program may have changed one."""
        self.lazy_offers = LazyOffers(self.systems)
        self.on_screen_resume()

    def action_show_all(self) -> None:
        """Clear the filter, so that every line shows; only older saves are hidden again."""
        self.all_saves = False
        self.narrow("")

    def on_pick_list_moved(self) -> None:
        self._read_on()

    def action_choose(self) -> None:
        """Open the line under the cursor: a battle, a scenario to view, all saves, or a feature's offer."""
        self.show_fault()
        offer = self.offer
        if self.picks.key == ALL_SAVES:
            self.all_saves = True
            self.lazy_offers.read_saves(len(self.lazy_offers.offers))
            self.show()
            self._read_on()
        elif offer is not None and offer.opens is not None:
            offer.opens()
        elif offer is not None and offer.path is not None:
            try:
                self._open(offer, offer.path)
            except QfError as fault:
                self.show_fault(*format_faults(fault))

    def _open(self, offer: Offer, path: Path) -> None:
        """Open an offer: view a scenario, or resume a save.

        A sample battle is first copied to the user's saves.
        """
        if offer.kind is OfferKind.SCENARIO:
            whole = offer.read_through(self.systems)
            if whole.scenario is None:
                self.show_fault(*whole.fault)
            else:
                screen = ScenarioScreen(whole.scenario, self.systems, self.opened)
                self.app.push_screen(screen)
        else:
            save = copy_on_shelf(path) if offer.kind is OfferKind.SAMPLE else path
            self.opened(Session.resume(save, self.systems))

    def show_fault(self, *lines: str, head: str = "This cannot be opened:") -> None:
        """Show a head and lines about what is wrong, in full; without lines, hide the box for them."""
        box = self.query_one("#start-fault")
        box.display = bool(lines)
        shown_lines = [literal(f"✗ {head}", "bold $text-error"), *map(literal, lines)]
        self.query_one("#start-fault-text", SteadyText).update(Content("\n").join(shown_lines))

    def action_help(self) -> None:
        self.app.push_screen(build_help_panel({place: self.find_keys(place) for place in (START, SCENARIO)}))

    def action_leave(self) -> None:
        """Quit; ask first if something would be lost."""
        lines = [literal(text) for part in self.parts if (text := part.find_unfinished())]
        if lines:
            show_panel(self.app, Panel("Quit?", lines, build_question_hints("quits")), self.app.exit)
        else:
            self.app.exit()
