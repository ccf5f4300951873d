"""Starting the browser game: a server on this machine, and a browser that opens it."""

from __future__ import annotations

import asyncio
import base64
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import platformdirs
import uvicorn

from ingenious_env.compiled.compiling import listening
from ingenious_env.engine.definition import definitions
from ingenious_env.engine.records import read_game
from ingenious_env.web.app import make_app
from ingenious_env.web.connections import AT_ONCE, Connection, max_connections
from ingenious_env.web.folder import open_folder
from ingenious_env.web.guard import PLAIN_HOST, Guard
from ingenious_env.web.store import Store
from ingenious_env.web.tables import Agent, Table, built_in_agents

LOOPBACK = ("127.0.0.1", "localhost", "::1")
ANYWHERE = ("0.0.0.0", "::")  # noqa: S104 - requested by the user, and with a token
DEFAULT_PORT = 8417
WAITING = 128
"""The length of the operating system's queue of connections."""


@dataclass(frozen=True)
class Options:
    """Options of the server of the browser game.

    Attributes:
        host: the address to listen at; with an address of another interface than loopback, a token is needed.
        port: to listen at; 0 takes any that is free.
        browser: whether to open a browser.
        folder: for saved games; None for the user's own.
        thinkers: the number of agents that may think concurrently.
        allowed: other names of this server, such as `localhost:9000`, for requests through a forwarded port
            or a proxy; with a name that is not this machine's own, a token is needed.
        text: a record or a position that the browser opens (see `read_game`).
        seats: its players; by default the page asks who continues it. The browser opens it for the first
            person.
    """

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    browser: bool = True
    folder: Path | None = None
    thinkers: int = 2
    allowed: tuple[str, ...] = ()
    text: str = ""
    seats: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise ValueError if a name of this server is invalid."""
        for name in self.allowed:
            if not PLAIN_HOST.fullmatch(name):
                msg = f"--allow-host takes a host with its port, such as localhost:9000, not {name!r}"
                raise ValueError(msg)


def games_folder() -> Path:
    """The folder of this user's games."""
    return Path(platformdirs.user_data_dir("ingenious-env", appauthor=False)) / "games"


def serve(options: Options, agents: Sequence[Agent] | None = None) -> None:
    """Serve the browser game until it is interrupted.

    Args:
        options: see `Options`.
        agents: that can be chosen; the games' own opponents by default.

    Raises:
        OSError: the port is not available, the games cannot be saved, or another process has them open.
        ValueError: the text is neither a record nor a position.
    """
    chosen = built_in_agents(definitions()) if agents is None else agents
    by_name = {agent.name: agent for agent in chosen}
    if options.text:
        read_game(options.text)
    max_connections()  # raises if they are too few
    folder = options.folder or games_folder()
    with open_folder(folder) as store_address, _listener(options) as listener:
        address, guard, app = _guarded(options, Store(folder, by_name), by_name, listener.getsockname()[1])
        store_address(address.partition("#")[0])
        print(f"the game is at {address}\nCtrl+C ends it; games are kept", flush=True)
        if options.browser:
            threading.Timer(0.3, webbrowser.open, [address]).start()
        threading.Thread(target=_warm_up, args=(by_name,), daemon=True).start()
        with suppress(KeyboardInterrupt):  # which shuts the server down, and is then raised again
            asyncio.run(_run(_Server(config_of(guard)), listener, app))


def _guarded(
    options: Options, store: Store, agents: Mapping[str, Agent], port: int
) -> tuple[str, Guard, Any]:
    """The address of a server, its guarded application, and the functions of `app.state` (see `make_app`)."""
    names = names_of(options.host)
    is_own = options.host in LOOPBACK and all(_host_of(name) in LOOPBACK for name in options.allowed)
    token = None if is_own else secrets.token_urlsafe(24)
    query = f"?token={token}" if token else ""
    address = f"http://{with_port(names[0], port)}/{query}{_fragment(options, store, agents)}"
    app = make_app(agents, store, options.thinkers)
    guard = Guard(app, [with_port(name, port) for name in names], token, options.allowed)
    if token:
        print(
            "other machines can reach this server; anyone with the address and its token can play",
            file=sys.stderr,
        )
    return address, guard, app.state


def config_of(app: Any) -> uvicorn.Config:
    """The configuration of a server of an application."""
    return uvicorn.Config(
        app,
        access_log=False,
        backlog=AT_ONCE,
        http=Connection,
        lifespan="off",
        log_level="error",
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=1,
        ws="none",
    )


class _Server(uvicorn.Server):
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listener in sockets or []:
            listener.listen(WAITING)  # more than are accepted in one turn


async def _run(server: uvicorn.Server, listener: socket.socket, app: Any) -> None:
    """Serve until the server exits; `close` of the application then ends what it would wait for."""
    loop = asyncio.get_running_loop()

    def notify(title: str) -> None:
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(partial(app.notify_compiling, now=bool(title)))

    async def watch() -> None:
        while not server.should_exit:
            await asyncio.sleep(0.1)
        app.close()

    watching = asyncio.create_task(watch())
    with listening(notify):
        await server.serve([listener])
    await watching


def _listener(options: Options) -> socket.socket:
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    # a server may start where one has just ended; on Windows that option would also share a port in use
    option = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
    listener.setsockopt(socket.SOL_SOCKET, option, 1)
    try:
        listener.bind((options.host, options.port))
        listener.listen()  # the address accepts requests from now on
    except (OSError, OverflowError) as error:
        listener.close()
        why = getattr(error, "strerror", None) or error
        msg = f"port {options.port} of {options.host} is not available ({why}); give another by --port"
        raise OSError(msg) from None
    return listener


def names_of(host: str) -> list[str]:
    """The names and addresses of a server that listens there, the displayed one first."""
    if host in LOOPBACK:
        return [host, *(name for name in LOOPBACK if name != host)]
    if host not in ANYWHERE:
        return [host]
    name = socket.gethostname()
    found = [_outer_address()]
    with suppress(OSError):
        found += [str(entry[4][0]) for entry in socket.getaddrinfo(name, None)]
    return list(dict.fromkeys([*found, name, *LOOPBACK]))


def _outer_address() -> str:
    """This machine's address in its network; no packet is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation
        except OSError:
            return LOOPBACK[0]
        return str(probe.getsockname()[0])


def _host_of(name: str) -> str:
    """The host in a `Host`, without its port."""
    return name.removeprefix("[").partition("]")[0] if name.startswith("[") else name.partition(":")[0]


def with_port(name: str, port: int) -> str:
    """A name or an address with a port, as in `Host`; addresses of version 6 are in brackets."""
    return f"[{name}]:{port}" if ":" in name else f"{name}:{port}"


def _fragment(options: Options, store: Store, agents: Mapping[str, Agent]) -> str:
    """The end of an address that opens a text: a table, or the text if the page asks who plays."""
    if not options.text:
        return ""
    if options.seats:
        table = Table.of_text(options.text, options.seats, agents)
        store.add(table)
        return "#" + ".".join([table.id, *list(filter(None, table.keys))[:1]])
    packed = base64.urlsafe_b64encode(options.text.encode()).decode().rstrip("=")
    return f"#text={packed}"


def _warm_up(agents: Mapping[str, Agent]) -> None:
    """Load the code of agents before their first move."""
    from ingenious_env.policies.view import View  # noqa: PLC0415 - while the first page is being loaded

    for definition in definitions().values():
        if definition.pages is None:
            continue
        game = definition.game(seed=0)
        definition.pages.scene(game, 0)
        for agent in agents.values():
            if agent.name in definition.policies and agent.plays(game.rules):
                agent.for_rules(game.rules).act(View.of(game))
