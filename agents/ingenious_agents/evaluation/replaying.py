"""Replays of games of a tournament: the same agents play the same game of a deal."""

from __future__ import annotations

from ingenious_agents.evaluation.log import Log
from ingenious_agents.evaluation.tournament import GameResult, Tournament
from ingenious_env import Session


def numbered_game(log: Log, number: int) -> GameResult:
    """A game of a log, counted group by group from 0; ValueError if there are fewer."""
    games = list(log)
    if number >= len(games):
        known = f"games 0 to {len(games) - 1}, not {number}" if games else "no games yet"
        msg = f"{log.path} has {known}"
        raise ValueError(msg)
    return games[number]


def seats_of(tournament: Tournament, game: GameResult) -> list[int]:
    """The number of the agent on each seat."""
    rules = tournament.rules
    return [game.seating[seat % rules.num_sheets] for seat in range(rules.num_players)]


def session_of(tournament: Tournament, game: GameResult) -> Session:
    """The game's deal and its agents, before the first move."""
    agents = dict(enumerate(tournament.make_agents()))
    players = [agents[number] for number in seats_of(tournament, game)]
    return Session(tournament.rules, (tournament.seed, game.deal), players)


def check_end(session: Session, game: GameResult) -> None:
    """ValueError if a replayed game has another result."""
    if session.game.state.scores[0].tolist() != game.scores:
        why = "an agent has a time limit, draws its own random numbers, or has changed"
        msg = f"the game ended otherwise in the tournament, {game.scores}: {why}"
        raise ValueError(msg)
