"""A tournament: every pair of agents, or every three or four that sit at a table, seats changed round.

    python -m scripts.tournament uniform greedy greedy:utility=concave --deals 500
    python -m scripts.tournament greedy flat-mc:rollouts=200 --until-ci 0.02 --processes 2 --out runs/mc.jsonl
    python -m scripts.tournament --players 4 uniform greedy greedy:utility=lowest greedy:utility=concave
    python -m scripts.tournament --show runs/mc.jsonl                # the report and the plots once more
    python -m scripts.tournament --show runs/mc.jsonl --replay 17    # game 17 of it, move by move

Each deal is played once in every rotation of the seats. The log has a line a game; started again with the
same agents and seed, a tournament goes on where its log ends, after an interruption (Ctrl-C) or with more
deals. Neither that nor the number of processes changes a result, unless an agent is given seconds.

With --until-ci W a group is done as soon as the 95 % interval of each pair is no wider than plus and minus W,
looked at every 20 deals.
"""

from __future__ import annotations

import argparse
import multiprocessing
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path

from tqdm import tqdm

from agents.catalogue import make_agent
from agents.match import act_staged
from agents.report import markdown, report, settled
from agents.tournament import Game, Log, Tournament, play_deals
from ingenious_env import Game as Position
from ingenious_env import GameBatch, Rules
from ingenious_env.notation import move_to_text
from ingenious_env.policies import View
from scripts.plots import draw_report

LOOK_EVERY = 20  # deals, for --until-ci
CHUNK_SECONDS = 2.0  # what a worker is given to do at a time
MOST_DEALS = 512
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
            self._pace[group] = min(2 * len(deals), MOST_DEALS)
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

    def _is_done(self, group: Group) -> bool:
        played = self.log.deals(group)
        if played >= self.deals:
            return True
        if self.until_ci is None or played == 0 or played % LOOK_EVERY:
            return False
        return settled(self.log.games[group], group, self.until_ci)


def run(schedule: Schedule, processes: int, *, progress: bool = True) -> None:
    """Play what is left; what is interrupted can be run again."""
    tournament = schedule.log.tournament
    total = schedule.deals * len(tournament.groups)
    played = sum(map(schedule.log.deals, tournament.groups))
    with tqdm(total=total, initial=played, unit="deal", disable=not progress) as bar:
        for group, deals, games, seconds in _play_all(schedule, processes):
            bar.update(schedule.take(group, deals, games, seconds))
            bar.set_postfix(groups_left=len(tournament.groups) - len(schedule.done))


def _play_all(schedule: Schedule, processes: int) -> Iterator[tuple[Group, range, list[Game], float]]:
    tournament = schedule.log.tournament
    if processes == 1:
        while (task := schedule.next()) is not None:
            yield (*task, *_play(tournament, *task))
        return
    context = multiprocessing.get_context("spawn")  # a forked process must not use the engine's threads
    with ProcessPoolExecutor(processes, context, initializer=_leave_interrupts_to_parent) as pool:
        running: dict[Future[tuple[list[Game], float]], tuple[Group, range]] = {}
        try:
            while True:
                while len(running) < 2 * processes and (task := schedule.next()) is not None:
                    running[pool.submit(_play, tournament, *task)] = task
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield (*running.pop(future), *future.result())
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _play(tournament: Tournament, group: Group, deals: range) -> tuple[list[Game], float]:
    began = time.perf_counter()
    games = play_deals(tournament, group, deals)
    return games, time.perf_counter() - began


def _leave_interrupts_to_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def replay(tournament: Tournament, game: Game) -> Iterator[str]:
    """A game once more, a line a move, and the position at its end; ValueError if it comes out otherwise."""
    position = Position(tournament.rules, (tournament.seed, game.deal))
    agents = {number: make_agent(tournament.agents[number]) for number in set(game.seating)}
    while not position.is_over:
        number = game.seating[position.to_play % tournament.rules.num_sheets]
        agent, batch = agents[number], GameBatch.from_rows(tournament.rules, position.state.memory)
        is_staged = getattr(agent, "staged", False)
        action = int((act_staged(agent, batch) if is_staged else agent.act(View(batch)))[0])
        move = move_to_text(position.move(action))
        yield f"{position.turn:3} seat {position.to_play + 1} {tournament.agents[number]}: {move}"
        position.play(action)
    yield position.to_text()
    if position.scores.tolist() != game.scores:
        msg = f"the game ended otherwise in the tournament, {game.scores}: an agent was given seconds"
        raise ValueError(msg)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        prog="python -m scripts.tournament",
    )
    parser.add_argument("agents", nargs="*", help="two or more agents (see agents/catalogue.py)")
    parser.add_argument("--players", type=int, default=2, help="2, 3 or 4 (2)")
    parser.add_argument("--partnership", action="store_true", help="two against two")
    parser.add_argument("--deals", type=int, default=500, help="for each group (500)")
    parser.add_argument("--until-ci", type=float, metavar="W", help="stop at intervals of plus and minus W")
    parser.add_argument("--seed", type=int, default=0, help="of the deals (0)")
    parser.add_argument("--processes", type=int, default=1, help="1")
    parser.add_argument("--out", type=Path, default=Path("runs/tournament.jsonl"), help="the log")
    parser.add_argument("--show", type=Path, metavar="LOG", help="report on a log instead of playing")
    parser.add_argument("--replay", type=int, metavar="N", help="with --show: game N of it, from 0")
    options = parser.parse_args(arguments)
    for name in ("deals", "processes"):
        if getattr(options, name) < 1:
            parser.error(f"--{name} must be at least 1, not {getattr(options, name)}")
    if options.until_ci is not None and not 0 < options.until_ci < 1:
        parser.error(f"--until-ci must be between 0 and 1, not {options.until_ci}")
    if options.replay is not None and not options.show:
        parser.error("--replay needs --show LOG")
    return options


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, play, and report."""
    options = parse(arguments)
    try:
        log = Log.load(options.show) if options.show else _play_tournament(options)
        if options.replay is not None:
            every = list(log)
            if not 0 <= options.replay < len(every):
                sys.exit(f"the log has games 0 to {len(every) - 1}, not {options.replay}")
            for line in replay(log.tournament, every[options.replay]):
                print(line)
            return
        figures = report(log.tournament, log.games)
        print(markdown(figures))
        print("plots:", *draw_report(figures, log.path.with_suffix("")))
    except (ValueError, OSError) as error:
        sys.exit(f"tournament: {error}")


def _play_tournament(options: argparse.Namespace) -> Log:
    rules = Rules.partnership() if options.partnership else Rules.standard(options.players)
    log = Log.open(options.out, Tournament(rules, tuple(options.agents), options.seed))
    try:
        run(Schedule(log, options.deals, options.until_ci), options.processes)
    except KeyboardInterrupt:
        sys.exit(f"interrupted: {log.path} has all games so far; the same command goes on from there")
    log.save()
    return log


if __name__ == "__main__":
    main()
