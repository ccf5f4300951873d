"""Mends the HTML of Sphinx and of the theme where a screen reader would stumble."""

from __future__ import annotations

import re
from typing import Any

PARAMETERS = re.compile(r"<dl>\s*((?:<dd>.*?</dd>\s*)+)</dl>", re.DOTALL)
"""Of a signature on several lines: a list of definitions without terms."""


def mend(_app: Any, _name: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """Give signatures divisions in place of lists, and the buttons of the sidebar names."""
    if "body" in context:
        context["body"] = PARAMETERS.sub(_as_divisions, context["body"])
    made = context.get("generate_toctree_html")
    if made is not None:
        context["generate_toctree_html"] = lambda *args, **options: _named(made(*args, **options))


def _as_divisions(match: re.Match[str]) -> str:
    """The parameters of a signature, a division each."""
    parts = match[1].replace("<dd>", "<div>").replace("</dd>", "</div>")
    return f'<div class="sig-parameters">{parts}</div>'


def _named(tree: Any) -> Any:
    """The tree of the sidebar, its buttons named by the page whose pages they show; "" for none."""
    for button in tree.select("summary") if tree else ():
        link = button.find_parent("li").find("a")
        button["aria-label"] = f"Pages of {link.get_text(strip=True)}"
    return tree
