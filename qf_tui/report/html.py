"""The report as one page of HTML: no script, no request."""

import qf_tui
from qf_tui.pages import render
from qf_tui.report.plot import ACROSS, plot_of, signed
from qf_tui.report.values import Report


def html_text(report: Report) -> str:
    """The page."""
    return render(
        "report/page.html",
        report=report,
        plot=plot_of(report.curve) if report.curve else None,
        across=ACROSS,
        signed=signed,
        version=qf_tui.__version__,
    )
