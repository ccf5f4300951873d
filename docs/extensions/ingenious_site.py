"""The parts of the site that are made at build time, as directives of its pages.

A page holds, for example, `:::{figures} speed`, and the site the table of `docs/figures/speed.json`. A
directive returns Markdown, which is parsed in its place; where it cannot, the build reports an error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import accessible
import api
import commands
import environments
import figures
import links
import pictures
import play
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


def _directive(text_of: Callable[[Any, str], str]) -> type[SphinxDirective]:
    """A directive whose content is the Markdown of a function of the application and of the argument."""

    class Made(SphinxDirective):
        required_arguments = 0
        optional_arguments = 1
        final_argument_whitespace = True

        def run(self) -> list[nodes.Node]:
            argument = self.arguments[0] if self.arguments else ""
            try:
                text = text_of(self.env, argument)
            except (OSError, ValueError, KeyError) as error:
                raise self.error(f"{self.name} {argument}: {error}") from error
            return self.parse_text_to_nodes(text, allow_section_headings=True)

    return Made


DIRECTIVES = {
    "figures": figures.table,
    "figure-of": figures.value,
    "field": figures.field,
    "seats": figures.seats,
    "levels": figures.levels,
    "recipes": figures.recipes,
    "cards": figures.cards,
    "networks": figures.networks,
    "names": api.names,
    "docstring": api.docstring,
    "sizes": environments.sizes,
    "observations": environments.observations,
    "commands": commands.helps,
    "file": links.file,
    "board": pictures.board,
    "play": play.frame,
    "play-here": play.here,
}
"""By name, functions of the environment of the build and an argument that return Markdown."""


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directives, the links that leave `docs`, and the game."""
    app.setup_extension("sphinx.ext.autodoc")
    for name, text_of in DIRECTIVES.items():
        app.add_directive(name, _directive(text_of))
    app.connect("source-read", links.rewrite_source)
    app.connect("autodoc-process-docstring", api.as_restructured, priority=400)  # before napoleon
    app.connect("html-page-context", accessible.mend, priority=900)  # after the theme
    app.connect("build-finished", play.write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
