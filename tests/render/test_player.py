"""Records as pages that play themselves back, in a real browser, as files and in the frame of a notebook."""

from __future__ import annotations

import pytest
from browser import chromium
from patience import PATIENCE

from ingenious_env import IllegalActionError, Record, Rules, Session
from ingenious_env.engine.definition import definition_of
from ingenious_env.games.loopit import Rules as LoopitRules
from scripts.examples import squares

VARIANTS = {
    "two": Rules(),
    "four": Rules(4),
    "six": Rules(6),
    "solitaire": Rules.solitaire(),
    "partnership": Rules.partnership(),
    "loopit": LoopitRules(3),
}


@pytest.fixture(scope="module", name="browser")
def _browser():
    with chromium() as browser:
        yield browser


def played(rules, seed=8):
    """A whole game of uniform players, so that racks are swapped, kept and thrown back."""
    session = Session(rules, seed, [definition_of(rules).policy("uniform")] * rules.num_players)
    for _ in session.run():
        pass
    return session


def opened(browser, path, text, **options):
    """A page from a file, and what goes wrong on it."""
    path.write_text(text)
    page, problems = browser.new_page(**options), []
    page.set_default_timeout(PATIENCE * 1000)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text))
    page.on("request", lambda request: request.url == path.as_uri() or problems.append(request.url))
    page.goto(path.as_uri())
    return page, problems


def counters_on(page, rules):
    """The numbers at the ends of the tracks, a list a sheet; the scores in Loopit."""
    if isinstance(rules, LoopitRules):
        return [int(text) for text in page.locator(".score").all_inner_texts()]
    sheets = page.locator("#sheets section:not(.unseen)")
    return [
        [int(text) for text in sheets.nth(number).locator(".count").all_text_contents()]
        for number in range(sheets.count())
    ]


@pytest.mark.parametrize("name", VARIANTS)
def test_each_position_is_shown(name, browser, tmp_path):
    """Tiles, counters, racks and the headline, after a few moves in a game and at its end."""
    rules = VARIANTS[name]
    session = played(rules)
    names = [f"seat {seat}" for seat in range(rules.num_players)]
    page, problems = opened(browser, tmp_path / "game.html", session.record.to_html(names))
    total = len(session.turns)
    page.wait_for_selector(f"#replay:has-text('move {total}')")
    for number in (0, 1, 2, total // 2, total - 1):
        page.fill("#slider", str(number))
        page.wait_for_selector(f"#replay:has-text('move {number}')")
        game = session.at(number)
        tiles = sum(not isinstance(turn.move, str) for turn in session.turns[:number])
        if isinstance(rules, LoopitRules):
            assert page.locator(".cell:not(.blank)").count() == tiles + 1
            assert counters_on(page, rules) == game.scores
        else:
            assert page.locator("#board use[href^='#half']").count() == 2 * tiles
            assert counters_on(page, rules) == game.scores.tolist()
        assert page.inner_text("#say") == definition_of(rules).pages.headline(game, None, names)
        racks = page.locator(".other")
        found = [racks.nth(seat).locator(".backs .tile").count() for seat in range(rules.num_players)]
        assert found == [len(rack) for rack in game.racks]
    page.keyboard.press("End")
    page.wait_for_selector(f"#replay:has-text('move {total}')")
    if rules.num_sheets > 1 and not isinstance(rules, LoopitRules):
        ranks = page.locator(".results tr td:first-child").all_inner_texts()[1:]
        assert [int(rank) for rank in ranks] == sorted(session.game.ranks.tolist())
    assert page.inner_text("#say") == definition_of(rules).pages.headline(session.game, None, names)
    assert problems == []
    page.close()


def test_keys_buttons_slider_and_watching(browser, tmp_path):
    session = played(Rules())
    total = len(session.turns)
    page, problems = opened(browser, tmp_path / "game.html", session.record.to_html())
    page.wait_for_selector(f"#replay:has-text('move {total}')")
    page.keyboard.press("Home")
    for number in range(total):
        page.wait_for_selector(f"#replay:has-text('move {number}')")
        page.keyboard.press("ArrowRight")
    page.wait_for_selector(f"#replay:has-text('move {total}')")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(f"#replay:has-text('move {total - 1}')")
    for selector, number in (("#first", 0), ("#next", 1), ("#next", 2), ("#previous", 1), ("#last", total)):
        page.click(selector)
        page.wait_for_selector(f"#replay:has-text('move {number}')")
    page.fill("#slider", str(total - 3))
    page.wait_for_selector(f"#replay:has-text('move {total - 3}')")
    for speed in ("×1", "×2", "×4"):
        page.click("#watch")
        page.wait_for_selector(f"#watch:has-text('{speed}')")
    page.wait_for_selector(f"#replay:has-text('move {total}')")
    page.wait_for_selector("#watch:has-text('Watch')")
    page.click("#watch")
    page.wait_for_selector("#replay:has-text('move 0')")
    page.wait_for_selector("#replay:has-text('move 1')")
    assert problems == []
    page.close()


def test_a_notebook_shows_it_in_a_frame_without_rights(browser, tmp_path):
    session = played(LoopitRules(2))
    text = f"<!doctype html><title>Notebook</title><body>{session.record._repr_html_()}"
    page, problems = opened(browser, tmp_path / "notebook.html", text)
    frame = page.frame_locator("iframe[sandbox='allow-scripts']")
    frame.locator("#first").click()
    frame.locator("#replay:has-text('move 0')").wait_for()
    assert frame.locator(".cell:not(.blank)").count() == 1
    assert [each for each in problems if not each.startswith("about:srcdoc")] == []
    page.close()


@pytest.mark.parametrize("width", [360, 500, 700, 940, 1400])
def test_nothing_is_wider_than_the_page(width, browser, tmp_path):
    for rules in (Rules(), Rules(6)):
        text = played(rules).record.to_html()
        page, _ = opened(browser, tmp_path / "game.html", text, viewport={"width": width, "height": 640})
        page.wait_for_selector("#board svg")
        page.click("#previous")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.close()


@pytest.mark.parametrize("name", VARIANTS)
def test_a_page_is_small_and_asks_for_nothing(name):
    text = played(VARIANTS[name]).record._repr_html_()
    assert len(text) < 80_000
    assert text.count("http") == text.count("http-equiv") + text.count("http://www.w3.org/2000/svg")


def test_names_are_text(browser, tmp_path):
    names = ["</script><img src=x onerror=alert(1)>", "&amp;"]
    page, problems = opened(browser, tmp_path / "game.html", played(Rules()).record.to_html(names))
    page.wait_for_selector("#board svg")
    assert [page.locator(".other b").nth(seat).inner_text() for seat in (0, 1)] == names
    assert page.locator("img").count() == 0
    assert problems == []
    page.close()


def test_the_same_record_is_the_same_page():
    record = played(Rules()).record
    assert record.to_html() == Record.from_text(record.to_text()).to_html()


def test_what_is_refused():
    record = played(Rules()).record
    with pytest.raises(ValueError, match="names"):
        record.to_html(["one"])
    with pytest.raises(IllegalActionError, match="move 2 of the record"):
        Record(record.rules, record.seed, record.moves[:1] * 2).to_html()


def test_a_game_without_pages_has_none(monkeypatch):
    monkeypatch.setattr(squares.DEFINITION, "pages", None)
    record = Record(squares.Rules(), (1, 0), ())
    assert record._repr_html_() is None
    with pytest.raises(ValueError, match="has no pages"):
        record.to_html()
