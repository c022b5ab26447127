"""A battle packed into codes and back is the same save; damaged codes are named by number."""

import lzma
import random
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
import segno
from attrs import evolve
from base45 import b45encode
from hypothesis import given, settings
from hypothesis import strategies as st

from qf_tui.core.builtin_forms import JOIN
from qf_tui.core.errors import QfError
from qf_tui.core.revisions import replay_act
from qf_tui.core.timeline import Entry, LogAct, Timeline, build_timeline
from qf_tui.features.sheets import packing
from qf_tui.features.sheets.packing import (
    CODES_MOST,
    SHARE_BYTES,
    UNPACKED_MOST,
    VERSION,
    Scanned,
    Unpacked,
    format_caption,
    join_codes,
    pack_battle,
    split_codes,
    unpack_battle,
)
from qf_tui.journal.reading import read_save
from qf_tui.journal.saving import write_save
from qf_tui.session.saves import make_rules_finder, open_timeline
from tests.book.convoys import begin
from tests.corrections.ground import Ground
from tests.corrections.grounds import GROUNDS
from tests.corrections.random_battles import draw_corrected
from tests.features.report.battles import EACH_OPENING, load_golden
from tests.features.sealed_dice.club import SealedEvening, begin_club
from tests.systems import find_our_systems

SYSTEMS = find_our_systems()
SOME = settings(max_examples=settings().max_examples // 2)


def add_arrivals(timeline: Timeline) -> Timeline:
    """Return the battle as a session plays it: joining ships come with their entry."""
    reserve = timeline.start.reserve

    def add_to_act(act: LogAct) -> LogAct:
        if act.version is None or act.version.order.form is not JOIN:
            return act
        coming = tuple(reserve[id] for id in act.version.order.list_texts("ships") if id in reserve)
        return evolve(act, version=evolve(act.version, arrivals=coming))

    return build_timeline(timeline.start, tuple(map(add_to_act, timeline.log)))


def write_file(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def scan(texts: list[str] | tuple[str, ...]) -> list[Scanned]:
    return [Scanned(text, f"line {at}") for at, text in enumerate(texts, start=1)]


def unpack(texts: tuple[str, ...], chance: int = 1) -> Unpacked:
    """Unpack a battle from its codes, scanned in random order and some of them twice."""
    lines = scan([*texts, *texts[::2]])
    Random(chance).shuffle(lines)
    return unpack_battle(join_codes(lines), SYSTEMS)


@EACH_OPENING
def test_a_golden_battle_comes_back_from_its_codes_as_the_same_save(
    name: str, orders: int | None, tmp_path: Path
) -> None:
    system, timeline = load_golden(name, orders)
    found = unpack(split_codes(pack_battle(system, timeline, {"other": [1, "ü"]})))
    assert found.differ == ()
    assert found.timeline.log == timeline.log
    assert found.timeline.battle == timeline.battle
    to = tmp_path / "back.qfb"
    write_save(to, found.header, found.timeline.log)
    save = read_save(to, make_rules_finder(SYSTEMS))
    assert save.ends_as_written
    book = {"rules": system.data} if system.data else {}
    assert save.header.extra == {"other": [1, "ü"], **book}
    again, opened = open_timeline(save, SYSTEMS)
    assert (again.data, opened.log, opened.battle) == (system.data, timeline.log, timeline.battle)
    assert again is SYSTEMS.get(again.name) or book


@pytest.mark.parametrize("ground", GROUNDS.values(), ids=GROUNDS)
@SOME
@given(data=st.data())
def test_a_battle_with_any_corrections_comes_back_unchanged(ground: Ground, data: st.DataObject) -> None:
    timeline = add_arrivals(data.draw(draw_corrected(ground)).timeline)
    found = unpack(split_codes(pack_battle(ground.system, timeline, {})))
    assert found.timeline.log == timeline.log
    assert found.timeline.battle.ships == timeline.battle.ships
    assert found.differ == ()
    with TemporaryDirectory() as folder:
        to = Path(folder) / "back.qfb"
        write_save(to, found.header, found.timeline.log)
        assert read_save(to, make_rules_finder(SYSTEMS)).log == timeline.log


def test_six_hundred_entries_take_about_a_dozen_codes() -> None:
    system, timeline = load_golden("yellow-sea-1904")
    alone = len(pack_battle(system, Timeline(timeline.start, timeline.start), {}))
    whole = len(pack_battle(system, timeline, {}))
    of_600 = alone + (whole - alone) * 600 / len(timeline.log)
    assert of_600 / SHARE_BYTES <= 12


def test_a_code_is_no_larger_than_a_phone_reads() -> None:
    text = max(split_codes(Random(3).randbytes(SHARE_BYTES * CODES_MOST)), key=len)
    code = segno.make_qr(text, error="m", mode="alphanumeric", boost_error=False)
    assert isinstance(code.version, int)
    assert code.version <= VERSION


@pytest.mark.parametrize("size", [0, 1, SHARE_BYTES - 1, SHARE_BYTES, SHARE_BYTES + 1, 5 * SHARE_BYTES + 7])
def test_bytes_of_any_length_come_back(size: int) -> None:
    whole = Random(size).randbytes(size)
    texts = split_codes(whole)
    assert join_codes(scan(texts[::-1])) == whole
    assert len(texts) == max(1, -(-size // SHARE_BYTES))


def test_the_caption_of_a_code_names_its_number_and_print() -> None:
    captions = [format_caption(text) for text in TEXTS]
    assert [one.partition(" · ")[0] for one in captions] == ["1 of 4", "2 of 4", "3 of 4", "4 of 4"]
    assert len({one.partition(" · ")[2] for one in captions}) == 1
    assert format_caption(OTHERS[0])[-4:] != captions[0][-4:]


def test_appended_entries_are_decided_without_a_scan_of_earlier_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Guard against a rescue that takes four times as long for twice as many entries."""
    system, timeline = load_golden("port-arthur-1904-evening")
    plain = [act for act in timeline.log if isinstance(act, Entry) and act.after is None]
    again = build_timeline(timeline.start, ())
    monkeypatch.setattr("qf_tui.core.timeline.find_structure", None)
    for act in plain[:40]:
        again = replay_act(system, again, act)
    assert len(again.log) == 40


def test_a_battle_too_large_for_a_sheet_is_refused() -> None:
    with pytest.raises(QfError, match="99 at most"):
        split_codes(bytes(SHARE_BYTES * CODES_MOST + 1))


TEXTS = split_codes(Random(4).randbytes(4 * SHARE_BYTES))
OTHERS = split_codes(Random(5).randbytes(2 * SHARE_BYTES))


def spoil(text: str, at: int = 60) -> str:
    return text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :]


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ([], "no code of a battle was given"),
        (TEXTS[:2], "codes 3, 4 of 4 are missing"),
        ((*TEXTS[:2], TEXTS[3]), "code 3 of 4 is missing"),
        (
            (*TEXTS[:3], spoil(TEXTS[3])),
            "code 4 of 4 (line 4) is damaged. A text was changed on the way: scan damaged codes again",
        ),
        ((*TEXTS[:3], TEXTS[3][:-40]), "code 4 of 4 (line 4) is cut off: scan it again"),
        ((*TEXTS[:3], TEXTS[3][8:]), "line 4: no code, or a damaged beginning"),
        ((*TEXTS[:3], OTHERS[0]), "these are codes of 2 prints"),
        ((*TEXTS, *OTHERS), "these are codes of 2 prints"),
        ((*TEXTS, OTHERS[0]), "these are codes of 2 prints: use the codes of one print. code 2 of 2 ("),
        (["QF1:5/4:0123456789ABCDEF:AAAA."], "this code cannot exist"),
        (["QF1:0/0:0123456789ABCDEF:AAAA."], "this code cannot exist"),
        (["QF1:1/1:0123456789ABCDEF:."], "is damaged"),
        (["http://example.org"], "line 1: no code"),
    ],
)
def test_missing_and_damaged_codes_are_named(texts: tuple[str, ...], said: str) -> None:
    with pytest.raises(QfError) as refusal:
        join_codes(scan(texts))
    assert said in str(refusal.value)


@pytest.mark.parametrize(
    "around", ['"{}","2024-05-01 20:11"', "  {}", "QR_CODE:{}\t", "{0} {0}", "{}\nnothing", "x QF1: {}"]
)
def test_text_that_a_scanner_adds_around_a_code_is_ignored(around: str) -> None:
    assert join_codes(scan([around.format(text) for text in TEXTS])) == join_codes(scan(TEXTS))


def test_a_damaged_code_counts_if_another_scan_of_it_is_sound() -> None:
    assert join_codes(scan([spoil(TEXTS[0]), *TEXTS, spoil(TEXTS[1])])) == join_codes(scan(TEXTS))


def test_a_code_whose_print_was_misread_does_not_count_as_another_print() -> None:
    misread = spoil(TEXTS[0], len("QF1:1/4:0"))
    assert join_codes(scan([misread, *TEXTS])) == join_codes(scan(TEXTS))


def test_codes_with_forged_numbers_are_refused() -> None:
    forged = []
    for number, data in ((1, b"one"), (2, b"two")):
        head = f"QF1:{number}/2:0123456789ABCDEF:"
        check = blake2b(f"{number}/2:0123456789ABCDEF:".encode() + data, digest_size=4).digest()
        forged.append(f"{head}{b45encode(check + data).decode()}.")
    with pytest.raises(QfError, match="digest is wrong"):
        join_codes(scan(forged))


def frame(kind: bytes, small: bytes, checks: bytes = b"") -> bytes:
    return kind + len(small).to_bytes(4, "big") + small + checks


def compress_lzma(data: bytes) -> bytes:
    return lzma.compress(data, lzma.FORMAT_RAW, filters=packing._FILTERS)


DEEP = b'{"header":' + b"[" * 100_000


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "end too soon"),
        (b"z\xff\xff\xff\xffabc", "end too soon"),
        (frame(b"q", b"abc"), "newer qf-tui"),
        (frame(b"z", b"no zlib"), "cannot be unpacked"),
        (frame(b"x", b"\xff\xff no lzma"), "cannot be unpacked"),
        (frame(b"z", zlib.compress(DEEP)), "nested too deep"),
        (frame(b"z", zlib.compress(b"not json")), "not JSON"),
        (frame(b"z", zlib.compress(b"\xff\xfe")), "not UTF-8"),
        (frame(b"z", zlib.compress(b'{"header":{"system":"\\u001b"}}')), "escaped"),
        (frame(b"z", zlib.compress(b"[]")), "object"),
        (frame(b"z", zlib.compress(b'{"header":{"format":3},"acts":[]}')), "missing"),
        (frame(b"z", zlib.compress(b'{"acts":[]}')), "header"),
        (frame(b"z", zlib.compress(b'{"more":1}')), "more"),
    ],
)
def test_bytes_that_are_no_battle_are_refused(data: bytes, said: str) -> None:
    with pytest.raises(QfError) as refusal:
        unpack_battle(data, SYSTEMS)
    assert said in str(refusal.value)
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize(("how", "squeezed"), [(b"z", zlib.compress), (b"x", compress_lzma)])
def test_data_that_unpacks_beyond_the_limit_is_refused(
    how: bytes, squeezed: Callable[[bytes], bytes]
) -> None:
    with pytest.raises(QfError, match="larger than 4 MB"):
        unpack_battle(frame(how, squeezed(b" " * (UNPACKED_MOST + 1))), SYSTEMS)


@cache
def pack_golden(name: str) -> bytes:
    return pack_battle(*load_golden(name), {})


def repack(name: str, old: bytes, new: bytes, *, more_checks: bytes = b"") -> bytes:
    """Pack a golden battle after a change of its JSON."""
    data = pack_golden(name)
    length = int.from_bytes(data[1:5], "big")
    text = lzma.decompress(data[5 : 5 + length], lzma.FORMAT_RAW, filters=packing._FILTERS)
    assert old in text
    return frame(b"z", zlib.compress(text.replace(old, new, 1)), data[5 + length :] + more_checks)


NAME = "yellow-sea-1904-clone"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b'"acts":[[', b'"acts":[[],[', "checks"),
        (b'"system":"quickfire-clone"', b'"system":"chess"', "not installed"),
        (b'"format":3', b'"format":2', "a save of format 2; this program reads format 3"),
        (b'"format":3', b'"format":4', "Open it with a newer qf-tui"),
        (b'["next"]', b"[]", "it is empty"),
        (b'["next"]', b'["castle"]', "castle"),
        (b'["next"]', b'["next","x"]', "whole number"),
        (b'["next"]', b'{"n":9,"order":"next"}', "no code has"),
        (b'["next"]', b'{"correction":"strike","targets":[99]}', "corrects 99"),
        (b'["next"]', b'{"correction":"strike","targets":[1,1]}', ""),
        (b'["next"]', b'{"order":"next","after":88}', "place is after 88"),
        (b'"at":[', b'"at":[1,', "times for"),
        (b'"turn":1', b'"turn":"one"', "turn"),
        (b'"card":{"id":"mikasa"', b'"card":{"ident":"mikasa"', ""),
    ],
)
def test_a_changed_battle_is_refused_or_unpacked(old: bytes, new: bytes, said: str) -> None:
    data = repack(NAME, old, new)
    if not said:
        assert unpack_battle(data, SYSTEMS).timeline.log
        return
    with pytest.raises(QfError) as refusal:
        unpack_battle(data, SYSTEMS)
    assert said in str(refusal.value)


def test_an_act_that_is_decided_differently_today_is_listed() -> None:
    _, timeline = load_golden(NAME)
    shot = next(number for number in timeline.play_order if timeline.versions[number].order.word == "fire")
    written = str(list(timeline.versions[shot].dice))[1:-1].replace(" ", "").encode()
    order = timeline.versions[shot].order.resolved.encode()
    found = unpack_battle(repack(NAME, order + b'",' + written, order + b'",6,6'), SYSTEMS)
    assert shot in found.differ


def test_randomly_damaged_bytes_never_cause_a_traceback() -> None:
    data = pack_golden("gq2-fourth-flotilla-1916")
    chance = random.Random(6)
    for _ in range(150):
        spoil = bytearray(data)
        for _ in range(chance.randint(1, 4)):
            spoil[chance.randrange(len(spoil))] = chance.randrange(256)
        length = chance.choice((len(spoil), chance.randrange(len(spoil))))
        with suppress(QfError):
            unpack_battle(bytes(spoil[:length]), SYSTEMS)


@pytest.mark.parametrize("rules", SYSTEMS)
def test_a_battle_with_sealed_dice_comes_back_with_its_calls_and_its_seal(rules: str, tmp_path: Path) -> None:
    session = begin_club(tmp_path / "sealed.qfb", rules=rules)
    SealedEvening(session, 7, mischief=0.2).play(1)
    session.close()
    found = unpack(split_codes(pack_battle(session.system, session.timeline, session.extra)))
    assert found.differ == ()
    assert found.timeline.log == session.timeline.log
    assert found.header.extra == session.extra


def test_codes_restore_the_rules_of_a_book() -> None:
    session = begin("shoot arrow beacon 12in 5 4", "answer hull 2", "amend 2 5 3")
    rescued = packing.unpack_battle(packing.pack_battle(session.system, session.timeline, {}), {})
    assert (rescued.timeline.battle, rescued.differ) == (session.battle, ())
