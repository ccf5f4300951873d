"""The value network: its inputs and answers, its targets, the agent that plays by it, and its training."""

from __future__ import annotations

import json
import pickle
import re
import subprocess
import sys
from collections import Counter
from itertools import dropwhile, takewhile

import numpy as np
import pytest
from helpers import PRESETS, VARIANTS, batch_at, hidden_tiles
from ingenious_agents import make_agent, play_match
from ingenious_agents.value.self_play import SelfPlay, experience_of, joined
from next_tile_slowly import next_inputs
from reference import DIRECTIONS, adjacent_pairs, neighbours, place_points
from safetensors import safe_open
from safetensors.numpy import save

from ingenious_env import Game, GameBatch, Place, Rules
from ingenious_env.engine.files import write_arrays
from ingenious_env.engine.state import NO_ACTION, OVER, PLACE
from ingenious_env.games.ingenious import INGENIOUS
from ingenious_env.games.ingenious.moves import IngeniousActions
from ingenious_env.games.ingenious.notation import rules_to_text
from ingenious_env.games.ingenious.opponents.kernels.value_layout import FIRST, SECOND, THIRD
from ingenious_env.games.ingenious.opponents.value import MODEL, architecture, earlier_architectures
from ingenious_env.policies.value import ValueNetwork, best_actions
from ingenious_env.policies.view import Policy, View

SMALL = {
    "alone": Rules(1, board_side=4, num_colours=4, rack_size=3, counter_top=9),
    "one tile": Rules(1, board_side=5, num_colours=6, rack_size=1),
    "two": Rules(2, board_side=4, num_colours=3, rack_size=3, counter_top=3),
    "three": Rules(3, board_side=5, num_colours=6, rack_size=4, counter_top=4),
    "open": Rules(3, board_side=5, num_colours=6, rack_size=4, counter_top=4, open_racks=True),
    "teams": Rules(4, teams=True, board_side=4, num_colours=2, rack_size=2, counter_top=5),
}
small_rules = pytest.mark.parametrize("rules", SMALL.values(), ids=SMALL)


def random_network(rules: Rules, seed: int = 0) -> ValueNetwork:
    rng = np.random.default_rng(seed)
    return ValueNetwork(rules, rng.normal(0, 0.2, architecture(rules).num_weights).astype(np.float32))


def batch_of(game: Game) -> GameBatch:
    return GameBatch.from_rows(game.rules, game.state.memory)


def answers(network: ValueNetwork, inputs) -> np.ndarray:
    """The values of positions by the network, in 64-bit floats."""
    rest, colours = network.weights.astype(float), network.rules.num_colours
    known = (architecture(network.rules), *earlier_architectures(network.rules))
    [layout] = [each for each in known if each.num_weights == len(rest)]
    by_colour, of_all = layout.shared[0], layout.together

    def layer(signals, outputs):
        nonlocal rest
        inputs = signals.shape[-1]
        biases, matrix = rest[:outputs], rest[outputs : outputs * (inputs + 1)].reshape(inputs, outputs)
        rest = rest[outputs * (inputs + 1) :]
        return signals @ matrix + biases

    def rectified(signals):
        return np.maximum(signals, 0)

    each = inputs[:, : colours * by_colour].astype(float).reshape(-1, colours, by_colour)
    verdicts = rectified(layer(rectified(layer(each, FIRST)), SECOND)).sum(axis=1)
    together = np.concatenate([verdicts, inputs[:, colours * by_colour :]], axis=1)
    found = layer(rectified(layer(together, THIRD)), 1)[:, 0]
    assert together.shape[1] == SECOND + of_all
    assert len(rest) == 0
    return 4 * found if network.rules.num_sheets == 1 else 1 / (1 + np.exp(-found))


def inputs_of(
    after: Game, sheet: int, rack: Counter, unseen: Counter, owed: int, sees_next: bool = True
) -> list[float]:
    """The network's inputs for a position after a placement, by slow code."""
    rules, found = after.rules, []
    cells = [tuple(int(number) for number in cell) for cell in rules.cells]
    board = {cell: int(colour) for cell, colour in zip(cells, after.board, strict=True)}
    empty = {cell for cell in cells if not board[cell]}
    sheets = [after.scores[(sheet + other) % rules.num_sheets] for other in range(rules.num_sheets)]
    beside = {cell: len(neighbours(cell) & empty) for cell in empty}
    nowhere = (99, 99)  # for the other half, which is not in the way
    points_by_colour = [
        {cell: place_points(board, frozenset({(cell, colour), (nowhere, 0)}))[colour] for cell in empty}
        for colour in range(1, rules.num_colours + 1)
    ]
    rooms = [  # RULES.md 4.3, 4.4
        (rules.counter_top if own < rules.counter_top else rules.last_space) - own for own in sheets[0]
    ]
    of_colours, of_all = [[]] * rules.num_colours, []
    if rules.num_sheets == 1 and sees_next:
        of_colours, of_all = next_inputs(empty, points_by_colour, list(sheets[0]), rooms, unseen)
    for colour, points in enumerate(points_by_colour):
        found += [counters[colour] / 6 for counters in sheets]
        found += [(sheets[0][colour] - beyond) / 6 for beyond in (min(sheets[0]), np.mean(sheets[0]))]
        prospects = {cell: prospects_at(board, cell, colour + 1) for cell in empty}
        for places, each in ((points, beside), (points, dict.fromkeys(empty, 4)), (prospects, beside)):
            for level in range(1, 9):
                found.append(sum(each[cell] for cell in empty if beside[cell] and places[cell] >= level) / 16)
        held = sum(number for tile, number in rack.items() if colour + 1 in tile)
        found += [
            held / 2,
            rack[colour + 1, colour + 1],
            float(held == 0),
            sum(number for tile, number in unseen.items() if colour + 1 in tile) / 20,
        ]
        own, left = sheets[0][colour], rooms[colour]
        found += [float(left == spaces) for spaces in range(1, 6)]
        found += [float(own >= rules.counter_top), left / 6]
        for level in range(1, 9):
            good = sum(beside[cell] > 0 and points[cell] >= level for cell in empty)
            found.append(good / 4 if level <= left else 0)
        found += of_colours[colour]
    shown = sum(
        number * len(set(tile)) for tile, number in unseen.items()
    )  # tiles of two colours count for both
    for counters in sheets:
        found += [counter / 6 for counter in sorted(counters)]
    found += [
        len(adjacent_pairs(empty)) * 4 / rules.geometry.num_pairs,
        shown / rules.num_tiles,
        rack.total() / 4,
        owed,
        int(after.state.turn[0]) * 4 / len(cells),
        float(after.state.turn[0] < rules.num_players),
    ]
    found += [sum(number >= least for number in beside.values()) / 10 for least in range(1, 7)]
    return found + of_all


def prospects_at(board: dict, start: tuple, colour: int) -> int:
    """Halves of a colour in the lines that are met first from an empty cell on, at any distance."""
    halves = 0
    for dq, dr in DIRECTIONS:
        ray = [(start[0] + dq * k, start[1] + dr * k) for k in range(1, 2 * len(board))]
        met = list(dropwhile(lambda cell: board.get(cell) == 0, ray))
        halves += len(list(takewhile(lambda cell: board.get(cell) == colour, met)))
    return halves


def check_choices(agent: Policy, rules: Rules) -> None:
    """An agent's actions are legal, the same in any batch, and independent of hidden tiles."""
    for moves in (0, 5, 15, 60):
        batch = batch_at(rules, 4, moves, seed=moves)
        actions, over = agent.act(View(batch)), batch.phase == OVER
        assert (actions[over] == NO_ACTION).all()
        assert batch.legal_mask()[np.flatnonzero(~over), actions[~over]].all()
        assert np.array_equal(agent.act(View(batch.take(np.array([2, 1])))), actions[[2, 1]])
        if moves:  # in the first position no tile is known to other seats
            batch.reshuffle_hidden(seed=moves)
            assert np.array_equal(agent.act(View(batch)), actions)


@small_rules
def test_positions_are_written_as_the_slow_way_has_them(rules):
    network = random_network(rules)
    checked = swaps = draws = 0
    for first in range(6):
        played = SelfPlay(rules, candidates=2000, epsilon=0.0).play(network.weights, 7, first, 1)
        game = Game(rules, seed=(7, first))
        for step, action in enumerate(played.actions.tolist()):
            before = game.clone()
            values = best_actions(network, batch_of(game), 2000)[1]
            move, seat = game.move(action), game.to_play
            game.play(action)
            rack = Counter(before.racks[seat])
            unseen = hidden_tiles(before, seat)
            if isinstance(move, Place):
                rack[tuple(sorted(colour for _, colour in move))] -= 1
                owed = game.plays_left if game.state.turn == before.state.turn else 0
                kept = +rack
                slow = inputs_of(game, rules.sheet_of(seat), kept, unseen, owed)
            else:
                swaps += 1
                kept = Counter() if move == "swap" else rack
                slow = inputs_of(before, rules.sheet_of(seat), kept, unseen, 0)
            assert played.inputs[step] == pytest.approx(slow, abs=1e-6)
            drawn = Counter(game.racks[seat]) - kept
            for colour in range(1, rules.num_colours + 1):
                share = sum(number for tile, number in unseen.items() if colour in tile) / unseen.total()
                seen = sum(number for tile, number in drawn.items() if colour in tile)
                excess = played.excess[step, colour - 1]
                assert excess == pytest.approx(seen - drawn.total() * share, abs=1e-5)
            draws += drawn.total()
            assert values[0] == pytest.approx(answers(network, played.inputs[[step]])[0], rel=1e-4)
            checked += 1
    assert checked > 60
    assert draws > 30
    assert swaps or rules.num_sheets != 2  # elsewhere offers are rare


@pytest.mark.parametrize("name", ["alone", "one tile"])
def test_networks_without_inputs_on_the_next_tile_are_evaluated_too(name):
    rules, checked = SMALL[name], 0
    (layout,) = earlier_architectures(rules)
    weights = np.random.default_rng(3).normal(0, 0.2, layout.num_weights).astype(np.float32)
    network, game = ValueNetwork(rules, weights), Game(rules, seed=5)
    while not game.is_over:
        before = game.clone()
        actions, values = best_actions(network, batch_of(game), 1)
        move = game.move(int(actions[0]))
        game.play(int(actions[0]))
        if isinstance(move, Place) and not game.is_over:
            kept = Counter(before.racks[0])
            kept[tuple(sorted(colour for _, colour in move))] -= 1
            owed = game.plays_left if game.state.turn == before.state.turn else 0
            slow = inputs_of(game, 0, +kept, hidden_tiles(before, 0), owed, sees_next=False)
            assert values[0] == pytest.approx(answers(network, np.array([slow]))[0], rel=1e-4)
            checked += 1
    assert checked > 10


def test_weights_may_be_read_only_and_in_memory_that_others_share():
    rules, buffers = SMALL["two"], []
    network, games = random_network(rules), GameBatch(rules, 3, 1)
    kept = ValueNetwork(rules, np.frombuffer(network.weights.tobytes(), np.float32))
    saved = pickle.dumps(network, protocol=5, buffer_callback=buffers.append)
    shared = pickle.loads(saved, buffers=[bytes(buffer.raw()) for buffer in buffers])
    expected = best_actions(network, games, 4)
    for each in (kept, shared):
        assert np.array_equal(best_actions(each, games, 4), expected)


def test_the_earlier_network_of_solitaire_is_shipped():
    network = ValueNetwork.load(MODEL.folder / "earlier" / "solitaire.safetensors")
    assert network.rules == Rules.solitaire()
    assert (len(network.weights),) == tuple(each.num_weights for each in earlier_architectures(network.rules))
    agents = [
        make_agent(f"value:path={MODEL.folder / 'earlier' / 'solitaire.safetensors'}"),
        make_agent("value"),
    ]
    before, now = (
        play_match(Rules.solitaire(), [agent], 40, 5).scores.min(axis=2).mean() for agent in agents
    )
    assert 17 < before < 22
    assert 17 < now < 23


@small_rules
@pytest.mark.parametrize("epsilon", [0.0, 0.3])
def test_targets_are_means_over_all_horizons(rules, epsilon):
    """TD(λ) as it is usually written down: (1 − λ) Σ λ^(n−1) (value n decisions on), and the outcome.

    From each of these is taken off what draws on the way there brought by luck.
    """
    td_lambda, draws = 0.8, []

    def luck(_inputs, excess):
        draws.append(0.1 * excess[:, 0])
        return draws[0]

    played = SelfPlay(rules, candidates=4, epsilon=epsilon).play(random_network(rules).weights, 3, 0, 5)
    experience = experience_of(played, td_lambda, luck)
    at = 0
    for game, count in enumerate(played.counts.tolist()):
        sheets, values = played.sheets[at : at + count], played.values[at : at + count]
        explored, lucky = played.explored[at : at + count], draws[0][at : at + count]
        for step in range(count):
            later = [k for k in range(step + 1, count) if sheets[k] == sheets[step]]
            following = [*values[later], played.results[game, sheets[step]]]
            assert experience.changes[at] == pytest.approx(following[0] - values[step], abs=1e-5)
            weight, target = 1.0, -lucky[step]
            for k in later:
                if explored[k]:
                    target += weight * values[k]
                    break
                target += weight * (1 - td_lambda) * values[k]
                weight *= td_lambda
                target -= weight * lucky[k]
            else:
                target += weight * played.results[game, sheets[step]]
            assert experience.targets[at] == pytest.approx(target, abs=1e-5)
            at += 1
    assert at == len(experience.targets)


@small_rules
def test_no_draw_is_a_surprise_in_the_mean(rules):
    excess = SelfPlay(rules, candidates=3, epsilon=0.1).play(random_network(rules).weights, 5, 0, 400).excess
    error = excess.std(axis=0) / len(excess) ** 0.5
    assert (error > 0).all()
    assert (np.abs(excess.mean(axis=0)) < 4.5 * error).all()


def test_results_are_shares_of_the_win_or_weigh_the_lowest_counters():
    for rules in SMALL.values():
        played = SelfPlay(rules, candidates=2, epsilon=0.0).play(random_network(rules).weights, 1, 0, 20)
        for game in range(20):
            sheets = [sorted(sheet) for sheet in played.scores[game].tolist()]
            if rules.num_sheets == 1:
                weights = [1, 0.2, 0.1, 0.05][: rules.num_colours]
                wanted = [np.average(sheets[0][:4], weights=weights)]
            else:
                wanted = [(sheet == max(sheets)) / sheets.count(max(sheets)) for sheet in sheets]
            assert played.results[game] == pytest.approx(wanted)


@small_rules
def test_an_end_by_exploring_is_taken_for_the_best_action(rules):
    network = random_network(rules)
    played = SelfPlay(rules, candidates=500, epsilon=1.0).play(network.weights, 4, 0, 20)
    ended = 0
    for number, actions in enumerate(np.split(played.actions, np.cumsum(played.counts)[:-1])):
        game = GameBatch(rules)
        game.seed(4, number)
        for action in actions:
            game.play([action])
        if not game.is_over[0]:  # but for the last action, which has no afterstate
            value, sheet = best_actions(network, game, 500)[1][0], rules.sheet_of(int(game.to_play[0]))
            assert played.results[number, sheet] == pytest.approx(value)
            ended += 1
    assert ended > 10


@small_rules
def test_only_placements_are_explored(rules):
    played = SelfPlay(rules, candidates=3, epsilon=1.0).play(random_network(rules).weights, 4, 0, 200)
    placed = played.actions < IngeniousActions.of(rules, staged=False).keep
    assert np.array_equal(played.explored, placed)
    assert placed.all() or rules.num_players > 1


@small_rules
def test_games_may_be_played_in_any_shares(rules):
    play, weights = SelfPlay(rules, candidates=3, epsilon=0.2), random_network(rules).weights
    whole = play.play(weights, 6, 10, 9)
    shares = joined(
        [play.play(weights, 6, 10, 4), play.play(weights, 6, 14, 1), play.play(weights, 6, 15, 4)]
    )
    assert len(whole.counts) == 9
    for one, other in zip(whole, shares, strict=True):
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)


@pytest.mark.parametrize("name", VARIANTS)
def test_actions_are_legal_and_blind_to_what_is_hidden(name, tmp_path):
    rules = VARIANTS[name]
    random_network(rules).save(tmp_path / "agent.safetensors")
    check_choices(make_agent(f"value:path={tmp_path / 'agent.safetensors'}"), rules)


def test_staged_choices_are_the_flat_ones(tmp_path):
    random_network(Rules()).save(tmp_path / "agent.safetensors")
    agent, batch = make_agent(f"value:path={tmp_path / 'agent.safetensors'}"), batch_at(Rules(), 6, 12)
    flat = agent.act(View(batch))
    staged = GameBatch.from_rows(batch.rules, batch.state.memory, staged=True)
    placing = batch.phase == PLACE
    assert np.array_equal(agent.act(View(staged))[placing], flat[placing] // batch.actions.num_placements)


def test_a_network_goes_to_a_file_and_back(tmp_path):
    for rules in PRESETS.values():
        network = random_network(rules)
        network.save(tmp_path / "agent.safetensors")
        loaded = ValueNetwork.load(tmp_path / "agent.safetensors")
        assert loaded.rules == rules
        assert np.array_equal(loaded.weights, network.weights)
        assert (tmp_path / "agent.safetensors").stat().st_size < 100_000


def test_files_that_hold_no_network(tmp_path):
    path = tmp_path / "agent.safetensors"
    with pytest.raises(ValueError, match="there is no value network"):
        ValueNetwork.load(path)
    random_network(Rules()).save(path)
    whole = path.read_bytes()
    with safe_open(path, framework="numpy") as file:
        header, weights = json.loads(file.metadata()["header"]), file.get_tensor("weights")
    broken = {
        "other format": ({**header, "format": "another"}, {"weights": weights}),
        "no format": ({"rules": header["rules"]}, {"weights": weights}),
        "other rules": ({**header, "rules": "players=9"}, {"weights": weights}),
        "no weights": (header, {"other": weights}),
        "fewer": (header, {"weights": weights[1:]}),
        "wider": (header, {"weights": weights.astype(float)}),
        "not a number": (header, {"weights": np.full_like(weights, np.nan)}),
        "infinite": (header, {"weights": np.full_like(weights, np.inf)}),
        "no object": ([], {"weights": weights}),
    }
    for changed, arrays in broken.values():
        write_arrays(path, changed, arrays)
        with pytest.raises(ValueError, match="holds no value network"):
            ValueNetwork.load(path)
    for content in (b"", whole[:-1], whole[:50], b"PK\x03\x04 and no more", save({"weights": weights})):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="holds no value network"):
            make_agent(f"value:path={path}")


def test_the_same_network_is_the_same_file(tmp_path):
    """In another process, too: the order of metadata is random from one to the next."""
    network = random_network(Rules())
    network.save(tmp_path / "here")
    np.save(tmp_path / "weights.npy", network.weights)
    code = (
        "import sys, numpy as np\n"
        "from ingenious_env import Rules\n"
        "from ingenious_env.policies.value import ValueNetwork\n"
        "ValueNetwork(Rules(), np.load(sys.argv[1])).save(sys.argv[2])"
    )
    for name in ("one", "other"):
        subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "weights.npy"), str(tmp_path / name)], check=True
        )
        assert (tmp_path / name).read_bytes() == (tmp_path / "here").read_bytes()


def test_a_network_of_another_variant_does_not_play(tmp_path):
    random_network(Rules()).save(tmp_path / "agent.safetensors")
    agent = make_agent(f"value:path={tmp_path / 'agent.safetensors'}")
    with pytest.raises(ValueError, match=r"plays .*, nothing else"):
        agent.act(View(GameBatch(Rules.solitaire(), 1)))
    with pytest.raises(ValueError, match="candidates must be from 0 to"):
        make_agent(f"value:path={tmp_path / 'agent.safetensors'},candidates=-1")


@pytest.mark.parametrize("name", PRESETS)
def test_weights_are_shipped_for_every_preset_and_a_card_for_each(name):
    rules = PRESETS[name]
    assert MODEL.variants[name] == rules
    assert (MODEL.folder / f"{name}.safetensors").stat().st_size < 200_000
    card = (MODEL.folder / f"{name}.md").read_text()
    assert rules_to_text(rules) in card
    assert all(
        re.search(rf"^\| {fact} +\|", card, re.MULTILINE)
        for fact in ("command", "games", "time", "seed", "commit", "machine")
    )
    for text in ("value", "value-search:rollouts=20"):
        agent, batch = make_agent(text), batch_at(rules, 3, 20)
        assert batch.legal_mask()[np.arange(3), agent.act(View(batch))].all()


def test_a_variant_without_weights_is_refused_by_name():
    complaint = r"a value network is shipped for each of solitaire, two, .*, not for players=5"
    with pytest.raises(ValueError, match=complaint):
        make_agent("value").act(View(GameBatch(Rules(5), 1)))


@pytest.mark.parametrize("name", PRESETS)
def test_the_box_is_worth_having(name):
    rules = PRESETS[name]
    greedy = [make_agent("greedy:utility=concave")] * max(1, rules.num_sheets - 1)
    if rules.num_sheets == 1:
        lowest = [
            play_match(rules, [agent], 100, 5).scores.min(axis=2).mean()
            for agent in (make_agent("value"), *greedy)
        ]
        assert lowest[0] > lowest[1] + 3
    else:
        assert play_match(rules, [make_agent("value"), *greedy], 40, 5).share(0) > 1.8 / rules.num_sheets


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize("name", PRESETS)
def test_the_opponent_in_the_package_plays_as_the_agent_does(name, staged):
    opponent, agent = INGENIOUS.policy("value"), make_agent("value")
    for moves in (0, 21, 44):
        batch = batch_at(PRESETS[name], 4, moves, seed=moves)
        view = View(GameBatch.from_rows(batch.rules, batch.state.memory, staged=staged))
        assert np.array_equal(opponent.act(view), agent.act(view))
