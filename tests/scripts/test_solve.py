"""The command that solves: values, positions from files, resumption, wrong input."""

from __future__ import annotations

import json
import re

import pytest
from commands import refused
from ingenious_agents.commands import solve
from ingenious_agents.search.exact import Solver, placements_left
from ingenious_agents.search.exact_two import TwoPlayerSolver

from ingenious_env import Game, Record, Rules
from ingenious_env.games.ingenious.notation import text_to_move
from ingenious_env.games.loopit import Rules as LoopitRules

SMALL = ["--side", "3", "--colours", "2", "--counter-top", "2"]
RULES = Rules(1, board_side=3, num_colours=2, counter_top=2)


def ending() -> Game:
    game = Game(Rules.solitaire(), seed=5)
    while len(game.legal_actions()) > 8:
        game.play(int(game.legal_actions()[0]))
    return game


def nodes_of(said: str) -> int:
    return int(re.search(r"positions, (\d+) nodes", said)[1])


def test_the_value_of_a_variant(capsys):
    solve.main(["--players", "1", *SMALL])
    printed = capsys.readouterr()
    solver = Solver(RULES, 1 << 28)
    assert printed.out == f"{solver.value():.6f}\n"
    assert f"{solver.states} positions, {solver.nodes} nodes, " in printed.err


def test_solved_positions_are_taken_up(tmp_path, capsys):
    out = ["--out", str(tmp_path / "solved.safetensors")]
    solve.main([*SMALL, *out])
    first = capsys.readouterr()
    solve.main([*SMALL, *out])
    again = capsys.readouterr()
    assert again.out == first.out
    first_nodes, nodes = (nodes_of(each.err) for each in (first, again))
    assert nodes < first_nodes / 10  # only the first placements are tried again


def test_an_interruption_keeps_what_is_solved(tmp_path, monkeypatch, capsys):
    out = tmp_path / "solved.safetensors"

    def interrupted(solver, **_):
        solver.solve(Game(RULES, seed=1))
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Solver, "value", interrupted)
        with pytest.raises(SystemExit) as stopped:
            solve.main([*SMALL, "--out", str(out)])
    assert stopped.value.code == 1
    said = f"interrupted: {out} has all solved positions so far; the same command continues from there\n"
    assert capsys.readouterr().err.endswith(f"ingenious solve: {said}")
    taken_up = Solver(RULES, 1 << 24)
    taken_up.load(out)
    assert taken_up.states > 0
    solve.main([*SMALL, "--out", str(out)])
    assert capsys.readouterr().out.splitlines()[0] == f"{Solver(RULES, 1 << 24).value():.6f}"


@pytest.mark.parametrize("form", ["record", "position"])
def test_the_placements_of_a_position(form, tmp_path, capsys):
    game, path = ending(), tmp_path / "game.txt"
    if form == "position":
        path.write_text(game.to_text(), encoding="utf-8")
        options = []
    else:
        twin, actions = Game(Rules.solitaire(), seed=5), []
        while len(twin.legal_actions()) > 8:
            actions.append(int(twin.legal_actions()[0]))
            twin.play(actions[-1])
        moves = len(actions)
        while not twin.is_over:
            actions.append(int(twin.legal_actions()[0]))
            twin.play(actions[-1])
        Record.of_actions(Rules.solitaire(), 5, actions).save(path)
        options = ["--moves", str(moves)]
    solve.main(["--position", str(path), "--format", "json", *options])
    found = json.loads(capsys.readouterr().out)["placements"]
    solved = Solver(Rules.solitaire(), 1 << 22).solve(game)
    assert [each["action"] for each in found] == solved.actions.tolist()
    assert [each["value"] for each in found] == pytest.approx(solved.values.tolist())
    assert [game.action(text_to_move(each["move"])) for each in found] == solved.actions.tolist()


def test_moves_are_written_as_in_records(tmp_path, capsys):
    """In every format, in the order of the values."""
    game, path = ending(), tmp_path / "game.txt"
    path.write_text(game.to_text(), encoding="utf-8")
    moves = []
    for action in Solver(Rules.solitaire(), 1 << 22).solve(game).actions.tolist():
        ((one, colour), (other, its)) = game.move(action)
        moves.append(f"{'rgboyp'[colour - 1]}{one[0]},{one[1]} {'rgboyp'[its - 1]}{other[0]},{other[1]}")
    for form in ("markdown", "latex", "csv", "json"):
        solve.main(["--position", str(path), "--format", form])
        printed = capsys.readouterr().out
        at = [printed.find(move) for move in moves]
        assert -1 not in at
        assert at == sorted(at)
        assert "Place" not in printed


TWO = ["--players", "2", "--side", "3", "--colours", "2", "--rack", "2", "--counter-top", "1"]
TWO_RULES = Rules(2, board_side=3, num_colours=2, rack_size=2, counter_top=1)


@pytest.mark.nightly
def test_the_value_of_a_variant_for_two(tmp_path, capsys):
    """It stops at the nodes allowed, and goes on from the file."""
    out = ["--out", str(tmp_path / "solved.safetensors")]
    with pytest.raises(SystemExit) as stopped:
        solve.main([*TWO, *out, "--nodes", "20000"])
    assert stopped.value.code == 2
    assert "not solved within 20000 nodes: give more --nodes than 20000\n" in capsys.readouterr().err
    taken_up = TwoPlayerSolver(TWO_RULES, 1 << 24)
    taken_up.load(tmp_path / "solved.safetensors")
    assert taken_up.states > 0
    solve.main([*TWO, *out])
    printed = capsys.readouterr()
    solver = TwoPlayerSolver(TWO_RULES, 1 << 24)
    assert printed.out == f"{solver.value():.6f}\n"
    assert nodes_of(printed.err) < solver.nodes


def test_a_position_of_two_players(tmp_path, capsys):
    """With both racks seen, and with the own rack only."""
    path, number = tmp_path / "game.txt", 0
    while True:
        game = Game(TWO_RULES, seed=number)
        while not game.is_over and placements_left(game) > 2:
            game.play(game.random_action())
        if not game.is_over and game.phase == "place" and not game.state.swaps[0]:
            break
        number += 1
    path.write_text(game.to_text(), encoding="utf-8")
    solver = TwoPlayerSolver(TWO_RULES, 1 << 20)
    for options, solved in ([], solver.solve(game)), (["--unseen"], solver.solve_unseen(game)):
        solve.main(["--position", str(path), "--format", "json", *options])
        found = json.loads(capsys.readouterr().out)["placements"]
        assert [each["action"] for each in found] == solved.actions.tolist()
        assert [each["value"] for each in found] == solved.values.tolist()


def test_positions_without_such_a_value(tmp_path, capsys):
    path = tmp_path / "game.txt"
    for game, complaint in (
        (Game(TWO_RULES, seed=1), "the other rack must be seen unless"),
        (Game(Rules.solitaire(), seed=1), "--unseen is for positions of two players"),
        (Game(Rules(3), seed=1), "for one or two players, not for 3"),
    ):
        path.write_text(game.to_text(), encoding="utf-8")
        assert complaint in refused(capsys, solve, "--position", str(path), "--unseen")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("--players 3", "the exact solvers are for one or two players, not for 3"),
        ("--players 9", "num_players must be from 1 to 6, not 9"),
        ("--rack 2", "the exact solver is for one player with a rack of one tile"),
        ("--players 2 --rack 1", "--rack must be from 2 to 6, not 1"),
        ("--side 2", "--side must be from 3 to 10, not 2"),
        ("--colours 7", "--colours must be from 2 to 6, not 7"),
        ("--counter-top 64", "--counter-top must be from 1 to 63, not 64"),
        ("--moves 3 --unseen", "without --position FILE these would be ignored: --moves, --unseen"),
        ("--format json", "without --position FILE these would be ignored: --format"),
        ("--position nowhere.txt", "nowhere.txt"),
        ("--position nowhere.txt --side 3", "with --position these would be ignored: --side"),
        ("--position nowhere.txt --players 2", "with --position these would be ignored: --players"),
        ("--position nowhere.txt --unseen --nodes 9", "with --unseen these would be ignored: --nodes"),
    ],
)
def test_what_cannot_be_solved(arguments, complaint, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert complaint in refused(capsys, solve, *arguments.split())


def test_more_memory_than_there_is(monkeypatch, capsys):
    def too_much(rules, memory):
        raise MemoryError(f"Unable to allocate {memory} bytes")

    monkeypatch.setattr(solve, "Solver", too_much)
    said = refused(capsys, solve, *SMALL, "--memory", "100000000")
    assert "this machine does not give 100000000 megabytes: give less --memory" in said


def test_an_interruption_without_a_file_keeps_nothing(monkeypatch, capsys):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(Solver, "value", interrupted)
    with pytest.raises(SystemExit, match="1"):
        solve.main(SMALL)
    assert capsys.readouterr().err.endswith("ingenious solve: interrupted\n")


def test_a_record_is_solved_from_the_deal_to_its_last_move(tmp_path, capsys):
    path, first = tmp_path / "game.txt", int(Game(RULES, seed=1).legal_actions()[0])
    record = Record.of_actions(RULES, 1, [first])
    record.save(path)
    for moves, game in enumerate(map(record.replay, (0, 1))):
        solve.main(["--position", str(path), "--moves", str(moves), "--format", "json"])
        found = json.loads(capsys.readouterr().out)["placements"]
        assert {each["action"] for each in found} == {*game.legal_actions().tolist()}
    said = refused(capsys, solve, "--position", str(path), "--moves", "4100")
    assert said.endswith("--moves must be at most 1, the moves of the record, not 4100")


@pytest.mark.parametrize("moves", [[], ["--moves", "2"]])
def test_an_illegal_move_of_a_record_is_said(moves, tmp_path, capsys):
    path, first = tmp_path / "game.txt", int(Game(RULES, seed=1).legal_actions()[0])
    [move] = Record.of_actions(RULES, 1, [first]).moves
    Record(RULES, (1, 0), (move, move)).save(path)
    assert "move 2 of the record" in refused(capsys, solve, "--position", str(path), *moves)


def test_a_full_table_ends_the_command(capsys):
    with pytest.raises(SystemExit) as stopped:
        solve.main(["--side", "3", "--colours", "3", "--memory", "1"])
    assert stopped.value.code == 2
    assert "positions: give more --memory than 1\n" in capsys.readouterr().err


def test_files_that_have_no_such_position(capsys, tmp_path):
    path = tmp_path / "game.txt"
    path.write_text("nothing", encoding="utf-8")
    refused(capsys, solve, "--position", str(path))
    Record.of_actions(LoopitRules(2), 5, []).save(path)
    said = refused(capsys, solve, "--position", str(path))
    assert "the exact solvers are for ingenious, not for loopit" in said
    out = tmp_path / "solved.safetensors"
    solve.main([*SMALL, "--out", str(out)])
    said = refused(capsys, solve, "--side", "3", "--colours", "3", "--out", str(out))
    assert "it has positions of Rules" in said
