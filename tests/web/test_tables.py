"""Tables and their files."""

import asyncio
import gc
import json
import weakref
from dataclasses import fields

import pytest

pytest.importorskip("starlette")

from ingenious_env import IllegalActionError, Record, Rules
from ingenious_env.engine.definition import definitions
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.web.lookup import OpenRooms
from ingenious_env.web.store import Store
from ingenious_env.web.tables import HUMAN, PUBLIC, Agent, Table, built_in_agents

AGENTS = {agent.name: agent for agent in built_in_agents(definitions())}


def played(moves, seats=(HUMAN, HUMAN), rules=None, seed=5):
    table = Table.of(rules or Rules(), seats, AGENTS, seed)
    for _ in range(moves):
        table.play(table.session.game.random_action())
    return table


def test_agents_of_the_package():
    assert {"uniform", "greedy", "value", "planner"} <= AGENTS.keys()
    assert AGENTS["value"].plays(Rules(2))
    assert not AGENTS["value"].plays(Rules(5))
    assert AGENTS["planner"].plays(LoopitRules())
    assert not AGENTS["planner"].plays(Rules())
    with pytest.raises(ValueError, match="policy must be one of"):
        AGENTS["planner"].for_rules(Rules())


@pytest.mark.parametrize("seats", [[HUMAN], [HUMAN] * 3, []])
def test_there_is_a_seat_for_each_player(seats):
    with pytest.raises(ValueError, match=f"there must be 2 seats, not {len(seats)}"):
        Table.of(Rules(), seats, AGENTS)


@pytest.mark.parametrize("name", ["os.system", "value:path=/etc/passwd", "Value", "", "human "])
def test_agents_are_those_that_the_server_offers(name):
    with pytest.raises(ValueError, match="a seat is one of human, uniform, "):
        Table.of(Rules(), [HUMAN, name], AGENTS)


def test_keys_are_for_people():
    table = Table.of(Rules(3), [HUMAN, "greedy", HUMAN], AGENTS)
    first, none, second = table.keys
    assert len(first) == len(second) == len(table.id) == 32
    assert none == ""
    assert len({first, second, table.id}) == 3
    assert table.own_seats([second, "", "x"]) == [2]
    assert table.own_seats([first, second]) == [0, 2]
    assert table.own_seats([""]) == table.own_seats([]) == []
    assert table.names() == ["Player 1", "greedy", "Player 3"]
    assert Table.of(Rules(2), ["greedy", HUMAN], AGENTS).names() == ["greedy", "You"]
    assert Table.of(Rules(3), [HUMAN, "greedy", "greedy"], AGENTS).names() == ["You", "greedy 2", "greedy 3"]


def test_moves_are_counted():
    table = played(9)
    moves = [turn.move for turn in table.session.turns]
    kept = moves.count("keep")
    assert table.version_for(None) == PUBLIC * (len(table.public) - 1) == PUBLIC * (9 - kept)
    with pytest.raises(IllegalActionError):
        table.play(0 if table.session.game.legal_mask()[0] == 0 else 10**6)
    assert table.version_for(None) == PUBLIC * (9 - kept)


def test_taking_back_leads_to_the_last_decision_of_a_seat():
    table = played(12)
    turns = table.session.turns
    last = max(k for k, turn in enumerate(turns) if turn.seat == 0)
    before, version = table.session.at(last), table.version
    table.take_back(0)
    assert table.session.game == before
    assert table.session.turns == turns[:last]
    assert table.version > version
    assert table.take_backs
    assert table.total(0) == sum(turn.move != "keep" for turn in turns[:last])
    with pytest.raises(ValueError, match="there is no move of yours to take back"):
        played(1).take_back(1)


@pytest.mark.parametrize("rules", [Rules(), Rules.partnership(), Rules.solitaire(), LoopitRules(3)], ids=str)
def test_a_table_is_the_same_out_of_its_file(rules):
    seats = [HUMAN, *["uniform"] * (rules.num_players - 1)]
    table = played(15, seats, rules)
    table.take_backs, table.hidden_take_backs, table.hints, table.asking = True, {0}, True, 0
    again = Table.from_json(table.to_json(), AGENTS)
    assert again.session.game == table.session.game
    assert again.session.turns == table.session.turns
    fresh = Table.of(rules, seats, AGENTS)
    for name in {field.name for field in fields(Table)} - {"session"}:
        assert getattr(again, name) == getattr(table, name)
        assert name == "seats" or getattr(table, name) != getattr(fresh, name)  # or nothing is compared
    assert [player is None for player in again.session.players] == [seat == HUMAN for seat in seats]


@pytest.mark.parametrize(
    "change",
    [
        {"format": "ingenious-table 2"},
        {"start": "hello"},
        {"start": None},
        {"moves": ["hello"]},
        {"moves": ["keep"]},
        {"moves": 7},
        {"seats": [HUMAN]},
        {"seats": [HUMAN, "mine.Snatcher"]},
        {"seats": None},
        {"keys": None},
        {"version": "x"},
    ],
)
def test_foreign_files_are_no_tables(change):
    text = json.dumps({**json.loads(played(3).to_json()), **change})
    with pytest.raises((ValueError, TypeError)):
        Table.from_json(text, AGENTS)
    for foreign in ("", "{}", "[]", "null", "7"):
        with pytest.raises(ValueError, match=r"table|JSON|Expecting"):
            Table.from_json(foreign, AGENTS)


def test_a_record_goes_on():
    record = played(10).session.record
    table = Table.of_text(record.to_text(), [HUMAN, "greedy"], AGENTS)
    assert table.session.record == record
    assert table.id != Table.of_text(record.to_text(), [HUMAN, "greedy"], AGENTS).id
    illegal = Record(record.rules, record.seed, (*record.moves[:4], record.moves[1]))
    with pytest.raises(IllegalActionError, match="move 5 of the record"):
        Table.of_text(illegal.to_text(), [HUMAN, HUMAN], AGENTS)


@pytest.mark.parametrize("rules", [Rules(), Rules.solitaire(), LoopitRules(2)], ids=str)
def test_a_position_goes_on(rules):
    """Out of its file, too, and taken back to where it began."""
    game = played(9, ["uniform"] * rules.num_players, rules).session.game
    seats = [HUMAN] * rules.num_players
    table = Table.of_text(game.to_text(), seats, AGENTS)
    assert table.session.game == game
    assert table.total(0) == 0
    with pytest.raises(ValueError, match="began with a position"):
        _ = table.session.record
    for _ in range(6):
        table.play(table.session.game.random_action())
        game.play(game.random_action())
    assert table.session.game == game
    again = Table.from_json(table.to_json(), AGENTS)
    assert again.session.game == game
    assert again.session.turns == table.session.turns
    assert again.public == table.public
    while again.session.turns:
        again.take_back(again.session.turns[-1].seat)
    assert again.session.game == Table.of_text(table.session.at(0).to_text(), seats, AGENTS).session.game


def looked_up(store, name):
    """The table of an id, as requests find it."""
    return asyncio.run(OpenRooms(AGENTS, store, 1).table(name))


def test_a_store_finds_its_tables_after_a_restart(tmp_path):
    store, tables = Store(tmp_path, AGENTS), [played(k) for k in range(6)]
    for table in tables:
        store.add(table)
    tables[3].play(tables[3].session.game.random_action())
    store.save(tables[3])
    assert looked_up(store, tables[2].id) is tables[2]
    again = Store(tmp_path, AGENTS)
    for table in tables:
        assert looked_up(again, table.id).session.game == table.session.game
        assert looked_up(again, table.id) is looked_up(again, table.id)
    assert looked_up(again, "0" * 32) is None


def test_paths_and_damaged_files_are_no_tables(tmp_path):
    store, table = Store(tmp_path / "games", AGENTS), played(2)
    store.add(table)
    (tmp_path / f"{table.id}.json").write_text(table.to_json())
    for name in (
        f"../{table.id}",
        f"../games/{table.id}",
        "",
        ".",
        table.id.upper() + "x",
        table.id + ".json",
    ):
        assert looked_up(Store(tmp_path / "games", AGENTS), name) is None
    (tmp_path / "games" / f"{table.id}.json").write_text(table.to_json()[:-40])
    with pytest.raises(ValueError, match=f"the file of this game, {table.id}.json, cannot be used"):
        looked_up(Store(tmp_path / "games", AGENTS), table.id)
    assert not list(tmp_path.glob("games/*.part"))


def test_only_so_many_tables_are_kept_in_memory(tmp_path):
    """In addition to those in use: of these there is never a second object."""
    store, tables = Store(tmp_path, AGENTS, capacity=3), [played(1) for _ in range(6)]
    names, kept = [table.id for table in tables], tables[0]
    for table in tables:
        store.add(table)
    forgotten = [weakref.ref(table) for table in tables]
    del table, tables
    gc.collect()
    assert [each() is not None for each in forgotten] == [True, False, False, True, True, True]
    assert looked_up(store, names[0]) is kept
    assert looked_up(store, names[5]) is forgotten[5]()
    found = looked_up(store, names[1])
    assert found.session.game == kept.session.game
    assert looked_up(store, names[1]) is found
    tables = [played(1) for _ in range(2)]
    without_files = Store(None, AGENTS, capacity=2)
    for table in tables[:2]:
        assert not without_files.is_full
        without_files.add(table)
    assert without_files.is_full
    assert looked_up(without_files, tables[0].id) is tables[0]


def test_an_agent_of_ones_own():
    class Last:
        def act(self, view):
            return view.legal_mask().argmax(axis=1)

    mine = Agent("mine", lambda _game: Last())
    table = Table.of(Rules(), ["mine", "mine"], {"mine": mine})
    for _ in table.session.run():
        table.count()
    assert table.session.is_over
