"""Starting the browser game: a server on this machine, and a browser that opens it."""

from __future__ import annotations

import asyncio
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import platformdirs
import uvicorn

from ingenious_env.core.definition import definitions
from ingenious_env.web.app import make_app
from ingenious_env.web.guard import Guard
from ingenious_env.web.tables import Agent, Store, built_in_agents

LOOPBACK = ("127.0.0.1", "localhost", "::1")
DEFAULT_PORT = 8417


@dataclass(frozen=True)
class Options:
    """How the browser game is served.

    Attributes:
        host: the address to listen at; with another than this machine's own, a token is needed.
        port: to listen at; 0 takes any that is free.
        browser: whether to open a browser.
        folder: where games are kept; None for a folder of this user's.
        thinkers: how many agents may think side by side.
    """

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    browser: bool = True
    folder: Path | None = None
    thinkers: int = 2


def games_folder() -> Path:
    """Where the games of this user are kept."""
    return Path(platformdirs.user_data_dir("ingenious-env", appauthor=False)) / "games"


def serve(options: Options, agents: Sequence[Agent] | None = None) -> None:
    """Serve the browser game until it is interrupted.

    Args:
        options: see there.
        agents: that can be chosen; the games' own opponents by default.

    Raises:
        OSError: the port cannot be had.
    """
    chosen = built_in_agents(definitions()) if agents is None else agents
    by_name = {agent.name: agent for agent in chosen}
    listener = _listener(options)
    port = listener.getsockname()[1]
    token = None if options.host in LOOPBACK else secrets.token_urlsafe(24)
    shown = f"[{options.host}]" if ":" in options.host else options.host
    address = f"http://{shown}:{port}/" + (f"?token={token}" if token else "")
    app = make_app(by_name, Store(options.folder or games_folder(), by_name), options.thinkers)
    guard = Guard(app, _hosts(options.host, port), token)
    if token:
        print(
            "other machines can reach this server; who has the address with its token can play",
            file=sys.stderr,
        )
    print(f"the game is at {address}\nCtrl+C ends it; games are kept", flush=True)
    config = uvicorn.Config(
        guard,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        h11_max_incomplete_event_size=16384,
        log_level="warning",
        timeout_graceful_shutdown=1,
    )
    if options.browser:
        threading.Timer(0.3, webbrowser.open, [address]).start()
    threading.Thread(target=_warm_up, args=(by_name,), daemon=True).start()
    asyncio.run(uvicorn.Server(config).serve([listener]))


def _listener(options: Options) -> socket.socket:
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((options.host, options.port))
    except OSError as error:
        listener.close()
        msg = (
            f"port {options.port} of {options.host} cannot be had ({error.strerror}); give another by --port"
        )
        raise OSError(msg) from None
    return listener


def _hosts(host: str, port: int) -> list[str]:
    if host in LOOPBACK:
        return [f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}"]
    return [f"[{host}]:{port}" if ":" in host else f"{host}:{port}"]


def _warm_up(agents: Mapping[str, Agent]) -> None:
    """Load what the first move of an agent needs, so that nobody waits for it."""
    from ingenious_env.core.view import View  # noqa: PLC0415 - while the first page is being loaded

    for definition in definitions().values():
        if definition.pages is None:
            continue
        game = definition.game(seed=0)
        definition.pages.scene(game, 0)
        for agent in agents.values():
            if agent.name in definition.policies and agent.plays(game.rules):
                agent.for_rules(game.rules).act(View.of(game))
