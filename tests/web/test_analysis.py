"""Analysis: judgements over HTTP, of a player's own moves until the end and of all moves then."""

import pytest

pytest.importorskip("starlette")


from ingenious_env import Game, Rules, Session
from ingenious_env.engine.definition import definition_of
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.policies.estimate import estimated
from ingenious_env.policies.greedy import Greedy
from ingenious_env.policies.judging import MARKS, judge
from ingenious_env.policies.levels import Level
from ingenious_env.policies.value import Value, compared_actions, shipped_network
from ingenious_env.policies.view import View, flat_actions
from ingenious_env.web import alone
from ingenious_env.web.alone import SteadyValue, results_of
from ingenious_env.web.analysis import Analysis
from ingenious_env.web.tables import Table
from ingenious_env.web.texts import TEXTS


class Played:
    """A table, and the same game here.

    Args:
        client: of the server.
        rules: the variant.
        seed: of the deal.
        seats: who plays; people by default.
    """

    def __init__(self, client, rules, seed=1, seats=None):
        self.client, self.rules, self.definition = client, rules, definition_of(rules)
        body = {"game": self.definition.name, "rules": self.definition.rules_to_text(rules), "seed": seed}
        made = client.post("/api/tables", {**body, "seats": seats or ["human"] * rules.num_players})
        self.path, self.keys = f"/api/tables/{made['id']}", made["keys"]
        self.game = self.definition.game(rules, seed)

    def state(self, seat=0):
        return self.client.get(f"{self.path}?keys={self.keys[str(seat)]}")

    def play(self, moves):
        """Random moves for all seats; the judgements of them."""
        found = []
        while moves and not self.game.is_over:
            action, seat = self.game.random_action(), self.game.to_play
            found.append(judge(Value(), self.game, action))
            move = self.definition.move_to_text(self.game.move(action))
            body = {"keys": self.keys[str(seat)], "version": self.state(seat)["version"], "move": move}
            self.client.post(f"{self.path}/move", body)
            self.game.play(action)
            moves -= 1
        return found

    def analysis(self, *seats):
        keys = ",".join(self.keys[str(seat)] for seat in seats)
        return self.client.post(f"{self.path}/analysis", {"keys": keys})


def levels_of(rules, judged):
    """As `Analysis.of` gives them."""
    by_seat = [[each for each in judged if each.seat == seat] for seat in range(rules.num_players)]
    found = [estimated(rules, each) for each in by_seat]
    assert all(found)
    return [each and list(each) for each in found]


@pytest.mark.parametrize("rules", [Rules(), Rules.solitaire(), Rules.partnership(), LoopitRules(2)], ids=str)
def test_all_moves_of_a_game_that_is_over_are_judged(client, rules):
    table = Played(client, rules)
    expected = table.play(-1)
    for seat in range(rules.num_players):
        found = table.analysis(seat)
        assert found["unit"] == ("spaces" if rules == Rules.solitaire() else "win")
        assert found["highest"] == (36 if rules == Rules.solitaire() else 1)
        assert found["calibrated"]
        assert len(found["turns"]) == len(expected)
        replay = table.definition.game(rules, 1)
        for entry, judged in zip(found["turns"], expected, strict=True):
            assert entry["seat"] == judged.seat
            assert entry["sheet"] == judged.seat % rules.num_sheets
            assert entry["mark"] == judged.mark
            assert (entry["value"], entry["loss"]) == pytest.approx((judged.value, judged.loss))
            assert entry["move"] == table.definition.move_to_text(replay.move(judged.action))
            assert entry["best"] == table.definition.move_to_text(replay.move(judged.best))
            replay.play(judged.action)
    if rules == Rules.solitaire():
        assert found["results"] == [min(table.game.scores[0])]
    else:
        ranks = table.game.ranks.tolist()
        assert found["results"] == [(rank == 1) / ranks.count(1) for rank in ranks]
    assert found["levels"] == levels_of(rules, expected)
    assert found["marks"] == [list(each) for each in MARKS[found["unit"]]]
    assert any(entry["mark"] == "??" for entry in found["turns"])
    assert not table.state()["hints"]


def test_until_the_end_a_player_is_told_of_the_own_moves(client):
    table = Played(client, Rules(3))
    expected = table.play(11)
    for seat in range(3):
        found = table.analysis(seat)
        own = [judged for judged in expected if judged.seat == seat]
        assert [entry["seat"] for entry in found["turns"]] == [seat] * len(own)
        assert [entry["loss"] for entry in found["turns"]] == pytest.approx([judged.loss for judged in own])
        assert found["results"] is None
        assert found["levels"] is None
        assert table.state(seat)["hints"]


def keeps(seed):
    """Return whether a rack is kept in a game of random moves."""
    game = Game(Rules(), seed)
    while not game.is_over:
        action = game.random_action()
        if game.move(action) == "keep":
            return True
        game.play(action)
    return False


def test_at_is_the_number_of_moves_that_a_page_counts(client):
    """Also where a rack was kept, which is hidden from others."""
    seed = next(seed for seed in range(200) if keeps(seed))
    table = Played(client, Rules(), seed)
    table.play(-1)
    turns = table.analysis(0)["turns"]
    total = table.state()["total"]
    for turn in turns:
        before = table.client.get(f"{table.path}?keys={table.keys['0']}&at={turn['at']}")
        assert before["to_play"] == turn["seat"]
        assert turn["at"] < total


def test_what_is_taken_back_is_forgotten(client):
    table = Played(client, Rules(), seats=["human", "human"])
    table.play(4)
    before = table.analysis(0)["turns"]
    assert len(before) == 2
    for seat, answer in (("0", {}), ("1", {"allow": True})):
        seen = table.client.get(f"{table.path}?keys={table.keys[seat]}")
        body = {"keys": table.keys[seat], "version": seen["version"], **answer}
        table.client.post(f"{table.path}/back", body)
    assert table.analysis(0)["turns"] == before[:1]
    game = Game(Rules(), 1)
    for _ in range(2):
        game.play(game.random_action())
    losses = {judge(Value(), game, int(action)).loss: int(action) for action in game.legal_actions()[::100]}
    loss = max(losses)
    move = game.definition.move_to_text(game.move(losses[loss]))
    assert loss > before[1]["loss"] + 0.01
    body = {"keys": table.keys["0"], "version": table.state()["version"], "move": move}
    table.client.post(f"{table.path}/move", body)
    again = table.analysis(0)["turns"]
    assert again[0] == before[0]
    assert again[1]["move"] == move
    assert again[1]["loss"] == pytest.approx(loss)


def test_another_move_in_the_place_of_one_that_was_judged_is_judged_anew():
    """Also where a page that listens keeps the judgements."""
    table = Table.of(Rules(), ["human", "human"], {}, 1)
    for _ in range(4):
        table.play(table.session.game.random_action())
    analysis = Analysis(table)
    analysis.judge(Value(), analysis.missing(0))
    first, second = analysis.of(0)["turns"]
    assert analysis.missing(0) == []
    table.take_back(0)
    assert analysis.of(0)["turns"] == [first]
    other = next(
        int(action)
        for action in table.session.game.legal_actions()
        if table.definition.move_to_text(table.session.game.move(action)) != second["move"]
    )
    table.play(other)
    assert [number for number, _, _ in analysis.missing(0)] == [2]
    assert analysis.of(0)["turns"] == [first]


def test_those_who_share_the_first_place_share_the_win():
    rules = Rules(2, board_side=3, num_colours=2, rack_size=2)
    game = Game(rules, 102)
    table = Table.of(rules, ["human", "human"], {}, 102)
    while not game.is_over:
        action = game.random_action()
        game.play(action)
        table.play(action)
    assert game.scores.tolist() == [[1, 10], [1, 10]]
    assert Analysis(table).of(0)["results"] == [0.5, 0.5]


def test_who_watches_agents_sees_all_judgements(client):
    table = Played(client, Rules(), seats=["greedy", "value"])
    turns = []
    for _ in range(200):
        found = table.client.post(f"{table.path}/analysis", {"keys": ""})
        turns = [turn["seat"] for turn in found["turns"]]
        if found["results"]:
            break
    assert found["results"]
    assert set(turns) == {0, 1}
    by_value = [turn for turn in found["turns"] if turn["seat"] == 1]
    assert (
        max(turn["loss"] for turn in by_value) < 0.02
    )  # hints look at all moves, it plays by the candidates
    assert not any(turn["mark"] for turn in by_value)
    assert not table.client.get(table.path)["hints"]


def test_who_has_no_seat_is_refused(client):
    table = Played(client, Rules())
    assert client.ask("POST", f"{table.path}/analysis", {"keys": "x"})[0] == 403
    assert client.ask("POST", f"{table.path}/analysis", {})[0] == 422
    assert client.ask("POST", f"{table.path}/analysis", {"keys": "", "agent": "tree"})[0] == 422


def test_a_variant_without_a_network_is_not_judged(client):
    table = Played(client, Rules(5))
    assert table.state()["judge"] is None
    assert Played(client, Rules(4)).state()["judge"] == "value"
    status, content = client.ask("POST", f"{table.path}/analysis", {"keys": table.keys["0"]})
    assert status == 422
    assert content["error"].startswith("moves of this variant cannot be judged")


def test_a_move_is_judged_before_it_is_played(client):
    table = Played(client, Rules(), seed=2)
    table.play(8)
    seat, state = table.game.to_play, table.state(table.game.to_play)
    asked = {"keys": table.keys[str(seat)], "version": state["version"]}
    marks = set()
    tried = table.game.legal_actions()[::25].tolist()
    for action in [*tried, judge(Value(), table.game, tried[0]).best]:
        expected = judge(Value(), table.game, action)
        move = table.definition.move_to_text(table.game.move(action))
        found = client.post(f"{table.path}/judge", {**asked, "move": move})
        best = table.definition.move_to_text(table.game.move(expected.best))
        assert found == {
            "move": move,
            "best": best,
            "loss": pytest.approx(expected.loss),
            "unit": expected.unit,
            "mark": expected.mark,
        }
        marks.add(expected.mark)
    assert {"??", ""} <= marks
    after = table.state(seat)
    assert after["total"] == state["total"]
    assert after["hints"]
    other = table.keys[str(1 - seat)]
    assert client.ask("POST", f"{table.path}/judge", {**asked, "keys": other, "move": move})[0] == 409
    assert client.ask("POST", f"{table.path}/judge", {**asked, "version": 3, "move": move})[0] == 409
    assert client.ask("POST", f"{table.path}/judge", {**asked, "keys": "x", "move": move})[0] == 403
    for wrong in ("hello", "r99,9 b99,8", "r0,0" * 2000, "swap"):
        status, content = client.ask("POST", f"{table.path}/judge", {**asked, "move": wrong})
        assert status == 422
        assert "Traceback" not in content["error"]
    without = Played(client, Rules(5))
    asked = {"keys": without.keys["0"], "version": 0, "move": "swap"}
    assert client.ask("POST", f"{without.path}/judge", asked)[0] == 422


def test_what_a_game_began_with_is_told_at_its_end(client):
    table = Played(client, Rules.solitaire(), seed=9)
    assert "deal" not in table.state()
    table.play(-1)
    made = client.post("/api/tables", {"text": table.state()["deal"], "seats": ["human"]})
    again = client.get(f"/api/tables/{made['id']}?keys={made['keys']['0']}")
    assert again["total"] == 0
    assert again["scene"]["rack"] == [list(tile) for tile in Game(Rules.solitaire(), 9).racks[0]]


def test_agents_play_the_same_deal_once_a_game_for_one_is_over(client):
    """Their results are those of their own games; of actions that mirror each other the lowest one counts."""
    table = Played(client, Rules.solitaire(), seed=7)
    asked = f"{table.path}/compared", {"keys": table.keys["0"]}
    assert client.ask("POST", *asked)[0] == 409
    table.play(-1)
    found = client.post(*asked)
    assert found == client.post(*asked)
    assert found["result"] == table.game.scores.min()
    policies = {"level 3": Level(3), "greedy": Greedy("points"), "level 7": Level(7), "value": SteadyValue()}
    results = [{"name": name, "result": reached(policy, 7)} for name, policy in policies.items()]
    assert found["agents"] == results
    assert client.ask("POST", asked[0], {"keys": "x"})[0] == 403
    alone = Table.of(table.rules, ["human"], {}, 7)
    assert results_of(alone, {}) == []  # a server may have other agents only
    two = Played(client, Rules(), seed=7)
    two.play(-1)
    assert client.ask("POST", f"{two.path}/compared", {"keys": two.keys["0"]})[0] == 409
    body = {"text": table.game.to_text(), "seats": ["human"]}
    position = client.post("/api/tables", body)
    status, refused = client.ask(
        "POST", f"/api/tables/{position['id']}/compared", {"keys": position["keys"]["0"]}
    )
    assert (status, refused["error"]) == (409, str(TEXTS["not compared"]))


def reached(policy, seed):
    session = Session(Rules.solitaire(), seed, [policy])
    for _ in session.run():
        pass
    return session.game.scores.min()


def test_of_moves_that_mirror_each_other_the_lowest_is_played(monkeypatch):
    """Whichever of them a machine rounds up; elsewhere the move of `value`."""
    game = Game(Rules.solitaire(), 7)
    view = View.of(game)
    actions, values = compared_actions(shipped_network(game.rules), view.complete())
    tied = sorted(actions[values > values.max() - 1e-4])
    assert len(tied) > 1
    for action in tied:
        rounded = values + 1e-5 * (actions == action)
        with monkeypatch.context() as machine:
            machine.setattr(alone, "compared_actions", lambda *_: (actions, rounded))  # noqa: B023 - called here
            assert flat_actions(SteadyValue(), view)[0] == tied[0]
    for _ in range(10):
        game.play(game.random_action())
    view = View.of(game)
    assert flat_actions(SteadyValue(), view) == flat_actions(Value(), view)


def test_the_luck_is_of_the_moves_played_last(monkeypatch):
    """Also where after a takeback as many others end the game."""
    monkeypatch.setattr("ingenious_env.web.analysis._luck_of", lambda session: [session.turns[-1].action])
    table = Table.of(Rules(), ["human"] * 2, {}, 3)
    while not table.session.is_over:
        table.play(table.session.game.random_action())
    found, number = Analysis(table), len(table.session.turns)
    for _ in range(2):
        found.judge(Value(), [])
        assert found.of(0)["luck"] == [table.session.turns[-1].action]
        last = table.session.turns[-1]
        table.take_back(last.seat)
        assert found.of(0)["luck"] is None
        legal = table.session.game.legal_actions()
        table.play(int(next(action for action in legal if action != last.action)))
        assert (len(table.session.turns), table.session.is_over) == (number, True)
        assert found.of(0)["luck"] is None


def test_a_game_that_begins_with_a_hidden_choice_has_it_at_the_beginning():
    seed = next(seed for seed in range(200) if keeps(seed))
    game = Game(Rules(), seed)
    while game.phase != "swap":
        game.play(game.random_action())
    table = Table.of_text(game.to_text(), ["human"] * 2, {})
    keep = next(int(action) for action in game.legal_actions() if game.move(action) == "keep")
    table.play(keep)
    analysis = Analysis(table)
    analysis.judge(Value(), analysis.missing(game.to_play))
    [turn] = analysis.of(game.to_play)["turns"]
    assert (turn["move"], turn["at"]) == ("keep", 0)
