"""Sessions, the history of games, and records: moves can be listed, taken back and replayed."""

from __future__ import annotations

from threading import Event

import numpy as np
import pytest

from ingenious_env import Game, GameBatch, IllegalActionError, Record, Rules, Session, View
from ingenious_env.engine.records import read_game
from ingenious_env.games.loopit import Game as Loopit
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.policies.greedy import Greedy
from ingenious_env.policies.thinking import is_stopped, stoppable
from ingenious_env.policies.view import Uniform
from scripts.examples.squares import Rules as SquaresRules

GAMES = {
    "two": Rules(),
    "solitaire": Rules.solitaire(),
    "partnership": Rules.partnership(),
    "loopit": LoopitRules(3),
    "squares": SquaresRules(),
}


def played(rules, seed=3) -> Session:
    session = Session(rules, seed, [Uniform()] * rules.num_players)
    assert sum(1 for _ in session.run()) == len(session.turns)
    assert session.is_over
    return session


@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_policies_play_a_game_to_its_end(rules):
    """Move for move what they choose in a loop of one's own."""
    session, game = played(rules), Session(rules, 3).game
    for number, turn in enumerate(session.turns):
        assert session.at(number) == game
        assert turn.seat == game.to_play
        assert turn.action == int(Uniform().act(View.of(game))[0])
        assert turn.move == game.move(turn.action)
        game.play(turn.action)
    assert session.game == session.at(len(session.turns)) == game
    assert game.is_over


@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_a_record_holds_all_of_it(rules, tmp_path):
    session = played(rules)
    session.record.save(tmp_path / "game.txt")
    record = Record.load(tmp_path / "game.txt")
    assert record == session.record == session.game.record
    assert record.replay() == session.game
    again = Session.from_record(record)
    assert again.turns == session.turns
    assert again.game == session.game


def test_people_are_waited_for():
    session = Session(Rules(), 5, [None, Greedy()])
    assert session.is_waiting
    assert list(session.run()) == []
    with pytest.raises(ValueError, match="no policy is to move: a person plays seat 0"):
        session.advance()
    with pytest.raises(ValueError, match="a person plays seat 0"):
        session.think()
    with pytest.raises(IllegalActionError):
        session.play(10**6)
    assert session.turns == ()
    mine = session.play(int(session.game.legal_actions()[0]))
    assert (mine.seat, session.to_play, session.is_waiting) == (0, 1, False)
    assert [turn.seat for turn in session.run()] == [1]
    assert session.is_waiting


def test_moves_are_taken_back():
    session = Session(Rules(), 5, [Uniform(), Uniform()])
    for _ in range(6):
        session.advance()
    before, turns = session.at(4), session.turns
    session.take_back(2)
    assert session.game == before
    assert session.turns == turns[:4]
    session.advance()
    session.advance()
    assert session.turns == turns  # the same future
    for number in (0, 7, -1):
        with pytest.raises(ValueError, match="number must be from 1 to 6"):
            session.take_back(number)
    assert session.turns == turns
    session.take_back(6)
    with pytest.raises(ValueError, match="there is no move to take back"):
        session.take_back()


def test_what_is_handed_out_is_a_copy():
    session = Session(Rules(), 5)
    session.game.play(int(session.game.legal_actions()[0]))
    session.at(0).play(int(session.game.legal_actions()[0]))
    assert session.game == Game(Rules(), 5)
    assert session.game.history == ()


def test_copies_are_independent_when_moves_are_taken_back():
    session = Session(Rules(), 5, [Uniform(), Uniform()])
    for _ in range(6):
        session.advance()
    copy, texts = session.copy(), [session.at(number).to_text() for number in range(7)]
    copy.take_back(2)
    copy.play(int(copy.game.legal_actions()[-1]))
    assert [session.at(number).to_text() for number in range(7)] == texts
    session.take_back(4)
    session.play(int(session.game.legal_actions()[-1]))
    assert [copy.at(number).to_text() for number in range(5)] == texts[:5]
    assert copy.record.replay() == copy.game
    assert session.record.replay() == session.game


class Remembers:
    def __init__(self):
        self.keys = []

    def begin(self, keys):
        self.keys += keys.tolist()

    def act(self, view):
        assert view.keys[0] == self.keys[-1]
        return view.random_actions()


def test_policies_with_memory_are_told_of_the_game_once_each():
    policy = Remembers()
    session = Session(Rules(), 8, [policy, policy])
    assert policy.keys == View.of(session.game).keys.tolist()
    session.advance()
    session.take_back()
    assert len(policy.keys) == 2  # it begins again


class Slow:
    """Takes the first legal action once it is stopped, the last if it is let go first."""

    def __init__(self):
        self.go = Event()

    def act(self, view):
        while not is_stopped() and not self.go.is_set():
            self.go.wait(0.001)
        legal = np.flatnonzero(view.legal_mask()[0])
        return np.array([legal[0] if is_stopped() else legal[-1]])


def test_a_policy_thinks_beside():
    slow = Slow()
    session = Session(Rules(), 5, [slow, None])
    legal, thinking = session.game.legal_actions(), session.think()
    assert not thinking.done()
    slow.go.set()
    assert session.finish(thinking).action == legal[-1]
    assert session.finish(thinking) is None  # that position is past
    assert len(session.turns) == 1


def test_a_policy_that_is_stopped_decides_at_once():
    session = Session(Rules(), 5, [Slow(), None])
    legal, thinking = session.game.legal_actions(), session.think()
    thinking.stop()
    assert session.finish(thinking).action == legal[0]


@pytest.mark.parametrize("change", ["play", "take back", "think again"])
def test_what_was_thought_of_another_position_is_not_played(change):
    session = Session(Rules(), 5, [None, Slow()])
    session.play(int(session.game.legal_actions()[0]))
    thinking = session.think()
    if change == "play":
        session.play(int(session.game.legal_actions()[0]))
    elif change == "take back":
        session.take_back()
    else:
        session.think()
    turns = session.turns
    assert session.finish(thinking) is None
    assert session.turns == turns


def test_a_policy_that_fails_says_so():
    class Fails:
        def act(self, view):
            raise LookupError("no idea")

    session = Session(Rules(), 5, [Fails(), None])
    with pytest.raises(LookupError, match="no idea"):
        session.finish(session.think())
    assert session.turns == ()


def test_a_flag_stops_what_runs_in_its_block_alone():
    flag = Event()
    assert not is_stopped()
    with stoppable(flag):
        assert not is_stopped()
        flag.set()
        assert is_stopped()
    assert not is_stopped()


@pytest.mark.parametrize(
    ("players", "error", "complaint"),
    [
        ([None], ValueError, "a player for each of 2 seats, not 1"),
        ([None, "greedy"], TypeError, "a policy is one of None for a person"),
        ([None, Greedy("points"), None], ValueError, "for each of 2 seats, not 3"),
    ],
)
def test_players_that_cannot_be(players, error, complaint):
    with pytest.raises(error, match=complaint):
        Session(Rules(), 1, players)


def test_a_record_with_an_illegal_move_plays_none():
    record = played(Rules()).record
    wrong = Record(record.rules, (4, 0), record.moves)
    with pytest.raises(IllegalActionError, match=r"move \d+ of the record"):
        Session.from_record(wrong)


# The history of games.


@pytest.mark.parametrize("actions", ["flat", "staged"])
@pytest.mark.parametrize(("kind", "rules"), [(Game, Rules.standard(3)), (Loopit, LoopitRules(2))])
def test_a_game_knows_what_was_played(kind, rules, actions):
    game, taken = kind(rules, (7, 2), actions=actions), []
    for _ in range(25):
        taken.append(game.random_action())
        game.play(taken[-1])
    assert game.history == tuple(taken)
    copy = game.clone()
    copy.play(copy.random_action())
    assert game.history == tuple(taken)
    assert copy.history[:-1] == game.history
    whole = game.record.replay()
    if actions == "flat":
        assert whole == game
    else:
        assert whole.state.turn[0] == game.state.turn[0]
    game.seed(9)
    assert game.history == ()
    assert game.record == Record(rules, (9, 0), ())


def test_an_illegal_action_is_not_in_the_history():
    game = Game(Rules(), 1)
    with pytest.raises(IllegalActionError):
        game.play(-5)
    assert game.history == ()


def test_games_that_were_not_dealt_by_a_seed_have_no_record():
    game = Game(Rules(), 1)
    text = Game.from_text(game.to_text())
    text.play(text.random_action())
    assert len(text.history) == 1
    game.reshuffle_hidden(seed=3)
    for each in (text, game):
        with pytest.raises(ValueError, match="this game has no record"):
            each.record  # noqa: B018 - a property


@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_a_record_may_have_no_moves_yet(rules):
    record = Session(rules, (5, 2)).record
    assert record.moves == ()
    assert Record.from_text(record.to_text()) == record


def test_a_record_is_equal_however_its_seed_and_moves_are_given():
    moves = played(Rules(), 7).record.moves
    wanted = Record.from_text(Record(Rules(), (7, 0), moves).to_text())
    for seed, given in ((7, list(moves)), (np.int64(7), moves), ((np.uint64(7), 0), iter(moves))):
        record = Record(Rules(), seed, given)
        assert record == wanted
        assert hash(record) == hash(wanted)
        assert record.seed == (7, 0)
    with pytest.raises(TypeError, match="seed must be a whole number, not '7'"):
        Record(Rules(), "7", moves)
    with pytest.raises(ValueError, match="seed must be from 0 to"):
        Record(Rules(), -1, moves)


@pytest.mark.parametrize("lines", [1, 2])
def test_a_record_has_a_rules_line_and_a_seed_line(lines):
    text = "\n".join(played(Rules()).record.to_text().splitlines()[:lines])
    with pytest.raises(ValueError, match="a record continues with a rules line and a seed line"):
        Record.from_text(text)


def test_a_file_that_is_no_record(tmp_path):
    path = tmp_path / "record"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="is not a text"):
        Record.load(path)
    path.write_text("hello")
    with pytest.raises(ValueError, match="a record begins with the line"):
        Record.load(path)


@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("staged", [False, True])
def test_a_position_goes_on_as_the_game_does(rules, staged):
    """To its end; a slot that was picked is put back, and what is taken back ends at the position."""
    batch = GameBatch(rules, 1, 9, staged=staged)
    for _ in range(7):
        batch.play(batch.random_actions())
    game, before = batch[0], batch.state.memory.copy()
    session = Session.from_game(game)
    flat = Session.from_game(session.game).game
    assert flat == session.game
    assert not session.game.state.held[0]
    for name in ("racks", "phase", "to_play"):
        assert getattr(session.game, name) == getattr(game, name)
    while not flat.is_over:
        action = flat.random_action()
        session.play(action)
        flat.play(action)
    assert session.game == flat
    with pytest.raises(ValueError, match="began with a position"):
        session.record  # noqa: B018 - a property
    session.take_back(len(session.turns))
    assert session.game == Session.from_game(game).game
    assert np.array_equal(batch.state.memory, before)


def test_policies_with_memory_are_told_of_a_position():
    game, policy = Game(Rules(), 3), Remembers()
    session = Session.from_game(game, [policy, None])
    assert policy.keys == game.state.policy_key.tolist()
    session.advance()
    with pytest.raises(ValueError, match="a player for each of 2 seats"):
        Session.from_game(game, [None])


@pytest.mark.parametrize("rules", [Rules(), LoopitRules(3)], ids=str)
def test_a_text_is_a_record_or_a_position(rules):
    session = played(rules)
    assert read_game(session.record.to_text()) == session.record
    assert read_game(session.at(3).to_text()) == session.at(3)


@pytest.mark.parametrize("text", ["", "hello", "chess 1\n", "ingenious-record 2\nrules", "Ingenious 1\n"])
def test_other_texts_are_neither(text):
    with pytest.raises(ValueError, match=r"a record begins with the line 'ingenious-record 1'.* not "):
        read_game(text)
    with pytest.raises(TypeError, match="a record or a position is a str"):
        read_game(text.encode())
