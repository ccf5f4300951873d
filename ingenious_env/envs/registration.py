"""The registries of Gymnasium and PettingZoo: ids by which `make` and `make_vec` find the environments."""

from __future__ import annotations

from collections.abc import Collection
from importlib import import_module

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


VECTOR = "ingenious_env.envs.vector:"
"""The module of all vector environments of this package."""


def check_is_vectorised(env_id: str, options: Collection[str]) -> None:
    """Check the arguments of `gymnasium.make_vec` where it is to make a vector environment of this package.

    Args:
        env_id: as for `make_vec`.
        options: the names of the others.

    Raises:
        TypeError: `vectorization_mode` is among the options.
        ValueError: an environment of that id is not of this package.
        gymnasium.error.UnregisteredEnv: there is no environment of that id.
    """
    register_environments()
    if "vectorization_mode" in options:
        msg = "vectorization_mode is not an option here: all games are played in one batch"
        raise TypeError(msg)
    module, _, name = env_id.rpartition(":")
    if module:
        import_module(module)
    known = {each for each, spec in gym.registry.items() if str(spec.vector_entry_point).startswith(VECTOR)}
    if gym.spec(name).id not in known:
        msg = f"env_id must be one of {', '.join(sorted(known))}, not {env_id!r}"
        raise ValueError(msg)


def _register(name: str, module: str, kind: str, game: AnyDefinition) -> None:
    if name not in gym.registry:
        gym.register(
            name,
            entry_point=f"ingenious_env.envs.{module}:{kind}Env",
            vector_entry_point=f"{VECTOR}{kind}VectorEnv",
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
