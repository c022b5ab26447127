"""The film of a battle: its entries one by one, as a viewer may see them once it is over; its web page."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import zip_longest

from attrs import asdict, frozen

from qf_tui.core.builtin_forms import NOTE
from qf_tui.core.declarations import Span, list_losses
from qf_tui.core.system import RuleSystem, find_phase
from qf_tui.core.timeline import Correction, State, Timeline, apply_ruling
from qf_tui.core.values import Battle, Ship
from qf_tui.document.acts import find_question
from qf_tui.document.html import render
from qf_tui.features.board.page import EntryView
from qf_tui.features.board.values import ALL, EMPTY_NOTE, BoardSwitch, ViewerBattle, is_hidden
from qf_tui.features.board.view import build_known_entry, build_whole_entry, list_heads
from qf_tui.features.report.curve import Curve
from qf_tui.features.report.document import BattleMoment
from qf_tui.features.report.page import ACROSS, build_plot, build_turns

Box = tuple[Span, ...]
Log = tuple[int, tuple[Box, ...]]
"""The state of a ship (0: not yet there, 1: in the battle, 2: out of it), and the boxes of each column."""


@frozen(kw_only=True)
class Frame(BattleMoment):
    """One frame of a film: the battle after an entry.

    Attributes:
        entry: Entry before the frame; None at the start.
        lost: True if the entry lost ships.
        logs: Logs of all ships.
    """

    entry: EntryView | None = None
    lost: bool = False
    logs: tuple[Log, ...]


@frozen(kw_only=True)
class Film:
    """The film of a whole battle.

    Attributes:
        system: Rule system of the battle.
        title: Title of battle and viewer.
        fleets: Name of each side, with all ships that ever took part, in the order of the logs.
        frames: Frames in play order; the first is the start.
        about: Number of the entry that each correction is about, by number of the correction.
    """

    system: RuleSystem
    title: str
    fleets: tuple[tuple[str, tuple[Ship, ...]], ...]
    frames: tuple[Frame, ...]
    about: Mapping[int, int]


def build_film(system: RuleSystem, timeline: Timeline, viewer: str | None) -> Film:
    """Build the film of a battle as far as a viewer may know it.

    It shows the entries in force in play order, so a corrected entry appears once, in its present form.

    Args:
        timeline: Timeline of what the viewer may know.
        viewer: `ALL`, the id of a side, or None for everything that the umpire knows.
    """
    # `timeline` has only what the viewer may know, so the film may show all of it.
    known = ViewerBattle(system, timeline, viewer or ALL, BoardSwitch.AT_ONCE)
    battle = timeline.battle
    fleets = tuple(
        (side.name, tuple(ship for ship in battle.ships.values() if ship.side == side.id))
        for side in battle.sides
    )
    ships = [ship.id for _, fleet in fleets for ship in fleet]
    frames = tuple(_build_frames(known, ships, umpire=viewer is None))
    titles = str(battle.table.get("title") or system.title), battle.find_side_name(viewer) if viewer else ""
    return Film(
        system=system,
        title=" · ".join(filter(None, titles)),
        fleets=fleets,
        frames=frames,
        about=_map_corrections(timeline, {frame.entry.number for frame in frames if frame.entry}),
    )


def _map_corrections(timeline: Timeline, shown_entries: AbstractSet[int]) -> Mapping[int, int]:
    """Return the entry that each correction is about, for entries that the film shows."""
    entry_by_correction: dict[int, int] = {}
    for act in timeline.log:
        if isinstance(act, Correction):
            # A correction of a correction is about the same entry.
            entry_by_correction[act.number] = entry_by_correction.get(act.targets[0], act.targets[0])
    return {number: entry for number, entry in entry_by_correction.items() if entry in shown_entries}


def _build_frames(known: ViewerBattle, ships: Sequence[str], *, umpire: bool) -> Iterator[Frame]:
    """Yield the frame of the start and one for each entry that is shown."""
    timeline = known.timeline

    columns = known.system.columns
    # For each ship: the values that her log shows, and the log.
    drawn_logs: dict[str, tuple[tuple[object, ...], Log]] = {}

    def build_log(battle: Battle, id: str) -> Log:
        ship = battle.ships.get(id)
        # A log starts with 0 before the ship joins, 1 while she is afloat, 2 once she is not.
        if ship is None:
            return 0, ((),) * len(columns)
        # Draw a ship's log again only if something that it shows has changed.
        shown_values = known.system.list_shown_values(battle, ship)
        if id not in drawn_logs or drawn_logs[id][0] != shown_values:
            boxes = tuple(known.system.cell(battle, ship, column) for column in columns)
            drawn_logs[id] = shown_values, (1 if ship.afloat else 2, boxes)
        return drawn_logs[id][1]

    def build_logs(battle: Battle) -> tuple[Log, ...]:
        return tuple(build_log(battle, id) for id in ships)

    before = timeline.start
    yield Frame(turn=before.turn, phase=before.phase, place=0, logs=build_logs(before))
    for place, number in enumerate(timeline.play_order, 1):
        after = apply_ruling(before, number, timeline.rulings[number])
        entry = _build_entry(known, number, before, after, umpire=umpire)
        if entry is not None:
            yield Frame(
                turn=after.turn,
                phase=after.phase,
                place=place,
                entry=entry,
                lost=any(list_losses(before, after)),
                logs=build_logs(after),
            )
        before = after


def _build_entry(
    known: ViewerBattle, number: int, before: Battle, after: Battle, *, umpire: bool
) -> EntryView | None:
    """Return an entry as the viewer knows it, or None if he knows nothing of it.

    Remarks to the viewer are entries too. Answers to scheduled questions are shown only to the umpire.
    """
    timeline = known.timeline
    version = timeline.versions[number]
    order = version.order
    if not is_hidden(version):
        return build_known_entry(known, number, before, after)
    # `EMPTY_NOTE` replaces an entry that the viewer may not know.
    if timeline.rulings[number].state is not State.STANDS or version is EMPTY_NOTE:
        return None
    # A hidden entry that is no note answers a scheduled question.
    if order.form is not NOTE:
        if not umpire:
            return None
        return build_whole_entry(known, number, before, find_question(timeline, number, order.key))
    phase = find_phase(known.system, before.phase).title
    remark = " ".join(order.list_texts("text"))
    return EntryView(turn=before.turn, phase=phase, text=remark, why=remark, number=number)


def render_film(film: Film, curve: Curve | None) -> str:
    """Render the page of a film, which needs no network.

    Args:
        curve: Curve with one point for each frame but the first, or None.
    """
    frames = film.frames
    last_index = max(1, len(frames) - 1)
    return render(
        "features/film/film.html",
        film=film,
        rows=max(len(ships) for _, ships in film.fleets),
        data=pack_film(film, curve),
        curve=curve,
        plot=build_plot(curve) if curve else None,
        turns=build_turns([frame.turn for frame in frames[1:]]),
        # The events on the time line: the place in percent, whether ships were lost, and the entry.
        marks=[
            (round(at / last_index * 100, 2), frame.lost, frame.entry)
            for at, frame in enumerate(frames)
            if frame.entry and frame.entry.events
        ],
        across=ACROSS,
    )


def pack_film(film: Film, curve: Curve | None) -> dict[str, object]:
    """Convert a film to plain data: each box once, and for each frame the differences from the one before.

    All logs together are one row of numbers: for each ship her state, then the numbers of her boxes. `log` of
    a frame lists the differences in this row: a place, the new number there, the next place, and so on. The
    first frame lists the whole row. `gained` is advantage and luck.
    """
    box_numbers: dict[Box, int] = {}
    frames = []
    logs_before: tuple[Log, ...] = ()
    phases = [phase.name for phase in film.system.phases]
    numbers_per_ship = len(film.system.columns) + 1

    def list_numbers(log: Log | None) -> tuple[int, ...]:
        """Return the ship's state and the numbers of her boxes; a new box gets the next number."""
        if log is None:
            return ()
        state, boxes = log
        return state, *(box_numbers.setdefault(box, len(box_numbers)) for box in boxes)

    for at, frame in enumerate(film.frames):
        differences: list[int] = []
        for ship, (old, log) in enumerate(zip_longest(logs_before, frame.logs)):
            # The log of a ship that shows no change is the same object as before.
            if log is old:
                continue
            numbers = zip_longest(list_numbers(old), list_numbers(log))
            for column, (old_number, new_number) in enumerate(numbers):
                if old_number != new_number:
                    differences += (ship * numbers_per_ship + column, new_number)
        # The first frame has no point.
        point = curve.points[at - 1] if curve and at else None
        entry_data = asdict(frame.entry) if frame.entry else {}
        frames.append(
            {
                "turn": frame.turn,
                "at": phases.index(frame.phase),
                "entry": {name: value for name, value in entry_data.items() if value},
                "log": differences,
                "gained": (round(point.advantage, 2), round(point.luck, 2)) if point else (0, 0),
            }
        )
        logs_before = frame.logs
    return {
        "boxes": [[(span.text, span.tone) for span in box] for box in box_numbers],
        "frames": frames,
        "phases": [phase.title for phase in film.system.phases],
        "heads": [asdict(head) for head in list_heads(film.system)],
        "fleets": [
            {"name": name, "ships": [{"id": ship.id, "name": ship.name} for ship in ships]}
            for name, ships in film.fleets
        ],
        "about": film.about,
    }
