"""A server and a browser for the tests of a module."""

import pytest
from browser import chromium


@pytest.fixture(scope="module", name="client")
def _client(tmp_path_factory):
    pytest.importorskip("starlette")
    from web_server import playing

    with playing(tmp_path_factory.mktemp("games")) as client:
        yield client


@pytest.fixture(scope="module", autouse=True)
def _quick_choices():
    """Agents whose moves are shown soon; the constant time is tested with a separate clock."""
    pytest.importorskip("starlette")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ingenious_env.web.rooms.CHOICE_TIME", 0.03)
        yield


@pytest.fixture(scope="module", name="browser")
def _browser():
    with chromium("--host-resolver-rules=MAP evil.test 127.0.0.1") as browser:
        yield browser
