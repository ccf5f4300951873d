"""Tables of pages are those of the files of figures."""

from __future__ import annotations

from ingenious_agents.tables import written
from pages import ROOT

from scripts import seats


def test_the_page_shows_the_figures_of_seats():
    page = (ROOT / "docs" / "benchmark.md").read_text(encoding="utf-8")
    rows = seats.rows_in(ROOT / "docs" / "figures" / "seats.json")
    assert written([seats.table_of(rows)], "markdown") in page
    assert {row.preset for row in rows} == set(seats.presets_of(None))
