"""Tiles shown in swaps, against a slow list of all racks that others cannot rule out.

In small games that account is exact: every way in which the racks can be filled is followed through each
draw, placement and swap, as seen by somebody who sees no rack. What `shown` and `drawn_since` say, and the
deals of `reshuffle_hidden`, must agree with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from helpers import PRESETS, reference_of
from reference import ReferenceGame, full_bag

from ingenious_env import Game, GameBatch, Rules

Counts = tuple[int, ...]
"""Tiles of each type."""
Racks = tuple[Counts, ...]

SMALL = {
    "two": Rules(2, board_side=4, num_colours=2, rack_size=2),
    "two with long racks": Rules(2, board_side=4, num_colours=2, rack_size=4),
    "three": Rules(3, board_side=4, num_colours=2, rack_size=2),
    "three on a small board": Rules(3, board_side=3, num_colours=2, rack_size=2),
    "three with long racks": Rules(3, board_side=3, num_colours=2, rack_size=3),
}


def types_of(rules: Rules) -> list[tuple[int, int]]:
    colours = range(1, rules.num_colours + 1)
    return [(low, high) for low in colours for high in colours if low <= high]


def count(tiles: list[tuple[int, int]], rules: Rules) -> Counts:
    return tuple(tiles.count(tile) for tile in types_of(rules))


def plus(one: Counts, other: Counts) -> Counts:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def minus(one: Counts, other: Counts) -> Counts:
    return tuple(a - b for a, b in zip(one, other, strict=True))


@cache
def choices(number: int, tiles: Counts) -> list[Counts]:
    """Every way to take a number of the tiles."""
    if not tiles:
        return [()] if number == 0 else []
    return [
        (taken, *rest)
        for taken in range(min(number, tiles[0]) + 1)
        for rest in choices(number - taken, tiles[1:])
    ]


def fillings(sizes: list[int], tiles: Counts) -> Iterator[Racks]:
    """Every way to fill racks of these sizes."""
    if not sizes:
        yield ()
        return
    for rack in choices(sizes[0], tiles):
        for rest in fillings(sizes[1:], minus(tiles, rack)):
            yield (rack, *rest)


class Account:
    """All racks that the others cannot rule out, from the start of a game on."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        bag = full_bag(rules.num_players, rules.board_side, rules.num_colours, rules.rack_size)
        self.unplaced = tuple(bag[tile] for tile in types_of(rules))
        self.racks = set(fillings([rules.rack_size] * rules.num_players, self.unplaced))
        self.swappers: list[int] = []

    def in_bag(self, racks: Racks) -> Counts:
        tiles = self.unplaced
        for rack in racks:
            tiles = minus(tiles, rack)
        return tiles

    def place(self, seat: int, tile: tuple[int, int]) -> None:
        one = count([tile], self.rules)
        holders = {racks for racks in self.racks if racks[seat][one.index(1)]}
        self.racks = {self._with(racks, seat, minus(racks[seat], one)) for racks in holders}
        self.unplaced = minus(self.unplaced, one)

    def draw(self, seat: int, number: int) -> None:
        self.racks = {
            self._with(racks, seat, plus(racks[seat], drawn))
            for racks in self.racks
            for drawn in choices(number, self.in_bag(racks))
        }

    def swap(self, seat: int, shown: Counts) -> None:
        """The new rack is drawn before the old one goes back (RULES.md 6.2)."""
        self.racks = {
            self._with(racks, seat, drawn)
            for racks in self.racks
            if racks[seat] == shown
            for drawn in choices(self.rules.rack_size, self.in_bag(racks))
        }
        self.swappers.append(seat)

    def _with(self, racks: Racks, seat: int, rack: Counts) -> Racks:
        return (*racks[:seat], rack, *racks[seat + 1 :])


def follow(rules: Rules, seed: int) -> Iterator[tuple[Game, ReferenceGame, Account]]:
    """A game played at random, and after each move the account; up to the second swap of the same seat.

    Of each seat, the latest swap is remembered: what an earlier one showed is forgotten, on purpose.
    """
    game, rng = Game(rules, seed), np.random.default_rng(seed)
    reference, account = reference_of(game), Account(rules)
    while not game.is_over:
        seat, before = game.to_play, list(game.racks[game.to_play])
        swaps = game.phase == "swap" and rng.random() < 0.8
        action = game.action("swap") if swaps else game.random_action()
        move = game.move(action)
        game.play(action)
        reference.make(
            move if isinstance(move, str) else frozenset(move), game.bag_order if move == "swap" else None
        )
        after = len(reference.racks[seat])
        if move == "swap":
            if seat in account.swappers:
                return
            account.swap(seat, count(before, rules))
        elif move == "keep":
            account.draw(seat, after - len(before))
        else:
            account.place(seat, tuple(sorted(colour for _, colour in move)))
            account.draw(seat, after - len(before) + 1)
        yield game, reference, account


def agrees(racks: Racks, spare: Counts, draws: list[int]) -> bool:
    """Return whether racks can be filled so that each seat has drawn its shown tiles since they were shown.

    Args:
        racks: the tiles on each.
        spare: unplaced tiles that were not shown.
        draws: tiles that each seat has drawn since; all others on its rack must be spare ones.
    """
    taken = [0] * len(spare)
    fill = [[0] * len(spare) for _ in racks]

    def find(seat: int, seen: set[int]) -> bool:
        """Find one more spare tile for a seat, if need be by having another seat take another one instead."""
        for tile in range(len(spare)):
            if tile in seen or fill[seat][tile] == racks[seat][tile]:
                continue
            seen.add(tile)
            if taken[tile] < spare[tile]:
                taken[tile] += 1
                fill[seat][tile] += 1
                return True
            for other in range(len(racks)):
                if fill[other][tile]:
                    fill[other][tile] -= 1
                    if find(other, seen):
                        fill[seat][tile] += 1
                        return True
                    fill[other][tile] += 1
        return False

    return all(
        find(seat, set()) for seat, rack in enumerate(racks) for _ in range(max(0, sum(rack) - draws[seat]))
    )


def allowed(game: Game, swappers: list[int], racks: set[Racks]) -> set[Racks]:
    """The racks that agree with what each of these seats has shown."""
    state = game.state
    for seat in swappers:
        spare = tuple((state.unplaced[0].astype(int) - state.shown[0, seat]).tolist())
        draws = state.drawn_since[0, seat].astype(int).tolist()
        racks = {each for each in racks if agrees(each, spare, draws)}
    return racks


@pytest.mark.parametrize("name", SMALL)
def test_after_one_swap_what_is_remembered_is_all_there_is_to_know(name):
    rules = SMALL[name]
    positions = restricted = 0
    for seed in range(40):
        for game, reference, account in follow(rules, seed):
            if len(account.swappers) > 1:
                break
            if account.swappers:
                everything = set(fillings([len(rack) for rack in reference.racks], account.unplaced))
                assert allowed(game, account.swappers, everything) == account.racks
                positions += 1
                restricted += account.racks < everything
    assert positions > 10
    assert restricted > 0


@pytest.mark.parametrize("name", SMALL)
def test_what_is_remembered_never_rules_out_what_may_be(name):
    rules = SMALL[name]
    swaps = 0
    for seed in range(40):
        for game, reference, account in follow(rules, seed):
            truth = tuple(count(rack, rules) for rack in reference.racks)
            assert truth in account.racks
            assert allowed(game, account.swappers, account.racks) == account.racks
            swaps = max(swaps, len(account.swappers))
    assert swaps >= 1


@pytest.mark.parametrize("name", SMALL)
def test_a_fresh_deal_after_a_swap_is_one_that_may_be(name):
    rules, samples = SMALL[name], 150
    dealt_in_all = 0
    for seed in range(30):
        for game, reference, account in follow(rules, seed):
            if len(account.swappers) > 1:
                break
            if not account.swappers:
                continue
            crowd = GameBatch.from_rows(rules, np.repeat(game.state.memory, samples, axis=0))
            for viewer in range(rules.num_players):
                mine = count(reference.racks[viewer], rules)
                possible = {racks for racks in account.racks if racks[viewer] == mine}
                crowd.reshuffle_hidden(np.full(samples, viewer), seed=seed)
                dealt = {racks_of(racks, rules) for racks in crowd.state.racks.tolist()}
                assert dealt <= possible
                dealt_in_all += len(dealt)
                crowd.state.memory[:] = game.state.memory
    assert dealt_in_all > 500


def racks_of(racks: list[list[int]], rules: Rules) -> Racks:
    """The racks of a game's row as counts."""
    types = range(len(types_of(rules)))
    return tuple(tuple(rack.count(tile) for tile in types) for rack in racks)


class Ledger:
    """Of one game of any size: the tiles that were in no bag when a seat last swapped, at most.

    The account above would take for ever here. This one knows less: of each type, copies that were neither on
    the board nor shown. What seats place and hold that have not drawn since is among them.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        bag = full_bag(rules.num_players, rules.board_side, rules.num_colours, rules.rack_size)
        self.unplaced = np.array([bag[tile] for tile in types_of(rules)])
        self.elsewhere: dict[int, np.ndarray] = {}
        self.draws = np.zeros((rules.num_players, rules.num_players), int)

    def make(self, seat: int, move, before: list[tuple[int, int]], after: int) -> None:
        """Note a move of a seat with this rack before it, and a number of tiles after it."""
        drawn = after - len(before)
        if move == "swap":
            self.draws[:, seat] += self.rules.rack_size
            self.draws[seat] = 0
            self.elsewhere[seat] = self.unplaced - count(before, self.rules)
            return
        if move != "keep":
            one = np.array(count([tuple(sorted(colour for _, colour in move))], self.rules))
            self.unplaced -= one
            for swapper, tiles in self.elsewhere.items():
                if not self.draws[swapper, seat]:
                    self.elsewhere[swapper] = tiles - one
            drawn += 1
        self.draws[:, seat] += drawn

    def check(self, hands: np.ndarray) -> None:
        """Hands [B, P, Y] that should agree with it."""
        for swapper, elsewhere in self.elsewhere.items():
            draws = self.draws[swapper]
            assert (hands[:, draws == 0].sum(axis=1) <= elsewhere).all()
            assert (np.maximum(0, hands - elsewhere).sum(axis=2) <= draws).all()
            assert (elsewhere >= 0).all()


@pytest.mark.parametrize("name", ["two", "three", "four", "partnership"])
def test_in_whole_games_deals_and_the_truth_agree_with_who_drew_when(name):
    rules, samples = PRESETS[name], 64
    kinds, swaps = np.arange(len(types_of(rules))), 0
    viewers = np.arange(samples) % rules.num_players
    for seed in range(10):
        game, ledger = Game(rules, seed), Ledger(rules)
        while not game.is_over:
            seat, before = game.to_play, list(game.racks[game.to_play])
            action = game.action("swap") if game.phase == "swap" else game.random_action()
            move = game.move(action)
            game.play(action)
            ledger.make(seat, move, before, len(game.racks[seat]))
            swaps += move == "swap"
            if ledger.elsewhere:
                crowd = GameBatch.from_rows(rules, np.repeat(game.state.memory, 1 + samples, axis=0))
                dealt = GameBatch.from_rows(rules, crowd.state.memory[1:], copy=False)
                dealt.reshuffle_hidden(viewers, seed=seed)
                ledger.check((crowd.state.racks[..., None] == kinds).sum(axis=2))
    assert swaps > 3
