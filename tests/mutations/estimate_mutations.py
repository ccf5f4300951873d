"""Deliberate bugs in the estimated level of a player, here and on pages, and in what a visitor waits for."""

from __future__ import annotations

from functools import partial

from locate import Mutation

ESTIMATE = "ingenious_env/policies/estimate.py"
ANALYSIS, SITE = "ingenious_env/web/analysis.py", "ingenious_env/web/site.py"
LOCAL, JUDGED, KITS = (f"ingenious_env/web/local/{name}.js" for name in ("estimate", "analysis", "kits"))
DRAWN = "ingenious_env/web/static/curve.js"
LOSSES = "scripts/level_losses.py"
_policy = partial(Mutation, tests="estimate")
_page = partial(Mutation, tests="requests site")

MUTATIONS = [
    _policy(
        "estimate-counts-decided-positions",
        ESTIMATE,
        "mean_loss",
        r"DECIDED <= each\.value <= 1 - DECIDED",
        "True",
        "only positions that were not decided count",
    ),
    _policy(
        "estimate-is-absolute",
        ESTIMATE,
        "mean_loss",
        r"each\.loss / each\.value",
        "each.loss",
        "the loss is a share of the mover's chance",
    ),
    _policy(
        "estimate-takes-the-farthest-level",
        ESTIMATE,
        "estimated",
        r"min\(gaps\)",
        "max(gaps)",
        "the level whose median game is nearest is the estimate",
    ),
    _policy(
        "estimate-interval-without-the-estimate",
        ESTIMATE,
        "estimated",
        r"max\(\[level, \*usual\]\)",
        "max(usual, default=level)",
        "the interval holds the estimate",
    ),
    _policy(
        "estimate-of-values-that-are-not-calibrated",
        ESTIMATE,
        "estimated",
        r"each\.calibrated and each\.unit",
        "each.unit",
        "only calibrated values are compared with those that were measured",
    ),
    _policy(
        "estimate-of-another-unit",
        ESTIMATE,
        "estimated",
        r"each\.unit == unit_of\(rules\)",
        "each.unit != 'points'",
        "spaces are not compared with shares of the win",
    ),
    _policy(
        "estimate-of-spaces-of-decided-positions",
        ESTIMATE,
        "mean_loss",
        r'each\.unit != "win" or ',
        "",
        "in solitaire all moves count",
    ),
    Mutation(
        "levels-of-all-seats-are-the-first-one-s",
        ANALYSIS,
        "Analysis._levels",
        r"each\.seat == seat",
        "each.seat == 0",
        "each seat's level follows from its own moves",
        tests="analysis",
    ),
    Mutation(
        "level-losses-of-any-seat",
        LOSSES,
        "losses",
        r"if game\.to_play == seat:",
        "if True:",
        "only the moves of the level count",
        tests="level_losses",
    ),
    _page(
        "local-levels-count-decided-positions",
        LOCAL,
        "relativeLosses",
        r"value >= facts\.decided && ",
        "",
        "only positions that were not decided count",
    ),
    _page(
        "local-levels-of-solitaire-are-relative",
        LOCAL,
        "estimated",
        r'facts\.unit === "win" \? ',
        "true ? ",
        "in solitaire the loss is in spaces",
    ),
    _page(
        "local-levels-are-numbered-from-zero",
        LOCAL,
        "estimated",
        r"gaps\.indexOf\(Math\.min\(\.\.\.gaps\)\) \+ 1",
        "gaps.indexOf(Math.min(...gaps))",
        "levels are numbered from 1",
    ),
    _page(
        "local-levels-of-the-others",
        JUDGED,
        "Analysis.levels",
        r"each\.seat === seat",
        "each.seat !== seat",
        "each seat's level follows from its own moves",
    ),
    Mutation(
        "page-levels-of-the-first-seat",
        DRAWN,
        "summary",
        r"levelText\(levels\[seat\]\)",
        "levelText(levels[levels.length - 1])",
        "each player's row has the own level",
        tests="browser_advice",
    ),
    Mutation(
        "page-names-no-modules",
        SITE,
        "static_imports",
        r"for each in found:",
        "for each in found[:1]:",
        "all modules are requested at once",
        tests="site",
    ),
    Mutation(
        "page-loads-no-game-ahead",
        KITS,
        "prepare",
        r"kitOf\(game, preset\), ",
        "",
        "the first game is loaded while a visitor looks at the dialog",
        tests="site",
    ),
]
