"""Deliberate bugs in actions: what is legal, masks, numbers, random actions, the greedy opponent."""

from __future__ import annotations

from locate import Mutation

COMPILED, GAME = "ingenious_env/compiled/", "ingenious_env/games/ingenious/"
LEGALITY, PLACING, ACTIONS = GAME + "kernels/legality.py", COMPILED + "placing.py", COMPILED + "actions.py"
INTRINSICS, MOVES, TABLES = COMPILED + "intrinsics.py", GAME + "moves.py", GAME + "tables.py"
GREEDY = GAME + "opponents/kernels/greedy.py"

LEGAL = [
    Mutation(
        "check-without-open-pairs",
        LEGALITY,
        "pair_illegality",
        r"not has_bit\(game\.open_pairs, pair\)",
        "False",
        "both cells of a placement are empty",
        paragraph="3.1",
    ),
    Mutation(
        "check-forgets-the-first-round",
        LEGALITY,
        "pair_illegality",
        r"game\.turn < game\.spec\.num_players",
        "game.turn < game.spec.num_players - 1",
        "the first tile lies by a symbol of its own",
        paragraph="3.2",
    ),
    Mutation(
        "double-lies-both-ways",
        TABLES,
        "_ways",
        "1, 2",
        "2, 2",
        "a double has one orientation on a pair",
    ),
    Mutation(
        "equal-tiles-all-legal",
        LEGALITY,
        "slot_weight",
        r"rack\[slot - 1\] != rack\[slot\]",
        "rack[slot - 1] <= rack[slot]",
        "of equal tiles only the first slot is legal",
    ),
    Mutation(
        "check-allows-picking-twice",
        PLACING,
        "illegality",
        r"SLOT_PICKED if game\.held else (rules\.slot_illegality)",
        r"\1",
        "staged, one slot is picked",
    ),
    Mutation(
        "empty-slots-are-called-repeated",
        LEGALITY,
        "slot_illegality",
        "SLOT_EMPTY if .*? else ",
        "",
        "the code of an empty slot",
    ),
]

MASKS = [
    Mutation(
        "mask-keeps-placements-at-a-swap",
        LEGALITY,
        "write_mask",
        r"clear\(mask, last\)",
        "pass",
        "the mask is written whole",
    ),
    Mutation(
        "mask-of-the-first-word",
        LEGALITY,
        "write_mask",
        r"workspace\.legal\[word\]",
        "workspace.legal[0]",
        "the mask shows every legal pair",
    ),
    Mutation(
        "mask-without-the-last-block",
        INTRINSICS,
        "_in_blocks",
        r"act\(builder, last\)",
        "pass",
        "masks and observations are written whole",
    ),
]

RANDOM_ACTIONS = [
    Mutation(
        "random-doubles-too-often",
        LEGALITY,
        "rack_weights",
        r"int64\(is_first\) \* game\.type_ways\[tile\]",
        "int64(is_first) * 2 * min(1, game.type_ways[tile])",
        "random actions are uniform over the legal ones",
    ),
    Mutation(
        "random-ignores-the-position",
        PLACING,
        "word_for_decision",
        r"uint64\(game\.placed\) \* uint64\(4\) \+ ",
        "",
        "random actions at different steps are independent",
    ),
]

NUMBERS = [
    Mutation(
        "turned-from-one-pair-later",
        LEGALITY,
        "placement_illegality",
        r"placement >= game\.spec\.num_pairs",
        "placement > game.spec.num_pairs",
        "the numbers of placements",
    ),
    Mutation(
        "flat-actions-of-the-slot-before",
        ACTIONS,
        "ActionSpace.from_flat",
        "actions // placements",
        "(actions - 1) // placements",
        "a policy's flat actions as staged ones",
    ),
    Mutation(
        "halves-in-one-order-alone",
        MOVES,
        "action_of",
        r"sorted\(\(index\[cell\], colour\) for cell, colour in halves\)",
        "((index[cell], colour) for cell, colour in halves)",
        "the halves of a placement may come in either order",
    ),
]

GREEDY_OPPONENT = [
    Mutation(
        "greedy-overlooks-the-stop",
        GREEDY,
        "write_worth",
        r"stop_of\(game, old\)",
        "game.spec.last_space",
        "what is lost beyond a stop is worth nothing",
    ),
]

MUTATIONS = [*LEGAL, *MASKS, *RANDOM_ACTIONS, *NUMBERS, *GREEDY_OPPONENT]
