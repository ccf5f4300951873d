"""Moves in a real browser: previews, dragging, messages."""

import pytest

pytest.importorskip("starlette")

from browser import Tab
from browser_play import by_typing, expected, halves, middle, sit_down, slot_of, until_changed

from ingenious_env import Rules, Session
from ingenious_env.engine.definition import definition_of
from ingenious_env.games.ingenious.tiles import COLOUR_NAMES


def test_previews_are_what_is_scored(client, browser):
    """The chips and the button, before a click; against the counters after it."""
    rules = Rules()
    _, moves = expected(rules)
    tab, path, key = sit_down(client, browser, rules)
    for move in [move for move in moves if not isinstance(move, str)][:8]:
        tab.wait_for_turn()
        tile, near, far = halves(rules, move)
        tab.page.click(f"#slot{slot_of(tab, client, path, key, tile)}")
        (x, y), (far_x, far_y) = middle(tab, near), middle(tab, far)
        tab.page.mouse.move(x + 0.3 * (far_x - x), y + 0.3 * (far_y - y))
        tab.page.wait_for_selector(".ghost")
        before = client.get(f"{path}?keys={key}")["scene"]["scores"][0]
        snapshot = int(tab.page.inner_text("#place").removeprefix("Place +"))
        texts = tab.page.locator(".chip text").all_text_contents()
        chips = [int(text.split()[0]) for text in texts]
        made = tab.page.inner_text("#replay")
        tab.page.click("#place")
        until_changed(tab, made, move)
        after = client.get(f"{path}?keys={key}&at={2 * moves.index(move) + 1}")["scene"]["scores"][0]
        assert sum(after) - sum(before) == snapshot
        assert sum(chips) == snapshot
    tab.close()


def overflowing(rules):
    """A game and a move of which one half overflows its counter, which has some room left, and that room."""
    for seed in range(60):
        session = Session(rules, seed, [definition_of(rules).policy("concave")] * 2)
        while not session.is_over:
            game = session.game
            points = definition_of(rules).pages.scene(game, game.to_play)["points"]
            moves = [game.move(action) for action in game.legal_actions().tolist()]
            for move in [move for move in moves if not isinstance(move, str) and move[0][1] != move[1][1]]:
                for cell, colour in move:
                    room = 18 - int(game.scores[game.to_play][colour - 1])
                    if 0 < room < points[colour - 1][rules.geometry.index[cell]]:
                        return session, move, room
            session.advance()
    raise AssertionError


def test_what_does_not_count_and_a_counter_that_is_full(client, browser):
    """A half that scores more than its counter can move is shown; then a banner shows for a moment."""
    rules = Rules()
    session, move, room = overflowing(rules)
    made = client.post("/api/tables", {"text": session.record.to_text(), "seats": ["human", "human"]})
    path, keys = f"/api/tables/{made['id']}", ",".join(made["keys"].values())
    tab = Tab(browser, client.port)
    tab.sit_down(made["id"], keys)
    tab.page.click("#uncover")
    tile, near, far = halves(rules, move)
    tab.page.click(f"#slot{slot_of(tab, client, path, keys, tile)}")
    (x, y), (far_x, far_y) = middle(tab, near), middle(tab, far)
    tab.page.mouse.move(x + 0.3 * (far_x - x), y + 0.3 * (far_y - y))
    tab.page.wait_for_selector(".ghost")
    assert f"+{room} of" in " ".join(tab.page.locator(".chip text").all_text_contents())
    tab.page.click("#place")
    tab.page.wait_for_selector(".banner:has-text('Ingenious!')")
    before, after = session.game.scores, client.get(f"{path}?keys={keys}")["scene"]["scores"]
    full = [
        name
        for name, old, new in zip(COLOUR_NAMES, before[session.to_play], after[session.to_play], strict=True)
        if old < 18 == new
    ]
    verb = "is" if len(full) == 1 else "are"
    assert (
        tab.page.inner_text("#say") == f"Ingenious! Your {' and '.join(full)} {verb} full: play another tile."
    )
    tab.page.wait_for_selector(".banner", state="detached")
    tab.close()


def offered_a_swap(rules):
    """A game whose seat to move may swap its rack, with one lowest colour."""
    for seed in range(60):
        session = Session(rules, seed, [definition_of(rules).policy("greedy")] * 2)
        while not session.is_over:
            scores = session.game.scores[session.to_play].tolist()
            if session.game.phase == "swap" and scores.count(min(scores)) == 1:
                return session, COLOUR_NAMES[scores.index(min(scores))]
            session.advance()
    raise AssertionError


def test_a_swap_is_explained_and_shows_its_tiles(client, browser):
    session, lowest = offered_a_swap(Rules())
    seats = ["human", "human"]
    made = client.post("/api/tables", {"text": session.record.to_text(), "seats": seats})
    tab = Tab(browser, client.port)
    tab.sit_down(made["id"], ",".join(made["keys"].values()))
    tab.page.click("#uncover")
    assert tab.page.inner_text("#say").startswith(f"None of your tiles shows {lowest}, your lowest.")
    old = sorted(
        " ".join(COLOUR_NAMES[colour - 1] for colour in tile) for tile in session.game.racks[session.to_play]
    )
    assert tab.page.locator(".shown").count() == 0
    tab.page.click("#choose-swap")
    tab.page.click("#uncover")
    tiles = tab.page.locator(".shown .tile")
    assert sorted(tiles.nth(k).get_attribute("aria-label") for k in range(tiles.count())) == old
    tab.close()


def test_a_tile_is_dragged_from_the_rack(client, browser):
    """Released on the board it is laid, and elsewhere it is put back."""
    rules = Rules()
    record, moves = expected(rules)
    tab, path, key = sit_down(client, browser, rules)
    for move in moves[:2]:
        tab.wait_for_turn()
        before = tab.page.inner_text("#replay")
        tile, near, far = halves(rules, move)
        box = tab.page.locator(f"#slot{slot_of(tab, client, path, key, tile)}").bounding_box()
        (x, y), (far_x, far_y) = middle(tab, near), middle(tab, far)
        for goal in [(20, 20), (x + 0.3 * (far_x - x), y + 0.3 * (far_y - y))]:
            tab.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 20)
            tab.page.mouse.down()
            tab.page.mouse.move(*goal, steps=8)
            assert tab.page.locator(".picked").count() == 1
            tab.page.mouse.up()
            if goal == (20, 20):
                assert tab.page.locator(".picked").count() == 0
        until_changed(tab, before, move)
    tab.wait_for_turn()
    played = client.get(f"{path}?keys={key}")["scene"]["tiles"]
    whole = record.replay(len(played))
    assert [sorted(tile) for tile in played] == [
        sorted(rules.geometry.index[cell] for cell in tile) for tile in whole.trail.tiles
    ]
    tab.close()


@pytest.mark.parametrize(("by", "shaken"), [("key", 0), ("wheel", 0), ("wheel", 2)])
def test_a_click_lays_a_tile_as_it_was_turned(client, browser, by, shaken):
    """Although the pointer is where it was, or only some pixels from there."""
    rules = Rules()
    tile, near, far = halves(rules, expected(rules)[1][0])
    tab, path, key = sit_down(client, browser, rules)
    tab.wait_for_turn()
    tab.page.click(f"#slot{slot_of(tab, client, path, key, tile)}")
    (x, y), (far_x, far_y) = middle(tab, near), middle(tab, far)
    spot = x + 0.3 * (far_x - x), y + 0.3 * (far_y - y)
    tab.page.mouse.move(*spot)
    tab.page.wait_for_selector(".ghost")
    shown = "import('/web/static/store.js').then(({ app }) => app.game.moveText(app.table.scene))"
    aimed = tab.page.evaluate(shown)
    if by == "key":
        tab.page.keyboard.press("r")
    else:
        tab.page.mouse.wheel(0, 100)
    tab.page.wait_for_function(f"aimed => {shown}.then((now) => now !== aimed)", arg=aimed)
    turned, made = tab.page.evaluate(shown), tab.page.inner_text("#replay")
    if shaken:
        tab.page.mouse.move(spot[0] + shaken, spot[1])
    tab.page.mouse.down()
    tab.page.mouse.up()
    until_changed(tab, made, tile)
    played = client.get(f"{path}?keys={key}&at=1")["last"]["move"]
    assert set(played.split()) == set(turned.split()) != set(aimed.split())
    tab.close()


def test_what_is_left_in_the_bag_is_told_in_solitaire(client, browser):
    tab, path, key = sit_down(client, browser, Rules.solitaire())
    unseen = client.get(f"{path}?keys={key}")["scene"]["unseen"]
    assert sum(count for _, _, count in unseen) == 119
    texts = tab.page.locator(".unseen div > span").all_inner_texts()
    assert [int(text) for text in texts] == [count for _, _, count in unseen]
    tab.close()


def test_why_a_tile_cannot_lie_there(client, browser):
    tab, _, _ = sit_down(client, browser, Rules())
    tab.wait_for_turn()
    tab.page.keyboard.press("1")
    tab.page.mouse.click(*middle(tab, 45))
    tab.page.wait_for_selector("#say:has-text('must touch a start symbol')")
    tab.page.mouse.click(*middle(tab, 0))
    tab.page.wait_for_selector("#say:has-text('A start symbol is printed there')")
    tab.page.keyboard.press("Escape")
    assert tab.page.locator(".picked").count() == 0
    tab.page.fill("#move", "r9,9 b0,0")
    tab.page.press("#move", "Enter")
    tab.page.wait_for_selector("#say.problem")
    assert tab.page.get_by_role("status").filter(has_text=tab.page.inner_text("#say")).count() == 1
    tab.close(422)


def test_a_prompt_is_told_once_to_screen_readers(client, browser):
    """Not at each movement of the pointer with a tile."""
    rules = Rules()
    tab, path, key = sit_down(client, browser, rules)
    tab.wait_for_turn()
    tile, near, far = halves(rules, expected(rules)[1][0])
    tab.page.click(f"#slot{slot_of(tab, client, path, key, tile)}")
    assert tab.page.get_by_role("status").filter(has_text=tab.page.inner_text("#say")).count() == 1
    tab.page.evaluate("""() => {
      globalThis.told = 0;
      const observer = new MutationObserver((records) => (globalThis.told += records.length));
      observer.observe(document.getElementById("say"), { childList: true, subtree: true });
    }""")
    for cell in (near, far, near):
        tab.page.mouse.move(*middle(tab, cell))
        tab.page.wait_for_selector("#place:not([disabled])")
    assert tab.page.evaluate("told") == 0
    for number in (1, 2):  # another refusal is told, too, although in the same words
        tab.page.mouse.click(*middle(tab, 45))
        tab.page.wait_for_function(f"told === {number}")
    tab.close()


def test_what_a_screen_reader_is_told(client, browser):
    """The choice of a game, a turn, and the end, by their roles and names."""
    rules = Rules.solitaire()
    tab = Tab(browser, client.port)
    tab.open()
    tab.page.wait_for_selector("#start")
    snapshot = tab.page.locator("dialog").aria_snapshot()
    for part in (
        'heading "New game"',
        'combobox "Game"',
        'group "How strong?"',
        'button "level 3, casual" [pressed]',
        'button "Start"',
    ):
        assert part in snapshot
    tab.close()
    tab, path, key = sit_down(client, browser, rules)
    tab.wait_for_turn()
    snapshot = tab.page.locator("#app").aria_snapshot()
    low, high = client.get(f"{path}?keys={key}")["scene"]["rack"][0]
    names = ["red", "green", "blue", "orange", "yellow", "purple"]
    for part in (
        'img "Board with 0 tiles"',
        f'button "{names[low - 1]} {names[high - 1]}"',
        'slider "Move"',
        'textbox "Type a move"',
        'button "Hints"',
    ):
        assert part in snapshot
    _, moves = expected(rules)
    by_typing(tab, client, path, key, rules, moves[0])
    tab.page.wait_for_selector("#live:has-text('You play ')")
    assert " 1 point. " in tab.page.inner_text("#live")
    tab.close()
    body = {"game": "ingenious", "rules": definition_of(Rules()).rules_to_text(Rules()), "seed": 1}
    made = client.post("/api/tables", {**body, "seats": ["greedy", "concave"]})
    tab = Tab(browser, client.port)
    tab.open(f"#{made['id']}")
    tab.page.wait_for_selector("#judged")
    snapshot = tab.page.locator("#app").aria_snapshot()
    for part in (
        "table",
        'columnheader "red"',
        'rowheader "greedy"',
        'button "Next mistake"',
        'button "Share"',
    ):
        assert part in snapshot
    tab.close()


def test_a_tile_is_dragged_across_its_neighbours(client, browser):
    """The tile that was pressed stays in hand; one that is only passed over is not taken."""
    tab, _, _ = sit_down(client, browser, Rules())
    tab.wait_for_turn()
    boxes = [tab.page.locator(f"#slot{slot}").bounding_box() for slot in range(3)]
    middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    tab.page.mouse.move(*middles[0])
    tab.page.mouse.down()
    for spot in (*middles[1:], (middles[2][0], middles[2][1] - 200)):
        tab.page.mouse.move(*spot, steps=8)
        assert tab.page.get_attribute("#slot0", "aria-pressed") == "true"
    tab.page.mouse.move(20, 20)
    tab.page.mouse.up()
    tab.page.mouse.move(*middles[1])
    tab.page.mouse.down()
    tab.page.mouse.move(middles[1][0], middles[1][1] - 200, steps=8)
    assert tab.page.get_attribute("#slot1", "aria-pressed") == "true"
    tab.page.mouse.up()
    tab.close()
