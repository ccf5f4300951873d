"""Lets tests, and the processes they start, import their helpers by name, wherever pytest is started."""

import os
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
FOLDERS = [str(TESTS / name) for name in ("", "oracle", "golden", "mutations", "docs")]

sys.path[:0] = FOLDERS
os.environ["PYTHONPATH"] = os.pathsep.join([*FOLDERS, *filter(None, [os.environ.get("PYTHONPATH")])])
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")  # windows are drawn into memory


@pytest.fixture(scope="session", autouse=True)
def _quick_windows():
    """Windows of Gymnasium's "human" mode without the pauses in which a person would look at a frame."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ingenious_env.envs.gymnasium.FRAMES_PER_SECOND", 10_000)
        yield
