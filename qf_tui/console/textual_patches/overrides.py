"""What is overridden in the classes that our own are made of; why, stands in the page of this folder."""

from typing import Any, cast

from rich.console import RenderableType
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.app import App
from textual.geometry import Size
from textual.reactive import Reactive
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input

from qf_tui.console.textual_patches.frame_diff import ChangedCells, SentPicture


class PatchedApp(App[int]):
    """An application whose pictures are sent as far as they differ, and whose faults are ours to tell."""

    def __init__(self) -> None:
        super().__init__()
        self.sent = SentPicture()

    def _handle_exception(self, error: Exception) -> None:
        self.stop_by_fault(error)
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        self.panic()

    def stop_by_fault(self, fault: Exception) -> None:
        """Keeps what is to be known of the fault that ends this run of the application."""

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        if isinstance(renderable, ChopsUpdate | LayoutUpdate):
            renderable = cast(RenderableType, ChangedCells(renderable, self.sent))
        super()._display(screen, renderable)


class QuietFocus:
    """A screen that is not drawn anew when the keyboard goes to another of its widgets."""

    focused: Reactive[Widget | None] = Reactive(None, repaint=False)


class StillInput(Input):
    """An input whose box is of a fixed width."""

    virtual_size = Reactive(Size(0, 0), layout=False)
