"""For tests of what a page without a server tells: other hidden tiles, and a page of open racks."""

from __future__ import annotations

import pytest

from ingenious_env import Rules
from ingenious_env.engine.definition import Preset, definition_of

OPEN = Rules(3, open_racks=True, rack_size=4)
"""Rules of open racks, which no preset has."""

REDEAL = """
const [{ Session }, { Position }] = await Promise.all(
  ["session", "position"].map((name) => import(`/web/local/${name}.js`)),
);

/** Make a session show positions with the tiles dealt anew that a viewer cannot know, if there is one. */
function redeal(session, dealt) {
  session.at = (number) => {
    const { desk, about, row, trail } = Session.prototype.at.call(session, number);
    if (dealt.viewer === null) return new Position(desk, about, row, trail);
    const { game } = desk;
    game.rows.values.set(row);
    game.made.seats.values[0] = BigInt(dealt.viewer);
    game.run("reshuffle_hidden", game.made.seats, BigInt(dealt.number), false);
    return new Position(desk, about, game.rows.values.slice(), trail);
  };
}
"""


def open_files() -> dict[str, bytes]:
    """The files of a page with a preset of open racks."""
    pytest.importorskip("ziglang")
    from ingenious_agents.commands.page import searches

    from ingenious_env.web.site import page_files

    game = definition_of(OPEN)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(game, "presets", {**game.presets, "open": Preset("open racks", OPEN)})
        return page_files(
            [game], searches=searches()
        )  # with the kernels of other tests, which are compiled once
