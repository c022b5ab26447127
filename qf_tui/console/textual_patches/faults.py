"""An application that records its own faults, instead of showing Textual's long traceback."""

from textual.app import App


class FaultReportingApp(App[int]):
    """An application that records each fault that ends it, and prints no traceback."""

    def _handle_exception(self, error: Exception) -> None:
        """Report the fault, then let Textual end the application."""
        self.record_ending_fault(error)
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """End the application without Textual's traceback."""
        self.panic()

    def record_ending_fault(self, fault: Exception) -> None:
        """Record the fault that ends this run of the application."""
