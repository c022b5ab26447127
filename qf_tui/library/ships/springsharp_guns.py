"""The armament of a Springsharp report: batteries, how they stand and bear, and torpedo tubes.

Texts come with their lines run together, signs and spaces made plain.
"""

import re
from collections.abc import Iterable
from fractions import Fraction

from attrs import field, frozen

from qf_tui.core.measure import decimal
from qf_tui.core.ship_facts import MM_IN_INCH

MM_FROM = 100
"""Guns of so many millimetres and more count as guns, others as small."""
_LARGER_FROM, _SMALLER_FROM = 66, 37
_MAIN_TOO = 200
"""Guns of so many millimetres count with the main battery."""

_ITEM = re.compile(r'(?<![\d.,])(\d{1,3}) ?- ?([\d.,]{1,9}) ?" ?(?:/ ?([\d.,]{1,9}) ?mm)?')
_END = re.compile(r"Weight of broadside|Main Torp|2nd Torp|Mines\b|Armou?r:|Machinery:|Distribution of")
_GUNS = re.compile(r" ?(?:[\d.,]{1,6} cal )?guns?\b")
_TUBES = re.compile(r"orpedo(?:es| t)")
_NAMED_TUBES = re.compile(r"(Main |2nd |3rd )?[Tt]orpedo(?:es| tubes?)\b")
_BEHIND_ARMS = re.compile(r"Armou?r:|Machinery:|Survivability")
_LENGTH = re.compile(r"^ ?([\d.,]{1,6}) cal\b")
_MOUNTED = re.compile(r"(?<=\w) guns? in ([a-z()/ -]{1,40})", re.IGNORECASE)
_GROUP = re.compile(r"(\d{1,3}) x ([a-z0-9]{1,12})[a-z -]{0,20} mounts? on (centreline|side)", re.IGNORECASE)
_STANDS = re.compile(r"\bon (centreline|side)", re.IGNORECASE)
_IN_MOUNT = {"single": 1, "twin": 2, "double": 2, "triple": 3, "quad": 4, "quadruple": 4}
_WAYS = (
    ("turret", "turrets"),
    ("arbette", "barbettes"),
    ("casemate", "casemates"),
    ("broadside", "broadside"),
    ("deck", "shields"),
)


def number(text: str) -> Fraction:
    """A number as any locale prints it: 1,687.50 and 1.687,50 have two places, 1.687 none; 0 is none."""
    digits = "".join(sign for sign in text if sign in "0123456789")
    places = re.search(r"[.,]([0-9]{1,2})$", text.strip())
    return Fraction(int(digits or 0), 10 ** len(places[1]) if places else 1)


@frozen
class SpringsharpBattery:
    """Guns of one kind: how many, bore, length in calibers, mounts and how many bear; None is not said."""

    count: int
    inches: Fraction
    mm: Fraction
    length: Fraction | None
    mounts: str
    bearing: int | None

    @property
    def printed(self) -> str:
        """As a navy's row has them, in the unit that the bore is round in."""
        in_quarters = self.inches * 4 % 1 == 0 or self.inches == Fraction(47, 10)
        bore = f"{decimal(self.inches)}in" if in_quarters else f"{decimal(self.mm)}mm"
        return f"{self.count}x{bore}{f'/{decimal(self.length)}' if self.length else ''}"


@frozen
class Tubes:
    """Torpedo tubes of one bore."""

    count: int
    inches: int
    below: bool


@frozen
class Armament:
    """What a report has of guns and tubes in its order, what was not understood, and where its text ends."""

    batteries: tuple[SpringsharpBattery, ...] = ()
    tubes: tuple[Tubes, ...] = ()
    strange: tuple[str, ...] = ()
    main: tuple[int, ...] = field(init=False)

    @main.default
    def _main(self) -> tuple[int, ...]:
        """The places of the main battery: the first of large guns, and others that are large enough."""
        large = [place for place, guns in enumerate(self.batteries) if guns.mm >= MM_FROM]
        return tuple(place for place in large if place == large[0] or self.batteries[place].mm >= _MAIN_TOO)

    @property
    def others(self) -> tuple[int, ...]:
        """The places of the other guns that are not small."""
        return tuple(
            place
            for place, guns in enumerate(self.batteries)
            if guns.mm >= MM_FROM and place not in self.main
        )

    def cells(self) -> dict[str, str]:
        """Guns and tubes as cells of a navy's row; no tubes are told where there is none."""
        cells = _guns("heavy", [self.batteries[place] for place in self.main])
        cells |= _guns("light", [self.batteries[place] for place in self.others])
        larger = sum(guns.count for guns in self.batteries if _LARGER_FROM <= guns.mm < MM_FROM)
        smaller = sum(guns.count for guns in self.batteries if _SMALLER_FROM <= guns.mm < _LARGER_FROM)
        cells["small"] = f"{larger}x75-100mm + {smaller}x37-65mm" if self.batteries else ""
        cells["tubes"] = str(sum(one.count for one in self.tubes))
        cells["tube_size"] = "+".join(str(inches) for inches in sorted({one.inches for one in self.tubes}))
        cells["tubes_below"] = str(sum(one.count for one in self.tubes if one.below)) if self.tubes else ""
        return cells


def read_armament(text: str) -> Armament:
    """The guns and tubes of a report, or of a piece of one."""
    batteries, tubes, strange, read = [], [], [], []
    items = list(_ITEM.finditer(text))
    stops = [*(item.start() for item in items[1:]), len(text)]
    for item, stop in zip(items, stops, strict=False):
        rest = text[item.end() : min(stop, item.end() + 600)]
        ends = _END.search(rest)
        rest = rest[: ends.start()] if ends else rest
        count, inches = int(item[1]), number(item[2])
        mm = number(item[3]) if item[3] else inches * MM_IN_INCH
        if _GUNS.match(rest) and count and mm:
            batteries.append(_battery(count, inches, mm, rest))
        elif (named := _TUBES.search(rest[:80])) and count and inches:
            read.append((item.start(), item.end() + len(rest)))
            if "reloads" not in rest[: named.end() + 12]:
                tubes.append(Tubes(count, round(inches), "submerged" in rest or "below water" in rest))
        elif item[3]:
            strange.append((item[0] + rest)[:60].strip())
    strange += [
        text[max(0, named.start() - 30) : named.end() + 10].strip()
        for named in _NAMED_TUBES.finditer(_BEHIND_ARMS.split(text, 1)[0])
        if not (named[1] and tubes) and not any(start <= named.start() < stop for start, stop in read)
    ]
    return Armament(tuple(batteries), tuple(tubes), tuple(strange))


def _battery(count: int, inches: Fraction, mm: Fraction, rest: str) -> SpringsharpBattery:
    length = _LENGTH.match(rest)
    mounted = _MOUNTED.search(rest)
    way = mounted[1].lower() if mounted else ""
    mounts = next((name for word, name in _WAYS if word in way), "")
    groups = [
        (int(group[1]) * _IN_MOUNT.get(group[2].lower(), 1), group[3].lower())
        for group in _GROUP.finditer(rest)
    ]
    stands = _STANDS.search(rest)
    if not groups and stands:
        groups = [(count, stands[1].lower())]
    every = sum(guns for guns, _ in groups)
    bear = None
    if every:
        share = sum(Fraction(guns) if where == "centreline" else Fraction(guns, 2) for guns, where in groups)
        bear = int(count * share / every)
    return SpringsharpBattery(count, inches, mm, number(length[1]) if length else None, mounts, bear)


def _guns(heading: str, guns: Iterable[SpringsharpBattery]) -> dict[str, str]:
    every = list(guns)
    bear = [one.bearing for one in every]
    mounts = dict.fromkeys(one.mounts for one in every if one.mounts)
    return {
        heading: " + ".join(one.printed for one in every),
        f"{heading}_bear": "" if None in bear else " + ".join(map(str, bear)),
        f"{heading}_mount": " + ".join(mounts),
    }
