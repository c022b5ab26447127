"""The historical facts of a ship, the same under all rules: guns, armor, speed, years of service.

Every rule system works out its own card values from these facts (`RuleSystem.work_out`). Also here: the
result of that work (`RatedValue`), and readers for the text of guns, armor and dates in fact files.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache

from attrs import evolve, frozen

from qf_tui.core.text import Scalar, format_decimal
from qf_tui.core.values import BATTERY, Ship

YEARS = (1850, 1950)
"""The first and the last year in which a ship may be launched, completed or refitted."""
LAST_END = 1999
"""The last year in which a service may end."""
OLD_AGE = 15
"""Age from which a ship without a known end may be gone: by then one in ten had left whose end is known."""
GENERAL_KNOWLEDGE = "general knowledge"
"""The start of a source text for facts that were not looked up."""
SERVING = "serving"
"""The value of `ShipFacts.ended` for a ship that was still in service in 1906."""
MM_IN_INCH = Fraction(254, 10)
_NO_LENGTH, _LEAST_LENGTH, _FULL_WORTH = 1845, 12, 1894
"""Guns grew by 4 calibers in 5 years, as if from this year; their least length; the year of full worth."""
_DATE = r"[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?"
_GUNS = r"([1-9]\d{0,2})x(\d{1,3}(?:\.\d{1,2})?)(in|mm)(?:/(\d{1,2}(?:\.\d)?))?"
_SMALL = r"(\d{1,3})x75-100mm \+ (\d{1,3})x37-65mm"
_SHARED = r"(\d{1,2}(?:\.\d{1,2})?)(?: \((\d{1,2}) of (\d{1,2})\)| \(([^()]{1,60})\))?"


@frozen
class Guns:
    """Guns of one kind in a ship's battery.

    Attributes:
        count: Number of guns.
        caliber_in: Caliber in inches.
        length: Length of the barrel in calibers, or None if unknown.
        bearing: Number of guns that bear abeam.
        text: The guns as the fact file prints them, `4x240mm/40`.
        assumed: True if no source gives `bearing`, so that it was assumed.
    """

    count: int
    caliber_in: Fraction
    length: Fraction | None
    bearing: int
    text: str
    assumed: bool = False

    def __str__(self) -> str:
        return f"{self.text} ({self.bearing} bear{', assumed' if self.assumed else ''})"


@frozen
class GunArmor:
    """The armor of the light guns.

    Attributes:
        inches: Thickness of the plate.
        share: Part of the light guns that has this armor, from 0 to 1.
        note: Remark of the fact file, or "".
        text: The armor as the fact file prints it.
    """

    inches: Fraction
    share: Fraction = Fraction(1)
    note: str = ""
    text: str = ""

    def __str__(self) -> str:
        return self.text


@frozen
class SmallGuns:
    """Numbers of the smallest guns.

    Attributes:
        larger: Number of guns of 75 to 100 mm.
        smaller: Number of guns of 37 to 65 mm.
    """

    larger: int
    smaller: int

    def __str__(self) -> str:
        return f"{self.larger}x75-100mm + {self.smaller}x37-65mm"


@frozen
class HandValue:
    """A card value that the umpire set for a ship under one rule system; it wins over all others.

    Attributes:
        system: Name of the rule system.
        key: Key of the card.
        text: The value as the umpire wrote it.
    """

    system: str
    key: str
    text: str

    def __str__(self) -> str:
        return f"{self.system} {self.key}={self.text}"


@frozen
class ShipFacts:
    """A ship, or a class of small craft, with the facts that hold from a given year on.

    Thicknesses are in inches, `tons` in long tons, speed in knots. A value of None, or an empty list of guns,
    means unknown; a thickness of 0 means no armor.

    Attributes:
        since: First year in which these facts hold.
        heavy: Guns of the main battery.
        light: Guns of the other batteries.
        sources: Web addresses or titles.
        differ: Points on which the sources disagree, as text.
        hull: Row name of the first row of a hull that changed its flag or name, or "".
        serves_from: Date on which her service under this flag begins, as exact as known, or "".
        serves_until: Date on which that service ends, as exact as known, or "".
        ended: How her service ended, "" if no source says it; `SERVING` if it had not.
        other_names: Other spellings of her name.
        by_hand: Values that the umpire set for her card.
        own: True if the row comes from the user's own file.
        class_row: Id of the row of her class, if only the class has a row, or "".
    """

    id: str
    name: str
    navy: str
    ship_class: str
    kind: str
    since: int
    launched: int
    completed: int
    tons: int
    knots: Fraction
    heavy: tuple[Guns, ...] = ()
    heavy_mount: str = ""
    light: tuple[Guns, ...] = ()
    light_mount: str = ""
    small: SmallGuns = SmallGuns(0, 0)
    belt: Fraction = Fraction(0)
    belt_ends: Fraction = Fraction(0)
    upper_side: Fraction = Fraction(0)
    heavy_armor: Fraction = Fraction(0)
    light_armor: GunArmor | None = None
    deck: Fraction = Fraction(0)
    deck_slope: Fraction | None = None
    conning_tower: Fraction = Fraction(0)
    plate: str = ""
    tubes: int | None = None
    tube_size_in: tuple[int, ...] = ()
    tubes_below: int | None = None
    sisters: tuple[str, ...] = ()
    fought: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    differ: str = ""
    note: str = ""
    hull: str = ""
    serves_from: str = ""
    serves_until: str = ""
    ended: str = ""
    service_source: str = ""
    other_names: tuple[str, ...] = ()
    by_hand: tuple[HandValue, ...] = ()
    own: bool = False
    class_row: str = ""

    @property
    def row_name(self) -> str:
        """Her navy and id, as files name her: `russia/poltava`."""
        return f"{self.navy.lower()}/{self.id}"

    @property
    def hull_name(self) -> str:
        """The name of her hull, the same under every flag: the row name of its first row."""
        return self.hull or self.row_name

    @property
    def is_general_knowledge(self) -> bool:
        """True if no source can be looked up: all are general knowledge."""
        return bool(self.sources) and all(source.startswith(GENERAL_KNOWLEDGE) for source in self.sources)

    @property
    def has_open_end(self) -> bool:
        """True if no end of her service is known."""
        return not self.serves_until and self.ended != SERVING

    @property
    def begins(self) -> str:
        """The date on which her service begins; the year of her completion if no source gives one."""
        return self.serves_from or str(self.completed)

    def is_serving(self, when: str) -> bool:
        """Return whether she served under this flag on a date, or at any time in a year or month.

        If only the year of her first or last day is known, she counts on every day of that year.
        """
        return is_in_service(self.begins, self.serves_until, when)

    def may_be_gone(self, when: str) -> bool:
        """Return whether no source names her end and she was of `OLD_AGE` on a date."""
        return self.has_open_end and int(when[:4]) - self.launched >= OLD_AGE

    def find_vague_date(self, when: str) -> str:
        """Return the year or month of `when` in which her service begins or ends on an unknown day, or ""."""
        return find_vague_date(self.begins, self.serves_until, when)


def is_in_service(begins: str, until: str, when: str) -> bool:
    """Return whether a service from `begins` until `until` may include the date `when`.

    All three are dates as exact as known: `1905`, `1905-05` or `1905-05-27`. Two dates are compared
    only as far as both are exact. An empty `until` means no end.
    """
    return begins[: len(when)] <= when[: len(begins)] and until[: len(when)] >= when[: len(until)]


def find_vague_date(begins: str, until: str, when: str) -> str:
    """Return the one of two dates that leaves open whether the service includes `when`, or "".

    It is the year or month of `when` and has no day: `1904` does not tell whether she served on 1904-02-08.
    """
    return next((date for date in (begins, until) if date and date != when and when.startswith(date)), "")


def read_date(text: str) -> str:
    """Check a date in one of the forms `1905`, `1905-05` and `1905-05-27`, and return it.

    Raises:
        ValueError: The text has another form, or its year is before the first of `YEARS` or after `LAST_END`.
    """
    if not re.fullmatch(_DATE, text):
        raise ValueError("expected a date like 1905, 1905-05 or 1905-05-27")
    if not YEARS[0] <= int(text[:4]) <= LAST_END:
        raise ValueError(f"expected a year from {YEARS[0]} to {LAST_END}")
    return text


def find_length(guns: Guns, launched: int) -> Fraction:
    """Return the length of a ship's guns in calibers; if unknown, the usual one of her launch year."""
    return guns.length or Fraction(max(_LEAST_LENGTH, (launched - _NO_LENGTH) * 4 // 5))


def find_gun_worth(guns: Guns, launched: int) -> tuple[Fraction, str]:
    """Return the worth of a gun, and its working: caliber x (1/2 + length/80), less for age.

    Length and age stand for muzzle velocity. Guns from 1894 on have full worth; each year before takes off a
    fiftieth. A gun counts as built with its ship, but only in the ten years in which such guns were built.
    """
    length = find_length(guns, launched)
    # Guns grew by four calibers in five years.
    first_year = _NO_LENGTH + int(length * 5 / 4)
    # A long gun in an old hull was fitted later; a short one in a new hull is an old model.
    year = max(first_year, min(launched, first_year + 10))
    worth = guns.caliber_in * (Fraction(1, 2) + length / 80)
    working = f"{format_decimal(guns.caliber_in)} x (1/2 + {format_decimal(length)}/80)"
    if year >= _FULL_WORTH:
        return worth, working
    part = 1 - Fraction(_FULL_WORTH - year, 50)
    return worth * part, f"{working} x {format_decimal(part)} (gun of {year})"


def estimate_main_bearing(mount: str, count: int) -> int:
    """Estimate how many guns of a main battery bear abeam, if no source says so.

    If there are at most four guns in turrets or barbettes, or at most two in other mounts, all bear.
    If there are more, half of them bear.
    """
    in_turrets = "turrets" in mount or "barbettes" in mount
    bearing_most = 4 if in_turrets else 2
    return count if count <= bearing_most else estimate_light_bearing(count)


def estimate_light_bearing(count: int) -> int:
    """Estimate how many guns of a light battery bear abeam, if no source says so: half, rounded up."""
    return (count + 1) // 2


def read_guns(
    text: str, bearing: str, usual: Callable[[int], int] = estimate_light_bearing
) -> tuple[Guns, ...]:
    """Read guns as fact files print them, such as `2x16.25in/30 + 1x10in/30`.

    Args:
        text: The guns; "" for no guns.
        bearing: Number of each kind that bears abeam, such as `2 + 1`; "" if no source says so. A single
            number is for the first kind, and none of the other guns bear.
        usual: Function that estimates how many of a number of guns bear, used if `bearing` is empty.

    Raises:
        ValueError: The guns or the numbers are not as expected.
    """
    if not text:
        return ()
    groups = text.split(" + ")
    figures = bearing.split(" + ") if bearing else [""] * len(groups)
    if len(figures) not in (1, len(groups)):
        raise ValueError(f"{len(groups)} kinds of guns, but {len(figures)} figures for how many bear")
    kinds = []
    for place, group in enumerate(groups):
        count, caliber, length = _read_gun_kind(group)
        figure = figures[place] if place < len(figures) else "0"
        if bearing and not (figure.isascii() and figure.isdigit()):
            raise ValueError(f"expected how many bear, like {len(groups) * '2 + '}".removesuffix(" + "))
        bearing_count = int(figure or usual(count))
        kinds.append(Guns(count, caliber, length, bearing_count, group, assumed=not figure))
    return tuple(kinds)


@lru_cache(maxsize=4096)
def _read_gun_kind(text: str) -> tuple[int, Fraction, Fraction | None]:
    """Read guns of one kind: their number, their caliber in inches, and their length in calibers or None.

    Raises:
        ValueError: The text is no such guns.
    """
    match = re.fullmatch(_GUNS, text)
    if match is None:
        raise ValueError(f"expected guns like 4x12in/40 or 10x150mm/40, found “{text}”")
    caliber = Fraction(match[2]) if match[3] == "in" else Fraction(match[2]) / MM_IN_INCH
    length = Fraction(match[4]) if match[4] else None
    return int(match[1]), caliber, length


@lru_cache(maxsize=1024)
def read_small(text: str) -> SmallGuns:
    """Read the numbers of small guns: `16x75-100mm + 8x37-65mm` gives 16 and 8; the calibers never differ.

    Raises:
        ValueError: The text has another form.
    """
    match = re.fullmatch(_SMALL, text)
    if match is None:
        raise ValueError("expected small guns like 16x75-100mm + 8x37-65mm")
    return SmallGuns(int(match[1]), int(match[2]))


@lru_cache(maxsize=1024)
def read_gun_armor(text: str) -> GunArmor | None:
    """Read the armor of the light guns: `6`, `6 (4 of 10)` or `6 (with a remark)`; None for "".

    Raises:
        ValueError: The text is no such armor.
    """
    if not text:
        return None
    match = re.fullmatch(_SHARED, text)
    # Without `(4 of 10)`, all guns have the armor.
    armored, total = (int(match[2]), int(match[3])) if match and match[2] else (1, 1)
    if match is None or total == 0 or armored > total:
        raise ValueError("expected inches, like 6 or 6 (4 of 10)")
    return GunArmor(Fraction(match[1]), Fraction(armored, total), match[4] or "", text)


def list_contradictions(ship: ShipFacts) -> tuple[str, ...]:
    """List facts of a ship that are unlikely, as text for people; they are only warnings."""
    doubtful_facts = [
        f"{guns.text}: {guns.bearing} bear of {guns.count}"
        for guns in (*ship.heavy, *ship.light)
        if guns.bearing > guns.count
    ]
    caliber = max((guns.caliber_in for guns in (*ship.heavy, *ship.light)), default=Fraction(0))
    limits: Mapping[str, tuple[Fraction, int]] = {
        "a belt of {} in": (ship.belt, 24),
        "a deck of {} in": (ship.deck, 6),
        "a deck slope of {} in": (ship.deck_slope or Fraction(0), 8),
        "{} tubes": (Fraction(ship.tubes or 0), 12),
        "guns of {} in": (caliber, 18),
        "{} knots": (ship.knots, 36),
        "guns' armor of {} in": (ship.heavy_armor, 20),
    }
    doubtful_facts += [
        text.format(format_decimal(value)) for text, (value, limit) in limits.items() if value > limit
    ]
    if ship.belt_ends > ship.belt:
        doubtful_facts.append(
            f"ends of {format_decimal(ship.belt_ends)} in, a belt of {format_decimal(ship.belt)} in"
        )
    if ship.completed < ship.launched:
        doubtful_facts.append(f"completed {ship.completed}, launched {ship.launched}")
    if (ship.tubes_below or 0) > (ship.tubes or 0):
        doubtful_facts.append(f"{ship.tubes_below} tubes below water of {ship.tubes or 0}")
    return tuple(doubtful_facts)


ORIGIN, ATTESTED, HULL = "values", "attested", "hull_of"
"""Keys of a card: the origin of its values, the list of its attested fields, and the ship's hull."""
ESTIMATED = "estimated"
"""The value of `ORIGIN` on a card whose values no source gives."""
_BETWEEN = ","


def read_card_list(card: Mapping[str, object], name: str) -> tuple[str, ...]:
    """Return the items of a list that a card holds as one text; () if it has no such list."""
    return tuple(filter(None, str(card.get(name) or "").split(_BETWEEN)))


def join_card_list(words: Iterable[str]) -> str:
    """Join items into the text in which a card holds a list."""
    return _BETWEEN.join(words)


def list_attested_fields(card: Mapping[str, object]) -> tuple[str, ...]:
    """Return the names of the fields of a card whose values a source attests."""
    return read_card_list(card, ATTESTED)


def has_reconstructed_fields(ship: Ship, *fields: str) -> bool:
    """Return whether the card's values are estimates and at least one of these fields is not attested."""
    return ship.card.get(ORIGIN) == ESTIMATED and not set(fields) <= set(list_attested_fields(ship.card))


@frozen
class RatedValue:
    """A value of a card, with its working.

    Attributes:
        key: Key of the card.
        value: The value itself.
        working: How the value was worked out, as text.
        assumed: What was assumed to work it out, as text, or "".
        attested: Clause that states the value, or "" if it was worked out.
        by_hand: True if the umpire set the value; it then replaces the one that was worked out.
    """

    key: str
    value: Scalar
    working: str
    assumed: str = ""
    attested: str = ""
    by_hand: bool = False


def attest(key: str, value: Scalar, clause: str) -> RatedValue:
    """Make a card value that the rules themselves state in a clause."""
    return RatedValue(key, value, f"attested ({clause})", attested=clause)


def collect_values(rating: Iterable[RatedValue]) -> dict[str, Scalar]:
    """Collect the values of a rating by key; values of None are left out."""
    return {rated.key: rated.value for rated in rating if rated.value is not None}


def list_assumptions(rating: Iterable[RatedValue]) -> tuple[str, ...]:
    """List the texts of all assumptions, each once."""
    return tuple(dict.fromkeys(rated.assumed for rated in rating if rated.assumed))


def apply_attested(rating: Iterable[RatedValue], stated: Iterable[RatedValue]) -> tuple[RatedValue, ...]:
    """Replace values of a rating by the values that the rules state, and add stated values that it lacks."""
    stated_by_key = {rated.key: rated for rated in stated}
    values = [stated_by_key.pop(rated.key, rated) for rated in rating]
    return (*values, *stated_by_key.values())


def round_to_step(value: Fraction, step: Fraction | None = None) -> Fraction:
    """Round a value to the nearest multiple of `step`, or of 1 if no step is given; a half rounds up."""
    steps = value / step if step else value
    # Computed with whole numbers, because fractions take ten times as long.
    rounded = Fraction((2 * steps.numerator + steps.denominator) // (2 * steps.denominator))
    return rounded * step if step else rounded


_PARAPET_IN = Fraction(6)
PARAPET = f"a parapet as good as {_PARAPET_IN} in of steel"
"""Text for the armor assumed for a land battery whose plate no source gives."""


def with_parapet(ship: ShipFacts) -> tuple[ShipFacts, str]:
    """Give a land battery without known armor the plate that is worth as much as its earth and concrete.

    Returns:
        The facts with that plate, and the text that explains it. For any other ship, or for a battery with a
        known plate: the facts unchanged, and "".
    """
    if ship.kind != BATTERY or ship.belt:
        return ship, ""
    inches = _PARAPET_IN
    guns_armor = GunArmor(inches, text=str(inches))
    with_plate = evolve(
        ship, belt=inches, upper_side=Fraction(0), heavy_armor=inches, light_armor=guns_armor, plate="steel"
    )
    return with_plate, PARAPET
