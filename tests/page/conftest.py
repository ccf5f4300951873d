"""A browser, and a page with the kernels of both games, for the tests of a module."""

from pathlib import Path

import pytest
from both_sides import Both, Page, Server, files_of_page
from browser import chromium as launched
from page_server import serving_files

FOLDER = Path(__file__).parent


@pytest.fixture(scope="module", name="chromium")
def _chromium():
    with launched() as browser:
        yield browser


@pytest.fixture(scope="session", name="files")
def _files():
    return files_of_page()


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


@pytest.fixture(scope="module", name="both")
def _both(browser, files, tmp_path_factory):
    pytest.importorskip("starlette")
    from ingenious_agents.commands.page import searches
    from web_server import playing

    from ingenious_env.web.pack import local_agents

    agents = local_agents(searches())
    with (
        pytest.MonkeyPatch.context() as patch,
        playing(folder := tmp_path_factory.mktemp("games"), agents.values()) as client,
        serving_files(files) as port,
    ):
        patch.setattr("ingenious_env.web.rooms.CHOICE_TIME", 0.03)
        tab = browser.new_page()
        tab.goto(f"http://127.0.0.1:{port}/web/static/icon.svg")
        yield Both(Server(client, folder, agents), Page(tab))
        tab.close()


@pytest.hookimpl(tryfirst=True)  # before those with the marker are deselected
def pytest_collection_modifyitems(items):
    """Of the tests that a page shares with the server, those of moves run each time, the others nightly."""
    for item in items:
        own, function = getattr(item, "module", None), getattr(item, "function", None)
        if item.path.parent != FOLDER or function is None or own is None:
            continue  # items of other folders are here, too
        if function.__module__ not in (own.__name__, "test_browser_moves"):
            item.add_marker(pytest.mark.nightly)
