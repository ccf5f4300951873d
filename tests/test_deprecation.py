"""A replaced name is the new one, and warns where it is used; other names are missing as usual."""

from __future__ import annotations

import sys
import warnings
from types import ModuleType

import pytest

import ingenious_env
from ingenious_env.deprecation import Replaced, replaced_names


@pytest.fixture
def old(monkeypatch):
    module = ModuleType("old")
    module.__getattr__ = replaced_names("old", {"Batch": Replaced("ingenious_env", "GameBatch", "0.3")})
    monkeypatch.setitem(sys.modules, "old", module)
    return module


def test_a_replaced_name_is_the_new_one_and_warns(old):
    message = r"old\.Batch is now ingenious_env\.GameBatch; version 0\.3 removes the old name"
    with pytest.warns(DeprecationWarning, match=f"^{message}$") as warned:
        found = old.Batch
    assert found is ingenious_env.GameBatch
    assert warned[0].filename == __file__


def test_it_can_be_imported(old):
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        from old import Batch
    assert Batch is ingenious_env.GameBatch
    assert len(warned) >= 1  # `from` asks twice


def test_other_names_are_missing(old):
    with pytest.raises(AttributeError, match=r"^module 'old' has no attribute 'Game'$"):
        _ = old.Game
