"""The fit of calibrations: claims against single games, curve and error against slow ways, and the script."""

from __future__ import annotations

import shutil

import numpy as np
import pytest
from commands import refused
from ingenious_agents.commands import calibrate
from ingenious_agents.training.evaluation import EVALUATION_SEED, deals_of_calibration, deals_of_training
from ingenious_agents.value.calibration import GROUPS, PHASES, Claims, error_of, fit, joined, played_claims
from ingenious_agents.value.weak_starts import WeakStarts

from ingenious_env import Rules
from ingenious_env.engine.definition import definition_of
from ingenious_env.engine.files import write_arrays
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.policies.calibration import Calibration
from ingenious_env.policies.value import ValueNetwork, best_actions, model_of, shipped_network, shipped_path
from ingenious_env.policies.view import View

VARIANTS = {
    "solitaire": Rules.solitaire(),
    "two": Rules(),
    "three": Rules(3),
    "partnership": Rules.partnership(),
    "loopit": LoopitRules(2),
}
CURVE = (-0.4, 0.8, 0.3, 0.9, -0.2)


def claims_of_one_game(rules, seed):
    """(value, progress, result) of each decision, by a single game and the rules for who wins."""
    game, network = definition_of(rules).game(rules, seed), shipped_network(rules)
    found = []
    while not game.is_over:
        actions, values = best_actions(network, View.of(game).complete(), model_of(rules).candidates)
        found.append((float(values[0]), int(game.state.placed[0]), rules.sheet_of(game.to_play)))
        game.play(int(actions[0]))
    if rules.num_sheets == 1:
        return [(value / 36, placed, min(game.scores[0]) / 36) for value, placed, _ in found]
    winners = [sheet for sheet in range(rules.num_sheets) if game.ranks[sheet] == 1]
    return [(value, placed, (sheet in winners) / len(winners)) for value, placed, sheet in found]


@pytest.mark.parametrize("name", VARIANTS)
def test_claims_are_those_of_single_games(name, monkeypatch):
    """In parts, too: five deals in batches of three."""
    monkeypatch.setattr("ingenious_agents.value.calibration.BATCH", 3)
    rules = VARIANTS[name]
    room = rules.num_tiles if name == "loopit" else (3 * rules.board_side * (rules.board_side - 1) - 5) // 2
    parts = list(played_claims(shipped_network(rules), 5, 7))
    found = joined(parts)
    wanted = [claim for number in range(5) for claim in claims_of_one_game(rules, (7, number))]
    assert len(parts) == 2
    np.testing.assert_allclose(
        sorted(zip(*found, strict=True)),
        sorted((value, min(1, placed / room), result) for value, placed, result in wanted),
        atol=1e-12,
    )
    assert found.progress.min() <= 1 / room  # a tile may lie there from the start
    assert 0.5 < found.progress.max() <= 1


def test_those_who_share_the_first_place_share_the_win():
    """In a game of Loopit that ends with as many points for one as for the other."""
    rules = LoopitRules(2)
    wanted = claims_of_one_game(rules, (52, 0))
    assert {result for _, _, result in wanted} == {0.5}
    (found,) = played_claims(shipped_network(rules), 1, 52)
    assert found.results.tolist() == [0.5] * len(wanted)


def synthetic(number, seed=0):
    """Claims whose results are exactly those of a known curve."""
    rng = np.random.default_rng(seed)
    values, progress = rng.uniform(0.02, 0.98, number), rng.random(number)
    return Claims(values, progress, Calibration(CURVE).shares(values, progress))


def test_a_known_curve_is_found():
    np.testing.assert_allclose(fit(synthetic(400)).coefficients, CURVE, atol=1e-6)


def test_drawn_results_lead_near_to_the_curve_that_drew_them():
    claims = synthetic(40_000)
    drawn = claims._replace(results=np.random.default_rng(1).random(40_000) < claims.results)
    fitted = fit(drawn)
    values, progress = np.meshgrid(np.linspace(0.05, 0.95, 9), np.linspace(0, 1, 5))
    gaps = fitted.shares(values, progress) - Calibration(CURVE).shares(values, progress)
    assert np.abs(gaps).max() < 0.04


@pytest.mark.parametrize(
    "claims",
    [
        Claims(np.array([0.5, 0.6]), np.array([0.0, 0.1]), np.array([0.0, 1.0])),  # too few
        synthetic(300)._replace(results=1 - synthetic(300).results),  # the better, the worse
    ],
    ids=["few", "falling"],
)
def test_other_claims_are_refused(claims):
    with pytest.raises(ValueError, match=f"{len(claims.values)} positions do not determine a curve"):
        fit(claims)


def slow_error(shares, claims):
    """The error by sorting and cutting in plain Python."""

    def cut(items, parts):
        size, more = divmod(len(items), parts)
        ends = np.cumsum([size + (part < more) for part in range(parts)]).tolist()
        return [items[start:end] for start, end in zip([0, *ends], ends, strict=False)]

    rows = sorted(zip(claims.progress, shares, claims.results, strict=True))
    gaps = []
    for phase in cut(rows, PHASES):
        for group in cut(sorted(phase, key=lambda row: row[1]), GROUPS):
            claimed = sum(share for _, share, _ in group) / len(group)
            came = sum(result for _, _, result in group) / len(group)
            gaps.append(abs(claimed - came))
    return sum(gaps) / len(gaps)


def test_the_error_of_claims():
    claims = synthetic(1234, 5)
    assert error_of(claims.results, claims) == 0
    assert error_of(claims.values, claims) == pytest.approx(slow_error(claims.values, claims))
    assert error_of(claims.results + 0.1, claims) == pytest.approx(0.1)


def copied(tmp_path, rules):
    """A copy of a shipped network without calibration, with its card as trainings name it."""
    path = tmp_path / "agent.safetensors"
    network = shipped_network(rules)
    ValueNetwork(rules, network.weights).save(path)
    text = shipped_path(rules).with_suffix(".md").read_text(encoding="utf-8")
    (tmp_path / "card.md").write_text(text.partition("## Calibration")[0], encoding="utf-8")
    return path


def test_the_script(tmp_path, capsys):
    rules = Rules()
    path = copied(tmp_path, rules)
    card = (tmp_path / "card.md").read_text(encoding="utf-8")
    reported = []
    for seed in ("3", "4", "3"):
        calibrate.main(["--path", str(path), "--deals", "60", "--seed", seed])
        network = ValueNetwork.load(path)
        assert (network.weights == shipped_network(rules).weights).all()
        fitted = fit(joined(list(played_claims(network, 60, int(seed), WeakStarts(0.5)))))
        np.testing.assert_allclose(network.calibration.coefficients, fitted.coefficients, rtol=1e-12)
        now = (tmp_path / "card.md").read_text(encoding="utf-8")
        assert now.startswith(card.rstrip() + "\n\n## Calibration\n\n")
        assert now.count("## Calibration") == 1
        assert f"{network.calibration.coefficients[0]:.4f}" in now
        said = capsys.readouterr().out.splitlines()[-1]
        before, after = (float(word) for word in said.split() if word.startswith("0."))
        assert after < before
        for start, starts in {
            "from the deal": WeakStarts(),
            "from positions of uniform": WeakStarts(1.0, 0),
            "from positions of greedy with errors": WeakStarts(1.0, 1),
            "from positions of greedy": WeakStarts(1.0, 2),
            "from positions of mixed players": WeakStarts(1.0),
        }.items():
            fresh = joined(list(played_claims(network, 60, deals_of_calibration(int(seed)), starts)))
            found = error_of(fitted.shares(fresh.values, fresh.progress), fresh)
            assert f"mean error {start} " in now
            assert f"{found:.4f} of a win (before {error_of(fresh.values, fresh):.4f})" in now
        reported.append(now)
    assert reported[0] == reported[2] != reported[1]


def test_no_deal_is_measured_that_was_learned_or_fitted():
    """Nor does one seed's training share its deals with the measurement of another."""
    seeds = range(200)
    trained, measured = (
        {derived(seed) for seed in seeds} for derived in (deals_of_training, deals_of_calibration)
    )
    assert len(trained | measured | {*seeds, EVALUATION_SEED}) == 3 * len(seeds) + 1


def test_what_the_script_refuses(tmp_path, capsys):
    path = copied(tmp_path, Rules())
    before = path.read_bytes()
    for arguments, complaint in [
        (["--path", str(path), "--players", "3"], "--path names a network, which has its variant"),
        (["--path", str(tmp_path / "none.safetensors")], "none.safetensors"),
        (["--path", str(path), "--deals", "0"], "deals"),
        (["--players", "2", "--partnership"], "--partnership"),
    ]:
        assert complaint in refused(capsys, calibrate, *arguments)
    write_arrays(path, {"format": "something else"}, {"weights": np.zeros(3, np.float32)})
    assert str(path) in refused(capsys, calibrate, "--path", str(path))
    assert path.read_bytes() != before


def test_too_few_games_change_no_file(tmp_path, capsys):
    path = tmp_path / "agent.safetensors"
    shutil.copy(shipped_path(Rules()), path)
    with pytest.raises(SystemExit) as stopped:
        calibrate.main(["--path", str(path), "--deals", "1"])
    assert stopped.value.code == 2
    assert "do not determine a curve" in capsys.readouterr().err
    assert path.read_bytes() == shipped_path(Rules()).read_bytes()
    assert not (tmp_path / "card.md").exists()
