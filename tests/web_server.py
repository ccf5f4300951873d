"""A server of the browser game in a thread, and its clients."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

import uvicorn
from asking import Asking
from patience import PATIENCE

from ingenious_env.engine.definition import definitions
from ingenious_env.web.app import make_app
from ingenious_env.web.guard import Guard
from ingenious_env.web.server import config_of
from ingenious_env.web.store import Store
from ingenious_env.web.tables import built_in_agents

LEVELS = [f"level {number}" for number in range(1, 11)]
"""The names of the agents of levels."""


@contextmanager
def serving(app: Any, token: str | None = None, forwarded: Sequence[str] = ()) -> Iterator[int]:
    """The port of an application behind its guard."""
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    hosts = [f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}"]
    server = uvicorn.Server(config_of(Guard(app, hosts, token, forwarded)))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listener])))
    thread.start()
    try:
        yield port
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def playing(folder: Any = None, agents: Any = None) -> Iterator[Client]:
    """A client of the whole game."""
    known = {agent.name: agent for agent in agents or built_in_agents(definitions())}
    with serving(make_app(known, Store(folder, known))) as port:
        yield Client(port)


class Client(Asking):
    """Sends requests as the server's own page does.

    Args:
        port: of the server.
    """

    def __init__(self, port: int) -> None:
        self.port = port

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """The status and the content of an answer: parsed, if it is JSON."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {"Origin": f"http://127.0.0.1:{self.port}"}
        text = None
        if method == "POST":
            headers["Content-Type"] = "application/json"
            text = body if isinstance(body, bytes) else json.dumps(body)
        with closing(connection):
            connection.request(method, path, text, headers)
            answer = connection.getresponse()
            content = answer.read()
        is_json = answer.headers.get_content_type() == "application/json"
        return answer.status, json.loads(content) if is_json else content.decode()
