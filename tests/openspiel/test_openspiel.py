"""The games in OpenSpiel: its own checks, the engine's games, information sets, resampling, input."""

from __future__ import annotations

import copy
import itertools
import pickle
import subprocess
import sys
from collections import Counter, defaultdict

import numpy as np
import pytest

pytest.importorskip("pyspiel")
import pyspiel
from open_spiel.python.algorithms.gambit import export_gambit
from scipy.stats import chi2

import ingenious_env.openspiel as adapter
from ingenious_env import Game, GameBatch, Place, Rules, Session, View
from ingenious_env.games.loopit import Game as Loopit
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.policies.greedy import Greedy
from ingenious_env.policies.view import Uniform

SMALL = "python_ingenious(num_players=2,board_side=3,num_colours=2,rack_size=2,counter_top=6)"
NAMES = [
    "python_ingenious(num_players=2)",
    "python_ingenious(num_players=3)",
    "python_ingenious(num_players=4)",
    "python_ingenious(num_players=4,teams=True)",
    "python_ingenious(num_players=1,reward=lowest)",
    "python_ingenious(num_players=2,open_racks=True,reward=margin)",
    "python_ingenious(num_players=2,board_side=4,num_colours=3,rack_size=3)",
    SMALL,
    "python_loopit(num_players=2)",
    "python_loopit(num_players=3,fixed_rounds=True)",
    "python_loopit(num_players=4,rack_size=3,tiles_per_turn=2,reward=margin)",
]
SAMPLER = pyspiel.UniformProbabilitySampler(0.0, 1.0)


def small_endgame(seed=5, placed=4):
    """An endgame of a few hundred histories."""
    game = Game(Rules(2, board_side=3, num_colours=2, rack_size=2, counter_top=6), seed=seed)
    while game.state.placed[0] < placed or game.phase != "place":
        game.play(game.random_action())
    return game


def step(state, rng):
    """A random step, by chance or by a player."""
    if state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(int(rng.choice(outcomes, p=chances)))
    else:
        state.apply_action(int(rng.choice(state.legal_actions())))


@pytest.mark.parametrize("name", NAMES)
def test_openspiels_own_check(name):
    """Random games, with copies, chances, results and serialisation looked at on the way."""
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=2, serialize=True, verbose=False)


def test_openspiels_own_check_of_positions():
    """Endgames of both games as separate games."""
    late = Loopit(LoopitRules(2, fixed_rounds=True), seed=3)
    while late.turn < 18:
        late.play(late.random_action())
    while late.phase != "lay" or late.laid:
        late.play(late.random_action())
    for start in (small_endgame(), Game(seed=4), late):
        game = adapter.load(start)
        pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
        assert pyspiel.load_game(str(game)).new_initial_state().chance_outcomes()


# The same games as the engine plays.


def tile_of(move):
    """The tile that a move lays; None for a choice."""
    if isinstance(move, str):
        return None
    return tuple(sorted((move[0][1], move[1][1]))) if isinstance(move, Place) else move.tile


def drawn(before, move, after):
    """The tiles that a move added to a rack, from the racks before and after it."""
    left = Counter() if move in ("swap", "throw back") else Counter(before)
    left[tile_of(move)] -= 1
    return list((Counter(after) - +left).elements())


@pytest.mark.parametrize("name", NAMES)
def test_games_are_those_of_the_engine(name):
    """With the engine's draws as outcomes, all legal moves, chances and results are the engine's."""
    spiel = pyspiel.load_game(name)
    variant, rng = spiel.kind.variant, np.random.default_rng(3)
    text, types = variant.definition.move_to_text, list(variant.tiles)
    game = variant.definition.game(variant.rules, seed=0)
    state = spiel.new_initial_state()
    first = game.board.values() if isinstance(game, Loopit) else []
    out = game.put_out if isinstance(game, Loopit) else []
    for tile in [*out, *itertools.chain(*game.racks), *first]:
        state.apply_action(types.index(tile))
    while not game.is_over:
        seat = game.to_play
        assert state.current_player() == seat
        ours = {text(game.move(action)): action for action in game.legal_actions()}
        theirs = {state.action_to_string(seat, action): action for action in state.legal_actions()}
        assert ours.keys() == theirs.keys()
        chosen = str(rng.choice(sorted(ours)))
        move, rack, bag = game.move(ours[chosen]), game.racks[seat], game.bag
        game.play(ours[chosen])
        state.apply_action(theirs[chosen])
        if game.is_over:
            break
        came = drawn(rack, move, game.racks[seat])
        assert state.is_chance_node() == bool(came)
        pool = bag + Counter(rack) if move == "throw back" else bag
        for tile in came:
            expected = {types.index(each): count / pool.total() for each, count in pool.items()}
            assert dict(state.chance_outcomes()) == pytest.approx(expected)
            state.apply_action(types.index(tile))
            pool = pool - Counter([tile])
    assert state.is_terminal()
    reward = variant.definition.reward(variant.rules, spiel.get_parameters()["reward"])
    scores = game.state.scores
    expected = reward(np.zeros_like(scores), scores, np.array([True]))[0]
    assert state.returns() == pytest.approx(expected.tolist())


# Information sets.


def tree(state):
    """All states of a tree, each with its chance and whether a rack was swapped on the way.

    The chance is that of the draws, and of laying any tile of a rack with the same chance.
    """
    waiting = [(state, 1.0, False)]
    while waiting:
        state, chance, swapped = waiting.pop()
        yield state, chance, swapped
        if state.is_chance_node():
            waiting += [(state.child(each), chance * p, swapped) for each, p in state.chance_outcomes()]
        elif not state.is_terminal():
            kind, rack = state.get_game().kind, state._position.kind.rack(state._position.game)
            for each in state.legal_actions():
                choice, tile = kind.choice_of(each), each // kind.num_placements
                share = rack.count(tile) / len(rack) if choice is None else 1.0
                waiting.append((state.child(each), chance * share, swapped or choice == "swap"))


def seen(state, player):
    """A player's information state, from the history only.

    Own draws as sets, all moves of all but those that others do not notice, the racks that were swapped.
    """
    revealed, draws, again = [], [], state.get_game().new_initial_state()
    kind = again.get_game().kind
    for each in state.full_history():
        if again.is_chance_node():
            drawer = again._position.drawer
            if drawer == player:
                draws.append(each.action)
        else:
            revealed, draws = [*revealed, tuple(sorted(draws))] if draws else revealed, []
            choice = kind.choice_of(each.action)
            if each.player == player or choice != "keep":
                revealed.append((each.player, each.action))
            if choice == "swap":
                revealed.append(tuple(again._position.game.racks[each.player]))
        again.apply_action(each.action)
    return (*revealed, tuple(sorted(draws)))


@pytest.mark.parametrize(("seed", "placed"), [(5, 4), (0, 3)])
def test_information_states_are_what_a_player_has_seen(seed, placed):
    """The same string in just the histories that look the same to the player; then so are its moves."""
    strings, looks = defaultdict(set), defaultdict(set)
    legal = defaultdict(set)
    for state, _, _ in tree(adapter.load(small_endgame(seed, placed)).new_initial_state()):
        player = state.current_player()
        if player < 0:
            continue
        look, string = seen(state, player), state.information_state_string()
        strings[player, look].add(string)
        looks[player, string].add(look)
        legal[player, string].add(tuple(state.legal_actions()))
    assert len(strings) > 40
    for each in (strings, looks, legal):
        assert all(len(found) == 1 for found in each.values())


def test_a_choice_to_swap_is_not_noticed():
    """A waiting seat cannot distinguish a rack that is kept from one that may not be swapped."""
    kept = 0
    game, rng = pyspiel.load_game("python_ingenious(num_players=2)"), np.random.default_rng(1)
    while kept < 5:
        state = game.new_initial_state()
        while not state.is_terminal():
            position = state._position
            if position.game is not None and position.game.phase == "swap" and position.drawer is None:
                mover, before = state.current_player(), state.clone()
                keep = next(a for a in state.legal_actions() if state.action_to_string(mover, a) == "keep")
                state.apply_action(keep)
                other = 1 - mover
                assert state.information_state_string(other) == before.information_state_string(other)
                assert state.information_state_string(mover) != before.information_state_string(mover)
                assert state.observation_string(other) == before.observation_string(other)
                kept += 1
            step(state, rng)


# Resampling.


@pytest.mark.parametrize("name", NAMES)
def test_resampled_histories_are_true(name):
    """The information state is the same, and the history leads to this state, step by step."""
    game, rng = pyspiel.load_game(name), np.random.default_rng(5)
    different = 0
    for _ in range(2):
        state = game.new_initial_state()
        while not state.is_terminal():
            player = state.current_player()
            if player >= 0 and rng.random() < 0.4:
                again = state.resample_from_infostate(player, SAMPLER)
                assert again.information_state_string(player) == state.information_state_string(player)
                assert again.observation_string(player) == state.observation_string(player)
                assert again.legal_actions() == state.legal_actions()
                replayed = game.new_initial_state()
                for each in again.full_history():
                    assert each.player == replayed.current_player()
                    assert each.action in replayed.legal_actions()
                    replayed.apply_action(each.action)
                seats = range(game.num_players())
                assert [replayed.information_state_string(seat) for seat in seats] == [
                    again.information_state_string(seat) for seat in seats
                ]
                assert str(replayed) == str(again)
                again._position.game.check_consistency()
                different += again.history() != state.history()
            step(state, rng)
    hidden = game.num_players() > 1 and "open_racks" not in name
    assert (different > 0) == hidden


def test_waiting_players_are_resampled_too():
    """At the decisions and draws of others."""
    rng = np.random.default_rng(8)
    for name in ("python_ingenious(num_players=3)", "python_loopit(num_players=2,fixed_rounds=True)", SMALL):
        game = pyspiel.load_game(name)
        state = game.new_initial_state()
        while not state.is_terminal():
            for player in range(game.num_players()):
                again = state.resample_from_infostate(player, SAMPLER)
                assert again.information_state_string(player) == state.information_state_string(player)
            step(state, rng)


@pytest.mark.parametrize(("seed", "placed"), [(5, 4), (0, 3)])
def test_resampled_histories_have_the_chances_of_the_deal(seed, placed):
    """In endgames, by enumeration: how likely each rack of the other is, given what a player has seen.

    Until a rack was swapped. A chi-squared statistic of the counts must be no larger than it would be in one
    of ten thousand tests; after a swap, all that is found must be possible.
    """
    sets, after_swaps, examples = defaultdict(Counter), set(), {}
    for state, chance, swapped in tree(adapter.load(small_endgame(seed, placed)).new_initial_state()):
        player = state.current_player()
        if player >= 0:
            key = player, state.information_state_string()
            sets[key][state.information_state_string(1 - player)] += chance
            examples[key] = state
            after_swaps |= {key} if swapped else set()
    statistic, freedom, games = 0.0, 0, 400
    largest = sorted(sets, key=lambda key: (-len(sets[key]), key))
    for key in [*largest[:12], *largest[12::12]]:
        weights, player = sets[key], key[0]
        found = Counter(
            examples[key].resample_from_infostate(player, SAMPLER).information_state_string(1 - player)
            for _ in range(games)
        )
        assert found.keys() <= weights.keys()
        if key not in after_swaps:
            expected = {string: games * weight / weights.total() for string, weight in weights.items()}
            statistic += sum((found[string] - count) ** 2 / count for string, count in expected.items())
            freedom += len(weights) - 1
    assert freedom > 30
    assert statistic < chi2.ppf(1 - 1e-4, freedom)


# Copies and files.


@pytest.mark.parametrize("name", NAMES)
def test_games_can_be_pickled(name):
    """And read in a process that has not imported this package."""
    game = pyspiel.load_game(name)
    packed = pickle.dumps(game)
    assert str(pickle.loads(packed)) == str(game)
    assert str(copy.deepcopy(game)) == str(game)
    read = "import pickle, sys; print(pickle.loads(sys.stdin.buffer.read()).num_distinct_actions())"
    if name == NAMES[0]:
        done = subprocess.run([sys.executable, "-c", read], input=packed, capture_output=True, check=True)
        assert int(done.stdout) == game.num_distinct_actions()


def test_copies_and_pickles_are_the_same_states():
    """Copies go their own way; what is saved is the history."""
    rng = np.random.default_rng(4)
    for name in (NAMES[0], NAMES[9], SMALL):
        game = pyspiel.load_game(name)
        state = game.new_initial_state()
        for _ in range(60):
            if state.is_terminal():
                break
            twin = state.clone()
            for again in (twin, pickle.loads(pickle.dumps(state)), game.deserialize_state(state.serialize())):
                assert str(again) == str(state)
                assert again.history() == state.history()
                assert [again.information_state_string(k) for k in range(game.num_players())] == [
                    state.information_state_string(k) for k in range(game.num_players())
                ]
            before = str(state)
            step(twin, rng)
            assert str(state) == before
            step(state, rng)
    position = copy.deepcopy(state._position)
    assert position is not state._position


def test_cfr_solves_an_endgame():
    """Of the tree as OpenSpiel writes it out: the exploitability falls to nothing."""
    efg = pyspiel.load_efg_game(export_gambit(adapter.load(small_endgame())))
    solver = pyspiel.CFRPlusSolver(efg)
    found = []
    for iterations in (1, 99):
        for _ in range(iterations):
            solver.evaluate_and_update_policy()
        found.append(pyspiel.nash_conv(efg, solver.average_policy()))
    assert found[0] > 0.1
    assert found[1] < 1e-3


# Input.


def test_bad_parameters_are_refused():
    """At the door, with what is allowed."""
    start = adapter.encode(small_endgame())
    for name, message in [
        ("python_ingenious(num_players=7)", "num_players must be from 1 to 6"),
        ("python_ingenious(reward=vector)", "reward must be a number"),
        ("python_ingenious(reward=fame)", "reward must be one of"),
        ("python_loopit(num_players=1)", "num_players must be from 2 to 4"),
        ("python_ingenious(start=abc)", "start must be what"),
        (f"python_ingenious(num_players=3,start={start})", "with it only reward may be given, not"),
    ]:
        with pytest.raises((ValueError, pyspiel.SpielError), match=message):
            pyspiel.load_game(name)
    swap = Game(seed=0)
    while swap.phase != "swap":
        swap = Game() if swap.is_over else swap
        swap.play(swap.random_action())
    with pytest.raises(ValueError, match="a whole tile is to be placed"):
        adapter.load(swap)
    loopit = Loopit(seed=0)
    loopit.play(loopit.random_action())
    with pytest.raises(ValueError, match="beginning of a turn"):
        adapter.load(loopit)


def test_tiles_that_are_not_there_cannot_be_drawn():
    """A clear error, and the state remains usable."""
    state = pyspiel.load_game(SMALL).new_initial_state()
    with pytest.raises(ValueError, match="type 3 cannot be drawn"):
        state._position.play(3)
    state.apply_action(0)
    assert len(state._position.events) == 1


def test_observations_are_those_of_the_environments():
    """The vector of the seat, and its text, independent of other racks."""
    state, rng = (
        pyspiel.load_game("python_ingenious(num_players=2)").new_initial_state(),
        np.random.default_rng(1),
    )
    assert not any(state.observation_tensor(0))
    while state.is_chance_node():
        step(state, rng)
    game = state._position.game
    for player in range(2):
        assert np.array_equal(state.observation_tensor(player), game.observe(player).astype(np.float32))
        assert state.observation_string(player) == game.definition.draw_text(game, viewer=player)


def test_our_agents_are_bots():
    """Theirs are the moves of the same game in the engine, staged agents and choices included."""
    game, rng = pyspiel.load_game(NAMES[0]), np.random.default_rng(6)
    bots = [adapter.PolicyBot("greedy", game), adapter.PolicyBot(Uniform(), game)]
    swaps = 0
    for _ in range(4):
        state = game.new_initial_state()
        while not state.is_terminal():
            player = state.current_player()
            if player < 0:
                step(state, rng)
                continue
            engine = state.engine_game()
            action = bots[player].step(state)
            view = View(GameBatch.from_rows(engine.rules, engine.state.memory))
            expected = engine.move(int((Greedy() if player == 0 else Uniform()).act(view)[0]))
            assert state.action_to_string(player, action) == game.kind.variant.definition.move_to_text(
                expected
            )
            swaps += expected == "swap"
            state.apply_action(action)
    assert swaps > 0


class Staged:
    """The last slot and the last placement, with the memory of the games that began."""

    staged = True

    def __init__(self):
        self.begun = []

    def begin(self, keys):
        self.begun += keys.tolist()

    def act(self, view):
        legal = view.legal_mask()
        return legal.shape[1] - 1 - legal[:, ::-1].argmax(axis=1)


def test_bots_play_as_sessions_do():
    """Staged actions, and games that begin; OpenSpiel restarts bots between games."""
    game, policy = pyspiel.load_game(SMALL), Staged()
    bot, session = adapter.PolicyBot(policy, game), Session(small_endgame().rules, 5, [Staged(), Staged()])
    state = adapter.state_at(game, session.game)
    wanted = game.kind.variant.definition.move_to_text(session.advance().move)
    assert policy.begun == []
    for _ in range(2):
        assert state.action_to_string(bot.step(state)) == wanted
        assert len(policy.begun) == 1
    bot.restart_at(state)
    bot.step(state)
    bot.restart()
    bot.step(state)
    assert policy.begun == 3 * session.game.state.policy_key.tolist()


def test_bots_of_policies_that_cannot_play():
    game = pyspiel.load_game("python_ingenious(num_players=5)")
    with pytest.raises(ValueError, match="a value network is shipped for each of"):
        adapter.PolicyBot("value", game)
    with pytest.raises(ValueError, match="policy must be one of"):
        adapter.PolicyBot("good", game)
    with pytest.raises(TypeError, match=r"or an object with act\(view\)"):
        adapter.PolicyBot(7, game)
