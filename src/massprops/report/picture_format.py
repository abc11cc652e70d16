"""What kind of picture a file's name asks for."""

from __future__ import annotations

import os


class PictureError(ValueError):
    """A picture cannot be drawn as asked; one line that says why."""


def picture_format(path: str | os.PathLike[str], *known: str) -> str:
    """The suffix of a picture's name in lower case, without its point.

    Parameters
    ----------
    path : str or path
    known : str
        Suffixes that can be written.

    Raises
    ------
    PictureError
        The name has another suffix, or none.

    Examples
    --------
    >>> picture_format("part.PNG", "png", "svg")
    'png'
    """
    name = os.fspath(path)
    suffix = os.path.splitext(name)[1][1:].lower()
    if suffix not in known:
        found = f"'.{suffix}' is not known" if suffix else "a name without a suffix"
        raise PictureError(f"{name}: {found}; end the name in {' or '.join('.' + each for each in known)}")
    return suffix
