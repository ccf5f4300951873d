"""The policy network only needs PyTorch."""

import subprocess
import sys

import pytest

pytest.importorskip("torch")


def test_it_plays_without_stable_baselines3(tmp_path):
    code = (
        "import sys\n"
        "sys.modules['stable_baselines3'] = sys.modules['sb3_contrib'] = None\n"
        "from ingenious_agents import make_agent, play_match\n"
        "from ingenious_agents.ppo.agent import NetworkPolicy\n"
        "from ingenious_env import Rules\n"
        "from ingenious_env.networks import PlacementNetwork\n"
        "NetworkPolicy(Rules(), PlacementNetwork(Rules(), 8, staged=False)).save(sys.argv[1])\n"
        "agents = [make_agent(f'ppo:path={sys.argv[1]}'), make_agent('uniform')]\n"
        "print(play_match(Rules(), agents, 2).games)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "agent.safetensors")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "4\n"
