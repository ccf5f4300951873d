"""A browser, and a page with the kernels of both games, for the tests of a module."""

from pathlib import Path

import pytest
from browser import chromium as launched
from page_server import serving_files

FOLDER = Path(__file__).parent


@pytest.fixture(scope="module", name="chromium")
def _chromium():
    with launched() as browser:
        yield browser


@pytest.fixture(scope="session", name="files")
def _files():
    """The files of the page of both games, by path."""
    pytest.importorskip("ziglang")
    from ingenious_agents.commands.page import searches

    from ingenious_env.engine.definition import definitions
    from ingenious_env.web.site import page_files

    return page_files([definitions()[name] for name in ("ingenious", "loopit")], searches=searches())


@pytest.fixture(scope="module", name="browser")
def _browser(chromium):
    return chromium


@pytest.fixture(scope="module", name="tab")
def _tab(browser, files):
    """A page that can import the modules of a page without a server."""
    with serving_files(files) as port:
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{port}/web/static/icon.svg")
        yield page
        page.close()


@pytest.hookimpl(tryfirst=True)  # before those with the marker are deselected
def pytest_collection_modifyitems(items):
    """Of the tests that a page shares with the server, those of moves run each time, the others nightly."""
    for item in items:
        own, function = getattr(item, "module", None), getattr(item, "function", None)
        if item.path.parent != FOLDER or function is None or own is None:
            continue  # items of other folders are here, too
        if function.__module__ not in (own.__name__, "test_browser_moves"):
            item.add_marker(pytest.mark.nightly)
