"""Games of logs in the browser game: what a log names is never run."""

import subprocess
import sys

import pytest
from ingenious_agents.commands.play import Args, options_of
from ingenious_agents.evaluation.log import Log
from ingenious_agents.evaluation.scheduler import Schedule, run
from ingenious_agents.evaluation.tournament import Tournament
from ingenious_agents.registry import AGENTS, chooses_code

from ingenious_env import Record, Rules
from ingenious_env.web.tables import HUMAN


@pytest.mark.parametrize("name", ["process:command=touch MARK", "openspiel:bot=os.getcwd", "own_agent.Agent"])
def test_agents_that_choose_code_are_replaced_by_people(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "log.jsonl"
    log = Log.open(
        path, Tournament.of(Rules(2, board_side=3, num_colours=2, rack_size=2), ("greedy", "uniform"))
    )
    run(Schedule(log, 1, None), progress=False)
    path.write_text(path.read_text().replace('"uniform"', f'"{name}"'))
    options, offered = options_of(Args(agents=("greedy",), open=path, replay=1))
    assert sorted(options["seats"]) == sorted([HUMAN, "greedy"])
    assert offered == ["greedy"]
    assert Record.from_text(options["text"]).replay().is_over
    assert [each.name for each in tmp_path.iterdir()] == ["log.jsonl"]


def test_kinds_that_choose_code():
    """All others have numbers, names of utilities and paths of data as parameters."""
    assert {kind for kind in AGENTS if chooses_code(f"{kind}:x=1")} == {"process", "openspiel"}
    assert chooses_code("mine.Snatcher")


def test_offering_agents_loads_no_large_library():
    code = (
        "import sys; from ingenious_agents.commands.play import Args, options_of;"
        "print(*options_of(Args())[1]); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    offered, loaded = (line.split() for line in done.stdout.splitlines())
    assert "value-search" in offered
    assert not {"torch", "stable_baselines3", "pyspiel", "matplotlib", "pandas", "ray"} & {*loaded}
