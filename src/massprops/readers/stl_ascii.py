"""ASCII STL, as the programs of this world write it.

Twenty-one words make a facet; a run of facets is taken apart by slices of the list of words, a whole chunk at a time.
Upper and lower case, any white space, and any name of a solid are taken as they come. Ends written as two words, and
colours of facets, are cleared away before, where there are any; other oddities, where a chunk cannot be read otherwise.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO

import numpy as np

from massprops.core.surface import Floats
from massprops.errors import Unreadable
from massprops.readers.end_marks import without_end_marks
from massprops.readers.stl_oddities import end_of_facets, without_oddities

_CHUNK = 1 << 21
_LONGEST_GAP = 1 << 24  # more text than this without a facet is no STL
_WORDS = 21
_KEYWORDS = {
    0: b"facet", 1: b"normal", 5: b"outer", 6: b"loop", 7: b"vertex", 11: b"vertex", 15: b"vertex",
    19: b"endloop", 20: b"endfacet",
}  # fmt: skip
_COORDINATES = (8, 9, 10, 12, 13, 14, 16, 17, 18)
_COMMENT = re.compile(rb"^[ \t]*(?:[#;!]|//)[^\n]*", re.MULTILINE)
_TWO_WORDS = re.compile(rb"^([ \t]*)end([ \t]+)(facet|loop|solid)(?!\S)(?![ \t]+normal)", re.MULTILINE)
_COLOR = re.compile(rb"(?<!\S)colou?r(?:[ \t]+[-+.0-9e]+){3,4}(?!\S)")
_NOT_A_NUMBER = re.compile(rb"[-+]?(?:1\.?#(?:inf|ind|qnan|snan)[0-9a-z]*|nan\([a-z0-9]*\))")


@dataclass
class Progress:
    """What has been read so far: for messages, and to tell what was odd."""

    facets: int = 0
    lines: int = 0
    solids: int = 0
    colors: int = 0
    odd: int = 0
    ended: bool = False
    inside: bool = False


def ascii_facets(file: BinaryIO, progress: Progress) -> Iterator[Floats]:
    """The triangles of an ASCII STL file, in arrays ``(n, 3, 3)``: facet, corner, axis.

    Parameters
    ----------
    file : BinaryIO
        From its beginning.
    progress : Progress
        Brought up to date on the way.

    Raises
    ------
    Unreadable
        Words that are not those of a facet, too few or too many vertices, an end inside a facet; with the line.
    """
    rest = b""
    for text, is_last in _text(file):
        chunk = (rest + text).lower().replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if not is_last and chunk.endswith(b"\n") and text.endswith(b"\r"):
            chunk = chunk[:-1] + b"\r"  # half of a line break, perhaps
        if is_last:
            chunk = without_end_marks(chunk)
        if b"end " in chunk or b"end\t" in chunk:
            chunk = _TWO_WORDS.sub(rb"\1end\3\2", chunk)
        end = len(chunk) if is_last else end_of_facets(chunk)
        if end == 0 and not is_last:
            if len(chunk) > _LONGEST_GAP:
                raise Unreadable(f"no facet in {len(chunk)} bytes after line {progress.lines + 1}; not an STL file")
            rest = chunk
            continue
        yield from _facets_of(chunk[:end], progress, is_last)
        progress.lines += chunk.count(b"\n", 0, end)
        rest = chunk[end:]


def _text(file: BinaryIO) -> Iterator[tuple[bytes, bool]]:
    """Chunks of the file in an encoding that contains ASCII, and whether each is the last."""
    file.seek(0)
    start = file.read(_CHUNK)
    decode = _decoder(start)
    while start:
        following = file.read(_CHUNK)
        yield decode(start, not following), not following
        start = following


def _decoder(start: bytes) -> Callable[[bytes, bool], bytes]:
    for mark, name in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if start.startswith(mark):
            decoder = codecs.getincrementaldecoder(name)("replace")
            return lambda data, final: decoder.decode(data, final).lstrip("\ufeff").encode()
    return lambda data, final: data.removeprefix(codecs.BOM_UTF8)


def _facets_of(chunk: bytes, progress: Progress, is_last: bool) -> list[Floats]:
    """The facets in a chunk, which is read anew without oddities where it cannot be read as it is."""
    before = replace(progress)
    try:
        return list(_runs(chunk, progress, is_last))
    except Unreadable:
        plain, odd = without_oddities(chunk)
        if plain == chunk:
            raise
    vars(progress).update(vars(before))
    progress.odd += odd
    return list(_runs(plain, progress, is_last))


def _runs(chunk: bytes, progress: Progress, is_last: bool) -> Iterator[Floats]:
    """Each run of facets in a chunk; between runs lie the ends and the beginnings of solids."""
    bare, colors = _bare(chunk)
    progress.colors += colors
    words = bare.split()
    at = 0
    while at < len(words):
        if not progress.inside:
            at = _next_facet(words, at, chunk, progress)
            if at == len(words):
                break
            progress.inside, progress.ended = True, False
            progress.solids += 1
        run = _run_length(words, at)
        if run:
            yield _facets(words[at : at + _WORDS * run], chunk, at, progress)
            progress.facets += run
            at += _WORDS * run
        if at < len(words):
            _expect_end_of_solid(words, at, chunk, progress)
            progress.ended = words[at] == b"endsolid"
            progress.inside = False
            at += 1
    if is_last and not progress.inside and not progress.ended:
        progress.ended = progress.solids == 0


def _bare(chunk: bytes) -> tuple[bytes, int]:
    """A chunk without comments and colours, on as many lines, and how many colours there were."""
    if any(mark in chunk for mark in (b"#", b";", b"!", b"//")):
        chunk = _COMMENT.sub(b"", chunk)
    return _COLOR.subn(b"", chunk) if b"colo" in chunk else (chunk, 0)


def _next_facet(words: list[bytes], at: int, chunk: bytes, progress: Progress) -> int:
    """Where the next facet begins: over the name of a solid, whatever that is, and over comments."""
    skipped = at
    while at < len(words):
        try:
            at = words.index(b"facet", at)
        except ValueError:
            at = len(words)
            break
        if words[at + 1 : at + 2] == [b"normal"] and words[at + 5 : at + 7] in ([b"outer", b"loop"], [b"outer"], []):
            break
        at += 1
    for keyword in (b"endloop", b"endfacet"):
        if keyword in words[skipped:at]:
            place = words.index(keyword, skipped)
            line, wanted = _line(chunk, place, progress), "'facet normal' and 'outer loop'"
            raise Unreadable(f"line {line}: '{keyword.decode()}' without {wanted} of the facet it ends")
    return at


def _run_length(words: list[bytes], at: int) -> int:
    """Number of whole facets that follow one another, judged by their first word.

    Looks twice as far each time, so that a file of many small solids is not looked through for each of them.
    """
    complete = (len(words) - at) // _WORDS
    run, reach = 0, 16
    while run < complete:
        starts = words[at + _WORDS * run : at + _WORDS * min(run + reach, complete) : _WORDS]
        if starts.count(b"facet") < len(starts):
            return run + next(k for k, word in enumerate(starts) if word != b"facet")
        run, reach = run + len(starts), 2 * reach
    return complete


def _expect_end_of_solid(words: list[bytes], at: int, chunk: bytes, progress: Progress) -> None:
    if words[at] in (b"endsolid", b"solid"):
        return
    line, facet = _line(chunk, at, progress), progress.facets + 1
    if words[at] == b"facet":
        _check_facet(words, at, chunk, progress)
        raise Unreadable(f"the file ends inside facet {facet}, which begins in line {line}; it was cut off")
    raise Unreadable(f"line {line}: '{_shown(words[at])}' where facet {facet} or the end of the solid should begin")


def _facets(words: list[bytes], chunk: bytes, at: int, progress: Progress) -> Floats:
    count = len(words) // _WORDS
    for place, keyword in _KEYWORDS.items():
        column = words[place::_WORDS]
        if column.count(keyword) != count:
            facet = next(k for k, word in enumerate(column) if word != keyword)
            progress.facets += facet
            _check_facet(words, facet * _WORDS, chunk, progress, at)
    numbers = _Numbers()
    try:
        coordinates = np.array([list(map(numbers.__getitem__, words[place::_WORDS])) for place in _COORDINATES])
    except _NoNumber as error:
        word = error.args[0]
        line = _line(chunk, at + words.index(word), progress)
        advice = "; a decimal comma: export with a point" if b"," in word else ""
        if word.endswith(b","):
            advice = "; export with blanks between coordinates, and no commas"
        raise Unreadable(f"line {line}: '{_shown(word)}' is no number{advice}") from None
    return coordinates.T.reshape(count, 3, 3)


class _NoNumber(Exception):
    """A word that should be a coordinate."""


class _Numbers(dict[bytes, float]):
    """Coordinates by their spelling. Each stands in a file some six times, and looking up is faster than reading."""

    def __missing__(self, word: bytes) -> float:
        if b"_" in word:  # Python's own mark between digits
            raise _NoNumber(word)
        try:
            value = self[word] = float(word)
        except ValueError:
            value = self[word] = _unusual_number(word)
        return value


def _unusual_number(word: bytes) -> float:
    """A coordinate in Fortran's spelling, or an old C library's NaN."""
    if _NOT_A_NUMBER.fullmatch(word):
        return float("nan")
    try:
        return float(word.replace(b"d", b"e"))
    except ValueError:
        raise _NoNumber(word) from None


def _check_facet(words: list[bytes], start: int, chunk: bytes, progress: Progress, before: int = 0) -> None:
    """Raise for the first word of a facet that is not what it should be."""
    for place, keyword in _KEYWORDS.items():
        if start + place < len(words) and words[start + place] != keyword:
            line = _line(chunk, before + start + place, progress)
            found = _shown(words[start + place])
            expected = f"facet {progress.facets + 1} should have '{keyword.decode()}'"
            raise Unreadable(f"line {line}: '{found}' where {expected}")


def _line(chunk: bytes, word: int, progress: Progress) -> int:
    """Number of the line in which a word of the chunk stands."""
    text, _ = _bare(chunk)
    for count, match in enumerate(re.finditer(rb"\S+", text)):
        if count == word:
            return progress.lines + text.count(b"\n", 0, match.start()) + 1
    return progress.lines + text.count(b"\n") + 1


def _shown(word: bytes) -> str:
    return word[:40].decode("utf-8", "replace").encode("unicode_escape").decode("ascii")
