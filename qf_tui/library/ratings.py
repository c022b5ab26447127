"""The cards of ships that a rule system computes from historical facts, and fleets of such ships.

A fleet is a navy in a year, or a list of ships; a side of a scenario may be either.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from attrs import evolve

from qf_tui.core.declarations import FieldSpec
from qf_tui.core.ship_facts import (
    ATTESTED,
    ESTIMATED,
    HULL,
    ORIGIN,
    HandValue,
    RatedValue,
    ShipFacts,
    collect_values,
    join_card_list,
    list_attested_fields,
)
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Scalar, format_count, format_decimal
from qf_tui.library.declared import (
    FOR,
    Card,
    Fleet,
    FleetShip,
    FleetSource,
    Systems,
    check_ids,
    complete_card,
    find_year,
    flatten_values,
    list_attested_names,
    list_card_scalars,
    list_facts_fleet_fields,
    list_ship_fields,
)
from qf_tui.library.faults import (
    WHOLE_FILE,
    Checker,
    Data,
    FileFaults,
    FilePlace,
    Values,
    format_hint,
    make_printable,
    parse_typed_value,
)
from qf_tui.library.navies import NavyShips, find_date, format_navy_title, list_navies
from qf_tui.library.paths import FORMERLY

HAND = "set by hand"


@lru_cache(maxsize=64)
def _list_card_fields(
    system: RuleSystem,
) -> tuple[tuple[FieldSpec, ...], tuple[tuple[str, FieldSpec], ...] | None]:
    """List the fields of a card, and the flat name and the field of each single value in the card.

    The second result is None if the names depend on the card: in a list of tables, or in parts of a part.
    """
    # `list_ship_fields` removes the default of a field that a fleet may set; here no fleet sets it.
    fleet_defaults = {field.name: field.default for field in system.card if field.of_fleet}
    fields = tuple(
        evolve(field, default=fleet_defaults.get(field.name, field.default))
        for field in list_ship_fields(system)
    )
    has_fixed_names = all(
        field.kind != "tables" and not any(part.parts for part in field.parts) for field in fields
    )
    if not has_fixed_names:
        return fields, None
    # The second argument counts the tables of a list. It is never called: these fields have no list.
    return fields, tuple(list_card_scalars(fields, lambda *_: 0))


def make_card(system: RuleSystem, ship: ShipFacts) -> Card:
    """Make a card from facts alone; return {} if the rule system computes no cards from facts."""
    rating = rate_ship(system, ship)
    about = {"id": ship.id, "name": ship.name, "notes": format_facts(ship)}
    return fill_card(system, rating, about, stated={}) if rating else {}


def fill_card(
    system: RuleSystem, rating: Sequence[RatedValue], about: Mapping[str, Scalar], stated: Values
) -> dict[str, Scalar]:
    """Fill the complete card of a ship.

    Args:
        rating: Her values under the rule system.
        about: Her id, name and notes.
        stated: The checked values of a file, which win over the rating.

    Returns:
        The card. Its `attested` names the values that the rules attest and the file does not state.
    """
    fields, scalars = _list_card_fields(system)
    values = {**collect_values(rating), **about}
    if not stated:
        card = complete_card(fields, values, scalars)
    else:
        card = {}
        for field in fields:
            is_stated = stated.get(field.name) is not None
            card |= flatten_values((field,), stated) if is_stated else complete_card((field,), values)
    card[ORIGIN] = str(stated.get(ORIGIN) or ESTIMATED)
    attested = (value.key for value in rating if value.attested)
    card[ATTESTED] = join_card_list(key for key in attested if stated.get(key.partition(".")[0]) is None)
    return card


def format_facts(ship: ShipFacts) -> str:
    """Format the facts of a ship in one line, for the notes of her card."""
    parts = {
        "belt": ship.belt,
        "upper side": ship.upper_side,
        "heavy guns": ship.heavy_armor,
        "deck": ship.deck,
    }
    plates = [f"{label} {format_decimal(inches)}in" for label, inches in parts.items() if inches]
    # The first size is that of the most tubes.
    tube_size = f" {ship.tube_size_in[0]}in" if ship.tube_size_in else ""
    small = ship.small
    facts = (
        f"{ship.tons:,} t",
        *(str(guns) for guns in (*ship.heavy, *ship.light)),
        ", ".join([*plates, *filter(None, [ship.plate])]) if plates else "",
        f"{format_decimal(ship.knots)} kt",
        f"{ship.tubes} TT{tube_size}" if ship.tubes else "",
        f"small guns {small.larger}+{small.smaller}" if small.larger or small.smaller else "",
    )
    return "; ".join(filter(None, facts))


@lru_cache(maxsize=4096)
def rate_ship(system: RuleSystem, ship: ShipFacts) -> tuple[RatedValue, ...]:
    """Rate a ship, with the values that the user set by hand. Return () if the system rates no facts.

    If a value set by hand cannot be read, the rating's value stays, and its `assumed` has the fault.
    """
    rating = system.rate(ship)
    hand_values = [hand for hand in ship.by_hand if hand.system == system.name]
    if not rating or not hand_values:
        return rating
    rated_by_key = {rated.key: rated for rated in rating}
    for hand in hand_values:
        value, fault = read_hand_value(system, hand)
        rated = rated_by_key.get(hand.key)
        if fault:
            kept = rated or RatedValue(hand.key, value=None, working=HAND)
            rated_by_key[hand.key] = evolve(kept, assumed=fault)
        else:
            working = HAND if rated is None else f"{HAND}; worked out {rated.value}: {rated.working}"
            rated_by_key[hand.key] = RatedValue(hand.key, value, working, by_hand=True)
    return tuple(rated_by_key.values())


def read_hand_value(system: RuleSystem, hand: HandValue) -> tuple[Scalar, str]:
    """Read a value set by hand.

    Returns:
        The value and "", or None and its faults as one text.
    """
    declared_field = find_card_field(system, hand.key)
    if declared_field is None:
        hint = format_hint(hand.key, list_value_keys(system))
        return None, f"there is no value {make_printable(hand.key)}{hint}"
    checker = Checker()
    typed_value = parse_typed_value(declared_field, hand.text)
    # A tuple of the value, or () if it is refused.
    checked_values = checker.check_value(typed_value, declared_field, WHOLE_FILE.add_key(hand.key))
    value = checked_values[0] if checked_values else None
    scalar = value if isinstance(value, int | float | str) else None
    return scalar, "; ".join(map(str, checker.faults))


def list_hand_faults(values: Iterable[HandValue], systems: Systems) -> tuple[str, ...]:
    """List the faults of values set by hand, each with its rule system."""
    faults = []
    for hand in values:
        if hand.system in systems:
            _, fault = read_hand_value(systems[hand.system], hand)
        else:
            fault = f"no such rule system{format_hint(hand.system, systems)}"
        if fault:
            faults.append(f"{hand.system}: {fault}")
    return tuple(faults)


def find_card_field(system: RuleSystem, key: str) -> FieldSpec | None:
    """Find the field of a card value by its dotted name, such as `guns.bow`.

    Returns:
        The field; for a series, that of one of its numbers. None if the name is unknown, or is `id`, `name`
        or the name of a table.
    """
    fields = {field.name: field for field in list_ship_fields(system) if field.name not in ("id", "name")}
    first_part, *parts = key.split(".")
    declared_field = fields.get(first_part)
    while declared_field is not None and parts:
        # After a list of tables, the name has a number and a name in that table: `battery.2.af`.
        if declared_field.kind == "tables":
            number = parts.pop(0)
            if not number.isdecimal() or not parts:
                return None
        fields = {field.name: field for field in declared_field.parts}
        declared_field = fields.get(parts.pop(0))
    if declared_field is None or declared_field.parts:
        return None
    return evolve(declared_field, kind="number") if declared_field.kind == "series" else declared_field


class FactsReader:
    """The reader that makes cards from facts for one rule system. Each navy is read once.

    Attributes:
        known: The facts of the ships that have a card, by their ids.
        warnings: Messages about values that are allowed but unlikely.
    """

    def __init__(self, system: RuleSystem, checker: Checker, when: str = "") -> None:
        """Prepare to make cards.

        Args:
            when: The date of the fleet or the battle, or "" if only a year is known.
        """
        self._system = system
        self._checker = checker
        self._when = when
        self.known: dict[str, ShipFacts] = {}
        self.warnings: list[str] = []
        self._navies: dict[str, NavyShips] = {}

    def list_ids(self, navy: str, year: int, place: FilePlace, *, served: bool = True) -> list[str]:
        """List the ids of a navy's ships in a year. If the navy has faults, add them and return [].

        Args:
            navy: The name of the navy's file.
            served: True to list only ships in service in the year, or on the battle's date if that is in the
                year. A ship that may have served is left out with a warning. False to list all ships
                completed by the year.
        """
        ships = self._find_navy(navy, place)
        if ships is None:
            return []
        when = self._find_date(year) if served else ""
        if when and (vague_ids := ships.list_ids(year, when, vague=True)):
            text = "left out, because the day on which they began or ended is not known"
            self.warnings.append(f"{place}: {when}: {text}: {', '.join(vague_ids)}")
        return ships.list_ids(year, when)

    def warn_of_open_ends(self, place: FilePlace) -> None:
        """Add a warning with the names of the ships whose end of service is not known, the oldest first."""
        ships = [ship for ship in self.known.values() if ship.has_open_end]
        if ships:
            names = ", ".join(ship.name for ship in sorted(ships, key=lambda ship: ship.launched))
            count = f"{len(ships)} of {format_count(len(self.known), 'ship')}"
            text = f"{count}: the end of service is not known; check that they still served"
            self.warnings.append(f"{place}: {text}: {names}")

    def _find_date(self, year: int) -> str:
        """Return the date of the fleet or battle if it is in a year, else the year, as text."""
        return self._when if self._when.startswith(str(year)) else str(year)

    def make_card(
        self, fleet_ship: FleetShip, about: Mapping[str, Scalar], stated: Values, place: FilePlace
    ) -> Card | None:
        """Make the card of a ship, and note her facts in `known`.

        If she cannot be found or rated, add a fault and return None. Faults of the card itself are added too,
        but the card is returned.

        Args:
            about: Her id, name and notes in the file; an empty id or name is taken from her facts.
            stated: The values that the file states.
        """
        ship = self._find_facts(fleet_ship, place)
        if ship is None:
            return None
        rating = rate_ship(self._system, ship)
        if not rating and not self._has_required_values(stated, place):
            return None
        notes = "; ".join(filter(None, [str(about.get("notes") or ""), format_facts(ship)]))
        id_and_name = {key: about.get(key) or getattr(ship, key) for key in ("id", "name")}
        card = fill_card(self._system, rating, {**id_and_name, "notes": notes, HULL: ship.hull_name}, stated)
        card |= self._system.get_card_defaults(card)
        self.known[str(id_and_name["id"])] = ship
        when = self._find_date(fleet_ship.source.year or 0)
        if not ship.is_serving(when):
            self.warnings.append(f"{place}: {ship.name} did not serve in {ship.navy} in {when}")
        stated_at = place.add_key(FOR, self._system.name) if stated else place
        if stated.get(ATTESTED):
            fields = list_ship_fields(self._system)
            at = stated_at.add_key(ATTESTED)
            names = list_attested_names(stated[ATTESTED], card, fields, self._checker, at)
            card[ATTESTED] = join_card_list((*list_attested_fields(card), *names))
        for key, text in self._system.list_card_faults(card):
            self._checker.add_fault(stated_at.add_key(key), text)
        for key, text in self._system.list_card_warnings(card):
            # Only a value that a person stated can be a slip.
            if key in stated:
                self.warnings.append(f"{stated_at.add_key(key)}: {text}")
        return card

    def _has_required_values(self, stated: Values, place: FilePlace) -> bool:
        """Return whether a file states all values that a card needs without a rating; if not, add a fault."""
        required_names = [field.name for field in self._system.card if field.required]
        if all(stated.get(name) is not None for name in required_names):
            return True
        text = (
            f"{self._system.title} cannot rate ships by their facts: state "
            f"{', '.join(required_names)} in [ship.{FOR}.{self._system.name}]"
        )
        self._checker.add_fault(place, text)
        return False

    def make_listed_card(
        self, fleet: Values, id: str, listed_text: str, entry: tuple[int, Values] | None
    ) -> Card | None:
        """Make the card of a ship in a fleet of facts, or add a fault and return None.

        Args:
            fleet: The checked fleet.
            listed_text: The text for her in the fleet's list of ships, or "" if she is not listed.
            entry: The number and the values of her own table, or None.
        """
        navy = str(fleet.get("navy") or "")
        year = fleet.get("year")
        if entry is None:
            return self.make_card(
                FleetSource(navy, year).parse_ship(listed_text),
                about={},
                stated={},
                place=WHOLE_FILE.add_key("ships"),
            )
        number, ship = entry
        year = ship.get("year") or year
        fleet_ship = FleetSource(navy, year).parse_ship(str(ship.get("facts") or listed_text or id))
        about = {key: str(ship.get(key) or "") for key in ("id", "name", "notes")}
        stated = ship.get(FOR) or {}
        place = WHOLE_FILE.add_item("ship", number, ship)
        return self.make_card(fleet_ship, about, stated.get(self._system.name, {}), place)

    def _find_facts(self, fleet_ship: FleetShip, place: FilePlace) -> ShipFacts | None:
        """Return the facts of a ship in her year, or add a fault and return None."""
        source, id = fleet_ship.source, fleet_ship.ship
        if not source.name:
            text = f"“{make_printable(id)}” has no navy; write navy/ship, or name a navy"
            self._checker.add_fault(place, text)
            return None
        navy = self._find_navy(source.name, place)
        if navy is None:
            return None
        if source.year is None:
            self._checker.add_fault(place, f"“{make_printable(id)}” has no year; give the year of the ships")
            return None
        try:
            ship = navy.find_ship(id, source.year)
        except FileFaults as faults:
            self._add_faults(faults, place)
            return None
        if ship is None:
            first_year = navy.find_first_year(id)
            if first_year:
                text = f"“{make_printable(id)}” is known from {first_year} on, not in {source.year}"
            else:
                text = f"no ship “{make_printable(id)}” in navy {navy.name}{format_hint(id, navy.every_id)}"
            self._checker.add_fault(place, text)
        return ship

    def _find_navy(self, name: str, place: FilePlace) -> NavyShips | None:
        """Return a navy on the shelf, or None if it is unknown or faulty; add its faults the first time."""
        if name not in self._navies:
            navy = self._navies[name] = NavyShips(name)
            try:
                if not navy.exists:
                    known = list_navies()
                    hint = format_hint(name, known) or f"; known navies: {', '.join(known)}"
                    self._checker.add_fault(place, f"no navy “{make_printable(name)}”{hint}")
            except FileFaults as faults:
                self._add_faults(faults, place)
                # A navy without a name has no ships, so the faulty files are not read and reported again.
                self._navies[name] = NavyShips("")
        navy = self._navies[name]
        return navy if navy.exists else None

    def _add_faults(self, faults: FileFaults, place: FilePlace) -> None:
        """Add the faults of a navy's file at the place that names the navy."""
        for fault in faults.faults:
            self._checker.add_fault(place, f"{faults.file}: {fault}")


def read_facts_fleet(
    data: Data, name: str, system: RuleSystem, checker: Checker, wanted: Collection[str] | None = None
) -> Fleet:
    """Read the sound part of a fleet that names ships by their facts.

    The fleet lists ships, or has all ships of a navy. A table of a ship adds a ship, or details of a listed
    one. If `name` is a former name, the fleet has only the ships that it had under that name. Only ships
    that are `wanted` (None: all) get a card.
    """
    checked_values = checker.check_table(data, list_facts_fleet_fields((system,)), WHOLE_FILE)
    when = str(checked_values.get("date") or "")
    year = checked_values.get("year") or find_year(when)
    is_day_of_year = bool(find_date(when)) and when.startswith(str(year))
    if when and not is_day_of_year:
        checker.add_fault(
            WHOLE_FILE.add_key("date"), f"expected a date of {year or 'a year'}, like 1905-05-27"
        )
    facts = FactsReader(system, checker, when)
    values = {**checked_values, "year": year}
    formerly = values.get(FORMERLY) or {}
    former_ids = formerly[name].get("ships") if name in formerly else None
    # The list names a ship by her id, or by `navy/id`; her id alone is the key here.
    text_by_id = {text.rpartition("/")[2]: text for text in _list_ships(values, facts, checker)}
    tables = values.get("ship") or []
    entry_by_id: dict[str, tuple[int, Values]] = {}
    for number, table in enumerate(tables, 1):
        if "id" in table:
            entry_by_id.setdefault(str(table["id"]), (number, table))
    cards, others = [], []
    for id in dict.fromkeys((*text_by_id, *entry_by_id)):
        if former_ids is not None and id not in former_ids:
            continue
        if wanted is not None and id not in wanted:
            others.append(id)
        elif card := facts.make_listed_card(values, id, text_by_id.get(id, ""), entry_by_id.get(id)):
            cards.append(card)
    check_ids(tables, checker)
    if values.get("ships") is None and values.get("navy"):
        facts.warn_of_open_ends(WHOLE_FILE.add_key("navy"))
    title = str(values.get("title") or name)
    return Fleet(name, title, tuple(cards), tuple(facts.warnings), tuple(others), facts.known)


def _list_ships(values: Values, facts: FactsReader, checker: Checker) -> list[str]:
    """List the ships of a fleet as it names them, else the ids of its whole navy; [] if it has neither.

    If the navy has no year, add a fault and return [].
    """
    # A refused list is missing from `values`; a list that the file leaves out is None.
    listed_ships = values.get("ships", [])
    navy = str(values.get("navy") or "")
    if listed_ships is not None or not navy:
        return listed_ships or []
    year = values.get("year")
    if year is None:
        checker.add_fault(WHOLE_FILE.add_key("year"), "is missing; expected the year of the ships")
        return []
    return facts.list_ids(navy, year, WHOLE_FILE.add_key("navy"))


def make_navy_fleet(
    source: FleetSource, system: RuleSystem, checker: Checker, wanted: Collection[str] | None = None
) -> Fleet:
    """Make the fleet of a navy in a year: the ships in `wanted`, or all ships in service if it is None."""
    navy = source.name
    year = source.year or 0
    facts = FactsReader(system, checker)
    place = WHOLE_FILE
    # A ship that is named takes part even if she was not in service; her card gives a warning.
    ids = facts.list_ids(navy, year, place, served=wanted is None)
    ids = [id for id in ids if wanted is None or id in wanted]
    cards = [facts.make_card(FleetShip(source, id), about={}, stated={}, place=place) for id in ids]
    made_cards = tuple(card for card in cards if card is not None)
    return Fleet(source.text, f"{format_navy_title(navy)} {year}", made_cards, facts=facts.known)


def read_navy_side(
    values: Values, place: FilePlace, date: str, system: RuleSystem, checker: Checker
) -> tuple[Fleet, Values] | None:
    """Read a side of a scenario that names ships of a navy.

    Args:
        values: The checked side.
        date: The date of the battle; a side without a year takes its year.

    Returns:
        The side's fleet, and the side with plain ids in place of `navy/id`; None if no year is known.
    """
    navy = str(values["navy"])
    year = values.get("year") or find_year(date)
    if year is None:
        checker.add_fault(
            place.add_key("year"), "is missing; expected the year of the ships, or a date for the battle"
        )
        return None
    facts = FactsReader(system, checker, find_date(date))
    source = FleetSource(navy, year)
    card_by_id: dict[str, Card] = {}
    ship_by_id: dict[str, FleetShip] = {}

    def make_cards(names: list[str], at: FilePlace) -> list[str]:
        """Make the cards of ships that have none yet; return the ids of those ships that have one now."""
        ids = []
        for name in names:
            ship = source.parse_ship(name)
            id = ship.ship
            first_ship = ship_by_id.get(id)
            if first_ship is not None and first_ship != ship:
                text = f"“{make_printable(name)}” has the same id as a ship of {first_ship.source.name}"
                checker.add_fault(at, f"{text}; put the two into a fleet")
                continue
            # A ship of a division may be listed for the side too; her card is made only once.
            if first_ship is None:
                ship_by_id[id] = ship
                card = facts.make_card(ship, about={}, stated={}, place=at)
                if card:
                    card_by_id[id] = card
            if id in card_by_id:
                ids.append(id)
        return ids

    has_whole_navy = values.get("ships") is None
    names = facts.list_ids(navy, year, place.add_key("navy")) if has_whole_navy else values["ships"]
    start_ids = make_cards(names, place.add_key("ships"))
    divisions = []
    for number, division in enumerate(values.get("division") or [], 1):
        at = place.add_item("division", number, division).add_key("ships")
        divisions.append({**division, "ships": make_cards(division.get("ships", []), at)})
    if has_whole_navy:
        facts.warn_of_open_ends(place.add_key("navy"))
    title = f"{format_navy_title(navy)} {year}"
    fleet = Fleet(title, title, tuple(card_by_id.values()), tuple(facts.warnings), facts=facts.known)
    return fleet, {**values, "ships": start_ids, "division": divisions}


def list_value_keys(system: RuleSystem) -> tuple[str, ...]:
    """List the names of card values that can be set by hand; for a list of tables, only the first table's."""
    return tuple(name for name, _ in list_card_scalars(system.card, lambda *_: 1))
