"""Codes whose texts passed mail, web pages and editors on their way come back, or the message says so."""

import quopri
import re
from collections.abc import Callable
from hashlib import blake2b
from html import escape
from random import Random
from textwrap import fill
from urllib.parse import quote, quote_plus

import pytest
from base45 import b45encode
from hypothesis import given
from hypothesis import strategies as st

from qf_tui.core.errors import QfError
from qf_tui.features.sheets.packing import (
    SHARE_BYTES,
    decode_letters,
    encode_letters,
    join_codes,
    pack_battle,
    read_scans,
    split_codes,
    unpack_battle,
)
from tests.corrections.ground import Ground
from tests.corrections.grounds import GROUNDS
from tests.corrections.random_battles import draw_corrected
from tests.features.sheets.test_codes import SOME, SYSTEMS, add_arrivals, scan

OLD_SHARE_BYTES = 944


def split_old(packed: bytes) -> tuple[str, ...]:
    """Split bytes into codes as QF1 prints have them."""
    count = -(-len(packed) // OLD_SHARE_BYTES) or 1
    size = -(-len(packed) // count)
    digest = blake2b(packed, digest_size=8).hexdigest().upper()
    texts = []
    for at in range(count):
        head, data = f"{at + 1}/{count}:{digest}:", packed[at * size : (at + 1) * size]
        check = blake2b(head.encode() + data, digest_size=4).digest()
        texts.append(f"QF1:{head}{b45encode(check + data).decode()}.")
    return tuple(texts)


def read_file(text: str | bytes) -> bytes:
    data = text.encode() if isinstance(text, str) else text
    return join_codes(read_scans(data, "scans.txt"))


def fold(text: str, width: int = 76, before: str = "", after: str = "") -> str:
    """Break every line after a number of letters, as `fold -w` does."""
    return "\n".join(
        f"{before}{line[at : at + width]}{after}"
        for line in text.split("\n")
        for at in range(0, len(line), width)
    )


def fold_at_blanks(text: str) -> str:
    """Break lines at blanks where there are any, and remove those, as mail programs do."""
    return "\n".join(
        fill(line, 76, drop_whitespace=True, break_on_hyphens=False) for line in text.split("\n")
    )


CHANGES: dict[str, Callable[[str], str | bytes]] = {
    "mail": fold,
    "mail on one line": lambda text: fold(text.replace("\n", " ")),
    "quoted mail": lambda text: fold(text, before="> "),
    "mail quoted twice": lambda text: fold(text, before=">> "),
    "indented": lambda text: fold(text, before="      "),
    "CRLF and BOM": lambda text: ("\ufeff" + fold(text).replace("\n", "\r\n")).encode(),
    "quoted-printable": lambda text: quopri.encodestring(text.encode()),
    "quoted-printable hard blanks": lambda text: quopri.encodestring(text.replace(" ", "\xa0").encode()),
    "copied": lambda text: text.replace(" ", "\xa0"),
    "every second blank hard": lambda text: text.replace("  ", "\xa0 "),
    "em dash": lambda text: text.replace("--", "\u2014"),
    "en dash": lambda text: text.replace("-", "\u2013"),
    "no-break hyphen": lambda text: text.replace("-", "\u2011"),
    "lower case": str.lower,
    "link": quote,
    "form": quote_plus,
    "WhatsApp": lambda text: re.sub("^", "[29/11/2026, 20:11:03] Anna: ", text, flags=re.MULTILINE),
    "CSV": lambda text: re.sub("^(.*)$", r'"\1","2026-11-29 20:11"', text, flags=re.MULTILINE),
    "HTML": lambda text: "".join(f"<p>{escape(line)}</p>\n" for line in text.split("\n")),
    "one line": lambda text: text.replace("\n", " "),
}
WHOLE = Random(8).randbytes(3 * OLD_SHARE_BYTES)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("split", [split_codes, split_old], ids=["new", "old"])
def test_codes_come_back_from_what_programs_do(
    split: Callable[[bytes], tuple[str, ...]], change: Callable[[str], str | bytes]
) -> None:
    for seed in range(4):
        packed = Random(seed).randbytes(3 * OLD_SHARE_BYTES)
        assert read_file(change("\n".join(split(packed)))) == packed


ONLY_NEW: dict[str, Callable[[str], str]] = {
    "joined blanks": lambda text: re.sub(" +", " ", text),
    "no blanks": lambda text: text.replace(" ", ""),
    "mail broken at blanks": fold_at_blanks,
    "no line breaks in HTML": lambda text: fold(text, after="<br>"),
    "hard blanks in HTML": lambda text: fold(text, before="&nbsp;&nbsp;"),
    "hyphens at the ends of lines": lambda text: fold(text, after="-"),
    "soft hyphens": lambda text: fold(text, width=20).replace("\n", "\u00ad"),
    "blanks at the ends of lines": lambda text: fold(text, after="  "),
}


@pytest.mark.parametrize("change", ONLY_NEW.values(), ids=ONLY_NEW)
def test_new_codes_come_back_from_what_old_ones_do_not(change: Callable[[str], str]) -> None:
    assert read_file(change("\n".join(split_codes(WHOLE)))) == WHOLE


def find_bytes(sign: str, most: int) -> bytes:
    """Find bytes whose old code holds a sign twice together, at up to `most` places and never three times."""
    for seed in range(10_000):
        packed = Random(seed).randbytes(OLD_SHARE_BYTES)
        runs = [len(run) - 1 for run in re.findall(f"{sign}{{2,}}", split_old(packed)[0])]
        if runs and (sum(runs) == most or sum(runs) > most > 1):
            return packed
    raise AssertionError


def test_an_old_code_that_lost_one_blank_comes_back() -> None:
    packed = find_bytes(" ", 1)
    (text,) = split_old(packed)
    assert read_file(re.sub(" +", " ", text)) == packed
    assert read_file(re.sub(" +", " ", text).replace(" ", "\xa0")) == packed


def test_an_old_code_whose_lines_lost_their_last_blanks_comes_back() -> None:
    for seed in range(60):
        packed = Random(seed).randbytes(OLD_SHARE_BYTES)
        lines = fold(split_old(packed)[0]).split("\n")
        if sum(line.endswith(" ") for line in lines) == 1:
            break
    assert read_file("\n".join(line.rstrip() for line in lines)) == packed


def test_an_old_code_that_lost_more_is_said_to_be_changed_on_the_way() -> None:
    (text,) = split_old(find_bytes(" ", 2))
    said = (
        "code 1 of 1 (scans.txt, line 1) is damaged. A text was changed on the way: scan damaged codes again"
    )
    for changed in (re.sub(" +", " ", text), text.replace("-", "\u2026")):
        with pytest.raises(QfError) as refusal:
            read_file(changed)
        assert said in str(refusal.value)


def test_the_remedy_is_named_once_for_many_damaged_codes() -> None:
    texts = [text.replace("-", "\u2026") for text in split_old(WHOLE)]
    with pytest.raises(QfError) as refusal:
        read_file("\n".join(texts))
    assert str(refusal.value).count("is damaged") == 3
    assert str(refusal.value).count("changed on the way") == 1


def test_missing_codes_are_named_in_a_mail() -> None:
    texts = split_codes(Random(2).randbytes(5 * SHARE_BYTES))
    mail = fold("Here they are.\n" + "\n".join((texts[0], texts[2], texts[3][:500], texts[4])), before="> ")
    with pytest.raises(QfError) as refusal:
        read_file(mail)
    said = str(refusal.value)
    assert "code 2 of 5 is missing. code 4 of 5 (scans.txt, line 42) is cut off: scan it again" in said
    assert said.endswith("scans.txt, line 1: no code, or a damaged beginning")


def test_old_and_new_codes_of_the_same_battle_never_mix_wrongly() -> None:
    packed = Random(3).randbytes(1000)
    assert join_codes(scan([split_old(packed)[0], split_codes(packed)[1]])) == packed


@pytest.mark.parametrize("length", range(1, SHARE_BYTES + 1, 7))
def test_letters_hold_bytes_of_any_length(length: int) -> None:
    for data in (bytes(length), b"\xff" * length, Random(length).randbytes(length)):
        letters = encode_letters(data)
        assert re.fullmatch("[0-9A-Z]+", letters)
        assert decode_letters(letters) == data


@st.composite
def draw_way(draw: st.DrawFn) -> Callable[[str], str]:
    """Draw what a mail, a quote, an indent and an editor do to a text, one after another."""
    steps = draw(
        st.lists(
            st.one_of(
                st.builds(
                    lambda width, before: lambda text: fold(text, width, before),
                    st.integers(10, 100),
                    st.sampled_from(["", "> ", ">> ", ">", "    "]),
                ),
                st.sampled_from([str.lower, lambda text: text.replace("\n", "\r\n"), str.title]),
                st.sampled_from([lambda text: text.replace("\n", "\n\n"), lambda text: text + "\nAnna"]),
            ),
            max_size=3,
        )
    )

    def send(text: str) -> str:
        for step in steps:
            text = step(text)
        return text

    return send


@given(packed=st.binary(max_size=3 * SHARE_BYTES), way=draw_way(), chance=st.randoms())
def test_any_bytes_come_back_from_any_way(packed: bytes, way: Callable[[str], str], chance: Random) -> None:
    texts = [*split_codes(packed), *split_codes(packed)[::2]]
    chance.shuffle(texts)
    assert read_file(way("\n".join(texts))) == packed


@given(
    packed=st.binary(min_size=OLD_SHARE_BYTES, max_size=2 * OLD_SHARE_BYTES),
    width=st.integers(60, 100),
    before=st.sampled_from(["", "> ", "    "]),
)
def test_old_codes_come_back_from_broken_lines(packed: bytes, width: int, before: str) -> None:
    assert read_file(fold("\n".join(split_old(packed)), width, before)) == packed


@pytest.mark.parametrize("ground", list(GROUNDS.values())[:1], ids=list(GROUNDS)[:1])
@SOME
@given(data=st.data(), way=draw_way())
def test_any_log_comes_back_from_any_way(
    ground: Ground, data: st.DataObject, way: Callable[[str], str]
) -> None:
    timeline = add_arrivals(data.draw(draw_corrected(ground)).timeline)
    packed = read_file(way("\n".join(split_codes(pack_battle(ground.system, timeline, {})))))
    found = unpack_battle(packed, SYSTEMS)
    assert (found.timeline.log, found.differ) == (timeline.log, ())
