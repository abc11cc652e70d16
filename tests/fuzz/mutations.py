"""Seeded damage to files: of their bytes, their numbers, their words and lines, and of what they are made of.

Damage to the bytes of an archive hardly ever gets past its checksums, and damage to the numbers of a JSON document is
what a reader has to think about. So containers are taken apart, what is in them is mutated, and they are put together
again.
"""

from __future__ import annotations

import base64
import contextlib
import gzip
import io
import json
import lzma
import random
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Sequence
from typing import Any

NUMBERS = (
    *("0", "-0", "1", "-1", "2", "3", "7", "255", "256", "65535", "65536", "2147483647", "-2147483648", "4294967295"),
    *("4294967296", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "1" * 30, "9" * 400),
    *("nan", "inf", "-inf", "1e308", "-1e308", "1e309", "1e-308", "5e-324", "1e-60", "1e60", "1e38", "3.5e38", "1e-45"),
    *("1e+", "1,5", "1.0D+00", "0x10", "1_000", "1.#QNAN", "", ".", "-", "½", "１", "1.5", "1e3", "0.1", "1e9999999999"),  # noqa: E501
)
"""Spellings and sizes that readers stumble over."""

INTEGERS = (0, 1, 2, 3, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 62)
DOUBLES = (float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 1e308, -1e308, 5e-324, 3.5e38, 1e-45, 1e38)
JSON_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 3, 1.5, 1e308, float("nan"), 10**15, 10**30, 2**31, "", "x", "data:,", "..", [], {}),
    *([0], [1, 2, 3], [[]], {"a": 1}, 5120, 5121, 5123, 5125, 5126, "SCALAR", "VEC3", "MAT4", [0] * 16, [1e308] * 16),
)
_NUMBER = re.compile(rb"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])")
_WORD = re.compile(rb"[A-Za-z_:]{2,}")
_BASE64 = re.compile(rb"(?<=;base64,)[A-Za-z0-9+/=]+")

Mutation = Callable[[bytes, random.Random], bytes]


def mutated(data: bytes, rng: random.Random) -> bytes:
    """A file that is damaged in one to three ways.

    Parameters
    ----------
    data : bytes
        A valid file.
    rng : Random
        Says where and how: the same seed, the same damage.
    """
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3))):
        data = _once(data, rng)
    return data


def _once(data: bytes, rng: random.Random) -> bytes:
    if rng.random() < 0.75:
        for mark, within in _CONTAINERS:
            if data.startswith(mark) and (changed := within(data, rng)) is not None:
                return changed
    if _is_text(data):
        return rng.choice(_OF_TEXT)(data, rng)
    return rng.choice(_OF_BYTES)(data, rng)


def _is_text(data: bytes) -> bool:
    return sum(byte < 9 or 14 <= byte < 32 or byte > 126 for byte in data[:2000]) * 20 < min(len(data), 2000)


# Bytes


def _place(data: bytes, rng: random.Random) -> int:
    """Somewhere, and often near the beginning, where headers are."""
    return rng.randrange(min(len(data), 100) if rng.random() < 0.4 else len(data)) if data else 0


def _span(data: bytes, rng: random.Random) -> slice:
    start = _place(data, rng)
    return slice(start, min(len(data), start + rng.choice((1, 2, 4, 12, 50, 200, len(data)))))


def _flip(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8))):
        if changed:
            changed[_place(data, rng)] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _overwrite(data: bytes, rng: random.Random) -> bytes:
    start = _place(data, rng)
    piece = rng.randbytes(rng.choice((1, 2, 4, 8, 50)))
    return data[:start] + piece + data[start + len(piece) :]


def _whole_number(data: bytes, rng: random.Random) -> bytes:
    """An integer of some size where there may have been one."""
    size, order = rng.choice((1, 2, 4, 4, 8)), rng.choice(("little", "little", "big"))
    start = _place(data, rng) // size * size + (rng.random() < 0.2)
    value = (rng.choice(INTEGERS) + rng.choice((0, 0, 1, -1))) % (1 << 8 * size)
    return data[:start] + value.to_bytes(size, order) + data[start + size :]


def _real_number(data: bytes, rng: random.Random) -> bytes:
    form = rng.choice(("<f", "<f", "<d", ">d", ">f"))
    value = rng.choice(DOUBLES)
    try:
        piece = struct.pack(form, value)
    except OverflowError:
        piece = struct.pack(form, float("inf"))
    start = _place(data, rng)
    return data[:start] + piece + data[start + len(piece) :]


def _cut(data: bytes, rng: random.Random) -> bytes:
    return data[: _place(data, rng)]


def _cut_head(data: bytes, rng: random.Random) -> bytes:
    return data[_place(data, rng) :]


def _drop(data: bytes, rng: random.Random) -> bytes:
    span = _span(data, rng)
    return data[: span.start] + data[span.stop :]


def _repeat(data: bytes, rng: random.Random) -> bytes:
    span, times = _span(data, rng), rng.choice((1, 1, 2, 20))
    return data[: span.stop] + data[span] * times + data[span.stop :]


def _move(data: bytes, rng: random.Random) -> bytes:
    piece, at = data[_span(data, rng)], _place(data, rng)
    return data[:at] + piece + data[at:]


def _extend(data: bytes, rng: random.Random) -> bytes:
    return data + rng.choice((b"\0" * 50, b"\x1a", b"\n", rng.randbytes(50), data))


def _zeros(data: bytes, rng: random.Random) -> bytes:
    span = _span(data, rng)
    return data[: span.start] + bytes(span.stop - span.start) + data[span.stop :]


_OF_BYTES: Sequence[Mutation] = (
    *(_flip, _flip, _overwrite, _whole_number, _whole_number, _real_number, _real_number),
    *(_cut, _cut_head, _drop, _repeat, _move, _extend, _zeros),
)


# Text


def _replaced(pattern: re.Pattern[bytes], data: bytes, rng: random.Random, make: Callable[[bytes], bytes]) -> bytes:
    """One match, or all matches that read the same, replaced."""
    found = list(pattern.finditer(data))
    if not found:
        return _flip(data, rng)
    match = rng.choice(found)
    if rng.random() < 0.2:
        return data.replace(match[0], make(match[0]))
    return data[: match.start()] + make(match[0]) + data[match.end() :]


def _number(data: bytes, rng: random.Random) -> bytes:
    return _replaced(_NUMBER, data, rng, lambda _: rng.choice(NUMBERS).encode())


def _near_number(data: bytes, rng: random.Random) -> bytes:
    """A number a little or a lot away from what it was."""

    def near(word: bytes) -> bytes:
        try:
            whole = int(word)
        except ValueError:
            value = float(word)
            factor = rng.choice((1 + 2**-23, 1 - 2**-23, 1 + 2**-52, -1.0, 1e30, 1e-30, 1e150, 2.0))
            return repr(value * factor).encode()
        return str(whole + rng.choice((1, -1, 2, 1000))).encode()

    return _replaced(_NUMBER, data, rng, near)


def _swap_numbers(data: bytes, rng: random.Random) -> bytes:
    found = list(_NUMBER.finditer(data))
    if len(found) < 2:
        return _flip(data, rng)
    one, two = sorted(rng.sample(found, 2), key=lambda match: match.start())
    return data[: one.start()] + two[0] + data[one.end() : two.start()] + one[0] + data[two.end() :]


def _word(data: bytes, rng: random.Random) -> bytes:
    words = _WORD.findall(data) or [b"x"]
    return _replaced(_WORD, data, rng, lambda word: rng.choice((rng.choice(words), word.swapcase(), b"", word * 2)))


def _lines(data: bytes, rng: random.Random) -> bytes:
    """Lines, or elements, dropped, repeated, swapped or run together."""
    mark = b"\n" if data.count(b"\n") > 3 else rng.choice((b">", b",", b" ", b"}"))
    lines = data.split(mark)
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(6):
        case 0:
            del lines[one]
        case 1:
            lines.insert(two, lines[one])
        case 2:
            lines[one], lines[two] = lines[two], lines[one]
        case 3:
            del lines[min(one, two) : max(one, two)]
        case 4:
            lines[one : one + 1] = [lines[one]] * rng.choice((2, 50))
        case _:
            lines[one : one + 2] = [b" ".join(lines[one : one + 2])]
    return mark.join(lines)


_PIECES = (
    *(b"\0", b"\xff", b"\xef\xbb\xbf", b"\r", b" ", b"\t" * 50, b"#", b"/", b"-", b"\\\n", b"<!--", b"&amp;", b"&b;"),
    *(b"<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>", b"<a>" * 50, b"[" * 500, b'"', b"nan ", b"1" * 5000),
)


def _insert(data: bytes, rng: random.Random) -> bytes:
    at = _place(data, rng)
    return data[:at] + rng.choice(_PIECES) + data[at:]


def _encode(data: bytes, rng: random.Random) -> bytes:
    """The same text in another encoding, or with other line ends."""
    if rng.random() < 0.5:
        return data.replace(b"\n", rng.choice((b"\r\n", b"\r", b"\n\n", b" ", b"\t")))
    return data.decode("latin-1").encode(rng.choice(("utf-16", "utf-8-sig", "utf-16-be", "utf-32")))


_OF_TEXT: Sequence[Mutation] = (
    *(_number, _number, _number, _near_number, _near_number, _near_number, _swap_numbers, _swap_numbers),
    *(_word, _word, _lines, _lines, _lines, _insert, _insert, _encode, _flip, _cut, _drop, _repeat, _move),
)


# Containers


_DAMAGE = (OSError, ValueError, EOFError, zlib.error, lzma.LZMAError)


def _in_archive(data: bytes, rng: random.Random) -> bytes | None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {info.filename: archive.read(info) for info in archive.infolist()}
    except (*_DAMAGE, zipfile.BadZipFile, RuntimeError, NotImplementedError):
        return None
    if not members:
        return None
    name = rng.choice(sorted(members, key=lambda name: len(members[name]))[-2:] if rng.random() < 0.7 else [*members])
    match rng.randrange(12):
        case 0:
            del members[name]
        case 1:
            members[name.swapcase() + rng.choice(("", "x", "/../x"))] = members.pop(name)
        case _:
            members[name] = _once(members[name], rng)
    stream = io.BytesIO()
    kinds = (*[zipfile.ZIP_DEFLATED] * 5, *[zipfile.ZIP_STORED] * 5, zipfile.ZIP_LZMA)
    with zipfile.ZipFile(stream, "w", rng.choice(kinds)) as out:
        for key, content in members.items():
            out.writestr(zipfile.ZipInfo(key, (2020, 1, 1, 0, 0, 0)), content, out.compression)
    return stream.getvalue()


def _in_gzip(data: bytes, rng: random.Random) -> bytes | None:
    try:
        return gzip.compress(_once(gzip.decompress(data), rng), mtime=0)
    except _DAMAGE:
        return None


def _in_glb(data: bytes, rng: random.Random) -> bytes | None:
    """The JSON or the binary chunk, with the lengths made right again."""
    try:
        (size,) = struct.unpack_from("<I", data, 12)
        text, binary = data[20 : 20 + size], data[28 + size :]
        if rng.random() < 0.7:
            text = _in_json(text, rng) or text
        else:
            binary = rng.choice(_OF_BYTES)(binary, rng)
    except struct.error:
        return None
    text += b" " * (-len(text) % 4)
    body = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return struct.pack("<4s2I", b"glTF", 2, 12 + len(body)) + body


def _in_json(data: bytes, rng: random.Random) -> bytes | None:
    """One value, one key or one item of a list changed; or the bytes in a data URI."""
    if rng.random() < 0.25 and (found := _BASE64.search(data)):
        with contextlib.suppress(ValueError):
            binary = rng.choice(_OF_BYTES)(base64.b64decode(found[0]), rng)
            return data[: found.start()] + base64.b64encode(binary) + data[found.end() :]
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return None
    places = list(_places(document))
    if not places:
        return None
    owner, key = rng.choice(places)
    match rng.randrange(8):
        case 0:
            del owner[key]
        case 1 if isinstance(owner, list):
            owner.append(owner[key])
        case 2 if isinstance(owner, dict):
            owner[rng.choice([k for o, k in places if isinstance(k, str)])] = owner[key]
        case 3:
            other, place = rng.choice(places)
            owner[key] = json.loads(json.dumps(other[place]))
        case 4 if isinstance(owner[key], int):
            owner[key] += rng.choice((1, -1, 2, 1000))
        case _:
            owner[key] = rng.choice(JSON_VALUES)
    return json.dumps(document).encode()


def _places(value: Any) -> Any:
    """Every owner and key within a document."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])


_CONTAINERS: Sequence[tuple[bytes, Callable[[bytes, random.Random], bytes | None]]] = (
    (b"PK\x03\x04", _in_archive),
    (b"glTF", _in_glb),
    (b"\x1f\x8b", _in_gzip),
    (b"{", _in_json),
)
