"""The time of an agent's answer, on a clock that only waiting advances: it is independent of the rack."""

import asyncio
import selectors
from concurrent.futures import Future

import numpy as np
import pytest
from patience import PATIENCE

pytest.importorskip("starlette")

from ingenious_env import Rules
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.policies.session import Session
from ingenious_env.web import rooms
from ingenious_env.web.app import Server
from ingenious_env.web.store import Store
from ingenious_env.web.tables import HUMAN, Agent, Table

SECONDS = 2.0
SEEDS = (1, 2)


class Clock(asyncio.SelectorEventLoop):
    """A loop whose time passes at once."""

    def __init__(self):
        super().__init__(selectors.DefaultSelector())
        self.now, self._select = 0.0, self._selector.select
        self._selector.select = self._pass

    def time(self):
        return self.now

    def _pass(self, timeout):
        assert timeout is not None, "nothing will ever happen"
        self.now += timeout
        return self._select(0)


class Timed(Future):
    """A choice that is made after some seconds of the clock, or earlier if it is to stop and does."""

    def __init__(self, action, stops):
        super().__init__()
        self.set_running_or_notify_cancel()
        self._action, self._stops = action, stops
        asyncio.get_running_loop().call_later(SECONDS, self._end)

    def stop(self):
        if self._stops:
            self._end()

    def _end(self):
        if not self.done():
            self.set_result(self._action)


class First:
    """Plays the first legal action."""

    def act(self, view):
        return view.legal_mask().argmax(axis=1)


def is_offered(table, game, seat):
    """Return whether a seat has a private choice."""
    return game.to_play == seat and bool(table.private_actions(game))


def before_answer(agents, rules, seed, *, offered):
    """A table at which the agent of seat 1 is to move, and after that will have a choice or not."""
    for number in range(100):
        table = Table.of(rules, [HUMAN, "timed"], agents, 100 * seed + number)
        rng = np.random.default_rng(number)
        while not table.session.is_over:
            game = table.session.game
            if game.to_play == 1 and game.phase in ("place", "lay") and not is_offered(table, game, 1):
                game.play(int(game.legal_actions()[0]))
                ends = game.to_play == 0 and not game.is_over
                if is_offered(table, game, 1) if offered else ends:
                    return table
            table.play(int(rng.choice(table.session.game.legal_actions())))
    raise AssertionError(seed)


def answer_of(monkeypatch, rules, seed, choice, *, stops, offered):
    """The time of the answer to a move, with the moves played by then."""
    agents = {"timed": Agent("timed", lambda _game: First())}
    table = before_answer(agents, rules, seed, offered=offered)

    def think(session):
        game = session.game
        action = int(game.legal_actions()[0])
        if choice is not None and game.legal_mask()[game.actions.choice(choice)]:
            action = game.actions.choice(choice)
        session._thinking = Timed(action, stops)
        return session._thinking

    monkeypatch.setattr(Session, "think", think)
    times, played = [], len(table.session.turns)

    async def run():
        loop = asyncio.get_running_loop()
        server = Server(agents, Store(None, agents))
        server.rooms.store.add(table)
        room = server.rooms.of(table)
        began, tell = loop.time(), room.notify_moves
        monkeypatch.setattr(room, "notify_moves", lambda: (times.append(loop.time() - began), tell()))
        room.resume()
        while room.is_thinking and not times:
            assert len(table.session.turns) == played  # nor does anything else reveal it before
            await asyncio.sleep(0.01)
        return [turn.move for turn in table.session.turns[played:]]

    with asyncio.Runner(loop_factory=Clock) as runner:
        moves = runner.run(run())
    return round(times[0], 6), [move if isinstance(move, str) else "tile" for move in moves]


@pytest.mark.parametrize("stops", [True, False])
@pytest.mark.parametrize(
    ("rules", "private", "other"),
    [(Rules(2), "keep", "swap"), (LoopitRules(2), "stop", None)],
    ids=["ingenious", "loopit"],
)
def test_the_time_of_an_answer_does_not_tell_of_the_rack(monkeypatch, rules, private, other, stops):
    """By an agent that thinks for seconds about each decision, whether or not it stops when asked to."""
    again = rooms.CHOICE_TIME if stops else SECONDS
    for seed in SEEDS:
        for choice in (private, other):
            plain = answer_of(monkeypatch, rules, seed, choice, stops=stops, offered=False)
            assert plain == (SECONDS + again, ["tile"])
            offered = answer_of(monkeypatch, rules, seed, choice, stops=stops, offered=True)
            if choice == private:
                assert offered == (SECONDS + again, ["tile", private])
            else:
                assert offered[1][:2] == ["tile", other or "tile"]
                assert offered[0] == round(SECONDS + again * laid(offered[1]), 6)


def laid(moves):
    """The number of moves that others see."""
    return len([move for move in moves if move not in ("keep", "stop")])


def test_agents_alone_do_not_wait(monkeypatch):
    """Spectators see all racks."""
    monkeypatch.setattr(rooms, "CHOICE_TIME", 1e6)
    agents = {"timed": Agent("timed", lambda _game: First())}

    async def run():
        server = Server(agents, Store(None, agents))
        table = Table.of(Rules(2), ["timed", "timed"], agents, 1)
        server.rooms.store.add(table)
        room = server.rooms.of(table)
        room.resume()
        async with asyncio.timeout(PATIENCE):
            while room.is_thinking:
                await asyncio.sleep(0.01)
        return table.session.is_over

    assert asyncio.run(run())
