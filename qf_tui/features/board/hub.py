"""Follows one battle for all pages of the board; each page is built and encoded once for all its viewers.

The hub also has the event streams by which open pages learn of changes. Requests are answered in `serving`.
"""

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
    SeatContent,
    SeatWork,
    build_seat_content,
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
"""Seconds without a sign from its page after which another stream may take the place of a stream."""
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


def encode_view(view: View | ShipView | SeatContent) -> bytes:
    """Encode a view as one line of JSON in UTF-8; equal views give equal bytes."""
    return _ENCODER.encode(view).encode("utf-8")


_ENCODER = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), sort_keys=True, default=partial(asdict, recurse=False)
)


def _encode_witnesses(phase_digests: Iterable[tuple[str, str]], words: str) -> bytes:
    """Encode witnesses as JSON: each phase with its digest, and the words of the latest."""
    return _ENCODER.encode({"ends": [*phase_digests], "words": words}).encode("utf-8")


def _encode_clock(clock_start: tuple[int, float] | None) -> bytes:
    """Encode as JSON the minutes of a phase and the seconds since it began; null if there is no clock."""
    if clock_start is None:
        return b"null"
    minutes, began_at_s = clock_start
    return json.dumps({"minutes": minutes, "seconds": round(monotonic() - began_at_s)}).encode()


BEAT, LOST = b"event: beat\ndata: 1\n\n", b"event: lost\ndata: 1\n\n"
AGAIN = b"retry: 2000\n\n"
"""Line that tells a browser to reconnect a lost stream after this number of milliseconds."""


class Full(Exception):
    """Raised if there is no room for another viewer."""


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
    # The time at which the page of each stream last showed that it is open, by the stream's name.
    _last_signs: dict[str, float] = field(factory=dict)
    _views_by_viewer: dict[str, tuple[View, ViewEvent]] = field(factory=dict)
    # Encoded pages of ships, by viewer and ship.
    _ship_pages: dict[tuple[str, str], bytes] = field(factory=dict)
    _ship_lock: asyncio.Lock = field(factory=asyncio.Lock)
    _links_stamp: tuple[int, int, int] | None = None
    _settings_stamp: tuple[int, int, int] | None = None
    _minutes: int = 0
    # The battle, and the entry that began the present phase.
    _phase: tuple[str, int] | None = None
    # When it began, in seconds of `monotonic`, which does not jump if the computer's clock is set.
    _phase_began_at_s: float | None = None
    # True if the rules cannot read the battle.
    _is_meaningless: bool = False
    # The witnesses that are encoded in `_encoded_witnesses`.
    _witnesses: object = ()
    _encoded_witnesses: bytes = field(factory=lambda: _encode_witnesses((), ""))
    # True if dice are thrown by a call from a secret seed.
    _has_seed: bool = field(init=False)
    inbox: Inbox = field(init=False)
    _work_by_seat: dict[str, SeatWork] = field(factory=dict)
    _needs: Needs = field(factory=dict)
    _known_by_side: dict[str, ViewerBattle] = field(factory=dict)
    # Encoded parts of players, by seat and device.
    _encoded_seats: dict[tuple[str, str], bytes] = field(factory=dict)
    # The seat of each stream, and the digest of its device's key ("" until it is reported), by stream's name.
    _devices: dict[str, tuple[str, str]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.inbox = Inbox(self.save, self.follower.battle_id)
        # Checked only once: revealing the seed deletes the file, which viewers may learn only from the log.
        self._has_seed = find_seed_path(self.save).exists()

    @property
    def save(self) -> Path:
        """The path of the save."""
        return self.follower.path

    @property
    def lost(self) -> bool:
        """True while the save or its battle cannot be read; pages then show the last known state."""
        return bool(self.follower.lost) or self._is_meaningless

    async def follow(self) -> None:
        """Check the save and the links for changes until the task is cancelled."""
        while True:
            self.look()
            await asyncio.sleep(LOOK_EVERY)

    def look(self) -> None:
        """Take in all changes of the save, the links, the clock and the tray."""
        log_changed = self.follower.read_changes()
        self._update_clock(log_changed=log_changed)
        if self._load_changed_links() or log_changed:
            # New dictionaries, because work in progress still writes its results into the old ones.
            self._views_by_viewer, self._ship_pages, self._needs = {}, {}, {}
            self._known_by_side, self._work_by_seat, self._encoded_seats = {}, {}, {}
            self._is_meaningless = False
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
        """Drop the encoded pages of players and wake all streams, after a change of the tray."""
        self._encoded_seats = {}
        self._wake()

    def close(self) -> None:
        """End all streams, and release the tray for another board."""
        self.closed = True
        self.inbox.close()
        self._wake()

    def _wake(self) -> None:
        """Wake all streams that wait for a change."""
        # Streams that wait from now on wait for the next change.
        waited_on, self.changed = self.changed, asyncio.Event()
        waited_on.set()

    def _load_changed_links(self) -> bool:
        """Load the links file if it has changed; keep the present links if it cannot be read.

        Returns:
            True if the links are different.
        """
        stamp = _read_stamp(find_links_path(self.save))
        if stamp == self._links_stamp:
            return False
        self._links_stamp = stamp
        with suppress(QfError):
            stored = load_links(self.save)
            if stored is not None and stored != self.links:
                self.links = stored
                return True
        return False

    def _update_clock(self, *, log_changed: bool) -> None:
        """Read the minutes of a phase from the settings, and note when the present phase began.

        The start is noted only once for each phase. If later entries moved it, viewers could tell that
        something was entered. `log_changed` is True if the log has changed since the last call.
        """
        stamp = _read_stamp(find_settings_file())
        if stamp != self._settings_stamp:
            self._settings_stamp = stamp
            with suppress(QfError):
                self._minutes = load_settings().minutes
                self._wake()
        if not log_changed and self._phase is not None:
            return
        opened_by, began_at = find_phase_start(self.follower.timeline)
        phase = self.follower.battle_id, opened_by
        if phase != self._phase:
            self._phase, self._phase_began_at_s = phase, None
            now = self.follower.seconds
            if now is not None and began_at is not None:
                self._phase_began_at_s = monotonic() - max(0.0, now - began_at)

    def find_clock(self) -> tuple[int, float] | None:
        """Return the minutes of a phase, and the start of the present one in seconds of `monotonic`.

        Return None if there is no clock, the start is unknown, or the switch is `phase-end`.
        """
        began_at_s = self._phase_began_at_s
        is_shown = self.links.switch is not BoardSwitch.PHASE_END
        return (self._minutes, began_at_s) if self._minutes and is_shown and began_at_s is not None else None

    def find_viewer(self, secret: str) -> str | None:
        """Return the viewer whose page a secret opens: `ALL` or a side (for a player's secret, his side).

        Return None for an unknown secret, or if the side is not in the battle.
        """
        seat = self.links.find_seat(secret)
        viewer = seat.side if seat is not None else self.links.find_viewer(secret)
        if viewer is None:
            return None
        return viewer if viewer == ALL or self.follower.battle.find_side(viewer) else None

    def find_seat(self, secret: str) -> Seat | None:
        """Return the seat of a secret; None if this battle has no such seat, or players may not propose."""
        return self.links.find_seat(secret) if self.find_viewer(secret) else None

    def find_seat_work(self, seat: Seat) -> SeatWork | None:
        """Return what a seat may do, or None if the rules cannot read the battle."""
        if seat.id not in self._work_by_seat:
            system = self.follower.system
            with suppress(QfError), report_meaningless_save(system):
                known = self._known_by_side.get(seat.side)
                if known is None:
                    timeline, switch = self.follower.timeline, self.links.switch
                    known = build_viewer_battle(system, timeline, seat.side, switch, self._needs)
                    self._known_by_side[seat.side] = known
                if known.battle.table.get("dice") == CONSOLE:
                    dice = CONSOLE
                elif self._has_seed and not is_seed_known(known):
                    dice = SEALED
                else:
                    dice = TABLE
                self._work_by_seat[seat.id] = build_seat_work(known, self.links, seat, dice)
        return self._work_by_seat.get(seat.id)

    @property
    def acts(self) -> Mapping[str, int]:
        """The numbers of acts in the log by the ids of the proposals that they came from."""
        return self.inbox.find_acts(self.follower.timeline.log)

    def encode_seat(self, seat: Seat, stream: str) -> bytes | None:
        """Encode the player's part of his page, for the device of a stream.

        Returns:
            JSON, or None if the rules cannot read the battle.
        """
        work = self.find_seat_work(seat)
        _, device = self._devices.setdefault(stream, (seat.id, ""))
        if work is not None and (seat.id, device) not in self._encoded_seats:
            with suppress(QfError), report_meaningless_save(self.follower.system):
                content = build_seat_content(work, self.links, seat, self.inbox.state, self.acts)
                if not seat.device:
                    state = "waiting" if device else "none"
                else:
                    # A page that reconnects has not named its device yet. Until then it counts as the device
                    # that is let in, but shows no code.
                    state = "in" if device in ("", seat.device) else "other"
                with_device = evolve(content, device=state, code=format_device_code(device))
                self._encoded_seats[seat.id, device] = encode_view(with_device)
        return self._encoded_seats.get((seat.id, device))

    def record_device(self, seat: Seat, device: str, stream: str) -> None:
        """Record on which device the page of a seat's stream runs; only that page knows the stream's name."""
        stream_seat, _ = self._devices.get(stream, ("", ""))
        if stream_seat == seat.id:
            self._devices[stream] = seat.id, device
        self.update_seats()

    def build_page(self, viewer: str) -> tuple[View, ViewEvent] | None:
        """Return a viewer's page and its event, or None if the rules cannot read the battle."""
        if viewer not in self._views_by_viewer and not self._is_meaningless:
            system = self.follower.system
            try:
                with report_meaningless_save(system):
                    sealing = Sealing(list_seal_texts(self.follower.extra), self._has_seed)
                    timeline, switch = self.follower.timeline, self.links.switch
                    view = build_view(system, timeline, viewer, switch, sealing, self._needs)
            except QfError:
                self._is_meaningless = True
            else:
                self._views_by_viewer[viewer] = view, ViewEvent(encode_view(view))
        return self._views_by_viewer.get(viewer)

    def encode_witnesses(self) -> bytes:
        """Encode the witnesses of the log, each with the phase that begins there, and the words of the last.

        A phase that was taken back later is included, since all viewers saw it begin.
        """
        system, timeline = self.follower.system, self.follower.timeline
        witnesses = find_witnesses(self.follower)
        # The same tuple is found until there is another witness.
        if witnesses is not self._witnesses:
            with suppress(QfError), report_meaningless_save(system):
                phase_digests = [
                    (format_begun_phase(system, timeline, witness.number), witness.digest)
                    for witness in witnesses
                ]
                last_words = witnesses[-1].words if witnesses else ""
                self._encoded_witnesses = _encode_witnesses(phase_digests, last_words)
                self._witnesses = witnesses
        return self._encoded_witnesses

    async def encode_ship(self, viewer: str, id: str) -> bytes | None:
        """Encode a viewer's page of a ship in a thread, one at a time; None if there is no such page."""
        async with self._ship_lock:
            pages, key = self._ship_pages, (viewer, id)
            if key not in pages:
                # Do no work for ids that belong to no ship.
                ship_ids = self.follower.battle.ships.keys() | self.follower.timeline.start.ships.keys()
                page = await asyncio.to_thread(self._encode_ship, viewer, id) if id in ship_ids else None
                if page is None:
                    return None
                pages[key] = page
            return pages[key]

    def _encode_ship(self, viewer: str, id: str) -> bytes | None:
        """Encode a viewer's page of a ship.

        Return None if he knows no such ship, or if the rules cannot read the battle.
        """
        system = self.follower.system
        with suppress(QfError), report_meaningless_save(system):
            page = build_ship_view(system, self.follower.timeline, viewer, self.links.switch, id)
            return encode_view(page) if page else None
        return None

    @contextmanager
    def register_stream(self) -> Iterator[str]:
        """Register a new stream while the block runs, and yield its name.

        If all places are taken, the stream whose page has been silent longest loses its place, if that page
        was silent for more than `SILENT_S`.

        Raises:
            Full: No place is free.
        """
        if len(self._last_signs) >= VIEWERS_MOST:
            longest_silent = min(self._last_signs, key=self._last_signs.__getitem__)
            if monotonic() - self._last_signs[longest_silent] <= SILENT_S:
                raise Full
            del self._last_signs[longest_silent]
            self._wake()
        name = token_hex()
        self._last_signs[name] = monotonic()
        try:
            yield name
        finally:
            self._last_signs.pop(name, None)
            self._devices.pop(name, None)

    def mark_alive(self, name: str) -> None:
        """Note that the page of a stream is still open."""
        if name in self._last_signs:
            self._last_signs[name] = monotonic()

    async def stream_events(self, secret: str, last_event_id: str, name: str) -> AsyncIterator[bytes]:
        """Yield the events of a stream; each is sent only if its content has changed.

        The stream ends when the hub closes, another stream takes its place, or `secret` is no longer valid.
        Beats are sent at fixed times, so that they tell a viewer nothing of changes hidden from him.

        Args:
            secret: Secret of the viewer or player.
            last_event_id: Id of the last view that the page has already received, or "".
            name: Name of the stream.
        """
        clock = asyncio.get_running_loop().time
        # What was sent last, so that nothing is sent twice.
        sent_lost = False
        sent_seat = sent_witnesses = sent_clock = None
        next_beat = clock()
        yield AGAIN + b"event: name\ndata: %b\n\n" % name.encode()
        while not self.closed and name in self._last_signs:
            viewer = self.find_viewer(secret)
            if viewer is None:
                return
            # Taken before anything is sent, so that a change meanwhile is not missed.
            change_event = self.changed
            page = self.build_page(viewer)
            _, event = page or (None, None)
            if event is not None and event.id != last_event_id:
                last_event_id = event.id
                yield b"id: %b\ndata: %b\n\n" % (event.id.encode(), event.data)
            seat = self.find_seat(secret)
            seat_data = self.encode_seat(seat, name) if seat is not None else None
            if seat_data is not None and seat_data != sent_seat:
                sent_seat = seat_data
                yield b"event: seat\ndata: %b\n\n" % seat_data
            witnesses = self.encode_witnesses()
            if witnesses != sent_witnesses:
                sent_witnesses = witnesses
                yield b"event: witness\ndata: %b\n\n" % witnesses
            clock_start = self.find_clock()
            if clock_start != sent_clock:
                sent_clock = clock_start
                yield b"event: clock\ndata: %b\n\n" % _encode_clock(clock_start)
            if self.lost != sent_lost:
                sent_lost = self.lost
                yield LOST if sent_lost else BEAT
            if clock() >= next_beat:
                # Skip the times of beats that have passed.
                next_beat += BEAT_S * (1 + (clock() - next_beat) // BEAT_S)
                yield LOST if sent_lost else BEAT
            with suppress(TimeoutError):
                await asyncio.wait_for(change_event.wait(), max(0.0, next_beat - clock()))


def _read_stamp(path: Path) -> tuple[int, int, int] | None:
    """Return a mark of a file's state, which differs after a change; None if there is no such file."""
    try:
        state = path.stat()
    except (OSError, ValueError):
        return None
    return state.st_ino, state.st_size, state.st_mtime_ns
