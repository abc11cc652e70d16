"""What an ASCII STL file may have that says nothing about its triangles, and that stands where a reader trips over it.

* `facet` with a normal of fewer or more than three numbers, or without one: normals are never used.
* Comments and other words behind `facet`, `outer loop`, a vertex, `endloop` or `endfacet`, on the same line. What
  stands behind the numbers of a vertex must be a comment, as it might be one of them.

Nothing of it is passed over if it has one of the format's own words in it: that may be a facet whose line end is lost.
"""

from __future__ import annotations

import re

_KEYWORD = rb"(?:facet|normal|outer|loop|vertex|endloop|endfacet|solid|endsolid|end)(?!\S)"
_WORDS = rb"(?:[ \t]+(?!" + _KEYWORD + rb")\S+)"
_END_OF_LINE = rb"[ \t]*(?=\n|\Z)"
_COMMENT = re.compile(
    rb"^([ \t]*(?:facet|outer|vertex|endloop|endfacet)(?!\S)[^\n#;!/]*[ \t])(?:[#;!]|//)\S*"
    + (_WORDS + rb"*" + _END_OF_LINE),
    re.MULTILINE,
)
_NORMAL = re.compile(rb"(?<!\S)facet(?:[ \t]+normal)?(?!\S)" + _WORDS + rb"*(?=\s+outer(?!\S))")
_TAIL = re.compile(rb"(?<!\S)(outer[ \t]+loop|endloop|endfacet)" + _WORDS + rb"+" + _END_OF_LINE)


def without_oddities(chunk: bytes) -> tuple[bytes, int]:
    """A piece of an ASCII STL file that reads as the format has it, on as many lines.

    Parameters
    ----------
    chunk : bytes
        In lower case, with newlines for line ends.

    Returns
    -------
    (bytes, int)
        The piece, and at how many places words were left out that are neither normals nor comments.

    >>> without_oddities(b"facet\\nouter loop // 1\\nvertex 1 2 3 # a\\nendloop\\nendfacet 12\\n")
    (b'facet normal 0 0 0\\nouter loop \\nvertex 1 2 3 \\nendloop\\nendfacet\\n', 1)
    """
    if any(mark in chunk for mark in (b"#", b";", b"!", b"//")):
        chunk = _COMMENT.sub(rb"\1", chunk)
    return _TAIL.subn(rb"\1", _NORMAL.sub(b"facet normal 0 0 0", chunk))


def end_of_facets(chunk: bytes) -> int:
    """Where a piece of a file may be cut: behind its last whole facet, and the words behind that on the same line.

    A line that may go on is looked at only if it has two ends of facets, as it has where there are no line ends.

    >>> end_of_facets(b"endfacet 1\\nfacet"), end_of_facets(b"endfacet 1"), end_of_facets(b"endfacet facet endfacet")
    (10, 0, 8)
    """
    last = chunk.rfind(b"endfacet", 0, chunk.rfind(b"\n") + 1)
    found = _TAIL.match(chunk, last) if last >= 0 else None
    if found:
        return found.end()
    if last < 0:
        last = chunk.rfind(b"endfacet", 0, max(chunk.rfind(b"endfacet"), 0))
    return last + len(b"endfacet") if last >= 0 else 0
