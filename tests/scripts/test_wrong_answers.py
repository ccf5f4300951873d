"""An agent that chooses no legal action: commands call it by the name that was typed."""

from __future__ import annotations

import pytest
from ingenious_agents.commands import match, rate, score, solitaire, tournament

CODE = """
import numpy as np

class Illegal:
    def act(self, view):
        return np.full(len(view), -1)

class Staged(Illegal):
    staged = True

class Short:
    def act(self, view):
        return np.zeros(0, int)
"""
SAID = {
    "Illegal": ": action -1 is illegal: ",
    "Staged": ": action -1 is illegal: ",
    "Short": ": must choose an action for each game, integers [",
}


@pytest.mark.parametrize("agent", SAID)
@pytest.mark.parametrize(
    ("script", "arguments"),
    [
        (match, "greedy --deals 1"),
        (tournament, "greedy --deals 1 --processes 1"),
        (solitaire, "greedy --deals 1 --processes 1"),
        (score, "--endings"),
        (rate, "--deals 1 --processes 1"),
    ],
    ids=lambda value: getattr(value, "PROG", ""),
)
def test_the_agent_is_named_as_it_was_typed(agent, script, arguments, tmp_path, monkeypatch, capsys):
    (tmp_path / "wrong_answers.py").write_text(CODE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    name = f"wrong_answers.{agent}"
    with pytest.raises(SystemExit) as stopped:
        script.main([name, *arguments.split()])
    assert stopped.value.code == 2
    said = capsys.readouterr().err.splitlines()[-1].lstrip()  # earlier ones are of progress bars
    assert said.startswith(f"{script.PROG}: {name}{SAID[agent]}")
    assert "environments" not in said
    assert " at 0x" not in said
