"""Benchmark of first visits to the browser game without a server: bytes, and seconds to the first own move.

    ingenious page --out page
    python -m scripts.benchmark.visits

Each visit has an empty browser profile and the processor and network of a device, imitated by Chromium. A
visitor begins a game of two against `value` as soon as the dialog is there, and plays as soon as it may:
the times have no thinking of a person in them. Compiling WebAssembly is not slowed down, as it is no work of
the page's own thread. Needs the extra `dev`, and Chromium.
"""

from __future__ import annotations

import gzip
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler
from itertools import product
from pathlib import Path
from typing import Any

from ingenious_agents.commands.command_line import Count, checking, command, read
from ingenious_agents.provenance import machine
from ingenious_agents.tables import Format, Table, written
from tqdm import tqdm

from ingenious_env import Game, Rules
from ingenious_env.engine.definition import definition_of
from scripts.pages import chromium, listening

PROG = "python -m scripts.benchmark.visits"
SEED = 1
PATIENCE = 120.0  # seconds
COLUMNS = ("visit", "kB", "dialog", "board", "own move", "answer")


@dataclass(frozen=True)
class Device:
    """A device that Chromium imitates.

    Attributes:
        options: of the browser's context.
        slowdown: of the processor.
        latency: of each request, in milliseconds.
        throughput: of the network, in Mbit/s.
    """

    options: dict[str, Any]
    slowdown: int
    latency: int
    throughput: float


DEVICES = {
    "phone": Device(
        options={"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
        slowdown=4,
        latency=150,
        throughput=1.6,
    ),
    "laptop": Device(
        options={"viewport": {"width": 1280, "height": 640}}, slowdown=1, latency=40, throughput=10
    ),
}
"""The phone's figures are those by which audits of pages imitate a mid-range phone with a slow 4G network."""


@dataclass(frozen=True)
class Args:
    """Command-line options."""

    page: Path = Path("page")
    """folder of a page, as `ingenious page` writes it"""
    times: Count = 5
    """visits of each kind, of which the median is printed"""
    format: Format = "markdown"
    """of the table"""

    def check(self) -> None:
        """Do nothing, as no options contradict each other."""


@contextmanager
def file_server(folder: Path, *, packs: bool) -> Iterator[int]:
    """The port of a server of a folder's files, packed by gzip or as they are."""

    class Handler(SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            path = Path(self.translate_path(self.path))
            path = path / "index.html" if path.is_dir() else path
            if not path.is_file():
                self.send_error(HTTPStatus.NOT_FOUND)
                return
            content = path.read_bytes()
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", self.guess_type(str(path)))
            if packs:
                content = gzip.compress(content)
                self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Stay silent."""

    def handler(*arguments: Any) -> Handler:
        return Handler(*arguments, directory=str(folder))

    with listening(handler) as port:
        yield port


@dataclass(frozen=True)
class Visit:
    """One visit; all times are seconds from the request of the page.

    Attributes:
        received: bytes of all answers, with their headers.
        dialog: until a game can be begun.
        board: until its board is there, and the visitor may play.
        moved: until the own move is on the board.
        answered: until the agent has moved.
    """

    received: int
    dialog: float
    board: float
    moved: float
    answered: float


def visit(browser: Any, port: int, device: Device) -> Visit:
    """Open the page with an empty profile, begin a game against `value`, and play a move."""
    context = browser.new_context(reduced_motion="reduce", **device.options)
    page = context.new_page()
    page.set_default_timeout(PATIENCE * 1000)
    requests: list[Any] = []
    page.on("requestfinished", lambda request: requests.append(request))  # noqa: PLW0108 - Playwright marks it
    throughput = device.throughput * 1e6 / 8
    session = context.new_cdp_session(page)
    network = {
        "offline": False,
        "latency": device.latency,
        "downloadThroughput": throughput,
        "uploadThroughput": throughput,
    }
    session.send("Network.emulateNetworkConditions", network)
    session.send("Emulation.setCPUThrottlingRate", {"rate": device.slowdown})
    game = Game(Rules(), seed=SEED)
    move = definition_of(game.rules).move_to_text(game.move(int(game.legal_actions()[0])))
    began = time.perf_counter()
    times = []
    page.goto(f"http://127.0.0.1:{port}/", wait_until="commit")
    page.wait_for_selector("#start")
    times.append(time.perf_counter() - began)
    page.click("#others-shown")
    page.select_option("#seat1", "value")
    page.fill("#seed", str(SEED))
    page.click("#start")
    page.wait_for_selector("#slot0:not([disabled])")
    times.append(time.perf_counter() - began)
    page.fill("#move", move)
    page.press("#move", "Enter")
    for moves in (1, 2):
        while int(page.get_attribute("#slider", "max")) < moves:
            time.sleep(0.005)
        times.append(time.perf_counter() - began)
    sizes = [request.sizes() for request in requests]
    received = sum(size["responseHeadersSize"] + size["responseBodySize"] for size in sizes)
    context.close()
    return Visit(received, *times)


def table_of(visits: dict[str, Sequence[Visit]]) -> Table:
    """The medians of visits, by their kind."""
    texts: list[Sequence[str]] = []
    records = []
    for name, found in visits.items():
        kilobytes = statistics.median(each.received for each in found) / 1000
        moments = ("dialog", "board", "moved", "answered")
        times = [statistics.median(getattr(each, moment) for each in found) for moment in moments]
        texts.append((name, f"{kilobytes:.0f}", *(f"{seconds:.1f} s" for seconds in times)))
        records.append({"visit": name, "kilobytes": kilobytes, **dict(zip(moments, times, strict=True))})
    return Table("visits", COLUMNS, texts, records)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    args = read(Args, arguments, PROG, __doc__)
    with command(PROG):
        with checking():
            if not (args.page / "index.html").is_file():
                msg = f"there is no page in {args.page}"
                raise ValueError(msg)
        facts = machine()
        print(f"{facts['processor']}, {facts['cores']} cores, commit {facts['commit']}\n", file=sys.stderr)
        visits: dict[str, Sequence[Visit]] = {}
        with chromium() as browser, tqdm(total=2 * len(DEVICES) * args.times, unit="visit") as bar:
            for (name, device), packs in product(DEVICES.items(), (True, False)):
                found: list[Visit] = []
                with file_server(args.page, packs=packs) as port:
                    for _ in range(args.times):
                        found.append(visit(browser, port, device))
                        bar.update()
                visits[f"{name}, files {'packed' if packs else 'as they are'}"] = found
        print(written([table_of(visits)], args.format))


if __name__ == "__main__":
    main()
