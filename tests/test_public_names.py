"""Public names of modules; pages and examples import no others."""

from __future__ import annotations

import ast
from importlib import import_module

import pytest
from pages import ROOT, blocks_of, pages

PUBLIC = {
    "ingenious_env": """NO_ACTION Game GameBatch IllegalActionError InconsistentStateError Place Policy
        RealTable Record Rules Session View __version__ ingenious_v0 loopit_v0 register_game""",
    "ingenious_env.games": """ActionSpace BaseGame Choice Description Field GameDefinition GameState Guide
        ObservationLayout PageModel Preset RowLayout SeatReward Table ValueModel check_choice check_index
        definition_of definitions outcome_by rank_numbers""",
    "ingenious_env.games.ingenious": "INGENIOUS Game Place Rules rank",
    "ingenious_env.games.loopit": "LOOPIT Game Lay Material Rules load_material standard_material",
    "ingenious_env.ingenious_v0": "env raw_env",
    "ingenious_env.loopit_v0": "env raw_env",
    "ingenious_env.networks": "Draw Judgement PlacementNetwork",
    "ingenious_env.networks.sb3": "Extractor PlacementPolicy",
    "ingenious_env.openspiel": "PolicyBot encode load register_games state_at",
    "ingenious_env.policies": """Advice DrawLuck Greedy Judgement Policy Uniform View advise begin_games
        best_first calibrated_values completed flat_actions has_draw_luck is_stopped judge luck_by_move""",
    "ingenious_env.sb3": "IngeniousVecEnv make_vec_env",
    "ingenious_env.torchrl": "SelfPlayEnv TileEnv VectorEnv random_legal",
    "ingenious_agents": "Evaluation MatchResult agent_text evaluate make_agent play_match",
    "ingenious_agents.ppo": "Pool",
    "ingenious_agents.ppo.sb3": "ModelAgent PoolCallback",
}
"""By module, its `__all__`: changes affect users, and belong in CHANGELOG.md."""
WITHIN = {"ingenious_env.cli", "ingenious_env.engine.extras"}
"""Modules of the package that examples import although they are not public."""
OF_GAMES = {
    *(f"ingenious_env.compiled.{name}" for name in ("bag", "kernel", "phases", "placing", "rng")),
    "ingenious_env.compiled",
    "ingenious_env.render",
    "ingenious_env.render.player",
    "ingenious_env.render.squares",
}
"""What a game may import besides (docs/howto/add_a_game.md)."""


@pytest.mark.parametrize("name", PUBLIC)
def test_these_names_are_offered(name):
    try:
        module = import_module(name)
    except ModuleNotFoundError as error:
        pytest.skip(str(error))
    assert sorted(module.__all__) == sorted(PUBLIC[name].split())
    assert [each for each in module.__all__ if not hasattr(module, each)] == []


def imports(text: str):
    """Each pair of a module and a name that a text of Python imports from this project."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, each.name) for each in node.names)
        elif isinstance(node, ast.Import):
            yield from ((each.name, "") for each in node.names)


def test_pages_and_examples_import_public_names_only():
    texts = [(block.place, block.text) for page in pages() for block in blocks_of(page, "python")]
    examples = sorted((ROOT / "scripts" / "examples").rglob("*.py"))
    texts += [(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")) for path in examples]
    found = [
        (place, module, name)
        for place, text in texts
        for module, name in imports(text)
        if module.startswith(("ingenious_", "agents"))
        and module not in WITHIN | (OF_GAMES if "squares" in place else set())
    ]
    assert len(found) > 40
    wrong = [
        (place, module, name)
        for place, module, name in found
        if module not in PUBLIC or (name and name not in PUBLIC[module].split())
    ]
    assert wrong == []
