"""`qf-tui verify --witness`."""

from qf_tui.features.sealed_dice.witness import Witnesses
from qf_tui.journal.lines import Extent
from qf_tui.journal.reading import read_save
from tests.cli.calling import Caller


def test_a_witness_is_found_after_its_entry_or_not_at_all(call: Caller) -> None:
    """Guard against words that fit another log, and a typo that counts as a rewritten log."""
    save = call.save("next\nnext\n")
    known = Witnesses().read_on(Extent(save, save.stat().st_size, read_save(save).last_sum))
    assert [witness.number for witness in known] == [1, 2]
    for witness in known:
        words = witness.words.split()
        for text in (" ".join(words), ", ".join(words).upper(), " ".join(words[:4]), witness.digest):
            called = call("verify", save, "--witness", text)
            assert (called.status, called.err) == (0, "")
            assert f"after entry {witness.number}\n" in called.out
    call("branch", save, "--at", "1", "--save", call.folder / "one.qfb")
    assert call("verify", call.folder / "one.qfb", "--witness", known[0].words).status == 0
    for other in (call.folder / "one.qfb", call.save("next\nnext\nnext\n", "other.qfb")):
        called = call("verify", other, "--witness", known[1].words)
        assert (called.status, called.err) == (1, "")
        assert "after no entry" in called.out
    for text, why in (
        ("zoo zoo zoo", "3 words"),
        ("zoo " * 9, "9 words"),
        ("zoo zoo zoo zooo", "“zooo”"),
        ("", "0 words"),
        ("0" * 31, "not on the list"),
    ):
        called = call("verify", save, "--witness", text)
        assert called.status == 2
        assert why in called.err
