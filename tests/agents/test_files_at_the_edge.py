"""Files at the edge: a bad value of any kind in any field is refused in one sentence, or kept."""

from __future__ import annotations

import copy
import json
import math
import re
from collections import Counter

import numpy as np
import pytest
from ingenious_agents.evaluation.log import Log
from ingenious_agents.evaluation.report import check_played, markdown, report
from ingenious_agents.evaluation.solitaire import Study
from ingenious_agents.evaluation.tournament import Tournament
from safetensors.numpy import save

from ingenious_env import Rules
from ingenious_env.engine.files import arrays_of
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.games.loopit.material import load_material
from ingenious_env.policies.calibration import Calibration
from ingenious_env.policies.value import ValueNetwork, model_of

DEEP = "[" * 100_000
RAW = [  # as they stand in JSON
    "1e400", "-1e400", "Infinity", "NaN", "-1", "0", "5", "0.5", "1" + "0" * 30, "1" + "0" * 400,
    "1" + "0" * 5000, "true", "false", "null", '"64"', '""', '"\\ud800"', "[]", "[[]]", "{}", '{"a": 1}',
    "1e308",
    '"4"',
    "4.0",
    DEEP, DEEP + "]" * 100_000, '"' + "x" * 100_000 + '"',
]  # fmt: skip
"""The bad values of JSON; some are good ones of some fields."""


def paths_of(value, path=()):
    """The path to each value in nested objects and lists, these included."""
    yield path
    for key in (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list | tuple) else ()
    ):
        yield from paths_of(value[key], (*path, key))


def changed(value, path, new):
    """A copy of nested values with another one at a path."""
    if not path:
        return new
    kind = type(value)
    value = copy.copy(value) if isinstance(value, dict) else list(value)
    value[path[0]] = changed(value[path[0]], path[1:], new)
    return value if isinstance(value, dict) else kind(value)


def value_at(value, path):
    for key in path:
        value = value[key]
    return value


def spoilt(value):
    """JSON with each bad value in the place of each value, and without each key; whether it must be refused.

    A bool is taken for a number by most of Python, and written again as one.
    """
    for path in paths_of(value):
        text = json.dumps(changed(value, path, "@here@"))
        is_bool = isinstance(value_at(value, path), bool)
        for raw in RAW:
            is_wrong = raw in ("true", "false") and not is_bool
            yield text.replace('"@here@"', raw), f"{path}: {raw[:30]}", is_wrong
        if path and isinstance(path[-1], str):
            rest = copy.deepcopy(value)
            at = rest
            for key in path[:-1]:
                at = at[key]
            del at[path[-1]]
            yield json.dumps(rest), f"no {path}", False


def same(one: object, other: object) -> bool:
    """Equal, and of the same types all the way down; a whole number may have become a float."""
    if type(one) is float and type(other) is int:
        return one == float(other)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if type(one).__name__ == "Tensor":
        return one.dtype == other.dtype and one.shape == other.shape and bool((one == other).all())
    return one == other


def refused_or_kept(case, read, written, given) -> bool:
    """Whether what was given is read; then it is what is written again, unless ValueError refused it."""
    refusal = None
    try:
        found = read()
    except ValueError as error:
        refusal = error
    if refusal is not None:
        assert type(refusal) is ValueError, case
        assert 0 < len(str(refusal)) < 700, case
        return False
    assert same(written(found), given), case
    return True


# Networks.


def header_of(path, forms):
    with arrays_of(path, forms, "file", "nothing") as (header, arrays):
        return header, arrays


def value_network() -> tuple[object, tuple[str, ...]]:
    rules = LoopitRules(2)
    weights = np.zeros(model_of(rules).architecture(rules).num_weights, np.float32)
    return ValueNetwork(rules, weights, Calibration((0.0, 1.0, 0.5, 0.25, 0.0))), (model_of(rules).form,)


def ppo_network() -> tuple[object, tuple[str, ...]]:
    pytest.importorskip("torch")
    from ingenious_agents.ppo.agent import FORMAT, NetworkPolicy

    from ingenious_env.networks import PlacementNetwork

    rules = Rules(2, board_side=3, num_colours=2, rack_size=2)
    return NetworkPolicy(rules, PlacementNetwork(rules, 4)), (FORMAT,)


@pytest.mark.parametrize("make", [value_network, ppo_network])
def test_each_entry_of_a_header_of_a_network(make, tmp_path):
    network, forms = make()
    path, again = tmp_path / "network", tmp_path / "again"
    network.save(path)
    header, arrays = header_of(path, forms)
    kept = 0
    for text, case, is_wrong in spoilt(header):
        path.write_bytes(save(arrays, {"header": text}))

        def written(found):
            found.save(again)
            return {"calibration": None} | header_of(again, forms)[0]

        given = loaded(text)
        given = {"calibration": None} | given if isinstance(given, dict) else given  # it may be missing
        is_kept = refused_or_kept(case, lambda: type(network).load(path), written, given)
        assert not (is_kept and is_wrong), case
        kept += is_kept
    assert 0 < kept < 30


def loaded(text):
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


@pytest.mark.parametrize("make", [value_network, ppo_network])
def test_each_array_of_a_network(make, tmp_path):
    network, forms = make()
    path = tmp_path / "network"
    network.save(path)
    header, arrays = header_of(path, forms)
    text = json.dumps(header)
    for name, array in arrays.items():
        for case, bad in {
            "float64": array.astype(np.float64),
            "float16": array.astype(np.float16),
            "int32": array.astype(np.int32),
            "bool": array.astype(bool),
            "one more": np.concatenate([array, array[:1]]),
            "empty": array[:0],
            "one dimension more": array[None],
            "nan": np.full_like(array, np.nan),
            "inf": np.full_like(array, np.inf),
        }.items():
            path.write_bytes(save(arrays | {name: bad}, {"header": text}))
            with pytest.raises(ValueError, match=str(path)) as error:
                type(network).load(path)
            assert len(str(error.value)) < 700, (name, case)
        path.write_bytes(save({key: each for key, each in arrays.items() if key != name}, {"header": text}))
        with pytest.raises(ValueError, match=str(path)):
            type(network).load(path)
    whole = path.read_bytes()
    for content in (b"", b"\0" * 8, b"\xff" * 64, whole[:9], whole[:-1], whole + b"x", DEEP.encode()):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=str(path)):
            type(network).load(path)


# Logs.


@pytest.fixture(
    scope="module", params=["tournament", pytest.param("loopit", marks=pytest.mark.nightly), "study"]
)
def log(request, tmp_path_factory):
    rules = Rules(2, board_side=3, num_colours=2, rack_size=2)
    kind, rules, agents = {
        "tournament": (Tournament, rules, ("uniform", "uniform")),
        "loopit": (Tournament, LoopitRules(2), ("uniform", "uniform")),
        "study": (Study, Rules(1, board_side=3, num_colours=2, rack_size=2), ("uniform",)),
    }[request.param]
    log = Log(tmp_path_factory.mktemp("log") / "log", kind.of(rules, agents))
    for group in log.games:
        log.games[group] += log.tournament.play(group, range(1))
    log.save()
    return log


def test_each_entry_of_a_line_of_a_log(log, tmp_path):
    """Also a report can be made of what is accepted."""
    path, again = tmp_path / "log", tmp_path / "again"
    first, *others = log.path.read_text(encoding="utf-8").splitlines()
    kept = 0
    for text, case, is_wrong in spoilt(json.loads(first)):
        if re.match(r"\('actions', ([2-9]|\d\d)", case):
            continue  # as the first two
        path.write_text("\n".join([text, *others]) + "\n", encoding="utf-8")

        def written(found):
            if isinstance(found, Log) and type(found.tournament) is Tournament:
                markdown(report(found.tournament, found.games))
            found.path = again
            found.save()
            return json.loads(again.read_text(encoding="utf-8").splitlines()[0])

        def read():
            found = Log.load(path, type(log.tournament))
            check_played(found.tournament, found.games)
            return found

        is_kept = refused_or_kept(case, read, written, loaded(text))
        assert not (is_kept and is_wrong), case
        kept += is_kept
    assert 0 < kept < 70


# Material.


def test_each_entry_of_material(tmp_path):
    bad = ["-1", "0", "100", "1.5", "inf", "nan", "true", '"64"', '""', "[]", "[[]]", "{}", "1" + "0" * 30,
           "1" + "0" * 5000, "1979-05-27", "[" * 20_000, "{a=" * 20_000]  # fmt: skip
    good = {
        "start": "[1, 1]",
        "factors": '["111", "121", "111"]',
        "NS": "[1, 2]",
        "NE": "[1, 1]",
        "NESW": "[5]",
    }
    names = [(name, None) for name in good] + [("start", 1), ("factors", 2), ("NS", 1)]

    def text_of(parts):
        board, tiles = list(parts.items())[:2], list(parts.items())[2:]
        lines = ["[board]", *(f"{key} = {value}" for key, value in board), "[tiles]"]
        return "\n".join([*lines, *(f"{key} = {value}" for key, value in tiles)]) + "\n"

    path = tmp_path / "own.toml"
    path.write_text(text_of(good), encoding="utf-8")
    assert load_material(path).shape == (3, 3)
    kept = []
    for name, at in names:
        for new in bad:
            value = new
            if at is not None:
                entries = json.loads(good[name])
                value = ", ".join([*map(json.dumps, entries[:at]), new, *map(json.dumps, entries[at + 1 :])])
                value = f"[{value}]"
            path.write_text(text_of(good | {name: value}), encoding="utf-8")
            if refused_or_kept((name, new[:20]), lambda: load_material(path).shape, lambda _: 1, 1):
                kept.append((name, new))
    assert kept == [("NS", "[]"), ("NE", "[]"), ("NESW", "[]"), ("start", "0")]  # no tiles of a kind


# Checkpoints.


def bad_values(value):
    """Possible contents of a checkpoint in place of a value."""
    torch = pytest.importorskip("torch")
    yield from (
        math.inf,
        -math.inf,
        math.nan,
        10**30,
        10**400,
        -1,
        0.5,
        "64",
        "",
        True,
        None,
        [],
        [[]],
        {},
        {"a": 1},
        (5, 7),
    )
    yield from (torch.tensor(math.nan), torch.zeros(2, 3, 5), torch.zeros(0))
    if isinstance(value, torch.Tensor):
        yield from (value.double(), value.to(torch.int64), value[None], torch.full_like(value, math.inf))
        yield from (value.to(torch.complex64),)
        if value.dim():
            yield torch.cat([value, value[:1]])


def check_checkpoint(monkeypatch, folder, args, may_change, make, state, afresh=lambda _: None) -> int:
    """Corrupt each value of a checkpoint; the learner writes accepted values again."""
    from ingenious_agents.training import checkpoint

    content = {"args": {name: getattr(args, name) for name in args.__dataclass_fields__}, "state": state}
    (folder / checkpoint.CHECKPOINT).write_bytes(b"read below")
    cases = 0
    learner = make()
    tensors = Counter()
    for path in paths_of(content):
        if len(path) > 1 and path[0] == "args" and path[1] in may_change:
            continue
        value = content
        for key in path:
            value = value[key]
        if type(value).__name__ == "Tensor":
            tensors[path[:-1]] += 1
            if tensors[path[:-1]] > 2:
                continue  # as the first two of its state are
        for bad in bad_values(value):
            given = changed(content, path, bad)
            monkeypatch.setattr(checkpoint.torch, "load", lambda *_, given=given, **__: copy.deepcopy(given))

            def read():
                afresh(learner)
                with checkpoint.checkpoint_in(folder, args, may_change) as loaded:
                    learner.restore(loaded)
                return learner

            wanted = given["state"] if isinstance(given, dict) and "state" in given else None
            refused_or_kept((path, bad), read, lambda found: found.state(), wanted)
            cases += 1
    return cases


def test_each_value_of_a_checkpoint_of_train_value(monkeypatch, tmp_path):
    pytest.importorskip("torch")
    from ingenious_agents.training.settings import settings_of
    from ingenious_agents.value.training import Learner, Settings

    from scripts.train_value import MAY_CHANGE, parse

    args = parse(["--games", "40", "--batch", "20", "--game", "loopit", "--folder", str(tmp_path)])

    def make():
        return Learner(args.rules, settings_of(Settings, args))

    learner = make()
    games = learner.self_play.play(learner.weights_for(0), learner.deals, 0, 20)
    learner.learn(games)
    learner.add_evaluation((0.5, 0.25, 0.75))
    assert check_checkpoint(monkeypatch, tmp_path, args, MAY_CHANGE, make, learner.state()) > 1000


def test_each_value_of_a_checkpoint_of_train_ppo(monkeypatch, tmp_path):
    pytest.importorskip("sb3_contrib")
    from ingenious_agents.ppo.opponent_pool import Pool
    from ingenious_agents.ppo.training import Learner, Settings
    from ingenious_agents.training.settings import settings_of

    from scripts.train_ppo import MAY_CHANGE, parse

    sizes = [
        "--num-envs",
        "2",
        "--num-steps",
        "4",
        "--minibatch",
        "4",
        "--hidden",
        "4",
        "--opponents",
        "uniform",
    ]
    args = parse([*sizes, "--rounds", "2", "--steps", "8", "--folder", str(tmp_path)])

    def make():
        return Learner(args.rules, settings_of(Settings, args))

    learner = make()
    state = learner.state()
    state["done"], state["curve"] = 1, [(8, 0.5, 0.5, 0.25, 0.75, 0.5, 0.25, 0.75)]
    past = learner.past_self()
    learner.pool.add("self-1", past)
    state["pool"] = learner._pool_state()
    members = {name: member.policy for name, member in learner.pool.members.items() if member.stays}

    def afresh(learner):
        learner.pool = Pool(members)

    assert check_checkpoint(monkeypatch, tmp_path, args, MAY_CHANGE, make, state, afresh) > 1000
