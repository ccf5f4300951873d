"""What a release consists of: metadata, citation, forms and workflows, without an address and with one."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tomllib
from email import message_from_string
from pathlib import Path
from zipfile import ZipFile

import pytest

pytest.importorskip("hatchling")
from hatchling import build

ROOT = Path(__file__).parents[1]
EXAMPLE = "https://example.org/somebody/ingenious-env"
SITE = "https://somebody.example.org/ingenious-env"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSION = PROJECT["version"]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


def script(name):
    """A module of `.ci`."""
    spec = importlib.util.spec_from_file_location(name, ROOT / ".ci" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


metadata, lowest, wheels = script("metadata"), script("lowest"), script("wheels")


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A copy of what the metadata are made from, with the example address and two small packages."""
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", ".ci/metadata.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    for name in ("ingenious_env", "agents/ingenious_agents"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "__init__.py").write_text('"""Nothing."""\n', encoding="utf-8")
    with_address(tmp_path, EXAMPLE, SITE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def with_address(root, address, site=""):
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    for key, value in {"repository": address, "site": site}.items():
        text, count = re.subn(rf'^{key} = ".*"$', f'{key} = "{value}"', text, flags=re.MULTILINE)
        assert count == 1
    (root / "pyproject.toml").write_text(text, encoding="utf-8")


def test_without_an_address_nothing_names_one(project):
    with_address(project, "")
    folder = project / build.prepare_metadata_for_build_wheel(str(project))
    found = message_from_string((folder / "METADATA").read_text(encoding="utf-8"))
    assert "https://" not in metadata.citation(project)
    assert found.get_all("Project-URL") is None
    assert found.get_payload().strip() == README.strip()
    assert found["Description-Content-Type"] == "text/markdown"


def test_with_an_address_the_wheel_has_links_and_badges(project, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    names = [make(str(project / "dist")) for make in (build.build_wheel, build.build_sdist)]
    paths = [project / "dist" / name for name in names]
    with ZipFile(paths[0]) as wheel:
        text = wheel.read(f"ingenious_env-{VERSION}.dist-info/METADATA").decode()
    found = message_from_string(text)
    assert dict(each.split(", ") for each in found.get_all("Project-URL")) == {
        "Source": EXAMPLE,
        "Documentation": f"{SITE}/",
        "Changelog": f"{EXAMPLE}/blob/main/CHANGELOG.md",
        "Issues": f"{EXAMPLE}/issues",
    }
    readme = found.get_payload()
    assert f"({EXAMPLE}/raw/v{VERSION}/.assets/game.gif)" in readme
    assert f"[CHANGELOG.md]({EXAMPLE}/blob/v{VERSION}/CHANGELOG.md)" in readme
    assert f"({EXAMPLE}/actions/workflows/tests.yml/badge.svg)" in readme
    assert FENCE.findall(readme) == FENCE.findall(README)
    links = re.findall(r"\]\(([^()\s]+)\)", FENCE.sub("", readme))
    assert len(links) > 20
    assert all(link.startswith(("https://", "#")) for link in links)
    run("twine", "check", "--strict", *map(str, paths))
    hashes = [hashlib.sha256(path.read_bytes()).digest() for path in paths]
    for make in (build.build_wheel, build.build_sdist):
        make(str(project / "again"))
    assert [hashlib.sha256((project / "again" / name).read_bytes()).digest() for name in names] == hashes


def test_the_citation_is_that_of_the_release(project):
    assert (ROOT / "CITATION.cff").read_text(encoding="utf-8") == metadata.citation(ROOT)
    assert f"\nversion: {VERSION}\n" in metadata.citation(ROOT)
    assert f"version = {{{VERSION}}}" in README
    (project / "CITATION.cff").write_text(metadata.citation(project), encoding="utf-8")
    assert f"\nrepository-code: {EXAMPLE}\nurl: {SITE}/\n" in metadata.citation(project)
    for path in (ROOT / "CITATION.cff", project / "CITATION.cff"):
        schema("citation-file-format", path)


def test_without_a_site_the_documentation_is_in_the_repository(project):
    with_address(project, EXAMPLE)
    assert (
        metadata.urls(EXAMPLE, metadata.address_of(project, "site"))["Documentation"]
        == f"{EXAMPLE}/tree/main/docs"
    )


BUILD = """
import sys
sys.path.insert(0, sys.argv[1] + "/extensions")
import play
play.has_linker = lambda: False  # the game takes long, and has no address
from sphinx.cmd.build import main
sys.exit(main(["-q", "-W", "-b", "html", *sys.argv[1:]]))
"""


def test_with_an_address_the_site_leads_to_the_repository_and_names_itself(project):
    """A site of one page, with the settings and the directives of the whole one."""
    pytest.importorskip("sphinx")
    for name in ("extensions", "_static"):
        shutil.copytree(ROOT / "docs" / name, project / "docs" / name)
    shutil.copy(ROOT / "docs" / "conf.py", project / "docs")
    page = "# Page\n\n[a script](../scripts/seats.py)\n"
    (project / "docs" / "index.md").write_text(page, encoding="utf-8")
    for address, site in ((EXAMPLE, SITE), ("", "")):
        with_address(project, address, site)
        out = project / f"site{len(address)}"
        command = [sys.executable, "-c", BUILD, str(project / "docs"), str(out)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
        assert done.returncode == 0, done.stdout + done.stderr
        text = (out / "index.html").read_text(encoding="utf-8")
        assert (f'href="{EXAMPLE}/blob/main/scripts/seats.py"' in text) == bool(address)
        assert (f'<a href="{EXAMPLE}" title="Repository"' in text) == bool(address)
        assert (f'<link rel="canonical" href="{SITE}/index.html"' in text) == bool(site)


@pytest.mark.parametrize("address", ["http://example.org/a", "https://example.org", EXAMPLE + "/"])
def test_other_addresses_are_refused(address, project):
    with_address(project, address)
    with pytest.raises(ValueError, match="repository must be an https address without a slash at its end"):
        metadata.address_of(project)


def test_workflows_and_forms_fit_their_schemas():
    forms = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("[!c]*.yml"))
    assert len(forms) >= 3
    schema("github-issue-forms", *forms)
    schema("github-issue-config", ROOT / ".github" / "ISSUE_TEMPLATE" / "config.yml")
    schema("github-workflows", *sorted((ROOT / ".github" / "workflows").glob("*.yml")))
    schema("dependabot", ROOT / ".github" / "dependabot.yml")


def test_actions_are_pinned_by_commit():
    text = "".join(path.read_text("utf-8") for path in (ROOT / ".github" / "workflows").glob("*.yml"))
    used = re.findall(r"uses: (?!\./)(.*)", text)  # but for those of this repository
    assert len(used) > 10
    assert [each for each in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v[\d.]+", each)] == []
    assert len({each.partition(" ")[0] for each in used}) == len({each.partition("@")[0] for each in used})


def test_pythons_are_the_same_everywhere():
    listed = [each.rpartition(" ")[2] for each in PROJECT["classifiers"] if ":: Python :: 3." in each]
    assert listed[0] == PROJECT["requires-python"].removeprefix(">=")
    assert f"| Python | {listed[0]} to {listed[-1]} |" in (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    workflow = (ROOT / ".github" / "workflows" / "tests.yml").read_text("utf-8")
    assert "python: [{}]".format(", ".join(f'"{each}"' for each in listed)) in workflow


def test_hooks_before_a_commit_are_checks_of_each_change():
    """Those of both languages."""
    hooks = re.findall(r"entry: ([^,]+),", (ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    lines = re.sub(
        r'"\$python" -m |^\.venv/bin/', "", (ROOT / ".ci" / "run").read_text("utf-8"), flags=re.MULTILINE
    )
    assert [hook for hook in hooks if not re.search(rf"^{re.escape(hook)}( |$)", lines, re.MULTILINE)] == []
    tools = [Path(hook.split()[0]).name for hook in hooks]
    assert tools == ["ruff", "ruff", "mypy", "lint-imports", "tsc", "eslint", "prettier"]


def test_each_part_of_the_nightly_checks_is_a_job():
    """And runs when no part is named; the first comment lists it."""
    text = (ROOT / ".ci" / "nightly").read_text("utf-8")
    parts = re.findall(r"^(\w+)\(\) \{", text, re.MULTILINE)
    workflow = (ROOT / ".github" / "workflows" / "nightly.yml").read_text("utf-8")
    assert len(parts) > 5
    assert f"part: [{', '.join(parts)}]" in workflow
    assert f'"${{@:-{" ".join(parts)}}}"' in text
    assert f".ci/nightly {' '.join(parts)}\n" in text


def test_the_lowest_versions_are_those_of_the_project():
    found = lowest.lowest(PROJECT, ["play"])
    assert "numba==0.62" in found
    assert "tyro==1.0" in found
    assert len(found) == len(PROJECT["dependencies"]) + len(PROJECT["optional-dependencies"]["play"])


def schema(name, *paths):
    run("check_jsonschema", "--builtin-schema", f"vendor.{name}", *map(str, paths))


def run(module, *arguments):
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_wheels_are_looked_up_for_all_extras_but_those_with_pytorch():
    """Which the page of systems lists, for each system."""
    extras = {
        each for each in PROJECT["optional-dependencies"] if each not in ("dev", "docs", "nightly", "all")
    }
    large = {each for each in extras if any("torch" in need for need in needs(each, "linux", "3.11"))}
    assert {*wheels.EXTRAS} == {"", *extras - large}
    found = json.loads((ROOT / "docs" / "figures" / "wheels.json").read_text(encoding="utf-8"))
    assert [row[0].strip("`") for row in found["rows"]] == ["the package", *wheels.EXTRAS[1:]]
    assert found["heads"][1:] == [*wheels.SYSTEMS]


def needs(extra, system, python):
    """What the script asks for, without versions."""
    return {re.match(r"[\w-]+", each)[0] for each in wheels.needed(PROJECT, extra, python, system, "x86_64")}


def test_what_a_system_needs_depends_on_it():
    assert needs("", "win32", "3.11") == {"gymnasium", "numba", "numpy", "pettingzoo", "safetensors"}
    assert "pygame" in needs("window", "linux", "3.11")
    assert "pygame-ce" in needs("window", "linux", "3.14")
    assert "pylunasvg" in needs("window", "win32", "3.11")
    assert "pillow" not in needs("window", "win32", "3.11")
