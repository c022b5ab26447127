"""Careers: what ships, players and sides did in several battles, and their luck.

The throws and losses of each battle come from the report feature. `careers_document` shows the careers.
"""

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
    """The record of a ship in one battle: what she did and suffered.

    Attributes:
        save: Name of the save.
        battle: Title of the battle.
        status: Status in which she was lost, or "" if she is afloat.
        throws: Number of her damage throws that count, all with known odds.
        given: Damage results of these throws.
        due: Distribution of `given` by the odds of the same throws.
        taken: Damage results on her.
        by_hand: Number of her throws whose results were read by hand; they have no odds and do not count.
        damaged_by: If she was lost, the ships that damaged her, the most first.
        sank: Names of the lost ships that she damaged most.
        hull: Id of her hull, the same under any flag and name; "" if unknown.
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
    damaged_by: tuple[str, ...] = ()
    sank: tuple[str, ...] = ()
    hull: str = ""


@frozen
class Career:
    """The record of one ship, player or side in several battles, added up.

    Attributes:
        battles: Number of battles.
        lost: Number of lost ships, by the status in which they were lost.
    """

    name: str
    battles: int
    throws: int
    given: int
    due: Distribution
    taken: int
    lost: Counter[str]
    sank: tuple[str, ...]


def list_services(system: RuleSystem, timeline: Timeline, analysis: Analysis, save: str) -> Iterator[Service]:
    """Yield what each ship of a battle did and suffered in it.

    Throws whose luck is not known (`left_out`) count only as damage that the target took; those read by hand
    are counted in `by_hand` too.

    Args:
        analysis: The throws and losses of the battle.
        save: Name of its save.
    """
    battle = timeline.battle
    damage = list_damage_kinds(system.results)
    throws = [throw for throw in analysis.throws if throw.kind in damage]
    attackers_by_loss = {loss.ship: [battle.called(by) for by, _ in loss.by] for loss in analysis.losses}
    title, date = (str(battle.table.get(key) or "") for key in ("title", "date"))
    for ship in battle.ships.values():
        her_throws = [throw for throw in throws if throw.ship == ship.id and throw.left_out is None]
        name = battle.called(ship.id)
        yield Service(
            save=save,
            battle=title or system.title,
            date=date,
            ship=name,
            side=battle.find_side_name(ship.side),
            player=battle.find_division(ship).player,
            status="" if ship.afloat else ship.status,
            throws=len(her_throws),
            given=sum(throw.results for throw in her_throws),
            due=sum_distributions(throw.chances for throw in her_throws),
            taken=sum(throw.results for throw in throws if throw.target == ship.id),
            by_hand=sum(
                throw.ship == ship.id and throw.left_out is LeftOut.BY_HAND for throw in analysis.throws
            ),
            damaged_by=tuple(attackers_by_loss.get(ship.id, ())),
            # The first attacker of a lost ship damaged her most.
            sank=tuple(
                battle.called(lost_ship)
                for lost_ship, attackers in attackers_by_loss.items()
                if attackers[:1] == [name]
            ),
            hull=str(ship.card.get(HULL) or ""),
        )


def build_careers(
    services: Iterable[Service], key: Callable[[Service], str], format_name: Callable[[str], str] = str
) -> tuple[Career, ...]:
    """Add up the services that have the same key; the career with the most damage comes first.

    Args:
        key: Returns the key of a service; services with the key "" are left out.
        format_name: Returns the name of a career from its key.
    """
    by_key: dict[str, list[Service]] = {}
    for service in services:
        if key(service):
            by_key.setdefault(key(service), []).append(service)
    careers = (_sum_services(format_name(career_key), members) for career_key, members in by_key.items())
    return tuple(sorted(careers, key=lambda career: (-career.given, career.name)))


def build_ship_careers(services: Sequence[Service]) -> tuple[Career, ...]:
    """Build one career for each hull, under all names that she had.

    If a save does not state the hull of a ship, she counts as the one hull that had her name in other saves.
    Without such a hull, or with several, her name counts as her hull.
    """
    hulls_by_name: dict[str, set[str]] = {}
    names_by_hull: dict[str, dict[str, None]] = {}
    for service in services:
        hulls_by_name.setdefault(service.ship, set()).update(filter(None, (service.hull,)))

    def find_hull(service: Service) -> str:
        """Return the hull of a service, by its save, by other saves, or by its name."""
        if service.hull:
            return service.hull
        hulls_of_name = hulls_by_name[service.ship]
        return next(iter(hulls_of_name)) if len(hulls_of_name) == 1 else service.ship

    for service in services:
        names_by_hull.setdefault(find_hull(service), {})[service.ship] = None
    return build_careers(services, find_hull, lambda hull: " · ".join(names_by_hull[hull]))


def _sum_services(name: str, services: Sequence[Service]) -> Career:
    """Add services up to a career with a name."""
    return Career(
        name,
        battles=len({service.save for service in services}),
        throws=sum(service.throws for service in services),
        given=sum(service.given for service in services),
        due=sum_distributions(service.due for service in services),
        taken=sum(service.taken for service in services),
        lost=Counter(service.status for service in services if service.status),
        sank=tuple(lost_ship for service in services for lost_ship in service.sank),
    )


def work_out_services(
    campaign: Campaign, progress: Progress, is_stopped: Callable[[], bool] = lambda: False
) -> tuple[Service, ...]:
    """Work out what every ship did in every battle of a campaign.

    Args:
        campaign: The battles; copies of a battle count once.
        progress: Receives the progress within each battle.
        is_stopped: Asked often whether to stop.

    Raises:
        Stopped: `is_stopped` returned True.
    """
    services: list[Service] = []
    for saved in campaign.without_copies:
        with report_meaningless_save(saved.system):
            analysis = analyse_battle(
                saved.system, saved.timeline, saved.path, progress=progress, stopped=is_stopped
            )
            services += list_services(saved.system, saved.timeline, analysis, saved.save)
    return tuple(services)
