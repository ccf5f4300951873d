"""The options of the trainings: each is explained in --help."""

from dataclasses import fields

import pytest

pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from scripts import train_ppo, train_value
from scripts.training import field_docstrings, option_name, parse_options


@pytest.mark.parametrize("script", [train_value, train_ppo])
def test_each_option_is_explained(script, capsys):
    meanings = field_docstrings(script.Args)
    assert meanings.keys() == {field.name for field in fields(script.Args)}
    assert all(len(meaning.split()) >= 3 for meaning in meanings.values())
    with pytest.raises(SystemExit):
        parse_options(script.Args, ["--help"], "prog", None, ("quick", "full"))
    told = " ".join(capsys.readouterr().out.split())
    for name, meaning in meanings.items():
        assert f"{option_name(name)} " in told
        assert meaning in told
