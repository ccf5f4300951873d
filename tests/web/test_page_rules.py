"""The page's own classes against the engine: what they say of a position, for each preset and some variants.

The classes run in a browser, on the scenes that the server would send, a batch of positions at a time.
"""

import re
from itertools import islice

import numpy as np
import pytest

pytest.importorskip("starlette")

from loopit_helpers import REPEATS

from ingenious_env import GameBatch, IllegalActionError, Rules, Session
from ingenious_env.engine.definition import definition_of
from ingenious_env.engine.facts import rules_of
from ingenious_env.games.loopit import Rules as LoopitRules

PRESETS = {
    f"{game.name}-{preset}": rules
    for game in (definition_of(Rules()), definition_of(LoopitRules()))
    for preset, rules in rules_of(game.presets).items()
}
HOUSE = {
    "short": Rules(2, counter_top=4, rack_size=3, board_side=5),
    "double": Rules(2, double_sheet=True, counter_top=3),
    "single": Rules(1, double_sheet=False, counter_top=5),
    "colours": Rules(3, num_colours=2, counter_top=9, board_side=4),
    "six": Rules(6, teams=True, open_racks=True, counter_top=1),
    "repeats": LoopitRules(2, material=REPEATS, rack_size=4, tiles_per_turn=4),
    "rounds": LoopitRules(3, fixed_rounds=True, rack_size=2),
}
VARIANTS = PRESETS | HOUSE
POSITIONS, TRIED = 30, 40
"""By variant, the number of positions, and the largest number of placements in each."""

PREVIEWS = """async ({ name, look, positions }) => {
    const { Game } = await import(`/games/${name}/page/game.js`);
    const game = new Game(look);
    return positions.map(({ scene, sheet, tried }) => tried.map((move) => {
        game.drop();
        game.pick(scene, move.slot);
        if (name === "loopit") {
            game.aim(scene, game.cellOf(...move.square));
            return { text: game.moveText(scene), gain: game.hand.square && game.hand.square[2] };
        }
        game.aim(scene, move.near, game.neighbours[move.near].indexOf(move.far));
        if (move.flipped) game.flip();
        const numberOf = (part) => Number(part.text.match(/\\d+/)[0]);
        const lengths = (half) => game.lines(scene, half).reduce((sum, line) => sum + line.length, 0);
        const halves = game.halves(scene);
        return {
            text: game.moveText(scene),
            gains: game.gains(scene, sheet),
            chips: game.chips(scene, sheet).map(numberOf),
            rays: halves.map(lengths),
            button: Number(game.placeText({ scene, to_play: move.seat }).replace("Place +", "")),
        };
    }));
}"""


@pytest.fixture(scope="module", name="page")
def _page(client, browser):
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{client.port}/")
    yield page
    page.close()


def ask(page, rules, script, positions):
    """The results of a class of the page for positions."""
    definition = definition_of(rules)
    look = definition.pages.look(rules)
    return page.evaluate(script, {"name": definition.name, "look": look, "positions": positions})


def positions_of(rules, seed):
    """Positions in which a tile is to be laid, of games in which players take what scores."""
    names = ["greedy", "uniform", "concave" if isinstance(rules, Rules) else "planner"]
    while True:
        players = [definition_of(rules).policy(name) for name in (names * 2)[: rules.num_players]]
        session = Session(rules, seed, players)
        while not session.is_over:
            if session.game.phase in ("place", "lay"):
                yield session.game
            session.advance()
        seed, names = seed + 1, names[1:] + names[:1]


def gains_of(game, actions):
    """The points of placements, by the engine."""
    batch = GameBatch.from_rows(game.rules, np.repeat(game.state.memory, len(actions), axis=0))
    sheet = game.rules.sheet_of(game.to_play)
    before = batch.scores[:, sheet].copy()
    batch.play(actions)
    return batch.scores[:, sheet] - before


def tried_on(game, rng, most):
    """Legal placements as the page's hand makes them, and the engine's result for each."""
    actions = game.legal_actions()
    actions = actions[actions < game.actions.first_choice]
    actions = rng.permutation(actions)[:most].astype(np.int32)
    tried, expected = [], []
    for action, gain in zip(actions.tolist(), gains_of(game, actions).tolist(), strict=True):
        move = game.move(action)
        slot, _ = game.actions.split_placement(action)
        text = game.definition.move_to_text(move)
        if isinstance(game.rules, LoopitRules):
            tried.append({"slot": slot, "square": list(move.square)})
            expected.append({"text": text, "gain": gain})
            continue
        (near, colour), (far, _) = move
        index = game.rules.geometry.index
        flipped = game.racks[game.to_play][slot][0] != colour
        where = {"near": index[near], "far": index[far], "flipped": flipped}
        tried.append({"slot": slot, "seat": game.to_play, **where})
        expected.append({"text": text, "gains": gain, "button": sum(gain), "chips": sum(gain)})
    return tried, expected


def scene_of(game):
    return game.definition.pages.scene(game, game.to_play)


def checked(page, rules, positions, tried, seed=0):
    """Compare previews with the engine's gains; returns their number, and how many did not all count."""
    rng = np.random.default_rng(seed)
    counted = capped = 0
    games = islice(positions_of(rules, seed), 0, 3 * positions, 3)  # of more games, to their ends
    while batch := list(islice(games, 100)):
        asked, wanted = [], []
        for game in batch:
            moves, expected = tried_on(game, rng, tried)
            sheet = rules.sheet_of(game.to_play)
            asked.append({"scene": scene_of(game), "sheet": sheet, "tried": moves})
            wanted.append(expected)
        for position, found, expected in zip(asked, ask(page, rules, PREVIEWS, asked), wanted, strict=True):
            for move, page_result, truth in zip(position["tried"], found, expected, strict=True):
                if "rays" in page_result:
                    free = page_result.pop("rays")
                    points = np.array(position["scene"]["points"])
                    tile = position["scene"]["rack"][move["slot"]][:: -1 if move["flipped"] else 1]
                    assert free == [points[tile[0] - 1, move["near"]], points[tile[1] - 1, move["far"]]]
                    page_result["chips"] = sum(page_result["chips"])
                    capped += sum(free) > truth["button"]
                assert page_result == truth, (rules, position["scene"], move)
                counted += 1
    return counted, capped


@pytest.mark.parametrize("name", VARIANTS)
def test_previews_are_what_the_engine_counts(page, name):
    """Gains, chips, rays, the button and the text of a move; some of them do not all count."""
    rules = VARIANTS[name]
    counted, capped = checked(page, rules, POSITIONS, TRIED)
    assert counted > 2 * POSITIONS
    assert capped or isinstance(rules, LoopitRules)


@pytest.mark.nightly
def test_previews_of_many_placements(page):
    """100,000 of them, of all presets."""
    share = 100_000 // len(PRESETS) // TRIED + 1
    counted = 0
    for number, rules in enumerate(PRESETS.values()):
        positions = share
        mine = 0
        while mine < 100_000 / len(PRESETS):
            mine += checked(page, rules, positions, TRIED, seed=1000 + number + mine)[0]
            positions = share // 4
        counted += mine
    print(f"{counted} placements")
    assert counted >= 100_000


LEGAL = """async ({ name, look, positions }) => {
    const { Game } = await import(`/games/${name}/page/game.js`);
    const game = new Game(look);
    const texts = (scene, slot) => {
        const found = [];
        game.drop();
        game.pick(scene, slot);
        if (name === "loopit") {
            for (const [row, column] of game.places(scene)) {
                game.aim(scene, game.cellOf(row, column));
                found.push(game.moveText(scene));
            }
            return found;
        }
        look.cells.forEach((_, cell) => {
            for (const direction of game.directionsOf(scene, cell)) {
                game.aim(scene, cell, direction);
                found.push(game.moveText(scene));
                game.flip();
                found.push(game.moveText(scene));
                game.flip();
            }
        });
        return found;
    };
    const cells = name === "loopit" ? look.factors.flat() : look.cells;
    return positions.map(({ scene, slots }) => ({
        texts: slots.map((slot) => texts(scene, slot)),
        reasons: cells.map((_, cell) => {
            game.drop();
            game.pick(scene, slots[0]);
            game.aim(scene, cell);
            return game.moveText(scene) ? "" : game.whyNot(scene, cell);
        }),
    }));
}"""


@pytest.mark.parametrize("name", VARIANTS)
def test_a_tile_can_be_laid_where_the_engine_allows_it(page, name):
    """All its places from each slot, those of equal tiles and of doubles too; and why not elsewhere."""
    rules = VARIANTS[name]
    games = list(islice(positions_of(rules, 3), 0, 36, 14))
    asked = [{"scene": scene_of(game), "slots": list(range(len(game.racks[game.to_play])))} for game in games]
    definition = definition_of(rules)
    for number, (game, found) in enumerate(zip(games, ask(page, rules, LEGAL, asked), strict=True)):
        legal = {int(action) for action in game.legal_actions() if action < game.actions.first_choice}
        reached = set()
        for slot, texts in enumerate(found["texts"]):
            tile = game.racks[game.to_play][slot]
            actions = {game.action(definition.text_to_move(text)) for text in texts}
            assert actions <= legal
            assert {game.racks[game.to_play][game.actions.split_placement(a)[0]] for a in actions} <= {tile}
            reached |= actions
        assert reached == legal
        reasons_are_right(game, found["reasons"], range(number, len(found["reasons"]), 5))


def test_equal_tiles_have_the_same_places(page):
    """The engine only names the slot of the first one."""
    rules = VARIANTS["repeats"]
    positions = (game for game in positions_of(rules, 3) if len(set(own_rack(game))) < len(own_rack(game)))
    games = list(islice(positions, 4))
    asked = [{"scene": scene_of(game), "slots": list(range(len(own_rack(game))))} for game in games]
    for game, found in zip(games, ask(page, rules, LEGAL, asked), strict=True):
        places = {}
        for tile, texts in zip(own_rack(game), found["texts"], strict=True):
            assert texts == places.setdefault(tile, texts)
        assert any(places.values())


def own_rack(game):
    return game.racks[game.to_play]


def reasons_are_right(game, page_result, cells):
    """Against the engine's reason at some cells where a tile is illegal."""
    for cell in cells:
        text, engine = page_result[cell], refusals(game, cell)
        if not text:
            assert "" in engine
        elif "is printed there" in text:
            assert engine == {"symbol"}
        elif "lies there" in text:  # the engine names the first cell of a pair that is taken
            assert engine <= {"taken", "taken beside"}
            assert is_taken(game, cell)
        elif "no room" in text:
            assert engine <= {"taken beside"}
            assert not is_taken(game, cell)
        elif "first round" in text:
            assert "first round" in engine
            assert "" not in engine
        else:
            assert "does not fit there" in text
            assert engine == {"fits not"}


def is_taken(game, cell):
    if isinstance(game.rules, LoopitRules):
        return game.rules.material.square(cell) in game.board
    return bool(game.board[cell])


def refusals(game, cell):
    """The engine's reason for the tile of the first slot on a cell, in each orientation."""
    rules, definition = game.rules, game.definition
    if isinstance(rules, LoopitRules):
        row, column = rules.material.square(cell)
        ends, value = game.racks[game.to_play][0]
        return {refusal(game, f"{ends}{value}@{row},{column}", (row, column))}
    at = tuple(rules.cells[cell].tolist())
    if at in rules.start_symbols:
        return {"symbol"}
    found = set()
    low, high = game.racks[game.to_play][0]
    for pair in rules.geometry.pairs.tolist():
        if cell in pair:
            cells = [tuple(rules.cells[each].tolist()) for each in pair]
            move = tuple(zip(cells, (low, high), strict=True))
            found.add(refusal(game, definition.move_to_text(move), at))
    return found


def refusal(game, text, at):
    try:
        game.clone().play(game.action(game.definition.text_to_move(text)))
    except IllegalActionError as error:
        reason = str(error)
    else:
        return ""
    if "taken" in reason:
        return (
            "taken"
            if re.search(rf"(cell|square) {re.escape(str(at))} .*is taken", reason)
            else "taken beside"
        )
    return "first round" if "first round" in reason else "fits not"


def test_lowest_colours_and_full_counters_of_a_scene():
    """Return whether a swap is offered, and a bonus play is owed, is the engine's word on both."""
    offers = refused = bonuses = 0
    for rules in (Rules(3), Rules.partnership(), Rules(2, double_sheet=True, counter_top=4)):
        for seed in range(6):
            session = Session(rules, seed, [definition_of(rules).policy("concave")] * rules.num_players)
            while not session.is_over:
                before = session.game
                session.advance()
                game, last = session.game, session.turns[-1]
                if isinstance(last.move, str) or game.is_over:
                    continue
                scene = definition_of(rules).pages.scene(game, last.seat)
                if before.turn >= rules.num_players:  # none in a first round
                    more = game.plays_left if game.to_play == last.seat and game.phase == "place" else 0
                    owed = len(scene["filled"]) + before.plays_left - 1
                    assert more == owed or len(before.racks[last.seat]) == 1
                    bonuses += bool(scene["filled"])
                lowest = set(scene["lowest"][rules.sheet_of(last.seat)])
                if game.to_play == last.seat and game.phase == "swap":
                    offers += 1
                    assert not lowest & {colour for tile in game.racks[last.seat] for colour in tile}
                elif game.to_play != last.seat and game.bag.total() > 2 * rules.rack_size:
                    rack = list(before.racks[last.seat])
                    rack.remove(tuple(sorted(colour for _, colour in last.move)))
                    assert lowest & {colour for tile in rack for colour in tile} or not rack
                    refused += 1
    assert offers > 10
    assert refused > 100
    assert bonuses > 30


def test_tiles_left_in_a_turn_of_loopit():
    """A scene counts down to the tile after which the turn passes automatically."""
    passed = 0
    for rules in (LoopitRules(3, fixed_rounds=True), LoopitRules(2, material=REPEATS, rack_size=4)):
        session = Session(rules, 2, [definition_of(rules).policy("greedy")] * rules.num_players)
        while not session.is_over:
            before = session.game
            session.advance()
            game, last = session.game, session.turns[-1]
            if isinstance(last.move, str):
                continue
            left = scene_of(before)["left"]
            assert 1 <= left <= len(before.racks[last.seat])
            if left == 1:
                assert game.is_over or game.to_play != last.seat
                passed += 1
            elif game.to_play == last.seat and not game.is_over:
                assert scene_of(game)["left"] == left - 1
    assert passed > 20
