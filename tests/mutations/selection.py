"""The tests that may detect a deliberate bug, by its file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

HERE = Path(__file__).parent.name
FOLDERS = {
    "ingenious_env/compiled/": "compiled engine policies oracle games envs golden",
    "ingenious_env/engine/": "engine compiled policies oracle games envs golden",
    "ingenious_env/policies/": "policies engine compiled oracle games envs golden",
    "ingenious_env/games/": "oracle games engine compiled policies envs golden",
    "ingenious_env/games/ingenious/opponents/": "games policies engine compiled envs agents golden",
    "ingenious_env/games/loopit/": "games/loopit oracle engine compiled policies envs golden",
    "ingenious_env/games/loopit/opponents/": "games/loopit policies engine compiled envs agents golden",
    "ingenious_env/games/ingenious/page/": "web page render",
    "ingenious_env/games/loopit/page/": "web page render",
    "ingenious_env/render/": "render envs games",
    "ingenious_env/render/static/": "web render",
    "ingenious_env/web/": "web",
    "ingenious_env/web/local/": "page",
    "ingenious_env/languages/": "web page",
    "ingenious_env/networks/": "networks agents",
    "ingenious_env/openspiel/": "openspiel",
    "ingenious_env/torchrl.py": "torchrl",
    "ingenious_env/": "envs engine compiled policies games",
    "agents/": "agents scripts",
    "scripts/": "scripts agents",
}
"""By the beginning of a mutated file's path, the folders of relevant tests, in order.

The golden playthroughs come last, as they pin down what may rightly change, too.
"""

RULES, LOOPIT_RULES = "differential perft", "loopit_perft loopit_differential"
LOOPIT = "ingenious_env/games/loopit/"
FIRST = {
    "ingenious_env/compiled/actions.py": "batch input",
    "ingenious_env/compiled/bag.py": f"fields batch {RULES}",
    "ingenious_env/engine/batch.py": "batch hidden dealing input",
    "ingenious_env/engine/dealing.py": "dealing",
    "ingenious_env/compiled/intrinsics.py": "observation batch",
    "ingenious_env/compiled/kernel.py": "kernel seam",
    "ingenious_env/compiled/placing.py": "batch bonus_randomness input",
    "ingenious_env/engine/ranking.py": "ranks ranking",
    "ingenious_env/engine/rewards.py": "rewards ends",
    "ingenious_env/compiled/rng.py": "batch",
    "ingenious_env/compiled/targets/": "kernel wasm seam",
    "ingenious_env/compiled/row_kernels.py": "batch view threads hidden",
    "ingenious_env/policies/view.py": "view batch",
    "ingenious_env/policies/judging.py": "judging",
    "ingenious_env/policies/calibration.py": "calibration",
    "ingenious_env/policies/luck.py": "luck_adjusted",
    "ingenious_env/engine/trail.py": "trail pictures",
    "ingenious_env/render/static/": "page_units player page_rules browser_example",
    "ingenious_env/web/static/": "page_units browser_browsers browser_advice browser_late",
    "ingenious_env/web/alone.py": "analysis",
    "ingenious_env/web/requests.py": "app",
    "ingenious_env/web/local/": "local_units requests page_search page_luck engine site",
    "ingenious_env/web/rooms.py": "app",
    "ingenious_env/web/advising.py": "app headers hints",
    "ingenious_env/web/lookup.py": "app",
    "ingenious_env/web/reading.py": "app",
    "ingenious_env/envs/episodes.py": "versus versus_options vector solitaire ends handed_out",
    "ingenious_env/envs/pettingzoo.py": "aec ends handed_out",
    "ingenious_env/envs/versus.py": "versus versus_options ends",
    "ingenious_env/games/ingenious/consistency.py": "consistency_clauses notation",
    "ingenious_env/games/ingenious/definition.py": "solitaire",
    "ingenious_env/games/ingenious/geometry.py": f"geometry {RULES}",
    "ingenious_env/games/ingenious/kernels/legality.py": f"input {RULES} batch",
    "ingenious_env/games/ingenious/kernels/observation.py": "observation hidden",
    "ingenious_env/games/ingenious/kernels/turns.py": f"fields {RULES} boundaries shown hidden batch",
    "ingenious_env/games/ingenious/moves.py": "notation input",
    "ingenious_env/games/ingenious/opponents/kernels/greedy.py": "agents",
    "ingenious_env/games/ingenious/opponents/kernels/inputs.py": "value",
    "ingenious_env/games/ingenious/opponents/kernels/results.py": "value search",
    "ingenious_env/games/ingenious/opponents/kernels/value.py": "value",
    "ingenious_env/games/ingenious/page/": "page_rules",
    "ingenious_env/games/ingenious/render/": "render",
    "ingenious_env/games/ingenious/rules.py": f"rules {RULES}",
    "ingenious_env/games/ingenious/tables.py": RULES,
    "ingenious_env/games/ingenious/tiles.py": "rules notation",
    f"{LOOPIT}consistency.py": "consistency_clauses loopit_notation",
    f"{LOOPIT}definition.py": "loopit_turns loopit_envs",
    f"{LOOPIT}game.py": "loopit_observation loopit_rules",
    f"{LOOPIT}kernels/hidden.py": "loopit_consistency",
    f"{LOOPIT}kernels/legality.py": f"loopit_turns loopit_play {LOOPIT_RULES}",
    f"{LOOPIT}kernels/observation.py": "loopit_hidden",
    f"{LOOPIT}kernels/turns.py": f"loopit_rules loopit_play {LOOPIT_RULES} loopit_boundaries",
    f"{LOOPIT}material.py": "loopit_notation",
    f"{LOOPIT}moves.py": "loopit_turns",
    f"{LOOPIT}page/": "page_rules",
    f"{LOOPIT}opponents/": "loopit_greedy loopit_planner",
    f"{LOOPIT}reasons.py": "loopit_turns",
    f"{LOOPIT}render/": "loopit_render",
    f"{LOOPIT}rules.py": "loopit_turns",
    f"{LOOPIT}state.py": f"loopit_turns loopit_play {LOOPIT_RULES}",
    f"{LOOPIT}tables.py": f"loopit_turns {LOOPIT_RULES}",
    "agents/ingenious_agents/evaluation/card.py": "card endings rating",
    "agents/ingenious_agents/evaluation/known_bags.py": "optimise",
    "agents/ingenious_agents/evaluation/duels.py": "rating",
    "agents/ingenious_agents/evaluation/match.py": "luck_adjusted agents tournament one_kind",
    "agents/ingenious_agents/evaluation/report.py": "tournament",
    "agents/ingenious_agents/evaluation/scheduler.py": "tournament",
    "agents/ingenious_agents/cluster.py": "cluster",
    "agents/ingenious_agents/evaluation/statistics.py": "luck_adjusted report",
    "agents/ingenious_agents/evaluation/solitaire.py": "study",
    "agents/ingenious_agents/ppo/": "pool agents_sb3",
    "agents/ingenious_agents/ppo/imitation.py": "imitation",
    "agents/ingenious_agents/ppo/training.py": "train_ppo",
    "agents/ingenious_agents/training/": "train_value train_ppo",
    "agents/ingenious_agents/registry.py": "agents play_log",
    "agents/ingenious_agents/search/": "search",
    "agents/ingenious_agents/search/kernels/exact.py": "exact",
    "agents/ingenious_agents/search/kernels/exact_two.py": "exact_two",
    "agents/ingenious_agents/search/kernels/exact_two_moves.py": "exact_two",
    "agents/ingenious_agents/value/": "value value_search",
    "agents/ingenious_agents/value/calibration.py": "value_calibration",
    "agents/ingenious_agents/value/training.py": "train_value",
}
"""By a mutated file's path, or its beginning, the test files that are run first, without `test_`.

A test file of the same name as the mutated one comes before these, in Loopit with `loopit_` before the name.
"""


def all_tests(tree: Path) -> dict[str, str]:
    """The test files by their names without `test_`; those next to this file fail with any mutation."""
    paths = sorted((tree / "tests").glob("*/**/test_*.py"))
    return {
        path.stem.removeprefix("test_"): path.relative_to(tree).as_posix()
        for path in paths
        if path.parent.name != HERE
    }


def stages(
    tree: Path, mutated: str, only: Iterable[str] | None = None, begin: Iterable[str] = ()
) -> list[list[str]]:
    """The test files to run for a mutated file: those to begin with, and then the rest.

    Args:
        tree: the repository.
        mutated: the file, relative to it.
        only: names of the test files to run; None for all that may tell.
        begin: names of those to begin with, before those of the file.
    """
    tests = all_tests(tree)
    prefix = "loopit_" if mutated.startswith(LOOPIT) else ""
    names = [*begin, prefix + Path(mutated).stem, *_of_longest(FIRST, mutated)]
    first = [tests[name] for name in dict.fromkeys(names) if name in tests]
    folders = _of_longest(FOLDERS, mutated)
    rest = [
        path
        for folder in folders
        for path in tests.values()
        if path.startswith(f"tests/{folder}/") and path not in first
    ]
    rest.sort(key=lambda path: "/test_browser_" in path)  # the slowest come last
    if only is not None:
        wanted = {tests[name] for name in only}
        first, rest = [each for each in [*first, *rest] if each in wanted], []
        first += sorted(wanted.difference(first))
    return [files for files in (first, rest) if files]


def _of_longest(table: Mapping[str, str], path: str) -> list[str]:
    """The words for the longest beginning of a path that the table has."""
    beginnings = [each for each in table if path.startswith(each)]
    return table[max(beginnings, key=len)].split() if beginnings else []
