"""Kernels as WebAssembly: arguments and results as in Python, in a browser; what it cannot run is refused."""

from __future__ import annotations

import base64
import os
import platform
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from browser import chromium
from patience import PATIENCE

from ingenious_env.compiled.kernel import called
from ingenious_env.compiled.targets import wasm

RUN = """async ([module, calls, memory]) => {
  const bytes = Uint8Array.from(atob(module), (each) => each.charCodeAt(0));
  const made = await WebAssembly.instantiate(bytes, { env: { exp: Math.exp, expf: Math.exp } });
  const { exports } = made.instance;
  const base = exports.__heap_base.value;
  exports.memory.grow(2);
  const words = new BigInt64Array(exports.memory.buffer);
  const at = Math.ceil(base / 8);
  const results = calls.map(({ name, args }) => {
    const word = (each) => BigInt(each.offset === undefined ? each : 8 * at + each.offset);
    args.forEach((each, k) => (words[at + k] = word(each)));
    memory.forEach((each, k) => (words[at + 100 + k] = BigInt(each)));
    return String(exports[name](8 * at));
  });
  const after = [...words.slice(at + 100, at + 100 + memory.length)].map(String);
  return { results, after, names: Object.keys(exports) };
}"""
HERE = 800  # bytes from the first argument to the memory


@pytest.fixture(scope="module", name="browser")
def _browser():
    with chromium() as browser:
        yield browser


def run(browser, module, calls, memory):
    page = browser.new_page()
    page.goto("about:blank")
    found = page.evaluate(RUN, [base64.b64encode(module).decode(), calls, [str(each) for each in memory]])
    page.close()
    return found


@called
def weigh(matrix, row, weights):
    total = 0
    for column in range(matrix.shape[1]):
        total += matrix[row, column] * weights[column]
    return total


def weighted(matrix, weights, row, negative, _nothing, out):
    """The weighted sum of a row, or the negative of it; also written to `out`."""
    total = weigh(matrix, row, weights)
    out[row] = total
    return -total if negative else total


def grown(x, scale, out):
    """The exponential of a number."""
    out[0] = np.exp(x * scale)
    return 0


def divided(a, b):
    if b == 0:
        raise ValueError
    return a // b


def kernel(function, signature):
    return SimpleNamespace(function=function, signature=signature)


WEIGHTED = kernel(weighted, "int64(int16[:, ::1], int64[::1], int64, boolean, none, int64[::1])")
GROWN = kernel(grown, "int64(float64, int64, float64[::1])")


@pytest.fixture(scope="module", name="module")
def _module():
    pytest.importorskip("ziglang")
    return wasm.wasm_module({"weighted": WEIGHTED, "twice": WEIGHTED, "grown": GROWN})


def test_arguments_and_results_are_those_of_python(browser, module):
    rng = np.random.default_rng(0)
    matrix = rng.integers(-(2**15), 2**15, (3, 4)).astype(np.int16)
    weights = rng.integers(-(2**40), 2**40, 4)
    memory = [*matrix.view(np.int64).ravel().tolist(), *weights.tolist(), 0, 0, 0]
    arrays = [{"offset": HERE}, 3, 4, {"offset": HERE + 24}, 4]
    calls = [
        {"name": name, "args": [*arrays, row, negative, {"offset": HERE + 56}, 3]}
        for name, row, negative in (("weighted", 2, 0), ("twice", 1, 1), ("weighted", 0, 7))
    ]
    found = run(browser, module, calls, memory)
    sums = (matrix.astype(object) @ weights.astype(object)).tolist()
    assert found["results"] == [str(sums[2]), str(-sums[1]), str(-sums[0])]
    assert found["after"] == [str(each) for each in [*memory[:-3], sums[0], 0, 0]]


def test_floats_are_passed_as_they_are(browser, module):
    bits = int(np.float64(0.3).view(np.int64))
    calls = [{"name": "grown", "args": [str(bits), -2, {"offset": HERE}, 1]}]
    found = run(browser, module, calls, [0])
    assert np.int64(found["after"][0]).view(np.float64) == pytest.approx(np.exp(-0.6), rel=1e-15)


def test_only_the_kernels_are_exported_and_shared_code_is_there_once(browser, module):
    found = run(browser, module, [], [])
    assert sorted(found["names"]) == ["__heap_base", "grown", "memory", "twice", "weighted"]
    assert len(wasm.wasm_module({"weighted": WEIGHTED})) < len(module) < 8_000


def test_a_module_is_compiled_once(module, monkeypatch):
    monkeypatch.setattr(wasm, "_object_of", None)
    assert wasm.wasm_module({"weighted": WEIGHTED, "twice": WEIGHTED, "grown": GROWN}) == module
    with pytest.raises(TypeError, match="not callable"):
        wasm.wasm_module({"grown": GROWN})


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="they are names of x86-64")
def test_a_module_is_the_same_from_any_processor(tmp_path):
    """Numba unrolls the loop of `weigh` in two ways for these, also where it was compiled before."""
    pytest.importorskip("ziglang")
    made = set()
    for processor, *more in (("x86-64",), ("znver4",), ("znver4", "before")):
        folder = tmp_path / "".join([processor, *more])
        environment = os.environ | {
            "NUMBA_CPU_NAME": processor,
            "NUMBA_CPU_FEATURES": "",
            "NUMBA_CACHE_DIR": str(folder),
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        subprocess.run([sys.executable, __file__, *more], env=environment, check=True, timeout=PATIENCE)
        made |= {path.read_bytes() for path in folder.glob("**/*.wasm")}
    assert len(made) == 1


def test_a_kernel_that_may_raise_is_refused():
    with pytest.raises(ValueError, match=r"kernels for WebAssembly cannot call .*numba_do_raise"):
        wasm.wasm_module({"divided": kernel(divided, "int64(int64, int64)")})


def test_a_missing_linker_is_named(monkeypatch):
    monkeypatch.setattr(wasm, "find_spec", lambda _: None)
    monkeypatch.setattr(wasm.shutil, "which", lambda _: None)
    with pytest.raises(
        ModuleNotFoundError, match=r"need the linker `wasm-ld`: pip install 'ingenious-env\[page\]'"
    ):
        wasm.wasm_module({"other": GROWN})


def test_modules_do_not_depend_on_numbas_level(monkeypatch, tmp_path):
    """With NUMBA_OPT=1 kernels of Loopit could not be compiled."""
    low, levels = type(wasm.CONFIG.OPT)(1), []
    monkeypatch.setattr(wasm.CONFIG, "OPT", low)
    monkeypatch.setattr(wasm.CONFIG, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(wasm, "_object_of", lambda _kernels: levels.append(int(wasm.CONFIG.OPT)))
    monkeypatch.setattr(wasm, "_link", lambda *_: b"module")
    compilable = SimpleNamespace(function=divided, signature="int64(int64, int64)")
    assert wasm.wasm_module({"kernel": compilable}) == b"module"
    assert levels == [3]
    assert wasm.CONFIG.OPT is low


if __name__ == "__main__":  # by the test of other processors
    if "before" in sys.argv:
        weigh.compile("int64(int16[:, ::1], int64, int64[::1])")
    wasm.wasm_module({"weighted": WEIGHTED})
