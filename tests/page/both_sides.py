"""A server and a page without one that are asked the same."""

from __future__ import annotations

import json

import pytest

from ingenious_env.engine.definition import definitions
from ingenious_env.web.tables import Table

CLOSE = 1e-5
SAME_WORDS = {
    *((what, 422) for what in ("move", "judge")),
    *((what, 409) for what in ("record", "position", "replay")),
}
"""Requests and statuses of refusals whose sentences are the same."""
SWAPPED = 3  # ranks between which moves of nearly equal value may be found
ASK = """async ([path, query, body]) => {
  const { ask } = await import("/web/static/transport.js");
  return JSON.stringify(await ask(path, query, body === null ? undefined : body));
}"""


def files_of_page():
    """The files of the page of both games, by path, in the language of this process."""
    pytest.importorskip("ziglang")
    from ingenious_agents.commands.page import searches

    from ingenious_env.web.site import page_files

    return page_files([definitions()[name] for name in ("ingenious", "loopit")], searches=searches())


class Server:
    """Requests to a server."""

    def __init__(self, client, folder, agents):
        self.client, self.folder, self.agents = client, folder, agents

    def ask(self, path, query=None, body=None):
        text = "&".join(f"{name}={value}" for name, value in (query or {}).items() if value is not None)
        path = f"/api/{path}{'?' * bool(text)}{text}"
        return self.client.ask("GET" if body is None else "POST", path, body)

    def game(self, table):
        """The game of a table, of which the server keeps a file."""
        text = (self.folder / f"{table}.json").read_text(encoding="utf-8")
        return Table.from_json(text, self.agents).session.game


class Page:
    """Requests to a page without a server."""

    def __init__(self, tab):
        self.tab = tab

    def ask(self, path, query=None, body=None):
        found = json.loads(self.tab.evaluate(ASK, [path, query or {}, body]))
        return found["status"], found["body"]


class Both:
    """The same requests to both, at a table each."""

    def __init__(self, server, page):
        self.sides = (server, page)
        self.tables = []

    def ask(self, path, query=None, body=None):
        """The answer, which both give."""
        return self.agree(path, [side.ask(path, query, body) for side in self.sides])

    def sit_down(self, body):
        """A table for the body of `/api/tables`."""
        answers = [side.ask("tables", body=body) for side in self.sides]
        assert [status for status, _ in answers] == [200, 200], answers
        seats = [sorted(found["keys"]) for _, found in answers]
        assert seats[0] == seats[1]
        self.tables = [(found["id"], ",".join(found["keys"].values())) for _, found in answers]

    def at_table(self, what="", *, query=None, body=None):
        """The answer to a request at the table."""
        answers = []
        for side, (table, keys) in zip(self.sides, self.tables, strict=True):
            path = f"tables/{table}{'/' * bool(what)}{what}"
            if body is None:
                answers.append(side.ask(path, {"keys": keys} | (query or {})))
            else:
                answers.append(side.ask(path, body={"keys": keys} | body))
        return self.agree(what or "show", answers)

    def agree(self, what, answers):
        (status, expected), (other, found) = answers
        assert other == status, (what, answers)
        if status >= 400 and "error" in expected:
            assert found.keys() == {"error"}
            if (what, status) in SAME_WORDS:
                assert found == expected
            return status, expected
        same(plain(found), plain(expected), what)
        return status, expected

    def settled(self):
        """The state once all agents have moved."""
        for side, (table, keys) in zip(self.sides, self.tables, strict=True):
            while side.ask(f"tables/{table}", {"keys": keys})[1]["thinking"]:
                pass
        return self.at_table()[1]


def same_hints(found, expected, where):
    """Fail unless two lists of hints are equal but for the order of those of nearly equal value."""
    same([hint["value"] for hint in found], [hint["value"] for hint in expected], f"{where}.values")
    by_move = {hint["move"]: hint for hint in expected}
    for hint in found:
        same(
            hint,
            by_move.get(hint["move"], {**hint, "value": expected[-1]["value"]}),
            where + "." + hint["move"],
        )


def plain(answer):
    """An answer without what differs from table to table."""
    if not isinstance(answer, dict):
        return answer
    return {name: each for name, each in answer.items() if name not in ("id", "thinking")}


def same(found, expected, where):
    """Fail unless two answers are equal, floats nearly; the message names where."""
    if where.endswith(".dots"):
        assert [dot[:-1] for dot in sorted(found)] == [dot[:-1] for dot in sorted(expected)], where
        ranks = ([dot[-1] for dot in sorted(each)] for each in (found, expected))
        assert max((abs(mine - theirs) for mine, theirs in zip(*ranks, strict=True)), default=0) <= SWAPPED, (
            where
        )
    elif where.endswith(".list"):
        same_hints(found, expected, where)
    elif isinstance(expected, dict):
        assert isinstance(found, dict), where
        assert found.keys() == expected.keys(), where
        for name, each in expected.items():
            same(found[name], each, f"{where}.{name}")
    elif isinstance(expected, list) and isinstance(found, list):
        assert len(found) == len(expected), f"{where}: {found} and not {expected}"
        for number, (mine, theirs) in enumerate(zip(found, expected, strict=True)):
            same(mine, theirs, f"{where}[{number}]")
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, abs=36 * CLOSE), where
    else:
        assert found == expected, f"{where}: {found} and not {expected}"
