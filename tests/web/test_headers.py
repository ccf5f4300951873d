"""The headers of every kind of answer: each route with each status, refusals, streams, faults, no HTTP."""

import json
import re
import socket

import pytest
from patience import PATIENCE

pytest.importorskip("starlette")

from web_server import serving

from ingenious_env import Rules
from ingenious_env.engine.definition import definition_of
from ingenious_env.web import store as storing
from ingenious_env.web.app import Server, make_app
from ingenious_env.web.store import Store
from ingenious_env.web.tables import HUMAN, Agent, Table
from scripts.examples import squares

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'"
    " data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}
KINDS = {
    "application/json",
    "text/plain; charset=utf-8",
    "text/html; charset=utf-8",
    "text/css; charset=utf-8",
    "text/javascript; charset=utf-8",
    "text/event-stream; charset=utf-8",
    "image/svg+xml",
}

FILES = {
    "web/static": "main.js style.css theme.css icon.svg",
    "render/static": "dom.js drawing.css",
    "games/ingenious/page": "game.js board.js",
    "games/loopit/page": "game.js",
    f"games/{squares.DEFINITION.name}/page": "game.js",
}
"Some of the files that pages load, by folder."


class First:
    def act(self, view):
        return view.legal_mask().argmax(axis=1)


AGENTS = {name: Agent(name, lambda _game: First()) for name in ("first", "value")}


@pytest.fixture(scope="module", name="place")
def _place(tmp_path_factory):
    """A server's port and tables: of two people, over, with a damaged file, and one to be deleted."""
    store = Store(tmp_path_factory.mktemp("games"), AGENTS)
    table, over, unwanted = (Table.of(Rules(2), [HUMAN, HUMAN], AGENTS, 5) for _ in range(3))
    while not over.session.is_over:
        over.play(int(over.session.game.legal_actions()[0]))
    damaged = Table.of(Rules(2), [HUMAN, HUMAN], AGENTS, 5)
    for each in (table, over, unwanted):
        store.add(each)
    store.save(damaged)
    path = next(store._folder.glob(f"{damaged.id}.json"))
    path.write_text(path.read_text()[:-9])
    with serving(make_app(AGENTS, store)) as port:
        yield port, table, over, damaged, unwanted


def ask(port, start, *headers, body=b"", host=None):
    """The status, the headers and the content of an answer, of a stream as much as comes at once."""
    hosts = [f"Host: {host or f'127.0.0.1:{port}'}"]
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
        lines = [f"{start} HTTP/1.1", *hosts, *headers, "Connection: close", "", ""]
        connection.sendall("\r\n".join(lines).encode("latin-1") + body)
        answer = b""
        while part := connection.recv(65536):
            answer += part
            if b"event: state" in answer:
                break
    head, _, content = answer.partition(b"\r\n\r\n")
    first, *rest = head.decode("latin-1").split("\r\n")
    return int(first.split()[1]), [line.partition(": ")[::2] for line in rest], content


def check(answer, *statuses):
    status, fields, content = answer
    assert status in statuses, (status, content[:200])
    names = [name.lower() for name, _ in fields]
    found = dict(zip(names, (value for _, value in fields), strict=True))
    for name, value in HEADERS.items():
        assert names.count(name) == 1, (status, name, fields)
        assert found[name] == value
    assert found["content-type"] in KINDS | {"text/plain"}
    assert not [name for name in names if name.startswith("access-control") or name == "server"]
    return content


def post(port, path, body, *headers, host=None):
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    given = [f"Content-Length: {len(content)}", "Content-Type: application/json", *headers]
    return ask(port, f"POST {path}", *given, body=content, host=host)


def requests(table, over, damaged, unwanted):
    """By route, the requests that are answered in each way in which it can: method, path, body, status."""
    keys, rules = ",".join(table.keys), definition_of(table.rules).rules_to_text(table.rules)
    new = {"game": "ingenious", "rules": rules, "seats": [HUMAN, HUMAN]}
    now, stale, alien = (
        {"keys": keys, "version": 0},
        {"keys": keys, "version": 9},
        {"keys": "x", "version": 0},
    )
    game = table.session.game
    move = {"move": game.definition.move_to_text(game.move(int(game.legal_actions()[0])))}
    found = {
        "/": [("GET", "/", None, 200)],
        **{
            f"/{folder}/{{name}}": [
                *[("GET", f"/{folder}/{name}", None, 200) for name in names.split()],
                ("GET", f"/{folder}/none.js", None, 404),
            ]
            for folder, names in FILES.items()
        },
        "/api/games": [("GET", "/api/games", None, 200)],
        "/api/look": [
            ("POST", "/api/look", {"game": "ingenious", "rules": rules}, 200),
            ("POST", "/api/look", {"game": "ingenious", "rules": "x"}, 422),
        ],
        "/api/deal": [
            ("POST", "/api/deal", {"game": "ingenious", "rules": rules}, 200),
            ("POST", "/api/deal", {"game": "ingenious", "rules": "x"}, 422),
        ],
        "/api/read": [
            ("POST", "/api/read", {"text": table.session.record.to_text()}, 200),
            ("POST", "/api/read", {"text": "x"}, 422),
            ("POST", "/api/read", {"text": "\ud800"}, 422),
        ],
        "/api/tables": [
            ("POST", "/api/tables", new, 200),
            ("POST", "/api/tables", {**new, "seats": []}, 422),
        ],
    }
    ends = {
        "": [],
        "/move": [({**now, **move, "move": "x"}, 422), ({**stale, **move}, 409), ({**alien, **move}, 403)],
        "/draws": [({**now, **move}, 422), ({**stale, **move}, 409), ({**alien, **move}, 403)],
        "/back": [(now, 422), (stale, 409), (alien, 403)],
        "/stop": [({"keys": keys}, 200), ({"keys": "x"}, 403)],
        "/delete": [({"keys": "x"}, 403)],
        "/advice": [
            ({**now, "agent": "first"}, 200),
            ({**now, "agent": "x"}, 422),
            ({**now, "agent": "first", "at": 0}, 409),
            ({**stale, "agent": "first"}, 409),
        ],
        "/judge": [({**now, **move}, 200), ({**now, "move": "\udfff"}, 422), ({**stale, **move}, 409)],
        "/analysis": [({"keys": keys}, 200), ({"keys": "x"}, 403)],
        "/compared": [({"keys": keys}, 409), ({"keys": "x"}, 403)],
        "/record": [(None, 409)],
        "/position": [(None, 409)],
        "/replay": [(None, 409)],
        "/picture": [],
        "/events": [],
    }
    for end, cases in ends.items():
        path = f"/api/tables/{table.id}{end}"
        route = "/api/tables/{id}" + end
        found[route] = [
            ("POST" if body else "GET", f"{path}?keys={keys}", body, status) for body, status in cases
        ]
        if cases and cases[0][0]:
            for name, status in ((damaged.id, 422), ("0" * 32, 404)):
                found[route].append(("POST", f"/api/tables/{name}{end}", cases[0][0], status))
            found[route].append(("POST", path, {}, 422))
            continue
        if not cases:
            found[route].append(("GET", f"{path}?keys={keys}", None, 200))
        for name, status in ((damaged.id, 422), ("0" * 32, 404)):
            found[route].append(("GET", f"/api/tables/{name}{end}?keys={keys}", None, status))
        found[route].append(("GET", f"{path}?keys=x", None, 403))
        found[route].append(("GET", f"/api/tables/{over.id}{end}?keys={','.join(over.keys)}", None, 200))
    path, body = f"/api/tables/{unwanted.id}/delete", {"keys": ",".join(unwanted.keys)}
    found["/api/tables/{id}/delete"].append(("POST", path, body, 200))
    return found


ROUTES = [route.path for route in Server(AGENTS, Store(None, AGENTS)).routes()]


@pytest.mark.parametrize("route", ROUTES)
def test_every_answer_of_a_route_has_all_headers(place, route):
    """By each method, in each way that it answers, and refused by the guard in each way."""
    port, *tables = place
    cases = requests(*tables)[route]
    assert cases
    for method, path, body, status in cases:
        if method == "POST":
            check(post(port, path, body), status)
            for wrong in ("GET", "HEAD"):
                check(ask(port, f"{wrong} {path}"), 405)
            check(post(port, path, b"{"), 422)
            check(ask(port, f"POST {path}", "Content-Type: text/plain", "Content-Length: 2", body=b"{}"), 415)
            check(ask(port, f"POST {path}", "Content-Type: application/json"), 411)
            check(post(port, path, b" " * 65537), 413)
        else:
            content = check(ask(port, f"GET {path}"), status)
            assert content
            assert not check(ask(port, f"HEAD {path}"), status)
            check(post(port, path, {}), 405)
        check(ask(port, f"{method} {path}", host="evil.test"), 421)
        check(ask(port, f"{method} {path}", "Accept: text/html", host="evil.test"), 421)
        check(ask(port, f"{method} {path}", "Origin: http://evil.test"), 403)
        for other in ("PUT", "DELETE", "OPTIONS", "PATCH"):
            check(ask(port, f"{other} {path}"), 405)


def test_other_answers_have_all_headers_too(place, monkeypatch):
    port, *tables = place
    for path in ("/nothing", "/api", "/api/tables/x/y/z", "/web/static/", "/api/games/", "/%00", "/%ff"):
        check(ask(port, f"GET {path}"), 404)
        assert not check(ask(port, f"HEAD {path}"), 404)
    for start in ("x", "GET", "GET /\x01", "GET / HTTP/9\r\nx:"):
        check(ask(port, start), 400)
    check(ask(port, "GET /", "x" * 100_000), 400, 431)
    check(ask(port, "GET /", "Content-Length: x"), 400)
    check(ask(port, "GET /", "Transfer-Encoding: chunked", body=b"nonsense\r\n"), 200, 400)
    monkeypatch.setattr(Table, "to_json", lambda _table: 1 / 0)
    body = requests(*tables)["/api/tables"][0][2]
    content = check(post(port, "/api/tables", body), 500)
    assert json.loads(content) == {"error": "the server has failed; its terminal shows the error"}

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.undo()
    monkeypatch.setattr(storing, "write_text", full)
    check(post(port, "/api/tables", body), 507)


def test_a_token_is_asked_for_with_all_headers():
    with serving(make_app(AGENTS, Store(None, AGENTS)), "secret") as port:
        check(ask(port, "GET /"), 401)
        check(ask(port, "HEAD /"), 401)
        answer = ask(port, "GET /?token=secret")
        check(answer, 200)
        assert re.fullmatch(
            r"ingenious-token-\d+=secret; HttpOnly; SameSite=Strict; Path=/", dict(answer[1])["set-cookie"]
        )
