"""A film of a game: a GIF that another library reads, with each position as the page shows it."""

from io import BytesIO
from itertools import product

import numpy as np
import pytest
from sampled import nightly_but

pytest.importorskip("starlette")

from browser import Tab
from PIL import Image, ImageSequence

from ingenious_env import Rules, Session
from ingenious_env.engine.definition import definition_of
from ingenious_env.games.loopit import Rules as LoopitRules

RULES = {"ingenious": Rules(), "loopit": LoopitRules(2)}


def begun(rules, moves):
    """The record of a game after a number of moves by agents."""
    session = Session(rules, 4, [definition_of(rules).policy("greedy")] * rules.num_players)
    for _, _ in zip(range(moves), session.run(), strict=False):
        pass
    return session.record.to_text()


def film_of(page):
    """The pictures of the saved film, and how long each is shown, in milliseconds."""
    page.click("#share")
    with page.expect_download() as saved:
        page.click("#film")
    page.wait_for_selector("#film:not([disabled])")
    name, read = saved.value.suggested_filename, Image.open(BytesIO(saved.value.path().read_bytes()))
    frames = [(frame.convert("RGB"), frame.info["duration"]) for frame in ImageSequence.Iterator(read)]
    assert read.info["loop"] == 0
    return name, [frame for frame, _ in frames], [duration for _, duration in frames]


def gap(one, other):
    """The mean difference of two pictures, 0 to 255."""
    size = (240, 240)
    return np.abs(np.asarray(one.resize(size), float) - np.asarray(other.resize(size), float)).mean()


WRITTEN = """async ([frames, width, height]) => {
  const { gif } = await import("/web/static/gif.js");
  const written = gif(frames.map((frame) => new Uint16Array(frame)), width, height, 60, 300);
  return [...new Uint8Array(await written.arrayBuffer())];
}"""


def test_a_film_has_all_pixels_of_its_frames(client, browser):
    """Of parts that change at each edge, of one pixel and of none, and of noise, whose codes get longest."""
    wide, high, random = 97, 83, np.random.default_rng(5)
    colours = random.choice(1 << 15, 256, replace=False)
    frame = random.choice(colours, (high, wide))
    frames = [frame]
    for left, right, top, bottom in [
        (0, 1, 0, 1),
        (wide - 1, wide, high - 1, high),
        (0, wide, 40, 41),
        (96, 97, 0, high),
        (10, 10, 10, 10),
        (3, 90, 5, 77),
        (0, wide, 0, high),
    ]:
        frame = frame.copy()
        frame[top:bottom, left:right] = random.choice(colours, (bottom - top, right - left))
        frames.append(frame)
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{client.port}/")
    written = page.evaluate(WRITTEN, [[each.ravel().tolist() for each in frames], wide, high])
    page.close()
    read = [
        np.asarray(each.convert("RGB"))
        for each in ImageSequence.Iterator(Image.open(BytesIO(bytes(written))))
    ]
    assert len(read) == len(frames)
    for found, expected in zip(read, frames, strict=True):
        channels = np.stack([expected >> 10, expected >> 5, expected], axis=-1) & 31
        assert (found == np.rint(channels * (255 / 31))).all()


@pytest.mark.parametrize(
    ("game", "theme"),
    nightly_but([("ingenious", "light"), ("loopit", "dark")], product(RULES, ["light", "dark"])),
)
def test_each_position_is_in_the_film(client, browser, game, theme):
    """Nearer to the page at its position than at the ones next to it; afterwards the page is as it was."""
    seats = ["human"] * 2
    made = client.post("/api/tables", {"text": begun(RULES[game], 9), "seats": seats})
    tab = Tab(browser, client.port, color_scheme=theme)
    page = tab.page
    tab.sit_down(made["id"], made["keys"]["0"])
    page.wait_for_selector("#replay:not(:has-text('move 0'))")
    total = int(page.get_attribute("#slider", "max"))
    assert total >= 7
    page.click("#first")
    page.wait_for_selector("#replay:has-text('move 0')")
    name, frames, durations = film_of(page)
    assert name == f"{game}.gif"
    assert len(frames) == total + 1
    assert durations == [600] * total + [3000]
    assert frames[0].width == 480
    page.click("#close")
    assert "move 0" in page.inner_text("#replay")
    shown = []
    for at in range(total + 1):
        page.fill("#slider", str(at))
        tab.settle()
        page.mouse.move(1, 1)
        whole = Image.open(BytesIO(page.locator("#board svg").screenshot())).convert("RGB")
        high = whole.width * frames[0].height / frames[0].width
        wide = whole.height * frames[0].width / frames[0].height
        side, above = (
            max(0, whole.width - wide) / 2,
            max(0, whole.height - high) / 2,
        )  # the board is in the middle
        box = (round(side), round(above), round(whole.width - side), round(whole.height - above))
        shown.append(whole.crop(box))
    gaps = np.array([[gap(frame, picture) for picture in shown] for frame in frames])
    assert (gaps.argmin(axis=1) == np.arange(total + 1)).all()
    assert gaps.diagonal().max() < 4
    tab.close(409)  # there is no record before the end


def test_a_film_ends_where_the_page_is_left(client, browser):
    """Nothing is saved of a game that the page no longer shows."""
    seats = {"ingenious": "human", "loopit": "greedy"}
    made = [
        client.post("/api/tables", {"text": begun(rules, 9), "seats": [seats[game]] * 2})
        for game, rules in RULES.items()
    ]
    tab = Tab(browser, client.port)
    page = tab.page
    tab.sit_down(made[0]["id"], made[0]["keys"]["0"])
    page.click("#share")
    page.wait_for_selector("#film")
    saved = []
    page.on("download", lambda download: saved.append(download.url))
    page.evaluate("(id) => { document.getElementById('film').click(); location.hash = id; }", made[1]["id"])
    page.wait_for_selector("h1:has-text('Loopit')")
    for _ in range(20):  # a film that went on would be saved meanwhile
        tab.settle()
    assert not saved
    tab.close(409)  # there is no record before the end


def test_a_game_that_plays_back_is_filmed_whole(client, browser):
    """The replay stops, or its steps would come between those of the film."""
    made = client.post("/api/tables", {"text": begun(RULES["loopit"], 9), "seats": ["human"] * 2})
    tab = Tab(browser, client.port)
    tab.sit_down(made["id"], made["keys"]["0"])
    tab.page.wait_for_selector("#replay:not(:has-text('move 0'))")
    total = int(tab.page.get_attribute("#slider", "max"))
    tab.page.click("#watch")
    _, frames, _ = film_of(tab.page)
    assert len(frames) == total + 1
    speed = tab.page.evaluate("import('/web/static/store.js').then(({ app }) => app.speed)")
    assert speed == 0
    tab.close(409)
