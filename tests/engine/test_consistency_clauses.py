"""Each clause of `consistency` decides about some position, in both games.

The clauses are read from the source: each `if`, each part of a condition, each bound. Without it, some
position must be judged in another way; so a new clause needs a position in `consistency_positions.py`.
"""

from __future__ import annotations

import ast
import inspect
from types import ModuleType

import pytest
from consistency_positions import ingenious_parts, ingenious_states, loopit_states

from ingenious_env.engine.state import GameState
from ingenious_env.games.ingenious import consistency as ingenious
from ingenious_env.games.loopit import consistency as loopit

MODULES = {"ingenious": ingenious, "loopit": loopit}
NOT_CHECKS = {"check", "problems"}
"""Functions of the modules that only go through the others."""
ENDS_A_LOOP = "beyond not in reached"
"""Without it, a check would go round for ever."""


@pytest.fixture(scope="module", params=MODULES)
def judged(request) -> tuple[ModuleType, list[tuple[str, str, GameState]]]:
    """A module, and positions with the check to ask, by default all of them."""
    game = request.param
    states = [("problems", *each) for each in (ingenious_states if game == "ingenious" else loopit_states)()]
    parts = list(ingenious_parts()) if game == "ingenious" else []
    return MODULES[game], parts + states


class Changed(ast.NodeTransformer):
    """Leaves out one thing that decides, by its number: an `if`, or a part of an `and` or `or`.

    Attributes:
        found: in words, what can be left out.
    """

    def __init__(self, number: int = -1) -> None:
        self.number = number
        self.found: list[str] = []

    def _is_next(self, node: ast.AST, what: str) -> bool:
        self.found.append(f"line {node.lineno}: {what}")
        return len(self.found) - 1 == self.number

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        if self._is_next(node, f"if {ast.unparse(node.test)}"):
            node.test = ast.Constant(False)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        for part in list(node.values):
            if ast.unparse(part) != ENDS_A_LOOP and self._is_next(
                part, f"{ast.unparse(part)} in {ast.unparse(node)}"
            ):
                node.values.remove(part)
        return node.values[0] if len(node.values) == 1 else node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        strict = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
        for place, sign in enumerate(node.ops):
            if type(sign) in strict and self._is_next(node, f"the bound in {ast.unparse(node)}"):
                node.ops[place] = strict[type(sign)]()
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node if node.name in NOT_CHECKS else self.generic_visit(node)


def answers(module: dict, ask: str, state: GameState) -> list[str]:
    try:
        return list(module[ask](state))
    except Exception as error:
        return [repr(error)]


def test_what_is_wrong_is_said_and_nothing_else(judged):
    module, positions = judged
    for ask, begins, state in positions:
        found = answers(vars(module), ask, state)
        if not begins:
            assert found == []
        else:
            assert any(begins in complaint for complaint in found), (begins, found)


def test_every_clause_decides(judged):
    module, positions = judged
    source = inspect.getsource(module)
    counted = Changed()
    counted.visit(ast.parse(source))
    plain = [answers(vars(module), ask, state) for ask, _, state in positions]
    undecided, derived = [], {}

    def remembered(state: GameState) -> None:
        """`derive`, which is slow, once for each row."""
        row = state.memory.tobytes()
        if row not in derived:
            module.derive(state)
            derived[row] = state.memory.copy()
        state.memory[:] = derived[row]

    for number, what in enumerate(counted.found):
        tree = ast.fix_missing_locations(Changed(number).visit(ast.parse(source)))
        changed: dict = {"__name__": module.__name__}
        exec(compile(tree, module.__file__, "exec"), changed)  # noqa: S102 - our own source
        changed["derive"] = remembered
        if not any(
            answers(changed, ask, state) != before
            for (ask, _, state), before in zip(positions, plain, strict=True)
        ):
            undecided.append(what)
    assert len(counted.found) > 50
    assert not undecided, "no position here depends on\n" + "\n".join(undecided)
