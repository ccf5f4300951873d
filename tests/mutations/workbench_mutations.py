"""Deliberate bugs in environments, in the value network, and in agents: search, learning, evaluation."""

from __future__ import annotations

from locate import Mutation

ENVS, OPPONENTS = "ingenious_env/envs/", "ingenious_env/games/ingenious/opponents/kernels/"
EPISODES, VERSUS, VECTOR = ENVS + "episodes.py", ENVS + "versus.py", ENVS + "vector.py"
SB3 = "ingenious_env/sb3.py"
INPUTS, VALUE, RESULTS = OPPONENTS + "inputs.py", OPPONENTS + "value.py", OPPONENTS + "results.py"
AGENTS = "agents/ingenious_agents/"
SELF_PLAY, VALUE_SEARCH = (AGENTS + f"value/kernels/{name}.py" for name in ("self_play", "value_search"))
ROLLOUTS = AGENTS + "search/kernels/rollouts.py"
RATINGS, SCHEDULER, MATCH, STATISTICS, TOURNAMENT = (
    AGENTS + f"evaluation/{name}.py" for name in ("ratings", "scheduler", "match", "statistics", "tournament")
)
SCALE, DUELS, RATING, CARD = (
    AGENTS + f"evaluation/{name}.py" for name in ("scale", "duels", "rating", "card")
)
EXACT = AGENTS + "search/kernels/exact.py"
EXACT_TWO, EXACT_TWO_MOVES = AGENTS + "search/exact_two.py", AGENTS + "search/kernels/exact_two_moves.py"
KNOWN_BAG, KNOWN_BAGS = AGENTS + "search/known_bag.py", AGENTS + "evaluation/known_bags.py"
EVALUATED = AGENTS + "evaluation/rollouts.py"
LUCK = "ingenious_env/policies/luck.py"
POOL, TRAIN_PPO = AGENTS + "ppo/opponent_pool.py", AGENTS + "ppo/training.py"

ENVIRONMENTS = [
    Mutation(
        "masks-of-ended-episodes",
        EPISODES,
        "Episodes.masks",
        r"masks\[self\.ended\] = 0",
        "pass",
        "an episode that an illegal action ended has no legal actions",
    ),
    Mutation(
        "observations-share-their-mask",
        EPISODES,
        "Episodes.observe",
        r"masks\.copy\(\)",
        "masks",
        "a mask in an observation is the caller's own",
    ),
    Mutation(
        "rewards-of-the-last-step-alone",
        EPISODES,
        "Episodes.step",
        r"scores\[~playing\] = 0",
        "pass",
        "the rewards of an episode sum to its return",
    ),
    Mutation(
        "final-observation-of-the-next-game",
        VECTOR,
        "GameVectorEnv.step",
        r"(final = self\._final\(done\)) (self\.episodes\.begin\(done\))",
        r"\2\n\1",
        "the last observation and info are those of the game that ended",
    ),
    Mutation(
        "seats-turn-the-other-way",
        VERSUS,
        "VersusEpisodes._play_opponents",
        r"self\.batch\.to_play - self\.seats",
        "self.seats - self.batch.to_play",
        "opponents sit in turn order after the learner",
    ),
    Mutation(
        "trainer-hears-of-the-next-game",
        SB3,
        "IngeniousVecEnv.step_wait",
        r"int\(keys\[row\]\)",
        "int(self.env.episodes.batch.state.policy_key[row])",
        "an info tells the key of the game that has ended",
    ),
]

VALUE_NETWORK = [
    Mutation(
        "value-counts-covered-pairs",
        INPUTS,
        "cover",
        r"int\(new\.open_pairs\[neighbour\] > 0\)",
        "int(new.open_pairs[neighbour] > 6)",
        "only open pairs count, after a placement, too",
    ),
    Mutation(
        "value-keeps-the-tile-just-placed",
        VALUE,
        "value_of_action",
        r"count_tile\(game, tile, -placed, 0, workspace\.tiles\)",
        "count_tile(game, tile, 0, 0, workspace.tiles)",
        "an afterstate's rack is without the tile",
    ),
    Mutation(
        "ties-are-wins",
        RESULTS,
        "result_for",
        r"1\.0 / equal",
        "1.0",
        "a shared first place is a share of the win",
        paragraph="7.3",
    ),
    Mutation(
        "value-takes-luck-for-skill",
        SELF_PLAY,
        "write_targets",
        r"target - control\[step\]",
        "target",
        "the control variate is subtracted",
    ),
]

SEARCH = [
    Mutation(
        "simulations-of-one-deal",
        ROLLOUTS,
        "deal_hidden",
        r"uint64\(simulation\) \*",
        "uint64(0) *",
        "each simulation deals the hidden tiles anew",
    ),
    Mutation(
        "value-search-asks-the-first-sheet",
        VALUE_SEARCH,
        "try_by_network",
        r"outcome\(game, sheet\)",
        "outcome(game, 0)",
        "a finished game is worth what it is to the searching sheet",
    ),
]

EVALUATION = [
    Mutation(
        "matches-repeat-their-first-deals",
        MATCH,
        "play_match",
        r"batch\.seed\(seed, first\)",
        "batch.seed(seed, 0)",
        "a match plays as many different deals as it was asked for",
    ),
    Mutation(
        "ratings-trust-the-prior",
        RATINGS,
        "rate.once",
        r"prior\[:, as_seen\] = .*?\(2, len\(as_seen\)\)\)",
        "pass",
        "the intervals of who hardly ever wins hold",
    ),
    Mutation(
        "deals-alike-count-for-more",
        STATISTICS,
        "share_by_deals",
        "variance > ROUNDING",
        "variance > 0",
        "deals that all go alike are as many games as there are",
    ),
    Mutation(
        "an-interruption-drops-what-is-played",
        SCHEDULER,
        "_play_all",
        r"if asked\.is_set\(\) or failed is not None:",
        "if asked.is_set():\n    return\nif failed is not None:",
        "what is being played is finished and logged",
    ),
    Mutation(
        "a-failed-task-drops-what-is-played",
        SCHEDULER,
        "_play_all",
        r"failed = failed or error",
        "raise error",
        "what is being played when a task fails is finished and logged",
    ),
    Mutation(
        "rounds-are-dropped-when-another-fails",
        KNOWN_BAGS,
        "run",
        r"failed = failed or error",
        "raise error",
        "rounds in hand are logged",
    ),
    Mutation(
        "games-go-on-after-an-opponents-error",
        VECTOR,
        "GameVectorEnv._check_whole",
        r"self\.episodes\.is_interrupted",
        "False",
        "they wait for a reset of all",
    ),
    Mutation(
        "ray-counts-a-task-that-it-did-not-take",
        AGENTS + "cluster.py",
        "RayExecutor._start",
        r"self\._running -= 1",
        "pass",
        "the worker is free for others",
    ),
    Mutation(
        "each-rollout-has-the-same-opponents",
        POOL,
        "Pool.draw",
        r"self\._number \+ 1 if",
        "self._number if",
        "draws go on",
    ),
    Mutation(
        "pool-meets-all-alike",
        POOL,
        "Pool.draw",
        r"shares \* \(1 - shares\) \+ FLOOR",
        "0 * shares + FLOOR",
        "who wins half of the games is met most",
    ),
    Mutation(
        "pool-changes-players-in-a-game",
        POOL,
        "Pool.plays",
        r"self\.playing\[key\] = name",
        "pass",
        "a game is played by one member from beginning to end",
    ),
    Mutation(
        "ppo-resumes-without-results",
        TRAIN_PPO,
        "Learner.restore",
        r"[\w.]+\.members\[name\]\.won, [\w.]+\.members\[name\]\.games = won, games",
        "pass",
        "an interrupted training goes on to the same network",
    ),
]

DRAW_LUCK = [
    Mutation(
        "racks-thrown-back-are-not-drawn-again",
        LUCK,
        "DrawLuck._note",
        r"np\.where\(returns\[rows, None\], put_back, 0\)",
        "0",
        "the tiles of a rack that was thrown back can be drawn again",
    ),
    Mutation(
        "racks-that-are-shown-are-drawn-again",
        LUCK,
        "DrawLuck._note",
        r"np\.where\(returns\[rows, None\], put_back, 0\)",
        "put_back",
        "a swap draws before it puts back",
    ),
    Mutation(
        "racks-are-dealt-from-all-tiles",
        LUCK,
        "DrawLuck._deal",
        r"racks \+ self",
        "racks.sum(axis=1, keepdims=True) + self",
        "a rack is drawn from what the others have left",
    ),
    Mutation(
        "luck-of-several-tiles-less-one-mean",
        LUCK,
        "DrawLuck._luck",
        r"tiles\.sum\(axis=1\) \* means",
        "means",
        "each tile of a draw has its own expectation",
    ),
    Mutation(
        "tiles-vanish-in-trials",
        LUCK,
        "DrawLuck._give",
        r"state\.drawn\[:\] -= missing\.astype\(np\.uint8\)",
        "pass",
        "the number of tiles in a trial is that of the game",
    ),
    Mutation(
        "luck-of-the-partner",
        LUCK,
        "DrawLuck._judge",
        r"self\._sheets\[seats\]",
        "self._sheets[seats] * 0",
        "a draw is the luck of the sheet of its seat",
    ),
    Mutation(
        "own-deals-determine-the-factor",
        STATISTICS,
        "luck_adjusted",
        r"of_deal % FOLDS == fold",
        "of_deal % FOLDS != fold",
        "the factor of a deal is estimated from the other folds",
    ),
    Mutation(
        "luck-relative-to-all",
        LUCK,
        "relative_luck",
        r"/ \(sheets - 1\)",
        "/ sheets",
        "luck is relative to the mean of the others",
    ),
    Mutation(
        "who-joins-moves-the-others",
        TOURNAMENT,
        "Tournament.seatings",
        r"sorted\(group, key=self\.labels\.__getitem__\)",
        "group",
        "the seatings of a group do not depend on who else takes part",
    ),
    Mutation(
        "logs-name-code-to-run",
        AGENTS + "registry.py",
        "chooses_code",
        r" or kind in _CHOOSE_CODE",
        "",
        "a program that a log names is not started",
    ),
]

FIXED_SCALE = [
    Mutation(
        "certain-where-all-deals-agree",
        SCALE,
        "_places",
        r"np\.maximum\(np\.diag\(spread\), LEAST_VARIANCE \* np\.diag\(bend\)\)",
        "np.diag(spread)",
        "equal results of all deals leave a doubt",
    ),
    Mutation(
        "games-of-a-deal-as-if-independent",
        SCALE,
        "_places",
        r"np\.unique\(duels\.deals, return_inverse=True\)",
        "np.unique(np.arange(len(duels)), return_inverse=True)",
        "games of a deal often end alike, so they count as one",
    ),
    Mutation(
        "half-a-game-is-no-bound",
        SCALE,
        "place",
        r"if HALF_GAME <= total <= most:",
        "if 0 < total < len(results):",
        "an agent that wins all games has a rating with an open interval",
    ),
    Mutation(
        "a-tie-with-itself-counts",
        DUELS,
        "results_of",
        r"\.sum\(axis=1\) - 1 / 2",
        ".sum(axis=1)",
        "the result is the share of the others that an agent finishes ahead of",
    ),
    Mutation(
        "one-seat-only",
        DUELS,
        "results_of",
        r"game\.seating\.index\(first\)",
        "0",
        "the rated agent has another seat in each rotation",
    ),
    Mutation(
        "itself-as-an-opponent",
        RATING,
        "rate",
        r"if \(each\.agent, each\.network\) != itself",
        "if True",
        "games against itself say nothing about a rating",
    ),
    Mutation(
        "more-games-than-were-chosen",
        DUELS,
        "results_of",
        r"\[: deals \* sheets\]",
        "[:]",
        "a rating uses the deals that were chosen, whatever else the log has",
    ),
    Mutation(
        "cards-of-unfinished-games",
        CARD,
        "_check_ends",
        r"if not batch\.is_over\[row\]:",
        "if False:",
        "the moves of a log lead to the end of each game",
    ),
    Mutation(
        "luck-as-the-log-has-it",
        CARD,
        "_check_ends",
        r"rtol=LUCK_TOLERANCE, atol=LUCK_TOLERANCE",
        "rtol=1e9, atol=1e9",
        "the luck of a game follows from its moves",
    ),
    Mutation(
        "opponents-are-believed",
        CARD,
        "check_games",
        r"running & check & \(seating",
        "False & (seating",
        "in a sample of the games the opponents are asked for their moves",
    ),
    Mutation(
        "the-only-bounding-colour-is-settled",
        EXACT,
        "reduce_node",
        r"colour != bounding and counters",
        "counters",
        "the colour that bounds the result stays in it",
    ),
    Mutation(
        "symbols-that-are-seen-become-walls",
        EXACT,
        "hide_unseen_symbols",
        r"sees \|= board\[at\] == 0",
        "sees = board[at] == 0",
        "a symbol stays as long as a half can see it in any direction",
    ),
    Mutation(
        "the-bound-forgets-doubles",
        EXACT,
        "upper_bound",
        r"2 \* doubles \+ min",
        "doubles + min",
        "both halves of a double score",
    ),
]

YARDSTICKS = [
    Mutation(
        "the-other-takes-any-tile",
        EXACT_TWO,
        "TwoPlayerSolver._unseen",
        r"in sorted\(shares\)",
        "in shares",
        "the other places the best of the tiles on his rack",
    ),
    Mutation(
        "swaps-with-a-lowest-colour",
        EXACT_TWO_MOVES,
        "may_swap",
        r"counters\[low\] == lowest or counters\[high\] == lowest",
        "counters[low] == lowest",
        "a rack may be swapped only if no tile of it has a lowest colour",
    ),
    Mutation(
        "doubles-see-nothing",
        KNOWN_BAG,
        "_colour_bound",
        r"on_board \+ min\(2, on_board\)",
        "on_board",
        "no line of play ends above the upper bound",
    ),
    Mutation(
        "the-best-by-its-own-rollouts",
        EVALUATED,
        "value_of_best",
        r"\(sums\.sum\(axis=1, keepdims=True\) - sums\)",
        "sums",
        "the value of the best action is estimated by other rollouts than those that chose it",
    ),
    Mutation(
        "rollouts-of-the-true-world",
        EVALUATED,
        "deals_of",
        r"copies\.reshuffle_hidden\(.*\)",
        "pass",
        "what the seat to move cannot know is dealt anew",
    ),
    Mutation(
        "endings-are-believed",
        CARD,
        "_check_endings",
        r"_compare\(found, endings_of\(path, found\[\"chosen\"\]\)\)",
        "pass",
        "the losses in endings follow from the actions on the card",
    ),
    Mutation(
        "worse-lines-replace-better-ones",
        KNOWN_BAGS,
        "KnownBags.best",
        r"each\.lowest > best\.lowest",
        "True",
        "a record is replaced by better lines only",
    ),
]

MUTATIONS = [*ENVIRONMENTS, *VALUE_NETWORK, *SEARCH, *EVALUATION, *DRAW_LUCK, *FIXED_SCALE, *YARDSTICKS]
