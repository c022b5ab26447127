"""The commands `qf-tui carry` (the next battle), `qf-tui campaign` and `qf-tui careers`."""

import json
from argparse import Namespace
from pathlib import Path

from qf_tui.cli.opening import save_named
from qf_tui.cli.output import (
    Progress,
    find_format,
    measure_terminal,
    print_lines,
    refuse_existing_file,
    warn,
    write_output,
)
from qf_tui.core.errors import QfError
from qf_tui.document.scripts import Json
from qf_tui.document.text import lay_out_document
from qf_tui.document.values import Document, Section, Table
from qf_tui.features.campaign.careers import work_out_services
from qf_tui.features.campaign.careers_document import build_careers_document, build_services_table
from qf_tui.features.campaign.document import build_campaign_document, build_passage_document
from qf_tui.features.campaign.folder import carry_on, open_saved, read_campaign
from qf_tui.features.report.page import render_report
from qf_tui.features.report.text import format_csv
from qf_tui.library.paths import find_own_folder
from qf_tui.library.systems import find_systems


def carry(arguments: Namespace) -> int:
    """Write the next battle after ended ones as a scenario, and print their outcome; return 0."""
    systems = find_systems()
    saved = [open_saved(save, systems) for save in dict.fromkeys(map(save_named, arguments.battles))]
    for battle in saved:
        if battle.notice:
            warn(f"{battle.save}: {battle.notice}")
    yard_file = Path(arguments.yard) if arguments.yard is not None else None
    passage, path = carry_on(saved, systems, arguments.days, arguments.at, yard_file)
    print_lines(
        *lay_out_document(build_passage_document(saved[0].system, passage), measure_terminal()), str(path)
    )
    return 0


def print_campaign(arguments: Namespace) -> int:
    """Print the battles of a folder as one campaign, or write them to a file (not as CSV); return 0."""
    refuse_existing_file(arguments.out, over=arguments.replace)
    if find_format(arguments) == "csv":
        raise QfError(f"{arguments.out}: a campaign is not a table; `careers --csv` makes one of its ships")
    _write_document(
        build_campaign_document(read_campaign(_find_folder(arguments), find_systems())), arguments
    )
    return 0


def print_careers(arguments: Namespace) -> int:
    """Print the careers in a folder, or write them into a file, in CSV by battle; return 0."""
    refuse_existing_file(arguments.out, over=arguments.replace)
    campaign = read_campaign(_find_folder(arguments), find_systems())
    with Progress("entries") as progress:
        services = work_out_services(campaign, progress)
    if find_format(arguments) == "csv":
        write_output(
            format_csv(build_services_table(services)),
            arguments.out,
            over=arguments.replace,
            # The mark at the start of the file tells a spreadsheet that it is UTF-8.
            encoding="utf-8-sig",
        )
    else:
        _write_document(build_careers_document(services, campaign.faulty), arguments)
    return 0


def _find_folder(arguments: Namespace) -> Path:
    """Return the named folder, or the user's own folder of saves if none is named."""
    return Path(arguments.folder) if arguments.folder is not None else find_own_folder("saves")


def _write_document(document: Document, arguments: Namespace) -> None:
    """Print a document or write it into a file, in the format of the arguments."""
    formatter = {"html": render_report, "json": format_json}.get(find_format(arguments))
    # The lines of a text file have no limit.
    width = 0 if arguments.out else measure_terminal()
    text = formatter(document) if formatter else "\n".join(lay_out_document(document, width)) + "\n"
    write_output(text, arguments.out, over=arguments.replace)


def format_json(document: Section) -> str:
    """Format a document as one JSON object, in ASCII."""
    return json.dumps(_build_section_json(document)) + "\n"


def _build_section_json(section: Section) -> Json:
    """Build the JSON of a section: lines, rows of tables by column title, and its sections by id."""
    rows = [
        dict(zip((column.title for column in table.columns), row.cells, strict=True))
        for table in section.blocks
        if isinstance(table, Table)
        for row in table.rows
    ]
    lines = [line.text for line in section.lines]
    parts = {part.id: _build_section_json(part) for part in section.sections}
    return {
        "title": section.title,
        **({"lines": lines} if lines else {}),
        **({"rows": rows} if rows else {}),
        **parts,
    }
