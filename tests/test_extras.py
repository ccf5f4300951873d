"""Where a library of an extra is missing, the sentence names what to install: all modules, all examples."""

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ingenious_env.cli import COMMANDS
from ingenious_env.engine.extras import needs

ROOT = Path(__file__).parents[1]
LIBRARIES = [
    "torch", "tensordict", "torchrl", "pyspiel", "open_spiel", "stable_baselines3", "sb3_contrib", "tqdm",
    "tyro", "tabulate", "filelock", "matplotlib", "ray", "starlette", "uvicorn", "platformdirs", "pygame",
    "agilerl", "jax", "mctx", "tianshou", "minari", "pylunasvg", "resvg_py", "cma", "optuna",
]  # fmt: skip
MODULES = {
    "ingenious_env.torchrl": "ingenious-env[torchrl]",
    "ingenious_env.sb3": "ingenious-env[train]",
    "ingenious_env.openspiel": "ingenious-env[openspiel]",
    "ingenious_env.openspiel.games": "ingenious-env[openspiel]",
    "ingenious_env.networks": "ingenious-env[torch]",
    "ingenious_env.networks.placement": "ingenious-env[torch]",
    "ingenious_env.networks.head": "ingenious-env[torch]",
    "ingenious_env.networks.sb3": "ingenious-env[torch]",
    "ingenious_agents.cluster": "ingenious-env[ray]",
    "ingenious_agents.tables": "ingenious-env[play]",
    "ingenious_agents.evaluation.match": "ingenious-env[play]",
    "ingenious_agents.guests.openspiel": "ingenious-env[openspiel]",
    "ingenious_agents.guests.sb3": "ingenious-env[train]",
    "ingenious_agents.guests.torch": "ingenious-env[torch]",
    "ingenious_agents.ppo.agent": "ingenious-env[torch]",
    "ingenious_agents.ppo.sb3": "ingenious-env[train]",
    "ingenious_agents.ppo.training": "ingenious-env[train]",
    "ingenious_agents.value.network": "ingenious-env[torch]",
}
EXAMPLES = sorted(path.stem for path in (ROOT / "scripts" / "examples").glob("[!_]*.py"))
HIDE = f"""
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {LIBRARIES!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Hidden())
"""


def run(code):
    return subprocess.run(
        [sys.executable, "-c", HIDE + code], capture_output=True, text=True, cwd=ROOT, check=False
    )


def test_modules_name_their_extras():
    code = f"""
import importlib
for name in {list(MODULES)!r}:
    loaded = [each for each in sys.modules if each.startswith(("ingenious_env.networks", "ingenious_agents"))]
    for each in loaded:
        del sys.modules[each]
    try:
        importlib.import_module(name)
        print(name, "can be imported")
    except ModuleNotFoundError as error:
        print(name, "|", error)
"""
    answer = run(code)
    assert not answer.stderr
    said = dict(line.split(" | ") for line in answer.stdout.splitlines())
    assert said.keys() == MODULES.keys()
    for name, extra in MODULES.items():  # agents may name that of a module which they import before
        named = extra if name.startswith("ingenious_env") else "ingenious-env["
        assert f"which is not installed: pip install '{named}" in said[name], name


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_end_in_one_sentence(name):
    answer = run(f"""
import runpy
sys.argv = ["{name}", "--help"]
runpy.run_module("scripts.examples.{name}", run_name="__main__")
""")
    assert answer.returncode == 1
    (line,) = answer.stderr.splitlines()
    assert line.startswith("this example needs ")
    assert "which is not installed: pip install " in line
    text = (ROOT / "scripts" / "examples" / f"{name}.py").read_text(encoding="utf-8")
    command = next(each for each in text.splitlines() if "pip install" in each)  # of its docstring
    assert packages_of(line.partition(": ")[2]) == packages_of(command)


def installed_by(extra):
    """The names of the distributions that an extra brings, those of the extras that it includes as well."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    found = set()
    for each in extras[extra]:
        included = re.match(r"ingenious-env\[([\w,]+)\]", each)
        if included:
            found.update(*(installed_by(name) for name in included[1].split(",")))
        else:
            found.add(re.match(r"[\w-]+", each)[0])
    return found


@pytest.mark.parametrize(
    ("command", "library"), [("play", "uvicorn"), ("page", "ziglang"), ("match", "tyro")]
)
def test_a_command_needs_its_extra_only(command, library):
    """Libraries of other extras, which bear the names of their distributions, are not there."""
    pytest.importorskip(library)
    others = {"filelock", "matplotlib", "platformdirs", "starlette", "tabulate", "tqdm", "tyro", "uvicorn"}
    hidden = sorted(others - installed_by(COMMANDS[command].extra))
    assert "matplotlib" in hidden or command == "match"
    code = HIDE.replace(repr(LIBRARIES), repr(hidden))
    code += f"from ingenious_env.cli import main\nmain([{command!r}, '--help'])"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert (answer.returncode, answer.stderr) == (0, "")


def packages_of(command):
    """The packages that a command installs, this one from its checkout or not."""
    words = shlex.split(command.replace("-c .ci/constraints.txt", ""))[2:]
    words = [word for word in words if word != "-e"]
    return {re.sub(r"^\.(?=\[|$)", "ingenious-env", word) for word in words}


def test_human_mode_names_the_window_extra():
    answer = run("""
import gymnasium as gym
for name in ("Versus-v0", "Solitaire-v0", "Loopit-v0"):
    try:
        gym.make(f"ingenious_env:ingenious/{name}", render_mode="human")
    except ImportError as error:
        print(error)
from ingenious_env import ingenious_v0
env = ingenious_v0.raw_env(render_mode="human")
env.reset(seed=1)
""")
    assert (
        answer.stdout.count(
            "render_mode=\"human\" needs the extra `window`: pip install 'ingenious-env[window]'"
        )
        == 3
    )


def test_other_errors_stay_as_they_are():
    with pytest.raises(ModuleNotFoundError, match="No module named 'ingenious_env"), needs("x", "y"):
        import ingenious_env.nonsense  # noqa: F401
    with pytest.raises(SystemExit) as ended, needs("x", "a b[c]", ends=True):
        import nonsense  # noqa: F401
    assert ended.value.code == "x needs nonsense, which is not installed: pip install a 'b[c]'"
