"""A save by its ends, whoever wrote it: a summary, or a fault in words."""

from pathlib import Path

import pytest
from attrs import evolve

from qf_tui.journal.codec import encode_act, encode_header
from qf_tui.journal.lines import written
from qf_tui.journal.reading import SaveFault
from qf_tui.journal.save_summary import SaveSummary, glance
from tests.journal.making import entry, header, save_bytes, saved, sealed

TITLED = evolve(header(), start=evolve(header().start, table={"units": "in", "title": "Yellow Sea"}, turn=3))
HEAD = written(encode_header(TITLED))
ACT = written(encode_act(entry(1)))
EFFECT = b'{"n":2,"order":"next","rulings":{"2":{"effects":[%b]}}}'

SENSELESS = [
    pytest.param(HEAD.replace(b'"title":"Yellow', b'"a":' + b"[" * 39_000 + b',"title":"'), (), id="deep"),
    pytest.param(HEAD.replace(b"Yellow", b"\\u001b]0;x"), (), id="title"),
    pytest.param(HEAD.replace(b"Yellow", "\u202e".encode()), (), id="title backwards"),
    pytest.param(HEAD.replace(b"Yellow", b"\x1b]0;"), (), id="title raw"),
    pytest.param(HEAD.replace(b"advanced", b"\x1b]0;"), (), id="system"),
    pytest.param(HEAD.replace(b"advanced", b"\xff"), (), id="system not UTF-8"),
    pytest.param(HEAD.replace(b'"movement"', b'"\x07"'), (), id="phase"),
    pytest.param(HEAD.replace(b'"turn":3', b'"turn":' + b"3" * 5000), (), id="turn"),
    pytest.param(HEAD, (b'{"n":2,"mend":garbage}',), id="no JSON"),
    pytest.param(HEAD, (b'{"n":2,"mend":"undo","targets":["a",1]}',), id="targets of two kinds"),
    pytest.param(HEAD, (b'{"n":2,"correction":"undo","targets":{"a":1}}',), id="targets no list"),
    pytest.param(HEAD, (b'{"n":2,"correction":"undo","targets":5}',), id="targets a number"),
    pytest.param(HEAD, (b'{"n":2,"correction":"undo","targets":[[]]}',), id="targets lists"),
    pytest.param(HEAD, (EFFECT % b'["phase","","fire",[1e999,false]]',), id="turn without end"),
    pytest.param(HEAD, (EFFECT % b'["phase","","fire",5]',), id="turn no list"),
    pytest.param(HEAD, (EFFECT % b'["phase","",["fire"],[]]',), id="phase no text"),
    pytest.param(HEAD, (EFFECT % b'["phase",7]',), id="short"),
    pytest.param(HEAD, (b'{"n":2,"correction":' + b"[" * 9000 + b"}",), id="deep correction"),
    pytest.param(HEAD, ('{"n":2,"correction":"\u202e"}'.encode(),), id="backwards"),
]


@pytest.mark.parametrize(("head", "last"), SENSELESS)
def test_ends_that_make_no_sense_are_told_and_stop_nobody(
    tmp_path: Path, head: bytes, last: tuple[bytes, ...]
) -> None:
    """Catches a stranger's save in the folder that keeps the program from starting; all checksums fit."""
    path = tmp_path / "stranger.qfb"
    path.write_bytes(sealed(head, ACT, *last))
    with pytest.raises(SaveFault) as told:
        glance(path)
    assert str(told.value).startswith("stranger.qfb, line ")
    assert str(told.value).isprintable()


def test_the_ends_of_a_sound_save_are_told(tmp_path: Path) -> None:
    path = tmp_path / "battle.qfb"
    path.write_bytes(save_bytes(TITLED, (entry(1),)))
    assert glance(path) == SaveSummary("Yellow Sea", TITLED.system, 1, (3, "movement"), torn=False)


def test_what_is_no_save_is_a_fault(tmp_path: Path) -> None:
    saved(tmp_path / "battle.qfb")
    for path in (tmp_path, tmp_path / "gone"):
        with pytest.raises(SaveFault):
            glance(path)
