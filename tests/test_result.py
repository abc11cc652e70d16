"""Results are values."""

from __future__ import annotations

import pytest

from massprops import errors
from massprops.result import OK, Result

VERDICTS = {
    "open", "inconsistent", "inside_out", "zero_volume", "non_finite", "empty", "unreadable", "unsupported",
    "not_found",
}  # fmt: skip


def test_a_result_says_nothing_unasked() -> None:
    result = Result("a.stl")
    assert (result.status, result.kind, result.warnings, result.repairs) == (OK, "solid", (), ())
    assert result.is_ok
    assert not Result("a.stl", status="open").is_ok
    with pytest.raises(AttributeError):
        result.status = "open"  # type: ignore[misc]


def test_every_verdict_is_one_class() -> None:
    classes = [c for c in vars(errors).values() if isinstance(c, type) and issubclass(c, errors.MassPropsError)]
    statuses = [c.status for c in classes]
    assert len(set(statuses)) == len(statuses)
    assert set(statuses) >= VERDICTS
    assert all(c.__doc__ for c in classes)


def test_an_error_carries_its_message_and_its_numbers() -> None:
    error = errors.OpenSurface("3 edges", {"open_edges": 3})
    assert (str(error), error.message, error.diagnosis) == ("3 edges", "3 edges", {"open_edges": 3})
    assert errors.Empty("none").diagnosis is None
