"""Whole games in a real browser: by mouse, by touch, by keyboard and typed, all with the same record."""

import base64
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import numpy as np
import pytest

pytest.importorskip("starlette")

from browser import Tab, chromium
from web_server import playing

from ingenious_env import Record, Rules, Session
from ingenious_env.core.definition import definition_of
from ingenious_env.core.judging import judge
from ingenious_env.core.view import View
from ingenious_env.games.ingenious.geometry import DIRECTIONS
from ingenious_env.games.ingenious.tiles import COLOUR_NAMES
from ingenious_env.games.loopit import Rules as LoopitRules

SEED = 21
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}


@pytest.fixture(scope="module", name="client")
def _client(tmp_path_factory):
    with playing(tmp_path_factory.mktemp("games")) as client:
        yield client


@pytest.fixture(scope="module", name="browser")
def _browser():
    with chromium("--host-resolver-rules=MAP evil.test 127.0.0.1") as browser:
        yield browser


def expected(rules, seed=SEED, person="concave"):
    """The game of a person who plays as a policy does, against greedy, and the person's moves."""
    definition = definition_of(rules)
    policy, other = definition.policy(person), definition.policy("greedy")
    session = Session(rules, seed, [None] + [other] * (rules.num_players - 1))
    moves = []
    while not session.is_over:
        if session.is_waiting:
            action = int(policy.act(View.of(session.game))[0])
            moves.append(session.game.move(action))
            session.play(action)
        else:
            session.advance()
    return session.record, moves


def sit_down(client, browser, rules, **options):
    """A page at a new table against greedy."""
    definition = definition_of(rules)
    seats = ["human"] + ["greedy"] * (rules.num_players - 1)
    body = {"game": definition.name, "rules": definition.rules_to_text(rules), "seats": seats, "seed": SEED}
    made = client.post("/api/tables", body)
    tab = Tab(browser, client.port, **options)
    tab.sit_down(made["id"], made["keys"]["0"])
    return tab, f"/api/tables/{made['id']}", made["keys"]["0"]


def finished(client, path, key):
    return Record.from_text(client.get(f"{path}/record?keys={key}"))


def middle(tab, cell):
    """The middle of a cell on the screen; the board may be drawn anew while it is looked for."""
    for _ in range(50):
        box = tab.page.locator(f'.cell[data-cell="{cell}"]').bounding_box()
        if box is not None:
            return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        tab.page.wait_for_timeout(10)
    raise AssertionError(cell)


def slot_of(tab, client, path, key, tile):
    rack = client.get(f"{path}?keys={key}")["scene"]["rack"]
    return rack.index(list(tile))


def halves(rules, move):
    """The tile of a move, and the numbers of the cells of its lower and its higher colour."""
    (low_cell, low), (high_cell, high) = sorted(move, key=lambda half: half[1])
    index = rules.geometry.index
    return (low, high), index[low_cell], index[high_cell]


def by_mouse(tab, client, path, key, rules, move):
    tile, near, far = halves(rules, move)
    tab.page.click(f"#slot{slot_of(tab, client, path, key, tile)}")
    (x, y), (far_x, far_y) = middle(tab, near), middle(tab, far)
    spot = x + 0.3 * (far_x - x), y + 0.3 * (far_y - y)
    tab.page.mouse.move(*spot)
    tab.page.wait_for_selector(".ghost")
    tab.page.mouse.click(*spot)


def by_touch(tab, client, path, key, rules, move):
    tile, near, far = halves(rules, move)
    tab.page.tap(f"#slot{slot_of(tab, client, path, key, tile)}")
    tab.page.touchscreen.tap(*middle(tab, near))
    tab.page.wait_for_selector(".ghost")
    tab.page.touchscreen.tap(*middle(tab, far))
    tab.page.tap("#place:not([disabled])")


def by_keyboard(tab, client, path, key, rules, move):
    tile, near, far = halves(rules, move)
    tab.page.keyboard.press(str(slot_of(tab, client, path, key, tile) + 1))
    pairs = {tuple(rules.geometry.pairs[pair]) for pair in client.get(f"{path}?keys={key}")["scene"]["open"]}
    for press in presses(rules, pairs, near, far):
        tab.page.keyboard.press(press)
    tab.page.keyboard.press("Enter")


ARROWS = {"Shift+ArrowDown": 1, "ArrowDown": 2, "Shift+ArrowUp": 4, "ArrowUp": 5}
STEPS = (*ARROWS, "ArrowLeft", "ArrowRight")


def presses(rules, pairs, near, far):
    """The shortest way of keys to a placement, by breadth-first search."""
    index, cells = rules.geometry.index, [tuple(cell) for cell in rules.cells.tolist()]

    def beside(cell, direction):
        (q, r), (dq, dr) = cells[cell], DIRECTIONS[direction]
        return index.get((q + dq, r + dr))

    def ways(cell):
        others = [beside(cell, direction) for direction in range(6)]
        return [
            d for d, other in enumerate(others) if other is not None and tuple(sorted((cell, other))) in pairs
        ]

    def aimed(cell, direction):
        return cell, next(d % 6 for d in range(direction, direction + 6) if d % 6 in ways(cell))

    def pressed(state, key):
        cell, direction = state
        if key == "r":
            found = ways(cell)
            return cell, found[(found.index(direction) + 1) % len(found)]
        at = walked(cell, key)
        return state if at is None else aimed(at, direction)

    def walked(cell, key):
        """The next cell where a tile may lie."""
        if key in ("ArrowLeft", "ArrowRight"):
            by = 1 if key == "ArrowRight" else -1
            tried = ((cell + by * k) % len(cells) for k in range(1, len(cells) + 1))
            return next(at for at in tried if ways(at))
        at = cell
        while (at := beside(at, ARROWS[key])) is not None:
            if ways(at):
                return at
        return None

    def first(key):
        """Where an arrow leads while the tile is not on the board."""
        centre = index[0, 0]
        at = centre if ways(centre) else walked(centre, key)
        return None if at is None else aimed(at, 0)

    wanted = near, next(d for d in range(6) if beside(near, d) == far)
    reached = {}
    for key in STEPS:
        state = first(key)
        if state is not None and state not in reached:
            reached[state] = [key]
    queue = list(reached)
    while queue:
        state = queue.pop(0)
        if state == wanted:
            return reached[state]
        for key in (*STEPS, "r"):
            following = pressed(state, key)
            if following not in reached:
                reached[following] = [*reached[state], key]
                queue.append(following)
    raise AssertionError(wanted)


def by_typing(tab, client, path, key, rules, move):
    tab.page.fill("#move", definition_of(rules).move_to_text(move))
    tab.page.press("#move", "Enter")


HANDS = {
    "mouse": (by_mouse, {}),
    "touch": (by_touch, PHONE),
    "keyboard": (by_keyboard, {}),
    "typing": (by_typing, {}),
}


@pytest.mark.parametrize(
    "rules", [Rules(), Rules.solitaire(), Rules.partnership()], ids=["two", "solitaire", "partnership"]
)
@pytest.mark.parametrize("hand", HANDS)
def test_a_whole_game(client, browser, hand, rules):
    make_move, options = HANDS[hand]
    record, moves = expected(rules)
    tab, path, key = sit_down(client, browser, rules, **options)
    for number, move in enumerate(moves):
        tab.wait_for_turn()
        tab.page.wait_for_selector("#choose-swap" if isinstance(move, str) else "#slot0:not([disabled])")
        before = tab.page.inner_text("#replay")
        if isinstance(move, str):
            press_choice(tab, hand, move)
        else:
            make_move(tab, client, path, key, rules, move)
        if number < len(moves) - 1:
            until_changed(tab, before, move)
    tab.page.wait_for_selector(".results" if rules.num_players > 1 else "#say:has-text('Game over')")
    assert finished(client, path, key) == record
    tab.close()


def until_changed(tab, before, move):
    """Until the page shows what came of a move; to keep a rack changes no number of moves."""
    if isinstance(move, str):
        tab.page.wait_for_selector(f"#choose-{move}", state="detached")
        return
    for _ in range(400):
        if tab.page.inner_text("#replay") != before:
            return
        tab.page.wait_for_timeout(10)
    raise AssertionError(tab.page.inner_text("#say"))


def press_choice(tab, hand, move):
    if hand == "keyboard":
        tab.page.keyboard.press(move[0])
    elif hand == "typing":
        tab.page.fill("#move", move)
        tab.page.press("#move", "Enter")
    else:
        (tab.page.tap if hand == "touch" else tab.page.click)(f"#choose-{move}")


@pytest.mark.parametrize("hand", ["mouse", "typing"])
def test_a_whole_game_of_loopit(client, browser, hand):
    rules = LoopitRules(2)
    record, moves = expected(rules, person="planner")
    tab, path, key = sit_down(client, browser, rules)
    for move in moves:
        tab.wait_for_turn()
        if hand == "typing":
            tab.page.fill("#move", definition_of(rules).move_to_text(move))
            before = tab.page.inner_text("#replay")
            tab.page.press("#move", "Enter")
        elif isinstance(move, str):
            before = tab.page.inner_text("#replay")
            tab.page.click(f"#choose-{move.replace(' ', '-')}")
        else:
            before = tab.page.inner_text("#replay")
            tab.page.click(f"#slot{slot_of(tab, client, path, key, move.tile)}")
            spot = middle(tab, rules.material.cell(move.square))
            tab.page.mouse.move(*spot)
            tab.page.wait_for_selector(".ghost")
            tab.page.mouse.click(*spot)
        until_changed(tab, before, None)
    tab.page.wait_for_selector("#say:has-text('wins'), #say:has-text('share')")
    assert finished(client, path, key) == record
    tab.close()


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
        told = int(tab.page.inner_text("#place").removeprefix("Place +"))
        texts = tab.page.locator(".chip text").all_text_contents()
        chips = [int(text.split()[0]) for text in texts]
        made = tab.page.inner_text("#replay")
        tab.page.click("#place")
        until_changed(tab, made, move)
        after = client.get(f"{path}?keys={key}&at={2 * moves.index(move) + 1}")["scene"]["scores"][0]
        assert sum(after) - sum(before) == told
        assert sum(chips) == told
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
    """A half that scores more than its counter has room for says so; then a banner shows for a moment."""
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


def test_what_is_left_in_the_bag_is_told_in_solitaire(client, browser):
    tab, path, key = sit_down(client, browser, Rules.solitaire())
    unseen = client.get(f"{path}?keys={key}")["scene"]["unseen"]
    assert sum(count for _, _, count in unseen) == 119
    texts = tab.page.locator(".unseen div > span").all_inner_texts()
    assert [int(text) for text in texts] == [count for _, _, count in unseen]
    tab.close()


def test_a_reload_a_second_tab_and_a_replay(client, browser):
    rules = Rules()
    _, moves = expected(rules)
    tab, path, key = sit_down(client, browser, rules)
    for move in moves[:3]:
        tab.wait_for_turn()
        before = tab.page.inner_text("#replay")
        by_typing(tab, client, path, key, rules, move)
        until_changed(tab, before, move)
    tab.wait_for_turn()
    shown = tab.page.inner_html("#board")
    tab.page.reload()
    tab.page.wait_for_selector("#slot0:not([disabled])")
    assert tab.page.inner_html("#board") == shown
    second = Tab(browser, client.port)
    second.sit_down(path.rsplit("/", 1)[1], key)
    assert second.page.inner_html("#board") == shown
    before = second.page.inner_text("#replay")
    by_typing(second, client, path, key, rules, moves[3])
    until_changed(second, before, moves[3])
    until_changed(tab, before, moves[3])
    second.wait_for_turn()
    tab.wait_for_turn()
    tab.page.keyboard.press("Home")
    tab.page.wait_for_selector("#replay:has-text('move 0')")
    assert tab.page.locator("#board use[href^='#half']").count() == 0
    assert tab.page.locator("#slot0[disabled]").count() == 1
    for number in (1, 2, 3):
        tab.page.keyboard.press("ArrowRight")
        tab.page.wait_for_selector(f"#replay:has-text('move {number}')")
        assert tab.page.locator("#board use[href^='#half']").count() == 2 * number
    quick_steps(tab)
    tab.page.keyboard.press("End")
    tab.page.wait_for_selector("#slot0:not([disabled])")
    tab.page.keyboard.press("z")
    tab.page.wait_for_selector(".who:has-text('with take backs')")
    second.page.wait_for_selector(".who:has-text('with take backs')")
    tab.close()
    second.close()


def quick_steps(tab):
    """Keys that come faster than answers, and a slider that is dragged, end where they ought to."""
    total = int(tab.page.get_attribute("#slider", "max"))
    tab.page.evaluate(
        """(steps) => [...steps].forEach((step) =>
             document.body.dispatchEvent(new KeyboardEvent("keydown", {
               bubbles: true, key: { "0": "Home", "+": "ArrowRight" }[step] })))""",
        "0++++",
    )
    tab.page.wait_for_selector("#replay:has-text('move 4')")
    assert tab.page.locator("#board use[href^='#half']").count() == 8
    box = tab.page.locator("#slider").bounding_box()
    middle_height = box["y"] + box["height"] / 2
    tab.page.mouse.move(box["x"] + 4, middle_height)
    tab.page.mouse.down()
    tab.page.wait_for_selector("#replay:has-text('move 0')")
    for part in (0.3, 0.6, 0.8, 0.5):
        tab.page.mouse.move(box["x"] + part * box["width"], middle_height, steps=3)
        tab.page.wait_for_timeout(30)
    tab.page.mouse.up()
    number = round(total / 2)
    tab.page.wait_for_selector(f"#replay:has-text('move {number}')")
    tab.page.wait_for_function(
        f"document.querySelectorAll(\"#board use[href^='#half']\").length === {2 * number}"
    )
    tab.page.keyboard.press("n")  # the slider has the focus, and no use for letters
    tab.page.locator("#slider").blur()


def test_a_new_game_is_chosen_and_shared(client, browser):
    tab = Tab(browser, client.port)
    tab.open()
    tab.page.select_option("#game", "loopit")
    tab.page.select_option("#game", "ingenious")
    tab.page.select_option("#preset", "three")
    for seat, name in enumerate(["greedy", "uniform", "value"]):
        tab.page.select_option(f"#seat{seat}", name)
    tab.page.fill("#seed", "5")
    tab.page.click("#start")
    tab.page.wait_for_selector(".results")
    tab.page.click("#share")
    text = tab.page.input_value("#record")
    record = Record.from_text(text)
    assert record.rules == Rules(3)
    assert tuple(record.seed) == (5, 0)
    assert record.replay().is_over
    tab.page.click("#close")
    tab.page.click("#new")
    tab.page.click("summary")
    tab.page.fill("#opened", text)
    tab.page.wait_for_selector("#found:has-text('3 players'):has-text('over')")
    address = tab.page.url
    tab.page.click("#start")
    tab.page.wait_for_url(lambda url: url != address)
    tab.page.wait_for_selector(".results")
    tab.close()


def open_text(tab, text):
    """Paste a text into the dialog of a new game."""
    if not tab.page.locator("dialog[open]").count():
        tab.page.click("#new")
    if not tab.page.locator("#opened").is_visible():
        tab.page.click("summary")
    tab.page.fill("#opened", text)


def test_a_record_or_position_is_played_on_by_who_is_chosen(client, browser, tmp_path):
    """Pasted, out of a file, and by a link; nonsense is refused where it is pasted."""
    rules = Rules(3)
    session = Session(rules, 5, [definition_of(rules).policy("concave")] * 3)
    for _ in range(12):
        session.advance()
    (tmp_path / "game.txt").write_text(session.record.to_text())
    tab = Tab(browser, client.port)
    tab.open()
    tab.page.wait_for_selector("#start")
    open_text(tab, "hello")
    tab.page.wait_for_selector(".problem:has-text('a record begins with')")
    assert tab.page.locator("#start[disabled]").count() == 1
    tab.page.set_input_files("#file", tmp_path / "game.txt")
    tab.page.wait_for_selector("#found:has-text('3 players, 12 moves')")
    tab.page.select_option("#seat1", "greedy")
    tab.page.select_option("#seat2", "greedy")
    tab.page.click("#start")
    tab.page.wait_for_selector("#slot0:not([disabled])")
    assert "move 12" in tab.page.inner_text("#replay")
    open_text(tab, session.game.to_text())
    tab.page.wait_for_selector("#found:has-text('3 players, 0 moves')")
    for seat in range(3):
        tab.page.select_option(f"#seat{seat}", "concave")
    tab.page.click("#start")
    tab.page.wait_for_selector(".results")
    for _ in session.run():
        pass
    found = [
        int(text) for text in tab.page.locator(".results td:not(:first-child)").all_inner_texts() if text
    ]
    rows = session.game.scores[np.argsort(session.game.ranks, kind="stable")]
    assert found == rows.ravel().tolist()
    packed = base64.urlsafe_b64encode(session.record.to_text().encode()).decode().rstrip("=")
    link = Tab(browser, client.port)
    link.open(f"#text={packed}")
    link.page.wait_for_selector(".results")
    link.close()
    tab.close(422)


def test_playing_on_from_a_replay(client, browser):
    """From the middle of a game that is over, with its history; the game before stays as it is."""
    made = client.post(
        "/api/tables",
        {
            "game": "ingenious",
            "rules": definition_of(Rules()).rules_to_text(Rules()),
            "seats": ["greedy", "concave"],
            "seed": 6,
        },
    )
    tab = Tab(browser, client.port)
    tab.open(f"#{made['id']}")
    tab.page.wait_for_selector(".results")
    assert tab.page.locator("#branch").count() == 0
    whole = Record.from_text(client.get(f"/api/tables/{made['id']}/record"))
    tab.page.fill("#slider", "8")
    tab.page.click("#branch")
    tab.page.wait_for_selector("#found:has-text('8 moves')")
    assert tab.page.locator("#opened").count() == 0
    tab.page.select_option("#seat1", "greedy")
    tab.page.click("#start")
    tab.page.wait_for_selector("#slot0:not([disabled])")
    assert "move 8" in tab.page.inner_text("#replay")
    assert tab.page.locator("#board use[href^='#half']").count() == 16
    tab.page.keyboard.press("ArrowLeft")
    tab.page.wait_for_selector("#replay:has-text('move 7')")
    assert Record.from_text(client.get(f"/api/tables/{made['id']}/record")) == whole
    tab.close()


def test_two_people_at_one_page(client, browser):
    """Neither sees the other's tiles while they change places."""
    made = client.post(
        "/api/tables",
        {
            "game": "ingenious",
            "rules": definition_of(Rules()).rules_to_text(Rules()),
            "seats": ["human", "human"],
            "seed": 1,
        },
    )
    tab = Tab(browser, client.port)
    tab.sit_down(made["id"], ",".join(made["keys"].values()))
    assert tab.page.locator(".slot").count() == 0
    tab.page.click("#uncover")
    session = Session(Rules(), 1)
    for _ in range(4):
        action = int(session.game.legal_actions()[0])
        rack = session.game.racks[session.to_play]
        assert tab.page.locator(".slot").count() == len(rack)
        tab.page.fill("#move", session.game.definition.move_to_text(session.game.move(action)))
        tab.page.press("#move", "Enter")
        session.play(action)
        tab.page.wait_for_selector(f"#uncover:has-text('Player {session.to_play + 1}')")
        assert tab.page.locator(".slot").count() == 0
        tab.page.click("#uncover")
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
    tab.close(422)


@pytest.mark.parametrize("width", [360, 390, 768, 1024, 1340])
def test_nothing_is_wider_than_the_window(client, browser, width):
    for rules in (Rules(), Rules(4), Rules.solitaire(), LoopitRules(4)):
        tab, _, _ = sit_down(client, browser, rules, viewport={"width": width, "height": 844})
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
        unnamed = tab.page.evaluate(
            "[...document.querySelectorAll('button,input,select')]"
            ".filter(e => !(e.innerText || e.ariaLabel || (e.labels && e.labels.length)))"
            ".map(e => e.outerHTML)"
        )
        assert unnamed == []
        tab.close()


class Elsewhere(BaseHTTPRequestHandler):
    """A page of another site, which forbids itself nothing."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><p>elsewhere")

    def log_message(self, *arguments):
        """Say nothing."""


def test_another_site_cannot_reach_the_game(client, browser):
    """By a name that leads to this machine, from a page of another port, or in a frame."""
    page = browser.new_page()
    answer = page.goto(f"http://evil.test:{client.port}/")
    assert answer.status == 421
    assert "this server answers to its own address alone" in page.inner_text("body")
    with HTTPServer(("127.0.0.1", 0), Elsewhere) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        page.goto(f"http://127.0.0.1:{other.server_port}/")
        own, game = (f"http://127.0.0.1:{port}" for port in (other.server_port, client.port))
        tried = page.evaluate(
            """async ([own, game]) => {
                const tell = async (address, options) => {
                    try { return (await fetch(address, options)).status; } catch (error) { return 'refused'; }
                };
                const json = {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'};
                const asked = [tell(own), tell(`${game}/api/games`), tell(`${game}/api/tables`, json)];
                return Promise.all(asked);
            }""",
            [own, game],
        )
        assert tried == [200, "refused", "refused"]
        page.evaluate(
            "game => document.body.append(Object.assign(document.createElement('iframe'), {src: game}))", game
        )
        page.wait_for_timeout(500)
        assert not any("Ingenious" in (frame.content() or "") for frame in page.frames)
        other.shutdown()
    page.close()


def test_the_client_is_small(client, browser):
    """All that a page loads until it shows a game has less than 100 kB, not compressed."""
    from ingenious_env.web.app import STATIC

    sizes = {}
    page = browser.new_page()
    page.on("response", lambda answer: sizes.setdefault(answer.url, len(answer.body())))
    page.goto(f"http://127.0.0.1:{client.port}/")
    page.wait_for_selector("#start")
    page.close()
    files = {url.rpartition("/")[2]: size for url, size in sizes.items() if "/api/" not in url}
    assert {"", "main.js", "loopit.js", "style.css", "theme.css", "icon.svg"} <= set(files)
    assert sum(files.values()) < 100_000
    assert all(len(each.read_text().splitlines()) <= 330 for each in STATIC.iterdir() if each.is_file())


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
    assert tab.page.locator("#hint0").count() == 0
    assert tab.page.locator(".candidate").count() == 0
    tab.page.wait_for_selector(".who:has-text('with hints')")
    tab.close()


def test_the_curve_and_its_marks(client, browser):
    """With hints while the game goes on, of all moves at its end; marks and `N` lead to weak moves."""
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
            assert tab.page.locator("g.judged").count() == sum(bool(turn["mark"]) for turn in found["turns"])
            best = tab.page.inner_text("#hint0 .worth")
            tab.page.wait_for_selector(f"#curve footer b:has-text('{best}')")
    tab.page.wait_for_selector("#judged")
    found = client.post(f"{path}/analysis", {"keys": key})
    marked = [turn for turn in found["turns"] if turn["mark"]]
    assert marked
    own = [turn for turn in marked if turn["seat"] == 0]
    assert tab.page.locator("g.judged").count() == len(own)
    row = tab.page.locator("#judged tr").nth(1).all_inner_texts()[0].split()
    counts = [sum(turn["mark"] == mark for turn in own) for mark in ("?!", "?", "??")]
    assert row[-3:] == [str(count) for count in counts]
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
    tab.close()


def test_settings(client, browser):
    """A click that only puts down, a question before a bad mistake, keys switched off; all are kept."""
    rules = Rules()
    _, moves = expected(rules)
    tab, path, key = sit_down(client, browser, rules)
    for move in moves[:5]:
        tab.wait_for_turn()
        before = tab.page.inner_text("#replay")
        by_typing(tab, client, path, key, rules, move)
        until_changed(tab, before, move)
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


def test_another_game_at_the_end(client, browser):
    """With the seats moved on, or with the same tiles."""
    rules = Rules.solitaire()
    tab, path, key = sit_down(client, browser, rules)
    record, moves = expected(rules)
    for move in moves:
        tab.wait_for_turn()
        before = tab.page.inner_text("#replay")
        by_typing(tab, client, path, key, rules, move)
        until_changed(tab, before, move)
    address = tab.page.url
    tab.page.click("#again")
    tab.page.wait_for_url(lambda url: url != address)
    tab.page.wait_for_selector("#slot0:not([disabled])")
    first = sorted(definition_of(rules).move_to_text(moves[0]).split())
    by_typing(tab, client, path, key, rules, moves[0])
    tab.page.wait_for_selector("#replay:has-text('move 1')")
    assert sorted(definition_of(rules).move_to_text(record.moves[0]).split()) == first
    tab.close()
    made = client.post(
        "/api/tables",
        {
            "game": "ingenious",
            "rules": definition_of(Rules()).rules_to_text(Rules()),
            "seats": ["greedy", "concave"],
            "seed": 1,
        },
    )
    tab = Tab(browser, client.port)
    tab.open(f"#{made['id']}")
    tab.page.wait_for_selector(".results")
    address = tab.page.url
    tab.page.click("#rematch")
    tab.page.wait_for_url(lambda url: url != address)
    tab.page.wait_for_selector(".who:has-text('concave · greedy')")
    tab.close()


def test_what_a_screen_reader_is_told(client, browser):
    """The choice of a game, a turn, and the end, by their roles and names."""
    rules = Rules.solitaire()
    tab = Tab(browser, client.port)
    tab.open()
    tab.page.wait_for_selector("#start")
    told = tab.page.locator("dialog").aria_snapshot()
    for part in (
        'heading "New game"',
        'combobox "Game"',
        'combobox "Seat 1"',
        'textbox "Seed"',
        'button "Start"',
    ):
        assert part in told
    tab.close()
    tab, path, key = sit_down(client, browser, rules)
    tab.wait_for_turn()
    told = tab.page.locator("#app").aria_snapshot()
    low, high = client.get(f"{path}?keys={key}")["scene"]["rack"][0]
    names = ["red", "green", "blue", "orange", "yellow", "purple"]
    for part in (
        'img "Board with 0 tiles"',
        f'button "{names[low - 1]} {names[high - 1]}"',
        'slider "Move"',
        'textbox "Type a move"',
        'button "Hints"',
    ):
        assert part in told
    _, moves = expected(rules)
    by_typing(tab, client, path, key, rules, moves[0])
    tab.page.wait_for_selector("#live:has-text('You play ')")
    assert " points. " in tab.page.inner_text("#live")
    tab.close()
    body = {"game": "ingenious", "rules": definition_of(Rules()).rules_to_text(Rules()), "seed": 1}
    made = client.post("/api/tables", {**body, "seats": ["greedy", "concave"]})
    tab = Tab(browser, client.port)
    tab.open(f"#{made['id']}")
    tab.page.wait_for_selector("#judged")
    told = tab.page.locator("#app").aria_snapshot()
    for part in (
        "table",
        'columnheader "red"',
        'rowheader "greedy"',
        'button "Next mistake"',
        'button "Share"',
    ):
        assert part in told
    tab.close()
