"""The courses that damage forces on ships, read from the marks that hold them."""

from attrs import frozen

from qf_tui.core.values import Ship

COURSES = ("90 left", "45 left", "45 right", "90 right")
"""Directions that damage forces, as marks and orders write them."""


@frozen
class Course:
    """A course that damage forces: how many degrees, 0 where it is without a figure, and which way."""

    degrees: int
    way: str

    @classmethod
    def of(cls, text: str) -> "Course":
        """A course as a mark writes it: `45 left`, `full turn left`."""
        figure, _, way = text.partition(" ")
        return cls(int(figure), way) if figure.isdecimal() else cls(0, text)

    @property
    def sign(self) -> str:
        """In short: `D45L`, or without a figure by its last word, `DL`."""
        return f"D{self.degrees or ''}{self.way.rpartition(' ')[2][:1].upper()}"

    def __str__(self) -> str:
        return f"{self.degrees}° {self.way}" if self.degrees else self.way


def steering(ship: Ship) -> Course | None:
    """The course that the newest direction hit forces on a ship; None if none does."""
    live = ship.live("course")
    return Course.of(live[-1].text) if live else None


def steered_words(ship: Ship, course: Course) -> str:
    """The words that say that a ship is steered by her damage."""
    return f"{ship.name} is steered {course} by its damage"
