"""The luck of the draw in a page without a server: that of the package for the same record."""

from __future__ import annotations

import json

import pytest

from ingenious_env import Session
from ingenious_env.engine.definition import definitions
from ingenious_env.policies import luck_by_move
from ingenious_env.policies.luck import relative_luck
from ingenious_env.policies.value import highest_value

PRESETS = [(name, preset) for name in ("ingenious", "loopit") for preset in definitions()[name].presets]
CLOSE = 1e-4  # of the highest value, over all draws of a game
LUCK = """async ([game, preset, games]) => {
  const { ask } = await import("/web/local/background.js");
  const { kitOf } = await import("/web/local/kits.js");
  const kit = await kitOf(game, preset);
  const found = games.map(({ seed, actions }) => ask("luck", kit, { seed: seed.map(BigInt), actions }));
  return JSON.stringify(await Promise.all(found));
}"""


def compare(tab, game, preset, seeds):
    """Games of mixed players, by the page and by the package; returns the named choices that were made."""
    definition = definitions()[game]
    rules, policies = definition.presets[preset].rules, definition.policies
    players = [policies[name] for name in ("greedy", "uniform", "greedy", "value")][: rules.num_players]
    sessions = [Session(rules, seed, players) for seed in seeds]
    for session in sessions:
        for _ in session.run():
            pass
    given = [
        {"seed": [str(part) for part in session.seed], "actions": [turn.action for turn in session.turns]}
        for session in sessions
    ]
    found = json.loads(tab.evaluate(LUCK, [game, preset, given]))
    for mine, session in zip(found, sessions, strict=True):
        luck = relative_luck(luck_by_move(session.record).sum(axis=0, keepdims=True))[0]
        assert mine == pytest.approx(luck, abs=CLOSE * highest_value(rules))
    assert max(abs(each) for mine in found for each in mine) > 10 * CLOSE * highest_value(rules)
    return {turn.move for session in sessions for turn in session.turns if isinstance(turn.move, str)}


@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_luck_is_that_of_the_package(tab, game, preset):
    compare(tab, game, preset, range(2))


def test_luck_of_swaps_and_of_racks_that_were_thrown_back(tab):
    """Whole racks are drawn: from the bag, or from the bag with the rack that was put back."""
    assert "swap" in compare(tab, "ingenious", "two", range(7, 11))
    assert "throw back" in compare(tab, "loopit", "two", range(7, 10))


@pytest.mark.nightly
@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_luck_of_many_games(tab, game, preset):
    compare(tab, game, preset, range(100, 120))


def test_a_report_without_a_worker_has_no_luck(tab):
    """Rather than none at all."""
    script = """async () => {
      const { Analysis } = await import("/web/local/analysis.js");
      const turn = { seat: 0, action: 0, move: "" };
      const kit = { about: { game: "nothing" }, preset: "two" };
      const analysis = new Analysis({ isOver: true, session: { kit, seed: [1n, 0n], turns: [turn] } });
      return JSON.stringify([await analysis.luck(), analysis.drawn]);
    }"""
    assert json.loads(tab.evaluate(script)) == [None, None]
