"""Requests of other sites and machines, written byte by byte: HTTP clients would mend them."""

import asyncio
import json
import socket
from contextlib import suppress

import pytest
from patience import PATIENCE

pytest.importorskip("uvicorn")

from web_server import serving

from ingenious_env.web import guard
from ingenious_env.web.guard import MAX_BODY, POLICY, Guard

JSON = "Content-Type: application/json"


async def echo(scope, receive, send):
    """Answers with the method, the path and the body."""
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    answered = json.dumps([scope["method"], scope["path"], body.decode()]).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(answered)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": answered})


@pytest.fixture(scope="module", name="port")
def _port():
    with serving(echo) as port:
        yield port


def ask(port, start, *headers, body=b"", host=None):
    """The status, the headers and the content of an answer."""
    hosts = [f"Host: 127.0.0.1:{port}"] if host is None else host
    lines = [f"{start} HTTP/1.1", *hosts, *headers, "Connection: close"]
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
        connection.sendall("\r\n".join([*lines, "", ""]).encode() + body)
        answer = b""
        while part := connection.recv(65536):
            answer += part
    head, _, content = answer.partition(b"\r\n\r\n")
    first, *rest = head.decode("latin-1").split("\r\n")
    fields = [line.partition(": ")[::2] for line in rest]
    return int(first.split()[1]), {name.lower(): value for name, value in fields}, content


def post(port, *headers, body=b"{}", path="/api/x"):
    return ask(port, f"POST {path}", *headers, f"Content-Length: {len(body)}", body=body)


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]", "LOCALHOST"])
def test_its_own_names(port, name):
    status, headers, content = ask(port, "GET /a", host=[f"Host: {name}:{port}"])
    assert status == 200
    assert json.loads(content) == ["GET", "/a", ""]
    assert headers["content-security-policy"] == POLICY.decode()
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    ("server", "origin", "status"),
    [
        ({"hosts": ["127.0.0.1:80", "[::1]:80"]}, "http://127.0.0.1", 200),
        ({"hosts": ["127.0.0.1:80", "[::1]:80"]}, "http://[::1]", 200),
        ({"hosts": ["127.0.0.1:80", "[::1]:80"]}, "http://127.0.0.1:80", 200),
        ({"hosts": ["127.0.0.1:80", "[::1]:80"]}, "https://127.0.0.1", 403),
        ({"hosts": ["127.0.0.1:8080"]}, "http://127.0.0.1", 421),
        ({"hosts": ["127.0.0.1:443"]}, "http://127.0.0.1", 421),
        ({"hosts": ["127.0.0.1:8417"], "forwarded": ["Box.test:443"]}, "https://box.test", 200),
        ({"hosts": ["127.0.0.1:8417"], "forwarded": ["box.test:443"]}, "http://box.test", 403),
        ({"hosts": ["127.0.0.1:8417"], "forwarded": ["box.test:80"]}, "http://box.test", 200),
        ({"hosts": ["127.0.0.1:8417"], "forwarded": ["box.test:80"]}, "https://box.test", 403),
    ],
)
def test_browsers_leave_the_default_port_out(server, origin, status):
    """In `Host` and in `Origin`, of `http` as of `https`."""
    headers = {"host": origin.partition("//")[2], "origin": origin}
    sent = []

    async def send(message):
        sent.append(message)

    encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": encoded}
    asyncio.run(Guard(echo, **server)(scope, nothing, send))
    assert sent[0]["status"] == status


async def nothing():
    return {"type": "http.request", "body": b"", "more_body": False}


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "OPTIONS"])
@pytest.mark.parametrize(
    "hosts",
    [
        ["Host: evil.test"],
        ["Host: evil.test:{port}"],
        ["Host: 127.0.0.1"],
        ["Host: 127.0.0.1:1"],
        ["Host: 127.0.0.1.evil.test:{port}"],
        ["Host: localhost.:{port}"],
        ["Host: 127.0.0.1:{port}, evil.test"],
        ["Host: 127.0.0.1:{port}@evil.test"],
        ["Host:"],
    ],
    ids=str,
)
def test_other_names(port, method, hosts):
    status, headers, content = ask(port, f"{method} /", host=[host.format(port=port) for host in hosts])
    assert status == 421
    if method != "HEAD":
        answered = json.loads(content)["error"]
        assert answered.startswith(f"this server answers at http://127.0.0.1:{port}/ only")
    assert headers["content-security-policy"] == POLICY.decode()


def test_a_forwarded_port_is_told_how_to_be_allowed(port):
    """To a person in a browser, who sees the sentence and no JSON."""
    accept = "Accept: text/html,application/xhtml+xml"
    for name in ("localhost:9000", "127.0.0.1:1", "box-8417.preview.test"):
        status, headers, content = ask(port, "GET /", accept, host=[f"Host: {name}"])
        assert (status, headers["content-type"]) == (421, "text/plain; charset=utf-8")
        assert content.decode() == (
            f"this server answers at http://127.0.0.1:{port}/ only, and this request is for {name}."
            f" If that is a port forwarded to it, or a proxy, start it again with: --allow-host {name}"
        )
    for odd in ("<b>", "a;b", "a b", "x" * 101, "a&b"):
        content = ask(port, "GET /", accept, host=[f"Host: {odd}"])[2].decode()
        assert odd not in content
        assert "--allow-host" not in content


def test_hosts_that_are_allowed():
    """Over https, too, which a proxy may speak; and others are refused as ever."""
    with serving(echo, None, ["box.test", "localhost:9000"]) as port:
        for name in ("box.test", "localhost:9000", "LOCALHOST:9000"):
            assert ask(port, "GET /", host=[f"Host: {name}"])[0] == 200
            for scheme in ("http", "https"):
                origin = f"Origin: {scheme}://{name}"
                assert ask(port, "GET /api/x", origin, host=[f"Host: {name}"])[0] == 200
        for name in ("box.test:1", "evil.test", "localhost:9001", "xbox.test"):
            assert ask(port, "GET /", host=[f"Host: {name}"])[0] == 421
        for origin in ("https://evil.test", "https://box.test:1", f"https://127.0.0.1:{port}"):
            assert ask(port, "GET /api/x", f"Origin: {origin}", host=["Host: box.test"])[0] == 403


@pytest.mark.parametrize("hosts", [[], ["Host: 127.0.0.1:{port}", "Host: evil.test"]])
def test_no_name_or_two(port, hosts):
    assert ask(port, "GET /", host=[host.format(port=port) for host in hosts])[0] in (400, 421)


@pytest.mark.parametrize(
    "origin", ["http://evil.test", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1", ""]
)
@pytest.mark.parametrize("start", ["GET /", "POST /api/x"])
def test_other_origins(port, start, origin):
    given = f"Origin: {origin.format(port=port)}"
    status, _, content = ask(port, start, given, JSON, "Content-Length: 2", body=b"{}")
    assert status == 403
    assert json.loads(content) == {"error": "requests from other sites are refused"}


def test_own_origin(port):
    for name in ("127.0.0.1", "localhost", "[::1]"):
        assert post(port, JSON, f"Origin: http://{name}:{port}", "Sec-Fetch-Site: same-origin")[0] == 200
    two = [f"Origin: http://127.0.0.1:{port}"] * 2
    assert post(port, JSON, *two)[0] == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site", "CROSS-SITE"])
def test_browsers_say_where_a_request_comes_from(port, site):
    assert post(port, JSON, f"Sec-Fetch-Site: {site}")[0] == 403
    assert ask(port, "GET /api/games", f"Sec-Fetch-Site: {site}")[0] == 403
    assert ask(port, "GET /", f"Sec-Fetch-Site: {site}")[0] == 200  # a link to the page


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "",
        "application/jsonp",
    ],
)
def test_what_forms_can_send(port, kind):
    assert post(port, *([f"Content-Type: {kind}"] if kind else []))[0] == 415


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "Application/JSON"])
def test_what_is_json(port, kind):
    assert post(port, f"Content-Type: {kind}", body=b'{"a": 1}')[2] == b'["POST", "/api/x", "{\\"a\\": 1}"]'


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"])
def test_other_methods(port, method):
    assert ask(port, f"{method} /")[0] in (400, 405)


def test_bodies(port):
    assert post(port, JSON, body=b" " * MAX_BODY)[0] == 200
    assert post(port, JSON, body=b" " * (MAX_BODY + 1))[0] == 413
    assert ask(port, "POST /", JSON, "Transfer-Encoding: chunked", body=b"2\r\n{}\r\n0\r\n\r\n")[0] == 411
    assert ask(port, "POST /", JSON, "Content-Length: 99999999999")[0] == 413
    assert ask(port, "POST /", JSON, "Content-Length: -1")[0] in (400, 411)
    assert ask(port, "POST /", JSON, f"Content-Length: {'9' * 5000}")[0] in (400, 411)


def test_no_websocket_is_accepted(port):
    upgrade = [
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]
    assert ask(port, "GET /", "Connection: Upgrade", *upgrade)[0] != 101


FOREIGN = (
    'prefs={"theme":"dark"}',
    "a[b]=1",
    "a=b=c",
    "=x",
    "x",
    ";;",
    "a\xe9=\xff",
    'q="unclosed',
    "a=1, b=2",
    "$Version=1",
    "ingenious-token=old",
    "ingenious-token-1=another",
    "x=" + "y" * 20_000,
)
"""Cookies of other servers of this host."""


def test_a_token():
    with serving(echo, "secret") as port:
        assert ask(port, "GET /")[0] == 401
        assert ask(port, "GET /?token=wrong")[0] == 401
        assert ask(port, "GET /?token=secret&token=secret")[0] == 401
        status, headers, _ = ask(port, "GET /?token=secret")
        assert status == 200
        name = f"ingenious-token-{port}"
        assert headers["set-cookie"] == f"{name}=secret; HttpOnly; SameSite=Strict; Path=/"
        assert "set-cookie" not in ask(port, "GET /", f"Cookie: {name}=secret")[1]
        for cookie in (f"{name}=", f"{name}=wrong", "other=secret", "ingenious-token-1=secret", "\x01=\x02"):
            assert ask(port, "GET /", f"Cookie: {cookie}")[0] in (400, 401)
        for foreign in FOREIGN:
            for cookies in (
                f"{foreign}; {name}=secret",
                f"{name}=secret; {foreign}",
                f"{foreign};{name}=secret",
            ):
                status, headers, _ = ask(port, "GET /", f"Cookie: {cookies}")
                assert (status, "set-cookie" in headers) == (200, False), cookies
            assert ask(port, "GET /", f"Cookie: {foreign}", f"Cookie: {name}=secret")[0] == 200
            assert ask(port, "GET /", f"Cookie: {foreign}")[0] == 401
            assert ask(port, "GET /?token=secret", f"Cookie: {foreign}")[0] == 200
        assert ask(port, "GET /?token=secret", host=["Host: evil.test"])[0] == 421


def status_of(headers, parts):
    """The answer's status to a POST as a server less strict than uvicorn would hand it on."""
    messages = [
        {"type": "http.request", "body": part, "more_body": number < len(parts)}
        for number, part in enumerate(parts, 1)
    ]
    sent = []

    async def receive():
        return messages.pop(0)

    async def send(message):
        sent.append(message)

    given = [(b"content-type", b"application/json"), *headers]
    scope = {"type": "http", "method": "POST", "path": "/api/x", "query_string": b"", "headers": given}
    asyncio.run(Guard(echo, ["127.0.0.1:8417"])(scope, receive, send))
    return sent[0]["status"]


def test_two_names_are_refused_whatever_the_server_lets_pass():
    """The first of them is right, or both are."""
    one, length = (b"host", b"127.0.0.1:8417"), (b"content-length", b"2")
    assert status_of([one, length], [b"{}"]) == 200
    for other in (b"evil.test", b"127.0.0.1:8417"):
        assert status_of([one, (b"host", other), length], [b"{}"]) == 421


def test_a_body_that_never_ends_is_refused(port, monkeypatch):
    """In time, and in a sentence, even if there is always a little more of it."""
    monkeypatch.setattr(guard, "BODY_TIME", 0.2)
    head = f"POST /api/x HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{JSON}\r\nContent-Length: 1000\r\n\r\n"
    for more in (b"", b" "):
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
            connection.sendall(head.encode())
            connection.settimeout(0.05)
            answer = b""
            while b"}" not in answer:
                with suppress(TimeoutError):
                    answer += connection.recv(65536)
                if not answer:
                    connection.sendall(more)
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert b"what is posted must have come within 0 seconds" in answer


def test_a_body_longer_than_it_says_is_refused():
    """After as many bytes as are allowed, in however many parts they come."""
    headers = [(b"host", b"127.0.0.1:8417"), (b"content-length", b"2")]
    half = b"x" * (MAX_BODY // 2)
    assert status_of(headers, [half, half]) == 200
    assert status_of(headers, [half, half, b"x"]) == 413
    assert status_of(headers, [half] * 3 + [b""]) == 413
