"""Replays of games of a tournament, by their logged actions."""

from __future__ import annotations

from ingenious_agents.evaluation.log import Log
from ingenious_agents.evaluation.tournament import GameResult, Tournament
from ingenious_env import IllegalActionError, Session


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


def replayed(tournament: Tournament, game: GameResult) -> Session:
    """The game's deal with its actions played; ValueError if they do not lead to its result."""
    session = Session(tournament.rules, (tournament.seed, game.deal))
    try:
        for action in game.actions:
            session.play(action)
    except IllegalActionError as error:
        msg = f"the logged actions of deal {game.deal} are not a game: {error}"
        raise ValueError(msg) from error
    found = session.game.state.scores[0].tolist()
    if not session.is_over or found != game.scores:
        end = f"at {found}" if session.is_over else "before its end"
        msg = f"the logged actions of deal {game.deal} end {end}, not at {game.scores}"
        raise ValueError(msg)
    return session
