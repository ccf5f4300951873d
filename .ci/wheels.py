"""Ask the package index for wheels on other systems: python .ci/wheels.py writes docs/figures/wheels.json.

pip resolves the package's dependencies, and those of each extra, as if it ran there, and installs nothing.
Left out are the extras with PyTorch, whose wheels are large. What a dependency needs on one system only is
looked up as on the system where this runs.
"""

import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from ingenious_agents.provenance import machine
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
SYSTEMS = {
    # name: sys_platform, platform_machine, tags of wheels
    "Windows, x64": ("win32", "AMD64", ["win_amd64"]),
    "macOS, arm64": ("darwin", "arm64", [f"macosx_{version}_0_arm64" for version in range(11, 16)]),
    "Linux, aarch64": (
        "linux",
        "aarch64",
        ["manylinux2014_aarch64", *(f"manylinux_2_{minor}_aarch64" for minor in (17, 26, 27, 28, 34))],
    ),
}
PYTHONS = ("3.11", "3.14")
EXTRAS = ("", "play", "web", "page", "pixels", "window", "ray", "openspiel", "minari")


def needed(project: dict[str, Any], extra: str, python: str, system: str, processor: str) -> list[str]:
    """The dependencies of the package with an extra, on a system."""
    found = []
    optional = project["optional-dependencies"]
    for text in [*project["dependencies"], *(optional[extra] if extra else ())]:
        each = Requirement(text)
        if each.name == project["name"]:
            found += [
                need for name in each.extras for need in needed(project, name, python, system, processor)
            ]
            continue
        there = {"sys_platform": system, "platform_machine": processor, "python_version": python}
        if each.marker is None or each.marker.evaluate(there):
            each.marker = None
            found.append(str(each))
    return sorted(set(found))


def lacking(requirements: list[str], python: str, tags: list[str]) -> str:
    """The first requirement without a wheel; "" if pip finds all."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "-q",
            "--dry-run",
            "--ignore-installed",
            "--no-input",
        ]
        command += ["--only-binary", ":all:", "--implementation", "cp", "--python-version", python]
        command += [
            "--target",
            folder,
            *(word for tag in tags for word in ("--platform", tag)),
            *requirements,
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own
    errors = [line for line in done.stderr.splitlines() if "No matching distribution found for" in line]
    if done.returncode and not errors:
        raise OSError(done.stderr)
    return errors[0].rpartition(" for ")[2] if errors else ""


def main() -> None:
    """Resolve and write."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    rows = []
    for extra in EXTRAS:
        row = [f"`{extra}`" if extra else "the package"]
        for system, processor, tags in SYSTEMS.values():
            found = {}
            for python in PYTHONS:
                missing = lacking(needed(project, extra, python, system, processor), python, tags)
                found[python] = f"no `{missing}`" if missing else "yes"
            same = set(found.values())
            row.append(same.pop() if len(same) == 1 else ", ".join(f"{k}: {v}" for k, v in found.items()))
        rows.append(row)
        print(row, flush=True)
    figures = {
        "command": "python .ci/wheels.py",
        "commit": machine()["commit"],
        "machine": f"pip, for Python {' and '.join(PYTHONS)}",
        "heads": ["wheels for", *SYSTEMS],
        "rows": rows,
    }
    path = ROOT / "docs" / "figures" / "wheels.json"
    path.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
