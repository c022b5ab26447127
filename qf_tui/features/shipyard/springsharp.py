"""Reads a ship from the text of a report by Springsharp, a program for ship designs, or from part of one.

It reads versions 2 and 3. Lines may be run together, decimals may have a comma or a point, and marks of a
forum are removed. The result is a draft: the cells of a row in the file of a navy.
"""

import html
import re
from collections.abc import Iterable, Mapping
from fractions import Fraction

from attrs import frozen

from qf_tui.core.grammar.names import fold_name
from qf_tui.core.ship_facts import MM_IN_INCH
from qf_tui.core.text import find_unprintable, format_decimal
from qf_tui.library.csv_rows import make_ascii_id
from qf_tui.library.paths import find_encoding

READ_MOST = 100_000
"""Number of characters that are read; the rest of a longer text is ignored."""
MM_FROM = 100
"""Bore in millimetres from which guns count as large; others count as small guns."""
_LARGER_FROM, _SMALLER_FROM = 66, 37
_MAIN_TOO = 200
"""Bore in millimetres from which further guns count with the main battery."""

_ITEM = re.compile(r'(?<![\d.,])(\d{1,3}) ?- ?([\d.,]{1,9}) ?" ?(?:/ ?([\d.,]{1,9}) ?mm)?')
_END = re.compile(r"Weight of broadside|Main Torp|2nd Torp|Mines\b|Armou?r:|Machinery:|Distribution of")
_GUNS = re.compile(r" ?(?:[\d.,]{1,6} cal )?guns?\b")
_TUBES = re.compile(r"orpedo(?:es| t)")
_NAMED_TUBES = re.compile(r"(Main |2nd |3rd )?[Tt]orpedo(?:es| tubes?)\b")
_AFTER_ARMAMENT = re.compile(r"Armou?r:|Machinery:|Survivability")
_RELOADS = re.compile(
    r"orpedo(?:es)?(?: tubes?)?(?: - [\d.,]+ t each, [\d.,]+ t total)?(?: [Ii]n \d+ sets? of)?"
    r"(?:[ ,]+(?!with\b|and\b|plus\b)[a-z/&]+)* reloads"
)
_LENGTH = re.compile(r"^ ?([\d.,]{1,6}) cal\b")
_MOUNTED = re.compile(r"(?<=\w) guns? in ([a-z()/ -]{1,40})", re.IGNORECASE)
_GROUP = re.compile(r"(\d{1,3}) x ([a-z0-9]{1,12})[a-z -]{0,20} mounts? on (centreline|side)", re.IGNORECASE)
_POSITION = re.compile(r"\bon (centreline|side)", re.IGNORECASE)
_GUNS_PER_MOUNT = {"single": 1, "twin": 2, "double": 2, "triple": 3, "quad": 4, "quadruple": 4}
_MOUNT_WORDS = (
    ("turret", "turrets"),
    ("arbette", "barbettes"),
    ("casemate", "casemates"),
    ("broadside", "broadside"),
    ("deck", "shields"),
)

_INCHES = r'([\d.,]{1,9}) ?" ?/ ?[\d.,]{1,9} ?mm'
_HEAD = re.compile(r"^([^\n,]{1,120}), ([^\n]{0,200}?) ?laid down (\d{4})", re.MULTILINE)
_TONS = re.compile(r"(\d[\d., ']{0,12}) ?t(?:ons)? normal", re.IGNORECASE)
_KNOTS = re.compile(r"= ?([\d.,]{1,9}) ?(?:kts|knots)", re.IGNORECASE)
_BELT = re.compile(rf"\b(Main|Ends|Upper): ?{_INCHES} ?[\d.,]{{1,9}} ?ft", re.IGNORECASE)
_GUN_ARMOR = re.compile(rf"\b(Main|2nd|3rd|4th|5th): ?((?:(?:{_INCHES}|-(?!\w)) ?){{1,3}})(?![\d., ]*ft)")
_EACH_THICKNESS = re.compile(_INCHES)
_DECK = re.compile(
    rf'(?:(?:Armou?r(?:ed)?|Prot[a-z]+) deck|Box over)[^":]{{0,80}}: ?(?:Fore? and Aft decks: ?)?{_INCHES}',
    re.IGNORECASE,
)
_TOWER = re.compile(rf"Conning towers?: ?(?:Forward )?{_INCHES}", re.IGNORECASE)
_TO_LAUNCH, _TO_COMPLETION = 2, 3
"""Years that are assumed from laying a ship down to her launch, and to her completion."""
_ITEM_MOST, _TUBES_WITHIN, _QUOTED_MOST = 600, 80, 60
"""Letters of an item that are read, of those that may name tubes, and of a text that a message quotes."""
_GUN_ROWS = ("Main", "2nd", "3rd", "4th", "5th")
_SIGNS = str.maketrans(
    dict.fromkeys("“”„″‟", '"') | dict.fromkeys("–—−‒", "-") | dict.fromkeys("\u00a0\u2009\u202f\t", " ")
)
_KINDS = (
    (r"torpedo-gun-?(?:boat|vessel)", "torpedo-gunboat"),
    (r"(?:torpedo-boat-)?destroyer", "destroyer"),
    (r"torpedo-boat", "torpedo-boat"),
    (r"coast(?:al)?(?:-defen[cs]e)?-(?:battle)?(?:ship|ironclad)", "coast-defence"),
    (r"unprotected-cruiser", "unprotected-cruiser"),
    (r"protected-cruiser", "protected-cruiser"),
    (r"armou?red-cruiser", "armored-cruiser"),
    (r"battle-?cruiser", "battlecruiser"),
    (r"(?:light|scout)-cruiser", "light-cruiser"),
    (r"(?<!pre-)(?<!semi-)dreadnought(?:-battle-?ship)?", "dreadnought"),
    (r"battle-?ship", "battleship"),
    (r"ironclad", "ironclad"),
    (r"monitor", "monitor"),
    (r"gun-?(?:boat|vessel)|sloop", "gunboat"),
    (r"cruiser", ""),
    (r"auxiliary|transport|merchantman|liner", "auxiliary"),
)
"""Ends of a report's first line, with hyphens for spaces, and the kind of ship that each means here."""
_RANK = re.compile(
    r"(?:^|[ -])(?:(?:pre|semi)-?dreadnought|(?:1st|2nd|3rd|first|second|third)[- ]class|sloop)$",
    re.IGNORECASE,
)
_PEOPLES = {
    "french": "france",
    "spanish": "spain",
    "danish": "denmark",
    "dutch": "netherlands",
    "us": "usa",
    "united states": "usa",
    "american": "usa",
    "royal navy": "britain",
    "uk": "britain",
    "austria": "austria-hungary",
    "austrian": "austria-hungary",
    "turkey": "ottoman-empire",
    "turkish": "ottoman-empire",
    "holland": "netherlands",
    "english": "britain",
}
_STEM = 4
"""Number of letters that a country and its people share, as Japan and Japanese."""


def parse_number(text: str) -> Fraction:
    """Read a number with a comma or a point before its decimals; a text without digits is 0.

    After the last comma or point, one or two digits are decimals, and three are thousands: 1,687.50 and
    1.687,50 are both 1687½, and 1.687 is 1687.
    """
    digits = "".join(sign for sign in text if sign in "0123456789")
    places = re.search(r"[.,]([0-9]{1,2})$", text.strip())
    return Fraction(int(digits or 0), 10 ** len(places[1]) if places else 1)


@frozen
class SpringsharpBattery:
    """Guns of one kind.

    Attributes:
        count: Number of guns.
        inches: Bore in inches.
        mm: Bore in millimetres.
        length: Length in calibers; None if the report does not give it.
        mounts: Kind of mounts, or "".
        bearing: Number of guns that bear; None if the report does not give it.
    """

    count: int
    inches: Fraction
    mm: Fraction
    length: Fraction | None
    mounts: str
    bearing: int | None

    @property
    def printed(self) -> str:
        """The guns as text for a navy's row: the bore in inches if it is 4.7 or a multiple of ¼, else mm."""
        is_in_inches = self.inches * 4 % 1 == 0 or self.inches == Fraction(47, 10)
        bore = f"{format_decimal(self.inches)}in" if is_in_inches else f"{format_decimal(self.mm)}mm"
        return f"{self.count}x{bore}{f'/{format_decimal(self.length)}' if self.length else ''}"


@frozen
class Tubes:
    """Torpedo tubes of one bore.

    Attributes:
        count: Number of tubes.
        inches: Bore in inches.
        below: True if they are below water.
    """

    count: int
    inches: int
    below: bool


@frozen
class Armament:
    """The guns and tubes of a report, in its order.

    Attributes:
        strange: Parts of the text that were not understood.
    """

    batteries: tuple[SpringsharpBattery, ...] = ()
    tubes: tuple[Tubes, ...] = ()
    strange: tuple[str, ...] = ()

    @property
    def main_and_others(self) -> tuple[list[int], list[int]]:
        """The main battery and the other batteries with large guns, as lists of indices in `batteries`.

        The main battery is the first one with large guns, together with all whose bore reaches `_MAIN_TOO`.
        """
        large = [place for place, guns in enumerate(self.batteries) if guns.mm >= MM_FROM]
        main = [place for place in large if place == large[0] or self.batteries[place].mm >= _MAIN_TOO]
        return main, [place for place in large if place not in main]

    def build_cells(self) -> dict[str, str]:
        """Build the cells of a navy's row for guns and tubes, by their headings."""
        main, others = self.main_and_others
        cells = _build_gun_cells("heavy", [self.batteries[place] for place in main])
        cells |= _build_gun_cells("light", [self.batteries[place] for place in others])
        larger = sum(guns.count for guns in self.batteries if _LARGER_FROM <= guns.mm < MM_FROM)
        smaller = sum(guns.count for guns in self.batteries if _SMALLER_FROM <= guns.mm < _LARGER_FROM)
        cells["small"] = f"{larger}x75-100mm + {smaller}x37-65mm" if self.batteries else ""
        cells["tubes"] = str(sum(tube.count for tube in self.tubes))
        cells["tube_size"] = "+".join(str(inches) for inches in sorted({tube.inches for tube in self.tubes}))
        cells["tubes_below"] = str(sum(tube.count for tube in self.tubes if tube.below)) if self.tubes else ""
        return cells


def read_armament(text: str) -> Armament:
    """Read the guns and tubes of a report, or of a part of one; quote parts that are not understood."""
    batteries = []
    tubes = []
    strange = []
    tube_spans = []
    # An item begins like `4 - 12.00" / 305 mm`; the text up to the next item says what kind of item.
    items = list(_ITEM.finditer(text))
    item_ends = [*(item.start() for item in items[1:]), len(text)]
    for item, stop in zip(items, item_ends, strict=False):
        item_text = text[item.end() : min(stop, item.end() + _ITEM_MOST)]
        armament_end = _END.search(item_text)
        item_text = item_text[: armament_end.start()] if armament_end else item_text
        count, inches = int(item[1]), parse_number(item[2])
        mm = parse_number(item[3]) if item[3] else inches * MM_IN_INCH
        if _GUNS.match(item_text) and count and mm:
            batteries.append(_read_battery(count, inches, mm, item_text))
        elif (tube_match := _TUBES.search(item_text[:_TUBES_WITHIN])) and count and inches:
            tube_spans.append((item.start(), item.end() + len(item_text)))
            if not _RELOADS.match(item_text, tube_match.start()):
                tubes.append(
                    Tubes(count, round(inches), "submerged" in item_text or "below water" in item_text)
                )
        elif item[3]:
            strange.append((item[0] + item_text)[:_QUOTED_MOST].strip())
    # Quote torpedo tubes, and some letters around them, that are named before the armor but in no item above.
    for tubes_named in _NAMED_TUBES.finditer(_AFTER_ARMAMENT.split(text, 1)[0]):
        start, stop = tubes_named.span()
        # If tubes were read, `Main Torpedoes` and the like are only headings.
        is_heading = tubes_named[1] and tubes
        is_described = any(span_start <= start < span_stop for span_start, span_stop in tube_spans)
        if not is_heading and not is_described:
            strange.append(text[max(0, start - 30) : stop + 10].strip())
    return Armament(tuple(batteries), tuple(tubes), tuple(strange))


def _read_battery(count: int, inches: Fraction, mm: Fraction, text: str) -> SpringsharpBattery:
    """Read a battery's length, mounts and bearing guns from the text after its number and bore.

    Guns on the centreline bear on both sides; of guns on the sides, half bear. Guns without a position bear
    in the same proportion as the others; without any position, `bearing` is None.
    """
    length = _LENGTH.match(text)
    mounted = _MOUNTED.search(text)
    mounting = mounted[1].lower() if mounted else ""
    mounts = next((name for word, name in _MOUNT_WORDS if word in mounting), "")
    groups = [
        (int(group[1]) * _GUNS_PER_MOUNT.get(group[2].lower(), 1), group[3].lower())
        for group in _GROUP.finditer(text)
    ]
    position = _POSITION.search(text)
    if not groups and position:
        groups = [(count, position[1].lower())]
    guns_with_position = sum(guns for guns, _ in groups)
    bearing = None
    if guns_with_position:
        guns_bearing = sum(
            Fraction(guns) if place == "centreline" else Fraction(guns, 2) for guns, place in groups
        )
        bearing = int(count * guns_bearing / guns_with_position)
    return SpringsharpBattery(count, inches, mm, parse_number(length[1]) if length else None, mounts, bearing)


def _build_gun_cells(heading: str, batteries: list[SpringsharpBattery]) -> dict[str, str]:
    """Build the cells of heavy or light guns: their text, how many bear, and their mounts.

    The number that bear is "" if it is unknown for any battery.
    """
    bearing = [guns.bearing for guns in batteries]
    mounts = dict.fromkeys(guns.mounts for guns in batteries if guns.mounts)
    return {
        heading: " + ".join(guns.printed for guns in batteries),
        f"{heading}_bear": "" if None in bearing else " + ".join(map(str, bearing)),
        f"{heading}_mount": " + ".join(mounts),
    }


@frozen
class SpringsharpReport:
    """The facts that a report states about a ship.

    Attributes:
        version: Version of Springsharp, or 0 if unknown.
        country: Country as the report writes it.
        cells: Cells of a navy's row, by their headings.
        assumed: Messages about facts that were filled in because the report does not state them.
        unread: Messages about parts that are missing or were not understood.
    """

    version: int
    country: str
    cells: Mapping[str, str]
    assumed: tuple[str, ...]
    unread: tuple[str, ...]


def read_springsharp(text: str) -> SpringsharpReport:
    """Read the first report in a text; it may be incomplete. This never raises."""
    unread: list[str] = []
    assumed: list[str] = []
    lines = _clean_text(text[:READ_MOST])
    if len(text) > READ_MOST:
        unread.append(f"everything after the first {READ_MOST:,} characters")
    first_lines = list(_HEAD.finditer(lines))
    if len(first_lines) > 1:
        unread.append(f"{len(first_lines) - 1} more after the first report; paste them one by one")
        lines = lines[: first_lines[1].start()]
    one_line = " ".join(lines.split())
    country, cells = _read_first_line(first_lines[0] if first_lines else None, unread, assumed)
    armament = read_armament(one_line)
    cells |= (
        _read_hull(one_line, unread)
        | _build_armament_cells(one_line, armament, unread)
        | _read_armor(one_line, armament, unread)
    )
    if cells.get("kind") == "":
        # The report only says cruiser; her armor shows the kind of cruiser.
        without_belt = "protected-cruiser" if cells.get("deck") else "unprotected-cruiser"
        cells["kind"] = "armored-cruiser" if cells.get("belt") else without_belt
        assumed.append(f"a {cells['kind']}, by her armor")
    filled = {heading: cell for heading, cell in cells.items() if cell}
    if filled:
        filled["sources"] = "a Springsharp report"
    return SpringsharpReport(_find_version(one_line), country, filled, tuple(assumed), tuple(unread))


def decode_report(data: bytes) -> str:
    """Decode a report in UTF-8, in UTF-16 with a byte order mark, or else in that of Windows (cp1252)."""
    try:
        return data.decode(find_encoding(data))
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def find_country_navy(country: str, navies: Iterable[str]) -> str:
    """Return the known navy that a report's country names.

    The country may be a word for the people (`French`), or share its first letters with the navy's name. If
    no navy fits, the country itself becomes the name of a new navy.
    """
    country_name = fold_name(country)
    if country_name in _PEOPLES:
        return _PEOPLES[country_name]
    country_stems = {word[:_STEM] for word in country_name.split() if len(word) >= _STEM}
    country_id = make_ascii_id(country)
    return next((navy for navy in navies if navy == country_id or navy[:_STEM] in country_stems), country_id)


def _clean_text(text: str) -> str:
    """Remove the marks that forums add to a text, and signs that no row may contain; keep its lines."""
    bare = html.unescape(text).translate(_SIGNS).replace("''", '"')
    bare = re.sub(r"\[/?[a-z]{1,10}(?:=[^\]\n]{0,200})?\]", "", bare, flags=re.IGNORECASE)
    bare = re.sub(r"<[/a-z][^>\n]{0,200}>", " ", bare, flags=re.IGNORECASE)
    return "\n".join(
        "".join(" " if find_unprintable(sign) else sign for sign in line).strip(" >*")
        for line in bare.splitlines()
    )


def _find_version(text: str) -> int:
    """Return the Springsharp version that wrote a report, 2 or 3, by words that only it uses; 0: unknown."""
    if re.search(r"\d cal guns?\b|overall / waterline|and Aft decks|Conning towers:", text):
        return 3
    return 2 if re.search(r"overall / water x|shells, \d{4} Model|Armou?r deck:", text) else 0


def _read_first_line(
    first_line: re.Match[str] | None, unread: list[str], assumed: list[str]
) -> tuple[str, dict[str, str]]:
    """Return the country and the cells of a report's first line; ("", {}) if there is none.

    A line that only says cruiser gives the kind "". Without any kind, the country is all before the year.

    Args:
        first_line: Match of the first line, or None if there is none.
        unread: Gets messages about what could not be read.
        assumed: Gets messages about what is assumed.
    """
    if first_line is None:
        unread.append("name, kind and year: no line like “Name, Country Kind laid down 1899”")
        return "", {}
    name, country_and_kind = first_line[1].strip(), first_line[2].strip()
    year = int(first_line[3])
    cells = {"id": make_ascii_id(name), "name": name}
    launched, completed = year + _TO_LAUNCH, year + _TO_COMPLETION
    cells |= {"launched": str(launched), "completed": str(completed), "note": f"Laid down {year}."}
    assumed.append(
        f"launched {launched}, completed {completed}: the report says only that she was laid down in {year}"
    )
    country = country_and_kind
    # The patterns have hyphens where a report may have spaces.
    hyphenated = country_and_kind.replace(" ", "-")
    for pattern, kind in _KINDS:
        kind_found = re.search(rf"(?:^|-)(?:{pattern})(?:-\([^)]*\))?$", hyphenated, re.IGNORECASE)
        if kind_found:
            cells["kind"], country = kind, country_and_kind[: kind_found.start()]
            break
    else:
        unread.append(
            f"her kind: “{country_and_kind[:_QUOTED_MOST]}”; give it yourself, like kind=battleship"
        )
    # Words such as "1st class" can be between the country and the kind.
    while (shorter := _RANK.sub("", country.strip())) != country:
        country = shorter
    return country, cells


def _read_hull(text: str, unread: list[str]) -> dict[str, str]:
    """Read displacement and speed; `unread` gets a message about each that is missing."""
    cells = {}
    tons = _TONS.search(text)
    if tons:
        cells["tons"] = "".join(sign for sign in tons[1] if sign in "0123456789")
    else:
        unread.append("displacement: no “... t normal”")
    knots = _KNOTS.search(text)
    if knots:
        cells["knots"] = format_decimal(parse_number(knots[1]))
    elif "Immobile floating battery" in text:
        cells["knots"] = "0"
    else:
        unread.append("knots: no “= ... kts”")
    return cells


def _build_armament_cells(text: str, armament: Armament, unread: list[str]) -> dict[str, str]:
    """Build the cells of guns and tubes; `unread` gets messages about what is missing or not understood."""
    unread += [f"not understood: “{piece}”" for piece in armament.strange]
    if not armament.batteries:
        unread.append('guns: no line like “4 - 12.00" / 305 mm guns”')
        return armament.build_cells() if armament.tubes else {}
    if not re.search(r"Weight of broadside|Armou?r:|Machinery:", text):
        unread.append("what follows the guns: the text ends there; she may have more guns, and tubes")
        if not armament.tubes:
            # The number of tubes is unknown, not 0.
            return {**armament.build_cells(), "tubes": ""}
    return armament.build_cells()


def _read_armor(text: str, armament: Armament, unread: list[str]) -> dict[str, str]:
    """Read the armor of hull and guns; guns get the greatest thickness of their batteries.

    If only some of the light guns in the armor section have armor, the cell also says how many.
    `unread` gets a message if the text has no section on armor.
    """
    belts = {belt[1].lower(): parse_number(belt[2]) for belt in _BELT.finditer(text)}
    deck, tower = _DECK.search(text), _TOWER.search(text)
    thickness_by_row = {
        row[1]: [parse_number(thickness) for thickness in _EACH_THICKNESS.findall(row[2])]
        for row in _GUN_ARMOR.finditer(text)
    }
    if not (belts or thickness_by_row or deck or tower) and not re.search(r"Armou?r:|Machinery:", text):
        unread.append("armor: no “Armour:” section")
    cells = {
        "belt": _format_thickness(belts.get("main")),
        "belt_ends": _format_thickness(belts.get("ends")),
        "upper_side": _format_thickness(belts.get("upper")),
        "deck": _format_thickness(parse_number(deck[1]) if deck else None),
        "ct": _format_thickness(parse_number(tower[1]) if tower else None),
    }
    # The rows Main, 2nd, 3rd and so on are the batteries in their order.
    armor_by_row = [max(thickness_by_row.get(name, ()), default=Fraction(0)) for name in _GUN_ROWS]
    main, others = armament.main_and_others
    if main:
        heavy_armor = [armor_by_row[place] for place in main if place < len(armor_by_row)]
        cells["heavy_armor"] = _format_thickness(max(heavy_armor, default=None))
    light_armor = [
        (armament.batteries[place].count, armor_by_row[place])
        for place in others
        if place < len(armor_by_row)
    ]
    thickest = max((inches for _, inches in light_armor), default=Fraction(0))
    if thickest:
        plated_guns = sum(count for count, inches in light_armor if inches)
        all_guns = sum(count for count, _ in light_armor)
        share = f" ({plated_guns} of {all_guns})" if plated_guns < all_guns else ""
        cells["light_armor"] = f"{_format_thickness(thickest)}{share}"
    return cells


def _format_thickness(inches: Fraction | None) -> str:
    """Format a thickness in inches; "" for 0 or None."""
    return format_decimal(inches) if inches else ""
