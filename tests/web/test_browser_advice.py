"""Hints, judgements and settings in a real browser."""

import json
import re

import pytest

pytest.importorskip("starlette")

from browser_play import (
    SEED,
    by_mouse,
    by_typing,
    expected,
    press_choice,
    sit_down,
    type_moves,
    until_changed,
)

from ingenious_env import Rules, Session
from ingenious_env.engine.definition import definition_of
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.policies.judging import judge


@pytest.mark.parametrize("rules", [Rules(), LoopitRules(2)], ids=["ingenious", "loopit"])
def test_hints_on_the_board_and_in_a_list(client, browser, rules):
    """A hint that is clicked lifts its tile and shows it where it goes; then it is placed."""
    tab, path, key = sit_down(client, browser, rules)
    tab.wait_for_turn()
    seen = client.get(f"{path}?keys={key}")
    tab.page.keyboard.press("h")
    tab.page.wait_for_selector("#hint0")
    assert tab.page.locator(".candidate").count() > 0
    if rules == Rules():
        cells = {cell for pair in seen["scene"]["open"] for cell in rules.geometry.pairs[pair].tolist()}
        assert tab.page.locator(".dot").count() == len(cells)
    wanted = client.post(f"{path}/advice", {"keys": key, "version": 0, "agent": "value"})["list"][0]["move"]
    tab.page.click("#hint0")
    tab.page.wait_for_selector(".ghost")
    before = tab.page.inner_text("#replay")
    tab.page.click("#place")
    until_changed(tab, before, None)
    tab.wait_for_turn()
    first = client.get(f"{path}?keys={key}&at=1")
    assert first["last"]["move"].split() in (wanted.split(), wanted.split()[::-1])
    tab.page.wait_for_selector("#hint0")
    tab.page.keyboard.press("h")
    tab.page.wait_for_selector("#hint0", state="detached")
    assert tab.page.locator(".candidate").count() == 0
    tab.page.wait_for_selector(".who:has-text('with hints')")
    tab.close()


def test_hints_are_those_of_the_table_that_is_shown(client, browser):
    """A page goes from a table of Loopit to one of Ingenious, both without moves."""
    body = {
        "game": "ingenious",
        "rules": definition_of(Rules()).rules_to_text(Rules()),
        "seats": ["human"] * 2,
    }
    made = client.post("/api/tables", body)
    tab, _, _ = sit_down(client, browser, LoopitRules(2))
    tab.page.keyboard.press("h")
    tab.page.wait_for_selector("#hint0")
    keys = json.dumps({made["id"]: made["keys"]["0"]})
    tab.page.evaluate(f"localStorage.setItem('ingenious-tables', '{keys}'); location.hash = '{made['id']}'")
    tab.page.wait_for_selector("h1:has-text('Ingenious')")
    tab.page.wait_for_selector("#hint0")
    tab.page.keyboard.press("1")
    tab.page.wait_for_selector(".picked")
    tab.close()


def test_the_curve_and_its_marks(client, browser):
    """With hints during the game, of all moves at its end; marks and `N` lead to weak moves."""
    rules = Rules()
    _, moves = expected(rules, person="greedy")
    tab, path, key = sit_down(client, browser, rules)
    assert tab.page.locator(".chances").count() == 0
    tab.page.keyboard.press("h")
    for number, move in enumerate(moves):
        tab.wait_for_turn()
        before = tab.page.inner_text("#replay")
        if isinstance(move, str):
            press_choice(tab, "mouse", move)
        else:
            by_typing(tab, client, path, key, rules, move)
        if number < len(moves) - 1:
            until_changed(tab, before, move)
        if number == 3:
            tab.wait_for_turn()
            found = client.post(f"{path}/analysis", {"keys": key})
            tab.page.wait_for_selector(".chances")
            tab.settle()  # the curve may still be that of the move before
            assert tab.page.locator("g.judged").count() == sum(bool(turn["mark"]) for turn in found["turns"])
            best = tab.page.inner_text("#hint0 .worth")
            tab.page.wait_for_selector(f"#curve footer b:has-text('{best}')")
    tab.page.wait_for_selector("#judged")
    tab.settle()
    found = client.post(f"{path}/analysis", {"keys": key})
    marked = [turn for turn in found["turns"] if turn["mark"]]
    assert marked
    own = [turn for turn in marked if turn["seat"] == 0]
    assert tab.page.locator("g.judged").count() == len(own)
    cells = tab.page.locator("#judged tr").nth(1).locator("td").all_text_contents()
    counts = [sum(turn["mark"] == mark for turn in own) for mark in ("?!", "?", "??")]
    assert cells[-3:] == [str(count) for count in counts]
    level, low, high = found["levels"][0]
    assert cells[1] == (f"{level} ({low}–{high})" if low < high else str(level))
    tab.page.keyboard.press("Home")
    for turn in marked:
        tab.page.keyboard.press("n")
        tab.page.wait_for_selector(f"#replay:has-text('move {turn['at'] + 1}')")
        assert turn["best"] in tab.page.inner_text("#remark")
    tab.page.keyboard.press("n")
    tab.page.wait_for_selector(f"#replay:has-text('move {marked[0]['at'] + 1}')")
    share = 1 if found["results"][0] == 1 else 0
    tab.page.keyboard.press("End")
    tab.page.wait_for_selector(f"#curve footer b:has-text('{100 * share} %')")
    tab.close(409)  # advice on a position that the next move overtakes


def test_settings(client, browser):
    """A click that only puts down, a question before a bad mistake, keys switched off; all are kept."""
    rules = Rules()
    _, moves = expected(rules)
    tab, path, key = sit_down(client, browser, rules)
    type_moves(tab, client, path, key, rules, moves[:5])
    tab.wait_for_turn()
    tab.page.click("#help")
    for name in ("confirm", "warn", "sound", "letters"):
        tab.page.click(f"#set-{name}")
    tab.page.click("#close")
    tab.page.reload()
    tab.wait_for_turn()
    tab.page.keyboard.press("h")
    assert tab.page.locator("#hint0").count() == 0
    by_mouse(tab, client, path, key, rules, moves[5])
    tab.page.wait_for_selector("#place:not([disabled])")
    assert client.get(f"{path}?keys={key}")["total"] == 10
    mistake = mistake_in(client, path, key, rules)
    tab.page.keyboard.press("Escape")
    by_typing(tab, client, path, key, rules, mistake)
    tab.page.wait_for_selector("dialog:has-text('This move loses')")
    tab.page.click("#show-best")
    tab.page.wait_for_selector("#say:has-text('is better.')")
    by_typing(tab, client, path, key, rules, mistake)
    before = tab.page.inner_text("#replay")
    tab.page.click("#anyway")
    until_changed(tab, before, mistake)
    played = client.get(f"{path}?keys={key}&at=11")["last"]["move"]
    assert sorted(played.split()) == sorted(definition_of(rules).move_to_text(mistake).split())
    tab.close()


def test_a_setting_changes_no_other_one(client, browser):
    """Not those that another tab has changed meanwhile."""
    tab, _, _ = sit_down(client, browser, Rules())
    second = tab.context.new_page()
    second.goto(tab.page.url)
    second.wait_for_selector("#board svg")
    second.click("#theme")
    second.wait_for_selector("html[data-theme=dark]")
    tab.page.click("#help")
    tab.page.click("#set-sound")
    second.reload()
    second.wait_for_selector("#board svg")
    assert second.get_attribute("html", "data-theme") == "dark"
    second.click("#help")
    assert second.is_checked("#set-sound")
    tab.close()


def mistake_in(client, path, key, rules):
    """A legal move that is marked ??, by the game's own state here."""
    state = client.get(f"{path}?keys={key}")
    session = Session(rules, SEED, [None, definition_of(rules).policy("greedy")])
    for number in range(state["total"]):
        if session.is_waiting:
            text = client.get(f"{path}?keys={key}&at={number + 1}")["last"]["move"]
            session.play(session.game.action(definition_of(rules).text_to_move(text)))
        else:
            session.advance()
    game = session.game
    for action in game.legal_actions().tolist():
        if judge(definition_of(rules).policy("value"), game, action).mark == "??":
            return game.move(action)
    raise AssertionError


def test_a_hint_that_waits_for_compiling_says_so(client, browser):
    """And a notice of thinking follows."""
    tab, _, _ = sit_down(client, browser, Rules())
    tab.page.add_init_script(
        "window.EventSource = class extends EventSource {"
        " constructor(...all) { super(...all); window.news = this; } }"
    )
    tab.page.reload()
    tab.wait_for_turn()
    tab.page.route("**/advice", lambda _: None)  # an answer that does not come
    tab.page.keyboard.press("h")
    tab.page.wait_for_selector("#analysis:has-text('thinking…')")
    for now, said in (("true", "compiling for the first time…"), ("false", "thinking…")):
        tab.page.evaluate(
            "now => news.dispatchEvent(new MessageEvent('compiling', { data: `{\"now\": ${now}}` }))",
            now,
        )
        tab.page.wait_for_selector(f"#analysis:has-text('{said}')")
    tab.close()


WORTHS = """async (advice) => {
    const { worths, unitText } = await import("/web/static/worth.js");
    return advice.map((each) => [unitText(each), worths(each)]);
}"""


def advice_of_all_kinds():
    """Lists of hints: of each unit, close together, far apart, equal, in positions that are lost or won."""
    shapes = {
        "far": [0.9, 0.6, 0.55, 0.3, 0.2],
        "close": [0.52, 0.519, 0.5185, 0.518, 0.5175, 0.517],
        "lost": [0.0031, 0.0028, 0.0027, 0.002, 0.0013, 0.0009, 0.0008, 0.0002],
        "quite lost": [0.00009, 0.00008, 0.00003, 0.00001],
        "won": [0.9999, 0.9998, 0.9997, 0.9990],
        "equal": [0.25] * 6,
        "one": [0.4],
        "nothing": [0.0] * 4,
        "a search's first": [0.5, 0.61, 0.4],
    }
    for unit in ("win", "points", "spaces", "utility", "preference", "choice"):
        for calibrated in (False, True):
            for shape, values in shapes.items():
                scale = {"points": 40, "spaces": 18, "utility": 1e-3}.get(unit, 1)
                scaled_up = [scale * value for value in values]
                displayed = [round(value) if unit == "points" else value for value in scaled_up]
                yield (
                    shape,
                    {"unit": unit, "calibrated": calibrated, "list": [{"value": v} for v in displayed]},
                )


def test_numbers_of_hints_say_what_their_meters_say(client, browser):
    """Hints have the same number if their meters are the same, and differ if their values do."""
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{client.port}/")
    shapes, advice = zip(*advice_of_all_kinds(), strict=True)
    for shape, asked, (unit, displayed) in zip(
        shapes, advice, page.evaluate(WORTHS, list(advice)), strict=True
    ):
        values = [entry["value"] for entry in asked["list"]]
        texts, meters = [each["text"] for each in displayed], [each["meter"] for each in displayed]
        assert unit
        assert all(0 <= meter <= 100 for meter in meters)
        assert max(meters) == pytest.approx(100)
        if asked["unit"] == "choice":
            assert set(texts) == {""}
            continue
        assert not any("NaN" in text for text in texts)
        for first in range(len(values)):
            for second in range(first):
                same = meters[first] == pytest.approx(meters[second])
                if second or not (texts[0] == "best" or "equal" in texts):
                    assert same == (texts[first] == texts[second]), (shape, asked, texts, meters)
                if texts[first] == "equal":
                    assert meters[first] == pytest.approx(meters[0])
                if values[first] > values[second]:
                    assert meters[first] >= meters[second]
        unlike = len(set(values)) > 1 and not (asked["unit"] == "utility" and "lost" in shape)
        if unlike and shape not in ("quite lost",):
            assert len(set(texts)) > 1, (shape, asked, texts)
            assert "equal" not in texts[1:] or shape != "far"
    page.close()


@pytest.mark.parametrize(
    ("rules", "lost", "said"),
    [
        (Rules(), {"unit": "win", "loss": 0.3}, "30 %"),
        (LoopitRules(2), {"unit": "win", "loss": 0.3}, "30 %"),
        (Rules.solitaire(), {"unit": "spaces", "loss": 1.34}, "1.3 spaces"),
    ],
    ids=["ingenious", "loopit", "solitaire"],
)
def test_the_better_move_is_drawn(client, browser, rules, lost, said):
    """Before a bad mistake its tile is in hand at its place; and the title names the game."""
    tab, path, key = sit_down(client, browser, rules)
    tab.wait_for_turn()
    name = definition_of(rules).name.capitalize()
    assert tab.page.title() == f"{client.get(f'{path}?keys={key}')['headline']} · {name}"
    best = client.post(f"{path}/advice", {"keys": key, "version": 0, "agent": "value"})["list"][0]
    tab.page.evaluate(
        "found => import('/web/static/warning.js').then(({ openWarning }) => openWarning(found, () => {}))",
        {**lost, "move": best["move"], "best": best["move"]},
    )
    assert tab.page.inner_text("dialog h2") == f"This move loses {said}"
    tab.page.click("#show-best")
    tab.page.wait_for_selector("#say:has-text('is better.')")
    assert "," not in tab.page.inner_text("#say") or isinstance(rules, LoopitRules)
    assert tab.page.locator(f"#slot{best['slot']}.picked").count() == 1
    tab.page.wait_for_selector(".ghost")
    before = tab.page.inner_text("#replay")
    tab.page.click("#place")
    until_changed(tab, before, None)
    played = client.get(f"{path}?keys={key}&at=1")["last"]["move"]
    assert sorted(played.split()) == sorted(best["move"].split())
    tab.close()


BOXES = """async ({ game, look }) => {
    const { parsed } = await import("/render/static/dom.js");
    const { Game } = await import(`/games/${game}/page/game.js`);
    const drawing = new Game(look);
    document.getElementById("defs").replaceChildren(...parsed(look.defs));
    const made = [drawing.tile(game === "loopit" ? ["NESW", 8] : [1, 2], "x"), drawing.back()];
    if (game !== "loopit") made.push(drawing.symbol(1), drawing.symbol(4));
    const table = { scene: { scores: [[1, 2, 3, 4, 5, 6]], lowest: [[1]] } };
    if (game !== "loopit") made.push(...drawing.tracks(table, 0, [0, 0, 0, 0, 0, 0]).querySelectorAll("svg"));
    return made.map((svg) => {
        const box = svg.viewBox.baseVal;
        const outer = document.createElementNS("http://www.w3.org/2000/svg", "svg");
        document.body.append(outer);
        outer.append(...svg.childNodes);
        const drawn = outer.getBBox({ stroke: true });
        outer.remove();
        return [box, drawn].flatMap(({ x, y, width, height }) => [x, y, x + width, y + height]);
    });
}"""


@pytest.mark.parametrize("rules", [Rules(), LoopitRules(2)], ids=["ingenious", "loopit"])
def test_no_tile_is_cut_off(client, browser, rules):
    """For other sizes of cells too: all that is drawn in them grows with the size."""
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{client.port}/")
    game = definition_of(rules).name
    look = definition_of(rules).pages.look(rules)
    length = "square" if game == "loopit" else "cell"
    for scale in (0.5, 1, 3):
        lengths = {key: scale * look[key] for key in (length, "side", "body", "ring") if key in look}
        if game == "ingenious":
            lengths["side"] = look["side"]
        sized = {**look, **lengths, "defs": scaled(look["defs"], scale)}
        found = page.evaluate(BOXES, {"game": game, "look": sized})
        assert len(found) == (2 if game == "loopit" else 10)
        for left, top, right, bottom, x, y, end_x, end_y in found:
            assert left <= x
            assert top <= y
            assert end_x <= right
            assert end_y <= bottom
            assert end_x - x > 0.6 * (right - left)
    page.close()


def scaled(defs, scale):
    """The definitions of another size: what is in each element, scaled."""
    return re.sub(
        r'(<g id="[^"]*">)(.*?)(?=</g><g id=|</g>$)', rf'\1<g transform="scale({scale})">\2</g>', defs
    )
