"""Deliberate bugs in what a seat may know: observations, fresh deals of hidden tiles, pictures."""

from __future__ import annotations

from locate import Mutation

GAME = "ingenious_env/games/ingenious/"
OBSERVATION, HIDDEN = GAME + "kernels/observation.py", GAME + "kernels/hidden.py"
LAYOUT, PICTURES = GAME + "observation.py", GAME + "render/layout.py"
FORMS = "ingenious_env/engine/observation.py"

SECTIONS = [
    Mutation(
        "obs-board-of-the-colour-before",
        OBSERVATION,
        "write_board",
        r"colour \+ 1",
        "colour",
        "a plane for each colour",
        section="board",
    ),
    Mutation(
        "obs-points-of-one-colour-less",
        OBSERVATION,
        "write_observation",
        r"game\.points\[0\], colours \*",
        "game.points[0], (colours - 1) *",
        "points of all colours",
        section="points",
    ),
    Mutation(
        "obs-leaks-the-rack-of-the-mover",
        OBSERVATION,
        "write_observation",
        r"game\.racks\[seat_after\(game, viewer, k\)\]",
        "game.racks[game.to_play]",
        "a waiting seat sees its own rack, and no other",
        section="racks",
    ),
    Mutation(
        "obs-scores-from-seat-0",
        OBSERVATION,
        "write_observation",
        r"game\.sheet_of_seat\[seat_after\(game, viewer, k\)\]",
        "game.sheet_of_seat[k]",
        "the own sheet comes first",
        section="scores",
    ),
    Mutation(
        "obs-unseen-leaks-the-other-racks",
        OBSERVATION,
        "write_unseen",
        r"\(viewer, viewer \+ 1\)",
        "(0, game.spec.num_players)",
        "the tiles on hidden racks are unseen",
        section="unseen",
    ),
    Mutation(
        "obs-shown-from-seat-0",
        OBSERVATION,
        "write_shown",
        r"game\.shown\[seat_after\(game, viewer, k\)\]",
        "game.shown[k]",
        "the own seat comes first",
        section="shown",
    ),
    Mutation(
        "obs-drawn-since-without-limit",
        OBSERVATION,
        "write_shown",
        r"min\(game\.spec\.rack_size, (drawn_since.*?\])\)",
        r"min(MAX_ENTRY, \1)",
        "at most R",
        section="drawn_since",
    ),
    Mutation(
        "obs-leaks-the-picked-slot",
        OBSERVATION,
        "write_observation",
        r"\(1 << game\.held >> 1\) if moves else 0",
        "1 << game.held >> 1",
        "the slot picked is hidden from a waiting seat",
        section="held",
    ),
    Mutation(
        "obs-mover-from-seat-0",
        OBSERVATION,
        "write_observation",
        r"seats_between\(game, viewer, to_play\)",
        "to_play",
        "the own seat comes first",
        section="to_play",
    ),
    Mutation(
        "obs-touched-for-ever",
        OBSERVATION,
        "write_observation",
        r"game\.touched if first_round else 0",
        "game.touched",
        "touched symbols only matter in the first round",
        section="touched",
    ),
    Mutation(
        "obs-first-round-one-turn-long",
        OBSERVATION,
        "write_observation",
        r"game\.turn < players",
        "game.turn <= players",
        "this turn is in the first round",
        section="first_round",
    ),
    Mutation(
        "obs-leaks-the-offer-to-swap",
        OBSERVATION,
        "write_observation",
        "moves and phase == SWAP",
        "phase == SWAP",
        "an offer to swap is hidden from a waiting seat",
        section="may_swap",
    ),
    Mutation(
        "obs-leaks-plays-left",
        OBSERVATION,
        "write_observation",
        "moves and phase == PLACE",
        "phase == PLACE",
        "plays left are hidden from a waiting seat: an offer to swap has none",
        section="plays_left",
    ),
    Mutation(
        "obs-leaks-the-next-tile",
        OBSERVATION,
        "write_observation",
        r"min\(MAX_ENTRY, game\.spec\.num_tiles - game\.drawn\)",
        "game.bag[game.drawn]",
        "the order of the bag is hidden",
        section="bag",
    ),
]

OTHER_FORMS = [
    Mutation(
        "planes-transposed",
        LAYOUT,
        "Layout.planes",
        "columns, rows = ",
        "rows, columns = ",
        "row r, column q",
    ),
    Mutation(
        "sections-share-memory",
        FORMS,
        "ObservationLayout.split",
        r"\.copy\(\)",
        "",
        "observations are fresh arrays",
    ),
]

HIDDEN_TILES = [
    Mutation(
        "reshuffle-ignores-what-was-shown",
        HIDDEN,
        "fill_place",
        r"shown_allowed\(game, player, place\) \| \(1 << NEVER_SHOWN\)",
        "(2 << NEVER_SHOWN) - 1",
        "tiles shown in a swap lie in the bag until drawn",
        paragraph="6.2",
    ),
    Mutation(
        "reshuffle-widest-places-first",
        HIDDEN,
        "fill_racks",
        r"range\(game\.spec\.num_players \+ 1\)",
        "range(game.spec.num_players, -1, -1)",
        "all deals are equally likely",
    ),
    Mutation(
        "reshuffle-ignores-the-pick",
        HIDDEN,
        "deal_hidden_racks",
        r"left >= 0 and pick_agrees\(game, viewer\)",
        "left >= 0",
        "a slot that is picked stays one that may be picked",
    ),
    Mutation(
        "reshuffle-ignores-the-offer",
        HIDDEN,
        "fill_place",
        r"lowest_colours\(game\) if was_offered_swap\(game, player\) else 0",
        "0",
        "an offer to swap stays one",
    ),
    Mutation(
        "reshuffle-ignores-what-the-viewer-drew",
        HIDDEN,
        "gather_hidden",
        r"min\(mine, game\.drawn_since\[seat\]\[viewer\]\)",
        "0",
        "tiles on the viewer's rack may be those that were shown",
    ),
    Mutation(
        "pictures-tell-of-an-offer-to-swap",
        PICTURES,
        "headline",
        r"is_shown\(game, game\.to_play, viewer\)",
        "game.phase == 'swap' or is_shown(game, game.to_play, viewer)",
        "pictures for a seat withhold what observations withhold",
    ),
]

MUTATIONS = [*SECTIONS, *OTHER_FORMS, *HIDDEN_TILES]
