"""A browser, and a page with the kernels of both games, for the tests of a module."""

import json

import pytest
from browser import chromium


@pytest.fixture(scope="module", name="browser")
def _browser():
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="session", name="engine_files")
def _engine_files():
    """The files of the engine in a page, by path."""
    pytest.importorskip("ziglang")
    from ingenious_env.engine.definition import definitions
    from ingenious_env.render.modules import names_in, read
    from ingenious_env.web.pack import facts_of, wasm_of, weights_of

    folder = "web/local"
    files = {f"{folder}/{name}": read(f"{folder}/{name}").encode() for name in names_in(folder)}
    for name in ("ingenious", "loopit"):
        game = definitions()[name]
        files |= {f"{name}.wasm": wasm_of(game), f"{name}.json": json.dumps(facts_of(game)).encode()}
        files |= {f"{name}/{path}": content for path, content in weights_of(game).items()}
    return files | {"index.html": b"<!doctype html><title>Engine</title>"}
