"""A battle near the end of a save, kept in the user's cache, so that a long save opens at once.

A snapshot is never believed. It lies in a folder of the user's own, never beside the save, so that nobody can
send one. Its name holds a digest of the lines that it stands for and of all that decided what they mean (the
`basis`: the program, the code of the rules, the charts); its first line is the digest of the rest. Missing,
stale, cut, changed or of anything else, it is as if it were not there.

The rest is JSON: the facts of a `Snapshot`, and

`ships`     every state of a ship that is needed
`moments`   the battle, and before it the one as its phase began: `ships` and `reserve` are places in the list
            above; `charts` are left out where they are those of the start

So is a battle that is handed to another process.
"""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from itertools import chain, pairwise
from pathlib import Path
from threading import Thread
from time import sleep
from typing import TYPE_CHECKING, Any

from qf_tui.core.frozen import evolve, field, fields, frozen
from qf_tui.core.timeline import (
    CHECKPOINT_EVERY,
    CHUNK,
    Chain,
    Correction,
    Corrections,
    LogAct,
    Numbered,
    Ruling,
    Timeline,
    Version,
    played_on,
)
from qf_tui.core.values import Battle, Charts, Plan, Ship
from qf_tui.journal.codec import Header, ReadOrder, SaveRules, decode_battle, decoded, encoded
from qf_tui.journal.lines import SENSELESS, Misread, list_of, object_of, parsed, whole, written

if TYPE_CHECKING:
    from qf_tui.journal.saving import Journal

LEAST = 256
"""Acts from which on a save has one."""
EVERY = 512
"""Acts from one to the next while the battle is open."""
BEHIND = 100
"""Entries behind its battle at least: who corrects one of them needs no battle before that."""
FILES_MOST = 60
"""Snapshots that are kept, the latest."""
PAUSE_S = 0.005
"""Seconds that are left to the keys between two pieces of work, each of which takes less than that."""

Pause = Callable[[], object]
"""Called between two pieces of work; `bool` does nothing."""


@frozen
class Snapshot:
    """What a timeline of so many `acts` of a log needs, so that few of them are decoded.

    `battle` is the one before a `place` of the order of play. `order` has the first and the last of each run
    of entries that were played as they were numbered, `aside` those that do not stand.
    `rulings` are those acts that rule last on other entries, by entry; `versions` the entries that
    corrections amend, by correction. `arrivals` bring ships. `seconds` is when the last act was entered,
    `digest` that of the whole.
    """

    battle: Battle
    acts: int = 0
    place: int = 0
    order: tuple[tuple[int, int], ...] = ()
    aside: tuple[int, ...] = ()
    rulings: Mapping[int, int] = field(factory=dict)
    versions: Mapping[int, int] = field(factory=dict)
    corrections: tuple[int, ...] = ()
    struck: tuple[int, ...] = ()
    arrivals: tuple[int, ...] = ()
    seconds: float = 0.0
    digest: bytes = field(default=b"", eq=False)

    def timeline(self, start: Battle, log: Chain[LogAct]) -> Timeline:
        """The timeline of so many acts, of which only those behind the battle are decoded."""
        corrections = Corrections(self.corrections, frozenset(self.struck))
        entries = frozenset(range(1, self.acts + 1)).difference(self.corrections)
        amended = {entry: act for act, entry in self.versions.items() if act not in corrections.struck}

        def version(entry: int) -> Version:
            found = log[amended.get(entry, entry) - 1].version
            if found is None:
                raise Misread(f"there is no version of entry {entry}")
            return found

        def ruling(entry: int) -> Ruling:
            return log[self.rulings.get(entry, entry) - 1].rulings[entry]

        order = chain.from_iterable(range(first, last + 1) for first, last in self.order)
        values = Chain(order), Numbered({}, entries, version), Numbered({}, entries, ruling)
        return played_on(Timeline(start, self.battle, log, *values, self.aside, {}, corrections), self.place)


_FACTS = [each for each in fields(Snapshot) if each.name not in ("battle", "digest")]


def snapshot_of(timeline: Timeline, before: Snapshot | None = None, pause: Pause = bool) -> Snapshot:
    """The snapshot of a timeline; `before` is an earlier one: only what came since is looked at."""
    before = before or Snapshot(timeline.start)
    rulings, versions, arrivals = {**before.rulings}, {**before.versions}, [*before.arrivals]
    count, seconds = len(timeline.log), before.seconds
    for at in range(before.acts, count, CHUNK):
        for act in timeline.log[at : at + CHUNK]:
            rulings.update({entry: act.number for entry in act.rulings if entry != act.number})
            seconds = max(seconds, act.at or 0.0)
            if act.version is not None and isinstance(act, Correction):
                versions[act.number] = act.targets[0]
            if act.version is not None and act.version.arrivals:
                arrivals.append(act.number)
        pause()
    steps = pairwise((-1, *timeline.play_order, -1))
    breaks = [(before, after) for before, after in steps if after != before + 1]
    place = max(0, len(timeline.play_order) - BEHIND) // CHECKPOINT_EVERY * CHECKPOINT_EVERY
    return Snapshot(
        timeline.battle_at(place),
        count,
        place,
        tuple((first, last) for (_, first), (last, _) in pairwise(breaks)),
        timeline.aside,
        rulings,
        versions,
        timeline.corrections.numbers,
        tuple(sorted(timeline.corrections.struck)),
        tuple(arrivals),
        seconds,
    )


def name_of_snapshot(first_sum: str, lines: bytes, basis: bytes) -> str:
    """The name of the snapshot for the first lines of a save, the header's among them."""
    digest = sha256(basis)
    digest.update(lines)
    return f"{first_sum}-{len(lines):09}-{digest.hexdigest()[:40]}.json"


def find_snapshot(
    folder: Path, first_sum: str, data: bytes, header: Header, rules: SaveRules
) -> Snapshot | None:
    """The latest snapshot for lines which the `data` of a save begin with; lines of format 1 have none."""
    for path in sorted(folder.glob(f"{first_sum}-*.json"), reverse=True) if header.format > 1 else ():
        length = path.name.split("-")[1]
        lines = data[: int(length)] if length.isdecimal() else b""
        if path.name == name_of_snapshot(first_sum, lines, rules.basis()):
            with suppress(OSError, *SENSELESS):
                found = _unpacked(path.read_bytes(), header.start, rules.read_order)
                if found.acts == lines.count(b"\n") - 1:
                    return found
    return None


def _unpacked(data: bytes, start: Battle, read_order: ReadOrder) -> Snapshot:
    """What a file holds; SENSELESS where it is no whole snapshot."""
    digest, _, body = data.partition(b"\n")
    if digest != _digest(body):
        raise Misread("it is damaged")
    raw = object_of(parsed(body))
    facts = {each.name: decoded(each.type, raw[each.name]) for each in _FACTS}
    return Snapshot(battle_of(raw, start.charts, read_order), digest=digest, **facts)


def battle_of(raw: Mapping[str, Any], charts: Charts, read_order: ReadOrder) -> Battle:
    """The battle of such ships and moments; charts that are left out are those given."""
    ships = [decoded(Ship, ship) for ship in list_of(raw["ships"])]
    battle: Battle | None = None
    for moment in list_of(raw["moments"]):
        own, reserve = (
            {id: ships[whole(place)] for id, place in object_of(moment.pop(name)).items()}
            for name in ("ships", "reserve")
        )
        plan = decoded(Plan, moment.pop("plan"))
        bare = decode_battle({"charts": {}, **moment, "ships": {}}, read_order)
        known = bare.charts if "charts" in moment else charts
        battle = evolve(bare, ships=own, reserve=reserve, began=battle, plan=plan, charts=known)
    if battle is None:
        raise Misread("there is no battle")
    return battle


def _packed(snapshot: Snapshot, start: Battle, pause: Pause = bool) -> bytes:
    """A snapshot as its file holds it."""
    facts = {each.name: getattr(snapshot, each.name) for each in _FACTS}
    body = battle_bytes(snapshot.battle, facts, start.charts, pause)
    return _digest(body) + b"\n" + body


def battle_bytes(
    battle: Battle, facts: Mapping[str, object], charts: Charts | None = None, pause: Pause = bool
) -> bytes:
    """A battle at any moment, with what is still to come, and facts beside it; these charts are left out."""
    moments = (battle,) if battle.began is None else (battle.began, battle)
    states: dict[int, Ship] = {}
    for moment in moments:
        states |= {id(ship): ship for ship in (*moment.ships.values(), *moment.reserve.values())}
    places = {state: place for place, state in enumerate(states)}
    ships: list[bytes] = []
    for ship in states.values():
        ships.append(written(encoded(ship, Ship)))
        pause()
    bodies: list[dict[str, object]] = []
    for moment in moments:
        bare = evolve(moment, ships={}, charts={} if moment.charts is charts else moment.charts)
        parts: dict[str, object] = {**encoded(bare, Battle), "plan": encoded(moment.plan, Plan)}
        if moment.charts is charts:
            parts.pop("charts", None)
        for part, own in (("ships", moment.ships), ("reserve", moment.reserve)):
            parts[part] = {name: places[id(ship)] for name, ship in own.items()}
        bodies.append(parts)
    return b'{"ships":[%b],%b' % (b",".join(ships), written({"moments": bodies, **facts})[1:])


def digest_of(timeline: Timeline) -> bytes:
    """The digest that a snapshot of a timeline has."""
    return _packed(snapshot_of(timeline), timeline.start).partition(b"\n")[0]


def _digest(body: bytes) -> bytes:
    return sha256(body).hexdigest().encode()


class Snapshots:
    """The snapshots of an open battle in a folder, written behind its acts by a thread.

    `latest` is the one that the battle was opened by, or that was written last.
    """

    def __init__(
        self, folder: Path, journal: "Journal", basis: Callable[[], bytes], latest: Snapshot | None
    ) -> None:
        self.latest = latest
        self._folder, self._journal, self._basis = folder, journal, basis
        self._thread = Thread()

    def behind(self, timeline: Timeline) -> None:
        """Has a battle kept, just recorded, if that is worth it by now; returns at once."""
        known = self.latest.acts if self.latest else 0
        if len(timeline.log) >= known + EVERY and not self._thread.is_alive():
            work = (timeline, self._journal.length, lambda: sleep(PAUSE_S))
            self._thread = Thread(target=self.write, args=work, daemon=True)
            self._thread.start()

    def write(self, timeline: Timeline, length: int = 0, pause: Pause = bool) -> None:
        """Keeps a battle of so many recorded bytes, or all; where the disk refuses there is no snapshot."""
        if len(timeline.log) < LEAST or (self.latest is not None and len(timeline.log) == self.latest.acts):
            return
        with suppress(OSError):
            lines = self._journal.recorded(0, length)
            name = name_of_snapshot(self._journal.first_sum, lines, self._basis())
            snapshot = snapshot_of(timeline, self.latest, pause)
            self._folder.mkdir(parents=True, exist_ok=True)
            part = self._folder / f"{name}.{os.getpid()}.part"
            part.write_bytes(_packed(snapshot, timeline.start, pause))
            part.replace(self._folder / name)
            self.drop(name)
            self.latest = snapshot

    def drop(self, but: str = "") -> None:
        """Takes away what is kept of this battle, but for one file, and the oldest of all."""
        self.latest = None
        with suppress(OSError):
            own = [path for path in self._folder.glob(f"{self._journal.first_sum}-*") if path.name != but]
            known = sorted(self._folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
            for path in {*own, *known[:-FILES_MOST]}:
                path.unlink()
