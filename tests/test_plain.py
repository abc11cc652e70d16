"""Values as JSON has them: plain Python, no negative zero."""

from __future__ import annotations

import json
import math
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core.notice import Notice
from massprops.report.plain import plain, plain_notices


@pytest.mark.parametrize(("value", "wanted"), [
    (None, "null"), (True, "true"), ("-0", '"-0"'), (-0.0, "0.0"), (7, "7"), (0.1, "0.1"), (np.float64(-0.0), "0.0"),
    (np.int64(3), "3"), (np.bool_(False), "false"), (np.float32(0.5), "0.5"), (np.array(-0.0), "0.0"),
    (np.array([]), "[]"), (np.array([[1.0, -0.0], [-2.5, 1e300]]), "[[1.0, 0.0], [-2.5, 1e+300]]"),
    ((1, [-0.0, (2.0,)]), "[1, [0.0, [2.0]]]"),
    ({"b": np.array([-0.0]), "a": {"c": (None,)}}, '{"b": [0.0], "a": {"c": [null]}}'),
    (MappingProxyType({"a": np.float64(2)}), '{"a": 2.0}'),
])  # fmt: skip
def test_values(value: Any, wanted: str) -> None:
    assert json.dumps(plain(value)) == wanted


@settings(deadline=None, max_examples=50)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False)))
def test_numbers_come_back_bit_for_bit(values: list[float]) -> None:
    found = json.loads(json.dumps(plain(np.array(values)), allow_nan=False))
    assert found == values
    assert not any(value == 0 and math.copysign(1, value) < 0 for value in found)


def test_arrays_are_left_as_they_are() -> None:
    given_array = np.array([-0.0, 1.0])
    plain(given_array)
    assert np.signbit(given_array).tolist() == [True, False]


def test_notices() -> None:
    overlap = Notice("overlap", "twice", {"where": [np.array([-0.0, 1.0])], "union": None})
    notices = [overlap, Notice("y_up", "down", {})]
    assert plain_notices(notices) == [
        {"code": "overlap", "message": "twice", "where": [[0.0, 1.0]], "union": None},
        {"code": "y_up", "message": "down"},
    ]
    assert plain_notices(()) == []
