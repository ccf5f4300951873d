"""Pictures of made-up positions: what is drawn, where, and what must not be."""

import copy
import math
import re
from collections import Counter
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from ingenious_env.games.ingenious.render import svg, text
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
    }
    return SimpleNamespace(rules=rules, phase=phase, is_over=phase == "over", **(values | fields))


def parsed(game, **options):
    return ET.fromstring(svg.render(game, **options))


def part(root, name):
    return next(element for element in root.iter() if element.get("id", "").endswith(f"-{name}"))


def title(element):
    return element.findtext(f"{SVG}title", "")


def titled(element):
    """The cells of the board, or the counters of a card."""
    return [use for use in element.iter(f"{SVG}use") if title(use)]


def texts(element, size=None):
    """What is written, in letters of that size."""
    return [e.text for e in element.iter(f"{SVG}text") if size is None or e.get("font-size") == str(size)]


def spot(use):
    """Where a `use` puts its shape."""
    if "transform" in use.attrib:
        x, y = re.match(r"translate\((\S+) (\S+)\)", use.get("transform")).groups()
        return float(x), float(y)
    return float(use.get("x")), float(use.get("y"))


def kinds(root):
    """How often each shape is used."""
    return Counter(use.get("href").rsplit("-", 1)[1] for use in root.iter(f"{SVG}use"))


# Boxes: left, top, right, bottom.


def union(boxes):
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def path_box(element):
    x = y = 0.0
    points = []
    for letter, rest in re.findall(r"([MLHhaZ])([^MLHhaZ]*)", element.get("d")):
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", rest)]
        match letter:
            case "M" | "L":
                x, y = numbers
            case "H":
                x = numbers[0]
            case "h":
                x += numbers[0]
            case "a":  # half a circle that starts or ends on the left
                radius, x = numbers[0], x + numbers[5]
                points += [(x, y - radius), (x, y + radius)]
        points.append((x, y))
    down = float(element.get("stroke-width", 1)) / 2 if "stroke" in element.attrib else 0.0
    level = {py for _, py in points} == {y}  # the ends of a line are cut off square
    across = 0.0 if level and "stroke-linecap" not in element.attrib else down
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
        scale = re.search(r"scale\((\S+)\)", element.get("transform", "scale(1)")).group(1)
        return tuple(
            float(scale) * edge + shift for edge, shift in zip(shape, spot(element) * 2, strict=True)
        )
    return union([box(child, root) for child in element if not child.tag.endswith("title")])


def apart(one, other):
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


@pytest.fixture(params=VARIANTS, name="rules")
def _rules(request):
    return VARIANTS[request.param]


class TestPicture:
    def test_everything_lies_inside(self, rules):
        root = parsed(position(rules), highlight=[tuple(cell) for cell in rules.cells.tolist()])
        _, _, width, height = map(float, root.get("viewBox").split())
        for element in root:
            if element.tag not in {f"{SVG}title", f"{SVG}defs"}:
                left, top, right, bottom = box(element, root)
                assert min(left, top, width - right, height - bottom) >= 0

    def test_nothing_overlaps(self, rules):
        for game in (position(rules), position(rules, phase="over", ranks=np.ones(rules.num_sheets, int))):
            root = parsed(game)
            cards = [part(root, f"sheet{sheet}") for sheet in range(rules.num_sheets)]
            lines = [element for element in root if element.tag == f"{SVG}text"]
            boxes = [box(element, root) for element in (*cards, part(root, "board"), *lines)]
            assert all(apart(a, b) for k, a in enumerate(boxes) for b in boxes[:k])
            for card in cards:
                frame = box(card[0], root)
                assert box(card, root) == pytest.approx(frame)  # nothing sticks out of the card
                words = [text_box(element) for element in card.iter(f"{SVG}text")]
                assert all(apart(a, b) for k, a in enumerate(words) for b in words[:k])

    def test_counters_leave_their_numbers_free(self, rules):
        game = position(rules)
        game.scores[:] = rules.last_space
        root = parsed(game)
        for sheet in range(rules.num_sheets):
            card = part(root, f"sheet{sheet}")
            counters = [box(use, root) for use in titled(card)]
            numbers = [text_box(e) for e in card.iter(f"{SVG}text") if e.get("font-size") == "14"]
            assert len(counters) == len(numbers) == rules.num_colours
            assert all(apart(counter, number) for counter in counters for number in numbers)

    def test_is_self_contained(self, rules):
        picture = svg.render(position(rules))
        root = ET.fromstring(picture)
        ids = [element.get("id") for element in root.iter() if element.get("id")]
        assert len(set(ids)) == len(ids)
        assert {use.get("href")[1:] for use in root.iter(f"{SVG}use")} <= set(ids)
        assert picture.count("http") == 1  # the namespace
        assert not {element.tag.removeprefix(SVG) for element in root.iter()} & {"script", "style", "image"}
        assert len(picture) < 60_000

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
        assert root.get("aria-label") == title(root) == "Ingenious: Player 1 to place, 2 plays left"

    @pytest.mark.parametrize("width", [1, 300, np.int64(1800)])
    def test_width(self, width):
        root = parsed(position(Rules()), width=width)
        _, _, across, down = map(float, root.get("viewBox").split())
        assert int(root.get("width")) == width
        assert int(root.get("height")) == max(1, round(width * down / across))


class TestBoard:
    def test_every_cell_once_and_in_its_place(self, rules):
        game = position(rules)
        uses = titled(part(parsed(game), "board"))
        assert len(uses) == len(rules.cells)
        places = dict(zip(map(tuple, rules.cells.tolist()), map(spot, uses), strict=True))
        x, y = places[0, 0]
        size = (places[0, 1][1] - y) / 1.5
        for (q, r), place in places.items():
            right, down = math.sqrt(3) * size * (q + r / 2), 1.5 * size * r
            assert place == pytest.approx((x + right, y + down), abs=0.2)

    def test_cells_show_what_lies_on_them(self, rules):
        game = position(rules)
        uses = titled(part(parsed(game), "board"))
        for use, (q, r), value in zip(uses, rules.cells.tolist(), game.board.tolist(), strict=True):
            symbol = rules.start_symbols.get((q, r))
            if symbol:
                kind, what = f"start{symbol}", f"{NAMES[symbol - 1]}, start symbol"
            else:
                kind, what = (f"tile{value}", NAMES[value - 1]) if value else ("empty", "empty")
            assert use.get("href").endswith(f"-{kind}")
            assert title(use) == f"({q}, {r}) {what}"

    def test_highlight(self):
        game = position(Rules())
        board = part(parsed(game, highlight=[(0, 0), (-1, 0)]), "board")
        places = {title(use).partition(")")[0]: spot(use) for use in titled(board)}
        marks = [spot(use) for use in board.iter(f"{SVG}use") if use.get("href").endswith("-mark")]
        assert marks == [places["(0, 0"], places["(-1, 0"]]


class TestSheets:
    def test_counters_stand_where_they_should(self, rules):
        game = position(rules)
        root = parsed(game)
        for sheet, scores in enumerate(game.scores.tolist()):
            card = part(root, f"sheet{sheet}")
            counters = titled(card)
            tracks = [use for use in card.iter(f"{SVG}use") if use.get("href").endswith("-track")]
            length = box(tracks[0], root)[2] - box(tracks[0], root)[0]
            for colour, (counter, track, score) in enumerate(zip(counters, tracks, scores, strict=True), 1):
                assert title(counter) == f"{NAMES[colour - 1]} {score} of {rules.last_space}"
                assert counter.get("href").endswith(f"-tile{colour}")
                (x, y), (start, level) = spot(counter), spot(track)
                assert y == level
                assert x - start == pytest.approx((score + 0.5) * length / (rules.last_space + 1), abs=2)
            assert texts(card, size=14) == [str(score) for score in scores]

    def test_ends_of_a_sheet(self, rules):
        ends = {0, rules.counter_top, rules.last_space}
        card = part(parsed(position(rules)), "sheet0")
        assert texts(card, size=10) == [str(end) for end in sorted(ends)]

    def test_partners_share_a_card(self):
        root = parsed(position(Rules.partnership(), to_play=3, phase="swap", plays_left=0))
        words = [texts(part(root, f"sheet{sheet}")) for sheet in (0, 1)]
        assert words[0][:2] == ["Player 0 · team 0", "Player 2 · team 0"]
        assert words[1][:3] == ["Player 1 · team 1", "Player 3 · team 1", "may swap"]


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
        assert render(game, viewer=0) == render(game, viewer=2) == render(game)
        assert render(game, viewer=0) != render(swapped_racks(game), viewer=0)


@pytest.mark.parametrize("render", [svg.render, text.render])
class TestOffers:
    """That a seat may swap tells of its rack, as does what it still owes; observations withhold both."""

    @pytest.mark.parametrize("viewer", [0, 2])
    def test_an_offer_to_swap_leaves_no_trace_for_others(self, render, viewer):
        pictures = {
            render(position(Rules(3), phase=phase, to_play=1, plays_left=plays), viewer=viewer)
            for phase, plays in (("swap", 0), ("place", 1), ("place", 3))
        }
        (picture,) = pictures
        assert "swap" not in picture
        assert "Player 1 to move" in picture

    @pytest.mark.parametrize("viewer", [1, None])
    def test_its_owner_and_who_sees_everything_read_of_it(self, render, viewer):
        game = position(Rules(3), phase="swap", to_play=1, plays_left=0)
        assert "Player 1 may swap the rack" in render(game, viewer=viewer)
        game = position(Rules(3), to_play=1, plays_left=3)
        assert "Player 1 to place, 3 plays left" in render(game, viewer=viewer)

    def test_with_open_racks_all_do(self, render):
        game = position(Rules(3, open_racks=True), phase="swap", to_play=1, plays_left=0)
        assert "Player 1 may swap the rack" in render(game, viewer=0)

    def test_partners_do_not_see_each_other_s(self, render):
        game = position(Rules.partnership(), phase="swap", to_play=3, plays_left=0)
        assert "swap" not in render(game, viewer=1)


class TestFaceDown:
    def test_own_rack_is_shown_and_others_lie_face_down(self):
        game = position(Rules(3))
        game.racks = [[(1, 2), (3, 3)], [(4, 5)], [(1, 6)] * 6]
        root = parsed(game, viewer=0)
        racks = [kinds(part(root, f"sheet{sheet}")) for sheet in range(3)]
        slots = [(rack["body"], rack["back"], rack["slot"]) for rack in racks]
        assert slots == [(2, 0, 4), (0, 1, 5), (0, 6, 0)]
        # next to one counter of each colour
        assert [racks[0][f"tile{colour}"] - 1 for colour in range(1, 7)] == [1, 1, 2, 0, 0, 0]
        assert [racks[2][f"tile{colour}"] - 1 for colour in range(1, 7)] == [0] * 6
        assert "back" not in kinds(parsed(game))


class TestHeadline:
    @pytest.mark.parametrize(
        ("fields", "words"),
        [
            ({"plays_left": 1}, "Player 0 to place, 1 play left"),
            ({"to_play": np.int64(2), "plays_left": 3}, "Player 2 to place, 3 plays left"),
            ({"phase": "swap", "to_play": 1}, "Player 1 may swap the rack"),
        ],
    )
    def test_turn(self, fields, words):
        self.check(position(Rules(3), **fields), words)

    @pytest.mark.parametrize(
        ("rules", "ranks", "words"),
        [
            (Rules(3), [2, 1, 3], "player 1 wins"),
            (Rules(3), [1, 3, 1], "players 0 and 2 share first place"),
            (Rules(3), [1, 1, 1], "players 0, 1 and 2 share first place"),
            (Rules.partnership(), [2, 1], "team 1 (players 1 and 3) wins"),
            (Rules.partnership(), [1, 1], "teams 0 and 1 share first place"),
            (Rules.solitaire(), [1], "lowest counter 3"),
        ],
    )
    def test_result(self, rules, ranks, words):
        game = position(rules, phase="over", ranks=np.array(ranks))
        game.scores[0] = [5, 4, 3, 6, 7, 8]
        self.check(game, f"Game over: {words}")

    def check(self, game, words):
        assert words in texts(parsed(game))
        assert text.render(game).startswith(f"{words}; 7 tiles in the bag\n")

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
            "Player 0 to move; 7 tiles in the bag",
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

    @pytest.mark.parametrize("width", [0, -3, 1.5, float("nan"), None])
    def test_width(self, width):
        with pytest.raises(ValueError, match=f"positive whole number of pixels, not {width}"):
            svg.render(position(Rules()), width=width)
