"""The command that optimises bags whose order is known: its files, resumption, reports, wrong input."""

from __future__ import annotations

import errno
import json
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest
from commands import refused
from failing import FailsAt
from ingenious_agents.commands import optimise
from ingenious_agents.evaluation import known_bags
from ingenious_agents.evaluation.known_bags import KnownBags, Limit, run, study_table
from ingenious_agents.search import known_bag
from ingenious_agents.search.known_bag import Round, improve

from ingenious_env import Record, Rules
from ingenious_env.engine.files import write_text

SMALL = ["--side", "3", "--colours", "3", "--processes", "1"]
RULES = Rules(1, board_side=3, num_colours=3)


@pytest.fixture(autouse=True)
def short_rounds(monkeypatch):
    monkeypatch.setattr(known_bag, "SHORTEST", 2000)


def test_the_best_line_is_a_record_and_a_second_call_goes_on(tmp_path, capsys):
    command = ["2", "0", *SMALL, "--seed", "4", "--format", "json", "--out", str(tmp_path), "--rounds"]
    optimise.main([*command, "1"])
    first = json.loads(capsys.readouterr().out)["bags"]
    before = (tmp_path / "rounds.jsonl").read_text().splitlines()
    optimise.main([*command, "3"])
    bags = json.loads(capsys.readouterr().out)["bags"]
    assert [each["bag"] for each in bags] == [2, 0]
    assert [each["rounds"] for each in first] == [1, 1]
    for each, earlier in zip(bags, first, strict=True):
        bag, record = each["bag"], Record.load(tmp_path / f"bag-{each['bag']}.txt")
        assert (record.rules, record.seed) == (RULES, (4, bag))
        counters = sorted(record.replay().scores[0].tolist())
        assert each["counters"] == " ".join(map(str, counters))
        assert each["lowest"] == counters[0] == max(improve(RULES, (4, bag), n).lowest for n in range(3))
        assert earlier["lowest"] <= each["lowest"] <= each["at_most"]
        assert each["rounds"] == 3
    assert set(before) < set((tmp_path / "rounds.jsonl").read_text().splitlines())


def rounds_of(study):
    """All but the time."""
    return {
        (bag, number): (each.lowest, each.actions)
        for bag, rounds in study.rounds.items()
        for number, each in rounds.items()
    }


def test_rounds_are_the_same_in_pieces_and_on_several_workers(tmp_path):
    found = []
    for name, pieces in (("whole", [(3, 1)]), ("pieces", [(1, 1), (3, 2)])):
        folder = tmp_path / name
        folder.mkdir()
        for rounds, workers in pieces:
            study = KnownBags(folder, RULES, 1)
            with ThreadPoolExecutor(workers) as executor:
                run(study, (0, 1), Limit(rounds=rounds), executor, workers, progress=False)
            with (folder / "rounds.jsonl").open("a") as file:
                file.write('{"format":"ingenious rou')  # as a killed process leaves it
        found.append(rounds_of(KnownBags(folder, RULES, 1)))
    assert found[0] == found[1]
    assert len(found[0]) == 6


@pytest.mark.parametrize("number", range(3))
def test_rounds_in_hand_are_logged_though_another_fails(number, tmp_path):
    study = KnownBags(tmp_path, RULES, 1)
    with FailsAt(number, 3) as executor, pytest.raises(ChildProcessError, match="process has ended"):
        run(study, (0, 1, 2), Limit(rounds=2), executor, 3, progress=False)
    assert executor.submitted == 3
    assert sorted(rounds_of(KnownBags(tmp_path, RULES, 1))) == [(bag, 0) for bag in range(3) if bag != number]


def test_a_last_line_without_its_end_is_a_round(tmp_path):
    study = KnownBags(tmp_path, RULES, 1)
    with ThreadPoolExecutor(1) as executor:
        run(study, (0,), Limit(rounds=2), executor, 1, progress=False)
    log = tmp_path / "rounds.jsonl"
    log.write_text(log.read_text().removesuffix("\n"))
    assert rounds_of(KnownBags(tmp_path, RULES, 1)) == rounds_of(study)


def test_a_worse_line_does_not_replace_the_record(tmp_path):
    study = KnownBags(tmp_path, RULES, 1)
    lines = sorted(
        (improve(RULES, (1, 0), number, steps=30) for number in range(8)), key=lambda each: each.lowest
    )
    worst, best = lines[0], lines[-1]
    assert worst.lowest < best.lowest
    for number, each in enumerate((worst, best, worst)):
        study.add(0, Round(number, each.lowest, each.actions, 1.0))
    assert Record.load(study.path(0)) == Record.of_actions(RULES, (1, 0), best.actions)
    assert study.best(0) == Round(1, best.lowest, best.actions, 1.0)
    assert study.best(0, 1.5) == Round(0, worst.lowest, worst.actions, 1.0)


def test_records_are_those_of_the_best_lines_after_a_full_disk(tmp_path, monkeypatch, capsys):
    """Write, on opening, the record of a round that was logged while its record could not be written."""

    def full(path, text):
        if path.suffix == ".txt":
            raise OSError(errno.ENOSPC, "No space left on device")
        write_text(path, text)

    command = ["0", *SMALL, "--rounds", "1", "--out", str(tmp_path)]
    with monkeypatch.context() as patch:
        patch.setattr(known_bags, "write_text", full)
        with pytest.raises(SystemExit, match="1"):
            optimise.main(command)
    assert "No space left" in capsys.readouterr().err
    record = tmp_path / "bag-0.txt"
    assert not record.exists()
    optimise.main(command)
    best = Record.of_actions(RULES, (0, 0), KnownBags(tmp_path, RULES, 0).rounds[0][0].actions)
    assert Record.load(record) == best
    Record(RULES, (0, 0), best.moves[:1]).save(record)
    optimise.main(command)
    assert Record.load(record) == best


def test_an_interruption_keeps_the_rounds_in_hand(tmp_path, monkeypatch, capsys):
    def interrupted(*arguments, **options):
        signal.raise_signal(signal.SIGINT)
        return improve(*arguments, **options)

    command = ["0", "1", *SMALL, "--rounds", "2", "--out", str(tmp_path)]
    with monkeypatch.context() as patch:
        patch.setattr(known_bags, "improve", interrupted)
        with pytest.raises(SystemExit) as stopped:
            optimise.main(command)
    assert stopped.value.code == 1
    assert "the same command continues from there" in capsys.readouterr().err
    assert list(KnownBags(tmp_path, RULES, 0).rounds) == [0]
    optimise.main(command)
    assert len(rounds_of(KnownBags(tmp_path, RULES, 0))) == 4


def test_an_interruption_in_the_last_round_leaves_nothing_to_make(tmp_path, monkeypatch, capsys):
    calls = []

    def interrupted(*arguments, **options):
        calls.append(arguments)
        if len(calls) == 2:
            signal.raise_signal(signal.SIGINT)
        return improve(*arguments, **options)

    monkeypatch.setattr(known_bags, "improve", interrupted)
    optimise.main(["0", "1", *SMALL, "--rounds", "1", "--format", "json", "--out", str(tmp_path)])
    assert len(json.loads(capsys.readouterr().out)["bags"]) == len(calls) == 2


def test_the_table_of_a_study(tmp_path, monkeypatch):
    """Three bags: 4 of 9 after a second and 7 after ten; 9 of 9 at once; 5 of 9 after a second, no more."""
    study = KnownBags(tmp_path, RULES, 1)
    monkeypatch.setattr(study, "bound", lambda _: 9)
    times = {0: [(4, 0.5), (3, 0.5), (7, 8.0), (8, 2.0)], 1: [(9, 0.25)], 2: [(5, 0.75), (6, 0.75)]}
    for bag, rounds in times.items():
        study.rounds[bag] = {n: Round(n, lowest, (), spent) for n, (lowest, spent) in enumerate(rounds)}
    one, ten, spent = study_table(study, range(3), 10.0).records
    assert (one["seconds"], one["bags"], one["lowest"], one["gap"]) == (1, 3, 6, 3)
    assert one["closed"] == pytest.approx(1 / 3)
    assert (one["least"], one["most"], one["at_most"]) == (4, 9, 9)
    assert (ten["seconds"], ten["bags"], ten["lowest"], ten["gap"], ten["closed"]) == (10, 2, 8, 1, 0.5)
    assert one["lowest_half_width"] == pytest.approx(1.96 * (7**0.5) / 3**0.5, rel=1e-3)  # 4, 9 and 5
    assert (spent["seconds"], spent["bags"], spent["least"], spent["most"]) == (4.25, 3, 6, 9)
    assert spent["lowest"] == pytest.approx(23 / 3)
    assert study_table(study, range(3), 1.0).records == [one, ten]


@pytest.mark.parametrize("limit", ["--rounds 1", "--seconds 0.0001", "--seconds 0.0001 --rounds 2"])
def test_a_study_that_ends_before_the_first_level_has_a_row(limit, tmp_path, capsys):
    command = ["--deals", "3", *SMALL, *limit.split(), "--out", str(tmp_path), "--format"]
    printed = {}
    for form in ("json", "csv", "markdown"):
        optimise.main([*command, form])
        printed[form] = capsys.readouterr().out
    (row,) = json.loads(printed["json"])["study"]
    study = KnownBags(tmp_path, RULES, 0)
    best = [study.best(bag).lowest for bag in range(3)]
    assert (row["bags"], row["least"], row["most"]) == (3, min(best), max(best))
    assert row["lowest"] == pytest.approx(sum(best) / 3)
    assert row["seconds"] == pytest.approx(sum(map(study.spent, range(3))) / 3, abs=0.006)
    assert printed["csv"].splitlines()[1].split(",")[:2] == [str(row["seconds"]), "3"]
    (line,) = printed["markdown"].splitlines()[2:]
    assert [cell.strip() for cell in line.split("|")[1:3]] == [f"{row['seconds']:g}", "3"]


def test_a_bag_ends_at_its_bound(tmp_path):
    """On a large board all counters reach the end of a short sheet at once."""
    rules = Rules(1, num_colours=2, counter_top=1, double_sheet=False)
    study = KnownBags(tmp_path, rules, 0)
    run(study, (0,), Limit(rounds=5), progress=False)
    assert [each.lowest for each in study.rounds[0].values()] == [1]
    assert study.next((0,), Limit(rounds=5), []) is None


def test_wrong_input_is_one_sentence(tmp_path, capsys):
    out = ["--out", str(tmp_path)]
    assert "give numbers of bags, or --deals N" in refused(capsys, optimise, *out)
    assert "give numbers of bags, or --deals N" in refused(capsys, optimise, "7", "--deals", "3", *out)
    assert "must be a whole number from 0" in refused(capsys, optimise, "-1", *out)
    assert "--side must be from 3 to 10" in refused(capsys, optimise, "1", "--side", "2", *out)
    KnownBags(tmp_path, RULES, 1).add(0, improve(RULES, (1, 0), steps=30))
    assert "give another --out" in refused(capsys, optimise, "0", *out)
    (tmp_path / "rounds.jsonl").write_text("[1]\n")
    assert "a line that is not a round" in refused(capsys, optimise, "0", *out)


def test_a_damaged_log_is_refused(tmp_path, capsys):
    """Each value of each entry of another type, and results that do not follow from the actions."""
    out = [*SMALL, "--out", str(tmp_path)]
    optimise.main(["0", "--rounds", "1", *out])
    log = tmp_path / "rounds.jsonl"
    (right,) = map(json.loads, log.read_text().splitlines())
    actions = right["actions"]
    wrong = [{name: each} for name in right for each in (None, True, "x", [], {}, float("nan"), 0.5)]
    right_types = ({"rules": "x"}, {"format": "x"}, {"actions": []}, {"seconds": 0.5})
    wrong = [each for each in wrong if each not in right_types]
    wrong += [{"actions": each} for each in (["a"], [None], [1.5], [*actions[:-1], True], [2**70])]
    wrong += [{name: each} for name in ("bag", "number", "lowest", "bound", "seed") for each in (-1, 2**64)]
    wrong += [{"seconds": each} for each in (-1, 1e300, 10**400)]
    for each in wrong:
        log.write_text(json.dumps(right | each) + "\n")
        said = refused(capsys, optimise, "0", *out)
        assert f"{log} has a line that is not a round" in said, each
    deep = json.dumps(right).replace(json.dumps(actions), "[" * 100_000 + "]" * 100_000)
    for end in ("", "\n"):
        log.write_text(deep + "\n" + json.dumps(right) + end)
        assert "a line that is not a round" in refused(capsys, optimise, "0", *out)
    for each in (
        {"lowest": right["lowest"] + 1},
        {"actions": []},
        {"actions": actions[:-1]},
        {"actions": [*actions, 0]},
        {"actions": [actions[0], actions[0]]},
        {"bag": 1},
    ):
        log.write_text(json.dumps(right | each) + "\n")
        assert "does not follow from its actions" in refused(capsys, optimise, "0", *out), each
    log.write_text(
        json.dumps(right, separators=(",", ":")) + "\n" + deep.replace(": ", ":").replace(", ", ",")
    )
    optimise.main(["0", "--rounds", "1", *out])  # its end counts as cut off
