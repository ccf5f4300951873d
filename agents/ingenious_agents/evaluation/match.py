"""Matches: each deal in every rotation of the seats, and confidence intervals of the results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.evaluation.statistics import Share, luck_adjusted, share_by_deals, wilson
from ingenious_env import GameBatch, IllegalActionError, Policy, View
from ingenious_env.compiled.compiling import clock
from ingenious_env.compiled.phases import NO_ACTION
from ingenious_env.engine.checks import check_index
from ingenious_env.engine.definition import AnyRules, definition_of
from ingenious_env.engine.extras import needs
from ingenious_env.policies.luck import DrawLuck, has_draw_luck, relative_luck
from ingenious_env.policies.view import begin_games, check_plays, checked_actions, flat_actions, name_of

with needs("ingenious_agents.evaluation.match", "ingenious-env[play]"):
    from tqdm import tqdm

BATCH = 512


@dataclass(frozen=True)
class MatchResult:
    """The result of a match.

    Attributes:
        shares: float64 [games, agents], the share of the win in each game: 1 for first place, 1 / n if n tie.
        scores: int8 [games, agents, C], the final counters of each agent.
        luck: float64 [games, agents], the luck of each agent's draws less the mean of the others' (see
            `DrawLuck`); None where it was not measured.

    Deals come in blocks of `BATCH`; in each block all of its deals in the first rotation of the agents, then
    all in the second, and so on. Agent i of rotation k has sheet (i + k) mod T.
    """

    shares: NDArray[np.float64]
    scores: NDArray[np.int8]
    luck: NDArray[np.float64] | None = None

    @property
    def games(self) -> int:
        """The number of games played, over all seatings."""
        return len(self.shares)

    def share(self, agent: int) -> float:
        """The agent's mean share of wins."""
        return float(self.shares[:, agent].mean())

    def interval(self, agent: int) -> tuple[float, float]:
        """Wilson's 95 % interval of that share, with each game as an independent trial."""
        return wilson(self.share(agent), self.games)

    @property
    def deals(self) -> NDArray[np.int64]:
        """Int64 [games], the deal of each game."""
        rotations = self.shares.shape[1]
        return deals_of(self.games // rotations, rotations)

    def adjusted(self, agent: int) -> Share | None:
        """That share, luck-adjusted, with its interval over deals; None where luck was not measured."""
        if self.luck is None:
            return None
        return share_by_deals(
            luck_adjusted(self.shares[:, agent], self.luck[:, agent], self.deals), self.deals
        )


def deals_of(total: int, rotations: int) -> NDArray[np.int64]:
    """The deal of each game, int64 [total × rotations], in the order of the games of a `MatchResult`."""
    blocks = (np.arange(first, min(first + BATCH, total)) for first in range(0, total, BATCH))
    return np.concatenate([np.tile(block, rotations) for block in blocks])


def play_match(
    rules: AnyRules,
    agents: Sequence[Policy],
    games: int,
    seed: int = 0,
    *,
    names: Sequence[str] = (),
    luck: bool = False,
    progress: bool = False,
    title: str = "",
) -> MatchResult:
    """Play deals (seed, 0) to (seed, games − 1), each once in every rotation of the agents over the seats.

    Args:
        rules: the variant.
        agents: one for each score sheet, for both partners where two share it. One whose attribute `staged`
            is true returns staged actions.
        games: deals; each is played as many times as there are agents.
        seed: of the deals.
        names: of the agents in messages, by default their reprs.
        luck: measure the luck of the draw, where a network for that is shipped (see `has_draw_luck`).
        progress: show a progress bar.
        title: of the bar.

    Raises:
        ValueError: agents and seats do not match, an agent does not play these rules, or the number of games
            is not positive.
        TypeError: the number of games is not a whole number.
        IllegalActionError: an agent chose no legal action; the message names it.
    """
    check_match(rules, agents)
    sheets = rules.num_sheets
    names = names or [name_of(agent) for agent in agents]
    games = check_index("games", games, 1)
    shares, scores, lucks = [], [], []
    measured = luck and has_draw_luck(rules)
    with tqdm(
        total=games * sheets, unit="game", desc=title or None, disable=not progress, leave=False
    ) as bar:
        for first in range(0, games, BATCH):
            for rotation in range(sheets):
                batch = GameBatch(rules, min(BATCH, games - first), 0)
                batch.seed(seed, first)
                on_sheet = [(sheet - rotation) % sheets for sheet in range(sheets)]
                seated, called = [agents[agent] for agent in on_sheet], [names[agent] for agent in on_sheet]
                played = play_out(batch, seated, names=called, luck=measured)
                places = [(agent + rotation) % sheets for agent in range(sheets)]
                shares.append(win_shares(batch.ranks)[:, places])
                scores.append(batch.scores[:, places])
                if played.luck is not None:
                    lucks.append(relative_luck(played.luck)[:, places])
                bar.update(len(batch))
    found = np.concatenate(lucks) if lucks else None
    return MatchResult(np.concatenate(shares), np.concatenate(scores), found)


def check_match(rules: AnyRules, agents: Sequence[Policy]) -> None:
    """ValueError unless there is an agent for each score sheet, and each plays these rules."""
    sheets = rules.num_sheets
    if len(agents) != sheets:
        msg = f"one agent for each of {sheets} sheets is needed, not {len(agents)}"
        raise ValueError(msg)
    for agent in agents:
        check_plays(agent, rules)


def check_luck(rules: AnyRules) -> None:
    """ValueError if the luck of the draw cannot be measured in a variant."""
    if not has_draw_luck(rules):
        definition = definition_of(rules)
        msg = (
            f"luck cannot be measured in {definition.name}, {definition.rules_to_text(rules)}:"
            " no network that judges its draws is shipped"
        )
        raise ValueError(msg)


@dataclass(frozen=True)
class Played:
    """Games that were played to their ends.

    Attributes:
        seconds: float64 [B, T], the time of each sheet's decisions, without compilation; that of a call is
            divided evenly among its games.
        decisions: int64 [B, T], their number.
        steps: int64 [B, M], the flat actions in the order of play; `NO_ACTION` where a game was over.
        luck: float64 [B, T], the luck of each sheet's draws (see `DrawLuck`); None where it was not measured.
    """

    seconds: NDArray[np.float64]
    decisions: NDArray[np.int64]
    steps: NDArray[np.int64]
    luck: NDArray[np.float64] | None

    @cached_property
    def actions(self) -> list[list[int]]:
        """The actions by game; made on request, as most callers only want results."""
        return [row[row != NO_ACTION].tolist() for row in self.steps]


@contextmanager
def naming(agent: str) -> Iterator[None]:
    """Say of an illegal action who chose it, and why it is illegal, without the advice about environments."""
    try:
        yield
    except IllegalActionError as error:
        which = "" if error.action is None else f"action {error.action} is illegal: "
        raise IllegalActionError(f"{agent}: {which}{error.reason}", error.reason, error.action) from None


def play_out(
    batch: GameBatch, agents: Sequence[Policy], *, names: Sequence[str] = (), luck: bool = False
) -> Played:
    """Play all games of a batch, one or more not over, with flat actions to their ends, agent i on sheet i.

    Agents with a method `begin` are given the keys of the games first.

    Args:
        batch: the games; to measure luck, just dealt.
        agents: one for each score sheet.
        names: of the agents in messages, by default their reprs.
        luck: measure the luck of the draw, for which a network must be shipped.

    Raises:
        IllegalActionError: an agent chose no legal action; the message names it.
    """
    names = names or [name_of(agent) for agent in agents]
    seconds = np.zeros((len(batch), len(agents)))
    decisions = np.zeros(seconds.shape, np.int64)
    steps: list[NDArray[np.int64]] = []
    measured = DrawLuck(batch) if luck else None
    for agent in {id(agent): agent for agent in agents}.values():
        begin_games(agent, batch.state.policy_key.copy())
    while not batch.is_over.all():
        actions = np.full(len(batch), NO_ACTION, np.int64)
        sheets = batch.to_play % batch.rules.num_sheets
        for sheet, agent in enumerate(agents):
            rows = np.flatnonzero((sheets == sheet) & ~batch.is_over)
            if len(rows):
                view = View(batch.take(rows))
                began = clock()
                with naming(names[sheet]):
                    actions[rows] = checked_actions(agent, flat_actions(agent, view), len(view))
                seconds[rows, sheet] += (clock() - began) / len(rows)
                decisions[rows, sheet] += 1
        try:
            (measured or batch).play(actions)
        except IllegalActionError as error:
            known = (actions >= 0) & (actions < batch.num_actions)
            is_legal = known & (batch.legal_mask()[np.arange(len(batch)), np.where(known, actions, 0)] == 1)
            wrong = int(np.argmax(~is_legal & ~batch.is_over))
            with naming(names[sheets[wrong]]):
                raise error from None
        steps.append(actions)
    return Played(seconds, decisions, np.stack(steps, axis=1), None if measured is None else measured.total)


def win_shares(ranks: NDArray[np.int64]) -> NDArray[np.float64]:
    """Each sheet's share of the win, float64 [B, T]: 1 for first place, 1 / n if n tie."""
    first = ranks == 1
    return np.asarray(first / first.sum(axis=1, keepdims=True))
