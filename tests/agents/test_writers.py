"""Two writers of one file or folder: the second is refused and changes nothing; readers see whole files."""

from __future__ import annotations

import os
import sys
import threading
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from commands import refused
from ingenious_agents.commands import tournament
from ingenious_agents.folders import locked, locked_folder
from ingenious_agents.training.model_card import write_section

from ingenious_env import Record, Rules
from ingenious_env.cli import COMMANDS
from ingenious_env.engine.files import PARTIAL, write_arrays, write_text
from ingenious_env.policies.value import ValueNetwork, model_of

OUT = ["--out", "{folder}/log.jsonl"]
LOG = ["--deals", "1", "--processes", "1", *OUT]
WRITERS = {
    "tournament": ("--out", ["uniform", "uniform", *LOG]),
    "solitaire": ("--out", ["uniform", *LOG]),
    "train_value": ("--folder", ["--games", "20", "--folder", "{folder}"]),
    "train_value, again": ("--folder", ["--games", "20", "--folder", "{folder}", "--resume"]),
    "train_ppo": ("--folder", ["--num-envs", "2", "--folder", "{folder}"]),
    "train_ppo, again": ("--folder", ["--num-envs", "2", "--folder", "{folder}", "--resume"]),
    "calibrate": ("--path", ["--path", "{folder}/agent.safetensors", "--deals", "1"]),
    "dataset": ("--folder", ["--agent", "greedy", "--games", "1", "--folder", "{folder}"]),
    "disagreements": ("--out", ["two", "--game", "loopit", "--count", "1", *OUT]),
    "level_losses": ("--out", ["two", "--games", "1", *OUT]),
    "levels": ("--out", ["--deals", "2", *OUT]),
    "recipes": ("--out", ["two", "--seeds", "1", *OUT]),
    "optimise": ("--out", ["7", "--processes", "1", "--out", "{folder}"]),
    "seats": ("--out", ["greedy", "--game", "loopit", *OUT]),
}
FOLDERS = ("train_value", "train_ppo", "calibrate", "dataset", "optimise")
"""Those that lock the whole folder."""
NEEDS = {"train_value": "torch", "recipes": "torch", "train_ppo": "sb3_contrib", "dataset": "minari"}


def network(value: float = 0.0) -> ValueNetwork:
    rules = Rules()
    return ValueNetwork(rules, np.full(model_of(rules).architecture(rules).num_weights, value, np.float32))


def contents(folder: Path) -> dict[Path, bytes]:
    return {
        path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and ".lock" not in path.name
    }


@pytest.mark.parametrize("name", WRITERS)
def test_the_second_writer_is_refused(name, tmp_path, capsys):
    """Every command that writes a log, a network, a checkpoint or a dataset, or continues a file of rows."""
    option, words = WRITERS[name]
    script_name = name.partition(",")[0]
    pytest.importorskip(NEEDS.get(script_name, "numpy"))
    is_command = script_name in COMMANDS
    script = import_module(COMMANDS[script_name].module if is_command else f"scripts.{script_name}")
    network().save(tmp_path / "agent.safetensors")
    for left in (".left.3-ab.part", ".film.part", ".log.jsonl.7-ab.part", "card.md", "checkpoint.pt"):
        (tmp_path / left).write_text("as it was")
    before = contents(tmp_path)
    is_folder = script_name in FOLDERS
    held = locked_folder(tmp_path, option) if is_folder else locked(tmp_path / "log.jsonl", option)
    with held:
        swept = contents(tmp_path)
        arguments = [word.format(folder=tmp_path) for word in words]
        output = refused(capsys, script, *arguments)
        assert f"is being written by another process; let it end, or give another {option}" in output
        assert contents(tmp_path) == swept
    mine = {tmp_path / ".log.jsonl.7-ab.part"}  # of killed writers; in a folder all are
    assert set(before) - set(swept) == mine | ({tmp_path / ".left.3-ab.part"} if is_folder else set())


def test_no_option_is_named_that_a_command_does_not_have(tmp_path, capsys, monkeypatch):
    from scripts import field

    monkeypatch.chdir(tmp_path)
    path = Path("runs/field") / field.file_of("ingenious", "four")
    path.parent.mkdir(parents=True)
    with locked(path.with_suffix(".jsonl"), ""):
        output = refused(capsys, field, "four", "--processes", "1")
    assert output.endswith("is being written by another process; let it end")


def test_a_network_that_is_trained_meanwhile_is_not_overwritten(tmp_path, capsys, monkeypatch):
    """Nor is its card written by a writer without a lock."""
    from ingenious_agents.commands import calibrate

    path = tmp_path / "agent.safetensors"
    network().save(path)
    monkeypatch.setattr(calibrate, "error_of", lambda *_: 0.0)
    monkeypatch.setattr(calibrate, "deals_of_calibration", lambda seed: seed)

    class Curve:
        @staticmethod
        def shares(*_):
            return None

    class Played:
        values = progress = None

    def claims(*_):
        network(1.0).save(path)
        return Played

    monkeypatch.setattr(calibrate, "claims_of", claims)
    monkeypatch.setattr(calibrate, "fit", lambda _: Curve)
    assert "has changed meanwhile, and is left as it is" in refused(capsys, calibrate, "--path", str(path))
    assert ValueNetwork.load(path).weights[0] == 1.0
    assert not (tmp_path / "card.md").exists()


@pytest.mark.parametrize("spoilt", ["folder", "card"])
def test_calibrate_finds_out_before_it_plays_that_it_cannot_write(tmp_path, capsys, monkeypatch, spoilt):
    from ingenious_agents.commands import calibrate

    path = tmp_path / "agent.safetensors"
    network().save(path)
    monkeypatch.setattr(calibrate, "played_claims", None)
    if spoilt == "card":
        (tmp_path / "card.md").write_bytes(b"\xff\x00")
        assert "card.md is not a text" in refused(capsys, calibrate, "--path", str(path))
        return

    def denied(_self, *_arguments, **_options):
        raise PermissionError(13, "Permission denied", "agent.safetensors")

    monkeypatch.setattr(Path, "touch", denied)
    assert "Permission denied" in refused(capsys, calibrate, "--path", str(path))


def whole_text(path: Path, number: int) -> None:
    write_text(path, str(number) * 50_000)


def whole_arrays(path: Path, number: int) -> None:
    write_arrays(path, {"number": number}, {"array": np.full(20_000, number)})


def whole_card(path: Path, number: int) -> None:
    write_section(path, "One", str(number) * 50_000)


def whole_record(path: Path, number: int) -> None:
    Record(Rules.solitaire(), (number, 0), ("swap",) * 10_000).save(path)


@pytest.mark.parametrize("write", [whole_text, whole_arrays, whole_card, whole_record])
def test_readers_see_whole_files_while_two_write(write, tmp_path):
    """Each time one of the two versions, and no other file is left."""
    versions = set()
    for number in (1, 2):
        write(tmp_path / "alone", number)
        versions.add((tmp_path / "alone").read_bytes())
        (tmp_path / "alone").unlink()
    assert len(versions) == 2
    path, done = tmp_path / "file", threading.Event()
    write(path, 1)

    def writes(number: int) -> None:
        for _ in range(60):
            write(path, number)

    threads = [threading.Thread(target=writes, args=(number,)) for number in (1, 2)]
    seen = set()

    def reads() -> None:
        while not done.is_set():
            seen.add(path.read_bytes())

    reader = threading.Thread(target=reads)
    for thread in (*threads, reader):
        thread.start()
    for thread in threads:
        thread.join()
    done.set()
    reader.join()
    assert seen <= versions
    assert not list(tmp_path.glob(PARTIAL))


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege, and there are no such pipes")
@pytest.mark.parametrize("write", [whole_text, whole_arrays, whole_card, whole_record])
def test_only_a_file_is_replaced(write, tmp_path):
    """A link stays, and so does what is no file; the error names it."""
    (tmp_path / "folder").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "folder" / "file")
    write(link, 1)
    assert link.is_symlink()
    assert (tmp_path / "folder" / "file").stat().st_size > 0
    os.mkfifo(tmp_path / "pipe")
    for kept in (tmp_path / "folder", tmp_path / "pipe"):
        with pytest.raises(OSError, match=f"{kept} is not a regular file; name another path"):
            write_text(kept, "")
        assert not kept.is_file()


def test_an_error_names_the_file_that_was_to_be_written(tmp_path):
    with pytest.raises(FileNotFoundError) as raised:
        write_text(tmp_path / "none" / "file", "")
    assert raised.value.filename == str(tmp_path / "none" / "file")


def test_a_log_is_no_folder(tmp_path, capsys):
    """Nothing in the folder changes, though the name of its file is that of a temporary one."""
    (tmp_path / ".film.1-x.part").touch()
    output = refused(capsys, tournament, "uniform", "greedy", "--deals", "1", "--out", str(tmp_path))
    assert f"{tmp_path} is not a regular file" in output
    with pytest.raises(OSError, match="is not a regular file"), locked(tmp_path, "--out"):
        pass
    assert [each.name for each in tmp_path.iterdir()] == [".film.1-x.part"]
