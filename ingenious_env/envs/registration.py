"""The registries of Gymnasium and PettingZoo: ids by which `make` and `make_vec` find the environments."""

from __future__ import annotations

import gymnasium as gym

from ingenious_env.engine.definition import AnyDefinition, definitions, register


def register_game(definition: AnyDefinition) -> None:
    """Make one more game known, with its environments.

    Raises:
        TypeError: the definition lacks something, or another game has its name; the message says what.
    """
    register(definition)
    register_environments()


def register_environments() -> None:
    """Register the environments of all known games, unless they are."""
    for game in definitions().values():
        _register(game.versus_id, "versus", "Versus", game)
        if game.solitaire_rewards:
            _register(f"{game.name}/Solitaire-v0", "solitaire", "Solitaire", game)
        _register_pettingzoo(game)


def _register(name: str, module: str, kind: str, game: AnyDefinition) -> None:
    if name not in gym.registry:
        gym.register(
            name,
            entry_point=f"ingenious_env.envs.{module}:{kind}Env",
            vector_entry_point=f"ingenious_env.envs.vector:{kind}VectorEnv",
            kwargs={"game": game.name},
        )


def _register_pettingzoo(game: AnyDefinition) -> None:
    """Make `pettingzoo.make("aec", "ingenious/ingenious-v0")` work, where PettingZoo has it (1.27)."""
    try:
        from pettingzoo.env_registry.registration import aec_registry, register  # noqa: PLC0415 - new in 1.27
    except ImportError:
        return
    namespace, _, _ = game.versus_id.partition("/")
    name = f"{namespace}/{game.name}-v0"
    if name not in aec_registry:  # a second entry would warn of overriding the first
        register("aec", name, entry_point="ingenious_env.envs.pettingzoo:env", kwargs={"game": game.name})
