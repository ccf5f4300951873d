"""Functions of kernels that each game supplies in its own way, chosen by the game's type at compile time.

A function marked as `supplied` stands for the one of the same name among the compiled functions of the game
that is its first argument (`GameDefinition.compiled_rules` and `guide`), so that code written once runs for
games. The choice costs nothing at run time. Kernels still have to be made for each game, with `bind`, as
`games_of` determines which game a spec belongs to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.extending import overload

from ingenious_env.compiled.rows import RowType

Function = Callable[..., Any]


def supplied(stub: Function) -> Function:
    """Make a stub stand for the function of that name of the game, its first argument."""
    name = stub.__name__

    @overload(stub, strict=False, jit_options={"forceinline": True})
    def choose(game: Any, *_arguments: Any) -> Any:
        if not isinstance(game, RowType):
            return None
        function = _function_of(game, name)
        return lambda game, *_arguments: function(game, *_arguments)

    return stub


def supplied_without_game(name: str) -> Callable[[Function], Function]:
    """The same for a function without arguments, by its name: the game is only used for the choice."""

    def decorate(stub: Function) -> Function:
        @overload(stub, strict=False, jit_options={"forceinline": True})
        def choose(game: Any) -> Any:
            if not isinstance(game, RowType):
                return None
            function = _function_of(game, name)
            return lambda game: function()

        return stub

    return decorate


def _function_of(game: RowType, name: str) -> Any:
    functions = game.layout.functions
    if name not in functions:
        msg = f"the game {game.layout.name} supplies no compiled function {name!r}"
        raise NotImplementedError(msg)
    return functions[name]
