"""The C engine and the package's engine agree in every position, mask and rank; the C engine's own play."""

from __future__ import annotations

import ctypes
import shutil
import subprocess

import numpy as np
import pytest
from helpers import PRESETS, mixed_actions

from ingenious_env import GameBatch, IllegalActionError, Rules
from ingenious_env.engine.state import CHOOSE, PLACE
from scripts.benchmark import c_engine
from scripts.benchmark.c_engine import FACTS, NUM_TILES, CEngine, library

try:
    library()
except ImportError as missing:
    pytest.skip(str(missing), allow_module_level=True)


def positions(batch: GameBatch) -> dict[str, np.ndarray]:
    """What the C engine reads, from a batch."""
    state = batch.state
    facts = (state.phase, state.to_play, state.plays_left, state.turn, NUM_TILES - state.drawn)
    return {
        "board": batch.board,
        "scores": batch.scores,
        "racks": state.racks,
        "facts": np.stack(facts, axis=1),
    }


def compare_games(rules: Rules, games: int, seed: int, compiled: ctypes.CDLL | None = None) -> dict[str, int]:
    """Play games in both engines; the number of swaps, swaps declined, bonus plays and full sheets."""
    rng = np.random.default_rng(seed)
    batch, engine = GameBatch(rules, games, seed), CEngine(rules, games, compiled=compiled)
    orders = rng.permuted(np.tile(np.repeat(np.arange(21), rules.tile_counts), (games, 1)), axis=1)
    batch.deal_in_order(orders)
    engine.deal(orders)
    greed = rng.choice([0.0, 0.7, 1.0], games)
    kinds = {"swap": 0, "keep": 0, "bonus": 0}
    while True:
        mine = engine.read()
        for name, theirs in positions(batch).items():
            assert np.array_equal(getattr(mine, name), theirs), (name, FACTS)
        assert np.array_equal(engine.legal_mask(), batch.legal_mask())
        if batch.is_over.all():
            break
        actions = np.where(rng.random(games) < greed, mixed_actions(batch, rng, 1.0), batch.random_actions())
        swapped = actions == batch.actions.swap
        kinds["swap"] += int(swapped.sum())
        kinds["keep"] += int((actions == batch.actions.keep).sum())
        turns = batch.state.turn.copy()
        assert np.array_equal(engine.play(actions), batch.play(actions))
        kinds["bonus"] += int(((batch.phase == PLACE) & (batch.state.turn == turns)).sum())
        for game in np.flatnonzero(swapped):  # each engine has shuffled by its own stream
            engine.order_bag(game, batch.state.bag[game, batch.state.drawn[game] :])
    assert np.array_equal(engine.ranks, batch.ranks)
    kinds["full"] = int((batch.scores == rules.last_space).all(axis=2).any(axis=1).sum())
    return kinds


def compare_presets(games: int, compiled: ctypes.CDLL) -> None:
    """Games of each preset, in an engine that is compiled otherwise."""
    for rules in PRESETS.values():
        compare_games(rules, games, 1, compiled)


@pytest.mark.parametrize("name", PRESETS)
def test_300_games_of_each_preset(name):
    kinds = compare_games(PRESETS[name], 300, seed=1)
    if name != "solitaire":
        assert min(kinds["swap"], kinds["keep"], kinds["bonus"]) > 20


@pytest.mark.nightly
@pytest.mark.parametrize("name", PRESETS)
def test_20_000_games_of_each_preset(name):
    for seed in range(20):
        compare_games(PRESETS[name], 1000, 1000 + seed)


@pytest.mark.nightly
def test_no_undefined_behaviour():
    compiled = library("-fsanitize=undefined", "-fno-sanitize-recover=all")
    compare_presets(300, compiled)


PLANTED = {
    "1.4": ("(s + 1);", "(COLOURS - s);"),
    "3.2": ("!(t->touches[k] & g->touched)", "true"),
    "3.4": ("g->held[seat] < t->rack &&", "g->held[seat] < t->rack - 1 &&"),
    "4.1": ("if (d != to_other_half)", "if (d != (to_other_half + 3) % SIDES)"),
    "4.2": ("gain_a + gain_b)", "gain_a)"),
    "4.3": ("before + gain < stop ? before + gain : stop", "before + gain"),
    "4.4": ("before < t->top ? t->top : t->last", "t->last"),
    "4.5": ("g->to_play % t->sheets", "g->to_play / 2 % t->sheets"),
    "5.1": ("*counter == stop && before < stop", "*counter == t->last && before < stop"),
    "5.2": ("g->plays_left - 1 + bonus", "g->plays_left - 1 + (bonus > 0)"),
    "5.3": ("if (g->held[g->to_play] == 0) g->plays_left = 0;", ""),
    "6.1": ("sheet[c] < lowest ? sheet[c]", "sheet[c] > lowest ? sheet[c]"),
    "6.2": ("g->bag[--g->drawn] = old[i]", "g->bag[--g->drawn] = old[0]"),
    "7.1": ("if (full || g->num_open == 0)", "if (g->num_open == 0)"),
    "7.2": ("if (full || g->num_open == 0)", "if (full || g->num_open == 1)"),
    "7.3": ("return on_a < on_b", "return on_a > on_b"),
}
"""By paragraph of RULES.md: a text of the engine, and another that breaks the rule."""


@pytest.mark.nightly
@pytest.mark.parametrize("paragraph", PLANTED)
def test_planted_errors_are_found(paragraph, tmp_path):
    text, wrong = PLANTED[paragraph]
    source = c_engine.SOURCE.read_text(encoding="utf-8")
    assert source.count(text) == 1
    (tmp_path / "engine.c").write_text(source.replace(text, wrong), encoding="utf-8")
    compiled = library("-O1", source=tmp_path / "engine.c")
    with pytest.raises((AssertionError, IllegalActionError, ValueError)):
        compare_presets(300, compiled)


def test_the_source_compiles_without_warnings():
    flags = [*c_engine.FLAGS, "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-fsyntax-only"]
    command = [shutil.which("cc"), *flags, str(c_engine.SOURCE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", PRESETS)
def test_it_accepts_exactly_the_actions_of_its_mask(name):
    rules = PRESETS[name]
    for moves in (0, 1, 7, 20):
        engine = CEngine(rules, 1, seed=moves)
        for _ in range(moves):
            engine.play(engine.random_actions())
        before = engine.read()
        illegal = np.flatnonzero(engine.legal_mask()[0] == 0)
        assert not any(accepts(engine, action) for action in [*illegal, -1, engine.num_actions])
        assert all(np.array_equal(a, b) for a, b in zip(before, engine.read(), strict=True))
    with pytest.raises(IllegalActionError, match="action -2 is illegal in game 0"):
        engine.play([-2])


def accepts(engine: CEngine, action: int) -> bool:
    """Return whether an action can be played; it is, then."""
    try:
        engine.play([action])
    except IllegalActionError:
        return False
    return True


def test_random_actions_are_uniform():
    """In a first turn, and between a swap and none: chi-square below its 0.9999 quantile."""
    engine = CEngine(Rules(2), 1)
    found = np.bincount([engine.random_actions()[0] for _ in range(60_000)], minlength=engine.num_actions)
    legal = engine.legal_mask()[0] == 1
    assert found[~legal].sum() == 0
    expected, freedom = found.sum() / legal.sum(), legal.sum() - 1
    assert ((found[legal] - expected) ** 2 / expected).sum() < freedom + 3.72 * (2 * freedom) ** 0.5 + 10
    while not (waiting := engine.read().facts[0, FACTS.index("phase")] == CHOOSE):
        engine.play(engine.random_actions(), auto_reset=True)
    assert waiting
    swaps = sum(int(engine.random_actions()[0] == engine.num_actions - 1) for _ in range(10_000))
    assert abs(swaps - 5000) < 200  # four standard deviations


def test_its_own_games_are_those_of_the_rules():
    """RULES.md 8.2: about 38 placements; alone, a mean lowest counter of about 1.4."""
    engine, placements, phase = CEngine(Rules(2), 2000, seed=3), 0, FACTS.index("phase")
    while (actions := engine.random_actions()).max() >= 0:
        placements += int((engine.read().facts[:, phase] == PLACE).sum())
        engine.play(actions)
    assert 37.5 < placements / 2000 < 38.5
    alone = CEngine(Rules.solitaire(), 4000, seed=4)
    while (actions := alone.random_actions()).max() >= 0:
        alone.play(actions)
    assert 1.3 < alone.read().scores.min(axis=2).mean() < 1.5


def test_new_deals_are_shuffled_anew():
    """Each type comes as often as it should in the first racks, and no two deals are alike."""
    racks = CEngine(Rules(2), 20_000, seed=5).read().racks.reshape(20_000, 12)
    assert len(np.unique(racks, axis=0)) > 19_990
    shares = np.bincount(racks.ravel(), minlength=21) / racks.size
    assert np.abs(shares - np.array(Rules(2).tile_counts) / NUM_TILES).max() < 0.003


def test_after_a_swap_the_old_tiles_are_drawn_as_often_as_the_others():
    """The same game many times up to a swap; then the next seat draws from a bag whose tiles are known."""
    single, played = CEngine(Rules(2), 1, seed=6), []
    order = np.random.default_rng(6).permutation(np.repeat(np.arange(21), Rules(2).tile_counts))
    single.deal(order)
    while single.read().facts[0, FACTS.index("phase")] != CHOOSE:
        played.append(int(single.random_actions()[0]))
        single.play(played[-1:])
    games = 20_000
    engine = CEngine(Rules(2), games, seed=7)
    engine.deal(np.tile(order, (games, 1)))
    for action in played:
        engine.play(np.full(games, action))
    before = engine.read()
    seat, in_bag = before.facts[0, FACTS.index("to_play")], before.facts[0, FACTS.index("in_bag")]
    held = before.racks[0, seat]
    engine.play(np.full(games, engine.num_actions - 1))
    swapped = engine.read()
    drawn = order[NUM_TILES - in_bag :][:6]
    assert (swapped.racks[:, seat] == np.sort(drawn)).all()
    bag = np.concatenate([order[NUM_TILES - in_bag :][6:], held[held < 21]])
    assert (swapped.facts[:, FACTS.index("in_bag")] == len(bag)).all()
    action = engine.random_actions()[0]
    engine.play(np.full(games, action))
    racks = engine.read().racks[:, 1 - seat]
    left = np.delete(swapped.racks[0, 1 - seat], action // (2 * Rules(2).geometry.num_pairs))
    counts = np.bincount(racks.ravel(), minlength=21) - games * np.bincount(left, minlength=21)
    assert counts.sum() == games
    expected = np.bincount(bag, minlength=21) * games / len(bag)
    assert np.abs(counts - expected).max() < 4.5 * expected.max() ** 0.5


def test_bags_of_other_tiles_are_refused():
    engine = CEngine(Rules(2), 1)
    with pytest.raises(ValueError, match="the bag of game 0 has other tiles"):
        engine.order_bag(0, np.zeros(108))
    with pytest.raises(ValueError, match="the bag of game 0 has other tiles"):
        engine.order_bag(0, np.zeros(107))


def test_other_rules_are_refused():
    with pytest.raises(ValueError, match=r"the C engine plays presets, not Rules\(num_players=5"):
        CEngine(Rules(5), 1)


def test_a_missing_compiler_is_named(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ImportError, match="there is no command `cc`"):
        library.__wrapped__()
