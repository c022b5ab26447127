"""Pages of HTML: one jinja2 environment with escaping on, and the style that all of them share.

A template belongs to the package that fills it: `report/page.html` lies in `qf_tui/report/templates`.
Those here are for all: `pages/base.html` is the frame (its blocks: `title`, `policy`, `style`, `body`),
`pages/base.css` the type, the colours and the tables, and what holds on paper.

Only templates of ours are markup. What comes from a battle is text, and is escaped wherever it stands;
`safe` is used for none of it. A page asks nothing of any network, and runs no script but its own: that of the
board, which writes text alone.

`environment`  the environment: where templates are found, `render`, and `policy_of`
"""

from qf_tui.pages.environment import policy_of, render

__all__ = ["policy_of", "render"]
