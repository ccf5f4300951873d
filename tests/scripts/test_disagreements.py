"""The script that makes sets of positions in which strong agents differ."""

from __future__ import annotations

import pytest
from commands import refused
from ingenious_agents import make_agent
from ingenious_agents.evaluation.field import SEED
from ingenious_agents.evaluation.positions import (
    DISAGREEMENTS,
    FOLDER,
    estimated,
    path_of,
    read_positions,
    write_positions,
)

from ingenious_env import View
from ingenious_env.engine.definition import definitions
from scripts import disagreements

NUMBER = 16


@pytest.fixture(autouse=True, scope="module")
def _small_blocks():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(disagreements, "BLOCK", 4)
        yield


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A set of Loopit, and the words that make it."""
    path = tmp_path_factory.mktemp("sets") / "set.jsonl"
    words = ["two", "--game", "loopit", "--rollouts", str(NUMBER), "--seed", "3"]
    disagreements.main([*words, "--count", "9", "--out", str(path)])
    return path, words


def test_the_judges_differ_in_each_position(made):
    path, _ = made
    positions = read_positions(path)
    assert len({each.seed for each in positions}) == len(positions) == 9
    judges = [make_agent(name) for name in disagreements.ROLES["loopit"].judges]
    for each in positions[:4]:
        game = each.game()
        chosen = {int(judge.act(View.of(game))[0]) for judge in judges}
        assert len(chosen) > 1
        assert chosen <= set(each.values) <= set(game.legal_actions().tolist())
        assert each.rollouts.kind[0] == disagreements.ROLES["loopit"].rollouts
        assert each.rollouts.number == NUMBER


def test_a_set_is_continued(made, tmp_path):
    """After fewer positions, and from a file that ends within a block of games."""
    path, words = made
    other = tmp_path / "set.jsonl"
    for count in ("2", "9", "5"):
        disagreements.main([*words, "--count", count, "--out", str(other)])
    assert other.read_bytes() == path.read_bytes()


def test_an_interrupted_set_keeps_its_positions(made, tmp_path, monkeypatch, capsys):
    path, words = made
    other = tmp_path / "set.jsonl"
    block = disagreements.Maker.block

    def interrupted(maker, number):
        if number == 1:
            raise KeyboardInterrupt
        return block(maker, number)

    monkeypatch.setattr(disagreements.Maker, "block", interrupted)
    with pytest.raises(SystemExit) as stopped:
        disagreements.main([*words, "--count", "100", "--out", str(other)])
    assert stopped.value.code == 1
    assert "interrupted" in capsys.readouterr().err
    found = read_positions(other)
    assert found == read_positions(path)[: len(found)]


def test_other_sets_are_not_continued(made, tmp_path, capsys):
    path, words = made
    other = tmp_path / "set.jsonl"
    write_positions(other, read_positions(path)[:2])
    for changed in (["--seed", "4"], ["--rollouts", "24"], ["--game", "ingenious"]):
        said = refused(capsys, disagreements, *words, *changed, "--count", "9", "--out", str(other))
        assert "has other positions" in said


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("", "preset must be one of"),
        ("solitaire --game loopit", "preset must be one of two, three, four"),
        ("two --rollouts 7", "--rollouts must be from 8"),
        ("two --rollouts 100001", "--rollouts must be from 8"),
        ("two --count 0", "--count must be"),
    ],
)
def test_sets_that_are_not(words, complaint, capsys):
    assert complaint in refused(capsys, disagreements, *words.split())


@pytest.mark.parametrize(
    ("game", "preset"),
    [("ingenious", "two"), ("ingenious", "three"), ("ingenious", "four"), ("ingenious", "partnership"),
     ("loopit", "two")],
)  # fmt: skip
def test_the_sets_of_the_package_can_be_made_again(game, preset):
    """The values of the first positions; the results of single rollouts may depend on the processor."""
    path = path_of(game, preset, DISAGREEMENTS)
    positions = read_positions(path)
    assert positions[0].rules == definitions()[game].presets[preset].rules
    assert len({each.seed[1] for each in positions}) == len(positions)
    assert {each.seed[0] for each in positions} == {disagreements.Args().seed}
    assert disagreements.Args().seed != SEED
    few = positions[:2]
    policy = make_agent(few[0].rollouts.policy)
    again = estimated(few, [list(each.values) for each in few], policy, few[0].rollouts)
    for one, other in zip(few, again, strict=True):
        assert other.values == pytest.approx(one.values, abs=2 / one.rollouts.number)
        assert other.best == pytest.approx(one.best, abs=8 / one.rollouts.number)


def test_the_package_stays_small():
    sizes = [path.stat().st_size for path in FOLDER.iterdir()]
    assert sum(sizes) < 1_500_000
