"""The state of the battle: title and phases, who may act, what is owed."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from textual.content import Content
from textual.message import Message

from qf_tui.console.reading.source import BattleSource
from qf_tui.console.reading.summaries import advice_of
from qf_tui.console.widgets.key_screen import key_for
from qf_tui.console.widgets.signs import remembered
from qf_tui.console.widgets.text import cut, fit, listed, literal, width_of
from qf_tui.console.widgets.text_pane import TextPane
from qf_tui.core.acts import State
from qf_tui.core.availability import who_can_reach
from qf_tui.core.grammar.dice_text import faces_text
from qf_tui.core.odds import Needed, Outcome
from qf_tui.core.schedule import proposed
from qf_tui.core.system import Available, RuleSystem
from qf_tui.core.values import Battle, Owed, Ship
from qf_tui.session.act_words import ended_text
from qf_tui.session.order_preview import to_throw

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
