"""Pictures, animations and pages of games, as files."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from commands import refused
from ingenious_agents.commands import draw

from ingenious_env import Record, Rules, Session
from ingenious_env.engine.definition import definition_of
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.render import pixels
from ingenious_env.render.pixels import to_array

image = pytest.importorskip("PIL.Image")


@pytest.fixture(name="record")
def _record(tmp_path):
    """A record of ten moves, in a file."""
    session = Session(Rules(), 3, [definition_of(Rules()).policy("greedy")] * 2)
    for _ in range(10):
        session.advance()
    session.record.save(tmp_path / "game.txt")
    return session.record


def drawn(game):
    return game.definition.draw_svg(game, viewer=0)


def test_a_record_is_drawn_at_any_move(record, tmp_path, capsys):
    for moves in (0, 4, 10, 99):
        draw.main(["--record", str(tmp_path / "game.txt"), "--moves", str(moves)])
        assert capsys.readouterr().out == drawn(record.replay(moves))
        draw.main(
            ["--record", str(tmp_path / "game.txt"), "--moves", str(moves), "--out", str(tmp_path / "a.svg")]
        )
        assert (tmp_path / "a.svg").read_text() == drawn(record.replay(moves))


def test_an_agent_plays_on_the_table_that_is_asked_for(tmp_path, capsys):
    draw.main(["--game", "loopit", "--players", "3", "--agent", "greedy", "--seed", "2", "--moves", "7"])
    rules = LoopitRules(3)
    session = Session(rules, 2, [definition_of(rules).policy("greedy")] * 3)
    for _ in range(7):
        session.advance()
    assert capsys.readouterr().out == drawn(session.game)


def test_pixels_and_pages(record, tmp_path):
    pytest.importorskip("pylunasvg")
    source = ["--record", str(tmp_path / "game.txt")]
    draw.main([*source, "--width", "600", "--out", str(tmp_path / "a.png")])
    with image.open(tmp_path / "a.png") as picture:
        assert np.array_equal(np.asarray(picture), to_array(drawn(record.replay()), 600))
    draw.main([*source, "--out", str(tmp_path / "a.html")])
    assert (tmp_path / "a.html").read_text() == record.to_html()
    draw.main([*source, "--width", "600", "--theme", "light", "--out", str(tmp_path / "a.gif")])
    with image.open(tmp_path / "a.gif") as animation:
        assert animation.n_frames == 11
        assert animation.info["loop"] == 0
        times = []
        for number in range(11):
            animation.seek(number)
            times.append(animation.info["duration"])
            game = record.replay(number)
            exact = to_array(game.definition.draw_svg(game, viewer=0, theme="light"), 600).astype(int)
            assert np.abs(np.asarray(animation.convert("RGB")) - exact).mean() < 3
    assert times == [500] * 10 + [4000]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.gif", "a.html", "a.png", "game.txt"]


def test_what_is_refused(record, tmp_path, capsys):
    (tmp_path / "bad.txt").write_text(record.to_text() + "r0,0 b9,9\n")
    (tmp_path / "worse.txt").write_text("hello")
    for arguments, complaint in [
        (["--out", "game.bmp"], "--out must end in .svg, .png, .gif or .html, not 'game.bmp'"),
        (["--record", str(tmp_path / "bad.txt")], "move 11 of the record"),
        (["--record", str(tmp_path / "worse.txt")], "a record begins with the line"),
        (["--record", str(tmp_path / "none.txt")], "none.txt"),
        (["--width", "0", "--out", "a.png"], "--width"),
        (["--width", "10001", "--out", "a.png"], "--width must be at most 10000, not 10001"),
        (
            ["--record", str(tmp_path / "game.txt"), "--game", "loopit", "--agent", "uniform", "--seed", "9"],
            "with --record these would be ignored: --game, --agent, --seed",
        ),
        (["--width", "300"], "with .svg these would be ignored: --width"),
        (["--width", "300", "--out", "a.svg"], "with .svg these would be ignored: --width"),
        (
            ["--theme", "light", "--width", "300", "--out", "a.html"],
            "with .html these would be ignored: --theme, --width",
        ),
        (["--game", "loopit", "--agent", "greedy:utility=concave"], "loopit"),
    ]:
        assert complaint in refused(capsys, draw, *arguments)


def test_a_record_is_not_changed_by_drawing(record, tmp_path, capsys):
    draw.main(["--record", str(tmp_path / "game.txt")])
    assert Record.load(tmp_path / "game.txt") == record
    assert capsys.readouterr().out


@pytest.mark.parametrize("form", ["png", "gif"])
@pytest.mark.parametrize("missing", ["PIL.Image", "pylunasvg and resvg_py"])
def test_pixels_without_their_libraries_name_the_extra(form, missing, tmp_path, capsys, monkeypatch):
    for name in missing.split(" and "):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr(draw, "session_of", lambda _args: pytest.fail("it began to play"))
    pixels.rasterizer.cache_clear()
    output = refused(capsys, draw, "--out", str(tmp_path / f"game.{form}"))
    assert "pip install 'ingenious-env[pixels]'" in output
    pixels.rasterizer.cache_clear()
    assert list(tmp_path.iterdir()) == []
