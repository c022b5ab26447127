"""The page: the same for every viewer but for its title, and filled by its own script with views alone.

It asks only for what lies beside it, at addresses below its own: `events`, a stream of server-sent events;
`ship/ID`, a `ShipView`; and `report`, to which it links where the view says that there is one.

A message of the stream without a name is a `View`. One named `beat` says that the battle is still followed:
where neither comes for three times `BEAT_S`, the page says that it has lost the battle and since when. One
named `lost` says so at once. The first, `name`, holds NAME: every 10 seconds the page asks for `here/NAME`,
by which the board knows that somebody looks.
"""

from qf_tui.pages import policy_of, render

PAGE, REPORT = "board/page.html", "report/page.html"
"""The templates of the pages that a board gives: its own, and that of the report."""
BEAT_S = 5
"""Seconds from one `beat` to the next."""


def page(viewer_title: str) -> str:
    """The page of a viewer; its title is the battle's and the viewer's: `Yellow Sea · Japan`."""
    return render(PAGE, title=viewer_title, beat=BEAT_S)


def policy(template: str) -> str:
    """The content security policy of a page, for its header: what its template states, and in no frame."""
    return f"{policy_of(template)}; frame-ancestors 'none'"
