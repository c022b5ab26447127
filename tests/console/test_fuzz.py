"""Random keys on every screen in every rule system, in bursts and windows of any size: nothing hangs."""

import string

import pytest
from attrs import evolve
from textual.content import Content
from textual.geometry import Size

from qf_tui.console.app import ActionPalette
from qf_tui.console.entry.form_state import Filling, FormReading
from qf_tui.core.builtin_forms import list_forms
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.names import Reach
from qf_tui.session import Session
from tests.console.fuzzing import Burst, Episode, draw_episodes, find_fault, shorten
from tests.console.playing import AS_EVER, Table, begin_gunnery, with_console
from tests.long import Share
from tests.systems import OURS, load_our_battles

FOUND = (
    Episode("quickfire", "end-phase", (("size=1x1",),)),
    Episode(
        "quickfire",
        "court",
        (("escape",), ("0", "size=300x100"), ("g", "ctrl+p", "enter"), ("size=80x24", "i")),
    ),
    Episode(
        "advanced-quickfire",
        "charts",
        (
            ("enter",),
            ("1", "i", "h", "q", "q", "8"),
            ("paste=\x1b[A\x07\x00", "3", "m", "3", "m", "4"),
            ("s", "o", "0", "space", "m"),
            ("comma", "d", "6"),
            ("r", "size=80x25", "colon", "8", "t"),
            ("z", "i", "s", "colon", "p", "8", "v", "escape"),
        ),
    ),
)
"""Failures that were found, reduced: each once hung, raised an error, or left screen and save different."""


@pytest.mark.parametrize("keys", [20, pytest.param(75_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("system", OURS)
def test_no_keys_hang_or_end_the_console(system: str, keys: int, seed: int, share: Share) -> None:
    for number, episode in enumerate(share.take(draw_episodes(system, seed, keys))):
        fault = find_fault(episode)
        if fault:
            pytest.fail(f"seed {seed}, episode {number}: {fault}\nwith {shorten(episode)}")


@pytest.mark.parametrize("episode", FOUND, ids=lambda one: f"{one.system} {one.screen}")
def test_earlier_failures_stay_fixed(episode: Episode) -> None:
    assert find_fault(episode) == ""


def test_a_failure_is_reduced_to_the_keys_that_cause_it() -> None:
    bursts: tuple[Burst, ...] = (("a", "b"), ("f", "x", "g"), *(("c",),) * 9, ("y", "d"))
    tried = 0

    def fails(episode: Episode) -> str:
        nonlocal tried
        tried += 1
        keys = [step for burst in episode.bursts for step in burst]
        return "y behind x" if "x" in keys and "y" in keys[keys.index("x") :] else ""

    found = shorten(Episode("s", "battle", bursts), fails)
    assert found.bursts == (("x",), ("y",))
    assert tried < 60
    assert evolve(found, bursts=bursts).keys == 16


def begin_battles() -> dict[str, Session]:
    """Begin a battle of each rule system, by the system's name."""
    found: dict[str, Session] = {}
    for system, start in load_our_battles().values():
        found.setdefault(system.name, Session.begin(system, start))
    return found


@pytest.mark.parametrize("name", OURS)
def test_no_key_after_a_ship_returns_to_the_field_of_the_ship(name: str) -> None:
    """Try every form, field and key: a dialog once handed a key to the same field forever."""
    session = begin_battles()[name]
    ship = next(iter(session.battle.ships))
    scope = session.find_scope(Reach.ANYWHERE)
    asked = 0
    for form in list_forms(session.system).values():
        for slot in Filling(form).slots:
            if slot.kind is not kinds.SHIP:
                continue
            fields = FormReading.read(scope, Filling(form, {slot.name: ship}))
            for key in string.digits + string.ascii_lowercase + "@ ,":
                asked += 1
                leads = fields.find_next_field(slot.name)
                assert leads != slot.name or not fields.is_past_ship(slot.name, key, True), (form.word, key)
    assert asked


@with_console(lambda: begin_battles()["gq2"])
async def test_a_digit_after_the_last_ship_is_text_of_its_field(table: Table) -> None:
    """Detect that hang itself, in an order whose last field is a ship."""
    forms = list_forms(table.session.system).values()
    last = next(form for form in forms if form.key and _ends_with_ship(Filling(form)))
    table.screen.action_order(last.word)
    await table.pilot.pause()
    await table.type("78 escape escape")
    assert table.top is table.screen


def _ends_with_ship(filling: Filling) -> bool:
    return bool(filling.slots) and filling.slots[-1].kind is kinds.SHIP


BURSTS = (
    ("f4", "pagedown"),
    ("f4", "pageup", "down", "pagedown"),
    ("f4", "down", "pagedown", "end", "enter"),
    ("ctrl+p", "pagedown"),
    ("h", "pagedown", "pageup", "end", "home", "escape"),
    ("f1", "pagedown", "end", "escape", "f1", "pageup"),
    ("m", "pagedown", "f4", "escape"),
)


@with_console(begin_gunnery)
async def test_keys_before_a_list_is_drawn_do_no_harm(table: Table) -> None:
    for burst in BURSTS:
        await table.press(*burst)
        for _ in range(4):
            if table.top is not table.screen:
                await table.press("escape")
        assert table.top is table.screen, burst


WINDOWS = (
    ((10, 60), (300, 100), "ctrl+p"),
    ((60, 10), "ctrl+p", (120, 36)),
    ((60, 10), "f4", (120, 36)),
    ("f4", (60, 10), (120, 36)),
    ("f4", (60, 10), "escape", (120, 36)),
    ("m", (60, 10), (50, 9), (120, 36), (60, 10), (120, 36)),
    ((60, 10), (120, 36), (60, 10), (120, 36), "h"),
)


@with_console(begin_gunnery)
async def test_a_window_that_grows_again_shows_the_console(table: Table) -> None:
    """Detect a cover that stays on a large window, and one that is removed twice."""
    for steps_of in WINDOWS:
        for step in steps_of:
            if isinstance(step, str):
                await table.press(step)
            else:
                await table.pilot.resize_terminal(*step)
        await table.pilot.pause()
        assert "The console needs" not in table.text(), steps_of
        for _ in range(4):
            if table.top is not table.screen:
                await table.press("escape")
        assert table.top is table.screen, steps_of
        await table.pilot.resize_terminal(120, 36)
        assert table.app.size == Size(120, 36)


@with_console(begin_gunnery)
async def test_the_palette_opens_once(table: Table) -> None:
    await table.press("ctrl+p", "ctrl+p", "f4")
    assert [type(screen) for screen in table.app.screen_stack].count(ActionPalette) == 1
    await table.press("escape")
    assert table.top is table.screen


@with_console(lambda: begin_battles()["gq2"], size=(200, 60), pictures=AS_EVER)
async def test_a_key_and_all_its_effects_are_one_picture(table: Table) -> None:
    """Cover the card next to the logs, the line of keys and the grid."""
    pictures: list[object] = []
    table.send_pictures(pictures.append, shown=True)
    for key in ("down", "up"):
        await table.pilot.pause(0.2)
        pictures.clear()
        await table.pilot.press(key)
        await table.pilot.pause(0.2)
        assert len(pictures) == 1


@with_console(begin_gunnery)
async def test_a_second_line_of_odds_gets_room(table: Table) -> None:
    await table.type("fhts41")
    says = table.top.query_one("#dialog-says")
    assert says.size.height == 1
    says.update(Content("one\ntwo"))
    await table.settle()
    assert says.size.height == 2
