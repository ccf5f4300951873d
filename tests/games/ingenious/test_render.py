"""Pictures of made-up positions: what is drawn, where, and what must not be."""

import copy
import math
import re
from collections import Counter
from itertools import pairwise
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from ingenious_env.engine.trail import LastTile, Trail
from ingenious_env.games.ingenious import Game
from ingenious_env.games.ingenious.render import look, svg, text
from ingenious_env.games.ingenious.rules import Rules

NAMES = ["red", "green", "blue", "orange", "yellow", "purple"]
SVG = "{http://www.w3.org/2000/svg}"

VARIANTS = {
    "two": Rules(),
    "three": Rules(3),
    "four": Rules(4),
    "solitaire": Rules(1),
    "partnership": Rules(4, teams=True),
    "three a side": Rules(6, teams=True),
    "five": Rules(5, board_side=9),
    "six": Rules(6, board_side=10),
    "small": Rules(2, board_side=3, num_colours=2, rack_size=2),
    "crowded": Rules(6, board_side=3, num_colours=4, rack_size=3),
    "lonely": Rules(1, board_side=10, num_colours=3),
    "long": Rules(2, counter_top=127),
    "short": Rules(2, counter_top=1, double_sheet=True),
}


def position(rules, seed=0, phase="place", **fields):
    """A position that need not come from play: cells, counters and racks at random."""
    rng = np.random.default_rng(seed)
    top = rules.num_colours + 1
    tiles = np.sort(rng.integers(1, top, (rules.num_players, rules.rack_size, 2)))
    values = {
        "board": rng.integers(0, top, len(rules.cells)).astype(np.int8),
        "scores": rng.integers(0, rules.last_space + 1, (rules.num_sheets, rules.num_colours)).astype(
            np.int8
        ),
        "racks": [sorted(map(tuple, rack)) for rack in tiles.tolist()],
        "bag": Counter({(1, 1): 3, (1, 2): 4}),
        "to_play": 0,
        "plays_left": 1,
        "ranks": None,
        "trail": Trail(),
    }
    return SimpleNamespace(rules=rules, phase=phase, is_over=phase == "over", **(values | fields))


def parsed(game, **options):
    return ET.fromstring(svg.render(game, **options))


def part(root, name):
    return next(element for element in root.iter() if element.get("id", "").endswith(f"-{name}"))


def title(element):
    return element.findtext(f"{SVG}title", "")


def titled(element):
    """The cells of the board, or the symbols of a card's tracks."""
    return [each for each in element.iter() if each.tag != f"{SVG}svg" and title(each)]


def texts(element):
    return [e.text for e in element.iter(f"{SVG}text")]


def kind(use):
    """The name of what is used."""
    return use.get("href").rsplit("-", 1)[1]


def kinds(element):
    """The number of uses of each shape."""
    return Counter(kind(use) for use in element.iter(f"{SVG}use"))


def spot(use):
    return float(use.get("x")), float(use.get("y"))


# Boxes: left, top, right, bottom.


def union(boxes):
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def path_box(element):
    x = y = 0.0
    points = []
    for letter, rest in re.findall(r"([MLHaZ])([^MLHaZ]*)", element.get("d")):
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", rest)]
        match letter:
            case "M" | "L":
                x, y = numbers
            case "H":
                x = numbers[0]
            case "a":  # half a circle that starts or ends on the left
                radius, x = numbers[0], x + numbers[5]
                points += [(x, y - radius), (x, y + radius)]
        points.append((x, y))
    down = float(element.get("stroke-width", 1)) / 2 if "stroke" in element.attrib else 0.0
    level = {py for _, py in points} == {y}  # the ends of a line are cut off square
    across = 0.0 if level else down
    return union([(px - across, py - down, px + across, py + down) for px, py in points])


def text_box(element):
    x, y, size = (float(element.get(key)) for key in ("x", "y", "font-size"))
    width = 0.65 * size * len(element.text)  # a wide font
    left = x - {None: 0, "middle": width / 2, "end": width}[element.get("text-anchor")]
    return left, y - 0.8 * size, left + width, y + 0.2 * size


def box(element, root):
    kind = element.tag.removeprefix(SVG)
    if kind == "rect":
        x, y, width, height = (float(element.get(key, 0)) for key in ("x", "y", "width", "height"))
        return x, y, x + width, y + height
    if kind == "path":
        return path_box(element)
    if kind == "text":
        return text_box(element)
    if kind == "use":
        shape = box(next(e for e in root.iter() if e.get("id") == element.get("href")[1:]), root)
        return moved(shape, 1.0, *spot(element))
    inside = union([box(child, root) for child in element if not child.tag.endswith("title")])
    found = re.fullmatch(r"translate\((\S+) (\S+)\) scale\((\S+)\)", element.get("transform", ""))
    if found is None:
        return inside
    x, y, scale = map(float, found.groups())
    return moved(inside, scale, x, y)


def moved(edges, scale, x, y):
    return tuple(scale * edge + shift for edge, shift in zip(edges, (x, y, x, y), strict=True))


def apart(one, other):
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


@pytest.fixture(params=VARIANTS, name="rules")
def _rules(request):
    return VARIANTS[request.param]


def played(rules, moves, seed=3):
    game = Game(rules, seed)
    while not game.is_over and moves:
        game.play(game.random_action())
        moves -= 1
    return game


class TestPicture:
    def test_everything_lies_inside(self, rules):
        root = parsed(position(rules), highlight=[tuple(cell) for cell in rules.cells.tolist()])
        _, _, width, height = map(float, root.get("viewBox").split())
        for element in root:
            if element.tag not in {f"{SVG}title", f"{SVG}defs"}:
                left, top, right, bottom = box(element, root)
                assert min(left, top, width - right, height - bottom) >= 0

    @pytest.mark.parametrize("over", [False, True])
    def test_nothing_overlaps(self, rules, over):
        game = position(rules)
        if over:
            game = position(rules, phase="over", ranks=np.arange(1, rules.num_sheets + 1))
        root = parsed(game, viewer=0)
        cards = [part(root, f"sheet{sheet}") for sheet in range(rules.num_sheets)]
        cards += [part(root, "bag")] if rules.num_players == 1 else []
        lines = [element for element in root if element.tag == f"{SVG}text"]
        boxes = [box(element, root) for element in (*cards, part(root, "board"), *lines)]
        assert all(apart(a, b) for k, a in enumerate(boxes) for b in boxes[:k])
        for card in cards:
            frame = box(card[0], root)
            assert box(card, root) == pytest.approx(frame)  # nothing sticks out of the card
            words = [text_box(element) for element in card.iter(f"{SVG}text")]
            assert all(apart(a, b) for k, a in enumerate(words) for b in words[:k])
            racks = [box(e, root) for e in card if e.tag == f"{SVG}g" and not title(e)]
            assert all(apart(a, b) for k, a in enumerate(racks) for b in [*racks[:k], *words])

    def test_letters_can_be_read(self, rules):
        root = parsed(position(rules))
        assert int(root.get("width")) == float(root.get("viewBox").split()[2])
        assert min(int(e.get("font-size")) for e in root.iter(f"{SVG}text")) >= 14

    def test_is_self_contained(self, rules):
        picture = svg.render(position(rules))
        root = ET.fromstring(picture)
        ids = [element.get("id") for element in root.iter() if element.get("id")]
        assert len(set(ids)) == len(ids)
        assert {use.get("href")[1:] for use in root.iter(f"{SVG}use")} <= set(ids)
        assert picture.count("http") == 1  # the namespace
        assert not {element.tag.removeprefix(SVG) for element in root.iter()} & {"script", "style", "image"}
        assert "var(" not in picture
        assert len(picture) < 75_000

    def test_ids_of_two_pictures_differ(self):
        one, other = (parsed(position(Rules(), seed)) for seed in (0, 1))
        ids = [{element.get("id") for element in root.iter()} - {None} for root in (one, other)]
        assert not ids[0] & ids[1]

    def test_same_position_same_picture(self):
        game = position(Rules())
        before = copy.deepcopy(game)
        assert svg.render(game) == svg.render(before)
        assert game.racks == before.racks
        np.testing.assert_array_equal(game.board, before.board)

    def test_has_a_spoken_name(self):
        root = parsed(position(Rules(), to_play=1, plays_left=2))
        assert root.get("role") == "img"
        assert root.get("aria-label") == title(root) == "Ingenious: Player 1's turn: play 2 tiles"

    @pytest.mark.parametrize("width", [1, 300, np.int64(1800)])
    def test_width(self, width):
        root = parsed(position(Rules()), width=width)
        _, _, across, down = map(float, root.get("viewBox").split())
        assert across % 2 == down % 2 == 0
        assert int(root.get("width")) == width
        assert int(root.get("height")) == max(1, round(width * down / across))

    def test_themes_differ_in_colours_alone(self, rules):
        game = position(rules)
        dark, light = (
            re.sub(r"-[0-9a-f]{8}-", "-", svg.render(game, theme=each)) for each in ("dark", "light")
        )
        assert dark != light
        assert re.sub(r"#[0-9a-f]{6}", "", dark) == re.sub(r"#[0-9a-f]{6}", "", light)

    def test_names(self):
        game = position(Rules(3), to_play=1)
        root = parsed(game, names=["Ann", "<b> & @x", "Cem"], viewer=0)
        assert texts(root)[0] == "<b> & @x's turn"
        assert [texts(part(root, f"sheet{k}"))[0] for k in range(3)] == ["Ann (you)", "<b> & @x", "Cem"]


class TestBoard:
    def test_every_cell_once_and_in_its_place(self, rules):
        game = position(rules)
        uses = titled(part(parsed(game), "board"))
        assert len(uses) == len(rules.cells)
        for use, (q, r) in zip(uses, rules.cells.tolist(), strict=True):
            right, down = math.sqrt(3) * look.CELL * (q + r / 2), 1.5 * look.CELL * r
            assert spot(use) == pytest.approx((right, down), abs=0.01)

    def test_cells_show_what_lies_on_them(self, rules):
        game = position(rules)
        uses = titled(part(parsed(game), "board"))
        for use, (q, r), value in zip(uses, rules.cells.tolist(), game.board.tolist(), strict=True):
            symbol = rules.start_symbols.get((q, r))
            if symbol:
                shape, what = f"start{symbol}", f"{NAMES[symbol - 1]}, start symbol"
            else:
                shape, what = (f"half{value}", NAMES[value - 1]) if value else ("empty", "empty")
            assert kind(use) == shape
            assert title(use) == f"({q}, {r}) {what}"

    def test_halves_are_joined_to_tiles(self, rules):
        game = played(rules, 30)
        root = parsed(game)
        board = part(root, "board")
        drawn = Counter(use.get("href").rsplit("-", 1)[1] for use in board.iter(f"{SVG}use"))
        assert drawn["lone"] == 0
        bodies = [box(use, root) for use in board.iter(f"{SVG}use") if re.match("tile", kind(use))]
        spots = {title(use): spot(use) for use in titled(board)}
        places = {tuple(map(int, re.findall(r"-?\d+", name))): at for name, at in spots.items()}
        expected = []
        replay = Game(rules, 3)
        for action in game.history:
            move = replay.move(action)
            if not isinstance(move, str):
                expected.append([places[cell] for cell, _ in move])
            replay.play(action)
        assert len(bodies) == len(expected) == drawn["tile0"] + drawn["tile1"] + drawn["tile2"]
        for body, ((x1, y1), (x2, y2)) in zip(bodies, expected, strict=True):
            radius, across = look.CELL, look.CELL * math.sqrt(3) / 2
            wanted = min(x1, x2) - across, min(y1, y2) - radius, max(x1, x2) + across, max(y1, y2) + radius
            assert body == pytest.approx(wanted, abs=0.1)

    def test_a_board_without_a_past_has_halves(self):
        game = position(Rules())
        board = part(parsed(game), "board")
        free = [c for c, value in zip(Rules().cells.tolist(), game.board, strict=True) if value]
        lone = [c for c in free if tuple(c) not in Rules().start_symbols]
        assert kinds(board)["lone"] == len(lone)
        assert not [use for use in board.iter(f"{SVG}use") if kind(use).startswith("tile")]

    def test_the_last_tile_is_outlined(self, rules):
        game = played(rules, 9)
        root = parsed(game)
        marked = box(part(root, "last"), root)
        cells = game.trail.tiles[-1]
        (x1, y1), (x2, y2) = map(look.middle, cells)
        middle = (x1 + x2) / 2, (y1 + y2) / 2
        assert ((marked[0] + marked[2]) / 2, (marked[1] + marked[3]) / 2) == pytest.approx(middle, abs=0.1)
        assert not [e for e in parsed(Game(rules, 3)).iter() if e.get("id", "").endswith("-last")]

    def test_highlight(self):
        board = part(parsed(position(Rules()), highlight=[(0, 0), (-1, 0)], theme="light"), "board")
        marks = [path_box(path) for path in list(board)[-2:]]
        middles = [((left + right) / 2, (top + bottom) / 2) for left, top, right, bottom in marks]
        assert middles == [pytest.approx((0, 0)), pytest.approx((-math.sqrt(3) * look.CELL, 0), abs=0.01)]


class TestSheets:
    def test_bars_reach_the_counters(self, rules):
        game = position(rules)
        root = parsed(game)
        track = box(part(root, "track"), root)
        stops = rules.last_space > rules.counter_top
        for sheet, scores in enumerate(game.scores.tolist()):
            card = part(root, f"sheet{sheet}")
            tracks = [spot(use) for use in card.iter(f"{SVG}use") if kind(use) == "track"]
            bars = {
                (float(bar.get("y")) + float(bar.get("height")) / 2): bar
                for bar in card.iter(f"{SVG}rect")
                if bar.get("fill") in look.COLOURS
            }
            for colour, ((x, y), score) in enumerate(zip(tracks, scores, strict=True), 1):
                assert title(titled(card)[colour - 1]) == f"{NAMES[colour - 1]} {score} of {rules.last_space}"
                found = [bar for level, bar in bars.items() if abs(level - y) < 0.01]
                assert len(found) == (score > 0)
                if found:
                    (bar,) = found
                    assert bar.get("fill") == look.COLOURS[colour - 1]
                    assert float(bar.get("x")) == pytest.approx(x, abs=0.01)
                    share = float(bar.get("width")) / (track[2] - track[0])
                    assert share == pytest.approx(score / rules.last_space, abs=0.04 if stops else 0.02)
            numbers = [line for line in texts(card) if re.fullmatch(r"\d+", line)]
            assert numbers[: len(scores)] == [str(score) for score in scores]
            assert " ".join(map(str, sorted(scores))) in texts(card)

    def test_a_full_track_is_full(self, rules):
        game = position(rules)
        game.scores[:] = rules.last_space
        root = parsed(game)
        track = box(part(root, "track"), root)
        bars = [bar for bar in root.iter(f"{SVG}rect") if bar.get("fill") in look.COLOURS]
        assert len(bars) == rules.num_sheets * rules.num_colours
        for bar in bars:
            assert float(bar.get("width")) == pytest.approx(track[2] - track[0], abs=0.01)

    def test_a_double_sheet_has_a_gap_at_its_stop(self):
        ends = {}
        for name, rules in {"single": Rules(), "double": Rules.partnership()}.items():
            path = part(parsed(position(rules)), "track").get("d")
            spaces = [tuple(map(float, pair)) for pair in re.findall(r"M(\S+) 0H([\d.]+)", path)]
            gaps = [start - end for (_, end), (start, _) in pairwise(spaces)]
            assert len(spaces) == rules.last_space
            ends[name] = [number for number, gap in enumerate(gaps, 1) if gap > 3]
        assert ends == {"single": [], "double": [18]}

    def test_the_lowest_colours_are_raised(self):
        game = position(Rules())
        game.scores[:] = [[5, 2, 7, 2, 9, 3], [4] * 6]
        root = parsed(game)
        raised = []
        for sheet in (0, 1):
            card = part(root, f"sheet{sheet}")
            levels = [spot(use)[1] for use in card.iter(f"{SVG}use") if kind(use) == "track"]
            rows = [box(rect, root) for rect in list(card.iter(f"{SVG}rect"))[1:] if rect.get("rx") == "6"]
            raised.append([k for k, y in enumerate(levels) if any(row[1] < y < row[3] for row in rows)])
        assert raised == [[1, 3], []]

    def test_what_the_last_tile_scored(self):
        trail = Trail((((0, 0), (1, 0)),), LastTile(1, np.array([0, 3, 0, 0, 0, 1], np.int8)))
        game = position(Rules(), trail=trail)
        game.scores[1] = [1, 3, 2, 2, 2, 2]
        root = parsed(game)
        gains = [[line for line in texts(part(root, f"sheet{k}")) if "+" in line] for k in (0, 1)]
        assert gains == [[], ["+3", "+1"]]
        outlines = [e for e in part(root, "sheet1").iter(f"{SVG}rect") if e.get("fill") == "none"]
        tracks = [box(e, root) for e in part(root, "sheet1").iter(f"{SVG}use") if kind(e) == "track"]
        assert len(outlines) == 2
        green, purple = (box(each, root) for each in outlines)
        space = (tracks[0][2] - tracks[0][0]) / 18
        assert green[0] == pytest.approx(tracks[1][0], abs=0.01)
        assert green[2] - green[0] == pytest.approx(3 * space, abs=2)
        assert purple[0] == pytest.approx(tracks[5][0] + space, abs=1)

    def test_the_own_sheet_stands_first(self):
        game = position(Rules(4))
        for viewer in range(4):
            root = parsed(game, viewer=viewer)
            corners = {k: box(part(root, f"sheet{k}"), root)[:2] for k in range(4)}
            order = sorted(range(4), key=lambda k: (corners[k][1], corners[k][0]))
            assert order == [(viewer + k) % 4 for k in range(4)]

    def test_partners_share_a_card(self):
        game = position(Rules.partnership(), to_play=3, phase="swap", plays_left=0)
        root = parsed(game)
        words = [texts(part(root, f"sheet{sheet}")) for sheet in (0, 1)]
        assert words[0][:2] == ["Player 0", "Player 2"]
        assert words[1][:3] == ["Player 1", "Player 3", "to move"]

    def test_solitaire_shows_the_bag_by_types(self):
        game = position(Rules.solitaire())
        game.bag = Counter({(1, 1): 3, (2, 5): 14})
        root = parsed(game)
        counts = [int(line) for line in texts(part(root, "bag"))[1:]]
        assert len(counts) == 21
        assert counts[0] == 3
        assert counts[6 + 3] == 14
        assert sum(counts) == 17


def swapped_racks(game, seed=9):
    """The same position with other tiles, equally many, on all racks but player 0's."""
    other = copy.deepcopy(game)
    fresh = position(game.rules, seed).racks
    other.racks[1:] = [new[: len(old)] for new, old in zip(fresh, game.racks, strict=True)][1:]
    other.bag = Counter({(2, 2): game.bag.total()})
    assert other.racks != game.racks
    return other


@pytest.mark.parametrize("render", [svg.render, text.render])
class TestRacks:
    def test_hidden_racks_leave_no_trace(self, render):
        game = position(Rules(3))
        game.racks[1].pop()
        other = swapped_racks(game)
        assert render(game, viewer=0) == render(other, viewer=0)
        assert render(game, viewer=1) != render(other, viewer=1)
        assert render(game) != render(other)

    def test_every_viewer_sees_open_racks(self, render):
        game = position(Rules(3, open_racks=True))
        for viewer in (0, 2):
            assert not re.search(r"\?\?|#[\w-]+-back", render(game, viewer=viewer))
            assert render(game, viewer=viewer) != render(swapped_racks(game), viewer=viewer)


@pytest.mark.parametrize("render", [svg.render, text.render])
class TestOffers:
    """Whether a seat may swap depends on its rack, as do owed placements; observations hide both."""

    @pytest.mark.parametrize("viewer", [0, 2])
    def test_an_offer_to_swap_leaves_no_trace_for_others(self, render, viewer):
        pictures = {
            render(position(Rules(3), phase=phase, to_play=1, plays_left=plays), viewer=viewer)
            for phase, plays in (("swap", 0), ("place", 1), ("place", 3))
        }
        (picture,) = pictures
        assert "swap" not in picture
        assert "Player 1's turn" in picture

    @pytest.mark.parametrize("viewer", [1, None])
    def test_its_owner_and_who_sees_everything_read_of_it(self, render, viewer):
        game = position(Rules(3), phase="swap", to_play=1, plays_left=0)
        turn = "Your turn" if viewer == 1 else "Player 1's turn"
        assert f"{turn}: swap all tiles, or keep them" in render(game, viewer=viewer)
        game = position(Rules(3), to_play=1, plays_left=3)
        assert f"{turn}: play 3 tiles" in render(game, viewer=viewer)
        few = position(Rules(3), to_play=1, plays_left=3, racks=[[(1, 2)], [(1, 2), (3, 4)], [(1, 2)]])
        assert f"{turn}: play 2 tiles" in render(few, viewer=viewer)

    def test_with_open_racks_all_do(self, render):
        game = position(Rules(3, open_racks=True), phase="swap", to_play=1, plays_left=0)
        assert "Player 1's turn: swap all tiles, or keep them" in render(game, viewer=0)

    def test_partners_do_not_see_each_other_s(self, render):
        game = position(Rules.partnership(), phase="swap", to_play=3, plays_left=0)
        assert "swap" not in render(game, viewer=1)


class TestFaceDown:
    def test_own_rack_is_shown_and_others_lie_face_down(self):
        game = position(Rules(3))
        game.racks = [[(1, 2), (3, 3)], [(4, 5)], [(1, 6)] * 6]
        root = parsed(game, viewer=0)
        racks = [kinds(part(root, f"sheet{sheet}")) for sheet in range(3)]
        slots = [(rack["tile0"], rack["back"], rack["slot"]) for rack in racks]
        assert slots == [(2, 0, 4), (0, 1, 5), (0, 6, 0)]
        # next to one symbol of each track
        assert [racks[0][f"half{colour}"] - 1 for colour in range(1, 7)] == [1, 1, 2, 0, 0, 0]
        assert [racks[2][f"half{colour}"] - 1 for colour in range(1, 7)] == [0] * 6
        assert "back" not in kinds(parsed(game))


class TestHeadline:
    @pytest.mark.parametrize(
        ("fields", "words"),
        [
            ({"plays_left": 1}, "Player 0's turn: play a tile"),
            ({"to_play": np.int64(2), "plays_left": 3}, "Player 2's turn: play 3 tiles"),
            ({"phase": "swap", "to_play": 1}, "Player 1's turn: swap all tiles, or keep them"),
        ],
    )
    def test_turn(self, fields, words):
        self.check(position(Rules(3), **fields), words)

    @pytest.mark.parametrize(
        ("rules", "scores", "ranks", "words"),
        [
            (
                Rules(3), [[3, 4, 5, 6, 7, 8], [9, 4, 9, 9, 9, 9], [8, 8, 3, 3, 8, 8]], [2, 1, 3],
                "Player 1 wins by the lowest counter, 4 to 3",
            ),
            (
                Rules(3), [[3, 9, 5, 4, 7, 8], [3, 4, 5, 6, 7, 8], [9, 9, 9, 9, 9, 2]], [1, 2, 3],
                "Player 0 wins by the fourth-lowest counter, 7 to 6",
            ),
            (
                Rules(3), [[1, 2, 2, 2, 2, 2], [0, 0, 0, 0, 0, 0], [2, 2, 2, 2, 3, 1]], [2, 3, 1],
                "Player 2 wins by the sixth-lowest counter, 3 to 2",
            ),
            (Rules(3), [[1] * 6, [0] * 6, [1] * 6], [1, 3, 1], "Player 0 and Player 2 share first place"),
            (Rules(3), [[1] * 6] * 3, [1] * 3, "Player 0, Player 1 and Player 2 share first place"),
            (
                Rules.partnership(), [[9, 9, 9, 9, 9, 9], [9, 9, 9, 9, 36, 10]], [2, 1],
                "Player 1 and Player 3 win by the fifth-lowest counter, 10 to 9",
            ),
            (
                Rules.partnership(), [[7] * 6] * 2, [1, 1],
                "Player 0 and Player 2, and Player 1 and Player 3 share first place",
            ),
            (Rules.solitaire(), [[5, 4, 3, 6, 7, 8]], [1], "Game over: lowest counter 3"),
        ],
    )  # fmt: skip
    def test_result(self, rules, scores, ranks, words):
        game = position(rules, phase="over", ranks=np.array(ranks), scores=np.array(scores, np.int8))
        self.check(game, words)

    def check(self, game, words):
        assert words in texts(parsed(game))
        assert text.render(game).startswith(f"{words}; 7 tiles in the bag\n")

    def test_your_turn(self):
        assert texts(parsed(position(Rules(3), to_play=1), viewer=1))[0] == "Your turn: play a tile"

    def test_final_places(self):
        game = position(Rules(4), phase="over", ranks=np.array([4, 2, 1, 2]))
        root = parsed(game)
        places = [part(root, f"sheet{sheet}").findall(f"{SVG}text")[1].text for sheet in range(4)]
        assert places == ["4th", "2nd, shared", "1st", "2nd, shared"]
        lines = [line for line in text.render(game).splitlines() if line.startswith(" player")][:4]
        assert all(line.endswith(f"   {place}") for line, place in zip(lines, places, strict=True))


class TestText:
    def test_a_whole_picture(self):
        game = position(Rules(2, board_side=3, num_colours=6, rack_size=2))
        game.board[:] = [0, 0, 0, 0, 1, 2, 0, 0, 0, 3, 0, 0, 4, 5, 6, 0, 0, 0, 0]
        game.scores[:] = [[0, 1, 2, 3, 4, 5], [18, 0, 0, 0, 0, 10]]
        game.racks = [[(1, 6), (3, 3)], [(2, 4)]]
        assert text.render(game, viewer=1).splitlines() == [
            "Player 0's turn; 7 tiles in the bag",
            "",
            "   R . G",
            "  . r g .",
            " P . b . B",
            "  o y p .",
            "   Y . O",
            "",
            " counters     r   g   b   o   y   p   of 18",
            " player 0     0   1   2   3   4   5",
            " player 1    18   0   0   0   0  10",
            "",
            " racks",
            ">player 0    ??  ??",
            " player 1    go",
        ]

    def test_partnership_lines(self):
        lines = text.render(position(Rules.partnership())).splitlines()
        assert any(line.endswith("of 36, with a stop at 18") for line in lines)
        assert any(re.fullmatch(r" team 1  ( +\d+){6}   players 1 3", line) for line in lines)

    def test_colour_adds_codes_only(self, rules):
        game = position(rules)
        coloured = text.render(game, colour=True)
        assert "\x1b[" in coloured
        assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == text.render(game)

    def test_columns_line_up(self, rules):
        block = text.render(position(rules)).split("\n\n")[1].splitlines()
        rows = {r: set() for r in rules.cells[:, 1].tolist()}
        for q, r in rules.cells.tolist():
            rows[r].add(2 * q + r)
        shift = 2 * rules.board_side - 1
        for line, (_, columns) in zip(block, sorted(rows.items()), strict=True):
            assert {at - shift for at, letter in enumerate(line) if letter != " "} == columns


class TestErrors:
    @pytest.mark.parametrize("render", [svg.render, text.render])
    @pytest.mark.parametrize("viewer", [-1, 2, "0"])
    def test_viewer(self, render, viewer):
        with pytest.raises(ValueError, match=f"from 0 to 1, not {viewer!r}"):
            render(position(Rules()), viewer=viewer)

    @pytest.mark.parametrize("cell", [(6, 0), (5, 5), (0,), 0, None])
    def test_highlight(self, cell):
        with pytest.raises(ValueError, match=re.escape(f"below 6, not {cell!r}")):
            svg.render(position(Rules()), highlight=[(0, 0), cell])

    @pytest.mark.parametrize("width", [0, -3, 1.5, float("nan"), True, "wide"])
    def test_width(self, width):
        with pytest.raises(ValueError, match=f"positive whole number of pixels, or None, not {width!r}"):
            svg.render(position(Rules()), width=width)

    @pytest.mark.parametrize("names", [["one"], ["a", "b", "c"], "ab"])
    def test_names(self, names):
        with pytest.raises(ValueError, match="names must be one for each of 2 players"):
            svg.render(position(Rules()), names=names)

    def test_theme(self):
        with pytest.raises(ValueError, match="theme must be one of dark, light, not 'blue'"):
            svg.render(position(Rules()), theme="blue")
