"""Oracles: they use what they know and nothing else, and find the best move where knowledge decides."""

from __future__ import annotations

import json
from collections import Counter

import loopit_helpers
import numpy as np
import pytest
import test_loopit_value
from helpers import batch_at
from ingenious_agents import make_agent
from ingenious_agents.commands import solitaire
from ingenious_agents.evaluation.solitaire import Study
from ingenious_agents.search.exact import placements_left
from ingenious_agents.value.oracle import MAX_TILES, Oracle
from test_value import SMALL, batch_of, random_network

from ingenious_env import Game, GameBatch, Rules, View
from ingenious_env.compiled.bag import NO_TILE
from ingenious_env.policies.value import best_actions, model_of, rank_actions
from scripts import oracles

GAMES = {
    "ingenious, two": (SMALL["two"], batch_at, random_network),
    "ingenious, alone": (SMALL["alone"], batch_at, random_network),
    "loopit": (loopit_helpers.VARIANTS["5 x 5"], loopit_helpers.batch_at, test_loopit_value.random_network),
}
KNOWN = (
    {},
    {"tiles": 1},
    {"tiles": 2},
    {"racks": 1},
    {"racks": 1, "tiles": 2},
    {"racks": 1, "tiles": MAX_TILES},
)


@pytest.fixture(params=GAMES)
def positions(request, tmp_path):
    """Games of a variant, and a network for it."""
    rules, batch, network = GAMES[request.param]
    network(rules).save(tmp_path / "agent.safetensors")
    games = batch(rules, 12, 6, seed=3)
    return games.take(np.flatnonzero(~games.is_over)), str(tmp_path / "agent.safetensors")


def deal_unknown(games: GameBatch, known: dict[str, int], seed: int) -> None:
    """Exchange tiles that an oracle does not know, one pair of places after the other."""
    rng, state = np.random.default_rng(seed), games.state
    for row in range(len(games)):
        bag, racks, drawn = state.bag[row], state.racks[row], int(state.drawn[row])
        places = [(bag, at) for at in range(drawn + known.get("tiles", 0), len(bag))]
        if not known.get("racks"):
            places += [
                (racks[seat], slot)
                for seat in range(len(racks))
                for slot in range(racks.shape[1])
                if seat != state.to_play[row] and racks[seat, slot] != NO_TILE
            ]
        for _ in range(100):
            one, other = rng.integers(len(places), size=2) if len(places) > 1 else (0, 0)
            if one != other:
                (here, i), (there, j) = places[one], places[other]
                here[i], there[j] = there[j], here[i]
        racks.sort(axis=1)


def test_without_a_look_ahead_it_is_the_agent_that_plays_by_the_value(positions):
    games, path = positions
    wanted = make_agent(f"value:path={path}").act(View(games))
    for known in KNOWN:
        assert Oracle(path=path, horizon=0, **known).act(View(games)).tolist() == wanted.tolist()


@pytest.mark.parametrize("known", KNOWN, ids=str)
@pytest.mark.parametrize("horizon", [1, 50])
def test_what_it_does_not_know_makes_no_difference(positions, known, horizon):
    games, path = positions
    oracle = Oracle(path=path, horizon=horizon, worlds=2, candidates=3, rollout_candidates=4, **known)
    wanted = oracle.act(View(games))
    for seed in range(3):
        others = games.clone()
        deal_unknown(others, known, seed)
        assert oracle.act(View(others)).tolist() == wanted.tolist()


def test_its_worlds_are_all_equally_likely():
    """Known tiles stay, and each unknown place has a tile as often as there are such tiles."""
    game = batch_at(Rules(2, board_side=4, num_colours=2, rack_size=3), 1, 5, seed=4)
    seat, drawn = int(game.to_play[0]), int(game.state.drawn[0])
    other = game.state.racks[0, 1 - seat]
    for known in KNOWN[1:4]:
        worlds = Oracle(worlds=4000, **known)._dealt(game).state
        end = drawn + known.get("tiles", 0)
        assert (worlds.racks[:, seat] == game.state.racks[0, seat]).all()
        assert (worlds.bag[:, :end] == game.state.bag[0, :end]).all()
        unknown = Counter(game.state.bag[0, end:].tolist())
        if known.get("racks"):
            assert (worlds.racks[:, 1 - seat] == other).all()
        else:
            unknown += Counter(other.tolist())
            held = Counter(worlds.racks[:, 1 - seat].ravel().tolist())
            for tile, count in unknown.items():
                assert held[tile] / 12000 == pytest.approx(count / unknown.total(), abs=0.025)
        for place in (end, game.state.bag.shape[1] - 1):
            found = Counter(worlds.bag[:, place].tolist())
            for tile, count in unknown.items():
                assert found[tile] / 4000 == pytest.approx(count / unknown.total(), abs=0.035)


def played_on(network, game, horizon: int, seat: int, turn: int, value: float) -> float:
    """The value for a seat of the position that play by the network leads to, one action after the other."""
    left = horizon
    while not game.is_over:
        (action,), (found,) = best_actions(network, batch_of(game), 4)
        if game.to_play == seat:
            value = found
            left -= game.turn != turn
            turn = game.turn
            if left == 0:
                return float(value)
        game.play(int(action))
    if game.rules.num_sheets > 1:
        value = (game.ranks[seat] == 1) / (np.asarray(game.ranks) == 1).sum()
    return float(value)


@pytest.mark.parametrize("horizon", [1, 2, 50])
def test_with_all_known_its_candidate_ends_best_in_the_true_game(positions, horizon):
    games, path = positions
    oracle = Oracle(path=path, horizon=horizon, worlds=1, rollout_candidates=4, racks=1, tiles=MAX_TILES)
    network, chosen, differs = oracle.network(games.rules), oracle.act(View(games)), 0
    model = model_of(games.rules)
    room = model.num_ranked(games.rules, model.candidates)
    for row in range(len(games)):
        ranked = rank_actions(network, games.take(np.array([row])), model.candidates, room)
        tried, values = (each[0] for each in ranked)
        best: dict[int, float] = {}
        for action, value in zip(tried.tolist(), values.tolist(), strict=True):
            if action >= 0:
                best[action] = max(value, best.get(action, -np.inf))
        candidates = sorted(best, key=best.__getitem__, reverse=True)[:4]
        ends = {}
        for action in candidates:
            game = games[row]
            seat, turn = game.to_play, game.turn
            game.play(action)
            ends[action] = played_on(network, game, horizon, seat, turn, best[action])
        assert ends[int(chosen[row])] == pytest.approx(max(ends.values()), abs=1e-6)
        differs += int(chosen[row]) != candidates[0]
    assert differs > 0


def outcome(game: Game) -> float:
    """The result that networks of solitaire estimate."""
    lowest = np.sort(game.scores[0])[:4]
    return float(np.average(lowest, weights=[1, 0.2, 0.1, 0.05][: len(lowest)]))


def best_of_two(game: Game, action: int) -> float:
    """The best result of an action and of one more, by trying all."""
    after = game.clone()
    after.play(action)
    ends = [after] if after.is_over else [after.clone() for _ in after.legal_actions()]
    if not after.is_over:
        for end, last in zip(ends, after.legal_actions(), strict=True):
            end.play(int(last))
    assert all(end.is_over for end in ends)
    return max(map(outcome, ends))


def test_it_finds_the_best_of_two_last_placements_where_the_next_tile_decides(tmp_path):
    """Two games that differ only in that tile, so that one action cannot be the best in both."""
    rules = Rules(1, board_side=3, num_colours=2)
    random_network(rules).save(tmp_path / "agent.safetensors")
    path, decided = str(tmp_path / "agent.safetensors"), 0
    oracle = Oracle(path=path, tiles=1, worlds=1, candidates=500, rollout_candidates=500)
    for seed in range(60):
        game = Game(rules, seed)
        while placements_left(game) > 2:
            game.play(int(game.legal_actions()[seed % len(game.legal_actions())]))
        if game.is_over or placements_left(game) < 2:
            continue
        optimal = []
        for tile in range(3):
            here = game.clone()
            here.state.bag[0, int(here.state.drawn[0])] = tile
            values = {int(action): best_of_two(here, int(action)) for action in here.legal_actions()}
            best = {action for action, value in values.items() if value > max(values.values()) - 1e-9}
            assert int(oracle.act(View.of(here))[0]) in best
            optimal.append(best)
        decided += not set.intersection(*optimal)
    assert decided > 2


# Where they play.


def test_studies_measure_no_luck_of_those_who_know_draws():
    study = Study(Rules.solitaire(), ("value", "oracle:worlds=1,candidates=2", "oracle:tiles=1,worlds=1"))
    games = [study.play((number,), range(1))[0] for number in range(3)]
    assert [game.luck is None for game in games] == [False, False, True]


def test_an_oracle_is_no_agent():
    with pytest.raises(ValueError, match=r"an agent is one of uniform, .*, not 'oracle'"):
        make_agent("oracle")


def test_a_study_plays_oracles(tmp_path, capsys):
    out = ["--deals", "2", "--processes", "1", "--out", str(tmp_path / "log.jsonl")]
    solitaire.main(["oracle:tiles=1,worlds=1,candidates=2", *out])
    assert "| oracle:tiles=1,worlds=1,candidates=2 |" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({"tiles": -1}, "tiles must be from 0 to 255, not -1"),
        ({"racks": 2}, "racks must be from 0 to 1, not 2"),
        ({"worlds": 0}, "worlds must be from 1 to"),
        ({"horizon": -1}, "horizon must be from 0 to"),
    ],
)
def test_oracles_that_are_not(values, complaint):
    with pytest.raises(ValueError, match=complaint):
        Oracle(**values)


# The ladder.


def test_a_ladder_continues_to_the_same_games(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(
        oracles, "KNOWN", {name: oracles.KNOWN[name] for name in ("nothing", "the next tile")}
    )
    options = ["--game", "loopit", "--horizon", "1", "--worlds", "1", "--processes", "1", "--format", "json"]
    logs, reports = [], []
    for name, steps in (("whole", [2]), ("pieces", [1, 2])):
        out = tmp_path / f"{name}.jsonl"
        for deals in steps:
            capsys.readouterr()
            oracles.main([*options, "--deals", str(deals), "--out", str(out)])
        rows = json.loads(capsys.readouterr().out)["oracles"]
        reports.append([{key: row[key] for key in row if key != "cpu_seconds_per_game"} for row in rows])
        lines = [json.loads(line) for line in out.read_text().splitlines()]
        logs.append([{key: line[key] for key in line if key != "seconds"} for line in lines])
    assert logs[0] == logs[1]
    assert reports[0] == reports[1]
    assert [row["known"] for row in rows] == list(oracles.KNOWN)
    wins: dict[str, list[float]] = {}
    for line in lines:
        mine = line["agents"].index(next(name for name in line["agents"] if name != "value"))
        score, other = line["scores"][mine], line["scores"][1 - mine]
        wins.setdefault(line["agents"][mine], []).append((np.sign(score - other) + 1) / 2)
    assert [row["wins"] for row in rows] == pytest.approx([np.mean(each) for each in wins.values()])
    means = [np.mean(np.reshape(each, (2, 2)), axis=1) for each in wins.values()]
    assert [row["gain"] for row in rows] == pytest.approx([(each - means[0]).mean() for each in means])
