"""`qf-tui run`: enters orders from a file or a pipe, and prints the result of each at once."""

import os
import stat
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, nullcontext
from functools import partial
from pathlib import Path
from typing import BinaryIO

from attrs import frozen

from qf_tui.cli.opening import choose_dice, open_battle
from qf_tui.cli.output import format_path, print_json, print_lines, warn
from qf_tui.core.errors import OrderRefused, QfError, impossible
from qf_tui.document.glance import build_crew_lines
from qf_tui.document.scripts import InputOrder, build_battle_row, build_entered_row, build_refused_row
from qf_tui.document.text import lay_out_blocks
from qf_tui.document.transcript import (
    DAGGER_NOTE,
    build_battle_blocks,
    clip_text,
    is_marked,
    list_entered,
    list_refused,
)
from qf_tui.journal.disk import open_without_waiting
from qf_tui.operating_systems import make_blocking, wait_for_data
from qf_tui.session import Session

EXIT_REFUSED = 3
"""Exit status if an order was refused."""
LINE_MOST = 16_000
"""Greatest length of a line that is read, in bytes; the longest order is far shorter."""

SKIPPED_MOST = 1_000_000
"""Greatest number of bytes that are skipped in a longer line; an input with more in a line is no script."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_PATIENCE_S = 1.0
"""Seconds to wait for the writer of a pipe before a message says so."""


@frozen
class ScriptLine:
    """A line of the input.

    Attributes:
        number: From 1.
        fault: Why it cannot be an order, or "".
    """

    number: int
    text: str
    fault: str = ""


def run_orders(arguments: Namespace) -> int:
    """Enter every order of the input, and print the results and the battle at the end.

    Returns:
        0, or 3 if an order was refused.
    """
    with _open_orders(arguments.orders) as orders:
        session = open_battle(
            arguments.battle,
            save=arguments.save,
            seed=arguments.seed,
            rules=arguments.rules,
            crews=arguments.crews,
            choose=partial(choose_dice, arguments),
        )
        with closing(session):
            return _enter_all(session, orders, as_json=arguments.json)


def _open_orders(name: str) -> AbstractContextManager[BinaryIO]:
    """Open the input of a command; closing it leaves standard input open.

    Args:
        name: Path of a file or a pipe, or "-" for standard input.

    Raises:
        QfError: The input cannot be read.
    """
    if name == "-":
        if sys.stdin is None:
            raise QfError("standard input is closed; name a file with --orders")
        return nullcontext(sys.stdin.buffer)
    if not name:
        raise QfError("--orders “”: not a file name; name a file of orders, or - for standard input")
    try:
        # Opening must not wait for the writer of a pipe; `_prepare_to_read` waits and says so.
        file = open_without_waiting(name)
        try:
            _prepare_to_read(name, file)
        except BaseException:
            file.close()
            raise
        return file
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else str(fault)
        raise QfError(f"orders {format_path(name)}: cannot be read: {reason}") from None


def _prepare_to_read(name: str, file: BinaryIO) -> None:
    """Prepare an open file for reading: wait for the writer of a pipe, with a message, and refuse a device.

    Raises:
        QfError: It is a device other than a terminal or the null device, so it may never end.
    """
    kind = os.fstat(file.fileno()).st_mode
    is_refused_device = stat.S_ISCHR(kind) and not file.isatty() and not _is_null_device(file)
    if stat.S_ISFIFO(kind):
        if not wait_for_data(file, _PATIENCE_S):
            warn(f"orders {format_path(name)}: waiting for orders from this pipe")
            wait_for_data(file, seconds=None)
    elif stat.S_ISBLK(kind) or is_refused_device:
        raise QfError(f"orders {format_path(name)}: a device; name a file of orders, or a pipe")
    # The file was opened without waiting for data; from here on, reads wait.
    make_blocking(file)


def _is_null_device(file: BinaryIO) -> bool:
    """Return whether a file is the device that is always empty (/dev/null)."""
    return os.path.samestat(os.fstat(file.fileno()), Path(os.devnull).stat())


def _enter_all(session: Session, orders: BinaryIO, *, as_json: bool) -> int:
    """Enter the orders one by one, and print the result of each and the battle at the end.

    Returns:
        0, or 3 if an order was refused.
    """
    status = 0
    has_dagger = False
    if not as_json:
        print_lines(*lay_out_blocks(build_crew_lines(session.battle)))
    for line in read_order_lines(orders):
        input_order = InputOrder(line.number, line.text)
        try:
            if line.fault:
                raise OrderRefused(impossible(line.fault))
            revision = session.enter(line.text)
        except QfError as refusal:
            status = EXIT_REFUSED
            if as_json:
                print_json(build_refused_row(input_order, refusal))
            else:
                print_lines(*lay_out_blocks(list_refused(line.number, clip_text(line.text), refusal)))
            continue
        if as_json:
            print_json(build_entered_row(session, input_order, revision))
        else:
            has_dagger = has_dagger or is_marked(revision.ruling)
            print_lines(*lay_out_blocks(list_entered(session, revision)))
    if as_json:
        print_json(build_battle_row(session.system, session.timeline))
    else:
        end = build_battle_blocks(session.system, session.timeline)
        notes = DAGGER_NOTE if has_dagger else ()
        print_lines(*lay_out_blocks((*end, *notes)))
    return status


def read_order_lines(stream: BinaryIO) -> Iterator[ScriptLine]:
    """Yield the lines of the input, without comments and blank lines.

    A line that is too long or not UTF-8 has a fault, and the lines after it still follow.
    """
    number = 0
    while raw := stream.readline(LINE_MOST + 1):
        number += 1
        if number == 1:
            raw = raw.removeprefix(_BYTE_ORDER_MARK)
        fault = ""
        if len(raw) > LINE_MOST and not raw.endswith(b"\n"):
            _skip_line(stream)
            fault = f"a line of more than {LINE_MOST} bytes cannot be an order"
        try:
            text = raw.decode("utf-8").strip()
        except UnicodeDecodeError as error:
            text = raw.decode("utf-8", "replace").strip()
            fault = fault or f"byte {error.start + 1} is not UTF-8: write orders in UTF-8"
        if text and not text.startswith("#"):
            yield ScriptLine(number, text, fault)


def _skip_line(stream: BinaryIO) -> None:
    """Read the rest of a line without keeping it.

    Raises:
        QfError: It has more than `SKIPPED_MOST` bytes, so the input is no file of orders.
    """
    skipped = 0
    while (part := stream.readline(LINE_MOST)) and not part.endswith(b"\n"):
        skipped += len(part)
        if skipped > SKIPPED_MOST:
            raise QfError(f"a line of more than {SKIPPED_MOST} bytes: this is not a file of orders")
