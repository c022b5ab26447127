"""The template environment for HTML pages, with a content policy for their scripts and styles."""

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
    return make_environment().get_template(template).render(values)


def find_policy(template: str) -> str:
    """Return the content security policy of every page that a template renders."""
    compiled_template = make_environment().get_template(template)
    context = compiled_template.new_context()
    # Only rendering loads the parent template, and with it the blocks that this template leaves to it.
    next(iter(compiled_template.root_render_func(context)))
    # Rendering escapes the quotes of a fingerprint.
    return unescape("".join(context.blocks["policy"][0](context)))


@cache
def make_environment() -> Environment:
    """Make the template environment, once."""
    environment = Environment(
        loader=FunctionLoader(_load_source),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters.update(fingerprint=compute_fingerprint)
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    return environment


def _load_source(name: str) -> str | None:
    """Return the source of a template, `PACKAGE/NAME` or `features/FEATURE/NAME`; None if it has no file."""
    folder, _, file = name.rpartition("/")
    path = files("qf_tui") / folder / ("" if folder.startswith("features/") else "templates") / file
    return path.read_text(encoding="utf-8") if path.is_file() else None


def compute_fingerprint(text: str) -> str:
    """Return the hash of a style, by which a content security policy allows this style and no other."""
    return f"'sha256-{b64encode(sha256(str(text).encode()).digest()).decode()}'"
