"""The page in German: all that it says, and that it fits."""

import pytest
from sampled import nightly_but

pytest.importorskip("starlette")

from browser import Tab
from browser_play import PHONE
from spoken import GAMES, Reader, only_english, read_game, speaking


@pytest.fixture(scope="module", name="english")
def _english(browser):
    return only_english(browser)


@pytest.mark.parametrize("game", nightly_but(["loopit"], GAMES))
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
        assert reader.untranslated == {}
        tab.close(409, 422)


WIDER = """() => [document.documentElement, ...document.querySelectorAll("dialog, dialog *, #app, #app *")]
  .filter((each) => each instanceof HTMLElement && each.clientWidth)
  .filter((each) => each.scrollWidth > each.clientWidth + 1)
  .map((each) => `${each.outerHTML.slice(0, 80)}: ${each.scrollWidth} > ${each.clientWidth}`)"""
LAPTOP = {"viewport": {"width": 1280, "height": 640}}


@pytest.mark.parametrize("device", [PHONE, LAPTOP], ids=["phone", "laptop"])
@pytest.mark.parametrize("game", GAMES)
def test_longer_words_fit(client, browser, game, device):
    """In the dialogs of a new game and of settings, and with a tile in hand."""
    with speaking("de"):
        tab = Tab(browser, client.port, **device)
        page = tab.page
        tab.open()
        page.wait_for_selector("#start")
        page.select_option("#game", game)
        page.click("#others-shown")
        assert page.evaluate(WIDER) == []
        page.click("#start")
        tab.wait_for_turn()
        page.click("#slot0")
        assert page.evaluate(WIDER) == []
        if device is LAPTOP:
            assert page.evaluate("document.documentElement.scrollHeight") <= 640
        page.click("#help")
        page.wait_for_selector("#set-warn")
        assert page.evaluate(WIDER) == []
        tab.close()
