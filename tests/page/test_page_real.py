"""Games at real tables on a page without a server: nothing that it tells follows from tiles made up by it."""

from __future__ import annotations

import json

import numpy as np
import pytest
from asking import Asking
from both_sides import Page
from real_desk import Desk
from real_tables import any_action

from ingenious_env.engine.definition import definitions

PRESETS = [(name, preset) for name in ("ingenious", "loopit") for preset in definitions()[name].presets]
ASKED = """async ([id, keys, number]) => {
  const [{ answer }, { heldRoom }, { Position }] = await Promise.all(
    ["requests", "held", "position"].map((name) => import(`/web/local/${name}.js`)),
  );
  const { session } = (await heldRoom(id)).table;
  const asked = async () => {
    const version = (await answer(`tables/${id}`, { keys })).body.version;
    const body = { keys, version, agent: ["greedy", "value"][number % 2] };
    const hints = await answer(`tables/${id}/advice`, body);
    return JSON.stringify([hints, await answer(`tables/${id}`, { keys })]);
  };
  await asked(); // that hints were used is told, too
  const first = await asked();
  const last = session.positions.length - 1;
  const { desk, about, row, trail } = session.now;
  const { game } = session.now;
  game.made.seats.values[0] = BigInt(session.seat);
  game.run("reshuffle_hidden", game.made.seats, BigInt(number), false);
  const made = game.rows.values.slice();
  session.positions[last] = new Position(desk, about, made, trail);
  const second = await asked();
  session.positions[last] = new Position(desk, about, row, trail);
  return JSON.stringify([first, second, String(row) !== String(made)]);
}"""


class PageClient(Asking):
    """Asks a page without a server, as `web_server.Client` asks a server."""

    def __init__(self, tab):
        self.tab, self._page = tab, Page(tab)

    def ask(self, method, path, body=None):
        """The status and the content of an answer."""
        del method
        path, _, query = path.removeprefix("/api/").partition("?")
        pairs = (part.partition("=") for part in query.split("&") if part)
        return self._page.ask(path, {name: value for name, _, value in pairs}, body)


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_tiles_that_are_made_up_leave_no_trace(tab, name, preset):
    """At each decision of the own seat: with other tiles made up, the same state and the same hints."""
    rules = definitions()[name].presets[preset].rules
    game, rng = definitions()[name].game(rules, 2), np.random.default_rng(2)
    desk, others = Desk(PageClient(tab), game, 0), 0
    while not game.is_over:
        if game.to_play == 0:
            given = [desk.path.rpartition("/")[2], desk.keys, len(game.history)]
            first, second, differs = json.loads(tab.evaluate(ASKED, given))
            assert second == first
            others += differs
        before = game.clone()
        move = game.move(any_action(game, rng))
        game.play(game.action(move))
        desk.tell(before, game, move)
    assert others > 5
    kept = tab.evaluate("localStorage.getItem('ingenious-local')")
    (table,) = [each for key, each in json.loads(kept).items() if key == desk.path.rpartition("/")[2]]
    assert table["real"].keys() == {"seat", "rack", "start"}
    assert "seed" not in table
