"""Playing in the browser game: a table against greedy, and moves by mouse, touch, keyboard and typing."""

from browser import Tab

from ingenious_env import Record, Session
from ingenious_env.engine.definition import definition_of
from ingenious_env.games.ingenious.geometry import DIRECTIONS
from ingenious_env.policies.view import View

SEED = 21


PHONE = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}


def expected(rules, seed=SEED, person="concave", opponent="greedy"):
    """The game of a person who plays as a policy does, against another, and the person's moves."""
    definition = definition_of(rules)
    policy, other = definition.policy(person), definition.policy(opponent)
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


def sit_down(client, browser, rules, opponent="greedy", **options):
    """A page at a new table against an agent."""
    definition = definition_of(rules)
    seats = ["human"] + [opponent] * (rules.num_players - 1)
    body = {"game": definition.name, "rules": definition.rules_to_text(rules), "seats": seats, "seed": SEED}
    made = client.post("/api/tables", body)
    tab = Tab(browser, client.port, **options)
    tab.sit_down(made["id"], made["keys"]["0"])
    return tab, f"/api/tables/{made['id']}", made["keys"]["0"]


def finished(client, path, key):
    return Record.from_text(client.get(f"{path}/record?keys={key}"))


def middle(tab, cell, within=""):
    """The middle of a cell on the screen, of the board in an element; it may be drawn anew meanwhile."""
    for _ in range(50):
        box = tab.page.locator(f'{within}.cell[data-cell="{cell}"]').bounding_box()
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
        """The target of an arrow key while the tile is not on the board."""
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


def until_changed(tab, before, move):
    """Until the page shows the position after a move; keeping a rack changes no number of moves."""
    if isinstance(move, str):
        tab.page.wait_for_selector(f"#choose-{move}", state="detached")
        return
    for _ in range(3000):  # the first move of an agent may have to be compiled
        if tab.page.inner_text("#replay") != before:
            return
        tab.page.wait_for_timeout(10)
    raise AssertionError(tab.page.inner_text("#say"))


def type_moves(tab, client, path, key, rules, moves):
    """Play moves, each when it is this page's turn."""
    for move in moves:
        tab.wait_for_turn()
        before = tab.page.inner_text("#replay")
        by_typing(tab, client, path, key, rules, move)
        until_changed(tab, before, move)


def press_choice(tab, hand, move):
    if hand == "keyboard":
        tab.page.keyboard.press(move[0])
    elif hand == "typing":
        tab.page.fill("#move", move)
        tab.page.press("#move", "Enter")
    else:
        (tab.page.tap if hand == "touch" else tab.page.click)(f"#choose-{move}")


def play_all(tab, client, path, key, rules, hand, moves):
    """Make a person's moves by one of the `HANDS`, to the end of the game."""
    make_move, _ = HANDS[hand]
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
