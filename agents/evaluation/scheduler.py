"""Playing what a tournament's log still lacks, on one process or several, in any number of sittings."""

from __future__ import annotations

import multiprocessing
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait

from tqdm import tqdm

from agents.evaluation.report import settled
from agents.evaluation.tournament import Game, Log, Tournament
from agents.stopping import stop_request

LOOK_EVERY = 20  # deals, for --until-ci
CHUNK_SECONDS = 2.0  # what a worker is given to do at a time
LOOK_SECONDS = 0.5  # how often it is looked whether to stop
MAX_DEALS = 512
NOTICE = "stopping once the deals in hand are played and logged; Ctrl-C once more drops them"
Group = tuple[int, ...]


class Schedule:
    """Which group plays which deals next: the one that has been given the fewest.

    Attributes:
        log: what has been played.
        deals: how many each group is to play.
        until_ci: None, or the half-width of intervals at which a group is done.
    """

    def __init__(self, log: Log, deals: int, until_ci: float | None) -> None:
        self.log = log
        self.deals = deals
        self.until_ci = until_ci
        self._given = {group: log.deals(group) for group in log.games}
        self._pace = dict.fromkeys(log.games, 1)
        self._early: dict[Group, dict[int, list[Game]]] = {group: {} for group in log.games}
        self.done = {group for group in log.games if self._is_done(group)}

    def next(self) -> tuple[Group, range] | None:
        """The next deals of some group, or None if all have been given out."""
        waiting = {
            group: given
            for group, given in self._given.items()
            if given < self.deals and group not in self.done
        }
        if not waiting:
            return None
        group = min(waiting, key=lambda each: waiting[each])
        first = waiting[group]
        self._given[group] = min(first + self._pace[group], self.deals)
        return group, range(first, self._given[group])

    def take(self, group: Group, deals: range, games: list[Game], seconds: float) -> int:
        """Log games that were played, in the order of deals; returns how many deals that settled."""
        if seconds * 2 < CHUNK_SECONDS:
            self._pace[group] = min(2 * len(deals), MAX_DEALS)
        self._early[group][deals.start] = games
        before = self.log.deals(group)
        while group not in self.done and self.log.deals(group) in self._early[group]:
            ready = self._early[group].pop(self.log.deals(group))
            size = len(group)
            for at in range(0, len(ready), size):
                self.log.add(group, ready[at : at + size])
                if self._is_done(group):
                    self.done.add(group)
                    break
        return self.log.deals(group) - before

    def unsettled(self) -> list[Group]:
        """The groups whose intervals are wider than they should be."""
        if self.until_ci is None:
            return []
        return [group for group, games in self.log.games.items() if not settled(games, group, self.until_ci)]

    def _is_done(self, group: Group) -> bool:
        played = self.log.deals(group)
        if played >= self.deals:
            return True
        if self.until_ci is None or played == 0 or played % LOOK_EVERY:
            return False
        return settled(self.log.games[group], group, self.until_ci)


def run(schedule: Schedule, processes: int, *, progress: bool = True) -> None:
    """Play what is left.

    Raises:
        KeyboardInterrupt: it was asked to stop, by Ctrl-C or a request to end. What was being played then has
            been played to its end and logged, unless it was asked twice.
    """
    tournament = schedule.log.tournament
    total = schedule.deals * len(tournament.groups)
    played = sum(map(schedule.log.deals, tournament.groups))
    with (
        stop_request(NOTICE) as asked,
        tqdm(total=total, initial=played, unit="deal", disable=not progress) as bar,
    ):
        for group, deals, games, seconds in _play_all(schedule, processes, asked):
            bar.update(schedule.take(group, deals, games, seconds))
            bar.set_postfix(groups_left=len(tournament.groups) - len(schedule.done))
        if asked.is_set():
            raise KeyboardInterrupt


def _play_all(
    schedule: Schedule, processes: int, asked: threading.Event
) -> Iterator[tuple[Group, range, list[Game], float]]:
    tournament = schedule.log.tournament
    if processes == 1:
        while not asked.is_set() and (task := schedule.next()) is not None:
            yield (*task, *_play(tournament, *task))
        return
    others = set(multiprocessing.active_children())
    context = multiprocessing.get_context("spawn")  # a forked process must not use the engine's threads
    with ProcessPoolExecutor(processes, context, initializer=_leave_interrupts_to_parent) as pool:
        running: dict[Future[tuple[list[Game], float]], tuple[Group, range]] = {}
        try:
            while True:
                if asked.is_set():
                    for future in reversed(list(running)):  # the first go on, so what is left has no gaps
                        if future.cancel():
                            del running[future]
                else:
                    while len(running) < 2 * processes and (task := schedule.next()) is not None:
                        running[pool.submit(_play, tournament, *task)] = task
                if not running:
                    return
                for future in wait(running, LOOK_SECONDS, FIRST_COMPLETED).done:
                    yield (*running.pop(future), *future.result())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in set(multiprocessing.active_children()) - others:
                child.terminate()
            raise


def _play(tournament: Tournament, group: Group, deals: range) -> tuple[list[Game], float]:
    began = time.perf_counter()
    games = tournament.play(group, deals)
    return games, time.perf_counter() - began


def _leave_interrupts_to_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
