"""The benchmark of first visits: games are begun and moves played, and times follow each other."""

from __future__ import annotations

import gzip
import re
from urllib.request import urlopen

import pytest

pytest.importorskip("starlette")

from scripts.benchmark import visits

FAST = visits.Device(
    options={"viewport": {"width": 1280, "height": 640}}, slowdown=1, latency=0, throughput=1000
)


@pytest.fixture(scope="module", name="folder")
def _folder(files, tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return folder


def test_a_table_of_visits(folder, monkeypatch, capsys):
    monkeypatch.setattr(visits, "DEVICES", {"screen": FAST})
    visits.main(["--page", str(folder), "--times", "1"])
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| screen")]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    assert [name for name, *_ in cells] == ["screen, files packed", "screen, files as they are"]
    for _, _, *times in cells:
        seconds = [float(re.fullmatch(r"([\d.]+) s", each)[1]) for each in times]
        assert seconds == sorted(seconds)
    packed, plain = (int(size) for _, size, *_ in cells)
    assert 100 < packed < plain / 2


@pytest.mark.parametrize("packs", [True, False])
def test_files_are_served_whole(folder, packs):
    with visits.file_server(folder, packs=packs) as port:
        for path, name in (("", "index.html"), ("data/games.json?x", "data/games.json")):
            with urlopen(f"http://127.0.0.1:{port}/{path}") as answer:
                content = answer.read()
            packed = answer.headers["Content-Encoding"] == "gzip"
            assert packed == packs
            assert (gzip.decompress(content) if packed else content) == (folder / name).read_bytes()


def test_a_folder_without_a_page_is_refused(tmp_path, capsys):
    with pytest.raises(SystemExit):
        visits.main(["--page", str(tmp_path)])
    assert f"there is no page in {tmp_path}" in capsys.readouterr().err
