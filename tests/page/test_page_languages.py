"""A page without a server in German."""

import json

import pytest
from sampled import nightly_but

pytest.importorskip("starlette")

from browser import Tab
from page_server import serving_files
from spoken import GAMES, Reader, only_english, read_game, speaking

from ingenious_env.engine.definition import definitions
from ingenious_env.languages import ENGLISH


@pytest.fixture(scope="module", name="english")
def _english(browser):
    return only_english(browser)


@pytest.fixture(scope="module", name="port")
def _port():
    pytest.importorskip("ziglang")
    from ingenious_agents.commands.page import searches

    from ingenious_env.web.site import page_files

    with speaking("de"):
        files = page_files([definitions()[name] for name in GAMES], searches=searches())
    with serving_files(files) as port:
        yield port


def test_the_command_writes_a_page_in_german(tmp_path, monkeypatch, capsys):
    pytest.importorskip("ziglang")
    from ingenious_agents.commands import page

    monkeypatch.setattr(page, "definitions", lambda: {"loopit": definitions()["loopit"]})
    with speaking(ENGLISH):
        page.main(["--out", str(tmp_path), "--language", "de"])
    assert '<html lang="de">' in (tmp_path / "index.html").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "data/games.json").read_text())[0]["presets"]["two"]["title"] == "zu zweit"
    with pytest.raises(SystemExit):
        page.main(["--out", str(tmp_path), "--language", "fr"])
    assert "the language must be one of de, en, not 'fr'" in capsys.readouterr().err


@pytest.mark.parametrize("game", nightly_but(["ingenious"], GAMES))
def test_a_german_page_says_nothing_in_english(browser, port, english, game):
    tab = Tab(browser, port)
    tab.open()
    reader = Reader(tab, english)
    read_game(reader, game)
    assert tab.page.get_attribute("html", "lang") == "de"
    assert reader.untranslated == {}
    tab.close()
