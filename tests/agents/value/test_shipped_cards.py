"""The cards of all networks in the package, those of before among them, name their weights."""

from __future__ import annotations

import re
from hashlib import sha256

import pytest
from pages import ROOT
from safetensors.numpy import load_file

MOST_BYTES = 2_000_000
"""Of all networks together: a wheel has them all."""
NETWORKS = sorted(ROOT.glob("ingenious_env/games/*/opponents/weights/**/*.safetensors"))


def test_there_are_networks_of_both_games_and_earlier_ones():
    assert {path.parts[-4] for path in NETWORKS if path.parent.name == "weights"} == {"ingenious", "loopit"}
    assert any(path.parent.name == "earlier" for path in NETWORKS)


def test_a_wheel_stays_small():
    assert sum(path.stat().st_size for path in NETWORKS) < MOST_BYTES


@pytest.mark.parametrize("path", NETWORKS, ids=lambda path: "/".join(path.parts[-2:]))
def test_a_card_has_the_hash_of_its_weights(path):
    card = path.with_suffix(".md").read_text(encoding="utf-8")
    weights = sha256(load_file(path)["weights"].tobytes()).hexdigest()[:16]
    assert re.findall(r"^\| weights +\| (\w+) +\|$", card, re.MULTILINE) == [weights]
