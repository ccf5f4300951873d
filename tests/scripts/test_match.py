"""The match script: who plays what, and its table."""

import pytest
from commands import refused
from ingenious_agents import make_agent, play_match
from ingenious_agents.commands import match, rate, tournament

from ingenious_env import Rules
from ingenious_env.games.loopit import Rules as LoopitRules


@pytest.mark.parametrize(
    ("arguments", "rules"),
    [
        ("greedy uniform", Rules()),
        ("greedy uniform greedy:utility=lowest", Rules.standard(3)),
        ("greedy uniform uniform greedy", Rules.standard(4)),
        ("greedy uniform --partnership", Rules.partnership()),
        ("greedy uniform greedy --game loopit --fixed-rounds", LoopitRules(3, fixed_rounds=True)),
    ],
)
def test_there_is_a_sheet_for_each_agent(arguments, rules, capsys):
    match.main([*arguments.split(), "--deals", "3", "--seed", "5"])
    output = capsys.readouterr().out.splitlines()
    names = [word for word in arguments.split() if word.startswith(("greedy", "uniform"))]
    result = play_match(rules, [make_agent(name) for name in names], 3, 5)
    assert output[0].startswith(f"| {result.games} games ")
    again = {
        "greedy uniform uniform greedy": ["greedy", "uniform", "uniform (2)", "greedy (2)"],
        "greedy uniform greedy --game loopit --fixed-rounds": ["greedy", "uniform", "greedy (2)"],
    }
    rows = [[cell.strip() for cell in line.split("|")] for line in output[2:]]
    assert [row[1] for row in rows] == again.get(arguments, names)
    assert [row[2].split()[0] for row in rows] == [f"{result.share(k):.1%}" for k in range(len(names))]


@pytest.mark.parametrize(
    ("script", "arguments", "variant"),
    [
        (match, "greedy uniform --game loopit --fixed-rounds", "loopit, players=2 rounds=fixed"),
        (match, "greedy uniform --side 4", "ingenious, players=2 teams=no side=4"),
        (tournament, "greedy uniform --game loopit --fixed-rounds", "loopit, players=2 rounds=fixed"),
        (rate, "greedy --game loopit --fixed-rounds", "loopit, players=2 rounds=fixed"),
    ],
)
def test_luck_is_refused_where_no_network_measures_it(
    script, arguments, variant, capsys, monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    said = refused(capsys, script, *arguments.split(), "--luck")
    assert f"--luck cannot be measured in {variant}" in said
    assert said.endswith("no network that judges its draws is shipped")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("greedy", "two or more agents are needed, not 1"),
        ("greedy greedy greedy greedy greedy", "one agent for each of 4 sheets is needed, not 5"),
        ("greedy greedy --players 3", "one agent for each of 3 sheets is needed, not 2"),
        ("greedy greedy greedy --partnership", "one agent for each of 2 sheets is needed, not 3"),
        ("greedy nobody", "an agent is one of"),
    ],
)
def test_matches_that_are_not(arguments, complaint, capsys):
    assert complaint in refused(capsys, match, *arguments.split())
