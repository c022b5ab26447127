"""What is known of the offers of the first screen: their names at once, the rest file by file as it is wanted."""

from collections.abc import Iterable, Mapping

from qf_tui.console.setup.shelf import Kind, Offer, found_out, offers, told
from qf_tui.core.system import RuleSystem
from qf_tui.library.drafts import Draft


class Known:
    """The offers by their keys, each as far as it is found out."""

    def __init__(self, systems: Mapping[str, RuleSystem]) -> None:
        self.systems = systems
        self.offers: dict[str, Offer] = {}

    def look_again(self, draft: Draft | None) -> None:
        """Lists the shelf anew, and keeps what is known of files that are still the same."""
        found = (offer.known(self.offers.get(offer.key)) for offer in offers(self.systems, draft))
        self.offers = {offer.key: offer for offer in found}

    def tell(self, most: int) -> bool:
        """Looks at the ends of so many saves of which only the name is known; whether there were any."""
        untold = [offer for offer in self.offers.values() if offer.untold][:most]
        for offer in untold:
            self.offers[offer.key] = told(offer, self.systems)
        return bool(untold)

    def find_out(self, keys: Iterable[str]) -> bool:
        """Reads all of the first of these offers of which there is more to know; whether there was one."""
        found = next((one for key in keys if (one := self.offers.get(key)) and not one.sure), None)
        if found is not None:
            self.offers[found.key] = found_out(found, self.systems)
        return found is not None

    def played_last(self, systems: Mapping[str, RuleSystem]) -> RuleSystem:
        """Of some rule systems that of the battle played last, else the first."""
        titles = [one.save.system for one in self.offers.values() if one.save and one.kind is Kind.NEWEST]
        found = (system for system in systems.values() if system.title in titles)
        return next(found, next(iter(systems.values())))
