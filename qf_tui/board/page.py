"""The page: the same for every viewer but for its title, and filled by its own script with views alone.

It asks only for what lies beside it, at addresses below its own: `events`, a stream of server-sent events;
`ship/ID`, a `ShipView`; and `report` (HEAD), to which it links where that answers 200.

A message of the stream without a name is a `View`. One named `beat` says that the battle is still followed:
where neither comes for three times `BEAT_S`, the page says that it has lost the battle and since when. One
named `lost` says so at once.
"""

from qf_tui.pages import render

BEAT_S = 5
"""Seconds from one `beat` to the next."""


def page(viewer_title: str) -> str:
    """The page of a viewer; its title is the battle's and the viewer's: `Yellow Sea · Japan`."""
    return render("board/page.html", title=viewer_title, beat=BEAT_S)


def policy(html: str) -> str:
    """The content security policy of a page, for its header: its own style and script, its own server."""
    start = html.index('content="', html.index("Content-Security-Policy")) + len('content="')
    stated = html[start : html.index('"', start)].replace("&#39;", "'")
    return f"{stated}; frame-ancestors 'none'"
