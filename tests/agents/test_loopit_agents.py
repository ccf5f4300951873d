"""Matches, searches and tournaments in Loopit, by the code that Ingenious uses."""

from __future__ import annotations

import json

import numpy as np
import pytest
from commands import refused
from ingenious_agents import make_agent, play_match
from ingenious_agents.commands import match, tournament
from ingenious_agents.evaluation.log import Log
from ingenious_agents.evaluation.tournament import Tournament
from ingenious_agents.search.ismcts import TreeSearch

from ingenious_env import GameBatch, View
from ingenious_env import Rules as IngeniousRules
from ingenious_env.compiled.phases import CHOOSE, PLACE
from ingenious_env.games.loopit import LOOPIT, Game, Rules
from ingenious_env.games.loopit.opponents.utilities import SLOPES

SEARCHES = ("flat-mc:rollouts=30", "tree:rollouts=30", "tree:rollouts=30,widen_others=0.5,horizon=0")


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("players", [2, 4])
def test_searches_play_by_what_they_may_know(name, players):
    """Actions are legal, repeatable, and independent of hidden tiles."""
    batch = GameBatch(Rules(players), 3, 5)
    for _ in range(12):
        batch.play(batch.random_actions(), auto_reset=True)
    actions = make_agent(name).act(View(batch))
    assert batch.legal_mask()[np.arange(3), actions].all()
    assert np.array_equal(make_agent(name).act(View(batch)), actions)
    other = batch.clone()
    other.reshuffle_hidden(seed=9)
    assert np.array_equal(make_agent(name).act(View(other)), actions)


def test_a_search_considers_to_stop_and_both_choices_about_a_stuck_rack():
    game = Game(Rules(), 3)
    game.play(game.random_action())
    candidates = make_agent("flat-mc:candidates=6").search(
        GameBatch.from_rows(game.rules, game.state.memory), 0
    )
    assert game.action("stop") in candidates.candidates
    assert len(candidates.candidates) == min(6, len(game.legal_actions()))
    batch = GameBatch(Rules(), 64, 0)
    while not (batch.phase == CHOOSE).any():
        batch.play(batch.random_actions(), auto_reset=True)
    game = batch[int(np.argmax(batch.phase == CHOOSE))]
    found = make_agent("tree").search(GameBatch.from_rows(game.rules, game.state.memory), 0).candidates
    assert found.tolist() == [game.action("throw back"), game.action("keep")]


def test_searching_is_better_than_greedy_and_that_than_chance():
    result = play_match(Rules(), [make_agent("greedy"), make_agent("uniform")], 40, seed=2)
    assert result.share(0) > 0.9
    result = play_match(Rules(), [make_agent("flat-mc:rollouts=100"), make_agent("greedy")], 10, seed=2)
    assert result.share(0) > 0.5


def test_a_tournament_says_which_game(tmp_path, capsys):
    path = tmp_path / "log.jsonl"
    command = ["uniform", "greedy", "--game", "loopit", "--fixed-rounds", "--deals", "6", "--out", str(path)]
    tournament.main([*command, "--processes", "1"])
    table = capsys.readouterr().out
    heads = [head.strip() for head in table.splitlines()[0].split("|")]
    assert heads[1:-1] == ["agent", "rating", "wins", "games", "score", "seconds per move"]
    games = [json.loads(line) for line in path.read_text().splitlines()]
    assert {game["game"] for game in games} == {"loopit"}
    assert all(game["rules"].startswith("players=2 rounds=fixed") for game in games)
    assert len(games) == 12
    assert np.shape(games[0]["scores"]) == (2,)
    log = Log.load(path)
    assert log.tournament == Tournament.of(Rules(2, fixed_rounds=True), ["greedy", "uniform"])
    assert not (tmp_path / "log-counters.svg").exists()
    tournament.main(["--show", str(path), "--replay", "3"])
    replayed = capsys.readouterr().out
    end = LOOPIT.game.from_text(replayed[replayed.index("loopit 1") :])
    assert end.scores == list(log)[3].scores


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--fixed-rounds"], "--fixed-rounds is for loopit, not ingenious"),
        (["--game", "loopit", "--partnership"], "--partnership is for ingenious, not loopit"),
        (["--game", "loopit", "--players", "1"], "--players 1 is for ingenious, not loopit"),
    ],
)
def test_options_that_exclude_each_other(options, complaint, tmp_path, capsys):
    arguments = ("uniform", "greedy", "uniform", *options, "--out", str(tmp_path / "log"))
    assert complaint in refused(capsys, tournament, *arguments)


def test_a_match_prints_scores(capsys):
    match.main(["greedy", "uniform", "greedy", "--game", "loopit", "--deals", "4"])
    heads, _, *rows = capsys.readouterr().out.splitlines()
    assert [head.strip() for head in heads.split("|")[1:-1]] == ["12 games", "wins", "score"]
    assert [row.split()[1] for row in rows] == ["greedy", "uniform", "greedy"]


def test_a_utility_of_another_game_is_refused():
    batch = GameBatch(Rules(), 1, 0)
    with pytest.raises(ValueError, match="utility in loopit must be one of points, not 'concave'"):
        make_agent("greedy:utility=concave").act(View(batch))


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("greedy:utility=concave", "utility in loopit must be one of points, not 'concave'"),
        ("flat-mc:rollout=concave", "utility in loopit must be one of points, not 'concave'"),
    ],
)
def test_agents_of_ingenious_are_refused_before_anything_is_played(name, complaint):
    with pytest.raises(ValueError, match=complaint):
        Tournament.of(Rules(), ["greedy", name])
    with pytest.raises(ValueError, match=complaint):
        play_match(Rules(), [make_agent("greedy"), make_agent(name)], 1)


def test_the_planner_is_refused_in_ingenious():
    with pytest.raises(ValueError, match="the planner plays Loopit, nothing else"):
        play_match(IngeniousRules(), [make_agent("greedy"), make_agent("planner")], 1)
    with pytest.raises(ValueError, match="width must be from 1 to 256, not 0"):
        make_agent("planner:width=0")
    with pytest.raises(ValueError, match="reply must be a finite number, not nan"):
        make_agent("planner:reply=nan")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_simulation_that_ends_early_is_judged_by_the_leads(players):
    """After one turn, by the scores then: the odds of two players are exp(slope · difference / 100)."""
    batch = GameBatch(Rules(players, tiles_per_turn=1), 8, 5)
    for _ in range(20):
        batch.play(batch.random_actions())
    seen = 0
    for row in np.flatnonzero(batch.phase == PLACE):
        search = TreeSearch(horizon=1, candidates=3).search(batch, int(row))
        count = len(search.candidates)
        search.run(np.arange(count), 2)
        after = batch.take(np.full(count, row))
        after.play(search.candidates)
        seat = int(batch.to_play[row])
        odds = np.exp(SLOPES[players - 2] * (after.scores - after.scores[:, [seat]]) / 100)
        assert search.means == pytest.approx(1 / odds.sum(axis=1), rel=1e-9)
        seen += 1
    assert seen > 4
