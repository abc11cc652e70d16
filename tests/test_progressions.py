"""Runs of whole numbers that go up by equal steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core import progressions
from massprops.core.progressions import by_length, counted_up, stepped_up

whole = st.integers(-(2**62), 2**62)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(-1000, 1000), st.integers(0, 6)), max_size=30))
def test_numbers_that_follow_on_one_another(runs: Any) -> None:
    first, length = np.array(runs, np.int64).reshape(-1, 2).T
    owner, number = counted_up(first, length)
    wanted = [(i, start + k) for i, (start, count) in enumerate(runs) for k in range(count)]
    assert list(zip(owner.tolist(), number.tolist(), strict=True)) == wanted


def test_a_run_of_no_numbers_between_others() -> None:
    owner, numbers = counted_up(np.array([3, 7, 7]), np.array([2, 0, 3]))
    assert numbers.tolist() == [3, 4, 7, 8, 9]
    assert owner.tolist() == [0, 0, 2, 2, 2]


@pytest.mark.parametrize("many", [0, 10**9], ids=["at once", "one by one"])
@settings(deadline=None)
@given(runs=st.lists(st.tuples(whole, whole, st.integers(0, 6) | st.sampled_from([254, 255, 300])), max_size=30))
def test_numbers_that_step_up(many: int, runs: Any) -> None:
    """Either way gives the same numbers, modulo 2^64."""
    first, step, length = np.array(runs, np.int64).reshape(-1, 3).T
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(progressions, "_MANY", many)
        order = by_length(length)
        found = stepped_up(first[order], step[order], length[order])
    wanted = [(a + k * d + 2**63) % 2**64 - 2**63 for a, d, count in runs for k in range(count)]
    assert found.dtype == np.int64
    assert sorted(found.tolist()) == sorted(wanted)


def test_many_short_runs_and_few_long_ones_by_default() -> None:
    for length in (np.arange(1000) % 7, np.array([1, 500, 3]), np.ones(70, np.int64), np.full(20000, 256)):
        first, step = 1000 * np.arange(len(length)), np.arange(len(length)) % 3 - 1
        owner, k = counted_up(np.zeros_like(length), length)
        order = by_length(length)
        found = stepped_up(first[order], step[order], length[order])
        np.testing.assert_array_equal(np.sort(found), np.sort(first[owner] + k * step[owner]))
