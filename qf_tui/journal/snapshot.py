"""The battle behind some act of a save, kept in the user's cache, so that a long save opens at once.

A snapshot is never believed. It lies in a folder of the user's own, never beside the save, so that nobody can
send one. Its name holds a digest of the lines that it stands for and of all that decided what they mean (the
`basis`: the program, the code of the rules, the charts); its first line is the digest of the rest. Missing,
stale, cut, changed or of anything else, it is as if it were not there.

Its second line is JSON, and so is the third, which is read when somebody looks back. Both hold battles:

`ships`        every state of a ship that is needed
`battles`      every battle that is needed: `ships` and `reserve` are places in the list above; `began` is the
               place of the battle as its phase began; `charts` are left out where they are those of the start
`at`           the places of the battles that are meant: in the second line the one behind those acts, in the
               third those before some places of the order of play

The second also has

`acts`         how many acts it stands for
`checkpoints`  those places
`order`        the entries in force, in the order of play; `aside` those of them that do not stand
`rulings`, `versions`  of entries that were corrected, the act that says how each stands and how it is played
`corrections`, `arrivals`  the acts that are corrections; those that bring ships
`seconds`      when the last of them was entered, since the battle began
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from itertools import chain
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

from attrs import asdict, evolve, field, frozen

from qf_tui.core.timeline import (
    CHUNK,
    Chain,
    Correction,
    LogAct,
    Numbered,
    Ruling,
    Timeline,
    Undecoded,
    Version,
    corrections_in,
)
from qf_tui.core.values import Battle, Ship
from qf_tui.journal.codec import ReadOrder, decode_act, decode_battle, decoded, encoded
from qf_tui.journal.lines import SENSELESS, Misread, list_of, object_of, parsed, whole, written

LEAST = 256
"""Acts from which on a save has one."""
EVERY = 512
"""Acts from one to the next while the battle is open."""
FILES_MOST = 60
"""Snapshots that are kept, the latest."""
CHECKPOINTS = 8
"""Battles before places of the order of play that one holds, the latest."""

PAUSE_S = 0.001
"""Seconds that are left to the keys between two pieces of work."""

Pause = Callable[[], object]
"""Called between two pieces of work, each of which takes less than a millisecond."""


@frozen
class Snapshot:
    """The battle behind so many `acts` of a log, and what a timeline needs besides them.

    `rulings` and `versions` name the act by an entry that was corrected.
    """

    acts: int
    battle: Battle
    checkpoints: Mapping[int, Battle]
    order: tuple[int, ...]
    aside: tuple[int, ...]
    rulings: Mapping[int, int] = field(factory=dict)
    versions: Mapping[int, int] = field(factory=dict)
    corrections: tuple[int, ...] = ()
    arrivals: tuple[int, ...] = ()
    seconds: float = 0.0

    def timeline(self, start: Battle, log: Chain[LogAct]) -> Timeline:
        """The timeline of a log of so many acts, none of which is decoded for it."""
        corrections = frozenset(self.corrections)
        entries = [number for number in range(1, self.acts + 1) if number not in corrections]

        def version(entry: int) -> Version:
            found = log[self.versions.get(entry, entry) - 1].version
            if found is None:
                raise Misread(f"there is no version of entry {entry}")
            return found

        def ruling(entry: int) -> Ruling:
            return log[self.rulings.get(entry, entry) - 1].rulings[entry]

        return Timeline(
            start,
            self.battle,
            log,
            Chain(self.order),
            Numbered.sought(entries, version),
            Numbered.sought(entries, ruling),
            self.aside,
            Numbered.sought(self.checkpoints, self.checkpoints.__getitem__),
            corrections_in(log, self.corrections),
        )


def snapshot_of(timeline: Timeline, before: Snapshot | None = None) -> Snapshot:
    """The snapshot of a timeline; `before` is an earlier one: only what came since is looked at."""
    known = before.acts if before else 0
    rulings, corrected = (dict(before.rulings), set(before.versions)) if before else ({}, set())
    arrivals, seconds = (list(before.arrivals), before.seconds) if before else ([], 0.0)
    for act in timeline.log[known:]:
        rulings.update({entry: act.number for entry in act.rulings if entry != act.number})
        if isinstance(act, Correction):
            corrected |= {target for target in act.targets if target in timeline.versions}
        seconds = max(seconds, act.at or 0.0)
        if act.version and act.version.arrivals:
            arrivals.append(act.number)
    last = list(timeline.checkpoints)[-CHECKPOINTS:]
    return Snapshot(
        len(timeline.log),
        timeline.battle,
        {place: timeline.checkpoints[place] for place in last},
        timeline.play_order[:],
        timeline.aside,
        rulings,
        _versions(timeline, corrected),
        timeline.corrections.numbers,
        tuple(arrivals),
        seconds,
    )


def _versions(timeline: Timeline, corrected: set[int]) -> dict[int, int]:
    """The act that has the version by which each corrected entry is played."""
    found: dict[int, int] = {}
    for entry in corrected:
        played = timeline.versions[entry]
        found[entry] = entry
        for number in reversed(timeline.corrections.numbers):
            act = timeline.log[number - 1]
            if isinstance(act, Correction) and entry in act.targets and act.version == played:
                found[entry] = number
                break
    return found


def undecoded(bodies: Sequence[bytes], read_order: ReadOrder) -> Chain[LogAct]:
    """The acts of lines, each decoded when somebody looks at it."""

    def decode(body: bytes) -> LogAct:
        return decode_act(parsed(body), read_order)

    return Chain.of(Undecoded(bodies[at : at + CHUNK], decode) for at in range(0, len(bodies), CHUNK))


def name_of_snapshot(first_sum: str, lines: bytes, basis: bytes) -> str:
    """The name of the snapshot for the first lines of a save, the header's among them."""
    return f"{first_sum}-{len(lines):09}-{sha256(basis + lines).hexdigest()[:40]}.json"


def find_snapshot(
    folder: Path, first_sum: str, data: bytes, basis: bytes, start: Battle, read_order: ReadOrder
) -> Snapshot | None:
    """The latest snapshot for lines which the `data` of a save begin with; None where there is none."""
    try:
        names = sorted((path.name for path in folder.glob(f"{first_sum}-*.json")), reverse=True)
    except OSError:
        return None
    for name in names:
        length = name.split("-")[1]
        lines = data[: int(length)] if length.isdecimal() else b""
        if name == name_of_snapshot(first_sum, lines, basis):
            found = _read(folder / name, start, read_order)
            if found is not None and found.acts == lines.count(b"\n") - 1:
                return found
    return None


def _read(path: Path, start: Battle, read_order: ReadOrder) -> Snapshot | None:
    """What a file holds; None where it is no whole snapshot."""
    try:
        digest, _, body = path.read_bytes().partition(b"\n")
        return _unpacked(body, start, read_order) if digest == _digest(body) else None
    except (OSError, *SENSELESS):
        return None


def _digest(body: bytes) -> bytes:
    return sha256(body).hexdigest().encode()


def _unpacked(body: bytes, start: Battle, read_order: ReadOrder) -> Snapshot:
    now, back = body.split(b"\n")
    raw = object_of(parsed(now))
    return Snapshot(
        whole(raw["acts"]),
        _battles(raw, start, read_order)[0],
        _Checkpoints(
            _numbers(raw["checkpoints"]), lambda: _battles(object_of(parsed(back)), start, read_order)
        ),
        _numbers(raw["order"]),
        _numbers(raw["aside"]),
        _by_number(raw["rulings"]),
        _by_number(raw["versions"]),
        _numbers(raw["corrections"]),
        _numbers(raw["arrivals"]),
        float(raw["seconds"]),
    )


class _Checkpoints(Mapping[int, Battle]):
    """Battles by places of the order of play, decoded when somebody asks for the first."""

    def __init__(self, places: tuple[int, ...], decode: Callable[[], Sequence[Battle]]) -> None:
        self._places, self._decode = places, decode

    @cached_property
    def _battles(self) -> Mapping[int, Battle]:
        return dict(zip(self._places, self._decode(), strict=True))

    def __getitem__(self, place: int) -> Battle:
        return self._battles[place]

    def __iter__(self) -> Iterator[int]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def _battles(raw: Mapping[str, Any], start: Battle, read_order: ReadOrder) -> list[Battle]:
    """The battles that a line means."""
    ships = [decoded(Ship, ship) for ship in list_of(raw["ships"])]
    battles: list[Battle] = []
    for packed in list_of(raw["battles"]):
        parts = object_of(packed)
        own, reserve = (
            {id: ships[whole(place)] for id, place in object_of(parts.pop(name)).items()}
            for name in ("ships", "reserve")
        )
        began = battles[whole(parts.pop("began"))] if "began" in parts else None
        battle = decode_battle({"charts": {}, **parts, "ships": {}}, read_order)
        charts = battle.charts if "charts" in parts else start.charts
        battles.append(
            evolve(battle, ships=own, reserve=reserve, began=began, charts=charts, plan=start.plan)
        )
    return [battles[at] for at in _numbers(raw["at"])]


def _numbers(value: object) -> tuple[int, ...]:
    return tuple(map(whole, list_of(value)))


def _by_number(value: object) -> dict[int, int]:
    return {int(key): whole(number) for key, number in object_of(value).items()}


class _Packing:
    """Battles as JSON, each state of a ship once; `pieces` does the work bit by bit, `body` gives it."""

    def __init__(self, battles: Sequence[Battle], start: Battle) -> None:
        self._packed, self._start = battles, start
        self._ships: list[bytes] = []
        self._battles: list[bytes] = []
        self._places: dict[int, int] = {}

    def pieces(self) -> Iterator[None]:
        """Does a piece of the work for each that is asked for."""
        for battle in self._packed:
            for each in (battle.began, battle):
                if each is not None and id(each) not in self._places:
                    yield from self._ships_of(each)
                    self._add(each)
                    yield

    def _ships_of(self, battle: Battle) -> Iterator[None]:
        for ship in (*battle.ships.values(), *battle.reserve.values()):
            if id(ship) not in self._places:
                self._places[id(ship)] = len(self._ships)
                self._ships.append(written(encoded(ship, Ship)))
                yield

    def _add(self, battle: Battle) -> None:
        charts = {} if battle.charts is self._start.charts else battle.charts
        body: dict[str, object] = encoded(evolve(battle, ships={}, charts=charts), Battle)
        if battle.charts is self._start.charts:
            body.pop("charts", None)
        if battle.began is not None:
            body["began"] = self._places[id(battle.began)]
        for name, ships in (("ships", battle.ships), ("reserve", battle.reserve)):
            body[name] = {ship: self._places[id(state)] for ship, state in ships.items()}
        self._places[id(battle)] = len(self._battles)
        self._battles.append(written(body))

    def body(self, **rest: object) -> bytes:
        """The line of JSON with all else that it holds, once the pieces are done."""
        ships, battles = b",".join(self._ships), b",".join(self._battles)
        rest["at"] = [self._places[id(battle)] for battle in self._packed]
        return b'{"ships":[%b],"battles":[%b],%b' % (ships, battles, written(rest)[1:])


class Snapshots:
    """The snapshots of an open battle in a folder, written behind its acts by a thread.

    `latest` is the one that the battle was opened by, or that was written last.
    """

    def __init__(
        self,
        folder: Path,
        first_sum: str,
        basis: bytes,
        recorded: Callable[[int, int], bytes],
        latest: Snapshot | None,
    ) -> None:
        self.latest = latest
        self._folder, self._first_sum, self._basis, self._recorded = folder, first_sum, basis, recorded
        self._thread: Thread | None = None

    def behind(self, timeline: Timeline, length: int) -> None:
        """Has a battle kept whose save is so many bytes long, if that is worth it by now; returns at once."""
        known = self.latest.acts if self.latest else 0
        busy = self._thread is not None and self._thread.is_alive()
        if len(timeline.log) >= known + EVERY and not busy:
            self._thread = Thread(
                target=self.write, args=(timeline, length, lambda: sleep(PAUSE_S)), daemon=True
            )
            self._thread.start()

    def write(self, timeline: Timeline, length: int, pause: Pause = lambda: None) -> None:
        """Keeps a battle whose save is so many bytes long; where the disk refuses there is no snapshot."""
        if len(timeline.log) < LEAST or (self.latest is not None and len(timeline.log) == self.latest.acts):
            return
        with suppress(OSError):
            lines = self._recorded(0, length)
            snapshot = snapshot_of(timeline, self.latest)
            name = name_of_snapshot(self._first_sum, lines, self._basis)
            body = _packed(snapshot, timeline.start, pause)
            _keep(self._folder, name, _digest(body) + b"\n" + body)
            self.latest = snapshot

    def drop(self) -> None:
        """Takes away what is kept of this battle."""
        self.latest = None
        with suppress(OSError):
            for path in self._folder.glob(f"{self._first_sum}-*"):
                path.unlink()


def battle_digest(battle: Battle, start: Battle) -> bytes:
    """What only this battle of that start has."""
    packing = _Packing((battle,), start)
    for _ in packing.pieces():
        pass
    return sha256(packing.body()).digest()


def _packed(snapshot: Snapshot, start: Battle, pause: Pause) -> bytes:
    now = _Packing((snapshot.battle,), start)
    back = _Packing(tuple(snapshot.checkpoints.values()), start)
    for _ in chain(now.pieces(), back.pieces()):
        pause()
    rest = asdict(snapshot, recurse=False, filter=lambda part, _: part.name not in ("battle", "checkpoints"))
    return now.body(**rest, checkpoints=tuple(snapshot.checkpoints)) + b"\n" + back.body()


def _keep(folder: Path, name: str, data: bytes) -> None:
    """Puts a file in place of earlier ones of its battle, and takes the oldest of all away."""
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f"{name}.{os.getpid()}.part"
    part.write_bytes(data)
    part.replace(folder / name)
    for path in folder.glob(f"{name.split('-', maxsplit=1)[0]}-*"):
        if path.name != name:
            path.unlink()
    for path in sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime)[:-FILES_MOST]:
        path.unlink()
