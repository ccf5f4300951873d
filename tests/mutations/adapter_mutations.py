"""Deliberate bugs in dealing by hand, in the policy network, and in the adapters to other libraries."""

from __future__ import annotations

from locate import Mutation

PACKAGE = "ingenious_env/"
DEALING, BATCH = PACKAGE + "engine/dealing.py", PACKAGE + "engine/batch.py"
HEAD, NETWORK = PACKAGE + "networks/kernels.py", PACKAGE + "networks/placement.py"
KINDS, POSITION, RESAMPLING = (
    PACKAGE + "openspiel/" + name for name in ("kinds.py", "position.py", "resampling.py")
)
TORCHRL = PACKAGE + "torchrl.py"
DATASET = "agents/ingenious_agents/commands/dataset.py"

MUTATIONS = [
    Mutation(
        "tiles-given-up-are-lost",
        DEALING,
        "exchange",
        r"to_bag\.elements\(\)",
        "from_bag.elements()",
        "tiles that a hand gives up go into the bag",
    ),
    Mutation(
        "draws-from-the-other-end",
        DEALING,
        "draw_first",
        r"wanted \+ rest",
        "rest + wanted",
        "the tiles asked for are drawn first",
    ),
    Mutation(
        "orders-with-other-tiles",
        BATCH,
        "GameBatch.deal_in_order",
        r"if wrong\.any\(\)",
        "if wrong.all()",
        "each game has all its tiles",
    ),
    Mutation(
        "games-put-into-the-first-rows",
        BATCH,
        "GameBatch.put",
        r"memory\[indices\]",
        "memory[: len(indices)]",
        "games go to the rows named",
    ),
    Mutation(
        "entropy-without-its-slope",
        HEAD,
        "add_gradients",
        r"-chance \* \(by_log_prob\[b\] \+ by_entropy\[b\] \* over_mean\)",
        "-chance * by_log_prob[b]",
        "derivatives are those of the logits",
    ),
    Mutation(
        "colours-of-a-turned-tile",
        HEAD,
        "halves",
        r"tiles\[slot, turned\], tiles\[slot, 1 - turned\]",
        "tiles[slot, 1 - turned], tiles[slot, turned]",
        "a turned tile has its higher colour on the first cell",
    ),
    Mutation(
        "draws-of-half-the-policy",
        HEAD,
        "draw_actions",
        r"random\[b\] \* total",
        "random[b] * total * 0.5",
        "actions are drawn as often as the policy has it",
    ),
    Mutation(
        "choices-drawn-the-wrong-way",
        NETWORK,
        "PlacementNetwork.draw",
        r"random > choices\[:, 0\]\.exp\(\)",
        "random < choices[:, 0].exp()",
        "choices are drawn as often as the policy has it",
    ),
    Mutation(
        "a-swap-draws-what-it-gives-back",
        KINDS,
        "Kind.draws",
        r"if choice in self\.shown: return Draws\(self\.num_slots, self\.in_bag\(game\)\), after",
        "if choice in self.shown:\n    return Draws(self.num_slots, self.in_bag(after)), after",
        "a swap draws before the old tiles go back",
        paragraph="6.2",
    ),
    Mutation(
        "everybody-notices-what-is-kept",
        POSITION,
        "Position._decide",
        r"if choice in kind\.private: self\.seen\[seat\] \+= text else: self\._reveal",
        "if True:\n    self._reveal",
        "a choice to keep a rack is hidden from others",
    ),
    Mutation(
        "draws-are-seen-by-all",
        POSITION,
        "Position._reveal_draws",
        r"if place in self\.kind\.public_places",
        "if place >= 0",
        "only the drawing seat sees a tile",
    ),
    Mutation(
        "rare-tiles-as-likely-as-others",
        RESAMPLING,
        "_fill_racks",
        r"for _ in range\(count\)",
        "for _ in range(min(count, 1))",
        "unseen tiles are equally likely, not their types",
    ),
    Mutation(
        "resampled-with-the-true-tiles",
        RESAMPLING,
        "_replay",
        r"if number in draws",
        "if False",
        "what a seat has not seen is drawn anew",
    ),
    Mutation(
        "all-games-dealt-anew",
        TORCHRL,
        "SelfPlayEnv._reset",
        r"self\.batch\.deal\(self\._chosen\(tensordict\)\)",
        "self.batch.deal()",
        "games that are not over go on",
    ),
    Mutation(
        "rewards-again-behind-the-end",
        TORCHRL,
        "SelfPlayEnv._played",
        r"over & \(actions != NO_ACTION\)",
        "over",
        "a game that is over brings nothing more",
    ),
    Mutation(
        "dataset-lacks-the-last-observation",
        DATASET,
        "played",
        r"seen\[: length \+ 1\]",
        "seen[:length]",
        "an episode has one observation more than it has actions",
    ),
    Mutation(
        "dataset-deals-the-first-games-again",
        DATASET,
        "episodes",
        r"args\.seed \+ first \+ row",
        "args.seed + row",
        "each episode has a seed of its own",
    ),
    Mutation(
        "dataset-of-another-variant",
        DATASET,
        "Args.env_options",
        r"if getattr\(self, name\)",
        'if name != "partnership" and getattr(self, name)',
        "the environment has the rules that were asked for",
    ),
    Mutation(
        "dataset-overwrites-the-one-that-is-there",
        DATASET,
        "folder_of",
        r"if target\.exists\(\)",
        "if target.is_file()",
        "what is there is not touched",
    ),
]
