"""Panes of the battle screen: title and phases, who may act, what is owed, latest orders, available keys."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar

from attrs import evolve
from textual import events
from textual.content import Content

from qf_tui.console.reading.source import BattleSource
from qf_tui.console.widgets.action_table import list_actions
from qf_tui.console.widgets.actions import Action
from qf_tui.console.widgets.keys import (
    ShownKey,
    build_form_action,
    find_key,
    find_screen_key,
    perform_click,
    render_keys,
)
from qf_tui.console.widgets.text import (
    BLANK,
    CUT,
    Signs,
    TextPane,
    cache_by_signs,
    cut,
    fit,
    join_parts,
    literal,
    measure_width,
    wrap_words,
)
from qf_tui.core.availability import find_volleys, list_ships_in_reach
from qf_tui.core.crews import describe_rules
from qf_tui.core.declarations import Available
from qf_tui.core.grammar.names import format_typed_faces
from qf_tui.core.odds import Needed, Sought
from qf_tui.core.schedule import is_won
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Correction, CorrectionKind, LogAct, State, Timeline
from qf_tui.core.values import Battle, Owed
from qf_tui.document.acts import EntrySummary, describe_act, format_answers, format_end_offer, summarize_act
from qf_tui.document.glance import list_advice
from qf_tui.session.session import list_needed_throws

PACE_AFTER = 10
"""Seconds after which the pace is drawn again."""
PROMPT_MOST = 30
"""Width that the prompt keeps next to what its dice need; most cells of a later prompt."""
WANTED_LEAST = 24
"""Least width for what a roll wants, if it is unknown what its dice need."""
DICE_MOST = 3
"""Most dice of a roll that are named."""
MORE_LEAST = 24
"""Least width for what is owed next."""
BEHIND_LEAST = 12
"""Least width for the order after the result."""
LAST_MOST = 3
"""Lines for the newest act."""
WIDE = 110
"""Width from which orders are shown by title, not only by word."""
UNDO_LEAST, UNDO_FROM = 7, 78
"""Least width for what an undo strikes; screen width of which a third of the rest is kept for it."""
LAST = ("undo", "help")
"""Last keys of the footer; the undo is there because its text changes."""
ALWAYS = ("next", "history", *LAST)
"""Keys that are shown even on the narrowest screen."""
AROUND_ACTING = 14
"""Cells of the words and blanks around who may act."""
PARKED_MOST = 3
"""Most parked entries whose numbers are shown."""
TITLE_LEAST = 24
"""Width that the title keeps next to the rules."""
GAP = "   "
THEN = "  · then "
NO_ENTRY = " no entry yet: the letters in the last line open orders, : types one, F1 helps"


class StatusPane(TextPane):
    """A pane of a battle.

    Attributes:
        does: Action of its screen that a click on it performs.
    """

    does: ClassVar[str]

    async def on_click(self) -> None:
        await self.run_action(f"screen.{self.does}")


class PhaseLine(StatusPane):
    """Three lines: the title, the phases, and who may act.

    Attributes:
        saved: False to show that entries are not kept.
        pace: Returns how long phase and turn last.
    """

    does = "next_to_act"

    def __init__(self, source: BattleSource, id: str, *, saved: bool = True) -> None:
        super().__init__(id=id)
        self.source, self.saved = source, saved
        self.pace: Callable[[], str] | None = None

    def on_mount(self) -> None:
        self.set_interval(PACE_AFTER, self.draw)

    def make_lines(self, width: int, height: int) -> Iterable[Content]:
        """Render title, phases and who may act, with a warning if entries are not recorded."""
        system, battle = self.source.system, self.source.battle
        state = "" if self.saved else "NOT SAVED"
        if not self.source.writable:
            state = "WATCHING"
        title = str(battle.table.get("title", ""))
        about = describe_rules(system, battle)
        present_index = [phase.name for phase in system.phases].index(battle.phase)
        titles = tuple(
            system.phase_title(battle) if place == present_index else phase.title
            for place, phase in enumerate(system.phases)
        )
        pace = self.pace() if self.pace is not None else ""
        turn = f"turn {battle.turn} · {pace} " if pace else f"turn {battle.turn} "
        return (
            render_title(title, about, state, turn, width),
            render_phases(titles, present_index, width),
            render_waiting(system, self.source.timeline, width),
        )


@cache_by_signs
def render_title(title: str, about: str, state: str, turn: str, width: int) -> Content:
    """Render the title with rules and scale; at the right the turn, and a warning if nothing is kept.

    Args:
        state: The warning, such as `NOT SAVED`, or "".
    """
    right = f"{state}  {turn}" if state else turn
    room = width - measure_width(right) - 2
    rest = cut(f" · {about}", max(0, room - TITLE_LEAST))
    title = cut(title, room - measure_width(rest) - 1)
    blank = " " * max(1, width - measure_width(title) - measure_width(rest) - measure_width(right) - 1)
    return Content.assemble(
        literal(f" {title}", "bold $primary"),
        literal(rest, "$quiet"),
        literal(blank),
        literal(f"{state}  " if state else "", "bold $text-warning"),
        literal(turn, "bold"),
    )


@cache_by_signs
def render_phases(titles: tuple[str, ...], present_index: int, width: int) -> Content:
    """Render the numbered phases in a width: the present one in brackets, the others cut until all fit.

    At worst only the numbers of the others are left.
    """
    parts: list[str] = []
    for room in range(max(map(measure_width, titles)), -1, -1):
        parts = [
            f"{number} {cut(title, room)}" if room > 1 else f"{number}"
            for number, title in enumerate(titles, start=1)
        ]
        parts[present_index] = f"[{present_index + 1} {titles[present_index]}]"
        if measure_width("  ".join(parts)) + 2 <= width:
            break
    styled_parts = (
        literal(cut(part, width - 2), "bold" if place == present_index else "$quiet")
        for place, part in enumerate(parts)
    )
    return Content.assemble(" ", Content("  ").join(styled_parts))


def render_waiting(system: RuleSystem, timeline: Timeline, width: int) -> Content:
    """Render who may still act, how much is owed, and which entries are disputed or parked."""
    battle, parked = timeline.battle, timeline.list_in_state(State.PARKED)
    owed = f"owed {len(battle.owed)}"
    numbers = f": {', '.join(map(str, battle.doubts))}" if battle.doubts else ""
    disputed_and_parked = f"  disputed {len(battle.doubts)}{numbers}"
    if parked:
        more = f" +{len(parked) - PARKED_MOST}" if len(parked) > PARKED_MOST else ""
        disputed_and_parked += f"  parked {len(parked)}: {', '.join(map(str, parked[:PARKED_MOST]))}{more}"
    room = width - measure_width(owed) - measure_width(disputed_and_parked) - AROUND_ACTING
    acting = format_acting_ships(battle, list_ships_in_reach(system, timeline), room)
    return Content.assemble(
        literal(" to act: ", "$quiet"),
        literal(fit(acting or "no ship", room), "" if acting else "$quiet"),
        literal("  "),
        literal(owed, "bold $text-warning" if battle.owed else "$quiet"),
        literal(disputed_and_parked, "bold $text-warning" if battle.doubts or parked else "$quiet"),
    )


def format_acting_ships(battle: Battle, available: tuple[Available, ...], width: int) -> str:
    """List the ships that may still act, by side and player: by name while they fit, the rest by number."""
    single_division_sides = {side.id for side in battle.sides if len(side.divisions) == 1}
    players_by_side: dict[str, dict[str, list[str]]] = {side.id: {} for side in battle.sides}
    for able in available:
        ship = battle.ships.get(able.ship)
        if ship is not None:
            division = battle.find_division(ship)
            player = division.player or ("" if ship.side in single_division_sides else division.name)
            text = f"{cut(ship.name, 18)} {able.letters or able.what}".rstrip()
            players_by_side.setdefault(ship.side, {}).setdefault(player, []).append(text)
    acting_sides = [
        (battle.find_side_name(side), players) for side, players in players_by_side.items() if players
    ]
    for named_most in (99, 3, 2, 1, 0):
        parts = (f"{side}: {_format_players(players, named_most)}" for side, players in acting_sides)
        line = " · ".join(parts)
        if measure_width(line) <= width:
            return line
    counts = (f"{side}: {sum(map(len, players.values()))}" for side, players in acting_sides)
    return join_parts(counts, width, " · ")


def _format_players(ships_by_player: Mapping[str, Sequence[str]], named_most: int) -> str:
    """Format the ships of each player: at most `named_most` by name, with 0 only their number."""
    groups = []
    for player, ships in ships_by_player.items():
        more = [f"{len(ships) - named_most} more"] if len(ships) > named_most else []
        text = ", ".join([*ships[:named_most], *more]) if named_most else str(len(ships))
        groups.append(f"{player} {text}" if player else text)
    return ", ".join(groups)


class OwedLine(StatusPane):
    """The roll that digits answer now, and how many more are owed; reminders if nothing is."""

    does = "answer"

    def __init__(self, source: BattleSource, id: str) -> None:
        super().__init__(id=id)
        self.source = source
        # The key of the roll that the bar is open for, or "".
        self.opened = ""
        # The needed throws of an owed roll, with the battle for which they were computed.
        self._needed_throws: tuple[Battle, Owed, tuple[Sought, ...]] | None = None

    def make_lines(self, width: int, height: int) -> Iterable[Content]:
        """Render the first owed roll.

        If nothing is owed, render the end of the battle (offered or reached) with its keys, then the advice
        that fits.
        """
        system, battle = self.source.system, self.source.battle
        if battle.owed:
            return [self._draw_first(battle, width)]
        nothing = " nothing is owed"
        ending = format_end_offer(system, battle) or ("victory is reached" if is_won(battle) else "")
        advice = GAP.join(text for text in list_advice(system, battle) if text != ending)
        if ending:
            for action in list_actions():
                if action.ended and (key := find_screen_key(self.screen, action.id)):
                    ending = f"{ending}; {key}: {action.ended}"
        room = width - 1 - measure_width(nothing) - len(GAP)
        ending = cut(ending, room)
        advice = cut(advice, max(0, room - measure_width(ending) - len(GAP)))
        line = Content.assemble(
            literal(nothing, "$quiet"),
            literal(f"{GAP}{ending}" if ending else "", "bold $text-warning"),
            literal(f"{GAP}{advice}" if advice else "", "$secondary"),
        )
        return [line]

    def _draw_first(self, battle: Battle, width: int) -> Content:
        """Render the roll that digits answer now: what its dice need, the key, and the rolls after it."""
        current_roll = battle.find_question(self.opened) or battle.owed_in_order[0]
        other_rolls = [owed for owed in battle.owed_in_order if owed is not current_roll]
        count_text = f" owed {len(other_rolls) + 1}  "
        answer_key = find_screen_key(self.screen, "grid.answer")
        key = f"  {answer_key} answers" if answer_key else ""
        room = width - measure_width(count_text) - measure_width(key) - 1
        needs_room = room - min(PROMPT_MOST, measure_width(current_roll.prompt)) - 2
        wanted_text = format_wanted(self.source.system, battle, current_roll)
        needs = f"  {format_needs(self._list_needed(battle, current_roll), wanted_text, needs_room)}"
        room -= measure_width(needs)
        prompt = cut(current_roll.prompt, room)
        room -= measure_width(prompt)
        # Each prompt is shown once, with the number of its rolls.
        count_by_prompt = Counter(cut(owed.prompt, PROMPT_MOST) for owed in other_rolls)
        later_rolls = (text if count == 1 else f"{text} ×{count}" for text, count in count_by_prompt.items())
        later = join_parts(later_rolls, room - measure_width(THEN), "; ")
        return Content.assemble(
            literal(count_text, "bold $text-warning"),
            literal(prompt, "bold"),
            literal(needs, "bold $accent"),
            literal(key, "$quiet"),
            literal(f"{THEN}{later}" if later and room > MORE_LEAST else "", "$quiet"),
        )

    def _list_needed(self, battle: Battle, roll: Owed) -> tuple[Sought, ...]:
        """List the throws that a roll needs, from the cache if neither roll nor battle has changed."""
        cached_battle, cached_roll, throws = self._needed_throws or (None, None, None)
        if throws is None or cached_battle is not battle or cached_roll is not roll:
            throws = list_needed_throws(self.source.system, battle, roll)
            self._needed_throws = battle, roll, throws
        return throws


def format_needs(sought: Sequence[Sought], fallback: str, room: int) -> str:
    """Format the needs of the dice in the longest form that fits the room.

    If no need is known, or even the shortest form is too long, return `fallback`, cut to fit.
    """
    needs = [need for need in sought if isinstance(need, Needed)]
    # From the longest to the shortest.
    texts = (sought, [f"{need.short} {need.does}" for need in needs], [need.short for need in needs])
    joined = (" · ".join(map(str, parts)) for parts in texts if parts)
    for text in joined:
        if measure_width(text) <= room:
            return text
    return cut(fallback, max(WANTED_LEAST, room))


def format_wanted(system: RuleSystem, battle: Battle, owed: Owed) -> str:
    """Format what a question wants: its first dice and the number of the others, or its words."""
    thrown_text = f" (thrown: {format_typed_faces(owed.faces)})" if owed.faces else ""
    if owed.dice:
        dice = ", ".join(str(die) for die in owed.dice[:DICE_MOST])
        more = f" +{len(owed.dice) - DICE_MOST}" if len(owed.dice) > DICE_MOST else ""
        return f"{dice}{more}{thrown_text}"
    return f"{format_answers(system, battle, owed)}{thrown_text}"


class LatestActs(StatusPane):
    """The latest acts that fit, newest at the bottom; only the newest is shown in full."""

    does = "history"

    def __init__(self, source: BattleSource, id: str) -> None:
        super().__init__(id=id)
        self.source, self.timeline = source, source.timeline
        # Caches: summary, state and clause of each act by its number; the line of each act by its number, the
        # width, and whether signs are ASCII.
        self._texts: dict[int, tuple[EntrySummary, str, str]] = {}
        self._lines: dict[tuple[int, int, bool], Content] = {}

    def make_lines(self, width: int, height: int) -> Iterable[Content]:
        """Render the acts that fit: blank lines, earlier acts in a line each, and the last one in full."""
        old_timeline, self.timeline = self.timeline, self.source.timeline
        new_acts = self.timeline.log[len(old_timeline.log) :]
        is_one_entry = len(new_acts) == 1 and not isinstance(new_acts[0], Correction)
        if self.timeline is not old_timeline and not is_one_entry:
            # Anything but one new entry may change the results of older ones.
            self._texts, self._lines = {}, {}
        acts = self._list_shown_acts(height)
        if not acts:
            return literal(NO_ENTRY, "$quiet").wrap(width)
        *earlier_acts, last_act = acts
        last_act_lines = self._render_whole(last_act, width, min(LAST_MOST, height))
        lines = [*(self._render_line(act, width) for act in earlier_acts), *last_act_lines]
        blank_lines = [BLANK] * (height - len(lines))
        return (*blank_lines, *lines)[-height:]

    def _list_shown_acts(self, most: int) -> list[LogAct]:
        """List the latest acts, at most `most`; an undo or redo only if it is the very last act.

        Other undos and redos are left out, because the acts that they struck or restored show them.
        """
        shown_acts: list[LogAct] = []
        kinds = (CorrectionKind.UNDO, CorrectionKind.REDO)
        for act in reversed(self.timeline.log):
            if len(shown_acts) == most:
                break
            is_undo_or_redo = isinstance(act, Correction) and act.kind in kinds
            if not (is_undo_or_redo and shown_acts):
                shown_acts.insert(0, act)
        return shown_acts

    def _summarize(self, act: LogAct) -> tuple[EntrySummary, str, str]:
        """Return the summary of an act, its state in brackets (or ""), and its rule clause."""
        if act.number not in self._texts:
            text = describe_act(self.timeline, act)
            state = f" [{text.state}]" if text.state else ""
            self._texts[act.number] = (
                summarize_act(self.source.system, self.timeline, act),
                state,
                text.clause,
            )
        return self._texts[act.number]

    def _render_line(self, act: LogAct, width: int) -> Content:
        """Render an act in one line: what happened, the order with its dice, and the clause if there is room.

        The line stays the same while other acts follow.
        """
        cache_key = act.number, width, Signs.ascii
        if cache_key in self._lines:
            return self._lines[cache_key]
        summary, state, clause = self._summarize(act)
        number = f"{act.number:>4} "
        room = width - 1 - measure_width(number) - measure_width(state)
        effect = cut(summary.lead, room)
        # Two blanks are before the background, and two before the clause.
        room -= measure_width(effect) + 2
        background = cut(summary.background, room) if room > BEHIND_LEAST else ""
        blank = room - measure_width(background) - measure_width(clause) - 2
        self._lines[cache_key] = Content.assemble(
            literal(number, "$quiet"),
            literal(effect, "bold $text-warning" if summary.stands_out else ""),
            literal(state, "bold $text-warning"),
            literal(f"  {background}", "$quiet"),
            literal(f"{' ' * blank}  {clause}" if clause and blank >= 0 else "", "$quiet"),
        )
        return self._lines[cache_key]

    def _render_whole(self, act: LogAct, width: int, height: int) -> list[Content]:
        """Render an act in full: what happened, then the order, its dice and the clause if there is room."""
        summary, state, clause = self._summarize(act)
        look = "bold $text-warning" if summary.stands_out else "bold"
        number = f"{act.number:>4} "
        room, indent = width - 1 - measure_width(number), " " * measure_width(number)
        first, *more = wrap_words(summary.lead, room - measure_width(state), max(1, height - 1)) or [""]
        lines = [
            Content.assemble(
                literal(number, "$quiet"),
                literal(first, look),
                literal(state, "bold $text-warning"),
            ),
            *(literal(f"{indent}{line}", look) for line in more),
        ]
        if lines_left := height - len(lines):
            texts = wrap_words("  ".join(filter(None, (summary.background, clause))), room, lines_left)
            lines += [literal(f"{indent}{line}", "$quiet") for line in texts]
        return lines


MORE = ShownKey(CUT, "", next(action for action in list_actions() if action.call.name == "help"))
"""Where there is no room for all the keys: the help has them."""


class Footer(TextPane):
    """The line of keys; each can also be clicked."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.shown: tuple[ShownKey, ...] = ()
        # Cache by id of all keys, phase and width: all keys, the keys that fit, and the room left.
        self._fitted: dict[tuple[int, str, int], tuple[Mapping[str, Action], list[ShownKey], int]] = {}

    def show_keys(self, keys: tuple[ShownKey, ...]) -> None:
        """Show other keys."""
        if keys == self.shown:
            return
        self.shown = keys
        self.draw()

    def make_lines(self, width: int, height: int) -> Iterable[Content]:
        return [render_keys(self.shown)]

    def show_battle(
        self, keys: Mapping[str, Action], system: RuleSystem, phase: str, undo_text: str, width: int
    ) -> None:
        """Show the keys of the logs in a phase, as far as they fit.

        Args:
            undo_text: Act that an undo would strike; added to the title of the undo key if there is room.
        """
        # On a wide screen, part of the line is kept for what an undo would strike.
        undo_room = max(0, (width - UNDO_FROM) // 3)
        cache_key = id(keys), phase, width
        if cache_key not in self._fitted:
            log_keys = _list_log_keys(keys, system, phase, width)
            fitting_keys, cells_left = _fit_keys(log_keys, width - 1 - undo_room)
            # `keys` is held, so that its id stays unique.
            self._fitted[cache_key] = keys, fitting_keys, cells_left
        _, shown_keys, room_left = self._fitted[cache_key]
        room = undo_room + room_left
        undo = f"undo {cut(undo_text, room - 1)}" if undo_text and room > UNDO_LEAST else "undo"
        self.show_keys(
            tuple(evolve(key, title=undo) if key.action.call.name == "undo" else key for key in shown_keys)
        )

    async def on_click(self, event: events.Click) -> None:
        """Do the action of the key under the mouse."""
        await perform_click(self.screen, event.x, ((key.cells, key.action) for key in self.shown))


def list_place_keys(keys: Mapping[str, Action]) -> tuple[ShownKey, ...]:
    """List all keys of a place, such as the search for a ship."""
    return tuple(
        ShownKey(find_key(action, keys), action.title, action) for action in dict.fromkeys(keys.values())
    )


def _list_log_keys(keys: Mapping[str, Action], system: RuleSystem, phase: str, width: int) -> list[ShownKey]:
    """List the keys of the logs in a phase: its orders first, then other actions that the footer may show."""
    listed = []
    for form in system.forms:
        action = build_form_action(form)
        key = find_key(action, keys)
        if key and (phase in form.phases or not form.phases):
            title = form.title.lower() if width >= WIDE else form.word
            listed.append(ShownKey(key, title, action))
    unusable = set() if find_volleys(system, phase) else {"volley"}
    actions = dict.fromkeys(keys.values())
    other_actions = [action for action in actions if action.footer and action.call.name not in unusable]
    last_places = {name: place for place, name in enumerate(LAST, 1)}
    # Actions of `LAST` come last, in its order. Of the others, those of many places come later: the footer
    # leaves out the last keys if it lacks room.
    other_actions.sort(key=lambda action: (last_places.get(action.call.name, 0), len(action.places)))
    listed += (ShownKey(find_key(action, keys), action.title, action) for action in other_actions)
    return [key for key in listed if key.key]


def _fit_keys(keys: Sequence[ShownKey], room: int) -> tuple[list[ShownKey], int]:
    """Return the keys that fit, in their order, and the cells left.

    Keys in `ALWAYS` are always kept. If others are left out, the key `MORE` takes the place of the first one,
    if it fits; then only keys in `ALWAYS` follow, and no cells are left.
    """
    cells_to_place = sum(key.cells for key in keys if key.action.call.name not in ALWAYS)
    room_left = room - sum(key.cells for key in keys if key.action.call.name in ALWAYS)
    fitting_keys: list[ShownKey] = []
    for key in keys:
        if key.action.call.name in ALWAYS:
            fitting_keys.append(key)
            continue
        cells_for_more = MORE.cells if cells_to_place > room_left else 0
        if key.cells + cells_for_more <= room_left:
            fitting_keys.append(key)
            room_left -= key.cells
        elif room_left >= MORE.cells:
            fitting_keys.append(MORE)
            # Without room, no later key fits, not even a short one.
            room_left = 0
        cells_to_place -= key.cells
    return fitting_keys, room_left
