"""The files of the tray, next to the save: the players' proposals and the replies to them.

Only the board's server writes `NAME.tray`, only the console writes `NAME.replies`; each follows the file of
the other. Neither is part of the battle: the save says which proposals entered.

Both are lines in the form of a save, each with the checksum of the line before. The first line has `beside`
("qf-tui"), `format` (1) and `save`. That is a digest (BLAKE2b, 12 bytes) of two texts: the `sum` in the
save's header, and the save's path. Next to a copy, a branch or another battle, a file therefore counts as
absent. Each later line has a `kind` (proposal, device; sent-back, opened, closed, declared, shown; damaged)
and the fields of its class here.
"""

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen

from qf_tui.core.errors import QfError
from qf_tui.core.text import format_count
from qf_tui.features.board import PROPOSAL
from qf_tui.journal.codec import decode_value, encode_value
from qf_tui.journal.disk import (
    HELD,
    REPLIES,
    SYSTEM_DISK,
    TRAY,
    WAIT,
    Disk,
    Lock,
    format_disk_fault,
    format_file_name,
    open_without_waiting,
    write_file,
)
from qf_tui.journal.lines import (
    Misread,
    decode_json,
    encode_json,
    list_sound_bodies,
    read_object,
    read_stated_sum,
    read_whole,
    seal,
    unseal,
)
from qf_tui.journal.reading import unseal_lines
from qf_tui.operating_systems import BINARY
from qf_tui.session.session import ActOrigin

TRAY_FORMAT = 1
TRAY_MOST = 5_000_000
"""Largest size of one of these files, in bytes."""
WAITING_MOST = 32
"""Largest number of waiting proposals of a seat."""
CLOSED_BEFORE = "declarations closed before it came"
PART = "/"
"""Separator between the id of a declaration and the place of an order in it."""
REMARK_MOST = 200
"""Largest length of a remark, in characters."""
_MINE = 0o600


@frozen
class Saw:
    """The facts that a player saw on his page when he proposed an order.

    Attributes:
        dice: Dice that were owed, or "".
        needs: Faces that bring each result.
        result: Digest of the result, or "" if none was shown.
        told: The result in words.
    """

    dice: str = ""
    needs: tuple[str, ...] = ()
    result: str = ""
    told: str = ""


@frozen
class Proposal:
    """An order that a player proposes, or his declaration.

    Attributes:
        id: Id, made by his device.
        seat: Id of his seat.
        by: Name of the player.
        orders: Resolved lines; only a declaration may have several, or none.
        dice: Faces of the one order.
        remark: Remark to the umpire.
        saw: Facts that the player saw.
        round: Key of the declarations that it belongs to, or "" if it may enter at once.
    """

    id: str
    seat: str
    by: str
    orders: tuple[str, ...]
    dice: tuple[int, ...] = ()
    remark: str = ""
    saw: Saw = Saw()
    round: str = ""

    @property
    def origin(self) -> ActOrigin:
        """The origin that its entry records."""
        return ActOrigin(self.by, {PROPOSAL: self.id})

    @property
    def line(self) -> str:
        """Its first order with the dice, as it may be typed."""
        return " ".join((*self.orders[:1], *map(str, self.dice)))


@frozen
class DeviceAsked:
    """The record that a device asks to propose from a seat (a player's link).

    Attributes:
        seat: Id of the seat.
        device: Digest of the device's key.
        token: Token of the link that it used.
    """

    seat: str
    device: str
    token: str = ""


@frozen
class SentBack:
    """The record that a proposal does not enter; `why` is the reason for its player."""

    id: str
    why: str


@frozen
class RoundOpened:
    """The record that declarations are open; declared orders are hidden until the round closes."""

    round: str
    phase: str


@frozen
class RoundClosed:
    """Declarations are closed; `taken` are ids of the declarations in force, in the order of their entry."""

    round: str
    taken: tuple[str, ...] = ()


@frozen
class Shown:
    """The record that the umpire looked at a declaration before the round was closed."""

    round: str
    seat: str


@frozen
class Damaged:
    """The record that a file of the tray was damaged.

    Attributes:
        line: Number of the first damaged line.
        lost: Number of lines lost.
        aside: Name of the file that keeps the damaged state, or "".
    """

    line: int
    lost: int
    aside: str = ""

    def format_damage(self, name: str) -> str:
        """Format the damage of the file with this name."""
        lost_text = format_count(self.lost, "line is lost", "lines are lost")
        copy_text = f"; {self.aside} is a copy of the damaged file" if self.aside else ""
        return (
            f"{name} was damaged at line {self.line}: {lost_text}, later lines that fit are kept{copy_text}"
        )


TrayItem = Proposal | DeviceAsked | Damaged
ReplyItem = SentBack | RoundOpened | RoundClosed | Proposal | Shown | Damaged
Kinds = Mapping[str, Any]
DECLARED = "declared"
"""Kind of a reply line that holds, under `proposal`, a declaration typed by the umpire for a player."""
TRAY_KINDS: Kinds = {"proposal": Proposal, "device": DeviceAsked, "damaged": Damaged}
REPLY_KINDS: Kinds = {
    "sent-back": SentBack,
    "opened": RoundOpened,
    "closed": RoundClosed,
    DECLARED: Proposal,
    "shown": Shown,
    "damaged": Damaged,
}


def build_part_id(id: str, place: int) -> str:
    """Return the id of one order of a declaration."""
    return f"{id}{PART}{place}"


def find_whole_id(id: str) -> str:
    """Return the id of the declaration that an order is part of, or the same id if there is none."""
    return id.partition(PART)[0]


def compute_battle_mark(save: str | os.PathLike[str], first_sum: str) -> str:
    """Return a mark that differs between a battle and its copies, from its header's checksum and its path."""
    place = os.path.realpath(save).encode("utf-8", "surrogateescape")
    return blake2b(first_sum.encode() + place, digest_size=12).hexdigest()


def find_tray_path(save: str | os.PathLike[str]) -> Path:
    """Return the path of the proposals file; all names of one save give the same path."""
    return Path(f"{os.path.realpath(save)}{TRAY}")


def find_replies_path(save: str | os.PathLike[str]) -> Path:
    """Return the path of the replies file."""
    return Path(f"{os.path.realpath(save)}{REPLIES}")


class TrayFault(QfError):
    """Raised if a line could not be written; the message says why and what to do."""


FileStamp = tuple[int, int, int, int] | None
"""Mark of a file's state, which differs after each change; None if there is no plain file."""


class BesideFile:
    """A followed file of the tray, next to the save; only its owner calls `append` and `repair`.

    Items that were read once are kept. If the file is damaged, cut, removed or replaced by an older copy,
    they stay in `items`, and its owner writes them back. Lines after a damaged one count if their checksums
    fit. A file of another battle counts as empty.

    Args:
        path: Path of the file.
        mark: Mark of the battle that the file must belong to.
        kinds: Class of an item by the `kind` of its line.
        disk: Functions that write to the disk.

    Attributes:
        items: All items that the file holds, or held, for this battle.
        fault: Description of what is wrong with the file, or "".
    """

    def __init__(self, path: Path, mark: str, kinds: Kinds, disk: Disk = SYSTEM_DISK) -> None:
        self.path, self._mark, self._kinds, self._disk = path, mark, kinds, disk
        self.items: tuple[Any, ...] = ()
        self.fault = ""
        self._damage: Damaged | None = None
        self._last_stamp: FileStamp = None
        self._lock: Lock | None = None
        self._forget()

    def _forget(self) -> None:
        """Forget the sound beginning of the file, with its items, last checksum and number of lines."""
        self._sound, self._sound_items = b"", list[Any]()
        self._last_sum, self._line_count = "", 0

    def look(self) -> bool:
        """Take in changes of the file, and return whether there are any; an absent file counts as empty."""
        stamp = self._read_stamp()
        if stamp == self._last_stamp:
            return False
        self._last_stamp = stamp
        state_before = self.items, self.fault
        later_lines = self._read_sound_lines(self._read_bytes() if stamp else b"")
        self._update_items(later_lines)
        return (self.items, self.fault) != state_before

    def _read_stamp(self) -> FileStamp:
        """Return the mark of the file's state, or None if there is no plain file."""
        with suppress(OSError, ValueError):
            status = self.path.lstat()
            if stat.S_ISREG(status.st_mode):
                return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
        return None

    def _read_bytes(self) -> bytes:
        """Return the bytes of the file, or b"" if it cannot be read."""
        with suppress(OSError, ValueError), open_without_waiting(self.path) as file:
            return file.read(TRAY_MOST)
        return b""

    def _read_sound_lines(self, data: bytes) -> list[bytes]:
        """Read the lines up to the first that is damaged or of another battle; return the whole lines after.

        Lines that were read before and have not changed are not decoded again.
        """
        if not data.startswith(self._sound):
            self._forget()
        sound_length, sound_count = len(self._sound), 0
        # The last part has no line feed, so it is not a whole line.
        new_lines = data[sound_length:].split(b"\n")[:-1]
        sound_bodies, _ = unseal_lines(new_lines, self._last_sum)
        with suppress(Misread):
            for body, line in zip(sound_bodies, new_lines, strict=False):
                item = self._decode_line(decode_json(body))
                if item is not None:
                    self._sound_items.append(item)
                sound_length += len(line) + 1
                sound_count += 1
                self._last_sum, self._line_count = read_stated_sum(line), self._line_count + 1
        self._sound = data[:sound_length]
        return new_lines[sound_count:]

    def _update_items(self, later_lines: Sequence[bytes]) -> None:
        """Update the items, the damage and the fault from what was read.

        Items that are no longer in the file are kept. `later_lines` are the whole lines after the sound ones:
        the first of them is damaged or of another battle.
        """
        # A sound header of another battle is no damage.
        has_other_header = (
            self._line_count == 0 and bool(later_lines) and unseal(later_lines[0], "") is not None
        )
        is_damaged = bool(later_lines) and not has_other_header
        recovered = self._recover(later_lines) if is_damaged else []
        lost_count = len(later_lines) - len(recovered)
        self._damage = Damaged(self._line_count + 1, lost_count) if is_damaged else None
        file_items = (*self._sound_items, *recovered)
        missing_count = len(set(self.items).difference(file_items))
        self.items = tuple(dict.fromkeys((*self.items, *file_items))) if missing_count else file_items
        name = format_file_name(self.path)
        memory_text = (
            f"{format_count(missing_count, 'line')} that it held kept from memory" if missing_count else ""
        )
        if self._damage is not None:
            self.fault = "; ".join(filter(None, (self._damage.format_damage(name), memory_text)))
        else:
            self.fault = f"{name} was removed, cut or replaced: {memory_text}" if memory_text else ""

    def _recover(self, later_lines: Sequence[bytes]) -> list[Any]:
        """Return the items of those lines whose checksum is right, after a damaged line.

        A checksum covers the line before, so this battle's header is put in the place of a damaged header.
        """
        header_line, _ = seal(encode_json({"n": 0, **self._header}), "")
        lines = list(later_lines) if self._line_count else [header_line.rstrip(b"\n"), *later_lines[1:]]
        items = []
        for body in list_sound_bodies(lines, self._last_sum):
            with suppress(Misread):
                items.append(self._decode_item(read_object(decode_json(body))))
        return items

    def _decode_line(self, body: object) -> Any:
        """Decode the next line into its item; return None for the header.

        Raises:
            Misread: The line cannot follow here.
        """
        raw = read_object(body)
        if self._line_count:
            if raw.get("n") != self._line_count:
                raise Misread("a line was lost")
            return self._decode_item(raw)
        if read_whole(raw.pop("n", -1)) != 0 or raw != self._header:
            raise Misread("of another battle")
        return None

    def _decode_item(self, raw: dict[str, Any]) -> Any:
        """Decode the item of a line.

        Raises:
            Misread: The line holds no item of this file.
        """
        # After damage any number will do; `_decode_line` compares it otherwise.
        read_whole(raw.pop("n", -1))
        name = str(raw.pop("kind", ""))
        kind = self._kinds.get(name)
        if kind is None:
            raise Misread("of no kind")
        if name == DECLARED:
            if raw.keys() != {"proposal"}:
                raise Misread("no declaration")
            raw = read_object(raw["proposal"])
        return decode_value(kind, raw)

    def _encode_item(self, item: TrayItem | ReplyItem) -> dict[str, object]:
        """Return the fields of the line that holds an item."""
        name = next(name for name, kind in self._kinds.items() if kind is type(item))
        body: dict[str, object] = encode_value(item, type(item))
        return {"kind": name, **({"proposal": body} if name == DECLARED else body)}

    @property
    def _header(self) -> dict[str, object]:
        """The fields of the first line, which show to which battle the file belongs."""
        return {"beside": "qf-tui", "format": TRAY_FORMAT, "save": self._mark}

    def append(self, item: TrayItem | ReplyItem) -> None:
        """Append an item and sync it to the disk.

        Raises:
            TrayFault: The item cannot be written or synced.
        """
        try:
            self._lock_and_repair()
            self._append_line(item)
        except Misread as fault:
            raise TrayFault(f"{format_file_name(self.path)} cannot hold it: {fault}.") from None
        except OSError as fault:
            raise TrayFault(
                f"{format_file_name(self.path)} cannot be written: {format_disk_fault(fault)}."
            ) from None

    def repair(self) -> None:
        """Rewrite the file if anything is wrong with it; ignore a failure to do so."""
        if self.fault:
            with suppress(OSError, TrayFault):
                self._lock_and_repair()

    def lock(self, wait: float = WAIT) -> str:
        """Lock the file for this process, trying for `wait` seconds; do nothing if it is locked already.

        Returns:
            The reason why the file cannot be locked, or "".
        """
        # Sets `_last_stamp`, which is None unless the path is a plain file.
        self.look()
        fault = ""
        if os.path.lexists(self.path) and self._last_stamp is None:
            fault = "this name is not a plain file; remove it"
        elif self._lock is None:
            lock = Lock(self.path)
            fault = lock.take(wait)
            self._lock = None if fault else lock
        if fault == HELD:
            fault = "another board or console uses it: stop that one"
        return f"{format_file_name(self.path)} cannot be written: {fault}." if fault else ""

    def _lock_and_repair(self) -> None:
        """Lock the file, and repair it so that it belongs to this battle and ends with a whole line.

        Raises:
            TrayFault: The file cannot be locked.
        """
        if refusal := self.lock():
            raise TrayFault(refusal)
        self.look()
        data = self._read_bytes()
        rest = data[len(self._sound) :]
        # Whole lines after the sound ones are damaged or of another battle; without lines there is no header.
        if self.fault or b"\n" in rest or not self._line_count:
            self._rewrite(data)
        elif rest:
            # Cut off a line that was not written to its end.
            with self._open_for_append() as file:
                self._disk.truncate(file, len(self._sound))

    def _rewrite(self, data: bytes) -> None:
        """Rename the present file, if it holds anything, and write a new one with all items.

        If the file was damaged, its last item records the damage and the new name of the damaged file.
        """
        damage, items = self._damage, self.items
        if data:
            paths = (self.path.with_name(f"{self.path.name}.other-{number}") for number in count(1))
            aside_path = next(path for path in paths if not os.path.lexists(path))
            self.path.rename(aside_path)
            if damage is not None:
                items = (*items, evolve(damage, aside=aside_path.name))
        lines, last_sum = [], ""
        for number, body in enumerate(({**self._header}, *map(self._encode_item, items))):
            line, last_sum = seal(encode_json({"n": number, **body}), last_sum)
            lines.append(line)
        write_file(self.path, b"".join(lines), over=True, mode=_MINE)
        self._forget()
        self.look()

    def _append_line(self, item: TrayItem | ReplyItem) -> None:
        """Write an item as the last line of the file, and sync it.

        Raises:
            OSError: The file is full, or the line cannot be written or synced. The next `_open` then reads
                the file again, and cuts off a line that is not whole.
        """
        line, line_sum = seal(encode_json({"n": self._line_count, **self._encode_item(item)}), self._last_sum)
        if len(self._sound) + len(line) > TRAY_MOST:
            raise OSError(f"it holds {TRAY_MOST // 1_000_000} MB and is full")
        with self._open_for_append() as file:
            if self._disk.write(file, line) != len(line):
                self._disk.truncate(file, len(self._sound))
                raise OSError("the disk is full")
            self._disk.fsync(file)
        self._last_stamp = self._read_stamp()
        self._sound += line
        self._last_sum, self._line_count = line_sum, self._line_count + 1
        self._sound_items.append(item)
        # `items` may also hold items that the file has lost.
        self.items = (*self.items, item)

    @contextmanager
    def _open_for_append(self) -> Iterator[int]:
        """Open the file inside the block, to write at its end; create it if needed."""
        file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | BINARY, _MINE)
        try:
            yield file
        finally:
            os.close(file)

    def close(self) -> None:
        """Release the lock for another program."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None


@frozen(slots=False)
class TrayState:
    """The items of both files of the tray."""

    tray: tuple[TrayItem, ...] = ()
    replies: tuple[ReplyItem, ...] = ()

    @cached_property
    def proposals(self) -> Mapping[str, Proposal]:
        """The first proposal with each id; those from phones come before those typed by the umpire."""
        first_by_id: dict[str, Proposal] = {}
        for item in (*self.tray, *self.replies):
            if isinstance(item, Proposal):
                first_by_id.setdefault(item.id, item)
        return first_by_id

    @cached_property
    def sent_back(self) -> Mapping[str, str]:
        """The reasons why proposals were sent back, by id; declarations that came too late are included."""
        late = {
            proposal.id: CLOSED_BEFORE
            for proposal in self.proposals.values()
            if proposal.round in self.closed and proposal.id not in self.closed[proposal.round].taken
        }
        return {**late, **{item.id: item.why for item in self.replies if isinstance(item, SentBack)}}

    @cached_property
    def closed(self) -> Mapping[str, RoundClosed]:
        """The closed rounds of declarations, by key."""
        return {item.round: item for item in self.replies if isinstance(item, RoundClosed)}

    @cached_property
    def open_round(self) -> RoundOpened | None:
        """The open declarations, or None."""
        rounds = [item for item in self.replies if isinstance(item, RoundOpened)]
        return rounds[-1] if rounds and rounds[-1].round not in self.closed else None

    def find_declared(self, round: str) -> Mapping[str, Proposal]:
        """Return the declaration of each seat in a round; seats without one are left out.

        The latest that the umpire typed for a player counts before the latest of the player's own.
        """
        declarations = [proposal for proposal in self.proposals.values() if proposal.round == round]
        typed_ids = {item.id for item in self.replies if isinstance(item, Proposal)}
        # Typed ones go last, because later ones replace earlier ones of the same seat.
        declarations.sort(key=lambda declaration: declaration.id in typed_ids)
        return {declaration.seat: declaration for declaration in declarations}

    def split_declared(self, names: Mapping[str, str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the names of players who have declared in the open round, and of players who have not.

        Args:
            names: Names of the players by seat; players of other seats are listed only if they have declared.
        """
        declarations = self.find_declared(self.open_round.round) if self.open_round is not None else {}
        other_names = sorted(
            declaration.by for seat, declaration in declarations.items() if seat not in names
        )
        declared_names = (name for seat, name in names.items() if seat in declarations)
        missing_names = (name for seat, name in names.items() if seat not in declarations)
        return (*declared_names, *other_names), tuple(missing_names)

    @cached_property
    def to_enter(self) -> tuple[Proposal, ...]:
        """The proposals that may enter: single ones, and each order of closed declarations as a proposal."""
        single_orders = [proposal for proposal in self.proposals.values() if not proposal.round]
        # A closed declaration may be missing, because its file was damaged.
        taken_ids = (id for closed_round in self.closed.values() for id in closed_round.taken)
        taken_declarations = [self.proposals[id] for id in taken_ids if id in self.proposals]
        return (
            *single_orders,
            *(part for declaration in taken_declarations for part in self.split(declaration)),
        )

    def split(self, proposal: Proposal) -> tuple[Proposal, ...]:
        """Split a declaration of a closed round into its orders.

        Returns:
            One proposal for each order; () if the declaration has no orders. Any other proposal is returned
            unchanged.
        """
        closed_round = self.closed.get(proposal.round)
        if closed_round is None or proposal.id not in closed_round.taken:
            return (proposal,)
        return tuple(
            evolve(proposal, id=build_part_id(proposal.id, place), orders=(order,), round="")
            for place, order in enumerate(proposal.orders)
        )

    def list_devices(self, seat: str, token: str) -> tuple[str, ...]:
        """Return the devices that asked for a seat by its present link, each once, the latest last."""
        requests = [item for item in reversed(self.tray) if isinstance(item, DeviceAsked)]
        devices = (request.device for request in requests if (request.seat, request.token) == (seat, token))
        return tuple(dict.fromkeys(devices))[::-1]


@frozen
class TrayFiles:
    """Both files of a battle; callers must write only the file that they own."""

    tray: BesideFile = field(eq=False)
    replies: BesideFile = field(eq=False)

    @classmethod
    def from_save(cls, save: Path, first_sum: str, disk: Disk = SYSTEM_DISK) -> "TrayFiles":
        """Return the files next to a save."""
        mark = compute_battle_mark(save, first_sum)
        return cls(
            BesideFile(find_tray_path(save), mark, TRAY_KINDS, disk),
            BesideFile(find_replies_path(save), mark, REPLY_KINDS, disk),
        )

    def look(self) -> bool:
        """Take in changes of both files, and return whether there are any."""
        return any([self.tray.look(), self.replies.look()])

    @property
    def state(self) -> TrayState:
        """The items of both files."""
        return TrayState(self.tray.items, self.replies.items)

    @property
    def faults(self) -> tuple[str, ...]:
        """The faults of the files, including those already repaired."""
        files = (self.tray, self.replies)
        earlier_faults = [
            item.format_damage(format_file_name(file.path))
            for file in files
            for item in file.items
            if isinstance(item, Damaged)
        ]
        return tuple(filter(None, (*earlier_faults, *(file.fault for file in files))))

    def close(self) -> None:
        self.tray.close()
        self.replies.close()
