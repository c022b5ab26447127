"""Plays an order script by real keys, and counts them by kind of entry.

`python -m tests.tools.pace [ORDERS] [SHOTS]` prints the counts of the golden Yellow Sea. Keys that move the
cursor to the firer are counted apart: usually the ship is already under the cursor, or the umpire jumps to
it. `--tray` prints a heavy turn with proposals from phones, and the same turn by hand.
"""

import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

from attrs import evolve, field, frozen

from qf_tui.console.entry.form_state import DICE_FIELD, Filling, FormReading, Offers, build_repeated
from qf_tui.console.reading.announcements import TableChanges
from qf_tui.core.builtin_forms import list_forms
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.names import Reach, find_meant_id, list_candidates
from qf_tui.core.values import Order
from qf_tui.session import Session
from qf_tui.session.typed_dice import read_dice
from tests.console.playing import NAMES, Table, play
from tests.systems import load_start

GOLDEN = Path(__file__).parent.parent / "golden" / "yellow-sea-1904.orders"
SHOT = "shot"


@frozen
class Pace:
    """Keys by kind of entry, and keys that moved the cursor."""

    keys: dict[str, list[int]] = field(factory=dict)
    moves: list[int] = field(factory=list)

    def count(self, kind: str, keys: int) -> None:
        self.keys.setdefault(kind, []).append(keys)

    def format_lines(self) -> Iterator[str]:
        """Format the counts as a table."""
        yield f"{'kind of entry':<24}{'entries':>8}{'median':>8}{'most':>6}"
        for kind, counts in (*sorted(self.keys.items()), ("cursor to the ship", self.moves or [0])):
            yield f"{kind:<24}{len(counts):>8}{statistics.median(counts):>8g}{max(counts):>6}"


class Held:
    """Keys that are collected and pressed at once."""

    def __init__(self, table: Table) -> None:
        self.session = table.session
        self.keys: list[str] = []

    async def press(self, *keys: str) -> None:
        self.keys.extend(keys)

    async def write(self, text: str) -> None:
        self.keys.extend(NAMES.get(sign, sign) for sign in text)


class Umpire:
    """Types the orders of a script with the fewest keys."""

    def __init__(self, table: Table, pace: Pace) -> None:
        self.table = table
        self.hands: Table | Held = table
        self.pace = pace
        self.passed = 0

    @property
    def session(self) -> Session:
        return self.table.session

    async def give(self, line: str) -> None:
        """Enter one order, and check that the log has it as in the script."""
        word = line.split(maxsplit=1)[0]
        before = len(self.session.timeline.log)
        if word == "next" and self.passed:
            # The console has already passed this empty phase.
            self.passed -= 1
            return
        forms = list_forms(self.session.system)
        order = None if word not in forms else self.session.read(line).require_order()
        began = self.table.pressed
        if word == "next":
            kind = "next"
            await self.end_phase()
        elif order is not None and word == "roll":
            kind = "owed roll"
            await self._roll(order)
        elif order is not None and order.form in self.session.system.forms:
            began, kind = await self._enter_by_dialog(order)
        else:
            kind = word
            await self.table.write(f":{line}")
            await self.table.press("enter")
        self.pace.count(kind, self.table.pressed - began)
        assert len(self.session.timeline.log) > before, f"{line}: not entered\n{self.table.text()}"
        self.passed += len(self.session.timeline.log) - before - 1
        if order is not None and word not in ("next", "note", "roll"):
            last = self.session.timeline.versions[self.session.timeline.play_order[-1]]
            assert last.order == order, f"{line}: entered as {last}"

    async def end_phase(self) -> None:
        await self.table.press("n")
        while len(self.table.app.screen_stack) > 2:
            # The key that ended the phase does not close lists to read aloud.
            await self.table.press("escape" if isinstance(self.table.top, TableChanges) else "enter")

    async def _roll(self, order: Order) -> None:
        owed = [question.key for question in self.session.battle.owed if question.dice]
        key = order.text("key")
        for _ in range(owed.index(key) + 1 if key and key != owed[0] else 0):
            await self.table.press("o")
        key = key or owed[0]
        await self.table.write(
            _find_digits(self.session, self.session.read(f"roll {key}").require_order(), order.dice)
        )
        await self.table.press("enter")

    async def _enter_by_dialog(self, order: Order) -> tuple[int, str]:
        """Fill in an order's dialog.

        Returns:
            The count of keys when the cursor reached the ship, and the kind of entry.
        """
        wanted = Filling.from_order(order)
        ship = wanted.ship_text.split(",")[0]
        if not ship.startswith("@"):
            await self.go_to(ship)
        began, table = self.table.pressed, self.table
        held = Held(table)
        self.hands = held
        kind = order.word if order.word != "fire" else SHOT
        if order.word == "fire" and not order.dice:
            kind = "shot declared"
        repeated = build_repeated(self.session, ship) if order.dice else None
        if repeated is not None and _is_same(repeated, wanted):
            await held.press("a")
        else:
            await self._fill(order, wanted)
        if order.dice:
            bare = evolve(order, dice=())
            await held.write(_find_digits(self.session, bare, order.dice))
        self.hands = table
        await table.press(*held.keys, "enter")
        return began, kind

    async def _fill(self, order: Order, wanted: Filling) -> None:
        ship = wanted.ship_text.split(",")[0]
        await self.hands.press(order.form.key)
        offers, filled = Offers.collect(self.session, order.form), Filling.begin(order.form, ship)
        for name in wanted.names[1:] if order.word != "move" else wanted.names:
            slot, text = wanted.find_slot(name), wanted.find_text(name)
            if slot is None or not text:
                continue
            offered = offers.find_likely(_read_fields(self.session, filled), name)
            filled = filled.with_text(name, text)
            if name == wanted.names[0]:
                await self._type_ships(text)
            elif offered == text:
                if not (slot.kind is kinds.SHIP and self._is_before_digits(offers, filled, wanted, name)):
                    await self.hands.press("space")
            elif slot.kind is kinds.SHIP:
                letters = find_letters(offers, ship, text)
                await self.hands.write(letters.rstrip(">"))
                if not self._is_before_digits(offers, filled, wanted, name):
                    await self.hands.press("tab" if letters.endswith(">") else "space")
            elif slot.kind is kinds.CHOICE or text in slot.choices:
                await self.hands.write(text[0])
            else:
                await self.hands.write(text.removesuffix("in"))
                if order.form.dice:
                    await self.hands.press("space")
        for flag in sorted(wanted.flags):
            await self.hands.write(flag[0])

    @staticmethod
    def _is_before_digits(offers: Offers, filled: Filling, wanted: Filling, name: str) -> bool:
        """Return whether the next field is filled with typed digits."""
        behind = wanted.names[wanted.names.index(name) + 1]
        typed = wanted.find_text(behind)
        return (
            typed[:1].isdigit()
            and behind != DICE_FIELD
            and offers.find_likely(_read_fields(offers.session, filled), behind) != typed
        )

    async def _type_ships(self, text: str) -> None:
        division = self.session.battle.ships[text.split(",", maxsplit=1)[0]].division
        whole = [
            mate.id
            for mate in self.session.battle.ships.values()
            if mate.division == division and mate.afloat
        ]
        if set(whole) == set(text.split(",")) and len(whole) > 1:
            await self.hands.press("at")
        elif "," in text:
            await self.hands.write(text)
            await self.hands.press("space")

    async def go_to(self, ship: str) -> None:
        """Move the cursor to a ship by arrows, on its own side or the other."""
        grid, keys = self.table.screen.grid, self.table.pressed
        side = self.session.battle.ships[ship].side
        sides = [each.id for each in self.session.battle.sides]
        turns = (sides.index(side) - grid.cursor.side) % len(sides)
        ids = [row.id for row in grid.arrangement.list_ships(grid.system, grid.battle, side, {})]
        here = ids.index(at) if (at := grid.cursor.ship_by_side.get(side)) in ids else 0
        steps = ids.index(ship) - here
        await self.table.press(*["x"] * turns, *["down" if steps > 0 else "up"] * abs(steps))
        assert grid.ship is not None
        assert grid.ship.id == ship
        self.pace.moves.append(self.table.pressed - keys)


def find_letters(offers: Offers, firer: str, target: str) -> str:
    """Find the fewest letters that mean a ship, with `>` if Tab or a digit takes the first."""
    scope = evolve(offers.session.find_scope(Reach.ANYWHERE), recent=offers.attacked)
    ships = scope.list_ships(scope.required_battle.ships[firer].side)
    for size in range(1, len(target) + 1):
        letters = target[:size]
        if find_meant_id(letters, ships) == target:
            return letters
        if list_candidates(letters, ships)[0].text == target:
            return f"{letters}>"
    return target


def _read_fields(session: Session, filling: Filling) -> FormReading:
    return FormReading.read(session.find_scope(Reach.ANYWHERE), filling)


def _is_same(one: Filling, other: Filling) -> bool:
    texts = {name: text for name, text in other.texts.items() if name != DICE_FIELD}
    return (one.form, dict(one.texts), one.flags) == (other.form, texts, other.flags)


def _find_digits(session: Session, bare: Order, faces: tuple[int, ...]) -> str:
    """Find the fewest characters that mean these faces: joined, or with spaces where needed."""
    words = [str(face) for face in faces]
    for text in ("".join(words), "".join(words) + " ", " ".join(words)):
        if read_dice(session, session.read_typed(f"{bare.line} {text}")).faces == faces:
            return text
    return " ".join(words)


def read_orders(path: Path, shots: int = 0) -> list[str]:
    """Read the orders of a script; with `shots` only up to that many shots."""
    text = path.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    fired = [at for at, line in enumerate(lines, 1) if line.startswith("fire ")]
    return lines[: fired[shots - 1]] if shots else lines


def measure(path: Path, shots: int = 0, size: tuple[int, int] = (120, 36)) -> Pace:
    """Play a script and count the keys."""
    head = path.read_text(encoding="utf-8")
    scenario = next(line for line in head.splitlines() if line.startswith("# scenario: ")).split(": ")[1]
    system, start = load_start(scenario)
    pace = Pace()

    async def steps(table: Table) -> None:
        umpire = Umpire(table, pace)
        for line in read_orders(path, shots):
            await umpire.give(line)

    play(Session.begin(system, start), steps, size)
    return pace


def main() -> None:
    if "--tray" in sys.argv:
        from tests.tools import phones  # noqa: PLC0415 - it plays by hand what is played here

        for line in phones.format_rows():
            sys.stdout.write(f"{line}\n")
        return
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else GOLDEN
    shots = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    for line in measure(path, shots).format_lines():
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
