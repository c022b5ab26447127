"""Keys by chance on every screen in every rule system, in bursts and windows of any size: nothing hangs."""

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
from tests.console.fuzzing import Burst, Episode, episodes, fault_of, shortest
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
"""What was found, cut down: each once hung, threw, or left screen and save apart."""


@pytest.mark.parametrize("keys", [20, pytest.param(75_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("system", OURS)
def test_no_keys_hang_or_end_the_console(system: str, keys: int, seed: int, share: Share) -> None:
    for number, episode in enumerate(share.take(episodes(system, seed, keys))):
        fault = fault_of(episode)
        if fault:
            pytest.fail(f"seed {seed}, episode {number}: {fault}\nwith {shortest(episode)}")


@pytest.mark.parametrize("episode", FOUND, ids=lambda one: f"{one.system} {one.screen}")
def test_what_was_found_is_mended(episode: Episode) -> None:
    assert fault_of(episode) == ""


def test_what_fails_is_cut_down_to_the_keys_that_make_it_fail() -> None:
    """Catches a finding of a hundred keys that nobody can read."""
    bursts: tuple[Burst, ...] = (("a", "b"), ("f", "x", "g"), *(("c",),) * 9, ("y", "d"))
    tried = 0

    def fails(episode: Episode) -> str:
        nonlocal tried
        tried += 1
        keys = [step for burst in episode.bursts for step in burst]
        return "y behind x" if "x" in keys and "y" in keys[keys.index("x") :] else ""

    found = shortest(Episode("s", "battle", bursts), fails)
    assert found.bursts == (("x",), ("y",))
    assert tried < 60
    assert evolve(found, bursts=bursts).keys == 16


def battles() -> dict[str, Session]:
    """A battle of each rule system, by its system's name."""
    found: dict[str, Session] = {}
    for system, start in load_our_battles().values():
        found.setdefault(system.name, Session.begin(system, start))
    return found


@pytest.mark.parametrize("name", OURS)
def test_no_key_behind_a_ship_goes_back_to_its_own_field(name: str) -> None:
    """Catches a dialog that hands a key to the same field for ever: every form, field and key."""
    session = battles()[name]
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
                leads = fields.find_first_open(slot.name)
                assert leads != slot.name or not fields.is_past_ship(slot.name, key, True), (form.word, key)
    assert asked


@with_console(lambda: battles()["gq2"])
async def test_a_digit_behind_the_last_ship_is_text_of_its_field(table: Table) -> None:
    """Catches the hang itself, in an order whose last field is a ship."""
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
async def test_keys_that_come_before_a_list_is_drawn(table: Table) -> None:
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
async def test_a_window_that_was_too_small_gives_the_console_back(table: Table) -> None:
    """Catches a cover that stays on a large window, and one that is taken off twice."""
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


@with_console(lambda: battles()["gq2"], size=(200, 60), pictures=AS_EVER)
async def test_a_key_is_drawn_once_with_all_that_follows_from_it(table: Table) -> None:
    """The card beside the logs, the line of keys and the grid are one picture."""
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
