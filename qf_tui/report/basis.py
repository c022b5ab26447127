"""What a report rests on and leaves out: cells of ours, throws without luck, struck throws, worth."""

from collections.abc import Iterator

from qf_tui.analysis.throws import MANY, OF_MANY, ROLLS_MOST, nearest
from qf_tui.analysis.values import Analysis, LeftOut
from qf_tui.core.declarations import Worth
from qf_tui.core.text import several
from qf_tui.core.timeline import State, Timeline
from qf_tui.report.names import Names, joined, listed
from qf_tui.report.values import Section, Sentence
from qf_tui.session.remarks import Remarked, notes, remarks_on_entries

_LEFT_OUT = {
    LeftOut.JUDGED_OTHERWISE: "judged otherwise by the rules as they are today than the save records it",
    LeftOut.TOO_MANY_DICE: "with more dice than can be looked at face by face",
    LeftOut.FORCED: "of an order that the rules could not prepare",
    LeftOut.READ_OUT: "with a cell that the umpire read out from the printed chart",
}


def basis(names: Names, analysis: Analysis, worth: Worth) -> Section:
    """What the report rests on, what was left out of it, and how worth and luck are meant."""
    said = (
        *_cells(analysis),
        *_left_out(analysis),
        *_cut_short(names.timeline),
        *_struck(names, analysis),
        *_entries(names.timeline),
        *_method(analysis, worth),
    )
    return Section("rests", "What it rests on", tuple(Sentence(text) for text in said))


def _cells(analysis: Analysis) -> Iterator[str]:
    cells = analysis.cells
    if cells.read:
        read = several(cells.read, "reading")
        ours = f"{cells.reconstructed:,}" if cells.reconstructed else "none"
        yield f"Rests on cells of ours (†): {ours} of {read} of the charts."


def _left_out(analysis: Analysis) -> Iterator[str]:
    for why, words in _LEFT_OUT.items():
        own = [throw.entry for throw in analysis.throws if throw.left_out is why]
        if own:
            yield f"Without luck, and in no sum: {several(len(own), 'throw')} {words} ({listed(own)})."


def _cut_short(timeline: Timeline) -> Iterator[str]:
    owing = (timeline.battle_at(place).owed for place in range(1, len(timeline.play_order) + 1))
    pairs = zip(timeline.play_order, owing, strict=True)
    found = [one for one, owed in pairs if len(owed) > ROLLS_MOST and len(nearest(owed)) < len(owed)]
    if found:
        yield (
            f"Priced in part: behind {several(len(found), 'entry', 'entries')} ({listed(found)}) a ship owes "
            f"more than {ROLLS_MOST} rolls; worth and luck have the first {ROLLS_MOST} (of more than {MANY} "
            f"the first {OF_MANY}), and the others as they are thrown."
        )


def _struck(names: Names, analysis: Analysis) -> Iterator[str]:
    found = [f"{names.side(side)} {count}" for side, count in analysis.struck_throws.items() if count]
    if found:
        yield (
            f"Throws struck after their dice were seen: {joined(found)}. If they were thrown again because "
            "they did not please, the luck told here is not all there was."
        )


def _entries(timeline: Timeline) -> Iterator[str]:
    for state, words in ((State.PARKED, "parked"), (State.SPARE, "spare")):
        found = timeline.in_state(state)
        if found:
            many = several(len(found), f"{words} entry", f"{words} entries")
            yield f"Not counted: {many} ({listed(found)})."
    if timeline.battle.doubts:
        yield f"Disputed: {listed(timeline.battle.doubts)}."


def _method(analysis: Analysis, worth: Worth) -> Iterator[str]:
    yield f"What a ship is worth: {'; '.join(worth.words()) or 'nothing'}."
    if analysis.throws:
        yield (
            "Luck is what a throw brought in worth beside the mean of all its faces, with what it made owed. "
            "What was due is that of as many throws at the same odds, not of other nights."
        )


def remarks(timeline: Timeline) -> Section:
    """What the umpire remarked, and what was disputed."""
    said = {number: text for number, text in notes(timeline, timeline.play_order) if text}
    for about, found in remarks_on_entries(timeline).items():
        for one in found:
            if one.kind is not Remarked.NOTED:
                said[one.number] = (
                    f"on {about}: {': '.join(part for part in (one.kind.value, one.text) if part)}"
                )
    return Section(
        "remarks", "Remarks", tuple(Sentence(text, number) for number, text in sorted(said.items()))
    )
