"""Gymnasium's registry: the names by which `gymnasium.make` and `make_vec` find the environments."""

from __future__ import annotations

import gymnasium as gym

GAMES = {"ingenious/Solitaire-v0": "Solitaire", "ingenious/Versus-v0": "Versus"}


def register_gymnasium() -> None:
    """Register the environments, unless they are."""
    for name, game in GAMES.items():
        if name not in gym.registry:
            gym.register(
                name,
                entry_point=f"ingenious_env.{game.lower()}:{game}Env",
                vector_entry_point=f"ingenious_env.vector:{game}VectorEnv",
            )
