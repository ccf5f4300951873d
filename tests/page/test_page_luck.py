"""The luck of the draw in a page without a server: that of the package for the same record."""

from __future__ import annotations

import json
from itertools import islice

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


def played(game, preset, seed):
    """A game of mixed players."""
    definition = definitions()[game]
    rules, policies = definition.presets[preset].rules, definition.policies
    names = ("greedy", "uniform", "greedy", "value")[: rules.num_players]
    session = Session(rules, seed, [policies[name] for name in names])
    for _ in session.run():
        pass
    return session


def compare(tab, game, preset, sessions):
    """The luck of games by the page and by the package."""
    given = [
        {"seed": [str(part) for part in session.seed], "actions": [turn.action for turn in session.turns]}
        for session in sessions
    ]
    found = json.loads(tab.evaluate(LUCK, [game, preset, given]))
    close = CLOSE * highest_value(sessions[0].rules)
    for mine, session in zip(found, sessions, strict=True):
        luck = relative_luck(luck_by_move(session.record).sum(axis=0, keepdims=True))[0]
        assert mine == pytest.approx(luck, abs=close)
    assert max(abs(each) for mine in found for each in mine) > 10 * close


@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_luck_is_that_of_the_package(tab, game, preset):
    compare(tab, game, preset, [played(game, preset, seed) for seed in range(2)])


@pytest.mark.parametrize(("game", "choice"), [("ingenious", "swap"), ("loopit", "throw back")])
def test_luck_of_whole_racks(tab, game, choice):
    """From the bag, or from it and the rack that was put back; in games in which that seat decides again."""
    sessions = (played(game, "two", seed) for seed in range(7, 60))
    compare(tab, game, "two", list(islice((each for each in sessions if judges(each, choice)), 3)))


def judges(session, choice):
    """Return whether a seat decides again after a choice."""
    turns = session.turns
    return any(
        turn.move == choice and any(later.seat == turn.seat for later in turns[number + 1 :])
        for number, turn in enumerate(turns)
    )


@pytest.mark.nightly
@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_luck_of_many_games(tab, game, preset):
    compare(tab, game, preset, [played(game, preset, seed) for seed in range(100, 120)])


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
