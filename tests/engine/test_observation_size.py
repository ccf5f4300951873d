"""An observation kernel that writes other entries than its layout has is refused before it can do harm."""

import numpy as np
import pytest

from ingenious_env import GameBatch, Rules, View
from ingenious_env.engine.batch import NOTHING
from ingenious_env.engine.definition import Variant
from ingenious_env.games.loopit import Rules as LoopitRules
from scripts.examples import squares


@pytest.mark.parametrize(
    "rules", [squares.Rules(), Rules(2), LoopitRules(3)], ids=["squares", "ingenious", "loopit"]
)
@pytest.mark.parametrize("off", [-1, 1, -300])
@pytest.mark.parametrize("way", ["observe", "play", "play_into", "view"])
def test_a_layout_of_another_size_is_refused(rules, off, way, monkeypatch):
    variant = Variant(rules)
    layout = variant.definition.observation(rules)
    real = layout.size
    if real + off <= 0:
        pytest.skip("the vector of Squares is short")
    layout.size = real + off
    vars(variant)["observation"] = layout
    whole = np.full(2 * real + 9000, 7, layout.dtype)
    out = whole[: real + off].reshape(1, -1)
    batch = GameBatch.from_rows(variant, GameBatch(rules, 1, seed=0).state.memory)
    before = batch.state.memory.copy()
    actions = batch.random_actions().astype(np.int64)
    write = {
        "observe": lambda: batch.observe(out),
        "view": View(batch).observe,
        "play": lambda: batch.play(actions, obs=out),
        "play_into": lambda: batch.play_into(np.zeros(1, np.bool_), actions, NOTHING, out),
    }
    with pytest.raises(ValueError, match=f"writes {real} entries, .* and its layout has {real + off}"):
        write[way]()
    assert (whole == 7).all()
    assert np.array_equal(batch.state.memory, before)


def test_layouts_that_are_written_are_looked_at_once():
    variant = Variant(Rules(2))
    batch = GameBatch.from_rows(variant, GameBatch(Rules(2), 1, seed=0).state.memory)
    assert not variant.writes_its_layout
    batch.observe()
    assert variant.writes_its_layout
