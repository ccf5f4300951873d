"""Arrays given out again: only when nobody can tell."""

import copy
import gc
import pickle
import weakref

import numpy as np
import pytest

from ingenious_env.engine.buffers import MAX_BUFFERS, BufferPool
from ingenious_env.envs.vector import VersusVectorEnv


@pytest.fixture(autouse=True)
def _no_cycles():
    gc.collect()


def address(array):
    return array.__array_interface__["data"][0]


def test_what_nobody_holds_is_given_out_again():
    pool = BufferPool((100, 1000))
    assert len({address(pool.take()) for _ in range(50)}) == 1


@pytest.mark.parametrize("dtype", [np.int8, np.float32, np.int64])
def test_arrays_are_of_the_shape_and_the_kind_asked_for(dtype):
    pool = BufferPool((3, 5), dtype)
    for twin in (pool, copy.deepcopy(pool), pickle.loads(pickle.dumps(pool))):
        array = twin.take()
        assert (array.shape, array.dtype) == ((3, 5), np.dtype(dtype))
        assert array.flags.carray
    assert BufferPool((2,)).take().dtype == np.int8


HOLDERS = {
    "the array": lambda array: array,
    "a view": lambda array: array[3:, ::2],
    "a view of a view": lambda array: array.view(np.uint8).reshape(-1)[5:],
    "a buffer": memoryview,
    "a list": lambda array: [array],
    "an iterator": iter,
}


@pytest.mark.parametrize("hold", HOLDERS.values(), ids=HOLDERS)
def test_what_somebody_holds_is_left_alone(hold):
    pool = BufferPool((10, 10))
    array = pool.take()
    where, held = address(array), hold(array)
    del array
    others = [pool.take() for _ in range(2 * MAX_BUFFERS)]
    assert where not in {address(other) for other in others}
    assert held is not None


def test_as_many_as_are_held():
    pool = BufferPool((10, 10))
    held = [pool.take() for _ in range(5 * MAX_BUFFERS)]
    assert len({address(array) for array in held}) == 5 * MAX_BUFFERS
    watched = [weakref.ref(array) for array in held]
    del held
    assert sum(array() is not None for array in watched) == MAX_BUFFERS


@pytest.mark.parametrize("twin", [copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing))])
def test_a_copy_shares_nothing(twin):
    pool = BufferPool((10, 10))
    pool.take()
    other = twin(pool)
    assert other.take().shape == (10, 10)
    assert not np.shares_memory(other.take(), pool.take())


@pytest.mark.parametrize("mode", ["SameStep", "NextStep"])
def test_answers_of_a_vector_environment_stay_as_they_are(mode):
    """What a caller keeps, final masks included, is the same many steps later."""
    env = VersusVectorEnv(16, opponent="greedy", autoreset_mode=mode, board_side=4, rack_size=3)
    observations, infos = env.reset(seed=1)
    kept = []
    for _ in range(40):
        masks = infos["action_mask"]
        final = infos["final_info"]["action_mask"] if "final_info" in infos else masks[:0]
        kept.append([(array, array.copy()) for array in (observations, masks, final)])
        observations, *_, infos = env.step(masks.argmax(axis=1))
    assert all(np.array_equal(array, then) for answers in kept for array, then in answers)
    assert any(final.size for *_, (final, _) in kept) == (mode == "SameStep")
