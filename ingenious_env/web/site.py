"""The browser game as files for any plain file server: the games are played on the page itself."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path, PurePath
from posixpath import dirname, join, normpath

from ingenious_env.engine.definition import AnyDefinition
from ingenious_env.engine.files import written_whole
from ingenious_env.render.modules import SHARED, names_in, page_folder, read
from ingenious_env.web import lessons, page
from ingenious_env.web.guard import POLICY
from ingenious_env.web.pack import GAMES, Announce, LocalSearch, data_files

LOCAL = "web/local"
DATA = "data"
TRANSPORT = f"{page.OWN}/transport.js"
"""The module by which the page makes requests; here it passes them to one of `LOCAL`."""
MAIN = f"{page.OWN}/main.js"
"""The first module of the page."""
COMMENT = re.compile(
    r"^ *//.*\n"  # lines
    r"|^ */\*\*(?:[^*]|\*(?!/))*\*/\n"  # whole lines of documentation
    r"|/\*\* @(?:type|param) [^*]*\*/ ?",  # types within a line
    re.MULTILINE,
)
"""A comment of a module, as the client's formatter writes it."""
IMPORT = re.compile(r'^(?:import|export)\b[^;"]*?\bfrom "(\.[^"]+)";', re.MULTILINE)
"""A static import of a module, as the client's formatter writes it."""


def page_files(
    games: Sequence[AnyDefinition], announce: Announce = str, searches: Sequence[LocalSearch] = ()
) -> dict[str, bytes]:
    """The files of a page, by path.

    Args:
        games: that can be played there.
        announce: called with the title of each game before its kernels are compiled.
        searches: agents that search.

    Raises:
        ModuleNotFoundError, RuntimeError: the linker for WebAssembly is not installed, or has failed.
        ValueError: a game cannot be played on a page without a server.
    """
    folders = [page.OWN, SHARED, LOCAL, *(page_folder(game.name) for game in games)]
    paths = [f"{folder}/{name}" for folder in folders for name in sorted(names_in(folder))]
    shipped = [path for path in paths if PurePath(path).suffix in page.TYPES]
    texts = {path: read(path) for path in shipped} | page.made()
    texts |= {path: lessons.made(path) for path in sorted(lessons.paths()) if _is_of(path, games)}
    texts = {path: COMMENT.sub("", text) if path.endswith(".js") else text for path, text in texts.items()}
    texts[TRANSPORT] = f'export * from "../local/{PurePath(TRANSPORT).name}";\n'
    del texts[f"{page.OWN}/index.html"]
    texts["index.html"] = _index(page.index(), [path for path in static_imports(texts, MAIN) if path != MAIN])
    files = {path: text.encode() for path, text in texts.items()}
    return files | {
        f"{DATA}/{name}": content for name, content in data_files(games, announce, searches).items()
    }


def _is_of(path: str, games: Sequence[AnyDefinition]) -> bool:
    """Return whether a file of `lessons` belongs to one of some games."""
    return PurePath(path).stem.partition("-")[0] in {game.name for game in games}


def static_imports(texts: Mapping[str, str], path: str) -> list[str]:
    """A module, and all modules that are loaded before it runs; by their paths."""
    found = [path]
    for each in found:  # grows meanwhile
        imports = (normpath(join(dirname(each), name)) for name in IMPORT.findall(texts[each]))
        found += [name for name in dict.fromkeys(imports) if name not in found]
    return found


def _index(text: str, modules: Sequence[str]) -> str:
    """The page, with the server's policy of contents, and WebAssembly and workers allowed.

    A policy in a page cannot forbid frames around it. The modules are named in the page, so that a browser
    requests all at once, and not each after another one that imports it: over a slow network, each such step
    costs a visitor the time of a request.
    """
    parts = [part.strip() for part in POLICY.decode().split(";")]
    allowed = [part.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'") for part in parts]
    allowed.append("worker-src 'self'")
    policy = "; ".join(part for part in allowed if not part.startswith("frame-ancestors"))
    meta = f'<meta http-equiv="Content-Security-Policy" content="{escape(policy, quote=False)}">'
    text = text.replace("<head>\n", f"<head>\n{meta}\n", 1)
    links = "".join(f'<link rel="modulepreload" href="{path}">\n' for path in modules)
    links += f'<link rel="preload" as="fetch" crossorigin href="{DATA}/{GAMES}">\n'
    return text.replace("</head>", f"{links}</head>", 1)


def write_page(
    folder: Path,
    games: Sequence[AnyDefinition],
    announce: Announce = str,
    searches: Sequence[LocalSearch] = (),
) -> int:
    """Write the files of a page, each whole; returns the number of bytes.

    Arguments and errors as of `page_files`.
    """
    files = page_files(games, announce, searches)
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(target) as partial:
            partial.write_bytes(content)
    return sum(map(len, files.values()))
