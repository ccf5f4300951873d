"""The list of deliberate bugs is in order; `python -m scripts.mutate` checks that the tests notice them."""

import re
from pathlib import Path

import pytest
from locate import plant
from mutations import MUTATIONS
from selection import FIRST, FOLDERS, all_tests, stages

from ingenious_env import Rules
from ingenious_env.games.ingenious.observation import Layout
from ingenious_env.games.ingenious.state import FIELDS
from scripts import mutate

ROOT = Path(__file__).parents[2]
RULES = ROOT / "ingenious_env" / "games" / "ingenious" / "RULES.md"
NOT_CODE = {"8.2"}
"""Paragraphs that no code implements: counts to check against."""


def test_names_are_distinct():
    assert len({mutation.name for mutation in MUTATIONS}) == len(MUTATIONS) >= 80


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_a_mutation_fits_the_code(mutation):
    """Its function is there, its pattern matches once, and what comes of it is other Python."""
    plant(mutation, ROOT)


def test_every_paragraph_of_the_rules_has_a_mutation():
    paragraphs = set(re.findall(r"^(\d\.\d) ", RULES.read_text(encoding="utf-8"), re.MULTILINE))
    assert {mutation.paragraph for mutation in MUTATIONS} - {""} == paragraphs - NOT_CODE


def test_every_field_of_a_game_has_a_mutation():
    assert {mutation.field for mutation in MUTATIONS} - {""} == {field.name for field in FIELDS}


def test_every_section_of_observations_has_a_mutation():
    assert {mutation.section for mutation in MUTATIONS} - {""} == set(Layout(Rules()).sections)


def test_the_selection_of_tests_is_of_files_that_there_are():
    tests = all_tests(ROOT)
    assert [name for names in FIRST.values() for name in names.split() if name not in tests] == []
    folders = {name for names in FOLDERS.values() for name in names.split()}
    assert [name for name in folders if not (ROOT / "tests" / name).is_dir()] == []
    assert [path for path in [*FIRST, *FOLDERS] if not (ROOT / path).exists()] == []


def test_tests_written_for_a_file_come_first_and_the_golden_ones_last():
    first, rest = stages(ROOT, "ingenious_env/core/threads.py")
    assert first == ["tests/core/test_threads.py"]
    assert rest[0].startswith("tests/core/")
    assert rest[-1].startswith("tests/golden/")
    assert not set(first) & set(rest)
    only = ["golden", "threads"]
    assert stages(ROOT, "ingenious_env/core/threads.py", only) == [[*first, "tests/golden/test_golden.py"]]


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
    expected = "excess-not-lost: the excess over 18 is lost; RULES.md 4.3 ("
    assert [line for line in lines if line.startswith(expected)]
