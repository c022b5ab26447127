"""Careers in words: every ship, player and side over several battles, with what was due."""

from collections.abc import Sequence

from qf_tui.analysis.careers import Career, Service, careers, ship_careers
from qf_tui.core.text import several
from qf_tui.document.luck import figure, standing
from qf_tui.document.values import (
    Column,
    Document,
    Row,
    Section,
    Table,
    Tone,
    figure_columns,
    table_blocks,
    text_line,
    word_columns,
)

CLUB = "the whole club"
ABOUT = (
    "Given and taken are damage to other ships, as the rules of each battle count it; due is what the same "
    "throws bring on average."
)
_FIGURES = (*figure_columns("battles", "throws", "given", "due"), *word_columns("at the same odds"))
_SERVICES = (
    *word_columns("date", "battle", "save", "ship", "side", "player"),
    *figure_columns("throws", "given", "due", "taken"),
    *word_columns("status", "damaged by", "sank"),
)


def careers_document(services: Sequence[Service], faulty: Sequence[tuple[str, str]] = ()) -> Document:
    """The careers of all ships, players and sides, and each battle of each ship."""
    ships = ship_careers(services)
    players = careers(services, lambda service: service.player)
    sides = (
        *careers(services, lambda service: service.side),
        *careers(services, lambda service: CLUB),
    )
    sections = (
        Section("Ships", _table("ship", ships), "ships"),
        Section("Players", _table("player", players), "players"),
        Section("Sides and the club", _table("side", sides), "sides"),
        Section("Battle by battle", table_blocks(_SERVICES, services_table(services).rows), "battles"),
    )
    battles = several(len({service.save for service in services}), "battle")
    title = f"Careers · {battles}, {several(len(ships), 'ship')}"
    lead = [ABOUT] if services else []
    if by_hand := sum(service.by_hand for service in services):
        throws = several(by_hand, "throw")
        lead.append(f"Left out of all sums: {throws} whose results were read by hand from a chart.")
    return folder_document(title, lead, sections, faulty)


def folder_document(
    title: str, lead: Sequence[str], sections: Sequence[Section], faulty: Sequence[tuple[str, str]]
) -> Document:
    """What is read out of a folder of saves, without what is empty; then the saves that cannot be read."""
    unread = tuple(text_line(f"{name}: {text}", tone=Tone.WARNING) for name, text in faulty)
    every = (*sections, Section("Saves that cannot be read", unread, "faulty"))
    blocks = tuple(section for section in every if section.blocks)
    lines = (text_line(text, tone=Tone.QUIET) for text in lead)
    return Document(title, (*lines, *blocks) if blocks else (text_line("There are no saves here."),))


def services_table(services: Sequence[Service]) -> Table:
    """Every ship in every battle, flat, for a spreadsheet too."""
    return Table(_SERVICES, tuple(Row(_service(service)) for service in services))


def _service(service: Service) -> tuple[str, ...]:
    figures = (service.throws, service.given, figure(float(service.due.mean)), service.taken)
    names = (service.date, service.battle, service.save, service.ship, service.side, service.player)
    return (*names, *map(str, figures), service.status, ", ".join(service.by), ", ".join(service.sank))


def _table(what: str, found: Sequence[Career]) -> tuple[Table, ...]:
    """The sums of careers: of ships also what became of them, and whom they sank."""
    columns: tuple[Column, ...] = (*word_columns(what), *_FIGURES, *figure_columns("taken"))
    columns += word_columns("lost", "sank")
    return table_blocks(columns, (Row(_sums(career)) for career in found))


def _sums(career: Career) -> tuple[str, ...]:
    due, given = career.due, career.given
    stands = standing(due, given) if career.throws else ""
    figures = (career.battles, career.throws, given, figure(float(due.mean)), stands)
    lost = ", ".join(f"{count} {status}" for status, count in career.lost.items())
    return (career.name, *map(str, figures), str(career.taken), lost, ", ".join(career.sank))
