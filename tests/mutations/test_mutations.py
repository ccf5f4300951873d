"""The list of deliberate bugs is in order; `python -m scripts.mutate` checks that the tests detect them."""

import importlib
import re
from pathlib import Path

import pytest
from locate import plant
from mutations import MUTATIONS
from selection import FIRST, FOLDERS, all_tests, stages

from ingenious_env.games.ingenious import INGENIOUS
from ingenious_env.games.loopit import LOOPIT
from scripts import mutate

ROOT = Path(__file__).parents[2]
NOT_CODE = {"ingenious": {"8.2"}, "loopit": {"4.2", "8"}}
"""Paragraphs that no code implements: counts and a worked example to check against."""
GAMES = {"ingenious": INGENIOUS, "loopit": LOOPIT}

each_game = pytest.mark.parametrize("game", GAMES)


def test_names_are_distinct():
    assert len({mutation.name for mutation in MUTATIONS}) == len(MUTATIONS) >= 80


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_a_mutation_fits_the_code(mutation):
    """Its function is there, its pattern matches once, and the result is different Python."""
    plant(mutation, ROOT)


def named(game: str, kind: str) -> set[str]:
    """The paragraphs, fields or sections of a game that mutations name."""
    return {getattr(mutation, kind) for mutation in MUTATIONS if mutation.game == game} - {""}


def paragraphs(document: Path) -> set[str]:
    """The numbers of all paragraphs, and of sections without paragraphs."""
    text = document.read_text(encoding="utf-8")
    numbered = set(re.findall(r"^(\d\.\d) ", text, re.MULTILINE))
    sections = set(re.findall(r"^## (\d) ", text, re.MULTILINE))
    return numbered | (sections - {number[0] for number in numbered})


@each_game
def test_every_paragraph_of_the_rules_has_a_mutation(game):
    (document,) = {mutation.document for mutation in MUTATIONS if mutation.game == game}
    found = paragraphs(ROOT / "ingenious_env" / "games" / game / document)
    assert NOT_CODE[game] < found
    assert named(game, "paragraph") == found - NOT_CODE[game]


@each_game
def test_every_field_of_a_game_has_a_mutation(game):
    assert named(game, "field") == set(GAMES[game].layout.fields)


@each_game
def test_every_section_of_observations_has_a_mutation(game):
    definition = GAMES[game]
    assert named(game, "section") == set(definition.observation(definition.rules()).sections)


def test_the_selection_of_tests_is_of_files_that_there_are():
    tests = all_tests(ROOT)
    assert [name for names in FIRST.values() for name in names.split() if name not in tests] == []
    folders = {name for names in FOLDERS.values() for name in names.split()}
    assert [name for name in folders if not (ROOT / "tests" / name).is_dir()] == []
    assert [path for path in [*FIRST, *FOLDERS] if not (ROOT / path).exists()] == []


def test_tests_written_for_a_file_come_first_and_the_golden_ones_last():
    first, rest = stages(ROOT, "ingenious_env/compiled/threads.py")
    assert first == ["tests/compiled/test_threads.py"]
    assert rest[0].startswith("tests/compiled/")
    assert rest[-1].startswith("tests/golden/")
    assert not set(first) & set(rest)
    only = ["golden", "threads"]
    assert stages(ROOT, "ingenious_env/compiled/threads.py", only) == [
        [*first, "tests/golden/test_golden.py"]
    ]


def test_tests_of_the_same_game_come_first():
    first, rest = stages(ROOT, "ingenious_env/games/loopit/kernels/observation.py")
    assert first == [f"tests/games/loopit/test_loopit_{name}.py" for name in ("observation", "hidden")]
    assert rest[0].startswith("tests/games/loopit/")
    assert not [path for path in rest if path.startswith("tests/games/ingenious/")]


def test_tests_with_a_browser_come_after_those_without():
    *_, rest = stages(ROOT, "ingenious_env/web/advising.py")
    slow = ["/test_browser_" in path for path in rest]
    assert any(slow)
    assert slow == sorted(slow)


@pytest.mark.parametrize(
    ("option", "complaint"),
    [("--only", "there is no mutation nonsense"), ("--tests", "there are no tests nonsense, but actions,")],
)
def test_names_that_there_are_not_are_refused(option, complaint, capsys):
    with pytest.raises(SystemExit, match="2"):
        mutate.main([option, "nonsense"])
    assert complaint in capsys.readouterr().err


def test_the_list_names_what_each_breaks(capsys):
    assert mutate.main(["--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(MUTATIONS)
    for expected in (
        "excess-not-lost: the excess over 18 is lost; RULES.md 4.3 (",
        "loopit-draw-onto-the-next-rack: the rack of who has played is filled up; LOOPIT.md 3.4 (",
    ):
        assert [line for line in lines if line.startswith(expected)]


def test_those_of_an_interrupted_run_are_left_out(capsys):
    """All in order, of all and of chosen ones; a run of none is refused."""
    assert mutate.main(["--list"]) == 0
    everything = capsys.readouterr().out.splitlines()
    assert mutate.main(["--list", "--skip", "120"]) == 0
    assert capsys.readouterr().out.splitlines() == everything[120:]
    chosen = [each.split(":")[0] for each in everything[7:4:-1]]
    assert mutate.main(["--list", "--skip", "1", "--only", *chosen]) == 0
    assert [each.split(":")[0] for each in capsys.readouterr().out.splitlines()] == chosen[1:]
    with pytest.raises(SystemExit, match="2"):
        mutate.main(["--skip", str(len(MUTATIONS))])
    assert f"--skip {len(MUTATIONS)} leaves none of {len(MUTATIONS)} mutations" in capsys.readouterr().err


@pytest.mark.nightly  # its extra is installed there
def test_a_generic_sample_is_not_empty(capsys):
    generic = importlib.import_module("scripts.mutate_generic")
    with pytest.raises(SystemExit, match="2"):
        generic.main(["--sample", "3", "--skip", "3", "--paths", "ingenious_env/sb3.py"])
    assert "--skip 3 leaves none of 3 changes" in capsys.readouterr().err


@pytest.mark.nightly
def test_changes_without_an_effect_are_not_tried_again(tmp_path, monkeypatch):
    generic = importlib.import_module("scripts.mutate_generic")
    monkeypatch.setattr(generic, "EQUIVALENT", tmp_path / "equivalent.txt")
    [first, *others] = generic.sample(["ingenious_env/sb3.py"], 4, 0)
    [line] = [each[1:] for each in generic.diff(*first).splitlines() if each.startswith("+")]
    (tmp_path / "equivalent.txt").write_text(
        f"# why\n{first[0].file} | {line} | a reason\n", encoding="utf-8"
    )
    assert generic.sample(["ingenious_env/sb3.py"], 3, 0) == others
