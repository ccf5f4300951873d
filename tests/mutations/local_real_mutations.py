"""Deliberate bugs in the JavaScript of pages without a server: games at real tables, positions as text."""

from __future__ import annotations

from functools import partial

from locate import Mutation

REAL, BEGIN, SESSION, UNSEEN, POSITIONS = (
    f"ingenious_env/web/local/{name}.js"
    for name in ("real", "real_begin", "real_session", "unseen", "positions")
)
HEXES, HEX_TEXT, SQUARES, SQUARE_TEXT = (
    f"ingenious_env/games/{game}/page/{name}.js"
    for game in ("ingenious", "loopit")
    for name in ("real", "notation")
)

_real = partial(Mutation, tests="requests_real")
_kept = partial(Mutation, tests="page_real")
_positions = partial(Mutation, tests="requests_positions")

SHOWN = [
    _real(
        "local-real-every-game-has-a-start-tile",
        REAL,
        "dealOf",
        r"preset\.deal\.includes\(null\)",
        "preset.deal.includes(0)",
        "the tile on the start square is asked for only where there is one",
    ),
    _kept(
        "local-real-reloads-lose-the-last-entry",
        REAL,
        "reopened",
        r"of kept\.entries\)",
        "of kept.entries.slice(0, -1))",
        "a reload loses no entry",
    ),
    _real(
        "local-real-made-up-racks-are-revealed",
        REAL,
        "RealTable.state",
        r"\.\.\.seen, \.\.\.latest",
        "...found, ...latest",
        "what is made up of hidden tiles is never shown as their racks",
    ),
    _real(
        "local-real-played-moves-of-the-latest-turn",
        REAL,
        "RealTable.reviewed",
        r"session\.turns\[.*?\(this\.turnsAt\(seat, number\)\)\]",
        "session.latest",
        "a review marks the move that was played in the position that is shown",
    ),
    _real(
        "local-real-thrown-tiles-are-not-drawn-again",
        REAL,
        "RealTable.draws",
        r"\(counts\.get\(type\) \|\| 0\) \+ 1",
        "counts.get(type) || 0",
        "a tile that was thrown back can be drawn again",
    ),
    _real(
        "local-real-hints-for-made-up-racks",
        REAL,
        "RealTable.checkAdvised",
        r"position\.toPlay !== this\.session\.seat",
        "position.isOver",
        "there is no advice for a seat whose rack is made up",
    ),
    _real(
        "local-real-tiles-to-choose-overlap",
        REAL,
        "RealTable.scene",
        r"\[rack\.length \+ slot, \.\.\.rest\]",
        "[first + slot + 1, ...rest]",
        "a legal move names the place of its tile among all that another seat may hold",
    ),
]

BEGUN = [
    _real(
        "local-real-deals-of-too-few-tiles",
        BEGIN,
        "dealt",
        r"types\.length !== number",
        "types.length > number",
        "the tiles of a deal that are missing are told",
    ),
    _real(
        "local-real-streams-of-the-deal-are-not-set",
        BEGIN,
        "dealt",
        r"for \(const \[name, word\] of Object\.entries\(real\.preset\.dealt\)\) "
        r"game\.field\(name\)\[0\] = BigInt\(word\);",
        "",
        "agents choose at the beginning as they do with a server",
    ),
    _real(
        "local-real-seats-that-there-are-not-move",
        BEGIN,
        "begun",
        r'session\.checkSeat\("to_play", toPlay\);',
        "",
        "the seat to move is one of the game",
    ),
    _real(
        "local-real-the-highest-score-is-refused",
        BEGIN,
        "checked",
        r"each > highest",
        "each >= highest",
        "a score may be the highest one",
    ),
    _real(
        "local-real-others-need-no-full-racks",
        BEGIN,
        "place",
        r" \|\| rest\.length < \(players - 1\) \* slots",
        "",
        "there are tiles for the racks of all others",
    ),
    _real(
        "local-real-racks-are-unsorted",
        BEGIN,
        "place",
        r"\[\.\.\.rack\]\.sort\(\(a, b\) => a - b\)",
        "rack",
        "a rack is sorted, in whichever order its tiles were named",
    ),
    _real(
        "local-real-the-rest-is-told-as-given",
        BEGIN,
        "others",
        r"given: number - left\[lacking\]",
        "given: -left[lacking]",
        "a refusal says how many tiles of a type were given",
    ),
]

FOLLOWED = [
    _real(
        "local-real-positions-outlive-their-entries",
        SESSION,
        "RealSession.takeBack",
        r"this\.positions\.splice\(this\.positions\.length - count\);",
        "",
        "an entry that is taken back changes nothing any more",
    ),
    _real(
        "local-real-swaps-after-the-own-turn",
        SESSION,
        "RealSession.showsLate",
        r"latest\.seat !== this\.seat && ",
        "",
        "only another seat swaps after its turn was taken to be over",
    ),
    _real(
        "local-real-swaps-before-a-bonus-tile",
        SESSION,
        "RealSession.numShown",
        r" \|\| now\.toPlay === latest\.seat",
        "",
        "a swap ends a turn, after the bonus tiles",
    ),
    _real(
        "local-real-fewer-tiles-are-drawn",
        SESSION,
        "RealSession.followingOwn",
        r"number !== drawn\.length",
        "number < drawn.length",
        "all tiles that the own seat draws are entered",
    ),
    _real(
        "local-real-shown-tiles-are-forgotten",
        SESSION,
        "RealSession.followingShow",
        r"move\.text, new Map\(\[\[seat, shown\]\]\)\)",
        "move.text)",
        "the tiles that a swap has shown are known from then on",
    ),
    _real(
        "local-real-swaps-that-the-rules-forbid",
        SESSION,
        "RealSession.followingShow",
        r" \|\| position\.toPlay !== seat \|\| !offers\(position, move\.text\)",
        "",
        "nobody swaps a rack with a tile of the lowest colour",
    ),
]

MADE_UP = [
    _real(
        "local-real-barred-tiles-come-last",
        UNSEEN,
        "Unseen.left",
        r"Number\(first\.has\(other\)\) - Number\(first\.has\(one\)\)",
        "Number(first.has(one)) - Number(first.has(other))",
        "another seat has a tile that fits as long as it may have one",
    ),
    _real(
        "local-real-laid-tiles-are-not-marked",
        UNSEEN,
        "Unseen.moved",
        r"\[\.\.\.trail\.placements, position\.split\(action\)\[1\]\]",
        "trail.placements",
        "the picture marks the tile that was laid last",
    ),
    _real(
        "local-real-own-choices-are-made",
        UNSEEN,
        "Unseen.ready",
        r"now\.toPlay === this\.seat \|\| ",
        "",
        "the own seat makes its choices itself",
    ),
    _real(
        "local-real-phases-of-new-racks-are-lost",
        UNSEEN,
        "Unseen.redealt",
        r"return changed\(found\);",
        "return found;",
        "a seat that gets a rack with a tile that fits lays one",
    ),
]

READ = [
    _positions(
        "local-positions-short-words",
        POSITIONS,
        "readLine",
        r"\{16\}",
        "{1,16}",
        "a key has 16 digits, so that a digit that was lost is noticed",
    ),
    _positions(
        "local-positions-too-many-tiles",
        POSITIONS,
        "read",
        r'if \(tooMany >= 0\) throw new BadText\(POSITIONS\.impossible\("bag"\)\);',
        "",
        "a position has no more tiles of a type than the game",
    ),
    _positions(
        "local-positions-picked-tiles-stay-picked",
        POSITIONS,
        "read",
        r'position\.game\.field\("held"\)\[0\] = 0;',
        "",
        "a tile that is picked in a position is put back",
    ),
    _positions(
        "local-positions-bits-from-the-left",
        POSITIONS,
        "written",
        r"\.reverse\(\)",
        "",
        "the symbols that are touched are written with their own numbers",
    ),
    _positions(
        "local-positions-numbers-wrap",
        POSITIONS,
        "numberOf",
        r" && Number\(word\) <= high",
        "",
        "a number that its field cannot hold is refused",
    ),
    _positions(
        "local-positions-kept-from-now",
        POSITIONS,
        "PositionSession.beginning",
        r"this\.at\(0\)",
        "this.now",
        "a game is kept with the position that it began with",
    ),
]

HEXAGONS = [
    _real(
        "local-real-symbols-are-touched-later",
        HEXES,
        "setUp",
        r"moves\.length < players && ",
        "",
        "symbols are free or taken in the first round only",
    ),
    _real(
        "local-real-tiles-share-a-cell",
        HEXES,
        "setUp",
        r"pair\.find\(",
        "pair.slice(0, 1).find(",
        "no two tiles lie on one cell",
    ),
    _real(
        "local-real-turns-before-the-first",
        HEXES,
        "setUp",
        r"if \(turn < 0\) throw new BadText\(.*?\);",
        "",
        "a seat moves after all before it have laid a tile",
    ),
    _real(
        "local-real-open-pairs-in-turned-bytes",
        HEXES,
        "derive",
        r"1 << \(k & 7\)",
        "128 >> (k & 7)",
        "the pairs of cells that are free are those on which a tile can lie",
    ),
    _real(
        "local-real-full-sheets-go-on",
        HEXES,
        "problem",
        r"!isOpen \|\| isFull",
        "!isOpen",
        "a game ends when a player has filled all colours",
    ),
    _positions(
        "local-positions-runs-of-one-digit",
        HEX_TEXT,
        "boardOf",
        r"\[1-9\]\\d\?",
        "[1-9]",
        "a row has ten free cells or more",
    ),
    _positions(
        "local-positions-colours-without-their-tiles",
        HEX_TEXT,
        "impossible",
        r'if \(String\(halves\.sort\(\)\) !== String\(laid\.sort\(\)\)\) return "board";',
        "",
        "the colours on the board are those of tiles that are not elsewhere",
    ),
    _positions(
        "local-positions-more-plays-than-colours",
        HEX_TEXT,
        "impossible",
        r"1 \+ 2 \* look\.colours\.length",
        "2 * look.colours.length",
        "a turn has a tile, and a bonus for each colour that is filled, of both halves",
    ),
    _positions(
        "local-positions-partners-swap-by-their-own-sheets",
        HEX_TEXT,
        "maySwap",
        r"position\.sheetOf\(toPlay\)",
        "toPlay",
        "partners swap by the sheet that they share",
    ),
    _positions(
        "local-positions-touched-by-the-symbol",
        HEX_TEXT,
        "impossible",
        r" && !isTouched\(cell\)",
        " && !board[cell]",
        "a symbol is touched by a tile next to it",
    ),
]

SQUARED = [
    _real(
        "local-real-boards-without-a-left-edge",
        SQUARES,
        "beyond",
        r"column < 0 \|\| ",
        "",
        "the square beyond the left edge is not the last one of the row before",
    ),
    _real(
        "local-real-laid-tiles-are-left",
        SQUARES,
        "derive",
        r"Number\(left\[pattern\]\) \+ Number\(unplaced\[type\]\)",
        "Number(left[pattern]) + 1",
        "a game ends when none of the tiles that are left fits",
    ),
    _real(
        "local-real-ends-run-into-tiles",
        SQUARES,
        "derive",
        r" && !\(pattern & open\)",
        "",
        "a tile has no end where the tile next to it has none",
    ),
    _real(
        "local-real-loops-off-the-start",
        SQUARES,
        "problem",
        r"if \(apart >= 0\) return .*?;",
        "",
        "all tiles are joined with the one on the start square",
    ),
    _real(
        "local-real-points-before-the-first-tile",
        SQUARES,
        "problem",
        r'position\.number\("placed"\) === 1',
        'position.number("placed") === 0',
        "nobody has points before a tile was laid",
    ),
    _positions(
        "local-positions-laid-tiles-are-still-held",
        SQUARE_TEXT,
        "impossible",
        r"\(seat === mover \? laid : 0\)",
        "0",
        "who has laid tiles in this turn has as many fewer",
    ),
    _positions(
        "local-positions-more-tiles-than-turns",
        SQUARE_TEXT,
        "impossible",
        r" \|\| placed > 1 \+ laid \+ local\.a_turn \* turn",
        "",
        "no more tiles lie on the board than the turns before allow",
    ),
    _positions(
        "local-positions-turns-that-are-full",
        SQUARE_TEXT,
        "impossible",
        r"laid >= local\.a_turn",
        "laid > local.a_turn",
        "a turn ends with its last tile",
    ),
    _positions(
        "local-positions-tiles-that-do-not-fit-are-picked",
        SQUARE_TEXT,
        "impossible",
        r"barred\(position\)\.has\(rack\[held - 1\]\) && ",
        "",
        "a tile is picked that fits somewhere",
    ),
    _positions(
        "local-positions-parts-of-squares",
        SQUARE_TEXT,
        "boardOf",
        r"rows\.every\(\(row\) => row\.length === look\.size\[1\]\)",
        "rows[0].length === look.size[1]",
        "each row of a board has all of its squares",
    ),
]

MUTATIONS = [*SHOWN, *BEGUN, *FOLLOWED, *MADE_UP, *READ, *HEXAGONS, *SQUARED]
