"""Where files are written to, and the refusal of names under which something lies that must stay."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from massprops.errors import PlanError

STANDARD_INPUT = "-"
"""The input that is read from the pipe."""

WRITTEN_FORMATS = ("stl", "obj", "ply", "off", "glb")
"""Suffixes of ``--output``; a name without suffix stands for the first."""

FIGURE_FORMATS, FILM_FORMATS = ("png", "svg"), ("gif", "mp4")
"""Suffixes of ``--figure`` and ``--animate``, of which a name must have one."""

PAGE_FORMATS = ("html", "htm")
"""Suffixes of ``--html``, of which a name must have one."""

MESH, PAGE = "--output", "--html"

_SEPARATORS = tuple(filter(None, (os.sep, os.altsep)))

_FORMATS = {
    MESH: ("", *WRITTEN_FORMATS),
    "--figure": FIGURE_FORMATS,
    "--animate": FILM_FORMATS,
    PAGE: PAGE_FORMATS,
}
"""Suffixes that names may have, where not any does."""


def check_written(
    given: Mapping[str, str | None], inputs: Sequence[str], others: Sequence[str | None], overwrite: bool
) -> None:
    """Refuse names of files that cannot be written, or must not be.

    Parameters
    ----------
    given : mapping of str to str or None
        Names by flag; all but that of ``--html`` are for each input, and may hold ``{stem}``.
    inputs : sequence of str
        Paths, in order.
    others : sequence of str or None
        What else is read.
    overwrite : bool
        Whether a file that exists may be replaced. Of files that are read only ``--output`` replaces one: its input.

    Raises
    ------
    PlanError
        Another suffix than those that are written; one name for several files; a folder that is not there; a name
        under which something is that must stay.
    """
    names = {flag: name for flag, name in given.items() if name is not None}
    if not names:
        return
    own = [_place(path) for path in inputs]
    others_read = {_place(path) for path in others if path is not None} - {None}
    read = {*own, *others_read}
    places: list[str] = []
    for flag, name in names.items():
        for (target, place), its_own in zip(_targets(flag, name, inputs), own, strict=False):
            is_its_own = flag == MESH and place == its_own and place not in others_read
            if place in read and not is_its_own:
                raise PlanError(f"{flag} {target}: a file that is read, and must stay; choose another name")
            _check_target(flag, target, overwrite)
            places.append(place)
    if len(set(places)) < len(places):
        raise PlanError("one name for two files that are to be written")


def _targets(flag: str, name: str, inputs: Sequence[str]) -> list[tuple[Path, str]]:
    """Names that files will have, and where these are; refused are suffixes that are not known, and equal names."""
    if name == STANDARD_INPUT:
        raise PlanError(f"{flag} -: a file is written, not standard output")
    if name.endswith(_SEPARATORS):
        raise PlanError(f"{flag} {name}: a folder; name a file in it")
    targets = [Path(name)] if flag == PAGE else [written_name(name, path) for path in inputs]
    places = [os.path.realpath(target) for target in targets]
    counts = Counter(places)
    for target, place in zip(targets, places, strict=True):
        formats = _FORMATS.get(flag)
        suffix = target.suffix.lower().removeprefix(".")
        if formats is not None and suffix not in formats and not os.path.isdir(target):  # a folder says more
            stem = target.name.rstrip(".")
            hint = "" if suffix or stem.startswith(".") else f"; say which, as in {stem}.{formats[0]}"
            raise PlanError(f"{flag} {target}: written are {', '.join(filter(None, formats))}{hint}")
        if counts[place] > 1:
            stems = {_stem(path) for path, other in zip(inputs, places, strict=True) if other == place}
            if "{stem}" in name and len(stems) == 1:
                told = f"{counts[place]} inputs have the stem {stems.pop()}; give them to runs of their own"
            else:
                told = "put {stem} into it"
            raise PlanError(f"{flag} {target}: one name for several inputs; {told}")
    return list(zip(targets, places, strict=True))


def _place(path: str) -> str | None:
    """Where a file that is read lies, whatever links lead there; None for standard input, and for what is no name."""
    try:
        return None if path == STANDARD_INPUT else os.path.realpath(path)
    except (OSError, ValueError):  # told when it is to be opened
        return None


def _check_target(flag: str, target: Path, overwrite: bool) -> None:
    """Refuse a place where nothing can be written, or where something is that must stay."""
    try:
        for reason in _obstacles(target, overwrite):
            raise PlanError(f"{flag} {target}: {reason}")
    except OSError as error:  # of names that are too long, folders that may not be looked into
        raise PlanError(f"{flag} {target}: {(error.strerror or str(error)).lower()}") from None


def _obstacles(target: Path, overwrite: bool) -> Iterator[str]:
    if not target.parent.is_dir():
        yield f"there is no folder {target.parent}"
    if target.is_dir():
        yield "a folder"
    if not target.exists():
        if target.is_symlink():
            yield f"a link to {os.readlink(target)}, which is not there"
        return
    if not target.is_file():
        yield "a device, pipe or socket, not a file"
    if not overwrite:
        yield "exists already; --overwrite replaces it"
    if not os.access(target, os.W_OK):
        yield "write-protected"


def written_name(name: str, path: str) -> Path:
    """Where something about an input is written to: ``{stem}`` is the input's name without folder and suffix.

    >>> written_name("out/{stem}.obj", "parts/arm.stl").as_posix()
    'out/arm.obj'
    """
    return Path(name.replace("{stem}", _stem(path)))


def _stem(path: str) -> str:
    return "stdin" if path == STANDARD_INPUT else Path(path).stem
