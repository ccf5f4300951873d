"""The page in German: all that it says, and that it fits."""

import pytest

pytest.importorskip("starlette")

from browser import Tab
from page_server import serving_files
from spoken import GAMES, Reader, only_english, read_game, scripts, speaking


@pytest.fixture(scope="module", name="english")
def _english(browser):
    """Words that are English only."""
    with serving_files({**scripts(), "index.html": b""}) as port:
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{port}/")
        yield only_english(page)
        page.close()


@pytest.mark.parametrize("game", GAMES)
def test_a_german_page_says_nothing_in_english(client, browser, english, game):
    with speaking("de"):
        tab = Tab(browser, client.port)
        tab.open()
        reader = Reader(tab, english)
        read_game(reader, game)
        tab.page.click("#cancel")
        tab.page.click("#new")
        tab.page.select_option("#game", game)
        reader.open("#real", "#real-begun")
        reader.open("#real-begun", "#real-board")
        assert tab.page.get_attribute("html", "lang") == "de"
        assert reader.heard == {}
        tab.close(409, 422)
