"""Careers: the deeds of ships, players and sides in several battles, next to what was due."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from attrs import frozen

from qf_tui.core.declarations import list_damage_kinds
from qf_tui.core.ship_facts import HULL
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.features.campaign.folder import Campaign
from qf_tui.features.report.values import Analysis, Distribution, LeftOut, sum_distributions
from qf_tui.features.report.work import Progress, analyse_battle
from qf_tui.session.saves import report_meaningless_save


@frozen
class Service:
    """A ship in one battle: who played her, what she did in how many throws, what she took, how she ended.

    `due` is the distribution of `given` at the same odds; `by_hand` counts other throws, whose results were
    read by hand and have none. `by` are the ships that did damage to one that was lost, the most first;
    `sank` those lost to which she did most. `hull` is the same whatever her flag and name; "" unknown.
    """

    save: str
    battle: str
    date: str
    ship: str
    side: str
    player: str
    status: str
    throws: int
    given: int
    due: Distribution
    taken: int
    by_hand: int = 0
    by: tuple[str, ...] = ()
    sank: tuple[str, ...] = ()
    hull: str = ""


@frozen
class Career:
    """Services of one ship, player or side in one sum; `lost`: what became of ships, each with how many."""

    name: str
    battles: int
    throws: int
    given: int
    due: Distribution
    taken: int
    lost: Counter[str]
    sank: tuple[str, ...]


def list_services(system: RuleSystem, timeline: Timeline, analysis: Analysis, save: str) -> Iterator[Service]:
    """List what each ship of a battle did in it; `save` names the battle."""
    battle, damage = timeline.battle, list_damage_kinds(system.results)
    throws = [throw for throw in analysis.throws if throw.kind in damage]
    losses = {loss.ship: [battle.called(by) for by, _ in loss.by] for loss in analysis.losses}
    title, date = (str(battle.table.get(key) or "") for key in ("title", "date"))
    for ship in battle.ships.values():
        own = [throw for throw in throws if throw.ship == ship.id and throw.left_out is None]
        called = battle.called(ship.id)
        yield Service(
            save,
            title or system.title,
            date,
            called,
            battle.find_side_name(ship.side),
            battle.find_division(ship).player,
            "" if ship.afloat else ship.status,
            len(own),
            sum(throw.results for throw in own),
            sum_distributions(throw.chances for throw in own),
            sum(throw.results for throw in throws if throw.target == ship.id),
            sum(throw.ship == ship.id and throw.left_out is LeftOut.BY_HAND for throw in analysis.throws),
            tuple(losses.get(ship.id, ())),
            tuple(battle.called(id) for id, by in losses.items() if by[:1] == [called]),
            str(ship.card.get(HULL) or ""),
        )


def build_careers(
    services: Iterable[Service], key: Callable[[Service], str], named: Callable[[str], str] = str
) -> tuple[Career, ...]:
    """Add up services with the same key; those without one are left out, and the most damage comes first."""
    by_key: dict[str, list[Service]] = {}
    for service in services:
        if key(service):
            by_key.setdefault(key(service), []).append(service)
    found = (_sum(named(of), own) for of, own in by_key.items())
    return tuple(sorted(found, key=lambda career: (-career.given, career.name)))


def build_ship_careers(services: Sequence[Service]) -> tuple[Career, ...]:
    """Build one career for each hull, under all names that she had.

    A save that does not state the hull means the ship of that name, if other saves know only one such hull.
    """
    hulls: dict[str, set[str]] = {}
    names: dict[str, dict[str, None]] = {}
    for service in services:
        hulls.setdefault(service.ship, set()).update(filter(None, (service.hull,)))

    def find_hull(service: Service) -> str:
        known = hulls[service.ship]
        return service.hull or (next(iter(known)) if len(known) == 1 else service.ship)

    for service in services:
        names.setdefault(find_hull(service), {})[service.ship] = None
    return build_careers(services, find_hull, lambda hull: " · ".join(names[hull]))


def _sum(name: str, services: Sequence[Service]) -> Career:
    return Career(
        name,
        len({service.save for service in services}),
        sum(service.throws for service in services),
        sum(service.given for service in services),
        sum_distributions(service.due for service in services),
        sum(service.taken for service in services),
        Counter(service.status for service in services if service.status),
        tuple(name for service in services for name in service.sank),
    )


def work_out_services(
    campaign: Campaign, progress: Progress, stopped: Callable[[], bool] = lambda: False
) -> tuple[Service, ...]:
    """Work out what every ship did in every battle of a campaign; Stopped if `stopped` says so."""
    services: list[Service] = []
    for saved in campaign.without_copies:
        with report_meaningless_save(saved.system):
            analysis = analyse_battle(
                saved.system, saved.timeline, saved.path, progress=progress, stopped=stopped
            )
            services += list_services(saved.system, saved.timeline, analysis, saved.save)
    return tuple(services)
