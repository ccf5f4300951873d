"""Lets tests import their helpers by name, from whichever folder pytest is started."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
