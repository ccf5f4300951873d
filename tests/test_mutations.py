"""The list of deliberate bugs is in order; `python -m scripts.mutate` checks that the tests notice them."""

import ast
from pathlib import Path

import pytest
from mutations import MUTATIONS

from scripts import mutate

ROOT = Path(__file__).parent.parent


def test_names_are_distinct_and_there_are_many():
    assert len({mutation.name for mutation in MUTATIONS}) == len(MUTATIONS) >= 40


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_a_mutation_fits_the_code(mutation):
    text = (ROOT / mutation.file).read_text(encoding="utf-8")
    assert text.count(mutation.old) == 1
    assert mutation.new != mutation.old
    ast.parse(text.replace(mutation.old, mutation.new))


@pytest.mark.parametrize(
    ("option", "complaint"),
    [("--only", "there is no mutation nonsense"), ("--tests", "there are no tests nonsense, but aec,")],
)
def test_names_that_there_are_not_are_refused(option, complaint, capsys):
    with pytest.raises(SystemExit, match="2"):
        mutate.main([option, "nonsense"])
    assert complaint in capsys.readouterr().err
