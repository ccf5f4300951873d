"""Functions of the page that need no table, called in a browser."""

import pytest

pytest.importorskip("starlette")

from ingenious_env import Game


@pytest.fixture(scope="module", name="page")
def _page(client, browser):
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{client.port}/")
    yield page
    page.close()


def called(page, path, name, *arguments):
    """The result of a function of a module."""
    script = "async ([path, name, given]) => (await import(path))[name](...given)"
    return page.evaluate(script, [f"/{path}.js", name, list(arguments)])


def test_speeds_of_the_replay_go_round(page):
    assert [called(page, "render/static/replay", "nextSpeed", speed) for speed in (0, 1, 2, 4)] == [
        1,
        2,
        4,
        0,
    ]


@pytest.mark.parametrize(
    ("ranks", "words"),
    [
        ([1], [""]),
        ([2, 1], ["2nd", "1st"]),
        ([1, 1], ["1st, shared", "1st, shared"]),
        ([3, 1, 4, 1], ["3rd", "1st, shared", "4th", "1st, shared"]),
    ],
)
def test_ranks_in_words(page, ranks, words):
    """RULES.md 7.2, 7.3: equal sheets share a rank, which the next ones skip."""
    found = [called(page, "render/static/replay", "place", ranks, sheet) for sheet in range(len(ranks))]
    assert found == words


@pytest.mark.parametrize(("count", "tiles", "points"), [(1, "1 tile", "1 point"), (2, "2 tiles", "2 points")])
def test_numbers_in_words(page, count, tiles, points):
    script = """async (count) => {
        const [{ DRAWING }, { TEXTS }] = await Promise.all(
            ["render/static/drawing_texts", "web/static/play_texts"].map((path) => import(`/${path}.js`)));
        const { rack, bag, board } = DRAWING;
        return [rack(count), bag(count), board(count), TEXTS.played("You", "r0,0 b1,0", count)];
    }"""
    words = [tiles, f"{tiles} in the bag", f"Board with {tiles}", f"You play r0,0 b1,0, {points}."]
    assert page.evaluate(script, count) == words


@pytest.mark.parametrize("text", [Game(seed=1).record.to_text(), "ÿÿÿ>>>???", "é ✓ 👍"])
def test_a_link_holds_its_text(page, text):
    link = called(page, "web/static/address", "linkTo", text)
    _, _, fragment = link.partition("#")
    assert not set(fragment.partition("=")[2]) & set("+/=")
    assert called(page, "web/static/address", "textIn", fragment) == text


@pytest.mark.parametrize("fragment", ["", "text", "text=*", "0123456789abcdef0123456789abcdef"])
def test_other_addresses_hold_no_text(page, fragment):
    assert called(page, "web/static/address", "textIn", fragment) == ""


SERIES = """async ([sheets, unit, turns, results]) => {
    const { app } = await import("/web/static/store.js");
    const { series } = await import("/web/static/analysis.js");
    const before = app.table;
    app.table = { total: turns.length, judge: "value", scene: { scores: Array(sheets).fill(0) } };
    try {
        const found = turns.map(([sheet, value], at) => ({ at, sheet, value }));
        return series({ unit, turns: found, results }).map(({ at, values }) => [at, values]);
    } finally {
        app.table = before;
    }
}"""


def test_of_two_sheets_the_other_has_the_rest_of_the_chances(page):
    found = page.evaluate(SERIES, [2, "win", [[0, 0.75], [1, 0.5], [0, 0.25]], [0, 1]])
    assert found == [[0, [0.75, 0.25]], [1, [0.5, 0.5]], [2, [0.25, 0.75]], [3, [0, 1]]]


def test_the_chances_of_three_sheets_sum_to_one(page):
    found = page.evaluate(SERIES, [3, "win", [[0, 0.5], [1, 0.5], [2, 1]], None])
    assert found[2] == [2, [0.25, 0.25, 0.5]]


def test_expected_counters_are_no_shares(page):
    found = page.evaluate(SERIES, [1, "spaces", [[0, 6.5], [0, 7]], None])
    assert found == [[0, [6.5]], [1, [7]]]


OPEN = """async ([cells, pairs, laid]) => {
    const { sceneOf } = await import("/games/ingenious/page/layout.js");
    const halves = laid.map((tile) => tile.map((cell) => ({ cell, colour: 1 })));
    return sceneOf({ look: { cells, pairs } }, halves, []).open;
}"""


def test_tiles_of_a_game_that_has_begun_are_laid_on_free_cells(page):
    geometry = Game().rules.geometry
    pairs = [[int(cell) for cell in pair] for pair in geometry.pairs]
    laid = pairs[7], pairs[60], pairs[200]
    taken = {cell for pair in laid for cell in pair}
    free = [number for number, pair in enumerate(pairs) if not taken & {*pair}]
    assert len(taken) == 6
    assert page.evaluate(OPEN, [list(range(geometry.num_cells)), pairs, laid]) == free
