"""Numbers that are given: their shape, and what is none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from massprops.core.checked import FrameError, checked, fitting, is_row


@pytest.mark.parametrize(("values", "shape", "message"), [
    ("abc", (3,), "x: not an array of numbers; give 3 numbers"),
    ([[1, 2], [3]], (-1, 2), "x: not an array of numbers; give n x 2 numbers"),
    ([1, 2], (3,), "x: of shape 2; give 3 numbers"),
    ([1, 2], (), "x: of shape 2; give one number"),
    ([1, np.nan, 2], (3,), "x: nan among its numbers; all must be finite"),
    ([1, -np.inf, 2], (3,), "x: -inf among its numbers; all must be finite"),
])  # fmt: skip
def test_what_is_refused(values: Any, shape: tuple[int, ...], message: str) -> None:
    with pytest.raises(FrameError) as caught:
        checked("x", values, *shape)
    assert str(caught.value) == message


def test_what_is_taken_is_a_copy() -> None:
    given = np.eye(3)
    taken = checked("x", given, 3, 3)
    taken[0, 0] = 7
    assert given[0, 0] == 1
    assert checked("x", 5).shape == ()


def test_a_result_that_left_the_range() -> None:
    assert fitting("x", np.ones(2)).tolist() == [1, 1]
    with pytest.raises(FrameError, match="x: too large for a float64; use a larger unit"):
        fitting("x", np.array([1, np.inf]))


def test_one_point_or_many() -> None:
    assert [is_row(values) for values in ([1, 2, 3], [[1, 2, 3]], [[1], [2, 3]], 5)] == [True, False, False, False]
