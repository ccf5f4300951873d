"""A browser, and a page with the kernels of both games, for the tests of a module."""

import pytest
from browser import chromium


@pytest.fixture(scope="module", name="browser")
def _browser():
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="session", name="files")
def _files():
    """The files of the page of both games, by path."""
    pytest.importorskip("ziglang")
    from ingenious_env.engine.definition import definitions
    from ingenious_env.web.site import page_files

    return page_files([definitions()[name] for name in ("ingenious", "loopit")])
