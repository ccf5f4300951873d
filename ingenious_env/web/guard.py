"""The guard before all routes: it refuses requests from other sites, and from other machines without a token.

A page of another site that is open in a browser may send requests to this machine, too. So `Host` must name
this server (a name that was rebound to this machine's address makes such a page same-origin), `Origin` must
be this server where a browser sends it, and state-changing requests must be JSON, which another site can only
send after a preflight. Every answer forbids scripts, styles and frames of other origins.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import re
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any
from urllib.parse import parse_qs

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MAX_BODY = 64 * 1024
BODY_TIME = 10.0
"""Seconds in which a body must be complete."""
_LENGTH = re.compile(r"[0-9]{1,20}")
PLAIN_HOST = re.compile(r"[\w.:\[\]-]{1,100}", re.ASCII)
METHODS = ("GET", "HEAD", "POST")
COOKIE = "ingenious-token"
POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    b" base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)


class Refusal(Exception):  # noqa: N818 - it is an answer, not an error
    """A request that is refused, with a status of HTTP and a sentence."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


class Guard:
    """An ASGI application before another one.

    Args:
        app: the protected application.
        hosts: allowed values of `Host`, such as `127.0.0.1:8417`, the displayed one first.
        token: that requests must have, in the query of the first and in a cookie from then on; None for a
            server that only this machine can reach.
        forwarded: further values of `Host`, where requests come through a forwarded port or a proxy.
    """

    def __init__(
        self, app: App, hosts: Sequence[str], token: str | None = None, forwarded: Sequence[str] = ()
    ) -> None:
        self._app, self._token, self._address = app, token, f"http://{hosts[0]}/"
        plain, secure = _as_sent([*hosts, *forwarded], ":80"), _as_sent(forwarded, ":443")
        self._hosts = plain | secure
        self._origins = {f"http://{host}" for host in plain} | {f"https://{host}" for host in secure}
        port = hosts[0].rpartition(":")[2]
        self._cookie = f"{COOKIE}-{port}"  # browsers send the cookies of all ports of a host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # no WebSocket is ever accepted
        try:
            headers = _headers(scope)
            self._check(scope, headers)
            fresh = self._check_token(scope, headers)
            body = await _body(scope, headers, receive)
        except Refusal as refusal:
            await _refuse(refusal, is_page=_is_page(scope), send=send)
            return

        async def handed_on() -> Message:
            if body:
                return {"type": "http.request", "body": body.pop(), "more_body": False}
            return await receive()

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name for name, _ in message["headers"]}
                more = [(name, value) for name, value in HEADERS if name not in given]
                if fresh:
                    cookie = f"{self._cookie}={self._token}; HttpOnly; SameSite=Strict; Path=/"
                    more.append((b"set-cookie", cookie.encode()))
                message["headers"] = [*message["headers"], *more]
            await send(message)

        await self._app(scope, handed_on, guarded)

    def _check(self, scope: Scope, headers: dict[str, list[str]]) -> None:
        hosts = headers.get("host", [])
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            raise Refusal(421, self._other_host(hosts))
        if scope["method"] not in METHODS:
            raise Refusal(405, f"methods are {', '.join(METHODS)}")
        origins = headers.get("origin", [])
        if any(origin.lower() not in self._origins for origin in origins) or len(origins) > 1:
            raise Refusal(403, "requests from other sites are refused")
        if headers.get("sec-fetch-site", ["none"])[0] not in ("none", "same-origin") and (
            scope["method"] == "POST" or scope["path"].startswith("/api")
        ):
            raise Refusal(403, "requests from other sites are refused")
        if scope["method"] == "POST":
            kind = headers.get("content-type", [""])[0].partition(";")[0].strip().lower()
            if kind != "application/json":
                raise Refusal(415, "what is posted must be application/json")

    def _other_host(self, hosts: list[str]) -> str:
        """The message on a `Host` that is not this server."""
        message = f"this server answers at {self._address} only"
        if len(hosts) != 1 or not PLAIN_HOST.fullmatch(hosts[0]):
            return message
        return (
            f"{message}, and this request is for {hosts[0]}. If that is a port forwarded to it, or a proxy, "
            f"start it again with: --allow-host {hosts[0]}"
        )

    def _check_token(self, scope: Scope, headers: dict[str, list[str]]) -> bool:
        """Return whether the token was in the query, so that the answer sets a cookie."""
        if self._token is None:
            return False
        given = _cookies(headers.get("cookie", []), self._cookie)
        if any(_equal(value, self._token) for value in given):
            return False
        asked = parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
        if len(asked) == 1 and _equal(asked[0], self._token):
            return True
        raise Refusal(401, "open the address with the token that the server printed")


def _as_sent(hosts: Sequence[str], default: str) -> set[str]:
    """Names of a server as browsers send them, which leave out the default port."""
    names = {host.lower() for host in hosts}
    return names | {name.removesuffix(default) for name in names}


def _equal(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


def _cookies(lines: list[str], name: str) -> list[str]:
    """The values of all cookies of a name; others are ignored."""
    parts = [part.strip().partition("=") for line in lines for part in line.split(";")]
    return [value for given, _, value in parts if given == name]


def _headers(scope: Scope) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    return found


async def _body(scope: Scope, headers: dict[str, list[str]], receive: Receive) -> list[bytes]:
    """The whole body of a POST, in a list that is emptied once it has been passed on."""
    if scope["method"] != "POST":
        return []
    length = headers.get("content-length", [""])[0]
    if not _LENGTH.fullmatch(length):
        raise Refusal(411, "what is posted must have a length")
    if int(length) > MAX_BODY:
        raise Refusal(413, f"what is posted may have {MAX_BODY} bytes")
    try:
        async with asyncio.timeout(BODY_TIME):
            return [await _received(receive)]
    except TimeoutError:
        raise Refusal(408, f"what is posted must have come within {BODY_TIME:.0f} seconds") from None


async def _received(receive: Receive) -> bytes:
    body, more = bytearray(), True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Refusal(400, "the request ended early")
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > MAX_BODY:
            raise Refusal(413, f"what is posted may have {MAX_BODY} bytes")
    return bytes(body)


def _is_page(scope: Scope) -> bool:
    """Return whether a browser displays the answer."""
    return any(b"text/html" in value for name, value in scope["headers"] if name.lower() == b"accept")


async def _refuse(refusal: Refusal, *, is_page: bool, send: Send) -> None:
    text = refusal.reason if is_page else json.dumps({"error": refusal.reason})
    body, kind = text.encode(), b"text/plain; charset=utf-8" if is_page else b"application/json"
    length = (b"content-length", str(len(body)).encode())
    headers = [(b"content-type", kind), length, (b"connection", b"close"), *HEADERS]
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
