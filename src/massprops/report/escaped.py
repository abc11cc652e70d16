"""Text that is safe to show: names of files may hold anything, also what moves the cursor or turns the line round."""

from __future__ import annotations


def escaped(text: str) -> str:
    """A line with everything that is not printed written as an escape, as ``repr`` does.

    Not printed are control characters, ends of lines, marks of direction, spaces other than the plain one, and what
    stands for bytes in no encoding.

    Examples
    --------
    >>> print(escaped("part\\x1b[2J\\n\\u202elts.stl"))
    part\\x1b[2J\\n\\u202elts.stl
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else _escape(each) for each in text)


def _escape(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")
