"""Plays a heavy turn whose players propose all orders from phones, and counts the umpire's keys.

`python -m tests.tools.pace --tray` prints them next to the keys for the same entries typed by hand, with the
words that the umpire is shown. It is turn 9 of the golden Yellow Sea and the orders of `MORE`: twelve ships a
side act. Phones propose through the inbox of a board; the umpire presses the console's own keys. He looks
through all waiting proposals, sends five back (table contradicts, or proposed twice), and corrects two dice
after they are entered. Nothing enters automatically.
"""

import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from attrs import define, field, frozen

from qf_tui.console.battle.screen import BattleScreen
from qf_tui.console.entry.controller import CorrectionPreview as Correction
from qf_tui.console.entry.controller import EndPhase
from qf_tui.console.entry.form_state import DICE_FIELD, Filling
from qf_tui.console.history.screen import History
from qf_tui.console.reading.announcements import TableChanges
from qf_tui.core.timeline import Timeline
from qf_tui.features.board.hub import Hub
from qf_tui.features.board.inbox import MessageRefused
from qf_tui.features.board.links import Links, Seat, compute_device_digest, compute_token, save_links
from qf_tui.features.board.part import find_part
from qf_tui.features.board.tray_screen import TrayScreen
from qf_tui.session import Session
from qf_tui.session.saves import Follower
from tests.console.playing import Table, list_keys, play
from tests.systems import find_our_systems, load_start
from tests.tools.pace import GOLDEN, Pace, Umpire, read_orders

TURN = 9
SEARCHED = 7
"""Lines in the history above which the umpire types three letters of the ship instead."""
DEVICE = "0f" * 16
MORE = {
    "movement": ("move hashidate 5", "move asama 5", "move vynoslivy 8", "move vlastny 8"),
    "first-gunnery": (
        "fire yakumo heavy askold 20in 4 8",
        "fire kasagi light pallada 20in 6 3",
        "fire takasago light diana 20in 9 2",
        "fire chitose light novik 20in 3 11",
        "fire hashidate light pallada 22in 2 6",
        "fire asama heavy askold 22in 8 1",
        "fire askold light yakumo 20in 7 5",
        "fire pallada light kasagi 20in 2 9",
        "fire diana light takasago 20in 8 8",
        "fire novik light chitose 20in 5 10",
    ),
}
"""Further orders in a phase, besides those of the golden battle."""


@frozen
class Doubt:
    """A proposal that the umpire sends back: the order as its player corrects it, and as first given."""

    right: str
    wrong: str


DOUBTS = (
    Doubt("move novik 6", "move novik 8"),
    Doubt("fire retvizan light asahi 20in 4 10", "fire retvizan light mikasa 20in 4 10"),
    Doubt("fire sevastopol light kasuga 20in 11 1", "fire sevastopol light nisshin 20in 11 1"),
)
"""Proposals that the umpire sees to be wrong, but the rules do not."""
TWICE = ("fire mikasa heavy tsesarevich 20in 10 9", "repair nisshin heavy 9")
"""Orders proposed twice, the second time with other dice; the second is sent back."""
MISREAD = {
    "fire pobeda light fuji 20in 2 5": (2, 6),
    "fire askold light yakumo 20in 7 5": (7, 6),
}
"""Dice that are corrected after they are entered."""


def begin(path: Path | None = None) -> tuple[Session, dict[str, tuple[str, ...]]]:
    """Begin the battle at the start of the turn; return its players' orders by phase, too."""
    session = Session.begin(*load_start("yellow-sea-1904"), path)
    lines = iter(read_orders(GOLDEN))
    while session.battle.turn < TURN:
        session.enter(next(lines))
    phases = [phase.name for phase in session.system.phases]
    orders: dict[str, tuple[str, ...]] = dict.fromkeys(phases, ())
    for line in lines:
        if line == "next":
            phase = phases.pop(0)
            orders[phase] += MORE.get(phase, ())
            if not phases:
                break
        elif not line.startswith(("note", "roll")):
            orders[phases[0]] += (line,)
    return session, orders


def _split_by_ship(lines: tuple[str, ...]) -> Iterator[str]:
    """Split orders as phones give them: a move names one ship."""
    for line in lines:
        word, ships, *rest = line.split()
        for ship in ships.split(","):
            yield " ".join((word, ship, *rest))


class Phones:
    """The players' phones, and the board that takes their proposals."""

    def __init__(self, table: Table, save: Path) -> None:
        self.table, self.chance = table, Random(TURN)
        links = Links(propose=True).add_sides(("japan", "russia")).add_seats(table.battle)
        for seat in links.seats:
            links = links.let_device_in(seat.id, compute_device_digest(DEVICE))
        save_links(save, links)
        self.hub = Hub(Follower(save, find_our_systems()), links)
        self.thrown: set[str] = set()

    async def _post(self, seat: Seat, **what: object) -> str:
        """Propose as a page does; return the id."""
        id = f"{self.chance.getrandbits(128):032x}"
        body = {"token": compute_token(seat.secret), "device": DEVICE, "id": id, **what}
        work = self.hub.find_seat_work(seat)
        assert work is not None
        await self.hub.inbox.store_proposal(seat, json.dumps(body).encode(), work, self.hub.acts)
        return id

    async def order(self, line: str) -> str:
        """Propose an order, one for each of several ships; return the last id."""
        self.hub.look()
        links, order = self.hub.links, self.table.session.read(line).require_order()
        filling, id = Filling.from_order(order), ""
        slots: dict[str, object] = {**filling.texts, **dict.fromkeys(filling.flags, True)}
        for name in (filling.ship_slot, DICE_FIELD):
            slots.pop(name, None)
        for ship in filling.ship_text.split(","):
            seat = next(one for one in links.seats if ship in links.list_ships(one, self.table.battle))
            sent = {"word": order.word, "ship": ship, "slots": slots}
            id = await self._post(seat, orders=[sent], dice=order.dice)
        return id

    async def throw(self) -> None:
        """Propose a throw for each owed roll that has none yet."""
        self.hub.look()
        for seat in self.hub.links.seats:
            work = self.hub.find_seat_work(seat)
            assert work is not None
            for owes in work.owes:
                if owes.handle not in self.thrown:
                    self.thrown.add(owes.handle)
                    faces = [self.chance.randint(die.least, die.most) for die in owes.dice]
                    await self._post(seat, handle=owes.handle, dice=faces, words=list(owes.words[:1]))


@define
class AtTray:
    """The umpire at the tray: the keys pressed, by purpose, and the words shown."""

    table: Table
    phones: Phones
    keys: Counter[str] = field(factory=Counter)
    words: Counter[str] = field(factory=Counter)
    began: int = 0
    played: Timeline = field(init=False)
    _shown: set[str] = field(factory=set)
    _doubted: dict[str, str] = field(factory=dict)
    _twice: set[str] = field(factory=set)

    async def press(self, what: str, *keys: str) -> None:
        await self.table.press(*keys)
        self.keys[what] += len(keys)
        if not isinstance(self.table.top, BattleScreen | History):
            # The lines below the title, without the keys at the foot.
            for line in self.table.text().splitlines()[:-1]:
                text = " ".join(re.sub("[│╭╮╰╯─▸✓?✗]", " ", line).split())
                if text not in self._shown:
                    self._shown.add(text)
                    self.words[what] += len(text.split())

    async def play_phase(self, orders: tuple[str, ...]) -> None:
        """Play a phase, and end it."""
        orders = tuple(_split_by_ship(orders))
        left = await self._propose(orders)
        while self._waiting:
            await self._use_tray()
            left = await self._propose(left)
        # Repairs of parts that these dice have not broken.
        assert all(line.startswith("repair") for line in left), left
        await self._correct([line for line in reversed(orders) if line in MISREAD])
        await self._end_phase()

    async def _propose(self, orders: tuple[str, ...]) -> tuple[str, ...]:
        """Propose orders; return the refused ones, such as needless repairs."""
        wrong, left = {doubt.right: doubt for doubt in DOUBTS}, []
        for line in orders:
            doubt = wrong.get(line)
            try:
                id = await self.phones.order(doubt.wrong if doubt else line)
            except MessageRefused:
                left.append(line)
                continue
            if doubt is not None:
                self._doubted[id] = doubt.right
            if line in TWICE:
                bare, _, face = line.rpartition(" ")
                self._twice.add(await self.phones.order(f"{bare} {int(face) - 1}"))
        await self.phones.throw()
        await self.show_proposals()
        return tuple(left)

    async def show_proposals(self) -> None:
        self.table.screen.look()
        await self.table.settle()

    @property
    def _waiting(self) -> list[str]:
        tray = find_part(self.table.screen).tray
        assert tray is not None
        return [proposal.id for proposal in tray.waiting]

    async def _use_tray(self) -> None:
        """Look through all waiting proposals, send wrong ones back, and accept the rest."""
        if not isinstance(self.table.top, TrayScreen):
            await self.press("tray opened or closed", "T")
        picks, seen, again = self.table.top.picks, set[str](), list[str]()
        while not seen >= {*self._waiting}:
            if seen:
                await self.press("to look through the tray", "pagedown")
            seen |= {*picks.in_sight}
            for id in [id for id in picks.in_sight if id in self._doubted]:
                await self._send_back(id)
                again.append(self._doubted.pop(id))
        await self.press("let in", "A")
        await self._read_out()
        for id in self._waiting:
            if isinstance(self.table.top, TrayScreen) and id in self._waiting:
                if id in self._twice:
                    await self._send_back(id)
                else:
                    await self._go_to(id)
                    await self.press("let in", "enter")
                    await self._read_out()
        for line in again:
            await self.phones.order(line)

    async def _go_to(self, id: str) -> None:
        """Move the cursor to a proposal by the fewest keys."""
        picks, ids = self.table.top.picks, self._waiting
        at = ids.index(id)
        steps = at - (ids.index(picks.key) if picks.key in ids else 0)
        ways = (
            ["down" if steps > 0 else "up"] * abs(steps),
            ["home", *["down"] * at],
            ["end", *["up"] * (len(ids) - 1 - at)],
        )
        if steps:
            await self.press("to look through the tray", *min(ways, key=len))
        assert picks.key == id

    async def _send_back(self, id: str) -> None:
        await self._go_to(id)
        await self.press("sent back", "X")
        assert id not in self._waiting

    async def _read_out(self) -> None:
        while isinstance(self.table.top, TableChanges):
            await self.press("phases ended and read out", "escape")

    async def _end_phase(self) -> None:
        phase = self.table.battle.phase
        await self.press("phases ended and read out", "n")
        while not isinstance(self.table.top, BattleScreen | TrayScreen):
            await self._read_out()
            if isinstance(self.table.top, EndPhase):
                await self.press("phases ended and read out", "enter")
        assert self.table.battle.phase != phase

    def _count_lines_up(self, number: int) -> int:
        """Count the lines of the history from the cursor up to an entry."""
        log = self.table.top
        acts = [pick.key for pick in log.acts.lines if pick.key]
        return acts.index(log.acts.key) - acts.index(number)

    async def _correct(self, lines: list[str]) -> None:
        """Correct the dice of entries in the history."""
        if not lines:
            return
        if isinstance(self.table.top, TrayScreen):
            await self.press("tray opened or closed", "escape")
        await self.press("dice corrected", "h")
        for line in lines:
            timeline = self.table.session.timeline
            number = next(n for n, version in timeline.versions.items() if version.order.line == line)
            if self._count_lines_up(number) > SEARCHED:
                await self.press("dice corrected", "slash", *list_keys(line.split()[1][:3]), "enter")
            await self.press("dice corrected", *["up"] * self._count_lines_up(number))
            await self.press("dice corrected", "enter", *map(str, MISREAD[line]), "enter")
            while not isinstance(self.table.top, History):
                correction = isinstance(self.table.top, Correction)
                await self.press("dice corrected", "enter" if correction else "escape")
            assert self.table.session.timeline.versions[number].dice == MISREAD[line]
        await self.press("dice corrected", "h")


def play_with_tray(size: tuple[int, int] = (120, 36)) -> AtTray:
    """Play the turn with all players on phones."""
    found: list[AtTray] = []
    with tempfile.TemporaryDirectory() as folder:
        save = Path(folder) / "battle.qfb"
        session, orders = begin(save)

        async def steps(table: Table) -> None:
            umpire = AtTray(table, Phones(table, save), began=len(table.session.timeline.play_order))
            await umpire.show_proposals()
            found.append(umpire)
            while table.battle.turn == TURN:
                await umpire.play_phase(orders[table.battle.phase])
            umpire.played = table.session.timeline

        play(session, steps, size)
        session.close()
    return found[0]


def enter_by_hand(played: Timeline, began: int, size: tuple[int, int] = (120, 36)) -> tuple[int, int]:
    """Enter the later entries by keys; return the counts of keys and entries."""
    (session, orders), pressed = begin(), list[int]()
    every = [played.versions[number].order for number in played.play_order]

    async def steps(table: Table) -> None:
        umpire, before = Umpire(table, Pace()), table.pressed
        # Whole divisions move at once.
        for line in orders["movement"]:
            await umpire.give(line)
        for order in every[every.index(next(one for one in every[began:] if one.is_phase_end), began) :]:
            owes = order.question_key if order.is_answer else None
            alike = (
                one for one in table.battle.owed if owes and (one.ship, one.line) == (owes.ship, owes.line)
            )
            key = next((one.key for one in alike), "")
            faces = " ".join(map(str, order.dice))
            await umpire.give(f"roll {key} {faces}" if key else "next" if order.is_phase_end else order.line)
        pressed.append(table.pressed - before)

    play(session, steps, size)
    return pressed[0], len(session.timeline.play_order) - began


def format_tray_rows(umpire: AtTray) -> Iterator[str]:
    """Format the keys with the tray as a table, and the words to the nearest hundred."""
    entries = len(umpire.played.play_order) - umpire.began
    yield "| twelve ships a side | keys | words shown |"
    yield "| --- | --- | --- |"
    yield f"| from phones, {entries} entries | {umpire.keys.total()} | {round(umpire.words.total(), -2):,} |"
    yield f"| of these | {', '.join(f'{what} {keys}' for what, keys in umpire.keys.most_common())} | |"


def format_hand_row(umpire: AtTray) -> str:
    """Format the keys by hand as a row of that table."""
    keys, entries = enter_by_hand(umpire.played, umpire.began)
    return f"| the same by hand, {entries} entries | {keys} | |"


def format_rows() -> Iterator[str]:
    """Format the whole table, as the help has it."""
    umpire = play_with_tray()
    yield from format_tray_rows(umpire)
    yield format_hand_row(umpire)
