"""Partners in a real browser: who plays with whom, at a table and in the dialogs that begin one."""

import pytest

pytest.importorskip("starlette")

from browser import Tab
from browser_play import PHONE, sit_down
from test_browser_own_games import made, names, with_tables

from ingenious_env import Rules

PARTNERSHIP = Rules.partnership()
TEAMS = ["You and greedy 3", "greedy 2 and greedy 4"]


def lines(page, selector):
    return page.locator(selector).all_inner_texts()


def test_a_table_names_the_partners(client, browser):
    tab, _, _ = sit_down(client, browser, PARTNERSHIP)
    assert tab.page.inner_text(".who") == " against ".join(TEAMS)
    assert lines(tab.page, ".other b") == ["greedy 2", "greedy 3", "greedy 4"]
    assert lines(tab.page, ".other .partner") == ["with greedy 4", "your partner", "with greedy 2"]
    assert lines(tab.page, "#sheets header b") == TEAMS[::-1]
    tab.close()


def test_a_phone_names_all_partners_and_opponents(client, browser):
    tab, _, _ = sit_down(client, browser, PARTNERSHIP, **PHONE)
    assert lines(tab.page, "#strip b") == TEAMS
    tab.close()
    tab, _, _ = sit_down(client, browser, Rules(3), "level 10", **PHONE)
    assert lines(tab.page, "#strip b") == ["You", "level 10 2", "level 10 3"]
    assert lines(tab.page, ".partner") == []
    assert tab.page.inner_text(".who") == "You against level 10 2, level 10 3"
    tab.close()


@pytest.mark.parametrize(
    ("seats", "seen"),
    [
        (["greedy", "lowest", "concave", "value"], "greedy and concave against lowest and value"),
        (["human", "lowest", "human", "value"], "Player 1 and Player 3 against lowest and value"),
    ],
    ids=["spectator", "two people"],
)
def test_who_plays_for_no_single_seat_sees_both_sides(client, browser, seats, seen):
    table = made(client, PARTNERSHIP, seats)
    tab = Tab(browser, client.port)
    tab.sit_down(table["id"], ",".join(table["keys"].values()))
    assert tab.page.inner_text(".who") == seen
    tab.close()


def test_the_second_of_the_partners_comes_first_for_its_reader(client, browser):
    table = made(client, PARTNERSHIP, ["human", "lowest", "human", "value"])
    tab = Tab(browser, client.port)
    tab.sit_down(table["id"], table["keys"]["2"])
    assert tab.page.inner_text(".who") == "You and Player 1 against lowest and value"
    assert lines(tab.page, ".other .partner") == ["your partner", "with value", "with lowest"]
    tab.close()


def test_the_dialogs_name_the_partners(client, browser):
    tab = Tab(browser, client.port)
    tab.open()
    page = tab.page
    page.wait_for_selector("#start")
    page.click("#others-shown")
    labels = "details label:has(select)"

    def shown():
        return [text.partition("\n")[0] for text in lines(page, labels)]

    assert shown() == ["Seat 1", "Seat 2"]
    page.select_option("#preset", "partnership")
    assert shown() == ["Seat 1 (with 3)", "Seat 2 (with 4)", "Seat 3 (your partner)", "Seat 4 (with 2)"]
    page.select_option("#seat1", "human")
    assert shown() == [f"Seat {seat} (with {other})" for seat, other in ((1, 3), (2, 4), (3, 1), (4, 2))]
    page.click("#real")
    page.wait_for_selector("#real-seat")
    ends = ["1 of 4, first to move (with 3)", "2 of 4 (with 4)", "3 of 4 (with 1)", "4 of 4 (with 2)"]
    assert lines(page, "#real-seat option") == ends
    page.select_option("#real-preset", "two")
    assert lines(page, "#real-seat option") == ["1 of 2, first to move", "2 of 2"]
    tab.close()


def test_a_game_that_is_opened_names_the_partners(client, browser):
    """Six players, whom no preset has."""
    tab = Tab(browser, client.port)
    tab.open()
    page = tab.page
    page.click("#openings")
    page.fill("#opened", made_text(client))
    page.wait_for_selector("#seat5")
    assert "Seat 5 (with 1 and 3)" in page.inner_text("form")
    for seat in (1, 2, 3, 5):
        page.select_option(f"#seat{seat}", "greedy")
    page.select_option("#seat4", "greedy")
    assert "Seat 5 (your partner)" in page.inner_text("form")
    assert "Seat 6 (with 2 and 4)" in page.inner_text("form")
    tab.close()


def made_text(client):
    rules = Rules(6, teams=True)
    table = made(client, rules, ["greedy"] * 6)
    return client.get(f"/api/tables/{table['id']}/record?at=0")


def test_own_games_name_the_partners(client, browser):
    table = made(client, PARTNERSHIP, ["human", "greedy", "lowest", "value"])
    tab = with_tables(client, browser, table)
    tab.page.click("#openings")
    tab.page.wait_for_selector(f"#open-{table['id']}")
    assert names(tab.page) == ["Ingenious with lowest against greedy, value"]
    tab.close()
