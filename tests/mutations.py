"""Deliberate bugs that the tests must notice; `python -m scripts.mutate` plants them one at a time."""

from __future__ import annotations

from typing import NamedTuple

KERNELS = "ingenious_env/kernels/"
TURNS, ACTIONS, BATCH = KERNELS + "turns.py", KERNELS + "actions.py", KERNELS + "batch.py"
HIDDEN, VIEWS, STREAMS = KERNELS + "hidden.py", KERNELS + "views.py", KERNELS + "streams.py"
POLICIES, INTRINSICS, PARALLEL = (KERNELS + name for name in ("policies.py", "intrinsics.py", "parallel.py"))
ENGINE, GEOMETRY, NOTATION = (
    "ingenious_env/engine.py",
    "ingenious_env/geometry.py",
    "ingenious_env/notation.py",
)
OBSERVATION, SPACES, REWARDS = (
    "ingenious_env/observation.py",
    "ingenious_env/spaces.py",
    "ingenious_env/rewards.py",
)
CONSISTENCY, MOVES, GAME = "ingenious_env/consistency.py", "ingenious_env/moves.py", "ingenious_env/game.py"
RULES, TILES, RANKING = "ingenious_env/rules.py", "ingenious_env/tiles.py", "ingenious_env/ranking.py"
VALUES, EXPECTIMAX = "agents/kernels/values.py", "agents/kernels/expectimax.py"
INPUTS = "agents/kernels/inputs.py"
ROLLOUTS, VALUE_SEARCH = "agents/kernels/rollouts.py", "agents/kernels/value_search.py"
TABLES, THREADS = "ingenious_env/tables.py", "ingenious_env/threads.py"

ALWAYS_ENOUGH = (
    "Rules.tile_counts repeats the set until it fills the board, all racks and one swap, and positions that "
    "are read from text hold all of these tiles, so that the bag never holds fewer tiles than are to be drawn"
)


class Mutation(NamedTuple):
    """One deliberate bug.

    Attributes:
        name: its name.
        file: the file it is planted in, relative to the repository.
        old: what it replaces; stands in the file exactly once.
        new: what it puts there.
        breaks: what is wrong then.
        equivalent: why no test can notice, or "".
    """

    name: str
    file: str
    old: str
    new: str
    breaks: str
    equivalent: str = ""


SCORING = [
    Mutation(
        "score-two-of-three-axes",
        TURNS,
        "    for direction in range(3):\n",
        "    for direction in range(2):\n",
        "Rules 4.1: all directions",
    ),
    Mutation(
        "score-behind-is-ahead",
        TURNS,
        "t[s.neighbours + 6 * behind + direction + 3]",
        "t[s.neighbours + 6 * behind + direction]",
        "Rules 4.1: a run goes straight on",
    ),
    Mutation(
        "score-through-other-colours",
        TURNS,
        "while m[board + ahead] == symbol:",
        "while 0 < m[board + ahead] < 7:",
        "Rules 4.1: another colour stops the count",
    ),
    Mutation(
        "score-own-halves",
        TURNS,
        """    gain_2 = int64(m[g + s.points + colour_2 * s.num_cells + cell_2])
    lay_half(m, t, s, g, cell_1, colour_1)
""",
        """    lay_half(m, t, s, g, cell_1, colour_1)
    gain_2 = int64(m[g + s.points + colour_2 * s.num_cells + cell_2])
""",
        "Rules 4.1: the tile's own halves never count",
    ),
    Mutation(
        "points-ahead-forget-the-run",
        TURNS,
        "(1 + run_behind) * (m[board + ahead]",
        "1 * (m[board + ahead]",
        "`points` beyond a run that is joined",
    ),
    Mutation(
        "points-behind-take-the-wrong-run",
        TURNS,
        "(1 + run_ahead) * (m[board + behind]",
        "(1 + run_behind) * (m[board + behind]",
        "`points` beyond a run that is joined",
    ),
    Mutation(
        "points-stay-on-covered-cells",
        TURNS,
        "    for other in range(s.num_colours):\n",
        "    for other in range(colour + 1, s.num_colours):\n",
        "`points` is 0 on cells that are taken",
    ),
    Mutation(
        "orientation-turned-round",
        TURNS,
        "    if turned:\n",
        "    if not turned:\n",
        "which half lies on which cell",
    ),
    Mutation(
        "double-scores-one-half",
        TURNS,
        "advance(m, s, sheet + colour_1, gain_1 + gain_2)",
        "advance(m, s, sheet + colour_1, gain_1)",
        "Rules 4.2: a double scores both halves",
    ),
    Mutation(
        "double-as-two-scores",
        TURNS,
        "return advance(m, s, sheet + colour_1, gain_1 + gain_2)",
        "return advance(m, s, sheet + colour_1, gain_1) + advance(m, s, sheet + colour_1, gain_2)",
        "Rules 4.4: the second half of a double does not carry on past 18",
    ),
    Mutation(
        "no-stop-between-the-sheets",
        TURNS,
        "return s.counter_top if old < s.counter_top else s.last_space",
        "return s.last_space",
        "Rules 4.4: a counter below 18 stops at 18",
    ),
    Mutation(
        "stuck-between-the-sheets",
        TURNS,
        "return s.counter_top if old < s.counter_top else s.last_space",
        "return s.counter_top if old <= s.counter_top else s.last_space",
        "Rules 4.4: from 18 on a counter runs to 36",
    ),
    Mutation(
        "excess-not-lost",
        TURNS,
        "new = min(old + gain, stop)",
        "new = old + gain",
        "Rules 4.3: the excess over 18 is lost",
    ),
    Mutation(
        "partners-sit-side-by-side",
        TABLES,
        "np.arange(rules.num_players, dtype=np.int16) % rules.num_sheets",
        "np.arange(rules.num_players, dtype=np.int16) * rules.num_sheets // rules.num_players",
        "Rules 4.5: which seats are partners",
    ),
]

BONUS_PLAYS = [
    Mutation(
        "bonus-each-time-on-the-last-space",
        TURNS,
        "return 1 if old < stop == new else 0",
        "return 1 if stop == new else 0",
        "Rules 5.1: each final space once",
    ),
    Mutation(
        "two-counters-earn-one-bonus",
        TURNS,
        "return advance(m, s, sheet + colour_1, gain_1) + advance(m, s, sheet + colour_2, gain_2)",
        "return max(advance(m, s, sheet + colour_1, gain_1), advance(m, s, sheet + colour_2, gain_2))",
        "Rules 5.1: two counters reached with one tile earn two",
    ),
    Mutation(
        "bonus-in-the-first-round",
        TURNS,
        "        reached = 0  # no bonus plays in a first round (Rules 3.2)\n",
        "",
        "Rules 3.2: no bonus plays in a first round",
    ),
    Mutation(
        "bonus-in-solitaire",
        TURNS,
        "    if not s.has_bonus_plays:\n",
        "    if s.has_bonus_plays > 1:\n",
        "Rules 5.4: solitaire has no bonus plays",
    ),
    Mutation(
        "bonus-forgets-what-is-owed",
        TURNS,
        "    m[g + s.plays_left] += reached - 1\n",
        "    m[g + s.plays_left] = reached\n",
        "Rules 5.2: the same player goes on until all are played",
    ),
    Mutation(
        "draw-before-the-bonus-play",
        TURNS,
        "    m[g + s.plays_left] += reached - 1\n",
        "    m[g + s.plays_left] += reached - 1\n    refill(m, s, g, int64(m[g + s.to_play]))\n",
        "Rules 5.2: bonus plays come before anything is drawn",
    ),
    Mutation(
        "draw-instead-of-forfeiting",
        TURNS,
        "        m[g + s.plays_left] = 0  # forfeited (Rules 5.3)\n",
        "        refill(m, s, g, int64(m[g + s.to_play]))\n",
        "Rules 5.3: without a tile, bonus plays are forfeited",
    ),
]

END_OF_GAME = [
    Mutation(
        "no-instant-win",
        TURNS,
        "    if won or not any_open:\n",
        "    if not any_open:\n",
        "Rules 7.1: all counters on the last space win at once",
    ),
    Mutation(
        "bonus-before-the-instant-win",
        TURNS,
        "    if won or not any_open:\n",
        "    if (won and reached == 0) or not any_open:\n",
        "Rules 7.1: even with bonus plays outstanding",
    ),
    Mutation(
        "instant-win-on-the-first-sheet",
        TURNS,
        "        if m[sheet + colour] != s.last_space:\n",
        "        if m[sheet + colour] < s.counter_top:\n",
        "Rules 7.1: on a double sheet the last space is 36",
    ),
    Mutation(
        "instant-win-on-the-wrong-sheet",
        TURNS,
        "    sheet = sheet_of(m, t, s, g)\n    for colour in range(s.num_colours):\n        if m[sheet",
        "    sheet = g + s.scores\n    for colour in range(s.num_colours):\n        if m[sheet",
        "Rules 7.1: whose counters win",
    ),
    Mutation(
        "no-end-without-a-pair",
        TURNS,
        "    if won or not any_open:\n",
        "    if won:\n",
        "Rules 7.2: the game ends when no two adjacent cells are empty",
    ),
    Mutation(
        "end-looks-at-the-last-pairs-alone",
        TURNS,
        "        left |= w[open_pairs + word]\n",
        "        left = w[open_pairs + word]\n",
        "Rules 7.2: any two adjacent cells",
    ),
    Mutation(
        "second-cell-stays-open",
        TURNS,
        "            | b[s.pairs_of_cell + cell_2 * s.num_words + word]\n",
        "            | b[s.pairs_of_cell + cell_1 * s.num_words + word]\n",
        "Rules 3.1: two empty cells",
    ),
]

TURN = [
    Mutation(
        "turns-go-the-other-way",
        TURNS,
        "m[g + s.to_play] = seat_after(s, player, 1)",
        "m[g + s.to_play] = seat_after(s, player, s.num_players - 1)",
        "Rules 2.1: play goes round in order",
    ),
    Mutation(
        "draw-onto-the-wrong-rack",
        TURNS,
        "    refill(m, s, g, player)\n    m[g + s.to_play]",
        "    refill(m, s, g, 0)\n    m[g + s.to_play]",
        "Rules 3.4: the player draws back up",
    ),
    Mutation(
        "drawn-tiles-not-sorted",
        TURNS,
        "(uint64(tile) + uint64(1)) * EACH_BYTE",
        "(uint64(tile) + uint64(2)) * EACH_BYTE",
        "racks are sorted",
    ),
    Mutation(
        "draw-from-a-short-bag",
        TURNS,
        "    new = min(s.rack_size - tiles_on_rack(word, s), s.num_tiles - drawn)\n",
        "    new = s.rack_size - tiles_on_rack(word, s)\n",
        "Rules 3.4: a bag with too few tiles",
        ALWAYS_ENOUGH,
    ),
    Mutation(
        "rack-does-not-move-up",
        TURNS,
        "~front & first_bytes(s.rack_size - 1)",
        "~front & first_bytes(s.rack_size - 2)",
        "the last tile of a rack is lost",
    ),
    Mutation(
        "shuffle-leaves-no-tile-in-place",
        TURNS,
        "scale(mix(stream), last - start + 1)",
        "scale(mix(stream), last - start)",
        "every order of the bag is equally likely",
    ),
    Mutation(
        "shuffle-stops-early",
        TURNS,
        "range(s.num_tiles - 1, start, -1)",
        "range(s.num_tiles - 1, start + 1, -1)",
        "every order of the bag is equally likely",
    ),
    Mutation(
        "next-deal-from-the-same-stream",
        TURNS,
        "    w[start + s.stream] = stream\n",
        "    w[start + s.stream] = uint64(7)\n",
        "each game has its own stream",
    ),
]

FIRST_ROUND = [
    Mutation(
        "first-round-symbol-not-barred",
        TURNS,
        "        m[g + s.touched] |= t[s.pair_touches + pair]\n",
        "        m[g + s.touched] |= 0\n",
        "Rules 3.2: a symbol that no earlier tile touched",
    ),
    Mutation(
        "first-round-bars-the-latest-alone",
        TURNS,
        "        m[g + s.touched] |= t[s.pair_touches + pair]\n",
        "        m[g + s.touched] = t[s.pair_touches + pair]\n",
        "Rules 3.2: no earlier player's tile",
    ),
    Mutation(
        "first-round-not-strict",
        ACTIONS,
        "legal[word] = w[start + s.open_pairs + word] & wanted & ~barred",
        "legal[word] = w[start + s.open_pairs + word] & wanted",
        "Rules 8.3: a tile may not touch a touched symbol, even if it touches another",
    ),
    Mutation(
        "first-round-anywhere-but-there",
        ACTIONS,
        "legal[word] = w[start + s.open_pairs + word] & wanted & ~barred",
        "legal[word] = w[start + s.open_pairs + word] & ~barred",
        "Rules 3.2: the first tile must touch a symbol",
    ),
    Mutation(
        "first-round-not-waived",
        ACTIONS,
        "    if any_allowed == uint64(0):\n",
        "    if any_allowed == uint64(1):\n",
        "Rules 3.2: the waiver on boards that are too small",
    ),
    Mutation(
        "first-round-one-turn-long",
        ACTIONS,
        "    count = 0\n    if m[g + s.turn] < s.num_players:\n",
        "    count = 0\n    if m[g + s.turn] <= s.num_players:\n",
        "Rules 3.2: each player's first tile",
    ),
]

SWAPS = [
    Mutation(
        "swap-needs-both-halves-low",
        TURNS,
        "    return shown & lowest_colours(m, t, s, g) == 0\n",
        (
            "    lowest = lowest_colours(m, t, s, g)\n"
            "    for at in range(rack, rack + s.rack_size):\n"
            "        if m[at] != NO_TILE and t[s.type_colours + m[at]] & ~lowest == 0:\n"
            "            return False\n"
            "    return True\n"
        ),
        "Rules 6.1: none of the tiles shows a lowest colour",
    ),
    Mutation(
        "swap-first-of-tied-lowest",
        TURNS,
        "    return lowest_bytes(counters | ~first_bytes(s.num_colours))\n",
        "    lowest = lowest_bytes(counters | ~first_bytes(s.num_colours))\n    return lowest & -lowest\n",
        "Rules 6.1: of tied lowest colours none may be shown",
    ),
    Mutation(
        "swap-by-the-wrong-sheet",
        TURNS,
        "    counters = word_at(m, sheet_of(m, t, s, g))\n",
        (
            "    seat = int64(m[g + s.to_play])\n"
            "    sheet = seat * s.num_sheets // s.num_players\n"
            "    counters = word_at(m, g + s.scores + sheet * s.num_colours)\n"
        ),
        "Rules 6.1: the partnership's counters",
    ),
    Mutation(
        "swap-with-an-empty-rack",
        TURNS,
        "    if m[rack] == NO_TILE:\n        return False\n",
        "",
        "Rules 6.3: no swap with an empty rack",
    ),
    Mutation(
        "swap-in-solitaire",
        TURNS,
        "    if not s.has_swaps or s.num_tiles",
        "    if s.num_tiles",
        "Rules 6.3: no swap in solitaire",
    ),
    Mutation(
        "swap-from-a-short-bag",
        TURNS,
        "    if not s.has_swaps or s.num_tiles - m[g + s.drawn] < s.rack_size:\n",
        "    if not s.has_swaps:\n",
        "Rules 6.3: no swap where the bag holds fewer tiles than a full rack",
        ALWAYS_ENOUGH,
    ),
    Mutation(
        "swap-needs-a-larger-bag",
        TURNS,
        "s.num_tiles - m[g + s.drawn] < s.rack_size",
        "s.num_tiles - m[g + s.drawn] < 4 * s.rack_size",
        "Rules 6.3: no swap where the bag holds fewer tiles than a full rack",
    ),
    Mutation(
        "swap-before-the-bonus-plays",
        TURNS,
        "    if m[g + s.plays_left] == 0:\n        if may_swap",
        "    if m[g + s.plays_left] <= 1:\n        if may_swap",
        "Rules 6.1: after the turn's last placement",
    ),
    Mutation(
        "swap-draws-the-old-tiles-back",
        TURNS,
        "        place = new + s.rack_size - old + slot\n",
        "        place = new + slot\n",
        "Rules 6.2: the new tiles are drawn before the old ones go back",
    ),
    Mutation(
        "swap-loses-the-old-tiles",
        TURNS,
        "        m[rack + slot], m[place] = m[place], m[rack + slot]\n",
        "        m[rack + slot] = m[place]\n",
        "Rules 6.2: the old tiles go back into the bag",
    ),
    Mutation(
        "swap-counts-the-bag-wrong",
        TURNS,
        "    m[g + s.drawn] = drawn + s.rack_size - old\n",
        "    m[g + s.drawn] = drawn + s.rack_size\n",
        "Rules 6.2: the old tiles go back into the bag",
    ),
    Mutation(
        "swap-without-shuffle",
        TURNS,
        "    m[g + s.drawn] = drawn + s.rack_size - old\n    shuffle_bag(m, w, s, g)\n",
        "    m[g + s.drawn] = drawn + s.rack_size - old\n",
        "Rules 6.2: back into the bag, not on top of it",
    ),
    Mutation(
        "swapped-rack-not-sorted",
        TURNS,
        "    sort_rack(m, s, rack)\n    m[g + s.drawn]",
        "    m[g + s.drawn]",
        "racks are sorted",
    ),
    Mutation(
        "shown-twice-counts-once",
        TURNS,
        "        m[mine + m[at]] += 1\n",
        "        m[mine + m[at]] = 1\n",
        "Rules 6.2: the old tiles are shown to all",
    ),
    Mutation(
        "shown-tiles-placed-stay-shown",
        TURNS,
        "    if m[g + s.swaps]:\n        strike_off_shown(",
        "    if m[g + s.swaps] > 250:\n        strike_off_shown(",
        "`shown` holds tiles that are not placed",
    ),
    Mutation(
        "shown-again-stays-with-the-first",
        TURNS,
        "if seat != player and drawn_since and m[before]:",
        "if seat == player and drawn_since and m[before]:",
        "`shown` takes the looser reading",
    ),
    Mutation(
        "draws-since-the-wrong-seat",
        TURNS,
        "m[g + s.drawn_since + player * s.num_players + seat] = 0",
        "m[g + s.drawn_since + seat * s.num_players + player] = 0",
        "`drawn_since` counts from the seat's own swap",
    ),
]

ACTION = [
    Mutation(
        "double-lies-both-ways",
        TABLES,
        "np.where(types[:, 0] == types[:, 1], 1, 2)",
        "np.where(types[:, 0] == types[:, 1], 2, 2)",
        "a double has one orientation per pair",
    ),
    Mutation(
        "equal-tiles-all-legal",
        ACTIONS,
        "    is_first = (slot == 0) | (m[at - 1] != m[at])\n",
        "    is_first = True\n",
        "of equal tiles only the first slot is legal",
    ),
    Mutation(
        "check-allows-one-turned-too-many",
        ACTIONS,
        "    if slot_weight(m, t, s, g, slot) <= turned:\n",
        "    if slot_weight(m, t, s, g, slot) < turned:\n",
        "is_legal is the mask",
    ),
    Mutation(
        "check-allows-keep-when-placing",
        ACTIONS,
        "    if action < 0 or action >= last:\n",
        "    if action < 0 or action > last:\n",
        "is_legal is the mask",
    ),
    Mutation(
        "check-allows-negative-actions",
        ACTIONS,
        "    if action < 0 or action >= last:\n",
        "    if action >= last:\n",
        "is_legal is the mask",
    ),
    Mutation(
        "check-allows-picking-twice",
        ACTIONS,
        "        return held == 0 and slot_weight(m, t, s, g, action) > 0\n",
        "        return slot_weight(m, t, s, g, action) > 0\n",
        "is_legal is the mask, staged",
    ),
    Mutation(
        "check-allows-placing-unpicked",
        ACTIONS,
        "    if staged and held == 0:\n        return False\n    slot, turned",
        "    slot, turned",
        "is_legal is the mask, staged",
    ),
    Mutation(
        "check-allows-all-after-the-end",
        ACTIONS,
        "        return action == NO_ACTION\n",
        "        return True\n",
        "is_legal is the mask",
    ),
    Mutation(
        "check-allows-one-more-choice",
        ACTIONS,
        "return last <= action <= last + SWAP_RACK",
        "return last <= action <= last + SWAP_RACK + 1",
        "is_legal is the mask",
    ),
    Mutation(
        "check-reads-the-wrong-bit",
        ACTIONS,
        "    return (bits >> uint64(pair & 63)) & uint64(1) != uint64(0)\n",
        "    return (bits >> uint64(pair & 31)) & uint64(1) != uint64(0)\n",
        "is_legal is the mask",
    ),
    Mutation(
        "mask-offers-choices-at-the-end",
        ACTIONS,
        "mask[last + SWAP_RACK] = phase == SWAP",
        "mask[last + SWAP_RACK] = phase != PLACE",
        "a finished game's mask is all zeros",
    ),
    Mutation(
        "mask-keeps-placements-at-a-swap",
        ACTIONS,
        "        clear(mask, at, last - at)\n",
        "        clear(mask, at, 0)\n",
        "the mask is written whole",
    ),
    Mutation(
        "mask-keeps-placements-unpicked",
        ACTIONS,
        "            clear(mask, first, ways)\n",
        "            clear(mask, first, 0)\n",
        "the mask is written whole, staged",
    ),
    Mutation(
        "mask-offers-slots-twice",
        ACTIONS,
        "mask[at + slot] = held == 0 and slot_weight(m, t, s, g, slot) > 0",
        "mask[at + slot] = slot_weight(m, t, s, g, slot) > 0",
        "staged: first the slot, then the placement",
    ),
    Mutation(
        "mask-of-the-wrong-slot",
        ACTIONS,
        "    low, high = (held - 1, held) if staged else (0, slots)\n",
        "    low, high = (0, 1) if staged else (0, slots)\n",
        "staged: the placements of the tile that was picked",
    ),
    Mutation(
        "mask-keeps-repeated-slots",
        ACTIONS,
        "copy_if(weight > turned,",
        "copy_if(weight > turned or (weight == 0 and turned == 0),",
        "the mask is written whole",
    ),
    Mutation(
        "mask-keeps-turned-doubles",
        ACTIONS,
        "copy_if(weight > turned,",
        "copy_if(weight > 0,",
        "the mask is written whole",
    ),
    Mutation(
        "mask-without-turned-tiles",
        ACTIONS,
        "copy_if(weight > turned,",
        "copy_if(weight > 2 * turned,",
        "both orientations are legal",
    ),
    Mutation(
        "mask-with-stale-last-pairs",
        ACTIONS,
        "    copy_and(to, to_at + last, flags, last, kept)\n",
        "",
        "the mask is written whole",
    ),
    Mutation(
        "keep-is-swap",
        ACTIONS,
        "        if action == last + SWAP_RACK:\n",
        "        if action == last + KEEP:\n",
        "Rules 6.1: it is a choice",
    ),
    Mutation(
        "picked-slot-not-put-down",
        ACTIONS,
        "        m[g + s.held] = 0\n",
        "",
        "staged: a placement ends the pick",
    ),
]

RANDOM = [
    Mutation(
        "random-doubles-too-often",
        ACTIONS,
        "        weights |= uint64(int64(is_first) * int64(t[s.type_ways + tile])) << shift\n",
        "        weights |= uint64(int64(is_first) * min(1, int64(t[s.type_ways + tile]))) << shift\n",
        "random actions are uniform over the legal ones",
    ),
    Mutation(
        "random-off-by-one",
        ACTIONS,
        "pick - way * open_count",
        "pick - way * open_count + 1",
        "random actions are legal",
    ),
    Mutation(
        "random-never-swaps",
        ACTIONS,
        "        return last + scale(random, 2)\n",
        "        return last + KEEP\n",
        "random actions are uniform over the legal ones",
    ),
    Mutation(
        "random-placement-follows-the-slot",
        ACTIONS,
        "uint64(2 if m[g + s.held] else 0)",
        "uint64(0)",
        "random actions are uniform over the legal ones, staged",
    ),
    Mutation(
        "random-ignores-the-position",
        ACTIONS,
        "    step = uint64(m[g + s.placed]) * uint64(4) + uint64(m[g + s.turn]) * uint64(1024)\n",
        "    step = uint64(0)\n",
        "random actions at different steps are independent",
    ),
    Mutation(
        "random-slots-by-number",
        ACTIONS,
        "    slot = 0\n    while True:\n        if slot_weight",
        "    return pick\n    slot = 0\n    while True:\n        if slot_weight",
        "random actions are legal, staged",
    ),
    Mutation(
        "nth-bit-off-by-one",
        ACTIONS,
        "        passed = total <= n\n",
        "        passed = total < n\n",
        "random actions are legal",
    ),
    Mutation(
        "seed-ignores-the-index",
        STREAMS,
        "mix(index + POLICY_STREAM)",
        "mix(POLICY_STREAM)",
        "each game has its own stream",
    ),
    Mutation(
        "seed-and-index-are-one",
        STREAMS,
        "return mix(mix(seed + GOLDEN) + mix(index + POLICY_STREAM))",
        "return mix(seed + index)",
        "no two pairs of seed and index are the same game",
    ),
    Mutation(
        "all-games-have-one-policy-key",
        TURNS,
        "mix(stream ^ POLICY_KEY)",
        "POLICY_KEY",
        "each game has a policy key of its own",
    ),
    Mutation(
        "agents-draw-from-the-stream",
        ACTIONS,
        "w[(g >> 3) + s.policy_key]",
        "w[(g >> 3) + s.stream]",
        "an agent's choice does not change with what it cannot know",
    ),
    Mutation(
        "random-actions-by-the-wrong-word",
        BATCH,
        "field = s.policy_key if by_key else s.stream",
        "field = s.stream if by_key else s.policy_key",
        "random actions follow from the stream, agents' from the key",
    ),
    Mutation(
        "greedy-overlooks-the-stop",
        POLICIES,
        "    room = stop_of(s, old) - old\n",
        "    room = s.last_space - old\n",
        "the greedy policy goes by what a placement gains",
    ),
]

BATCHES = [
    Mutation(
        "threads-begin-at-the-first-index",
        BATCH,
        "seed_stream(seed, indices[i])",
        "seed_stream(seed, indices[i - low])",
        "the same games on any number of threads",
    ),
    Mutation(
        "threads-report-their-own-rows",
        BATCH,
        "staged, actions[i], legal):\n            return i\n",
        "staged, actions[i], legal):\n            return i - low\n",
        "the error names the game",
    ),
    Mutation(
        "threads-play-the-first-playouts",
        BATCH,
        "        w[s.stream] = seed_stream(seed, np.uint64(i))\n",
        "        w[s.stream] = seed_stream(seed, np.uint64(i - low))\n",
        "the same games on any number of threads",
    ),
    Mutation(
        "threads-reshuffle-alike",
        BATCH,
        "if by_key else np.uint64(i))",
        "if by_key else np.uint64(i - low))",
        "the same games on any number of threads",
    ),
    Mutation(
        "memory-that-is-held-is-given-out",
        "ingenious_env/memory.py",
        "if sys.getrefcount(array) == _UNHELD:",
        "if sys.getrefcount(array) >= _UNHELD:",
        "an answer belongs to the caller",
    ),
    Mutation(
        "memory-is-never-given-out-again",
        "ingenious_env/memory.py",
        "if sys.getrefcount(array) == _UNHELD:",
        "if sys.getrefcount(array) < _UNHELD:",
        "memory is used again",
    ),
    Mutation(
        "memory-piles-up",
        "ingenious_env/memory.py",
        "self._kept[: MOST - 1]",
        "self._kept",
        "so many arrays are kept",
    ),
    Mutation(
        "views-completed-by-their-rows",
        BATCH,
        "policy_random(m, w, s, g) if by_key else np.uint64(i)",
        "np.uint64(i)",
        "a game's action is the same in any batch",
    ),
    Mutation(
        "threads-leave-the-last-row",
        THREADS,
        "np.linspace(0, num_rows, num_shares + 1)",
        "np.linspace(0, num_rows - 1, num_shares + 1)",
        "threads share out all rows",
    ),
    Mutation(
        "auto-reset-turned-round",
        BATCH,
        "            if auto_reset:\n",
        "            if not auto_reset:\n",
        "finished games are dealt anew when asked",
    ),
    Mutation(
        "final-scores-after-the-deal",
        BATCH,
        """            for k in range(s.num_sheets * s.num_colours):
                final[i, k] = m[g + s.scores + k]
            if auto_reset:
                deal(m, w, b, s, g)
""",
        """            if auto_reset:
                deal(m, w, b, s, g)
            for k in range(s.num_sheets * s.num_colours):
                final[i, k] = m[g + s.scores + k]
""",
        "final scores are those of the finished game",
    ),
    Mutation(
        "observation-of-the-first-seat",
        BATCH,
        "write_observation(m, t, b, s, g, int64(m[g + s.to_play]), pointer(obs)",
        "write_observation(m, t, b, s, g, 0, pointer(obs)",
        "each row is observed for the player to move",
    ),
    Mutation(
        "seeding-ignores-the-first-index",
        ENGINE,
        "indices = np.arange(index, index + len(self), dtype=np.uint64)",
        "indices = np.arange(len(self), dtype=np.uint64)",
        "row i becomes game (seed, index + i)",
    ),
    Mutation(
        "clones-share-their-rows",
        ENGINE,
        "GameState(rules, rows.copy() if copy else rows)",
        "GameState(rules, rows)",
        "copies are independent",
    ),
    Mutation(
        "clones-forget-the-final-scores",
        ENGINE,
        "        copy.final_scores[:] = self.final_scores\n",
        "",
        "a clone is a copy",
    ),
    Mutation(
        "pickles-forget-the-final-scores",
        ENGINE,
        '        self.final_scores[:] = saved["final_scores"]\n',
        "",
        "a pickle is a copy",
    ),
    Mutation(
        "pickles-of-any-version",
        ENGINE,
        "        if version != PICKLE_VERSION:\n",
        "        if version is None:\n",
        "pickles of another version are refused",
    ),
    Mutation(
        "failed-reshuffle-leaves-a-mess",
        ENGINE,
        "            self.state.memory[:] = before\n",
        "",
        "an error leaves the games as they were",
    ),
]

RANKS = [
    Mutation(
        "rank-last-is-first",
        RANKING,
        "(numbers[..., None, :] > numbers[..., :, None])",
        "(numbers[..., None, :] < numbers[..., :, None])",
        "Rules 7.3: higher is better",
    ),
    Mutation(
        "rank-without-shared-ranks",
        RANKING,
        "1 + (numbers[..., None, :] > numbers[..., :, None]).sum(axis=-1)",
        "1 + np.argsort(np.argsort(-numbers, axis=-1, kind='stable'), axis=-1)",
        "Rules 7.3: all six equal is a shared rank",
    ),
    Mutation(
        "rank-from-the-highest-down",
        RANKING,
        "[-scores.shape[-1] :]",
        "[-scores.shape[-1] :][::-1]",
        "Rules 7.3: compared from the lowest up",
    ),
    Mutation(
        "rank-by-the-order-of-colours",
        RANKING,
        "np.sort(scores, axis=-1) @",
        "scores @",
        "Rules 7.3: counters sorted ascending",
    ),
    Mutation(
        "rank-by-the-lowest-alone",
        RANKING,
        "_PLACES[-scores.shape[-1] :])",
        "(_PLACES[-scores.shape[-1] :] >= 128 ** (scores.shape[-1] - 1)))",
        "Rules 7.3: ties at the lowest go on to the next",
    ),
    Mutation(
        "rank-by-digits-that-overflow",
        RANKING,
        "128 ** np.arange(MAX_COLOURS)",
        "16 ** np.arange(MAX_COLOURS)",
        "Rules 7.3: a lower counter outweighs all higher ones",
    ),
    Mutation(
        "ranks-before-the-end",
        ENGINE,
        "        ranks[over] = rank(self.state.scores[over])\n",
        "        ranks[:] = rank(self.state.scores)\n",
        "ranks are 0 until the game is over",
    ),
]

OBSERVATIONS = [
    Mutation(
        "obs-board-is-points",
        VIEWS,
        "mark_equal(out, at + last, m, board + last, colour + 1)",
        "mark_equal(out, at + last, m, board + last, colour)",
        "section board",
    ),
    Mutation(
        "obs-points-of-one-colour-less",
        VIEWS,
        "copy(out, at, m, g + s.points, s.num_colours * s.num_cells)",
        "copy(out, at, m, g + s.points, (s.num_colours - 1) * s.num_cells)",
        "section points",
    ),
    Mutation(
        "obs-leaks-the-rack-of-the-mover",
        VIEWS,
        "g + s.racks + seat_after(s, viewer, k) * s.rack_size, out, at)",
        "g + s.racks + int64(m[g + s.to_play]) * s.rack_size, out, at)",
        "section racks: a waiting seat sees its own rack, and no other",
    ),
    Mutation(
        "obs-rack-shows-low-twice",
        TABLES,
        "rows[np.arange(num_types), place * num_colours + types[:, place]] = 1",
        "rows[np.arange(num_types), place * num_colours + types[:, 0]] = 1",
        "section racks",
    ),
    Mutation(
        "obs-rack-shows-a-tile-in-empty-slots",
        VIEWS,
        "min(int64(m[rack + slot]), s.num_types)",
        "min(int64(m[rack + slot]), s.num_types - 1)",
        "section racks: all 0 for an empty slot",
    ),
    Mutation(
        "obs-rack-half-written",
        VIEWS,
        "        set_word_at(out, at + 8, b[colours + 1])\n",
        "",
        "section racks is written whole",
    ),
    Mutation(
        "obs-scores-from-seat-0",
        VIEWS,
        "t[s.sheet_of_seat + seat_after(s, viewer, k)]",
        "t[s.sheet_of_seat + k]",
        "section scores: own sheet first",
    ),
    Mutation(
        "obs-unseen-counts-the-own-rack",
        VIEWS,
        "        out[at + min(int64(m[place]), s.num_types)] -= 1\n",
        "        out[at + min(int64(m[place]), s.num_types)] -= 0\n",
        "section unseen",
    ),
    Mutation(
        "obs-unseen-leaks-the-other-racks",
        VIEWS,
        "    low, high = (0, s.num_players) if s.open_racks else (viewer, viewer + 1)\n",
        "    low, high = 0, s.num_players\n",
        "section unseen tells nothing about hidden racks",
    ),
    Mutation(
        "obs-shown-from-seat-0",
        VIEWS,
        "g + s.shown + seat_after(s, viewer, k) * s.num_types",
        "g + s.shown + k * s.num_types",
        "section shown: own seat first",
    ),
    Mutation(
        "obs-drawn-since-from-seat-0",
        VIEWS,
        "m[row + seat_after(s, viewer, j)]",
        "m[row + j]",
        "section drawn_since: own seat first",
    ),
    Mutation(
        "obs-drawn-since-without-limit",
        VIEWS,
        "out[at] = min(s.rack_size, m[row",
        "out[at] = min(MOST, m[row",
        "section drawn_since: at most R",
    ),
    Mutation(
        "obs-leaks-the-picked-slot",
        VIEWS,
        "(1 << int64(m[g + s.held]) >> 1) if moves else 0",
        "1 << int64(m[g + s.held]) >> 1",
        "section held: a waiting seat is not told",
    ),
    Mutation(
        "obs-mover-from-seat-0",
        VIEWS,
        "1 << seats_between(s, viewer, to_play)",
        "1 << to_play",
        "section to_play: own seat first",
    ),
    Mutation(
        "obs-seats-counted-backwards",
        TURNS,
        "    return other - seat + s.num_players if other < seat else other - seat\n",
        "    return seat - other + s.num_players if other > seat else seat - other\n",
        "section to_play: in turn order",
    ),
    Mutation(
        "obs-empty-slots-are-the-last-type",
        VIEWS,
        "        out[at + min(int64(m[place]), s.num_types)] -= 1\n",
        "        out[at + min(int64(m[place]), s.num_types - 1)] -= 1\n",
        "section unseen",
    ),
    Mutation(
        "obs-shown-cleared-short",
        VIEWS,
        "        for k in range(0, size, 8):",
        "        for k in range(0, size - 8, 8):",
        "section shown",
    ),
    Mutation(
        "obs-flags-left-out",
        VIEWS,
        "    set_word_at(out, at, b[s.spread + flags])\n    return at + count\n",
        "    set_word_at(out, at, b[s.spread + flags])\n    return at + 8\n",
        "the layout of the last sections",
    ),
    Mutation(
        "obs-touched-for-ever",
        VIEWS,
        "int64(m[g + s.touched]) if first_round else 0",
        "int64(m[g + s.touched])",
        "section touched: in the first round",
    ),
    Mutation(
        "obs-first-round-one-turn-long",
        VIEWS,
        "first_round = m[g + s.turn] < s.num_players",
        "first_round = m[g + s.turn] <= s.num_players",
        "section first_round",
    ),
    Mutation(
        "obs-leaks-the-offer-to-swap",
        VIEWS,
        "    out[at + 1] = moves & (phase == SWAP)\n",
        "    out[at + 1] = phase == SWAP\n",
        "section may_swap: a waiting seat is not told",
    ),
    Mutation(
        "obs-leaks-plays-left",
        VIEWS,
        "m[g + s.plays_left] if moves and phase == PLACE else 0",
        "m[g + s.plays_left] if phase == PLACE else 0",
        "section plays_left: a waiting seat is not told",
    ),
    Mutation(
        "obs-leaks-the-next-tile",
        VIEWS,
        "min(MOST, s.num_tiles - m[g + s.drawn])",
        "m[g + s.bag + int64(m[g + s.drawn])]",
        "section bag tells nothing about its order",
    ),
    Mutation(
        "obs-bag-without-limit",
        VIEWS,
        "min(MOST, s.num_tiles - m[g + s.drawn])",
        "s.num_tiles - m[g + s.drawn]",
        "section bag: at most 127",
    ),
    Mutation(
        "planes-transposed",
        OBSERVATION,
        "        columns, rows = (",
        "        rows, columns = (",
        "planes: row r, column q",
    ),
    Mutation(
        "planes-of-taken-cells",
        OBSERVATION,
        "1 - board.sum(axis=1, dtype=np.int8)",
        "board.sum(axis=1, dtype=np.int8)",
        "planes: one for the empty cells",
    ),
    Mutation(
        "dict-with-colours-turned-round",
        OBSERVATION,
        '(arrays["board"] * colours[:, None])',
        '(arrays["board"] * colours[::-1, None])',
        "dict: the board as colours",
    ),
    Mutation(
        "dict-of-views",
        OBSERVATION,
        "reshape(-1, *part.shape).copy()",
        "reshape(-1, *part.shape)",
        "observations share nothing with the vector",
    ),
    Mutation(
        "vectors-not-copied",
        SPACES,
        "        return vectors.copy()\n",
        "        return vectors\n",
        "fresh arrays in every form",
    ),
    Mutation(
        "space-without-bonus-plays",
        OBSERVATION,
        '"plays_left": ((1,), 1 + 2 * colours)',
        '"plays_left": ((1,), 1)',
        "observations lie in their space",
    ),
    Mutation(
        "space-of-two-colours",
        SPACES,
        'highs_by_name["board"][:] = layout.rules.num_colours',
        'highs_by_name["board"][:] = 2',
        "observations lie in their space",
    ),
]

HIDDEN_TILES = [
    Mutation(
        "reshuffle-ignores-what-was-shown",
        HIDDEN,
        "shown_allowed(m, s, g, player, place) | (1 << NEVER_SHOWN)",
        "(2 << NEVER_SHOWN) - 1",
        "Rules 6.2: tiles shown in a swap lie in the bag until drawn",
    ),
    Mutation(
        "reshuffle-allows-a-place-too-many",
        HIDDEN,
        "+ player] > place:",
        "+ player] >= place:",
        "as many places may hold shown tiles as were drawn since",
    ),
    Mutation(
        "reshuffle-widest-places-first",
        HIDDEN,
        "for seats_allowed in range(s.num_players + 1):",
        "for seats_allowed in range(s.num_players, -1, -1):",
        "all deals are equally likely",
    ),
    Mutation(
        "reshuffle-offered-rack-last",
        HIDDEN,
        "for with_offer in (True, False):",
        "for with_offer in (False, True):",
        "all deals are equally likely",
    ),
    Mutation(
        "reshuffle-ignores-the-offer",
        HIDDEN,
        "    barred = lowest_colours(m, t, s, g) if offered_swap else 0\n",
        "    barred = 0\n",
        "an offer to swap stays one",
    ),
    Mutation(
        "reshuffle-ignores-what-the-viewer-drew",
        HIDDEN,
        "            mine_since = min(mine, int64(m[g + s.drawn_since + seat * s.num_players + viewer]))\n",
        "            mine_since = 0\n",
        "tiles on the viewer's rack may be those that were shown",
    ),
    Mutation(
        "reshuffle-favours-the-first",
        HIDDEN,
        "draw_number(stream, 0, count)",
        "draw_number(stream, 0, count + 1) % count",
        "all deals are equally likely",
    ),
    Mutation(
        "reshuffle-leaves-the-bag-in-order",
        HIDDEN,
        "    w[(g >> 3) + s.stream] = mix(stream[0])\n    shuffle_bag(m, w, s, g)\n",
        "    w[(g >> 3) + s.stream] = mix(stream[0])\n",
        "every order of the bag is equally likely",
    ),
    Mutation(
        "reshuffle-of-open-racks-goes-on-from-the-bag",
        HIDDEN,
        "        order_bag(m, s, g)\n",
        "        pass\n",
        "a fresh deal does not follow from the one before",
    ),
    Mutation(
        "reshuffle-leaves-the-future",
        HIDDEN,
        "    w[(g >> 3) + s.stream] = mix(stream[0])\n    shuffle_bag(m, w, s, g)\n",
        "    stream[0] ^= w[(g >> 3) + s.stream]\n    w[(g >> 3) + s.stream] ^= stream[0]\n"
        "    stream[0] ^= w[(g >> 3) + s.stream]\n    shuffle_bag(m, w, s, g)\n"
        "    w[(g >> 3) + s.stream] = stream[0]\n",
        "the stream is hidden, too",
    ),
    Mutation(
        "reshuffle-of-open-racks",
        HIDDEN,
        "    if s.open_racks:\n",
        "    if s.open_racks < 0:\n",
        "open racks are known to all",
    ),
    Mutation(
        "unseen-counts-the-own-rack",
        GAME,
        "return unplaced - Counter(tile for rack in in_sight for tile in rack)",
        "return unplaced",
        "what a player does not see",
    ),
]

REWARD = [
    Mutation(
        "outcome-for-the-last",
        REWARDS,
        "sheets[:, :, None] - sheets[:, None, :]",
        "sheets[:, None, :] - sheets[:, :, None]",
        "outcome: +1 for the first",
    ),
    Mutation(
        "outcome-of-ties-not-shared",
        REWARDS,
        "np.sign(sheets[:, :, None] - sheets[:, None, :]).sum(axis=2)",
        "(np.where(sheets[:, :, None] >= sheets[:, None, :], 1, -1).sum(axis=2) - 1)",
        "outcome: ties shared, zero-sum",
    ),
    Mutation(
        "outcome-before-the-end",
        REWARDS,
        "    rewards, sheets = np",
        "    over = np.ones_like(over)\n    rewards, sheets = np",
        "outcome: at the end",
    ),
    Mutation(
        "margin-over-all-sheets",
        REWARDS,
        "/ max(1, sheets - 1)\n",
        "/ sheets\n",
        "margin: the others' mean, zero-sum",
    ),
    Mutation(
        "score-of-the-best-colour",
        REWARDS,
        "vector(before, after, over, last).sum(axis=2)",
        "vector(before, after, over, last).max(axis=2)",
        "score: all colours together",
    ),
    Mutation(
        "score-capped",
        REWARDS,
        "return after.astype(np.float64) - before",
        "return np.minimum(after.astype(np.float64) - before, 6)",
        "score: the whole rise",
    ),
    Mutation(
        "lowest-rise",
        REWARDS,
        "after.min(axis=2).astype(np.float64) - before.min(axis=2)",
        "(after.astype(np.float64) - before).min(axis=2)",
        "lowest: the rise of the lowest counter",
    ),
    Mutation(
        "rewards-of-the-neighbour",
        REWARDS,
        "np.arange(rules.num_players) % rules.num_sheets",
        "np.arange(rules.num_players) * rules.num_sheets // rules.num_players",
        "Rules 4.5: which seats are partners",
    ),
]

TEXT = [
    Mutation(
        "notation-field-order",
        NOTATION,
        '    "turn",\n    "scores",\n',
        '    "scores",\n    "turn",\n',
        "the documented order of the lines",
    ),
    Mutation(
        "notation-move-r-before-q",
        NOTATION,
        'f"{COLOUR_LETTERS[colour - 1]}{q},{r}"',
        'f"{COLOUR_LETTERS[colour - 1]}{r},{q}"',
        "moves round-trip",
    ),
    Mutation(
        "notation-board-rows-turned-round",
        NOTATION,
        "        cells[row] = [",
        "        cells[row][::-1] = [",
        "positions round-trip",
    ),
    Mutation(
        "notation-symbols-turned-round",
        NOTATION,
        "sum(1 << int(symbol) for symbol in touched)",
        "sum(1 << (5 - int(symbol)) for symbol in touched)",
        "positions round-trip",
    ),
    Mutation(
        "notation-bag-turned-round",
        NOTATION,
        "[*[0] * int(state.drawn[0]), *bag]",
        "[*[0] * int(state.drawn[0]), *reversed(bag)]",
        "the bag in the order of drawing",
    ),
    Mutation(
        "notation-impossible-positions",
        NOTATION,
        "    consistency.check(state)\n",
        "",
        "positions that cannot be are refused",
    ),
    Mutation(
        "letters-interchanged",
        TILES,
        'COLOUR_LETTERS = "rgboyp"',
        'COLOUR_LETTERS = "rgbyop"',
        "Rules 1.1: the colours and their letters",
    ),
    Mutation(
        "position-with-a-false-offer",
        CONSISTENCY,
        "    if state.phase[0] == SWAP and not _may_swap(state):\n",
        "    if state.phase[0] == SWAP and not rules.has_swaps:\n",
        "positions that cannot be are refused",
    ),
    Mutation(
        "position-with-gaps-in-a-waiting-rack",
        CONSISTENCY,
        "        if waits and not bag_is_empty and rack[-1] == NO_TILE:\n",
        "        if waits and not bag_is_empty and rack[0] == NO_TILE:\n",
        "positions that cannot be are refused",
    ),
    Mutation(
        "position-with-shown-tiles-on-the-board",
        CONSISTENCY,
        " or (shown > state.unplaced[0]).any()",
        "",
        "positions that cannot be are refused",
    ),
    Mutation(
        "position-with-a-symbol-not-touched",
        CONSISTENCY,
        "        if beside and state.turn[0]",
        "        if not beside and state.turn[0] > 255 and state.turn[0]",
        "positions that cannot be are refused",
    ),
]

BOARD = [
    Mutation(
        "pairs-not-sorted",
        GEOMETRY,
        "pairs = sorted((index[a], index[b]) for a, b in adjacent_pairs(free))",
        "pairs = [(index[a], index[b]) for a, b in adjacent_pairs(free)]",
        "the order of pairs, and so of actions",
    ),
    Mutation(
        "pairs-on-symbols",
        GEOMETRY,
        "free = [cell for cell in cells if cell not in symbols]",
        "free = list(cells)",
        "Rules 1.4: nothing may be placed on a start symbol",
    ),
    Mutation(
        "symbols-on-the-outermost-corners",
        GEOMETRY,
        "symbols = corners(min(side, SYMBOL_SIDE))",
        "symbols = corners(side)",
        "Rules 1.4: the corners of the side-6 hexagon on every board",
    ),
    Mutation(
        "symbols-interchanged",
        GEOMETRY,
        "[(0, -n), (n, -n), (n, 0), ",
        "[(0, -n), (n, 0), (n, -n), ",
        "Rules 8.1: the order of the start symbols",
    ),
    Mutation(
        "touches-by-the-first-cell",
        GEOMETRY,
        "for end in pair for cell in neighbours[end]}",
        "for end in pair[:1] for cell in neighbours[end]}",
        "Rules 3.2: either half touches",
    ),
    Mutation(
        "symmetries-without-mirror",
        GEOMETRY,
        "    return cell[1], cell[0]\n",
        "    return cell\n",
        "twelve symmetries",
    ),
    Mutation(
        "symmetries-anticlockwise",
        GEOMETRY,
        "    return -r, q + r\n",
        "    return q + r, -q\n",
        "symmetries 0 to 5 turn clockwise",
    ),
    Mutation(
        "swap-is-keep",
        MOVES,
        "        return self.keep + 1\n",
        "        return self.keep\n",
        "the numbers of actions",
    ),
    Mutation(
        "halves-in-one-order-alone",
        GAME,
        "= sorted((index[cell], colour) for cell, colour in halves)",
        "= [(index[cell], colour) for cell, colour in halves]",
        "the halves of a placement may come in either order",
    ),
    Mutation(
        "doubles-as-many-as-pairs",
        TILES,
        "COPIES_OF_DOUBLE = 5",
        "COPIES_OF_DOUBLE = 6",
        "Rules 1.2: five tiles of each double",
    ),
    Mutation(
        "set-without-a-swap",
        RULES,
        "self.num_players * self.rack_size + swapped",
        "self.num_players * self.rack_size",
        "the set is repeated until it is enough",
    ),
]

HOT_PATH = [
    Mutation(
        "points-on-taken-cells",
        TURNS,
        "(1 + run_ahead) * (m[board + behind] == EMPTY)",
        "1 + run_ahead",
        "`points` of a taken cell are 0",
    ),
    Mutation(
        "nth-bit-of-the-wrong-byte",
        ACTIONS,
        "    n -= int64((sums << uint64(8)) >> shift & uint64(255))\n",
        "    n -= int64(sums >> shift & uint64(255))\n",
        "random actions are legal",
    ),
    Mutation(
        "random-slot-of-the-way-before",
        ACTIONS,
        "slot = bytes_passed(ways, way)",
        "slot = bytes_passed(ways, way - 1)",
        "random actions are uniform over the legal ones",
    ),
    Mutation(
        "mask-of-the-wrong-word",
        ACTIONS,
        "spread_bits(flags, 64 * word, legal[word])",
        "spread_bits(flags, 64 * word, legal[max(word, 1)])",
        "the mask shows every legal pair",
    ),
    Mutation(
        "mask-of-small-boards-one-pair-less",
        ACTIONS,
        "        for k in range(count):\n            to[to_at + k]",
        "        for k in range(count - 1):\n            to[to_at + k]",
        "the mask on boards of fewer than 32 pairs",
    ),
    Mutation(
        "mask-repeats-the-first-block",
        ACTIONS,
        "copy_and(to, to_at + k, flags, k, kept)",
        "copy_and(to, to_at + k, flags, 0, kept)",
        "the mask shows every legal pair",
    ),
    Mutation(
        "random-repeats-equal-tiles",
        ACTIONS,
        "is_first = tile != int64(before >> shift & uint64(255))",
        "is_first = tile != NO_TILE",
        "of equal tiles only the first slot is drawn",
    ),
    Mutation(
        "check-forgets-the-first-round",
        ACTIONS,
        "        bits = legal[pair >> 6]\n",
        "        pass\n",
        "Rules 3.2: the first tile by a symbol of one's own",
    ),
    Mutation(
        "check-without-open-pairs",
        ACTIONS,
        "    bits = w[(g >> 3) + s.open_pairs + (pair >> 6)]\n",
        "    bits = ~uint64(0)\n",
        "both cells of a placement are empty",
    ),
    Mutation(
        "turned-from-one-pair-later",
        ACTIONS,
        "turned = 1 if placement >= s.num_pairs else 0",
        "turned = 1 if placement > s.num_pairs else 0",
        "the numbers of placements",
    ),
    Mutation(
        "slot-of-the-next-action",
        ACTIONS,
        "slot = (action * s.ways_reciprocal) >> 32",
        "slot = ((action + 1) * s.ways_reciprocal) >> 32",
        "the numbers of slots",
    ),
    Mutation(
        "one-thread-does-not-check",
        BATCH,
        "    if not are_legal:\n",
        "    if are_legal:\n",
        "illegal actions are refused",
    ),
    Mutation(
        "threads-do-not-check",
        PARALLEL,
        "        are_legal &= found[k] < 0\n",
        "        are_legal &= found[0] < 0\n",
        "illegal actions are refused whatever the threads",
    ),
    Mutation(
        "threads-name-a-later-row",
        ENGINE,
        "    for row in found:\n        if row >= 0:",
        "    for row in reversed(found):\n        if row >= 0:",
        "the error names the first game",
    ),
    Mutation(
        "obs-shown-before-the-second-swap",
        VIEWS,
        "    if m[g + s.swaps] == 0:\n",
        "    if m[g + s.swaps] <= 1:\n",
        "section shown: from the first swap on",
    ),
    Mutation(
        "obs-small-boards-without-colour",
        VIEWS,
        "out[at + cell] = m[board + cell] == colour + 1",
        "out[at + cell] = m[board + cell] != 0",
        "section board on boards of fewer than 64 cells",
    ),
    Mutation(
        "obs-large-boards-by-the-first-block",
        VIEWS,
        "            for cell in range(0, last, 32):\n",
        "            for cell in range(0, min(last, 1), 32):\n",
        "section board on boards of more than 64 cells",
    ),
    Mutation(
        "blocks-without-the-last",
        INTRINSICS,
        "        copy_64(to, to_at + last, source, source_at + last)\n",
        "",
        "section points is copied whole",
    ),
    Mutation(
        "small-blocks-without-the-last",
        INTRINSICS,
        "        copy_16(to, to_at + last, source, source_at + last)\n",
        "",
        "section unseen is copied whole",
    ),
    Mutation(
        "greedy-gains-of-the-first-colour",
        POLICIES,
        "    old = int64(m[sheet + colour])\n",
        "    old = int64(m[sheet])\n",
        "greedy raises the value of the counters most",
    ),
    Mutation(
        "greedy-looks-at-the-first-pairs-alone",
        POLICIES,
        "left += bound_of[k] >= value",
        "left += bound_of[k] > value",
        "equals are drawn for",
    ),
    Mutation(
        "greedy-bounds-leave-out-high-colours",
        POLICIES,
        "shown |= 1 << slots[3 * k + 1] | 1 << slots[3 * k + 2]",
        "shown |= 1 << slots[3 * k + 1]",
        "greedy looks at all that could be best",
    ),
    Mutation(
        "greedy-draws-the-first-of-equals",
        POLICIES,
        "if scale(random, equals) == 0:",
        "if equals == 1:",
        "equals are drawn for",
    ),
    Mutation(
        "greedy-points-stop-short",
        POLICIES,
        "    for points in range(room, most):\n",
        "    for points in range(room, most - 24):\n",
        "long lines are worth their points",
    ),
    Mutation(
        "greedy-leaves-the-last-pairs",
        POLICIES,
        "    for word in range(s.num_words):\n        bits",
        "    for word in range(s.num_words - 1):\n        bits",
        "greedy looks at all pairs",
    ),
]

AGENTS = [
    Mutation(
        "value-weighs-all-cells-alike",
        INPUTS,
        "places.open_pairs[cell] += m[board + ahead] == EMPTY",
        "places.open_pairs[cell] |= m[board + ahead] == EMPTY",
        "a place counts as often as a tile can lie there",
    ),
    Mutation(
        "value-joins-all-colours-but-one",
        VALUES,
        "    for colour in range(s.num_colours):\n        first_layer(",
        "    for colour in range(1, s.num_colours):\n        first_layer(",
        "all colours are judged",
    ),
    Mutation(
        "value-search-ends-at-anybody's-decision",
        VALUE_SEARCH,
        "if int64(m[work + s.to_play]) % s.num_sheets == sheet:",
        "if int64(m[work + s.to_play]) % s.num_sheets >= 0:",
        "the horizon counts the searching sheet's decisions",
    ),
    Mutation(
        "value-search-asks-the-first-sheet",
        VALUE_SEARCH,
        "value = outcome(m, s, work, sheet)",
        "value = outcome(m, s, work, int64(0))",
        "a finished game is worth what it is to the searching sheet",
    ),
    Mutation(
        "value-search-tries-one-candidate-on-all-deals",
        VALUE_SEARCH,
        "play(m, w, t, b, s, work, FLAT, int64(candidates[k]))",
        "play(m, w, t, b, s, work, FLAT, int64(candidates[0]))",
        "each candidate is tried",
    ),
    Mutation(
        "value-counts-covered-pairs",
        INPUTS,
        "new.open_pairs[cell] -= new.open_pairs[cell] > 0",
        "new.open_pairs[cell] -= new.open_pairs[cell] > 6",
        "only open pairs count, after a placement, too",
    ),
    Mutation(
        "value-looks-through-a-new-half",
        INPUTS,
        "if halves > 0 and not in_line:",
        "if halves > 6 and not in_line:",
        "what is behind a new half is no longer met",
    ),
    Mutation(
        "value-joins-what-is-farther-off",
        INPUTS,
        "if theirs == symbol and distance == 1:",
        "if theirs == symbol:",
        "a line has no gaps",
    ),
    Mutation(
        "value-sees-the-first-half-alone",
        INPUTS,
        "come_into_view(m, t, s, after + s.board, cell_2,",
        "come_into_view(m, t, s, g + s.board, cell_2,",
        "the second half is met behind or beside the first",
    ),
    Mutation(
        "value-expects-no-draw",
        VALUES,
        "surprises[colour] -= drawn * room.colours",
        "surprises[colour] -= 0 * room.colours",
        "luck is what was drawn beyond what was to be expected",
    ),
    Mutation(
        "value-takes-luck-for-skill",
        VALUES,
        "targets[i, step] = target - luck[i, step]",
        "targets[i, step] = target",
        "targets are without the luck of the draw",
    ),
    Mutation(
        "value-keeps-the-tile-just-placed",
        VALUES,
        "    count_tile(t, s, tile, -1, 0, colours)\n",
        "    count_tile(t, s, tile, 0, 0, colours)\n",
        "an afterstate's rack is without the tile",
    ),
    Mutation(
        "value-begins-with-the-first-sheet",
        INPUTS,
        "    mine, open_pairs = g + s.scores + sheet * s.num_colours, places.open_pairs",
        "    mine, open_pairs = g + s.scores, places.open_pairs",
        "how far counters are ahead is told of the mover's own sheet",
    ),
    Mutation(
        "value-owes-nothing",
        VALUES,
        "int64(m[work + s.plays_left]) if m[work + s.turn] == m[g + s.turn] else 0",
        "0",
        "bonus plays that are owed are worth something",
    ),
    Mutation(
        "value-learns-from-what-was-tried-out",
        VALUES,
        "onward = 0.0 if explored[i, step] else decay",
        "onward = decay",
        "a random move is not held against those before it",
    ),
    Mutation(
        "value-learns-from-the-others",
        VALUES,
        "                if sheets[i, step] == sheet:\n",
        "                if sheets[i, step] >= sheet:\n",
        "each sheet learns from its own decisions",
    ),
    Mutation(
        "expectimax-draws-what-is-on-the-rack",
        EXPECTIMAX,
        "        up_to += int64(m[g + s.unplaced + tile]) - kept[tile]\n",
        "        up_to += int64(m[g + s.unplaced + tile])\n",
        "only tiles that are not seen can be drawn",
    ),
    Mutation(
        "expectimax-forgets-what-it-keeps",
        EXPECTIMAX,
        "        if kept[tile] and draws < s.rack_size:\n",
        "        if kept[tile] > 1 and draws < s.rack_size:\n",
        "the next placement may be of a tile that is kept",
    ),
    Mutation(
        "tree-judges-by-the-first-sheet",
        ROLLOUTS,
        "        counters = g + s.scores + sheet * s.num_colours\n",
        "        counters = g + s.scores\n",
        "each sheet's chances follow from its own counters",
    ),
    Mutation(
        "tree-plays-past-its-horizon",
        ROLLOUTS,
        "while m[g + s.phase] != OVER and int64(m[g + s.turn]) < until:",
        "while m[g + s.phase] != OVER and int64(m[g + s.turn]) <= until:",
        "a simulation ends at its horizon",
    ),
]

MUTATIONS = [
    *SCORING,
    *BONUS_PLAYS,
    *END_OF_GAME,
    *TURN,
    *FIRST_ROUND,
    *SWAPS,
    *ACTION,
    *RANDOM,
    *BATCHES,
    *RANKS,
    *OBSERVATIONS,
    *HIDDEN_TILES,
    *REWARD,
    *TEXT,
    *BOARD,
    *HOT_PATH,
    *AGENTS,
]
"""All of them; their names are distinct."""
