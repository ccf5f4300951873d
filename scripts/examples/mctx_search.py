"""mctx: Gumbel AlphaZero, whose search uses the engine as its model.

    pip install -c .ci/constraints.txt -e '.[torch]' mctx tqdm
    python -m scripts.examples.mctx_search

The network learns from the search's action weights and from the results of the games that it plays.
131,072 steps in 303 seconds: 16.7 % of the wins against greedy before, 53.0 % after.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from typing import Any

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from ingenious_env.engine.extras import needs

with needs("this example", "ingenious-env[torch] mctx tqdm", ends=True):
    import jax
    import jax.numpy as jnp
    import mctx
    import torch
    from tqdm import tqdm

    from ingenious_env import NO_ACTION, GameBatch, Rules
    from ingenious_env.networks import PlacementNetwork

# A callback waits until a second thread of JAX has copied its arguments. JAX has as many threads as cores or
# devices, whichever are more, so that with one core and one device it would wait for ever.
jax.config.update("jax_num_cpu_devices", 2)

ENV_ID = "ingenious_env:ingenious/Versus-v0"
RULES = Rules.standard(2)
NUM_ACTIONS = GameBatch(RULES).num_actions
ILLEGAL = -1e9  # mctx needs finite logits


class Search:
    """Gumbel search; a node's embedding is a game's row of bytes, and a step is the engine's.

    Args:
        network: its logits are the priors, its values those of the leaves.
        simulations: of each decision.
        considered: number of actions tried at the root.
    """

    def __init__(self, network: PlacementNetwork, simulations: int, considered: int = 8) -> None:
        self.network = network
        search = partial(
            mctx.gumbel_muzero_policy,
            recurrent_fn=self._step,
            num_simulations=simulations,
            max_num_considered_actions=considered,
        )
        self._search = jax.jit(lambda root, key, illegal: search((), key, root, invalid_actions=illegal))

    def __call__(self, games: GameBatch, key: jax.Array, seed: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Actions int64 [B] and action weights float32 [B, A], from the information of the seats to move.

        Args:
            games: hidden tiles are dealt anew, so that the search does not see them.
            key: of the search.
            seed: of the deals.
        """
        imagined = games.clone()
        imagined.reshuffle_hidden(seed=seed)
        logits, values = self._judge(imagined)
        root = mctx.RootFnOutput(
            prior_logits=logits, value=values, embedding=imagined.state.memory.view(np.uint32)
        )
        found = self._search(root, key, games.legal_mask() == 0)
        return np.asarray(found.action).astype(np.int64), np.asarray(found.action_weights)

    def _step(self, _: Any, key: jax.Array, actions: jax.Array, rows: jax.Array) -> Any:
        """A step of the search's model: the effect of an action in each game."""
        del key
        number, size = len(actions), NUM_ACTIONS
        floats = partial(jax.ShapeDtypeStruct, dtype=jnp.float32)
        shapes = floats((number,)), floats((number,)), floats((number, size)), floats((number,))
        played = jax.ShapeDtypeStruct(rows.shape, rows.dtype)
        reward, discount, logits, value, rows = jax.pure_callback(
            self._play, (*shapes, played), actions, rows
        )
        made = mctx.RecurrentFnOutput(reward=reward, discount=discount, prior_logits=logits, value=value)
        return made, rows

    def _play(self, actions: jax.Array, rows: jax.Array) -> tuple[NDArray[Any], ...]:
        """The same in the engine: rewards, discounts, logits, values and rows."""
        games = GameBatch.from_rows(RULES, np.array(rows).view(np.uint64), copy=False)
        movers, over = games.to_play.copy(), games.is_over
        games.play(np.where(over, NO_ACTION, np.asarray(actions)))
        ended = games.is_over & ~over
        reward = np.where(ended, results(games, movers), 0).astype(np.float32)
        discount = np.where(games.to_play == movers, 1, -1).astype(np.float32)  # bonus plays keep the sign
        discount[games.is_over] = 0
        return reward, discount, *self._judge(games), games.state.memory.view(np.uint32)

    def _judge(self, games: GameBatch) -> tuple[NDArray[Any], NDArray[Any]]:
        """Logits, finite for illegal actions, and values of the seats to move."""
        with torch.no_grad():
            logits, values = self.network(
                torch.from_numpy(games.observe()), torch.from_numpy(games.legal_mask())
            )
        return logits.clamp(min=ILLEGAL).numpy(), values.clamp(-1, 1).numpy()


def results(games: GameBatch, seats: NDArray[Any]) -> NDArray[Any]:
    """1, 0 or −1 for the seats [B] of games that are over."""
    every = np.arange(len(games))
    return np.sign(games.ranks[every, 1 - seats] - games.ranks[every, seats])


class Experience:
    """Positions with the search's weights and the results of their games, for one update.

    Args:
        games: B, which are played in one batch.
    """

    def __init__(self, games: int) -> None:
        self.open: list[list[tuple[Any, ...]]] = [[] for _ in range(games)]
        self.done: list[tuple[Any, ...]] = []

    def add(self, games: GameBatch, weights: NDArray[Any]) -> None:
        """Positions before a move, with the action weights of the search."""
        rows = zip(games.observe(), games.legal_mask(), weights, games.to_play.copy(), strict=True)
        for game, position in zip(self.open, rows, strict=True):
            game.append(position)

    def end(self, ended: NDArray[np.bool_], games: GameBatch) -> None:
        """Results of games that have ended."""
        if not ended.any():
            return
        rows = np.flatnonzero(ended)
        for row, first in zip(rows, results(games.take(rows), np.zeros_like(rows)), strict=True):
            for seen, mask, weights, seat in self.open[row]:
                self.done.append((seen, mask, weights, -first if seat else first))
            self.open[row] = []

    def take(self) -> tuple[torch.Tensor, ...]:
        """Observations, masks, weights and results of all games that have ended since the last call."""
        columns = [np.array(column) for column in zip(*self.done, strict=True)]
        self.done = []
        return tuple(map(torch.from_numpy, columns))


def share_of_wins(network: PlacementNetwork, games: int, seed: int) -> float:
    """The share of wins of a network's best moves, without search, against greedy play; a draw is ½."""
    envs = gym.make_vec(ENV_ID, games, opponent="greedy", autoreset_mode="Disabled")
    observations, infos = envs.reset(seed=seed)
    won, over = np.zeros(games), np.zeros(games, bool)
    while not over.all():
        with torch.no_grad():
            logits, _ = network(torch.from_numpy(observations), torch.from_numpy(infos["action_mask"]))
        observations, _, ended, _, infos = envs.step(logits.argmax(dim=1).numpy())
        if ended.any():
            first = ended & ~over  # the next game of a row is played, but not counted
            won[first] = infos["result"][first]
            over |= ended
            observations, infos = envs.reset(options={"reset_mask": ended})
    return float((1 + won.mean()) / 2)


def main() -> None:
    """Train, and rate before and after."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=131_072, help="number of searched moves")
    parser.add_argument("--num-games", type=int, default=128)
    parser.add_argument("--simulations", type=int, default=8)
    parser.add_argument("--update", type=int, default=8_192, help="steps between updates, about")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--games", type=int, default=1000, help="of each rating")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    rng, key = np.random.default_rng(args.seed), jax.random.key(args.seed)
    network = PlacementNetwork(RULES)
    optimizer = torch.optim.Adam(network.parameters(), lr=2e-3)
    search, experience = Search(network, args.simulations), Experience(args.num_games)
    games = GameBatch(RULES, args.num_games, seed=args.seed + 1)  # other bags than those of the rating
    before, began, steps = share_of_wins(network, args.games, args.seed), time.perf_counter(), 0
    with tqdm(total=args.steps, unit="step") as bar:
        while steps < args.steps:
            key, now = jax.random.split(key)
            actions, weights = search(games, now, seed=int(rng.integers(2**63)))
            experience.add(games, weights)
            ended = games.play(actions)
            experience.end(ended, games)
            games.deal(ended)
            steps += args.num_games
            bar.update(args.num_games)
            if len(experience.done) < args.update:
                continue
            optimizer.param_groups[0]["lr"] = 2e-3 * max(0.05, 1 - steps / args.steps)
            observations, masks, targets, outcomes = experience.take()
            for _ in range(args.epochs):
                for rows in torch.from_numpy(rng.permutation(len(outcomes))).split(512):
                    logits, values = network(observations[rows], masks[rows])
                    loss = -(targets[rows] * logits.clamp(min=ILLEGAL).log_softmax(dim=1)).sum(dim=1).mean()
                    loss += 0.5 * (values - outcomes[rows]).square().mean()
                    optimizer.zero_grad()
                    loss.backward()
                    torch.nn.utils.clip_grad_norm_(network.parameters(), 0.5)
                    optimizer.step()
    seconds = time.perf_counter() - began
    after = share_of_wins(network, args.games, args.seed)
    print(f"{steps:,} steps in {seconds:.0f} seconds, {steps / seconds:,.0f} per second")
    print(f"wins against greedy: {before:.1%} before, {after:.1%} after")


if __name__ == "__main__":
    main()
