"""Metadata with the public addresses of the project, `repository` and `site` of `[tool.ingenious]`.

The build (hatchling's metadata hook) adds the project's addresses, and a README whose links lead there and
which has badges. `python .ci/metadata.py` writes `CITATION.cff`. Without an address, all of that is left out.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"(!?)(\[[^][]*\])\((?!https?:|#)([^()\s]+)\)")
RELEASE = re.compile(r"^## \[(\d[^]]*)\] - (\d{4}-\d\d-\d\d)$", re.MULTILINE)


class AddressHook(MetadataHookInterface):
    """Adds `urls` and `readme`, which `pyproject.toml` declares as dynamic."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add both to the project's metadata."""
        root = Path(self.root)
        address = address_of(root)
        metadata["urls"] = urls(address, address_of(root, "site"))
        readme = absolute((root / "README.md").read_text(encoding="utf-8"), address, metadata["version"])
        metadata["readme"] = {"content-type": "text/markdown", "text": readme}


def address_of(root: Path, key: str = "repository") -> str:
    """An address without a slash at its end, "" for none; ValueError if it is none."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    address: str = settings["tool"]["ingenious"][key]
    path = "+" if key == "repository" else "*"  # a site may have a host of its own
    if address and not re.fullmatch(rf"https://[\w.-]+\.\w+(/[\w.~-]+){path}", address):
        msg = f"{key} must be an https address without a slash at its end, or empty, not {address!r}"
        raise ValueError(msg)
    return address


def urls(address: str, site: str) -> dict[str, str]:
    """The addresses that a package index shows."""
    if not address:
        return {}
    return {
        "Source": address,
        "Documentation": f"{site}/" if site else f"{address}/tree/main/docs",
        "Changelog": f"{address}/blob/main/CHANGELOG.md",
        "Issues": f"{address}/issues",
    }


def absolute(readme: str, address: str, version: str) -> str:
    """The README with badges, and with links to the files of a version in place of relative ones."""
    if not address:
        return readme

    def linked(match: re.Match[str]) -> str:
        kind = "raw" if match[1] else "blob"
        return f"{match[1]}{match[2]}({address}/{kind}/v{version}/{match[3]})"

    title, rest = LINK.sub(linked, readme).split("\n", 1)
    workflow = f"{address}/actions/workflows/tests.yml"
    return f"{title}\n\n[![Tests]({workflow}/badge.svg)]({workflow})\n{rest}"


def citation(root: Path) -> str:
    """`CITATION.cff` of the latest release in the changelog."""
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    version, date = RELEASE.findall(changelog)[0]
    lines = [
        "cff-version: 1.2.0",
        "message: If you use this software, please cite it as follows.",
        "type: software",
        'title: "Ingenious-env: the board game Ingenious for reinforcement learning"',
        f'abstract: "{project["description"]}"',
        "authors:",
        *(f'  - name: "{author["name"]}"' for author in project["authors"]),
        f"version: {version}",
        f"date-released: {date}",
        f"license: {project['license']}",
        "keywords:",
        *(f"  - {keyword}" for keyword in project["keywords"]),
    ]
    if address := address_of(root):
        lines.append(f"repository-code: {address}")
    if site := address_of(root, "site"):
        lines.append(f"url: {site}/")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    (ROOT / "CITATION.cff").write_text(citation(ROOT), encoding="utf-8")
