"""Deliberate bugs in games that are followed at a real table, in Python and on pages."""

from __future__ import annotations

from functools import partial

from locate import Mutation

UNSEEN, TABLE, WEB, PAGE, BEGINNING, LAYING, HEXES, SQUARES, STORE = (
    f"ingenious_env/{name}"
    for name in (
        "engine/unseen.py",
        "policies/real_table.py",
        "web/real.py",
        "web/static/real.js",
        "web/static/begun.js",
        "web/static/laying.js",
        "games/ingenious/page/layout.js",
        "games/loopit/page/layout.js",
        "web/static/store.js",
    )
)
_table = partial(Mutation, tests="real_table")
_page = partial(Mutation, tests="browser_real")

FOLLOWED = [
    _table(
        "turns-of-others-end-too-early",
        UNSEEN,
        "Unseen.played",
        r"range\(2\)",
        "range(1)",
        "the turn of another seat goes on while it may have a tile that fits",
    ),
    _table(
        "others-are-stuck-with-what-fits",
        UNSEEN,
        "Unseen.ready",
        r"if ways:",
        "if False:",
        "another seat can lay any tile that it may have",
    ),
    _table(
        "others-throw-back-what-fits",
        UNSEEN,
        "Unseen.chosen",
        r" if tile not in barred",
        "",
        "who throws a rack back has no tile that fits",
    ),
    _table(
        "the-own-rack-is-dealt-anew",
        UNSEEN,
        "Unseen.dealt",
        r"\{self\.seat: rack_of\(game, self\.seat\)\} \| ",
        "",
        "the own tiles are known",
    ),
    _table(
        "thrown-racks-draw-what-they-like",
        TABLE,
        "RealTable._after_own",
        r"or not choice\.returns_rack",
        "or choice.returns_rack",
        "a rack thrown back is drawn anew from a bag with its tiles",
    ),
    _table(
        "swaps-draw-what-is-missing",
        TABLE,
        "RealTable._draws",
        r"choice\.shows_rack or choice\.returns_rack",
        "choice.returns_rack",
        "a swap draws a whole rack",
    ),
    _table(
        "swaps-of-the-own-seat-are-late",
        TABLE,
        "RealTable._shows_late",
        r"last\.seat != self\.seat and ",
        "",
        "only another seat swaps after its turn was taken to be over",
    ),
    _table(
        "any-number-of-tiles-is-shown",
        TABLE,
        "RealTable._after_show",
        r"len\(shown\) != size",
        "len(shown) > size",
        "a swap shows the whole rack",
    ),
    _table(
        "taken-back-entries-are-listed",
        TABLE,
        "RealTable.take_back",
        r", self\._entries\[-number:\]",
        "",
        "entries that are taken back are gone",
    ),
]

ENTERED = [
    Mutation(
        "palette-slots-all-begin-at-0",
        WEB,
        "real_scene",
        r"len\(rack\) \+ slot",
        "slot",
        "a placement names the place of its tile among all that are shown",
        tests="real",
    ),
    Mutation(
        "thrown-racks-are-not-drawn-again",
        WEB,
        "draws_of",
        r"real\.rack if choice and choice\.returns_rack else \[\]",
        "[]",
        "a tile that was thrown back can be drawn again",
        tests="real",
    ),
    _page(
        "page-picks-more-tiles-than-there-are",
        PAGE,
        "tilePicker",
        r"number - chosen\.filter\(\(each\) => each === text\)\.length",
        "number",
        "a tile can be chosen as often as it is left",
    ),
    _page(
        "page-picks-too-many-tiles",
        PAGE,
        "tilePicker",
        r" \|\| chosen\.length >= count",
        "",
        "no more tiles can be chosen than are asked for",
    ),
    _page(
        "page-asks-for-no-draws",
        PAGE,
        "enter",
        r"if \(number\)",
        "if (number > 9)",
        "the tiles that were drawn are asked for",
    ),
    _page(
        "page-hints-for-others",
        STORE,
        "isOthers",
        r"!== app\.table\.real\.seat",
        "=== app.table.real.seat",
        "there are hints for the own moves only",
    ),
]

BEGUN = [
    Mutation(
        "a-choice-can-lie-on-the-board",
        TABLE,
        "RealTable._placed",
        r"is not None",
        "is None and False",
        "the tiles on the board are moves that lay one",
        tests="real_table",
    ),
    Mutation(
        "begun-games-count-anything",
        TABLE,
        "_checked",
        r" and not isinstance\(each, bool\)",
        "",
        "true is no number",
        tests="real_table",
    ),
    Mutation(
        "begun-games-are-the-own-turn",
        WEB,
        "real_table",
        r"to_play=to_play",
        "to_play=seat",
        "another seat may be next to move",
        tests="real",
    ),
    _page(
        "page-begun-games-are-the-first-seats-turn",
        BEGINNING,
        "begunGame",
        r"to_play: turn",
        "to_play: 0",
        "the seat that was chosen is next to move",
    ),
    _page(
        "page-lines-only-part-tiles",
        BEGINNING,
        "begunGame",
        r"\[\\n;\]",
        r"\\n",
        "tiles are parted by lines or semicolons",
    ),
    _page(
        "page-a-refused-table-closes-its-dialog",
        PAGE,
        "form",
        r"if \(!made\) return redraw\(\);",
        "",
        "why a table is refused is said in its dialog",
    ),
]

LAID = [
    _page(
        "page-capital-moves-are-not-drawn",
        LAYING,
        "linesOf",
        r", text\.toLowerCase\(\)",
        "",
        "moves are drawn as people type them",
    ),
    _page(
        "page-tiles-stay-in-hand",
        LAYING,
        "draw",
        r"drawing\.drop\(\);",
        "",
        "a tile that is laid is no longer in hand",
    ),
    _page(
        "page-another-tile-is-taken-away",
        LAYING,
        "draw",
        r"line !== lines\[at\]\.line",
        "line === lines[at].line",
        "only the tile that was clicked is taken away",
    ),
    _page(
        "page-tiles-laid-are-left",
        LAYING,
        "draw",
        r"number - tiles\.filter\(\(each\) => each === String\(tile\)\)\.length",
        "number",
        "a type whose tiles are all laid cannot be chosen",
    ),
    _page(
        "page-typed-tiles-are-not-drawn",
        BEGINNING,
        "begunFields",
        r"if \(choice\.layout\) draw",
        "if (!choice.layout) draw",
        "the board has the tiles of the text",
    ),
    _page(
        "page-laid-tiles-may-overlap",
        HEXES,
        "sceneOf",
        r"pair\.some\(",
        "pair.every(",
        "a tile lies on two free cells",
    ),
    _page(
        "page-squares-are-free-when-taken",
        SQUARES,
        "cellsOf",
        r"row < rows && column < columns",
        "row < 0",
        "a tile covers its square",
    ),
]

MUTATIONS = [*FOLLOWED, *ENTERED, *BEGUN, *LAID]
