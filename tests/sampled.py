"""Tests over many parameters, of which some run with each change and all every night."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def nightly_but(kept: Collection[Any], values: Iterable[Any]) -> list[Any]:
    """The parameters of a test; all but those kept run nightly.

    Args:
        kept: parameters, which must be among the values.
        values: the parameters, tuples for several arguments.
    """
    values = list(values)
    unknown = [each for each in kept if each not in values]
    if unknown:
        msg = f"{unknown} are not among the parameters"
        raise ValueError(msg)
    return [
        pytest.param(
            *(each if isinstance(each, tuple) else (each,)),
            marks=[] if each in kept else [pytest.mark.nightly],
        )
        for each in values
    ]
