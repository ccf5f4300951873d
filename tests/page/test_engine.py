"""The engine in a browser plays the same games as here: bytes, masks, observations, choices and values."""

from __future__ import annotations

import hashlib
import itertools
import json

import numpy as np
import pytest

from ingenious_env import GameBatch, View
from ingenious_env.compiled.phases import NO_ACTION
from ingenious_env.engine.definition import definition_of, definitions
from ingenious_env.policies.greedy import candidate_table, utility_values
from ingenious_env.policies.value import (
    best_actions,
    compared_actions,
    highest_value,
    model_of,
    rank_actions,
    shipped_network,
)

PRESETS = [(name, preset) for name in ("ingenious", "loopit") for preset in definitions()[name].presets]
CLOSE = 1e-5  # of the highest value of a network
VALUE_EVERY = 5  # steps between two at which networks are compared: these take most of the time
PLAY = """async ([game, preset, size, seed, played, valueEvery]) => {
  const { Engine } = await import("/web/local/engine.js");
  const { Games, Variant } = await import("/web/local/games.js");
  const { unpacked } = await import("/web/local/kits.js");
  const engine = await Engine.of(fetch(`/data/${game}.wasm`));
  const facts = await (await fetch(`/data/${game}-${preset}.json`)).json();
  const bytesOf = async (name) => (await fetch(`/data/${name}`)).arrayBuffer();
  const tables = new Uint8Array(await bytesOf(facts.tables.file));
  const variant = new Variant(engine, facts, tables, unpacked(await bytesOf(facts.value.weights)));
  const games = new Games(variant, size);
  const trial = new Games(variant, size);
  const digest = async ({ values }) => {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength).slice();
    const found = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    return [...found].map((each) => each.toString(16).padStart(2, "0")).join("");
  };
  games.seed(BigInt(seed));
  const steps = [];
  for (let number = 0; number <= played.length; number++) {
    const phases = Array.from({ length: size }, (_, row) => games.number("phase", row));
    const step = { rows: await digest(games.rows), mask: await digest(games.mask()), phases, actions: {} };
    steps.push(step);
    step.observations = [];
    for (let seat = 0; seat < facts.players; seat++)
      step.observations.push(await digest(games.observe(Array(size).fill(seat))));
    step.scores = Array.from({ length: size }, (_, row) => [...games.field("scores", row)]);
    if (number === played.length) break;
    step.actions.random = [...games.randomActions().values];
    step.actions.uniform = [...games.randomActions(true).values];
    for (const utility of Object.keys(facts.utilities))
      step.actions[utility] = [...games.greedyActions(utility).values];
    trial.rows.values.set(games.rows.values);
    if (number % valueEvery === 0) {
      trial.reshuffle();
      step.trial = await digest(trial.rows);
      const compared = trial.rankActions(false);
      step.actions.value = [];
      step.values = [];
      for (let row = 0; row < size; row++) {
        const values = [...compared.values.row(row)].filter((_, k) => compared.actions.row(row)[k] >= 0);
        const best = values.indexOf(Math.max(...values));
        step.actions.value.push(compared.actions.row(row)[best] ?? -1);
        step.values.push(values[best] ?? 0);
      }
      const ranked = trial.rankActions();
      step.ranked = { actions: [...ranked.actions.row(0)], values: [...ranked.values.row(0)] };
      const found = trial.candidates(Object.keys(facts.utilities)[0], variant.numActions);
      const count = Number(found.counts.values[0]);
      const row = ({ values }) => [...values.subarray(0, count)];
      step.candidates = { actions: row(found.actions), values: row(found.values) };
    }
    games.play(played[number]);
  }
  return JSON.stringify(steps);
}"""


def digest(array):
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()


def expected_steps(rules, size, seed):
    """Of each step, the games, the choices of all policies, and those played: the policies play in turn."""
    batch, definition = GameBatch(rules, size, seed), definition_of(rules)
    network, model = shipped_network(rules), model_of(rules)
    for number in itertools.count():
        step = {
            "rows": digest(batch.state.memory),
            "mask": digest(batch.legal_mask()),
            "phases": batch.phase.tolist(),
            "observations": [
                digest(batch.observe(viewers=[seat] * size)) for seat in range(rules.num_players)
            ],
            "scores": batch.scores.reshape(size, -1).tolist(),
            "actions": {},
        }
        if batch.is_over.all():
            yield step, None
            return
        view, actions = View(batch), step["actions"]
        actions |= {"random": batch.random_actions(), "uniform": definition.policy("uniform").act(view)}
        for name in definition.guide.utilities:
            policy = "greedy" if name == "points" else name
            actions[name] = definition.policy(policy).act(view)
        if number % VALUE_EVERY == 0:
            trial = view.complete()
            step["trial"] = digest(trial.state.memory)
            actions["value"] = definition.policy("value").act(view)
            best, step["values"] = best_actions(network, trial, model.candidates)
            assert (best == actions["value"]).all()
            room = model.num_ranked(rules, model.candidates)
            ranked = rank_actions(network, trial, model.candidates, max(2, room))
            step["ranked"] = {"actions": ranked[0][0], "values": ranked[1][0]}
            utility = utility_values(rules)
            found, gains, counts = candidate_table(trial, utility, batch.num_actions)
            step["candidates"] = {"actions": found[0, : counts[0]], "values": gains[0, : counts[0]]}
        played = list(actions.values())[number % len(actions)]
        if "value" in actions:
            actions["value"] = nearly_best(*compared_actions(network, trial), CLOSE * highest_value(rules))
        yield step, played.tolist()
        batch.play(played)


def nearly_best(actions, values, close):
    """Of each game the actions whose values are the highest one, but for rounding."""
    found = []
    for mine, worth in zip(actions, values, strict=True):
        is_one = mine != NO_ACTION
        found.append(set(mine[is_one & (worth >= worth[is_one].max(initial=-np.inf) - close)]) or {NO_ACTION})
    return found


def same(found, expected, where, close):
    """Fail unless two things are equal, floats nearly; the message names where."""
    if isinstance(expected, dict):
        assert found.keys() == expected.keys(), where
        for name, each in expected.items():
            same(found[name], each, f"{where}, {name}", close)
    elif where.endswith("actions, value"):  # rounding decides between mirrored actions on an empty board
        assert all(mine in theirs for mine, theirs in zip(found, expected, strict=True)), where
    elif where.endswith(", values"):
        np.testing.assert_allclose(found, expected, rtol=0, atol=close, err_msg=where)
    else:
        expected = expected.tolist() if isinstance(expected, np.ndarray) else expected
        assert found == expected, where


def compare(tab, game, preset, size, seed):
    """Play games here and in the browser; returns the number of positions compared."""
    rules = definitions()[game].presets[preset].rules
    expected, played = zip(*expected_steps(rules, size, seed), strict=True)
    found = json.loads(tab.evaluate(PLAY, [game, preset, size, str(seed), played[:-1], VALUE_EVERY]))
    for number, (mine, theirs) in enumerate(zip(found, expected, strict=True)):
        where = f"{game} {preset} seed {seed}, step {number}"
        same(mine, theirs, where, CLOSE * highest_value(rules))
    return sum(phase != 2 for step in expected for phase in step["phases"])


@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_games_are_the_same_byte_for_byte(tab, game, preset):
    assert compare(tab, game, preset, size=3, seed=2**63 + 11) > 75


@pytest.mark.nightly
@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_many_games_are_the_same_byte_for_byte(tab, game, preset):
    positions = sum(compare(tab, game, preset, size=50, seed=seed) for seed in range(4))
    print(f"{positions} positions of {game} {preset}")
    assert positions > 5000
