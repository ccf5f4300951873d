"""A plain file server for the tests of pages: files from memory, with the policy of contents of a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import PurePath

from scripts.pages import listening

TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
}


@contextmanager
def serving_files(files: Mapping[str, bytes]) -> Iterator[int]:
    """The port of a server of these files, by path."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.partition("?")[0].removeprefix("/")
            path += "index.html" * (not path or path.endswith("/"))
            content = files.get(path)
            self.send_response(200 if content is not None else 404)
            self.send_header("Content-Type", TYPES.get(PurePath(path).suffix, "application/octet-stream"))
            self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, *_: object) -> None:
            """Stay silent."""

    with listening(Handler) as port:
        yield port
