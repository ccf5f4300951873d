"""The sentence above a game: verbs fit the reader, who is called "You", and all others."""

import re
from itertools import chain

import pytest

from ingenious_env import Session
from ingenious_env.engine.definition import definitions

PRESETS = [(name, preset) for name in ("ingenious", "loopit") for preset in definitions()[name].presets]


def headlines(name, preset, names, seed):
    """The headlines of a game of agents, for each seat and for spectators, at all positions."""
    definition = definitions()[name]
    rules = definition.presets[preset].rules
    session = Session(rules, seed, [definition.policy("greedy")] * rules.num_players)
    for _ in session.run():
        pass
    called = [names[seat % len(names)] for seat in range(rules.num_players)]
    viewers = [None, *range(rules.num_players)]
    positions = [session.at(number) for number in range(len(session.turns) + 1)]
    return session, [
        [definition.pages.headline(each, viewer, called) for viewer in viewers] for each in positions
    ]


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_the_reader_wins_and_another_one_wins(name, preset):
    """By the same sentence but for the verb; partners win together."""
    rules = definitions()[name].presets[preset].rules
    if rules.num_sheets == 1:
        return
    seen = set()
    for seed in range(12):
        session, of_reader = headlines(name, preset, ["You", "Ann", "Ben", "Cleo"], seed)
        _, of_others = headlines(name, preset, ["Zoe", "Ann", "Ben", "Cleo"], seed)
        for mine, theirs in zip(chain(*of_reader), chain(*of_others), strict=True):
            assert "You wins" not in mine
            assert "You's" not in mine
            plain = theirs.replace("Zoe's turn", "Your turn").replace("Zoe wins", "You win")
            assert mine == plain.replace("Zoe", "You")
        last = of_reader[-1][0]
        first = session.game.ranks.tolist().count(1)
        if first == 1 and session.game.ranks[0] == 1:
            assert last.startswith("You and Ben win " if preset == "partnership" else "You win")
        elif first == 1:
            assert last.split(" and ")[-1].split()[1].rstrip(",") == (
                "win" if preset == "partnership" else "wins"
            )
        seen.add(int(session.game.ranks[0]) == 1)
    assert seen == {True, False}


LONG = "value:path=runs/value/agent.safetensors"


@pytest.mark.parametrize("name", ["ingenious", "loopit"])
def test_names_fit_their_cards(name):
    """Long ones are cut, short ones are not, and the reader is named once."""
    rules = definitions()[name].presets["two"].rules
    game = Session(rules, 1).game
    picture = definitions()[name].draw_svg(game, viewer=0, names=["You", LONG])
    [shown] = re.findall(r">(value[^<]*)<", picture)
    assert shown.endswith("…")
    assert LONG.startswith(shown[:-1])
    assert len(shown) > 15
    assert ">You<" in picture
    assert "You (you)" not in picture
    picture = definitions()[name].draw_svg(game, viewer=1, names=["greedy:utility", "Ann"])
    assert ">greedy:utility<" in picture
    assert ">Ann (you)<" in picture
