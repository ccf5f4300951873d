"""Settings of Sphinx: `sphinx-build -W --keep-going -b html docs FOLDER` builds the site, with all extras."""

import os
import sys
from pathlib import Path

from ingenious_env import __version__

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "extensions"), str(HERE.parent)]  # the latter for `scripts`

from links import address  # noqa: E402 - of the extensions

project = "Ingenious-env"
author = "The Ingenious-env developers"
copyright = f"2026, {author}"  # noqa: A001 - Sphinx's name
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
    "ingenious_site",
]

# Inventories of other projects are on the network, which a build does not need.
if os.environ.get("INGENIOUS_INTERSPHINX"):
    extensions.append("sphinx.ext.intersphinx")
intersphinx_mapping = {
    "python": ("https://docs.python.org/3", None),
    "numpy": ("https://numpy.org/doc/stable", None),
    "gymnasium": ("https://gymnasium.farama.org", None),
    "pettingzoo": ("https://pettingzoo.farama.org", None),
    "torch": ("https://docs.pytorch.org/docs/stable", None),
}

myst_enable_extensions = ["colon_fence", "attrs_block", "attrs_inline", "deflist"]
myst_heading_anchors = 3
default_role = "code"  # docstrings mark code as Markdown does

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
napoleon_numpy_docstring = False
napoleon_use_ivar = True
python_maximum_signature_line_length = 90
suppress_warnings = ["ref.python"]  # attributes of one name in several classes

html_theme = "pydata_sphinx_theme"
html_title = "Ingenious-env"
html_baseurl = f"{address('site')}/" if address("site") else ""
html_static_path = ["_static"]
html_favicon = "_static/logo.svg"
html_context = {"default_mode": "auto"}
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {"index": [], "play": [], "changes": []}
html_theme_options = {
    "logo": {"text": "Ingenious-env", "image_light": "_static/logo.svg", "image_dark": "_static/logo.svg"},
    "navbar_align": "left",
    "navbar_end": ["theme-switcher", *(["navbar-icon-links"] if address() else [])],
    "icon_links": [{"name": "Repository", "url": address(), "icon": "fa-solid fa-code-branch"}]
    if address()
    else [],
    "header_links_before_dropdown": 7,
    "show_prev_next": False,
    "collapse_navigation": True,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
}
copybutton_exclude = ".linenos, .gp, .go"
