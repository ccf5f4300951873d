"""Agents by name, matches, and the intervals of their results."""

from __future__ import annotations

import dataclasses
import shutil

import numpy as np
import pytest
from gym_helpers import First, Levels, StagedUniform
from helpers import VARIANTS, batch_at
from ingenious_agents import agent_text, make_agent, play_match
from ingenious_agents.evaluation.statistics import wilson
from ingenious_agents.registry import AGENTS, NEED_PARAMETERS
from sampled import nightly_but

from ingenious_env import GameBatch, IllegalActionError, Rules, Session
from ingenious_env.compiled.threads import Pace
from ingenious_env.engine.state import NO_ACTION, PLACE
from ingenious_env.games.ingenious.opponents.utilities import UTILITIES
from ingenious_env.games.ingenious.opponents.value import MODEL
from ingenious_env.games.ingenious.ranking import rank
from ingenious_env.games.ingenious.state import SWAP
from ingenious_env.policies.greedy import Greedy, candidate_table
from ingenious_env.policies.view import Uniform, View, flat_actions


def test_agents_by_name():
    assert isinstance(make_agent("uniform"), Uniform)
    assert make_agent("greedy").utility == "points"
    assert make_agent("greedy:utility=concave").utility == "concave"


@pytest.mark.parametrize(
    "text",
    [
        "uniform",
        "greedy",
        "greedy:utility=lowest",
        "greedy:utility=lowest,epsilon=0.25",
        "flat-mc",
        "flat-mc:rollouts=200,rollout=points",
        "flat-mc:seconds=0.5",
        f"value:path={MODEL.folder / 'two.safetensors'},candidates=7",
    ],
)
def test_names_go_there_and_back(text):
    agent = make_agent(text)
    assert agent_text(agent) == text
    assert make_agent(agent_text(agent)) == agent


@pytest.mark.parametrize("name", AGENTS)
def test_which_agents_need_parameters(name):
    for library in ("sb3_contrib", "pyspiel"):
        pytest.importorskip(library)
    if name in NEED_PARAMETERS:
        with pytest.raises(ValueError, match="needs the parameters"):
            make_agent(name)
    else:
        assert agent_text(make_agent(name)) == name


def test_a_path_may_hold_commas(tmp_path):
    text = f"value:path={shutil.copy(MODEL.folder / 'two.safetensors', tmp_path / 'a,b.safetensors')}"
    assert agent_text(make_agent(text)) == text
    assert make_agent(f"{text},candidates=5").candidates == 5


def test_classes_of_ones_own():
    assert isinstance(make_agent("gym_helpers.First"), First)
    assert make_agent("ingenious_env.policies.greedy.Greedy:utility=lowest") == Greedy("lowest")


def test_parameters_at_their_defaults_go_without_saying():
    assert agent_text(make_agent("flat-mc:rollouts=2000,seed=3")) == "flat-mc:seed=3"
    with pytest.raises(ValueError, match="has no name; those that have are uniform"):
        agent_text(StagedUniform())


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            "perfect",
            "openspiel, process, or the path of a class, such as mine.Snatcher, not 'perfect'",
        ),
        ("greedy:depth=3", "greedy takes the parameters: utility=…, epsilon=…; not 'depth=3'"),
        ("greedy:utility", "greedy takes the parameters"),
        ("greedy:utility=best", "utility must be one of concave, lowest, points"),
        ("uniform:seed=1", "uniform takes the parameters: none"),
        ("greedy:utility=points,utility=lowest", "greedy is given utility twice"),
        ("gym_helpers.Levels:level2=x", "level2 must be a whole number, not 'x'"),
        ("./snatcher.py", "or the path of a class, such as mine.Snatcher, not './snatcher.py'"),
    ],
)
def test_agents_that_are_not(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        make_agent(text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("ppo", "ppo needs the parameters path"),
        ("ppo:path=/nowhere.safetensors", "there is no PPO agent"),
    ],
)
def test_ppo_agents_that_are_not(text, complaint):
    pytest.importorskip("torch")
    with pytest.raises(ValueError, match=complaint):
        make_agent(text)


def test_names_of_parameters_may_have_digits():
    assert make_agent("gym_helpers.Levels:level1=1,level2=2") == Levels(1, 2)


@pytest.mark.parametrize(
    "choose",
    [
        lambda mask: mask.argmax(axis=1) + 0.7,
        lambda mask: mask.argmax(axis=1)[:1],
        lambda mask: mask.argmax(axis=1)[:, None],
        lambda _mask: None,
    ],
)
def test_what_an_agent_chooses_is_checked(choose):
    class Wrong:
        def __repr__(self):
            return "Wrong()"

        def act(self, view):
            return choose(view.legal_mask())

    with pytest.raises(ValueError, match=r"^Wrong\(\): must choose .* for each game, integers \[2\], not"):
        play_match(Rules(), [Wrong(), make_agent("uniform")], 2)


@pytest.mark.parametrize("action", [0, -1, 2666, 10**6])
def test_who_chose_an_illegal_action_is_named(action):
    class Wrong:
        def __repr__(self):
            return "Wrong()"

        def act(self, view):
            return np.full(len(view), action)

    with pytest.raises(IllegalActionError, match=rf"^Wrong\(\): action {action} is illegal: [^.]*$"):
        play_match(Rules(), [make_agent("uniform"), Wrong()], 3)


def test_an_agent_is_named_by_a_text():
    with pytest.raises(TypeError, match="named by a str"):
        make_agent(3)


@pytest.mark.parametrize(
    ("share", "trials", "low", "high"),
    # Newcombe (1998), method 3
    [
        (81 / 263, 263, 0.2553, 0.3662),
        (15 / 148, 148, 0.0624, 0.1605),
        (0.0, 20, 0.0, 0.1611),
        (1 / 29, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_against_published_figures(share, trials, low, high):
    assert wilson(share, trials) == pytest.approx((low, high), abs=5e-5)


def test_wilsons_interval_holds_the_share():
    for trials in range(1, 100):
        for wins in range(trials + 1):
            low, high = wilson(wins / trials, trials)
            assert 0 <= low <= wins / trials <= high <= 1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_matches_repeat_and_wins_add_up(players):
    agents = [make_agent("greedy"), *[make_agent("uniform")] * (players - 1)]
    result = play_match(Rules.standard(players), agents, 20, seed=3)
    assert result.games == 20 * players
    assert result.shares.sum(axis=1) == pytest.approx(np.ones(result.games))
    assert result.scores.shape == (result.games, players, 6)
    again = play_match(Rules.standard(players), agents, 20, seed=3)
    assert np.array_equal(result.scores, again.scores)
    assert result.share(0) > 0.9


def test_seats_change_round():
    """Of the same deal, each agent has each rack once; the games are those of sessions."""
    first, second = Greedy(), Greedy("concave")
    result = play_match(Rules(), [first, second], 4, seed=1)
    seated = [(first, second)] * 4 + [(second, first)] * 4
    for game, agents in enumerate(seated):
        session = Session(Rules(), (1, game % 4), agents)
        for _ in session.run():
            pass
        assert np.array_equal(session.game.scores, result.scores[game][:: 1 if game < 4 else -1])


def test_greedy_beats_uniform_and_concave_lifts_the_lowest_counter():
    solo = {}
    for name in ("uniform", "greedy", "greedy:utility=concave"):
        batch = GameBatch(Rules.solitaire(), 1000, 1)
        agent = make_agent(name)
        while not batch.is_over.all():
            batch.play(agent.act(View(batch)))
        solo[name] = batch.scores.min(axis=2).mean()
    # An independent program: 1.39, 10.54 and, for its own concave value, 13.78.
    assert solo["uniform"] == pytest.approx(1.4, abs=0.15)
    assert solo["greedy"] == pytest.approx(10.5, abs=0.5)
    assert solo["greedy:utility=concave"] == pytest.approx(13.7, abs=0.5)


@pytest.mark.parametrize("utility", UTILITIES)
@pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS)
def test_values_rise_less_and_less(utility, rules):
    rises = np.diff(UTILITIES[utility](rules))
    assert (rises > 0).all()
    assert (np.diff(rises) <= 0).all()


@pytest.mark.parametrize("rules", [Rules(), Rules(3, counter_top=9)])
def test_by_lowest_a_sheet_is_worth_more_if_it_is_ahead(rules):
    generator = np.random.default_rng(1)
    sheets = generator.integers(0, rules.last_space + 1, (20_000, 2, 6)).astype(np.int8)
    close = sheets[::3, 0] + generator.integers(0, 2, (len(sheets[::3]), 6))
    sheets[::3, 1] = np.minimum(close, rules.last_space)
    value = UTILITIES["lowest"](rules)[sheets].sum(axis=2)
    ranks = rank(sheets)
    assert np.array_equal(np.sign(value[:, 0] - value[:, 1]), np.sign(ranks[:, 1] - ranks[:, 0]))


@pytest.mark.parametrize("utility", UTILITIES)
@pytest.mark.parametrize(
    "rules",
    [Rules(), Rules.partnership(), Rules.solitaire(), Rules(2, counter_top=4), Rules(2, board_side=10)],
)
def test_greedy_takes_a_placement_that_no_other_beats(rules, utility):
    """Every legal placement is tried in a copy, and the value of the counters compared."""
    values = UTILITIES[utility](rules)
    for moves in (0, 10, 25, 33):
        batch = batch_at(rules, 6, moves, seed=moves)
        chosen = Greedy(utility).act(View(batch))
        staged = GameBatch.from_rows(rules, batch.state.memory, staged=True)
        picks = Greedy(utility).act(View(staged))
        for row in np.flatnonzero(batch.phase == PLACE):
            legal = np.flatnonzero(batch.legal_mask()[row])
            after = batch.take(np.full(len(legal), row))
            after.play(legal)
            sheet = rules.sheet_of(int(batch.to_play[row]))
            gains = values[after.scores[:, sheet].astype(int)] - values[batch.scores[row, sheet].astype(int)]
            worth = gains.sum(axis=1)
            best = legal[np.isclose(worth, worth.max(), rtol=1e-12, atol=0)]
            assert chosen[row] in best
            assert picks[row] in best // batch.actions.num_placements


@pytest.mark.parametrize("epsilon", [0.2, 0.7])
def test_greedy_is_random_as_often_as_it_should(epsilon):
    """In positions where the greedy action is not the random one; the choice does not depend on the batch."""
    games = batch_at(Rules(), 4000, 9, seed=5)
    random, greedy, mixed = (
        agent.act(View(games)) for agent in (Uniform(), Greedy(), Greedy(epsilon=epsilon))
    )
    assert ((mixed == random) | (mixed == greedy)).all()
    told = random != greedy
    share = (mixed == random)[told].mean()
    assert abs(share - epsilon) < 4 * np.sqrt(epsilon * (1 - epsilon) / told.sum())
    rows = np.array([7, 3000, 12])
    assert (Greedy(epsilon=epsilon).act(View(games.take(rows))) == mixed[rows]).all()
    later = games.clone()
    later.play(mixed)
    again = Greedy(epsilon=epsilon).act(View(later)) == Uniform().act(View(later))
    assert abs((again & (mixed == random)).mean() - again.mean() * (mixed == random).mean()) < 0.05


def test_greedy_of_no_and_of_all_chances():
    games = batch_at(Rules(3), 50, 5)
    assert (Greedy(epsilon=0.0).act(View(games)) == Greedy().act(View(games))).all()
    assert (Greedy(epsilon=1.0).act(View(games)) == Uniform().act(View(games))).all()
    for wrong in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="epsilon must be a number from 0 to 1"):
            Greedy(epsilon=wrong)


def test_greedy_draws_for_equals():
    """Each of the best placements of a position with the same chance."""
    batch = GameBatch(Rules(1, board_side=3, num_colours=2, rack_size=2), 1, 3)
    crowd = GameBatch.from_rows(batch.rules, np.repeat(batch.state.memory, 20_000, axis=0))
    crowd.state.policy_key[:] = np.random.default_rng(3).integers(0, 2**63, len(crowd), dtype=np.uint64)
    legal = np.flatnonzero(batch.legal_mask()[0])
    after = batch.take(np.zeros(len(legal), np.int64))
    after.play(legal)
    gains = after.scores.sum(axis=(1, 2))
    best = legal[gains == gains.max()]
    counts = np.bincount(Greedy().act(View(crowd)), minlength=crowd.num_actions)
    assert len(best) > 1
    assert counts[best].sum() == len(crowd)
    expected = len(crowd) / len(best)
    chi_square = float(((counts[best] - expected) ** 2 / expected).sum())
    assert abs(chi_square - (len(best) - 1)) < 5 * np.sqrt(2 * len(best))


def test_greedy_swaps_when_it_may_and_waits_when_it_is_over():
    batch = GameBatch(Rules(), 1024, 3)
    while not (batch.phase == SWAP).any():
        batch.play(batch.random_actions())
    offered = batch.take(np.flatnonzero(batch.phase == SWAP))
    assert (Greedy().act(View(offered)) == offered.actions.swap).all()
    over = batch_at(Rules(board_side=3), 2, 40)
    assert (Greedy().act(View(over)) == NO_ACTION).all()


def test_staged_agents_play_flat_games():
    batch = batch_at(Rules(), 64, 12)
    actions = flat_actions(StagedUniform(), View(batch))
    assert batch.legal_mask()[np.arange(64), actions].all()
    result = play_match(Rules(), [StagedUniform(), Greedy()], 10)
    assert result.share(1) > 0.9


def test_a_view_of_one_game():
    batch = batch_at(Rules(), 8, 12)
    actions = Greedy().act(View(batch))
    assert [Greedy().act(View.of(batch[row]))[0] for row in range(8)] == actions.tolist()


def test_no_agent_sees_what_it_cannot_know():
    batch = batch_at(Rules.standard(3), 64, 14)
    other = batch.clone()
    other.reshuffle_hidden(seed=1)
    for name in ("uniform", "greedy", "greedy:utility=lowest", "greedy:utility=concave"):
        agent = make_agent(name)
        assert np.array_equal(agent.act(View(batch)), agent.act(View(other)))


@pytest.mark.parametrize("staged", [False, True])
def test_a_view_is_completed_to_a_game_that_could_be(staged):
    """Visible parts stay, hidden ones are dealt anew, the same for a game in any batch."""
    batch = batch_at(Rules.standard(3), 40, 13, staged=staged)
    before, view = batch.clone(), View(batch)
    games, again, other = view.complete(), view.complete(), view.complete(seed=1)
    assert batch == before
    assert not games.actions.staged
    assert np.array_equal(games.observe(), batch.observe())
    assert games == again
    going_on = ~batch.is_over
    assert (games.state.racks != other.state.racks).any(axis=(1, 2))[going_on].all()
    assert (games.state.bag != batch.state.bag).any(axis=1)[going_on].all()
    rows = np.array([7, 2, 30])
    assert np.array_equal(View(batch.take(rows)).complete().state.memory, games.state.memory[rows])


def test_a_view_says_what_is_where():
    batch = batch_at(Rules(), 20, 9)
    seen, rows = View(batch).named(), np.arange(20)
    assert np.array_equal(seen["board"], batch.board)
    assert np.array_equal(seen["scores"][:, 0], batch.scores[rows, batch.to_play])
    assert np.array_equal(seen["points"], batch.state.points)
    held = np.array(
        [np.bincount(rack[rack < 21], minlength=21) for rack in batch.state.racks[rows, batch.to_play]]
    )
    assert np.array_equal(seen["unseen"], batch.state.unplaced - held)


def test_matches_need_a_sheet_for_each_agent():
    with pytest.raises(ValueError, match="one agent for each of 2 sheets is needed, not 3"):
        play_match(Rules(), [Uniform()] * 3, 1)
    with pytest.raises(ValueError, match="one agent for each of 2 sheets is needed, not 4"):
        play_match(Rules.partnership(), [Uniform()] * 4, 1)
    with pytest.raises(ValueError, match="games must be from 1 to"):
        play_match(Rules(), [Uniform()] * 2, 0)
    for games in (2.5, "3", True):
        with pytest.raises(TypeError, match="games must be a whole number, not"):
            play_match(Rules(), [Uniform()] * 2, games)
    assert play_match(Rules(), [Uniform()] * 2, np.int32(2)).games == 4


def test_matches_of_more_deals_than_a_block_deal_each_once_and_come_in_the_order_documented():
    """Blocks of 512 deals; in each, all deals in the first rotation, then all in the second."""
    rules = Rules(2, board_side=3, num_colours=2, rack_size=2)
    result = play_match(rules, [Uniform(), Uniform()], games=520, seed=3)
    alone = GameBatch(rules, 520, 3)
    while not alone.is_over.all():
        alone.play(View(alone).random_actions())
    blocks = [alone.scores[:512], alone.scores[:512, ::-1], alone.scores[512:], alone.scores[512:, ::-1]]
    assert np.array_equal(result.scores, np.concatenate(blocks))
    assert len(np.unique(alone.state.policy_key)) == 520


SMALL = {"board_side": 4, "num_colours": 3}


class Remembers(Uniform):
    """A policy with memory, which it begins anew with each game."""

    def __init__(self) -> None:
        object.__setattr__(self, "games", {})
        object.__setattr__(self, "ended", [])

    def begin(self, keys):
        for key in keys.tolist():
            if key in self.games:
                self.ended.append(self.games.pop(key))
            self.games[key] = 0

    def act(self, view):
        for key in view.keys.tolist():
            self.games[key] += 1  # a KeyError if the game was not begun
        return super().act(view)


@pytest.mark.parametrize("players", [2, 3])
def test_agents_with_memory_are_told_of_each_game(players):
    """Of each rotation too, though its games have the keys of the same deals."""
    agents = [Remembers() for _ in range(players)]
    play_match(Rules(players, **SMALL), agents, 5, seed=1)
    for agent in agents:
        assert len(agent.games) == 5
        assert len(agent.ended) == 5 * (players - 1)
        assert all(turns > 0 for turns in [*agent.ended, *agent.games.values()])


@pytest.mark.parametrize(
    "text",
    nightly_but(
        ["greedy:utility=concave", "value", "value-search:rollouts=8"],
        [
            "uniform",
            "greedy:utility=concave",
            "flat-mc:rollouts=20",
            "tree:rollouts=20",
            "value",
            "value-search:rollouts=8",
        ],
    ),
)
def test_agents_play_games_of_batches_on_two_threads(text, monkeypatch):
    monkeypatch.setattr(Pace, "shares", lambda _pace, _now: True)  # even where it does not pay
    batch = batch_at(Rules(), 5, 14)
    shared = GameBatch.from_rows(batch.rules, batch.state.memory, num_threads=2)
    agent = make_agent(text)
    assert np.array_equal(agent.act(View(shared)), agent.act(View(batch)))


@pytest.mark.parametrize("utility", UTILITIES)
def test_candidates_are_the_same_on_two_threads(utility, monkeypatch):
    monkeypatch.setattr(Pace, "shares", lambda _pace, _now: True)
    batch = batch_at(Rules(), 30, 14)
    shared = GameBatch.from_rows(batch.rules, batch.state.memory, num_threads=2)
    values = UTILITIES[utility](batch.rules)
    for mine, its in zip(candidate_table(shared, values, 7), candidate_table(batch, values, 7), strict=True):
        assert np.array_equal(mine, its)


@pytest.mark.parametrize("kind", sorted(AGENTS.keys() - NEED_PARAMETERS))
def test_numbers_that_are_whole_are_no_fractions(kind):
    """Nor true; all parameters of all agents."""
    make = type(make_agent(kind))
    whole = [field.name for field in dataclasses.fields(make) if field.type in ("int", int)]
    assert whole or kind in {"uniform", "greedy"}
    for name in whole:
        for bad in (2.5, True):
            with pytest.raises(TypeError, match=f"{name} must be a whole number"):
                make(**{name: bad})
