"""Careers as a document: the battles, damage and luck of each ship, player and side."""

from collections.abc import Sequence

from qf_tui.core.text import format_count
from qf_tui.document.values import (
    Document,
    Row,
    Section,
    Table,
    build_number_columns,
    build_table_blocks,
    build_text_columns,
)
from qf_tui.features.campaign.careers import Career, Service, build_careers, build_ship_careers
from qf_tui.features.campaign.document import build_folder_document
from qf_tui.features.report.luck import format_figure, format_rarity

CLUB = "the whole club"
ABOUT = (
    "Given and taken are damage done and suffered, as the rules of each battle count it; due is the "
    "average of the same throws."
)
_SERVICES = (
    *build_text_columns("date", "battle", "save", "ship", "side", "player"),
    *build_number_columns("throws", "given", "due", "taken"),
    *build_text_columns("status", "damaged by", "sank"),
)


def build_careers_document(services: Sequence[Service], faulty: Sequence[tuple[str, str]] = ()) -> Document:
    """Describe the careers of all ships, players and sides, and each battle of each ship."""
    ships = build_ship_careers(services)
    players = build_careers(services, lambda service: service.player)
    sides = (
        *build_careers(services, lambda service: service.side),
        *build_careers(services, lambda service: CLUB),
    )
    sections = (
        Section("Ships", _build_table("ship", ships), "ships"),
        Section("Players", _build_table("player", players), "players"),
        Section("Sides and the club", _build_table("side", sides), "sides"),
        Section(
            "Battle by battle", build_table_blocks(_SERVICES, build_services_table(services).rows), "battles"
        ),
    )
    battles = format_count(len({service.save for service in services}), "battle")
    title = f"Careers · {battles}, {format_count(len(ships), 'ship')}"
    lead = [ABOUT] if services else []
    if by_hand := sum(service.by_hand for service in services):
        throws = format_count(by_hand, "throw")
        lead.append(f"Left out of all sums: {throws} whose results were read by hand from a chart.")
    return build_folder_document(title, lead, sections, faulty)


def build_services_table(services: Sequence[Service]) -> Table:
    """Build the table of every ship in every battle, one per row; it is also written as CSV."""
    rows = []
    for service in services:
        names = (service.date, service.battle, service.save, service.ship, service.side, service.player)
        figures = (service.throws, service.given, format_figure(float(service.due.mean)), service.taken)
        lists = (service.status, ", ".join(service.damaged_by), ", ".join(service.sank))
        rows.append(Row((*names, *map(str, figures), *lists)))
    return Table(_SERVICES, tuple(rows))


def _build_table(subject: str, careers: Sequence[Career]) -> tuple[Table, ...]:
    """Build a table of careers, with losses and ships sunk."""
    columns = (
        *build_text_columns(subject),
        *build_number_columns("battles", "throws", "given", "due"),
        *build_text_columns("at the same odds"),
        *build_number_columns("taken"),
        *build_text_columns("lost", "sank"),
    )
    rows = []
    for career in careers:
        rarity = format_rarity(career.due, career.given) if career.throws else ""
        figures = (
            career.battles,
            career.throws,
            career.given,
            format_figure(float(career.due.mean)),
            rarity,
            career.taken,
        )
        losses = ", ".join(f"{count} {status}" for status, count in career.lost.items())
        rows.append(Row((career.name, *map(str, figures), losses, ", ".join(career.sank))))
    return build_table_blocks(columns, rows)
