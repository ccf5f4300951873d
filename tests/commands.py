"""Scripts run in this process, and what they say of wrong input."""

from __future__ import annotations

import pytest


def refused(capsys, script, *arguments: str) -> str:
    """What a script says of input that it refuses: one sentence on standard error, with status 2."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as stopped:
        script.main(list(arguments))
    said = capsys.readouterr().err
    lines = [line for line in said.splitlines() if not line.startswith("ingenious_env: compiling")]
    assert stopped.value.code == 2, said
    assert len(lines) == 1, said
    assert lines[0].startswith(f"python -m scripts.{script.SCRIPT}: ")
    return lines[0]
