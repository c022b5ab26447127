"""What stands against an order: its findings in words, and the clauses that they name in ours."""

from typing import Any

from textual.app import App
from textual.content import Content

from qf_tui.console.widgets.panel import Panel
from qf_tui.console.widgets.text import literal
from qf_tui.core.errors import Finding
from qf_tui.core.system import RuleSystem

REFUSED = "✗"
Findings = tuple[Finding, ...]


def against(findings: Findings) -> str:
    """Findings in words, each with its clause."""
    return "; ".join(
        f"{finding.text} [{finding.clause}]" if finding.clause else finding.text for finding in findings
    )


def only_rules(findings: Findings) -> bool:
    """Whether there are findings, and only rules among them, which the umpire may overrule."""
    return bool(findings) and all(finding.refused for finding in findings)


def explain_refusal(app: App[Any], system: RuleSystem, findings: Findings) -> bool:
    """Shows the clauses that findings name; whether they name any."""
    lines = refusal_lines(system, findings)
    if lines:
        app.push_screen(Panel("Why it is refused", lines))
    return bool(lines)


def refusal_lines(system: RuleSystem, findings: Findings) -> list[Content]:
    """Findings, then each clause that they name in our own words; none if they name none."""
    named = dict.fromkeys(finding.clause for finding in findings if finding.clause in system.clauses)
    lines = [literal(f"{REFUSED} {against(findings)}", "bold"), Content("")]
    lines += [literal(f"{clause}: {system.clauses[clause]}") for clause in named]
    return lines if named else []
