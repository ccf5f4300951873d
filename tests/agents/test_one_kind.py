"""Contestants of one kind, equal as values, are separate players: each has its own memory and counts."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from ingenious_agents.evaluation.match import play_match, play_out
from ingenious_agents.evaluation.report import markdown, report
from ingenious_agents.evaluation.tournament import GameResult, Tournament

from ingenious_env import GameBatch, Rules, Session
from ingenious_env.envs.vector import VersusVectorEnv

SMALL = {"board_side": 3, "num_colours": 2, "rack_size": 2, "counter_top": 2}
TABLES = [Rules(2, **SMALL), Rules(3, **SMALL), Rules(4, teams=True, **SMALL)]


@dataclass
class Rememberer:
    """Uniform; equal to all others of its kind, but with its own memory."""

    begun: list = field(default_factory=list, compare=False, repr=False)
    acted: list = field(default_factory=list, compare=False, repr=False)

    def begin(self, keys):
        self.begun.append(keys.tolist())

    def act(self, view):
        self.acted.append(view.seats.tolist())
        return view.random_actions()


@dataclass
class Lowest:
    """The legal action with the lowest number, or the highest."""

    highest: bool = False

    def act(self, view):
        masks = view.legal_mask()
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1) if self.highest else masks.argmax(axis=1)


@pytest.mark.parametrize("rules", TABLES)
def test_matches(rules):
    agents = [Rememberer() for _ in range(rules.num_sheets)]
    assert agents[0] == agents[1]
    result = play_match(rules, agents, 6, seed=3)
    for agent in agents:
        assert len(agent.begun) == rules.num_sheets  # once for each rotation
        assert len(agent.acted) > 0
    assert result.shares.shape == (6 * rules.num_sheets, rules.num_sheets)
    assert result.shares.sum(axis=1) == pytest.approx(1)
    batch = GameBatch(rules, 5, 1)
    one = Rememberer()
    decisions = play_out(batch, [one] * rules.num_sheets).decisions
    assert len(one.begun) == 1  # it is one player on all sheets
    assert (decisions > 0).all()


@pytest.mark.parametrize("rules", TABLES)
def test_each_counts_for_itself(rules):
    """Two of one kind, with other parameters: by number, in any order."""
    count = rules.num_sheets
    agents = [Lowest(highest=number == count - 1) for number in range(count)]
    forth, back = play_match(rules, agents, 40, seed=1), play_match(rules, agents[::-1], 40, seed=1)
    assert forth.share(count - 1) == pytest.approx(back.share(0))
    assert forth.share(count - 1) != pytest.approx(forth.share(0))


@pytest.mark.parametrize("rules", TABLES)
def test_sessions_and_environments(rules):
    players = [Rememberer() for _ in range(rules.num_players)]
    session = Session(rules, 3, players)
    for _ in session.run():
        pass
    for seat, player in enumerate(players):
        assert len(player.begun) == 1
        assert {seats[0] for seats in player.acted} == {seat}
    opponents = [Rememberer() for _ in range(rules.num_players - 1)]
    envs = VersusVectorEnv(3, rules=rules, opponent=opponents, seat=0)
    envs.reset(seed=1)
    for place, opponent in enumerate(opponents, start=1):
        assert len(opponent.begun) == 1
        envs.step(envs.action_masks().argmax(axis=1))
        assert {seat for seats in opponent.acted for seat in seats} == {place}


@pytest.mark.parametrize("names", [("uniform", "uniform"), ("greedy", "uniform", "greedy")])
def test_tournaments(names):
    """Each is rated, named and distinguished by its number, in the games and in their order."""
    tournament = Tournament.of(TABLES[0], names, 5)
    pairs = [(a, b) for a in range(len(names)) for b in range(a + 1, len(names))]
    assert tournament.groups == pairs
    members = tournament.make_agents()
    assert len({id(member) for member in members}) == len(names)
    for group in pairs:
        games = tournament.play(group, range(4))
        assert len(games) == 8
        for deal in range(4):
            seatings = {game.seating for game in games if game.deal == deal}
            assert seatings == {group, group[::-1]}
        if names[group[0]] == names[group[1]] == "greedy":
            for one, other in zip(games[::2], games[1::2], strict=True):
                assert one.scores == other.scores  # the same players in other seats
    deals = [range(2 + 3 * number) for number in range(len(pairs))]  # so that equals have other shares
    played = {group: tournament.play(group, each) for group, each in zip(pairs, deals, strict=True)}
    figures = report(tournament, played)
    for number in range(len(names)):
        of_pairs = [
            np.mean([_share(game, number) for game in games])
            for group, games in played.items()
            if number in group
        ]
        assert figures.shares[number].mean == pytest.approx(np.mean(of_pairs))
    for (one, other), share in figures.ahead.items():
        games = played[one, other]
        places = [
            (game.ranks[game.seating.index(one)], game.ranks[game.seating.index(other)]) for game in games
        ]
        assert share.mean == pytest.approx(np.mean([(np.sign(its - mine) + 1) / 2 for mine, its in places]))
    ratings, wins, *_ = markdown(figures).split("\n\n")
    for name in set(names):
        for table in (ratings, wins):
            assert sum(line.startswith(f"| {name} ") for line in table.split("\n")) == names.count(name)


def _share(game, number):
    """The share of the win of an agent."""
    first = [agent for agent, rank in zip(game.seating, game.ranks, strict=True) if rank == 1]
    return (number in first) / len(first)


def test_a_report_goes_by_numbers():
    """Of two of one name, the one who has won all games is the one with all wins."""
    tournament = Tournament.of(TABLES[0], ("uniform", "uniform"), 5)
    games = [
        GameResult(
            deal=deal,
            seating=seating,
            scores=[[2, 2], [0, 1]] if seating[0] else [[0, 1], [2, 2]],
            ranks=[1, 2] if seating[0] else [2, 1],
            luck=None,
            decisions=[3, 3],
            seconds=[1.0, 2.0] if seating[0] else [2.0, 1.0],
            actions=[0] * 6,
        )
        for deal in range(6)
        for seating in ((0, 1), (1, 0))
    ]
    figures = report(tournament, {(0, 1): games})
    assert [share.mean for share in figures.shares] == [0, 1]
    assert figures.ahead[0, 1].mean == 0
    assert figures.ratings.ratings[0] < figures.ratings.ratings[1]
    assert figures.counters.ravel().tolist() == pytest.approx([0, 1, 2, 2])
    assert figures.seconds.tolist() == pytest.approx([2 / 3, 1 / 3])


def test_a_table_names_each_of_its_rows():
    """Names out of alphabetical order; the second agent has won all games."""
    tournament = Tournament.of(TABLES[0], ("uniform", "greedy"), 5)
    ends = {"scores": [[0, 1], [2, 2]], "ranks": [2, 1], "decisions": [1, 1], "seconds": [1.0, 1.0]}
    games = [GameResult(deal=deal, seating=(0, 1), luck=None, actions=[0, 0], **ends) for deal in range(6)]
    ratings, wins, *_ = markdown(report(tournament, {(0, 1): games})).split("\n\n")
    assert [line.split()[1] for line in ratings.split("\n")[2:4]] == ["greedy", "uniform"]
    assert [name.strip() for name in wins.split("\n")[0].split("|")[2:4]] == ["greedy", "uniform"]
