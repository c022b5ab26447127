"""A second copy of the save in another folder, such as a memory stick, kept up to date entry by entry.

`copying`   the copy, kept by a background thread
"""

from qf_tui.hooks import Argument, Feature

TYPE_CHECKING = False  # typing is not loaded for this alone
if TYPE_CHECKING:
    from qf_tui.core.declarations import FieldSpec
    from qf_tui.hooks import Listener
    from qf_tui.library.settings import Settings
    from qf_tui.session.session import Session

COPY_TO = Argument("--copy-to", "FOLDER", "a second copy of the save, entry by entry")


def list_settings() -> "tuple[FieldSpec, ...]":
    """Return the setting that names the folder."""
    from qf_tui.core.declarations import FieldSpec

    text = "a folder, perhaps on another disk, for a second copy of the save, entry by entry; none: no copy"
    return (FieldSpec("copy_to", "path", text, default=""),)


def keep_copy(session: "Session", settings: "Settings", current: "Listener | None") -> "Listener | None":
    """Return the copy in the folder that the settings name; the current copy if its folder is the same.

    Returns:
        None if the settings name no folder, or the battle has no save that can be written.
    """
    from qf_tui.features.second_copy.copying import SecondCopy
    from qf_tui.journal.saving import Journal

    folder, journal = str(settings.find_value("copy_to")), session.journal
    if not folder or not session.writable or not isinstance(journal, Journal):
        return None
    if isinstance(current, SecondCopy) and current.folder == folder:
        return current
    return SecondCopy(journal, folder)


SECOND_COPY = Feature(
    "second copy",
    options=(("play", COPY_TO), ("talk", COPY_TO)),
    settings=list_settings,
    listen=keep_copy,
)
