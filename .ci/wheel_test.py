"""Is the installed wheel whole? Called with the folder that it was installed into."""

import sys
from pathlib import Path

import ingenious_env
from ingenious_env import Game, ingenious_v0

site = Path(sys.argv[1])
assert Path(ingenious_env.__file__).is_relative_to(site), ingenious_env.__file__
assert sorted(path.name for path in site.iterdir() if path.suffix != ".dist-info") == ["ingenious_env"]
assert (site / "ingenious_env" / "py.typed").is_file()

game = Game(seed=1)
while not game.is_over:
    game.play(game.random_action())
env = ingenious_v0.env(num_players=3)
env.reset(seed=1)
for agent in env.agent_iter():
    _, _, termination, truncation, info = env.last()
    over = termination or truncation
    env.step(None if over else env.action_space(agent).sample(info["action_mask"]))
print("the wheel works:", game)
