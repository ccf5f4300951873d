"""Public names that have been replaced: each still works for a while, and warns."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NamedTuple


class Replaced(NamedTuple):
    """The replacement of a deprecated name.

    Attributes:
        module: the module of the new name.
        name: the new name.
        until: the version of the package that removes the old one.
    """

    module: str
    name: str
    until: str


def replaced_names(module: str, names: Mapping[str, Replaced]) -> Callable[[str], Any]:
    """A module's `__getattr__`, which finds its replaced names with a `DeprecationWarning`.

    In a module, `__getattr__ = replaced_names(__name__, {"old": Replaced("ingenious_env", "new", "0.3")})`.
    """

    def find(name: str) -> Any:
        if name not in names:
            msg = f"module {module!r} has no attribute {name!r}"
            raise AttributeError(msg)
        new = names[name]
        message = f"{module}.{name} is now {new.module}.{new.name}; version {new.until} removes the old name"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return getattr(import_module(new.module), new.name)

    return find
