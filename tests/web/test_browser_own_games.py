"""The games of a browser, the bag of the day, and seats that are given to others."""

import re
from dataclasses import replace

import pytest

pytest.importorskip("starlette")

from browser import Tab
from browser_play import sit_down

from ingenious_env import Rules, Session
from ingenious_env.engine.definition import definition_of
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.policies.greedy import Greedy
from ingenious_env.policies.levels import Level
from ingenious_env.policies.value import Value


def made(client, rules, seats, seed=3):
    game = definition_of(rules)
    body = {"game": game.name, "rules": game.rules_to_text(rules), "seats": seats, "seed": seed}
    return client.post("/api/tables", body)


def with_tables(client, browser, *tables):
    """A page that has sat down at tables, one after the other."""
    keys = {table["id"]: ",".join(table["keys"].values()) for table in tables}
    tab = Tab(browser, client.port)
    tab.page.goto(f"http://127.0.0.1:{client.port}/web/static/style.css")
    tab.page.evaluate("keys => localStorage.setItem('ingenious-tables', JSON.stringify(keys))", keys)
    tab.open()
    tab.page.wait_for_selector("#start")
    return tab


def names(page):
    return page.eval_on_selector_all("[id^=name-]", "all => all.map((each) => each.value)")


def test_own_games_are_listed_named_opened_and_deleted(client, browser):
    """The latest first; those of another server are left out, and kept."""
    first = made(client, Rules(3), ["human", "greedy", "lowest"])
    second = made(client, LoopitRules(2), ["planner", "greedy"])
    third = made(client, Rules.solitaire(), ["human"])
    elsewhere = {"id": "0" * 32, "keys": {"0": "1" * 32}}
    tab = with_tables(client, browser, first, elsewhere, second, third)
    page = tab.page
    page.click("#openings")
    page.wait_for_selector(f"#open-{third['id']}")
    assert names(page) == ["Ingenious", "Loopit against planner, greedy", "Ingenious against greedy, lowest"]
    assert "Move 0" in page.inner_text(f"#name-{first['id']} + p")
    page.fill(f"#name-{first['id']}", "  With <b>Ann</b> ")
    page.press(f"#name-{first['id']}", "Enter")  # which begins no game
    assert page.evaluate("Object.values(JSON.parse(localStorage.getItem('ingenious-names')))") == [
        "With <b>Ann</b>"
    ]
    page.click(f"#open-{first['id']}")
    page.wait_for_selector("#slot0:not([disabled])")
    assert page.url.endswith(first["id"])
    assert page.locator("dialog[open]").count() == 0
    page.reload()
    page.wait_for_selector("#slot0:not([disabled])")
    page.click("#new")
    page.click("#openings")
    page.wait_for_selector(f"#open-{third['id']}")
    assert names(page)[2] == "With <b>Ann</b>"
    assert page.locator(f"#open-{first['id']}").count() == 0  # it is shown behind the dialog
    page.click(f"#delete-{third['id']}")
    assert page.inner_text(f"#sure-{third['id']}") == "Delete for good"
    page.dispatch_event(f"#sure-{third['id']}", "click", {"detail": 2})  # of a double click
    tab.settle()
    assert len(names(page)) == 3
    assert page.inner_text(f"#delete-{third['id']}") == "Keep"
    page.click(f"#delete-{second['id']}")  # which forgets the request for the other
    assert page.inner_text(f"#delete-{third['id']}") == "Delete"
    assert len(names(page)) == 3
    page.click(f"#sure-{second['id']}")
    page.wait_for_selector(f"#name-{second['id']}", state="detached")
    assert len(names(page)) == 2
    status, _ = client.ask("GET", f"/api/tables/{second['id']}")
    assert status == 404
    stored = page.evaluate("Object.keys(JSON.parse(localStorage.getItem('ingenious-tables')))")
    assert stored == [first["id"], elsewhere["id"], third["id"]]
    page.fill(f"#name-{first['id']}", "")
    page.press(f"#name-{first['id']}", "Tab")
    assert page.evaluate("localStorage.getItem('ingenious-names')") == "{}"
    tab.close(404)


def test_a_game_that_cannot_be_deleted_says_why(client, browser):
    table = made(client, Rules(), ["human", "human"])
    tab = with_tables(client, browser, {"id": table["id"], "keys": {"1": table["keys"]["1"]}})
    tab.page.click("#openings")
    tab.page.click(f"#delete-{table['id']}")
    tab.page.click(f"#sure-{table['id']}")
    tab.page.wait_for_selector("dialog .problem:has-text('others play this game, too')")
    assert len(names(tab.page)) == 1
    tab.close(403)


def test_the_bag_of_the_day_is_the_same_for_all(client, browser):
    boards = []
    for _ in range(2):
        tab = Tab(browser, client.port)
        tab.page.clock.set_fixed_time("2026-11-25T23:30:00Z")
        tab.open()
        tab.page.click("#openings")
        assert "2026-11-25" in tab.page.inner_text("#daily-ingenious")
        tab.page.click("#daily-ingenious")
        tab.page.wait_for_selector("#slot0:not([disabled])")
        key = tab.page.evaluate("Object.entries(JSON.parse(localStorage.getItem('ingenious-tables')))[0]")
        boards.append(
            (client.get(f"/api/tables/{key[0]}?keys={key[1]}")["scene"], tab.page.inner_html("#slot0"))
        )
        tab.close()
    assert boards[0] == boards[1]
    table = made(client, Rules.solitaire(), ["human"], seed=20261125)
    scene = client.get(f"/api/tables/{table['id']}?keys={table['keys']['0']}")["scene"]
    assert scene == boards[0][0]


@pytest.mark.parametrize("day", ["2026-11-27", None], ids=["bag of the day", "other bag"])
def test_results_of_agents_in_the_bag_of_the_day(client, browser, day):
    """Once the own game is over, the highest first; not while it goes on, nor with another bag."""
    seed = 20261127 if day else 20261131
    reached = {
        name: finished(seed, policy)
        for name, policy in [
            ("level 3", Level(3)),
            ("greedy", Greedy("points")),
            ("level 7", Level(7)),
            ("value", Value()),
        ]
    }
    own = finished(seed, Greedy("concave"))
    *moves, last = own.record.moves
    text = replace(own.record, moves=tuple(moves)).to_text()
    table = client.post("/api/tables", {"text": text, "seats": ["human"]})
    tab = Tab(browser, client.port)
    tab.sit_down(table["id"], table["keys"]["0"])
    page = tab.page
    tab.wait_for_turn()
    assert page.inner_text("#compared") == ""
    page.fill("#move", own.game.definition.move_to_text(last))
    page.press("#move", "Enter")
    page.wait_for_selector("#again")
    if day:
        page.wait_for_selector("#compared table")
        assert page.inner_text("#compared header span") == day
        head, row = (each.split("\t") for each in page.locator("#compared tr").all_inner_texts())
        results = {name: int(each.game.scores.min()) for name, each in {**reached, "You": own}.items()}
        assert dict(zip(head, map(int, row), strict=True)) == results
        assert [int(each) for each in row] == sorted(results.values(), reverse=True)
        assert page.inner_text("#compared th.own") == "You"
        page.click("#take-back")
        tab.wait_for_turn()
    tab.settle()
    assert page.inner_text("#compared") == ""
    tab.close()


def finished(seed, policy):
    session = Session(Rules.solitaire(), seed, [policy])
    for _ in session.run():
        pass
    return session


def test_a_seat_is_given_to_somebody_at_another_page(client, browser):
    """The page that opens the link gets the seat and its tiles; the page that gave it away loses both."""
    table = made(client, Rules(3), ["human", "greedy", "human"])
    host = Tab(browser, client.port)
    host.sit_down(table["id"], ",".join(table["keys"].values()))
    host.page.click("#uncover")
    host.page.click("#share")
    host.page.wait_for_selector("#give2")
    assert host.page.locator("[id^=give]").count() == 2
    host.page.click("#give2")
    link = host.page.input_value("#record")
    assert re.fullmatch(rf"http://127\.0\.0\.1:{client.port}/#{table['id']}\.[0-9a-f]{{32}}", link)
    host.page.click("#close")
    host.page.wait_for_selector("#slot0:not([disabled])")
    guest = Tab(browser, client.port)
    guest.page.goto(link)
    guest.page.wait_for_selector(".slot")
    assert guest.page.url == f"http://127.0.0.1:{client.port}/#{table['id']}"
    state = client.get(f"/api/tables/{table['id']}?keys={link.rpartition('.')[2]}")
    assert state["yours"] == [2]
    assert guest.page.locator("#slot0[disabled]").count() == 1
    assert host.page.locator("#share").count() == 1
    host.page.click("#share")
    host.page.wait_for_selector("#close")
    assert host.page.locator("[id^=give]").count() == 0
    host.page.click("#close")
    game = definition_of(Rules()).game(Rules(3), 3)
    move = game.definition.move_to_text(game.move(int(game.legal_actions()[0])))
    host.page.fill("#move", move)
    host.page.press("#move", "Enter")
    guest.page.wait_for_selector("#slot0:not([disabled])")
    assert host.page.locator("#slot0[disabled]").count() == 1
    assert host.page.evaluate("localStorage.getItem('ingenious-tables')").count(",") == 0
    guest.page.reload()
    guest.page.wait_for_selector("#slot0:not([disabled])")
    guest.close()
    host.page.goto("about:blank")
    host.page.goto(link)  # it takes the seat back, and keeps the other
    host.page.wait_for_selector(".slot, #uncover")
    assert host.page.evaluate("localStorage.getItem('ingenious-tables')").count(",") == 1
    host.close(409)


def test_seats_of_one_person_are_not_offered(client, browser):
    tab, _, _ = sit_down(client, browser, Rules())
    tab.page.click("#share")
    tab.page.wait_for_selector("#close")
    assert tab.page.locator("[id^=give]").count() == 0
    tab.close(409)


@pytest.mark.parametrize("address", ["{id}.", "{id}.12", "{id}.{id}.{id}", "x{id}"])
def test_addresses_that_are_no_seats_change_nothing(client, browser, address):
    table = made(client, Rules(), ["human", "greedy"])
    tab = with_tables(client, browser, table)
    before = tab.page.evaluate("localStorage.getItem('ingenious-tables')")
    tab.page.goto("about:blank")
    tab.open(f"#{address.format(id=table['id'])}")
    tab.page.wait_for_selector("#start")
    assert tab.page.evaluate("localStorage.getItem('ingenious-tables')") == before
    tab.close()
