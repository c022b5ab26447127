"""Extras of the features, and features of other packages that a save needs."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from attrs import evolve

from qf_tui.hooks import DiceKind, Extra, Feature
from qf_tui.journal.reading import SaveFault, read_save
from qf_tui.registry import find_extra_fault, find_features, load_dice_maker, search_features
from tests.journal.making import build_shot, build_small_header, save_bytes


@pytest.mark.parametrize("name", ["proposal", "nonce"])
def test_a_known_extra_that_is_no_text_is_refused(name: str, tmp_path: Path) -> None:
    for value, refused in (("ab", False), (3, True)):
        path = tmp_path / f"{value}.qfb"
        path.write_bytes(save_bytes(build_small_header(), (evolve(build_shot(1), extra={name: value}),)))
        if refused:
            with pytest.raises(SaveFault, match=f"its “{name}” is no text"):
                read_save(path)
        else:
            assert read_save(path).log[0].extra == {name: value}


def test_an_unknown_extra_of_a_save_starts_a_search_for_its_feature(monkeypatch: pytest.MonkeyPatch) -> None:
    """Guard against a save with another package's dice that goes on with dice of the table."""
    maker, wrong = object(), Extra("coin", lambda value: "is bent")
    coins = Feature("coins", extras=(wrong,), dice=DiceKind("coins", "", "coins", lambda: maker))  # type: ignore[arg-type, return-value]  # nothing is thrown
    searched: list[str] = []

    def list_points(group: str) -> list[SimpleNamespace]:
        searched.append(group)
        return [SimpleNamespace(name="coins", value="coins:COINS", load=lambda: coins)]

    monkeypatch.setattr("importlib.metadata.entry_points", list_points)
    monkeypatch.setattr("qf_tui.registry._OTHERS", [])
    for kept in ("dice", "coins"):
        search_features.cache_clear()
        assert (load_dice_maker(extra=[kept]) is maker) == (kept == "coins")
        assert len(searched) == (kept == "coins")
    assert find_features()[-1] is coins
    assert find_extra_fault({"nonce": "ab"}) == ""
    assert find_extra_fault({"coin": 1}) == "its “coin” is bent"
    search_features.cache_clear()
