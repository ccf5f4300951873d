"""The site: its structure, and what its pages are made from. `test_built_site.py` looks at the result."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module

import pytest
from ingenious_agents.evaluation.card import read_card
from pages import FENCE, ROOT, text_of
from test_public_names import PUBLIC

from ingenious_env.games import definitions

DOCS = ROOT / "docs"
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in DOCS.rglob("*.md"))
MOST_WORDS, MOST_LINES, WORDS_OF_README = 1200, 120, 150
MOST_LINES_OF_A_FOLDER = 40
CARDS = sorted((ROOT / "agents" / "cards").glob("*.json"))


def entries(page):
    """The pages in the toctrees of a page."""
    text = text_of(page)
    for block in re.findall(r"^```\{toctree\}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        for line in block.splitlines():
            if line and not line.startswith(":"):
                yield ((ROOT / page).parent / f"{line}.md").relative_to(ROOT).as_posix()


def test_each_page_is_in_one_toctree():
    found = [entry for page in PAGES for entry in entries(page)]
    assert sorted(found) == sorted(set(PAGES) - {"docs/index.md"})


@pytest.mark.parametrize("page", [page for page in PAGES if not page.startswith("docs/reference/")])
def test_no_page_is_too_long(page):
    assert len(FENCE.sub("", text_of(page)).split()) <= MOST_WORDS


def test_the_readmes_are_short():
    assert len(text_of("README.md").splitlines()) <= MOST_LINES
    for folder in ("agents", "scripts"):
        assert len(text_of(f"{folder}/README.md").splitlines()) <= MOST_LINES_OF_A_FOLDER


def test_the_readme_says_what_why_and_how_to_install_first():
    words = " ".join(text_of("README.md").split()[:WORDS_OF_README])
    for each in ("reinforcement learning environment", "**Why?**", "**Install**", "pip install ."):
        assert each in words


def test_each_public_module_has_a_page():
    listed = set(entries("docs/reference/api/index.md"))
    assert listed == {f"docs/reference/api/{module}.md" for module in PUBLIC}
    assert all(f":::{{names}} {module}\n" in text_of(f"docs/reference/api/{module}.md") for module in PUBLIC)


@pytest.fixture(scope="module")
def extension():
    """The modules of the site's extension."""
    pytest.importorskip("sphinx")
    sys.path.insert(0, str(DOCS / "extensions"))
    yield import_module
    sys.path.remove(str(DOCS / "extensions"))


class Environment:
    """What a directive needs of the environment of a build."""

    def __init__(self, docname="index"):
        self.docname = docname
        self.dependencies = []

    def note_dependency(self, path):
        self.dependencies.append(path)

    def doc2path(self, docname):
        return str(DOCS / f"{docname}.md")


def test_links_lead_to_pages_to_the_repository_or_nowhere(extension, monkeypatch):
    links = extension("links")
    text = "[a](../../CHANGELOG.md#x) [b](../../scripts/seats.py) [c](own_agent.md) [d](https://e.org)\n"
    text += "```python\nnames[0](../../scripts)\n```\n![e](../../.assets/play.png)\n"
    page = DOCS / "howto" / "page.md"
    code = "```python\nnames[0](../../scripts)\n```\n![e](../../.assets/play.png)\n"
    assert links.rewritten(text, page, page) == (
        f"[a](../changes.md#x) b [c](own_agent.md) [d](https://e.org)\n{code}"
    )
    monkeypatch.setattr(links, "address", lambda: "https://example.org/a/b")
    assert "[b](https://example.org/a/b/blob/main/scripts/seats.py)" in links.rewritten(text, page, page)


def test_a_missing_or_broken_file_of_figures_is_refused(extension, monkeypatch, tmp_path):
    figures = extension("figures")
    assert "4.68 million" in figures.table(Environment(), "speed")
    monkeypatch.setattr(figures, "FIGURES", tmp_path)
    with pytest.raises(OSError, match="speed"):
        figures.table(Environment(), "speed")
    (tmp_path / "speed.json").write_text('{"heads": ["a"], "rows": [["1", "2"]]}', encoding="utf-8")
    with pytest.raises(ValueError, match="the file lacks command, commit, machine"):
        figures.table(Environment(), "speed")


TABLES = {
    "seats": ("", "python -m scripts.seats"),
    "levels": ("loopit", "python -m scripts.levels --deals 150"),
    "recipes": ("ingenious two", "python -m scripts.recipes"),
    "field": ("loopit three", "python -m scripts.field three --game loopit"),
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_results_say_how_they_were_made(extension, name):
    """By a command, at a commit, on a machine."""
    if name == "recipes":
        pytest.importorskip("torch")
    argument, command = TABLES[name]
    last = getattr(extension("figures"), name)(Environment(), argument).splitlines()[-1]
    commit, machine = r"commit [0-9a-f]{7}(, with changes)?", "2 cores of an (AMD EPYC|Intel Xeon), Linux"
    assert re.fullmatch(rf"`{command}( --seed \d+)?` · {commit} · {machine}", last)


def test_figures_of_several_runs_name_their_commits(extension):
    here = {"processor": "Intel(R) Xeon(R)", "cores": 2, "system": "Linux-6", "commit": "a" * 40}
    made = extension("figures").made
    assert made("command", here).endswith("`command` · commit aaaaaaa · 2 cores of an Intel Xeon, Linux")
    earlier = [{"commit": each * 40} for each in "bcb"]
    assert made("command", here | {"earlier": earlier}).endswith(
        "Linux; some rows at commit bbbbbbb, ccccccc"
    )


def test_cards_say_how_they_were_made(extension):
    figures = extension("figures")
    assert figures.cards(Environment(), "").endswith(
        "from the cards, each with its command, commit and machine"
    )
    assert all({"command", "made"} <= card.keys() for card in (read_card(path) for path in CARDS))


def cells(table):
    """The cells of a Markdown table, by row."""
    rows = [line.strip("|").split("|") for line in table.splitlines() if line.startswith("|")]
    return [[cell.strip().replace("\u00a0", " ") for cell in row] for row in rows]


def test_results_and_errors_of_networks_are_those_of_their_cards(extension):
    """Each cell stands in the card of its network, in the words of the card."""
    networks, environment = extension("figures").networks, Environment()
    weights = ROOT / "ingenious_env" / "games"
    card = {
        path: " ".join(path.read_text(encoding="utf-8").split())
        for path in weights.glob("*/opponents/weights/*.md")
    }
    (_, *presets), _, *rows = cells(networks(environment, "results"))
    assert [len(rows), *presets] == [3, "two players", "three players", "four players", "two partnerships"]
    files = {each.title: name for name, each in definitions()["ingenious"].presets.items()}
    for name, *results in rows:
        for preset, result in zip(presets, results, strict=True):
            mean, low, high = re.fullmatch(r"([\d.]+) % \[([\d.]+), ([\d.]+)\]", result).groups()
            path = weights / "ingenious/opponents/weights" / f"{files[preset]}.md"
            assert f"| {name.strip('`')} | {mean}% [{low}%, {high}%] |" in card[path]
    (_, *kinds), _, *rows = cells(networks(environment, "calibration"))
    assert (len(rows), len(kinds)) == (len(card), 5)
    for name, *errors in rows:
        game, preset = name.lower().split(", ")
        text = card[weights / game / "opponents/weights" / f"{files[preset]}.md"]
        for kind, error in zip(kinds, errors, strict=True):
            of = kind if kind == "the deal" else f"positions of {kind}"
            pattern = rf"\| mean error from {of} \| ([\d.]+) (?:of a win|spaces) \(before ([\d.]+)\) \|"
            exact = [float(number) for number in re.search(pattern, text).groups()]
            shown = [float(number) for number in re.findall(r"[\d.]+", error)]
            assert shown == pytest.approx(exact, abs=0.0051 if "spaces" in error else 0.00051)
    assert {str(path) for path in card} <= set(environment.dependencies)


@pytest.mark.parametrize(("name", "status"), [("speed", 0), ("missing", 1)])
def test_a_page_with_a_missing_file_does_not_build(name, status, tmp_path):
    pytest.importorskip("sphinx")
    conf = f"import sys\nsys.path.insert(0, {str(DOCS / 'extensions')!r})\n"
    conf += "extensions = ['myst_parser', 'ingenious_site']\n"
    conf += "myst_enable_extensions = ['colon_fence', 'attrs_block']\n"
    (tmp_path / "conf.py").write_text(conf, encoding="utf-8")
    (tmp_path / "index.md").write_text(f"# Page\n\n:::{{figures}} {name}\n:::\n", encoding="utf-8")
    build = ["-m", "sphinx", "-q", "-W", "-b", "dummy", str(tmp_path), str(tmp_path / "out")]
    done = subprocess.run([sys.executable, *build], capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert ("figures missing: " in done.stderr) == bool(status)


def test_observations_by_index_are_those_of_the_layout(extension):
    """Sections follow each other without a gap, up to the length of the vector."""
    environments = extension("environments")
    text = environments.observations(None, "ingenious")
    (table,) = re.findall(r":::\{dropdown\} two: (\d+) entries\n(.*?):::", text, re.DOTALL)
    ends = [0]
    for first, last in re.findall(r"^\| (\d+)(?:–(\d+))? ", table[1], re.MULTILINE):
        assert int(first) == ends[-1]
        ends.append(int(last or first) + 1)
    assert ends[-1] == int(table[0]) == 1261
