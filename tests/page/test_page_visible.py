"""What a page without a server tells a seat: all that it may know, and nothing else, as `test_visible.py`."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hidden_tiles import OPEN, REDEAL, open_files
from page_server import serving_files

from ingenious_env import Rules
from ingenious_env.engine.definition import definition_of, definitions

PRESETS = {
    f"{name} {preset}": each.rules
    for name in ("ingenious", "loopit")
    for preset, each in definitions()[name].presets.items()
}
ANSWERED = {"show 200", "advice 200", "back 200", "record 409", "move 422"}
JUDGED = {"analysis 200", "judge 200"}  # where there is a network

COMPARED = """async ([game, rules, players, seed]) => {
  REDEAL
  const [{ answer }, { heldRoom }] = await Promise.all(
    ["requests", "held"].map((name) => import(`/web/local/${name}.js`)),
  );
  const found = { differing: [], asked: {}, positions: 0, racks: 0, bags: 0, held: 0 };
  const dealt = { viewer: null, number: 0 };

  /** A table of people; the second one shows each viewer the position with the unknown tiles dealt anew. */
  async function made(isRedealt) {
    const { body } = await answer("tables", { game, rules, seats: Array(players).fill("human"), seed });
    const { table } = await heldRoom(body.id);
    table.about.longest = 1e6; // seconds, so that searches end by themselves
    for (const policy of Object.values(table.about.policies)) if (policy.rollouts) policy.rollouts = 40;
    if (isRedealt) redeal(table.session, dealt);
    return { table, keys: Object.values(body.keys) };
  }
  const tables = [await made(false), await made(true)];
  const [table, other] = tables.map((each) => each.table);

  /** Ask both tables, as the page of some seats. */
  async function compare(seats, what, content = {}) {
    const answers = [];
    for (const { table, keys } of tables) {
      const [version, own] = [table.versionFor(dealt.viewer), seats.map((seat) => keys[seat]).join()];
      const { status, body } = await answer(`tables/${table.id}/${what}`, { ...content, version, keys: own });
      answers.push(JSON.stringify([status, { ...body, id: "" }]));
      found.asked[`${what} ${status}`] = 1;
    }
    if (answers[0] !== answers[1]) found.differing.push([what, content, dealt.viewer, ...answers]);
  }

  const unseen = (position) => position.field("bag").slice(position.number("drawn")).join();
  for (let turn = 0; !table.isOver; turn++) {
    const { now } = table.session;
    const [legal, mover, isJudged] = [now.legal(), now.toPlay, Boolean(now.facts.value)];
    const action = legal[(7 * turn + 13 * seed) % legal.length];
    const [move, illegal] = [action, now.mask().indexOf(0)].map((each) => table.session.text(now, each));
    dealt.number = turn;
    for (const viewer of new Set([turn % players, mover])) {
      dealt.viewer = viewer;
      const changed = other.session.now;
      found.positions += 1;
      found.racks += Number(String(now.rackTypes()) !== String(changed.rackTypes()));
      found.bags += Number(unseen(now) !== unseen(changed));
      found.held += Number(table.numHeld(viewer) > 0);
      await compare([viewer], "show");
      await compare([viewer], "show", { at: (5 * turn) % (table.total(viewer) + 1) });
      for (const what of ["record", "position", "replay"]) await compare([viewer], what);
      await compare([viewer], "move", { move: viewer === mover ? illegal : move });
      if (isJudged && turn % 4 === 1) await compare([viewer], "analysis");
    }
    dealt.viewer = mover;
    await compare([...tables[0].keys.keys()], "show"); // as the page of all, which shows the seat to move
    if (isJudged && turn % 3 === 1) await compare([mover], "judge", { move });
    const { agents } = now.facts.look;
    const agent = agents[(turn / 3) % agents.length];
    if (turn % 3 === 0) await compare([mover], "advice", { agent });
    const isTakenBack = turn % 9 === 8;
    if (isTakenBack) await compare([mover], "back");
    dealt.viewer = null;
    if (!isTakenBack) for (const each of [table, other]) each.play(action);
  }
  return JSON.stringify(found);
}""".replace("REDEAL", REDEAL)


@pytest.fixture(scope="module", name="open_tab")
def _open_tab(browser):
    """As `tab`, of a page with open racks."""
    with serving_files(open_files()) as port:
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{port}/web/static/icon.svg")
        yield page
        page.close()


def check(tab, rules, games, answered):
    """At each position of games two deals that a seat cannot distinguish give the same bytes."""
    definition, total = definition_of(rules), Counter()
    for seed in range(games):
        given = [definition.name, definition.rules_to_text(rules), rules.num_players, seed]
        found = json.loads(tab.evaluate(COMPARED, given))
        assert found.pop("differing") == []
        assert found.pop("asked").keys() >= answered
        total += Counter(found)
    assert total["positions"] > 40 * games
    assert total["bags"] > total["positions"] // 2
    return total


@pytest.mark.parametrize("games", [1, pytest.param(12, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("preset", PRESETS)
def test_hidden_tiles_leave_no_trace(tab, preset, games):
    """In answers of each kind, advice of each agent among them."""
    rules = PRESETS[preset]
    found = check(tab, rules, games, ANSWERED | JUDGED)
    assert found["racks"] > found["positions"] // 2 or rules.num_players == 1
    assert found["held"] > 0 or isinstance(rules, Rules)  # as a choice that others do not see is open


def test_the_bag_leaves_no_trace_where_racks_are_open(open_tab):
    assert check(open_tab, OPEN, 2, ANSWERED)["racks"] == 0
