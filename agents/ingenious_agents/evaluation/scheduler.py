"""A schedule of the deals that a tournament's log lacks, and their execution by any executor."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from typing import Any

from ingenious_agents.evaluation.log import Log
from ingenious_agents.evaluation.report import settled
from ingenious_agents.evaluation.tournament import GameResult, Tournament
from ingenious_agents.executors import SerialExecutor
from ingenious_agents.stopping import stop_request
from ingenious_env.compiled.compiling import clock
from ingenious_env.engine.extras import needs

with needs("ingenious_agents.evaluation.scheduler", "ingenious-env[play]"):
    from tqdm import tqdm

LOOK_EVERY = 20  # deals between two checks of --until-ci
CHUNK_SECONDS = 2.0  # target duration of a task
LOOK_SECONDS = 0.5  # between two checks for a request to stop
MAX_DEALS = 512
AHEAD = 2  # submitted tasks per worker, so that no worker waits
NOTICE = "stopping once the deals in hand are played and logged; Ctrl-C once more drops them"
Group = tuple[int, ...]


class Schedule:
    """The order of tasks: the group with the fewest scheduled deals is next.

    Attributes:
        log: the games played so far.
        deals: the number wanted, by group.
        until_ci: half-width of the intervals at which a group ends early; None for no early end.
    """

    def __init__(self, log: Log, deals: int | Mapping[Group, int], until_ci: float | None) -> None:
        """Schedule as many deals for each group, or a number by group, 0 for those not named."""
        self.log = log
        self.deals = {
            group: deals if isinstance(deals, int) else max(deals.get(group, 0), log.deals(group))
            for group in log.games
        }
        self.until_ci = until_ci
        self._given = {group: log.deals(group) for group in log.games}
        self._pace = dict.fromkeys(log.games, 1)
        self._early: dict[Group, dict[int, list[GameResult]]] = {group: {} for group in log.games}
        self.done = {group for group in log.games if self._has_enough(group)}

    @property
    def is_done(self) -> bool:
        """Whether all deals have been played."""
        return len(self.done) == len(self.log.games)

    def next(self) -> tuple[Group, range] | None:
        """The next task, a group and its deals; None if all are scheduled."""
        waiting = {
            group: given
            for group, given in self._given.items()
            if given < self.deals[group] and group not in self.done
        }
        if not waiting:
            return None
        group = min(waiting, key=lambda each: waiting[each])
        first = waiting[group]
        self._given[group] = min(first + self._pace[group], self.deals[group])
        return group, range(first, self._given[group])

    def take(self, group: Group, deals: range, games: list[GameResult], seconds: float) -> int:
        """Log the games of a task, in the order of deals; returns how many deals the log has gained."""
        if seconds * 2 < CHUNK_SECONDS:
            self._pace[group] = min(2 * len(deals), MAX_DEALS)
        self._early[group][deals.start] = games
        before = self.log.deals(group)
        while group not in self.done and self.log.deals(group) in self._early[group]:
            ready = self._early[group].pop(self.log.deals(group))
            size = len(group)
            for at in range(0, len(ready), size):
                self.log.add(group, ready[at : at + size])
                if self._has_enough(group):
                    self.done.add(group)
                    break
        return self.log.deals(group) - before

    def unsettled(self) -> list[Group]:
        """The groups whose intervals are wider than `until_ci`."""
        if self.until_ci is None:
            return []
        return [group for group, games in self.log.games.items() if not settled(games, group, self.until_ci)]

    def _has_enough(self, group: Group) -> bool:
        played = self.log.deals(group)
        if played >= self.deals[group]:
            return True
        if self.until_ci is None or played == 0 or played % LOOK_EVERY:
            return False
        return settled(self.log.games[group], group, self.until_ci)


def run(
    schedule: Schedule,
    executor: Executor | None = None,
    workers: int = 1,
    *,
    progress: bool = True,
    title: str = "",
) -> bool:
    """Play the remaining deals; returns whether a signal asked to stop when only deals in hand were left.

    Args:
        schedule: of the log to complete.
        executor: runs the tasks, in any order (see `executors.py`); this thread by default.
        workers: the number of tasks that it runs at the same time.
        progress: show a progress bar.
        title: of the bar, which disappears in the end if it has one.

    Raises:
        KeyboardInterrupt: after Ctrl-C or a termination signal, if deals are left.
        Exception: that of the first task that failed.

    In both cases deals in progress have been completed and logged before, unless there was a second signal.
    """
    tournament = schedule.log.tournament
    total = sum(schedule.deals.values())
    played = sum(map(schedule.log.deals, tournament.groups))
    with (
        stop_request(NOTICE) as asked,
        tqdm(
            total=total,
            initial=played,
            unit="deal",
            desc=title or None,
            disable=not progress,
            leave=not title,
        ) as bar,
    ):
        given_out = _play_all(
            schedule,
            executor or SerialExecutor(),
            1 if executor is None else AHEAD * workers,
            asked,
        )
        for group, deals, games, seconds in given_out:
            bar.update(schedule.take(group, deals, games, seconds))
            bar.set_postfix(groups_left=len(tournament.groups) - len(schedule.done))
        if asked.is_set() and not schedule.is_done:
            raise KeyboardInterrupt
    return asked.is_set()


def _play_all(
    schedule: Schedule, executor: Executor, ahead: int, asked: threading.Event
) -> Iterator[tuple[Group, range, list[GameResult], float]]:
    tournament = schedule.log.tournament
    agents = tournament.make_agents()
    running: dict[Future[tuple[list[GameResult], float]], tuple[Group, range]] = {}
    failed: BaseException | None = None
    while True:
        if asked.is_set() or failed is not None:
            for future in reversed(list(running)):  # the first continue, so that the log has no gaps
                if future.cancel():
                    del running[future]
        else:
            while len(running) < ahead and (task := schedule.next()) is not None:
                members = {number: agents[number] for number in task[0]}
                running[executor.submit(_play, tournament, *task, members)] = task
        if not running:
            break
        for future in wait(running, LOOK_SECONDS, FIRST_COMPLETED).done:
            task = running.pop(future)
            error = future.exception()
            if error is None:
                yield (*task, *future.result())
            else:
                failed = failed or error
    if failed is not None:
        raise failed


def _play(
    tournament: Tournament, group: Group, deals: range, agents: dict[int, Any]
) -> tuple[list[GameResult], float]:
    began = clock()
    games = tournament.play(group, deals, agents)
    return games, clock() - began
