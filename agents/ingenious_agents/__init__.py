"""Agents, and matches between them.

An agent is a policy in the sense of `ingenious_env.Policy`: an object with `act(view)`.
"""

from __future__ import annotations

from ingenious_agents.evaluation.match import MatchResult, play_match
from ingenious_agents.evaluation.objective import Evaluation, evaluate
from ingenious_agents.registry import agent_text, make_agent

__all__ = ["Evaluation", "MatchResult", "agent_text", "evaluate", "make_agent", "play_match"]
