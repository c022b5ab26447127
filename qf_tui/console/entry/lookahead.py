"""What an order would meet, in one line: what is missing, what stands against it, or its exact odds."""

from attrs import frozen

from qf_tui.console.entry.completing import Typed, read
from qf_tui.console.entry.dice_input import Dicing, are_dice, as_typed, dicing, doubtful, faces_meant, said
from qf_tui.console.entry.form_state import Filling
from qf_tui.console.entry.meaning import Reader
from qf_tui.console.reading.matching import begun
from qf_tui.console.reading.source import Tone
from qf_tui.core.builtin_forms import all_forms
from qf_tui.core.corrections import CORRECTION_FORMS, CORRECTIONS
from qf_tui.core.errors import Finding
from qf_tui.session import OrderPreview, Session

REFUSED, FINE = "✗", "✓"


@frozen
class Foresight:
    """A line about an order: its tone ("", "refused", "wants" or "odds"); `forceable`: only rules stand against it."""

    text: str = ""
    tone: Tone = ""
    forceable: bool = False
    more: tuple[str, ...] = ()


def line_of(session: Session, text: str, key: str = "") -> str:
    """The order that a bar's text means: bare dice answer an owed roll, other bare words an owed question.

    `key` is the owed question that the bar was opened for.
    """
    words = text.replace(",", " ").split()
    if not words:
        return ""
    asked = session.battle.question(key) if key else None
    if are_dice(text) and (asked is None or asked.dice):
        found = faces_meant(session, _roll(key), text)
        return said(_roll(key), found[0] if len(found) == 1 else as_typed(text))
    known = {*all_forms(session.system), *CORRECTIONS, "force", "preview"}
    if asked is None or asked.dice:
        asked = next((owed for owed in session.battle.owed if not owed.dice), None)
    if asked is not None and (words[0].lower() not in known or words[0].lower() in asked.words):
        return " ".join(["answer", asked.key, *words])
    return read(session.system, session.battle, text).line


def dice_in_doubt(session: Session, text: str, key: str = "") -> str:
    """What is to be said of bare dice that may be read in several ways, or nothing."""
    asked = session.battle.question(key) if key else None
    if not are_dice(text) or (asked is not None and not asked.dice):
        return ""
    found = faces_meant(session, _roll(key), text)
    return doubtful(found) if len(found) > 1 else ""


def _roll(key: str) -> str:
    return f"roll {key}".rstrip()


def typed_of(session: Session, text: str, key: str = "") -> Typed:
    """A half-typed order, or the half-typed word of the question that the bar was opened for."""
    typed = read(session.system, session.battle, text)
    asked = session.battle.question(key) if key else None
    if asked is None or asked.dice or not asked.words or len(text.split()) > 1 or text.endswith(" "):
        return typed
    letters = text.strip()
    return Typed(typed.line, asked.prompt, letters, begun(letters.casefold(), asked.words))


def foresee(session: Session, text: str, key: str = "") -> tuple[Typed, Foresight]:
    """Reads a bar's text, and says what its order would meet."""
    typed = typed_of(session, text, key)
    doubt = dice_in_doubt(session, text, key)
    if doubt:
        return typed, Foresight(doubt, "wants")
    line = line_of(session, text, key)
    first = line.split(" ")[0].lower() if line else ""
    if not line:
        asked = session.battle.question(key) if key else None
        return typed, shown(
            session.preview_order(_roll(key)), session
        ) if asked and asked.dice else Foresight()
    if first in (*CORRECTIONS, "preview"):
        return typed, _of_correction(line)
    seen = session.preview_order(line)
    wants_more = (
        typed.open and not seen.fine and line == typed.line and any(not f.refused for f in seen.findings)
    )
    if wants_more and (typed.choices or not typed.partial):
        return typed, Foresight("", "wants")
    return typed, shown(seen, session)


def foresee_filled(
    session: Session, reader: Reader, filling: Filling, here: str, width: int
) -> tuple[Dicing, Foresight]:
    """What the dice of a dialog are taken for, and what its order would meet; `here` is the field being filled in."""
    if reader.open(filling):
        offered = here and reader.choices(filling, here)
        fault = "" if offered else unsettled(reader, filling, here, width)
        idle = "" if fault else idle_text(session, filling)
        return Dicing(""), Foresight(fault or idle, "refused" if fault else "wants")
    found = dicing(session, reader, filling)
    if found.doubt:
        return found, Foresight(found.doubt, "wants")
    return found, shown(session.preview_order(found.line), session)


def idle_text(session: Session, filling: Filling) -> str:
    """Says of a ship that is not among those who may give an order now, while others are; or nothing."""
    word, ship = filling.form.word, session.battle.ships.get(filling.first)
    waiting = {one.ship for one in session.system.may_act(session.battle) if one.order == word}
    if ship is None or not waiting or ship.id in waiting:
        return ""
    return f"{ship.name} is not among those who may {word} now"


def unsettled(reader: Reader, filling: Filling, name: str, width: int) -> str:
    """What is to be said of a field whose letters mean no one thing, or nothing."""
    fault = reader.unsettled(filling, name, width)
    return f"{REFUSED} {fault}" if fault else ""


def shown(seen: OrderPreview, session: Session) -> Foresight:
    """A prospect in words; of an owed roll it says first whose it is."""
    more = (*seen.assumes, *seen.reminders)
    if not seen.fine:
        forceable = all(finding.refused for finding in seen.findings)
        return Foresight(f"{REFUSED} {against(seen.findings)}", "refused", forceable, more)
    told = " · ".join(str(chance) for chance in seen.chances or seen.outcomes)
    if seen.missing:
        whose = "the console throws" if session.throw else "dice"
        wanted = f"{whose}: {', '.join(str(die) for die in seen.missing)}"
        told = f"{told}   {wanted}" if told else wanted
    else:
        told = _met(seen) or told or f"{FINE} {seen.resolved}"
    return Foresight(f"{seen.prompt}: {told}" if seen.prompt else told, "odds", False, more)


def _met(seen: OrderPreview) -> str:
    """What the one face of an owed die does, or nothing."""
    face = seen.faces[0] if len(seen.faces) == 1 else None
    found = (one.text for one in seen.outcomes if face in one.faces)
    return next((f"{FINE} {face} {text}" for text in found), "")


def against(findings: tuple[Finding, ...]) -> str:
    """Findings in words, each with its clause."""
    return "; ".join(
        f"{finding.text} [{finding.clause}]" if finding.clause else finding.text for finding in findings
    )


def _of_correction(line: str) -> Foresight:
    word = line.split()[0].lower()
    form = next((form for form in CORRECTION_FORMS if form.word == word), None)
    return Foresight(f"{form.usage}: {form.help}" if form else line, "odds")
