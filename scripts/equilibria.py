"""Endings of a tiny game for two: the equilibrium with hidden racks, and exact values with open racks.

    python -m scripts.equilibria
    python -m scripts.equilibria --count 3 --left 2 3 --actions 4

The game has 19 cells, two colours and two tiles on a rack. Each ending begins with a position of a random
game, in which both racks are dealt anew. All values are shares of the win of the player to move, before that
deal:

    equilibrium   both see only their own rack, by OpenSpiel's CFR+; `gap` bounds its error
    blind         the mover sees only their own rack, the opponent both: at most the equilibrium with three
                  placements left, and equal to it with two, where seeing the other rack does not help
    open          both see both racks: with two placements left at least the equilibrium; with three it may
                  lie on either side of it, as each player gains by what they see and loses by what they show

`exploitability` of an agent is the gain of a best response against it over the equilibrium, averaged over
both seats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, prod
from typing import Any

from ingenious_agents import make_agent
from ingenious_agents.commands.command_line import Count, Counts, Seed, command, needs_extra, read
from ingenious_agents.search.exact import placements_left
from ingenious_agents.search.exact_two import TwoPlayerSolver
from ingenious_agents.tables import Format, Table, written
from tqdm import tqdm

from ingenious_env import Game, Rules

PROG = "python -m scripts.equilibria"

with needs_extra(PROG, "openspiel"):
    import pyspiel
    from open_spiel.python.algorithms.gambit import export_gambit

    import ingenious_env.openspiel as adapter

RULES = Rules(2, board_side=3, num_colours=2, rack_size=2, counter_top=6)
AGENTS = ("greedy:utility=concave", "greedy", "uniform")
MOST_LEFT = 3
Tile = tuple[int, int]


@dataclass(frozen=True)
class Args:
    """Command-line options."""

    left: Counts = (2,)
    """placements left, 2 or 3; with 3 the trees are large"""
    count: Count = 3
    """endings with each number of placements left"""
    actions: Count = 8
    """actions of the first decision at most, on which the size of the tree depends"""
    iterations: Count = 200
    """iterations of CFR+"""
    seed: Seed = 1
    """of the random games"""
    format: Format = "markdown"
    """of the table"""

    def check(self) -> None:
        """ValueError if an option is out of range."""
        if not all(2 <= left <= MOST_LEFT for left in self.left):
            msg = f"left must be 2 or {MOST_LEFT}, not {self.left}"
            raise ValueError(msg)


def endings(left: int, count: int, actions: int, seed: int) -> Iterator[Game]:
    """Positions of random games with so many placements left, few actions, and no bonus play owed."""
    number = 0
    while count:
        game = Game(RULES, seed=(seed, number))
        number += 1
        while not game.is_over and (placements_left(game) > left or game.phase != "place"):
            game.play(game.random_action())
        is_one = not game.is_over and placements_left(game) == left and game.plays_left == 1
        if is_one and 1 < len(game.legal_actions()) <= actions:
            count -= 1
            yield game


def hands(tiles: Counter[Tile], size: int) -> Iterator[tuple[Counter[Tile], float]]:
    """The racks of a size that may be drawn from some tiles, with their probabilities."""
    for rack in set(combinations(sorted(tiles.elements()), size)):
        hand = Counter(rack)
        ways = prod(comb(tiles[tile], number) for tile, number in hand.items())
        yield hand, ways / comb(tiles.total(), size)


def seen_values(game: Game, solver: TwoPlayerSolver) -> tuple[float, float]:
    """The values of a position whose racks are dealt anew: the mover blind, and both racks open."""
    seat, racks = game.to_play, game.racks
    tiles, blind, both = sum(map(Counter, racks), game.bag), 0.0, 0.0
    for mine, chance in hands(tiles, len(racks[seat])):
        means = dict[int, float]()
        for other, share in hands(tiles - mine, len(racks[1 - seat])):
            twin = game.clone()
            twin.deal({seat: list(mine.elements()), 1 - seat: list(other.elements())})
            found = solver.solve(twin)
            both += chance * share * found.value
            for action, value in zip(found.actions.tolist(), found.values.tolist(), strict=True):
                means[action] = means.get(action, 0.0) + share * value
        blind += chance * max(means.values())
    return blind, both


def policy_of(name: str, game: Any, tree: Any) -> Any:
    """The policy of an agent in the tree that was made of a game; `uniform` plays all actions."""
    if name == "uniform":
        return pyspiel.UniformRandomPolicy(tree)
    bot, table = adapter.PolicyBot(make_agent(name), game), dict[str, list[tuple[int, float]]]()
    waiting = [(game.new_initial_state(), tree.new_initial_state())]
    while waiting:
        state, twin = waiting.pop()
        if state.is_terminal():
            continue
        images = {twin.action_to_string(action): action for action in twin.legal_actions()}
        named = {action: state.action_to_string(action) for action in state.legal_actions()}
        key = "" if state.is_chance_node() else twin.information_state_string()
        if key and key not in table:
            chosen = images[named[bot.step(state)]]
            table[key] = [(action, float(action == chosen)) for action in images.values()]
        waiting += [(state.child(action), twin.child(images[name])) for action, name in named.items()]
    return pyspiel.TabularPolicy(table)


def equilibrium(tree: Any, iterations: int) -> tuple[list[float], float]:
    """The returns of both seats by CFR+, and their NashConv."""
    solver = pyspiel.CFRPlusSolver(tree)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    returns = pyspiel.expected_returns(tree.new_initial_state(), policy, -1, True)  # noqa: FBT003
    return list(returns), float(pyspiel.nash_conv(tree, policy))


def solved(game: Game, solver: TwoPlayerSolver, iterations: int) -> dict[str, float]:
    """The values of an ending, and how exploitable agents are, as shares of the win."""
    hidden = adapter.load(game)
    tree = pyspiel.load_efg_game(export_gambit(hidden))
    returns, gap = equilibrium(tree, iterations)
    blind, both = seen_values(game, solver)
    found = {
        "placements left": placements_left(game),
        "equilibrium": (1 + returns[game.to_play]) / 2,
        "gap": gap / 2,  # of a return between −1 and 1
        "blind": blind,
        "open": both,
    }
    for name in AGENTS:
        conv = pyspiel.nash_conv(tree, policy_of(name, hidden, tree))
        found[f"exploitability of {name}"] = conv / 4  # of a share, the mean of two seats
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, solve and print."""
    args = read(Args, arguments, PROG, __doc__)
    with command(PROG):
        solver, records = TwoPlayerSolver(RULES, 1 << 26), []
        with tqdm(total=len(args.left) * args.count, unit="ending", leave=False) as bar:
            for left in args.left:
                for game in endings(left, args.count, args.actions, args.seed):
                    records.append(solved(game, solver, args.iterations))
                    bar.update()
        rows = [
            [f"{value:.4f}" if isinstance(value, float) else str(value) for value in record.values()]
            for record in records
        ]
        print(written([Table("endings", tuple(records[0]), rows, records)], args.format))


if __name__ == "__main__":
    main()
