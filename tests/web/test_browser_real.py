"""A game at a real table in the browser: its dialog, the moves of all seats, own draws, hints and a swap."""

from collections import Counter

import numpy as np
import pytest

pytest.importorskip("starlette")

from browser import Tab
from browser_play import PHONE, middle
from real_desk import Desk, begin
from real_tables import any_action, drawn_by, texts_of, turns_with_full_racks

from ingenious_env import Rules, View
from ingenious_env.engine.definition import definition_of, variant_of
from ingenious_env.games.loopit import Rules as LoopitRules

RULES = {"ingenious": Rules(), "loopit": LoopitRules(2)}


def position(rules):
    """A turn with full racks after some tiles, and the moves that lay there."""
    return next((game, placed) for game, placed in turns_with_full_racks(rules, 3) if len(placed) > 6)


def open_begun(tab, name, seat=0):
    """The dialog of a game that has begun."""
    page = tab.page
    tab.open()
    page.wait_for_selector("#start")
    page.click("#real")
    page.wait_for_selector("#real-game")
    page.select_option("#real-game", name)
    page.select_option("#real-seat", str(seat))
    page.click("#real-begun")
    page.wait_for_selector("#real-board .board")


def spot_of(tab, rules, move, within=""):
    """The point on the screen that lays the tile of a move."""
    if definition_of(rules).name == "loopit":
        return middle(tab, rules.material.cell(move.square), within)
    (low_cell, _), (high_cell, _) = sorted(move, key=lambda half: half[1])
    index = rules.geometry.index
    (x, y), (far_x, far_y) = (middle(tab, index[cell], within) for cell in (low_cell, high_cell))
    return x + 0.3 * (far_x - x), y + 0.3 * (far_y - y)


def lay(tab, game, move):
    """Lay the tile of a move by mouse."""
    page = tab.page
    rack = page.evaluate("import('/web/static/store.js').then(({ app }) => app.table.scene.rack)")
    slot = rack.index(list(game.definition.tile_of(move)))
    page.click(f"#slot{slot}")
    spot = spot_of(tab, game.rules, move)
    page.mouse.move(*spot)
    page.wait_for_selector(".ghost")
    page.mouse.click(*spot)


def moved(tab, number):
    tab.page.wait_for_selector(f"#replay:has-text('move {number}')")


@pytest.mark.parametrize("name", RULES)
def test_a_game_is_entered_by_mouse(client, browser, name):
    """Some turns of both seats: the page then shows the board, the rack and the scores of the true game."""
    rules = RULES[name]
    game, seat = definition_of(rules).game(rules, 8), 1
    tab = Tab(browser, client.port)
    page = tab.page
    begin(tab, game, seat)
    policy, number = definition_of(rules).policy("greedy"), 0
    assert "Seat 1 to move" in page.inner_text("#say")
    while number < 6:
        before = game.clone()
        move = game.move(int(policy.act(View.of(game))[0]))
        game.play(game.action(move))
        if isinstance(move, str):
            assert move == "stop"
            page.click("#choose-stop")
        else:
            lay(tab, before, move)
            number += 1
        if before.to_play == seat:
            for tile in texts_of(rules, drawn_by(before, game, seat, move)):
                page.click(f"#tile-{tile}")
            if drawn_by(before, game, seat, move):
                page.click("#enter:not([disabled])")
        moved(tab, number)
        if before.to_play != seat and game.turn > before.turn and page.locator("#choose-stop").count():
            page.click("#choose-stop")
        tab.settle()
    shown = page.evaluate("import('/web/static/store.js').then(({ app }) => app.table)")
    assert shown["scene"]["scores"] == np.asarray(game.scores).tolist()
    if game.to_play == seat:
        assert shown["scene"] == game.definition.pages.scene(game, seat)
    tab.close(422)


@pytest.mark.parametrize("name", RULES)
def test_hints_draws_and_taking_back(client, browser, name):
    """As the first seat: hints are shown, draws are asked for and cancelled, and the move is taken back."""
    rules = RULES[name]
    game = definition_of(rules).game(rules, 8)
    tab = Tab(browser, client.port)
    page = tab.page
    begin(tab, game, 0)
    page.click("#hints")
    page.click("#hint0")
    page.click("#place")
    if name == "loopit":
        page.wait_for_selector("#replay:has-text('move 1')")
        page.click("#choose-stop")
    page.wait_for_selector(".palette")
    assert "did you draw?" in page.inner_text("dialog h2")
    assert page.is_disabled("#enter")
    page.click("#cancel")
    page.click("#choose-stop" if name == "loopit" else "#place")
    page.wait_for_selector(".palette")
    first = page.locator(".palette button:not([disabled])").first
    label = first.get_attribute("aria-label")
    first.click()
    assert page.is_disabled(".palette button >> nth=0")
    page.click("#tile-chosen0")
    assert page.locator(".palette button:not([disabled])").first.get_attribute("aria-label") == label
    page.locator(".palette button:not([disabled])").first.click()
    page.click("#enter")
    page.wait_for_selector("#say:has-text('Seat 2 to move')")
    assert page.locator("#hint0").count() == 0
    page.click("#take-back")
    page.wait_for_selector("#hint0")
    page.reload()
    page.wait_for_selector("#slot0:not([disabled])")
    tab.close()


def test_another_seat_swaps(client, browser):
    """After its tile: the tiles that it shows are asked for, and then lie open."""
    rules = Rules()
    for seed in range(20):
        game, rng = definition_of(rules).game(rules, seed), np.random.default_rng(seed)
        desk = Desk(client, game, 1)
        while not game.is_over and (game.phase != "swap" or game.to_play == 1):
            before = game.clone()
            move = game.move(any_action(game, rng))
            game.play(game.action(move))
            desk.tell(before, game, move)
        if not game.is_over:
            break
    tab = Tab(browser, client.port)
    page = tab.page
    tab.sit_down(desk.path.rpartition("/")[2], desk.keys)
    page.wait_for_selector("#shows")
    assert page.inner_text("#shows") == "Seat 1: swap all"
    page.click("#shows")
    assert f"{len(game.racks[0])} tiles did Seat 1 show?" in page.inner_text("dialog h2")
    for tile in texts_of(rules, game.racks[0]):
        page.click(f"#tile-{tile}")
    page.click("#enter")
    page.wait_for_selector(".shown")
    assert page.locator("#shows").count() == 0
    tab.close()


@pytest.mark.parametrize("name", RULES)
def test_a_game_that_has_begun_is_typed(client, browser, name):
    """The dialog shows the error and keeps the input; corrected, it leads to the true position."""
    rules = RULES[name]
    definition = definition_of(rules)
    game, placed = position(rules)
    seat, moves = game.to_play, [definition.move_to_text(move) for move in placed]
    tab = Tab(browser, client.port)
    page = tab.page
    open_begun(tab, name, seat)
    for tile in texts_of(rules, game.racks[seat]):
        page.click(f"#rack-{tile}")
        if name == "loopit":
            page.wait_for_selector(f"#rack-{tile}[disabled]")
    page.fill("#real-placed", "\n".join([*moves, moves[-1]]))
    for sheet, scores in enumerate(np.asarray(game.scores).reshape(rules.num_sheets, -1)):
        page.fill(f"#real-scores{sheet}", (" ", ", ")[sheet].join(map(str, scores)))
    page.select_option("#real-turn", str(game.to_play))
    page.click("#start:not([disabled])")
    page.wait_for_selector("dialog .problem")
    reason = {"ingenious": "two tiles lie on", "loopit": "the game has 1 tile"}[name]
    assert reason in page.inner_text("dialog .problem")
    assert page.input_value("#real-placed").count("\n") == len(moves)
    page.fill("#real-placed", f"{'; '.join(moves[:2])}\n\n" + "\n".join(moves[2:]))
    page.click("#start")
    check_begun(page, game, seat)
    page.click("#hints")
    page.wait_for_selector("#hint0")
    tab.close(422)


def typed(page, definition):
    """The moves of the text."""
    lines = page.input_value("#real-placed").split("\n")
    return [definition.text_to_move(line) for line in lines if line.strip()]


def check_begun(page, game, seat):
    """Check that the dialog has led to the position of a game."""
    page.wait_for_selector("dialog:not([open])", state="attached")
    page.wait_for_selector("#slot0:not([disabled])")
    scene = page.evaluate("import('/web/static/store.js').then(({ app }) => app.table.scene)")
    true = game.definition.pages.scene(game, seat)
    for part in set(true) - {"tiles", "filled", "laid_order"}:  # which follow from the moves so far
        assert scene[part] == true[part]


def same_tiles(found, expected):
    """Whether two lists of moves lay the same tiles; their order, and that of halves, does not matter."""
    return Counter(map(frozenset, found)) == Counter(map(frozenset, expected))


@pytest.mark.parametrize("name", RULES)
def test_a_game_that_has_begun_is_laid_on_its_board(client, browser, name):
    """By mouse, next to a typed tile; a tile is taken away and laid again; the position is the true one."""
    rules = RULES[name]
    definition = definition_of(rules)
    game, placed = position(rules)
    seat = game.to_play
    tab = Tab(browser, client.port)
    page = tab.page
    open_begun(tab, name, seat)
    for tile in texts_of(rules, game.racks[seat]):
        page.click(f"#rack-{tile}:not([disabled])")
    page.fill("#real-placed", f"  {definition.move_to_text(placed[0])};not a move".upper())
    page.wait_for_selector("#real-board .board[aria-label*='with 1 tile']")
    page.fill("#real-placed", definition.move_to_text(placed[0]))
    for number, move in enumerate([*placed[1:], placed[2]], 1):
        if number == len(placed):  # take a tile away, to lay it again
            spot = spot_of(tab, rules, move, "#real-board ")
            page.mouse.click(*spot)
            page.wait_for_selector(f"#real-board .board[aria-label*='with {number - 1} tiles']")
            assert same_tiles(typed(page, definition), [each for each in placed if each != move])
        label = f"#laid-{definition.tile_to_text(definition.tile_of(move))}"
        page.click(label)
        page.wait_for_selector(f"{label}[aria-pressed=true]")
        spot = spot_of(tab, rules, move, "#real-board ")
        page.mouse.move(*spot)
        page.wait_for_selector("#real-board .ghost")
        page.mouse.click(*spot)
        count = min(number + 1, len(placed))
        page.wait_for_selector(f"#real-board .board[aria-label*='with {count} tiles']")
        page.wait_for_selector(f"{label}[aria-pressed=false]")
    assert same_tiles(typed(page, definition), placed)
    for sheet, scores in enumerate(np.asarray(game.scores).reshape(rules.num_sheets, -1)):
        page.fill(f"#real-scores{sheet}", " ".join(map(str, scores)))
    page.select_option("#real-turn", str(game.to_play))
    page.click("#start:not([disabled])")
    check_begun(page, game, seat)
    tab.close()


def test_a_tile_is_laid_as_it_was_turned(client, browser):
    """On the board of a game that has begun, by the wheel and a click where the pointer is."""
    rules = RULES["ingenious"]
    definition = definition_of(rules)
    _, placed = position(rules)
    tab = Tab(browser, client.port)
    page = tab.page
    open_begun(tab, "ingenious")
    page.click(f"#laid-{definition.tile_to_text(definition.tile_of(placed[0]))}")
    spot = spot_of(tab, rules, placed[0], "#real-board ")
    page.mouse.move(*spot)
    ghost = page.locator("#real-board path.ghost")
    aimed = ghost.get_attribute("d")
    page.mouse.wheel(0, 100)
    page.wait_for_selector(f"#real-board path.ghost:not([d='{aimed}'])")
    page.mouse.down()
    page.mouse.up()
    page.wait_for_selector("#real-board .board[aria-label*='with 1 tile']")
    assert not same_tiles(typed(page, definition), placed[:1])
    tab.close()


@pytest.mark.parametrize("name", RULES)
def test_tiles_are_laid_by_touch(client, browser, name):
    """A tap aims, one beside it turns, and a button lays; a type of which all tiles lie cannot be taken."""
    rules = RULES[name]
    definition = definition_of(rules)
    _, placed = position(rules)
    tab = Tab(browser, client.port, **PHONE)
    page = tab.page
    open_begun(tab, name)
    for number, move in enumerate(placed[:3], 1):
        label = f"#laid-{definition.tile_to_text(definition.tile_of(move))}"
        page.tap(label)
        page.wait_for_selector(f"{label}[aria-pressed=true]")
        assert page.is_disabled("#real-lay")
        if name == "loopit":
            cells = [rules.material.cell(move.square)]
        else:
            cells = [rules.geometry.index[cell] for cell, _ in sorted(move, key=lambda half: half[1])]
        for cell in cells:
            page.locator("#real-board .board").scroll_into_view_if_needed()
            page.touchscreen.tap(*middle(tab, cell, "#real-board "))
            page.wait_for_selector("#real-board .ghost")
        page.tap("#real-lay")
        page.wait_for_selector(f"#real-board .board[aria-label*='with {number} tile']")
    assert same_tiles(typed(page, definition), placed[:3])
    text, tile, count = next(
        (definition.tile_to_text(tile), tile, count)
        for tile, count in variant_of(rules).tiles.items()
        if tile == definition.tile_of(placed[0])
    )
    line = definition.move_to_text(next(move for move in placed if definition.tile_of(move) == tile))
    page.fill("#real-placed", "\n".join([line] * (count - 1)))
    page.wait_for_selector(
        f"#laid-{text}[aria-label$='1 left']" if count > 1 else f"#laid-{text}:not([disabled])"
    )
    page.fill("#real-placed", "\n".join([line] * count))
    page.wait_for_selector(f"#laid-{text}[disabled]")
    tab.close()
