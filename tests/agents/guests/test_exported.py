"""Exported modules of PyTorch: they play as the modules do, and nothing in a file is executed."""

from __future__ import annotations

import json
import pickle
import warnings
import zipfile
from copy import deepcopy

import numpy as np
import pytest
from helpers import batch_at

torch = pytest.importorskip("torch")

from ingenious_agents import agent_text, make_agent, play_match
from ingenious_agents.evaluation.tournament import Tournament
from ingenious_agents.guests.torch import ExportedModule
from torch import nn

from ingenious_env import GameBatch, Rules, View
from ingenious_env.engine.definition import variant_of
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.networks import PlacementNetwork
from ingenious_env.policies.view import flat_actions

SMALL = Rules(2, board_side=4, num_colours=3, rack_size=3)
LOOPIT = LoopitRules(2)
D, A = GameBatch(SMALL, 1, 0).observation_size, GameBatch(SMALL, 1, 0).num_actions


class Plain(nn.Module):
    """Layers, a buffer, a constant, sizes of the input, and two results."""

    def __init__(self, size=D, actions=A, results=2):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(size, 16), nn.LayerNorm(16), nn.GELU(), nn.Linear(16, actions))
        self.register_buffer("scale", torch.tensor([0.5]))
        self.results = results

    def forward(self, seen):
        logits = self.layers(seen) * self.scale + torch.arange(3.0).sum()
        more = logits.reshape(seen.shape[0], -1).masked_fill(logits > 1, -torch.inf)
        return (logits, more)[: self.results] if self.results > 1 else logits


class Other(nn.Module):
    """Convolution, normalisation, attention, recurrence, embedding, pieces and an infinite number."""

    def __init__(self):
        super().__init__()
        self.front = nn.Linear(D, 64)
        self.pictures = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.MaxPool2d(2))
        self.layer = nn.TransformerEncoderLayer(16, 2, 16, batch_first=True)
        self.memory = nn.GRU(16, 16, batch_first=True)
        self.table, self.last = nn.Embedding(5, 16), nn.Linear(64, A)

    def forward(self, seen):
        pictures = self.pictures(self.front(seen).view(-1, 1, 8, 8))
        words = pictures.flatten(1).view(-1, 4, 16)
        words = self.layer(words) + self.table(torch.arange(4))
        first, second = self.memory(words)[0].split([1, 3], dim=1)
        words = torch.cat([second, first], dim=1).flatten(1)
        return torch.where(seen.sum(dim=1, keepdim=True) > -torch.inf, self.last(words), 0.0)


class InPlace(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(D, 8), nn.ReLU(inplace=True), nn.Linear(8, A))

    def forward(self, seen):
        return self.layers(seen)


def export(module, path, size=D, *, decomposed=False):
    """Save a module for any number of observations."""
    batch = {0: torch.export.Dim("batch", min=1)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of PyTorch about its own parts
        program = torch.export.export(module.eval(), (torch.zeros(3, size),), dynamic_shapes=(batch,))
        torch.export.save(program.run_decompositions() if decomposed else program, path)
    return f"torch:path={path}"


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(1)


@pytest.mark.parametrize("decomposed", [False, True])
@pytest.mark.parametrize("kind", [Plain, Other, InPlace])
def test_it_plays_as_the_module_does(kind, decomposed, tmp_path):
    if kind is InPlace and not decomposed:
        return
    module = kind()
    agent = make_agent(export(module, tmp_path / "module.pt2", decomposed=decomposed))
    agent.check(SMALL)
    for count in (1, 12):
        view = View(batch_at(SMALL, count, 5))
        seen = torch.from_numpy(view.observe().astype(np.float32))
        with torch.no_grad():
            found = module(seen)
        logits = (found[0] if isinstance(found, tuple) else found).numpy()
        expected = np.where(view.legal_mask() == 1, logits, -np.inf).argmax(axis=1)
        for each in (agent, deepcopy(agent), pickle.loads(pickle.dumps(agent))):
            assert np.array_equal(each.act(view), expected)
            assert each == agent


@pytest.mark.parametrize("staged", [False, True])
def test_the_placement_network(staged, tmp_path):
    """By the number of its logits, its actions are flat or staged."""
    module = PlacementNetwork(SMALL, 8, staged=staged)
    agent = make_agent(export(module, tmp_path / "module.pt2"))
    view = View(batch_at(SMALL, 12, 5))
    assert view.legal_mask()[np.arange(12), flat_actions(agent, view)].all()
    games = batch_at(SMALL, 12, 5, staged=staged)
    seen = torch.from_numpy(games.observe())
    with torch.no_grad():
        logits = module(seen, torch.from_numpy(games.legal_mask()))[0]
    assert np.array_equal(agent.act(View(games)), logits.argmax(dim=1))
    if not staged:
        with pytest.raises(ValueError, match=f"has {A} flat actions, and the view .* staged ones"):
            agent.act(View(batch_at(SMALL, 12, 5, staged=True)))


@pytest.mark.parametrize("rules", [SMALL, LOOPIT], ids=["ingenious", "loopit"])
def test_matches(rules, tmp_path):
    variant = variant_of(rules)
    size, actions = variant.observation.size, variant.staged_actions.size
    agent = make_agent(export(Plain(size, actions), tmp_path / "module.pt2", size))
    assert play_match(rules, [agent, make_agent("uniform")], 2).games == 4


class Constant(nn.Module):
    def __init__(self, value):
        super().__init__()
        self.value = value

    def forward(self, seen):
        return seen.sum(dim=1, keepdim=True) * 0 + torch.full((A,), self.value)


def test_infinite_logits_leave_the_action_legal(tmp_path):
    view = View(batch_at(SMALL, 12, 5))
    for value in (-np.inf, np.inf):
        agent = make_agent(export(Constant(value), tmp_path / "module.pt2"))
        assert view.legal_mask()[np.arange(12), agent.act(view)].all()


def test_logits_that_are_not_numbers_are_refused(tmp_path):
    """As of a training that diverged."""
    agent = make_agent(export(Constant(np.nan), tmp_path / "module.pt2"))
    for play in (agent.check, lambda rules: agent.act(View(GameBatch(rules, 1, 0)))):
        with pytest.raises(ValueError, match=r"module\.pt2 returns logits that are not numbers \(NaN\)"):
            play(SMALL)


def test_names_and_fingerprints(tmp_path):
    name = export(Plain(), tmp_path / "a,b.pt2")
    assert agent_text(make_agent(name)) == name
    tournament = Tournament.of(SMALL, (name, "uniform"))
    assert len(tournament.networks[0]) == 16
    export(Plain(), tmp_path / "a,b.pt2")
    with pytest.raises(ValueError, match="are others now"):
        tournament.check_networks()


def test_sizes_that_do_not_fit(tmp_path):
    agent = make_agent(export(Plain(), tmp_path / "module.pt2"))
    with pytest.raises(ValueError, match=r"does not take observations \[B, 968\]: mat1 and"):
        play_match(LOOPIT, [agent, make_agent("uniform")], 1)
    agent = make_agent(export(Plain(actions=A + 1), tmp_path / "other.pt2"))
    staged = variant_of(SMALL).staged_actions.size
    complaint = f"returns {A + 1} logits, and this variant has {A} flat actions and {staged} staged ones"
    for play in (agent.check, lambda rules: agent.act(View(GameBatch(rules, 1, 0)))):
        with pytest.raises(ValueError, match=complaint):
            play(SMALL)


class Flat(nn.Module):
    def forward(self, seen):
        return seen.sum(dim=1)


def test_results_that_are_no_logits(tmp_path):
    agent = make_agent(export(Flat(), tmp_path / "module.pt2"))
    with pytest.raises(ValueError, match=r"must return logits \[2, A\], not \[2\]"):
        agent.check(SMALL)


# Files.


class Two(nn.Module):
    def forward(self, seen, other):
        return seen + other


def test_programs_that_are_refused(tmp_path):
    path = tmp_path / "module.pt2"
    torch.export.save(torch.export.export(Two(), (torch.zeros(1, 2), torch.zeros(1, 2))), path)
    with pytest.raises(ValueError, match="it takes 2 inputs, not only observations"):
        make_agent(f"torch:path={path}")
    with pytest.raises(
        ValueError, match=r"aten\.relu_\.default .*; the program's run_decompositions\(\) may"
    ):
        make_agent(export(InPlace(), path))


def changed(path, model=lambda _: None, weights=lambda _: None):
    """Rewrite parts of an exported program."""
    with zipfile.ZipFile(path) as file:
        entries = {name: file.read(name) for name in file.namelist()}
    with zipfile.ZipFile(path, "w") as file:
        for name, content in entries.items():
            change = model if name.endswith("models/model.json") else weights
            if name.endswith(("models/model.json", "model_weights_config.json")):
                found = json.loads(content)
                change(found)
                content = json.dumps(found)  # noqa: PLW2901 - what the name says
            file.writestr(name, content)


def of_node(**values):
    return lambda model: model["graph_module"]["graph"]["nodes"][0].update(values)


def of_weight(**values):
    return lambda config: config["config"]["layers.0.weight"].update(values)


def no_nodes(model):
    model["graph_module"]["graph"]["nodes"].clear()


REFUSED = {
    "code": (
        {"model": of_node(target="torch.ops.aten.from_file.default")},
        "does not only take and give tensors",
    ),
    "module": ({"model": of_node(target="os.system")}, "os.system is not an operation of PyTorch on tensors"),
    "library": (
        {"model": of_node(target="torch.ops.mine.op.default")},
        "is not an operation of PyTorch on tensors",
    ),
    "attribute": ({"model": of_node(target="torch.ops.aten.__class__.mro")}, "is not an operation of"),
    "pickle": ({"weights": of_weight(use_pickle=True)}, r"layers\.0\.weight is pickled"),
    "schema": ({"model": lambda model: model["schema_version"].update(major=9)}, "its format is 9, not 8"),
    "nothing": ({"model": lambda model: model.clear()}, "'schema_version' is missing"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_files_that_are_refused(case, tmp_path):
    name = export(Plain(), tmp_path / "module.pt2")
    changes, complaint = REFUSED[case]
    changed(tmp_path / "module.pt2", **changes)
    with pytest.raises(ValueError, match=complaint) as error:
        make_agent(name)
    assert str(error.value).startswith(str(tmp_path))


@pytest.mark.parametrize(
    ("argument", "complaint"),
    [({"as_graph": {}}, "an argument is as_graph"), ({"as_tensor": {"name": "x"}}, "")],
)
def test_graphs_that_do_not_run(argument, complaint, tmp_path):
    def spoil(model):
        model["graph_module"]["graph"]["nodes"][0]["inputs"][1]["arg"] = argument

    name = export(Plain(), tmp_path / "module.pt2")
    changed(tmp_path / "module.pt2", model=spoil)
    with pytest.raises(ValueError, match=f"does not take observations .*{complaint}"):
        make_agent(name).check(SMALL)


class Bomb:
    """Leaves a trace when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        import os

        return os.makedirs, (str(self.path), 0o777, True)


def test_nothing_is_unpickled(tmp_path):
    """The entries that PyTorch itself would unpickle hold a pickle that leaves a trace."""
    path, trace = tmp_path / "module.pt2", tmp_path / "trace"
    export(Plain(), path)
    torch.save(Bomb(trace), tmp_path / "bomb")
    with zipfile.ZipFile(path) as file:
        entries = {name: file.read(name) for name in file.namelist()}
    with zipfile.ZipFile(path, "w") as file:
        for name, content in entries.items():
            is_sample = name.endswith("sample_inputs/model.pt")
            file.writestr(name, (tmp_path / "bomb").read_bytes() if is_sample else content)
    ExportedModule.load(str(path))(torch.zeros(1, D))
    assert not trace.exists()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("torch", "torch needs the parameters path"),
        ("torch:path=/nowhere.pt2", "there is no module /nowhere.pt2; write one by torch.export.save"),
        (f"torch:path={__file__}", "holds no exported module that can be read: File is not a zip file"),
    ],
)
def test_modules_that_are_not(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        make_agent(text)


def test_other_zips_are_no_modules(tmp_path):
    torch.save(nn.Linear(2, 2).state_dict(), tmp_path / "weights")
    with pytest.raises(ValueError, match=r"it has no models/model\.json"):
        make_agent(f"torch:path={tmp_path / 'weights'}")
