"""Histories that a seat cannot distinguish: all that it receives is the same, byte for byte."""

import asyncio
import json

import gymnasium as gym
import numpy as np
import pytest
from histories import is_open, pairs

from ingenious_env import Rules, View, ingenious_v0, loopit_v0
from ingenious_env.engine.definition import definition_of, definitions
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.policies.session import Session

VARIANTS = {
    "ingenious, two": Rules(2, rack_size=3),
    "ingenious, three": Rules(3, rack_size=2),
    "loopit, two": LoopitRules(2, rack_size=2),
    "loopit, three": LoopitRules(3, rack_size=3),
}


def plain(value):
    """Anything that an interface hands out, as something that can be compared."""
    if isinstance(value, dict):
        return {str(name): plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if hasattr(value, "numpy"):
        value = value.numpy()
    return (str(value.dtype), value.shape, value.tobytes()) if isinstance(value, np.ndarray) else value


class Script:
    """A policy that makes the moves of a script."""

    def __init__(self, moves=()):
        self.moves = list(moves)

    def act(self, view):
        game = view._batch[0]
        return np.array([game.action(self.moves.pop(0))])


class Receivers:
    """Everything that shows a viewer a game of one variant; each answers with all that it has shown."""

    def __init__(self, rules):
        self.rules, self.definition = rules, definition_of(rules)
        self.opponent = Script()
        self.options = {"rules": rules, "opponent": self.opponent, "reward": self.definition.rewards[-1]}
        if self.options["reward"] == "vector":
            self.options["reward"] = "score"
        self.envs = {}

    def env(self, kind, viewer, make):
        if (kind, viewer) not in self.envs:
            self.envs[kind, viewer] = make()
        return self.envs[kind, viewer]

    def text_picture_and_view(self, viewer, start, steps):
        """The outputs of a `Game` and a `View` at the viewer's decisions, and once each turn has passed."""
        game, shown = start.clone(), []
        for step in [*steps, None]:
            if not is_open(game) or game.to_play == viewer:
                shown += [game.observe(viewer), game.definition.draw_text(game, viewer=viewer)]
                shown.append(game.definition.draw_svg(game, viewer=viewer))
                shown.append(game.trail)
            if game.to_play == viewer:
                view = View.of(game)
                shown += [view.observe(), view.named(), view.legal_mask(), view.random_actions(), view.keys]
            if step is not None:
                game.play(game.action(step.move))
        return without_repeats(shown)

    def pages(self, viewer, start, steps):
        """The states, pictures, events and analyses of a page, over moves and moves taken back."""
        from ingenious_env.web.analysis import Analysis
        from ingenious_env.web.rooms import Room
        from ingenious_env.web.tables import HUMAN, Table, built_in_agents
        from ingenious_env.web.visible import visible

        agents = {agent.name: agent for agent in built_in_agents(definitions())}
        table = Table.of_text(start.to_text(), [HUMAN] * self.rules.num_players, agents)
        table.id = "0" * 32
        room, queue, shown = Room(table, None, None), asyncio.Queue(), []
        room.listeners[queue] = viewer, table.version_for(viewer)

        def look():
            again = Table.from_json(table.to_json(), agents)
            state = json.dumps(visible(table, viewer))
            assert json.dumps(visible(again, viewer)) == state
            if shown and shown[-1][0] == state:
                assert queue.empty()
                return
            ats = range(table.total(viewer) + 1)
            games = [table.session.at(table.turns_at(viewer, at)) for at in ats]
            with pytest.raises(ValueError, match="so at is from 0 to") as refused:
                visible(table, viewer, len(ats))
            events = [queue.get_nowait() for _ in range(queue.qsize())]
            pictures = [game.definition.draw_svg(game, viewer=viewer) for game in games]
            states = [json.dumps(visible(table, viewer, at)) for at in ats]
            missing = [turn for _, turn, _ in Analysis(table).missing(viewer)]
            shown.append((state, str(refused.value), events, pictures, states, missing, table.names()))

        look()
        for step in steps:
            table.play(table.session.game.action(step.move))
            room.notify_moves()
            look()
        for seat in range(self.rules.num_players):
            if any(turn.seat == seat for turn in table.session.turns):
                table.take_back(seat)
                room.notify_moves()
                look()
        return shown

    def pettingzoo(self, viewer, start, steps):
        """An agent's inputs at its decisions; its rewards and observations once each turn has passed."""
        module = ingenious_v0 if self.definition.name == "ingenious" else loopit_v0
        env = self.env("aec", 0, lambda: module.raw_env(rules=self.rules, render_mode="ansi"))
        env.reset(seed=1)
        env.game.state.memory[:] = start.state.memory
        env._begin()
        agent, shown = f"player_{viewer}", []
        for step in [*steps, None]:
            game = env.game
            if env.agent_selection == agent:
                shown.append(plain(env.last()))
            if game.to_play == viewer or not is_open(game):
                shown.append(plain([env.observe(agent), env.infos[agent], env._cumulative_rewards[agent]]))
            if step is not None:
                env.step(game.action(step.move))
        return without_repeats(shown)

    def begin(self, episodes, viewer, start, steps):
        """Put a position into an environment; returns the learner's actions up to the others' moves."""
        episodes.batch.state.memory[:] = start.state.memory
        episodes._counted[:] = start.state.scores
        if episodes._trails is not None:
            episodes._trails.clear(np.ones(1, np.bool_))
        self.opponent.moves = [step.move for step in steps if step.seat != viewer]
        game, actions = start.clone(), []
        for step in steps:
            if step.seat == viewer:
                actions.append(game.action(step.move))
            game.play(game.action(step.move))
        return actions

    def gymnasium(self, viewer, start, steps):
        """Observations, rewards, infos and pictures of the environment of one game."""
        name = self.definition.versus_id
        env = self.env("gym", viewer, lambda: gym.make(name, seat=viewer, render_mode="svg", **self.options))
        bare = env.unwrapped
        self.opponent.moves = []
        bare.episodes._advance = lambda _dealt: None
        env.reset(seed=1)
        del bare.episodes._advance
        shown = []
        for action in self.begin(bare.episodes, viewer, start, steps):
            shown += [plain(env.step(action)), env.render(), bare.action_masks().tobytes()]
        return shown

    def vector(self, viewer, start, steps):
        """The same of the vector environment, and of what trainers make of it."""
        from ingenious_env.sb3 import IngeniousVecEnv
        from ingenious_env.torchrl import VectorEnv

        name, shown = self.definition.versus_id, []
        options = {"seat": viewer, **self.options}
        same = gym.vector.AutoresetMode.SAME_STEP
        made = [
            self.env("vector", viewer, lambda: gym.make_vec(name, 1, autoreset_mode=same, **options)),
            self.env("torchrl", viewer, lambda: VectorEnv(name, 1, **options)),
        ]
        sb3 = self.env("sb3", viewer, lambda: IngeniousVecEnv(made[0]))
        for kind, env in (("gym", made[0]), ("sb3", sb3), ("torchrl", made[1])):
            episodes = (made[1].envs if kind == "torchrl" else made[0]).episodes
            episodes._advance = lambda _dealt: None
            env.reset()
            del episodes._advance
            for action in self.begin(episodes, viewer, start, steps):
                if kind == "gym":
                    shown.append(plain(env.step(np.array([action]))))
                elif kind == "sb3":
                    env.step_async(np.array([action]))
                    shown += [plain(env.step_wait()), plain(env.env_method("action_masks"))]
                else:
                    import torch
                    from tensordict import TensorDict

                    given = TensorDict({"action": torch.tensor([action])}, [1])
                    shown.append(plain(env.step(given)["next"].to_dict()))
        return shown

    def self_play(self, viewer, start, steps):
        """The outputs at the viewer's turns in TorchRL's environment of all seats."""
        import torch
        from tensordict import TensorDict

        from ingenious_env.torchrl import SelfPlayEnv

        env = self.env("self play", 0, lambda: SelfPlayEnv(self.rules, 1))
        env.reset()
        env.batch.state.memory[:] = start.state.memory
        game, shown, rewards = start.clone(), [], 0
        for step in steps:
            given = TensorDict({"action": torch.tensor([game.action(step.move)])}, [1])
            game.play(game.action(step.move))
            found = env.step(given)["next"].to_dict()
            rewards = rewards + found.pop("reward")[0, viewer].item()
            if game.to_play == viewer:
                shown.append((plain(found), rewards))
        return shown

    def record(self, viewer, start, steps):
        """A session's record reveals all; a game that began with a position has none."""
        session = Session.from_game(start)
        for step in steps:
            session.play(session.game.action(step.move))
        with pytest.raises(ValueError, match="has no record") as refused:
            _ = session.record
        return [str(refused.value)]


RECEIVERS = (
    "text_picture_and_view",
    "pages",
    "pettingzoo",
    "gymnasium",
    "vector",
    "self_play",
    "record",
)


def without_repeats(shown):
    """Entries in order, those left out that are the same as the last of their type and place."""
    found = []
    for each in map(plain, shown):
        if each not in found[-4:]:
            found.append(each)
    return found


@pytest.mark.parametrize("number", [4, pytest.param(500, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("name", VARIANTS)
def test_all_that_a_seat_receives_is_the_same(name, number):
    for package in ("starlette", "stable_baselines3", "torchrl"):
        pytest.importorskip(package)
    receivers = Receivers(VARIANTS[name])
    for pair in pairs(receivers.rules, number):
        for receiver in RECEIVERS:
            first, second = (
                getattr(receivers, receiver)(pair.viewer, start, moves)
                for start, moves in zip(pair.starts, pair.moves, strict=True)
            )
            assert first, receiver
            assert first == second, receiver
