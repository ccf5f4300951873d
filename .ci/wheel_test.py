"""Check that the installed wheel is complete. Called with the folder of its installation."""

import sys
from pathlib import Path

import gymnasium

import ingenious_env
from ingenious_env import Game, ingenious_v0

site = Path(sys.argv[1])
assert Path(ingenious_env.__file__).is_relative_to(site), ingenious_env.__file__
found = {path.name for path in site.iterdir() if path.suffix != ".dist-info"}
assert found == {"bin", "ingenious_agents", "ingenious_env"}, found  # bin has the command `ingenious`
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

# The opponents of the wheel, including their weights.
for name, shape in (("ingenious/Loopit-v0", (2,)), ("ingenious/Versus-v0", (2, 6))):
    versus = gymnasium.make(name, opponent="value")
    _, info = versus.reset(seed=1)
    over = False
    while not over:
        _, _, over, _, info = versus.step(versus.action_space.sample(info["action_mask"]))
    assert info["scores"].shape == shape
# Pictures with the wheel's fonts, and the page of the browser game.
frame = gymnasium.make("ingenious/Solitaire-v0", render_mode="rgb_array")
frame.reset(seed=1)
assert frame.render().shape == (624, 1004, 3)
assert len(game.record.to_html()) > 30_000  # a page that plays the game back
shared = ("render/static/dom.js", "web/static/index.html", "web/static/main.js")
games = [f"games/{name}/page/game.js" for name in ("ingenious", "loopit")]
for name in ("render/fonts/DejaVuSans.ttf", *shared, *games):
    assert (site / "ingenious_env" / name).is_file(), name
assert not any(name.startswith("ingenious_agents") for name in sys.modules)
print("the wheel works:", ingenious_env.__version__, game, "value", info["scores"].tolist())
