"""What the first screen offers: saves, scenarios, samples and the user's set-up, read as needed."""

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import Enum
from pathlib import Path

from attrs import evolve, frozen
from textual.content import Content

from qf_tui.console.setup.opening import Scenario, look_at
from qf_tui.console.setup.order_of_battle import count, ships_text
from qf_tui.console.setup.saves import (
    SaveListed,
    acts_text,
    glanced,
    looked,
    odd_file,
    own_saves,
    sample_saves,
    written_text,
)
from qf_tui.console.widgets.picklist import PickLine, heading, words
from qf_tui.console.widgets.text import CUT, cut, fit, literal, one_line, width_of
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.library.faults import fault_lines, first_fault
from qf_tui.library.paths import Listed, listed
from qf_tui.library.setup.drafts import Draft

LATEST = 5
"""Saves that are listed until all of them are asked for."""
ALL_SAVES = "all-saves"
HELD = "another console has it: to watch only"


class OfferKind(Enum):
    """What an offer is, in the order and by the headings of the first screen."""

    NEWEST = "Continue"
    SAVE = "Open another"
    SAMPLE = "Try the sample battle"
    SCENARIO = "Begin a scenario"
    OWN = "Set up a battle"


@frozen
class Offer:
    """One thing to open: a save, a scenario (read or not yet), or the last set-up.

    `fault` are the lines of all that is wrong with the file of a scenario, `first_fault` is the first of it.
    """

    kind: OfferKind
    key: str
    title: str
    path: Path | None = None
    save: SaveListed | None = None
    scenario: Scenario | None = None
    fault: tuple[str, ...] = ()
    first_fault: str = ""
    own: bool = False

    @property
    def unread(self) -> bool:
        """Whether it is a save of which nothing is known but its name."""
        return self.save is None and self.kind in (OfferKind.NEWEST, OfferKind.SAVE, OfferKind.SAMPLE)

    @property
    def sure(self) -> bool:
        """Whether there is no more to find out by reading all of it."""
        if self.save is not None:
            return self.save.sure
        return self.kind is OfferKind.OWN or self.scenario is not None or bool(self.fault)

    def known(self, before: "Offer | None") -> "Offer":
        """The same with what was found out before, if the file is still that one."""
        if before is None or not before.sure or self.sure:
            return self
        if self.kind is OfferKind.SCENARIO or before.save is None:
            return before
        if self.save is None:
            return self
        same = before.save.written == self.save.written and not before.save.fault
        return evolve(before, kind=self.kind, save=evolve(before.save, held=self.save.held)) if same else self

    @property
    def faulty(self) -> bool:
        """Whether something is known to be wrong with its file."""
        return bool(self.fault or (self.save is not None and self.save.fault))

    @property
    def about(self) -> tuple[str, ...]:
        """What is shown beside the title, the most needed first."""
        if self.save is not None:
            known = (self.save.stands, acts_text(self.save), self._written, self.save.system)
            held = (HELD,) if self.save.held else ()
            return (f"✗ {self.save.fault}",) if self.save.fault else (*held, *(one for one in known if one))
        if self.fault:
            return (f"✗ {self.first_fault}",)
        if self.scenario is not None:
            return (
                ships_text(self.scenario.battle),
                *(("yours",) if self.own else ()),
                self.scenario.system.title,
            )
        return ()

    @property
    def more(self) -> tuple[str, ...]:
        """What it is, in sentences."""
        name = one_line(self.path.name) if self.path else ""
        if self.save is not None and self.save.fault:
            return (self.save.fault,)
        if self.save is not None:
            save = self.save
            last = f"written last {self._written}" if self._written else ""
            known = (save.stands, save.afloat, acts_text(save), last, name)
            held = ("Another console has it open: you can look at it, nothing is recorded.",) * save.held
            return (f"{save.title} · {save.system}", *held, *(one for one in known if one))
        if self.fault:
            return ("Enter tells all that is wrong with it.", name)
        if self.scenario is not None:
            battle = self.scenario.battle
            sides = [f"{side.name} {ships_text(battle, side.id)}" for side in battle.sides]
            return (
                f"{self.title} · {self.scenario.system.title}",
                " · ".join(sides),
                "Enter shows its order of battle",
                name,
            )
        return (
            "Rule system, scale, dice and switches; sides, players, and ships from the fleets on the paths.",
        )

    @property
    def _written(self) -> str:
        """When a save of the user's own was written last."""
        return "" if self.save is None or self.kind is OfferKind.SAMPLE else written_text(self.save)

    def line(self) -> PickLine:
        """The offer in one line."""
        return PickLine(self.key, self._drawn)

    def _drawn(self, width: int) -> Content:
        if width < 60 or not self.about:
            return literal(cut("   ".join((self.title, *self.about)), width))
        name = max(24, width * 2 // 5)
        parts = list(self.about)
        style = "$text-error" if self.faulty else "$quiet"
        said = " · ".join(parts)
        while len(parts) > 1 and width_of(said) > width - name - 2:
            parts.pop()
            said = f"{' · '.join(parts)} {CUT}"
        said = cut(said, width - name - 2)
        return Content.assemble(literal(fit(self.title, name)), literal(f"  {said}", style))

    def fits(self, letters: str) -> bool:
        """Whether every word typed is found in it."""
        text = " ".join((self.title, self.path.name if self.path else "", *self.about)).casefold()
        return all(word in text for word in letters.casefold().split())


def offers(systems: Mapping[str, RuleSystem], draft: Draft | None) -> list[Offer]:
    """All that is on the shelf: the latest saves by their ends, older ones and scenarios by their names."""
    found: list[Offer] = []
    for place, path in enumerate(own_saves()):
        offer = Offer(
            OfferKind.SAVE if place else OfferKind.NEWEST, f"save:{path.name}", one_line(path.stem), path
        )
        found.append(with_save(offer, systems) if place <= LATEST else offer)
    samples = (Offer(OfferKind.SAMPLE, f"sample:{path.name}", path.stem, path) for path in sample_saves())
    found.extend(with_save(sample, systems) for sample in samples)
    found.extend(_scenario(one) for one in listed("scenarios"))
    if draft is not None:
        found.append(Offer(OfferKind.OWN, "draft", f"Go on setting up “{draft.title}”"))
    found.append(Offer(OfferKind.OWN, "new", "A battle of your own"))
    return found


def with_save(offer: Offer, systems: Mapping[str, RuleSystem]) -> Offer:
    """The same offer with what the two ends of its save hold."""
    if offer.path is None or not offer.unread:
        return offer
    save = glanced(offer.path, systems)
    return evolve(offer, save=save, title=save.title)


def _scenario(one: Listed) -> Offer:
    return Offer(OfferKind.SCENARIO, f"scenario:{one.path}", one_line(one.title), one.path, own=one.own)


def found_out(offer: Offer, systems: Mapping[str, RuleSystem]) -> Offer:
    """The same offer once all of its file was read."""
    if offer.path is None:
        return offer
    if offer.kind is not OfferKind.SCENARIO:
        save = looked(offer.path, systems)
        return evolve(offer, save=save, title=save.title)
    try:
        return evolve(offer, scenario=look_at(offer.path, systems))
    except QfError as fault:
        return evolve(offer, fault=fault_lines(fault), first_fault=first_fault(fault))
    except Exception as fault:  # noqa: BLE001 - as for a save
        odd = odd_file(offer.path, fault)
        return evolve(offer, fault=(odd,), first_fault=odd)


def _distinguished(found: Iterable[Offer]) -> list[Offer]:
    """The offers, saves of one title, as a battle and its branches have, with the names of their files."""
    offers = list(found)
    titles = Counter(offer.title for offer in offers if offer.save is not None)
    return [
        evolve(offer, title=f"{one_line(offer.path.stem)}: {offer.title}")
        if offer.save is not None and offer.path is not None and titles[offer.title] > 1
        else offer
        for offer in offers
    ]


def offer_lines(found: Iterable[Offer], letters: str, all_saves: bool) -> list[PickLine]:
    """The offers that fit the letters, by kind; of many saves the latest, until all of them are asked for."""
    fitting = _distinguished([offer for offer in found if offer.fits(letters)])
    lines: list[PickLine] = []
    for kind in OfferKind:
        own = [offer for offer in fitting if offer.kind is kind]
        if not own:
            continue
        hidden = 0 if all_saves or letters or kind is not OfferKind.SAVE else max(0, len(own) - LATEST)
        lines.append(heading(kind.value))
        lines.extend(offer.line() for offer in own[: len(own) - hidden])
        if hidden:
            text = f"… {count(hidden, 'older save')}: Enter shows them, letters find them"
            lines.append(words(text, "$quiet", ALL_SAVES))
    return lines or [words(f"nothing has “{letters}” in it: Esc shows all again", "$quiet")]


class LazyOffers:
    """The offers by their keys, each as far as it is found out."""

    def __init__(self, systems: Mapping[str, RuleSystem]) -> None:
        self.systems = systems
        self.offers: dict[str, Offer] = {}

    def look_again(self, draft: Draft | None) -> None:
        """Lists the shelf again, and keeps what is known of files that are still the same."""
        found = (offer.known(self.offers.get(offer.key)) for offer in offers(self.systems, draft))
        self.offers = {offer.key: offer for offer in found}

    def read_saves(self, most: int) -> bool:
        """Reads the ends of that many saves known only by name; whether there were any."""
        unread = [offer for offer in self.offers.values() if offer.unread][:most]
        for offer in unread:
            self.offers[offer.key] = with_save(offer, self.systems)
        return bool(unread)

    def find_out(self, keys: Iterable[str]) -> bool:
        """Reads all of the first of these offers of which there is more to know; whether there was one."""
        found = next((one for key in keys if (one := self.offers.get(key)) and not one.sure), None)
        if found is not None:
            self.offers[found.key] = found_out(found, self.systems)
        return found is not None

    def played_last(self, systems: Mapping[str, RuleSystem]) -> RuleSystem:
        """The rule system of the battle played last if it is one of these, else the first."""
        newest = (one.save for one in self.offers.values() if one.save and one.kind is OfferKind.NEWEST)
        found = (systems[save.system_name] for save in newest if save.system_name in systems)
        return next(found, next(iter(systems.values())))
