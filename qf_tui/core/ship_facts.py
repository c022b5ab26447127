"""The facts of a ship as she was built, from which every rule system works out her values."""

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache

from attrs import evolve, frozen

from qf_tui.core.text import Scalar, decimal
from qf_tui.core.values import BATTERY, Ship

YEARS = (1850, 1950)
"""The years that ships may be of."""
GENERAL_KNOWLEDGE = "general knowledge"
"""The source of facts that were not looked up."""
SERVING = "serving"
"""How a service is marked that had not ended by 1906."""
MM_IN_INCH = Fraction(254, 10)
_DATE = r"[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?"
_GUNS = r"([1-9]\d{0,2})x(\d{1,3}(?:\.\d{1,2})?)(in|mm)(?:/(\d{1,2}(?:\.\d)?))?"
_SMALL = r"(\d{1,3})x75-100mm \+ (\d{1,3})x37-65mm"
_SHARED = r"(\d{1,2}(?:\.\d{1,2})?)(?: \((\d{1,2}) of (\d{1,2})\)| \(([^()]{1,60})\))?"


@frozen
class Guns:
    """Guns of one kind: how many, their caliber in inches, their length in calibers, how many bear abeam.

    `text` is what is printed of them, `4x240mm/40`. An unknown length is None. `assumed`: nobody said
    how many bear.
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
    """The armor of the light guns: inches, the share of them that has it, a note."""

    inches: Fraction
    share: Fraction = Fraction(1)
    note: str = ""
    text: str = ""

    def __str__(self) -> str:
        return self.text


@frozen
class SmallGuns:
    """Guns of 75 to 100 mm, and guns of 37 to 65 mm."""

    larger: int
    smaller: int

    def __str__(self) -> str:
        return f"{self.larger}x75-100mm + {self.smaller}x37-65mm"


@frozen
class HandValue:
    """A value of a ship's card under one rule system that her umpire set, as he wrote it: it wins."""

    system: str
    key: str
    text: str

    def __str__(self) -> str:
        return f"{self.system} {self.key}={self.text}"


@frozen
class ShipFacts:
    """One ship, or a class of small craft, from the year `since` on; inches, long tons, knots.

    None, or no guns, is unknown; a thickness of 0 is none. `sources` are addresses or titles, `differ` where
    they disagree. `own` is a row of the user's, `by_hand` his own values. Her service under this flag is from
    a date until a date, each as exact as it is known, "" unknown. `hull` names the first row of a hull that
    changed its flag or name; `class_row` is the id of the row, where only her class has one.
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
    by_hand: tuple[HandValue, ...] = ()
    own: bool = False
    class_row: str = ""

    @property
    def row_name(self) -> str:
        """Her navy and id, as files name her: `russia/poltava`."""
        return f"{self.navy.lower()}/{self.id}"

    @property
    def hull_name(self) -> str:
        """Her hull, whatever the flag: the name of its first row."""
        return self.hull or self.row_name

    @property
    def general_knowledge(self) -> bool:
        """Whether no source of hers can be looked up."""
        return bool(self.sources) and all(one.startswith(GENERAL_KNOWLEDGE) for one in self.sources)

    @property
    def endless(self) -> bool:
        """Whether nobody says until when she served."""
        return not self.serves_until and self.ended != SERVING

    def served(self, when: str) -> bool:
        """Whether she served under this flag on a date, or at any time of a year."""
        return served(self.serves_from or str(self.completed), self.serves_until, when)


def served(begins: str, until: str, when: str) -> bool:
    """Whether a service meets a year, a month or a day; each is as exact as it is known."""
    return begins[: len(when)] <= when[: len(begins)] and until[: len(when)] >= when[: len(until)]


def read_date(text: str) -> str:
    """A date as far as it is known, `1905`, `1905-05` or `1905-05-27`; ValueError where it is none."""
    if not re.fullmatch(_DATE, text) or not YEARS[0] <= int(text[:4]) <= YEARS[1]:
        raise ValueError("expected a date as 1905, 1905-05 or 1905-05-27")
    return text


def main_bearing(mount: str, count: int) -> int:
    """How many of a main battery's guns bear abeam where nobody says: in turrets all of up to four."""
    turrets = "turrets" in mount or "barbettes" in mount
    return count if count <= (4 if turrets else 2) else light_bearing(count)


def light_bearing(count: int) -> int:
    """How many of other guns bear abeam where nobody says: half of them."""
    return (count + 1) // 2


def read_guns(text: str, bearing: str, usual: Callable[[int], int] = light_bearing) -> tuple[Guns, ...]:
    """Guns as printed, `2x16.25in/30 + 1x10in/30`, of which `2 + 1` bear; ValueError says what is wrong.

    Where nothing says how many bear it is the `usual` of their number.
    """
    if not text:
        return ()
    groups = text.split(" + ")
    bear = bearing.split(" + ") if bearing else [""] * len(groups)
    if len(bear) not in (1, len(groups)):
        raise ValueError(f"{len(groups)} kinds of guns, but {len(bear)} figures for how many bear")
    kinds = []
    for at, group in enumerate(groups):
        count, caliber, length = _kind_of_guns(group)
        figure = bear[at] if at < len(bear) else "0"
        if bearing and not (figure.isascii() and figure.isdigit()):
            raise ValueError(f"expected how many bear, as {len(groups) * '2 + '}".removesuffix(" + "))
        kinds.append(Guns(count, caliber, length, int(figure or usual(count)), group, not figure))
    return tuple(kinds)


@lru_cache(maxsize=4096)
def _kind_of_guns(text: str) -> tuple[int, Fraction, Fraction | None]:
    """How many they are, their caliber in inches, their length; ValueError where they are none."""
    read = re.fullmatch(_GUNS, text)
    if read is None:
        raise ValueError(f"expected guns as 4x12in/40 or 10x150mm/40, found “{text}”")
    caliber = Fraction(read[2]) if read[3] == "in" else Fraction(read[2]) / MM_IN_INCH
    return int(read[1]), caliber, Fraction(read[4]) if read[4] else None


@lru_cache(maxsize=1024)
def read_small(text: str) -> SmallGuns:
    """Small guns as printed, `16x75-100mm + 8x37-65mm`; ValueError where they are not."""
    read = re.fullmatch(_SMALL, text)
    if read is None:
        raise ValueError("expected small guns as 16x75-100mm + 8x37-65mm")
    return SmallGuns(int(read[1]), int(read[2]))


@lru_cache(maxsize=1024)
def read_gun_armor(text: str) -> GunArmor | None:
    """Armor of the light guns as printed, `6`, `6 (4 of 10)`; None where nothing is; ValueError else."""
    if not text:
        return None
    read = re.fullmatch(_SHARED, text)
    if read is None or (read[2] and not 0 <= int(read[2]) <= int(read[3])) or read[3] == "0":
        raise ValueError("expected inches, as 6 or 6 (4 of 10)")
    share = Fraction(int(read[2]), int(read[3])) if read[2] else Fraction(1)
    return GunArmor(Fraction(read[1]), share, read[4] or "", text)


def contradictions(ship: ShipFacts) -> tuple[str, ...]:
    """Unlikely facts of a ship, in words; none is refused."""
    doubtful = [
        f"{guns.text}: {guns.bearing} bear of {guns.count}"
        for guns in (*ship.heavy, *ship.light)
        if guns.bearing > guns.count
    ]
    caliber = max((guns.caliber_in for guns in (*ship.heavy, *ship.light)), default=Fraction(0))
    most: Mapping[str, tuple[Fraction, int]] = {
        "a belt of {} in": (ship.belt, 24),
        "a deck of {} in": (ship.deck, 6),
        "a deck slope of {} in": (ship.deck_slope or Fraction(0), 8),
        "{} tubes": (Fraction(ship.tubes or 0), 12),
        "guns of {} in": (caliber, 18),
        "{} knots": (ship.knots, 36),
        "guns' armor of {} in": (ship.heavy_armor, 20),
    }
    doubtful += [text.format(decimal(value)) for text, (value, limit) in most.items() if value > limit]
    if ship.belt_ends > ship.belt:
        doubtful.append(f"ends of {decimal(ship.belt_ends)} in, a belt of {decimal(ship.belt)} in")
    if ship.completed < ship.launched:
        doubtful.append(f"completed {ship.completed}, launched {ship.launched}")
    if (ship.tubes_below or 0) > (ship.tubes or 0):
        doubtful.append(f"{ship.tubes_below} tubes below water of {ship.tubes or 0}")
    return tuple(doubtful)


def assumed_of(ship: ShipFacts) -> tuple[str, ...]:
    """The assumed facts of a ship, in words."""
    guns = (*ship.heavy, *ship.light)
    return tuple(f"{gun.text}: {gun.bearing} bear" for gun in guns if gun.assumed)


ORIGIN, ATTESTED, HULL = "values", "attested", "hull_of"
ESTIMATED = "estimated"
"""What a card says of values that no source has."""
_BETWEEN = ","


def listed_in(card: Mapping[str, object], name: str) -> tuple[str, ...]:
    """The words of a list that a card holds under a name; none if it has no such list."""
    return tuple(filter(None, str(card.get(name) or "").split(_BETWEEN)))


def as_listed(words: Iterable[str]) -> str:
    """Words as a card holds a list of them."""
    return _BETWEEN.join(words)


def attested_of(card: Mapping[str, object]) -> tuple[str, ...]:
    """The fields of a card whose values a source attests."""
    return listed_in(card, ATTESTED)


def reconstructed(ship: Ship, *fields: str) -> bool:
    """Whether some of these fields of a card are estimated, and not attested one by one."""
    return ship.card.get(ORIGIN) == ESTIMATED and not set(fields) <= set(attested_of(ship.card))


@frozen
class RatedValue:
    """One value of a card: its key, the figure, how it was worked out, and what was assumed for it.

    `attested`: it is stated by the rules (with the clause), not worked out. `by_hand`: her umpire set it,
    whatever the working says.
    """

    key: str
    value: Scalar
    working: str
    assumed: str = ""
    attested: str = ""
    by_hand: bool = False


@frozen
class Attested:
    """A value of a card that the rules state, and the clause that has it."""

    key: str
    value: Scalar
    clause: str

    @property
    def rated(self) -> RatedValue:
        return RatedValue(self.key, self.value, f"attested ({self.clause})", attested=self.clause)


@frozen
class Rating:
    """A ship's values under one rule system, in the order of the card."""

    values: tuple[RatedValue, ...]

    @property
    def card(self) -> Mapping[str, Scalar]:
        """The values by their keys, without those that are None."""
        return {rated.key: rated.value for rated in self.values if rated.value is not None}

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What was assumed, each once."""
        return tuple(dict.fromkeys(rated.assumed for rated in self.values if rated.assumed))

    def attesting(self, stated: Iterable[Attested]) -> "Rating":
        """The rating with what the rules state in the place of what was worked out."""
        known = {rated.key: rated.rated for rated in stated}
        others = [rated for key, rated in known.items() if key not in self.card]
        return Rating((*(known.get(rated.key, rated) for rated in self.values), *others))


def rounded(value: Fraction, step: Fraction | None = None) -> Fraction:
    """To the nearest whole step, by default of 1; a half goes up."""
    steps = value / step if step else value
    # In whole numbers: fractions take ten times as long.
    whole = Fraction((2 * steps.numerator + steps.denominator) // (2 * steps.denominator))
    return whole * step if step else whole


_PARAPET_IN = Fraction(6)
PARAPET = f"a parapet as good as {_PARAPET_IN} in of steel"
"""What is assumed of a battery on land whose plate nobody states."""


def with_parapet(ship: ShipFacts) -> tuple[ShipFacts, str]:
    """A battery on land with the plate that its earth and concrete are worth, and the words for it.

    Any other ship as she is, and "".
    """
    if ship.kind != BATTERY or ship.belt:
        return ship, ""
    inches, guns = _PARAPET_IN, GunArmor(_PARAPET_IN, text=str(_PARAPET_IN))
    behind = evolve(
        ship, belt=inches, upper_side=Fraction(0), heavy_armor=inches, light_armor=guns, plate="steel"
    )
    return behind, PARAPET
