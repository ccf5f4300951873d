"""Policy networks trained by PPO against a pool of opponents."""

from __future__ import annotations

from ingenious_agents.ppo.opponent_pool import Pool

__all__ = ["Pool"]
