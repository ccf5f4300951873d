"""The sounds of moves in a real browser, whose tones are recorded instead of played."""

import pytest

pytest.importorskip("starlette")

from browser import Tab
from browser_play import expected, sit_down, type_moves
from patience import wait_until

from ingenious_env import Rules, Session
from ingenious_env.engine.definition import definition_of
from ingenious_env.games.loopit import Rules as LoopitRules

RECORDER = """
window.heard = [];
class Node {
  constructor(tone) {
    const note = (name) => (value, time) => tone[name] ??= [value, time];
    this.frequency = { setValueAtTime: note("from"), exponentialRampToValueAtTime: note("to") };
    this.gain = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
    this.start = (time) => (tone.begin = time);
    this.stop = (time) => heard.push([tone.from[0], tone.to[0], tone.begin, time - tone.begin]);
  }
  connect(other) { return other; }
}
window.AudioContext = class {
  currentTime = 0;
  destination = {};
  createOscillator() { return new Node({}); }
  createGain() { return new Node({}); }
};
"""
SOUNDS = "async () => (await import('/web/static/sounds.js')).SOUNDS"
MOVED = """async (at) => {
  const { app, emit } = await import("/web/static/store.js");
  const { get } = await import("/web/static/api.js");
  emit("moved", await get(`tables/${app.table.id}`, { keys: app.keys, at }));
}"""
HIGH = {"ingenious": 6, "loopit": 30}
"""Points of a move that are many."""


def listen(tab):
    tab.page.add_init_script(RECORDER)


def heard(page):
    """The tones of the next sound."""
    wait_until(lambda: page.evaluate("heard.length"))
    return page.evaluate("heard.splice(0)")


def close_to(tones):
    return [pytest.approx(tone) for tone in tones]


def event_of(game, state):
    """What the last move was that a state shows."""
    if state["terminal"]:
        return "end"
    gains = state["last"].get("gains")
    if gains is None:
        return "choice"
    points = sum(gains) if game == "ingenious" else gains
    return "many" if points >= HIGH[game] or state["scene"].get("filled") else "tile"


@pytest.mark.parametrize(("rules", "seed"), [(Rules(), 8), (LoopitRules(2), 3)], ids=["ingenious", "loopit"])
def test_each_kind_of_event_has_its_sound(client, browser, rules, seed):
    """Of all moves of a game with a swap, or with tiles thrown back."""
    definition = definition_of(rules)
    session = Session(rules, seed, [definition.policy("greedy")] * 2)
    for _ in session.run():
        pass
    body = {"text": session.record.to_text(), "seats": ["human", "greedy"]}
    made = client.post("/api/tables", body)
    path, key = f"/api/tables/{made['id']}", made["keys"]["0"]
    tab = Tab(browser, client.port)
    listen(tab)
    tab.page.add_init_script("localStorage.setItem('ingenious-settings', JSON.stringify({sound: true}))")
    tab.sit_down(made["id"], key)
    sounds = tab.page.evaluate(SOUNDS)
    assert len({str(tones) for tones in sounds.values()}) == len(sounds)
    found = set()
    for at in range(1, client.get(f"{path}?keys={key}")["total"] + 1):
        event = event_of(definition.name, client.get(f"{path}?keys={key}&at={at}"))
        tab.page.evaluate(MOVED, at)
        assert heard(tab.page) == close_to(sounds[event]), (at, event)
        found.add(event)
    assert found == set(sounds)
    tab.close()


def test_sounds_are_off_by_default_and_not_loaded(client, browser):
    rules = Rules.solitaire()
    _, moves = expected(rules)
    tab, path, key = sit_down(client, browser, rules)
    listen(tab)
    tab.page.reload()
    loaded = []
    tab.page.on("request", lambda request: loaded.append(request.url.rpartition("/")[2]))
    type_moves(tab, client, path, key, rules, moves[:1])
    tab.page.click("#help")
    tab.settle()
    assert {"moved.js", "help.js"} <= set(loaded)
    assert "sounds.js" not in loaded
    assert tab.page.evaluate("heard") == []
    tab.page.click("#set-sound")
    tab.page.click("#close")
    type_moves(tab, client, path, key, rules, moves[1:2])
    assert heard(tab.page) == close_to(tab.page.evaluate(SOUNDS)["tile"])
    assert loaded.count("sounds.js") == 1
    tab.close()
