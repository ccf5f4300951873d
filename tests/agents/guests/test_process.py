"""Programs as agents: what they are told, what they may answer, and how their processes end."""

from __future__ import annotations

import gc
import json
import os
import pickle
import shutil
import sys
from copy import deepcopy
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest
from ingenious_agents import agent_text, make_agent, play_match
from ingenious_agents.evaluation.log import Log
from ingenious_agents.evaluation.scheduler import Schedule, run
from ingenious_agents.evaluation.tournament import Tournament
from ingenious_agents.executors import ProcessPool
from ingenious_agents.guests.lines import LineProcess
from patience import PATIENCE

from ingenious_env import NO_ACTION, GameBatch, IllegalActionError, Rules, View
from ingenious_env.engine.definition import definition_of
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.policies.view import begin_games

EXAMPLE = Path(__file__).parents[3] / "scripts" / "examples" / "line_protocol.js"
SMALL = Rules(2, board_side=4, num_colours=3, rack_size=3)
GAMES = {"ingenious": Rules(), "loopit": LoopitRules(2)}

PROGRAM = """
import json, os, sys
log = open(sys.argv[1].removeprefix("--log="), "a", encoding="utf-8")
answers = dict(word.split("=", 1) for word in sys.argv[2:])  # by type, instead of the usual ones
for line in sys.stdin:
    message = json.loads(line)
    print(json.dumps(message | {"pid": os.getpid()}), file=log, flush=True)
    usual = {"rules": {"protocol": 1}, "begin": {}}
    usual["act"] = {"action": message["actions"][-1]} if message["type"] == "act" else {}
    answer = answers.get(message["type"], json.dumps(usual[message["type"]]))
    if answer == "end":
        sys.exit(7)
    if answer == "wait":
        while True:
            sys.stdin.readline()
    print(answer, flush=True)
print(json.dumps({"type": "end", "pid": os.getpid()}), file=log, flush=True)
"""
"""Plays the last legal action, and logs what it is told."""


@pytest.fixture
def program(tmp_path):
    """The name of an agent that plays by `PROGRAM`, and a function that returns what it was told."""
    path, log = tmp_path / "the program.py", tmp_path / "log"
    path.write_text(PROGRAM, encoding="utf-8")
    words = [Path(sys.executable).as_posix(), path.as_posix(), f"--log={log.as_posix()}"]
    name = "process:command=" + " ".join(f'"{word}"' for word in words)
    return name, lambda: [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("game", GAMES)
def test_the_example_plays(game):
    if shutil.which("node") is None:
        pytest.skip("Node is not installed")
    name = f'process:command=node "{EXAMPLE.as_posix()}"'
    agents = [make_agent(name), make_agent("uniform")]
    results = [play_match(GAMES[game], agents, 3, seed=2) for _ in range(2)]
    assert results[0].share(0) > 0.8
    assert np.array_equal(results[0].scores, results[1].scores)


@pytest.mark.parametrize("game", GAMES)
def test_it_plays_what_the_program_answers(program, game):
    """The messages: the rules once, games before their first decision, and each decision."""
    name, told = program
    rules = GAMES[game]
    games = GameBatch(rules, 2, seed=3)
    agent = make_agent(name)
    agent.check(rules)
    begin_games(agent, games.state.policy_key)
    for _ in range(3):
        masks = games.legal_mask()
        actions = agent.act(View(games))
        assert actions.tolist() == [int(np.flatnonzero(mask)[-1]) for mask in masks]
        view, mask = View(games), masks[1]
        seen = {key: values[1].tolist() for key, values in view.named().items()}
        last, one = told()[-1], games[1]
        assert last["game"] == str(int(view.keys[1]))
        assert last["seat"] == view.seats[1]
        assert last["position"] == seen
        assert last["actions"] == np.flatnonzero(mask).tolist()
        text = one.definition.move_to_text
        assert last["moves"] == [text(one.move(action)) for action in last["actions"]]
        assert last["seconds"] == 60
        games.play(actions)
    messages = told()
    assert [each["type"] for each in messages] == ["rules", "begin"] + ["act"] * 6
    facts, begun = messages[:2]
    assert begun["games"] == [str(key) for key in games.state.policy_key.tolist()]
    definition = definition_of(rules)
    assert facts["protocol"] == 1
    assert facts["game"] == game
    assert definition.text_to_rules(facts["rules"]) == rules
    assert facts["sheets"] == [0, 1]
    assert facts["slots"] * facts["placements"] + len(facts["choices"]) == games.num_actions
    assert len(facts["places"]) == facts["placements"]
    assert facts["places"][5] == [list(place) for place in definition.places(rules, 5)]
    assert [count for _, count in facts["tiles"]] == list(definition.tiles(rules).values())
    assert facts["look"].keys() == definition.pages.look(rules).keys() - {"defs"}


def test_it_is_told_nothing_hidden(program):
    name, told = program
    games = GameBatch(SMALL, 3, seed=5)
    for _ in range(4):
        games.play(games.random_actions())
    other = games.clone()
    other.reshuffle_hidden(seed=1)
    assert other != games
    make_agent(name).act(View(games))
    before = [each for each in told() if each["type"] == "act"]
    make_agent(name).act(View(other))
    after = [each for each in told() if each["type"] == "act"][len(before) :]
    assert [each | {"pid": 0} for each in before] == [each | {"pid": 0} for each in after]


def test_a_move_may_be_answered_as_text(program):
    name, told = program
    games = GameBatch(SMALL, 1, seed=5)
    make_agent(name).act(View(games))
    asked = next(each for each in told() if each["type"] == "act")
    action, move = asked["actions"][4], asked["moves"][4]
    chosen = make_agent(f"""{name} 'act={{"move": "{move}"}}'""").act(View(games))
    assert chosen == [action]


def test_other_rules_are_announced(program):
    name, told = program
    agent = make_agent(name)
    for rules in (SMALL, SMALL, GAMES["loopit"], SMALL):
        agent.act(View(GameBatch(rules, 1, seed=1)))
    messages = [each for each in told() if each["type"] == "rules"]
    assert [each["game"] for each in messages] == ["ingenious", "loopit", "ingenious"]
    assert len({each["pid"] for each in messages}) == 1


@pytest.mark.parametrize("game", GAMES)
def test_staged_views(program, game):
    name, _ = program
    staged = GameBatch(GAMES[game], 2, seed=3, staged=True)
    agent = make_agent(name)
    expected = agent.act(View(GameBatch(GAMES[game], 2, seed=3)))
    for _ in range(2):
        actions = agent.act(View(staged))
        assert staged.legal_mask()[np.arange(2), actions].all()
        staged.play(actions)
    flat = GameBatch(GAMES[game], 2, seed=3)
    flat.play(expected)
    assert np.array_equal(flat.board, staged.board)


def test_of_a_picked_slot_only_the_placements_are_legal(program):
    name, told = program
    games = GameBatch(SMALL, 1, seed=3, staged=True)
    games.play([0])
    action = make_agent(name).act(View(games))
    assert games.legal_mask()[0, action[0]] == 1
    asked = next(each for each in told() if each["type"] == "act")
    assert len(asked["actions"]) == games.legal_mask().sum()


def test_finished_games_are_not_asked_about(program):
    name, told = program
    games = GameBatch(SMALL, 2, seed=3)
    alone = games.take(np.array([0]))
    while not alone.is_over.all():
        alone.play(alone.random_actions())
    games.put([0], alone)
    actions = make_agent(name).act(View(games))
    assert actions[0] == NO_ACTION
    assert [each["type"] for each in told()] == ["rules", "act", "end"]


FAULTS = {
    "rules=end": (ChildProcessError, "ended before it answered rules, with status 7"),
    "act=end": (ChildProcessError, "ended before it answered act, with status 7"),
    "begin=end": (ChildProcessError, "ended before it answered begin, with status 7"),
    "act=hello": (ChildProcessError, r"must answer act by a JSON object on one line, not 'hello'"),
    "act=": (ChildProcessError, "must answer act by a JSON object on one line, not ''"),
    "act=[1]": (ChildProcessError, r"must answer act by a JSON object on one line, not '\[1\]'"),
    "act=" + "[" * 70_000: (ChildProcessError, r"must answer act by a JSON object on one line, not '\[+…$"),
    "act={}": (ChildProcessError, "must answer act by an action or a move, not {}"),
    "'act={\"action\": true}'": (ChildProcessError, "must answer act by an action or a move"),
    "'act={\"action\": 2.0}'": (ChildProcessError, "must answer act by an action or a move"),
    '\'act={"error": "no idea"}\'': (ChildProcessError, "answered act by an error: 'no idea'"),
    '\'begin={"error": "no room"}\'': (ChildProcessError, "answered begin by an error: 'no room'"),
    "'act={\"action\": -1}'": (IllegalActionError, "chose -1, which is not one of the 192 legal actions"),
    "'act={\"action\": 100000}'": (
        IllegalActionError,
        "chose 100000, which is not one of the 192 legal actions",
    ),
    '\'act={"move": "pass"}\'': (
        IllegalActionError,
        "chose 'pass', which is not one of the 192 legal actions",
    ),
    '\'rules={"error": "too small"}\'': (ValueError, "does not play these rules: 'too small'"),
    "'rules={\"protocol\": 2}'": (ChildProcessError, r"must answer rules by \{\"protocol\": 1\}, not"),
}


@pytest.mark.parametrize("answer", FAULTS, ids=[answer[:20] for answer in FAULTS])
def test_faults_are_named_with_the_command(program, answer):
    """And the next decision begins with a new process."""
    name, told = program
    agent = make_agent(f"{name} {answer}")
    games = GameBatch(SMALL, 1, seed=5)
    kind, fault = FAULTS[answer]
    for _ in range(2):
        begin_games(agent, games.state.policy_key)
        with pytest.raises(kind, match=fault) as error:
            agent.act(View(games))
        assert type(error.value) is kind
        assert str(error.value).startswith(f"`{agent.command}` ")
        assert len(str(error.value)) < len(agent.command) + 500
    assert len({each["pid"] for each in told()}) == 2


def test_a_match_names_who_plays_an_illegal_move(program):
    name, _ = program
    agents = [make_agent("uniform"), make_agent(f"""{name} 'act={{"action": -1}}'""")]
    with pytest.raises(IllegalActionError, match=r"the program\.py"):
        play_match(SMALL, agents, 1)


def test_silence_ends():
    code = "import sys\nwhile True: sys.stdin.readline()"
    agent = make_agent(f"process:command={Path(sys.executable).as_posix()} -c '{code}',seconds=0.2")
    with pytest.raises(ChildProcessError, match=r"did not answer rules within 0\.2 seconds"):
        agent.check(SMALL)


def test_a_line_that_is_not_read_ends_too():
    """It is longer than what a pipe holds."""
    process = LineProcess([sys.executable, "-c", "while True: pass"])
    with pytest.raises(TimeoutError):
        process.answer(b"x" * 1_000_000 + b"\n", 0.2)
    assert process.end() != 0


def test_standard_error_is_shown(capfd):
    code = """import sys; sys.stderr.write("out of luck"); sys.exit(3)"""
    agent = make_agent(f"process:command={Path(sys.executable).as_posix()} -c '{code}'")
    with pytest.raises(ChildProcessError, match="with status 3"):
        agent.check(SMALL)
    assert capfd.readouterr().err == "out of luck"


def test_the_process_ends_with_the_agent(program):
    name, told = program
    agent = make_agent(name)
    agent.check(SMALL)
    del agent
    gc.collect()
    assert told()[-1]["type"] == "end"


def test_a_process_that_goes_on_is_killed(tmp_path, monkeypatch):
    monkeypatch.setattr("ingenious_agents.guests.lines.SECONDS_TO_END", 0.1)
    code = "import time\nprint('ready', flush=True)\nwhile True: time.sleep(1)"
    process = LineProcess([sys.executable, "-c", code])
    assert process.answer(b"\n", PATIENCE).strip() == b"ready"
    assert process.end() != 0


@pytest.mark.skipif(os.name != "posix", reason="process groups are of POSIX")
def test_ctrl_c_reaches_no_program(program):
    """It is in no process group of ours, so that a tournament can complete the deals in progress."""
    name, told = program
    agent = make_agent(name)
    agent.check(SMALL)
    assert os.getpgid(told()[0]["pid"]) != os.getpgid(0)


def test_copies_have_their_own_processes(program):
    name, told = program
    agent = make_agent(name)
    agents = [agent, deepcopy(agent), pickle.loads(pickle.dumps(agent))]
    agent.check(SMALL)
    agents += [deepcopy(agent), pickle.loads(pickle.dumps(agent))]
    for each in agents:
        each.act(View(GameBatch(SMALL, 1, seed=1)))
    assert all(each == agent for each in agents)
    assert len({each["pid"] for each in told() if each["type"] == "act"}) == 5


@pytest.mark.parametrize("processes", [1, 2])
def test_tournaments(program, tmp_path, processes):
    name, _ = program
    log = Log.open(tmp_path / f"log{processes}", Tournament.of(SMALL, (name, "gym_helpers.First", "uniform")))
    if processes == 1:
        run(Schedule(log, 2, None), progress=False)
    else:
        with ProcessPool(processes) as pool:
            run(Schedule(log, 2, None), pool, processes, progress=False)
    played = log.games[0, 1]
    assert [game.scores for game in played] == [
        game.scores
        for game in Tournament(SMALL, ("last", "first")).play(
            (0, 1), range(2), {0: Last(), 1: make_agent("gym_helpers.First")}
        )
    ]


class Last:
    """The last legal action."""

    def act(self, view):
        mask = view.legal_mask()
        return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)


def test_a_changed_program_is_noticed(program):
    name, _ = program
    tournament = Tournament.of(SMALL, (name, "uniform"))
    tournament.check_networks()
    path = next(word for word in name.split('"') if word.endswith(".py"))
    Path(path).write_text(PROGRAM + "\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"the weights of process:command=.* are others now"):
        tournament.check_networks()


@pytest.mark.parametrize("actions", ["flat", "staged"])
def test_an_opponent_in_an_environment(program, actions):
    env = gym.make(
        "ingenious_env:ingenious/Versus-v0", rules=SMALL, opponent=make_agent(program[0]), actions=actions
    )
    env.reset(seed=1)
    over = False
    while not over:
        action = int(np.flatnonzero(env.unwrapped.action_masks())[0])
        over = env.step(action)[2]


def test_names(program):
    name, _ = program
    assert agent_text(make_agent(name)) == name
    text = f"{name} a,b --c=d,seconds=2.5"
    assert agent_text(make_agent(text)) == text
    assert make_agent(text).seconds == 2.5
    assert make_agent(agent_text(make_agent(text))) == make_agent(text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("process", "process needs the parameters command"),
        ("process:command=", "the command is empty"),
        ("process:command=no-such-program --fast", "there is no program 'no-such-program'"),
        ("process:command=python 'x", "is not a command: No closing quotation"),
        ("process:command=python,seconds=0", "seconds must be more than 0, not 0"),
        ("process:command=python,seconds=inf", "seconds must be more than 0, not inf"),
    ],
)
def test_commands_that_are_not(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        make_agent(text)
