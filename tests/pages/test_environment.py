"""Templates: found by package, escaped, and framed without a script or a request."""

import re
from base64 import b64decode
from hashlib import sha256

import pytest
from jinja2 import UndefinedError

from qf_tui.document.html import environment, render


def _of(source: str, **values: object) -> str:
    return environment().from_string(source).render(values)


@pytest.mark.parametrize("text", ["<script>", '" onmouseover="x', "'><b>", "a & b"])
def test_what_a_template_is_given_is_escaped(text: str) -> None:
    """Catches an environment that escapes by the name of a template, or not in attributes."""
    assert not re.search("[<>\"']|&(?!#?\\w+;)", _of("{{ text }}", text=text))


def test_a_value_that_is_missing_is_a_fault() -> None:
    with pytest.raises(UndefinedError):
        _of("{{ nobody }}")


def test_the_frame_lets_in_its_own_style_and_nothing_else() -> None:
    page = render("document/base.html")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    style = re.search(r"<style>(.*)</style>", page, re.DOTALL)
    assert policy is not None
    assert style is not None
    said = policy[1].replace("&#39;", "'")
    digest = re.search(r"style-src 'sha256-([^']+)'", said)
    assert digest is not None
    assert b64decode(digest[1]) == sha256(style[1].encode()).digest()
    assert "default-src 'none'" in said
    assert not re.search(r"<script|https?:|url\(|@import|<link|<img", page)
