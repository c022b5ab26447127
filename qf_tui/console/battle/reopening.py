"""An undo that gives the order back: struck, and filled in again where it came from."""

from qf_tui.console.entry.amend_dialog import Past, Refilled, refilled
from qf_tui.console.entry.drafts import Writing
from qf_tui.console.entry.form_state import Filling
from qf_tui.core.acts import ANSWERS, Entry, LogAct
from qf_tui.session import Session
from qf_tui.session.wording import order_text, undo_text


def undoes(session: Session) -> LogAct | None:
    """The act that an undo would strike."""
    number = undo_text(session.timeline).partition(" ")[0]
    return session.timeline.act(int(number)) if number else None


def reopen(writing: Writing, act: LogAct | None) -> None:
    """Gives an order of play back that was struck just now: in its dialog, else half typed in the bar.

    Left as it was the dialog changes nothing more: the order is only kept for the bar.
    """
    if not isinstance(act, Entry):
        return
    session, bar = writing.session, writing.bar
    version = session.timeline.versions.get(act.number, act.version)
    if version.order == "next":
        return
    system, battle = session.system, session.battle
    word, _, rest = version.order.partition(" ")
    key, _, words = rest.partition(" ")
    if word in ANSWERS and battle.question(key) is not None:
        # What it answered is owed again: other dice are typed in the place of those.
        bar.put(words or " ".join(str(face) for face in version.dice), key=key)
        bar.select_from(0)
        return
    filling = refilled(system, battle, version) if act.after is None else None
    text = order_text(version) if act.after is None else f"insert {act.after} {order_text(version)}"
    if filling is None:
        bar.stash = text
        bar.look_ahead_unless_said()
        return

    def left(now: Filling | None) -> None:
        if now == filling:
            bar.stash = text
            bar.look_ahead()
        writing.put_by(filling, None if now == filling else now)

    title = f"{act.number} is struck: Enter enters it anew, Esc leaves it struck"
    dialog = Refilled(
        Past(system, battle, version.forced),
        filling,
        lambda line: writing.desk.enter(line, done=dialog.close).text,
        title,
    )
    writing.paper.app.push_screen(dialog, left)
