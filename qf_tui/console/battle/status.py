"""The state of the battle: title and phases, who may act, what is owed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from attrs import evolve, frozen
from textual import events
from textual.content import Content
from textual.message import Message

from qf_tui.console.reading.source import BattleSource
from qf_tui.console.widgets.actions import ACTIONS, Action
from qf_tui.console.widgets.keys import form_action, key_for, key_of, perform
from qf_tui.console.widgets.signs import remembered, signs_in_ascii
from qf_tui.console.widgets.text import BLANK, CUT, TextPane, cut, fit, listed, literal, width_of, wrapped
from qf_tui.core.availability import volley_of, who_can_reach
from qf_tui.core.grammar.forms import faces_text
from qf_tui.core.odds import Needed, Outcome
from qf_tui.core.schedule import proposed
from qf_tui.core.system import Available, RuleSystem
from qf_tui.core.timeline import Correction, CorrectionKind, LogAct, State, Timeline
from qf_tui.core.values import Battle, Owed, Ship
from qf_tui.document.acts import EntrySummary, act_text, ended_text, summary
from qf_tui.document.glance import advice_of
from qf_tui.session.session import to_throw

PACE_AFTER = 30
"""Seconds after which the pace is drawn anew."""


class PhaseLine(TextPane):
    """Title, phases, who may act; `pace` says how long the turn lasts."""

    @dataclass
    class Asked(Message):
        """The line that says who may act was clicked."""

    def __init__(
        self, source: BattleSource, id: str, *, saved: bool = True, pace: Callable[[], str] | None = None
    ) -> None:
        super().__init__(id=id)
        self.source, self.saved, self.pace = source, saved, pace

    def on_mount(self) -> None:
        self.set_interval(PACE_AFTER, self._keep_pace)

    def _keep_pace(self) -> None:
        if self.pace is not None:
            self.draw()

    def on_click(self) -> None:
        self.post_message(self.Asked())

    def made(self, width: int, height: int) -> Iterable[Content]:
        system, battle = self.source.system, self.source.battle
        state = "WATCHING" if not self.source.writable else "" if self.saved else "NOT SAVED"
        table = ", ".join([str(battle.table[name]) for name in ("scale", "units") if name in battle.table])
        about, title = f"{system.title} · {table}", str(battle.table.get("title", ""))
        now = [phase.name for phase in system.phases].index(battle.phase)
        titles = tuple(
            system.phase_title(battle) if place == now else phase.title
            for place, phase in enumerate(system.phases)
        )
        parked = self.source.timeline.in_state(State.PARKED)
        pace = self.pace() if self.pace is not None else ""
        turn = f"turn {battle.turn} · {pace} " if pace else f"turn {battle.turn} "
        return (
            title_line(title, about, state, turn, width),
            phases(titles, now, width),
            waiting(battle, who_can_reach(system, self.source.timeline), width, parked),
        )


@remembered
def title_line(title: str, about: str, state: str, turn: str, width: int) -> Content:
    """The title, the rules and the scale, and at the right the turn and whether what is entered is kept."""
    right = f"{state}  {turn}" if state else turn
    room = width - width_of(right) - 2
    rest = cut(f" · {about}", max(0, room - 24))
    title = cut(title, room - width_of(rest) - 1)
    blank = " " * max(1, width - width_of(title) - width_of(rest) - width_of(right) - 1)
    return Content.assemble(
        literal(f" {title}", "bold $primary"),
        literal(rest, "$quiet"),
        literal(blank),
        literal(f"{state}  " if state else "", "bold $text-warning"),
        literal(turn, "bold"),
    )


@remembered
def phases(titles: tuple[str, ...], now: int, width: int) -> Content:
    """The phases by number, the present one in brackets; the others shrink first."""
    for room in range(max(map(width_of, titles)), -1, -1):
        parts = [
            f"[{place + 1} {title}]" if place == now else _phase(place, title, room)
            for place, title in enumerate(titles)
        ]
        if width_of("  ".join(parts)) + 2 <= width:
            break
    styled = [
        literal(cut(part, width - 2), "bold" if place == now else "$quiet")
        for place, part in enumerate(parts)
    ]
    return Content.assemble(" ", Content("  ").join(styled))


def _phase(place: int, title: str, room: int) -> str:
    return f"{place + 1} {cut(title, room)}" if room > 1 else f"{place + 1}"


def waiting(battle: Battle, may: tuple[Available, ...], width: int, parked: tuple[int, ...] = ()) -> Content:
    """Who may still act, how much is owed, what is in doubt, and which entries are parked."""
    counts = f"owed {len(battle.owed)}"
    doubts = f"  disputed {len(battle.doubts)}" + (
        f": {', '.join(str(number) for number in battle.doubts)}" if battle.doubts else ""
    )
    if parked:
        named = ", ".join(str(number) for number in parked[:3])
        doubts += f"  parked {len(parked)}: {named}{f' +{len(parked) - 3}' if len(parked) > 3 else ''}"
    room = width - width_of(counts) - width_of(doubts) - 14
    found = who(battle, may, room)
    return Content.assemble(
        literal(" to act: ", "$quiet"),
        literal(fit(found or "nobody", room), "" if found else "$quiet"),
        literal("  "),
        literal(counts, "bold $text-warning" if battle.owed else "$quiet"),
        literal(doubts, "bold $text-warning" if battle.doubts or parked else "$quiet"),
    )


def who(battle: Battle, may: tuple[Available, ...], width: int) -> str:
    """Who may still act, by side and player: ships by name as long as they fit, else how many each has."""
    sides: dict[str, dict[str, list[str]]] = {side.id: {} for side in battle.sides}
    for one in may:
        ship = battle.ships.get(one.ship)
        if ship is not None:
            players = sides.setdefault(ship.side, {})
            players.setdefault(_player(battle, ship), []).append(
                f"{cut(ship.name, 18)} {one.letters or one.what}".rstrip()
            )
    for most in (99, 3, 2, 1, 0, -1):
        parts = [_group(battle, side, players, most) for side, players in sides.items() if players]
        if width_of(" · ".join(parts)) <= width:
            break
    return listed(parts, width, " · ") if parts else ""


def _group(battle: Battle, side: str, players: dict[str, list[str]], most: int) -> str:
    """One side: each player with his ships by name, beyond `most` how many more; below 0 only how many."""
    found = battle.side(side)
    name = found.name if found else side
    if most < 0:
        return f"{name}: {sum(map(len, players.values()))}"
    parts = [
        " ".join(part for part in (player, _named(ships, most)) if part) for player, ships in players.items()
    ]
    return f"{name}: {', '.join(parts)}"


def _named(ships: list[str], most: int) -> str:
    if not most:
        return str(len(ships))
    more = [f"{len(ships) - most} more"] if len(ships) > most else []
    return ", ".join([*ships[:most], *more])


def _player(battle: Battle, ship: Ship) -> str:
    """Whose ship it is: the player of its division, else the division if the side has several."""
    side = battle.side(ship.side)
    divisions = side.divisions if side else ()
    own = next((division for division in divisions if division.id == ship.division), None)
    if own is None:
        return ""
    return own.player or (own.name if len(divisions) > 1 else "")


PROMPT_MOST = 30
"""Cells that the prompt keeps beside what its dice need."""
MORE_LEAST = 24
"""Fewest cells for what is owed next."""


class OwedLine(TextPane):
    """What is owed first, and how many more; if nothing is, reminders."""

    @dataclass
    class Asked(Message):
        """The line was clicked: asks for the answer to its first question."""

    def __init__(self, system: RuleSystem, battle: Battle, id: str) -> None:
        super().__init__(id=id)
        self.system, self.battle = system, battle
        self._sought: tuple[Needed | Outcome, ...] | None = None

    def show_battle(self, battle: Battle) -> None:
        """Draws the queue of a battle."""
        if battle is not self.battle:
            self.battle, self._sought = battle, None
        self.draw()

    @property
    def sought(self) -> tuple[Needed | Outcome, ...]:
        """What the first owed roll needs."""
        if self._sought is None:
            self._sought = to_throw(self.system, self.battle, self.battle.owed[0])
        return self._sought

    def on_click(self) -> None:
        self.post_message(self.Asked())

    def made(self, width: int, height: int) -> Iterable[Content]:
        return [self._first(width) if self.battle.owed else self._advice(width)]

    def _first(self, width: int) -> Content:
        owed = self.battle.owed
        count = f" owed {len(owed)}  "
        answers = key_for(self.screen, "grid.answer")
        key = f"  {answers} answers" if answers else ""
        room = width - width_of(count) - width_of(key) - 1
        wants = f"  {self._wants(owed[0], room - min(PROMPT_MOST, width_of(owed[0].prompt)) - 2)}"
        room -= width_of(wants)
        prompt = cut(owed[0].prompt, room)
        more = _behind(owed[1:], room - width_of(prompt))
        return Content.assemble(
            literal(count, "bold $text-warning"),
            literal(prompt, "bold"),
            literal(wants, "bold $accent"),
            literal(key, "$quiet"),
            literal(more, "$quiet"),
        )

    def _wants(self, owed: Owed, room: int) -> str:
        """What the dice need, in as many words as there is room for; if nothing is known of it the dice."""
        needs = [one for one in self.sought if isinstance(one, Needed)]
        said = (self.sought, [f"{one.short} {one.does}" for one in needs], [one.short for one in needs])
        texts = [" · ".join(map(str, parts)) for parts in said if parts]
        fitting = (text for text in texts if width_of(text) <= room)
        return next(fitting, cut(wanted(owed), max(24, room)))

    def _advice(self, width: int) -> Content:
        nothing = " nothing is owed"
        ended = ended_text(self.system, self.battle)
        advice = "   ".join(text for text in advice_of(self.system, self.battle) if text != ended)
        room = width - width_of(nothing) - 4
        ended = cut(ended, room)
        rest = cut(advice, max(0, room - width_of(ended) - 3))
        return Content.assemble(
            literal(nothing, "$quiet"),
            literal(f"   {ended}" if ended else "", "bold $text-warning"),
            literal(f"   {rest}" if rest else "", "$secondary"),
        )


def _behind(owed: Sequence[Owed], room: int) -> str:
    """What is owed next, the same once with how often, as far as there is room and how much more there is."""
    prompts = [cut(one.prompt, 30) for one in owed]
    counts = {prompt: prompts.count(prompt) for prompt in prompts}
    then = "  · then "
    acting = listed(
        (prompt if many == 1 else f"{prompt} ×{many}" for prompt, many in counts.items()),
        room - width_of(then),
        "; ",
    )
    return f"{then}{acting}" if acting and room > MORE_LEAST else ""


def wanted(owed: Owed) -> str:
    """What a question wants: its dice by name, or its words."""
    thrown = f" (thrown: {faces_text(owed.faces)})" if owed.faces else ""
    if owed.dice:
        dice = ", ".join(str(die) for die in owed.dice[:3])
        more = f" +{len(owed.dice) - 3}" if len(owed.dice) > 3 else ""
        return f"{dice}{more}{thrown}"
    asks = proposed(owed)
    words = ((asks.word,) if asks else ()) + owed.words
    return f"{' or '.join(words) or 'in words'}{thrown}"


BEHIND_LEAST = 12
"""Fewest cells for who did it behind what it did."""
LAST_MOST = 3
"""Lines for the newest act."""


NO_ENTRY = " no entry yet: the letters in the last line open orders, : types one, F1 is the help"


class Latest(TextPane):
    """As many of the latest acts as fit, newest at the bottom; the newest with its whole result."""

    def __init__(self, system: RuleSystem, timeline: Timeline, id: str) -> None:
        super().__init__(id=id)
        self.system, self.timeline = system, timeline
        self._known: dict[int, tuple[EntrySummary, str, int, str]] = {}
        self._lines: dict[tuple[int, int, bool], Content] = {}

    @dataclass
    class Asked(Message):
        """An act was clicked: shows all of them."""

    def on_click(self) -> None:
        self.post_message(self.Asked())

    def show_log(self, timeline: Timeline) -> None:
        """Draws a log."""
        if len(timeline.log) != len(self.timeline.log) + 1 or isinstance(timeline.log[-1], Correction):
            # A correction may change what older entries come to.
            self._known, self._lines = {}, {}
        self.timeline = timeline
        self.draw()

    def _told(self, act: LogAct) -> tuple[EntrySummary, str, int, str]:
        """An act in words: what it did, its state, its number and the clause."""
        known = self._known.get(act.number)
        if known is None:
            text = act_text(self.timeline, act)
            known = summary(self.system, self.timeline, act), text.state, act.number, text.clause
            self._known[act.number] = known
        return known

    def made(self, width: int, height: int) -> Iterable[Content]:
        log = latest(self.timeline, height)
        if not log:
            return literal(NO_ENTRY, "$quiet").wrap(width)
        whole = _whole(*self._told(log[-1]), width, min(LAST_MOST, height))
        lines = [*(self._line(act, width) for act in log[:-1]), *whole]
        return (*[BLANK] * (height - len(lines)), *lines)[-height:]

    def _line(self, act: LogAct, width: int) -> Content:
        """An act in one line, which stays the same while others come."""
        kind = act.number, width, signs_in_ascii()
        if kind not in self._lines:
            self._lines[kind] = _line(*self._told(act), width)
        return self._lines[kind]


def latest(timeline: Timeline, most: int) -> list[LogAct]:
    """The latest acts.

    An undo or redo is shown only while it is the last act: later the struck acts show it.
    """
    found: list[LogAct] = []
    for act in reversed(timeline.log):
        if len(found) == most:
            break
        undoing = isinstance(act, Correction) and act.kind in (CorrectionKind.UNDO, CorrectionKind.REDO)
        if not (undoing and found):
            found.append(act)
    return found[::-1]


def _line(said: EntrySummary, state: str, number: int, clause: str, width: int) -> Content:
    """An act in one line: what happened to whom, who did it, by which dice, the clause if there is room."""
    shown = f" [{state}]" if state else ""
    effect = cut(said.effect, width - 6 - width_of(shown))
    room = width - 8 - width_of(effect) - width_of(shown)
    behind = (
        cut(" · ".join(part for part in (said.by, said.why) if part), room) if room > BEHIND_LEAST else ""
    )
    blank = room - width_of(behind) - width_of(clause) - 2
    return Content.assemble(
        literal(f"{number:>4} ", "$quiet"),
        literal(effect, "bold $text-warning" if said.event else ""),
        literal(shown, "bold $text-warning"),
        literal(f"  {behind}", "$quiet"),
        literal(f"{' ' * blank}  {clause}" if clause and blank >= 0 else "", "$quiet"),
    )


def _whole(
    said: EntrySummary, state: str, number: int, clause: str, width: int, height: int
) -> list[Content]:
    """An act with all that it did and by what on separate lines."""
    shown = f" [{state}]" if state else ""
    effect = wrapped(said.effect, width - 6 - width_of(shown), max(1, height - 1)) or [""]
    look = "bold $text-warning" if said.event else "bold"
    lines = [literal(f"     {line}", look) for line in effect]
    lines[0] = Content.assemble(
        literal(f"{number:>4} ", "$quiet"), literal(effect[0], look), literal(shown, "bold $text-warning")
    )
    behind = "  ".join(
        part for part in (" · ".join(one for one in (said.by, said.why) if one), clause) if part
    )
    room = height - len(lines)
    return [
        *lines,
        *(literal(f"     {line}", "$quiet") for line in (wrapped(behind, width - 6, room) if room else ())),
    ]


@frozen
class KeyShown:
    """A key as it is shown, with the title of what it does."""

    key: str
    title: str
    action: Action


WIDE = 110
"""Cells of width from which orders have their titles, not just their words."""
UNDO_LEAST = 7
"""Fewest cells for what an undo strikes."""
LAST = ("undo", "help")
"""The end of the line, the undo with what it strikes, so that the rest keeps its place."""
ALWAYS = ("next", "history", *LAST)
"""What is shown even where there is least room."""

MORE = KeyShown(CUT, "", next(one for one in ACTIONS if one.call.name == "help"))
"""Where there is no room for all the keys: the help has them."""


class Footer(TextPane):
    """The line of keys, each of which can be clicked too."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.shown: tuple[KeyShown, ...] = ()
        self._fitted: dict[tuple[int, str, int], tuple[Mapping[str, Action], list[KeyShown], int]] = {}

    def show_keys(self, shown: tuple[KeyShown, ...]) -> None:
        """Shows other keys, if they are others."""
        if shown == self.shown:
            return
        self.shown = shown
        parts: list[Content] = []
        for one in shown:
            parts += [literal(f" {one.key}", "bold $accent"), literal(f" {one.title} ", "$quiet")]
        self.show(lambda width: [Content.assemble(*parts)])

    def show_battle(
        self, keys: Mapping[str, Action], system: RuleSystem, phase: str, undone: str, width: int
    ) -> None:
        """Shows the keys that fit in a phase, with their titles; `undone` is what an undo would strike."""
        struck = max(0, width // 3 - 26)
        place = id(keys), phase, width
        if place not in self._fitted:
            self._fitted[place] = keys, *_fitting(_key_named(keys, system, phase, width), width - 1 - struck)
        _, kept, left = self._fitted[place]
        undo = _undo(undone, struck + left)
        self.show_keys(
            tuple(evolve(one, title=undo) if one.action.call.name == "undo" else one for one in kept)
        )

    async def on_click(self, event: events.Click) -> None:
        """Does what the key under the mouse does."""
        begins = 0
        for one in self.shown:
            ends = begins + _needs(one)
            if begins <= event.x < ends:
                await perform(self.screen, one.action)
                return
            begins = ends


def keys_of_place(keys: Mapping[str, Action]) -> tuple[KeyShown, ...]:
    """All the keys of a small place."""
    return tuple(KeyShown(key_of(one, keys), one.title, one) for one in dict.fromkeys(keys.values()))


def _key_named(keys: Mapping[str, Action], system: RuleSystem, phase: str, width: int) -> list[KeyShown]:
    """All the keys of the logs in a phase: its orders first."""
    idle = {"volley"} if volley_of(system, phase) is None else set()
    shown = (one for one in dict.fromkeys(keys.values()) if one.footer and one.call.name not in idle)
    others = sorted(shown, key=lambda one: len(one.places))
    others.sort(key=lambda one: LAST.index(one.call.name) if one.call.name in LAST else -1)
    named = [KeyShown(key, one.title, one) for one in others if (key := key_of(one, keys))]
    return [*_orders(system, phase, keys, width), *named]


def _orders(system: RuleSystem, phase: str, keys: Mapping[str, Action], width: int) -> list[KeyShown]:
    """The orders of this phase."""
    found = []
    for form in system.forms:
        key = key_of(form_action(form), keys)
        if key and (phase in form.phases or not form.phases):
            found.append(KeyShown(key, form.title.lower() if width >= WIDE else form.word, form_action(form)))
    return found


def _fitting(shown: Sequence[KeyShown], room: int) -> tuple[list[KeyShown], int]:
    """The keys that fit, with a sign where there are more, and the room left."""
    left = room - sum(_needs(one) for one in shown if one.action.call.name in ALWAYS)
    kept: list[KeyShown] = []
    for at, one in enumerate(shown):
        if one.action.call.name in ALWAYS:
            kept.append(one)
            continue
        rest = sum(_needs(other) for other in shown[at:] if other.action.call.name not in ALWAYS)
        if _needs(one) + (_needs(MORE) if rest > left else 0) <= left:
            kept.append(one)
            left -= _needs(one)
        elif MORE not in kept and left >= _needs(MORE):
            kept.append(MORE)
            left = 0
    return kept, left


def _undo(undone: str, room: int) -> str:
    """`undo`, with what it would strike as far as there is room."""
    return f"undo {cut(undone, room - 1)}" if undone and room > UNDO_LEAST else "undo"


def _needs(one: KeyShown) -> int:
    return width_of(f"{one.key} {one.title}") + 2
