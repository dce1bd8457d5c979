"""The limit to one thread: an inner block costs nothing and lifts nothing, an error lifts it."""

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from qcore._base.threads import one_thread


def blas_threads():
    return {one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"}


def test_the_outer_block_alone_sets_and_lifts_the_limit():
    with threadpool_limits(2, user_api="blas"):
        with one_thread():
            with one_thread():
                assert blas_threads() == {1}
            assert blas_threads() == {1}, "the inner one lifts nothing"
        assert blas_threads() == {2}
        with pytest.raises(ZeroDivisionError), one_thread():
            _ = 1 / 0
        assert blas_threads() == {2}
        with one_thread():
            assert blas_threads() == {1}, "after an error as before"
