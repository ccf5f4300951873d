"""Content of pages by viewer: all that a seat may know, and nothing else."""

import json

import numpy as np
import pytest

pytest.importorskip("starlette")

from ingenious_env import Game, Rules, Session
from ingenious_env.engine.definition import definition_of, definitions
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.web.tables import HUMAN, Table, built_in_agents
from ingenious_env.web.visible import visible

AGENTS = {agent.name: agent for agent in built_in_agents(definitions())}
VARIANTS = {
    "two": Rules(),
    "four": Rules(4),
    "partnership": Rules.partnership(),
    "many swaps": Rules(3, rack_size=2),
    "open": Rules(3, open_racks=True),
    "loopit": LoopitRules(3),
    "loopit, fixed": LoopitRules(2, fixed_rounds=True),
}


class Redealt(Session):
    """A session that shows each position with the tiles dealt anew that a seat cannot know."""

    viewer, seed = 0, 0

    def at(self, number):
        game = super().at(number)
        game.reshuffle_hidden(self.viewer, self.seed)
        return game

    @property
    def game(self):
        game = super().game
        game.reshuffle_hidden(self.viewer, self.seed)
        return game


def table_of(rules, seed, kind=Session):
    """A table of people."""
    table = Table.of(rules, [HUMAN] * rules.num_players, AGENTS, seed)
    if kind is not Session:
        table.session = kind(rules, seed)
    return table


def page_text(table, seat, at=None):
    return json.dumps({**visible(table, seat, at), "id": ""})


@pytest.mark.parametrize("games", [12, pytest.param(300, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("name", VARIANTS)
def test_hidden_tiles_leave_no_trace(name, games):
    """At each position of whole games two deals that a seat cannot distinguish give the same bytes."""
    rules, changed, checked = VARIANTS[name], 0, 0
    for seed in range(games):
        table, other = table_of(rules, seed), table_of(rules, seed, Redealt)
        while not table.session.is_over:
            action = table.session.game.random_action()
            table.play(action)
            other.play(action)
            if table.session.is_over:
                break
            viewer = other.session.viewer = int(table.session.turns[-1].action) % rules.num_players
            other.session.seed = seed
            assert page_text(table, viewer) == page_text(other, viewer)
            changed += table.session.game.racks != other.session.game.racks
            checked += 1
    assert checked > 16 * games
    assert changed > checked // 2 or rules in (Rules(3, open_racks=True),)


def test_an_offer_to_swap_is_told_to_its_seat_alone():
    """Others see the placement before it only once the choice has been made, and no sign of a rack kept."""
    offers = 0
    for seed in range(40):
        rules = Rules(3, rack_size=2)
        table = table_of(rules, seed)
        while not table.session.is_over and offers < 30:
            game = table.session.game
            before = [
                (page_text(table, seat), table.total(seat), table.version_for(seat)) for seat in range(3)
            ]
            table.play(game.random_action())
            after = table.session.game
            if after.is_over or after.phase != "swap":
                continue
            offers += 1
            mover = after.to_play
            assert visible(table, mover)["scene"]["may_swap"]
            for seat in {0, 1, 2} - {mover}:
                text, total, version = before[seat]
                shown = visible(table, seat)
                assert json.dumps({**shown, "id": ""}) == text
                assert table.version_for(seat) == shown["version"] == version
                assert table.total(seat) == shown["total"] == total
            keep = after.action("keep")
            table.play(keep)
            for seat in {0, 1, 2} - {mover}:
                assert table.total(seat) == before[seat][1] + 1
                assert "keep" not in page_text(table, seat)
                assert not visible(table, seat)["last"]["move"].startswith("swap")
    assert offers == 30


def test_who_waits_is_not_told_of_choices_and_plays():
    table = table_of(Rules(2), 3)
    assert {"may_swap", "plays_left", "open"} <= visible(table, 0)["scene"].keys()
    assert not {"may_swap", "plays_left", "open"} & visible(table, 1)["scene"].keys()
    assert "revealed" not in visible(table, 0)


def test_a_scene_is_the_position():
    """Against the game itself, which has other words for it."""
    rules = Rules(3)
    table = table_of(rules, 5)
    for _ in range(30):
        game = table.session.game
        for seat in range(3):
            scene = visible(table, seat)["scene"]
            if table.total(seat) != len(table.public) - 1:
                continue
            board = [
                rules.start_symbols.get(tuple(cell), value)
                for cell, value in zip(rules.cells.tolist(), game.board.tolist(), strict=True)
            ]
            assert scene["board"] == "".join(map(str, board))
            assert scene["rack"] == [list(tile) for tile in game.racks[seat]]
            assert scene["scores"] == game.scores.tolist()
            assert scene["bag"] == game.bag.total()
            assert scene["sizes"] == [len(rack) for rack in game.racks]
            if seat == game.to_play and game.phase == "place":
                pairs = set()
                for action in game.legal_actions():
                    move = game.move(int(action))
                    pairs.add(tuple(sorted(rules.geometry.index[cell] for cell, _ in move)))
                found = {tuple(rules.geometry.pairs[pair].tolist()) for pair in scene["open"]}
                assert found == pairs
        table.play(game.random_action())


def test_points_of_a_scene_are_what_tiles_score():
    table = table_of(Rules(2), 8)
    checked = 0
    for _ in range(30):
        game = table.session.game
        if game.phase == "place":
            points = visible(table, game.to_play)["scene"]["points"]
            for action in game.legal_actions()[::17]:
                after = game.clone()
                move = game.move(int(action))
                after.play(int(action))
                wanted = np.zeros(6, int)
                for cell, colour in move:
                    wanted[colour - 1] += points[colour - 1][game.rules.geometry.index[cell]]
                before = game.scores[game.to_play]
                assert (np.minimum(before + wanted, 18) == after.scores[game.to_play]).all()
                checked += wanted.any()
        table.play(game.random_action())
    assert checked > 50


def test_legal_tiles_of_loopit_and_what_they_score():
    table = table_of(LoopitRules(2), 8)
    checked = 0
    for _ in range(25):
        game = table.session.game
        scene = visible(table, game.to_play)["scene"]
        found = {}
        for action in game.legal_actions():
            move = game.move(int(action))
            if not isinstance(move, str):
                after = game.clone()
                after.play(int(action))
                found[move] = after.scores[game.to_play] - game.scores[game.to_play]
        told_of = {
            ((*scene["rack"][slot],), (row, column)): points for slot, row, column, points in scene["legal"]
        }
        assert told_of == {(tuple(tile), square): points for (tile, square), points in found.items()}
        choices = [game.move(int(a)) for a in game.legal_actions() if isinstance(game.move(int(a)), str)]
        assert scene["choices"] == choices
        checked += len(found)
        table.play(game.random_action())
    assert checked > 100


def test_replays_show_what_was_known_then():
    table = table_of(Rules(2), 4)
    seen = {0: page_text(table, 0)}
    while not table.session.is_over:
        table.play(table.session.game.random_action())
        seen[table.total(0)] = page_text(table, 0)
    total = table.total(0)
    assert total == table.total(1) == max(seen)
    assert len(seen) > 30
    for at, text in list(seen.items())[:-1]:
        then, now = json.loads(text), visible(table, 0, at)
        racks = now.pop("revealed")
        assert racks[0] == then["scene"]["rack"]
        assert now.pop("deal") == table.beginning()
        assert now.pop("over")
        assert not then.pop("over")
        keep = ("id", "version", "total", "at", "take_backs")
        assert {k: v for k, v in then.items() if k not in keep} == {
            k: v for k, v in json.loads(json.dumps(now)).items() if k not in keep
        }
        assert now["at"] == at
    with pytest.raises(ValueError, match=f"from 0 to {total}, not {total + 1}"):
        visible(table, 0, total + 1)


def test_all_is_shown_to_who_watches_agents_and_at_the_end():
    rules = Rules(2)
    table = Table.of(rules, ["greedy", "uniform"], AGENTS, 3)
    assert visible(table, None)["revealed"] == [
        [list(tile) for tile in rack] for rack in Game(rules, 3).racks
    ]
    people = table_of(rules, 3)
    with pytest.raises(ValueError, match="only its players may see this game"):
        visible(people, None)
    while not people.session.is_over:
        people.play(people.session.game.random_action())
    shown = visible(people, 0)
    assert shown["revealed"] == [[list(tile) for tile in rack] for rack in people.session.game.racks]
    assert shown["ranks"] == people.session.game.ranks.tolist()
    assert definition_of(rules).name == shown["game"] == "ingenious"


def test_the_end_of_a_game_is_told_at_each_of_its_positions():
    """`over` is of the game, `terminal` of the position; all other fields of the table stay the same."""
    shown = {"at", "to_play", "terminal", "ranks", "headline", "last", "scene", "revealed"}
    for rules in (Rules(), Rules.partnership(), LoopitRules(2)):
        table = table_of(rules, 2)
        while not table.session.is_over:
            assert not visible(table, 0)["over"]
            table.play(table.session.game.random_action())
        total = table.total(0)
        latest = visible(table, 0)
        for at in (0, 1, total // 2, total - 1, total):
            state = visible(table, 0, at)
            assert state["over"]
            assert state["terminal"] == (at == total)
            assert (state["ranks"] is None) == (at < total)
            assert {k: v for k, v in state.items() if k not in shown} == {
                k: v for k, v in latest.items() if k not in shown
            }


SEATED = {
    "three": Rules(3),
    "four": Rules(4, rack_size=2),
    "partnership": Rules.partnership(),
    "open": Rules(3, open_racks=True, rack_size=3),
    "loopit, three": LoopitRules(3),
    "loopit, four": LoopitRules(4, fixed_rounds=True),
}


def differs(values):
    """Return whether values distinguish seats: no rotation preserves them."""
    return all(values[k:] + values[:k] != values for k in range(1, len(values)))


@pytest.mark.parametrize("name", SEATED)
def test_each_part_of_a_scene_stands_at_its_seat(name):
    """For each viewer, with other tiles, sizes, scores and swaps at each seat."""
    rules, told_apart, swaps = SEATED[name], dict.fromkeys(("sizes", "scores", "racks"), 0), 0
    definition = definition_of(rules)
    for seed in range(4):
        session = Session(rules, seed, [definition.policy("greedy")] * rules.num_players)
        while not session.is_over:
            before = session.game
            session.advance()
            game, last = session.game, session.turns[-1]
            parts = {
                "sizes": [len(rack) for rack in game.racks],
                "scores": np.array(game.scores).tolist(),
                "racks": [[list(tile) for tile in rack] for rack in game.racks],
            }
            for field, values in parts.items():
                told_apart[field] += differs(values)
            for seat in range(rules.num_players):
                scene = definition.pages.scene(game, seat)
                assert scene["sizes"] == parts["sizes"]
                assert scene["scores"] == parts["scores"]
                assert scene["rack"] == parts["racks"][seat]
                assert scene.get("racks", parts["racks"]) == parts["racks"]
                if last.move == "swap":
                    tiles = [tile for *tile, count in scene["shown"][last.seat] for _ in range(count)]
                    assert tiles == [list(tile) for tile in sorted(before.racks[last.seat])]
            swaps += last.move == "swap"
    assert min(told_apart.values()) > 10
    assert swaps > 0 or isinstance(rules, LoopitRules)
