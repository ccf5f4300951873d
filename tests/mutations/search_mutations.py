"""Deliberate bugs in what a page without a server does in its worker: searches, and the luck of the draw."""

from __future__ import annotations

from functools import partial

from locate import Mutation

LOCAL = "ingenious_env/web/local/"
HALVING, JOBS, THINKING, BACKGROUND, ROOM, ROLLOUTS, LUCK, ANALYSIS, REQUESTS = (
    f"{LOCAL}{name}.js"
    for name in (
        "halving",
        "jobs",
        "thinking",
        "background",
        "room",
        "rollouts",
        "luck",
        "analysis",
        "requests",
    )
)

_search = partial(Mutation, tests="page_search")
_luck = partial(Mutation, tests="page_luck")

SEARCHES = [
    _search(
        "search-the-smaller-half-goes-on",
        HALVING,
        "halve",
        r"Math\.ceil\(alive\.length / 2\)",
        "Math.max(1, Math.floor(alive.length / 2))",
        "the better half goes on, rounded up",
    ),
    _search(
        "search-rollouts-are-those-of-a-round",
        HALVING,
        "halve",
        r"rollouts / \(rounds \* alive\.length\)",
        "rollouts / alive.length",
        "rollouts are those of all rounds together",
    ),
    _search(
        "search-cannot-be-stopped",
        HALVING,
        "Search.run",
        r"if \(stop\.isStopped\) break;",
        "",
        "a search that is stopped ends after the simulations that are under way",
    ),
    _search(
        "search-the-same-deals-again",
        HALVING,
        "Search.run",
        r"this\.simulate\(candidates, this\.done, upTo, sums\)",
        "this.simulate(candidates, 0, upTo - this.done, sums)",
        "each simulation has a deal of its own",
    ),
    _search(
        "search-sums-of-the-first-places",
        HALVING,
        "Search.run",
        r"places\[Math\.floor\(k / RESULTS\)\]",
        "Math.floor(k / RESULTS)",
        "results count for the candidates that were simulated",
    ),
    _search(
        "search-errors-too-small",
        HALVING,
        "Search.error",
        r"number \* \(number - 1\)",
        "number * number",
        "the variance of a sample has one degree of freedom less",
    ),
    _search(
        "search-the-highest-mean-first",
        HALVING,
        "listed",
        r"\[best, \.\.\.others\]",
        "search.inOrder([best, ...others])",
        "the first action of advice is the one that is played",
    ),
    _search(
        "search-the-only-candidate-has-no-value",
        HALVING,
        "listed",
        r"if \(!search\.results\(best\)\[RESULTS - 1\]\) await search\.run\(\[best\], 1, stop\);",
        "",
        "the only candidate has a value in advice",
    ),
    _search(
        "search-of-all-candidates",
        JOBS,
        "jobs",
        r"\.slice\(0, search\.candidates\)",
        "",
        "so many placements are tried",
    ),
    _search(
        "search-of-another-root",
        ROLLOUTS,
        "simulated",
        r"deals\.rows\.row\(deals\.size - 1\)\.set\(root\);",
        "",
        "each simulation begins at the root of its own search",
    ),
    _search(
        "search-one-deal-for-all",
        ROLLOUTS,
        "simulated",
        r"Math\.floor\(row / count\) % search\.look_every",
        "0",
        "each simulation has a deal of its own, which is the same for all candidates",
    ),
    _search(
        "search-results-of-other-candidates",
        ROLLOUTS,
        "simulated",
        r"3 \* \(row % count\)",
        "3 * Math.floor(row / (last - first))",
        "a result counts for the candidate of its game",
    ),
    _search(
        "search-values-before-the-horizon",
        ROLLOUTS,
        "played",
        r"--left\[row\] === 0",
        "--left[row] <= 1",
        "a rollout ends at the decision of its horizon",
    ),
    _search(
        "search-counts-decisions-of-all",
        ROLLOUTS,
        "played",
        r'sheets\[games\.number\("to_play", row\)\] === sheet && ',
        "",
        "decisions of other sheets do not count",
    ),
    _search(
        "search-ends-are-not-valued",
        ROLLOUTS,
        "played",
        r"value: outcomes\.values\[row\]",
        "value: 0",
        "a game that is over has the value of its outcome",
    ),
    _search(
        "search-plays-by-the-root-s-words",
        ROLLOUTS,
        "played",
        r'games\.run\("next_words", words\);',
        "",
        "equals are broken by the words of a rollout",
    ),
    _search(
        "search-ranks-by-the-first-plan",
        THINKING,
        "decide",
        r"\(await ranked\(policy\.name, kit, position\)\)\.actions\[0\]",
        "(await ranked(policy.name, kit, position)).actions.pop() ?? 0",
        "the best plan is played",
    ),
    _search(
        "search-errors-of-the-worker-are-lost",
        BACKGROUND,
        "started",
        r"for \(const \{ reject \} of pending\.values\(\)\) reject\((.*?)\);",
        r"\1;",
        "a worker that fails is told",
    ),
]

ROOMS = [
    _search(
        "room-choices-are-forgotten",
        ROOM,
        "Room.decided",
        r"\[action, choice\]",
        "[action]",
        "a choice is shown with the move before it",
    ),
    _search(
        "room-choices-take-time-where-there-is-one",
        ROOM,
        "Room.choiceAfter",
        r"if \(after\.isOver\) return null;",
        "if (!table.privateActions(after).length) return null;",
        "an agent thinks for as long whether or not it has a choice that others cannot see",
    ),
    _search(
        "room-results-of-positions-taken-back",
        ROOM,
        "Room.changed",
        r"this\.stop\(\);",
        "",
        "a search for a position that is no longer there ends",
    ),
    _search(
        "room-thinks-for-ever",
        ROOM,
        "within",
        r"setTimeout\(\(\) => \(stop\.isStopped = true\), 1000 \* seconds\)",
        "0",
        "a search ends after the longest time",
    ),
    _search(
        "room-silent-searches",
        ROOM,
        "Room.decided",
        r'if \(policy\.kind === "search"\) this\.notify\("thinking", \{ seat: position\.toPlay \}\);',
        "",
        "a page that was loaded again shows that an agent is thinking",
    ),
    _search(
        "room-stops-nothing",
        REQUESTS,
        "tables",
        r"stopped: room\.stop\(\)",
        "stopped: false",
        "the button ends the search",
    ),
    _search(
        "room-hints-of-the-quick",
        REQUESTS,
        "tables",
        r"room\.advising = stop;",
        "stop.isStopped = true;",
        "hints are of as many rollouts as the agent has",
    ),
]

DRAWN = [
    _luck(
        "luck-racks-from-the-bag-alone",
        LUCK,
        "DrawLuck.deal",
        r"count \+ bag\[type\]",
        "bag[type]",
        "a rack is dealt from what the other racks have left",
    ),
    _luck(
        "luck-racks-put-back-are-not-drawn-from",
        LUCK,
        "DrawLuck.play",
        r"isReturned \? rack\[type\] : 0",
        "0",
        "a rack that is thrown back may be drawn again",
    ),
    _luck(
        "luck-of-swaps-as-of-refills",
        LUCK,
        "DrawLuck.play",
        r"const isWhole = isReturned \|\| about\.shows\.includes\(choice\);",
        "const isWhole = isReturned;",
        "a swap draws a whole rack",
    ),
    _luck(
        "luck-beside-all-that-was-drawn",
        LUCK,
        "DrawLuck.worth",
        r"count - tiles\[type\]",
        "count",
        "a tile is judged next to those that were kept",
    ),
    _luck(
        "luck-of-one-tile",
        LUCK,
        "DrawLuck.judge",
        r"sum\(tiles\) \* mean",
        "mean",
        "the luck of several tiles is added up",
    ),
    _luck(
        "luck-of-draws-counted-again",
        LUCK,
        "DrawLuck.judge",
        r"tiles\.fill\(0\);",
        "",
        "a draw is judged once",
    ),
    _luck(
        "luck-tiles-vanish",
        LUCK,
        "DrawLuck.give",
        r'trials\.number\("drawn", type\) - missing',
        'trials.number("drawn", type)',
        "tiles that a trial leaves out are in the bag",
    ),
    _luck(
        "luck-phases-of-other-racks",
        LUCK,
        "DrawLuck.worth",
        r'if \(trials\.has\("find_phases"\)\) trials\.run\("find_phases"\);',
        "",
        "a rack that fits nowhere may be thrown back",
    ),
    _luck(
        "luck-that-is-not-relative",
        LUCK,
        "luckOf",
        r"/ \(total\.length - 1\)",
        "/ total.length",
        "luck is told less the mean of the others'",
    ),
    _luck(
        "luck-for-want-of-a-worker",
        ANALYSIS,
        "Analysis.luck",
        r"\.catch\(\(\) => \(\(this\.drawn = null\), null\)\)",
        "",
        "a report without a worker has no luck, but is there",
    ),
]

MUTATIONS = [*SEARCHES, *ROOMS, *DRAWN]
