"""Pictures and texts: all that there is to see is in them, and nothing hidden."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree

import pytest
from loopit_helpers import LONG, OWN, VARIANTS, batch_at, every_variant, make, position, tile

from ingenious_env.games.loopit import Game, Lay, Rules
from ingenious_env.games.loopit.render import svg, text

SVG = "{http://www.w3.org/2000/svg}"
GLYPHS = dict(
    zip(
        ("N", "E", "S", "W", "NE", "NS", "NW", "ES", "EW", "SW", "NES", "NEW", "NSW", "ESW", "NESW"),
        "╵╶╷╴└│┘┌─┐├┴┤┬┼",
        strict=True,
    )
)
both = pytest.mark.parametrize("render", [text.render, svg.render], ids=["text", "svg"])


def parsed(game: Game, **options) -> ElementTree.Element:
    return ElementTree.fromstring(svg.render(game, **options))


def words(root: ElementTree.Element) -> Counter[str]:
    return Counter("".join(element.itertext()) for element in root.iter(f"{SVG}text"))


def game_at(name: str, moves: int = 12, seed: int = 1) -> Game:
    return batch_at(VARIANTS[name], 1, moves, seed=seed)[0]


# Pictures.


@every_variant
@pytest.mark.parametrize("moves", [0, 12, 300])
def test_every_tile_and_every_factor_is_in_the_picture(name, moves):
    game = game_at(name, moves)
    rules, root = game.rules, parsed(game)
    found = words(root)
    for row, of_row in enumerate(rules.material.factors):
        for column, factor in enumerate(of_row):
            if (row, column) not in game.board and factor > 1:
                found[f"{factor}×"] -= 1
    for _, value in [*game.board.values(), *(each for rack in game.racks for each in rack)]:
        found[str(value)] -= 1
    for player, score in enumerate(game.scores):
        found[f"Player {player}"] -= 1
        found[str(score)] -= 1
    assert min(found.values()) == 0
    left = +found
    if game.is_over:
        assert left.total() == 2 + rules.num_players  # how it ended, the bag, and places
    else:
        assert left.total() == 3
        assert left["to move"] == 1
    assert any("in the bag" in line for line in left)
    drawn = Counter(int(each) for each in re.findall(r'href="#[^"]*lines(\d+)"', svg.render(game)))
    tiles = [*game.board.values(), *(each for rack in game.racks for each in rack)]
    assert drawn == Counter(sum(1 << "NESW".index(end) for end in ends) for ends, _ in tiles)
    assert next(root.iter(f"{SVG}title")).text.startswith("Loopit: ")


@pytest.mark.parametrize("ends", GLYPHS)
def test_a_tile_shows_its_line_ends(ends):
    """A path from each end, on the middle of an edge of the tile, in which it lies."""
    game = position({(2, 2): f"{ends}5"}, ["W1", "E1"], "N1 S1", rack=1, phase=_phase(ends))
    root = parsed(game)
    board = next(each for each in root.iter(f"{SVG}g") if each.get("id", "").endswith("-board"))
    drawn = next(each for each in board.iter(f"{SVG}g") if each.find(f"{SVG}use") is not None)
    square, used = drawn.find(f"{SVG}rect"), drawn.find(f"{SVG}use")
    (lines,) = [each for each in root.iter(f"{SVG}g") if each.get("id") == used.get("href")[1:]]
    points = re.findall(r"[ML]?(-?[\d.]+) (-?[\d.]+)", lines.find(f"{SVG}path").get("d"))
    side = float(square.get("width"))
    assert [float(used.get(name)) - side / 2 for name in "xy"] == [float(square.get(name)) for name in "xy"]
    edges = {"N": (0, -side / 2), "E": (side / 2, 0), "S": (0, side / 2), "W": (-side / 2, 0)}
    seen = {(round(float(a), 1), round(float(b), 1)) for a, b in points}
    for end, (a, b) in edges.items():
        assert ((round(a, 1), round(b, 1)) in seen) == (end in ends)


def _phase(ends: str) -> str:
    """Seat 0 has W1, which fits beyond an end on the right."""
    return "lay" if "E" in ends else "throw"


@every_variant
def test_everything_lies_inside(name):
    root = parsed(game_at(name))
    _, _, width, height = map(float, root.get("viewBox").split())
    cards = [each for each in root if re.search(r"-player\d$", each.get("id", ""))]
    assert len(cards) == VARIANTS[name].num_players
    for group in [*cards, *(each for each in root if each.get("id", "").endswith("-board"))]:
        moved = re.findall(r"[\d.]+", group.get("transform", "translate(0 0)"))
        for element in group.iter(f"{SVG}rect"):
            x, y, w, h = (float(element.get(key, 0)) for key in ("x", "y", "width", "height"))
            x, y = x + float(moved[0]), y + float(moved[1])
            assert x >= 0 <= y
            assert x + w <= width
            assert y + h <= height
            if group in cards:
                frame = group.find(f"{SVG}rect")
                assert x + w <= float(frame.get("x")) + float(frame.get("width"))
                assert y + h <= float(frame.get("y")) + float(frame.get("height"))


def test_letters_can_be_read():
    root = parsed(game_at("two"))
    assert int(root.get("width")) == float(root.get("viewBox").split()[2])
    assert min(int(e.get("font-size")) for e in root.iter(f"{SVG}text")) >= 14


def test_the_last_tile_is_outlined_and_what_it_scored_is_said():
    game = Game(Rules(3), seed=8)
    while len(game.trail.tiles) < 12 or not game.trail.last.gains:
        game.play(game.random_action())
    root = parsed(game)
    (last,) = [each for each in root.iter(f"{SVG}rect") if each.get("id", "").endswith("-last")]
    row, column = game.trail.tiles[-1][0]
    assert (row, column) in game.board
    assert float(last.get("x")) == pytest.approx(44 * column + 1)
    assert float(last.get("y")) == pytest.approx(44 * row + 1)
    seat = game.trail.last.seat
    (card,) = [each for each in root if each.get("id", "").endswith(f"-player{seat}")]
    assert f"+{game.trail.last.gains}" in "".join(card.itertext())
    assert not [each for each in parsed(Game(Rules(3), 8)).iter() if each.get("id", "").endswith("-last")]


def test_themes_and_names():
    game = game_at("three, fixed")
    light = svg.render(game, theme="light", names=["Ann", "<Bo>", "Cem"])
    assert svg.render(game) != light
    found = words(ElementTree.fromstring(light))
    assert found["Ann"] == found["<Bo>"] == found["Cem"] == 1
    with pytest.raises(ValueError, match="theme must be one of dark, light, not 'blue'"):
        svg.render(game, theme="blue")
    with pytest.raises(ValueError, match="names must be one for each of 3 players"):
        svg.render(game, names=["Ann"])


def test_highlighted_squares_are_outlined():
    game = game_at("two", 5)
    before = len([*parsed(game).iter(f"{SVG}rect")])
    assert len([*parsed(game, highlight=[(0, 0), (6, 6)]).iter(f"{SVG}rect")]) == before + 2


@pytest.mark.parametrize("width", [1, 640, 900])
def test_width(width):
    root = parsed(game_at("two"), width=width)
    assert float(root.get("width")) == width
    _, _, w, h = map(float, root.get("viewBox").split())
    assert float(root.get("height")) == pytest.approx(width * h / w, abs=0.51)


def test_the_same_position_is_the_same_picture():
    game = game_at("two", 8)
    assert svg.render(game) == svg.render(game.clone()) == game._repr_svg_()


# Hidden tiles.


@both
@pytest.mark.parametrize("name", ["two", "three, fixed", "4 x 7", "few patterns", "5 x 5, fixed"])
def test_hidden_tiles_leave_no_trace(name, render):
    changed = 0
    for moves in (0, 3, 9, 14):
        for row, game in enumerate(batch_at(VARIANTS[name], 6, moves, seed=moves)):
            for viewer in range(game.rules.num_players):
                other = game.clone()
                other.reshuffle_hidden(viewer, seed=row)
                changed += other.racks != game.racks
                assert render(other, viewer=viewer) == render(game, viewer=viewer)
    assert changed > 20


@both
def test_who_can_lay_nothing_is_told_to_its_owner_alone(render):
    stuck = position({(2, 2): "N1"}, ["N1 N2", "S2 S3"], "S1", rack=2, phase="throw")
    lays = position({(2, 2): "N1"}, ["S1 N2", "S2 S3"], "N1", rack=2)
    assert render(stuck, viewer=1) == render(lays, viewer=1)
    for viewer in (0, None):
        turn = "Player 0's turn" if viewer is None else "Your turn"
        assert f"{turn}: no tile fits, the rack may be thrown back" in render(stuck, viewer=viewer)
        assert f"{turn}: lay up to 2 tiles" in render(lays, viewer=viewer)
    assert "Player 0's turn" in render(stuck, viewer=1)


# Texts.


def test_a_whole_text():
    game = position(
        {(2, 2): "NESW1", (2, 3): "NW12"}, ["S1 NE2", "W3 N4"], "E1", rack=2, scores=(7, 123),
        factors="31113 12121 11111 12121 31113",
    )  # fmt: skip
    assert (
        text.render(game, viewer=0)
        == """\
Your turn: lay up to 2 tiles; 1 tile in the bag

      0   1   2   3   4
  0  ×3   ·   ·   ·  ×3
  1   ·  ×2   ·  ×2   ·
  2   ·   ·  ┼1 ┘12   ·
  3   ·  ×2   ·  ×2   ·
  4  ×3   ·   ·   ·  ×3

>player 0     7   ╷1  └2
 player 1   123   ??  ??"""
    )


@every_variant
def test_every_tile_and_every_factor_is_in_the_text(name):
    game = game_at(name)
    lines = text.render(game).split("\n")
    board = [line for line in lines if re.match(r" *\d+ ", line)][1:]
    rows, columns = game.rules.material.shape
    for row in range(rows):
        (line,) = [line for line in board if int(line[:3]) == row][:1]
        for column in range(columns):
            factor = game.rules.material.factors[row][column]
            ends, value = game.board.get((row, column), ("", 0))
            expected = f"{GLYPHS[ends]}{value}" if ends else f"×{factor}" if factor > 1 else "·"
            assert line[3 + 4 * column : 7 + 4 * column].strip() == expected
    for player, rack in enumerate(game.racks):
        (line,) = [each for each in lines if each[1:].startswith(f"player {player} ")]
        assert (
            line.split()[2 + (line[0] == "> ") :][-len(rack) :] == [f"{GLYPHS[e]}{v}" for e, v in rack]
            or game.is_over
        )
        assert (line[0] == ">") == (player == game.to_play and not game.is_over)


def test_colour_adds_codes_only():
    game = game_at("two")
    coloured = text.render(game, colour=True)
    assert coloured != text.render(game)
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == text.render(game)


def headline(game: Game) -> str:
    return text.render(game).split("\n")[0]


def test_headlines():
    game = position({(2, 2): "NESW5"}, ["NS1 NS2 NS3 EW1", "N1 N1 N1 N1"], "E1 E2", rack=4, a_turn=3)
    assert headline(game) == "Player 0's turn: lay up to 3 tiles; 2 tiles in the bag"
    make(game, Lay(tile("EW1"), (2, 3)))
    assert headline(game) == "Player 0's turn: lay up to 2 more tiles; 2 tiles in the bag"
    make(game, Lay(tile("NS1"), (1, 2)))
    assert headline(game) == "Player 0's turn: lay one more tile; 2 tiles in the bag"
    make(game, "stop")
    assert headline(game) == "Player 1's turn: lay up to 3 tiles; 0 tiles in the bag"
    one = position({(2, 2): "NESW5"}, ["NS1", "N1"], "E1 E2", rack=1, a_turn=1)
    assert headline(one) == "Player 0's turn: lay one tile; 2 tiles in the bag"
    fixed = Game(Rules(fixed_rounds=True), 0)
    assert headline(fixed).endswith("66 tiles in the bag, round 1 of 13")


@pytest.mark.parametrize(
    ("scores", "words", "places"),
    [
        ((9, 3, 1, 0), "Player 0 wins, 15 to 3", ["1st", "2nd", "3rd", "4th"]),
        ((0, 6, 6, 3), "Player 0, Player 1 and Player 2 share first place", ["1st, shared"] * 3 + ["4th"]),
        ((0, 3, 3, 8), "Player 3 wins, 8 to 6", ["2nd", "3rd, shared", "3rd, shared", "1st"]),
    ],
)
def test_results(scores, words, places):
    board = {(2, 2): "EW4", (2, 1): "NE1", (1, 1): "ES1", (1, 2): "EW1", (1, 3): "EW1", (1, 4): "W1"}
    game = position(board, ["W2", "", "", ""], rack=1, scores=scores)
    make(game, Lay(tile("W2"), (2, 3)))
    assert game.scores[0] == scores[0] + 6
    lines = text.render(game).split("\n")
    assert lines[0] == f"{words}; 0 tiles in the bag"
    assert [line.split(None, 3)[-1] for line in lines[-4:]] == places
    found = "".join(svg.render(game))
    assert all(f">{place}<" in found for place in places)
    assert words in found


# What is refused.


@both
@pytest.mark.parametrize("viewer", [-1, 3, "0"])
def test_a_viewer_plays_in_the_game(render, viewer):
    with pytest.raises(ValueError, match=r"viewer must be None .* or a player from 0 to 2, not"):
        render(Game(Rules(3), 0), viewer=viewer)


@pytest.mark.parametrize("square", [(13, 0), (0, -1), (0,), 5, "00", (0, 1, 2)])
def test_highlighted_squares_are_on_the_board(square):
    with pytest.raises(ValueError, match=r"highlight takes squares \(row, column\) of 13 × 13, not"):
        svg.render(Game(seed=0), highlight=[square])


@pytest.mark.parametrize("width", [0, -5, 1.5, True, "wide"])
def test_a_width_is_a_number_of_pixels(width):
    with pytest.raises(ValueError, match="width must be a positive whole number of pixels"):
        svg.render(Game(seed=0), width=width)


def test_large_boards_and_racks_have_room():
    for rules in (OWN["19 x 19"], Rules(4, material=LONG, rack_size=7)):
        game = Game(rules, 0)
        tiles = re.findall(r'href="#[^"]*lines\d+"', svg.render(game))
        assert len(tiles) == len(game.board) + sum(map(len, game.racks))
