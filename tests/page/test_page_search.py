"""Agents that search in a page's worker: the same choices as elsewhere, and a page that does not wait."""

from __future__ import annotations

import base64
import json
import threading

import numpy as np
import pytest
from browser import Tab
from ingenious_agents.search.sequential_halving import LOOK_EVERY, Search
from ingenious_agents.value.search import ValueSearch
from page_server import serving_files
from patience import PATIENCE

from ingenious_env import Game, GameBatch, Session, View
from ingenious_env.compiled.phases import CHOOSE
from ingenious_env.engine.definition import definitions
from ingenious_env.policies import advise
from ingenious_env.policies.thinking import stoppable

INGENIOUS, LOOPIT = (definitions()[name].presets for name in ("ingenious", "loopit"))
ROLLOUTS = 18  # one per candidate and round: each of them counts
CLOSE = 1e-4  # of the highest value of a network
DIFFERING = 0.05
"""The share of positions in which a rollout may differ, where two of its moves have nearly equal values."""

MODULES = """const load = (name) => import(`/web/local/${name}.js`);
const names = ["kits", "session", "table", "room", "requests", "thinking", "halving"];
const [kits, { Session }, { Table }, { Room }, requests, thinking, halving] =
  await Promise.all(names.map(load));
const sessionOf = async (game, preset, seed) => Session.dealt(await kits.kitOf(game, preset), BigInt(seed));
const answers = [];
"""


def evaluated(tab, script, given=None):
    """What a script, with the modules of the page by their names, puts into `answers`."""
    text = f"async (given) => {{ {MODULES} {script} return JSON.stringify(answers); }}"
    return json.loads(tab.evaluate(text, given))


# The same choices.

SEARCHES = """const [game, preset, seed, played, name, changed, first = 0] = given;
const session = await sessionOf(game, preset, seed);
const policy = { ...session.kit.about.policies[name], ...changed };
for (const action of played.slice(0, first)) session.play(action);
for (const action of [...played.slice(first), null]) {
  const { now } = session;
  const stop = { isStopped: false };
  const { actions, values, errors = [] } = await thinking.advice(policy, session.kit, now, stop);
  const action_ = await thinking.decide(policy, session.kit, now, stop);
  answers.push({ action: action_, actions, values, errors });
  if (action !== null) session.play(action);
}"""


def played_by_turns(rules, seed, agents, most):
    """A game of these agents, each for one move: the positions, and the actions between them."""
    batch, positions, actions = GameBatch(rules, 1, seed), [], []
    while len(positions) < most:
        positions.append(batch.clone())
        action = int(agents[len(actions) % len(agents)].act(View(batch))[0])
        batch.play([action])
        if batch.is_over[0]:
            return positions, actions
        actions.append(action)
    return positions, actions[: most - 1]


def compare_searches(tab, preset, seeds, most, latest=0):
    """Search here and in the browser; returns the numbers of positions, and of those that differ.

    The positions are the first `most` of each game, or of these the `latest` ones.
    """
    rules, agent = INGENIOUS[preset].rules, ValueSearch(rollouts=ROLLOUTS)
    policies = definitions()["ingenious"].policies
    highest = 1 if rules.num_sheets > 1 else rules.last_space
    differing, number = 0, 0
    for seed in seeds:
        weak_first = [policies["greedy"], policies["uniform"], policies["value"]]
        positions, actions = played_by_turns(rules, seed, weak_first, most)
        first = max(0, len(positions) - latest) if latest else 0
        given = ["ingenious", preset, seed, actions, "value-search", {"rollouts": ROLLOUTS}, first]
        for position, found in zip(positions[first:], evaluated(tab, SEARCHES, given), strict=True):
            advice = advise(agent, View(position))
            assert found["action"] == found["actions"][0]
            assert len(found["actions"]) == len(advice.actions) <= agent.candidates
            same = (
                found["action"] == agent.act(View(position))[0]
                and found["actions"] == advice.actions.tolist()
                and np.abs(found["values"] - advice.values).max() <= CLOSE * highest
                and all_close(found["errors"], advice.errors, CLOSE * highest)
            )
            differing += not same
            number += 1
    return number, differing


def all_close(found, expected, close):
    """Return whether errors are equal; where there is none, JSON has null."""
    numbers = np.array([np.nan if each is None else each for each in found])
    return np.allclose(numbers, expected, rtol=0, atol=close, equal_nan=True)


@pytest.mark.parametrize("preset", INGENIOUS)
def test_a_search_is_that_of_the_package(tab, preset):
    number, differing = compare_searches(tab, preset, [3], 24)
    assert number >= 18
    assert differing <= 1


@pytest.mark.parametrize("preset", INGENIOUS)
def test_a_search_at_the_end_of_a_game_is_that_of_the_package(tab, preset):
    """Compare the last four positions, whose simulations reach the end."""
    number, differing = compare_searches(tab, preset, [3], 200, latest=4)
    assert (number, differing) == (4, 0)


@pytest.mark.nightly
@pytest.mark.parametrize("preset", INGENIOUS)
def test_many_searches_are_those_of_the_package(tab, preset):
    number, differing = compare_searches(tab, preset, range(20, 36), 60)
    print(f"{number} positions of {preset}, {differing} differ")
    assert number >= 300
    assert differing <= DIFFERING * number


def test_a_search_of_a_choice_is_that_of_the_package(tab):
    """Swap and keep, in that order, in the first game that offers a swap."""
    rules, policies = INGENIOUS["two"].rules, definitions()["ingenious"].policies
    agent = ValueSearch(rollouts=ROLLOUTS)
    for seed in range(40):
        positions, actions = played_by_turns(rules, seed, [policies["greedy"]], 60)
        places = [number for number, each in enumerate(positions) if each.phase[0] == CHOOSE]
        if places:
            given = ["ingenious", "two", seed, actions[: places[0]], "value-search", {"rollouts": ROLLOUTS}]
            found = evaluated(tab, SEARCHES, given)[-1]
            advice = advise(agent, View(positions[places[0]]))
            assert found["actions"] == advice.actions.tolist()
            assert found["values"] == pytest.approx(advice.values, abs=CLOSE)
            assert found["action"] == agent.act(View(positions[places[0]]))[0]
            return
    pytest.fail("no game in which a swap is offered")


@pytest.mark.parametrize("preset", LOOPIT)
def test_the_planner_is_that_of_the_package(tab, preset):
    rules, planner = LOOPIT[preset].rules, definitions()["loopit"].policies["planner"]
    positions, actions = played_by_turns(rules, 5, [planner, definitions()["loopit"].policies["uniform"]], 30)
    found = evaluated(tab, SEARCHES, ["loopit", preset, 5, actions, "planner", {}])
    for position, mine in zip(positions, found, strict=True):
        advice = advise(planner, View(position), limit=10_000)
        assert mine["action"] == planner.act(View(position))[0]
        assert mine["actions"] == advice.actions.tolist()
        assert mine["values"] == pytest.approx(advice.values, abs=1e-9)


class Made(Search):
    """A search of made-up results, by candidate and simulation, that is stopped after some calls."""

    def __init__(self, results, flag, stopped_after):
        self.candidates = np.arange(100, 100 + len(results), dtype=np.int32)
        self.sums, self._done = np.zeros((len(results), 3)), 0
        self._results, self._flag, self._left = results, flag, stopped_after

    def find_candidates(self, games, row):
        raise NotImplementedError

    def simulate(self, which, first, last, sums):
        self._left -= 1
        if not self._left:
            self._flag.set()
        for number in range(first, last):
            for row, place in enumerate(which):
                result = self._results[place][number]
                sums[row] += (result, result * result, 1)


HALVINGS = """for (const { results, rollouts, stoppedAfter, lookEvery } of given) {
  const stop = { isStopped: false };
  let left = stoppedAfter;
  const simulate = async (candidates, first, last, sums) => {
    left -= 1;
    if (!left) stop.isStopped = true;
    const found = sums.slice();
    for (let number = first; number < last; number++)
      candidates.forEach((candidate, row) => {
        const result = results[candidate - 100][number];
        [result, result * result, 1].forEach((each, k) => (found[3 * row + k] += each));
      });
    return found;
  };
  const search = new halving.Search(results.map((_, k) => 100 + k), simulate, lookEvery);
  const best = await halving.halve(search, rollouts, stop);
  answers.push({ best, ...(await halving.listed(search, best, rollouts, stop)), done: search.done });
}"""


def test_halving_is_that_of_the_package_to_the_last_bit(tab):
    """Of made-up results with many ties, for any number of candidates and rollouts, stopped or not."""
    rng, given, expected = np.random.default_rng(0), [], []
    for _ in range(300):
        count, rollouts = int(rng.integers(1, 12)), int(rng.integers(1, 300))
        results = rng.choice([0.0, 0.25, 0.5, rng.random()], (count, 2 * rollouts + 12))
        stopped_after = int(rng.choice([0, 1, 2, 3, 5]))
        flag = threading.Event()
        search, agent = Made(results, flag, stopped_after), ValueSearch(rollouts=rollouts)
        with stoppable(flag):
            best = agent.halve(search)
            if not search.sums[best, 2]:
                search.run(np.array([best]), rollouts)
        order = np.argsort(-search.means, kind="stable")
        order = np.concatenate([[best], order[order != best]])
        expected.append(
            (best, search.candidates[order], search.means[order], search.errors[order], search._done)
        )
        given.append(
            {
                "results": results.tolist(),
                "rollouts": rollouts,
                "stoppedAfter": stopped_after,
                "lookEvery": LOOK_EVERY,
            }
        )
    for mine, (best, actions, means, errors, done) in zip(
        evaluated(tab, HALVINGS, given), expected, strict=True
    ):
        assert (mine["best"], mine["actions"], mine["done"]) == (best, actions.tolist(), done)
        assert mine["values"] == means.tolist()
        assert all_close(mine["errors"], errors, 0)


# Rooms.

ROOM = """const longest = { rollouts: 1e8, horizon: 0 };
const tableOf = async (seats, changed = longest, seed = 7) => {
  const session = await sessionOf("ingenious", "two", seed);
  const { kit } = session;
  const policies = { ...kit.about.policies };
  policies["value-search"] = { ...policies["value-search"], ...changed };
  session.kit = { ...kit, about: { ...kit.about, policies, longest: 1e6 } };
  const keys = seats.map((seat, k) => (seat === "human" ? `key${k}` : ""));
  return new Table("0".repeat(31) + "1", session, seats, keys);
};
const playFirst = (table) => table.play(table.session.now.legal()[0]);
const until = async (is) => { while (!is()) await new Promise((resolve) => setTimeout(resolve, 5)); };
"""


def test_a_search_that_is_stopped_decides_by_what_it_has(tab):
    """It is asked after a simulation, and others are answered while it thinks."""
    script = """const table = await tableOf(["human", "value-search"]);
    const heard = [];
    const room = new Room(table, () => {});
    room.listeners.add({ thinking: ({ seat }) => heard.push(seat), state: () => heard.push("state") });
    answers.push(room.stop());
    playFirst(table);
    const done = room.resume();
    await until(() => room.thought);
    answers.push(room.isThinking, table.state([0], null).to_play, table.session.turns.length);
    answers.push(room.stop());
    await done;
    answers.push(room.isThinking, room.stop(), table.session.turns.length, table.toPlay, heard);"""
    found = evaluated(tab, ROOM + script)
    assert found == [False, True, 1, 1, True, False, False, 2, 0, [1, "state"]]


def test_a_move_taken_back_ends_the_search_and_its_result_is_dropped(tab):
    script = """const table = await tableOf(["human", "value-search"]);
    const room = new Room(table, () => {});
    playFirst(table);
    const first = room.resume();
    await until(() => room.thought);
    const { thought } = room;
    table.takeBack([0]);
    room.changed();
    answers.push(thought.isStopped, room.isThinking, table.session.turns.length);
    playFirst(table);
    await room.resume(); // the agent is still at it
    answers.push(table.session.turns.length, room.isThinking);
    await until(() => room.thought);
    room.stop();
    await first;
    answers.push(table.session.turns.length, room.isThinking);"""
    assert evaluated(tab, ROOM + script) == [True, False, 0, 1, True, 2, False]


def test_a_search_ends_after_the_longest_time(tab):
    script = """const table = await tableOf(["human", "value-search"]);
    table.session.kit.about.longest = 0.05;
    const room = new Room(table, () => {});
    playFirst(table);
    await room.resume();
    answers.push(table.session.turns.length);"""
    assert evaluated(tab, ROOM + script) == [2]


def test_the_time_of_a_search_does_not_tell_of_a_hidden_choice(tab):
    """It thinks once more after its move, whether or not it may swap; its choice is shown with the move."""
    script = """const table = await tableOf(["value-search", "human"], { rollouts: 6, horizon: 1 }, given);
    table.session.kit.about.choice_time = 0.01;
    const room = new Room(table, () => {});
    const asked = [];
    const think = room.think.bind(room);
    room.think = (policy, position, seconds) => {
      asked.push([position.number("phase"), seconds]);
      return think(policy, position, seconds);
    };
    for (let k = 0; k < 200 && !table.isOver; k++) {
      const { now } = table.session;
      if (now.toPlay === 1) {
        table.play(now.legal()[0]);
        continue;
      }
      asked.length = 0;
      const actions = await room.decided(now);
      answers.push({ asked: [...asked], choices: actions.map((action) => now.choiceOf(action) ?? "") });
      for (const action of actions) table.play(action);
    }"""
    phases = set()
    for seed in range(7, 20):
        *found, _ = evaluated(tab, ROOM + script, seed)
        assert {len(each["asked"]) for each in found} == {2}
        for each in found:
            (phase, _), (then, limit) = each["asked"]
            assert (phase, limit) == (0, pytest.approx(0.01 * 2 / 3))
            assert each["choices"][1:] == [] if then == 0 else each["choices"][1] in ("swap", "keep")
            phases.add(then)
        if phases == {0, 1}:
            return
    pytest.fail("no game in which an agent may swap")


# Requests, and a page.


def test_hints_by_search(tab):
    script = """const { rules } = (await kits.aboutGame("ingenious")).presets.two;
    const { about } = await kits.kitOf("ingenious", "two");
    Object.assign(about.policies["value-search"], { rollouts: 60 });
    const seats = ["human", "greedy"];
    const made = await requests.answer("tables", { game: "ingenious", rules, seats, seed: 5 });
    const [path, keys] = [`tables/${made.body.id}`, Object.values(made.body.keys).join()];
    const { version } = (await requests.answer(path, { keys })).body;
    answers.push(await requests.answer(`${path}/advice`, { keys, version, agent: "value-search" }));
    answers.push((await requests.answer(path, { keys })).body.hints);"""
    answer, hints = evaluated(tab, script)
    assert hints
    body = answer["body"]
    assert (answer["status"], body["unit"], body["calibrated"]) == (200, "win", False)
    rules = INGENIOUS["two"].rules
    batch = GameBatch(rules, 1, 5)
    advice = advise(ValueSearch(rollouts=60), View(batch))
    assert [each["value"] for each in body["list"]] == pytest.approx(advice.values, abs=0.02)
    assert [each["error"] for each in body["list"]] == pytest.approx(advice.errors, rel=0.25)
    assert all(each["error"] > 0 for each in body["list"])
    assert body["dots"]


def test_a_search_for_a_review_ends_when_nobody_waits_for_it(tab):
    """With what it has found; also one that nobody waited for from the beginning."""
    script = """const { rules } = (await kits.aboutGame("ingenious")).presets.two;
    const { about } = await kits.kitOf("ingenious", "two");
    const { rollouts, horizon } = about.policies["value-search"];
    const { longest } = about;
    const session = await sessionOf("ingenious", "two", 5);
    while (!session.now.isOver) session.play(session.now.legal()[0]);
    const seats = ["human", "human"];
    const made = await requests.answer("tables", { text: session.record(), seats });
    const [path, keys] = [`tables/${made.body.id}`, Object.values(made.body.keys).join()];
    const { version } = (await requests.answer(path, { keys })).body;
    const asked = { keys, version, agent: "value-search", at: 3 };
    Object.assign(about.policies["value-search"], { rollouts: 1e8, horizon: 0 });
    about.longest = given;
    const begun = performance.now();
    for (const isLate of [true, false]) {
      const ending = new AbortController();
      if (isLate) ending.abort();
      const found = requests.answer(`${path}/advice`, asked, ending.signal);
      if (!isLate) setTimeout(() => ending.abort(), 50);
      const { status, body } = await found;
      answers.push([status, body.at, body.list.length > 1, body.played.move === session.turns[3].move]);
    }
    Object.assign(about.policies["value-search"], { rollouts, horizon });
    about.longest = longest;
    answers.push(performance.now() - begun < 1000 * given);
    answers.push((await requests.answer(path, { keys })).body.hints);"""
    assert evaluated(tab, script, PATIENCE) == [[200, 3, True, True]] * 2 + [True, False]


def slow(files):
    """The files of a page whose search takes longer than a test waits."""
    games = json.loads(files["data/games.json"])
    games[0]["policies"]["value-search"] |= {"rollouts": 10**8, "horizon": 0}
    games[0]["longest"] = 10 * PATIENCE
    return files | {"data/games.json": json.dumps(games).encode()}


def begin_against_search(tab):
    """A new game against `value-search`, and a first move."""
    tab.open()
    tab.page.click("#others-shown")
    tab.page.select_option("#seat1", "value-search")
    tab.page.fill("#seed", "5")
    tab.page.click("#start")
    tab.wait_for_turn()
    game = Game(INGENIOUS["two"].rules, seed=5)
    move = game.move(int(game.legal_actions()[0]))
    tab.page.fill("#move", definitions()["ingenious"].move_to_text(move))
    tab.page.press("#move", "Enter")


def test_a_page_shows_that_an_agent_searches_and_stops_it(browser, files):
    """After a reload, too, and with no complaint of the browser about its worker."""
    with serving_files(slow(files)) as port:
        tab = Tab(browser, port)
        begin_against_search(tab)
        tab.page.wait_for_selector("#say:has-text('value-search is thinking')")
        tab.page.wait_for_selector("#stop")
        tab.page.reload()
        tab.page.wait_for_selector("#say:has-text('value-search is thinking')")
        tab.page.click("#stop")
        tab.wait_for_turn()
        assert "move 2" in tab.page.inner_text("#replay")
        tab.close()


def test_a_search_for_hints_ends_when_another_position_or_agent_is_chosen(browser, files):
    """Review a finished game, with an agent that searches for longer than a test waits."""
    session = Session(INGENIOUS["two"].rules, 5, [definitions()["ingenious"].policy("greedy")] * 2)
    for _ in session.run():
        pass
    text = base64.urlsafe_b64encode(session.record.to_text().encode()).decode().rstrip("=")
    with serving_files(slow(files)) as port:
        tab = Tab(browser, port)
        tab.open(f"#text={text}")
        page = tab.page
        page.wait_for_selector("#judged")
        page.keyboard.press("h")
        page.select_option("#adviser", "value-search")
        for key, number in (("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2)):
            page.locator("#adviser").blur()
            page.keyboard.press(key)
            page.wait_for_selector(f"#replay:has-text('move {number}')")
            page.wait_for_selector("#analysis:has-text('thinking…')")
        page.select_option("#adviser", "value")
        page.wait_for_selector("#hint0")
        tab.close()


def test_a_worker_that_cannot_be_loaded_is_told(browser, files):
    broken = {path: content for path, content in files.items() if not path.endswith("worker.js")}
    with serving_files(broken) as port:
        tab = Tab(browser, port)
        begin_against_search(tab)
        tab.page.wait_for_selector("#say:has-text('value-search failed: Error: the worker cannot be loaded')")
        tab.close(404)
