"""The tray: what players propose to an open battle, and what they are answered, in two files beside the save.

`NAME.tray` is written by the server of the board alone, `NAME.replies` by the console alone; each follows the
other's. Both are lines as a save has them, each with the checksum of the line before. Their first line names
the save and its place on the disk: beside a copy, a branch or another battle they count as absent. Neither is
any part of the battle: what is in is read from the save.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import Any

from qf_tui.core.errors import QfError
from qf_tui.core.frozen import evolve, field, frozen
from qf_tui.journal.codec import decoded, encoded
from qf_tui.journal.disk import (
    HELD,
    REPLIES,
    SYSTEM_DISK,
    TRAY,
    WAIT,
    Disk,
    Lock,
    fault_words,
    name_of,
    open_plain_file,
    write_whole,
)
from qf_tui.journal.lines import Misread, object_of, parsed, seal, stated_sum, whole, written
from qf_tui.journal.reading import unsealed
from qf_tui.operating_systems import BINARY, sync_folder

TRAY_FORMAT = 1
TRAY_MOST = 5_000_000
"""Bytes in the longest of these files."""
WAITING_MOST = 32
"""Proposals of one seat that may wait."""
CLOSED_BEFORE = "declarations were closed before it came"
PART = "/"
"""What stands between the id of a declaration and the place of an order in it."""
REMARK_MOST = 200
"""Characters of a remark."""
_MINE = 0o600


@frozen
class Saw:
    """What a player was shown when he proposed: the dice, what they need, what would come of it.

    `result` is a digest of that result, "" where he was shown none; `told` says it in words.
    """

    dice: str = ""
    needs: tuple[str, ...] = ()
    result: str = ""
    told: str = ""


@frozen
class Proposal:
    """An order that a player proposes from his `seat`, by an id that his device made.

    `orders` are resolved lines, one but for declarations; `dice` the faces of that one. `round` is the key of
    the declarations that it belongs to, "" for what may enter at once.
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
    def line(self) -> str:
        """Its order as it may be typed."""
        return " ".join((*self.orders[:1], *map(str, self.dice)))


@frozen
class DeviceAsked:
    """A device, by a digest of its key, asks to propose from a seat, by the link that has this `token`."""

    seat: str
    device: str
    token: str = ""


@frozen
class SentBack:
    """A proposal does not enter; `why` is for who proposed it."""

    id: str
    why: str


@frozen
class RoundOpened:
    """Declarations are open: everybody declares, and nobody sees what."""

    round: str
    phase: str


@frozen
class RoundClosed:
    """Declarations are closed; `taken` are the ids of those that stand, in the order in which they enter."""

    round: str
    taken: tuple[str, ...] = ()


@frozen
class Declared:
    """What the umpire typed for a player; or, of one `shown`, whose declaration he looked at."""

    proposal: Proposal


@frozen
class Shown:
    """The umpire looked at a declaration before they were closed."""

    round: str
    seat: str


TrayItem = Proposal | DeviceAsked
ReplyItem = SentBack | RoundOpened | RoundClosed | Declared | Shown
_KINDS: Mapping[str, Any] = {
    "proposal": Proposal,
    "device": DeviceAsked,
    "sent-back": SentBack,
    "opened": RoundOpened,
    "closed": RoundClosed,
    "declared": Declared,
    "shown": Shown,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}


def part_of(id: str, place: int) -> str:
    """The id of one order of a declaration."""
    return f"{id}{PART}{place}"


def battle_mark(save: str | os.PathLike[str], first_sum: str) -> str:
    """What tells the battle of a save from its copies: its header's checksum, and where it lies."""
    place = os.path.realpath(save).encode("utf-8", "surrogateescape")
    return blake2b(first_sum.encode() + place, digest_size=12).hexdigest()


def tray_path(save: str | os.PathLike[str]) -> Path:
    """The file of what is proposed; two names of one save have one."""
    return Path(f"{os.path.realpath(save)}{TRAY}")


def replies_path(save: str | os.PathLike[str]) -> Path:
    """The file of what is answered."""
    return Path(f"{os.path.realpath(save)}{REPLIES}")


class TrayFault(QfError):
    """A line that is not in its file: why, and what to do."""


class BesideFile:
    """One of the two files, followed: `items` are all that it holds for this battle, so far as it is sound.

    A file of another battle holds nothing. `write` opens it for appending too.
    """

    def __init__(self, path: Path, mark: str, disk: Disk = SYSTEM_DISK) -> None:
        self.path, self._mark, self._disk = path, mark, disk
        self.items: tuple[Any, ...] = ()
        self._length, self._sum, self._number = 0, "", 0
        self._identity: tuple[int, int] | None = None
        self._lock: Lock | None = None

    def look(self) -> bool:
        """Takes in what is new; whether anything is another than before."""
        was = self.items
        identity, size = None, 0
        with suppress(OSError, ValueError):
            status = self.path.lstat()
            if stat.S_ISREG(status.st_mode):
                identity, size = (status.st_dev, status.st_ino), status.st_size
        if identity != self._identity or size < self._length:
            self.items, self._length, self._sum, self._number = (), 0, "", 0
            self._identity = identity
        if size > self._length:
            self._read_on()
        return self.items != was

    def _read_on(self) -> None:
        try:
            with open_plain_file(self.path) as file:
                file.seek(self._length)
                data = file.read(TRAY_MOST)
        except (OSError, ValueError):
            return
        lines, new = data.split(b"\n")[:-1], []
        with suppress(Misread):
            for body, line in zip(unsealed(lines, self._sum)[0], lines, strict=False):
                new.append(self._item(parsed(body)))
                self._length += len(line) + 1
                self._sum = stated_sum(line)
                self._number += 1
        self.items = (*self.items, *(item for item in new if item is not None))

    def _item(self, body: object) -> Any:
        """The item of a line, None of the first; Misread for one that cannot be there."""
        raw = object_of(body)
        if whole(raw.pop("n", -1)) != self._number:
            raise Misread("a line was lost")
        if not self._number:
            if raw != self._header:
                raise Misread("of another battle")
            return None
        kind = _KINDS.get(str(raw.pop("kind", "")))
        if kind is None:
            raise Misread("of no kind")
        return decoded(kind, raw)

    @property
    def _header(self) -> dict[str, object]:
        return {"beside": "qf-tui", "format": TRAY_FORMAT, "save": self._mark}

    def append(self, item: TrayItem | ReplyItem) -> None:
        """Adds an item, durably; TrayFault if it is not there, and then nothing is changed."""
        try:
            self._open()
            body = {"n": self._number, "kind": _NAMES[type(item)], **encoded(item, type(item))}
            self._put(body)
        except Misread as fault:
            raise TrayFault(f"{name_of(self.path)} cannot hold it: {fault}.") from None
        except OSError as fault:
            raise TrayFault(f"{name_of(self.path)} cannot be written: {fault_words(fault)}.") from None
        self.items = (*self.items, item)

    def hold(self, wait: float = WAIT) -> str:
        """Keeps others from writing it; why it cannot, else "". `wait`: the seconds for which it is tried."""
        self.look()
        why = ""
        if os.path.lexists(self.path) and self._identity is None:
            why = "what has its name is no plain file; take that away"
        elif self._lock is None:
            lock = Lock(self.path)
            why = lock.take(wait)
            self._lock = None if why else lock
        why = "another board or console holds it: stop that one" if why == HELD else why
        return f"{name_of(self.path)} cannot be written: {why}." if why else ""

    def _open(self) -> None:
        """Makes sure that it is this battle's, is held by nobody else, and ends with a whole line."""
        if refusal := self.hold():
            raise TrayFault(refusal)
        self.look()
        with suppress(FileNotFoundError):
            with open_plain_file(self.path) as file:
                data = file.read()
            if b"\n" in data[self._length :] or (data and not self._length):
                # Another battle's, or damaged: it stays under another name, and what is sound of it here.
                names = (self.path.with_name(f"{self.path.name}.other-{number}") for number in count(1))
                self.path.rename(next(name for name in names if not os.path.lexists(name)))
                if self._length:
                    write_whole(self.path, data[: self._length], mode=_MINE)
            elif len(data) > self._length:
                with self._opened() as end:
                    self._disk.truncate(end, self._length)
        if not self._length:
            self._put({"n": 0, **self._header})
            sync_folder(self.path)

    def _put(self, body: Mapping[str, object]) -> None:
        line, total = seal(written(body), self._sum)
        if self._length + len(line) > TRAY_MOST:
            raise OSError(f"it holds {TRAY_MOST // 1_000_000} MB and is full")

        with self._opened() as file:
            if self._disk.write(file, line) != len(line):
                self._disk.truncate(file, self._length)
                raise OSError("the disk is full")
            self._disk.fsync(file)
            status = os.fstat(file)
            self._identity = (status.st_dev, status.st_ino)
        self._length += len(line)
        self._sum, self._number = total, self._number + 1

    @contextmanager
    def _opened(self) -> Iterator[int]:
        file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | BINARY, _MINE)
        try:
            yield file
        finally:
            os.close(file)

    def close(self) -> None:
        """Lets another program write it."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None


@frozen(slots=False)
class TrayState:
    """What both files say together."""

    tray: tuple[TrayItem, ...] = ()
    replies: tuple[ReplyItem, ...] = ()

    @cached_property
    def proposals(self) -> Mapping[str, Proposal]:
        """All proposals by id, the first of each, in the order in which they came."""
        known: dict[str, Proposal] = {}
        for item in self.tray:
            if isinstance(item, Proposal):
                known.setdefault(item.id, item)
        for reply in self.replies:
            if isinstance(reply, Declared):
                known.setdefault(reply.proposal.id, reply.proposal)
        return known

    @cached_property
    def sent_back(self) -> Mapping[str, str]:
        """Why proposals were sent back, by id; also declarations that came once they were closed."""
        late = {
            each.id: CLOSED_BEFORE
            for each in self.proposals.values()
            if each.round in self.closed and each.id not in self.closed[each.round].taken
        }
        return {**late, **{item.id: item.why for item in self.replies if isinstance(item, SentBack)}}

    @cached_property
    def closed(self) -> Mapping[str, RoundClosed]:
        """The rounds of declarations that are closed, by key."""
        return {item.round: item for item in self.replies if isinstance(item, RoundClosed)}

    @cached_property
    def open_round(self) -> RoundOpened | None:
        """The declarations that are open."""
        opened = [item for item in self.replies if isinstance(item, RoundOpened)]
        return opened[-1] if opened and opened[-1].round not in self.closed else None

    def declared(self, round: str) -> Mapping[str, Proposal]:
        """The declaration of each seat that has made one, the latest; what the umpire typed counts first."""
        every = [each for each in self.proposals.values() if each.round == round]
        typed = {item.proposal.id for item in self.replies if isinstance(item, Declared)}
        every.sort(key=lambda each: each.id in typed)
        return {each.seat: each for each in every}

    def who_declared(self, names: Mapping[str, str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The players who have made one of those that are open, and who has not; `names` are by seats."""
        made = self.declared(self.open_round.round) if self.open_round is not None else {}
        others = sorted(each.by for seat, each in made.items() if seat not in names)
        declared = (name for seat, name in names.items() if seat in made)
        return (*declared, *others), tuple(name for seat, name in names.items() if seat not in made)

    @cached_property
    def to_enter(self) -> tuple[Proposal, ...]:
        """All that may enter: what was proposed by itself, and what stood as declarations were closed.

        Each order of a declaration is a proposal of its own.
        """
        alone = [each for each in self.proposals.values() if not each.round]
        taken = (id for closed in self.closed.values() for id in closed.taken)
        stood = [self.proposals[id] for id in taken if id in self.proposals]
        return (*alone, *(part for whole in stood for part in self.split(whole)))

    def split(self, whole: Proposal) -> tuple[Proposal, ...]:
        """Split a declaration that stood as declarations were closed into its orders.

        Returns:
            One proposal for each order; () for a declaration of no orders; any other proposal as it is.
        """
        closed = self.closed.get(whole.round)
        if closed is None or whole.id not in closed.taken:
            return (whole,)
        return tuple(
            evolve(whole, id=part_of(whole.id, place), orders=(order,), round="")
            for place, order in enumerate(whole.orders)
        )

    def devices(self, seat: str, token: str) -> tuple[str, ...]:
        """The devices that asked for a seat by its present link, each once, the latest last."""
        asks = [item for item in reversed(self.tray) if isinstance(item, DeviceAsked)]
        own = (ask.device for ask in asks if (ask.seat, ask.token) == (seat, token))
        return tuple(dict.fromkeys(own))[::-1]


@frozen
class TrayFiles:
    """Both files of a battle; who writes which is for its owner to keep to."""

    tray: BesideFile = field(eq=False)
    replies: BesideFile = field(eq=False)

    @classmethod
    def of(cls, save: Path, first_sum: str, disk: Disk = SYSTEM_DISK) -> "TrayFiles":
        """Those beside a save."""
        mark = battle_mark(save, first_sum)
        return cls(BesideFile(tray_path(save), mark, disk), BesideFile(replies_path(save), mark, disk))

    def look(self) -> bool:
        """Takes in what is new of both."""
        return any([self.tray.look(), self.replies.look()])

    @property
    def state(self) -> TrayState:
        """What they say together."""
        return TrayState(self.tray.items, self.replies.items)

    def close(self) -> None:
        self.tray.close()
        self.replies.close()
