"""Deliberate bugs that the tests must detect; `python -m scripts.mutate` plants them one at a time."""

from __future__ import annotations

import action_mutations
import adapter_mutations
import engine_mutations
import estimate_mutations
import javascript_mutations
import local_mutations
import local_real_mutations
import loopit_mutations
import observation_mutations
import own_games_mutations
import page_mutations
import placing_mutations
import real_mutations
import search_mutations
import turn_mutations
import workbench_mutations
from locate import Mutation

MUTATIONS: list[Mutation] = [
    *placing_mutations.MUTATIONS,
    *turn_mutations.MUTATIONS,
    *action_mutations.MUTATIONS,
    *observation_mutations.MUTATIONS,
    *engine_mutations.MUTATIONS,
    *loopit_mutations.MUTATIONS,
    *workbench_mutations.MUTATIONS,
    *page_mutations.MUTATIONS,
    *javascript_mutations.MUTATIONS,
    *estimate_mutations.MUTATIONS,
    *local_mutations.MUTATIONS,
    *local_real_mutations.MUTATIONS,
    *search_mutations.MUTATIONS,
    *adapter_mutations.MUTATIONS,
    *real_mutations.MUTATIONS,
    *own_games_mutations.MUTATIONS,
]
"""All of them; their names are distinct."""
