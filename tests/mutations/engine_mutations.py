"""Deliberate bugs round the rules: seeds, batches, threads, the cache, rewards, checks."""

from __future__ import annotations

from locate import Mutation

COMPILED, ENGINE, GAME = "ingenious_env/compiled/", "ingenious_env/engine/", "ingenious_env/games/ingenious/"
RNG, BAG, ROW_KERNELS, THREADS, CACHE = (
    COMPILED + f"{name}.py" for name in ("rng", "bag", "row_kernels", "threads", "targets/cache")
)
BATCH, VIEW = ENGINE + "batch.py", "ingenious_env/policies/view.py"
SEAT_REWARDS = "ingenious_env/engine/rewards.py"
REWARDS, CONSISTENCY = GAME + "rewards.py", GAME + "consistency.py"

SEEDS_AND_SHUFFLING = [
    Mutation(
        "seed-and-index-may-change-places",
        RNG,
        "seed_stream",
        "INDEX_STREAM",
        "GOLDEN",
        "no two pairs of seed and index are the same game",
        field="stream",
    ),
    Mutation(
        "shuffle-leaves-no-tile-in-place",
        BAG,
        "shuffle_bag",
        r"last - start \+ 1",
        "last - start",
        "every order of the bag is equally likely",
        field="bag",
    ),
    Mutation(
        "rows-of-another-variant-are-read",
        BATCH,
        "GameBatch.from_rows",
        r"rows\.shape\[1\] != words",
        "False",
        "a kernel stays within its row",
    ),
    Mutation(
        "a-second-staged-step-is-any-number",
        VIEW,
        "flat_actions",
        r"second >= space\.first_placement",
        "second == second",
        "an action out of turn is illegal",
    ),
    Mutation(
        "views-tell-what-is-to-come",
        VIEW,
        "View.keys",
        r"state\.policy_key",
        "state.stream",
        "a view's key stays with the game, and says nothing of the deal",
        field="policy_key",
    ),
    Mutation(
        "views-completed-by-their-rows",
        ROW_KERNELS,
        "reshuffle_hidden",
        r"rules\.word_for_decision\(game, game\.policy_key\) if by_key else ",
        "",
        "a game's completion is the same in any batch",
    ),
]

BATCHES = [
    Mutation(
        "final-scores-after-the-deal",
        ROW_KERNELS,
        "play_games",
        r"(copy\(row_of_array\(final, i\).*?shape\[1\]\)) (if .*? auto_reset): rules\.deal\(game\)",
        r"\2:\n    rules.deal(game)\n\1",
        "final scores are those of the finished game",
    ),
    Mutation(
        "copies-share-their-rows",
        BATCH,
        "GameBatch.from_rows",
        r"rows\.copy\(\) if copy",
        "rows if copy",
        "copies are independent",
    ),
    Mutation(
        "rows-out-of-range-are-the-last",
        BATCH,
        "GameBatch.take",
        r"rows\.max\(\) < len\(self\)",
        "rows.max() <= len(self)",
        "a row that is not there is refused",
    ),
    Mutation(
        "failed-reshuffle-leaves-a-mess",
        BATCH,
        "GameBatch.reshuffle_hidden",
        r"self\.state\.memory\[:\] = before",
        "pass",
        "an error leaves the games as they were",
    ),
]

MACHINERY = [
    Mutation(
        "threads-begin-at-the-first-index",
        ROW_KERNELS,
        "seed_games",
        r"indices\[i\]",
        "indices[i - low]",
        "the same games on any number of threads",
    ),
    Mutation(
        "threads-name-a-later-row",
        THREADS,
        "_first",
        r"in found",
        "in found[::-1]",
        "the error names the first game",
    ),
    Mutation(
        "threads-play-beside-an-illegal-action",
        THREADS,
        "_shared_in_steps",
        r"row != ALL_ROWS",
        "row < ALL_ROWS",
        "no game changes if one action is illegal, whichever thread has it",
    ),
    Mutation(
        "pace-never-pauses",
        THREADS,
        "Pace.shares",
        r"now >= self\.resume",
        "now >= 0",
        "rows are not shared out while that loses time",
    ),
    Mutation(
        "cache-overlooks-what-kernels-call",
        CACHE,
        "source_digest",
        r"\[whole, \*\(",
        "[*(",
        "kernels are compiled anew when a module that they import changes",
    ),
    Mutation(
        "cache-of-one-game-for-all",
        CACHE,
        "cache_folder",
        r'\(name or "common"\)',
        '"common"',
        "two games' kernels of one template are distinguished",
    ),
]

RESULTS = [
    Mutation(
        "lowest-rise",
        REWARDS,
        "lowest",
        r"after\.min\(axis=2\)\.astype\(np\.float64\) - before\.min\(axis=2\)",
        "(after.astype(np.float64) - before).min(axis=2)",
        "the rise of the lowest counter",
        paragraph="7.4",
    ),
    Mutation(
        "rewards-of-the-neighbour",
        SEAT_REWARDS,
        "SeatReward.__init__",
        r"rules\.sheet_of\(seat\) for",
        "seat * rules.num_sheets // rules.num_players for",
        "partners get the same reward",
        paragraph="4.5",
    ),
]

TEXTS = [
    Mutation(
        "position-with-a-false-offer",
        CONSISTENCY,
        "_swaps",
        r"not _may_swap\(state\)",
        "not rules.has_swaps",
        "positions that cannot be are refused",
        paragraph="6.1",
    ),
]

MUTATIONS = [*SEEDS_AND_SHUFFLING, *BATCHES, *MACHINERY, *RESULTS, *TEXTS]
