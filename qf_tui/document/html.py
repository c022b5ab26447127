"""The one environment of the templates of pages."""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import unescape
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined


def render(template: str, **values: object) -> str:
    """Render a template with values, which are escaped.

    Args:
        template: `PACKAGE/NAME` for a file of its `templates`, or `features/FEATURE/NAME`.
    """
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
    made.filters.update(fingerprint=fingerprint)
    made.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    return made


def _source(name: str) -> str | None:
    folder, _, file = name.rpartition("/")
    path = files("qf_tui") / folder / ("" if folder.startswith("features/") else "templates") / file
    return path.read_text(encoding="utf-8") if path.is_file() else None


def fingerprint(text: str) -> str:
    """What a content security policy knows a style of the page by, so that it lets in no other."""
    return f"'sha256-{b64encode(sha256(str(text).encode()).digest()).decode()}'"
