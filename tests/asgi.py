"""Requests to an application of this process, without a network."""

from __future__ import annotations

import asyncio
import json
from typing import Any, NamedTuple


class Answer(NamedTuple):
    """An answer: its status, its headers and its body, parsed if it is JSON."""

    status: int
    headers: dict[str, str]
    body: Any


async def asked(
    app: Any, method: str, path: str, body: Any = None, left: asyncio.Event | None = None
) -> Answer:
    """Ask an application.

    Args:
        app: the application.
        method: of the request.
        path: with its query.
        body: which is sent as JSON, or bytes as they are.
        left: is set once who asks leaves; by default that is never before the answer.
    """
    path, _, query = path.partition("?")
    sent = [] if body is None else [body if isinstance(body, bytes) else json.dumps(body).encode()]
    headers = [(b"host", b"127.0.0.1:8417")]
    if sent:
        headers += [(b"content-type", b"application/json"), (b"content-length", str(len(sent[0])).encode())]
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": headers,
        "server": ("127.0.0.1", 8417),
        "client": ("127.0.0.1", 50000),
    }
    start: dict[str, Any] = {}
    parts: list[bytes] = []

    async def receive() -> dict[str, Any]:
        if sent:
            return {"type": "http.request", "body": sent.pop(), "more_body": False}
        await (left or asyncio.Event()).wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            start.update(message)
        else:
            parts.append(message.get("body", b""))

    await app(scope, receive, send)
    found = {name.decode(): value.decode() for name, value in start["headers"]}
    content = b"".join(parts)
    is_json = found.get("content-type", "").startswith("application/json")
    return Answer(start["status"], found, json.loads(content) if is_json and content else content)
