"""Notices are values."""

from __future__ import annotations

import pytest

from massprops.core.notice import Notice


def test_a_notice_is_a_frozen_value_with_details_of_its_own() -> None:
    one, two = Notice("hairline", "a crack", {"vertices": 3}), Notice("solids", "two")
    assert one == Notice("hairline", "a crack", {"vertices": 3})
    assert two.details == {}
    assert two.details is not Notice("solids", "two").details
    with pytest.raises(AttributeError):
        one.code = "open"  # type: ignore[misc]
