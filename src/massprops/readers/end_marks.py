"""Marks that old systems put behind a text: Ctrl-Z and zero bytes."""

from __future__ import annotations

END_MARKS = b"\x1a\x00"
_WITH_BLANKS = END_MARKS + b" \t\r\n"
_NEAR = 4096
"""Bytes before the end of a file among which there is a mark, if there is one at all."""


def without_end_marks(data: bytes) -> bytes:
    """A text, or the end of one, without what stands behind it: marks, and blanks and line ends among them.

    Only for formats that say themselves where they end. Where one does not, zeros may stand for what was never written.

    >>> without_end_marks(b"endsolid\\r\\n\\x1a\\r\\n\\0\\0"), without_end_marks(b"endsolid\\n")
    (b'endsolid\\r\\n', b'endsolid\\n')
    """
    if not any(mark in data[-_NEAR:] for mark in END_MARKS):  # spares a large file a copy
        return data
    bare = data.rstrip(_WITH_BLANKS)
    marks = [place for mark in END_MARKS if (place := data.find(mark, len(bare))) >= 0]
    return data[: min(marks)] if marks else data


def bare_document(data: bytes) -> bytes:
    """A whole document without what stands behind it; but for one in UTF-16, whose zeros belong to its characters."""
    return data if 0 in data[:4] else without_end_marks(data)


def without_ctrl_z(data: bytes) -> bytes:
    """A text without Ctrl-Z and what stands behind it, if that is nothing but marks; zeros alone stay.

    >>> without_ctrl_z(b"v 1 2 3\\n\\x1a\\0\\0"), without_ctrl_z(b"v 1 2 3\\n\\0\\0")
    (b'v 1 2 3\\n', b'v 1 2 3\\n\\x00\\x00')
    """
    bare = without_end_marks(data)
    return bare if data.startswith(b"\x1a", len(bare)) else data
