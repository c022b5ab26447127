"""The report as one page of HTML: no script, no request."""

from collections.abc import Iterator

import qf_tui
from qf_tui.analysis.values import Analysis
from qf_tui.pages import render
from qf_tui.report.plot import ACROSS, plot_of, signed
from qf_tui.report.strip import Strip, strip_of
from qf_tui.report.values import Report


def html_text(report: Report, analysis: Analysis) -> str:
    """The page."""
    return render(
        "report/page.html",
        report=report,
        plot=plot_of(report.curve) if report.curve else None,
        strips=tuple(_strips(report, analysis)),
        across=ACROSS,
        signed=signed,
        version=qf_tui.__version__,
    )


def _strips(report: Report, analysis: Analysis) -> Iterator[Strip]:
    """A drawing of what each side threw, where there are two of them."""
    if report.curve is None:
        return
    for side, count in zip(report.curve.sides, analysis.damage, strict=False):
        if count.throws:
            yield strip_of(count, side, first=count.side == analysis.sides[0])
