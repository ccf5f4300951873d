"""Deliberate bugs of own games, seats given away, take backs asked, buttons drawn anew, and lists."""

from __future__ import annotations

from functools import partial

from locate import Mutation

OPENINGS, SHARE, SEATS, MAIN, FILM, GIF, SAVED = (
    f"ingenious_env/web/static/{name}.js"
    for name in ("openings", "share", "seats", "main", "film", "gif", "saved_page")
)
KEYS, POINTER, STORED, WATCH, STORE, NEW_GAME, REAL = (
    f"ingenious_env/web/static/{name}.js"
    for name in ("keys", "pointer", "stored", "watch", "store", "new_game", "real")
)
ROOM, REQUESTS, REPLAY, TRANSPORT = (
    f"ingenious_env/web/local/{name}.js" for name in ("room", "requests", "replay", "transport")
)
_games = partial(Mutation, tests="browser_own_games")
_film = partial(Mutation, tests="browser_film")
_saved = partial(Mutation, tests="browser_saved_page")
_replayed = partial(Mutation, tests="requests")
_saving = partial(Mutation, tests="saving")
_others = partial(Mutation, tests="browser_browsers")
_late = partial(Mutation, tests="browser_late")

LISTED = [
    _games(
        "page-games-are-deleted-at-the-first-click",
        OPENINGS,
        "openings.row",
        r"askToRemove\(id\)",
        "remove(id)",
        "a game is deleted after a question only",
    ),
    _games(
        "page-a-double-click-deletes-a-game",
        OPENINGS,
        "openings.row",
        r"detail < 2 && ",
        "",
        "the second click of a double click deletes nothing",
    ),
    _games(
        "page-the-oldest-games-come-first",
        OPENINGS,
        "ownTables",
        r"\.reverse\(\)",
        "",
        "the latest game is the first of the list",
    ),
    _games(
        "page-a-deleted-game-keeps-its-name",
        OPENINGS,
        "openings.remove",
        r"forget\(id\);",
        "",
        "a deleted game leaves nothing in the browser",
    ),
    _games(
        "page-the-bag-of-the-day-is-random",
        OPENINGS,
        "playDaily",
        r", seed: seedOf\(today\(\)\)",
        "",
        "the bag of a day is the same for all",
    ),
    _games(
        "page-a-given-seat-is-kept",
        SHARE,
        "give",
        r"leave\(id, key\);",
        "",
        "who gives a seat away does not see its tiles any more",
    ),
    _games(
        "page-a-seat-replaces-the-others",
        SEATS,
        "sit",
        r"\[\.\.\.new Set\(\[\.\.\.keysOf\(id\), key\]\)\]",
        "[key]",
        "who takes a seat keeps those taken before",
    ),
]

DELETED = [
    _saving(
        "web-a-deleted-table-comes-back",
        "ingenious_env/web/store.py",
        "Store.save",
        r"table\.id in self\._removed",
        "False",
        "a table stays deleted, whatever was thought about it meanwhile",
    ),
    _saving(
        "web-one-of-several-deletes-a-table",
        "ingenious_env/web/app.py",
        "Server.delete",
        r"len\(seats\) < sum\(map\(bool, table\.keys\)\)",
        "not seats and any(table.keys)",
        "a table is deleted by the page of all people at it only",
    ),
    _saving(
        "web-no-agent-goes-on-where-deletion-fails",
        "ingenious_env/web/app.py",
        "Server.delete",
        r"room\.resume\(\)",
        "pass",
        "where a table cannot be deleted, nothing changes",
    ),
    Mutation(
        "local-one-of-several-deletes-a-table",
        REQUESTS,
        "tables",
        r"seatsOf\(room, keys\)\.length < all\.filter\(Boolean\)\.length",
        "seatsOf(room, keys).length < 0",
        "a table is deleted by the page of all people at it only",
        tests="requests",
    ),
    Mutation(
        "local-a-deleted-table-comes-back",
        ROOM,
        "Room.save",
        r"!this\.isClosed",
        "true",
        "a table stays deleted, whatever was thought about it meanwhile",
        tests="local_units",
    ),
]

PRESSED = [
    Mutation(
        "page-a-click-on-a-button-drawn-anew-is-lost",
        MAIN,
        "begin",
        r"byId\(pressed\.id\)\.click\(\);",
        "byId(pressed.id);",
        "a button is clicked though it is drawn anew while it is pressed",
        tests="browser_late",
    ),
    Mutation(
        "page-a-button-drawn-anew-is-clicked-from-elsewhere",
        MAIN,
        "begin",
        r" && byId\(pressed\.id\)\?\.contains\(target\)",
        "",
        "a press that ends elsewhere is no click",
        tests="browser_late",
    ),
]

ASKED = [
    Mutation(
        "web-nobody-is-asked-for-a-take-back",
        "ingenious_env/web/app.py",
        "Server.back",
        r"table\.has_people_elsewhere\(seats\) and ",
        "False and ",
        "people at other pages decide on a take back that they would notice",
        tests="take_backs",
    ),
    Mutation(
        "web-a-refused-take-back-is-made",
        "ingenious_env/web/app.py",
        "Server.back",
        r'body\["allow"\], None',
        "True, None",
        "a take back that is refused is not made",
        tests="take_backs",
    ),
    Mutation(
        "web-who-asks-may-allow-it",
        "ingenious_env/web/app.py",
        "Server.back",
        r" or table\.asking in seats",
        "",
        "another person allows a take back",
        tests="take_backs",
    ),
    Mutation(
        "web-a-question-outlasts-a-move",
        "ingenious_env/web/tables.py",
        "Table.play",
        r" and is_person:",
        " and False:",
        "a move of a person ends the question for a take back",
        tests="take_backs",
    ),
    Mutation(
        "web-a-hidden-move-ends-a-question",
        "ingenious_env/web/tables.py",
        "Table.play",
        r"if self\.count\(\) and is_person:",
        "if self.count() is not None and is_person:",
        "a question ends with a move that others notice",
        tests="take_backs",
    ),
    Mutation(
        "page-who-asks-is-asked",
        "ingenious_env/web/static/asked.js",
        "drawAsked",
        r"yours\.includes\(asking\)",
        "false",
        "the other person is asked for a take back",
        tests="take_backs",
    ),
]

_page = partial(Mutation, tests="browser_page")

SHOWN = [
    _page(
        "page-the-last-move-is-not-listed",
        "ingenious_env/web/static/moves.js",
        "states",
        r"total \+ 1 - first",
        "total - first",
        "all moves so far are listed",
    ),
    _page(
        "page-a-line-leads-to-the-move-before",
        "ingenious_env/web/static/moves.js",
        "line",
        r"show\(at\)",
        "show(at - 1)",
        "a line of the list leads to the position after its move",
    ),
    _page(
        "page-coordinates-cannot-be-switched-off",
        "ingenious_env/web/static/coordinates.js",
        "drawCoordinates",
        r"if \(!settings\.coordinates\) return;",
        "",
        "coordinates are a setting",
    ),
    Mutation(
        "page-a-saved-picture-has-no-colours",
        "ingenious_env/web/static/picture.js",
        "styled",
        r"\[\.\.\.NAMES, \.\.\.MORE\]",
        "MORE",
        "a saved picture looks like the board",
        tests="site",
    ),
]

FILMED = [
    _film(
        "page-films-lack-the-last-position",
        FILM,
        "film",
        r"at <= total",
        "at < total",
        "a film ends with the latest position",
    ),
    _film(
        "page-films-leave-the-page-at-their-end",
        FILM,
        "film",
        r"before \?\? app\.table\.total",
        "app.table.total",
        "after a film the page is where it was",
    ),
    _film(
        "page-films-go-on-with-another-game",
        FILM,
        "film",
        r"if \(app\.table\.id !== id \|\| app\.table\.at !== at\) return null;",
        "",
        "a film has the positions of one game",
    ),
    _film(
        "page-codes-of-films-grow-too-late",
        GIF,
        "compressed",
        r"next === 1 << size",
        "next > 1 << size",
        "codes of LZW grow as readers expect it",
    ),
    _film(
        "page-codes-of-films-grow-too-long",
        GIF,
        "compressed",
        r"next < LONGEST",
        "next <= LONGEST",
        "no code has more than 12 bits",
    ),
    _film(
        "page-changes-of-films-lack-a-column",
        GIF,
        "changed",
        r"wide: right - left \+ 1",
        "wide: Math.max(1, right - left)",
        "a frame has all pixels that changed",
    ),
    _film(
        "page-films-lose-green",
        GIF,
        "reduced",
        r"rgba\[4 \* k \+ 1\]",
        "rgba[4 * k]",
        "a film has the colours of the page",
    ),
]

SAVED_AS_PAGES = [
    _saved(
        "page-saved-modules-come-before-those-they-need",
        SAVED,
        "joined",
        r"(for \(const \[, needed\] of .*? await add\(.*?\.href\);) (parts\.push\(.*?\);)",
        r"\2 \1",
        "a module follows those that it imports",
    ),
    _saved(
        "page-saved-modules-come-twice",
        SAVED,
        "joined",
        r"if \(seen\.has\(address\)\) return;",
        "",
        "a saved page has each module once",
    ),
    _saved(
        "page-saved-pages-lack-a-style-sheet",
        SAVED,
        "savedPage",
        r"STYLES\.map",
        "STYLES.slice(1).map",
        "a saved page looks like the page",
    ),
    _saved(
        "page-games-that-go-on-are-saved",
        SHARE,
        "openShare",
        r"table\.revealed && h\(",
        "h(",
        "a game is saved as a page once its racks may be seen",
    ),
    _replayed(
        "local-replays-lack-the-last-position",
        REPLAY,
        "replayStates",
        r"session\.turns\.length \+ 1",
        "session.turns.length",
        "a replay has all positions",
    ),
    _replayed(
        "local-replays-are-seen-from-a-seat",
        REPLAY,
        "replayStates",
        r"texts\.headline\(position, null, names\)",
        "texts.headline(position, 0, names)",
        "a replay is nobody's game",
    ),
    Mutation(
        "web-replays-of-games-that-go-on",
        "ingenious_env/web/reading.py",
        "Reading.replay",
        r'self\._open_table\(request, TEXTS\["replay"\]\)',
        'self._rooms.found(request, request.query_params.get("keys", ""))[0].table',
        "a replay reveals all racks",
        tests="app",
    ),
]

HANDLED = [
    _others(
        "page-keys-that-are-held-act-again",
        KEYS,
        "onKey",
        r"!event\.repeat",
        "true",
        "a key that is held takes one move back",
    ),
    _others(
        "page-taps-play-where-clicks-have-no-kind",
        POINTER,
        "pointer.onClick",
        r"isTouched\(\)",
        '_event.pointerType === "touch"',
        "a tap aims in all browsers",
    ),
    Mutation(
        "page-drags-take-the-tiles-that-they-cross",
        POINTER,
        "drag",
        r' \|\| press\.target\?\.closest\("button"\)\?\.id !== `slot\$\{slot\}`',
        "",
        "the tile that was pressed is dragged",
        tests="browser_moves",
    ),
    _others(
        "page-unsaved-games-undo-those-of-another-tab",
        STORED,
        "store",
        r"const before = saved\(name\);",
        "const before = {};",
        "only what could not be written is kept",
    ),
    _late(
        "page-a-replay-goes-on-at-another-table",
        WATCH,
        "setSpeed",
        r"!app\.speed\) clearInterval\(timer\)",
        "!app.speed) setSpeed(0)",
        "a replay ends with its table",
    ),
    _film(
        "page-a-replay-goes-on-in-a-film",
        FILM,
        "film",
        r"if \(app\.speed\) setSpeed\(0\);",
        "",
        "nothing else changes the position while a film is made",
    ),
    Mutation(
        "page-back-leads-to-the-link",
        SHARE,
        "openText",
        r', "replace"',
        "",
        "Back leads from a shared game to the own one",
        tests="browser_tables",
    ),
    Mutation(
        "page-dialogs-leave-the-address-of-a-mistake",
        STORE,
        "open",
        r"address: from",
        "address: `#${id}`",
        "while a mistake is retried, the address is that of the game",
        tests="browser_retry",
    ),
    _games(
        "page-the-enter-key-in-a-name-begins-a-game",
        OPENINGS,
        "openings.row",
        r'form: "none",',
        "",
        "a name is entered, and nothing else",
    ),
    _late(
        "page-a-cancelled-choice-comes-back",
        NEW_GAME,
        "openNewGame",
        r"isShown\(form\)",
        "true",
        "a dialog that was closed stays closed",
    ),
    _late(
        "page-a-cancelled-real-table-comes-back",
        REAL,
        "openReal",
        r"isShown\(node\) && draw",
        "true && draw",
        "a dialog that was closed stays closed",
    ),
    Mutation(
        "local-news-before-the-page-listens-is-lost",
        TRANSPORT,
        "listen",
        r'report\("state", \{ version: table\.version \}\)',
        "table",
        "the first news of a table is its version",
        tests="site",
    ),
]
MUTATIONS = [*HANDLED, *FILMED, *SAVED_AS_PAGES, *LISTED, *DELETED, *ASKED, *PRESSED, *SHOWN]
