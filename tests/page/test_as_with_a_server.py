"""Tests of the browser game in which the server is not the subject, on a page without one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from local_page import LocalBrowser, LocalClient
from page_server import serving_files

sys.path.append(str(Path(__file__).parents[1] / "web"))

from test_browser_advice import (  # noqa: F401 - collected here, too
    test_hints_on_the_board_and_in_a_list,
    test_no_tile_is_cut_off,
    test_the_better_move_is_drawn,
    test_the_curve_and_its_marks,
)
from test_browser_moves import (  # noqa: F401
    test_a_swap_is_explained_and_shows_its_tiles,
    test_a_tile_is_dragged_from_the_rack,
    test_previews_are_what_is_scored,
    test_what_a_screen_reader_is_told,
    test_what_does_not_count_and_a_counter_that_is_full,
    test_what_is_left_in_the_bag_is_told_in_solitaire,
    test_why_a_tile_cannot_lie_there,
)
from test_browser_page import test_nothing_is_wider_than_the_window  # noqa: F401
from test_browser_review import (  # noqa: F401
    test_each_control_at_each_position,
    test_no_two_elements_have_one_id,
)
from test_browser_tables import test_playing_on_from_a_replay, test_two_people_at_one_page  # noqa: F401


@pytest.fixture(scope="module", name="port")
def _port(files):
    with serving_files(files) as port:
        yield port


@pytest.fixture(name="browser")
def _local_browser(chromium):
    return LocalBrowser(chromium)


@pytest.fixture(name="client")
def _client(browser, port):
    return LocalClient(browser, port)
