"""Archives: names, damage, encryption, bombs."""

from __future__ import annotations

import io
import struct
import zipfile

import pytest

from massprops.errors import Empty, Unreadable, Unsupported
from massprops.readers.packages import ALWAYS_ALLOWED, content, names, opened, part
from tests.mesh_files import archive


def test_names_in_any_case_with_or_without_a_slash_or_percent_signs() -> None:
    found = opened(archive({"3D/My Part.model": b"1", "/odd.model": b"2"}))
    for name in ("3D/My Part.model", "/3d/my part.MODEL", "3D/My%20Part.model", "./3D/My Part.model"):
        assert content(found, name) == b"1"
    assert content(found, "odd.model") == b"2"
    assert content(found, "none.model") is None
    assert part(found, "none.model") is None
    assert names(found, ".model", ".xyz") == ["3D/My Part.model", "/odd.model"]


def test_what_is_no_archive() -> None:
    with pytest.raises(Empty, match="the file is empty"):
        opened(b"")
    data = archive({"a": bytes(100)})
    for damaged in (b"PK", b"nonsense" * 100, data[:-30], data[:40]):
        with pytest.raises(Unreadable, match="not a zip archive, or cut short"):
            opened(damaged)


def test_a_wrong_checksum() -> None:
    data = bytearray(archive({"a": b"some text that is longer than its compressed self, self, self, self"}))
    place = data.index(b"PK\x01\x02") + 16
    data[place] ^= 1
    with pytest.raises(Unreadable, match=r"damaged: .*CRC"):
        content(opened(bytes(data)), "a")


def test_damaged_bytes() -> None:
    sound = archive({"a": bytes(range(256)) * 20})
    for at in range(30, 60):
        data = bytearray(sound)
        data[at] ^= 0x55
        with pytest.raises((Unreadable, Unsupported)):
            content(opened(bytes(data)), "a")


@pytest.mark.parametrize(("offset", "value", "told"), [(8, 1, "is encrypted"), (10, 99, "compress")])
def test_kinds_of_archives_that_are_not_read(offset: int, value: int, told: str) -> None:
    data = bytearray(archive({"a": b"text"}))
    struct.pack_into("<H", data, data.index(b"PK\x01\x02") + offset, value)
    with pytest.raises(Unsupported, match=told):
        content(opened(bytes(data)), "a")


def test_a_bomb_is_not_expanded() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as target, target.open("bomb", "w") as bomb:
        for _ in range(ALWAYS_ALLOWED // 2**20 + 1):
            bomb.write(bytes(2**20))
    assert len(stream.getvalue()) < 10**6
    with pytest.raises(Unreadable, match=f"bomb in the archive expands from .* to {ALWAYS_ALLOWED + 2**20}, more than"):
        part(opened(stream.getvalue()), "bomb")


def test_a_file_that_claims_to_be_small_is_not_read_further() -> None:
    data = bytearray(archive({"a": bytes(10**6)}))
    struct.pack_into("<I", data, data.index(b"PK\x01\x02") + 24, 10)
    with pytest.raises(Unreadable):
        content(opened(bytes(data)), "a")
