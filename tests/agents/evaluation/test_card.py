"""Verification of cards: manipulated cards and logs are refused, each with a sentence."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import random
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from commands import refused
from ingenious_agents import make_agent, registry
from ingenious_agents.commands import rate, verify
from ingenious_agents.evaluation import card as cards
from ingenious_agents.evaluation.card import CardError, log_digest, log_of
from ingenious_agents.evaluation.endings import endings_path, values_of
from ingenious_agents.evaluation.log import Log
from ingenious_agents.evaluation.losses import score

from ingenious_env import Rules
from ingenious_env.engine.definition import definitions
from ingenious_env.policies import Greedy, Uniform

AGENT = "greedy:epsilon=0.35"
UNVERIFIABLE = ("made", "command")
"""The provenance, which games do not show."""


def make_card(path, agent=AGENT, *options):
    rate.main([agent, "--half-width", "120", "--processes", "1", "--out", str(path), *options])
    return path


@pytest.fixture(scope="module")
def card(tmp_path_factory):
    return make_card(tmp_path_factory.mktemp("card") / "card.json", AGENT, "--luck")


@pytest.fixture(scope="module")
def table_for_three(tmp_path_factory):
    return make_card(tmp_path_factory.mktemp("three") / "card.json", AGENT, "--players", "3")


def chance_of(seed):
    return random.Random(seed)  # noqa: S311 - which fault is planted needs no cryptography


def copied(card, folder):
    path = folder / card.name
    shutil.copy(card, path)
    shutil.copy(log_of(card), log_of(path))
    return path


def test_line_ends_of_windows_are_the_same_log(table_for_three, tmp_path):
    path = copied(table_for_three, tmp_path)
    log = log_of(path)
    content = log.read_bytes().replace(b"\n", b"\r\n")
    log.write_bytes(content)
    for _ in cards.verify(path, sample=0.0, itself=False, seed=0):
        pass
    log.unlink()
    log.with_name(f"{log.name}.gz").write_bytes(gzip.compress(content))
    for _ in cards.verify(path, sample=0.0, itself=False, seed=0):
        pass


def signed(path):
    """Put the digest of the log on the card, and the numbers that follow from it, as a manipulator would."""
    values = json.loads(path.read_text(encoding="utf-8"))
    values["log"] = log_digest(log_of(path))
    deals = {each["opponent"]: each["deals"] for each in values["against"]}
    with contextlib.suppress(ValueError, IndexError, TypeError):  # of logs that are none
        plan, field = cards.plan_of_card(values)
        values |= cards.card_of(Log.read(log_of(path), plan), field, deals, values["log"])
    path.write_text(json.dumps(values), encoding="utf-8")


def refusal(path, sample=0.0, *, itself=False, seed=0):
    """The sentence with which a card is refused."""
    with pytest.raises(CardError) as refused:
        for _ in cards.verify(path, sample=sample, itself=itself, seed=seed):
            pass
    message = str(refused.value)
    assert len(message) > 20
    assert "\n" not in message
    return message


def leaves(value, at=()):
    """The paths of all numbers, texts and nulls of a value of JSON."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from leaves(each, (*at, name))
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from leaves(each, (*at, number))
    else:
        yield at


def holder(value, at):
    for each in at[:-1]:
        value = value[each]
    return value, at[-1]


def other(value, chance):
    """A value of the same type, near the old one."""
    if isinstance(value, str):
        return value[:-1] + ("0" if value[-1:] != "0" else "1") if value else "0"
    if type(value) is int:
        return value + chance.choice([-1, 1])
    if isinstance(value, float):
        return value + chance.choice([-1, 1]) * max(0.02, abs(value) / 50)
    return 1.0


def number_of_sheets(card):
    return 3 if "players=3" in card["rules"] else 2


def test_the_card_itself_is_right(card, table_for_three, capsys):
    verify.main([str(card), str(table_for_three), "--sample", "1", "--itself"])
    assert capsys.readouterr().out.count("all numbers follow from them") == 2


@pytest.mark.parametrize("seed", range(40))
def test_a_manipulated_card_is_refused(seed, card, tmp_path):
    """One number or text of the card is another."""
    path, chance = copied(card, tmp_path), chance_of(seed)
    values = json.loads(path.read_text(encoding="utf-8"))
    places = [at for at in leaves(values) if at[0] not in UNVERIFIABLE]
    at = places[seed % len(places)] if seed < len(places) else chance.choice(places)
    inside, key = holder(values, at)
    inside[key] = other(inside[key], chance)
    path.write_text(json.dumps(values), encoding="utf-8")
    refusal(path)


@pytest.mark.parametrize("signs", [False, True])
@pytest.mark.parametrize(
    ("table", "seed"),
    [*(("card", seed) for seed in range(8)), *(("table_for_three", seed) for seed in range(42))],
)
def test_a_manipulated_log_is_refused(table, seed, signs, request, tmp_path):
    """One entry of one line is another, with the old digest and with that of the new log."""
    path, chance = copied(request.getfixturevalue(table), tmp_path), chance_of(seed)
    log = log_of(path)
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    line = chance.choice(lines)
    places = [at for at in leaves(line) if at[0] != "seconds"]
    kind = sorted({at[0] for at in places})[seed % len({at[0] for at in places})]
    inside, key = holder(line, chance.choice([at for at in places if at[0] == kind]))
    inside[key] = other(inside[key], chance)
    log.write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf-8")
    if signs:
        signed(path)
    refusal(path)


def swapped(lines, _):
    """The winner of a game is the other agent."""
    line = next(each for each in lines if len(set(each["ranks"])) > 1)
    for name in ("agents", "networks"):
        line[name].reverse()


def left_out(lines, chance):
    """A lost deal is not in the log."""
    lost = chance.choice(lines)["deal"]
    lines[:] = [each for each in lines if each["deal"] != lost]


def repeated(lines, chance):
    """A deal is in it twice."""
    deal = chance.choice(lines)["deal"]
    lines += [each for each in lines if each["deal"] == deal]


def stopped(lines, chance):
    """A game ends before its end."""
    line = chance.choice(lines)
    line["actions"].pop()
    line["decisions"][0] -= 1


def prolonged(lines, chance):
    """A game goes on after its end."""
    line = chance.choice(lines)
    line["actions"].append(line["actions"][-1])
    line["decisions"][0] += 1


def exchanged(lines, chance):
    """Two moves of a game are in the other order."""
    actions = chance.choice(lines)["actions"]
    at = next(each for each in range(len(actions) - 1) if actions[each] != actions[each + 1])
    actions[at], actions[at + 1] = actions[at + 1], actions[at]


def mixed(lines, _):
    """The log has games of opponents against each other."""
    others = sorted(
        {(line["agents"][1], line["networks"][1]) for line in lines if line["agents"][0] == AGENT}
    )
    line = json.loads(json.dumps(lines[0]))
    line["agents"], line["networks"] = (list(each) for each in zip(*others[:2], strict=True))
    lines.append(line)


def unlucky(lines, _):
    """The luck of all games is not measured, so it would not be subtracted."""
    for line in lines:
        line["luck"] = None


def joined(lines, _):
    """The log has games of somebody else."""
    for line in [json.loads(json.dumps(each)) for each in lines[:2]]:
        line["agents"] = ["somebody", *line["agents"][1:]]
        lines.append(line)


SENTENCES = {
    swapped: "in every seating",
    left_out: "are not 0, 1, 2 and so on",
    repeated: "are not 0, 1, 2 and so on",
    stopped: "the game goes on after move",
    prolonged: "the game ends before move",
    exchanged: "the log has an illegal move",
    unlucky: "the luck of the draws is",
    joined: "games of other agents",
    mixed: "games of other agents",
}


@pytest.mark.parametrize("manipulated", SENTENCES)
def test_manipulations_that_a_log_alone_would_hide(manipulated, card, tmp_path):
    path = copied(card, tmp_path)
    log = log_of(path)
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    manipulated(lines, chance_of(1))
    log.write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf-8")
    signed(path)
    assert SENTENCES[manipulated] in refusal(path)


def test_games_that_all_stop_early(table_for_three, tmp_path):
    """No game goes on after another, and each result is that of the position where it stops."""
    path = copied(table_for_three, tmp_path)
    log = log_of(path)
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    length = min(len(line["actions"]) for line in lines) - 1
    for line in lines:
        definition = definitions()[line["game"]]
        game = definition.game(definition.text_to_rules(line["rules"]), (line["seed"], line["deal"]))
        line["actions"], line["decisions"] = line["actions"][:length], [0, 0, 0]
        for action in line["actions"]:
            line["decisions"][game.to_play] += 1
            game.play(action)
        line["scores"] = game.scores.tolist()
        line["ranks"] = definition.rank(game.scores[None])[0].tolist()
    log.write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf-8")
    signed(path)
    assert "the moves of the log end before the game does" in refusal(path)


def test_opponents_that_play_other_moves_are_found(tmp_path, monkeypatch):
    """Games against an opponent that is not what the log calls it replay, and its moves differ."""
    with monkeypatch.context() as weak:
        weak.setitem(registry.AGENTS, "greedy", f"{__name__}:Weak")
        path = make_card(tmp_path / "card.json", "flat-mc:rollouts=8")
    for _ in cards.verify(path, sample=0.0, itself=False, seed=0):
        pass
    assert "as in the log" in refusal(path, 0.3)


def sample_of(path, monkeypatch, *options):
    """The games in which agents are asked again, and the seed that the command prints."""
    asked, said = [], io.StringIO()
    with monkeypatch.context() as spied, contextlib.redirect_stdout(said):
        spied.setattr(cards, "check_games", lambda *given, **_: asked.extend(given[3].tolist()))
        verify.main([str(path), "--sample", "0.5", *options])
    return asked, re.search(r"\(--seed (\d+)\)$", said.getvalue().strip())[1]


def test_nobody_knows_the_sample_beforehand(card, tmp_path, monkeypatch):
    """It is that of the printed seed, whatever is in the log."""
    asked, seed = sample_of(card, monkeypatch)
    again, other_seed = sample_of(card, monkeypatch)
    assert 0 < sum(asked) < len(asked)
    assert seed != other_seed
    assert asked != again
    path = copied(card, tmp_path)
    log = log_of(path)
    log.write_text(log.read_text(encoding="utf-8").replace('"seconds":[', '"seconds":[1'), encoding="utf-8")
    signed(path)
    assert sample_of(path, monkeypatch, "--seed", seed) == (asked, seed)


@dataclass(frozen=True)
class Weak(Greedy):
    """Plays at random, whatever it is asked to."""

    def act(self, view):
        return Uniform().act(view)


IMPOSTOR = '''
import pathlib
pathlib.Path({mark!r}).touch()
from ingenious_env import Rules
from ingenious_env.engine.definition import definitions
from ingenious_env.policies import Greedy, Uniform

class Strong(Greedy):
    """Greedy, as rated."""
'''


def test_the_code_of_an_agent_is_run_on_request_only(tmp_path, monkeypatch):
    mark, module = tmp_path / "imported", tmp_path / "impostor.py"
    module.write_text(IMPOSTOR.format(mark=str(mark)), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    path = make_card(tmp_path / "card.json", "impostor.Strong")
    mark.unlink()
    del sys.modules["impostor"]
    for _ in cards.verify(path, sample=1.0, itself=False, seed=0):
        pass
    assert not mark.exists()
    for _ in cards.verify(path, sample=1.0, itself=True, seed=0):
        pass
    assert mark.exists()
    del sys.modules["impostor"]
    text = module.read_text(encoding="utf-8").replace("Strong(Greedy)", "Strong(Uniform)")
    module.write_text(text, encoding="utf-8")
    assert "impostor.Strong plays action" in refusal(path, 1.0, itself=True)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is not a card"),
        ("[]", "is not a card of the format"),
        ('{"format": "ingenious card 0"}', "is not a card of the format"),
        ('{"format": "ingenious card 1"}', "must have the entries"),
        ("[" * 100_000, "is not a card"),
        ("\x00", "is not a card"),
    ],
)
def test_files_that_are_no_cards(text, sentence, tmp_path, capsys):
    """Wrong input of both commands that read cards, with its name once, and without a seed to repeat."""
    path = tmp_path / "card.json"
    path.write_text(text, encoding="utf-8")
    log_of(path).write_text("", encoding="utf-8")
    assert sentence in refusal(path)
    for script, options in ((verify, []), (rate, ["--show"])):
        said = refused(capsys, script, *options, str(path))
        assert sentence in said
        assert said.count("card.json") == 1
        assert "--seed" not in said


def test_a_log_is_no_card(card, capsys):
    said = refused(capsys, verify, str(log_of(card)))
    assert f"{log_of(card).name} is not a card: " in said


def counted(path, change, command=None):
    """Change the deals that a card counts, with all numbers that follow, and perhaps its command."""
    values = json.loads(path.read_text(encoding="utf-8"))
    plan, field = cards.plan_of_card(values)
    deals = change({each["opponent"]: each["deals"] for each in values["against"]})
    values |= cards.card_of(Log.read(log_of(path), plan), field, deals, values["log"])
    values["command"] = command or values["command"]
    path.write_text(json.dumps(values), encoding="utf-8")


def test_deals_that_were_chosen_by_their_results_are_refused(card, tmp_path):
    """As are those of a card that would have gone on; options of another command explain other deals."""
    path = copied(card, tmp_path)
    counted(path, lambda deals: {name: count - 1 for name, count in deals.items()})
    assert "counts the deals" in refusal(path)
    path = copied(card, tmp_path)
    counted(path, lambda deals: dict([max(deals.items(), key=lambda each: each[1])]))
    assert "counts the deals" in refusal(path)
    for command in ("ingenious rate any --half-width 10", "ingenious rate any"):
        path = copied(card, tmp_path)
        counted(path, dict, command)
        assert "does not end with the" in refusal(path)
    for command, complaint in (
        ("ingenious rate 'any", "cannot be read: No closing quotation"),
        ("ingenious rate any --deals many", "cannot be read: invalid literal"),
        ("ingenious rate any --half-width nan", "asks for ±nan"),
        ("ingenious rate any --deals 0", "by 0 deals"),
    ):
        counted(path, dict, command)
        assert complaint in refusal(path)


def test_a_card_may_count_fewer_deals_than_its_log_has(tmp_path):
    """After a rating with a narrower interval, one with a wider interval is as if it were the first."""
    path = make_card(tmp_path / "card.json", AGENT, "--half-width", "50")
    narrow = json.loads(path.read_text(encoding="utf-8"))
    make_card(path)
    wide = json.loads(path.read_text(encoding="utf-8"))
    assert wide["games"] < narrow["games"]
    assert wide["log"] == narrow["log"]
    for _ in cards.verify(path, sample=0.0, itself=False, seed=0):
        pass


def test_an_opponent_without_deals_is_refused(card, tmp_path):
    path = copied(card, tmp_path)
    values = json.loads(path.read_text(encoding="utf-8"))
    for each in values["against"]:
        each["deals"] = 0
    path.write_text(json.dumps(values), encoding="utf-8")
    assert refusal(path) == "deals of an entry of against must be at least 1"


def test_a_solitaire_log_without_luck_is_refused(tmp_path):
    """Which a card of solitaire always has."""
    path = make_card(tmp_path / "card.json", "uniform", "--players", "1", "--deals", "2")
    lines = [json.loads(line) | {"luck": None} for line in log_of(path).read_text().splitlines()]
    log_of(path).write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    signed(path)
    assert "luck" in refusal(path)


@pytest.mark.parametrize("wrong", [None, True, "x", float("nan"), float("inf"), [], {}, 10**400])
def test_each_entry_has_its_type(wrong, card, tmp_path):
    values = json.loads(card.read_text(encoding="utf-8"))
    path = copied(card, tmp_path)
    for at in leaves(values):
        if at[0] == "made" or at[-1] == "format":
            continue
        changed = json.loads(json.dumps(values))
        inside, key = holder(changed, at)
        if isinstance(wrong, str) and isinstance(inside[key], str):
            continue
        if wrong is inside[key]:
            continue
        inside[key] = wrong
        path.write_text(json.dumps(changed), encoding="utf-8")
        refusal(path)


def test_a_refused_card_ends_the_command(card, tmp_path, capsys):
    path = copied(card, tmp_path)
    values = json.loads(path.read_text(encoding="utf-8"))
    values["rating"]["value"] += 5
    path.write_text(json.dumps(values), encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        verify.main([str(path)])
    assert ended.value.code == 1
    error = capsys.readouterr().err
    assert "rating is" in error
    assert re.search(r" \(--seed \d+\)$", error.strip())
    log_of(path).unlink()
    with pytest.raises(SystemExit) as ended:
        verify.main([str(path)])
    assert ended.value.code == 2


def test_another_field_is_another_scale(card, tmp_path):
    path = copied(card, tmp_path)
    values = json.loads(path.read_text(encoding="utf-8"))
    values["field"] = "0" * 64
    path.write_text(json.dumps(values), encoding="utf-8")
    assert "another one than that of this version" in refusal(path)


DOCS = Path(__file__).parents[3] / "docs"
CARDS = sorted((Path(__file__).parents[3] / "agents" / "cards").glob("*.json"))


@pytest.mark.parametrize("path", CARDS, ids=lambda path: path.stem)
def test_the_cards_of_the_repository_are_right(path):
    """All games replay; the opponents' moves are computed again in some."""
    seed = 1  # in its sample no move of an opponent hangs on a rounding error of the processor
    steps = list(cards.verify(path, sample=0.02, itself=False, seed=seed))
    assert steps[-1][0] == steps[-1][1] > 0


def test_the_page_shows_fields_and_cards():
    """Its directives write the tables of the commands."""
    page = (DOCS / "benchmark" / "ladder.md").read_text(encoding="utf-8")
    for game in ("ingenious", "loopit"):
        for preset in definitions()[game].presets:
            assert f"{{field}} {game} {preset}\n" in page
    assert "{cards}\n" in page


def test_the_figures_of_losses_are_those_of_the_agents():
    rows = json.loads((DOCS / "figures" / "endings_solitaire.json").read_text(encoding="utf-8"))["rows"]
    shown = {name: cells for name, *cells in rows}
    positions = values_of(endings_path(Rules.solitaire()))
    for name in ("value", "greedy", "uniform"):
        found = score(name, make_agent(name), positions)
        cells = [f"{each.mean}, {(each.losses <= 0).mean():.0%}".replace("%", " %") for each in found]
        assert shown[f"`{name}`"] == cells
