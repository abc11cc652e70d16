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


@pytest.mark.parametrize(("code", "is_doubt"), [("y_up", False), ("format_unit", False), ("units", True), ("x", True)])
def test_what_is_so_by_its_format_is_no_doubt(code: str, is_doubt: bool) -> None:
    assert Notice(code, "told").is_doubt is is_doubt
