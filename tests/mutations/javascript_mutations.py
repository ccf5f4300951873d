"""Deliberate bugs in the JavaScript of pages."""

from __future__ import annotations

from functools import partial

from locate import Mutation

HAND, LOOPIT = (f"ingenious_env/games/{name}.js" for name in ("ingenious/page/hand", "loopit/page/game"))
REPLAY, SQUARES = (f"ingenious_env/render/static/{name}.js" for name in ("replay", "square_moves"))
STORE, KEYS, ADVICE, ANALYSIS, WORTH, ADDRESS, LEVELS, RULES, GUIDE, RETRY, CURVE, SETTINGS, THEME = (
    f"ingenious_env/web/static/{name}.js"
    for name in (
        "store",
        "keys",
        "advice",
        "analysis",
        "worth",
        "address",
        "levels",
        "rules",
        "guide",
        "retry",
        "curve",
        "settings",
        "theme",
    )
)

PREVIEWS = [
    Mutation(
        "page-preview-beyond-the-counter",
        HAND,
        "Preview.gains",
        r"Math\.min\(gain, scene\.room\[sheet\]\[k\]\)",
        "gain",
        "a preview promises no points that the counter has no room for",
    ),
    Mutation(
        "page-double-fills-the-room-twice",
        HAND,
        "Preview.chips",
        r"room\[colour - 1\] -= counted;",
        "",
        "the halves of a double share the room of their counter",
    ),
    Mutation(
        "page-rays-through-other-colours",
        HAND,
        "Preview.lines",
        r"Number\(scene\.board\[at\]\) === half\.colour",
        "Number(scene.board[at])",
        "a line ends at another colour",
    ),
    Mutation(
        "page-a-flipped-tile-keeps-its-halves",
        HAND,
        "Preview.halves",
        r"\[tile\[1\], tile\[0\]\]",
        "tile",
        "a flipped tile has its higher colour at the near half",
    ),
    Mutation(
        "page-places-of-pairs-in-one-order",
        HAND,
        "Preview.isOpen",
        r"cell < other \? \[cell, other\] : \[other, cell\]",
        "[cell, other]",
        "a tile may lie either way round on a pair",
    ),
    Mutation(
        "page-reason-without-the-neighbours",
        HAND,
        "Preview.whyNot",
        r"\.every\(",
        ".some(",
        "there is no room only where all neighbours are taken",
    ),
    Mutation(
        "page-equal-tiles-have-no-places",
        SQUARES,
        "SquareMoves.places",
        r"this\.first\(scene, this\.hand\.slot\)",
        "this.hand.slot",
        "equal tiles have the same places",
    ),
    Mutation(
        "page-loopit-transposed",
        LOOPIT,
        "Game.moveOf",
        r"\$\{row\},\$\{column\}",
        "${column},${row}",
        "a move names the row first",
    ),
]

SHOWN = [
    Mutation(
        "page-ranks-shared-by-three-alone",
        REPLAY,
        "place",
        r"length > 1\)",
        "length > 2)",
        "two with the same rank share it",
    ),
    Mutation(
        "page-replay-never-stops",
        REPLAY,
        "nextSpeed",
        r"\(SPEEDS\.indexOf\(speed\) \+ 1\) % SPEEDS\.length",
        "Math.min(SPEEDS.indexOf(speed) + 1, SPEEDS.length - 1)",
        "behind the highest speed the replay stands still",
    ),
    Mutation(
        "page-keys-by-their-place",
        KEYS,
        "nameOf",
        r"letter && isForeign",
        "letter",
        "a key is what is printed on it, where that is a Latin letter",
    ),
    Mutation(
        "page-hints-with-equal-texts",
        WORTH,
        "decimals",
        r"spread >= 2 \* 10 \*\* -places",
        "true",
        "different hints have different texts",
    ),
    Mutation(
        "page-links-as-plain-base64",
        ADDRESS,
        "linkTo",
        r'\.replaceAll\("\+", "-"\)',
        "",
        "a link has no character that addresses give a meaning",
    ),
    Mutation(
        "page-chances-of-the-other-sheet",
        ANALYSIS,
        "series",
        r"latest\[1 - turn\.sheet\] = 1 - turn\.value",
        "latest[1 - turn.sheet] = turn.value",
        "of two sheets the other has the rest of the chances",
    ),
    Mutation(
        "page-chances-above-one",
        ANALYSIS,
        "series",
        r"value / sum\)",
        "value)",
        "the chances of three sheets sum to 1",
    ),
]

ORDER = [
    Mutation(
        "page-takes-an-overtaken-answer",
        STORE,
        "accept",
        r"if \(!other && order < taken\) return;",
        "",
        "the answer to an earlier request does not replace that to a later one",
    ),
    Mutation(
        "page-hints-of-an-earlier-position",
        ADVICE,
        "ask",
        r"if \(ending\.signal\.aborted \|\| question\(\) !== wanted\) continue;",
        "",
        "hints are shown in the position that they are for",
        tests="browser_review",
    ),
    Mutation(
        "page-lists-of-a-review-pile-up",
        ADVICE,
        "ask",
        r"if \(pending\) \{",
        "if (pending && pending.wanted === question()) {",
        "one request for hints at a time is waited for",
        tests="browser_review",
    ),
]

_teaching = partial(Mutation, tests="browser_teaching")

TAUGHT = [
    _teaching(
        "page-levels-leave-people-in-all-seats",
        LEVELS,
        "strength",
        r" && !\(people && seat > 0\)",
        "",
        "a level chosen at a table of people is that of all but the first",
    ),
    _teaching(
        "page-lessons-end-early",
        RULES,
        "openRules",
        r"lessons\.length - 1",
        "lessons.length - 2",
        "the rules have four pages",
    ),
    _teaching(
        "page-pictures-of-the-other-theme",
        THEME,
        "theme",
        r'\.matches \? "light" : "dark"',
        '.matches ? "dark" : "light"',
        "a picture has the theme of the page",
    ),
    _teaching(
        "page-guides-on-after-the-first-move",
        GUIDE,
        "follow",
        r'mine\(\) \? "own" : "placed"',
        '"placed"',
        "after the first move the player is left to choose",
    ),
    _teaching(
        "page-retries-moves-without-a-mark",
        RETRY,
        "mistakes",
        r"mark && ",
        "",
        "a mistake is a move with a mark",
    ),
    _teaching(
        "page-retries-after-the-mistake",
        RETRY,
        "next",
        r"at: turn\.at",
        "at: turn.at + 1",
        "a mistake is retried in the position before it",
    ),
    _teaching(
        "page-bad-tries-are-praised",
        RETRY,
        "attempt",
        r"found\.loss < turn\.loss - near",
        "found.loss <= turn.loss",
        "a try is better only if it loses less",
    ),
    _teaching(
        "page-tries-are-played",
        STORE,
        "play",
        r"if \(app\.trial\)",
        "if (app.trial === undefined)",
        "a try is judged and not played",
    ),
    _teaching(
        "page-luck-with-the-wrong-sign",
        CURVE,
        "luckSentence",
        r"mine > 0",
        "mine < 0",
        "luck that brought less than the mean is below zero",
    ),
]

_paced = partial(Mutation, tests="browser_pace")

PACED = [
    _paced(
        "page-others-move-all-at-once",
        STORE,
        "accept",
        r"first < table\.total",
        "first > table.total",
        "moves of others are shown one after the other",
    ),
    _paced(
        "page-the-pace-begins-a-move-late",
        STORE,
        "accept",
        r"return seek\(first\)",
        "return seek(first + 1)",
        "of the moves of others the first is shown, too",
    ),
    _paced(
        "page-a-wish-does-not-end-the-pace",
        STORE,
        "show",
        r"app\.paced = false;",
        "",
        "who goes to another position stays there",
    ),
    _paced(
        "page-the-pace-is-always-on",
        SETTINGS,
        "isPaced",
        r"settings\.pace && ",
        "",
        "moves come at once for who sets it so",
    ),
]

MUTATIONS = [*PREVIEWS, *SHOWN, *ORDER, *TAUGHT, *PACED]
