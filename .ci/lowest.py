"""Print constraints to the lowest versions that pyproject.toml allows: python .ci/lowest.py [EXTRA ...]."""

import re
import sys
import tomllib
from pathlib import Path

FLOOR = re.compile(r"([\w.-]+)(?:\[[^]]*\])?>=([\w.]+)")


def lowest(project: dict[str, object], extras: list[str]) -> list[str]:
    """Lines `name==version` of the dependencies and of extras, without those that have markers."""
    optional = project["optional-dependencies"]
    needed = [*project["dependencies"], *(each for extra in extras for each in optional[extra])]  # type: ignore[misc,index]
    found = [match for each in needed if ";" not in each and (match := FLOOR.match(each))]
    return sorted({f"{match[1]}=={match[2]}" for match in found})


if __name__ == "__main__":
    text = (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    print("\n".join(lowest(tomllib.loads(text)["project"], sys.argv[1:])))
