"""Where a draft's ships are from: a fleet on the shelf, the file of one, or a navy as it was in a year."""

from pathlib import Path

from attrs import frozen

from qf_tui.library.paths import find, is_path, is_there


@frozen
class ShelfFleet:
    """A fleet by its name on the shelf, or by a former one."""

    text: str

    @property
    def file(self) -> Path | None:
        """Where it is now; None if it has gone."""
        return find("fleets", self.text, Path())


@frozen
class FleetFile:
    """A fleet by the path of its file."""

    path: Path

    @property
    def text(self) -> str:
        """As it is shown."""
        return str(self.path)

    @property
    def file(self) -> Path | None:
        """The path; None if nothing is there now."""
        return self.path if is_there(self.path) else None


@frozen
class NavyYear:
    """The ships of a navy, by the name of its file, as they were in a year."""

    navy: str
    year: int

    @property
    def text(self) -> str:
        """As it is shown."""
        return f"{self.navy} {self.year}"


FleetSource = ShelfFleet | FleetFile
Source = FleetSource | NavyYear


def fleet_source(word: str, folder: Path) -> FleetSource:
    """The fleet that a scenario's word means; a path is taken from the folder of the scenario."""
    return FleetFile((folder / word).resolve()) if is_path(word) else ShelfFleet(word)
