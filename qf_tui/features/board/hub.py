"""The hub: one battle followed for all viewers, read once and encoded once for each kind of viewer."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from time import monotonic

from attrs import asdict, define, evolve, field, frozen

from qf_tui.core.errors import QfError
from qf_tui.document.acts import format_begun_phase
from qf_tui.features.board.inbox import Inbox
from qf_tui.features.board.links import (
    Links,
    Seat,
    find_links_path,
    format_device_code,
    load_links,
    save_links,
)
from qf_tui.features.board.page import Sealing, ShipView, View
from qf_tui.features.board.seats import (
    CONSOLE,
    SEALED,
    TABLE,
    SeatTold,
    SeatWork,
    build_seat_told,
    build_seat_work,
)
from qf_tui.features.board.values import ALL, BoardSwitch, Needs, ViewerBattle, build_viewer_battle
from qf_tui.features.board.view import build_ship_view, build_view, is_seed_known
from qf_tui.features.sealed_dice.seal import list_seal_texts
from qf_tui.features.sealed_dice.seed import find_seed_path
from qf_tui.features.sealed_dice.witness import find_witnesses
from qf_tui.library.settings import find_settings_file, load_settings
from qf_tui.session.clock import find_phase_start
from qf_tui.session.saves import LOOK_EVERY, Follower, report_meaningless_save

VIEWERS_MOST = 64
"""Largest number of event streams at a time."""
SILENT_S = 30.0
"""Seconds without a sign from its page after which a stream may have to make room for another."""
BEAT_S = 5
"""Seconds between two `beat` events."""


ID_LENGTH = 16


@frozen
class ViewEvent:
    """The event that sends a view to a viewer, as bytes."""

    data: bytes

    @property
    def id(self) -> str:
        """A digest of the bytes, so that the id reveals nothing more than they do."""
        return sha256(self.data).hexdigest()[:ID_LENGTH]


def encode_view(view: View | ShipView | SeatTold) -> bytes:
    """Encode a view as one line of JSON in UTF-8; equal views give equal bytes."""
    return _ENCODER.encode(view).encode("utf-8")


_ENCODER = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), sort_keys=True, default=partial(asdict, recurse=False)
)


def _encode_witnesses(ends: Iterable[tuple[str, str]], words: str) -> bytes:
    return _ENCODER.encode({"ends": [*ends], "words": words}).encode("utf-8")


BEAT, LOST = b"event: beat\ndata: 1\n\n", b"event: lost\ndata: 1\n\n"
AGAIN = b"retry: 2000\n\n"
"""Line that tells a browser to reconnect a lost stream after this number of milliseconds."""


class Full(Exception):
    """There is no room for another viewer."""


@define(eq=False)
class Hub:
    """A followed battle, its links, and the event streams of its viewers.

    Attributes:
        follower: Reader of the save that follows new acts.
        links: Secrets of viewers and players, and the switch.
        closed: True once all streams should end.
        changed: Event that is set at the next change; each change then puts a new event in its place.
        inbox: Tray that receives proposals.
    """

    follower: Follower
    links: Links
    closed: bool = False
    changed: asyncio.Event = field(factory=asyncio.Event)
    _heard: dict[str, float] = field(factory=dict)
    _events: dict[str, tuple[View, ViewEvent]] = field(factory=dict)
    _ships: dict[tuple[str, str], bytes | None] = field(factory=dict)
    _one_ship: asyncio.Lock = field(factory=asyncio.Lock)
    _stamp: tuple[int, int, int] | None = None
    _set: tuple[int, int, int] | None = None
    _minutes: int = 0
    _phase: tuple[object, float | None] = (None, None)
    _senseless: bool = False
    _witnessed: tuple[object, bytes] = field(factory=lambda: ((), _encode_witnesses((), "")))
    _calls: bool = field(init=False)
    inbox: Inbox = field(init=False)
    _work: dict[str, SeatWork] = field(factory=dict)
    _needed: Needs = field(factory=dict)
    _known: dict[str, ViewerBattle] = field(factory=dict)
    _told: dict[tuple[str, str], bytes] = field(factory=dict)
    _devices: dict[str, tuple[str, str]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.inbox = Inbox(self.save, self.follower.battle_id)
        # Checked only once: later, a viewer may learn only from the log he knows that the seed is revealed.
        self._calls = find_seed_path(self.save).exists()

    @property
    def save(self) -> Path:
        return self.follower.path

    @property
    def lost(self) -> bool:
        """True if the save cannot be followed now, so that pages show its last known state."""
        return bool(self.follower.lost) or self._senseless

    async def follow(self) -> None:
        """Check the save and the links for changes until the task is cancelled."""
        while True:
            self.look()
            await asyncio.sleep(LOOK_EVERY)

    def look(self) -> None:
        """Take in all changes of the save, the links, the clock and the tray."""
        battle = self.follower.read_changes()
        self._update_clock(moved=battle)
        if self._load_changed_links() or battle:
            # New dictionaries, because work in progress still writes its results into the old ones.
            self._events, self._ships, self._needed = {}, {}, {}
            self._known, self._work, self._told = {}, {}, {}
            self._senseless = False
            # The file may hold another battle now.
            links = self.links.add_sides(side.id for side in self.follower.battle.sides)
            links = links.add_seats(self.follower.battle)
            if links != self.links:
                self.links = links
                with suppress(QfError):
                    save_links(self.save, links)
            self._wake()
        if self.inbox.look(self.links, self.follower.battle_id):
            self.update_seats()

    def update_seats(self) -> None:
        """Update the players' pages after a change of the tray."""
        self._told = {}
        self._wake()

    def close(self) -> None:
        self.closed = True
        self.inbox.close()
        self._wake()

    def _wake(self) -> None:
        before, self.changed = self.changed, asyncio.Event()
        before.set()

    def _load_changed_links(self) -> bool:
        """Load the links file if it has changed; keep the present links if it cannot be read.

        Returns:
            True if the links are different.
        """
        stamp = _read_stamp(find_links_path(self.save))
        if stamp == self._stamp:
            return False
        self._stamp = stamp
        with suppress(QfError):
            kept = load_links(self.save)
            if kept is not None and kept != self.links:
                self.links = kept
                return True
        return False

    def _update_clock(self, *, moved: bool) -> None:
        """Read the minutes of a phase from the settings, and note once when the present phase began.

        Later entries in the phase do not move this time, so that nobody can tell that something was entered.
        """
        stamp = _read_stamp(find_settings_file())
        if stamp != self._set:
            self._set = stamp
            with suppress(QfError):
                self._minutes = load_settings().minutes
                self._wake()
        if not moved and self._phase[0] is not None:
            return
        opened_by, at = find_phase_start(self.follower.timeline)
        phase = self.follower.battle_id, opened_by
        if phase != self._phase[0]:
            now = self.follower.seconds
            began = None if now is None or at is None else monotonic() - max(0.0, now - at)
            self._phase = phase, began

    def find_clock(self) -> tuple[int, float] | None:
        """Return the minutes of a phase and the start of the present one in seconds of `monotonic`.

        Returns:
            Minutes and start, or None if there is no clock or the switch is `phase-end`.
        """
        began, known = self._phase[1], self.links.switch is not BoardSwitch.PHASE_END
        return (self._minutes, began) if self._minutes and known and began is not None else None

    def find_viewer(self, secret: str) -> str | None:
        """Return the viewer whose page a secret opens: "" for all, or a side; None for an unknown secret.

        The secret of a player opens the page of his side.
        """
        seat = self.links.find_seat(secret)
        viewer = seat.side if seat is not None else self.links.find_viewer(secret)
        return viewer if viewer == ALL or (viewer and self.follower.battle.find_side(viewer)) else None

    def find_seat(self, secret: str) -> Seat | None:
        """Return the seat that a secret belongs to, or None if it belongs to no seat in this battle."""
        return self.links.find_seat(secret) if self.find_viewer(secret) else None

    def find_seat_work(self, seat: Seat) -> SeatWork | None:
        """Return what a seat may do, or None if the rules cannot read the battle."""
        if seat.id not in self._work:
            system = self.follower.system
            with suppress(QfError), report_meaningless_save(system):
                known = self._known.get(seat.side)
                if known is None:
                    timeline, switch = self.follower.timeline, self.links.switch
                    known = build_viewer_battle(system, timeline, seat.side, switch, self._needed)
                    self._known[seat.side] = known
                sealed = SEALED if self._calls and not is_seed_known(known) else TABLE
                dice = CONSOLE if known.battle.table.get("dice") == CONSOLE else sealed
                self._work[seat.id] = build_seat_work(known, self.links, seat, dice)
        return self._work.get(seat.id)

    @property
    def acts(self) -> Mapping[str, int]:
        """The numbers of acts in the log by the ids of the proposals that they came from."""
        return self.inbox.find_acts(self.follower.timeline.log)

    def encode_seat(self, seat: Seat, stream: str) -> bytes | None:
        """Encode what a seat shows on the device of a stream; None if the rules cannot read the battle."""
        work, (_, device) = self.find_seat_work(seat), self._devices.setdefault(stream, (seat.id, ""))
        if work is not None and (seat.id, device) not in self._told:
            with suppress(QfError), report_meaningless_save(self.follower.system):
                told = build_seat_told(work, self.links, seat, self.inbox.state, self.acts)
                # A page that reconnects has not named its device yet. It never shows another device's code.
                here = device or seat.device
                state = "other" if seat.device else "waiting" if here else "none"
                state = "in" if here == seat.device != "" else state
                made = evolve(told, device=state, code=format_device_code(device))
                self._told[seat.id, device] = encode_view(made)
        return self._told.get((seat.id, device))

    def bind(self, seat: Seat, device: str, stream: str) -> None:
        """Record the device of a stream, as its page reports it; only that page knows the stream's name."""
        if self._devices.get(stream, ("", ""))[0] == seat.id:
            self._devices[stream] = seat.id, device
        self.update_seats()

    def build_page(self, viewer: str) -> tuple[View, ViewEvent] | None:
        """Return a viewer's page and its event, or None if the rules cannot read the battle."""
        if viewer not in self._events and not self._senseless:
            system = self.follower.system
            try:
                with report_meaningless_save(system):
                    sealing = Sealing(list_seal_texts(self.follower.extra), self._calls)
                    timeline, switch = self.follower.timeline, self.links.switch
                    made = build_view(system, timeline, viewer, switch, sealing, self._needed)
            except QfError:
                self._senseless = True
            else:
                self._events[viewer] = made, ViewEvent(encode_view(made))
        return self._events.get(viewer)

    def encode_witnesses(self) -> bytes:
        """Encode the witnesses of the log, each with the phase that it began, and the words of the last one.

        A phase that was taken back later is included, since all viewers saw it begin.
        """
        follower, known = self.follower, find_witnesses(self.follower)
        if known is not self._witnessed[0]:
            with suppress(QfError), report_meaningless_save(follower.system):
                numbers = (witness.number for witness in known)
                began = [format_begun_phase(follower.system, follower.timeline, number) for number in numbers]
                ends = [*zip(began, (witness.digest for witness in known), strict=True)]
                self._witnessed = known, _encode_witnesses(ends, known[-1].words if known else "")
        return self._witnessed[1]

    async def encode_ship(self, viewer: str, id: str) -> bytes | None:
        """Encode a viewer's page of a ship, or return None if she is not in the battle that he knows."""
        async with self._one_ship:
            kept, wanted = self._ships, (viewer, id)
            if wanted not in kept:
                known = self.follower.battle.ships.keys() | self.follower.timeline.start.ships.keys()
                kept[wanted] = await asyncio.to_thread(self._encode_ship, viewer, id) if id in known else None
                if kept[wanted] is None:
                    del kept[wanted]
                    return None
            return kept[wanted]

    def _encode_ship(self, viewer: str, id: str) -> bytes | None:
        system = self.follower.system
        with suppress(QfError), report_meaningless_save(system):
            made = build_ship_view(system, self.follower.timeline, viewer, self.links.switch, id)
            return encode_view(made) if made else None
        return None

    @contextmanager
    def register_stream(self) -> Iterator[str]:
        """Register a new stream inside the block and return its name.

        If there is no room, the stream whose page has been silent longest gives way, if it may.

        Raises:
            Full: There is no room.
        """
        if len(self._heard) >= VIEWERS_MOST:
            longest = min(self._heard, key=self._heard.__getitem__)
            if monotonic() - self._heard[longest] <= SILENT_S:
                raise Full
            del self._heard[longest]
            self._wake()
        name = token_hex()
        self._heard[name] = monotonic()
        try:
            yield name
        finally:
            self._heard.pop(name, None)
            self._devices.pop(name, None)

    def mark_alive(self, name: str) -> None:
        """Note that the page of a stream is still open."""
        if name in self._heard:
            self._heard[name] = monotonic()

    async def stream_events(self, secret: str, sent: str, name: str) -> AsyncIterator[bytes]:
        """Yield the events of the stream for a secret until the stream or the secret becomes invalid.

        Beats keep their own time, so that changes hidden from a viewer cannot move them.

        Args:
            secret: Secret of the viewer or player.
            sent: Id of the last event that the page has already received, or "".
            name: Name of the stream.
        """
        clock = asyncio.get_running_loop().time
        lost, beat, last, witness, counted = False, clock(), None, b"", None
        yield AGAIN + b"event: name\ndata: %b\n\n" % name.encode()
        while not self.closed and name in self._heard and (viewer := self.find_viewer(secret)) is not None:
            turned = self.changed
            shown = self.build_page(viewer)
            if shown and shown[1].id != sent:
                event = shown[1]
                sent = event.id
                yield b"id: %b\ndata: %b\n\n" % (event.id.encode(), event.data)
            seat = self.find_seat(secret)
            told = self.encode_seat(seat, name) if seat is not None else None
            if told is not None and told != last:
                last = told
                yield b"event: seat\ndata: %b\n\n" % told
            if witness != self.encode_witnesses():
                witness = self.encode_witnesses()
                yield b"event: witness\ndata: %b\n\n" % witness
            if (now := self.find_clock()) != counted:
                counted = now
                clocked = now and {"minutes": now[0], "seconds": round(monotonic() - now[1])}
                yield b"event: clock\ndata: %b\n\n" % json.dumps(clocked).encode()
            if self.lost != lost:
                lost = self.lost
                yield LOST if lost else BEAT
            if clock() >= beat:
                beat += BEAT_S * (1 + (clock() - beat) // BEAT_S)
                yield LOST if lost else BEAT
            with suppress(TimeoutError):
                await asyncio.wait_for(turned.wait(), max(0.0, beat - clock()))


def _read_stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        state = path.stat()
    except (OSError, ValueError):
        return None
    return state.st_ino, state.st_size, state.st_mtime_ns
