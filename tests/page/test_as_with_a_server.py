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
    test_hints_are_those_of_the_table_that_is_shown,
    test_hints_on_the_board_and_in_a_list,
    test_no_tile_is_cut_off,
    test_numbers_of_hints_say_what_their_meters_say,
    test_settings,
    test_the_better_move_is_drawn,
    test_the_curve_and_its_marks,
)
from test_browser_agents import (  # noqa: F401
    test_hints_say_what_their_agent_is,
    test_the_dialog_says_what_the_chosen_agents_are,
)
from test_browser_browsers import (  # noqa: F401
    test_a_game_is_played_whatever_the_browser_keeps,
    test_back_and_forward,
    test_keys_of_other_layouts,
    test_keys_with_others_are_not_ours,
    test_letters_follow_the_size_that_the_reader_has_chosen,
    test_markup_is_text,
    test_the_first_dialog_is_closed,
)
from test_browser_film import test_each_position_is_in_the_film  # noqa: F401
from test_browser_moves import (  # noqa: F401
    test_a_swap_is_explained_and_shows_its_tiles,
    test_a_tile_is_dragged_from_the_rack,
    test_previews_are_what_is_scored,
    test_what_a_screen_reader_is_told,
    test_what_does_not_count_and_a_counter_that_is_full,
    test_what_is_left_in_the_bag_is_told_in_solitaire,
    test_why_a_tile_cannot_lie_there,
)
from test_browser_own_games import (  # noqa: F401
    test_own_games_are_listed_named_opened_and_deleted,
    test_results_of_agents_in_the_bag_of_the_day,
    test_seats_of_one_person_are_not_offered,
    test_the_bag_of_the_day_is_the_same_for_all,
)
from test_browser_pace import (  # noqa: F401
    test_moves_of_others_come_one_after_the_other,
    test_somebody_does_not_want_to_wait,
    test_the_setting_is_kept,
)
from test_browser_page import (  # noqa: F401
    test_a_click_waits_for_what_is_loaded_on_first_use,
    test_coordinates_on_empty_cells,
    test_nothing_is_wider_than_the_window,
    test_the_list_of_moves,
    test_the_theme_is_kept,
)
from test_browser_partners import (  # noqa: F401
    test_a_phone_names_all_partners_and_opponents,
    test_a_table_names_the_partners,
    test_own_games_name_the_partners,
    test_the_second_of_the_partners_comes_first_for_its_reader,
    test_who_plays_for_no_single_seat_sees_both_sides,
)
from test_browser_real import (  # noqa: F401
    test_a_game_is_entered_by_mouse,
    test_a_game_that_has_begun_is_laid_on_its_board,
    test_a_game_that_has_begun_is_typed,
    test_another_seat_swaps,
    test_hints_draws_and_taking_back,
    test_tiles_are_laid_by_touch,
)
from test_browser_retry import test_nothing_is_taken_back_meanwhile  # noqa: F401
from test_browser_review import (  # noqa: F401
    test_each_control_at_each_position,
    test_news_while_an_earlier_position_is_shown,
    test_no_two_elements_have_one_id,
)
from test_browser_saved_page import (  # noqa: F401
    test_a_game_that_began_with_a_position,
    test_a_game_that_goes_on_is_not_saved,
    test_a_saved_page_is_that_of_the_record,
)
from test_browser_sounds import (  # noqa: F401
    test_each_kind_of_event_has_its_sound,
    test_sounds_are_off_by_default_and_not_loaded,
)
from test_browser_tables import (  # noqa: F401
    test_a_new_game_is_chosen_and_shared,
    test_a_part_of_the_dialog_stays_as_it_was_switched,
    test_a_record_or_position_is_played_on_by_who_is_chosen,
    test_another_game_at_the_end,
    test_back_and_forward_of_two_people_at_one_page,
    test_playing_on_from_a_replay,
    test_two_people_at_one_page,
)
from test_browser_teaching import (  # noqa: F401
    test_a_guided_first_move,
    test_a_level_is_chosen_for_all_opponents,
    test_a_table_of_people_gets_opponents_by_a_level,
    test_mistakes_are_retried,
    test_the_report_at_the_end_has_losses_and_luck,
    test_the_report_on_solitaire,
    test_the_rules_are_those_of_the_table,
    test_the_rules_page_by_page,
)


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
