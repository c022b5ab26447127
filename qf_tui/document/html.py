"""What is told of a thousand battles as lines, folded where they are too wide, and as a page of HTML."""

from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from html import unescape
from importlib.resources import files

from attrs import frozen
from jinja2 import Environment, FunctionLoader, StrictUndefined

import qf_tui
from qf_tui.analysis.values import Analysis
from qf_tui.document.curve import ACROSS, Strip, plot_of, signed, strip_of
from qf_tui.document.simulation import SimulationText, Subject, pair_words
from qf_tui.document.values import Report
from qf_tui.simulation.jobs import Interval
from qf_tui.simulation.simulate import SimulationResult


def render(template: str, **values: object) -> str:
    """The text of a template, by `PACKAGE/NAME`, with these values, escaped."""
    return environment().get_template(template).render(values)


def policy_of(template: str) -> str:
    """The content security policy that every page of a template states."""
    made = environment().get_template(template)
    context = made.new_context()
    # With its first words a template has met its frame, whose blocks stand behind its own.
    next(iter(made.root_render_func(context)))
    return unescape("".join(context.blocks["policy"][0](context)))


@cache
def environment() -> Environment:
    """The environment, made when it is first asked for."""
    made = Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters["fingerprint"] = fingerprint
    return made


def _source(name: str) -> str | None:
    package, _, file = name.partition("/")
    found = files("qf_tui") / package / "templates" / file
    return found.read_text(encoding="utf-8") if found.is_file() else None


def fingerprint(text: str) -> str:
    """What a content security policy knows a style of the page by, so that it lets in no other."""
    return f"'sha256-{b64encode(sha256(str(text).encode()).digest()).decode()}'"


__all__ = ["policy_of", "render"]


def html_text(report: Report, analysis: Analysis) -> str:
    """The page."""
    return render(
        "document/report.html",
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


@frozen
class ChanceBar:
    """How often the first side wins by one pair of doctrines, as the page draws it."""

    label: str
    wins: Interval


def page_of(subject: Subject, found: SimulationResult, told: SimulationText) -> str:
    """The page."""
    first = subject.battle.sides[0]
    bars = [
        ChanceBar(pair_words(subject, pair), tally.wins(first.id)) for pair, tally in found.tallies.items()
    ]
    return render(
        "document/simulation.html", told=told, side=first.name, bars=bars, version=qf_tui.__version__
    )
